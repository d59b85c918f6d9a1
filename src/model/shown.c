/*
 * shown.c - the state of the view in front, and what it is where nothing was chosen.
 */
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void shown_init(struct shown *s)
{
	*s = (struct shown){.function = NO_SYMBOL,
	                    .sort = N_TOP_COLUMNS,
	                    .filter_mode = MATCH_REGEX,
	                    .row = NO_PAGE_ROW,
	                    .scroll = {SCROLL_AS_USUAL, SCROLL_AS_USUAL},
	                    .heat_at = NO_HEAT_TIME,
	                    .heat_mark = NO_HEAT_TIME};
}

void shown_deinit(struct shown *s)
{
	free(s->path);
	free(s->filter);
	free(s->folded);
	free(s->open_rows);
	call_rows_deinit(&s->calls);
	shown_init(s);
}

void shown_set_path(struct shown *s, bool is_among_callers, const uint32_t *path, size_t n)
{
	free(s->path);
	s->path = NULL;
	s->n_path = n;
	s->is_among_callers = is_among_callers;
	if (n == 0)
		return;
	s->path = mem_alloc(n * sizeof *path);
	memcpy(s->path, path, n * sizeof *path);
}

void shown_set_filter(struct shown *s, const char *pattern, enum match_mode mode)
{
	char *copy = pattern && *pattern ? mem_strdup(pattern) : NULL;
	free(s->filter);
	s->filter = copy;
	s->filter_mode = mode;
}

bool shown_has_column(enum top_column c, bool is_diff)
{
	return c == TOP_NAME || (c < N_TOP_COLUMNS && (c >= TOP_SELF_BEFORE) == is_diff);
}

enum top_column shown_sort(const struct shown *s, bool is_diff)
{
	bool is_total = s->sort == TOP_TOTAL || (s->sort >= TOP_TOTAL_BEFORE && s->sort <= TOP_TOTAL_PERCENT);
	if (shown_has_column(s->sort, is_diff))
		return s->sort;
	if (is_diff)
		return is_total ? TOP_TOTAL_CHANGE : TOP_SELF_CHANGE;
	return is_total ? TOP_TOTAL : TOP_SELF;
}

uint32_t shown_heaviest(const struct symtab *t, const struct name_sum *sums, size_t n)
{
	struct name_sum best;
	return tree_heaviest(t, sums, n, &best, 1) ? best.sym : NO_SYMBOL;
}
