/*
 * plain_axis.c - folds once more, without the time axis. Of a zoom in time, only what is within it
 * counts.
 */
#include "plain_axis.h"

bool plain_axis_make(struct view *plain, const struct view *of, struct span cut, bool keeps_lanes,
                     struct progress *progress, struct err *err)
{
	*plain = *of;
	recipe_copy(&plain->recipe, &of->recipe);
	plain->recipe.axis = keeps_lanes ? AXIS_TIME : AXIS_SAMPLES;
	plain->recipe.timed = true; /* as on the axis of time */
	plain->recipe.cut_from = cut.from;
	plain->recipe.cut_to = cut.to;
	if (!fold(of->profile, &plain->recipe, &plain->tree, progress, err)) {
		recipe_deinit(&plain->recipe);
		return false;
	}
	plain->span = (struct span){0};
	plain->zoom = plain->cursor = NODE_ALL;
	plain->back = NULL;
	plain->past_spans = NULL;
	plain->n_back = plain->n_past_spans = 0;
	plain->search = (struct search){.pattern = NULL};
	if (of->search.pattern && progress_step(progress, 0))
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
