/*
 * early.c - swaps the tree of the view for an early one, and back.
 *
 * Only trees that differ in direction and order have the same totals: the weight of a function does not depend on
 * either. So the table and the footer show the totals of the tree before, which are those of the tree to come.
 */
#include "tui/early.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tui/search.h"

static bool has_same_totals(const struct app *app)
{
	struct recipe before = app->folded; /* only compared */
	before.reverse = app->view.recipe.reverse;
	before.sort = app->view.recipe.sort;
	return app_can_stop_fold(app) && recipe_is_same(&before, &app->view.recipe);
}

static struct tree_place place_now(const struct view *v)
{
	return (struct tree_place){.zoom = v->zoom, .cursor = v->cursor, .mark = v->mark, .n_back = v->n_back};
}

static bool has_moved(const struct app *app)
{
	struct tree_place now = place_now(&app->view), first = app->early.first;
	return now.zoom != first.zoom || now.cursor != first.cursor || now.mark != first.mark ||
	       now.n_back != first.n_back;
}

static void keep_place(struct app *app)
{
	const struct view *v = &app->view;
	app->early.before = place_now(v);
	app->early.back = mem_copy(v->back, v->n_back, sizeof *v->back);
}

static void show(struct app *app, struct tree *early)
{
	struct early *e = &app->early;
	struct search old = app->view.search;
	search_stop_readers(app, true);
	if (!e->is_shown)
		keep_place(app);
	app->view.search = (struct search){.pattern = NULL};
	view_adopt_tree(&app->view, early);
	if (e->is_shown)
		work_free_tree(early);
	else
		e->tree = *early;
	e->is_shown = true;
	e->first = place_now(&app->view);
	app_tree_changed(app);
	search_again(app, &old);
	search_clear(&old);
}

void early_take(struct app *app)
{
	struct tree early;
	if (!app->work || !work_take_early(app->work, &early))
		return;
	if (has_same_totals(app))
		show(app, &early);
	else
		work_free_tree(&early);
}

void early_drop(struct app *app)
{
	struct early *e = &app->early;
	work_free_tree(&e->tree);
	free(e->back);
	*e = (struct early){.is_shown = false};
}

/* Puts the tree before into the view, with the places that it had. */
static void put_back(struct app *app)
{
	struct early *e = &app->early;
	struct view *v = &app->view;
	view_adopt_tree(v, &e->tree);
	v->zoom = e->before.zoom;
	v->cursor = e->before.cursor;
	v->mark = e->before.mark;
	free(v->back);
	v->back = e->back;
	v->n_back = v->cap_back = e->before.n_back;
	e->back = NULL;
}

void early_end(struct app *app)
{
	if (!app->early.is_shown)
		return;
	if (!has_moved(app))
		put_back(app);
	early_drop(app);
}

void early_give_back(struct app *app)
{
	struct search old = app->view.search;
	if (!app->early.is_shown)
		return;
	search_stop_readers(app, true);
	app->view.search = (struct search){.pattern = NULL};
	put_back(app);
	early_drop(app);
	app_tree_changed(app);
	search_again(app, &old);
	search_clear(&old);
}
