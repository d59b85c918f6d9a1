/*
 * calls.t.c - every function of libflametop, with what callers give it on good days and on bad ones.
 */
#include <errno.h>
#include <flametop.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

#include "tests/tap.h"

static const char folded[] = "main;read;copy 10\nmain;write 20\nmain;write;malloc 7\nother 3\n";
static const char before[] = "main;read;copy 10\nmain;write 5\nmain;write;malloc 7\nother 3\ngone 500\n";

/* ---- helpers ------------------------------------------------------------------------------------------------- */

struct text {
	char bytes[65536];
	size_t n;
	int calls, fails_after; /* fails_after 0: never */
};

static int take(void *arg, const void *bytes, size_t n)
{
	struct text *t = arg;
	if (t->fails_after && ++t->calls >= t->fails_after)
		return -1;
	if (n == 0 || n > sizeof t->bytes - 1 - t->n)
		return -1;
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
	t->bytes[t->n] = '\0';
	return 0;
}

static void note(void *arg, const char *text)
{
	struct text *t = arg;
	take(t, text, strlen(text));
	take(t, "\n", 1);
}

static struct flametop_profile *load(const char *text, const char *base)
{
	struct flametop_profile *p = flametop_profile_new();
	flametop_profile_add_memory(p, "now", text, strlen(text), FLAMETOP_NEW);
	if (base)
		flametop_profile_add_memory(p, "then", base, strlen(base), FLAMETOP_BASELINE);
	if (flametop_profile_load(p) != FLAMETOP_OK)
		diag("load: %s", flametop_profile_error(p));
	return p;
}

