/*
 * The interface without a terminal: keys go in, and the state and the rows of the grid are compared.
 */
#include "tests/tap.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "model/cut.h"
#include "tests/unit/stacks.h"
#include "tui/calls.h"
#include "tui/canvas.h"
#include "tui/command.h"
#include "tui/flame.h"
#include "tui/heat.h"
#include "tui/input.h"
#include "tui/paint.h"
#include "tui/refresh.h"
#include "tui/sandwich.h"
#include "tui/search.h"
#include "tui/top.h"
#include "tui/viewer.h"

static const char stacks[] = "a;b;c 40\n"
							 "a;b;d 20\n"
							 "a;e;c 30\n"
							 "a;e;tiny1 1\n"
							 "a;e;tiny2 1\n"
							 "f;f;g 8\n";

struct fixture {
	struct options options;
	struct theme theme;
	struct app app;
	struct load_input input;
};

static const char *base_names[] = {"before.folded"};

static void open_with(struct fixture *f, const char *text, const char *base, int cols, int rows)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	struct err err = {0};
	*f = (struct fixture){.input = {.path = "test.folded", .fd = -1}};
	recipe_init(&f->options.recipe);
	theme_init(&f->theme, DEPTH_TRUE, false, false);
	viewer_open(&f->app, &f->options, &f->input, 1, &f->theme);
	profile_init(p);
	stacks_add(p, 0, text);
	if (base) {
		stacks_add(p, 1, base);
		f->options.n_diffs = 1;
		f->options.diffs = base_names;
	}
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	refresh_size(&f->app, cols, rows);
	app_refresh(&f->app);
}

static void close_it(struct fixture *f)
{
	viewer_close(&f->app);
	recipe_deinit(&f->options.recipe);
}

static void type(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		input_event(&f->app, &e, 0);
	app_refresh(&f->app);
}

static void click(struct fixture *f, int row, int col, enum mouse_button b, uint64_t at)
{
	struct event e = {.kind = EVENT_MOUSE, .button = b, .action = MOUSE_PRESS, .row = row, .col = col};
	paint(&f->app); /* a click refers to the visible screen */
	input_event(&f->app, &e, at);
	e.action = MOUSE_RELEASE;
	input_event(&f->app, &e, at);
	app_refresh(&f->app);
}

static void cursor_is(const struct fixture *f, const char *path, const char *name)
{
	char *got = path_at(&f->app.view, f->app.view.cursor);
	is_str(got, path, "%s", name);
	free(got);
}

static void zoom_is(const struct fixture *f, const char *path, const char *name)
{
	char *got = path_at(&f->app.view, f->app.view.zoom);
	is_str(got, path, "%s", name);
	free(got);
}

static void row_is(struct fixture *f, int row, const char *expected, const char *name)
{
	struct buf b;
	buf_init(&b);
	paint(&f->app);
	grid_add_row(&f->app.grid, row, &b);
	is_str(buf_str(&b), expected, "%s", name);
	buf_deinit(&b);
}

static void moving(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	cursor_is(&f, "", "the cursor begins at the root");
	type(&f, "k");
	cursor_is(&f, "a", "up goes to the widest child");
	type(&f, "kl");
	cursor_is(&f, "a;e", "right goes to the sibling");
	type(&f, "jk");
	cursor_is(&f, "a;e", "going down and up again comes back to it");
	type(&f, "l");
	cursor_is(&f, "f;f", "right crosses to another parent's child");
	type(&f, "hhk");
	cursor_is(&f, "a;b;c", "left crosses back, and up from there goes to the widest child");
	type(&f, "ll");
	cursor_is(&f, "a;e;c", "right crosses parents at every depth");
	type(&f, "u");
	cursor_is(&f, "a;e", "u goes to the parent");
	type(&f, "^");
	cursor_is(&f, "a;b", "^ goes to the first sibling");
	type(&f, "$");
	cursor_is(&f, "a;e", "$ goes to the last sibling, and not beyond the parent");
	type(&f, "G");
	cursor_is(&f, "", "G goes to the bottom");
	type(&f, "ijj");
	cursor_is(&f, "a;e", "in an icicle down goes deeper, by the same memory");
	type(&f, "k");
	cursor_is(&f, "a", "and up goes to the parent");
	type(&f, "i9k");
	char *deep = path_at(&f.app.view, f.app.view.cursor);
	ok(strncmp(deep, "a;", 2) == 0 && tree_first_child(&f.app.view.tree, f.app.view.cursor) == NO_NODE,
	   "a count repeats a motion");
	free(deep);
	type(&f, "g02j");
	cursor_is(&f, "a", "a count that begins with 0 may go on with the digit of a view");
	type(&f, "g010j");
	cursor_is(&f, "", "and have several digits");
	type(&f, "/a<Enter>G9<Esc>k");
	cursor_is(&f, "a", "Esc takes a count back");
	ok(f.app.view.search.pattern != NULL, "and nothing else");
	close_it(&f);
}

static void hints(void)
{
	struct fixture f;
	struct err err = {0};
	open_with(&f, stacks, NULL, 60, 16);
	row_is(&f, 15, "? help  arrows move  / search  Tab views  q quit  w write", "at first: how to move");
	type(&f, "k");
	row_is(&f, 15, "? help  Enter zoom   / search  Tab views  q quit  3 callers", "on a frame: keys for it");
	ok(keymap_bind(&f.app.keymap, "<Enter>", "write", &err) && keymap_bind(&f.app.keymap, "Z", "zoom", &err),
	   "keys are bound anew");
	row_is(&f, 15, "? help  Z zoom   / search  Tab views  q quit  3 callers", "and shown as they are bound");
	close_it(&f);
}

static void zooming(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "kk<Enter>");
	zoom_is(&f, "a;b", "Enter zooms in");
	row_is(&f, 1, "all > a > b", "the breadcrumb shows the way");
	type(&f, "kl<Enter>");
	zoom_is(&f, "a;b;d", "and further");
	type(&f, "<BS>");
	zoom_is(&f, "a;b", "Backspace goes back one");
	type(&f, "<Esc>");
	zoom_is(&f, "", "so does Esc");
	is_int(f.app.end, END_NOT, "Esc never quits");
	type(&f, "<Esc><Esc>");
	is_int(f.app.end, END_NOT, "not even at the top");
	type(&f, "/c<Enter><Esc>");
	ok(f.app.view.search.pattern == NULL, "Esc clears the search");
	type(&f, "kk<Enter>xr");
	zoom_is(&f, "", "r resets the zoom");
	is_int(f.app.view.recipe.n_filters, 0, "and the filters");
	type(&f, "gG?q");
	is_int(f.app.end, END_NOT, "q closes an overlay");
	type(&f, "q");
	is_int(f.app.end, END_QUIT, "and then quits");
	close_it(&f);
}

static void searching(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 40, 16);
	type(&f, "/tin");
	cursor_is(&f, "a;e;tiny1", "a search shows its first match while it is typed");
	type(&f, "<Esc>");
	cursor_is(&f, "", "Esc goes back to where it began");
	ok(f.app.view.search.pattern == NULL, "and to no search");
	type(&f, "/tiny<Enter>");
	type(&f, "n");
	cursor_is(&f, "a;e;tiny2", "n reaches a match that is too narrow to draw");
	row_is(&f, 13, "tiny2  (too narrow to draw)", "and the footer says so");
	type(&f, "n");
	cursor_is(&f, "a;e;tiny1", "n wraps");
	type(&f, "N");
	cursor_is(&f, "a;e;tiny2", "so does N");
	type(&f, "/a(<Enter>");
	is_str(f.app.view.search.pattern, "tiny", "a bad pattern leaves the search before");
	ok(f.app.message && f.app.is_error, "and is complained about");
	type(&f, "gGk#");
	is_str(f.app.view.search.pattern, "a", "# searches the selected name");
	is_int(f.app.view.search.frames, 1, "and only that");
	close_it(&f);
}

