/*
 * pick.c - fills the lists: threads and labels, events, windows, filters, the stack, notes, help.
 *
 * Each function fills the list overlay and defines the effect of Enter on a line. The weights before the lines are
 * shares of the listed kind, so the heaviest thread is found without trying them all.
 */
#include "tui/pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"
#include "tui/change.h"
#include "tui/listing.h"
#include "tui/pick_labels.h"
#include "tui/refresh.h"

static enum utf8_clean_mode clean_mode(const struct app *app)
{
	return app->theme.ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

static void add_clean_item(struct app *app, struct buf *text, uint64_t value, uint64_t id)
{
	struct buf clean;
	buf_init(&clean);
	utf8_clean(&clean, text->data, text->len, clean_mode(app));
	list_add(&app->list, buf_str(&clean), value, id);
	buf_deinit(&clean);
	text->len = 0;
}

/* ---- threads, processes and labels --------------------------------------------------------------------------- */

/* Meaning of a line in the list; packed into the item's id: kind in the top bits, a number below. */
enum task_choice { CHOOSE_ALL, CHOOSE_COMM, CHOOSE_PID, CHOOSE_TID, CHOOSE_LABEL };
#define CHOICE(kind, number) ((uint64_t)(kind) << 60 | (uint64_t)(number))

static void thread_chosen(struct app *app, const struct list_item *item)
{
	struct recipe *r = &app->view.recipe;
	uint64_t number = item->id & ((UINT64_C(1) << 60) - 1);
	enum task_choice kind = (enum task_choice)(item->id >> 60);
	if (kind != CHOOSE_LABEL) {
		r->pid = r->tid = 0;
		r->comm = 0;
	}
	switch (kind) {
	case CHOOSE_ALL:
		pick_labels_drop(app);
		break;
	case CHOOSE_LABEL:
		pick_labels_choose(app, (uint32_t)number);
		break;
	case CHOOSE_COMM:
		r->comm = (uint32_t)number;
		break;
	case CHOOSE_PID:
		r->pid = app->profile->tasks[number].pid;
		break;
	case CHOOSE_TID:
		r->tid = app->profile->tasks[number].tid;
		break;
	}
	app->dirty |= DIRTY_TREE;
}

/* Behind a group or the labels of a key. */
static void add_lighter(struct app *app, size_t n, const char *how)
{
	char text[96];
	if (n == 0)
		return;
	snprintf(text, sizeof text, "and %zu lighter ones%s", n, how);
	list_heading(&app->list, text);
}

static void add_group(struct app *app, const struct pick_group *g, enum task_choice kind, const char *heading)
{
	const struct profile *p = app->profile;
	struct buf text;
	buf_init(&text);
	if (g->n > 0)
		list_heading(&app->list, heading);
	for (size_t i = 0; i < g->n; i++) {
		const struct pick_row *r = &g->rows[i];
		const struct task *t = &p->tasks[r->task];
		buf_adds(&text, p->symtab.symbols[t->comm].name);
		if (kind == CHOOSE_PID)
			buf_addf(&text, " (process %lld)", (long long)t->pid);
		if (kind == CHOOSE_TID)
			buf_addf(&text, " (thread %lld%s%.0lld)", (long long)t->tid, t->pid > 0 ? ", process " : "",
			         (long long)(t->pid > 0 ? t->pid : 0));
		if (kind == CHOOSE_COMM && r->n > 1)
			buf_addf(&text, " (%u threads)", r->n);
		add_clean_item(app, &text, r->weight, CHOICE(kind, kind == CHOOSE_COMM ? t->comm : r->task));
	}
	add_lighter(app, g->n_lighter,
	            kind == CHOOSE_COMM  ? " (--thread=NAME shows one)"
	            : kind == CHOOSE_PID ? " (--thread=PID/ shows one)"
	                                 : " (--thread=TID shows one)");
	buf_deinit(&text);
}

/* The current choice. */
static uint64_t choice_now(const struct app *app, uint32_t label)
{
	const struct recipe *r = &app->view.recipe;
	const struct task *tasks = app->profile->tasks;
	for (size_t i = 0; i < app->list.n; i++) {
		uint64_t id = app->list.items[i].id, number = id & ((UINT64_C(1) << 60) - 1);
		enum task_choice kind = (enum task_choice)(id >> 60);
		if (app->list.items[i].is_heading)
			continue;
		if ((kind == CHOOSE_TID && r->tid && tasks[number].tid == r->tid) ||
		    (kind == CHOOSE_PID && r->pid && !r->tid && tasks[number].pid == r->pid) ||
		    (kind == CHOOSE_COMM && r->comm && !r->pid && !r->tid && number == r->comm))
			return id;
	}
	return label ? CHOICE(CHOOSE_LABEL, label) : CHOICE(CHOOSE_ALL, 0);
}

/* More than a user reads, and few enough to list at once; so many threads, processes, names, and labels. */
#define MOST_LISTED 10000u

static void refill_threads(struct app *);

static void take_lines(struct app *app, struct work *work)
{
	const struct profile *p = app->profile;
	const struct recipe *r = &app->view.recipe;
	const char *title = !p->tags ? "Threads and processes" : p->n_tasks > 1 ? "Threads and labels" : "Labels";
	bool is_part = r->n_filters > 0 || r->from || r->to || r->last || r->half_life;
	struct pick_lines lines;
	struct buf heading;
	work_end_pick(work, &lines);
	buf_init(&heading);
	buf_addf(&heading, "%s%s", title, is_part ? ": all stacks and times" : "");
	app_begin_list(app, buf_str(&heading), "{zoom} picks  {find-line} finds  {quit} closes");
	buf_deinit(&heading);
	bool is_one = r->series >= 0 && (size_t)r->series < p->n_series;
	app->list.whole = is_one ? p->series[r->series].total[0] : p->log[0].total;
	list_add(&app->list, "all", app->list.whole, CHOICE(CHOOSE_ALL, 0));
	add_group(app, &lines.groups[PICK_COMM], CHOOSE_COMM, "by name");
	add_group(app, &lines.groups[PICK_PID], CHOOSE_PID, "processes");
	add_group(app, &lines.groups[PICK_TID], CHOOSE_TID, "threads");
	pick_labels_add(app, &lines, CHOICE(CHOOSE_LABEL, 0));
	app->list.chosen = thread_chosen;
	/* A list of more is not made again with each new tree: that takes longer than the tree. */
	bool is_short = p->n_tasks <= MOST_LISTED && (!p->tags || tags_count(p->tags) <= MOST_LISTED);
	app->list.refill = is_short ? refill_threads : NULL;
	list_open(&app->list, choice_now(app, lines.label_now));
	pick_lines_deinit(&lines);
}

static struct work *start_lines(struct app *app, int wake_fd)
{
	const struct recipe *r = &app->view.recipe;
	struct pick_order order = {
		.profile = app->profile,
		.series = r->series,
		.most = MOST_LISTED,
		.comm = r->comm,
		.pid = r->pid,
		.tid = r->tid,
		.label = pick_labels_now(app),
	};
	return work_pick(&order, wake_fd);
}

static void refill_threads(struct app *app)
{
	take_lines(app, start_lines(app, -1));
}

void pick_thread(struct app *app)
{
	if (app->profile->n_tasks <= 1 && !app->profile->tags)
		app_say(app, "this profile does not tell threads apart");
	else
		listing_begin(app, start_lines(app, app->wake_fd), pick_thread, take_lines);
}

/* ---- events -------------------------------------------------------------------------------------------------- */

static void event_chosen(struct app *app, const struct list_item *item)
{
	if (selection_chosen(&app->view.recipe) == (int32_t)item->id)
		return;
	selection_choose(app->profile, &app->view.recipe, (int32_t)item->id);
	app->is_event_chosen = true;
	app->dirty |= DIRTY_TREE;
}

void pick_event(struct app *app)
{
	const struct profile *p = app->profile;
	struct buf text;
	if (!profile_has_events(p)) {
		app_say(app, "this profile has one event");
		return;
	}
	buf_init(&text);
	app_begin_list(app, "Events and values", "{zoom} picks  {quit} closes");
	if (profile_common_unit(p) != NO_SYMBOL)
		list_add(&app->list, "all together", p->log[0].total, (uint64_t)-1);
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *s = &p->series[i];
		if (s->is_joined)
			continue;
		buf_addf(&text, "%s  ", profile_event_name(p, i));
		view_add_event_weight(&app->view, i, &text, app_shown(app, s->total[0]));
		if (s->name || s->unit) { /* else that is their number */
			buf_adds(&text, ", ");
			number_add_commas(&text, s->samples, 0);
			buf_adds(&text, s->samples == 1 ? " sample" : " samples");
		}
		add_clean_item(app, &text, 0, i);
	}
	buf_deinit(&text);
	app->list.chosen = event_chosen;
	app->list.refill = pick_event;
	list_open(&app->list, (uint64_t)selection_chosen(&app->view.recipe));
}

