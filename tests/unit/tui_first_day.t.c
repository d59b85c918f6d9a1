/*
 * What somebody meets in the viewer on the first day: the order of siblings ...
 */
#include "tests/unit/viewing.h"
#include "tui/canvas.h"

/* Are the children of each frame in falling weight? */
static bool is_by_weight(const struct tree *t)
{
	for (uint32_t node = 0; node < t->n; node++)
		for (uint32_t kid = node + 1; kid < t->end[node] && t->end[kid] < t->end[node]; kid = t->end[kid])
			if (tree_total(t, kid) < tree_total(t, t->end[kid]))
				return false;
	return true;
}

static void test_order(void)
{
	for (enum shape shape = 0; shape < N_SHAPES; shape++) {
		struct fixture f;
		open_it(&f, shape, DEPTH_TRUE, false);
		ok(is_by_weight(&f.app.view.tree), "%s: the heaviest sibling is first", shape_names[shape]);
		type(&f, "oor");
		ok(is_by_weight(&f.app.view.tree), "%s: and again after r", shape_names[shape]);
		close_it(&f);
	}
}

static void add_cursor_path(const struct app *app, struct buf *out)
{
	out->len = 0;
	view_add_path(&app->view, app->view.cursor, out);
}

/* Whatever the order, the cursor stays on its frame, and that is on the screen. */
static void test_cursor_stays(void)
{
	struct fixture f;
	struct buf here, there;
	bool stays = true, is_seen = true;
	buf_init(&here);
	buf_init(&there);
	open_it(&f, SHAPE_FOLDED, DEPTH_TRUE, false);
	refresh_size(&f.app, 60, 9);
	app_refresh(&f.app);
	for (uint32_t i = 0; i < 3 * f.app.view.tree.n; i++) {
		type(&f, i % f.app.view.tree.n ? "" : "o"); /* each frame in each order */
		app_go_to(&f.app, i % f.app.view.tree.n);
		app_refresh(&f.app);
		add_cursor_path(&f.app, &here);
		type(&f, "o");
		add_cursor_path(&f.app, &there);
		stays &= strcmp(buf_str(&here), buf_str(&there)) == 0;
		is_seen &= flame_box(&f.app) != NULL;
		type(&f, "oo");
	}
	ok(stays, "o leaves the cursor on its frame");
	ok(is_seen, "which stays on the screen");
	buf_deinit(&here);
	buf_deinit(&there);
	close_it(&f);
}

/* On a usual screen all but four rows are the graph's, whatever is under the cursor. */
static void test_rows(void)
{
	struct fixture f;
	bool is_steady = true;
	open_it(&f, SHAPE_FOLDED, DEPTH_TRUE, false);
	for (uint32_t i = 0; i < f.app.view.tree.n; i++) {
		app_go_to(&f.app, i);
		app_refresh(&f.app);
		is_steady &= f.app.body.rows == 20;
	}
	ok(is_steady, "80x24: the graph has 20 rows");
	type(&f, "2");
	is_int(f.app.body.rows, 21, "the table, which shows all numbers itself, one more");
	refresh_size(&f.app, 80, 30);
	app_refresh(&f.app);
	is_int(f.app.body.rows, 26, "30 rows: there is a second one for the name");
	close_it(&f);
	open_it(&f, SHAPE_DIFF, DEPTH_TRUE, false);
	is_int(f.app.body.rows, 18, "a comparison has two more lines of numbers");
	close_it(&f);
}

int main(void)
{
	test_rows();
	test_order();
	test_cursor_stays();
	return done_testing();
}