static void filtering(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "kkx");
	is_int(view_total(&f.app.view), 40, "x excludes the selected function");
	type(&f, "x");
	type(&f, "XX");
	is_int(view_total(&f.app.view), 100, "X undoes it");
	type(&f, "&^b$<Enter>");
	is_int(view_total(&f.app.view), 60, "& keeps only matching stacks");
	type(&f, "&<Enter>");
	is_int(view_total(&f.app.view), 100, "& with nothing keeps all again");
	type(&f, "Hb<Enter>");
	is_int(view_total(&f.app.view), 100, "H takes no weight away");
	ok(node_at(&f.app.view, "a;c") != NO_NODE, "but takes frames out");
	type(&f, "r/^e$<Enter>F");
	is_int(view_total(&f.app.view), 32, "F focuses the selected function");
	type(&f, "Lx");
	is_int(view_total(&f.app.view), 100, "the list of filters removes one");
	type(&f, "R");
	ok(node_at(&f.app.view, "f;g") != NO_NODE, "R merges direct recursion");
	type(&f, "xxxxxxxxxxr");
	is_int(view_total(&f.app.view), 100, "r brings everything back");
	close_it(&f);
}

static void sandwich(void)
{
	struct fixture f;
	char why[200] = "";
	open_with(&f, "m;x;f;g 3\nm;y;f;h 4\nm;f;f;g 5\n", NULL, 60, 16);
	type(&f, "/^f$<Enter>3");
	struct tree *up = &f.app.sandwich->halves.trees[HALF_CALLERS],
				*down = &f.app.sandwich->halves.trees[HALF_CALLEES];
	/* Only the root, the function instead of "all", distinguishes them from other trees. */
	uint32_t sym = up->sym[0];
	up->sym[0] = down->sym[0] = 0;
	ok(tree_check(up, why, sizeof why), "the callers are a tree: %s", why);
	ok(tree_check(down, why, sizeof why), "the callees are a tree: %s", why);
	up->sym[0] = down->sym[0] = sym;
	is_int(tree_total(up, 0), 12, "a function inside itself counts once above");
	is_int(tree_total(down, 0), 12, "and below");
	is_int(up->n, 6, "callers are merged: f, its callers m, x, y, and theirs");
	is_int(down->n, 5, "callees are merged: f, its callees f, g, h, and g below f");
	row_is(&f, 15 - 4, "", "the picture leaves the footer alone");
	type(&f, "k");
	is_str(app_name(&f.app, app_symbol(&f.app)), "m", "up from the middle goes to the widest caller");
	type(&f, "<Enter>");
	is_str(app_name(&f.app, f.app.sandwich->symbol), "m", "Enter puts it into the middle");
	type(&f, "<BS>");
	is_str(app_name(&f.app, f.app.sandwich->symbol), "f", "Backspace brings back the previous function");
	type(&f, "I");
	is_int(tree_total(&f.app.sandwich->halves.trees[HALF_CALLERS], 0), 12,
	       "a reversed view has callers of the same weight");
	close_it(&f);
}

/* In the sandwich, motions and going back affect the sandwich, not the hidden flame graph. */
static void inside_the_sandwich(void)
{
	struct fixture f;
	open_with(&f, "m;x;f;g 3\nm;y;f;h 4\n", NULL, 60, 20);
	type(&f, "k<Enter>k/^f$<Enter><Esc>3");
	type(&f, "/^[gx]$<Enter>");
	is_str(app_name(&f.app, app_symbol(&f.app)), "g", "a search goes to the first match below the middle");
	cursor_is(&f, "m;y;f", "and leaves the flame graph's cursor alone");
	type(&f, "n");
	is_str(app_name(&f.app, app_symbol(&f.app)), "x", "n goes on among the callers");
	type(&f, "n");
	is_str(app_name(&f.app, app_symbol(&f.app)), "g", "and from the last one to the first");
	type(&f, "N");
	is_str(app_name(&f.app, app_symbol(&f.app)), "x", "N goes backwards");
	type(&f, "/^nothing$<Enter>");
	is_str(f.app.message, "no match", "a name that does not occur is not found");
	type(&f, "<Esc>");
	zoom_is(&f, "m", "Esc leaves the zoom of the flame graph alone");
	type(&f, "<Esc><BS>");
	zoom_is(&f, "m", "and again, and Backspace");
	click(&f, 12, 5, MOUSE_RIGHT, 1000);
	zoom_is(&f, "m", "and a right click");
	click(&f, 1, 5, MOUSE_LEFT, 2000);
	is_str(app_name(&f.app, app_symbol(&f.app)), "m", "the second row can be clicked on, zoomed or not");
	type(&f, "<Enter>");
	is_str(app_name(&f.app, f.app.sandwich->symbol), "m", "another function in the middle");
	click(&f, 12, 5, MOUSE_RIGHT, 3000);
	is_str(app_name(&f.app, f.app.sandwich->symbol), "f", "a right click brings back the one before");
	type(&f, "/^(m|f)$<Enter>");
	is_str(app_name(&f.app, app_symbol(&f.app)), "f", "where the cursor stands on a match the search stays");
	close_it(&f);
}

static void tables(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "2");
	is_str(app_name(&f.app, app_symbol(&f.app)), "c", "the top table begins with the greatest self");
	type(&f, ">");
	is_str(app_name(&f.app, f.app.top->table.rows[0].sym), "a", "> sorts by the next column");
	is_str(app_name(&f.app, app_symbol(&f.app)), "c", "and the cursor stays on its function");
	type(&f, "/tiny<Enter>");
	is_int(f.app.top->table.n_rows, 2, "/ filters the rows");
	type(&f, "j/nothing<Esc>");
	is_int(f.app.top->table.n_rows, 2, "Esc drops the typed text, and keeps the previous filter");
	is_str(app_name(&f.app, app_symbol(&f.app)), "tiny2", "and the cursor is where it was");
	type(&f, "n");
	is_str(f.app.message, "there is no search (# starts one)", "n names the key that searches there");
	type(&f, "<Esc>");
	is_int(f.app.top->table.n_rows, 9, "Esc shows all again");
	type(&f, "g/^e$<Enter><Enter>");
	is_int(f.app.tab, TAB_FLAME, "Enter goes to the flame graph");
	cursor_is(&f, "a;e", "to the function's widest frame");
	is_str(f.app.view.search.pattern, "e", "and lights it up");
	type(&f, "4");
	is_int(f.app.calls->list.n, 5, "the call tree opens the way to the cursor");
	type(&f, "lh");
	cursor_is(&f, "a;e", "right opens, left closes");
	type(&f, "h");
	cursor_is(&f, "a", "left on a closed row goes to the parent");
	type(&f, "gh");
	is_int(f.app.calls->list.n, 1, "the root closes everything");
	type(&f, "*");
	cursor_is(&f, "a;b;c", "* follows the heaviest frames");
	close_it(&f);
}

