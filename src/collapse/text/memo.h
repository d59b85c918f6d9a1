/*
 * memo.h - numbers texts, so that costly work on a text that comes again is done once.
 *
 *	struct memo_hit hit = memo_find(&memo, text, len);
 *	if (hit.is_new)
 *		...the caller's own array gets its element hit.index, made of text
 *
 * Thousands of texts do not fit into the processor's near caches, so a look-up mostly waits for memory. A caller
 * with several texts should start all look-ups first:
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
#include "base/fetch.h"

struct memo_slot {
	const char *text; /* its length precedes it; NULL: free */
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
	const char *text; /* a copy, which never moves */
	uint32_t index;   /* numbered from 0 in the order of first appearance */
	bool is_new;
};

struct memo_hit memo_find(struct memo *, const char *text, size_t len);

/* A look-up in progress. The text must last until it is answered; if it moves meanwhile, set it anew. */
struct memo_ask {
	const char *text;
	uint32_t len, hash;
};

/* Starts fetching the slot where the text belongs. */
struct memo_ask memo_ask(const struct memo *, const char *text, size_t len);
/* Starts fetching the text in the slot. */
static inline void memo_fetch(const struct memo *memo, const struct memo_ask *ask)
{
	fetch_line(memo->slots[ask->hash & (memo->n_slots - 1)].text);
}
struct memo_hit memo_answer(struct memo *, const struct memo_ask *);

#endif
