/*
 * screen.c - divides the rows of the screen. The height of the footer does not depend on the selection: the graph
 * must not jump when the cursor moves.
 */
#include "tui/screen.h"

/*
 * The footer has two lines for the name, one for the frame's numbers, one for all frames of that name, one for
 * messages. On a low screen the numbers share a line, and the name has one or none. A comparison has two more
 * lines, one for self and one for total, which replace lines of the name and the numbers if there is little room.
 */
int screen_change_lines(const struct app *app)
{
	int rows = app->grid.rows;
	return !view_is_diff(&app->view) ? 0 : rows >= 9 ? 2 : rows >= 5 ? 1 : 0;
}

int screen_number_lines(const struct app *app)
{
	int rows = app->grid.rows, least = screen_change_lines(app) ? 0 : 1;
	return rows >= 24 ? 2 : rows >= 16 ? 1 : least;
}

int screen_footer(const struct app *app)
{
	int rows = app->grid.rows;
	if (screen_change_lines(app) == 2)
		return rows >= 30 ? 7 : rows >= 24 ? 6 : rows >= 16 ? 5 : 4;
	return rows >= 24 ? 5 : rows >= 16 ? 4 : rows >= 9 ? 3 : rows >= 5 ? 2 : 1;
}

bool screen_has_crumbs(const struct app *app)
{
	return app->view.zoom != NODE_ALL && app->grid.rows >= 7 && app->tab != TAB_SANDWICH;
}

struct rect screen_body(const struct app *app)
{
	int top = 1 + screen_has_crumbs(app);
	int rows = app->grid.rows - top - screen_footer(app);
	return (struct rect){.row = top, .col = 0, .rows = rows > 0 ? rows : 1, .cols = app->grid.cols};
}
