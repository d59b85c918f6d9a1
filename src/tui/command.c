/*
 * command.c - the table of commands, and their functions.
 *
 *	{"zoom", "<Enter>", COMMANDS_ZOOM, ON_VIEWS | ON_LIST, "zoom into the frame", zoom},
 *
 * A new key is one row and one function: the key map, the help screen and the manual all read the table. A key with
 * different meanings in different places has a row for each.
 */
#include "tui/command.h"

#include <string.h>

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/beside.h"
#include "tui/calls.h"
#include "tui/change.h"
#include "tui/complete.h"
#include "tui/find.h"
#include "tui/flame.h"
#include "tui/heat.h"
#include "tui/hot.h"
#include "tui/lanes.h"
#include "tui/lines.h"
#include "tui/pick.h"
#include "tui/prompt.h"
#include "tui/quit.h"
#include "tui/refresh.h"
#include "tui/sandwich.h"
#include "tui/search.h"
#include "tui/send.h"
#include "tui/top.h"
#include "tui/wide.h"

/* ---- moving -------------------------------------------------------------------------------------------------- */

/* In a list of text to read, every motion is by lines. */
static long list_lines(const struct list *l, enum motion m)
{
	if (m == MOVE_TOP || m == MOVE_FIRST)
		return -LIST_FAR;
	if (m == MOVE_BOTTOM || m == MOVE_LAST)
		return LIST_FAR;
	return motion_lines(m, (long)l->height);
}

static unsigned move(struct app *app, int motion)
{
	enum motion m = (enum motion)motion;
	if (app->is_heat_open)
		heat_move(app, m);
	else if (app->list.is_open)
		list_move(&app->list, list_lines(&app->list, m));
	else
		app_pane(app)->move(app, m);
	return DIRTY_SCREEN;
}

static unsigned heaviest(struct app *app)
{
	hot_next(app);
	return DIRTY_SCREEN;
}

static unsigned hot_path(struct app *app)
{
	calls_hot_path(app);
	return DIRTY_SCREEN;
}

/* ---- zooming ------------------------------------------------------------------------------------------------- */

static unsigned enter(struct app *app)
{
	if (app->is_heat_open)
		heat_mark(app);
	else if (app->list.is_open)
		command_choose(app);
	else
		app_pane(app)->enter(app);
	return DIRTY_SCREEN;
}

/* Closes the overlay; false: there is none. */
static bool close_overlay(struct app *app)
{
	bool was_open = app->is_asking || app->is_heat_open || app->list.is_open;
	if (app->is_asking)
		quit_stay(app);
	else if (app->is_heat_open)
		app->is_heat_open = false;
	else
		list_close(&app->list);
	return was_open;
}

void command_choose(struct app *app)
{
	const struct list_item *item = list_selected(&app->list);
	list_close(&app->list);
	if (item && app->list.chosen)
		app->list.chosen(app, item);
}

static unsigned list_place(struct app *app)
{
	flame_open_place(app);
	return DIRTY_SCREEN;
}

unsigned command_back(struct app *app)
{
	if (close_overlay(app))
		return DIRTY_SCREEN;
	if (app->tab == TAB_LINES) {
		if (!lines_back(app))
			app_say(app, "no other function was shown before");
		return DIRTY_SCREEN;
	}
	if (app->tab == TAB_SANDWICH) { /* the zoom has no effect on it */
		if (!sandwich_back(app))
			app_say(app, "no other function was in the middle before");
		return DIRTY_SCREEN;
	}
	if (!view_is_zoomed(&app->view) && app->view.n_back == 0 && app->view.n_past_spans == 0)
		app_say(app, "not zoomed");
	return view_unzoom(&app->view);
}

static unsigned clear_search(struct app *app)
{
	search_for(app, NULL, MATCH_REGEX, NULL);
	return DIRTY_SCREEN;
}

