/*
 * Folding: filters, order, reversal, charts, diffs; each by example, and all against a slow reference that works on
 * strings, stack by stack.
 */
#include "model/fold.h"

#include "base/mem.h"
#include "loading.h"
#include "tap.h"

static const char sample_text[] =
	"main;parse;read 3\nmain;parse;lex 2\nmain;eval;eval;call 4\nmain;eval;gc 1\nidle 5\nmain 1\n";

static void is_fold(const char *text, struct recipe *r, const char *expected, const char *what)
{
	struct profile p;
	struct err err = {""};
	char *got;

	load_as(&p, "folded", text);
	got = fold_text(&p, r, &err);
	is_str(got ? got : err.text, expected, "%s", what);
	free(got);
	profile_deinit(&p);
	recipe_deinit(r);
	recipe_init(r);
}

static void test_order(void)
{
	struct recipe r;

	recipe_init(&r);
	is_fold(
		sample_text, &r,
		"1 idle 5/5\n1 main 1/11\n2 eval 0/5\n3 eval 0/4\n4 call 4/4\n3 gc 1/1\n2 parse 0/5\n3 lex 2/2\n3 read 3/3\n",
		"siblings are sorted by name");
	r.sort = SORT_WEIGHT;
	is_fold(
		sample_text, &r,
		"1 main 1/11\n2 eval 0/5\n3 eval 0/4\n4 call 4/4\n3 gc 1/1\n2 parse 0/5\n3 read 3/3\n3 lex 2/2\n1 idle 5/5\n",
		"or by weight, equal ones by name");
	r.sort = SORT_INPUT;
	is_fold(
		sample_text, &r,
		"1 main 1/11\n2 parse 0/5\n3 read 3/3\n3 lex 2/2\n2 eval 0/5\n3 eval 0/4\n4 call 4/4\n3 gc 1/1\n1 idle 5/5\n",
		"or in the order of the input");
	is_fold("a;b 1\na;b-c 1\na;b;d 2\n", &r, "1 a 0/4\n2 b 1/3\n3 d 2/2\n2 b-c 1/1\n",
	        "a name that comes back is one frame");
	is_fold("a;b-c 1\na;b;d 2\n", &r, "1 a 0/3\n2 b 0/2\n3 d 2/2\n2 b-c 1/1\n",
	        "siblings are ordered by name even where lines are not");
	is_fold("b 1\na 1\na;c 2\n;x 1\n", &r, "1  0/1\n2 x 1/1\n1 a 1/3\n2 c 2/2\n1 b 1/1\n",
	        "unsorted input, empty names");
	r.reverse = true;
	is_fold("a;b;c 2\nx;c 3\n", &r, "1 c 0/5\n2 b 0/2\n3 a 2/2\n2 x 3/3\n",
	        "reversed, callers grow out of the leaves");
}

/* Four frames of fifteen names each; every stack once. */
enum { STACKS = 20000 };

static void add_stack(struct profile *p, uint32_t number)
{
	struct sample s = {.weight = number % 7, .time = NO_TIME, .cpu = NO_CPU};
	uint32_t frames[4];

	for (unsigned i = 4; i-- > 0; number /= 15) {
		char name[2] = {(char)('a' + number % 15), 0};

		frames[i] = symtab_intern(&p->symtab, name, 1);
	}
	profile_add(p, 0, profile_path(p, frames, 4), &s);
}

/* Sorted and unsorted paths are arranged by different code. */
static void test_many(void)
{
	struct profile near, far;
	struct recipe r;
	struct err err;

	profile_init(&near);
	profile_init(&far);
	recipe_init(&r);
	for (uint32_t i = 0; i < STACKS; i++) {
		add_stack(&near, i ^ 1);
		add_stack(&far, (uint32_t)((uint64_t)i * 7919 % STACKS));
	}
	for (r.sort = SORT_NAME; r.sort <= SORT_WEIGHT; r.sort++) {
		struct tree t;
		char why[200] = "", *a = fold_text(&near, &r, &err), *b = fold_text(&far, &r, &err);

		ok(a && b && strcmp(a, b) == 0, "however paths stand, the tree is the same");
		ok(fold(&near, &r, &t, NULL, &err) && tree_check(&t, why, sizeof why), "and sound %s", why);
		is_int(t.depth, 4, "and knows its depth");
		tree_deinit(&t);
		free(a);
		free(b);
	}
	profile_deinit(&near);
	profile_deinit(&far);
}

