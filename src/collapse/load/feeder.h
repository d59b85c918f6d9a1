/*
 * feeder.h - feeds a format: bytes go in as they are read, and whole lines or records reach the collapser.
 *
 *	feeder_start(&f, err)
 *	n = read(..., feeder_room(&f, BLOCK), BLOCK)      again and again
 *	feeder_take(&f, n, err)
 *	feeder_finish(&f, ok, err)                        always, also when feeder_start() failed
 *
 * Bytes after the last line end of a block are carried to the next one. A line or record beyond RECORD_MAX is
 * skipped and noted. After each piece of a live profile, the feeder also stamps samples with their arrival time and
 * drops those that no view will show (model/retain.h).
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

/* Tests compile the loader with smaller blocks, so that a few lines fill many of them. */
#ifndef BLOCK
#define BLOCK (1u << 18) /* bytes read at once: they fit the processor's cache together with the tables */
#endif

struct feeder {
	/* set by the caller, the rest zeroed */
	const struct collapse_format *format;
	struct sink sink;
	struct load_shared *lock; /* held while feeding; NULL where the profile belongs to this thread alone */
	struct load_shared *shared;
	uint64_t first; /* offset in the file where the text begins: after a byte order mark */
	bool is_live;   /* a pipe, while a viewer shows what has come */
	struct retention retention;

	/* private */
	void *state; /* of the format */
	char *buf;   /* the carried bytes, a block, and readable bytes after */
	size_t cap, carry;
	bool is_skipping; /* inside a record that is too long */
	bool is_stamping; /* samples get the time of their arrival */
};

/* false: the format did not start, err says why. */
bool feeder_start(struct feeder *, struct err *);
/* Returns room for the next n bytes. Valid until the next call with this feeder. */
char *feeder_room(struct feeder *, size_t n);
/* Takes the n bytes at feeder_room(). false: the rest of the input makes no sense, err says why. */
bool feeder_take(struct feeder *, size_t n, struct err *);
/*
 * Ends the input. !ok: reading was given up, and err already holds the reason. Feeds the last line, ends the
 * format, and frees. Returns whether all went well.
 */
bool feeder_finish(struct feeder *, bool ok, struct err *);

/* Reads the rest of the input on the calling thread. true: reached its end, or shared->stop was set. */
bool feeder_read(struct feeder *, struct input *, struct err *);

/* Makes an empty profile for a part of an input; its samples share entries by the same rule as those of `whole`. */
void feeder_init_profile(struct profile *part, const struct profile *whole);

#endif
