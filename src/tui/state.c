/*
 * state.c - the interface's one state: how events change it, and how it is kept current.
 *
 *	event -> command -> dirty bits -> state_refresh() -> state_paint() -> grid
 *
 * An event goes to whatever is on top: an open prompt, the heat map, a list, the view. Commands never rebuild anything
 * themselves, so ten keys typed at once cost one layout.
 */
#include "tui/state.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/canvas.h"
#include "tui/command.h"
#include "tui/snapshot.h"

/* Folding less than this is over before a person could notice. */
#define BACKGROUND_PATHS 60000u
#define BACKGROUND_SAMPLES 300000u
#define NAME_LONGEST ((size_t)1 << 20) /* bytes; to look at a hundred megabytes takes longer than a key may */
#define DOUBLE_CLICK_MS 300u
/* Matches that are added up in the foreground when the zoom lies in one: a millisecond. */
#define MOST_COUNTED 50000u

void state_init(struct app *app, struct options *options, const struct load_input *inputs, size_t n,
                const struct theme *theme)
{
	*app = (struct app){.options = options,
	                    .inputs = inputs,
	                    .n_inputs = n,
	                    .theme = *theme,
	                    .wake_fd = -1,
	                    .stamp = 1,
	                    .tree_stamp = 1};
	app->profile = mem_zalloc(1, sizeof *app->profile);
	profile_init(app->profile);
	enum utf8_clean_mode mode = theme->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
	view_init(&app->view, app->profile, mode, !options->no_demangle);
	app->view.display.longest = NAME_LONGEST;
	app->view.is_inverted = options->inverted;
	facts_init(&app->facts);
	grid_init(&app->grid);
	flame_init(&app->flame);
	top_init(&app->top);
	sandwich_init(&app->sandwich);
	calls_init(&app->calls);
	heat_init(&app->heat);
	list_init(&app->list);
	prompt_init(&app->prompt);
	buf_init(&app->clipboard);
	command_map(app);
	app->click_row = app->click_col = -1;
	app->dirty = DIRTY_SCREEN;
}

static void free_profile(struct profile *p)
{
	if (p == NULL)
		return;
	profile_deinit(p);
	free(p);
}

void state_deinit(struct app *app)
{
	work_cancel(app->work);
	work_cancel(app->ending);
	work_cancel(app->seek);
	search_clear(&app->before);
	recipe_deinit(&app->folded);
	top_deinit(&app->top); /* a table that is being made reads names and sums */
	sandwich_deinit(&app->sandwich);
	if (app->work_profile != app->profile)
		free_profile(app->work_profile);
	view_deinit(&app->view);
	free_profile(app->profile);
	if (app->loader)
		load_free(app->loader);
	facts_deinit(&app->facts);
	grid_deinit(&app->grid);
	flame_deinit(&app->flame);
	calls_deinit(&app->calls);
	heat_deinit(&app->heat);
	list_deinit(&app->list);
	prompt_deinit(&app->prompt);
	buf_deinit(&app->clipboard);
	command_unmap(app);
	free(app->message);
	free(app->edit_file);
	free(app->write_over);
	free(app->sought);
	free(app->held);
}

void state_resize(struct app *app, int cols, int rows)
{
	grid_resize(&app->grid, cols, rows);
	app->dirty |= DIRTY_LAYOUT | DIRTY_SCREEN;
	if (app->heat.is_open)
		heat_resize(app);
}

__attribute__((format(printf, 3, 0))) static void set_message(struct app *app, bool is_error, const char *fmt,
                                                              va_list ap)
{
	struct buf text, clean;
	buf_init(&text);
	buf_init(&clean);
	buf_vaddf(&text, fmt, ap);
	utf8_clean(&clean, text.data, text.len, app->theme.ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8);
	free(app->message);
	app->message = buf_take(&clean);
	app->is_error = is_error;
	app->dirty |= DIRTY_SCREEN;
	buf_deinit(&text);
	buf_deinit(&clean);
}

void state_say(struct app *app, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set_message(app, false, fmt, ap);
	va_end(ap);
}

void state_complain(struct app *app, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	set_message(app, true, fmt, ap);
	va_end(ap);
}

