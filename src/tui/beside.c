/*
 * beside.c - graph and table side by side.
 *
 *	   main            |   self        total   function
 *	   main > parse    |   12.0% ...           lex
 *
 * There is one selection. app.tab is the view with the keys: its cursor is the selection, and the other view
 * follows (see top_prepare() and flame_prepare()). The table is prepared first, as the marks in the graph are those
 * of its function.
 */
#include "tui/beside.h"

#include "tui/flame.h"
#include "tui/hot.h"
#include "tui/top_columns.h"
#include "tui/wide.h"

void beside_toggle(struct app *app)
{
	bool is_one_of_two = wide_is_one_of_two(app->tab), was_on = app->is_beside && is_one_of_two;
	app->is_beside = !was_on;
	app->dirty |= DIRTY_SCREEN | DIRTY_LAYOUT;
	if (!is_one_of_two)
		app_set_tab(app, TAB_FLAME);
	if (app->is_beside && !wide_has_both(app))
		app_say(app, "graph and table are side by side from %d columns on: this screen has %d", WIDE_COLUMNS,
		        app->grid.cols);
}

void beside_open(struct app *app, enum tab tab)
{
	uint32_t sym = app_symbol(app), node;
	bool goes_on = wide_has_both(app) && app->tab == TAB_TOP && tab == TAB_FLAME && sym != NO_SYMBOL;
	app_set_tab(app, tab);
	if (!goes_on || app_symbol(app) == sym)
		return;
	node = hot_frame(&app->view, sym, top_sorts_by_self(app));
	if (node != NO_NODE)
		app_go_to(app, node);
}

enum tab beside_tab_at(const struct app *app, int col)
{
	if (!wide_has_both(app))
		return app->tab;
	return col >= wide_area(app, TAB_TOP, app->body).col ? TAB_TOP : TAB_FLAME;
}

void beside_prepare(struct app *app, struct rect body)
{
	static const enum tab order[] = {TAB_TOP, TAB_FLAME};
	if (!wide_has_both(app)) {
		app_pane(app)->prepare(app, body);
		return;
	}
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		app->panes[order[i]]->prepare(app, wide_area(app, order[i], body));
}

void beside_paint(struct app *app, struct rect body)
{
	struct rect graph = wide_area(app, TAB_FLAME, body);
	if (!wide_has_both(app)) {
		app_pane(app)->paint(app, body);
		return;
	}
	app->panes[TAB_FLAME]->paint(app, graph);
	app->panes[TAB_TOP]->paint(app, wide_area(app, TAB_TOP, body));
	for (int row = body.row; row < body.row + body.rows; row++)
		grid_put(&app->grid, row, graph.cols, app->theme.ascii ? '|' : 0x2502, app->theme.dim);
}

/* The table's function is that of the graph's cursor while the graph has the keys. */
void beside_tell(const struct app *app, struct shown *s)
{
	s->is_beside = app->is_beside && wide_is_one_of_two(app->tab);
	if (!wide_has_both(app)) {
		app_pane(app)->tell(app, s);
		if (s->is_beside) /* where there is no room for the table now */
			top_tell_rows(app, s);
		return;
	}
	app->panes[TAB_FLAME]->tell(app, s);
	app->panes[TAB_TOP]->tell(app, s);
	if (app->tab == TAB_FLAME)
		s->function = NO_SYMBOL;
	if (s->scroll[0] == SCROLL_AS_USUAL && s->scroll[1] != SCROLL_AS_USUAL)
		s->scroll[0] = flame_scroll(app);
	else if (s->scroll[0] != SCROLL_AS_USUAL && s->scroll[1] == SCROLL_AS_USUAL)
		s->scroll[1] = app->top->scroll;
}
