/*
 * ksymbols.h - functions that the kernel generates and removes during the recording.
 */
#ifndef SYMBOLS_KSYMBOLS_H
#define SYMBOLS_KSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/ranges.h"

struct ksymbol {
	uint64_t start, end;
	const char *name; /* NULL: the function there is gone */
};

struct ksymbols {
	struct ksymbol *items; /* in order of arrival; a later one wins */
	size_t n, cap;
	struct ranges settled; /* items[0..n_settled) */
	size_t n_settled;
	uint64_t low, high; /* all of them are in [low, high) */
};

void ksymbols_init(struct ksymbols *);
void ksymbols_deinit(struct ksymbols *);
/* name must outlive the struct; NULL: the range is empty from now on. */
void ksymbols_add(struct ksymbols *, const struct ksymbol *);
/* Returns the function that holds the address now; NULL: none. Valid until the next ksymbols_add(). */
const struct ksymbol *ksymbols_find(struct ksymbols *, uint64_t address);

#endif