static void mouse(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	click(&f, 11, 5, MOUSE_LEFT, 1000);
	cursor_is(&f, "a", "a click selects");
	click(&f, 11, 5, MOUSE_LEFT, 1200);
	zoom_is(&f, "a", "a second one soon after zooms");
	click(&f, 1, 0, MOUSE_LEFT, 5000);
	zoom_is(&f, "", "a click on the breadcrumb zooms there");
	click(&f, 10, 5, MOUSE_LEFT, 8000);
	click(&f, 10, 5, MOUSE_LEFT, 8400);
	zoom_is(&f, "", "two slow clicks do not zoom");
	type(&f, "<Enter>");
	click(&f, 10, 5, MOUSE_RIGHT, 9000);
	zoom_is(&f, "", "a right click zooms out");
	close_it(&f);
}

static void differences(void)
{
	struct fixture f;
	open_with(&f, "a;b 60\na;c 40\n", "a;b 20\na;gone 20\n", 60, 16);
	is_int((long long)f.app.totals.diff_most, 50, "the greatest difference of a frame gives the scale");
	row_is(&f, 8, " b                                  +c +40.0", "signs and numbers mark growth");
	type(&f, "k");
	row_is(&f, 11, "a  (1 vanished below: gone 50.0%)", "a frame names its vanished children");
	type(&f, "d");
	ok(f.app.list.is_open, "d lists the changes");
	type(&f, "/gone<Enter>j<Enter>");
	ok(f.app.view.cursor == node_at(&f.app.view, "a;gone"), "and leads there, even to vanished functions");
	row_is(&f, 14, "total  vanished       50.00 ->   0.00%  -50.00 points…", "the footer says that it did");
	type(&f, "DD");
	ok(!f.app.view.recipe.leaves_base && f.app.view.recipe.swap_sides, "D goes through the modes");
	ok(node_at(&f.app.view, "a;gone") != NO_NODE, "the last one shows vanished functions");
	type(&f, "D");
	ok(f.app.view.recipe.leaves_base, "and then off");
	ok(node_at(&f.app.view, "a;gone") == NO_NODE, "where nothing is left of vanished functions");
	type(&f, "d");
	ok(!f.app.list.is_open, "and nothing to list");
	type(&f, "D");
	ok(view_is_diff(&f.app.view) && node_at(&f.app.view, "a;gone") != NO_NODE, "and on again");
	close_it(&f);
}

/* No size and no number of keys may break anything. */
static void anything(void)
{
	static const char keys[] = "hjklufbgG^$rnN#xXFiIto+-cDd1234TezLsMyYC0123456789*B<>R";
	struct fixture f;
	uint64_t seed = 7;
	open_with(&f, stacks, "a;b 3\nz;y 9\n", 80, 24);
	for (int i = 0; i < 4000; i++) {
		struct event e = {.kind = EVENT_KEY, .key = (uint32_t)keys[chance(&seed, sizeof keys - 1)]};
		uint32_t special = chance(&seed, 12);
		if (special == 0)
			e.key = K_ENTER;
		else if (special == 1)
			e.key = K_ESC;
		else if (special == 2)
			e.key = K_BACKSPACE;
		else if (special == 3)
			e.key = K_TAB;
		input_event(&f.app, &e, 0);
		f.app.end = END_NOT;
		if (chance(&seed, 40) == 0)
			refresh_size(&f.app, 1 + (int)chance(&seed, 120), 1 + (int)chance(&seed, 40));
		app_refresh(&f.app);
		paint(&f.app);
		if (f.app.view.cursor >= f.app.view.tree.n ||
		    !tree_is_below(&f.app.view.tree, f.app.view.cursor, f.app.view.zoom)) {
			not_ok("the cursor is always inside the zoom");
			break;
		}
	}
	pass("4000 keys at random on screens of every size");
	close_it(&f);
}

static void table_of_commands(void)
{
	size_t twice = 0, unknown = 0;
	for (const struct command *c = commands; c->name; c++) {
		for (const struct command *d = c + 1; d->name; d++)
			twice += strcmp(c->name, d->name) == 0;
		struct err err = {0};
		uint32_t key;
		for (const char *p = c->keys; key_parse(&p, &key, &err);)
			;
		unknown += err.text[0] != '\0';
		ok(c->where != 0 && !c->run == !!c->run_with && *c->help && strlen(c->help) < 110, "%s is complete",
		   c->name);
	}
	is_int(twice, 0, "every command has a name of its own");
	is_int(unknown, 0, "every key of the table can be read");
	struct fixture f;
	struct err err = {0};
	open_with(&f, stacks, NULL, 80, 24);
	for (unsigned place = 0; place < N_PLACES; place++) {
		const struct keymap *m = &f.app.keymap;
		size_t clashes = 0;
		for (size_t i = 0; i < m->n; i++)
			for (size_t j = i + 1; j < m->n; j++)
				clashes += m->rows[i].key == m->rows[j].key && (m->rows[i].where & m->rows[j].where & ON(place));
		is_int(clashes, 0, "in place %u no key means two things", place);
	}
	ok(keymap_bind(&f.app.keymap, "<C-n>", "zoom", &err), "a key can be bound");
	type(&f, "k<C-n>");
	zoom_is(&f, "a", "and runs the bound command");
	ok(keymap_bind(&f.app.keymap, "k", "down", &err), "so can one that had a meaning");
	type(&f, "k");
	zoom_is(&f, "a", "which is gone then");
	ok(!keymap_bind(&f.app.keymap, "k", "nonsense", &err) && strstr(err.text, "nonsense"),
	   "an unknown command is named");
	close_it(&f);
}

/* No stack and no screen limits the depth. */
static void deep(void)
{
	struct buf line;
	struct fixture f;
	buf_init(&line);
	for (int i = 0; i < 20000; i++)
		buf_addf(&line, "f%d;", i);
	buf_adds(&line, "leaf 1\n");
	open_with(&f, buf_str(&line), NULL, 80, 24);
	type(&f, "/leaf<Enter>");
	is_int(f.app.view.cursor, 20001, "a search reaches the end of a stack of 20000 frames");
	type(&f, "j");
	is_int(f.app.view.cursor, 20000, "and the cursor moves there");
	type(&f, "4s<Esc>31<Enter>");
	paint(&f.app);
	pass("the other views live with it too");
	buf_deinit(&line);
	close_it(&f);
}

/* A step of the cursor rewrites the footer: many long names would be slow over a slow line. */
static void short_footer(void)
{
	struct fixture f;
	struct buf text, row;
	buf_init(&text);
	buf_init(&row);
	for (int i = 0; i < 40; i++)
		buf_addf(&text,
		         "m;std::vector<std::pair<int, std::string>, std::allocator<std::pair<int, std::string>>>::f%d 1\n",
		         i);
	buf_adds(&text, "m;wide 9000\n");
	open_with(&f, buf_str(&text), NULL, 200, 30);
	type(&f, "kkl");
	paint(&f.app);
	grid_add_row(&f.app.grid, 25, &row);
	ok(strncmp(buf_str(&row), "40 frames: ", 11) == 0 && strstr(buf_str(&row), "::f1 0.0%, "),
	   "an aggregate lists its members: %s", buf_str(&row));
	ok(row.len < 150, "and takes less than a line for it");
	row.len = 0;
	grid_add_row(&f.app.grid, 26, &row);
	is_int(row.len, 0, "the second line of names is free");
	close_it(&f);
	buf_deinit(&text);
	buf_deinit(&row);
}