/* Undoes one thing: a message or work in progress, a search, the zoom; it never ends the program. */
static unsigned escape(struct app *app)
{
	if (close_overlay(app))
		return DIRTY_SCREEN;
	if (app_can_stop_fold(app)) {
		refresh_stop_fold(app);
		return DIRTY_SCREEN;
	}
	if (app->tab == TAB_TOP && app->top->filter) {
		top_set_filter(app, NULL);
		return DIRTY_SCREEN;
	}
	if (app->view.search.pattern)
		return clear_search(app);
	if (app->tab == TAB_SANDWICH)
		sandwich_back(app);
	else if (view_is_zoomed(&app->view))
		return view_unzoom(&app->view);
	return DIRTY_SCREEN;
}

static unsigned reset(struct app *app)
{
	if (app->is_heat_open) {
		heat_forget_range(app);
		return DIRTY_SCREEN;
	}
	top_set_filter(app, NULL);
	if (app->loader)
		load_keep(app->loader, 0, 0);
	return view_reset(&app->view) | DIRTY_SCREEN;
}

/* ---- lists --------------------------------------------------------------------------------------------------- */

static void list_changed(struct app *app, const char *text)
{
	list_filter(&app->list, text);
}

static void list_cancelled(struct app *app)
{
	list_filter(&app->list, NULL);
}

static unsigned find_line(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_LIST, "find: ", list_changed, list_changed, list_cancelled};
	app_prompt(app, &kind, NULL);
	return DIRTY_SCREEN;
}

static unsigned remove_line(struct app *app)
{
	const struct list_item *item = list_selected(&app->list);
	if (item && app->list.removed)
		app->list.removed(app, item);
	return DIRTY_SCREEN;
}

static unsigned list_filters(struct app *app)
{
	pick_filter(app);
	return DIRTY_SCREEN;
}

/* ---- views --------------------------------------------------------------------------------------------------- */

static unsigned show(struct app *app, int tab)
{
	beside_open(app, (enum tab)tab);
	return DIRTY_SCREEN;
}

static unsigned show_lines(struct app *app)
{
	if (app->tab == TAB_FLAME && flame_aggregate(app))
		return list_place(app);
	return show(app, TAB_LINES);
}

/* Side by side, from one to the other. */
static unsigned show_next(struct app *app, int by)
{
	if (wide_has_both(app))
		return show(app, app->tab == TAB_FLAME ? TAB_TOP : TAB_FLAME);
	return show(app, ((int)app->tab + by + N_TABS) % N_TABS);
}

static unsigned beside(struct app *app)
{
	beside_toggle(app);
	return DIRTY_SCREEN;
}

static unsigned flip(struct app *app)
{
	app->view.is_inverted = !app->view.is_inverted;
	return DIRTY_SCREEN;
}

static unsigned reverse(struct app *app)
{
	if (recipe_has_callers(&app->view.recipe)) {
		app_say(app, "callers are merged from the leaves ({filters} removes that filter)");
		return 0;
	}
	app->view.recipe.reverse = !app->view.recipe.reverse;
	app_say(app, app->view.recipe.reverse ? "merged from the leaves: callers grow out of each function"
	                                      : "merged from the roots");
	return DIRTY_TREE;
}

static unsigned chart(struct app *app)
{
	struct recipe *r = &app->view.recipe;
	r->chart = !r->chart;
	app_say(app, view_has_time_axis(&app->view) ? "flame chart: left to right is time, a lane for each thread"
	             : r->chart                     ? "flame chart: in the order of the input"
	                                            : "flame graph: equal stacks merged");
	return DIRTY_TREE;
}

static unsigned axis(struct app *app)
{
	struct recipe *r = &app->view.recipe;
	if (!r->chart || !selection_has_times(app->profile, r)) {
		app_say(app, !r->chart                   ? "only a flame chart has a time axis ({chart})"
		             : app->profile->log[0].time ? "the samples of this event have no times"
		                                         : "the samples of this profile have no times");
		return 0;
	}
	r->axis = r->axis == AXIS_TIME ? AXIS_SAMPLES : AXIS_TIME;
	app_say(app, r->axis == AXIS_TIME ? "left to right is time: idle time is empty"
	                                  : "sample after sample, without gaps");
	return DIRTY_TREE;
}

