/*
 * The interface under keys and clicks that nobody would type: every key on top of everything that can be open, in every
 * view, and long runs of chance. After each step what always holds is looked at: the tree is one, nothing of the weight
 * is lost, the cursor is below the zoom, the lists' cursors are inside, and every cell of the picture holds something
 * that a terminal can show.
 *
 *	TUI_RANDOM=100000 build/tests/tui_random.t      that many steps by chance, on each profile
 *	TUI_RANDOM_SEED=7 ...                           others
 */
#include "tests/tap.h"

#include <dirent.h>
#include <locale.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "tests/unit/loading.h"
#include "tests/unit/stacks.h"
#include "tui/command.h"
#include "tui/state.h"

/* ---- profiles --------------------------------------------------------------------------------------------------- */

static const char folded[] = "main;parse;lex 40\n"
							 "main;parse;lex;lex 7\n"
							 "main;parse;std::vector<std::map<int, std::string>>::push_back 12\n"
							 "main;eval;eval;eval;apply 30\n"
							 "main;eval;gc 1\n"
							 "main;eval;tiny1 1\n"
							 "main;eval;tiny2 1\n"
							 "main 5\n"
							 "漢字の名前;e\xcc\x81tude;main 9\n"
							 "idle 100\n";

static const char before[] = "main;parse;lex 90\n"
							 "main;eval;apply 10\n"
							 "main;gone;away 55\n"
							 "idle 80\n";

/* Three threads of two processes, two events, a sample each millisecond. */
static void add_perf_text(struct buf *out)
{
	static const char *const tasks[] = {"web 10/10", "web 10/11", "db 20/20"};
	static const char *const leaves[] = {"copy", "checksum", "send", "write"};
	for (unsigned i = 0; i < 300; i++) {
		buf_addf(out, "%s [000] %u.%06u: %u %s: \n", tasks[i * 7 % 3], i / 100, i % 100 * 10000, 1000 + i,
		         i % 5 ? "cycles" : "page-faults");
		buf_addf(out, "\t401000 %s+0x10 (/usr/bin/app)\n", leaves[i / 3 % 4]);
		if (i % 4)
			buf_adds(out, "\t401100 middle+0x10 (/usr/bin/app)\n");
		buf_adds(out, "\t401200 main+0x10 (/usr/bin/app)\n\n");
	}
}

/* One stack that is very deep, beside very many that are narrow. */
static void add_extreme_text(struct buf *out)
{
	for (unsigned i = 0; i < 6000; i++)
		buf_addf(out, "%sframe%u", i ? ";" : "", i % 100);
	buf_adds(out, " 50\n");
	for (unsigned i = 0; i < 3000; i++)
		buf_addf(out, "wide;child%u;leaf%u 1\n", i, i % 10);
	buf_adds(out, "wide;");
	buf_pad(out, 'n', 2000);
	buf_adds(out, " 20\n");
}

enum shape { SHAPE_FOLDED, SHAPE_DIFF, SHAPE_PERF, SHAPE_EXTREME, SHAPE_EMPTY, N_SHAPES };
static const char *const shape_names[] = {"folded stacks", "a comparison", "threads and times",
                                          "deep and wide stacks", "nothing at all"};

static struct profile *make_profile(enum shape shape)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	struct buf text;
	buf_init(&text);
	if (shape == SHAPE_PERF) {
		add_perf_text(&text);
		if (!load_as(p, "perf", buf_str(&text)))
			bail_out("the profile was not read");
	} else {
		profile_init(p);
		if (shape == SHAPE_EXTREME)
			add_extreme_text(&text);
		stacks_add(p, 0, shape == SHAPE_EMPTY ? "" : shape == SHAPE_EXTREME ? buf_str(&text) : folded);
		if (shape == SHAPE_DIFF)
			stacks_add(p, 1, before);
	}
	buf_deinit(&text);
	return p;
}

