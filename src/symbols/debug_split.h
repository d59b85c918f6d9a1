/*
 * debug_split.h - split DWARF (-gsplit-dwarf): the functions of a unit are in a file of their own, NAME.dwo.
 *
 * The program keeps a skeleton of the unit, with the name of that file, an id, and the addresses, to which the
 * functions refer by number. libdw can join both, but only if it opens the file itself. So it is opened
 * here, under the rules for files that a recording names, and debug_ranges.h finds the addresses.
 *
 * Built with libdw only. Used by debug_units.c only. Not thread-safe.
 */
#ifndef SYMBOLS_DEBUG_SPLIT_H
#define SYMBOLS_DEBUG_SPLIT_H

#include "base/err.h"

#ifdef HAVE_LIBDW

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/file_places.h"
#include "symbols/debug_handle.h"

/* n is 0: there is no such section. */
struct debug_section {
	const unsigned char *bytes;
	size_t n;
};

/* May its list of source files be read? */
enum split_table { SPLIT_TABLE_UNKNOWN, SPLIT_TABLE_FINE, SPLIT_TABLE_REFUSED };

struct debug_split {
	struct debug_handle file;
	Dwarf_Die die;                  /* the unit in it */
	struct debug_section info;      /* where the unit is */
	struct debug_section addresses; /* of the program, from those of the unit on */
	struct debug_section lists; /* of pieces of code: of the program before DWARF 5, from those of the unit on */
	uint64_t base;              /* the unit's first address */
	unsigned version, address_size, offset_size;
	bool is_big;
	enum split_table table;
	uint64_t taken; /* bytes of names that inlines.c has taken from it */
};

/* The file with the skeletons. */
struct debug_program {
	const struct debug_handle *handle;
	const char *path;
	const struct file_places *places; /* where the compiler's directories are; NULL: under their names */
};

/*
 * Opens what the skeleton names: beside the program, or where the compiler wrote it. NULL with err: it is not there
 * (errno is ENOENT), nor packed by dwp, which is not read; it is none of the allowed files, or of another build.
 * *cost gets what was opened, in vain or not.
 */
struct debug_split *debug_split_open(const struct debug_program *, Dwarf_Die *skeleton, struct debug_cost *cost,
                                     struct err *);
void debug_split_free(struct debug_split *);

#endif
#endif
