/* export_folded - lines in the order of their bytes, and nothing lost on the way. */
#include "tests/tap.h"

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

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Stacks of short names with the letters around ';', against sorting their texts. */
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
	ok(good, "whatever the names and the order of siblings, lines are sorted by bytes");
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
	is_str(got, "(empty) 8\na:b c 8\n",
	       "names cannot break lines, empty stacks are not lost, counts are multiplied and rounded");
	free(got);
	p.decimals = 2;
	o.factor = 1;
	got = export_text_of(&export_folded, &v, &o);
	is_str(got, "(empty) 0.03\na:b c 0.03\n", "weights may have decimals");
	free(got);
	view_deinit(&v);
	profile_deinit(&p);
}

/* A stack of one frame, and another one below it, read again from what is written. */
static void test_no_comment(void)
{
	static const char *const names[][2] = {{"# top", "#_top"}, {"#", "#_"}, {"#include", "#include"}, {"##", "##"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct profile p;
		struct view v;
		struct export_options o = {.factor = 1};
		struct sample s = {.weight = 3, .time = NO_TIME, .cpu = NO_CPU};
		char expected[64];
		profile_init(&p);
		profile_series(&p, 0, 0);
		uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, names[i][0], strlen(names[i][0])));
		profile_add(&p, 0, path, &s);
		profile_add(&p, 0, profile_child(&p, path, symtab_intern(&p.symtab, "# x", 3)), &s);
		view_init(&v, &p, UTF8_CLEAN_UTF8, true);
		view_update(&v, DIRTY_TREE, NULL, NULL);
		char *got = export_text_of(&export_folded, &v, &o);
		snprintf(expected, sizeof expected, "%s 3\n%s;# x 3\n", names[i][1], strcmp(names[i][0], "#") ? names[i][1] : "#");
		is_str(got, expected, "a stack that begins with '%s' does not become a comment", names[i][0]);
		free(got);
		view_deinit(&v);
		profile_deinit(&p);
	}
}

static void test_parts(void)
{
	struct profile p;
	struct view v;
	struct export_options o = {.factor = 1};

	view_of(&v, &p, "main;a;b 3\nmain;a 1\nmain;c 2\n", NULL);
	view_zoom_path(&v, "main;a");
	char *got = export_text_of(&export_folded, &v, &o);
	is_str(got, "main;a 1\nmain;a;b 3\n", "zoomed, only what is inside is written, with its whole path");
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
	test_by_chance();
	test_weightless();
	test_baseline();
	test_names();
	test_no_comment();
	test_parts();
	test_deep();
	return done_testing();
}