static unsigned fold_lane(struct app *app)
{
	lanes_fold(app);
	return DIRTY_SCREEN;
}

static unsigned fold_lanes(struct app *app)
{
	lanes_fold_all(app);
	return DIRTY_SCREEN;
}

static unsigned sort(struct app *app)
{
	static const enum sort_order next[] = {
		[SORT_WEIGHT] = SORT_NAME, [SORT_NAME] = SORT_INPUT, [SORT_INPUT] = SORT_WEIGHT};
	static const char *const texts[] = {"siblings by name", "siblings by weight",
	                                    "siblings in the order of the input"};
	struct recipe *r = &app->view.recipe;
	if (r->chart) {
		app_say(app, "a flame chart has the order of the input ({chart} makes a flame graph)");
		return 0;
	}
	r->sort = next[r->sort];
	app_say(app, "%s%s", app->tab == TAB_CALLS ? "the heaviest first; of equal weight, " : "", texts[r->sort]);
	return DIRTY_TREE;
}

static unsigned group(struct app *app)
{
	struct recipe *r = &app->view.recipe;
	enum group_by before = r->group;
	do
		r->group = (enum group_by)((r->group + 1) % N_GROUPS);
	while (!group_is_known(&app->profile->symtab, r->group));
	if (r->group == before) {
		app_say(app, "the profile tells no modules, files or packages");
		return 0;
	}
	if (!change_say_uneven(app))
		app_say(app,
		        r->group == BY_FUNCTION ? "each function for itself" : "by %s: neighbours of one %s are one frame",
		        group_name(r->group), group_name(r->group));
	return DIRTY_TREE;
}

static unsigned sort_next(struct app *app, int by)
{
	top_sort_next(app, by);
	return DIRTY_SCREEN;
}

static unsigned sort_flip(struct app *app)
{
	top_flip(app);
	return DIRTY_SCREEN;
}

static const double shares[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};
#define N_SHARES ((int)(sizeof shares / sizeof *shares))

/* Moves to the nearest of them above or below the present value, which may be any number. */
static unsigned change_share(struct app *app, int by)
{
	double *share = &app->view.min_share;
	int i = by > 0 ? 0 : N_SHARES - 1;
	while (i >= 0 && i < N_SHARES && (by > 0 ? shares[i] <= *share : shares[i] >= *share))
		i += by;
	if (i >= 0 && i < N_SHARES)
		*share = shares[i];
	if (*share > 0)
		app_say(app, "frames of %g%% and more", *share);
	else
		app_say(app, "all frames");
	return DIRTY_LAYOUT;
}

static unsigned next_palette(struct app *app)
{
	struct export_options *e = &app->options->export_;
	app->theme.palette = e->palette = palette_next(app->theme.palette);
	e->has_palette = true;
	e->color_diffusion = false;
	app_say(app, "palette: %s, %s", palette_name(e->palette), palette_help(e->palette));
	return DIRTY_SCREEN;
}

/* The order: as the options say; by the other quantity; as the options say, with the baseline's widths; off. */
static void next_comparison(struct app *app)
{
	struct view *v = &app->view;
	struct recipe *r = &v->recipe;
	enum diff_quantity usual = options_quantity(app->options, v->profile);
	enum diff_quantity other = usual == DIFF_OF_SHARES ? DIFF_OF_WEIGHTS : DIFF_OF_SHARES;
	bool is_usual = r->quantity == usual, was_shown = !r->leaves_base, was_swapped = r->swap_sides;
	bool has_other = was_shown && !was_swapped && is_usual && !app->totals.basis.has_other_units;
	r->leaves_base = was_shown && was_swapped;
	r->swap_sides = was_shown && !was_swapped && !has_other;
	options_set_quantity(app->options, v, has_other ? other : usual);
}

