/*
 * refresh.c - rebuilds stale parts of the state: profile, tree, layout.
 *
 * Commands never rebuild anything themselves, so ten keys typed at once cost one layout. A large profile is folded
 * in the background: the current tree stays until the new one is complete.
 */
#include "tui/refresh.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lib/cells.h"
#include "tui/beside.h"
#include "tui/early.h"
#include "tui/heat.h"
#include "tui/lines.h"
#include "tui/listing.h"
#include "tui/panes.h"
#include "tui/sandwich.h"
#include "tui/screen.h"
#include "tui/search.h"
#include "tui/snapshot.h"

/* Folding fewer paths takes too short to notice. */
#define BACKGROUND_PATHS 60000u

#define BACKGROUND_SAMPLES 300000u

static void drop_names(struct app *app)
{
	app->hot = NO_SYMBOL;
	for (int i = 0; i < N_TABS; i++)
		if (app->panes[i]->drop_names)
			app->panes[i]->drop_names(app);
}

/* Shows another profile; symbols keep their numbers while a profile grows. */
static void use_profile(struct app *app, struct profile *p)
{
	if (p == app->profile)
		return;
	struct profile *old = app->profile;
	search_stop_readers(app, true);
	if (old->symtab.n_made > 0 || old->symtab.n > p->symtab.n)
		drop_names(app);
	app->profile = p;
	view_use_profile(&app->view, p);
	snapshot_free_later(old);
}

/* Of --function. */
static void say_given_up(struct app *app)
{
	struct buf text;
	buf_init(&text);
	words_add_given_up(&text, app->view.shown.given_up);
	app_say(app, "--function=/%s/%s", app->options->shown.function, buf_str(&text));
	buf_deinit(&text);
}

/*
 * Places zoom, search, cursor and view of the command line in a tree. While a profile is coming in, the frame to
 * zoom into may still come, but only until the first key, which takes over. The search is only marked as wanted.
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
	if (is_there)
		app->dirty |= view_follow_zoom(&app->view);
	if (app->dirty & DIRTY_TREE)
		return;
	struct err why = {0};
	bool is_shown =
		options_place_shown(o, &app->view, app->totals.sums, app->totals.n_sums, is_there ? &err : &why);
	panes_show(app);
	is_there &= is_shown;
	bool is_all = !app->loader && app->choice == CHOICE_NONE;
	app->options_placed = (is_there && !options_name_places(o)) || is_all;
	if (app->options_placed && !is_there)
		app_complain(app, "%s", err.text);
	else if (app->options_placed && app->view.shown.given_up && !app->message)
		say_given_up(app);
	else if (app->tab == TAB_SANDWICH && !o->shown.function && !app->message)
		sandwich_say_heaviest(app);
	if (o->search && !app->sought && !old->pattern) {
		app->sought = mem_strdup(o->search);
		app->sought_mode = o->search_mode;
	}
	app->dirty |= DIRTY_LAYOUT;
}

static void warn_of_idle_options(struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	for (size_t i = 0; i < r->n_filters; i++) {
		struct buf pattern;
		if (!r->filters[i].matched_none || !r->filters[i].pattern || app->message)
			continue;
		buf_init(&pattern);
		words_add_pattern(&pattern, &r->filters[i], app_clean_mode(app));
		app_complain(app, "no %s matches the filter '%s'", words_filtered(r->filters[i].kind), buf_str(&pattern));
		buf_deinit(&pattern);
	}
	for (size_t i = 0; i < r->n_splits && !app->message; i++) {
		struct buf text;
		buf_init(&text);
		if (words_add_unknown_label(&text, app->profile, &r->splits[i]))
			app_complain(app, "%s", buf_str(&text));
		buf_deinit(&text);
	}
	double factor = app->options->export_.factor;
	if (!view_has_room(&app->view, factor) && !app->message)
		app_complain(app, "--factor=%g is left out: times that, counts pass 2^64 - 1", factor);
}

/* Takes over a new tree and empties it; the search follows later if it takes long. */
static void adopt_tree(struct app *app, struct tree *tree)
{
	struct search old = app->view.search;
	search_stop_readers(app, false);
	app->view.search = (struct search){.pattern = NULL};
	early_end(app);
	view_adopt_tree(&app->view, tree);
	app->view.has_other_units = app->totals.basis.has_other_units;
	work_free_tree(tree);
	recipe_deinit(&app->folded);
	recipe_copy(&app->folded, &app->view.recipe);
	app->folded_profile = app->profile;
	app_tree_changed(app);
	place_options(app, &old);
	if (!(app->dirty & DIRTY_TREE))
		app->dirty |= view_follow_zoom(&app->view);
	warn_of_idle_options(app);
	search_again(app, &old);
	search_clear(&old);
}