/* Waits for background work, and takes it. */
static void wait_for_work(struct fixture *f)
{
	while (app_is_busy(&f->app)) {
		struct app *app = &f->app;
		struct work *any[] = {app->seek,           app->listing.work, app->top->work, app->writing,
		                      app->sandwich->work, app->ending,       app->work};
		size_t i = 0;
		while (any[i] == NULL)
			i++;
		work_wait(any[i], WORK_FOREVER);
		viewer_take_work(&f->app);
		app_refresh(&f->app);
	}
}

/* Names on which this pattern takes a hundred thousand steps: about a second for all of them, on any machine. */
#define SLOW "(a+a+)+b"

static void open_slow(struct fixture *f, int wake_fd)
{
	struct buf text;
	buf_init(&text);
	for (int i = 0; i < 3000; i++)
		buf_addf(&text, "m;f%d;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-b%d 1\n", i % 50, i);
	buf_adds(&text, "m;f7;aab 1\nm;f8;aab 1\n");
	open_with(f, buf_str(&text), NULL, 80, 24);
	f->app.wake_fd = wake_fd;
	buf_deinit(&text);
}

static bool same_marks(const struct view *a, const struct view *b)
{
	return a->tree.n == b->tree.n && a->search.pattern && strcmp(a->search.pattern, b->search.pattern) == 0 &&
	       memcmp(a->search.node_bits, b->search.node_bits, (a->tree.n / 64 + 1) * sizeof(uint64_t)) == 0 &&
	       a->search.matched == b->search.matched && a->cursor == b->cursor && a->zoom == b->zoom;
}

/* A long search runs in the background; keys edit it, wait for it or end it, with the same meaning. */
static void slow_search(void)
{
	struct fixture f, now;
	struct buf row;
	int ends[2];
	buf_init(&row);
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_slow(&f, ends[1]);
	open_slow(&now, -1);
	type(&f, "kk/f7<Enter>");
	wait_for_work(&f);
	cursor_is(&f, "m;f7", "a quick search is there");
	type(&f, "/" SLOW);
	ok(f.app.seek && prompt_is_open(&f.app.prompt), "a slow one lets go of the keyboard");
	paint(&f.app);
	grid_add_row(&f.app.grid, 23, &row);
	ok(strncmp(buf_str(&row), "/" SLOW " ", 10) == 0 && strstr(buf_str(&row), "%, Esc stops"),
	   "and says how far it is");
	type(&f, "<Esc>");
	ok(!f.app.seek && !prompt_is_open(&f.app.prompt), "Esc ends it");
	is_str(f.app.view.search.pattern, "f7", "and the search before is in force again");
	cursor_is(&f, "m;f7", "with the cursor where it was");
	type(&f, "/" SLOW "<C-u>f9");
	wait_for_work(&f);
	is_str(f.app.view.search.pattern, "f9", "the next key ends it, too");
	type(&f, "<C-u>" SLOW "<Enter>jkn<Enter>");
	ok(f.app.seek != NULL, "behind Enter it goes on");
	is_int(f.app.n_held, 4, "and keys typed ahead wait");
	wait_for_work(&f);
	type(&now, "kk/f7<Enter>/" SLOW "<Enter>jkn<Enter>");
	ok(same_marks(&f.app.view, &now.app.view), "in the end everything is as if it had been quick");
	zoom_is(&f, "m;f7;aab", "and the keys kept their meaning");
	type(&f, "r<Esc>#");
	wait_for_work(&f); /* on a busy machine, it takes longer, too */
	type(&f, "/" SLOW "<Enter>jj<Esc>");
	ok(!f.app.seek && f.app.n_held == 0, "Esc ends it behind Enter, and drops the keys typed ahead");
	is_str(f.app.view.search.pattern, "aab", "the search before is in force");
	type(&f, "/" SLOW "<Enter>I");
	wait_for_work(&f);
	ok(f.app.view.tree.is_reversed && f.app.view.search.frames == 1, "the tree may become another one");
	type(&f, "/" SLOW "x");
	close_it(&f); /* with a search running */
	close_it(&now);
	buf_deinit(&row);
	close(ends[0]);
	close(ends[1]);
}

static void add_many(struct buf *text, int n)
{
	for (int i = 0; i < n; i++)
		buf_addf(text, "m;f%d;g0x%x 1\n", i % 500, i);
}

/* Of very many names, all count for what is inserted, but they are not told apart. */
static void many_completions(void)
{
	struct fixture f;
	struct buf text;
	buf_init(&text);
	for (int i = 0; i < 25000; i++)
		buf_addf(&text, "m;work0%05d 2\n", i);
	buf_adds(&text, "m;work1 1\n");
	open_with(&f, buf_str(&text), NULL, 300, 24);
	type(&f, "/wo<Tab>");
	is_str(buf_str(&f.app.prompt.text), "work", "Tab inserts what all have in common, the lightest, too");
	type(&f, "<Tab>");
	ok(f.app.message && strstr(f.app.message, "  and at least 19988 more"),
	   "the next one lists the first of them: %s", f.app.message ? f.app.message : "");
	type(&f, "0000<Tab><Tab>");
	ok(f.app.message && strstr(f.app.message, "  and 88 more"), "fewer are counted: %s",
	   f.app.message ? f.app.message : "");
	close_it(&f);
	buf_deinit(&text);
}

/* So does the list of changes. */
static void slow_changes(void)
{
	struct fixture f;
	struct buf row;
	int ends[2];
	buf_init(&row);
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_with(&f, "a;b 600\na;c 400\n", "a;b 200\na;gone 200\n", 100, 16);
	f.app.wake_fd = ends[1];
	f.app.patience_ms = 0;
	type(&f, "d");
	ok(f.app.listing.work && !f.app.list.is_open, "a list of changes that takes long lets go of the keyboard");
	paint(&f.app);
	grid_add_row(&f.app.grid, 15, &row);
	ok(strstr(buf_str(&row), "listing ") && strstr(buf_str(&row), "%, Esc stops"), "and says how far it is");
	type(&f, "/gone<Enter>q");
	is_int(f.app.n_held, 7, "keys typed ahead wait for it");
	wait_for_work(&f);
	ok(!f.app.list.is_open && !f.app.end && f.app.list.n > 0, "and the last of them closes it");
	type(&f, "dj<Esc>");
	ok(!f.app.listing.work && f.app.n_held == 0, "Esc ends it, and drops the keys typed ahead");
	is_str(f.app.message, "the list was stopped", "and says so");
	wait_for_work(&f);
	ok(!f.app.list.is_open, "and no list opens");
	type(&f, "d");
	f.app.wake_fd = -1;
	f.app.view.recipe.quantity = DIFF_OF_WEIGHTS;
	f.app.dirty |= DIRTY_TREE;
	app_refresh(&f.app);
	ok(f.app.list.is_open, "if the tree becomes another one, the list is made again");
	is_str(f.app.list.title, "diff of weights: 2 grew, 1 shrank, 1 new, 1 vanished", "and is that of the new one");
	f.app.wake_fd = ends[1];
	type(&f, "qd");
	close_it(&f); /* with a list being made */
	buf_deinit(&row);
	close(ends[0]);
	close(ends[1]);
}

