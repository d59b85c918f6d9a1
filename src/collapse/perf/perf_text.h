/*
 * perf_text.h - the parser of perf script: its state, shared by its two parts.
 *
 *	perf.c         events, and frames line by line
 *	perf_block.c   all frames of an event at once
 */
#ifndef COLLAPSE_PERF_TEXT_H
#define COLLAPSE_PERF_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "collapse/perf/perf_caches.h"
#include "collapse/perf/perf_event.h"
#include "collapse/perf/perf_frames.h"
#include "collapse/perf/perf_lines.h"
#include "collapse/perf/perf_order.h"
#include "collapse/perf/perf_recent.h"
#include "collapse/perf/perf_sites.h"

/* The task of an event line. */
struct perf_task {
	char comm[PERF_COMM_MAX];
	size_t comm_len;  /* SIZE_MAX: longer than comm, not cached */
	int64_t pid, tid; /* -1: perf does not know it */
	bool has_pid, is_java;
	uint32_t root, task;
};

/* A line of a block of frames, and its frames. */
struct perf_found {
	const char *line;
	uint32_t first, n; /* frames in the pool */
	struct perf_at at;
};

struct perf {
	struct sink *sink;
	struct profile *profile;
	struct perf_recent recent[PERF_TASKS]; /* by task */
	bool shares;                           /* no option forbids sharing frames with another sample */
	const struct perf_task *task;          /* of the present event */
	struct perf_task tasks[PERF_TASKS];    /* recent ones, by thread */
	struct perf_event event;               /* the present one, or the previous one */
	struct perf_order order;               /* of the events */
	struct sample sample;
	bool has_series; /* an event of this input is known */
	uint32_t series; /* number of the event met last */
	bool had_period; /* the sample met last */
	uint64_t event_line;
	const char *no_blank_from, *blank; /* in the piece: the next blank line (or end) from there on; NULL: unknown */
	bool has_chosen;                   /* an event matched --event-filter */
	bool has_places;                   /* there are source lines */
	bool in_event, is_skipped, is_cut, is_odd, has_frames, has_modules;
	bool had_modules; /* frames of this or an earlier event have modules */
	char last_byte;   /* of the input so far */
	bool is_dump;     /* the last line showed bytes of an event */
	bool is_lone;     /* the last line is of an event, and ends with a frame */
	bool is_record;   /* the last line belonged to no sample; see continues_record() */
	struct perf_frames known;
	struct perf_site *pending; /* lines of this event waiting for look-up, leaf first */
	size_t n_pending, cap_pending;
	uint32_t *frames; /* frames of the lines before them, leaf first */
	size_t n, cap;
	uint64_t *addresses; /* of these frames, as printed */
	size_t n_addresses, cap_addresses;
	struct perf_sites *sites; /* NULL: not wanted */
	struct perf_at *at;       /* of these frames */
	size_t n_at, cap_at;
	struct perf_at *line_at; /* by number of the line in `lines` */
	size_t last;             /* start of the last line's frames */
	struct buf orphan;       /* a frame line without module: inlined if a source line follows */
	uint64_t orphan_line;
	struct buf tail;         /* a frame at the end of the event line, which counts if no stack follows */
	struct perf_line *lines; /* PERF_LINES of them */
	struct perf_unnamed unnamed;
	struct perf_found *found; /* lines of the present block, leaf first */
	size_t n_found, cap_found, n_found_frames;
	struct buf name;
};

/* Numbers the event of the sample, which has a stack. */
void perf_set_series(struct perf *);
/*
 * Takes all frame lines of an event at once: text[0..len), up to before the blank line. false: they are not all
 * plain, and nothing is done; the lines are then parsed one by one.
 */
bool perf_take_block(struct perf *, const char *text, size_t len);

#endif