static void add_and_fold(const char *text, enum filter_kind kind, enum match_mode mode, const char *pattern,
                         const char *expected, const char *what)
{
	struct recipe r;

	recipe_init(&r);
	recipe_add_filter(&r, kind, mode, pattern);
	is_fold(text, &r, expected, what);
}

static bool differs(struct recipe *r, const struct recipe *from)
{
	bool is_same = recipe_is_same(r, from) || recipe_is_same(from, r);
	recipe_deinit(r);
	recipe_copy(r, from);
	return !is_same;
}

static void test_same_recipe(void)
{
	struct recipe a, b;
	recipe_init(&a);
	recipe_add_filter(&a, FILTER_FOCUS, MATCH_REGEX, "a");
	recipe_add_filter(&a, FILTER_RECURSION, MATCH_REGEX, NULL);
	a.splits[a.n_splits++] = (struct split){.key = SPLIT_CPU};
	recipe_copy(&b, &a);
	b.filters[0].excluded = 5;
	ok(recipe_is_same(&a, &b), "a copy is the same recipe, however much its filters took out");
	recipe_drop_filter(&b, 1);
	ok(differs(&b, &a), "with a filter less it is another");
	b.filters[0].pattern[0] = 'b';
	ok(differs(&b, &a), "and with another pattern");
	b.splits[0] = (struct split){.key = SPLIT_PID};
	ok(differs(&b, &a), "and with another split");
	b.n_splits = 0;
	ok(differs(&b, &a), "and with none");
	b.reverse = true;
	ok(differs(&b, &a), "and the other way round");
	b.sort = SORT_WEIGHT;
	ok(differs(&b, &a), "and in another order");
	b.leaves_base = true;
	ok(differs(&b, &a), "and without the baseline");
	recipe_deinit(&a);
	recipe_deinit(&b);
}

static void test_filters(void)
{
	struct recipe r;
	struct profile p;
	struct tree t;
	struct err err;

	add_and_fold(sample_text, FILTER_FOCUS, MATCH_REGEX, "^parse$",
	             "1 main 0/5\n2 parse 0/5\n3 lex 2/2\n3 read 3/3\n", "focus keeps stacks with a match");
	add_and_fold(sample_text, FILTER_IGNORE, MATCH_REGEX, "eval|idle",
	             "1 main 1/6\n2 parse 0/5\n3 lex 2/2\n3 read 3/3\n", "ignore drops them");
	add_and_fold(sample_text, FILTER_HIDE, MATCH_REGEX, "eval|parse|idle",
	             "1 main 1/11\n2 call 4/4\n2 gc 1/1\n2 lex 2/2\n2 read 3/3\n",
	             "hide takes frames out, the weight stays");
	add_and_fold(sample_text, FILTER_SHOW, MATCH_REGEX, "eval|gc", "1 eval 0/5\n2 eval 4/4\n2 gc 1/1\n",
	             "show keeps only them");
	add_and_fold(sample_text, FILTER_CALLEES, MATCH_REGEX, "eval", "1 eval 0/5\n2 eval 0/4\n3 call 4/4\n2 gc 1/1\n",
	             "callees cut at the match nearest to the root");
	add_and_fold(sample_text, FILTER_CALLERS, MATCH_REGEX, "eval|lex",
	             "1 eval 0/5\n2 main 5/5\n1 lex 0/2\n2 parse 0/2\n3 main 2/2\n",
	             "callers cut there, too, and grow from it");
	add_and_fold(sample_text, FILTER_BASE, MATCH_LITERAL, "eval", "1 eval 0/5\n2 call 4/4\n2 gc 1/1\n",
	             "base cuts at the one nearest to the leaf");
	add_and_fold(sample_text, FILTER_RECURSION, MATCH_REGEX, NULL,
	             "1 idle 5/5\n1 main 1/11\n2 eval 0/5\n3 call 4/4\n3 gc 1/1\n2 parse 0/5\n3 lex 2/2\n3 read 3/3\n",
	             "direct recursion becomes one frame");
	recipe_init(&r);
	recipe_add_filter(&r, FILTER_BASE, MATCH_LITERAL, "gc");
	recipe_add_filter(&r, FILTER_BASE, MATCH_LITERAL, "parse");
	is_fold(sample_text, &r, "1 gc 1/1\n1 parse 0/5\n2 lex 2/2\n2 read 3/3\n", "several bases are one filter");
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "main");
	recipe_add_filter(&r, FILTER_IGNORE, MATCH_REGEX, "gc");
	recipe_add_filter(&r, FILTER_HIDE, MATCH_REGEX, "nothing here");
	load_as(&p, "folded", sample_text);
	ok(fold(&p, &r, &t, NULL, &err), "filters work one after the other");
	is_int(r.filters[0].excluded, 5, "the first reports the weight that it took out");
	is_int(r.filters[1].excluded, 1, "the second too");
	is_int(t.excluded[0], 6, "the tree has the sum");
	is_int(t.pos[t.n] + t.excluded[0], p.log[0].total, "shown and excluded are all there was");
	ok(r.filters[2].matched_none && !r.filters[1].matched_none, "a filter that matches nothing is marked");
	tree_deinit(&t);
	recipe_drop_filter(&r, 0);
	is_int(r.filters[0].kind, FILTER_IGNORE, "a filter can be dropped");
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "(");
	ok(!fold(&p, &r, &t, NULL, &err), "a bad pattern is refused");
	ok(err.text[0], "and said");
	recipe_deinit(&r);
	profile_deinit(&p);
}