static void say_comparison(struct app *app)
{
	const struct view *v = &app->view;
	bool has_other_units = app->totals.basis.has_other_units || v->has_other_units,
		 is_shown = !v->recipe.leaves_base;
	struct diff_basis b = {.is_swapped = v->recipe.swap_sides};
	b.quantity = has_other_units ? DIFF_OF_SHARES : v->recipe.quantity;
	struct buf text;
	buf_init(&text);
	if (is_shown)
		words_add_comparison(&text, &b);
	else
		buf_adds(&text, "differences off");
	if (is_shown && b.is_swapped)
		buf_adds(&text, ": shows what vanished");
	else if (is_shown && has_other_units)
		buf_adds(&text, ": the weights are of different units");
	app_say(app, "%s", buf_str(&text));
	buf_deinit(&text);
}

static unsigned diff(struct app *app)
{
	if (change_say_nothing(app))
		return 0;
	next_comparison(app);
	say_comparison(app);
	return DIRTY_TREE;
}

static unsigned changes(struct app *app)
{
	change_open_list(app);
	return DIRTY_SCREEN;
}

/* ---- data ---------------------------------------------------------------------------------------------------- */

static unsigned threads(struct app *app)
{
	pick_thread(app);
	return DIRTY_SCREEN;
}

static unsigned events(struct app *app)
{
	pick_event(app);
	return DIRTY_SCREEN;
}

static unsigned time_map(struct app *app)
{
	if (app->is_heat_open)
		app->is_heat_open = false;
	else
		heat_open(app);
	return DIRTY_SCREEN;
}

static unsigned window(struct app *app)
{
	pick_window(app);
	return DIRTY_SCREEN;
}

static unsigned freeze(struct app *app)
{
	bool is_running = app_is_loading(app) && !app->is_second_pass;
	if (!app->is_frozen && !is_running) {
		app_say(app, "nothing is coming in");
		return 0;
	}
	if (!app->is_frozen && app->profile->n_paths <= 1) {
		app_say(app, "nothing has been read yet");
		return 0;
	}
	app->is_frozen = !app->is_frozen;
	if (app->is_frozen)
		app_say(app, LIVE_FROZEN ", {freeze} shows them");
	else if (is_running) /* after the end, there are notes about the whole profile */
		app_say(app, LIVE_AGAIN);
	return DIRTY_SCREEN;
}

static unsigned notes(struct app *app)
{
	pick_notes(app);
	return DIRTY_SCREEN;
}

static unsigned show_stack(struct app *app)
{
	pick_stack(app);
	return DIRTY_SCREEN;
}

static unsigned write_view(struct app *app)
{
	quit_stay(app);
	return send_to_file(app);
}

/* ---- program ------------------------------------------------------------------------------------------------- */

static unsigned help(struct app *app)
{
	if (app->is_heat_open)
		heat_help(app);
	else
		pick_help(app);
	return DIRTY_SCREEN;
}

/* Closes the overlay; without one, ends the program. */
static unsigned quit(struct app *app)
{
	return !app->is_asking && close_overlay(app) ? DIRTY_SCREEN : quit_or_ask(app);
}

static unsigned interrupt(struct app *app)
{
	(void)app;
	return DIRTY_QUIT;
}

static unsigned suspend(struct app *app)
{
	app->wants_suspend = true;
	return DIRTY_SCREEN;
}

static unsigned redraw(struct app *app)
{
	app->wants_redraw = true;
	return DIRTY_SCREEN;
}

/* ---- prompts ------------------------------------------------------------------------------------------------- */

