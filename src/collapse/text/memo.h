/*
 * memo.h - texts met before, for what is costly to make of a text and is asked for again and again.
 *
 *	struct memo_hit hit = memo_find(&memo, text, len);
 *	if (hit.is_new)
 *		...the caller's own array gets its element hit.index, made of text
 *
 * Thousands of texts do not fit into the caches next to the processor, so a look-up mostly waits for memory.
 * Whoever has several texts at hand asks for all of them first:
 *
 *	for (i...) ask[i] = memo_ask(&memo, text[i], len[i]);
 *	for (i...) memo_fetch(&memo, &ask[i]);
 *	for (i...) hit = memo_answer(&memo, &ask[i]);
 */
#ifndef COLLAPSE_TEXT_MEMO_H
#define COLLAPSE_TEXT_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct memo_slot {
	const char *text; /* its length stands before it; NULL: free */
	uint32_t hash;
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

/* A look-up under way. The text must stay until it is answered, but may have moved: then set it anew. */
struct memo_ask {
	const char *text;
	uint32_t len, hash;
};

/* Starts fetching the slot where the text belongs. */
struct memo_ask memo_ask(const struct memo *, const char *text, size_t len);
/* Starts fetching what the slot leads to. */
static inline void memo_fetch(const struct memo *memo, const struct memo_ask *ask)
{
	__builtin_prefetch(memo->slots[ask->hash & (memo->n_slots - 1)].text);
}
struct memo_hit memo_answer(struct memo *, const struct memo_ask *);

#endif