static void test_selection(void)
{
	static const char perf[] =
		"a 1/2 [000] 10.000000: 5 cycles:\n\t10 f (/x)\n\nb 1/3 [001] 11.000000: 7 cycles:\n\t10 g (/x)\n\n"
		"a 1/2 [000] 12.500000: 2 faults:\n\t10 f (/x)\n\n";
	struct profile p;
	struct recipe r;
	struct err err;
	char *got;

	load_as(&p, "perf", perf);
	recipe_init(&r);
	got = fold_text(&p, &r, &err);
	is_str(got, "1 a 0/5\n2 f 5/5\n1 b 0/7\n2 g 7/7\n", "the first event is shown");
	free(got);
	r.series = 1;
	got = fold_text(&p, &r, &err);
	is_str(got, "1 a 0/2\n2 f 2/2\n", "another one when asked for");
	free(got);
	r.series = -1;
	r.splits[r.n_splits++] = (struct split){.key = SPLIT_EVENT};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 cycles 0/12\n2 a 0/5\n3 f 5/5\n2 b 0/7\n3 g 7/7\n1 faults 0/2\n2 a 0/2\n3 f 2/2\n",
	       "split by event");
	free(got);
	r = (struct recipe){.tid = 3};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 b 0/7\n2 g 7/7\n", "one thread");
	free(got);
	r = (struct recipe){.from = 500000000, .to = 2000000000};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 b 0/7\n2 g 7/7\n", "a time range, from the first sample on");
	free(got);
	r = (struct recipe){.last = 1500000000};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 b 0/7\n2 g 7/7\n", "the last samples, counted from the very last one");
	free(got);
	r = (struct recipe){.last = 1499999999};
	got = fold_text(&p, &r, &err);
	is_str(got, "", "and nothing that is older");
	free(got);
	r = (struct recipe){.last = 2499999999};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 b 0/7\n2 g 7/7\n", "a range that is shorter than the profile leaves the first instant out");
	free(got);
	r = (struct recipe){.last = 2500000000};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 a 0/5\n2 f 5/5\n1 b 0/7\n2 g 7/7\n", "one of its length has all");
	free(got);
	r = (struct recipe){.from = 1100000000, .last = 2000000000};
	got = fold_text(&p, &r, &err);
	is_str(got, "", "it does not reach before the beginning that was asked for");
	free(got);
	r = (struct recipe){.splits = {{.key = SPLIT_CPU}, {.key = SPLIT_TID}}, .n_splits = 2};
	got = fold_text(&p, &r, &err);
	is_str(got, "1 cpu 0 0/5\n2 tid 2 0/5\n3 a 0/5\n4 f 5/5\n1 cpu 1 0/7\n2 tid 3 0/7\n3 b 0/7\n4 g 7/7\n",
	       "two levels of splits");
	free(got);
	profile_deinit(&p);
}