/* ---- the interface ---------------------------------------------------------------------------------------------- */

#define LAST_EVENTS 60u

struct fixture {
	struct options options;
	struct theme theme;
	struct app app;
	struct load_input input;
	const char *diffs[1];
	struct buf typed; /* names of the last events, for a failure's report */
	size_t starts[LAST_EVENTS], n_events;
	uint64_t seed;
	char why[512];
};

static void open_it(struct fixture *f, enum shape shape, enum color_depth depth, bool ascii)
{
	struct err err = {0};
	*f = (struct fixture){.input = {.path = "test.folded", .fd = -1}, .diffs = {"before.folded"}};
	recipe_init(&f->options.recipe);
	theme_init(&f->theme, depth, ascii, false);
	state_init(&f->app, &f->options, &f->input, 1, &f->theme);
	if (shape == SHAPE_DIFF) {
		f->options.diffs = f->diffs;
		f->options.n_diffs = 1;
	}
	if (!state_set_profile(&f->app, make_profile(shape), &err))
		bail_out("%s", err.text);
	state_resize(&f->app, 80, 24);
	state_refresh(&f->app);
	buf_init(&f->typed);
}

static void close_it(struct fixture *f)
{
	state_deinit(&f->app);
	recipe_deinit(&f->options.recipe);
	buf_deinit(&f->typed);
}

/* ---- what always holds ------------------------------------------------------------------------------------------ */

static bool wrong(struct fixture *f, const char *what)
{
	if (f->why[0] == '\0')
		snprintf(f->why, sizeof f->why, "%s", what);
	return false;
}

static uint64_t weight_of_side(const struct app *app, unsigned side)
{
	const struct profile *p = app->profile;
	int32_t series = fold_series(p, &app->view.recipe, side);
	return series >= 0 && (size_t)series < p->n_series ? p->series[series].total[side] : p->log[side].total;
}

static bool tree_holds(struct fixture *f)
{
	const struct view *v = &f->app.view;
	const struct tree *t = &v->tree;
	char text[256], why[sizeof f->why];
	if (!tree_check(t, text, sizeof text)) {
		snprintf(why, sizeof why, "the tree: %s", text);
		return wrong(f, why);
	}
	uint64_t whole = tree_total(t, NODE_ALL) + t->excluded[0], expected = weight_of_side(&f->app, 0);
	if (!v->recipe.swap_sides && whole != expected) {
		snprintf(why, sizeof why, "%llu shown and %llu excluded are not %llu",
		         (unsigned long long)tree_total(t, NODE_ALL), (unsigned long long)t->excluded[0],
		         (unsigned long long)expected);
		return wrong(f, why);
	}
	return true;
}

static bool place_holds(struct fixture *f)
{
	const struct app *app = &f->app;
	const struct view *v = &app->view;
	if (v->zoom >= v->tree.n || v->cursor >= v->tree.n)
		return wrong(f, "zoom or cursor is no frame of the tree");
	if (!tree_is_below(&v->tree, v->cursor, v->zoom))
		return wrong(f, "the cursor is outside of the zoom");
	for (size_t i = 0; i < v->n_back; i++)
		if (v->back[i] >= v->tree.n)
			return wrong(f, "a zoom to go back to is no frame of the tree");
	if (app->tab == TAB_TOP && app->top.n_rows > 0 &&
	    (app->top.cursor >= app->top.n_rows || app->top.scroll >= app->top.n_rows))
		return wrong(f, "the table's cursor is outside of it");
	if (app->tab == TAB_CALLS && (app->calls.n == 0 || app->calls.scroll >= app->calls.n))
		return wrong(f, "the call tree's cursor is outside of it");
	if (app->tab == TAB_SANDWICH && app->sandwich.stamp &&
	    app->sandwich.cursor >= app->sandwich.trees[app->sandwich.half].n)
		return wrong(f, "the sandwich's cursor is outside of it");
	return true;
}

