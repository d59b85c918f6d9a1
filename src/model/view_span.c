/*
 * view_span.c - the zoom of a chart with a time axis: a stretch of time over all lanes, not a frame.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "selection.h"
#include "view.h"

struct span view_whole_span(const struct view *v)
{
	return (struct span){v->tree.time[NODE_ALL], v->tree.until[NODE_ALL]};
}

struct span view_span(const struct view *v)
{
	return v->span.to ? v->span : view_whole_span(v);
}

struct span view_cut(const struct view *v)
{
	bool is_of_time = v->shown.view == SHOWN_FLAME || v->shown.view == SHOWN_TABLE;
	return is_of_time ? v->span : (struct span){0};
}

bool view_has_time_axis(const struct view *v)
{
	return selection_has_time_axis(v->profile, &v->recipe);
}

static bool is_same(struct span a, struct span b)
{
	return a.from == b.from && a.to == b.to;
}

/* The part of a stretch that the chart has; all of it if that is nothing. */
static struct span within(const struct view *v, struct span s)
{
	struct span whole = view_whole_span(v);
	s.from = s.from < whole.from ? whole.from : s.from;
	s.to = s.to > whole.to ? whole.to : s.to;
	return s.from < s.to ? s : whole;
}

static unsigned go_to(struct view *v, struct span s)
{
	s = within(v, s);
	if (is_same(s, view_whole_span(v)))
		s = (struct span){.from = 0};
	v->span = s;
	return DIRTY_LAYOUT | DIRTY_SCREEN;
}

unsigned view_zoom_span(struct view *v, struct span s)
{
	if (s.to <= s.from)
		s.to = s.from + 1;
	if (is_same(within(v, s), view_span(v)))
		return 0;
	mem_push(v->past_spans, v->n_past_spans, v->cap_past_spans, view_span(v));
	return go_to(v, s);
}

unsigned view_zoom_lanes(struct view *v, uint32_t node)
{
	return view_zoom_span(v, (struct span){v->tree.time[node], v->tree.until[node]});
}

unsigned view_move_span(struct view *v, uint64_t from)
{
	struct span whole = view_whole_span(v), now = view_span(v);
	uint64_t width = now.to - now.from, last = whole.to - width;
	if (!v->span.to)
		return 0;
	from = from < whole.from ? whole.from : from > last ? last : from;
	return from == now.from ? 0 : go_to(v, (struct span){from, from + width});
}

unsigned view_unzoom_span(struct view *v)
{
	while (v->n_past_spans) {
		struct span past = within(v, v->past_spans[--v->n_past_spans]);
		if (!is_same(past, view_span(v)))
			return go_to(v, past);
	}
	return v->span.to ? go_to(v, view_whole_span(v)) : 0;
}

void view_forget_spans(struct view *v)
{
	v->span = (struct span){0};
	v->n_past_spans = 0;
}

void view_follow_axis(struct view *v)
{
	uint32_t zoom = v->zoom;
	if (!v->tree.until) {
		view_forget_spans(v);
		return;
	}
	if (v->span.to)
		go_to(v, v->span);
	v->zoom = NODE_ALL;
	v->n_back = 0;
	if (zoom != NODE_ALL)
		view_zoom_lanes(v, zoom);
}
