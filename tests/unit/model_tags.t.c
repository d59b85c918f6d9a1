/*
 * Labels of samples: the expressions of --tagfocus and --tagignore, numbers with units, and what folds make of them.
 * The rules are those of pprof; where this program differs, the name of the test says so.
 */
#include "tests/tap.h"

#include <string.h>

#include "base/mem.h"
#include "model/fold.h"
#include "model/tag_match.h"
#include "model/tag_units.h"
#include "model/tree.h"

static struct symbol name(const char *text)
{
	return (struct symbol){.name = text, .len = (uint32_t)strlen(text)};
}

/* ---- expressions --------------------------------------------------------------------------------------------- */

/* A set of labels: "user=alice", or of numbers "bytes#131072" and "latency#15 ms". */
static uint32_t make_set(struct tags *t, const char *const *labels)
{
	uint32_t members[8];
	size_t n = 0;
	for (; labels[n]; n++) {
		char *copy = mem_strdup(labels[n]);
		char *end = copy + strcspn(copy, "=#");
		bool is_number = *end == '#';
		*end++ = '\0';
		char *unit = is_number ? strchr(end, ' ') : NULL;
		members[n] = is_number ? tags_add_number(t, name(copy), strtoll(end, NULL, 10), name(unit ? unit + 1 : ""))
		                       : tags_add_text(t, name(copy), name(end));
		free(copy);
	}
	return tags_add_set(t, members, n);
}

static const char *const samples[][4] = {
	{"user=alice", "bytes#131072"},
	{"user=bob", "bytes#524288"},
	{"user=alice", "user=Carol", "latency#15 ms"},
	{"path=/x,y=1", "id=7"},
	{"id#7", "request#2048"},
	{"pages#-3 pages", "a=b=c"},
	{NULL},
};
#define N_SAMPLES (sizeof samples / sizeof *samples)

/* Expression, and the samples that match it, by number. */
static const char *const cases[][3] = {
	{"alice", "02", "a text is part of key:value"},
	{"user", "012", "also of the key"},
	{"user:alice", "02", "with both"},
	{"^user:b", "1", "as a regular expression"},
	{"alice,carol", "2", "several with a comma must all match"},
	{"alice,bob", "", "each one some label of the sample"},
	{"user=alice", "02", "of one key"},
	{"user=ali", "02", "a part is enough"},
	{"user=^ali$", "", "unless the expression says otherwise"},
	{"user=bob,carol", "12", "several with a comma: one of them"},
	{"user=", "012", "any text of the key"},
	{"use=alice", "", "the key is whole"},
	{"user=CAROL", "", "a capital makes case matter"},
	{"user=carol", "2", "without one it does not, unlike in pprof"},
	{"module:x", "", "no word has the meaning that it has for functions"},
	{"user:.*", "012", "and a colon none"},
	{"bytes=128kb", "0", "a number with a unit"},
	{"bytes=131072", "0", "one in the label's own unit"},
	{"bytes=128KB", "0", "units in capitals"},
	{"bytes=128kilobytes", "0", "and written out"},
	{"bytes=128kb:512kb", "01", "a range with its ends"},
	{"bytes=128kb:512", "01", "the second end is of the unit of the first"},
	{"bytes=129kb:512kb", "1", "without what is below"},
	{"bytes=:511kb", "0", "up to an end"},
	{"bytes=256kb:", "1", "from one on"},
	{"bytes=1mb:2mb", "", "nothing in it"},
	{"bytes=1s", "", "a time is no size"},
	{"128kb:1gb", "01", "a range of any key"},
	{"2kb", "4", "request is in bytes, if it says no unit"},
	{"latency=15ms", "2", "a unit that the label has"},
	{"latency=15000us", "2", "or another of its kind"},
	{"latency=10ms:1s", "2", "ends in two units"},
	{"latency=15", "2", "no unit: that of the label"},
	{"id=7", "4", "a number is no text"},
	{"id=^7$", "3", "nor a text a number"},
	{"7", "4", "without a key, either"},
	{"pages=-5:0", "5", "numbers may be negative"},
	{"pages=-3pages", "5", "and have any unit"},
	{"pages=-3sheets", "", "but the same"},
	{"bytes=5kb:3ms", "", "ends of two kinds are no range"},
	{"bytes=99999999999999999999", "", "nor is a number of more than 64 bits"},
	{"user=(*NAME)alice", "02", "a whole value"},
	{"user=(*NAME)ali", "", "not a part of it"},
	{"user=(*NAME)carol", "", "as it is written"},
	{"bytes=(*NAME)128kB", "0", "a number as a whole value"},
	{"path=(*NAME)/x,y=1", "3", "with commas"},
	{"a=(*NAME)b=c", "5", "the first = ends the key"},
	{"a\\x3db=x", "", "which may have one as \\x3d"},
	{"", "01235", "an empty expression is in every text"},
};
#define N_CASES (sizeof cases / sizeof *cases)

