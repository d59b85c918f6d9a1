/* export_top - the table of functions, and the table of exports. */
#include "tests/tap.h"

#include "stacks.h"

static void is_table(const struct view *v, const struct export_options *o, const char *expected, const char *name)
{
	char *got = export_text_of(&export_top, v, o);

	is_str(got, expected, "%s", name);
	free(got);
}

static void test_plain(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "f;g;f 3000\nf 1000\ng;h 4000\ng;k 1\n", NULL);
	is_table(&v, &o,
	         " self  self %  total  total %  frames  name\n"
	         "4,000   49.99  4,000    49.99       2  f\n"
	         "4,000   49.99  4,000    49.99       1  h\n"
	         "    1    0.01      1     0.01       1  k\n"
	         "    0    0.00  7,001    87.50       2  g\n",
	         "functions by self, a function inside of itself once");
	o.top = 2;
	o.factor = 0.5;
	is_table(&v, &o,
	         " self  self %  total  total %  frames  name\n"
	         "2,000   49.99  2,000    49.99       2  f\n"
	         "2,000   49.99  2,000    49.99       1  h\n"
	         "2 more functions not shown\n",
	         "as many as asked for, and how many more there are");
	o = (struct export_options){.factor = 1};
	view_search(&v, "h", MATCH_REGEX, NULL);
	view_zoom_path(&v, "g");
	is_table(&v, &o,
	         " self  self % of zoom  total  total % of zoom  frames    name\n"
	         "4,000           99.98  4,000            99.98       1  * h\n"
	         "    1            0.02      1             0.02       1    k\n"
	         "    0            0.00  4,001           100.00       1    g\n"
	         "zoom: g  50.0% of all\n",
	         "zoomed, shares are those of the zoom; matches are marked");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_width(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1, .width = 60, .ascii = true};

	view_of(&v, &p, "namespace::with::long::names::function 5\n\xC3\xA4 1\n", NULL);
	is_table(&v, &o,
	         "self  self %  total  total %  frames  name\n"
	         "   5   83.33      5    83.33       1  ..names::function\n"
	         "   1   16.67      1    16.67       1  ?\n",
	         "names are shortened when a width is asked for, and ASCII is ASCII");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_diff(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "a;b 6000\na;c 4000\n", "a;b 2000\na;c 8000\n");
	is_table(
		&v, &o,
		"self %                   total %\n"
		"before  after  change    before  after  change    name\n"
		" 20.00  60.00  +40.00     20.00  60.00  +40.00    b\n"
		" 80.00  40.00  -40.00     80.00  40.00  -40.00    c\n"
		"  0.00   0.00   +0.00    100.00 100.00   +0.00    a\n"
		"diff of shares: by self, 1 function grew and 1 shrank beyond noise; 10,000 samples before, 10,000 after\n",
		"with a baseline the greatest changes come first");
	v.recipe.swap_sides = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	is_table(
		&v, &o,
		"self %                   total %\n"
		"before  after  change    before  after  change    name\n"
		" 20.00  60.00  +40.00     20.00  60.00  +40.00    b\n"
		" 80.00  40.00  -40.00     80.00  40.00  -40.00    c\n"
		"  0.00   0.00   +0.00    100.00 100.00   +0.00    a\n"
		"diff of shares: by self, 1 function grew and 1 shrank beyond noise; 10,000 samples before, 10,000 after\n",
		"before and after are the same from the baseline's side");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a 11\nb 9\n", "a 10\nb 10\n");
	char *got = export_text_of(&export_top, &v, &o);
	ok(got && strstr(got, "+5.00 ~") && strstr(got, "may be chance"), "a change that chance explains is marked");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_vanished(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "a 5000\nnew 5000\n", "a 5000\ngone 5000\n");
	is_table(
		&v, &o,
		"self %                   total %\n"
		"before  after  change    before  after  change    name\n"
		"  0.00  50.00  +50.00      0.00  50.00  +50.00    new (new)\n"
		" 50.00   0.00  -50.00     50.00   0.00  -50.00    gone (vanished)\n"
		" 50.00  50.00   +0.00     50.00  50.00   +0.00    a\n"
		"diff of shares: by self, 1 function grew and 1 shrank beyond noise, 1 is new, 1 vanished; 10,000 samples before, 10,000 after\n",
		"new and vanished functions are named so");
	v.recipe.leaves_base = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	is_table(&v, &o,
	         " self  self %  total  total %  frames  name\n"
	         "5,000   50.00  5,000    50.00       1  a\n"
	         "5,000   50.00  5,000    50.00       1  new\n",
	         "with differences off the table is plain");
	view_deinit(&v);
	profile_deinit(&p);
}