static bool rows_hold(struct fixture *f)
{
	size_t first, last, all;
	state_pane(&f->app)->rows(&f->app, &first, &last, &all);
	if (last > all || (all > 0 && (first < 1 || first > last)) || (all == 0 && last > 0))
		return wrong(f, "rows shown are not among the rows there are");
	return true;
}

static bool cell_holds(struct fixture *f, int row, int col)
{
	const struct grid *g = &f->app.grid;
	uint32_t cp = grid_at(g, row, col)->cp;
	if (cp == 0)
		return col > 0 && utf8_width(grid_at(g, row, col - 1)->cp) == 2 ? true : wrong(f, "half a wide character");
	if (cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp > 0x10FFFF)
		return wrong(f, "a cell holds what no terminal shows");
	if (f->app.theme.ascii && cp > 0x7E)
		return wrong(f, "a cell holds what is not ASCII");
	if (utf8_width(cp) == 2 && (col + 1 >= g->cols || grid_at(g, row, col + 1)->cp != 0))
		return wrong(f, "a wide character without its right half");
	return true;
}

static bool picture_holds(struct fixture *f)
{
	struct grid *g = &f->app.grid;
	for (int row = 0; row < g->rows; row++)
		for (int col = 0; col < g->cols; col++)
			if (!cell_holds(f, row, col))
				return false;
	if (g->cursor_row >= g->rows || g->cursor_col >= g->cols || g->cursor_col < 0)
		return wrong(f, "the terminal's cursor is outside of the screen");
	return true;
}

/* The same state gives the same picture. */
static bool repaints_the_same(struct fixture *f)
{
	struct grid *g = &f->app.grid;
	size_t n = (size_t)g->rows * (size_t)g->cols;
	struct cell *was = mem_alloc((n ? n : 1) * sizeof *was);
	memcpy(was, g->cells, n * sizeof *was);
	state_refresh(&f->app);
	state_paint(&f->app);
	size_t i = 0;
	while (i < n && cell_equal(&was[i], &g->cells[i]))
		i++;
	char why[128];
	snprintf(why, sizeof why, "painted again it looks different: in row %zu, column %zu U+%04X was U+%04X",
	         i / (size_t)g->cols, i % (size_t)g->cols, i < n ? g->cells[i].cp : 0, i < n ? was[i].cp : 0);
	free(was);
	return i == n ? true : wrong(f, why);
}

