/*
 * arena.h - many small allocations that live and die together.
 *
 * Memory comes in chunks that never move, so a pointer handed out stays valid until arena_deinit().
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunks; /* newest first */
	size_t left;                /* bytes free at the end of the newest chunk */
	size_t total;               /* bytes held, for memory reports */
};

void arena_init(struct arena *);
void arena_deinit(struct arena *);

void *arena_alloc(struct arena *, size_t bytes);                /* aligned to 16 */
char *arena_bytes(struct arena *, const void *bytes, size_t n); /* unaligned copy, NUL added */

/* Moves the memory of `from` to `to`, which frees it with its own; `from` is emptied. */
void arena_join(struct arena *to, struct arena *from);

#endif
