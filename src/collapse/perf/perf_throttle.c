/*
 * perf_throttle.c - adds up pauses of sampling.
 */
#include "collapse/perf/perf_throttle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"

void perf_throttle_deinit(struct perf_throttle *t)
{
	idmap_deinit(&t->counters);
	free(t->since);
}

#define NO_PAUSE UINT64_MAX

void perf_throttle_take(struct perf_throttle *t, uint64_t id, uint64_t time, bool pauses)
{
	uint32_t at;
	if (!idmap_find(&t->counters, id, &at)) {
		at = (uint32_t)t->n;
		mem_push(t->since, t->n, t->cap, NO_PAUSE);
		idmap_add(&t->counters, id, at);
	}
	if (pauses && t->since[at] == NO_PAUSE) {
		t->since[at] = time;
		t->pauses++;
	} else if (!pauses && t->since[at] != NO_PAUSE) {
		t->time += time > t->since[at] ? time - t->since[at] : 0;
		t->since[at] = NO_PAUSE;
		t->ended++;
	}
}

void perf_throttle_report(const struct perf_throttle *t, struct profile *p, unsigned side)
{
	char text[160];
	if (!t->pauses)
		return;
	weight_add(&p->lacks[side].paused, t->time);
	uint64_t endless = t->pauses - t->ended;
	int n = snprintf(text, sizeof text, "%" PRIu64 " pause%s of %.3f s%s", t->pauses, t->pauses == 1 ? "" : "s",
	                 (double)t->time / 1e9, t->pauses == 1 ? "" : " together");
	if (endless)
		n += snprintf(text + n, sizeof text - (size_t)n, "; the recording lacks the end of %" PRIu64, endless);
	report_add(
		&p->report, NOTE_WARN,
		"the kernel paused sampling, and what ran then is missing (kernel.perf_event_max_sample_rate; a lower -F "
		"avoids it)",
		NULL, 0, text, (size_t)n);
}
