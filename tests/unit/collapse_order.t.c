/*
 * collapse_order.t.c - the order of the input is kept with any number of threads and any hash seed.
 *
 * The loader is compiled with small ranges, so that a hundred lines occupy several threads.
 */
#include "tests/tap.h"

#define BLOCK 4096u
#define RANGE_MIN 2000u
#include "tests/unit/small_loader.h"

#include "collapse/formats.h"
#include "loading.h"
#include "stacks.h"

#define SEEDS 6
#define MOST_JOBS 6 /* with ranges, and with shares */

/* The program's seed is random; here it is one of a few fixed ones. */
static void set_seed(uint64_t n)
{
	uint64_t *seed = (uint64_t *)(uintptr_t)hash_seed;

	seed[0] = hash_mix(n + 1, UINT64_C(0x9E3779B97F4A7C15));
	seed[1] = hash_mix(n + 2, UINT64_C(0xD6E8FEB86659FD93));
}

static bool has_before, has_blocks;

/* Unsorted lines: stacks of all depths, some repeated, some without weight, and invalid lines. */
static void add_folded(struct buf *b, unsigned n, uint64_t seed)
{
	for (unsigned i = 0; i < n; i++) {
		unsigned depth = 1 + chance(&seed, 6);

		for (unsigned d = 0; d < depth; d++)
			buf_addf(b, "%sf%u", d ? ";" : "", chance(&seed, d < 2 ? 5 : 9));
		if (has_before)
			buf_addf(b, " %u", chance(&seed, 4));
		buf_addf(b, " %u\n", chance(&seed, 7));
		if (i % 90 == 50)
			buf_adds(b, "# a comment\nno stack\n");
	}
}

/* The same as blocks of perf script. */
static void add_perf(struct buf *b, unsigned n, uint64_t seed)
{
	for (unsigned i = 0; i < n; i++) {
		buf_addf(b, "app%u 1/%u 1.%06u: %u cycles:\n", chance(&seed, 3), chance(&seed, 3), i, 1 + chance(&seed, 7));
		for (unsigned depth = 1 + chance(&seed, 6); depth; depth--)
			buf_addf(b, "\ta1 f%u (/bin/x)\n", chance(&seed, 7));
		buf_addc(b, '\n');
	}
}

static int input_of(uint64_t seed)
{
	int fd = memfd_create("input", MFD_CLOEXEC);
	struct buf text;

	buf_init(&text);
	has_blocks ? add_perf(&text, 700, seed) : add_folded(&text, 1500, seed);
	if (fd < 0 || write(fd, text.data, text.len) != (ssize_t)text.len || lseek(fd, 0, SEEK_SET) != 0)
		bail_out("no file in memory");
	buf_deinit(&text);
	return fd;
}

/* Appends the profile as written by an export. */
static void add_written(struct buf *out, struct profile *p, const struct export_kind *kind, bool reverse,
                        bool chart)
{
	const struct export_options o = {.fail_above = -1, .min_width = 0};
	struct view v;
	char *text;

	view_init(&v, p, UTF8_CLEAN_UTF8, true);
	v.recipe.sort = SORT_INPUT;
	v.recipe.reverse = reverse;
	v.recipe.chart = chart;
	if (!view_update(&v, DIRTY_TREE, NULL, NULL))
		bail_out("no tree");
	text = export_text_of(kind, &v, &o);
	buf_addf(out, "%s\n", text ? text : "failed");
	free(text);
	view_deinit(&v);
}

/* All exports of this many files, read by this many threads; the caller frees it. */
static char *outputs(unsigned files, unsigned jobs, enum order order)
{
	const struct collapse_options o = {.jobs = jobs, .order = order};
	struct load_input in[2] = {{.path = "one", .fd = input_of(3)}};
	struct profile p;
	struct err err = {""};
	struct buf out;

	if (files > 1)
		in[1] = (struct load_input){.path = "two", .fd = input_of(4)};
	profile_init(&p);
	buf_init(&out);
	if (!load_all(&p, in, files, &o, &err))
		bail_out("%s", err.text);
	for (unsigned turned = 0; turned < 2; turned++) {
		add_written(&out, &p, &export_folded, turned, false);
		add_written(&out, &p, &export_text, turned, false);
		add_written(&out, &p, &export_svg, turned, false);
	}
	add_written(&out, &p, &export_folded, false, true);
	profile_deinit(&p);
	return buf_take(&out);
}

static void is_same(unsigned files, enum order order, const char *name)
{
	char *expected;

	set_seed(0);
	expected = outputs(files, 1, order);
	for (unsigned jobs = 1; jobs <= MOST_JOBS; jobs++) {
		unsigned same = 0;

		for (unsigned seed = 0; seed < SEEDS; seed++) {
			char *got;

			set_seed(seed);
			got = outputs(files, jobs, order);
			same += strcmp(got, expected) == 0;
			free(got);
		}
		is_int(same, SEEDS, "%s: %u threads write the same as one", name, jobs);
	}
	free(expected);
}

/* Checks that work is shared: otherwise this file would test something else. */
static void test_sharing(void)
{
	struct buf text;
	struct head head;

	buf_init(&text);
	add_folded(&text, 1500, 3);
	head = (struct head){text.data, text.len, true, false};
	ok(format_folded.share_depth(&head, MOST_JOBS) > 0, "lines in no order are shared out by their first frames");
	ok(text.len > MOST_JOBS * RANGE_MIN, "and are enough for %u threads", MOST_JOBS);
	buf_deinit(&text);
}

/* Siblings are in the order of their first lines, which they may share with other stacks. */
static void test_first_lines(void)
{
	static const char text[] = "z;b 1\nm 1\nz;a;c 1\na;y 1\nz;a;b 1\nm;x 1\nz 1\na 1\n";
	struct recipe r = {.series = -1, .sort = SORT_INPUT};
	struct profile p;
	char *tree;

	ok(load_as(&p, "folded", text), "stacks in no order");
	tree = fold_text(&p, &r, NULL);
	is_str(tree,
	       "1 z 1/4\n2 b 1/1\n2 a 0/2\n3 c 1/1\n3 b 1/1\n"
	       "1 m 1/2\n2 x 1/1\n1 a 1/2\n2 y 1/1\n",
	       "siblings stand in the order of their first lines");
	free(tree);
	profile_deinit(&p);
}

int main(void)
{
	test_sharing();
	test_first_lines();
	is_same(1, ORDER_MATTERS, "folded stacks");
	is_same(1, ORDER_MAY_MATTER, "folded stacks in the viewer");
	is_same(2, ORDER_MATTERS, "two files");
	has_before = true;
	is_same(1, ORDER_MATTERS, "two columns");
	is_same(2, ORDER_MATTERS, "two files of two columns");
	has_blocks = true;
	is_same(1, ORDER_MATTERS, "perf script");
	is_same(2, ORDER_MAY_MATTER, "two files of perf script");
	return done_testing();
}