/* Split keys and stripped addresses are names missing from the profile: they are made in the background, too. */
static void names_beside(void)
{
	struct buf text;
	struct fixture f;
	struct profile *grown = mem_zalloc(1, sizeof *grown);
	struct err err = {0};
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	buf_init(&text);
	add_many(&text, 70000);
	open_with(&f, buf_str(&text), NULL, 80, 24);
	size_t n = f.app.profile->symtab.n;
	f.app.wake_fd = ends[1];
	f.app.view.recipe.splits[0] = (struct split){.key = SPLIT_PID};
	f.app.view.recipe.n_splits = 1;
	f.app.view.recipe.strip_hex = true;
	f.app.dirty |= DIRTY_TREE;
	app_refresh(&f.app);
	ok(f.app.work != NULL, "a recipe that makes names is folded in the background");
	wait_for_work(&f);
	is_int(f.app.profile->symtab.n, n + 2, "the names are there when it is done");
	is_int(f.app.view.tree.n, 1 + 1 + 1 + 500 + 500, "and in the tree");
	type(&f, "kkk/0x\\.{3}<Enter>");
	wait_for_work(&f);
	cursor_is(&f, "pid ?;m;f0;g0x...", "and are found");
	ok(totals_of(&f.app.totals, f.app.view.tree.sym[f.app.view.cursor]) != NULL, "and added up");
	type(&f, "u<Enter>");
	zoom_is(&f, "pid ?;m", "they can be zoomed into");

	/* More of the profile uses the numbers of the new names for others. */
	profile_init(grown);
	add_many(&text, 70010);
	stacks_add(grown, 0, buf_str(&text));
	stacks_add(grown, 0, "new1;new2;new3 1\n");
	refresh_profile(&f.app, grown, &err);
	app_refresh(&f.app);
	ok(f.app.work != NULL, "a profile that has grown is folded in the background, too");
	wait_for_work(&f);
	zoom_is(&f, "pid ?;m", "the zoom stays in the new tree");
	is_str(app_name(&f.app, f.app.view.tree.sym[1]), "pid ?", "under its name");
	is_int(f.app.view.search.frames, 500, "and the search finds the same");
	type(&f, "r<Esc>x");
	f.app.view.recipe.sort = SORT_WEIGHT;
	f.app.dirty |= DIRTY_TREE;
	app_refresh(&f.app);
	buf_deinit(&text);
	close_it(&f); /* while names are being made */
	close(ends[0]);
	close(ends[1]);
}

/* The search of the command line runs in the background, too. */
static void slow_option(void)
{
	struct fixture f;
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_slow(&f, ends[1]);
	f.options.search = SLOW;
	f.options.zoom = "m;f7";
	f.app.options_placed = false;
	f.app.dirty |= DIRTY_TREE;
	app_refresh(&f.app);
	ok(f.app.seek != NULL, "a search from the command line runs in the background");
	zoom_is(&f, "m;f7", "while the zoom is there at once");
	wait_for_work(&f);
	is_str(f.app.view.search.pattern, SLOW, "and is in force when it is done");
	is_int(f.app.view.search.frames_zoom, 1, "counted below the zoom");
	close_it(&f);
	close(ends[0]);
	close(ends[1]);
}

/* The rows of the table are made in the background, too. */
static void slow_table(void)
{
	struct fixture f;
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_slow(&f, ends[1]);
	type(&f, "2");
	wait_for_work(&f);
	size_t all = f.app.top->table.n_rows;
	const struct name_sum *rows = f.app.top->table.rows;
	type(&f, "1++2");
	ok(f.app.top->work == NULL && f.app.top->table.rows == rows,
	   "rows are not made again for a look at another view");
	type(&f, "/" SLOW);
	ok(f.app.top->work && prompt_is_open(&f.app.prompt), "a slow filter lets go of the keyboard");
	ok(f.app.top->table.n_rows > 1, "the rows before are still there");
	type(&f, "<Enter>jy");
	is_int(f.app.n_held, 2, "keys for a row wait for it");
	wait_for_work(&f);
	is_int(f.app.top->table.n_rows, 1, "in the end only matching rows are there");
	is_str(buf_str(&f.app.clipboard), "aab", "and the keys meant it");
	type(&f, "q/x<Enter><Tab>");
	ok(f.app.tab == TAB_SANDWICH && f.app.n_held == 0, "another view can be had at once");
	type(&f, "2<Esc>");
	wait_for_work(&f);
	is_int(f.app.top->table.n_rows, all, "Esc takes the filter away");
	type(&f, "/" SLOW "x");
	close_it(&f); /* with rows being made */
	close(ends[0]);
	close(ends[1]);
}

/* The sandwich of a function that is called from everywhere is made in the background, too. */
static void slow_sandwich(void)
{
	struct fixture f;
	struct buf text;
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	buf_init(&text);
	for (int i = 0; i < 400000; i++)
		buf_addf(&text, "m;f%d;g%d;hot;cold 1\n", i % 500, i);
	open_with(&f, buf_str(&text), NULL, 80, 24);
	f.app.wake_fd = ends[1];
	type(&f, "2/<C-u>^hot$<Enter>");
	wait_for_work(&f);
	const struct sandwich *s = f.app.sandwich;
	type(&f, "3");
	ok(s->work && s->symbol != NO_SYMBOL, "a large sandwich is made in the background");
	row_is(&f, 11, "  adding up", "which says so until it is there");
	type(&f, "?");
	ok(f.app.list.is_open && s->work, "help is there at once");
	type(&f, "q+i");
	ok(!f.app.list.is_open && f.app.n_held == 0, "so are keys about the whole view");
	type(&f, "jy");
	is_int(f.app.n_held, 2, "keys for it wait");
	wait_for_work(&f);
	is_int(tree_total(&s->halves.trees[HALF_CALLERS], 0), 400000, "in the end all is in it");
	is_str(buf_str(&f.app.clipboard), "cold", "and the keys meant it");
	type(&f, "q/g7$<Enter>");
	wait_for_work(&f);
	is_str(s->made.search, "g7$", "a search makes it again, to highlight frames that are too narrow");
	type(&f, "2/<C-u>^cold$<Enter>");
	wait_for_work(&f);
	type(&f, "3");
	ok(s->work != NULL, "another function takes as long");
	type(&f, "1");
	ok(f.app.tab == TAB_FLAME && f.app.n_held == 0, "another view can be had at once");
	type(&f, "x");
	wait_for_work(&f);
	ok(s->work == NULL, "another tree ends it");
	type(&f, "2/<C-u>^hot$<Enter>");
	wait_for_work(&f);
	type(&f, "3");
	close_it(&f); /* while it is being made */
	buf_deinit(&text);
	close(ends[0]);
	close(ends[1]);
}

/* The frames of a function are found once, in ranges, and again in another tree. */
static void frames_of_a_function(void)
{
	struct fixture f;
	struct buf text;
	buf_init(&text);
	for (int i = 0; i < 500; i++)
		buf_addf(&text, "m;f%03d;%s 1\n", i, i % 67 == 3 || i > 495 ? "hot;in;hot" : "cold");
	open_with(&f, buf_str(&text), NULL, 80, 24);
	const struct sandwich *s = f.app.sandwich;
	type(&f, "/^hot<Enter>3");
	is_str(app_name(&f.app, s->symbol), "hot", "the function that was found is in the middle");
	is_int(tree_total(&s->halves.trees[HALF_CALLERS], 0), 12, "all of its outermost frames are above");
	is_int(tree_total(&s->halves.trees[HALF_CALLEES], 0), 12, "and below");
	const uint32_t *frames = s->halves.frames;
	size_t n = s->halves.n_frames;
	type(&f, "/in<Enter>");
	ok(s->halves.frames == frames && s->halves.n_frames == n && n == 12, "a search does not look for them again");
	type(&f, "&f49<Enter>");
	is_int(tree_total(&s->halves.trees[HALF_CALLERS], 0), 4, "another tree has others");
	type(&f, "r3");
	is_int(tree_total(&s->halves.trees[HALF_CALLEES], 0), 12, "and the one before all again");
	close_it(&f);
	buf_deinit(&text);
}

