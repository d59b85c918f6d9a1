/*
 * numbers.h - assigns a number to each distinct (module, name).
 */
#ifndef SYMBOLS_NUMBERS_H
#define SYMBOLS_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct number {
	const char *module, *name; /* compared as pointers: both are from one struct texts; name NULL: unknown */
};

struct numbers {
	struct number *items; /* by their numbers */
	size_t n, cap;
	struct map map;
};

void numbers_init(struct numbers *);
void numbers_deinit(struct numbers *);
uint32_t numbers_add(struct numbers *, const char *module, const char *name);

#endif
