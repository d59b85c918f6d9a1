/*
 * memo.h - texts met before, for what is costly to make of a text and is asked for again and again.
 *
 *	struct memo_hit hit = memo_find(&memo, text, len);
 *	if (hit.is_new)
 *		...the caller's own array gets its element hit.index, made of text
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

struct memo_hit {
	const char *text; /* a copy, which stays where it is */
	uint32_t index;   /* texts are counted from 0 in the order of first appearance */
	bool is_new;
};

struct memo_hit memo_find(struct memo *, const char *text, size_t len);

#endif
