/*
 * plain_axis.c - folds once more, without the time axis. A zoom in time becomes the choice of samples that begin
 * within it, which every file names as such.
 */
#include "plain_axis.h"

static void select_visible(struct recipe *r, struct span s)
{
	r->from = s.from > r->from ? s.from : r->from;
	r->to = r->to && r->to < s.to ? r->to : s.to;
}

bool plain_axis_make(struct view *plain, const struct view *of, struct err *err)
{
	*plain = *of;
	recipe_copy(&plain->recipe, &of->recipe);
	plain->recipe.axis = AXIS_SAMPLES;
	if (of->span.to)
		select_visible(&plain->recipe, of->span);
	if (!fold(of->profile, &plain->recipe, &plain->tree, NULL, err)) {
		recipe_deinit(&plain->recipe);
		return false;
	}
	plain->span = (struct span){0};
	plain->zoom = plain->cursor = NODE_ALL;
	plain->back = NULL;
	plain->past_spans = NULL;
	plain->n_back = plain->n_past_spans = 0;
	plain->search = (struct search){.pattern = NULL};
	if (of->search.pattern)
		view_search(plain, of->search.pattern, of->search.mode, err);
	return true;
}

/* The names made for display stay in the cache of the other view. */
void plain_axis_free(struct view *plain, const struct view *of)
{
	((struct view *)of)->display = plain->display;
	search_clear(&plain->search);
	tree_deinit(&plain->tree);
	recipe_deinit(&plain->recipe);
}