void state_copy(struct app *app, const char *text, size_t len, const char *what)
{
	app->clipboard.len = 0;
	buf_add(&app->clipboard, text, len);
	app->wants_copy = true;
	state_say(app, "copied %s (%zu bytes)", what, len);
}

const struct pane *state_pane(const struct app *app)
{
	static const struct pane *const panes[N_TABS] = {&flame_pane, &top_pane, &sandwich_pane, &calls_pane};
	return panes[app->tab];
}

uint32_t state_symbol(const struct app *app)
{
	return state_pane(app)->symbol(app);
}

uint32_t state_node(const struct app *app)
{
	return state_pane(app)->node(app);
}

const char *state_name(struct app *app, uint32_t sym)
{
	return display_name(&app->view.display, sym)->text;
}

uint64_t state_shown(const struct app *app, uint64_t weight)
{
	double factor = app->options->export_.factor;
	return factor > 0 && factor != 1 ? weight_from((double)weight * factor + 0.5) : weight;
}

void state_set_tab(struct app *app, enum tab tab)
{
	uint32_t symbol = state_symbol(app), node = state_node(app);
	app->tab = tab;
	app->dirty |= DIRTY_SCREEN | DIRTY_LAYOUT;
	if (tab == TAB_TOP && symbol != UINT32_MAX)
		app->top.symbol = symbol;
	if (tab == TAB_SANDWICH && symbol != UINT32_MAX && symbol != app->sandwich.symbol)
		sandwich_set(app, symbol);
	if (tab == TAB_SANDWICH && app->sandwich.symbol == UINT32_MAX)
		sandwich_set_heaviest(app);
	if (tab == TAB_CALLS && node != NO_NODE)
		calls_show(app, node);
}

void state_go_to(struct app *app, uint32_t node)
{
	if (!tree_is_below(&app->view.tree, node, app->view.zoom))
		app->dirty |= view_zoom(&app->view, NODE_ALL);
	app->dirty |= view_select(&app->view, node);
	app->flame.is_named = true;
	if (app->tab == TAB_CALLS)
		calls_show(app, node);
}

/* ---- searching -------------------------------------------------------------------------------------------------- */

static void forget_sought(struct app *app)
{
	free(app->sought);
	app->sought = NULL;
	app->found = NULL;
	app->is_recount = false;
}

/* A sandwich that is being made reads the search before, which will be another one. */
static void stop_seeking(struct app *app)
{
	work_cancel(app->seek);
	app->seek = NULL;
	sandwich_stop(&app->sandwich);
}

/* Before the tree, its sums or the names become others: nothing beside may read them. */
static void stop_readers(struct app *app)
{
	stop_seeking(app);
	top_forget(&app->top);
}

void state_keep_search(struct app *app)
{
	state_forget_kept_search(app);
	app->wants_before = true;
}

void state_forget_kept_search(struct app *app)
{
	search_clear(&app->before);
	app->keeps_before = app->wants_before = false;
}

/* The present search makes room for another one. */
static void put_aside(struct app *app)
{
	if (!app->wants_before)
		return;
	app->before = app->view.search;
	app->view.search = (struct search){.pattern = NULL};
	app->before_tree = app->tree_stamp;
	app->wants_before = false;
	app->keeps_before = true;
}

static void take_search(struct app *app)
{
	struct search s;
	void (*found)(struct app *) = app->found;
	sandwich_stop(&app->sandwich);
	work_end_search(app->seek, &s);
	app->seek = NULL;
	put_aside(app);
	app->dirty |= view_take_search(&app->view, &s);
	forget_sought(app);
	if (found)
		found(app);
}

/* Seeks what is said to be sought, among the names that `before` (may be NULL) says. */
static bool seek(struct app *app, const struct search *before, struct err *err)
{
	struct search s;
	if (!search_begin(&s, app->sought, app->sought_mode, before, err))
		return false;
	app->seek = work_search(&s, &app->profile->symtab, &app->view.tree, app->view.zoom, app->wake_fd);
	app->dirty |= DIRTY_SCREEN;
	if (work_wait(app->seek, app->wake_fd < 0 ? WORK_FOREVER : PATIENCE_MS))
		take_search(app);
	return true;
}