static void is_markdown(const struct view *v, const struct export_options *o, const char *expected,
                        const char *name)
{
	char *got = export_text_of(&export_markdown, v, o);

	is_str(got, expected, "%s", name);
	free(got);
}

static void test_markdown(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "f;operator| 3000\nf 1000\nx`y 1\n", NULL);
	is_markdown(&v, &o,
	            "| self | self % | total | total % | frames | function |\n"
	            "|---:|---:|---:|---:|---:|:---|\n"
	            "| 3,000 | 74.98 | 3,000 | 74.98 | 1 | <code>operator&#124;</code> |\n"
	            "| 1,000 | 24.99 | 4,000 | 99.98 | 1 | `f` |\n"
	            "| 1 | 0.02 | 1 | 0.02 | 1 | <code>x&#96;y</code> |\n",
	            "a table in Markdown; no name breaks out of its cell");
	o.top = 1;
	is_markdown(&v, &o,
	            "| self | self % | total | total % | frames | function |\n"
	            "|---:|---:|---:|---:|---:|:---|\n"
	            "| 3,000 | 74.98 | 3,000 | 74.98 | 1 | <code>operator&#124;</code> |\n"
	            "\n2 more functions not shown.\n",
	            "and the weight that is not in it");
	view_deinit(&v);
	profile_deinit(&p);
	o.top = 0;
	view_of(&v, &p, "a 5000\nb 5000\nc 1010\n", "a 5000\nb 8000\nc 1000\n");
	is_markdown(
		&v, &o,
		"**diff of shares: by self, 2 functions grew and 1 shrank beyond noise; 14,000 samples before, 11,010 after**\n"
		"\n"
		"| self % before | after | change | total % before | after | change | function |\n"
		"|---:|---:|---:|---:|---:|---:|:---|\n"
		"| 35.71 | 45.41 | **+9.70** | 35.71 | 45.41 | **+9.70** | `a` |\n"
		"| 7.14 | 9.17 | **+2.03** | 7.14 | 9.17 | **+2.03** | `c` |\n"
		"| 57.14 | 45.41 | **-11.73** | 57.14 | 45.41 | **-11.73** | `b` |\n",
		"the changes, regressions first");
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "a 51\nb 49\n", "a 50\nb 50\n");
	is_markdown(
		&v, &o,
		"**diff of shares: by self, 0 functions grew and 0 shrank beyond noise; 100 samples before, 100 after**\n"
		"\n2 functions changed by no more than 2 standard errors, which may be chance.\n",
		"noise has no rows");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_kinds(void)
{
	ok(export_find("folded") == &export_folded && export_find("text") == &export_text &&
	       export_find("top") == &export_top,
	   "exports are found by name");
	ok(!export_find("nosuch"), "an unknown one is not");
	ok(export_by_suffix("a/b.folded") == &export_folded && export_by_suffix("x.txt") == &export_text,
	   "and by suffix");
	ok(!export_by_suffix("svg") && !export_by_suffix(".svg") && !export_by_suffix("x.svg.gz"),
	   "a suffix needs a name before it");
	for (size_t i = 0; export_kinds[i]; i++)
		ok(export_kinds[i]->help && export_kinds[i]->write, "%s has a description", export_kinds[i]->name);
}

static void test_failure(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};
	struct err err = {""};

	view_of(&v, &p, "a 1\n", NULL);
	ok(!export_to("/nonexistent/x.folded", &export_folded, &v, &o, &err), "a file that cannot be made is an error");
	ok(strstr(err.text, "/nonexistent"), "that says which: %s", err.text);
	if (access("/dev/full", W_OK) == 0)
		ok(!export_to("/dev/full", &export_folded, &v, &o, &err), "a full disk is an error: %s", err.text);
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_plain();
	test_width();
	test_diff();
	test_vanished();
	test_markdown();
	test_kinds();
	test_failure();
	return done_testing();
}