static void test_expressions(void)
{
	struct tags *t = tags_new();
	uint32_t sets[N_SAMPLES];
	for (size_t i = 0; i < N_SAMPLES; i++)
		sets[i] = make_set(t, samples[i]);
	is_int(sets[N_SAMPLES - 1], NO_TAGS, "no labels are the empty set");
	for (size_t i = 0; i < N_CASES; i++) {
		struct err err;
		struct buf got;
		struct tag_match *m = tag_match_new(cases[i][0], &err);
		buf_init(&got);
		for (unsigned k = 0; k < N_SAMPLES && m; k++)
			if (tag_match_set(m, t, sets[k]))
				buf_addf(&got, "%u", k);
		is_str(m ? buf_str(&got) : err.text, cases[i][1], "%s: %s", cases[i][0], cases[i][2]);
		tag_match_free(m);
		buf_deinit(&got);
	}
	struct err err;
	ok(!tag_match_new("user=a(b", &err), "a bad expression is refused");
	tags_free(t);
}

/* The pattern of a label, and any key, find the label again, and no other. */
static void test_patterns(void)
{
	static const char *const labels[] = {
		"user=alice", "user=alic",     "user=a,b", "u=ser=x",      "user=a;b",
		"user=\n",    "user=(*NAME)a", "user=",    "\\x3d=e",      "bytes#0",
		"bytes#1",    "bytes#1000001", "bytes#-7", "t#3600 s",     "t#90000 ms",
		"t#1234567",  "user=漢字",     "=none",    "a\\x41=\\x41", "t#9223372036854775807 gb"};
	struct tags *t = tags_new();
	uint32_t sets[64], n = sizeof labels / sizeof *labels;
	for (uint32_t i = 0; i < n; i++)
		sets[i] = make_set(t, (const char *const[]){labels[i], NULL});
	/* A key that has '=' cannot be written in this test's form. */
	uint32_t odd = tags_add_text(t, name("k=ey"), name("v"));
	sets[n++] = tags_add_set(t, &odd, 1);
	for (uint32_t i = 0; i < n; i++) {
		struct err err;
		struct buf pattern;
		struct tag tag = tags_at(t, tags_member(t, sets[i], 0));
		unsigned found = 0;
		buf_init(&pattern);
		tags_add_pattern(t, &tag, &pattern);
		struct tag_match *m = tag_match_new(buf_str(&pattern), &err);
		for (uint32_t k = 0; k < n && m; k++)
			found += tag_match_set(m, t, sets[k]);
		ok(found == 1 && tag_match_set(m, t, sets[i]), "%s is found by its pattern alone", buf_str(&pattern));
		tag_match_free(m);
		buf_deinit(&pattern);
	}
	tags_free(t);
}

/* ---- as text ------------------------------------------------------------------------------------------------- */

static void value_is(const char *key, int64_t number, const char *unit, const char *expected)
{
	struct tags *t = tags_new();
	struct tag tag = tags_at(t, tags_add_number(t, name(key), number, name(unit)));
	struct buf text;
	buf_init(&text);
	tags_add_value(t, &tag, &text);
	is_str(buf_str(&text), expected, "%lld %s of %s", (long long)number, unit, key);
	buf_deinit(&text);
	tags_free(t);
}

