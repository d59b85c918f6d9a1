/*
 * top_state.c - what files and commands need of the table of functions: order, filter, cursor, scroll position.
 */
#include "tui/top_state.h"

#include <stdlib.h>

#include "base/mem.h"

enum top_column top_order(const struct app *app)
{
	const struct shown chosen = {.sort = app->top->sort};
	return shown_sort(&chosen, view_is_diff(&app->view));
}

void top_tell_rows(const struct app *app, struct shown *s)
{
	const struct top *t = app->top;
	s->sort = top_order(app);
	s->is_ascending = t->is_ascending && s->sort == t->sort;
	shown_set_filter(s, t->filter, MATCH_REGEX);
}

void top_tell(const struct app *app, struct shown *s)
{
	const struct top *t = app->top;
	size_t height = (size_t)t->height, usual = t->cursor >= height ? t->cursor - height + 1 : 0;
	top_tell_rows(app, s);
	if (t->cursor > 0)
		s->function = t->symbol;
	if (t->scroll != usual)
		s->scroll[s->is_beside] = t->scroll;
}

void top_show(struct app *app, bool is_in_front)
{
	const struct shown *s = &app->view.shown;
	struct top *t = app->top;
	t->sort = shown_sort(s, view_is_diff(&app->view));
	t->is_ascending = s->is_ascending;
	free(t->filter);
	t->filter = s->filter ? mem_strdup(s->filter) : NULL;
	t->symbol = is_in_front ? s->function : NO_SYMBOL;
	t->cursor = t->scroll = 0;
	t->stamp = 0;
	t->is_due = is_in_front;
}

void top_scroll_as_shown(struct app *app)
{
	struct top *t = app->top;
	const struct shown *s = &app->view.shown;
	size_t wanted = s->scroll[s->is_beside];
	t->is_due = false;
	if (wanted == SCROLL_AS_USUAL || !t->table.n_rows)
		return;
	size_t last = t->table.n_rows - 1;
	t->scroll = wanted < last ? wanted : last;
	if (t->cursor < t->scroll || t->is_unmarked) { /* it stays on the screen */
		t->cursor = t->scroll;
		t->symbol = t->table.rows[t->cursor].sym;
	}
}