bool state_search(struct app *app, const char *pattern, enum match_mode mode, void (*found)(struct app *))
{
	struct err err = {0};
	stop_seeking(app);
	forget_sought(app);
	if (pattern == NULL || *pattern == '\0') {
		put_aside(app);
		app->dirty |= view_search(&app->view, NULL, mode, NULL) | DIRTY_SCREEN;
		if (found)
			found(app);
		return true;
	}
	app->sought = mem_strdup(pattern);
	app->sought_mode = mode;
	app->found = found;
	if (seek(app, &app->view.search, &err))
		return true;
	state_complain(app, "%s", err.text);
	forget_sought(app);
	return false;
}

void state_restore_search(struct app *app)
{
	struct search s = app->before;
	bool is_current = app->before_tree == app->tree_stamp, has_one = app->keeps_before;
	stop_seeking(app);
	forget_sought(app);
	app->before = (struct search){.pattern = NULL};
	app->keeps_before = app->wants_before = false;
	if (has_one && is_current)
		app->dirty |= view_take_search(&app->view, &s);
	else if (has_one)
		state_search(app, s.pattern, s.mode, NULL);
	search_clear(&s);
}

/* The tree is another one: what was found in the one before, and what is being sought, is sought again. */
static void seek_again(struct app *app, const struct search *old)
{
	stop_seeking(app);
	if (app->sought == NULL && old->pattern) {
		app->sought = mem_strdup(old->pattern);
		app->sought_mode = old->mode;
	}
	app->is_recount = false;
	if (app->sought)
		seek(app, old, NULL);
}

/* Too many matches lie within one to be added up at once. */
static void recount(struct app *app)
{
	app->view.most_counted = app->wake_fd < 0 ? 0 : MOST_COUNTED;
	if (app->sought || app->view.search.pattern == NULL || app->view.search.is_counted)
		return;
	app->sought = mem_strdup(app->view.search.pattern);
	app->sought_mode = app->view.search.mode;
	app->is_recount = true;
	seek(app, &app->view.search, NULL);
}

/* ---- keeping current -------------------------------------------------------------------------------------------- */

static void forget_all(struct app *app)
{
	flame_forget(&app->flame);
	sandwich_forget(&app->sandwich);
	calls_forget(&app->calls);
	top_forget(&app->top);
	app->stamp++;
	app->tree_stamp++;
	app->dirty |= DIRTY_LAYOUT | DIRTY_SCREEN;
}

/* The view shows another profile from now on; symbols keep their numbers while a profile grows. */
static void use_profile(struct app *app, struct profile *p)
{
	if (p == app->profile)
		return;
	struct profile *old = app->profile;
	stop_readers(app);
	if (old->symtab.n_made > 0 || old->symtab.n > p->symtab.n)
		top_drop_rows(&app->top);
	app->profile = p;
	view_use_profile(&app->view, p);
	snapshot_free_later(old);
}

/*
 * Zoom and search of the command line, once there is a tree to place them in. While a profile is coming in, the frame to
 * zoom into may come too; not for ever, though: the first key takes over. The search is only said to be sought.
 */
static void place_options(struct app *app, const struct search *old)
{
	const struct options *o = app->options;
	struct err err = {0};
	if (app->options_placed)
		return;
	bool is_there = options_place_zoom(o, &app->view, &err);
	if (!is_there && view_wants_path(&app->view, o->zoom)) {
		app->dirty |= DIRTY_TREE;
		return;
	}
	app->options_placed = is_there || app->loader == NULL;
	if (app->options_placed && !is_there)
		state_complain(app, "%s", err.text);
	if (o->search && app->sought == NULL && old->pattern == NULL) {
		app->sought = mem_strdup(o->search);
		app->sought_mode = MATCH_REGEX;
	}
	app->dirty |= DIRTY_LAYOUT;
}

static void warn_of_idle_filters(struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].matched_none && r->filters[i].pattern && !app->message)
			state_complain(app, "no function matches the filter '%s'", r->filters[i].pattern);
}

/* Takes over a new tree, which is emptied; the search comes later, if it takes long. */
static void adopt_tree(struct app *app, struct tree *tree)
{
	struct search old = app->view.search;
	stop_seeking(app);
	app->view.search = (struct search){.pattern = NULL};
	view_adopt_tree(&app->view, tree);
	app->view.has_other_units = app->facts.basis.has_other_units;
	work_free_tree(tree);
	recipe_deinit(&app->folded);
	recipe_copy(&app->folded, &app->view.recipe);
	app->folded_profile = app->profile;
	forget_all(app);
	list_follow(&app->list, &app->view.tree, app->view.mark);
	place_options(app, &old);
	if (!(app->dirty & DIRTY_TREE))
		app->dirty |= view_follow_zoom(&app->view);
	warn_of_idle_filters(app);
	seek_again(app, &old);
	search_clear(&old);
}