static void test_values(void)
{
	value_is("bytes", 131072, "", "128kB");
	value_is("bytes", 131073, "", "131073B");
	value_is("bytes", 1536, "bytes", "1.5kB");
	value_is("size", 1280, "kilobytes", "1.25MB");
	value_is("bytes", 0, "", "0B");
	value_is("bytes", -2048, "", "-2kB");
	value_is("bytes", INT64_MIN, "", "-9223372036854775808B");
	value_is("bytes", INT64_MAX, "", "9223372036854775807B");
	value_is("latency", 15, "ms", "15ms");
	value_is("latency", 1500, "Milliseconds", "1.5s");
	value_is("alignment", 4096, "", "4kB");
	value_is("id", 42, "", "42");
	value_is("things", 42, "count", "42");
	value_is("area", 3, "pages", "3 pages");
}

static void values_are(const char *const *labels, const char *key, const char *expected)
{
	struct tags *t = tags_new();
	struct buf text;
	buf_init(&text);
	tags_add_values(t, make_set(t, labels), key, strlen(key), &text);
	is_str(buf_str(&text), expected, "a frame of --split=label:%s", key);
	buf_deinit(&text);
	tags_free(t);
}

/* Very many sets may share long values: a name has so much of them. */
static void test_long_values(void)
{
	char *one = mem_zalloc(1, 3000), *label = mem_zalloc(1, 3010), *expected = mem_zalloc(1, 3050);
	memset(one, 'x', 2000);
	snprintf(label, 3010, "user=%s", one);
	values_are((const char *const[]){label, NULL}, "user", label);
	snprintf(expected, 3050, "user=%.*s... and 1 more", 1024, one);
	values_are((const char *const[]){label, "user=bob", NULL}, "user", expected);
	snprintf(expected, 3050, "user=bob,%.*s...", 1020, one);
	values_are((const char *const[]){"user=bob", label, NULL}, "user", expected);
	snprintf(label, 3010, "user=%.1019s\xc3\xa4\xc3\xa4", one);
	snprintf(expected, 3050, "user=bob,%.1019s... and 1 more", one);
	values_are((const char *const[]){"user=bob", label, "user=eve", NULL}, "user", expected);
	free(one);
	free(label);
	free(expected);

	char unit[2001] = "", text[1100];
	memset(unit, 'u', 2000);
	struct buf out;
	buf_init(&out);
	tag_units_add(&out, 3, &(struct symbol){.name = unit, .len = 2000}, &(struct symbol){.name = "k", .len = 1});
	snprintf(text, sizeof text, "3 %.1024s...", unit);
	is_str(buf_str(&out), text, "of a long unit a number has the beginning");
	buf_deinit(&out);
}

static void test_frames(void)
{
	values_are((const char *const[]){"user=alice", "bytes#1024", NULL}, "user", "user=alice");
	values_are((const char *const[]){"user=alice", "bytes#1024", NULL}, "bytes", "bytes=1kB");
	values_are((const char *const[]){"user=alice", "x=y", "user=bob", NULL}, "user", "user=alice,bob");
	values_are((const char *const[]){"user=alice", NULL}, "use", "use ?");
	values_are((const char *const[]){NULL}, "user", "user ?");
	test_long_values();
}

/* ---- profiles ------------------------------------------------------------------------------------------------ */

/* Labels in another order than in a second profile, so that all numbers differ. */
static void fill(struct profile *p, bool is_second)
{
	static const char *const first[][4] = {{"user=alice", "bytes#1024"}, {"user=bob"}, {NULL}};
	static const char *const second[][4] = {{"other=x"}, {"user=bob"}, {"bytes#1024", "user=alice"}};
	uint32_t path;
	profile_init(p);
	p->tags = tags_new();
	path = profile_child(p, PATH_ROOT, symtab_intern(&p->symtab, is_second ? "b" : "a", 1));
	for (uint32_t i = 0; i < 3; i++) {
		struct sample s = {.weight = 1u << (i + 3 * is_second), .time = NO_TIME, .cpu = NO_CPU};
		s.tags = make_set(p->tags, is_second ? second[i] : first[i]);
		profile_add(p, 0, path, &s);
	}
}

