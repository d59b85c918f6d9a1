/*
 * ksymbols.h - functions that the kernel makes and removes while it is recorded.
 */
#ifndef SYMBOLS_KSYMBOLS_H
#define SYMBOLS_KSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/ranges.h"

struct ksymbol {
	uint64_t start, end;
	const char *name; /* NULL: what was there is gone */
};

struct ksymbols {
	struct ksymbol *items; /* in the order in which they came; a later one wins */
	size_t n, cap;
	struct ranges settled; /* items[0..n_settled) */
	size_t n_settled;
	uint64_t low, high; /* all of them are in [low, high) */
};

void ksymbols_init(struct ksymbols *);
void ksymbols_deinit(struct ksymbols *);
/* name must outlive the struct; NULL: nothing is there from now on. */
void ksymbols_add(struct ksymbols *, const struct ksymbol *);
/* What holds the address now; NULL: nothing. Valid until the next ksymbols_add(). */
const struct ksymbol *ksymbols_find(struct ksymbols *, uint64_t address);

#endif
