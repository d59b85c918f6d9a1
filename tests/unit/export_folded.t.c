/* export_folded - lines are in byte order, and nothing is lost. */
#include "tests/tap.h"

#include "collapse/collapse.h"
#include "stacks.h"

static void gives(const char *stacks, const char *base, const char *expected, const char *name)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, stacks, base);
	char *got = export_text_of(&export_folded, &v, &o);
	is_str(got, expected, "%s", name);
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_order(void)
{
	gives("b 1\na 2\na;c 3\nb 4\n", NULL, "a 2\na;c 3\nb 5\n", "stacks are merged and sorted");
	gives("a;x 1\na 2\na-b 3\na-b;y 4\n", NULL, "a 2\na-b 3\na-b;y 4\na;x 1\n",
	      "a name before ';' stands between a frame and its children");
	gives("a;x 1\na-b;y 4\na-b-c 2\na-b 3\n", NULL, "a-b 3\na-b-c 2\na-b;y 4\na;x 1\n",
	      "names that are prefixes of each other nest");
	gives("a;x 1\na= 2\nab 3\na 4\n", NULL, "a 4\na;x 1\na= 2\nab 3\n",
	      "a name after ';' stands after the children");
	gives("a;b c;d 1\na;b;e 2\na;b 3\n", NULL, "a;b 3\na;b c;d 1\na;b;e 2\n", "the same holds further up");
	gives("a;;c 1\na;;b 2\na 3\n", NULL, "a 3\na;;b 2\na;;c 1\n", "empty names are names");
}

static void gives_from(struct view *v, const char *expected, const char *name)
{
	struct export_options o = {.factor = 1};
	char *got = export_text_of(&export_folded, v, &o);
	is_str(got, expected, "%s", name);
	free(got);
}

/*
 * The baseline is scaled to the new total as difffolded does it for --diff: each stack is truncated to a whole
 * number once.
 */
