/*
 * viewing.h - the interface without a terminal: profiles, events, and checks of what always holds.
 */
#ifndef TESTS_UNIT_VIEWING_H
#define TESTS_UNIT_VIEWING_H

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "model/selection.h"
#include "tests/tap.h"
#include "tests/unit/loading.h"
#include "tests/unit/stacks.h"
#include "tui/calls.h"
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

#define VIEWING_FN __attribute__((unused)) static

/* ---- profiles ------------------------------------------------------------------------------------------------ */

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

/* One very deep stack next to very many narrow ones. */
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

/* Functions of a few names in several modules and files. */
static void add_modules_text(struct buf *out)
{
	static const char *const modules[] = {"/bin/app", "/lib/libc.so.6", "/lib/ld.so", "[unknown]"};
	static const char *const names[] = {"main", "malloc", "app", "org.acme.Pool.get"};
	for (unsigned i = 0; i < 200; i++) {
		buf_addf(out, "app 7/7 [000] %u.%06u: %u cycles: \n", i / 100, i % 100 * 10000, 10 + i % 7);
		for (unsigned k = 0; k <= i % 5; k++)
			buf_addf(out, "\t%16x %s+0x1 (%s)\n", 4096 + i * k, names[i * (k + 3) % 4], modules[i / (k + 1) % 4]);
		buf_adds(out, "\t            1000 main+0x10 (/bin/app)\n\n");
	}
}

static struct symbol a_name(const char *text)
{
	return (struct symbol){.name = text, .len = (uint32_t)strlen(text)};
}

/* Stacks of a few functions, labelled with users and sizes; some have no label, some two of a key. */
static void add_labels(struct profile *p)
{
	static const char *const names[] = {"main", "parse", "eval", "lex", "gc"};
	static const char *const users[] = {"alice", "bob, a=b", "(*NAME)x\n", "漢字"};
	p->tags = tags_new();
	for (uint32_t i = 0; i < 120; i++) {
		uint32_t path = PATH_ROOT, tags[3], n = 0;
		for (uint32_t k = 0; k <= i % 4; k++)
			path = profile_child(p, path, symtab_intern(&p->symtab, names[i * k % 5], strlen(names[i * k % 5])));
		if (i % 7)
			tags[n++] = tags_add_text(p->tags, a_name("user"), a_name(users[i % 4]));
		if (i % 7 == 3)
			tags[n++] = tags_add_text(p->tags, a_name("user"), a_name(users[i % 3]));
		if (i % 3 == 0)
			tags[n++] = tags_add_number(p->tags, a_name("k=y;"), 512 << i % 5, a_name("bytes"));
		struct sample s = {.weight = 1 + i % 9, .time = NO_TIME, .cpu = NO_CPU};
		s.tags = tags_add_set(p->tags, tags, n);
		profile_add(p, 0, path, &s);
	}
}

enum shape {
	SHAPE_FOLDED,
	SHAPE_DIFF,
	SHAPE_PERF,
	SHAPE_MODULES,
	SHAPE_LABELS,
	SHAPE_EXTREME,
	SHAPE_EMPTY,
	N_SHAPES
};
VIEWING_FN const char *const shape_names[] = {"folded stacks", "a comparison", "threads and times",
                                              "modules",       "labels",       "deep and wide stacks",
                                              "nothing at all"};

static struct profile *make_profile(enum shape shape)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	struct buf text;
	buf_init(&text);
	if (shape == SHAPE_PERF || shape == SHAPE_MODULES) {
		shape == SHAPE_PERF ? add_perf_text(&text) : add_modules_text(&text);
		if (!load_as(p, "perf", buf_str(&text)))
			bail_out("the profile was not read");
	} else {
		profile_init(p);
		if (shape == SHAPE_LABELS)
			add_labels(p);
		if (shape == SHAPE_EXTREME)
			add_extreme_text(&text);
		stacks_add(p, 0,
		           shape == SHAPE_EMPTY || shape == SHAPE_LABELS ? ""
		           : shape == SHAPE_EXTREME                      ? buf_str(&text)
		                                                         : folded);
		if (shape == SHAPE_DIFF)
			stacks_add(p, 1, before);
	}
	buf_deinit(&text);
	return p;
}

/* ---- the interface ------------------------------------------------------------------------------------------- */

#define LAST_EVENTS 60u

struct fixture {
	struct options options;
	struct theme theme;
	struct app app;
	struct load_input input;
	const char *diffs[1];
	struct buf typed; /* names of the last events, for failure reports */
	size_t starts[LAST_EVENTS], n_events;
	uint64_t seed;
	char why[512];
	bool takes_paths; /* of files to write, with slashes */
	int wake[2];      /* tests with work in the background */
};

VIEWING_FN void open_it(struct fixture *f, enum shape shape, enum color_depth depth, bool ascii)
{
	struct err err = {0};
	*f = (struct fixture){.input = {.path = "test.folded", .fd = -1}, .diffs = {"before.folded"}};
	recipe_init(&f->options.recipe);
	shown_options_init(&f->options.shown);
	theme_init(&f->theme, depth, ascii, false);
	viewer_open(&f->app, &f->options, &f->input, 1, &f->theme);
	if (shape == SHAPE_DIFF) {
		f->options.diffs = f->diffs;
		f->options.n_diffs = 1;
	}
	if (!refresh_profile(&f->app, make_profile(shape), &err))
		bail_out("%s", err.text);
	refresh_size(&f->app, 80, 24);
	app_refresh(&f->app);
	buf_init(&f->typed);
}