static void fold_now(struct app *app, struct profile *p)
{
	struct err err = {0};
	struct tree tree;
	stop_readers(app);
	bool ok = fold(p, &app->view.recipe, &tree, NULL, &err);
	use_profile(app, p);
	if (!ok) {
		state_complain(app, "%s", err.text);
		return;
	}
	facts_make(&app->facts, p, &app->view.recipe, &tree, NULL);
	adopt_tree(app, &tree);
}

/*
 * Sorting millions of frames does not look up on the way, and then there are gigabytes to give back: the thread is not
 * waited for here.
 */
static void stop_folding(struct app *app)
{
	if (app->work == NULL)
		return;
	assert(app->ending == NULL); /* a fold begins when the one before has ended */
	work_stop(app->work);
	app->ending = app->work;
	app->work = NULL;
}

/* false: not yet. */
static bool start_fold(struct app *app)
{
	struct profile *p = app->work_profile ? app->work_profile : app->profile;
	bool is_large =
		p->n_paths > BACKGROUND_PATHS || p->log[0].n > BACKGROUND_SAMPLES || fold_is_long(p, &app->view.recipe);
	stop_folding(app);
	if (app->ending)
		return false;
	if (app->wake_fd >= 0 && is_large)
		app->work = work_fold(p, &app->view.recipe, app->wake_fd);
	if (app->work)
		return true;
	app->work_profile = NULL;
	fold_now(app, p);
	return true;
}

static void take_fold(struct app *app)
{
	struct tree tree;
	struct err err;
	stop_readers(app);
	bool ok = work_end_fold(app->work, &tree, &app->facts, &app->view.recipe, &err);
	app->work = NULL;
	if (!ok) {
		if (err.text[0])
			state_complain(app, "%s", err.text);
		return;
	}
	if (app->work_profile)
		use_profile(app, app->work_profile);
	app->work_profile = NULL;
	adopt_tree(app, &tree);
}

/* What is coming in is folded all the same. */
bool state_can_stop_fold(const struct app *app)
{
	return state_is_folding(app) && app->work_profile == NULL && app->folded_profile == app->profile;
}

void state_stop_fold(struct app *app)
{
	struct view *v = &app->view;
	stop_folding(app);
	app->dirty &= ~(unsigned)DIRTY_TREE;
	recipe_deinit(&v->recipe);
	recipe_copy(&v->recipe, &app->folded);
	state_say(app, "stopped: everything is as it was");
}

bool state_has_result(const struct app *app)
{
	return (app->work && work_is_done(app->work)) || (app->ending && work_is_done(app->ending)) ||
	       (app->seek && work_is_done(app->seek)) || (app->top.work && work_is_done(app->top.work)) ||
	       (app->sandwich.work && work_is_done(app->sandwich.work));
}

static void replay_held(struct app *app);

void state_take_work(struct app *app)
{
	if (app->work && work_is_done(app->work))
		take_fold(app);
	if (app->ending && work_is_done(app->ending)) {
		work_cancel(app->ending);
		app->ending = NULL;
	}
	if (app->seek && work_is_done(app->seek))
		take_search(app);
	top_take_rows(app);
	sandwich_take_halves(app);
	replay_held(app);
}

void state_refresh(struct app *app)
{
	struct err err = {0};
	/* A tree that is there at once may say that another one is wanted. */
	while (app->dirty & DIRTY_TREE) {
		app->dirty &= ~(unsigned)DIRTY_TREE;
		if (start_fold(app))
			continue;
		app->dirty |= DIRTY_TREE;
		break;
	}
	unsigned rest = app->dirty & (DIRTY_LAYOUT | DIRTY_HITS);
	if (rest & DIRTY_LAYOUT)
		app->stamp++;
	if (rest && !view_update(&app->view, rest, NULL, &err))
		state_complain(app, "%s", err.text);
	if (rest)
		app->dirty |= DIRTY_SCREEN;
	app->dirty &= ~(unsigned)(DIRTY_LAYOUT | DIRTY_HITS);
	recount(app);
	if (app->grid.rows > 0)
		state_pane(app)->prepare(app, state_body(app));
	if (app->list.is_open)
		list_prepare(&app->list, state_body(app));
}