static void fold_now(struct app *app, struct profile *p)
{
	struct err err = {0};
	struct tree tree;
	search_stop_readers(app, true);
	bool ok = fold(p, &app->view.recipe, &tree, NULL, &err);
	use_profile(app, p);
	if (!ok) {
		app_complain(app, "%s", err.text);
		return;
	}
	totals_make(&app->totals, p, &app->view.recipe, &tree, NULL);
	adopt_tree(app, &tree);
}

/*
 * Sorting millions of frames does not check for cancellation, and then gigabytes must be freed: so this does not
 * wait for the thread.
 */
static void stop_folding(struct app *app)
{
	if (!app->work)
		return;
	assert(!app->ending); /* a fold begins when the previous one has ended */
	work_stop(app->work);
	app->ending = app->work;
	app->work = NULL;
}

/* false: not yet. */
static bool start_fold(struct app *app)
{
	struct profile *p = app->work_profile ? app->work_profile : app->profile;
	bool is_large = app->patience_ms == 0 || p->n_paths > BACKGROUND_PATHS || p->log[0].n > BACKGROUND_SAMPLES ||
	                fold_is_long(p, &app->view.recipe);
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
	search_stop_readers(app, true);
	bool ok = work_end_fold(app->work, &tree, &app->totals, &app->view.recipe, &err);
	app->work = NULL;
	if (!ok) {
		early_give_back(app);
		if (err.text[0])
			app_complain(app, "%s", err.text);
		return;
	}
	if (app->work_profile)
		use_profile(app, app->work_profile);
	app->work_profile = NULL;
	adopt_tree(app, &tree);
}

void refresh_stop_fold(struct app *app)
{
	struct view *v = &app->view;
	stop_folding(app);
	early_give_back(app);
	app->dirty &= ~(unsigned)DIRTY_TREE;
	recipe_deinit(&v->recipe);
	recipe_copy(&v->recipe, &app->folded);
	app_say(app, "stopped: everything is as it was");
}

void refresh_take_work(struct app *app)
{
	if (app->writing)
		return;
	if (app->work && work_is_done(app->work))
		take_fold(app);
	else
		early_take(app);
	if (app->ending && work_is_done(app->ending)) {
		work_cancel(app->ending);
		app->ending = NULL;
	}
	search_take(app);
	listing_take(app);
	for (int i = 0; i < N_TABS; i++)
		if (app->panes[i]->take)
			app->panes[i]->take(app);
}

void refresh_stop(struct app *app)
{
	work_cancel(app->writing);
	work_cancel(app->work);
	work_cancel(app->ending);
	app->writing = app->work = app->ending = NULL;
	search_stop_readers(app, true);
	early_drop(app);
	if (app->work_profile != app->profile)
		app_free_profile(app->work_profile);
	app->work_profile = NULL;
}

/* Prepares the topmost view or overlay for its part of the screen. */
static void prepare(struct app *app)
{
	app->body = screen_body(app);
	if (app->grid.rows > 0)
		beside_prepare(app, app->body);
	if (app->is_heat_open)
		heat_prepare(app, app->body);
	lines_want_hottest(app);
	if (app->list.is_open)
		list_prepare(&app->list, app->body);
}