static void close_it(struct fixture *f)
{
	viewer_close(&f->app);
	recipe_deinit(&f->options.recipe);
	buf_deinit(&f->typed);
}

/* ---- what always holds --------------------------------------------------------------------------------------- */

static bool wrong(struct fixture *f, const char *what)
{
	if (f->why[0] == '\0')
		snprintf(f->why, sizeof f->why, "%s", what);
	return false;
}

static uint64_t weight_of_side(const struct app *app, unsigned side)
{
	const struct profile *p = app->profile;
	int32_t series = selection_series(p, &app->view.recipe, side);
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
	/* While the next tree is made, this one is of the recipe before. */
	if (!v->recipe.swap_sides && !app_is_folding(&f->app) && whole != expected) {
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
	if (app->tab == TAB_TOP && app->top->table.n_rows > 0 &&
	    (app->top->cursor >= app->top->table.n_rows || app->top->scroll >= app->top->table.n_rows))
		return wrong(f, "the table's cursor is outside of it");
	if (app->tab == TAB_CALLS && (app->calls->list.n == 0 || app->calls->scroll >= app->calls->list.n))
		return wrong(f, "the call tree's cursor is outside of it");
	if (app->tab == TAB_SANDWICH && app->sandwich->stamp &&
	    app->sandwich->cursor >= app->sandwich->halves.trees[app->sandwich->half].n)
		return wrong(f, "the sandwich's cursor is outside of it");
	return true;
}

/* Boxes are of the halves that are there, and of the screen's width. */
static bool halves_hold(struct fixture *f)
{
	const struct sandwich *s = f->app.sandwich;
	bool is_drawn = f->app.tab == TAB_SANDWICH && s->made.symbol == s->symbol && s->made.tree == f->app.tree_stamp;
	for (int half = 0; half < 2; half++) {
		const struct layout *l = &s->layouts[half];
		for (size_t i = 0; i < l->n; i++)
			if (l->boxes[i].node >= s->halves.trees[half].n || l->boxes[i].last >= s->halves.trees[half].n)
				return wrong(f, "a box of the sandwich is of a frame that is no more");
		if (is_drawn && (int)l->width != (f->app.body.cols > 0 ? f->app.body.cols : 1))
			return wrong(f, "the sandwich is drawn for another width");
	}
	return true;
}

static bool rows_hold(struct fixture *f)
{
	size_t first, last, all;
	app_pane(&f->app)->rows(&f->app, &first, &last, &all);
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
		return wrong(f, "a cell is not ASCII");
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
	app_refresh(&f->app);
	paint(&f->app);
	size_t i = 0;
	while (i < n && cell_equal(&was[i], &g->cells[i]))
		i++;
	char why[128];
	snprintf(why, sizeof why, "painted again it looks different: in row %zu, column %zu U+%04X was U+%04X",
	         i / (size_t)g->cols, i % (size_t)g->cols, i < n ? g->cells[i].cp : 0, i < n ? was[i].cp : 0);
	free(was);
	return i == n ? true : wrong(f, why);
}

VIEWING_FN bool all_holds(struct fixture *f, bool paint_twice)
{
	if (!tree_holds(f) || !place_holds(f) || !halves_hold(f))
		return false;
	paint(&f->app);
	return rows_hold(f) && picture_holds(f) && (!paint_twice || repaints_the_same(f));
}

/* ---- events -------------------------------------------------------------------------------------------------- */

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

/* All files are written here: a path with a slash could lead elsewhere. */
static bool is_harmless(const struct fixture *f, const struct event *e)
{
	const struct app *app = &f->app;
	return f->takes_paths ||
	       !(prompt_is_open(&app->prompt) && app->prompt.kind->id == PROMPT_WRITE && e->key == '/');
}

static void send(struct fixture *f, const struct event *e, uint64_t now)
{
	struct app *app = &f->app;
	if (!is_harmless(f, e))
		return;
	remember_event(f, e);
	input_event(app, e, now);
	app_refresh(app);
	app->end = END_NOT;
	app->wants_redraw = app->wants_suspend = false;
	free(app->edit_file);
	app->edit_file = NULL;
}

VIEWING_FN void type(struct fixture *f, const char *keys)
{
	struct event e = {.kind = EVENT_KEY};
	while (key_parse(&keys, &e.key, NULL))
		send(f, &e, 0);
}

VIEWING_FN void report(struct fixture *f, const char *what)
{
	size_t from = f->n_events > LAST_EVENTS ? f->starts[f->n_events % LAST_EVENTS] : 0;
	diag("%s: %s", what, f->why);
	diag("%dx%d, after %zu events, the last of them: %.*s", f->app.grid.cols, f->app.grid.rows, f->n_events,
	     (int)(f->typed.len - from), f->typed.data + from);
}

/* The profile grows, as it does while it is loading. */
VIEWING_FN void grow(struct fixture *f, enum shape shape)
{
	struct err err = {0};
	struct profile *p = make_profile(shape);
	if (shape == SHAPE_FOLDED && chance(&f->seed, 2))
		stacks_add(p, 0, "new;ones 30\nmain;eval;gc 40\n");
	remember(f, "{grown}", 7);
	refresh_profile(&f->app, p, &err);
	app_refresh(&f->app);
}

#endif
