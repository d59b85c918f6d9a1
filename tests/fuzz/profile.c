/*
 * profile.c - takes any bytes as a profile through all steps: format, loading, folding, every export of every view.
 *
 * The first byte picks the format (or detection), the second the options; the rest is the input. A tree that breaks
 * its invariants, or a sum that gets lost on the way, ends the run as a crash would.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/output.h"
#include "collapse/load/load.h"
#include "export/export.h"
#include "model/lines.h"
#include "model/view.h"
#include "tests/fuzz/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct view *v)
{
	char why[256];
	if (tree_check(&v->tree, why, sizeof why))
		return;
	fprintf(stderr, "broken tree: %s\n", why);
	abort();
}

/* Kinds that cannot hold a view refuse it. */
static void export_all(struct view *v)
{
	struct export_options options = {.min_width = -1, .fail_above = -1, .width = 100};
	struct shown *s = &v->shown;
	struct err err;
	s->function = v->tree.sym[v->tree.n - 1];
	s->sort = (enum top_column)(v->tree.n % (N_TOP_COLUMNS + 1));
	shown_set_filter(s, "a", MATCH_REGEX);
	call_rows_begin(&s->calls, &v->tree, v->zoom);
	call_rows_open_hot_path(&s->calls, &v->tree, 0);
	for (int view = 0; view < N_SHOWN_VIEWS; view++) {
		s->view = (enum shown_view)view;
		for (size_t i = 0; export_kinds[i] != NULL; i++)
			export_to("/dev/null", export_kinds[i], v, &options, &err);
	}
}

/* Self weights of lines add up to the function's, unless they saturate. */
static void check_lines(const struct view *v, uint32_t sym)
{
	struct line_sums sums;
	uint64_t self = 0;
	struct line_reader *reader =
		lines_are_known(v->profile) ? line_reader_new(v->profile, &v->recipe, NULL, NULL, NULL) : NULL;
	if (!reader)
		return;
	if (!line_reader_read(reader, sym, &sums))
		abort();
	for (size_t i = 0; i < sums.n; i++) {
		weight_add(&self, sums.rows[i].self[0]);
		if (sums.rows[i].total[0] > sums.total[0] || sums.rows[i].self[0] > sums.rows[i].total[0])
			abort();
	}
	if (self != sums.self[0])
		abort();
	line_sums_deinit(&sums);
	line_reader_free(reader);
}

/* The recipe for a byte: one bit for each setting that changes how stacks become a tree. */
static void set_recipe(struct recipe *r, uint8_t bits)
{
	r->reverse = bits & 1;
	r->chart = bits & 2;
	r->sort = bits & 4 ? SORT_WEIGHT : SORT_NAME;
	if (bits & 8)
		recipe_add_filter(r, FILTER_RECURSION, MATCH_REGEX, NULL);
	if (bits & 16)
		recipe_add_filter(r, FILTER_HIDE, MATCH_REGEX, "a");
	if (bits & 32)
		r->splits[r->n_splits++] = (struct split){.key = SPLIT_TID};
	if (bits & 64)
		recipe_add_filter(r, bits & 128 ? FILTER_CALLERS : FILTER_CALLEES, MATCH_REGEX, "a|b");
}

static void look(struct profile *p, uint8_t bits)
{
	struct view view;
	struct err err;
	view_init(&view, p, UTF8_CLEAN_UTF8, true);
	set_recipe(&view.recipe, bits);
	if (view_update(&view, DIRTY_TREE, NULL, &err)) {
		check(&view);
		if (view_search(&view, "b", MATCH_REGEX, &err) != 0)
			view_update(&view, DIRTY_HITS, NULL, &err);
		export_all(&view);
		check_lines(&view, view.shown.function);
	}
	view_deinit(&view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data + 2, size - 2) != (ssize_t)(size - 2) || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	struct load_input input = {.path = "fuzz", .fd = fd};
	struct collapse_options options = {.format = pick_format_or_none(data[0]),
	                                   .jobs = data[1] & 128 ? 2 : 1,
	                                   .tid = data[1] & 64,
	                                   .wants_sites = true};
	struct profile profile;
	struct err err;
	profile_init(&profile);
	load_all(&profile, &input, 1, &options, &err);
	look(&profile, data[1]);
	profile_deinit(&profile);
	return 0;
}
