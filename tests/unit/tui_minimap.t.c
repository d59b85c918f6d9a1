/*
 * The line above a zoomed graph: where the visible part lies, honest at every width.
 */
#include "tests/unit/viewing.h"

#include "tui/minimap.h"
#include "tui/screen.h"

#define HEAVY 0x2501u

/* Halves of cells that the row shows as visible: the first, and the one behind the last. false: not one stretch. */
static bool read_row(const struct grid *g, int row, bool ascii, int *first, int *end)
{
	*first = *end = -1;
	for (int i = 0; i < 2 * g->cols; i++) {
		uint32_t cp = grid_at(g, row, i / 2)->cp;
		bool is_lit = ascii ? cp == '=' : cp == HEAVY || cp == (i % 2 ? 0x257Cu : 0x257Eu);
		if (is_lit && *first < 0)
			*first = i;
		if (is_lit && *end >= 0 && *end != i)
			return false;
		if (is_lit)
			*end = i + 1;
	}
	return *first >= 0;
}

/* The ends are off by half a step at most, unless the part is smaller than a step or would look like the whole. */
static bool is_honest(const struct app *app, bool ascii)
{
	const struct tree *t = &app->view.tree;
	double halves = 2.0 * app->grid.cols, whole = (double)tree_total(t, NODE_ALL), step = ascii ? 2 : 1;
	double from = (double)t->pos[app->view.zoom] / whole * halves;
	double to = (double)t->pos[t->end[app->view.zoom]] / whole * halves;
	bool is_whole = tree_total(t, app->view.zoom) == tree_total(t, NODE_ALL);
	int first, end;
	if (!read_row(&app->grid, screen_body(app).row - 1, ascii, &first, &end))
		return false;
	if (is_whole)
		return first == 0 && end == 2 * app->grid.cols;
	if (first == 0 && end == 2 * app->grid.cols)
		return false;
	return first > from - 1.5 * step && first < from + 1.5 * step && end > to - 1.5 * step && end < to + 1.5 * step;
}

static void all_widths(bool ascii)
{
	struct fixture f;
	int wrong = 0, seen = 0;
	open_it(&f, SHAPE_FOLDED, DEPTH_MONO, ascii);
	for (int cols = 20; cols <= 200; cols++) {
		refresh_size(&f.app, cols, 24);
		for (uint32_t node = 1; node < f.app.view.tree.n; node++) {
			f.app.dirty |= view_zoom(&f.app.view, node);
			app_refresh(&f.app);
			paint(&f.app);
			wrong += !is_honest(&f.app, ascii);
			seen++;
		}
	}
	ok(seen > 1000, "frames of all sizes are zoomed into");
	is_int(wrong, 0, "the line shows the visible part at every width%s", ascii ? ", in ASCII" : "");
	close_it(&f);
}

static void when(void)
{
	struct fixture f;
	open_it(&f, SHAPE_FOLDED, DEPTH_256, false);
	ok(!minimap_is_shown(&f.app), "without a zoom there is no line");
	type(&f, "kk<Enter>");
	ok(minimap_is_shown(&f.app), "a zoom shows it");
	refresh_size(&f.app, 80, 11);
	ok(!minimap_is_shown(&f.app), "a low screen has no room for it");
	refresh_size(&f.app, 80, 24);
	type(&f, "2");
	ok(!minimap_is_shown(&f.app), "the table has none");
	type(&f, "1<BS>");
	ok(!minimap_is_shown(&f.app), "it goes with the zoom");
	close_it(&f);
}

static void click_at(struct fixture *f, int row, int col)
{
	struct event e = {.kind = EVENT_MOUSE, .button = MOUSE_LEFT, .action = MOUSE_PRESS, .row = row, .col = col};
	send(f, &e, 0);
}

static void click(void)
{
	struct fixture f;
	struct buf path;
	buf_init(&path);
	open_it(&f, SHAPE_FOLDED, DEPTH_256, false);
	view_zoom_path(&f.app.view, "main;parse");
	app_refresh(&f.app);
	paint(&f.app);
	click_at(&f, screen_body(&f.app).row - 1, 2);
	view_add_path(&f.app.view, f.app.view.zoom, &path);
	is_str(buf_str(&path), "idle", "a click shows the part there, as deep as stacks are");
	path.len = 0;
	click_at(&f, screen_body(&f.app).row - 1, 79);
	view_add_path(&f.app.view, f.app.view.zoom, &path);
	ok(strchr(buf_str(&path), ';') == NULL && f.app.view.zoom != NODE_ALL, "it is as deep as the zoom was");
	close_it(&f);
	buf_deinit(&path);
}

int main(void)
{
	all_widths(false);
	all_widths(true);
	when();
	click();
	return done_testing();
}
