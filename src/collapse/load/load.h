/*
 * load.h - turns inputs into a profile: opens, decompresses, detects, and collapses on worker threads.
 *
 * load_all() is the simple form: it returns when everything is read. The viewer uses load_start() and its
 * companions: they read in the background, and load_snapshot() gives a consistent copy of what has arrived so far.
 *
 * There are four ways of reading; the input decides which:
 *
 *	plain     reads into one buffer, feeds whole lines, moves the rest to the front (feeder.h);
 *	ahead     the same, while a second thread reads and decompresses: for pipes and compressed files (ahead.h);
 *	ranges    for a large plain file with independent records: each worker parses a range of it (ranges.h);
 *	shares    for a large plain file with unsorted lines: each worker parses its share of the lines (ranges.c).
 *
 * The first worker always fills the profile that is being loaded. It releases the profile's lock between two
 * pieces, so that load_snapshot() can copy (shared.h).
 *
 * A viewer may show a pipe for hours. The memory for its samples is bounded (model/retain.h), and samples without a
 * time get that of their arrival if the view needs times. If the view needs neither order nor times, samples are
 * added up as they come, and the profile grows with the number of stacks, not of samples.
 */
#ifndef COLLAPSE_LOAD_H
#define COLLAPSE_LOAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"

/* What became of an answer. */
enum load_verdict {
	LOAD_TAKEN,
	LOAD_BAD,  /* it cannot be read */
	LOAD_FULL, /* the profile has no room for it */
	LOAD_LATE  /* there was no time to read it */
};

/* An input that is no file, and is fetched when its turn comes. It must outlive the loader. */
struct load_fetcher {
	void *arg;
	/*
	 * Returns a descriptor of a regular file at its beginning, which the loader closes. -1: err says why, or *stop
	 * was set. Called by the thread that loads.
	 */
	int (*fetch)(void *arg, const atomic_bool *stop, struct err *err);
	/*
	 * NULL, or: `fetch` waits for what others send, which adds up to one profile; -1 without a reason is its end.
	 * This function gets to know what became of each, and why.
	 */
	void (*judge)(void *arg, enum load_verdict, const char *why);
	/*
	 * NULL, or: does what else is to be done, for some milliseconds, while what came is read on another thread.
	 * false: there is no more time, and reading is given up.
	 */
	bool (*meanwhile)(void *arg);
	/* NULL, or: keeps an answer that has stacks. Others may be anything, also what the user sent. */
	bool (*keep)(void *arg, struct err *err);
	/* NULL, or: overwrites in a part of the input what no message may show. */
	void (*hide)(void *arg, char *text, size_t n);
	/*
	 * Seconds from one answer to the next, which belong to one live profile; 0: there is one answer. Only for the
	 * last input.
	 */
	unsigned every;
	bool is_state;   /* each answer takes the place of the one before, instead of adding to it */
	bool is_passing; /* samples that are kept nowhere, and would be others the next time */
};

struct load_input {
	const char *path;                   /* "-": standard input */
	int fd;                             /* >= 0: read this descriptor; path is its name */
	const struct load_fetcher *fetcher; /* NULL: path or fd is the input; else path is its name */
	unsigned side;                      /* 1: baseline */
	const char *format; /* known beforehand, so that detection need not wait for bytes; NULL: as the options say */
	const char *events; /* of a recording, see collapse_options; NULL: unknown, or to be read from its header */
	const char *hint;   /* why it may have no stacks, and what helps; NULL: unknown */
	const char *event, *unit; /* of samples whose format names neither; NULL: unknown; event may be "" */
};

/*
 * Reads all inputs into *profile (initialised by the caller) and detects each format. true: something usable was
 * read; profile->report lists what was skipped. false: nothing usable, or an input failed; profile holds what was
 * read before, err the reason. A truncated compressed file with usable data is true, with a warning in the report.
 */
bool load_all(struct profile *, const struct load_input *, size_t n, const struct collapse_options *, struct err *);

struct loader;

enum load_state { LOAD_RUNNING, LOAD_DONE, LOAD_FAILED };

struct load_status {
	enum load_state state;
	uint64_t bytes, bytes_all; /* read so far; all: 0 if unknown (a pipe) */
	uint64_t generation;       /* grows whenever there is something new to show */
	bool is_live;              /* a pipe that is still open */
	uint64_t
		/* taken so far, including dropped and merged ones, and shown ones that the format holds back */
		samples;
	uint64_t lost;   /* samples that the profiler reports as lost */
	uint64_t unsure; /* bytes that are read but do not tell the format yet; 0: it is known, or nothing has come */
};

/*
 * Starts reading in the background. The options' strings must outlive the loader. It writes a byte to wake_fd
 * whenever the state or the generation has changed since the last load_get_status().
 */
struct loader *load_start(const struct load_input *, size_t n, const struct collapse_options *, int wake_fd);
/* Are all inputs files, or fetched once, so that they can be read a second time? */
bool load_can_again(const struct load_input *, size_t n);
/*
 * The same for another pass over inputs that were read before: the profile begins with the symbols that are known
 * from then, under their numbers, so that it can take the other one's place.
 */
struct loader *load_start_again(const struct load_input *, size_t n, const struct collapse_options *, int wake_fd,
                                const struct symtab *known);
void load_get_status(struct loader *, struct load_status *);
/* Is it still reading? Unlike load_get_status(), this does not request another byte on wake_fd. */
bool load_is_running(const struct loader *);
/*
 * Copies what has arrived (profile_snapshot); false: nothing yet, or load_stop() was called. Waits until a piece is
 * finished: a few ms, unless the input is made to take longer.
 */
bool load_snapshot(struct loader *, struct profile *copy);
/*
 * Announces the view's window and half-life (as in a recipe): from now on a live profile keeps what they need, and
 * samples without a time get that of their arrival.
 */
void load_keep(struct loader *, uint64_t window, uint64_t half_life);
/* In state DONE or FAILED: moves the whole profile out and returns as load_all() does. */
bool load_take(struct loader *, struct profile *, struct err *);
/* Asks the loader to stop reading soon; a snapshot that waits for it gives up. NULL is fine. */
void load_stop(struct loader *);
/* Stops reading if necessary, and frees. */
void load_free(struct loader *);

#endif