/* ---- what to load -------------------------------------------------------------------------------------------- */

static void source_chosen(struct app *app, const struct list_item *item)
{
	app->session->choose(app->session->chooser, (size_t)item->id, app->wake_fd);
	app->choice = CHOICE_MADE;
}

void pick_source(struct app *app)
{
	const struct session *s = app->session;
	struct buf title;
	buf_init(&title);
	app_add_clean(app, &title, s->question);
	app_begin_list(app, buf_str(&title), "{zoom} picks  {find-line} finds  {quit} quits");
	buf_deinit(&title);
	for (size_t i = 0; i < s->n_choices; i++) {
		uint64_t value = s->choice_values ? s->choice_values[i] : 0;
		list_add(&app->list, s->choices[i], value, i);
		weight_add(&app->list.whole, value);
	}
	app->list.chosen = source_chosen;
	app->choice = CHOICE_OPEN;
	list_open(&app->list, 0);
}

bool pick_follow_source(struct app *app, struct err *err)
{
	if (app->choice == CHOICE_OPEN && !app->list.is_open)
		app->end = END_QUIT;
	if (app->choice != CHOICE_MADE)
		return false;
	enum choosing state = app->session->choosing(app->session->chooser, err);
	if (state == CHOOSING_FAILED)
		app->end = END_FAILED;
	if (state == CHOOSING_ASKS) {
		pick_source(app);
		app->dirty |= DIRTY_SCREEN;
	}
	if (state != CHOOSING_DONE)
		return false;
	app->choice = CHOICE_NONE;
	return true;
}

