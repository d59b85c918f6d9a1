/*
 * texts.h - keeps each distinct text once, so that equal texts are equal pointers.
 */
#ifndef SYMBOLS_TEXTS_H
#define SYMBOLS_TEXTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"

struct text {
	const char *text;
	size_t len;
};

struct texts {
	struct arena arena;
	struct text *items;
	size_t n, cap;
	uint64_t bytes; /* of all texts */
	struct map map;
};

void texts_init(struct texts *);
void texts_deinit(struct texts *);
/* Lives as long as the texts, with a NUL at its end. */
const char *texts_add(struct texts *, const char *s, size_t n);

#define NAME_MAX_BYTES 65536u
/*
 * The name of a function from a file, which may hold anything: what is longer than NAME_MAX_BYTES is cut, with a
 * note (report may be NULL), because each sample may ask for it.
 */
const char *texts_add_name(struct texts *, const char *name, struct report *report);

#endif