/* The parts of the screen, of the same tree. */
static void refresh_parts(struct app *app)
{
	if (app->dirty & DIRTY_LAYOUT) {
		app->stamp++;
		app->dirty |= DIRTY_SCREEN;
	}
	app->dirty &= ~(unsigned)DIRTY_LAYOUT;
	prepare(app);
}

void app_refresh(struct app *app)
{
	struct err err = {0};
	if (app->writing) { /* which reads tree and search */
		refresh_parts(app);
		return;
	}
	/* A tree that is ready at once may show that another one is wanted. */
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
		app_complain(app, "%s", err.text);
	if (rest)
		app->dirty |= DIRTY_SCREEN;
	app->dirty &= ~(unsigned)(DIRTY_LAYOUT | DIRTY_HITS);
	search_recount(app);
	listing_again(app);
	prepare(app);
}

void refresh_size(struct app *app, int cols, int rows)
{
	grid_resize(&app->grid, cols, rows);
	app->dirty |= DIRTY_LAYOUT | DIRTY_SCREEN;
}

/* ---- profiles ------------------------------------------------------------------------------------------------ */

/*
 * Unless an event was chosen, the main one is shown, which may change while samples come in. If two events have
 * about as many samples, the one on the screen stays until all samples have come.
 */
static void follow_main_event(struct app *app, const struct profile *p)
{
	int32_t *shown = &app->view.recipe.series;
	int32_t main = profile_default_series(p);
	if (app->is_event_chosen || options_chose_event(app->options, p) || *shown < 0)
		return;
	if (main >= 0 && app_is_loading(app) && p->series[main].rank == p->series[*shown].rank &&
	    p->series[main].samples / 2 < p->series[*shown].samples)
		return;
	*shown = main;
}

bool refresh_profile(struct app *app, struct profile *p, struct err *err)
{
	bool fits = true, is_first = app->profile->n_paths <= 1 && !app->work_profile;
	work_cancel(app->work);
	work_cancel(app->ending);
	app->work = app->ending = NULL;
	if (app->work_profile)
		app_free_profile(app->work_profile);
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

/* Counts the warnings; *first is the one to show: what needs attention comes before what is usual. */
static void count_skipped(const struct report *r, uint64_t *n, const struct note **first)
{
	*n = 0;
	*first = NULL;
	for (size_t i = 0; i < r->n; i++) {
		if (r->notes[i].level < NOTE_WARN)
			continue;
		*n += r->notes[i].count;
		/* Threads that wait are left out of every profile that has them: nothing is wrong. */
		if (*first == NULL || (idle_is_note(*first) && !idle_is_note(&r->notes[i])))
			*first = &r->notes[i];
	}
}

void refresh_loaded(struct app *app)
{
	uint64_t n;
	const struct note *first;
	const struct profile *p = app->work_profile ? app->work_profile : app->profile;
	count_skipped(&p->report, &n, &first);
	if (app->message)
		return;
	if (first) {
		struct buf text;
		struct note shown = *first;
		buf_init(&text);
		shown.file = p->n_files > 1 ? first->file : NULL; /* the header names it */
		note_add(&shown, &text);
		app_complain(app, "%s%s ({notes} shows all notes)", buf_str(&text), n > first->count ? " and more" : "");
		app->is_error = !idle_is_note(first);
		buf_deinit(&text);
	}
}

#define ADVICE_SAMPLES 20000u /* samples after which no further advice is expected */

void refresh_advice(struct app *app)
{
	struct session *s = app->session;
	if (!s || !s->advice || s->advised)
		return;
	const struct profile *p = app->work_profile ? app->work_profile : app->profile;
	const char *text = s->advice(s->recording, p);
	if (*text) {
		s->advised = text;
		app_complain(app, "%s", text);
	} else if (p->log[0].samples > ADVICE_SAMPLES) {
		s->advice = NULL;
	}
}
