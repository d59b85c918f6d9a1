/*
 * screen.c - divides the rows of the screen. The height of the footer does not depend on the selection: the graph
 * must not jump when the cursor moves.
 */
#include "tui/screen.h"

#include "tui/minimap.h"
#include "tui/top.h"

/*
 * With fewer rows, as on the usual 24, each row counts: the footer has one line for the name and one for numbers.
 */
#define ROOMY 30

/*
 * A roomy footer has two lines for the name, one for the frame's numbers, one for all frames of that name, one for
 * messages. Otherwise the numbers share a line, and the name has one or none. A comparison has two more lines, one
 * for self and one for total, which replace lines of the name and the numbers if there is little room. The table
 * shows the numbers itself.
 */
int screen_change_lines(const struct app *app)
{
	int rows = app->grid.rows;
	return !view_is_diff(&app->view) ? 0 : rows >= 9 ? 2 : rows >= 5 ? 1 : 0;
}

int screen_number_lines(const struct app *app)
{
	int rows = app->grid.rows, least = screen_change_lines(app) || rows < 5 ? 0 : 1;
	return top_shows_numbers(app) ? 0 : rows >= ROOMY ? 2 : rows >= 16 ? 1 : least;
}

static int name_lines(const struct app *app)
{
	int rows = app->grid.rows;
	return rows >= ROOMY ? 2 : rows >= 9 ? 1 : 0;
}

int screen_footer(const struct app *app)
{
	return name_lines(app) + screen_number_lines(app) + screen_change_lines(app) + 1;
}

bool screen_has_crumbs(const struct app *app)
{
	return app->view.zoom != NODE_ALL && app->grid.rows >= 7 && app->tab != TAB_SANDWICH;
}

struct rect screen_body(const struct app *app)
{
	int top = 1 + screen_has_crumbs(app) + minimap_is_shown(app);
	int rows = app->grid.rows - top - screen_footer(app);
	return (struct rect){.row = top, .col = 0, .rows = rows > 0 ? rows : 1, .cols = app->grid.cols};
}