/* A large profile is folded in the background, and meanwhile keys work on the old tree. */
static void beside(void)
{
	struct buf text;
	struct fixture f;
	int ends[2];
	char c;
	if (pipe(ends) != 0)
		bail_out("no pipe");
	buf_init(&text);
	for (int i = 0; i < 70000; i++)
		buf_addf(&text, "m;f%d;g%d 1\n", i % 500, i);
	open_with(&f, buf_str(&text), NULL, 80, 24);
	is_int(view_total(&f.app.view), 70000, "without a descriptor to wake up the fold is done at once");
	f.app.wake_fd = ends[1];
	type(&f, "/f7$<Enter>");
	wait_for_work(&f);
	while (poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, 0) > 0 && read(ends[0], &c, 1) == 1)
		;
	type(&f, "x<Enter>");
	ok(f.app.work != NULL, "with one it runs in the background");
	is_int(view_total(&f.app.view), 70000, "the tree before is still there");
	type(&f, "jjk");
	cursor_is(&f, "m", "and keys move in it");
	is_int(read(ends[0], &c, 1), 1, "the end is announced");
	viewer_take_work(&f.app);
	app_refresh(&f.app);
	wait_for_work(&f);
	is_int(view_total(&f.app.view), 70000 - 140, "then the new tree is taken");
	cursor_is(&f, "m", "and the cursor is where it was");
	ok(f.app.view.recipe.filters[0].excluded == 140, "the weight that the filter took out is known");
	type(&f, "Xx<Enter>Xoo");
	wait_for_work(&f);
	is_int(view_total(&f.app.view), 70000, "of several changes at once the last one counts");
	type(&f, "x<Enter>I");
	paint(&f.app);
	struct buf row;
	buf_init(&row);
	grid_add_row(&f.app.grid, 23, &row);
	ok(f.app.ending && !f.app.work, "the end of a fold that is not wanted any more is not waited for");
	ok(app_is_folding(&f.app) && strstr(buf_str(&row), "folding, Esc stops"),
	   "a fold that was asked for says how to end it");
	buf_deinit(&row);
	type(&f, "<Esc>");
	ok(!app_is_folding(&f.app) && f.app.view.recipe.n_filters == 0 && !f.app.view.recipe.reverse &&
	       !f.app.view.tree.is_reversed,
	   "Esc does, and the recipe is that of the tree again");
	wait_for_work(&f);
	is_int(view_total(&f.app.view), 70000, "and so is the tree when the fold has ended");
	type(&f, "xX");
	buf_deinit(&text);
	close_it(&f); /* with one fold ending and another pending */
	pass("leaving ends a fold that goes on");
	close(ends[0]);
	close(ends[1]);
}

static char out_dir[] = "/tmp/flametop-state-XXXXXX";

/* The first line of a file, without its newline. */
/* The first line of folded stacks, behind the one that names event and unit. */
static const char *first_line(const char *path)
{
	static char line[200];
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return "(none)";
	do {
		if (fgets(line, sizeof line, file) == NULL)
			*line = '\0';
	} while (*line == '#');
	line[strcspn(line, "\n")] = '\0';
	fclose(file);
	unlink(path);
	return line;
}

/* A file contains the view that the keys before have asked for, however long that takes. */
static void writing_beside(void)
{
	struct buf text;
	struct fixture f;
	int ends[2];
	char path[100], keys[200];
	if (pipe(ends) != 0 || mkdtemp(out_dir) == NULL)
		bail_out("no pipe, or no directory");
	snprintf(path, sizeof path, "%s/out.folded", out_dir);
	snprintf(keys, sizeof keys, "w%s<Enter>", path);
	buf_init(&text);
	for (int i = 0; i < 70000; i++)
		buf_addf(&text, "m;f%d;g%d 1\n", i % 500, i);
	open_with(&f, buf_str(&text), NULL, 80, 24);
	f.app.wake_fd = ends[1];
	type(&f, "&g6789$<Enter>");
	ok(f.app.work != NULL, "a filter runs in the background");
	type(&f, keys);
	type(&f, "I");
	is_str(first_line(path), "(none)", "a file is not written of the tree before");
	ok(!f.app.view.recipe.reverse, "and keys behind it wait, too");
	wait_for_work(&f);
	is_str(first_line(path), "m;f289;g6789 1", "it is written when there is the new one");
	ok(f.app.view.tree.is_reversed, "and then the keys behind it count");
	type(&f, "r");
	ok(f.app.work != NULL, "another tree");
	type(&f, keys);
	type(&f, "<Esc>");
	wait_for_work(&f);
	is_str(first_line(path), "(none)", "Esc takes the file back while it waits");
	ok(!prompt_is_open(&f.app.prompt) && f.app.n_held == 0, "with its prompt");
	close_it(&f);
	buf_deinit(&text);
	rmdir(out_dir);
	close(ends[0]);
	close(ends[1]);
}

/* Replaces the profile, as happens while one is loading. */
static void replace(struct fixture *f, const char *text)
{
	struct err err = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	stacks_add(p, 0, text);
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	app_refresh(&f->app);
}

