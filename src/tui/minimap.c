/*
 * minimap.c - the visible part of the whole width, as a heavier stretch of a line.
 *
 *	─────────────╼━━━━━━━━━━╾────────────────────────────────────
 *
 * Both ends are rounded to the nearest half of a cell, in ASCII to a cell. The part is never empty, and a hidden
 * rest of any size shows.
 */
#include "tui/minimap.h"

#include "tui/wide.h"

/* On a lower screen the graph needs each row. */
#define LEAST_SCREEN_ROWS 12

/* The visible part [from, to) of [0, whole). */
struct part {
	uint64_t from, to, whole;
};

static struct part visible_part(const struct view *v)
{
	const struct tree *t = &v->tree;
	if (t->until) {
		struct span whole = view_whole_span(v), s = view_span(v);
		return (struct part){s.from - whole.from, s.to - whole.from, whole.to - whole.from};
	}
	return (struct part){t->pos[v->zoom], t->pos[t->end[v->zoom]], tree_total(t, NODE_ALL)};
}

bool minimap_is_shown(const struct app *app)
{
	return (app->tab == TAB_FLAME || wide_has_both(app)) && view_is_zoomed(&app->view) &&
	       app->grid.rows >= LEAST_SCREEN_ROWS && !app->is_heat_open && !app_has_nothing(app);
}

/* The part in steps, of which the line has n. */
static void round_part(const struct part *p, int n, int *first, int *end)
{
	double step = (double)p->whole / n;
	*first = p->whole ? (int)((double)p->from / step + 0.5) : 0;
	*end = p->whole ? (int)((double)p->to / step + 0.5) : n;
	if (*end <= *first) {
		*first = *first < n ? *first : n - 1;
		*end = *first + 1;
	}
	if (*first > 0 || *end < n || p->to - p->from == p->whole || n < 2)
		return;
	if (p->from > p->whole - p->to)
		*first = 1;
	else
		*end = n - 1;
}

void minimap_paint(struct app *app, int row)
{
	static const uint32_t signs[2][2] = {{0x2500, 0x257C}, {0x257E, 0x2501}}; /* by left and right half */
	struct part part = visible_part(&app->view);
	const struct theme *t = &app->theme;
	int cols = wide_area(app, TAB_FLAME, app->body).cols, halves = t->ascii ? 1 : 2, first, end;
	round_part(&part, cols * halves, &first, &end);
	for (int i = 0; i < cols; i++) {
		int left = i * halves, right = left + halves - 1;
		bool has_left = left >= first && left < end, has_right = right >= first && right < end;
		uint32_t sign = t->ascii ? (has_left ? '=' : '-') : signs[has_left][has_right];
		grid_put(&app->grid, row, i, sign, has_left || has_right ? t->plain : t->dim);
	}
}

/* The frame at a position that is as deep as the zoomed one, or as deep as stacks are there. */
static uint32_t frame_at(const struct view *v, uint64_t position)
{
	const struct tree *t = &v->tree;
	uint32_t node = NODE_ALL;
	for (uint32_t depth = tree_depth(t, v->zoom); depth > 0; depth--) {
		uint32_t child = tree_child_at(t, node, position);
		if (child == NO_NODE || t->pos[child] > position || tree_is_gap(t, child))
			break;
		node = child;
	}
	return node;
}

void minimap_click(struct app *app, int col)
{
	struct part part = visible_part(&app->view);
	uint64_t position = weight_from((double)part.whole * (col + 0.5) / wide_area(app, TAB_FLAME, app->body).cols);
	if (app->view.tree.until) {
		uint64_t half = (part.to - part.from) / 2;
		app->dirty |=
			view_move_span(&app->view, app->view.tree.time[NODE_ALL] + (position > half ? position - half : 0));
		return;
	}
	uint32_t node = part.whole ? frame_at(&app->view, position < part.whole ? position : part.whole - 1) : NODE_ALL;
	if (node == NODE_ALL)
		app_say(app, "no frame is there");
	else
		app->dirty |= view_zoom(&app->view, node);
}
