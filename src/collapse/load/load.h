/*
 * load.h - inputs in, profile out: opening, decompressing, detecting, collapsing on worker threads.
 *
 * load_all() is the simple form: it returns when everything is read. The viewer uses load_start() and friends:
 * reading goes on in the background, and load_snapshot() gives a consistent copy of what has arrived so far.
 *
 * There are four ways of reading, chosen by what the input is:
 *
 *	plain     read into one buffer that is used again and again, feed whole lines, move the rest to the front
 *	          (feeder.h);
 *	ahead     the same, with a second thread that reads and decompresses ahead: for pipes and compressed files
 *	          (ahead.h);
 *	ranges    a large plain file whose format has independent records: each worker parses a range of it (ranges.h);
 *	shares    a large plain file whose lines stand in no order: each worker parses its share of the lines
 *	          (ranges.c).
 *
 * The first worker always fills the profile that is being loaded, under a lock that is free between two pieces, so
 * that load_snapshot() can copy what is there (shared.h).
 *
 * A pipe may stay open for hours while an interface shows it: what it brings is kept at a bearable size
 * (model/retain.h), and gets the time of its arrival where a view needs times and the format has none. Where
 * neither order nor times matter to the view, samples are added up as they come, and the profile grows with the
 * number of stacks and not with that of samples.
 */
#ifndef COLLAPSE_LOAD_H
#define COLLAPSE_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"

struct load_input {
	const char *path; /* "-": standard input */
	int fd;           /* >= 0: read this descriptor instead; path is its name */
	unsigned side;    /* 1: baseline */
	const char
		*format; /* known beforehand, so that nothing has to arrive for detection; NULL: as the options say */
	const char *events; /* of a recording, see collapse_options; NULL: unknown, or to be read from its header */
};

/*
 * Reads all inputs into *profile (initialised by the caller), each with its own detection. true: something usable
 * was read; what was skipped is in profile->report. false: nothing usable, or an input failed; profile holds what
 * was read before, err the reason. A truncated compressed file with usable data is true with a warning in the
 * report.
 */
bool load_all(struct profile *, const struct load_input *, size_t n, const struct collapse_options *, struct err *);

struct loader;

enum load_state { LOAD_RUNNING, LOAD_DONE, LOAD_FAILED };

struct load_status {
	enum load_state state;
	uint64_t bytes, bytes_all; /* taken from the inputs; all: 0 if unknown (a pipe) */
	uint64_t generation;       /* grows whenever there is something new to show */
	bool is_live;              /* a pipe that is still open */
	uint64_t
		/* taken so far, also those that were let go or added up since, and those held back that are shown */
		samples;
	uint64_t lost; /* samples that the profiler says it has lost */
};

/*
 * Starts reading in the background. What the options point to must outlive it. wake_fd: a byte is written there
 * whenever the state or the generation changed since the last load_status().
 */
struct loader *load_start(const struct load_input *, size_t n, const struct collapse_options *, int wake_fd);
void load_get_status(struct loader *, struct load_status *);
/* Is it still at work? Unlike load_get_status() it asks for no further news. */
bool load_is_running(const struct loader *);
/*
 * A copy of what has arrived (profile_snapshot); false: nothing yet. Waits for a piece to be finished, some ms at
 * most.
 */
bool load_snapshot(struct loader *, struct profile *copy);
/*
 * The view has got this window and half-life (as in a recipe): a live profile keeps what they need from now on, and
 * its samples get the time of their arrival if the source gives them none.
 */
void load_keep(struct loader *, uint64_t window, uint64_t half_life);
/* When the state is DONE or FAILED: moves the whole profile out; as load_all(). */
bool load_take(struct loader *, struct profile *, struct err *);
/* Stops reading if it still does, and frees. */
void load_free(struct loader *);

#endif