static struct flametop_node node_at(struct flametop_view *v, const char *path)
{
	struct flametop_node n = {.size = sizeof n};
	uint32_t i;
	if (flametop_view_find(v, path, &i) == FLAMETOP_OK)
		flametop_view_node(v, i, &n);
	return n;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static void test_names(void)
{
	struct flametop_option o = {.size = sizeof o};
	bool has_svg = false, has_perf = false, has_reverse = false, has_jobs = false;
	size_t n = 0, help = 0;
	for (size_t i = 0; flametop_kind(i); i++)
		has_svg |= strcmp(flametop_kind(i), "svg") == 0;
	for (size_t i = 0; flametop_format(i); i++)
		has_perf |= strcmp(flametop_format(i), "perf") == 0;
	for (; flametop_option(n, &o) == FLAMETOP_OK; n++) {
		has_reverse |= strcmp(o.name, "reverse") == 0 && o.stage == FLAMETOP_VIEWING && !o.arg;
		has_jobs |= strcmp(o.name, "jobs") == 0 && o.stage == FLAMETOP_READING && o.arg;
		help += *o.help != '\0';
	}
	ok(flametop_version()[0] >= '0', "the version is a number");
	ok(has_svg && has_perf, "kinds and formats are listed");
	ok(has_reverse && has_jobs, "options are listed, and say what they act on");
	ok(n > 80 && help == n, "each of them has a help");
	ok(!flametop_kind(SIZE_MAX) && !flametop_format(SIZE_MAX), "behind the last kind and format there is none");
	is_int(flametop_option(SIZE_MAX, &o), FLAMETOP_USAGE, "behind the last option there is none");
	o.size = 0;
	is_int(flametop_option(0, &o), FLAMETOP_USAGE, "a structure without a size is refused");
	is_int(flametop_option(0, NULL), FLAMETOP_USAGE, "as is none");
}

static bool takes(struct flametop_profile *p, struct flametop_view *v, const char *option, const char *word)
{
	struct text out = {.n = 0};
	if (strcmp(option, "format") == 0)
		return flametop_profile_set(p, option, word) == FLAMETOP_OK;
	if (strcmp(option, "colors") == 0)
		return flametop_view_set(v, option, word) == FLAMETOP_OK;
	return flametop_view_export(v, word, take, &out) != FLAMETOP_USAGE;
}

/* How many names there are for the option; each is one that it takes, and has a help. */
static size_t count_words(struct flametop_profile *p, struct flametop_view *v, const char *option)
{
	struct flametop_word w = {.size = sizeof w};
	size_t n = 0;
	for (; flametop_word(option, n, &w) == FLAMETOP_OK; n++)
		if (!*w.help || !takes(p, v, option, w.word)) {
			diag("%s: %s", option, w.word);
			return 0;
		}
	return n;
}

static void test_words(void)
{
	struct flametop_profile *read = load(folded, NULL), *p = flametop_profile_new();
	struct flametop_view *v = flametop_view_new(read);
	struct flametop_word w = {.size = sizeof w}, before_it = w;
	size_t kinds = 0, formats = 0;
	bool is_sorted = true;
	while (flametop_kind(kinds))
		kinds++;
	while (flametop_format(formats))
		formats++;
	is_int((long long)count_words(p, v, "to"), (long long)kinds, "each kind has a help, and can be written");
	is_int((long long)count_words(p, v, "format"), (long long)formats, "each format has one, and can be asked for");
	ok(count_words(p, v, "colors") > 20, "and each palette");
	for (size_t i = 1; flametop_word("format", i, &w) == FLAMETOP_OK; i++) {
		flametop_word("format", i - 1, &before_it);
		is_sorted &= strcmp(before_it.word, w.word) < 0;
	}
	ok(is_sorted, "formats are in the order of their names");
	is_int(flametop_word("to", SIZE_MAX, &w), FLAMETOP_USAGE, "behind the last name there is none");
	is_int(flametop_word("zoom", 0, &w), FLAMETOP_USAGE, "an option that takes anything has none");
	is_int(flametop_word(NULL, 0, &w), FLAMETOP_USAGE, "nor has no option");
	w.size = 0;
	is_int(flametop_word("to", 0, &w), FLAMETOP_USAGE, "a name needs a size, too");
	is_int(flametop_word("to", 0, NULL), FLAMETOP_USAGE, "and a place");
	flametop_view_free(v);
	flametop_profile_free(read);
	flametop_profile_free(p);
}

/* Each listed option is accepted where it says, with some value, or its value is what is wrong. */
static void test_all_options(void)
{
	struct flametop_profile *p = load(folded, NULL), *q = flametop_profile_new();
	struct flametop_view *v = flametop_view_new(p);
	struct flametop_option o = {.size = sizeof o};
	char why[512] = "";
	for (size_t i = 0; flametop_option(i, &o) == FLAMETOP_OK; i++) {
		char prefix[64];
		int status = o.stage == FLAMETOP_READING ? flametop_profile_set(q, o.name, o.arg ? "1" : "yes")
		                                         : flametop_view_set(v, o.name, o.arg ? "1" : "yes");
		const char *said = flametop_profile_error(o.stage == FLAMETOP_READING ? q : p);
		snprintf(prefix, sizeof prefix, "--%s: ", o.name);
		if (status != FLAMETOP_OK && (status != FLAMETOP_USAGE || strncmp(said, prefix, strlen(prefix)) != 0))
			snprintf(why, sizeof why, "%s", said);
		int ended = o.stage == FLAMETOP_READING ? flametop_profile_set(q, o.name, NULL)
		                                        : flametop_view_set(v, o.name, NULL);
		if (ended != FLAMETOP_OK)
			snprintf(why, sizeof why, "%s does not end", o.name);
	}
	is_str(why, "", "each option can be set and ended, or says which value is bad");
	is_int(flametop_view_update(v), FLAMETOP_OK, "and afterwards the view is as usual");
	flametop_view_free(v);
	flametop_profile_free(p);
	flametop_profile_free(q);
}

/* ---- profiles ------------------------------------------------------------------------------------------------ */

static void test_profile(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_event e = {.size = sizeof e};
	struct flametop_thread t = {.size = sizeof t};
	struct flametop_sample s = {.size = sizeof s};
	const char *names[8] = {NULL};
	is_str(flametop_profile_error(p), "", "a profile in memory is read");
	is_str(flametop_profile_format(p), "folded", "its format is known");
	is_int((intmax_t)flametop_profile_events(p), 1, "it has one event");
	is_int(flametop_profile_event(p, 0, &e), FLAMETOP_OK, "which can be looked at");
	ok(e.total[0] == 40 && strcmp(e.unit, "samples") == 0 && *e.name, "with its total, its unit and a name");
	is_int((intmax_t)flametop_profile_samples(p, FLAMETOP_NEW), 4, "the log has an entry for each line");
	is_int(flametop_profile_sample(p, FLAMETOP_NEW, 2, &s), FLAMETOP_OK, "of which one can be looked at");
	ok(s.weight == 7 && s.time == FLAMETOP_NO_TIME && s.cpu == FLAMETOP_NO_CPU, "with its weight, and no time");
	is_int((intmax_t)flametop_profile_stack(p, s.stack, names, 8), 3, "its stack has three frames");
	ok(!strcmp(names[0], "main") && !strcmp(names[2], "malloc"), "the outermost one is first");
	names[1] = names[2] = "untouched";
	is_int((intmax_t)flametop_profile_stack(p, s.stack, names, 1), 3, "also where there is room for one");
	is_str(names[1], "untouched", "and no more is written than there is room for");
	is_int((intmax_t)flametop_profile_stack(p, UINT32_MAX, names, 8), 0, "a stack that is not there is empty");
	is_int((intmax_t)flametop_profile_threads(p), 1, "folded stacks have no threads");
	is_int(flametop_profile_thread(p, 0, &t), FLAMETOP_OK, "but the unknown one");
	is_int(flametop_profile_thread(p, 1, &t), FLAMETOP_USAGE, "a thread that is not there is refused");
	is_str(flametop_profile_error(p), "there is no thread 1, only 1", "in words");
	is_int(flametop_profile_event(p, 1, &e), FLAMETOP_USAGE, "as is an event");
	is_int(flametop_profile_sample(p, FLAMETOP_BASELINE, 0, &s), FLAMETOP_USAGE, "and a sample of the other side");
	is_int(flametop_profile_sample(p, (enum flametop_side)7, 0, &s), FLAMETOP_USAGE, "or of no side");
	is_int((intmax_t)flametop_profile_samples(p, (enum flametop_side)7), 0, "which has none");
	is_int(flametop_profile_sample(p, FLAMETOP_NEW, 0, NULL), FLAMETOP_USAGE, "a result needs a place");
	is_str(flametop_profile_error(p), "there is no place for the result", "as the error says");
	is_int((intmax_t)flametop_profile_decimals(p), 0, "counts are whole");
	is_int(flametop_profile_set(p, "format", "perf"), FLAMETOP_USAGE,
	       "after loading, options of reading are refused");
	is_int(flametop_profile_add_file(p, "x", FLAMETOP_NEW), FLAMETOP_USAGE, "as are inputs");
	is_int(flametop_profile_load(p), FLAMETOP_USAGE, "and loading again");
	is_str(flametop_profile_error(p), "the profile has been read already", "in words");
	flametop_profile_free(p);
}

/* A structure of an older program is shorter. */
static void test_sizes(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_event e = {.size = offsetof(struct flametop_event, total), .samples = 99};
	is_int(flametop_profile_event(p, 0, &e), FLAMETOP_OK, "a shorter structure is filled");
	ok(e.unit && e.samples == 99 && e.size == offsetof(struct flametop_event, total), "as far as it goes");
	flametop_profile_free(p);
}

/* Offsets that programs have been built with; they are those of machines with pointers of 64 bits. */
static void test_layout(void)
{
	if (sizeof(void *) != 8) {
		skip("pointers have other sizes here");
		return;
	}
#define AT(type, member) offsetof(struct flametop_##type, member)
	is_int(AT(option, stage), 32, "struct flametop_option");
	is_int(AT(word, help), 16, "struct flametop_word");
	is_int(AT(event, samples), 40, "struct flametop_event");
	is_int(AT(thread, tid), 24, "struct flametop_thread");
	is_int(AT(sample, stack), 44, "struct flametop_sample");
	is_int(AT(node, self), 24, "struct flametop_node");
	is_int(AT(node, is_gap), 100, "and its end");
	is_int(AT(function, base_total), 48, "struct flametop_function");
	is_int(AT(matches, of), 24, "struct flametop_matches");
	is_int(sizeof(struct flametop_change), 40, "struct flametop_change");
	is_int(AT(difference, total_after), 128, "struct flametop_difference");
#undef AT
}

static void test_without_profile(void)
{
	struct flametop_profile *p = flametop_profile_new();
	struct flametop_event e = {.size = sizeof e};
	is_int((intmax_t)flametop_profile_events(p), 0, "before loading there are no events");
	is_int(flametop_profile_event(p, 0, &e), FLAMETOP_USAGE, "nor one to look at");
	ok(!flametop_profile_format(p), "and no format");
	ok(!flametop_view_new(p), "nor can there be a view");
	is_str(flametop_profile_error(p), "the profile has not been read", "as the error says");
	is_int(flametop_profile_load(p), FLAMETOP_USAGE, "a profile without inputs is not read");
	is_int(flametop_profile_add_file(p, NULL, FLAMETOP_NEW), FLAMETOP_USAGE, "an input needs a path");
	is_int(flametop_profile_add_callback(p, "x", NULL, NULL, FLAMETOP_NEW), FLAMETOP_USAGE, "or a function");
	is_str(flametop_profile_error(p), "the input has no function that reads it", "as the error says");
	is_int(flametop_profile_add_file(p, "x", (enum flametop_side)2), FLAMETOP_USAGE, "and a side");
	is_str(flametop_profile_error(p), "the input is of no side", "as the error says");
	is_int(flametop_profile_set(p, NULL, "x"), FLAMETOP_USAGE, "an option needs a name");
	is_int(flametop_profile_set(p, "bogus", "x"), FLAMETOP_USAGE, "which must be known");
	is_str(flametop_profile_error(p), "unknown option '--bogus' (--help lists them)", "in words");
	is_int(flametop_profile_set(p, "reverse", "yes"), FLAMETOP_USAGE, "and be one of reading");
	is_int(flametop_profile_set(p, "output", "x"), FLAMETOP_USAGE, "not one of the program");
	is_int(flametop_profile_set(p, "format", "nonsense"), FLAMETOP_USAGE, "a bad value is refused");
	is_str(flametop_profile_error(p), "--format: unknown format 'nonsense' (--format=help lists them)",
	       "in the program's words");
	flametop_profile_free(p);
	flametop_profile_free(NULL);
	flametop_view_free(NULL);
	is_int(flametop_profile_load(NULL), FLAMETOP_USAGE, "no profile is wrong usage");
	is_int(flametop_view_update(NULL), FLAMETOP_USAGE, "as is no view");
	ok(!flametop_view_new(NULL) && *flametop_profile_error(NULL), "also of functions that return pointers");
}

static ptrdiff_t read_slowly(void *arg, void *bytes, size_t n)
{
	const char **left = arg;
	if (!**left || n == 0)
		return 0;
	*(char *)bytes = *(*left)++;
	return 1;
}

static ptrdiff_t read_badly(void *arg, void *bytes, size_t n)
{
	(void)bytes, (void)n;
	return arg ? -1 : PTRDIFF_MAX;
}

static void test_inputs(void)
{
	const char *left = folded;
	struct flametop_profile *p = flametop_profile_new();
	flametop_profile_add_callback(p, "slow", read_slowly, &left, FLAMETOP_NEW);
	is_int(flametop_profile_load(p), FLAMETOP_OK, "a function delivers a profile byte by byte");
	is_int((intmax_t)flametop_profile_samples(p, FLAMETOP_NEW), 4, "all of it");
	flametop_profile_free(p);
	for (int i = 0; i < 2; i++) {
		p = flametop_profile_new();
		flametop_profile_add_callback(p, "bad", read_badly, i ? p : NULL, FLAMETOP_NEW);
		is_int(flametop_profile_load(p), FLAMETOP_FAILED,
		       "a function that fails, or returns too much, ends loading");
		is_str(flametop_profile_error(p), "bad: the function that reads it failed", "with the name of the input");
		is_int(flametop_profile_load(p), FLAMETOP_USAGE, "which is not tried again");
		flametop_profile_free(p);
	}
	p = flametop_profile_new();
	flametop_profile_add_file(p, "/nowhere/at all", FLAMETOP_NEW);
	is_int(flametop_profile_load(p), FLAMETOP_FAILED, "a file that is not there is an error");
	is_str(flametop_profile_error(p), "/nowhere/at all: cannot open: No such file or directory",
	       "as of the program");
	flametop_profile_free(p);
	p = flametop_profile_new();
	flametop_profile_add_memory(p, "empty", NULL, 0, FLAMETOP_NEW);
	is_int(flametop_profile_load(p), FLAMETOP_FAILED, "an empty input has no stacks");
	flametop_profile_free(p);
	p = load(folded, "nonsense\n");
	ok(strstr(flametop_profile_error(p), "then:"), "a baseline without stacks is an error, with its name");
	flametop_profile_free(p);
}

static void test_notes(void)
{
	static struct text said;
	struct flametop_profile *p = flametop_profile_new();
	said.n = 0;
	flametop_profile_on_note(p, note, &said);
	flametop_profile_set(p, "format", "folded");
	flametop_profile_add_memory(p, "in\033put", "main 1\nnonsense\n", 16, FLAMETOP_NEW);
	is_int(flametop_profile_load(p), FLAMETOP_OK, "an input with a bad line is read");
	ok(strstr(said.bytes, "nonsense"), "a note says what was skipped");
	ok(!strchr(said.bytes, '\033'), "and has no control characters");
	struct flametop_view *v = flametop_view_new(p);
	said.n = 0;
	flametop_view_set(v, "focus", "nobody");
	flametop_view_update(v);
	ok(strstr(said.bytes, "warning: --focus=nobody matches no "), "a filter that matches nothing is noted");
	flametop_profile_on_note(p, NULL, NULL);
	flametop_view_set(v, "focus", NULL);
	is_int(flametop_view_update(v), FLAMETOP_OK, "nobody need listen");
	flametop_view_free(v);
	flametop_profile_free(p);
}

/* What one view has said, another says, too. */
static void test_notes_of_views(void)
{
	static struct text said;
	struct flametop_profile *p = load(folded, NULL);
	flametop_profile_on_note(p, note, &said);
	for (int i = 0; i < 2; i++) {
		struct flametop_view *v = flametop_view_new(p);
		said.n = 0;
		said.bytes[0] = '\0';
		flametop_view_set(v, "negate", "yes");
		flametop_view_set(v, "frames", "language");
		flametop_view_update(v);
		ok(strstr(said.bytes, "--negate has no effect"), "view %d: a note says that there is nothing to negate", i);
		ok(strstr(said.bytes, "--frames has no effect"), "and one that there are no frames to choose from");
		flametop_view_free(v);
	}
	flametop_profile_free(p);
	p = load(folded, before);
	flametop_profile_on_note(p, note, &said);
	struct flametop_view *v = flametop_view_new(p);
	said.n = 0;
	said.bytes[0] = '\0';
	flametop_view_set(v, "frames", "language");
	flametop_view_update(v);
	ok(strstr(said.bytes, "--frames has no effect"), "also of a comparison");
	flametop_view_free(v);
	flametop_profile_free(p);
}

/* ---- views --------------------------------------------------------------------------------------------------- */

static void test_tree(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	struct flametop_node n = {.size = sizeof n};
	uint32_t nodes = 0, at = 0, sum = 0;
	is_int(flametop_view_nodes(v, &nodes), FLAMETOP_OK, "the tree is made when it is asked for");
	is_int(nodes, 7, "it has a node for each frame, and the root");
	for (uint32_t i = 0; i < nodes; i++)
		if (flametop_view_node(v, i, &n) == FLAMETOP_OK && (i == 0 || n.parent < i) && n.end > i)
			sum += (uint32_t)n.self;
	is_int(sum, 40, "the self weights add up to the profile");
	n = node_at(v, "main;write");
	ok(n.self == 20 && n.total == 27 && n.depth == 2 && !strcmp(n.name, "write"), "a path leads to its node");
	is_int(flametop_view_find(v, "main;nobody", &at), FLAMETOP_FAILED, "a path that is not there leads nowhere");
	is_int(flametop_view_find(v, NULL, &at), FLAMETOP_USAGE, "no path neither");
	is_int(flametop_view_node(v, nodes, &n), FLAMETOP_USAGE, "nor is there a node behind the last one");
	is_int(flametop_view_nodes(v, NULL), FLAMETOP_USAGE, "a result needs a place");
	is_int(flametop_view_set_reverse(v, 1), FLAMETOP_OK, "the view turns round");
	is_int((intmax_t)node_at(v, "malloc").self, 0, "in a caller tree the leaf has no self weight,");
	is_int((intmax_t)node_at(v, "malloc").total, 7, "but a total");
	flametop_view_set_reverse(v, 0);
	is_int((intmax_t)node_at(v, "main;write").total, 27, "and turns back");
	flametop_view_set_zoom(v, "main;write");
	is_int(flametop_view_zoomed(v, &at), FLAMETOP_OK, "it zooms");
	is_int(at, (intmax_t)node_at(v, "main;write;malloc").parent, "to the frame");
	flametop_view_set_zoom(v, "main;nobody");
	is_int(flametop_view_update(v), FLAMETOP_FAILED, "not to one that is not there");
	is_str(flametop_profile_error(p), "--zoom: there is no frame 'main;nobody' (the way ends at 'main')",
	       "as of the program");
	is_int(flametop_view_node(v, 0, &n), FLAMETOP_FAILED, "and there is no tree then");
	is_int(flametop_view_reset(v), FLAMETOP_OK, "until all is as before");
	is_int(flametop_view_node(v, 0, &n), FLAMETOP_OK, "and there is one");
	flametop_view_free(v);
	flametop_profile_free(p);
}

static void test_functions(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	struct flametop_function f = {.size = sizeof f};
	size_t n = 0;
	is_int(flametop_view_functions(v, &n), FLAMETOP_OK, "functions are added up");
	is_int((intmax_t)n, 6, "all of them");
	flametop_view_function(v, 0, &f);
	ok(!strcmp(f.name, "write") && f.self == 20 && f.total == 27 && f.frames == 1, "the heaviest comes first");
	is_int(flametop_view_function(v, n, &f), FLAMETOP_USAGE, "behind the last one there is none");
	flametop_view_set(v, "table-sort", "name");
	flametop_view_function(v, 0, &f);
	is_str(f.name, "copy", "the order of the table is that of the option");
	flametop_view_free(v);
	flametop_profile_free(p);
}

static void test_search(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	struct flametop_matches m = {.size = sizeof m};
	uint32_t at = 0;
	is_int(flametop_view_matches(v, &m), FLAMETOP_OK, "without a search");
	ok(m.frames == 0 && m.weight == 0, "nothing matches");
	flametop_view_set_search(v, "^(write|malloc)$");
	flametop_view_matches(v, &m);
	ok(m.frames == 2 && m.weight == 27 && m.of == 40, "matches in one another count once");
	flametop_view_next_match(v, 0, &at);
	is_str(node_at(v, "main;write").name, "write", "the first one");
	ok(at != FLAMETOP_NO_NODE && node_at(v, "main;write").is_match, "is found");
	flametop_view_next_match(v, UINT32_MAX, &at);
	is_int(at, FLAMETOP_NO_NODE, "behind the last node there is none");
	is_int(flametop_view_set_search(v, "("), FLAMETOP_USAGE, "a bad pattern is refused");
	flametop_view_matches(v, &m);
	is_int((intmax_t)m.frames, 2, "and the search is as before");
	flametop_view_set_search(v, NULL);
	flametop_view_matches(v, &m);
	is_int((intmax_t)m.frames, 0, "until it ends");
	flametop_view_free(v);
	flametop_profile_free(p);
}

static void test_options(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	is_int(flametop_view_set(v, "bogus", "1"), FLAMETOP_USAGE, "an unknown option is refused");
	is_int(flametop_view_set(v, "format", "perf"), FLAMETOP_USAGE, "as is one of reading");
	is_str(flametop_profile_error(p), "--format acts on reading, not on a view", "in words");
	is_int(flametop_view_set(v, "fail-above", "1"), FLAMETOP_USAGE, "and one that only the program has");
	is_int(flametop_view_set(v, "reverse", "perhaps"), FLAMETOP_USAGE, "a flag is yes or no");
	is_int(flametop_view_set(v, "width", "x"), FLAMETOP_USAGE, "a number is a number");
	is_str(flametop_profile_error(p), "--width: 'x' is not a whole number from 30 to 100000", "as of the program");
	is_int(flametop_view_set(v, "min-width", "5"), FLAMETOP_OK, "other programs' names are known");
	is_int(flametop_view_set(v, "no-demangle", "yes"), FLAMETOP_OK, "a flag that begins with no- is set by yes");
	is_int(flametop_view_set(v, "no-demangle", "no"), FLAMETOP_OK, "and ended by no");
	flametop_view_set(v, "focus", "write");
	flametop_view_set(v, "ignore", "malloc");
	is_int((intmax_t)node_at(v, "main").total, 20, "filters add up");
	flametop_view_set(v, "focus", NULL);
	is_int((intmax_t)node_at(v, "main").total, 30, "and end one by one");
	flametop_view_reset(v);
	flametop_view_set(v, "reverse", "yes");
	flametop_view_set(v, "no-sort", "yes");
	is_int(flametop_view_update(v), FLAMETOP_USAGE, "options that exclude each other are refused");
	is_str(flametop_profile_error(p), "--reverse and --no-sort do not go together", "as of the program");
	flametop_view_reset(v);
	is_int(flametop_view_set_event(v, "bogus"), FLAMETOP_OK, "an event is looked up later");
	is_int(flametop_view_update(v), FLAMETOP_FAILED, "and may not be there");
	flametop_view_set_event(v, NULL);
	flametop_view_set_thread(v, "bogus");
	is_int(flametop_view_update(v), FLAMETOP_FAILED, "nor a thread");
	flametop_view_set_thread(v, NULL);
	flametop_view_set_time(v, 1, 2);
	is_int(flametop_view_update(v), FLAMETOP_FAILED, "nor times");
	is_int(flametop_view_set_time(v, NAN, INFINITY), FLAMETOP_USAGE, "which are numbers");
	flametop_view_set_time(v, 0, 0);
	flametop_view_set_chart(v, 1);
	is_int(flametop_view_update(v), FLAMETOP_OK, "all of it can be taken back");
	flametop_view_set(v, "normalize", "yes");
	is_int(flametop_view_update(v), FLAMETOP_USAGE, "a comparison needs a baseline");
	flametop_view_free(v);
	flametop_profile_free(p);
}

static void test_comparison(void)
{
	static struct text said;
	struct flametop_profile *p = load(folded, before), *q = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p), *alone = flametop_view_new(q);
	struct flametop_difference d = {.size = sizeof d};
	enum flametop_verdict verdict = FLAMETOP_PASSES;
	size_t n = 0;
	int is_of_shares = 0;
	is_int(flametop_view_differences(v, &n, &is_of_shares), FLAMETOP_OK, "two profiles are compared");
	ok(n == 7 && is_of_shares, "function by function, by shares");
	flametop_view_difference(v, 0, &d);
	ok(!strcmp(d.name, "write") && d.self.delta > 0 && d.self_after == 20 && d.self_before == 5,
	   "what grew most comes first");
	is_int(flametop_view_difference(v, n, &d), FLAMETOP_USAGE, "behind the last one there is none");
	is_int(flametop_view_difference(v, 0, NULL), FLAMETOP_USAGE, "a result needs a place");
	is_str(flametop_profile_error(p), "there is no place for the result", "as the error says");
	is_int(flametop_view_differences(alone, &n, NULL), FLAMETOP_USAGE, "one profile compares with nothing");
	said.n = 0;
	flametop_profile_on_note(p, note, &said);
	is_int(flametop_view_judge(v, 1, &verdict), FLAMETOP_OK, "the growth is judged");
	is_int(verdict, FLAMETOP_GREW, "as too much");
	ok(strstr(said.bytes, "write: self +"), "a note names the function");
	is_int(flametop_view_judge(v, 99, &verdict), FLAMETOP_OK, "or");
	is_int(verdict, FLAMETOP_PASSES, "as little enough");
	is_int(flametop_view_judge(v, NAN, &verdict), FLAMETOP_USAGE, "by a limit that is a number");
	is_int(flametop_view_judge(v, 1, NULL), FLAMETOP_USAGE, "with a place for the verdict");
	is_int(flametop_view_judge(alone, 1, &verdict), FLAMETOP_USAGE, "and a baseline");
	flametop_view_set(v, "no-diff", "yes");
	is_int(flametop_view_differences(v, &n, NULL), FLAMETOP_USAGE, "a view of one of two compares nothing");
	flametop_view_free(alone);
	flametop_view_free(v);
	flametop_profile_free(q);
	flametop_profile_free(p);
}

