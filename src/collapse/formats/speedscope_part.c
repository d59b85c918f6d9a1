/*
 * speedscope_part.c - one profile of a speedscope file: its name, unit and limits.
 */
#include "collapse/formats/speedscope_part.h"

bool speedscope_is_bare(const struct speedscope_part *p)
{
	return !p->name && !p->n_stacks && !p->n_weights && !p->n_events;
}

void speedscope_take_limit(struct speedscope_part *p, struct slice key, const struct decimal *d)
{
	if (slice_is(key, "startValue")) {
		p->start = small_decimal(d);
		p->has_start = true;
	} else if (slice_is(key, "endValue")) {
		p->end = small_decimal(d);
		p->has_end = true;
	}
}

void speedscope_take_fact(struct speedscope_part *p, struct sink *sink, bool is_ours, struct slice key,
                          struct slice text)
{
	if (slice_is(key, "name"))
		p->name = sink_frame(sink, text.s, text.n);
	else if (slice_is(key, "unit"))
		p->unit = speedscope_unit(text, &p->places);
	else if (is_ours && slice_is(key, "event"))
		p->event = sink_sym(sink, text.s, text.n);
	else if (is_ours && slice_is(key, "counted"))
		p->counted = sink_sym(sink, text.s, text.n);
}

uint32_t speedscope_event(struct sink *sink, const struct speedscope_part *p)
{
	const char *name = p->unit == 't' ? "time" : p->unit == 'b' ? "bytes" : "samples";
	return p->event ? p->event : sink_sym(sink, name, strlen(name));
}

uint32_t speedscope_series(struct sink *sink, unsigned side, const struct speedscope_part *p)
{
	const char *of = p->unit == 't' ? "ns" : p->unit == 'b' ? "bytes" : "";
	return profile_series_on(sink->profile, side, speedscope_event(sink, p),
	                         p->counted && p->unit == 'n' ? p->counted : sink_sym(sink, of, strlen(of)));
}