/*
 * Unless an event was chosen, the main one is shown, and which one that is may change while samples come in. Of two that have
 * about as many samples, the one on the screen stays until all are there.
 */
static void follow_main_event(struct app *app, const struct profile *p)
{
	int32_t *shown = &app->view.recipe.series;
	uint32_t main = profile_main_series(p);
	bool is_loading = app->loader && app->load.state == LOAD_RUNNING;
	if (app->is_event_chosen || options_chose_event(app->options, p) || *shown < 0)
		return;
	if (is_loading && p->series[main].rank == p->series[*shown].rank &&
	    p->series[main].samples / 2 < p->series[*shown].samples)
		return;
	*shown = (int32_t)main;
}

bool state_set_profile(struct app *app, struct profile *p, struct err *err)
{
	bool fits = true, is_first = app->profile->n_paths <= 1 && app->work_profile == NULL;
	work_cancel(app->work);
	work_cancel(app->ending);
	app->work = app->ending = NULL;
	if (app->work_profile)
		free_profile(app->work_profile);
	app->work_profile = NULL;
	if (is_first || !app->options_applied) {
		use_profile(app, p);
		fits = app->options_applied = options_apply(app->options, &app->view, err);
		app->theme.palette = app->options->export_.has_palette ? app->options->export_.palette : app->theme.palette;
	} else {
		app->work_profile = p;
		follow_main_event(app, p);
	}
	app->dirty |= DIRTY_TREE;
	return fits;
}

static void count_skipped(const struct report *r, uint64_t *n, const struct note **first)
{
	*n = 0;
	*first = NULL;
	for (size_t i = 0; i < r->n; i++) {
		if (r->notes[i].level < NOTE_WARN)
			continue;
		*n += r->notes[i].count;
		if (*first == NULL)
			*first = &r->notes[i];
	}
}

void state_loaded(struct app *app)
{
	uint64_t n;
	const struct note *first;
	const struct profile *p = app->work_profile ? app->work_profile : app->profile;
	count_skipped(&p->report, &n, &first);
	if (app->message)
		return;
	if (first) {
		char text[256];
		note_format(first, text, sizeof text);
		state_complain(app, "%s%s (M shows all notes)", text, n > first->count ? " and more" : "");
	}
}

/* ---- events ----------------------------------------------------------------------------------------------------- */

static void list_changed(struct app *app, const char *text)
{
	list_filter(&app->list, text);
}

static void list_accepted(struct app *app, const char *text)
{
	list_filter(&app->list, text);
}

static void list_cancelled(struct app *app)
{
	list_filter(&app->list, NULL);
}

static void list_enter(struct app *app)
{
	const struct list_item *item = list_selected(&app->list);
	list_close(&app->list);
	if (item && app->list.chosen)
		app->list.chosen(app, item);
}

static void run_command(struct app *app, uint32_t key);

static void list_key(struct app *app, uint32_t key)
{
	static const struct prompt_kind find = {PROMPT_LIST, "find: ", list_changed, list_accepted, list_cancelled};
	struct list *l = &app->list;
	long page = l->height > 1 ? (long)l->height - 1 : 1;
	const struct list_item *item = list_selected(l);
	switch (key) {
	case 'j':
	case K_DOWN:
		list_move(l, 1);
		break;
	case 'k':
	case K_UP:
		list_move(l, -1);
		break;
	case 'f':
	case ' ':
	case K_PAGE_DOWN:
	case K_CTRL('f'):
		list_move(l, page);
		break;
	case 'b':
	case K_PAGE_UP:
	case K_CTRL('b'):
		list_move(l, -page);
		break;
	case K_CTRL('d'):
		list_move(l, page / 2 + 1);
		break;
	case K_CTRL('u'):
		list_move(l, -page / 2 - 1);
		break;
	case 'g':
	case K_HOME:
		list_move(l, -LIST_FAR);
		break;
	case 'G':
	case K_END:
		list_move(l, LIST_FAR);
		break;
	case K_ENTER:
		list_enter(app);
		break;
	case 'q':
	case K_ESC:
	case K_BACKSPACE:
		list_close(l);
		break;
	case '?':
	case K_F1:
		pick_help(app);
		break;
	case '/':
		prompt_open(&app->prompt, &find, NULL);
		break;
	case 'y':
		if (item)
			state_copy(app, item->text, strlen(item->text), "the line");
		break;
	case 'Y':
		run_command(app, key);
		break;
	case 'x':
	case K_DELETE:
		if (item && l->removed)
			l->removed(app, item);
		break;
	default:
		break;
	}
}