static void test_two_views(void)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *a = flametop_view_new(p), *b = flametop_view_new(p);
	flametop_view_set(a, "focus", "read");
	flametop_view_set(b, "reverse", "yes");
	ok(node_at(a, "main").total == 10 && node_at(b, "write").total == 20, "views of one profile differ");
	flametop_view_free(a);
	ok(node_at(b, "copy").total == 10, "and end apart");
	flametop_view_free(b);
	flametop_profile_free(p);
}

/* ---- export -------------------------------------------------------------------------------------------------- */

struct nested {
	struct flametop_profile *p;
	struct flametop_view *v;
	int status;
};

static int call_again(void *arg, const void *bytes, size_t n)
{
	struct nested *x = arg;
	(void)bytes, (void)n;
	x->status = flametop_profile_load(x->p);
	flametop_view_free(x->v);
	flametop_profile_free(x->p);
	return 0;
}

static void test_export(void)
{
	static struct text out;
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	out = (struct text){.n = 0};
	is_int(flametop_view_export(v, "folded", take, &out), FLAMETOP_OK, "a view is written to a function");
	is_str(out.bytes, folded, "as the program writes it");
	out = (struct text){.n = 0};
	is_int(flametop_view_export(v, "md", take, &out), FLAMETOP_OK, "a suffix is the name of a kind, too");
	out = (struct text){.fails_after = 1};
	is_int(flametop_view_export(v, "svg", take, &out), FLAMETOP_FAILED, "a function that fails ends it");
	ok(*flametop_profile_error(p), "with an error");
	is_int(flametop_view_export(v, "bogus", take, &out), FLAMETOP_USAGE, "an unknown kind is refused");
	is_int(flametop_view_export(v, NULL, take, &out), FLAMETOP_USAGE, "as is none");
	is_int(flametop_view_export(v, "svg", NULL, NULL), FLAMETOP_USAGE, "and no function");
	flametop_view_set(v, "view", "heat");
	is_int(flametop_view_export(v, "svg", take, &out), FLAMETOP_USAGE, "no file holds a heat map");
	flametop_view_reset(v);
	struct nested x = {p, v, FLAMETOP_OK};
	is_int(flametop_view_export(v, "folded", call_again, &x), FLAMETOP_OK, "a callback that calls its own profile");
	is_int(x.status, FLAMETOP_USAGE, "is refused, and does not free it");
	flametop_view_free(v);
	flametop_profile_free(p);
}

