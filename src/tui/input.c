/*
 * input.c - sends events to the topmost receiver: an open prompt, the heat map, a list, or the view.
 *
 * Keys typed ahead mean the same however long a search or a fold takes: events wait for results that they may
 * depend on.
 */
#include "tui/input.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/app.h"
#include "tui/beside.h"
#include "tui/command.h"
#include "tui/heat.h"
#include "tui/listing.h"
#include "tui/minimap.h"
#include "tui/refresh.h"
#include "tui/search.h"
#include "tui/send.h"
#include "tui/wide.h"

#define DOUBLE_CLICK_MS 300u

/* The command of a key in the current place; NULL: none. */
static const struct command *command_of(const struct app *app, uint32_t key)
{
	return keymap_find(&app->keymap, key, app_where(app));
}

/* In an overlay, keys of the view below are easily typed by mistake: they are ignored. */
static void say_nothing_done(struct app *app, uint32_t key)
{
	struct buf name;
	if (app_where(app) & (ON_LIST | ON_HEAT | ON_QUESTION))
		return;
	buf_init(&name);
	key_add_name(&name, key);
	app_say(app, "%s does nothing here ({help} for help)", buf_str(&name));
	buf_deinit(&name);
}

static void run_command(struct app *app, uint32_t key)
{
	const struct command *c = command_of(app, key);
	if (!c) {
		say_nothing_done(app, key);
		return;
	}
	unsigned dirty = 0;
	app->times = app->count > 0 && c->group == COMMANDS_MOVE ? app->count : 1;
	while (app->times > 0) {
		dirty |= command_run(c, app);
		app->times--;
	}
	if (dirty & DIRTY_QUIT)
		app->end = END_QUIT;
	app->dirty |= dirty & ~(unsigned)DIRTY_QUIT;
}

/* Limits a count, which is typed by hand. */
#define MAX_COUNT 9999u

/*
 * A digit that is no command begins a count, as in 5j; any digit continues one. As 1, 2, 3 ... choose a view, a
 * count with such a first digit is typed with a leading 0: 012j.
 */
static bool count_digit(struct app *app, uint32_t key)
{
	if (key < '0' || key > '9' || (!app->is_counting && command_of(app, key)))
		return false;
	app->count = app->count * 10 + (unsigned)(key - '0');
	if (app->count > MAX_COUNT)
		app->count = MAX_COUNT;
	app->is_counting = true;
	app_say(app, "%u: a key that moves is repeated", app->count);
	return true;
}

static void end_count(struct app *app)
{
	app->count = 0;
	app->is_counting = false;
}

static bool is_named(const struct app *app, uint32_t key, const char *name)
{
	const struct command *c = command_of(app, key);
	return c && strcmp(c->name, name) == 0;
}

/* Handles a key for the view: a digit of a count, or a command. Esc first cancels the count. */
static void view_key(struct app *app, uint32_t key)
{
	if (count_digit(app, key))
		return;
	if (!app->is_counting || !is_named(app, key, "escape"))
		run_command(app, key);
	end_count(app);
}

/* Handles an event in a prompt: a command of prompts, or text. */
static void prompt_event(struct app *app, const struct event *e)
{
	if (!e->is_pasted && command_of(app, e->key))
		run_command(app, e->key);
	else
		prompt_type(&app->prompt, app, e);
}

static void key_event(struct app *app, const struct event *e)
{
	unsigned where = app_where(app);
	if (where == ON_PROMPT)
		prompt_event(app, e);
	else if (e->is_pasted) /* outside a prompt, it would be a burst of random commands */
		return;
	else if (where & (ON_LIST | ON_HEAT | ON_QUESTION))
		run_command(app, e->key);
	else
		view_key(app, e->key);
}

static bool is_double(struct app *app, const struct event *e, uint64_t now)
{
	bool same = app->click_row == e->row && app->click_col == e->col;
	bool twice = same && now - app->click_ms <= DOUBLE_CLICK_MS;
	app->click_row = twice ? -1 : e->row;
	app->click_col = e->col;
	app->click_ms = now;
	return twice;
}

