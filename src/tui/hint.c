/*
 * hint.c - chooses key hints for the foot of the screen.
 *
 *	? help  n next match  Esc end search  Enter zoom  Tab views ...
 *
 * There is room for a few keys, for a newcomer who wonders what to do. So they follow the situation: a search, a
 * zoom, a filter or a comparison puts its keys to the front. Each row of the table says when it is useful; keys are
 * looked up, as the configuration file may have bound others. Hints do not change while the cursor moves, because a
 * text that jumps is not read; and they are bold, not coloured, so that they take no more bytes than a step of the
 * cursor.
 */
#include "tui/hint.h"

#include <string.h>

#include "tui/app.h"
#include "tui/flame.h"
#include "tui/lines.h"
#include "tui/sandwich.h"
#include "tui/top.h"

/* The situation; several bits may be set. */
enum situation {
	AT_ROOT = 1, /* the cursor is on the zoomed frame */
	ON_MANY = 2, /* it is on a cell of many frames */
	SEARCHING = 4,
	ZOOMED = 8,    /* there is something to go back to; in the sandwich: a function */
	FILTERED = 16, /* filtered by patterns */
	COMPARING = 32,
	CHART = 64,
	HAS_TASKS = 128, /* there are threads, and none is chosen */
	LIVE = 256,
	EMPTY = 512,
	ROWS_FILTERED = 1024, /* rows of the table */
	PARTIAL = 2048,       /* one thread or part of the time */
	EXCLUDING = 4096,     /* samples are left out */
	LANES = 8192,         /* a chart with a time axis */
	HAS_LINES = 16384,    /* samples have lines */
	FROZEN = 32768,
};

struct hint {
	const char *command; /* a name from command.c; other text is shown as it is */
	const char *what;
	unsigned where; /* ON(tab) bits */
	unsigned if_all_of, if_none_of;
};

#define FLAME ON(TAB_FLAME)
#define TOP ON(TAB_TOP)
#define SANDWICH ON(TAB_SANDWICH)
#define CALLS ON(TAB_CALLS)
#define LINES ON(TAB_LINES)
#define NOT(places) (ON_VIEWS & ~(places))

static const struct hint hints[] = {
	{"help", "help", ON_VIEWS, 0, 0},
	{"freeze", "freeze", ON_VIEWS, LIVE, FROZEN},
	{"freeze", "go on", ON_VIEWS, FROZEN, 0},
	{"filters", "filters", ON_VIEWS, EMPTY | FILTERED, 0},
	{"reset", "show all", ON_VIEWS, EMPTY | EXCLUDING, 0},
	{"next", "next match", ON_VIEWS, SEARCHING, EMPTY},
	{"escape", "end search", NOT(TOP), SEARCHING, EMPTY},
	{"escape", "all rows", TOP, ROWS_FILTERED, EMPTY},
	{"arrows", "move", FLAME, AT_ROOT, ZOOMED | EMPTY}, /* the next two are as wide as this one */
	{"zoom", "list ", FLAME, ON_MANY, EMPTY},
	{"zoom", "zoom ", FLAME, 0, AT_ROOT | ON_MANY | EMPTY},
	{"zoom", "show", TOP, 0, EMPTY},
	{"zoom", "to the middle", SANDWICH, 0, EMPTY},
	{"right", "open", CALLS, 0, EMPTY},
	{"left", "close", CALLS, 0, EMPTY},
	{"hot-path", "heaviest path", CALLS, 0, EMPTY},
	{"zoom", "open", LINES, 0, EMPTY},
	{"cooler", "next line", LINES, 0, EMPTY},
	{"source", "editor", LINES, 0, EMPTY},
	{"back", "back", ON_VIEWS, ZOOMED, EMPTY},
	{"changes", "what changed", ON_VIEWS, COMPARING, EMPTY},
	{"diff", "modes", ON_VIEWS, COMPARING, EMPTY},
	{"threads", "one thread", FLAME, CHART | HAS_TASKS, EMPTY},
	{"fold", "fold", FLAME, CHART | LANES, EMPTY},
	{"chart", "add up", FLAME, CHART, EMPTY},
	{"filter-table", "find", TOP, 0, EMPTY},
	{"sort-right", "sort", TOP, 0, EMPTY},
	{"search", "search", NOT(TOP | LINES), 0, SEARCHING | EMPTY},
	{"find-text", "find", LINES, 0, EMPTY},
	{"next-view", "views", ON_VIEWS, 0, EMPTY},
	{"quit", "quit", ON_VIEWS, 0, 0},
	{"lines", "lines", NOT(LINES), HAS_LINES, AT_ROOT | EMPTY},
	{"view-sandwich", "callers", NOT(SANDWICH), 0, AT_ROOT | EMPTY},
	{"exclude", "exclude", ON_VIEWS, 0, AT_ROOT | EMPTY},
	{"filters", "filters", ON_VIEWS, FILTERED, EMPTY},
	{"reset", "reset", ON_VIEWS, FILTERED, EMPTY},
	{"reset", "reset", ON_VIEWS, PARTIAL, FILTERED | EMPTY},
	{"write", "write", FLAME, AT_ROOT, EMPTY}, /* on a frame there are more useful hints */
	{"heaviest", "heaviest", FLAME, AT_ROOT, SEARCHING | ZOOMED | EMPTY},
	{"write", "write", NOT(FLAME), 0, EMPTY},
};