static int write_other(void *arg, const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	struct flametop_profile *p = load(folded, NULL);
	*(size_t *)arg = flametop_profile_samples(p, FLAMETOP_NEW);
	flametop_profile_free(p);
	return 0;
}

/* ---- the process --------------------------------------------------------------------------------------------- */

/* Sanitizers have some. */
static int count_handlers(void)
{
	int n = 0;
	for (int sig = 1; sig < 32; sig++) {
		struct sigaction a;
		n += sigaction(sig, NULL, &a) == 0 && a.sa_handler != SIG_DFL && a.sa_handler != SIG_IGN;
	}
	return n;
}

static void test_process(int handlers)
{
	struct flametop_profile *p = load(folded, NULL);
	struct flametop_view *v = flametop_view_new(p);
	sigset_t mask_before, mask_after;
	int masked = 0, pipes[2], saved = dup(STDERR_FILENO);
	size_t n = 0;
	sigprocmask(SIG_SETMASK, NULL, &mask_before);
	is_int(flametop_view_export(v, "folded", write_other, &n), FLAMETOP_OK, "a callback may use another profile");
	is_int((intmax_t)n, 4, "and all of it");
	if (pipe(pipes) == 0)
		dup2(pipes[1], STDERR_FILENO);
	struct flametop_profile *bad = flametop_profile_new();
	flametop_profile_set(bad, "format", "folded");
	flametop_profile_add_memory(bad, "bad", "main 1\nnonsense\n", 16, FLAMETOP_NEW);
	flametop_profile_load(bad);
	flametop_profile_free(bad);
	flametop_view_set(v, "focus", "nobody");
	flametop_view_export(v, "text", write_other, &n);
	dup2(saved, STDERR_FILENO);
	close(pipes[1]);
	char byte;
	is_int(read(pipes[0], &byte, 1), 0, "the library writes nothing to standard error");
	is_int(count_handlers(), handlers, "it installs no signal handler");
	sigprocmask(SIG_SETMASK, NULL, &mask_after);
	for (int sig = 1; sig < 32; sig++)
		masked += sigismember(&mask_before, sig) != sigismember(&mask_after, sig);
	is_int(masked, 0, "and leaves the mask of signals as it was");
	close(pipes[0]);
	close(saved);
	flametop_view_free(v);
	flametop_profile_free(p);
}