static void run_command(struct app *app, uint32_t key)
{
	const struct command *c = command_find(app, key);
	if (c == NULL) {
		struct buf name;
		buf_init(&name);
		key_add_name(&name, key);
		state_complain(app, "%s does nothing here (? for help)", buf_str(&name));
		buf_deinit(&name);
		return;
	}
	unsigned times = app->count > 0 && c->group == COMMANDS_MOVE ? app->count : 1, dirty = 0;
	while (times-- > 0)
		dirty |= c->run(app);
	if (dirty & DIRTY_QUIT)
		app->end = END_QUIT;
	app->dirty |= dirty & ~(unsigned)DIRTY_QUIT;
}

/* The most a count can be: it is typed by hand. */
#define MAX_COUNT 9999u

/*
 * A digit that is no command begins a count, as in 5j; any digit goes on with one. As 1 to 4 choose a view, a count that
 * would begin with one of them begins with 0: 012j.
 */
static bool count_digit(struct app *app, uint32_t key)
{
	if (key < '0' || key > '9' || (!app->is_counting && command_find(app, key)))
		return false;
	app->count = app->count * 10 + (unsigned)(key - '0');
	if (app->count > MAX_COUNT)
		app->count = MAX_COUNT;
	app->is_counting = true;
	state_say(app, "%u: a key that moves is repeated", app->count);
	return true;
}

static void end_count(struct app *app)
{
	app->count = 0;
	app->is_counting = false;
}

/* A key for the view itself: a digit of a count, or a command, before which Esc takes the count back. */
static void view_key(struct app *app, uint32_t key)
{
	if (count_digit(app, key))
		return;
	if (!app->is_counting || key != K_ESC)
		run_command(app, key);
	end_count(app);
}

/* Keys that mean the same whatever is open. */
static bool global_key(struct app *app, uint32_t key)
{
	if (key != K_CTRL('c') && key != K_CTRL('z') && key != K_CTRL('l'))
		return false;
	run_command(app, key);
	return true;
}

static void key_event(struct app *app, const struct event *e)
{
	if (!e->is_pasted && global_key(app, e->key))
		return;
	if (prompt_is_open(&app->prompt)) {
		prompt_key(&app->prompt, app, e);
		return;
	}
	if (e->is_pasted) /* a paste beside a prompt would be a burst of random commands */
		return;
	if (app->heat.is_open)
		heat_key(app, e->key);
	else if (app->list.is_open)
		list_key(app, e->key);
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
		list_move(l, e->button == MOUSE_WHEEL_UP ? -3 : 3);
		return;
	}
	if (e->action != MOUSE_PRESS)
		return;
	if (e->button == MOUSE_RIGHT)
		list_close(l);
	else if (list_click(l, e->row, e->col) && is_double(app, e, now))
		list_enter(app);
}

static void view_mouse(struct app *app, const struct event *e, uint64_t now)
{
	const struct pane *pane = state_pane(app);
	struct rect body = state_body(app);
	bool inside = e->row >= body.row && e->row < body.row + body.rows;
	if (e->button == MOUSE_WHEEL_UP || e->button == MOUSE_WHEEL_DOWN) {
		pane->move(app, e->button == MOUSE_WHEEL_UP ? MOVE_WHEEL_UP : MOVE_WHEEL_DOWN);
		return;
	}
	if (e->action != MOUSE_PRESS)
		return;
	if (e->button == MOUSE_RIGHT)
		app->dirty |= command_back(app);
	else if (e->button == MOUSE_LEFT && !click_crumb(app, e) && inside)
		pane->click(app, body, e->row, e->col, is_double(app, e, now));
}

