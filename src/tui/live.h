/*
 * live.h - a profile that is coming in: how long, how much, how fast, and at what cost.
 */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "collapse/load/load.h"

#define LIVE_UNKNOWN (-1.0)

struct live {
	uint64_t start_ms;
	uint64_t seconds;      /* since then */
	uint64_t mark_ms;      /* when rate and cost were taken last */
	uint64_t mark_samples; /* and what had come and been spent until then */
	double mark_cpu;
	double rate; /* samples per second, lately; LIVE_UNKNOWN: too early to say */
	double cost; /* processors that the profiler keeps busy, lately; LIVE_UNKNOWN */
};

void live_init(struct live *, uint64_t now_ms);
/*
 * cpu: seconds of processor time that the profiler has taken so far, LIVE_UNKNOWN. true: there is news to be shown.
 */
bool live_update(struct live *, const struct load_status *, double cpu, uint64_t now_ms);
/*
 * "1:02  61,234 samples  997/s  12 lost  perf 2.1% CPU", in fewer words where that is more than `most` bytes, and
 * nothing where these are. what: what came, one of them: "sample".
 */
void live_add(struct buf *, const struct live *, const struct load_status *, const char *what, size_t most);

#endif
