/*
 * search.c - runs one search at a time, on its own thread if it takes long.
 *
 * view.search is the search shown. While another one runs, app.seek is its work, app.sought its pattern, and
 * app.found the function for its result.
 */
#include "tui/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Matches added up in the foreground when the zoom is within a match: a millisecond. */
#define MOST_COUNTED 50000u

static void forget_sought(struct app *app)
{
	free(app->sought);
	app->sought = NULL;
	app->found = NULL;
	app->is_recount = false;
}

static void stop_panes(struct app *app, bool all)
{
	for (int i = 0; i < N_TABS; i++)
		if (app->panes[i]->stop)
			app->panes[i]->stop(app, all);
}

void search_stop_readers(struct app *app, bool all)
{
	work_cancel(app->seek);
	app->seek = NULL;
	if (all) {
		work_cancel(app->listing.work);
		app->listing.work = NULL;
	}
	stop_panes(app, all);
}

void search_keep(struct app *app)
{
	search_forget_kept(app);
	app->wants_before = true;
}

void search_forget_kept(struct app *app)
{
	search_clear(&app->before);
	app->keeps_before = app->wants_before = false;
}

/* Sets the current search aside for another one. */
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
	stop_panes(app, false);
	work_end_search(app->seek, &s);
	app->seek = NULL;
	put_aside(app);
	app->dirty |= view_take_search(&app->view, &s);
	forget_sought(app);
	if (found)
		found(app);
}

void search_take(struct app *app)
{
	if (app->seek && work_is_done(app->seek))
		take_search(app);
}

/* Starts the search for app.sought, among the names matched by `before` (may be NULL). */
static bool seek(struct app *app, const struct search *before, struct err *err)
{
	struct search s;
	if (!search_begin(&s, app->sought, app->sought_mode, before, err))
		return false;
	if (before == &app->view.search)
		search_limit(&s, before, &app->view.tree);
	app->seek = work_search(&s, &app->profile->symtab, &app->view.tree, app->view.zoom, app->wake_fd);
	app->dirty |= DIRTY_SCREEN;
	if (work_wait(app->seek, app_patience(app)))
		take_search(app);
	return true;
}

bool search_for(struct app *app, const char *pattern, enum match_mode mode, void (*found)(struct app *))
{
	struct err err = {0};
	search_stop_readers(app, false);
	forget_sought(app);
	if (!pattern || *pattern == '\0') {
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
	app_complain(app, "%s", err.text);
	forget_sought(app);
	return false;
}

bool search_for_symbol(struct app *app, uint32_t sym)
{
	const struct symbol *s = &app->profile->symtab.symbols[sym];
	struct buf name;
	buf_init(&name);
	enum match_mode mode = match_add_exact(&name, s->name, s->len);
	bool is_good = search_for(app, buf_str(&name), mode, NULL);
	buf_deinit(&name);
	return is_good;
}

void search_restore(struct app *app)
{
	struct search s = app->before;
	bool is_current = app->before_tree == app->tree_stamp, has_one = app->keeps_before;
	search_stop_readers(app, false);
	forget_sought(app);
	app->before = (struct search){.pattern = NULL};
	app->keeps_before = app->wants_before = false;
	if (has_one && is_current)
		app->dirty |= view_take_search(&app->view, &s);
	else if (has_one)
		search_for(app, s.pattern, s.mode, NULL);
	search_clear(&s);
}

void search_again(struct app *app, const struct search *old)
{
	search_stop_readers(app, false);
	if (!app->sought && old->pattern) {
		app->sought = mem_strdup(old->pattern);
		app->sought_mode = old->mode;
	}
	app->is_recount = false;
	if (app->sought)
		seek(app, old, NULL);
}

void search_recount(struct app *app)
{
	app->view.most_counted = app->wake_fd < 0 ? 0 : MOST_COUNTED;
	if (app->sought || !app->view.search.pattern || app->view.search.is_counted)
		return;
	app->sought = mem_strdup(app->view.search.pattern);
	app->sought_mode = app->view.search.mode;
	app->is_recount = true;
	seek(app, &app->view.search, NULL);
}
