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
#include "base/sort.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"
#include "tui/change.h"
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

/* The weight of each task in the series shown. */
static uint64_t *task_weights(const struct app *app)
{
	const struct profile *p = app->profile;
	const struct sample_log *log = &p->log[0];
	int32_t series = app->view.recipe.series;
	uint64_t *weights = mem_zalloc(p->n_tasks ? p->n_tasks : 1, sizeof *weights);
	for (size_t i = 0; i < log->n; i++)
		if (log_is_of(log, i, series))
			weight_add(&weights[log_task(log, i)], log->weight[i]);
	return weights;
}

struct task_group {
	uint64_t key, weight;
	size_t task; /* first of them */
	size_t n;
};

static int by_group_weight(const void *a, const void *b)
{
	const struct task_group *x = a, *y = b;
	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return x->key < y->key ? -1 : x->key > y->key;
}

static int by_group_key(const void *a, const void *b)
{
	const struct task_group *x = a, *y = b;
	return x->key < y->key ? -1 : x->key > y->key;
}

/* Joins tasks with equal keys into groups; heaviest first. Returns how many. */
static size_t join_groups(struct task_group *g, size_t n)
{
	size_t out = 0;
	sort_array(g, n, sizeof *g, by_group_key);
	for (size_t i = 0; i < n; i++) {
		if (out > 0 && g[out - 1].key == g[i].key) {
			weight_add(&g[out - 1].weight, g[i].weight);
			g[out - 1].n += g[i].n;
		} else {
			g[out++] = g[i];
		}
	}
	sort_array(g, out, sizeof *g, by_group_weight);
	return out;
}

static uint64_t task_key(const struct task *t, enum task_choice kind)
{
	return kind == CHOOSE_COMM ? t->comm : kind == CHOOSE_PID ? (uint64_t)t->pid : (uint64_t)t->tid;
}

static bool has_key(const struct task *t, enum task_choice kind)
{
	return kind == CHOOSE_COMM ? t->comm != 0 : kind == CHOOSE_PID ? t->pid > 0 : t->tid > 0;
}

static void add_groups(struct app *app, const uint64_t *weights, enum task_choice kind, const char *heading)
{
	const struct profile *p = app->profile;
	struct task_group *g = mem_alloc((p->n_tasks + 1) * sizeof *g);
	struct buf text;
	size_t n = 0;
	buf_init(&text);
	for (size_t i = 1; i < p->n_tasks; i++)
		if (has_key(&p->tasks[i], kind))
			g[n++] = (struct task_group){task_key(&p->tasks[i], kind), weights[i], i, 1};
	n = join_groups(g, n);
	if (n > 0)
		list_heading(&app->list, heading);
	for (size_t i = 0; i < n; i++) {
		const struct task *t = &p->tasks[g[i].task];
		buf_adds(&text, p->symtab.symbols[t->comm].name);
		if (kind == CHOOSE_PID)
			buf_addf(&text, " (process %lld)", (long long)t->pid);
		if (kind == CHOOSE_TID)
			buf_addf(&text, " (thread %lld%s%.0lld)", (long long)t->tid, t->pid > 0 ? ", process " : "",
			         (long long)(t->pid > 0 ? t->pid : 0));
		if (kind == CHOOSE_COMM && g[i].n > 1)
			buf_addf(&text, " (%zu threads)", g[i].n);
		add_clean_item(app, &text, g[i].weight, CHOICE(kind, kind == CHOOSE_COMM ? t->comm : g[i].task));
	}
	buf_deinit(&text);
	free(g);
}

/* The current choice. */
static uint64_t choice_now(const struct app *app)
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
	uint32_t label = pick_labels_now(app);
	return label ? CHOICE(CHOOSE_LABEL, label) : CHOICE(CHOOSE_ALL, 0);
}

void pick_thread(struct app *app)
{
	const struct profile *p = app->profile;
	int32_t series = app->view.recipe.series;
	if (p->n_tasks <= 1 && !p->tags) {
		app_say(app, "this profile does not tell threads apart");
		return;
	}
	uint64_t *weights = task_weights(app);
	const char *title = !p->tags ? "Threads and processes" : p->n_tasks > 1 ? "Threads and labels" : "Labels";
	const struct recipe *r = &app->view.recipe;
	bool is_part = r->n_filters > 0 || r->from || r->to || r->last || r->half_life;
	struct buf heading;
	buf_init(&heading);
	buf_addf(&heading, "%s%s", title, is_part ? ": all stacks and times" : "");
	app_begin_list(app, buf_str(&heading), "{zoom} picks  {find-line} finds  {quit} closes");
	buf_deinit(&heading);
	app->list.whole = series >= 0 && (size_t)series < p->n_series ? p->series[series].total[0] : p->log[0].total;
	list_add(&app->list, "all", app->list.whole, CHOICE(CHOOSE_ALL, 0));
	add_groups(app, weights, CHOOSE_COMM, "by name");
	add_groups(app, weights, CHOOSE_PID, "processes");
	add_groups(app, weights, CHOOSE_TID, "threads");
	free(weights);
	pick_labels_add(app, CHOICE(CHOOSE_LABEL, 0));
	app->list.chosen = thread_chosen;
	list_open(&app->list, choice_now(app));
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
