/*
 * texts.h - keeps each distinct text once, so that equal texts are equal pointers.
 */
#ifndef SYMBOLS_TEXTS_H
#define SYMBOLS_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct texts_slot {
	uint64_t hash;
	const char *text; /* NULL: free */
	size_t len;
};

struct texts {
	struct arena arena;
	struct texts_slot *slots;
	size_t n, n_slots;
};

void texts_init(struct texts *);
void texts_deinit(struct texts *);
/* Lives as long as the texts, with a NUL at its end. */
const char *texts_add(struct texts *, const char *s, size_t n);

#endif