/* A profile with this many samples of each of two events, neither of which comes first. */
static void replace_events(struct fixture *f, unsigned cycles, unsigned faults)
{
	struct err err = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	profile_init(p);
	stacks_add(p, 0, "a 1\n");
	uint32_t path = profile_child(p, PATH_ROOT, symtab_intern(&p->symtab, "b", 1));
	uint32_t series = profile_series(p, symtab_intern(&p->symtab, "faults", 6), 0);
	struct sample s = {.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	for (unsigned i = 1; i < cycles; i++)
		profile_add(p, 0, 1, &s);
	s.series = series;
	for (unsigned i = 0; i < faults; i++)
		profile_add(p, 0, path, &s);
	p->series[0].rank = p->series[series].rank = 0;
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	app_refresh(&f->app);
}

static void main_event(void)
{
	struct fixture f;
	open_with(&f, "a 1\n", NULL, 80, 24);
	replace_events(&f, 2, 9);
	is_str(view_event(&f.app.view), "faults", "the event that has most samples so far is shown");
	replace_events(&f, 12, 9);
	is_str(view_event(&f.app.view), "cycles", "another one that has more by now takes its place");
	f.app.is_event_chosen = true;
	replace_events(&f, 12, 90);
	is_str(view_event(&f.app.view), "cycles", "unless an event was chosen");
	type(&f, "ej");
	replace_events(&f, 12, 1234);
	is_str(list_selected(&f.app.list)->text, "faults  1.23 k, 1,234 samples",
	       "the open list of events follows, too");
	type(&f, "<Enter>");
	is_str(view_event(&f.app.view), "faults", "and its cursor stays");
	close_it(&f);
}

/* Overlays keep to their frames when those get other numbers, or vanish. */
static void growing(void)
{
	static const char more[] = "a;a;a 9\na;b;c 40\na;b;d 20\na;e;c 30\na;e;tiny1 1\na;e;tiny2 1\nf;f;g 8\n";
	static const char less[] = "a;b 3\n";
	struct fixture f;
	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "kkl/tin");
	replace(&f, more);
	type(&f, "<Esc>");
	cursor_is(&f, "a;e", "a search that is given up goes back to the frame where it began");
	type(&f, "/tin");
	replace(&f, less);
	type(&f, "y<BS><BS><Esc>");
	cursor_is(&f, "a", "or to the rest of the path there");
	close_it(&f);

	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "kkls");
	replace(&f, more);
	is_int((intmax_t)f.app.list.whole, 109, "the weights of a stack are those of the new tree: the whole");
	is_int((intmax_t)f.app.list.items[0].value, 32, "and a frame");
	type(&f, "j<Enter>");
	cursor_is(&f, "a", "a line of a stack is still the same frame");
	type(&f, "kls");
	replace(&f, less);
	ok(!f.app.list.is_open, "a stack that is not there any more closes");
	close_it(&f);

	open_with(&f, stacks, NULL, 20, 16);
	type(&f, "/tiny2<Enter>.");
	ok(f.app.list.is_open, "frames that share a place are listed");
	replace(&f, more);
	type(&f, "<Enter>");
	zoom_is(&f, "a;e;tiny2", "and a line of the list is still the same frame");
	close_it(&f);

	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "/^e$<Enter>3jl");
	uint32_t symbol = app_symbol(&f.app);
	is_str(app_name(&f.app, symbol), "tiny1", "the sandwich's cursor is on a callee");
	replace(&f, "a;e;b 7\na;e;c 30\na;e;tiny1 10\na;e;tiny2 1\nf;f;g 8\n");
	is_str(app_name(&f.app, app_symbol(&f.app)), "tiny1", "and stays there");
	close_it(&f);

	open_with(&f, stacks, NULL, 100, 16);
	type(&f, "4jlh");
	type(&f, "gjljl");
	size_t rows = f.app.calls->list.n;
	replace(&f, more);
	is_int((intmax_t)f.app.calls->list.n, (intmax_t)rows + 1, "the call tree stays open where it was");
	type(&f, "1kkkkx4");
	ok(f.app.calls->list.n > 2, "also when stacks are taken out");
	close_it(&f);
}

/* A sample each second for a minute, and its heat map. */
static void open_minute(struct fixture *f)
{
	struct err err = {0};
	struct profile *p = mem_zalloc(1, sizeof *p);
	open_with(f, stacks, NULL, 100, 20);
	profile_init(p);
	uint32_t path = profile_child(p, PATH_ROOT, symtab_intern(&p->symtab, "tick", 4));
	for (uint64_t s = 0; s < 60; s++)
		profile_add(p, 0, path, &(struct sample){.weight = 1, .time = s * 1000000000, .cpu = NO_CPU});
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	type(f, "m");
}

static void dragging(void)
{
	struct fixture f;
	open_minute(&f);
	paint(&f.app);
	struct rect map = f.app.heat->area;
	struct event e = {.kind = EVENT_MOUSE, .action = MOUSE_PRESS, .row = map.row, .col = map.col + 15};
	input_event(&f.app, &e, 0);
	ok(f.app.is_heat_open && f.app.heat->mark_row == 0, "a press in the heat map marks one end of a range");
	e.action = MOUSE_RELEASE;
	input_event(&f.app, &e, 0);
	ok(f.app.is_heat_open, "a release in the same place leaves it at that");
	e.col += 29;
	e.row += map.rows - 1;
	input_event(&f.app, &e, 0);
	app_refresh(&f.app);
	ok(!f.app.is_heat_open && f.app.view.recipe.to > f.app.view.recipe.from, "elsewhere it marks the other");
	is_int((intmax_t)view_total(&f.app.view), 20, "and the samples in between are shown");
	close_it(&f);
}

/* Every column of the screen belongs to a slice, and a click there selects it. */
static void whole_width(void)
{
	struct fixture f;
	struct event e = {.kind = EVENT_MOUSE, .action = MOUSE_PRESS};
	int wrong = 0, last = -1;
	open_minute(&f);
	for (int cols = 40; cols <= 200; cols += 7) {
		refresh_size(&f.app, cols, 30);
		app_refresh(&f.app);
		paint(&f.app);
		struct rect map = f.app.heat->area;
		wrong += map.col + map.cols != cols;
		for (int x = 0, col = -1; x < map.cols; x++, col = f.app.heat->col) {
			f.app.heat->mark_row = -1;
			e.row = map.row + map.rows - 1;
			e.col = map.col + x;
			input_event(&f.app, &e, 0);
			last = f.app.heat->col;
			wrong += last != col && last != col + 1;
		}
		wrong += last != f.app.heat->cols - 1 || f.app.heat->row != f.app.heat->rows - 1;
	}
	is_int(wrong, 0, "the heat map takes the whole width, and every column of it can be clicked");
	close_it(&f);
}

static bool is_about(uint64_t ns, uint64_t seconds)
{
	return ns / 1000000000 + 2 >= seconds && ns / 1000000000 <= seconds + 2;
}

/* Both ends of a range keep their times. */
static void resized_map(void)
{
	struct fixture f;
	open_minute(&f);
	type(&f, "ff<Enter>fflllll");
	refresh_size(&f.app, 45, 12);
	app_refresh(&f.app);
	ok(f.app.heat->cols < 50, "the map is another one");
	ok(f.app.heat->mark_row >= 0, "an end that is marked stays marked when the screen is resized");
	refresh_size(&f.app, 100, 20);
	app_refresh(&f.app);
	type(&f, "<Enter>");
	ok(is_about(f.app.view.recipe.from, 20) && is_about(f.app.view.recipe.to, 45),
	   "and both ends stay at their times: from %g to %g s", (double)f.app.view.recipe.from / 1e9,
	   (double)f.app.view.recipe.to / 1e9);
	close_it(&f);
}

/* Only the visible part of a sandwich is made; search matches beyond it are still highlighted. */
static void thin_sandwich(void)
{
	struct fixture f;
	open_with(&f, "m;f;wide 100000\nm;f;thin;needle 1\nm;f;thin;needle;f 2\nrare;needle;m;f 1\n", NULL, 40, 16);
	type(&f, "/^f$<Enter>3<Esc>");
	const struct sandwich *s = f.app.sandwich;
	is_int(s->halves.trees[HALF_CALLEES].n, 3, "a callee too thin to draw stands for all it calls");
	is_int((intmax_t)tree_total(&s->halves.trees[HALF_CALLEES], 0), 100004, "no weight is lost");
	is_int((intmax_t)tree_total(&s->halves.trees[HALF_CALLERS], 0), 100004, "on neither side");
	ok(!s->halves.is_lit[HALF_CALLEES][1], "nothing is lit without a search");
	type(&f, "/needle<Enter>");
	ok(s->halves.is_lit[HALF_CALLEES][2] && !s->halves.is_lit[HALF_CALLEES][1], "a match below it lights it up");
	close_it(&f);
}

static void resize(struct fixture *f, int cols, int rows)
{
	refresh_size(&f->app, cols, rows);
	app_refresh(&f->app);
}