static void mouse_event(struct app *app, const struct event *e, uint64_t now)
{
	if (prompt_is_open(&app->prompt))
		return;
	if (app->heat.is_open && e->action == MOUSE_PRESS && e->button == MOUSE_LEFT)
		heat_click(app, e->row, e->col);
	else if (app->heat.is_open && e->action == MOUSE_RELEASE && heat_is_dragged(app, e->row, e->col))
		heat_click(app, e->row, e->col);
	else if (app->heat.is_open)
		return;
	else if (app->list.is_open)
		overlay_mouse(app, e, now);
	else
		view_mouse(app, e, now);
}

/* What keys may be meant for is still to come: the result of a search, the rows of the table, a sandwich. */
static bool awaits_result(struct app *app)
{
	/* What is shown must be current before a key means something in it; what makes it so may begin here. */
	state_refresh(app);
	bool awaits_view = (app->top.work && app->tab == TAB_TOP) || (app->sandwich.work && app->tab == TAB_SANDWICH);
	return !prompt_is_open(&app->prompt) && ((app->seek && !app->is_recount) || awaits_view);
}

/* What is written is what was asked for last, and not what stands on the screen until that is folded. */
static bool awaits_tree(const struct app *app, const struct event *e)
{
	bool writes = app->prompt.kind && app->prompt.kind->id == PROMPT_WRITE && e->kind == EVENT_KEY &&
	              !e->is_pasted && e->key == K_ENTER;
	return writes && state_is_folding(app) &&
	       (app->folded_profile == NULL || !recipe_is_same(&app->folded, &app->view.recipe));
}

static bool is_waiting_to_write(const struct app *app)
{
	return app->n_held > 0 && awaits_tree(app, &app->held[0]);
}

/* Keys that mean the same whatever comes. Those that show another view need nothing of this one. */
static bool needs_no_result(const struct app *app, uint32_t key)
{
	if (key == K_CTRL('c') || key == K_CTRL('z') || key == K_CTRL('l'))
		return true;
	if (app->n_held > 0)
		return false;
	return key == 'q' ||
	       (app->seek == NULL && (key == '\t' || key == K_BACKTAB || key == K_ESC || (key >= '1' && key <= '4')));
}

static void keep_for_later(struct app *app, const struct event *e)
{
	mem_push(app->held, app->n_held, app->cap_held, *e);
}

/* true: the event waits for a tree to write. Esc takes back what waits, and closes the prompt. */
static bool hold_for_tree(struct app *app, const struct event *e)
{
	if (is_waiting_to_write(app) && e->kind == EVENT_KEY && !e->is_pasted && e->key == K_ESC) {
		app->n_held = 0;
		return false;
	}
	if (!is_waiting_to_write(app) && !awaits_tree(app, e))
		return false;
	if (app->n_held == 0)
		state_say(app, "the new picture is folded first, and then written (Esc: it is not)");
	keep_for_later(app, e);
	return true;
}

/* true: the event waits, or was about what is waited for. */
static bool hold(struct app *app, const struct event *e)
{
	bool is_key = e->kind == EVENT_KEY && !e->is_pasted, awaits = awaits_result(app);
	if (e->kind == EVENT_BACKGROUND || (is_key && needs_no_result(app, e->key)))
		return false;
	if (!awaits)
		return hold_for_tree(app, e);
	if (is_key && e->key == K_ESC) {
		app->n_held = 0;
		if (app->seek == NULL)
			return true;
		state_restore_search(app);
		state_say(app, "the search was stopped");
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
		free(app->message);
		app->message = NULL;
	}
	app->dirty |= DIRTY_SCREEN;
	app->options_placed = true;
	if (e->kind == EVENT_MOUSE)
		mouse_event(app, e, now_ms);
	else
		key_event(app, e);
}

/* One of them may begin another search or fold, which the rest waits for. Two clicks that had to wait are two clicks. */
static void replay_held(struct app *app)
{
	size_t n = 0;
	while (n < app->n_held && !app->end && !awaits_result(app) && !awaits_tree(app, &app->held[n]))
		take_event(app, &app->held[n++], 0);
	if (n == 0)
		return;
	app->n_held -= n;
	memmove(app->held, app->held + n, app->n_held * sizeof *app->held);
}

void state_event(struct app *app, const struct event *e, uint64_t now_ms)
{
	if (!hold(app, e))
		take_event(app, e, now_ms);
}