/* ---- windows ------------------------------------------------------------------------------------------------- */

/* A line of the list is a number of nanoseconds and its use, packed as above. */
enum window_choice { KEEP_ALL, KEEP_LAST, KEEP_FADING };

static void window_chosen(struct app *app, const struct list_item *item)
{
	struct recipe *r = &app->view.recipe;
	enum window_choice kind = (enum window_choice)(item->id >> 60);
	uint64_t time = item->id & ((UINT64_C(1) << 60) - 1);
	r->last = kind == KEEP_LAST ? time : 0;
	r->half_life = kind == KEEP_FADING ? time : 0;
	if (app->loader)
		load_keep(app->loader, r->last, r->half_life);
	app->dirty |= DIRTY_TREE;
}

static void add_duration(struct app *app, enum window_choice kind, uint64_t time)
{
	char text[64];
	double seconds = (double)time / 1e9;
	bool is_minutes = time % UINT64_C(60000000000) == 0;
	snprintf(text, sizeof text, "%s%g %s", kind == KEEP_LAST ? "the last " : "halved every ",
	         is_minutes ? seconds / 60 : seconds, is_minutes ? "min" : "s");
	list_add(&app->list, text, 0, CHOICE(kind, time));
}

/* Adds the usual durations, and the one in use at its place among them. */
static void add_durations(struct app *app, enum window_choice kind, uint64_t used)
{
	static const uint64_t seconds[] = {1, 2, 5, 10, 30, 60, 300, 600, 3600};
	uint64_t before = 0;
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		uint64_t time = seconds[i] * 1000000000;
		if (used > before && used < time)
			add_duration(app, kind, used);
		add_duration(app, kind, time);
		before = time;
	}
	if (used > before)
		add_duration(app, kind, used);
}

void pick_window(struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	uint64_t first, last;
	bool is_coming = app->loader && app->load.is_live; /* samples get their arrival times */
	if (!is_coming && !profile_time_range(app->profile, &first, &last)) {
		app_say(app, "the samples of this profile have no times");
		return;
	}
	app_begin_list(app, "How far back", "{zoom} picks  {quit} closes");
	list_add(&app->list, "everything", 0, CHOICE(KEEP_ALL, 0));
	list_heading(&app->list, "a window that ends with the last sample");
	add_durations(app, KEEP_LAST, r->last);
	list_heading(&app->list, "everything, but samples fade with their age");
	add_durations(app, KEEP_FADING, r->half_life);
	app->list.chosen = window_chosen;
	list_open(&app->list, r->last        ? CHOICE(KEEP_LAST, r->last)
	                      : r->half_life ? CHOICE(KEEP_FADING, r->half_life)
	                                     : CHOICE(KEEP_ALL, 0));
}