/* Cached results survive when there are more paths than the table has room for. */
static void test_many_paths(void)
{
	enum { PATHS = 3000 };
	struct profile p;
	struct recipe r = {.splits = {{.key = SPLIT_FILE}}, .n_splits = 1};
	struct err err;
	struct buf text, expected;
	char *got;

	buf_init(&text);
	buf_init(&expected);
	buf_addf(&expected, "1 input 0/%d\n2 a 0/%d\n", 2 * PATHS, 2 * PATHS);
	for (int i = 0; i < PATHS; i++)
		buf_addf(&expected, "3 f%04d 2/2\n", i);
	for (int i = 0; i < 2 * PATHS; i++)
		buf_addf(&text, "a;f%04d 1\n", i % PATHS);
	load_as(&p, "folded", buf_str(&text));
	got = fold_text(&p, &r, &err);
	ok(got && strcmp(got, buf_str(&expected)) == 0, "thousands of stacks stay unchanged when they are split");
	free(got);
	profile_deinit(&p);
	buf_deinit(&text);
	buf_deinit(&expected);
}

/* The shape of split stacks grows while samples come in; frames without a sample are hidden. */
static void test_splits_and_filters(void)
{
	struct profile p;
	struct recipe r = {.splits = {{.key = SPLIT_CPU}}, .n_splits = 1};
	struct err err;
	struct buf text;
	char *got;

	buf_init(&text);
	for (int i = 0; i < 200; i++)
		buf_addf(&text, "a 1/1 [%03d] 1.0: 1 cycles:\n\t10 leaf (/x)\n\t10 caller%d (/x)\n\n", i % 8, i % 25);
	load_as(&p, "perf", buf_str(&text));
	recipe_add_filter(&r, FILTER_IGNORE, MATCH_LITERAL, "leaf");
	got = fold_text(&p, &r, &err);
	is_str(got, "", "callers of left-out stacks are not shown");
	free(got);
	recipe_deinit(&r);
	profile_deinit(&p);
	buf_deinit(&text);
}

static void test_charts(void)
{
	struct recipe r;

	recipe_init(&r);
	r.chart = true;
	is_fold("a;b 1\na;c 2\na;b 3\n", &r, "1 a 0/6\n2 b 1/1\n2 c 2/2\n2 b 3/3\n",
	        "a chart keeps the order of the input");
	r.chart = true;
	is_fold("a;b 1\na;b 2\na;b;c 1\nx 1\na;b 1\n", &r, "1 a 0/4\n2 b 3/4\n3 c 1/1\n1 x 1/1\n1 a 0/1\n2 b 1/1\n",
	        "equal neighbours join");
	r.chart = true;
	is_fold("a;b 1\na 2\na 1\na;b 1\n", &r, "1 a 0/5\n2 b 1/1\n2 (gap) 3/3\n2 b 1/1\n",
	        "a frame's own time in between is a gap");
	r.chart = true;
	recipe_add_filter(&r, FILTER_HIDE, MATCH_REGEX, "h");
	is_fold("h;b 1\nb 2\nh 1\nb 1\n", &r, "1 b 3/3\n1 (gap) 1/1\n1 b 1/1\n", "filters apply to charts");
	r.chart = r.reverse = true;
	is_fold("a;b 1\nc;b 2\n", &r, "1 b 0/3\n2 a 1/1\n2 c 2/2\n", "and so does reversal");
	r.chart = true;
	r.splits[r.n_splits++] = (struct split){.key = SPLIT_FILE};
	is_fold("a 1\n", &r, "1 input 0/1\n2 a 1/1\n", "and splitting");
}