static const struct hint heat_hints[] = {
	{"help", "help", ON_HEAT, 0, 0},        {"arrows", "move", ON_HEAT, 0, 0},
	{"mark", "mark an end", ON_HEAT, 0, 0}, {"drag", "a range", ON_HEAT, 0, 0},
	{"reset", "all times", ON_HEAT, 0, 0},  {"quit", "close", ON_HEAT, 0, 0},
};

#define NO_KEY (-1)

static bool is_partial(const struct recipe *r)
{
	return r->pid || r->tid || r->comm || r->from || r->to || r->last || r->half_life;
}

static unsigned flag(bool is_so, unsigned bit)
{
	return is_so ? bit : 0;
}

/* What is under the cursor, and how the view got there. */
static unsigned place(const struct app *app)
{
	const struct view *v = &app->view;
	bool is_zoomed = app->tab == TAB_SANDWICH ? app->sandwich->n_past > 0
	                 : app->tab == TAB_LINES  ? app->lines->n_past > 0
	                                          : view_is_zoomed(v);
	return flag(v->cursor == v->zoom && app->tab == TAB_FLAME, AT_ROOT) | flag(flame_aggregate(app), ON_MANY) |
	       flag(is_zoomed, ZOOMED) | flag(app_has_nothing(app), EMPTY);
}

static unsigned data(const struct app *app)
{
	const struct view *v = &app->view;
	const struct recipe *r = &v->recipe;
	bool has_tasks = app->profile->n_tasks > 2 && !r->pid && !r->tid && !r->comm;
	return flag(view_is_diff(v), COMPARING) | flag(r->chart, CHART) | flag(v->tree.until, LANES) |
	       flag(has_tasks, HAS_TASKS) | flag(app_is_loading(app) && app->load.is_live, LIVE) |
	       flag(app->is_frozen, FROZEN) | flag(v->tree.excluded[0] > 0, EXCLUDING) |
	       flag(lines_are_known(app->profile), HAS_LINES);
}

static unsigned choice(const struct app *app)
{
	const struct view *v = &app->view;
	const struct recipe *r = &v->recipe;
	return flag(v->search.pattern, SEARCHING) | flag(r->n_filters > 0, FILTERED) | flag(is_partial(r), PARTIAL) |
	       flag(app->tab == TAB_TOP && app->top->filter, ROWS_FILTERED);
}

static unsigned situation(const struct app *app)
{
	return place(app) | data(app) | choice(app);
}

/* A command without a key makes no hint, but there is always a way out. "arrows" is no command. */
static bool add_key(const struct app *app, const struct hint *h, unsigned where, struct buf *out)
{
	if (!keymap_by_name(&app->keymap, h->command)) {
		buf_adds(out, h->command);
		return true;
	}
	return keymap_add_key(&app->keymap, where, h->command, out) ||
	       (strcmp(h->command, "quit") == 0 && where != ON_HEAT &&
	        keymap_add_key(&app->keymap, where, "interrupt", out));
}

/* Paints a hint if it fits; returns how many columns it took, or NO_KEY. 0: no room. */
static int paint_one(struct app *app, const struct hint *h, unsigned where, int row, int col, int end)
{
	struct grid *g = &app->grid;
	struct buf key;
	int used = 0;
	buf_init(&key);
	if (!add_key(app, h, where, &key)) {
		buf_deinit(&key);
		return NO_KEY;
	}
	int columns = (int)utf8_columns(key.data, key.len);
	if (col + columns + 1 + (int)strlen(h->what) <= end) {
		used = grid_text(g, row, col, end - col, app->theme.bold, key.data, key.len) + 1;
		used += grid_str(g, row, col + used, end - col - used, app->theme.plain, h->what);
	}
	buf_deinit(&key);
	return used;
}

void hint_paint(struct app *app, int row, int col, int end)
{
	bool is_heat = app->is_heat_open;
	const struct hint *table = is_heat ? heat_hints : hints;
	size_t n = is_heat ? sizeof heat_hints / sizeof *heat_hints : sizeof hints / sizeof *hints;
	unsigned now = situation(app), where = is_heat ? ON_HEAT : ON(app->tab);
	for (size_t i = 0; i < n; i++) {
		const struct hint *h = &table[i];
		if (!(h->where & where) || (now & h->if_all_of) != h->if_all_of || (now & h->if_none_of))
			continue;
		int used = paint_one(app, h, where, row, col, end);
		if (used == 0)
			return;
		col += used == NO_KEY ? 0 : used + 2;
	}
}
