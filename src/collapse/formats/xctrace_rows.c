/*
 * xctrace_rows.c - reads what a row of xctrace has besides its stack: the thread and the weights.
 */
#include "collapse/formats/xctrace_rows.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/text/columns.h"

static const struct column columns[N_NUMBERS] = {
	{"samples", NULL, false},
	{"time", "ns", false},
	{"cycles", "cycles", false},
};

/*
 * "main  0x8480c1 (demo, pid: 49374)": the thread's name, its number in hex, the process. A name may look like the
 * others, so the last number counts.
 */
uint32_t xctrace_task(struct sink *sink, struct slice text)
{
	struct slice pid = text, comm;
	size_t at = slice_rfind(text, ", pid: "),
		   hex = slice_rfind(at != SIZE_MAX ? slice_head(text, at) : text, "  0x");
	size_t paren = hex != SIZE_MAX ? slice_find_byte(slice_from(text, hex), '(') : slice_find_last(text, '(');
	uint64_t number = 0;
	if (paren != SIZE_MAX && hex != SIZE_MAX)
		paren += hex;
	if (paren != SIZE_MAX && at != SIZE_MAX && at > paren) {
		comm = (struct slice){text.s + paren + 1, at - paren - 1};
		pid = slice_from(text, at + 7);
		pid = slice_take_digits(&pid);
	} else {
		comm = hex != SIZE_MAX ? slice_head(text, hex) : text;
		pid.n = 0;
	}
	bool has_pid = slice_u64(pid, &number) && number <= INT64_MAX;
	int64_t tid = hex != SIZE_MAX ? (int64_t)(strtoull(text.s + hex + 2, NULL, 16) & INT64_MAX) : -1;
	return profile_task(sink->profile, sink_frame(sink, comm.s, comm.n), has_pid ? (int64_t)number : -1, tid);
}

bool xctrace_declare(struct xctrace_weights *w, struct sink *sink, struct err *err)
{
	uint32_t series[N_NUMBERS];
	if (!sink->options->value)
		return true;
	if (!columns_declare(sink, columns, N_NUMBERS, SAMPLE_TIME, series, err))
		return false;
	sink->profile->series[series[WEIGHT]].is_sampled = true;
	for (size_t i = 0; i < N_NUMBERS; i++)
		w->series[i] = series[i] + 1;
	return true;
}

/* Samples are shown first, as they were before the first weight. */
static uint32_t series_of(struct xctrace_weights *w, struct sink *sink, enum number kind)
{
	const char *name = columns[kind].name, *unit = columns[kind].unit;
	if (w->series[kind])
		return w->series[kind] - 1;
	uint32_t series = profile_series(sink->profile, sink_sym(sink, name, strlen(name)),
	                                 unit ? sink_sym(sink, unit, strlen(unit)) : 0);
	sink->profile->series[series].is_sampled |= kind == WEIGHT;
	w->series[kind] = series + 1;
	return series;
}

void xctrace_add(struct xctrace_weights *w, struct sink *sink, uint32_t path, const struct sample *sample)
{
	struct sample s = *sample;
	if (sink->options->value || w->v[WEIGHT] || w->v[CYCLE_WEIGHT])
		s.series = series_of(w, sink, SAMPLE_TIME);
	w->is_met[SAMPLE_TIME] = true;
	profile_add(sink->profile, sink->options->side, path, &s);
	for (unsigned kind = WEIGHT; kind < N_NUMBERS; kind++) {
		if (!(s.weight = w->v[kind]))
			continue;
		w->is_met[kind] = true;
		s.series = series_of(w, sink, kind);
		profile_add(sink->profile, sink->options->side, path, &s);
	}
}

bool xctrace_has_value(const struct xctrace_weights *w, const struct sink *sink, struct err *err)
{
	const char *asked = sink->options->value;
	for (size_t i = WEIGHT; asked && w->is_met[SAMPLE_TIME] && i < N_NUMBERS; i++)
		if (!w->is_met[i] && strcmp(columns[i].name, asked) == 0)
			return fail(err, "expected a '%s' column but it is not present", asked);
	return true;
}
