/*
 * debug_ranges.h - the pieces of code that an entry of DWARF describes, also of split DWARF.
 *
 * Built with libdw only. Not thread-safe.
 */
#ifndef SYMBOLS_DEBUG_RANGES_H
#define SYMBOLS_DEBUG_RANGES_H

#include "symbols/cfi_cursor.h"

#ifdef HAVE_LIBDW

#include <stdbool.h>
#include <stdint.h>

#include "symbols/debug_split.h"

struct debug_ranges {
	Dwarf_Die *die;
	const struct debug_split *split; /* NULL: the entry is in a file that libdw reads alone */
	ptrdiff_t next;
	Dwarf_Addr base;
	struct cfi_cursor list;
	bool is_begun;
};

/* split: of the entry's unit; NULL: it has none. */
struct debug_ranges debug_ranges_of(Dwarf_Die *, const struct debug_split *);
/* Tells the next piece; one of 0 bytes or less is to be skipped. false: there is none, or the rest is damaged. */
bool debug_ranges_next(struct debug_ranges *, uint64_t *start, uint64_t *end);

#endif
#endif