static unsigned edit(struct app *app, int what)
{
	prompt_edit(&app->prompt, app, (enum prompt_edit)what);
	return DIRTY_SCREEN;
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

#define NOT_TOP (ON_VIEWS & ~ON(TAB_TOP))
#define DRAWN (ON(TAB_FLAME) | ON(TAB_SANDWICH)) /* the other views list every frame */
#define ON_MAP (ON_VIEWS | ON_LIST | ON_HEAT)

/* The last columns of a row. */
#define DO(function) function, NULL, 0
#define WITH(function, argument) NULL, function, argument
#define SHOW(name, TAB, key, help) \
	{"view-" #name, key, COMMANDS_VIEW, ON_VIEWS, help, WITH(show, TAB_##TAB), LEAVES_VIEW},

const struct command commands[] = {
	{"left", "h <Left>", COMMANDS_MOVE, ON_VIEWS | ON_HEAT, "left, across parents; call tree: close",
     WITH(move, MOVE_LEFT), WAITS},
	{"down", "j <Down>", COMMANDS_MOVE, ON_MAP, "down", WITH(move, MOVE_DOWN), WAITS},
	{"up", "k <Up>", COMMANDS_MOVE, ON_MAP, "up; going deeper returns to the child last visited",
     WITH(move, MOVE_UP), WAITS},
	{"right", "l <Right>", COMMANDS_MOVE, ON_VIEWS | ON_HEAT, "right, across parents; call tree: open",
     WITH(move, MOVE_RIGHT), WAITS},
	{"parent", "u", COMMANDS_MOVE, ON_VIEWS, "to the parent", WITH(move, MOVE_PARENT), WAITS},
	{"top", "g", COMMANDS_MOVE, ON_MAP, "to the top", WITH(move, MOVE_TOP), WAITS},
	{"bottom", "G", COMMANDS_MOVE, ON_MAP, "to the bottom", WITH(move, MOVE_BOTTOM), WAITS},
	{"first", "^ <Home>", COMMANDS_MOVE, ON_MAP, "first sibling", WITH(move, MOVE_FIRST), WAITS},
	{"last", "$ <End>", COMMANDS_MOVE, ON_MAP, "last sibling", WITH(move, MOVE_LAST), WAITS},
	{"page-down", "f <Space> <PgDn> <C-f>", COMMANDS_MOVE, ON_MAP, "a page down", WITH(move, MOVE_PAGE_DOWN),
     WAITS},
	{"page-up", "b <PgUp> <C-b>", COMMANDS_MOVE, ON_MAP, "a page up", WITH(move, MOVE_PAGE_UP), WAITS},
	{"half-down", "<C-d>", COMMANDS_MOVE, ON_MAP, "half a page down", WITH(move, MOVE_HALF_DOWN), WAITS},
	{"half-up", "<C-u>", COMMANDS_MOVE, ON_MAP, "half a page up", WITH(move, MOVE_HALF_UP), WAITS},
	{"heaviest", "*", COMMANDS_MOVE, ON(TAB_FLAME), "to the heaviest function by self weight; again: the next one",
     DO(heaviest), WAITS},
	{"hot-path", "*", COMMANDS_MOVE, ON(TAB_CALLS), "call tree: open the heaviest path", DO(hot_path), WAITS},

	{"zoom", "<Enter>", COMMANDS_ZOOM, ON_VIEWS | ON_LIST,
     "zoom in; a cell of many frames: list them; table: light up; sandwich: to the middle; call tree: open",
     DO(enter), WAITS},
	{"lines", "a", COMMANDS_ZOOM, ON_VIEWS & ~ON(TAB_LINES),
     "the lines of the function; a cell of many frames: list them", DO(show_lines), LEAVES_VIEW},
	{"list", ".", COMMANDS_ZOOM, ON(TAB_FLAME), "list all frames that share the place of this one", DO(list_place),
     WAITS},
	{"hotter", "[", COMMANDS_MOVE, ON(TAB_LINES), "lines: to the next heavier line", WITH(lines_next_hot, true),
     WAITS},
	{"cooler", "]", COMMANDS_MOVE, ON(TAB_LINES), "lines: to the next lighter line", WITH(lines_next_hot, false),
     WAITS},
	{"back", "<BS>", COMMANDS_ZOOM, ON_MAP, "back one zoom; sandwich: the function before", DO(command_back),
     WAITS},
	{"escape", "<Esc>", COMMANDS_ZOOM, ON_MAP | ON_QUESTION,
     "close an overlay, stop, clear the search, or go back one", DO(escape), LEAVES_VIEW},
	{"reset", "r", COMMANDS_ZOOM, ON_VIEWS | ON_HEAT, "reset zoom, filters, times and order; heat map: all times",
     DO(reset), LEAVES_VIEW},
	{"mark", "<Enter> v", COMMANDS_ZOOM, ON_HEAT, "heat map: mark one end of a range, then the other", DO(enter),
     WAITS},

	{"filter-table", "/", COMMANDS_SEARCH, ON(TAB_TOP), "table: only rows that match", DO(find_rows), WAITS},
	{"instructions", "v", COMMANDS_VIEW, ON(TAB_LINES), "lines: the instructions of the function, or its lines",
     DO(lines_toggle_code), WAITS},
	{"find-text", "/", COMMANDS_SEARCH, ON(TAB_LINES), "lines: find in the source", DO(lines_search), WAITS},
	{"search", "/", COMMANDS_SEARCH, NOT_TOP & ~ON(TAB_LINES),
     "search as you type (regular expression, smart case)", DO(find), WAITS},
	{"find-line", "/", COMMANDS_SEARCH, ON_LIST, "list: only lines that match", DO(find_line), WAITS},
	{"next", "n", COMMANDS_SEARCH, ON_VIEWS, "next match by weight, in a chart by time; sandwich: drawn there",
     WITH(find_next, false), WAITS},
	{"previous", "N", COMMANDS_SEARCH, ON_VIEWS, "previous match", WITH(find_next, true), WAITS},
	{"search-selected", "#", COMMANDS_SEARCH, ON_VIEWS, "search the selected name", DO(find_selected), WAITS},

	{"keep", "&", COMMANDS_FILTER, ON_VIEWS, "only stacks with a frame that matches (empty: all again)",
     DO(find_keep), LEAVES_VIEW},
	{"exclude", "x", COMMANDS_FILTER, ON_VIEWS,
     "exclude stacks with the selected function, or all that the search matches", DO(find_exclude), WAITS},
	{"undo-filter", "X", COMMANDS_FILTER, ON_VIEWS, "undo the last filter", DO(find_undo), LEAVES_VIEW},
	{"focus", "F", COMMANDS_FILTER, ON_VIEWS, "only stacks with the selected function",
     WITH(find_filter_selected, FILTER_FOCUS), WAITS},
	{"hide", "H", COMMANDS_FILTER, ON_VIEWS, "hide matching frames, keep their weight", DO(find_hide), WAITS},
	{"callers", "U", COMMANDS_FILTER, ON_VIEWS, "all callers of the selected function; again: undo",
     WITH(find_half, FILTER_CALLERS), WAITS},
	{"callees", "B", COMMANDS_FILTER, ON_VIEWS, "the selected function and what it calls; again: undo",
     WITH(find_half, FILTER_CALLEES), WAITS},
	{"recursion", "R", COMMANDS_FILTER, ON_VIEWS, "direct recursion as one frame, or not", DO(find_recursion),
     LEAVES_VIEW},
	{"filters", "L", COMMANDS_FILTER, ON_VIEWS, "list the filters, remove any of them", DO(list_filters),
     LEAVES_VIEW},
	{"remove", "x <Del>", COMMANDS_FILTER, ON_LIST, "list of filters: remove the selected one", DO(remove_line),
     WAITS},

	{"next-view", "<Tab>", COMMANDS_VIEW, ON_VIEWS, "next view; side by side: the other one", WITH(show_next, 1),
     LEAVES_VIEW},
	{"previous-view", "<BackTab>", COMMANDS_VIEW, ON_VIEWS, "previous view", WITH(show_next, -1), LEAVES_VIEW},
	/* clang-format off */
	PANES(SHOW)
	/* clang-format on */
	{"beside", "S", COMMANDS_VIEW, ON_VIEWS, "graph and table side by side from 140 columns on, or one of them",
     DO(beside), LEAVES_VIEW},
	{"flip", "i", COMMANDS_VIEW, ON_VIEWS, "flip: flame (root below) or icicle (root above)", DO(flip),
     LEAVES_VIEW},
	{"reverse", "I", COMMANDS_VIEW, ON_VIEWS, "merge from the leaves, or from the roots", DO(reverse), LEAVES_VIEW},
	{"chart", "t", COMMANDS_VIEW, ON_VIEWS, "flame graph or flame chart (over time, or in the order of the input)",
     DO(chart), LEAVES_VIEW},
	{"axis", "A", COMMANDS_VIEW, ON_VIEWS, "flame chart: left to right is time, or sample after sample", DO(axis),
     LEAVES_VIEW},
	{"frames", "P", COMMANDS_VIEW, ON_VIEWS,
     "recordings of interpreters: the program's functions, all, the language's or native ones", DO(find_frames),
     LEAVES_VIEW},
	{"fold", "v", COMMANDS_VIEW, ON(TAB_FLAME), "flame chart: fold the thread's lane away, or show it again",
     DO(fold_lane), WAITS},
	{"fold-all", "Z", COMMANDS_VIEW, ON(TAB_FLAME), "flame chart: fold all lanes, or show them again",
     DO(fold_lanes), WAITS},
	{"group", "p", COMMANDS_VIEW, ON_VIEWS, "sum by function, module, file or package", DO(group), LEAVES_VIEW},
	{"sort-flip", "o", COMMANDS_VIEW, ON(TAB_TOP), "table: reverse the order", DO(sort_flip), WAITS},
	{"sort", "o", COMMANDS_VIEW, NOT_TOP, "order of siblings: weight, name, input", DO(sort), WAITS},
	{"sort-left", "<lt>", COMMANDS_VIEW, ON(TAB_TOP), "table: sort by the column to the left", WITH(sort_next, -1),
     WAITS},
	{"sort-right", ">", COMMANDS_VIEW, ON(TAB_TOP), "table: sort by the column to the right", WITH(sort_next, 1),
     WAITS},
	{"raise", "+ =", COMMANDS_VIEW, DRAWN, "raise the smallest share drawn", WITH(change_share, 1), LEAVES_VIEW},
	{"lower", "-", COMMANDS_VIEW, DRAWN, "lower the smallest share drawn", WITH(change_share, -1), LEAVES_VIEW},
	{"colors", "c", COMMANDS_VIEW, ON_VIEWS, "next palette", DO(next_palette), LEAVES_VIEW},
	{"diff", "D", COMMANDS_VIEW, ON_VIEWS, "differences: of shares, of weights, widths from before, off", DO(diff),
     LEAVES_VIEW},
	{"changes", "d", COMMANDS_VIEW, ON_VIEWS, "list what grew, shrank, is new or vanished", DO(changes),
     LEAVES_VIEW},

	{"threads", "T", COMMANDS_DATA, ON_VIEWS, "pick a thread, process or label", DO(threads), LEAVES_VIEW},
	{"events", "e V", COMMANDS_DATA, ON_VIEWS, "pick an event or value column", DO(events), LEAVES_VIEW},
	{"time", "m", COMMANDS_DATA, ON_VIEWS | ON_HEAT, "heat map over time, pick a range", DO(time_map), LEAVES_VIEW},
	{"window", "W", COMMANDS_DATA, ON_VIEWS, "only the last seconds or minutes, or let samples fade", DO(window),
     LEAVES_VIEW},
	{"freeze", "z", COMMANDS_DATA, ON_VIEWS, "freeze or thaw a live profile", DO(freeze), LEAVES_VIEW},
	{"notes", "M", COMMANDS_DATA, ON_VIEWS, "show notes: what was skipped, and warnings", DO(notes), LEAVES_VIEW},

	{"copy-name", "y", COMMANDS_OUTPUT, ON_VIEWS | ON_LIST, "copy the selected name, and show it; list: the line",
     DO(send_name), WAITS},
	{"copy-stack", "Y", COMMANDS_OUTPUT, ON_VIEWS | ON_LIST, "copy the whole stack, and show it", DO(send_stack),
     WAITS},
	{"copy-command", "C", COMMANDS_OUTPUT, ON_VIEWS | ON_HEAT, "show and copy the command that makes this view",
     DO(send_command), WAITS},
	{"stack", "s", COMMANDS_OUTPUT, ON_VIEWS, "show the whole stack of the frame", DO(show_stack), WAITS},
	{"write", "w", COMMANDS_OUTPUT, ON_VIEWS | ON_HEAT | ON_QUESTION,
     "write the view to a file; its suffix says the kind: .svg, .folded, .txt, .md, .pb.gz ...", DO(write_view),
     LEAVES_VIEW},
	{"source", "O", COMMANDS_OUTPUT, ON_VIEWS, "open the function's file and line in $EDITOR", DO(send_to_editor),
     WAITS},

	{"help", "? <F1>", COMMANDS_PROGRAM, ON_MAP, "this help", DO(help), LEAVES_VIEW},
	{"quit", "q", COMMANDS_PROGRAM, ON_MAP | ON_QUESTION,
     "close an overlay, else quit; asks before that ends a recorded command or loses samples", DO(quit), ENDS},
	{"detach", "d", COMMANDS_PROGRAM, ON_QUESTION, "asked at the end: quit, and let the recorded command run on",
     DO(quit_detach), ENDS},
	{"interrupt", "<C-c>", COMMANDS_PROGRAM, ON_ALL, "quit", DO(interrupt), ALWAYS_AT_ONCE},
	{"suspend", "<C-z>", COMMANDS_PROGRAM, ON_ALL, "suspend", DO(suspend), ALWAYS_AT_ONCE},
	{"redraw", "<C-l>", COMMANDS_PROGRAM, ON_ALL, "redraw the screen", DO(redraw), ALWAYS_AT_ONCE},

	{"accept", "<Enter>", COMMANDS_PROMPT, ON_PROMPT, "do it", WITH(edit, EDIT_ACCEPT), WAITS},
	{"cancel", "<Esc>", COMMANDS_PROMPT, ON_PROMPT, "cancel the prompt", WITH(edit, EDIT_CANCEL), WAITS},
	{"cursor-left", "<Left> <C-b>", COMMANDS_PROMPT, ON_PROMPT, "a character to the left", WITH(edit, EDIT_LEFT),
     WAITS},
	{"cursor-right", "<Right> <C-f>", COMMANDS_PROMPT, ON_PROMPT, "a character to the right",
     WITH(edit, EDIT_RIGHT), WAITS},
	{"cursor-start", "<Home> <C-a>", COMMANDS_PROMPT, ON_PROMPT, "to the start of the line", WITH(edit, EDIT_START),
     WAITS},
	{"cursor-end", "<End> <C-e>", COMMANDS_PROMPT, ON_PROMPT, "to the end of the line", WITH(edit, EDIT_END),
     WAITS},
	{"erase", "<BS>", COMMANDS_PROMPT, ON_PROMPT, "erase the character before; in an empty prompt: cancel",
     WITH(edit, EDIT_ERASE), WAITS},
	{"erase-next", "<Del> <C-d>", COMMANDS_PROMPT, ON_PROMPT, "erase the character under the cursor",
     WITH(edit, EDIT_ERASE_NEXT), WAITS},
	{"erase-word", "<C-w>", COMMANDS_PROMPT, ON_PROMPT, "erase the word before", WITH(edit, EDIT_ERASE_WORD),
     WAITS},
	{"erase-before", "<C-u>", COMMANDS_PROMPT, ON_PROMPT, "erase all before the cursor",
     WITH(edit, EDIT_ERASE_BEFORE), WAITS},
	{"erase-behind", "<C-k>", COMMANDS_PROMPT, ON_PROMPT, "erase all after the cursor",
     WITH(edit, EDIT_ERASE_BEHIND), WAITS},
	{"complete", "<Tab>", COMMANDS_PROMPT, ON_PROMPT, "complete a name, or module:, file: and package: with one",
     DO(complete), WAITS},
	{"earlier", "<Up> <C-p>", COMMANDS_PROMPT, ON_PROMPT, "the previous line of the history",
     WITH(edit, EDIT_EARLIER), WAITS},
	{"later", "<Down> <C-n>", COMMANDS_PROMPT, ON_PROMPT, "the next line of the history", WITH(edit, EDIT_LATER),
     WAITS},
	{NULL, NULL, 0, 0, NULL, DO(NULL), WAITS},
};
