/*
 * live.h - figures of a profile that is coming in: duration, samples, rate, and cost.
 */
#ifndef TUI_LIVE_H
#define TUI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/cells.h"

#define LIVE_UNKNOWN (-1.0)
/* Messages that are wrong after the end of the stream; the second one goes on. */
#define LIVE_AGAIN "live again"
#define LIVE_FROZEN "frozen: samples are still taken"

struct live {
	uint64_t start_ms;
	uint64_t seconds;      /* since then */
	uint64_t asked_ms;     /* when the processor time was last asked for */
	uint64_t mark_ms;      /* when rate and cost were last computed */
	uint64_t mark_samples; /* samples and processor time up to then */
	double mark_cpu;
	double rate; /* recent samples per second; LIVE_UNKNOWN: too early to say */
	double cost; /* processors recently kept busy by the profiler; LIVE_UNKNOWN */
};

void live_init(struct live *, uint64_t now_ms);
/* Is it time to ask for the processor time? To find it out takes system calls, too many for each piece of input. */
bool live_wants_cost(struct live *, uint64_t now_ms);
/*
 * cpu: seconds of processor time used by the profiler so far, or LIVE_UNKNOWN. true: there are new figures to show.
 */
bool live_update(struct live *, const struct load_status *, double cpu, uint64_t now_ms);
/*
 * Appends "1:02 61,234 samples 997/s 12 lost perf 2.1% CPU", shortened to at most `most` bytes, or nothing if even
 * that is too long. what: the word for one of them: "sample".
 */
void live_add(struct buf *, const struct live *, const struct load_status *, const char *what, size_t most);

#endif
