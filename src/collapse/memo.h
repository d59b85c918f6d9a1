/*
 * memo.h - texts met before, for what is costly to make of a text and is asked for again and again.
 *
 *	bool is_new;
 *	uint32_t i = memo_find(&memo, text, len, &is_new);
 *	if (is_new)
 *		...the caller's own array gets its element i, made of text
 */
#ifndef COLLAPSE_MEMO_H
#define COLLAPSE_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct memo_slot {
	uint64_t hash;
	const char *text; /* NULL: free */
	uint32_t len;
	uint32_t index;
};

struct memo {
	struct memo_slot *slots; /* open addressing, a power of two */
	size_t n, n_slots;
	struct arena texts;
};

void memo_init(struct memo *);
void memo_deinit(struct memo *);

/* The number of the text, counted from 0 in the order of first appearance. Its bytes are copied. */
uint32_t memo_find(struct memo *, const char *text, size_t len, bool *is_new);

#endif