/* Writes to a pipe that nobody reads: SIGPIPE would end the process. */
static bool is_broken_pipe(void)
{
	int ends[2];
	if (pipe(ends) != 0)
		return false;
	close(ends[0]);
	bool is_error = write(ends[1], "x", 1) < 0 && errno == EPIPE;
	close(ends[1]);
	return is_error;
}

static int write_to_nobody(void *arg, const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	*(bool *)arg = is_broken_pipe();
	return -1;
}

static ptrdiff_t read_after_nobody(void *arg, void *bytes, size_t n)
{
	(void)bytes, (void)n;
	*(bool *)arg = is_broken_pipe();
	return -1;
}

static void note_to_nobody(void *arg, const char *text)
{
	(void)text;
	*(bool *)arg = is_broken_pipe();
}

static void test_broken_pipes(void)
{
	struct flametop_profile *p = load(folded, NULL), *q = flametop_profile_new();
	struct flametop_view *v = flametop_view_new(p);
	bool is_error = false;
	sigset_t pending;
	void (*handler)(int) = signal(SIGPIPE, SIG_DFL);
	flametop_view_set(v, "focus", "nobody");
	flametop_profile_on_note(p, note_to_nobody, &is_error);
	is_int(flametop_view_update(v), FLAMETOP_OK, "a function of notes that meets a broken pipe");
	ok(is_error, "goes on");
	is_error = false;
	flametop_view_reset(v);
	flametop_view_update(v);
	is_int(flametop_view_export(v, "folded", write_to_nobody, &is_error), FLAMETOP_FAILED,
	       "so does one that writes");
	ok(is_error, "on a made view");
	is_error = false;
	flametop_profile_add_callback(q, "q", read_after_nobody, &is_error, FLAMETOP_NEW);
	is_int(flametop_profile_load(q), FLAMETOP_FAILED, "and one that reads");
	ok(is_error, "an input");
	sigpending(&pending);
	is_int(sigismember(&pending, SIGPIPE), 0, "no signal is left");
	signal(SIGPIPE, handler);
	flametop_view_free(v);
	flametop_profile_free(p);
	flametop_profile_free(q);
}

int main(void)
{
	int handlers = count_handlers();
	test_names();
	test_words();
	test_all_options();
	test_profile();
	test_sizes();
	test_layout();
	test_without_profile();
	test_inputs();
	test_notes();
	test_notes_of_views();
	test_tree();
	test_functions();
	test_search();
	test_options();
	test_comparison();
	test_two_views();
	test_export();
	test_process(handlers);
	test_broken_pipes();
	return done_testing();
}