static bool all_holds(struct fixture *f, bool paint_twice)
{
	if (!tree_holds(f) || !place_holds(f))
		return false;
	state_paint(&f->app);
	return rows_hold(f) && picture_holds(f) && (!paint_twice || repaints_the_same(f));
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void remember(struct fixture *f, const char *name, size_t len)
{
	f->starts[f->n_events++ % LAST_EVENTS] = f->typed.len;
	buf_add(&f->typed, name, len);
}

static void remember_event(struct fixture *f, const struct event *e)
{
	struct buf name;
	buf_init(&name);
	if (e->kind == EVENT_KEY)
		key_add_name(&name, e->key);
	else
		buf_addf(&name, "{button %d, action %d, row %d, column %d}", (int)e->button, (int)e->action, e->row,
		         e->col);
	remember(f, name.data, name.len);
	buf_deinit(&name);
}

/* Whatever is written is written here: a path with a slash could lead elsewhere. */
static bool is_harmless(const struct app *app, const struct event *e)
{
	return !(prompt_is_open(&app->prompt) && app->prompt.kind->id == PROMPT_WRITE && e->key == '/');
}

static void send(struct fixture *f, const struct event *e, uint64_t now)
{
	struct app *app = &f->app;
	if (!is_harmless(app, e))
		return;
	remember_event(f, e);
	state_event(app, e, now);
	state_refresh(app);
	app->end = END_NOT;
	app->wants_copy = app->wants_redraw = app->wants_suspend = false;
	free(app->edit_file);
	app->edit_file = NULL;
}

static void type(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		send(f, &e, 0);
}

static void report(struct fixture *f, const char *what)
{
	size_t from = f->n_events > LAST_EVENTS ? f->starts[f->n_events % LAST_EVENTS] : 0;
	diag("%s: %s", what, f->why);
	diag("%dx%d, after %zu events, the last of them: %.*s", f->app.grid.cols, f->app.grid.rows, f->n_events,
	     (int)(f->typed.len - from), f->typed.data + from);
}

/* ---- every key on top of everything ----------------------------------------------------------------------------- */

static const uint32_t special_keys[] = {
	K_TAB,       K_ENTER,  K_ESC,    K_BACKSPACE, K_UP, K_DOWN, K_LEFT, K_RIGHT, K_HOME, K_END,  K_PAGE_UP,
	K_PAGE_DOWN, K_INSERT, K_DELETE, K_BACKTAB,   K_F1, K_F12,  1,      2,       4,      5,      6,
	11,          12,       14,       16,          21,   23,     0xE9,   0x6F22,  0x0301, 0x1F600};
#define N_SPECIAL (sizeof special_keys / sizeof *special_keys)

static const char *const layers[] = {
	"",    "?",  "T", "e",   "V",   "L",  "s",      "M",   "m",        "m<Enter>",  "d",         "a",
	"/",   "/a", "&", "&a",  "H",   "w",  "wx.txt", "T/w", "?/zo",     "/m<Enter>", "kk<Enter>", "xxL",
	"kkI", "t",  "5", "DDD", "kkF", "Fx", "i",      "kk#", "++++++++", "B",         "R"};
#define N_LAYERS (sizeof layers / sizeof *layers)

static uint32_t any_key(size_t i)
{
	return i < N_SPECIAL ? special_keys[i] : (uint32_t)(' ' + i - N_SPECIAL);
}
#define N_KEYS (N_SPECIAL + '~' - ' ' + 1)

static void clear_away(struct fixture *f)
{
	type(f, "<Esc><Esc><Esc><Esc>q1r<Esc><Esc>");
	f->app.view.is_inverted = false;
}

static void every_key(enum shape shape)
{
	struct fixture f;
	bool held = true;
	open_it(&f, shape, DEPTH_256, shape == SHAPE_DIFF);
	/* Deep stacks take longer to fold, and find the same. */
	size_t step = shape == SHAPE_EXTREME ? 13 : shape == SHAPE_PERF ? 3 : 2, at = 0;
	for (unsigned tab = 0; tab < N_TABS && held; tab++)
		for (size_t layer = 0; layer < N_LAYERS && held; layer++)
			for (size_t i = at++ % step; i < N_KEYS && held; i += step) {
				struct event e = {.kind = EVENT_KEY, .key = any_key(i)};
				char view[2] = {(char)('1' + tab), '\0'};
				clear_away(&f);
				type(&f, view);
				type(&f, layers[layer]);
				send(&f, &e, 0);
				held = all_holds(&f, i % 16 == 0);
			}
	if (!ok(held, "every key on top of everything: %s", shape_names[shape]))
		report(&f, shape_names[shape]);
	close_it(&f);
}

/* ---- chance ----------------------------------------------------------------------------------------------------- */

static uint32_t key_of_table(struct fixture *f)
{
	return f->app.keymap_keys[chance(&f->seed, (uint32_t)f->app.n_keymap)];
}

static void random_mouse(struct fixture *f, struct event *e)
{
	e->kind = EVENT_MOUSE;
	e->button = (enum mouse_button)chance(&f->seed, MOUSE_NONE + 1);
	e->action = (enum mouse_action)chance(&f->seed, 4);
	if (e->action > MOUSE_DRAG)
		e->action = MOUSE_PRESS;
	e->row = (int)chance(&f->seed, (uint32_t)f->app.grid.rows + 2);
	e->col = (int)chance(&f->seed, (uint32_t)f->app.grid.cols + 2);
}

static void random_resize(struct fixture *f)
{
	static const int sizes[][2] = {{80, 24}, {200, 50}, {40, 12}, {500, 20}, {1, 1}, {2, 3}, {10, 4}, {120, 9}};
	uint32_t i = chance(&f->seed, 12);
	int cols = i < 8 ? sizes[i][0] : 1 + (int)chance(&f->seed, 130),
		rows = i < 8 ? sizes[i][1] : 1 + (int)chance(&f->seed, 60);
	char text[32];
	snprintf(text, sizeof text, "{%dx%d}", cols, rows);
	remember(f, text, strlen(text));
	state_resize(&f->app, cols, rows);
	state_refresh(&f->app);
}

static void random_step(struct fixture *f)
{
	struct event e = {.kind = EVENT_KEY};
	uint32_t kind = chance(&f->seed, 100);
	if (kind < 2) {
		random_resize(f);
		return;
	}
	if (kind < 12)
		random_mouse(f, &e);
	else if (kind < 30)
		e.key = any_key(chance(&f->seed, N_KEYS));
	else if (kind < 33)
		e.key = 'r'; /* filters and zooms would pile up until nothing is left */
	else if (kind < 36)
		e.key = K_ESC;
	else
		e.key = key_of_table(f);
	e.is_pasted = e.kind == EVENT_KEY && chance(&f->seed, 50) == 0;
	send(f, &e, chance(&f->seed, 3) ? f->n_events * 10 : 0);
	prompt_settle(&f->app.prompt, &f->app);
	state_refresh(&f->app);
}

/* The profile grows, as it does while it is loading. */
static void grow(struct fixture *f, enum shape shape)
{
	struct err err = {0};
	struct profile *p = make_profile(shape);
	if (shape == SHAPE_FOLDED && chance(&f->seed, 2))
		stacks_add(p, 0, "new;ones 30\nmain;eval;gc 40\n");
	remember(f, "{grown}", 7);
	state_set_profile(&f->app, p, &err);
	state_refresh(&f->app);
}

static void by_chance(enum shape shape, size_t steps, uint64_t seed)
{
	static const enum color_depth depths[] = {DEPTH_TRUE, DEPTH_256, DEPTH_16, DEPTH_MONO};
	struct fixture f;
	bool held = true;
	open_it(&f, shape, depths[shape % 4], shape == SHAPE_PERF);
	f.seed = seed * 1000003 + (uint64_t)shape;
	for (size_t i = 0; i < steps && held; i++) {
		if (i % 97 == 96)
			grow(&f, shape);
		else
			random_step(&f);
		held = all_holds(&f, i % 8 == 0);
	}
	if (!ok(held, "%zu keys and clicks by chance: %s", steps, shape_names[shape]))
		report(&f, shape_names[shape]);
	close_it(&f);
}

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);
	return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static void remove_all(const char *dir)
{
	DIR *d = opendir(".");
	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		if (e->d_name[0] != '.' || (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0))
			unlink(e->d_name);
	if (d)
		closedir(d);
	if (chdir("/") != 0 || rmdir(dir) != 0)
		diag("%s is left behind", dir);
}

int main(void)
{
	char dir[] = "/tmp/flametop-test-XXXXXX";
	unsigned long steps = from_environment("TUI_RANDOM", 1500), seed = from_environment("TUI_RANDOM_SEED", 1);
	setlocale(LC_CTYPE, "C.UTF-8");
	/* `w` is among the keys. */
	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		bail_out("no directory to work in");
	for (int shape = 0; shape < N_SHAPES; shape++) {
		every_key((enum shape)shape);
		by_chance((enum shape)shape, shape == SHAPE_EXTREME ? steps / 5 : steps, seed);
	}
	remove_all(dir);
	return done_testing();
}