static void test_normalized(void)
{
	struct profile p;
	struct view v;
	struct err err;

	view_of(&v, &p, "a;b 20\na;c 10\n", "a;b 10\na;c 5\nd 3\n");
	gives_from(&v, "a;b 10 20\na;c 5 10\nd 3 0\n", "counts are written as they were recorded");
	v.is_normalized = true;
	gives_from(&v, "a;b 17 20\na;c 8 10\nd 5 0\n", "and scaled where that is asked for");
	v.is_as_difffolded = true;
	gives_from(&v, "a;b 16 20\na;c 8 10\nd 5 0\n", "or cut as by difffolded");
	v.recipe.swap_sides = true;
	view_update(&v, DIRTY_TREE, NULL, &err);
	gives_from(&v, "a;b 16 20\na;c 8 10\nd 5 0\n", "whichever side gives the widths");
	recipe_add_filter(&v.recipe, FILTER_IGNORE, MATCH_LITERAL, "d");
	view_update(&v, DIRTY_TREE, NULL, &err);
	gives_from(&v, "a;b 20 20\na;c 10 10\n", "totals are those of the remaining stacks");
	view_deinit(&v);
	profile_deinit(&p);
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Compares stacks of short names made of letters around ';' with sorting their texts. */
static void test_by_chance(void)
{
	static const char letters[] = "a-:;<b;;";
	bool good = true;

	for (uint64_t seed = 1; seed <= 60 && good; seed++) {
		uint64_t dice = seed;
		char *lines[200];
		struct buf in, expected;
		buf_init(&in);
		buf_init(&expected);
		for (int i = 0; i < 200; i++) {
			char name[12];
			size_t n = 1 + chance(&dice, sizeof name - 2);
			name[0] = 'a';
			for (size_t k = 1; k < n; k++)
				name[k] = letters[chance(&dice, sizeof letters - 1)];
			name[n] = '\0';
			while (name[n - 1] == ';') /* a trailing empty frame reads as none here */
				name[--n] = '\0';
			lines[i] = mem_strdup(name);
			buf_addf(&in, "%s 1\n", name);
		}
		qsort(lines, 200, sizeof *lines, by_bytes);
		for (int i = 0, same = 1; i < 200; i++, same++) {
			if (i + 1 < 200 && strcmp(lines[i], lines[i + 1]) == 0)
				continue;
			buf_addf(&expected, "%s %d\n", lines[i], same);
			same = 0;
		}
		for (int sort = SORT_NAME; sort <= SORT_INPUT && good; sort++) {
			struct profile p;
			struct view v;
			struct export_options o = {.factor = 0};
			view_of(&v, &p, buf_str(&in), NULL);
			v.recipe.sort = (enum sort_order)sort;
			view_update(&v, DIRTY_TREE, NULL, NULL);
			char *got = export_text_of(&export_folded, &v, &o);
			good = got && strcmp(got, buf_str(&expected)) == 0;
			if (!good)
				diag("seed %d, order %d:\n%s\nexpected:\n%s", (int)seed, sort, got, buf_str(&expected));
			free(got);
			view_deinit(&v);
			profile_deinit(&p);
		}
		for (int i = 0; i < 200; i++)
			free(lines[i]);
		buf_deinit(&in);
		buf_deinit(&expected);
	}
	ok(good, "lines are sorted by bytes for any names and order of siblings");
}

static void test_weightless(void)
{
	gives("a;b 0\na;c 1\n", NULL, "a;b 0\na;c 1\n", "a stack of weight 0 is written");
	gives("a 0\na;c 1\n", NULL, "a 0\na;c 1\n", "in the middle of a longer one, too");
	gives("a;b 0\n", NULL, "a;b 0\n", "even alone");
	gives("a;c 1\n", NULL, "a;c 1\n", "but only if a sample ends there");
}

static void test_baseline(void)
{
	gives("a;b 20\nz 1\na;d 4\n", "a;b 10\na;c 5\na;d 1\na;d;e 2\n",
	      "a;b 10 20\na;c 5 0\na;d 1 4\na;d;e 2 0\nz 0 1\n",
	      "with a baseline there are two columns, before and after");
}

static void test_names(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 2.5};

	profile_init(&p);
	profile_series(&p, 0, 0);
	uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, "a;b\nc", 5));
	struct sample s = {.weight = 3, .time = NO_TIME, .cpu = NO_CPU};
	profile_add(&p, 0, path, &s);
	profile_add(&p, 0, PATH_ROOT, &s);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	view_update(&v, DIRTY_TREE, NULL, NULL);
	char *got = export_text_of(&export_folded, &v, &o);
	is_str(got, "# folded stacks, \\xHH in a name is a byte\n(empty) 8\na\\x3bb\\x0ac 8\n",
	       "names cannot break lines, empty stacks are not lost, counts are multiplied and rounded");
	free(got);
	p.decimals = 2;
	o.factor = 1;
	got = export_text_of(&export_folded, &v, &o);
	is_str(strchr(got, '\n') + 1, "(empty) 0.03\na\\x3bb\\x0ac 0.03\n", "weights may have decimals");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

/* The output for a stack with this name and one below it, `next`, in the format of that name. */
static void writes(const char *name, const char *next, const char *format, const char *expected, const char *what)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1, .reads_as_folded = collapse_reads_as_folded};
	struct sample s = {.weight = 3, .time = NO_TIME, .cpu = NO_CPU};
	char *got;

	profile_init(&p);
	profile_series(&p, 0, 0);
	p.format = format;
	uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, name, strlen(name)));
	profile_add(&p, 0, path, &s);
	profile_add(&p, 0, profile_child(&p, path, symtab_intern(&p.symtab, next, strlen(next))), &s);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	view_update(&v, DIRTY_TREE, NULL, NULL);
	got = export_text_of(&export_folded, &v, &o);
	is_str(got, expected, "%s", what);
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

#define ESCAPED "# folded stacks, \\xHH in a name is a byte\n"