/* Time passes in samples that are left out, too. */
static void test_chart_times(void)
{
	struct recipe r;
	struct profile p;
	struct tree t;
	struct err err = {""};

	load_as(&p, "perf",
	        "app 1/1 1.0: 7 cycles:\n\ta1 early (/bin/x)\n\n"
	        "app 1/1 1.5: 7 cycles:\n\ta1 late (/bin/x)\n\n"
	        "app 1/1 2.0: 7 cycles:\n\ta1 late (/bin/x)\n\n");
	recipe_init(&r);
	r.chart = true;
	r.axis = AXIS_SAMPLES;
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "late");
	if (!fold(&p, &r, &t, NULL, &err) || !t.time)
		bail_out("no chart with times: %s", err.text);
	is_int(t.time[0], 500000000, "a chart begins with its first sample, counted from that of the profile");
	is_int(t.time_end, 1000000000, "and ends with its last");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

static void test_diffs(void)
{
	struct recipe r;
	struct profile p;
	struct tree t;
	struct err err;

	recipe_init(&r);
	is_fold("a;b 10 20\na;c 5 0\nz 0 1\n", &r, "1 a 0/20 0\n2 b 20/20 10\n2 c 0/0 5\n1 z 1/1 0\n",
	        "two columns are a diff");
	r.quantity = DIFF_OF_WEIGHTS;
	is_fold("a;b 10 20\na;c 5 10\n", &r, "1 a 0/30 0\n2 b 20/20 10\n2 c 10/10 5\n",
	        "weights stay as they were recorded");
	r.quantity = DIFF_OF_SHARES;
	r.swap_sides = true;
	is_fold("a;b 10 20\n", &r, "1 a 0/10 0\n2 b 10/10 20\n", "widths from the baseline");
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "b");
	load_as(&p, "folded", "a;b 10 20\na;c 5 10\nz 0 1\n");
	if (!fold(&p, &r, &t, NULL, &err))
		bail_out("no fold: %s", err.text);
	is_int(t.excluded[0], 11, "the weight that a filter takes out is counted for the new side");
	is_int(t.excluded[1], 5, "and for the baseline");
	tree_deinit(&t);
	profile_deinit(&p);
	recipe_deinit(&r);
	recipe_init(&r);
	r.strip_hex = true;
	is_fold("a;f 0x12 5\na;f 0xfe 1\ng0xZ 1\n", &r, "1 a 0/6\n2 f 0x... 6/6\n1 g0xZ 1/1\n",
	        "hexadecimal numbers are made alike");
}

/* --- the reference --- */

#define MAX_FRAMES 8

struct stack {
	int n;
	int frames[MAX_FRAMES * 2];
	uint64_t weight;
};

static void reference(const struct stack *in, int n, const struct recipe *r, char **lines, int *n_lines)
{
	*n_lines = 0;
	for (int i = 0; i < n; i++) {
		struct stack s = in[i];
		bool keep = true;
		char text[256] = "";

		for (size_t k = 0; k < r->n_filters && keep; k++) {
			int want = r->filters[k].pattern ? r->filters[k].pattern[0] - 'a' : -1, out = 0, first = -1, last = -1;

			for (int j = 0; j < s.n; j++) {
				if (s.frames[j] == want) {
					first = first < 0 ? j : first;
					last = j;
				}
			}
			switch (r->filters[k].kind) {
			case FILTER_FOCUS:
				keep = first >= 0;
				break;
			case FILTER_IGNORE:
				keep = first < 0;
				break;
			case FILTER_CALLEES:
			case FILTER_BASE:
				keep = first >= 0;
				for (int j = r->filters[k].kind == FILTER_BASE ? last : first; keep && j < s.n; j++)
					s.frames[out++] = s.frames[j];
				s.n = out;
				break;
			case FILTER_HIDE:
			case FILTER_SHOW:
				for (int j = 0; j < s.n; j++)
					if ((s.frames[j] == want) == (r->filters[k].kind == FILTER_SHOW))
						s.frames[out++] = s.frames[j];
				s.n = out;
				break;
			case FILTER_CALLERS:
				keep = first >= 0;
				s.n = first + 1;
				break;
			case FILTER_TAGFOCUS:
			case FILTER_TAGIGNORE:
				break;
			case FILTER_RECURSION:
				for (int j = 0; j < s.n; j++)
					if (!out || s.frames[out - 1] != s.frames[j])
						s.frames[out++] = s.frames[j];
				s.n = out;
				break;
			}
		}
		if (!keep || !s.n)
			continue;
		for (int j = 0; j < s.n; j++)
			sprintf(text + strlen(text), "%s%c", j ? ";" : "",
			        'a' + s.frames[recipe_reverses(r) ? s.n - 1 - j : j]);
		sprintf(text + strlen(text), " %d", (int)s.weight);
		lines[(*n_lines)++] = mem_strdup(text);
	}
}