static bool click_crumb(struct app *app, const struct event *e)
{
	if (e->row != 1 || app->n_crumbs == 0)
		return false;
	for (size_t i = 0; i < app->n_crumbs; i++) {
		if (e->col < app->crumbs[i].col || e->col >= app->crumbs[i].end)
			continue;
		app->dirty |= view_zoom(&app->view, app->crumbs[i].node);
		return true;
	}
	return true;
}

static void overlay_mouse(struct app *app, const struct event *e, uint64_t now)
{
	struct list *l = &app->list;
	if (e->button == MOUSE_WHEEL_UP || e->button == MOUSE_WHEEL_DOWN) {
		list_move(l, motion_lines(e->button == MOUSE_WHEEL_UP ? MOVE_WHEEL_UP : MOVE_WHEEL_DOWN, (long)l->height));
		return;
	}
	if (e->action != MOUSE_PRESS)
		return;
	if (e->button == MOUSE_RIGHT)
		list_close(l);
	else if (list_click(l, e->row, e->col) && is_double(app, e, now))
		command_choose(app);
}

static void click_view(struct app *app, enum tab tab, const struct event *e, uint64_t now)
{
	if (tab != app->tab)
		beside_open(app, tab);
	app_pane(app)->click(app, wide_area(app, tab, app->body), e->row, e->col, is_double(app, e, now));
}

static void view_mouse(struct app *app, const struct event *e, uint64_t now)
{
	enum tab tab = beside_tab_at(app, e->col);
	struct rect body = app->body;
	bool inside = e->row >= body.row && e->row < body.row + body.rows;
	if (e->button == MOUSE_WHEEL_UP || e->button == MOUSE_WHEEL_DOWN) {
		if (tab == TAB_TOP && app->tab != tab) /* the wheel moves its cursor */
			beside_open(app, tab);
		app->panes[tab]->move(app, e->button == MOUSE_WHEEL_UP ? MOVE_WHEEL_UP : MOVE_WHEEL_DOWN);
		return;
	}
	if (e->action != MOUSE_PRESS)
		return;
	if (e->button == MOUSE_RIGHT)
		app->dirty |= command_back(app);
	else if (e->button == MOUSE_LEFT && e->row == body.row - 1 && minimap_is_shown(app))
		minimap_click(app, e->col);
	else if (e->button == MOUSE_LEFT && !click_crumb(app, e) && inside)
		click_view(app, tab, e, now);
}

static void mouse_event(struct app *app, const struct event *e, uint64_t now)
{
	if (prompt_is_open(&app->prompt) || app->is_asking)
		return;
	if (app->is_heat_open && e->action == MOUSE_PRESS && e->button == MOUSE_LEFT)
		heat_click(app, e->row, e->col);
	else if (app->is_heat_open && e->action == MOUSE_RELEASE && heat_is_dragged(app, e->row, e->col))
		heat_click(app, e->row, e->col);
	else if (app->is_heat_open)
		return;
	else if (app->list.is_open)
		overlay_mouse(app, e, now);
	else
		view_mouse(app, e, now);
}

/* Is a result pending that keys may depend on: a search, a list, the rows of the table, a sandwich? */
static bool awaits_result(struct app *app)
{
	/* The screen must be current before a key gets its meaning; this may start background work. */
	app_refresh(app);
	bool awaits_view = app_pane(app)->work && app_pane(app)->work(app);
	bool awaits_any = (app->seek && !app->is_recount) || app->listing.work || awaits_view;
	return !prompt_is_open(&app->prompt) && awaits_any;
}

/* A file must contain the view that was asked for last, not the one on the screen until that is folded. */
static bool awaits_tree(const struct app *app, const struct event *e)
{
	bool writes = app->prompt.kind && app->prompt.kind->id == PROMPT_WRITE && e->kind == EVENT_KEY &&
	              !e->is_pasted && is_named(app, e->key, "accept");
	return writes && app_is_folding(app) &&
	       (app->early.is_shown || !app->folded_profile || !recipe_is_same(&app->folded, &app->view.recipe));
}

static bool is_waiting_to_write(const struct app *app)
{
	return app->n_held > 0 && awaits_tree(app, &app->held[0]);
}

