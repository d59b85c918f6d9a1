/* Graph and table side by side: one selection, the keys and the mouse in both, and screens that are too narrow. */
#include "tests/unit/viewing.h"

#include "tui/wide.h"

#define COLS 160
#define ROWS 40

static void open_wide(struct fixture *f, enum color_depth depth)
{
	open_it(f, SHAPE_FOLDED, depth, false);
	refresh_size(&f->app, COLS, ROWS);
	type(f, "S");
}

static uint32_t sym(const struct fixture *f, const char *name)
{
	return view_find_function(&f->app.view, name, strlen(name));
}

/* The function of the marked row of the table; NO_SYMBOL: none is marked. */
static uint32_t row_symbol(const struct fixture *f)
{
	const struct top *t = f->app.top;
	return t->is_unmarked ? NO_SYMBOL : t->table.rows[t->cursor].sym;
}

/* Cells of the graph, or of the table, in the style of the selection. */
static size_t selected_cells(struct fixture *f, enum tab tab)
{
	struct app *app = &f->app;
	struct rect area = wide_area(app, tab, app->body);
	size_t n = 0;
	app_refresh(app);
	paint(app);
	for (int row = area.row; row < area.row + area.rows; row++)
		for (int col = area.col; col < area.col + area.cols; col++)
			n += memcmp(&grid_at(&app->grid, row, col)->style, &app->theme.selected, sizeof(struct style)) == 0;
	return n;
}

static void click(struct fixture *f, int row, int col)
{
	struct event e = {.kind = EVENT_MOUSE, .button = MOUSE_LEFT, .action = MOUSE_PRESS, .row = row, .col = col};
	send(f, &e, f->n_events * 1000);
}

static void wheel(struct fixture *f, int col)
{
	struct event e = {.kind = EVENT_MOUSE, .button = MOUSE_WHEEL_DOWN, .row = f->app.body.row + 2, .col = col};
	send(f, &e, f->n_events * 1000);
}

static bool row_has(struct fixture *f, int row, const char *text)
{
	struct buf line;
	app_refresh(&f->app);
	paint(&f->app);
	buf_init(&line);
	grid_add_row(&f->app.grid, row, &line);
	bool has = strstr(buf_str(&line), text);
	buf_deinit(&line);
	return has;
}

static void test_selection(void)
{
	struct fixture f;
	open_wide(&f, DEPTH_TRUE);
	ok(wide_has_both(&f.app) && f.app.tab == TAB_FLAME, "S shows both, and the graph has the keys");
	is_int(row_symbol(&f), NO_SYMBOL, "no row is marked while the cursor is on the root");
	type(&f, "/^lex<Enter><Esc>");
	is_int(row_symbol(&f), sym(&f, "lex"), "the cursor of the graph selects the row of its function");
	ok(selected_cells(&f, TAB_FLAME) > 0 && selected_cells(&f, TAB_TOP) > 0, "both show the selection");
	type(&f, "<Tab>");
	ok(f.app.tab == TAB_TOP, "Tab gives the keys to the table");
	is_int(app_symbol(&f.app), sym(&f, "lex"), "whose cursor is there");
	size_t all = selected_cells(&f, TAB_FLAME);
	type(&f, "<Tab>");
	size_t one = selected_cells(&f, TAB_FLAME);
	ok(all > one, "the cursor of the table selects all frames of its function, that of the graph just one");
	is_int(app_symbol(&f.app), sym(&f, "lex"), "Tab goes back to the graph, whose cursor is where it was");
	type(&f, "<Tab>gj<Tab>");
	is_int(app_symbol(&f.app), row_symbol(&f), "after steps in the table, the graph's cursor is on that function");
	type(&f, "2<Enter>");
	ok(f.app.tab == TAB_FLAME && f.app.view.search.pattern,
	   "Enter in the table lights the function up in the graph");
	close_it(&f);
}

static void test_marks(void)
{
	struct fixture f;
	open_wide(&f, DEPTH_TRUE);
	type(&f, "<Tab>");
	for (size_t i = 0; i < f.app.top->table.n_rows; i++, type(&f, "j"))
		if (selected_cells(&f, TAB_FLAME) == 0)
			diag("no frame of %s is marked", app_name(&f.app, app_symbol(&f.app)));
	type(&f, "g");
	size_t n_marked = 0;
	for (size_t i = 0; i < f.app.top->table.n_rows; i++, type(&f, "j"))
		n_marked += selected_cells(&f, TAB_FLAME) > 0;
	is_int(n_marked, f.app.top->table.n_rows,
	       "each function of the table is marked in the graph, the narrowest too");
	close_it(&f);
}