/* ---- filters ------------------------------------------------------------------------------------------------- */

static void filter_removed(struct app *app, const struct list_item *item)
{
	if (item->id < app->view.recipe.n_filters)
		recipe_drop_filter(&app->view.recipe, item->id);
	app->dirty |= DIRTY_TREE;
	list_close(&app->list);
	app_refresh(app);
	if (app->view.recipe.n_filters > 0)
		pick_filter(app);
}

void pick_filter(struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	struct buf text;
	if (r->n_filters == 0) {
		app_say(app, "no filters");
		return;
	}
	buf_init(&text);
	app_begin_list(app, "Filters and what they took out", "{remove} removes one  {quit} closes");
	app->list.whole = tree_total(&app->view.tree, NODE_ALL);
	weight_add(&app->list.whole, app->view.tree.excluded[0]);
	for (size_t i = 0; i < r->n_filters; i++) {
		const struct filter *f = &r->filters[i];
		buf_adds(&text, filter_names[f->kind].words);
		const char *slash = f->mode == MATCH_REGEX && !filter_is_of_tags(f->kind) ? "/" : "";
		if (f->pattern) {
			buf_addf(&text, " %s", slash);
			words_add_pattern(&text, f, app_clean_mode(app));
			buf_adds(&text, slash);
		}
		if (f->matched_none && f->pattern)
			buf_addf(&text, "  (no %s matches)", words_filtered(f->kind));
		words_add_given_up(&text, f->given_up);
		add_clean_item(app, &text, f->excluded, i);
	}
	buf_deinit(&text);
	app->list.removed = filter_removed;
	app->list.refill = pick_filter;
	list_open(&app->list, 0);
}

/* ---- the stack ----------------------------------------------------------------------------------------------- */

static void stack_chosen(struct app *app, const struct list_item *item)
{
	app_go_to(app, (uint32_t)item->id);
}

/* More than a user reads, and few enough to list at once. */
#define STACK_LINES 10000u

void pick_stack(struct app *app)
{
	const struct tree *t = &app->view.tree;
	uint32_t node = app_node(app);
	if (node == NO_NODE || node >= t->n) {
		app_say(app, "no frame is selected");
		return;
	}
	app_begin_list(app, "Stack, the selected frame first",
	               "{zoom} selects  {copy-stack} copies it all  {quit} closes");
	app->list.frames = LIST_STACK;
	app->view.mark = node;
	app->list.whole = view_total(&app->view);
	for (size_t i = 0; i < STACK_LINES; i++, node = t->parent[node]) {
		list_add_frame(&app->list, canvas_name(&app->view, t, node)->text, tree_total(t, node), node, t->sym[node]);
		if (node == NODE_ALL)
			break;
	}
	if (node != NODE_ALL)
		list_heading(&app->list, "and more");
	app->list.chosen = stack_chosen;
	list_open(&app->list, app_node(app));
}

/* ---- notes --------------------------------------------------------------------------------------------------- */

/* Adds a note about the running or finished recording. */
static void add_record_note(struct app *app, struct buf *text, const char *note)
{
	if (!note)
		return;
	buf_adds(text, note);
	add_clean_item(app, text, 0, 0);
}

void pick_notes(struct app *app)
{
	const struct report *r = &app->profile->report;
	const struct session *s = app->session;
	struct buf text;
	if (r->n == 0 && !(s && (s->notes || s->advised))) {
		app_say(app, "nothing was skipped");
		return;
	}
	buf_init(&text);
	app_begin_list(app, "Notes", "{quit} closes");
	add_record_note(app, &text, s ? s->notes : NULL);
	add_record_note(app, &text, s ? s->advised : NULL);
	for (size_t i = 0; i < r->n; i++) {
		note_add(&r->notes[i], &text);
		add_clean_item(app, &text, 0, i);
	}
	buf_deinit(&text);
	app->list.refill = pick_notes;
	list_open(&app->list, 0);
}

/* ---- help ---------------------------------------------------------------------------------------------------- */