/* Compares the random profile, filtered as strings and then folded, with the filtered fold of the whole. */
static bool agrees(unsigned seed)
{
	struct stack stacks[60];
	struct buf text, expected_text;
	char *lines[60], *got, *want;
	int n = 5 + (int)(seed % 50), n_lines;
	struct profile p, q;
	struct recipe r, plain;
	struct err err;
	bool same;

	buf_init(&text);
	buf_init(&expected_text);
	recipe_init(&r);
	recipe_init(&plain);
	srand(seed);
	for (int i = 0; i < n; i++) {
		stacks[i].n = 1 + rand() % MAX_FRAMES;
		stacks[i].weight = (uint64_t)(1 + rand() % 9);
		for (int j = 0; j < stacks[i].n; j++) {
			stacks[i].frames[j] = rand() % 5;
			buf_addf(&text, "%s%c", j ? ";" : "", 'a' + stacks[i].frames[j]);
		}
		buf_addf(&text, " %d\n", (int)stacks[i].weight);
	}
	for (int k = rand() % 4; k; k--) {
		char pattern[2] = {(char)('a' + rand() % 5), 0};
		enum filter_kind kind = (enum filter_kind)(rand() % N_FILTER_KINDS);

		/* Consecutive --base form one filter, which the reference does not implement. */
		if (kind == FILTER_BASE && r.n_filters && r.filters[r.n_filters - 1].kind == FILTER_BASE)
			kind = FILTER_FOCUS;
		if (filter_is_of_tags(kind)) /* of samples, not of stacks: model_tags.t.c */
			continue;
		recipe_add_filter(&r, kind, MATCH_LITERAL, kind == FILTER_RECURSION ? NULL : pattern);
	}
	r.reverse = rand() % 3 == 0;
	reference(stacks, n, &r, lines, &n_lines);
	for (int i = 0; i < n_lines; i++) {
		buf_addf(&expected_text, "%s\n", lines[i]);
		free(lines[i]);
	}
	load_as(&p, "folded", buf_str(&text));
	got = fold_text(&p, &r, &err);
	if (n_lines) {
		load_as(&q, "folded", buf_str(&expected_text));
		want = fold_text(&q, &plain, &err);
		profile_deinit(&q);
	} else {
		want = mem_strdup("");
	}
	same = got && strcmp(got, want) == 0;
	if (!same)
		diag("seed %u:\n%sby strings\n%sgot\n%sexpected\n%s", seed, buf_str(&text), buf_str(&expected_text),
		     got ? got : err.text, want);
	free(got);
	free(want);
	profile_deinit(&p);
	recipe_deinit(&r);
	buf_deinit(&text);
	buf_deinit(&expected_text);
	return same;
}

static void test_cancel(void)
{
	struct progress progress = {.cancel = true};
	struct recipe r;
	struct profile p;
	struct tree t;
	struct buf text;
	struct err err;

	buf_init(&text);
	for (int i = 0; i < 70000; i++)
		buf_addf(&text, "f%d;g 1\n", i);
	load_as(&p, "folded", buf_str(&text));
	recipe_init(&r);
	ok(!fold(&p, &r, &t, &progress, &err), "a fold can be cancelled");
	is_str(err.text, "", "which is no error");
	buf_deinit(&text);
	profile_deinit(&p);
}

