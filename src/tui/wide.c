/*
 * wide.c - divides a wide screen between the graph, on the left, and the table of functions.
 *
 * The table gets two fifths: at 140 columns that is self and total with their weights, and names of 22 columns; at
 * 160, of 30.
 */
#include "tui/wide.h"

bool wide_is_one_of_two(enum tab tab)
{
	return tab == TAB_FLAME || tab == TAB_TOP;
}

bool wide_has_both(const struct app *app)
{
	return app->is_beside && wide_is_one_of_two(app->tab) && app->grid.cols >= WIDE_COLUMNS;
}

struct rect wide_area(const struct app *app, enum tab tab, struct rect body)
{
	int table = body.cols * 2 / 5, graph = body.cols - table - 1; /* a line between them */
	if (!wide_has_both(app))
		return body;
	if (tab == TAB_TOP)
		body.col += graph + 1;
	body.cols = tab == TAB_TOP ? table : graph;
	return body;
}