/* Total and excluded weight of a fold, and what the filters left out. */
static char *folded(struct profile *p, struct recipe *r)
{
	struct tree t;
	struct buf out;
	buf_init(&out);
	if (!fold(p, r, &t, NULL, NULL))
		bail_out("not folded");
	buf_addf(&out, "%llu+%llu", (unsigned long long)tree_total(&t, NODE_ALL), (unsigned long long)t.excluded[0]);
	for (size_t i = 0; i < r->n_filters; i++)
		buf_addf(&out, " %llu%s", (unsigned long long)r->filters[i].excluded,
		         r->filters[i].matched_none ? "!" : "");
	tree_deinit(&t);
	return buf_take(&out);
}

static void fold_is(struct profile *p, enum filter_kind kind, const char *pattern, enum filter_kind then,
                    const char *more, const char *expected, const char *what)
{
	struct recipe r;
	recipe_init(&r);
	recipe_add_filter(&r, kind, MATCH_REGEX, pattern);
	if (more)
		recipe_add_filter(&r, then, MATCH_REGEX, more);
	for (unsigned chart = 0; chart < 2; chart++) {
		r.chart = chart;
		char *got = folded(p, &r);
		is_str(got, expected, "%s%s", what, chart ? ", in a chart" : "");
		free(got);
	}
	recipe_deinit(&r);
}

static void test_profiles(void)
{
	struct profile a, b, copy;
	fill(&a, false);
	fill(&b, true);
	profile_append(&a, &b, NULL, 0);
	profile_deinit(&b);
	profile_snapshot(&copy, &a);
	for (unsigned is_copy = 0; is_copy < 2; is_copy++) {
		struct profile *p = is_copy ? &copy : &a;
		fold_is(p, FILTER_TAGFOCUS, "user=alice", 0, NULL, "33+30 30", "joined profiles share labels");
		fold_is(p, FILTER_TAGFOCUS, "bytes=1kb", 0, NULL, "33+30 30", "numbers, too");
		fold_is(p, FILTER_TAGIGNORE, "user=alice", 0, NULL, "30+33 33", "--tagignore");
		fold_is(p, FILTER_TAGFOCUS, "nobody", 0, NULL, "0+63 63!", "a label that is not there");
		fold_is(p, FILTER_TAGIGNORE, "nobody", 0, NULL, "63+0 0!", "or is not ignored");
		fold_is(p, FILTER_TAGFOCUS, "user=", FILTER_TAGIGNORE, "bob", "33+30 12 18",
		        "each filter says what it left out, the first one first");
		fold_is(p, FILTER_FOCUS, "b", FILTER_TAGFOCUS, "user=alice", "32+31 1 30",
		        "samples are chosen before stacks, wherever the filter stands");
	}
	profile_deinit(&copy);
	profile_deinit(&a);
	fill(&b, false);
	tags_free(b.tags);
	b.tags = NULL;
	memset(b.log[0].tags, 0, b.log[0].n * sizeof *b.log[0].tags);
	fold_is(&b, FILTER_TAGFOCUS, "x", 0, NULL, "0+7 7!", "a profile without labels has no sample with one");
	fold_is(&b, FILTER_TAGIGNORE, "x", 0, NULL, "7+0 0!", "and none to ignore");
	profile_deinit(&b);
}

/* The baseline is filtered alike, and a filter's share is that of the side shown. */
static void test_baseline(void)
{
	static const char *const labels[] = {"user=alice", NULL};
	struct profile p;
	struct recipe r;
	fill(&p, false);
	uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, "a", 1));
	struct sample s = {.weight = 100, .time = NO_TIME, .cpu = NO_CPU, .tags = make_set(p.tags, labels)};
	profile_add(&p, 1, path, &s);
	s = (struct sample){.weight = 1000, .time = NO_TIME, .cpu = NO_CPU};
	profile_add(&p, 1, path, &s);
	recipe_init(&r);
	recipe_add_filter(&r, FILTER_TAGFOCUS, MATCH_REGEX, "alice");
	char *got = folded(&p, &r);
	is_str(got, "1+6 6", "a comparison: the profile");
	free(got);
	r.swap_sides = true;
	got = folded(&p, &r);
	is_str(got, "100+1000 1000", "the baseline");
	free(got);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	test_expressions();
	test_patterns();
	test_values();
	test_frames();
	test_profiles();
	test_baseline();
	return done_testing();
}