static void test_zoom_and_search(void)
{
	struct fixture f;
	open_wide(&f, DEPTH_TRUE);
	size_t all = f.app.top->table.n_rows;
	type(&f, "/^parse<Enter><Esc><Enter>");
	ok(f.app.top->table.n_rows < all, "the table has the functions below the zoom");
	is_int(f.app.top->zoom.node, f.app.view.zoom, "and adds up what is below it");
	type(&f, "<Tab><BS>");
	is_int(f.app.top->table.n_rows, all, "back in the table is back in both");
	type(&f, "<Tab>&eval<Enter>");
	ok(f.app.top->table.n_rows < all, "filters hold for both");
	type(&f, "X<Tab>/lex<Enter>");
	is_int(f.app.top->table.n_rows, 1, "the table's own filter");
	type(&f, "<Tab>/^eval<Enter>");
	is_int(row_symbol(&f), NO_SYMBOL, "a function that it leaves out has no row");
	type(&f, "<Tab>");
	is_int(app_symbol(&f.app), f.app.top->table.rows[f.app.top->cursor].sym,
	       "in the table a row is selected again");
	close_it(&f);
}

static void test_mouse(void)
{
	struct fixture f;
	open_wide(&f, DEPTH_TRUE);
	struct rect graph = wide_area(&f.app, TAB_FLAME, f.app.body), table = wide_area(&f.app, TAB_TOP, f.app.body);
	ok(graph.col + graph.cols + 1 == table.col && table.col + table.cols == COLS, "they share the columns");
	click(&f, table.row + 3, table.col + 5);
	ok(f.app.tab == TAB_TOP && f.app.top->cursor == 2,
	   "a click in the table selects the row, and gives it the keys");
	click(&f, table.row, table.col + 20);
	is_int(f.app.top->sort, TOP_TOTAL, "on a heading, it sorts");
	click(&f, graph.row + graph.rows - 2, graph.col + 2);
	ok(f.app.tab == TAB_FLAME, "a click in the graph gives it the keys");
	is_int(tree_depth(&f.app.view.tree, f.app.view.cursor), 1, "and selects the frame");
	is_int(row_symbol(&f), app_symbol(&f.app), "and its row");
	click(&f, graph.row + graph.rows - 1, table.col - 1);
	ok(f.app.tab == TAB_FLAME, "the line between them is nobody's");
	wheel(&f, 2);
	ok(f.app.tab == TAB_FLAME, "the wheel scrolls the graph");
	wheel(&f, table.col + 2);
	ok(f.app.tab == TAB_TOP, "the wheel moves the table's cursor, which needs the keys");
	close_it(&f);
}

static void test_narrow(void)
{
	struct fixture f;
	open_it(&f, SHAPE_FOLDED, DEPTH_TRUE, false);
	refresh_size(&f.app, 139, ROWS);
	type(&f, "S");
	ok(!wide_has_both(&f.app) && strstr(f.app.message, "140"), "139 columns are too few, and S says so");
	refresh_size(&f.app, 140, ROWS);
	app_refresh(&f.app);
	ok(wide_has_both(&f.app), "with 140 both are there");
	type(&f, "<Tab>jj");
	uint32_t was = app_symbol(&f.app);
	refresh_size(&f.app, 100, ROWS);
	app_refresh(&f.app);
	ok(f.app.tab == TAB_TOP && app_symbol(&f.app) == was, "narrow again, the one with the keys stays");
	is_int(wide_area(&f.app, TAB_TOP, f.app.body).cols, 100, "and has all of the screen");
	refresh_size(&f.app, 200, ROWS);
	app_refresh(&f.app);
	ok(wide_has_both(&f.app) && app_symbol(&f.app) == was, "wide again, the other comes back");
	type(&f, "3");
	ok(!wide_has_both(&f.app) && f.app.tab == TAB_SANDWICH, "other views have all of the screen");
	type(&f, "1");
	ok(wide_has_both(&f.app), "from there, the graph comes with the table");
	type(&f, "4S");
	ok(wide_has_both(&f.app) && f.app.tab == TAB_FLAME, "S in another view shows both");
	type(&f, "S");
	ok(!wide_has_both(&f.app) && f.app.tab == TAB_FLAME, "S again shows one");
	type(&f, "<Tab>");
	ok(f.app.tab == TAB_TOP && !wide_has_both(&f.app), "and Tab goes through the views");
	close_it(&f);
}

static void test_words(void)
{
	struct fixture f;
	open_wide(&f, DEPTH_MONO);
	ok(row_has(&f, 0, "flame + table"), "the header names both, first the one with the keys");
	type(&f, "<Tab>");
	ok(row_has(&f, 0, "table + flame"), "which may be the table");
	type(&f, "t");
	ok(row_has(&f, 0, "table + flame chart"), "beside a chart");
	close_it(&f);
}

int main(void)
{
	test_selection();
	test_marks();
	test_zoom_and_search();
	test_mouse();
	test_narrow();
	test_words();
	return done_testing();
}
