/*
 * slots.h - what a language keeps of each thread, function or the like, by its number or address.
 */
#ifndef LANGUAGES_SLOTS_H
#define LANGUAGES_SLOTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"

#define THREADS_MOST 10000u /* of a process, that are listed or kept */
#define CODES_MOST 200000u  /* of a process that makes code without end */

/* Zeroed but for the first members is empty. */
struct slots {
	size_t size;               /* bytes of a slot */
	size_t most;               /* slots; when there are so many, all are forgotten */
	void (*empty)(void *slot); /* frees what a slot owns; NULL: it owns nothing */
	struct idmap places;       /* key -> place in v */
	unsigned char *v;
	size_t n, cap;
};

/* The slot of a key; NULL: it has none. Slots are valid until another one is made. */
void *slots_find(const struct slots *, uint64_t key);
/* The same; it is made if there is none, zeroed. */
void *slots_of(struct slots *, uint64_t key);
void slots_forget(struct slots *);
void slots_deinit(struct slots *);

#endif
