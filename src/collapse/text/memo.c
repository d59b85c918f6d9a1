/*
 * memo.c - numbers distinct texts.
 *
 * Texts are compared, not only their hashes: two functions must never become one. The slot keeps half of the hash,
 * so that other texts are almost never touched, and the table grows without hashing again.
 */
#include "collapse/text/memo.h"

#include <string.h>

#include "base/fetch.h"
#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 1024

void memo_init(struct memo *memo)
{
	*memo = (struct memo){.n_slots = FIRST_SLOTS, .slots = mem_zalloc(FIRST_SLOTS, sizeof *memo->slots)};
	arena_init(&memo->texts);
}

void memo_deinit(struct memo *memo)
{
	free(memo->slots);
	arena_deinit(&memo->texts);
}

static struct memo_slot *free_slot(struct memo *memo, uint32_t hash)
{
	size_t at = hash & (memo->n_slots - 1);
	while (memo->slots[at].text)
		at = (at + 1) & (memo->n_slots - 1);
	return &memo->slots[at];
}

static void grow(struct memo *memo)
{
	struct memo_slot *old = memo->slots;
	size_t n_old = memo->n_slots;
	memo->n_slots *= 2;
	memo->slots = mem_zalloc(memo->n_slots, sizeof *memo->slots);
	for (size_t i = 0; i < n_old; i++) {
		if (old[i].text)
			*free_slot(memo, old[i].hash) = old[i];
	}
	free(old);
}

/* A copy preceded by its length. */
static const char *keep(struct memo *memo, const char *text, uint32_t len)
{
	char *kept = arena_alloc(&memo->texts, sizeof len + len);
	memcpy(kept, &len, sizeof len);
	memcpy(kept + sizeof len, text, len);
	return kept + sizeof len;
}

static bool is_same(const char *kept, const struct memo_ask *ask)
{
	uint32_t len;
	memcpy(&len, kept - sizeof len, sizeof len);
	return len == ask->len && !memcmp(kept, ask->text, len);
}

struct memo_ask memo_ask(const struct memo *memo, const char *text, size_t len)
{
	struct memo_ask ask = {text, (uint32_t)len, (uint32_t)hash_bytes(text, len)};
	fetch_line(&memo->slots[ask.hash & (memo->n_slots - 1)]);
	return ask;
}

struct memo_hit memo_answer(struct memo *memo, const struct memo_ask *ask)
{
	size_t mask = memo->n_slots - 1;
	for (size_t at = ask->hash & mask; memo->slots[at].text; at = (at + 1) & mask) {
		const struct memo_slot *slot = &memo->slots[at];
		if (slot->hash == ask->hash && is_same(slot->text, ask))
			return (struct memo_hit){slot->text, slot->index, false};
	}
	if (memo->n * 2 >= memo->n_slots)
		grow(memo);
	struct memo_slot *slot = free_slot(memo, ask->hash);
	*slot = (struct memo_slot){
		.text = keep(memo, ask->text, ask->len),
		.hash = ask->hash,
		.index = (uint32_t)memo->n++,
	};
	return (struct memo_hit){slot->text, slot->index, true};
}

struct memo_hit memo_find(struct memo *memo, const char *text, size_t len)
{
	struct memo_ask ask = memo_ask(memo, text, len);
	return memo_answer(memo, &ask);
}
