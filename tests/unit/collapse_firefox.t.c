/*
 * Stacks of Firefox profiles: several rows may be one path, in a profile without paths and in one that has some.
 */
#include "collapse/formats.h"
#include "model/profile.h"
#include "tests/tap.h"
#include "tests/unit/collapsing.h"

#define MOST_ROWS 200u

static uint64_t state = 1;

static unsigned below(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % n;
}

/* A table of stacks whose parents come before them or after them, and samples of it. */
struct stack_table {
	unsigned n, n_samples, n_frames, n_names;
	unsigned frame[MOST_ROWS], name[MOST_ROWS], samples[MOST_ROWS];
	int prefix[MOST_ROWS];
};

static void make_table(struct stack_table *t)
{
	unsigned order[MOST_ROWS];
	t->n = 1 + below(MOST_ROWS);
	t->n_names = 1 + below(5);
	t->n_frames = t->n_names + below(5);
	t->n_samples = 1 + below(MOST_ROWS);
	for (unsigned i = 0; i < t->n; i++)
		order[i] = i;
	for (unsigned i = t->n; below(2) && i > 1; i--) {
		unsigned k = below(i), swap = order[k];
		order[k] = order[i - 1];
		order[i - 1] = swap;
	}
	for (unsigned i = 0; i < t->n_frames; i++)
		t->name[i] = below(t->n_names);
	for (unsigned i = 0; i < t->n; i++) {
		t->frame[order[i]] = below(t->n_frames);
		t->prefix[order[i]] = i && below(8) ? (int)order[i - 1 - below(i < 4 ? i : 4)] : -1;
	}
	for (unsigned i = 0; i < t->n_samples; i++)
		t->samples[i] = below(t->n);
}

static void add_list(struct buf *out, const char *key, const unsigned *v, unsigned n)
{
	buf_addf(out, "\"%s\":[", key);
	for (unsigned i = 0; i < n; i++)
		buf_addf(out, "%s%u", i ? "," : "", v[i]);
	buf_adds(out, "]");
}

static void add_thread(struct buf *out, const struct stack_table *t)
{
	buf_adds(out, "{\"samples\":{");
	add_list(out, "stack", t->samples, t->n_samples);
	buf_adds(out, "},\"stackTable\":{");
	add_list(out, "frame", t->frame, t->n);
	buf_adds(out, ",\"prefix\":[");
	for (unsigned i = 0; i < t->n; i++)
		buf_addf(out, t->prefix[i] < 0 ? "%snull" : "%s%d", i ? "," : "", t->prefix[i]);
	buf_adds(out, "]},\"frameTable\":{");
	add_list(out, "func", t->name, t->n_frames);
	buf_adds(out, "},\"funcTable\":{\"name\":[0,1,2,3,4]},\"stringArray\":[\"a\",\"b\",\"c\",\"d\",\"e\"]}");
}

static void add_samples(struct buf *out, const struct stack_table *t)
{
	for (unsigned i = 0; i < t->n_samples; i++) {
		char stack[2 * MOST_ROWS];
		unsigned at = sizeof stack;
		for (int row = (int)t->samples[i]; row >= 0; row = t->prefix[row]) {
			stack[--at] = ';';
			stack[--at] = (char)('a' + t->name[t->frame[row]]);
		}
		buf_addf(out, "%.*s 1\n", (int)(sizeof stack - 1 - at), stack + at);
	}
}

/* Are there as many paths as there are different stacks? profile_find_child() would find the first of two. */
static bool has_no_twins(struct profile *p)
{
	for (uint32_t i = 1; i < p->n_paths; i++)
		for (uint32_t k = i + 1; k < p->n_paths; k++)
			if (p->parent[i] == p->parent[k] && p->sym[i] == p->sym[k])
				return false;
	return true;
}

static bool reads(const char *text, const char *expected, bool has_paths)
{
	struct collapse_options o = {.jobs = 1};
	struct profile p;
	struct sink sink = {.profile = &p, .options = &o};
	struct err err = {""};
	profile_init(&p);
	if (has_paths)
		profile_child(&p, profile_child(&p, PATH_ROOT, sink_sym(&sink, "b", 1)), sink_sym(&sink, "a", 1));
	void *reader = format_firefox.start(&sink, &err);
	bool good = feed_piece(&format_firefox, reader, &sink, text, strlen(text), &err);
	good = format_firefox.finish(reader, good, &err) && good;
	char *samples = samples_of(&p);
	good = good && strcmp(samples, expected) == 0 && has_no_twins(&p);
	if (!good)
		diag("%s\n%s\nexpected:\n%s", text, samples, expected);
	free(samples);
	profile_deinit(&p);
	return good;
}

static void test_random(void)
{
	unsigned first = 0, more = 0;
	for (unsigned i = 0; i < 500; i++) {
		struct buf text, expected;
		static struct stack_table t;
		buf_init(&text);
		buf_init(&expected);
		buf_adds(&text, "{\"meta\":{\"preprocessedProfileVersion\":55},\"threads\":[");
		for (unsigned k = 0, n = 1 + below(3); k < n; k++) {
			make_table(&t);
			buf_adds(&text, k ? "," : "");
			add_thread(&text, &t);
			add_samples(&expected, &t);
		}
		buf_adds(&text, "]}");
		first += reads(buf_str(&text), buf_str(&expected), false);
		more += reads(buf_str(&text), buf_str(&expected), true);
		buf_deinit(&text);
		buf_deinit(&expected);
	}
	ok(first == 500, "500 profiles have the samples that they say, and each path once");
	ok(more == 500, "and so after paths that were there before");
}

int main(void)
{
	test_random();
	return done_testing();
}
