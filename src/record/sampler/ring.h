/*
 * ring.h - the ring buffer that the kernel shares with us .
 */
#ifndef RECORD_SAMPLER_RING_H
#define RECORD_SAMPLER_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "record/sampler/abi.h"

struct ring {
	struct abi_ring_page *page; /* NULL: not mapped */
	const unsigned char *data;
	uint64_t size;   /* of the data in bytes, a power of two */
	size_t n_mapped; /* bytes; 0: not ours to unmap */
	bool is_broken;  /* a record in it makes no sense; it is read no more */
	bool is_watched; /* another thread looks at the records first */
	uint64_t done;   /* bytes ever written that it has seen; changed by it alone */
};

/*
 * Maps the ring of a counter with `bytes` of data, or with as much less as the limit of locked memory asks for, but
 * at least four pages. false with err: not even these.
 */
bool ring_map(struct ring *, int fd, size_t bytes, struct err *err);
void ring_unmap(struct ring *);

/*
 * The record is whole and aligned to 8 bytes; it is gone when the call returns. It may be changed until then, and
 * have up to ABI_RECORD_MOST bytes.
 */
typedef void ring_take(void *arg, struct abi_record *record);

/* Copies n bytes, counted from `from` in all bytes ever written. They must be there. */
void ring_peek(const struct ring *, uint64_t from, void *into, size_t n);

/*
 * Hands on each record that is in the ring now, and gives its room back to the kernel; of one that is watched,
 * those that were seen. false: a record is impossible, and the ring broken.
 */
bool ring_drain(struct ring *, ring_take *take, void *arg);
/* Does the other thread that looks at the records first have some to look at? */
bool ring_has_unseen(const struct ring *);

#endif
