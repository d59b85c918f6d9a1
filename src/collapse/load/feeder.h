/*
 * feeder.h - one collapser at work: bytes go in as they are read, whole lines or records reach the format.
 *
 *	feeder_start(&f, err)
 *	n = read(..., feeder_room(&f, BLOCK), BLOCK)      again and again
 *	feeder_take(&f, n, err)
 *	feeder_finish(&f, ok, err)                        always, also when feeder_start() failed
 *
 * What follows the last line end of a block is carried to the next one. A line or record beyond RECORD_MAX is
 * skipped, and noted. The feeder also does what a live profile needs after each piece: it gives samples the time of
 * their arrival, and lets go of those that no view will want (model/retain.h).
 */
#ifndef COLLAPSE_LOAD_FEEDER_H
#define COLLAPSE_LOAD_FEEDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/input.h"
#include "collapse/collapse.h"
#include "collapse/load/shared.h"
#include "model/retain.h"

/* Tests compile the loader with smaller blocks, so that a few lines are many of them. */
#ifndef BLOCK
#define BLOCK (1u << 18) /* bytes read at once: with what is looked up for them they fit the processor's cache */
#endif

struct feeder {
	/* set by the caller, the rest zeroed */
	const struct collapse_format *format;
	struct sink sink;
	struct load_shared *lock; /* held while feeding; NULL where the profile belongs to this thread alone */
	struct load_shared *shared;
	uint64_t first; /* offset in the file where the input begins: behind a byte order mark */
	bool is_live;   /* a pipe while an interface shows what has come */
	struct retention retention;

	/* private */
	void *state; /* of the format */
	char *buf;   /* what is carried, a block, and readable bytes behind */
	size_t cap, carry;
	bool is_skipping; /* inside a record that is too long */
	bool is_stamping; /* samples get the time of their arrival */
};

/* false: the format refused to start, err says why. */
bool feeder_start(struct feeder *, struct err *);
/* Where the next n bytes go. Valid until the next call with this feeder. */
char *feeder_room(struct feeder *, size_t n);
/* n bytes were put where feeder_room() said. false: what is left makes no sense, err says why. */
bool feeder_take(struct feeder *, size_t n, struct err *);
/*
 * The input is over; !ok: it was given up, and err holds the reason already. Feeds the last line, ends the format,
 * and frees. Returns whether all went well.
 */
bool feeder_finish(struct feeder *, bool ok, struct err *);

/* Reads the rest of the input on the calling thread. true: to its end, or until shared->stop. */
bool feeder_read(struct feeder *, struct input *, struct err *);

/* Makes an empty profile for a part of an input: its samples share entries as those of `whole`. */
void feeder_init_profile(struct profile *part, const struct profile *whole);

#endif