static void add_help_line(struct app *app, const char *keys, const char *help)
{
	struct buf line;
	int width = app->grid.cols < 60 ? 9 : 22;
	buf_init(&line);
	buf_addf(&line, "  %-*s %s", width, keys, help);
	list_add(&app->list, buf_str(&line), 0, 0);
	list_indent(&app->list, (size_t)width + 3);
	buf_deinit(&line);
}

static const char *const diff_lessons[] = {
	("A comparison: widths are from the new profile; red and + grew, blue and - shrank. {changes} lists what "
     "changed most."),
	NULL};

/* Questions that users come with, and the keys that answer them. {name} is the key of a command. */
static const char *const tasks[][2] = {
	{"where time goes", "{heaviest} goes to the heaviest function by self weight, again to the next one. "
                        "{view-top} lists them all, {zoom} there shows where it is. Or {view-calls}: the call "
                        "tree, and {hot-path} opens its heaviest path."},
	{"who calls this",
     "{callers}: a graph of all its callers, {callees}: of all that it calls; the same key undoes it. "
     "{view-sandwich}: both at once. {reverse} merges everything from the leaves."},
	{"find a function",
     "{search} and a part of its name leads to its widest frame; {next} and {previous} go on by weight. The "
     "share of all matches stands below."},
	{"leave things out",
     "{exclude} drops the stacks of a function, or of all that a search matches; {focus} keeps only those, "
     "{hide} takes frames out. {undo-filter} undoes the last one, {filters} lists them, {reset} undoes all."},
	{"when it happened",
     "{time}: a heat map; mark a range there with {mark}. {chart}: all threads over time. {threads}: one "
     "thread."},
	{"what changed",
     "start with --diff=BEFORE; {changes} lists what grew and shrank, {diff} goes through the modes."},
	{"show it to others", "{write} and a name.svg; {copy-command} copies the command line that makes this view, "
                          "{copy-stack} the stack."},
	{NULL, NULL},
};

static void add_tasks(struct app *app)
{
	struct buf text;
	buf_init(&text);
	list_heading(&app->list, "What to do");
	for (size_t i = 0; tasks[i][0]; i++) {
		text.len = 0;
		app_add_keys(app, &text, tasks[i][1]);
		add_help_line(app, tasks[i][0], buf_str(&text));
	}
	buf_deinit(&text);
}

static void add_lessons(struct app *app, const char *const *lessons)
{
	for (; *lessons; lessons++) {
		struct buf line, clean;
		buf_init(&line);
		buf_init(&clean);
		buf_adds(&line, "  ");
		app_add_keys(app, &line, *lessons);
		utf8_clean(&clean, line.data, line.len, clean_mode(app));
		list_add(&app->list, buf_str(&clean), 0, 0);
		list_indent(&app->list, 2);
		buf_deinit(&line);
		buf_deinit(&clean);
	}
}

static void teach(struct app *app)
{
	list_heading(&app->list, "What you see");
	add_lessons(app, app_pane(app)->lessons(app));
	if (view_is_diff(&app->view))
		add_lessons(app, diff_lessons);
}

static void add_count_help(struct app *app)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "a number before repeats it (with a 0 where 1 to %d would choose a view)", N_TABS);
	add_help_line(app, "8j 025j", buf_str(&text));
	buf_deinit(&text);
}

void pick_help(struct app *app)
{
	struct buf keys;
	buf_init(&keys);
	app_begin_list(app, "flametop: help", "{down} {up} scroll  {find-line} finds  {quit} closes");
	teach(app);
	add_tasks(app);
	for (unsigned group = 0; group < N_COMMAND_GROUPS; group++) {
		list_heading(&app->list, command_group_title((enum command_group)group));
		for (const struct command *c = app->keymap.commands; c->name; c++) {
			if (c->group != group)
				continue;
			keys.len = 0;
			keymap_add_keys(&app->keymap, c, &keys);
			add_help_line(app, buf_str(&keys), c->help);
		}
		if (group == COMMANDS_MOVE)
			add_count_help(app);
	}
	list_heading(&app->list, "Mouse");
	for (size_t i = 0; keymap_mouse[i][0]; i++)
		add_help_line(app, keymap_mouse[i][0], keymap_mouse[i][1]);
	buf_deinit(&keys);
	app->list.has_cursor = false;
	list_open(&app->list, UINT64_MAX);
}
