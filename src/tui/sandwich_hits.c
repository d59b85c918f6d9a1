/*
 * sandwich_hits.c - goes from one match of the search to the next in a sandwich.
 */
#include "lib/cells.h"
#include "tui/canvas.h"
#include "tui/sandwich.h"

/* The heaviest match of the box, which may stand for many frames; NO_NODE: those in it are of frames left out. */
static uint32_t hit_in(const struct app *app, enum sandwich_half half, size_t box)
{
	const struct box *b = &app->sandwich->layouts[half].boxes[box];
	const struct tree *t = &app->sandwich->halves.trees[half];
	uint32_t found = NO_NODE, end = box_is_aggregate(b) ? t->end[b->last] : b->node + 1;
	for (uint32_t i = b->node; i < end; i++)
		if (search_is_hit(&app->view.search, t, i) && (found == NO_NODE || tree_total(t, i) > tree_total(t, found)))
			found = i;
	return found;
}

/*
 * From the middle down through the callees, then from the middle up through the callers. left_out: also stops at
 * boxes below which the tree leaves out a match.
 */
static bool go_to_hit(struct app *app, bool backwards, bool may_stay, bool left_out)
{
	struct sandwich *s = app->sandwich;
	const struct canvas halves[2] = {sandwich_canvas(app, HALF_CALLERS), sandwich_canvas(app, HALF_CALLEES)};
	size_t below = s->layouts[HALF_CALLEES].n, above = s->layouts[HALF_CALLERS].n,
		   box = sandwich_selected(s, s->half);
	if (box == NO_BOX || above == 0)
		return false;
	size_t all = below + above - 1; /* the function is drawn once */
	size_t i = s->half == HALF_CALLEES ? box : below + box - 1;
	for (size_t n = may_stay ? 0 : 1; n <= all; n++) {
		size_t at = (backwards ? i + all - n : i + n) % all;
		enum sandwich_half half = at < below ? HALF_CALLEES : HALF_CALLERS;
		box = at < below ? at : at - below + 1;
		if (!canvas_is_hit(&halves[half], &s->layouts[half].boxes[box]))
			continue;
		uint32_t hit = hit_in(app, half, box);
		if (hit == NO_NODE && !left_out)
			continue;
		sandwich_go_to(s, half, hit == NO_NODE ? s->layouts[half].boxes[box].node : hit);
		return true;
	}
	return false;
}

bool sandwich_next_hit(struct app *app, bool backwards, bool may_stay)
{
	if (!app->view.search.pattern || !sandwich_has_function(app) || app->sandwich->stamp == 0)
		return false;
	if (go_to_hit(app, backwards, may_stay, false))
		return true;
	bool is_there = go_to_hit(app, backwards, may_stay, true);
	if (is_there)
		app_say(app, "the match is beyond this frame, too narrow to be shown");
	return is_there;
}