/* Keys whose meaning does not depend on a result. */
static bool needs_no_result(const struct app *app, uint32_t key)
{
	const struct command *c = command_of(app, key);
	enum haste haste = c ? c->haste : WAITS;
	/* q closes the list that is being made. */
	if (haste == ALWAYS_AT_ONCE || app->n_held > 0 || app->listing.work)
		return haste == ALWAYS_AT_ONCE;
	return haste == ENDS || (haste == LEAVES_VIEW && !app->seek);
}

static void keep_for_later(struct app *app, const struct event *e)
{
	mem_push(app->held, app->n_held, app->cap_held, *e);
}

/* true: the event waits for a tree to write. Esc drops the waiting events, and closes the prompt. */
static bool hold_for_tree(struct app *app, const struct event *e)
{
	if (is_waiting_to_write(app) && e->kind == EVENT_KEY && !e->is_pasted && is_named(app, e->key, "cancel")) {
		app->n_held = 0;
		return false;
	}
	if (!is_waiting_to_write(app) && !awaits_tree(app, e))
		return false;
	if (app->n_held == 0)
		app_say_keys(app, ON_PROMPT, "the file is written when the view is folded ({cancel} cancels)");
	keep_for_later(app, e);
	return true;
}

/* Esc drops the events that wait, too. */
static void stop_waiting(struct app *app)
{
	app->n_held = 0;
	if (app->listing.work) {
		listing_stop(app);
		app_say(app, "the list was stopped");
	} else if (app->seek) {
		search_restore(app);
		app_say(app, "the search was stopped");
	}
}

/* While a file is written: true: the event waits, or it was Esc or ^C, which stop that and drop what waits. */
static bool hold_for_file(struct app *app, const struct event *e)
{
	bool is_key = e->kind == EVENT_KEY && !e->is_pasted;
	if (e->kind == EVENT_BACKGROUND ||
	    (is_key && (is_named(app, e->key, "suspend") || is_named(app, e->key, "redraw"))))
		return false;
	if (is_key && (is_named(app, e->key, "escape") || is_named(app, e->key, "interrupt"))) {
		app->n_held = 0;
		send_stop_write(app);
	} else {
		keep_for_later(app, e);
	}
	return true;
}

/* true: the event waits, or cancelled the pending work. */
static bool hold(struct app *app, const struct event *e)
{
	if (app->writing)
		return hold_for_file(app, e);
	bool is_key = e->kind == EVENT_KEY && !e->is_pasted, awaits = awaits_result(app);
	if (e->kind == EVENT_BACKGROUND || (is_key && needs_no_result(app, e->key)))
		return false;
	if (!awaits)
		return hold_for_tree(app, e);
	if (is_key && is_named(app, e->key, "escape")) {
		stop_waiting(app);
		return true;
	}
	keep_for_later(app, e);
	return true;
}

static void take_event(struct app *app, const struct event *e, uint64_t now_ms)
{
	bool is_click = e->kind == EVENT_MOUSE && e->action == MOUSE_PRESS;
	if (e->kind == EVENT_BACKGROUND) {
		theme_set_light(&app->theme, e->is_light);
		app->dirty |= DIRTY_SCREEN;
		return;
	}
	if (e->kind == EVENT_KEY || is_click) {
		app_say_nothing(app);
	}
	app->dirty |= DIRTY_SCREEN;
	app->options_placed = true;
	app->is_touched |= e->kind == EVENT_KEY || is_click;
	if (e->kind == EVENT_MOUSE)
		mouse_event(app, e, now_ms);
	else
		key_event(app, e);
}

/*
 * An event may start another search or fold, which the rest then waits for. Two clicks that had to wait count as
 * two single clicks.
 */
void input_replay(struct app *app)
{
	size_t n = 0;
	while (n < app->n_held && !app->end && !app->writing && !awaits_result(app) && !awaits_tree(app, &app->held[n]))
		take_event(app, &app->held[n++], 0);
	if (n == 0)
		return;
	app->n_held -= n;
	memmove(app->held, app->held + n, app->n_held * sizeof *app->held);
}

void input_event(struct app *app, const struct event *e, uint64_t now_ms)
{
	if (!hold(app, e))
		take_event(app, e, now_ms);
}