static bool cursor_is_in_its_half(const struct sandwich *s)
{
	const struct layout *l = &s->layouts[s->half];
	size_t row = canvas_row_of(l, layout_find(l, s->cursor)) - (s->half == HALF_CALLERS);
	return row >= s->scroll[s->half] && row < s->scroll[s->half] + (size_t)s->areas[s->half].rows;
}

static void says(struct fixture *f, double share, const char *keys, const char *message)
{
	f->app.view.min_share = share;
	type(f, keys);
	is_str(f->app.message, message, "%s from %g%% on", keys, share);
}

/* The smallest share drawn may come from an option. */
static void shares(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 80, 16);
	says(&f, 50, "+", "frames of 50% and more");
	says(&f, 50, "-", "frames of 10% and more");
	says(&f, 3, "-", "frames of 2% and more");
	says(&f, 3, "+", "frames of 5% and more");
	says(&f, 0, "-", "all frames");
	says(&f, 0.01, "-", "all frames");
	says(&f, 1, "2+", "+ does nothing here (? for help)");
	close_it(&f);
}

/* Typed text waits below the lines of the history. */
static void history(void)
{
	struct fixture f;
	open_with(&f, stacks, NULL, 80, 16);
	type(&f, "&a<Enter>&dra<Up>");
	is_str(buf_str(&f.app.prompt.text), "a", "Up brings back the previously accepted text");
	type(&f, "<Down>");
	is_str(buf_str(&f.app.prompt.text), "dra", "and Down the typed text");
	type(&f, "<Down><Esc>");
	close_it(&f);
}

/* A scroll position from a low screen fills a high one, and the cursor is visible on both. */
static void scrolling(void)
{
	struct fixture f;
	struct buf text;
	size_t first, last, all;
	buf_init(&text);
	for (int i = 0; i < 60; i++)
		buf_addf(&text, "%sf%d", i ? ";" : "", i);
	buf_adds(&text, " 9\n");
	for (int i = 0; i < 60; i++)
		buf_addf(&text, "f%d 1\n", i);
	open_with(&f, buf_str(&text), NULL, 80, 16);
	type(&f, "2G/f<Enter>");
	is_int((intmax_t)(f.app.top->scroll + (size_t)f.app.top->height), (intmax_t)f.app.top->table.n_rows,
	       "the table ends at the foot of the screen");
	resize(&f, 80, 30);
	is_int((intmax_t)(f.app.top->scroll + (size_t)f.app.top->height), (intmax_t)f.app.top->table.n_rows,
	       "and of a higher one");
	type(&f, "<Esc>14*sG");
	resize(&f, 40, 12);
	resize(&f, 80, 90);
	is_int((intmax_t)f.app.list.scroll, 0, "a list that fits is shown from its first line on");
	resize(&f, 80, 16);
	type(&f, "q/^f30$<Enter>3");
	app_pane(&f.app)->rows(&f.app, &first, &last, &all);
	ok(first == 1 && all == 30, "the header counts the half with the cursor: %zu-%zu of %zu", first, last, all);
	resize(&f, 80, 60);
	type(&f, "020j");
	resize(&f, 80, 16);
	ok(cursor_is_in_its_half(f.app.sandwich), "the sandwich scrolls to the cursor when its screen shrinks");
	type(&f, "G");
	resize(&f, 80, 80);
	is_int((intmax_t)f.app.sandwich->scroll[HALF_CALLEES], 0,
	       "and shows the whole of a half for which there is room");
	buf_deinit(&text);
	close_it(&f);
}

/* Spans that call one another, each with self time. */
static struct profile *nested_spans(unsigned n)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	uint32_t path = PATH_ROOT;
	profile_init(p);
	profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);
	for (unsigned i = 0; i < n; i++) {
		char name[16];
		path =
			profile_child(p, path, symtab_intern(&p->symtab, name, (size_t)snprintf(name, sizeof name, "f%u", i)));
		profile_add(p, 0, path, &(struct sample){.weight = 1 + 2 * i / n * n, .time = NO_TIME, .cpu = NO_CPU});
	}
	return p;
}

static bool header_says(struct fixture *f, const char *text)
{
	struct buf row;
	buf_init(&row);
	paint(&f->app);
	grid_add_row(&f->app.grid, 0, &row);
	bool says_so = strstr(buf_str(&row), text) != NULL;
	buf_deinit(&row);
	return says_so;
}

/* Few stacks, but callers first of many frames: in the background, and no more rows than there is room for. */
static void callers_of_nested_spans(void)
{
	struct fixture f;
	struct err err = {0};
	int ends[2];
	if (pipe(ends) != 0)
		bail_out("no pipe");
	open_with(&f, "a 1\n", NULL, 140, 24);
	if (!refresh_profile(&f.app, nested_spans(20000), &err))
		bail_out("%s", err.text);
	app_refresh(&f.app);
	f.app.wake_fd = ends[1];
	type(&f, "I");
	ok(f.app.work != NULL, "callers first of few deep stacks are folded in the background");
	type(&f, "<Esc>");
	ok(f.app.work == NULL && !f.app.view.recipe.reverse, "Esc ends it");
	wait_for_work(&f);
	type(&f, "I");
	wait_for_work(&f);
	ok(f.app.view.tree.is_reversed && header_says(&f, " deeper rows left out"),
	   "the header says how much is left out");
	const struct name_sum *sum = totals_of(&f.app.totals, f.app.view.tree.cut->whole.sym[1]);
	ok(sum && sum->total == tree_total(&f.app.view.tree, NODE_ALL), "the outermost function is in all stacks");
	type(&f, "/f19999<Enter>");
	wait_for_work(&f);
	uint32_t depth = f.app.view.tree.depth;
	type(&f, "<Enter>");
	ok(f.app.view.recipe.n_below == 1 && f.app.work, "a zoom wants more rows");
	wait_for_work(&f);
	is_int((intmax_t)f.app.view.tree.depth, 20000, "and has all of them, of one stack alone");
	ok(!header_says(&f, "left out"), "so that nothing is left out");
	type(&f, "/f5$<Enter>3");
	wait_for_work(&f);
	is_int((intmax_t)tree_total(&f.app.sandwich->halves.trees[HALF_CALLEES], NODE_ALL),
	       (intmax_t)totals_of(&f.app.totals, f.app.sandwich->symbol)->total,
	       "a sandwich is of all stacks of its function");
	type(&f, "1<BS>");
	wait_for_work(&f);
	ok(f.app.view.zoom == NODE_ALL && f.app.view.tree.depth == depth, "going back leaves rows out as before");
	type(&f, "I");
	input_event(&f.app, &(struct event){.kind = EVENT_KEY, .key = 'q'}, 0);
	ok(f.app.end == END_QUIT, "q ends it, too");
	close_it(&f);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	moving();
	hints();
	zooming();
	searching();
	filtering();
	sandwich();
	inside_the_sandwich();
	tables();
	mouse();
	differences();
	main_event();
	anything();
	table_of_commands();
	deep();
	short_footer();
	beside();
	writing_beside();
	slow_sandwich();
	frames_of_a_function();
	slow_search();
	slow_changes();
	many_completions();
	slow_option();
	slow_table();
	names_beside();
	growing();
	thin_sandwich();
	shares();
	history();
	scrolling();
	dragging();
	resized_map();
	whole_width();
	callers_of_nested_spans();
	return done_testing();
}