static void test_odd_names(void)
{
	writes("a b", "#c", NULL, "a b 3\na b;#c 3\n", "names that are read as they are stay as they are");
	writes("a\\x41", "\\x", NULL, "a\\x41 3\na\\x41;\\x 3\n", "also those that look like escapes");
	writes("# top", "# x", NULL, ESCAPED "\\x23 top 3\n\\x23 top;\\x23 x 3\n", "a stack does not become a comment");
	writes("#", "x", NULL, ESCAPED "\\x23 3\n\\x23;x 3\n", "not even of one letter");
	writes("#include", "a", NULL, "# folded stacks\n#include 3\n#include;a 3\n",
	       "nor do all lines together become comments");
	writes("w 1", "w 2", NULL, ESCAPED "w\\x201 3\nw\\x201;w\\x202 3\n", "names do not end in counts");
	writes("w", "w 2x", NULL, "w 3\nw;w 2x 3\n", "but in other numbers");
	writes("w 1", "\\x41", NULL, ESCAPED "w\\x201 3\nw\\x201;\\x5cx41 3\n",
	       "where names are escaped, escapes are, too");
	writes("w ", "", NULL, ESCAPED "w\\x20 3\nw\\x20;\\x 3\n", "so are blanks at the end, and no name");
	writes("a", "x;y", NULL, ESCAPED "a 3\na;x\\x3by 3\n", "and the separator of frames");
	writes("a", "x;y", "perf", "a 3\na;x:y 3\n", "which of perf's is ':', as everywhere");
	writes("x:y", "x;y", "perf", ESCAPED "x:y 3\nx:y;x\\x3by 3\n", "unless two names would become one");
	writes("a", " ", "perf", "# folded stacks\na 3\na;  3\n", "a name of blanks of perf's stays one");
	writes(" ", "a", NULL, ESCAPED "\\x20 3\n\\x20;a 3\n", "but not at the beginning of a line");
	writes("\x1f\x8b\x08", "a", NULL, "# folded stacks\n\x1f\x8b\x08 3\n\x1f\x8b\x08;a 3\n",
	       "text that looks compressed gets an announcement");
	writes("<svg", "a", NULL, "<svg 3\n<svg;a 3\n", "other text does not");
	writes("PERFILE2", "a", NULL, "# folded stacks\nPERFILE2 3\nPERFILE2;a 3\n", "and so does another format");
}

static void test_parts(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "main;a;b 3\nmain;a 1\nmain;c 2\n", NULL);
	view_zoom_path(&v, "main;a");
	char *got = export_text_of(&export_folded, &v, &o);
	is_str(got, "main;a 1\nmain;a;b 3\n", "zoomed, only stacks inside are written, with their whole paths");
	free(got);
	v.recipe.reverse = true;
	view_zoom(&v, NODE_ALL);
	view_update(&v, DIRTY_TREE, NULL, NULL);
	got = export_text_of(&export_folded, &v, &o);
	is_str(got, "a;main 1\nb;a;main 3\nc;main 2\n", "turned around, stacks are written turned around");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
	view_of(&v, &p, "b;x 1\nb 2\na 3\nb;x 4\nb;x 1\n", NULL);
	v.recipe.chart = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	got = export_text_of(&export_folded, &v, &o);
	is_str(got, "b;x 1\nb 2\na 3\nb;x 5\n", "a flame chart is written in its order");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_deep(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};
	uint32_t path = PATH_ROOT, depth = 300000;

	profile_init(&p);
	profile_series(&p, 0, 0);
	for (uint32_t i = 0; i < depth; i++)
		path = profile_child(&p, path, symtab_intern(&p.symtab, i & 1 ? "odd" : "even", i & 1 ? 3 : 4));
	profile_add(&p, 0, path, &(struct sample){.weight = 7, .time = NO_TIME, .cpu = NO_CPU});
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	view_update(&v, DIRTY_TREE, NULL, NULL);
	char *got = export_text_of(&export_folded, &v, &o);
	is_int(strlen(got), depth / 2 * 9 + 2, "a very deep stack is one long line");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_order();
	test_normalized();
	test_by_chance();
	test_weightless();
	test_baseline();
	test_names();
	test_odd_names();
	test_parts();
	test_deep();
	return done_testing();
}