#define MOST "18446744073709551615"

/* Weights whose sum exceeds 64 bits. */
static void test_largest_sums(void)
{
	static const char text[] = "a;b 3\na;c " MOST "\na;d " MOST "\na;d;e 5\n";
	static const char cut[] = "1 a 0/18446744073709551614\n2 b 3/3\n2 c 9223372036854775803/9223372036854775803\n"
							  "2 d 9223372036854775803/9223372036854775808\n3 e 5/5\n";
	struct profile p;
	struct recipe r;
	struct tree t;
	struct err err;
	char why[200] = "";

	recipe_init(&r);
	is_fold("a;b 3\na;b " MOST "\n", &r, "1 a 0/" MOST "\n2 b " MOST "/" MOST "\n",
	        "a stack's weight stays at the largest number");
	is_fold("a;b;c 3\na;b " MOST "\n", &r, "1 a 0/" MOST "\n2 b 18446744073709551612/" MOST "\n3 c 3/3\n",
	        "the heaviest stack is cut so that the sum fits");
	is_fold(text, &r, cut, "several are cut to the same weight, and self and total add up");
	r.sort = SORT_WEIGHT;
	is_fold(text, &r,
	        "1 a 0/18446744073709551614\n2 d 9223372036854775803/9223372036854775808\n3 e 5/5\n"
	        "2 c 9223372036854775803/9223372036854775803\n2 b 3/3\n",
	        "in any order");
	r.chart = true;
	is_fold(text, &r, cut, "in a flame chart as well");
	r.reverse = true;
	is_fold("a;b " MOST "\nc;b " MOST "\n", &r,
	        "1 b 0/18446744073709551614\n2 a 9223372036854775807/9223372036854775807\n"
	        "2 c 9223372036854775807/9223372036854775807\n",
	        "and where callers are merged");
	add_and_fold("a;b " MOST "\na;c " MOST "\n", FILTER_HIDE, MATCH_REGEX, "b|c", "1 a " MOST "/" MOST "\n",
	             "stacks merged by a filter are added up");
	add_and_fold("a;b " MOST "\na;c " MOST "\na;d 1\n", FILTER_IGNORE, MATCH_REGEX, "b|c", "1 a 0/1\n2 d 1/1\n",
	             "stacks removed by a filter make room");

	load_as(&p, "folded", "a " MOST " " MOST "\nb " MOST " 7\nc 1 " MOST "\n");
	ok(fold(&p, &r, &t, NULL, &err) && tree_check(&t, why, sizeof why), "both sides of a comparison fit %s", why);
	ok(tree_total(&t, NODE_ALL) > UINT64_MAX - 4 && tree_base_total(&t, NODE_ALL) > UINT64_MAX - 4,
	   "and lose no more than they must");
	tree_deinit(&t);
	profile_deinit(&p);
	recipe_deinit(&r);
	load_as(&p, "folded", "a " MOST "\nb " MOST "\nc 1\n");
	recipe_add_filter(&r, FILTER_FOCUS, MATCH_REGEX, "c");
	ok(fold(&p, &r, &t, NULL, &err) && t.excluded[0] == UINT64_MAX && r.filters[0].excluded == UINT64_MAX,
	   "left-out weight is counted up to the limit of numbers");
	tree_deinit(&t);
	profile_deinit(&p);
	recipe_deinit(&r);
}

int main(void)
{
	int wrong = 0;

	test_order();
	test_many();
	test_filters();
	test_same_recipe();
	test_selection();
	test_many_paths();
	test_splits_and_filters();
	test_charts();
	test_chart_times();
	test_diffs();
	test_cancel();
	test_largest_sums();
	for (unsigned seed = 1; seed <= 400 && wrong < 3; seed++)
		wrong += !agrees(seed);
	is_int(wrong, 0, "four hundred random profiles with random filters fold like the reference");
	return done_testing();
}
