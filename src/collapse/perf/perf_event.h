/*
 * perf_event.h - parses event lines: task, time, event and period of a sample.
 *
 *	java 24636/25607 [000] 4794564.109216:   10101010 cpu-clock:
 *
 * The task's name may contain anything, and its numbers follow. Finding them needs care, but threads take turns,
 * and two lines of one thread differ only in processor, time and period: perf_event_again() recognises a line by
 * its beginning and its end, if both were met before.
 */
#ifndef COLLAPSE_PERF_EVENT_H
#define COLLAPSE_PERF_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "collapse/perf/perf_caches.h"
#include "collapse/text/lines.h"

/* An event line up to the end of its task. */
struct perf_head {
	size_t len; /* 0: free */
	size_t comm_at, comm_len, id_at, id_len;
	int64_t pid, tid;
	bool has_pid;
	char text[PERF_HEAD_MAX + 32]; /* 32: read at once */
};

/* The event line parsed last. */
struct perf_event {
	struct slice comm, id; /* "java" and "24636/25607", in the line */
	bool has_pid;
	int64_t pid, tid;   /* -1: perf does not know it */
	uint64_t time;      /* ns, or NO_TIME */
	uint32_t cpu;       /* or NO_CPU */
	bool has_period;    /* weights are units of the event, not samples */
	bool is_bad_period; /* there is one that is not a number of 64 bits */
	bool is_bad_time;   /* it is not seconds with a fraction */
	uint64_t weight;    /* the period, else 1 */
	struct buf name;    /* "cycles", "cycles:u", "sched:sched_switch"; modifiers only if they say where it counts */
	struct buf wanted;  /* see perf_event_want(); empty: every event is */
	struct perf_head heads[PERF_HEADS];
	char tail[PERF_TAIL_MAX + 32]; /* of the line, from after the period; what `name` was made of */
	size_t tail_len;               /* with the newline; 0: unknown */
};

void perf_event_init(struct perf_event *);
void perf_event_deinit(struct perf_event *);

/* Finds the task and sets comm to tid; rest is the text after it. false: the line has none. */
bool perf_event_task(struct perf_event *, struct slice line, struct slice *rest);
/* Parses the rest from perf_event_task(). Returns the text after the event. */
struct slice perf_event_parse(struct perf_event *, struct slice rest);
/* Remembers the line parsed last: its whole text, newline included. Nothing may follow its event. */
void perf_event_learn(struct perf_event *, const char *text, size_t len);
/*
 * Parses the line at text if it begins and ends like remembered ones. Returns its length with the newline, 0 if it
 * is unknown. A newline and 64 more bytes must follow somewhere.
 */
size_t perf_event_again(struct perf_event *, const char *text);

/*
 * "8436.007854: PERF_RECORD_LOST lost 14" and the like after a task, from perf script --show-lost-events,
 * --show-mmap-events and so on. lost: how many samples it says are lost.
 */
bool perf_event_is_record(struct slice rest, uint64_t *lost);
/* Is the record "DEFERRED CALLCHAIN", the callers of earlier samples, from perf script --no-merge-callchains? */
bool perf_event_has_callers(struct slice rest);
/* Is it an event line, with a time? Events without call chains stand line by line. */
bool perf_event_has_time(struct slice line);
/* SNIFF_MAYBE: there is a task in the line, and something like an event after it; SNIFF_YES: it is a record. */
enum sniff perf_event_sniff(struct slice line);
/* Turns an event that is written as for perf record -e into its name in event lines. Replaces what is in `name`. */
void perf_event_normalize(struct slice event, struct buf *name);
/*
 * Chooses the event, named as for perf record -e; NULL: all of them. "cycles" stands for cycles:u, too, and
 * "cycles:uppp" for cycles:u.
 */
void perf_event_want(struct perf_event *, const char *event);
bool perf_event_is_wanted(const struct perf_event *);
/* Takes the event as its base: of lines with their only frame, cycles and cycles:u count as one (as in inferno). */
void perf_event_join(struct perf_event *);
/* "cycles" of the event name "cycles:u". */
struct slice perf_event_base(struct slice name);

#endif
