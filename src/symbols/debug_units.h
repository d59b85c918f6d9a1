/*
 * debug_units.h - the compilation units in a file's DWARF and their functions, by address.
 *
 * It lists the units at once, and a unit's functions when the first address falls into it. Used by inlines.c only,
 * and built with libdw only. Not thread-safe.
 */
#ifndef SYMBOLS_DEBUG_UNITS_H
#define SYMBOLS_DEBUG_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef HAVE_LIBDW

#include "symbols/debug_ranges.h"
#include "symbols/debug_split.h"

#define DEBUG_DEPTH 128u /* nesting of entries; deeper ones are left out */

struct debug_inlines; /* of a function; inlines.c fills it */

/* A piece of a function's code. */
struct debug_function {
	uint64_t start, end;
	Dwarf_Die die;
	struct debug_inlines *inlines; /* NULL: not computed yet */
};

struct debug_functions {
	struct debug_function *list; /* by start */
	size_t n, cap;
	bool is_read;
};

struct debug_unit {
	Dwarf_Die die;                    /* in the file itself, even if another file holds the functions */
	struct debug_split *split;        /* that other file; NULL: there is none, or it is not open */
	bool is_skeleton;                 /* there should be one, to be opened at the first need */
	struct debug_functions functions; /* those of the unit, its namespaces and classes */
	struct debug_functions nested;    /* also those within functions; read if the list above has none */
	struct debug_scoped *scoped;      /* subprograms in a namespace or class, by offset */
	size_t n_scoped, cap_scoped;
};

struct debug_units;

/* The program must outlive the units. */
struct debug_units *debug_units_new(const struct debug_program *);
/* Calls free_inlines for every function that has some. */
void debug_units_free(struct debug_units *, void (*free_inlines)(struct debug_inlines *));

/* NULL: no unit has code there. */
struct debug_unit *debug_units_at(struct debug_units *, uint64_t vaddr);
/* The unit must hold the address; NULL: no function holds it. */
struct debug_function *debug_units_function(struct debug_units *, struct debug_unit *, uint64_t vaddr);

/*
 * Returns the linkage name, or the name qualified by namespaces and classes; NULL: it has none. Lives as long as
 * the units.
 */
const char *debug_units_name(struct debug_units *, Dwarf_Die *);

/* Finds the next entry at the same depth, and spends the steps that it takes. false: there is none. */
bool debug_units_sibling(struct debug_units *, Dwarf_Die *, Dwarf_Die *next);
/* Spends one step of the file's budget; false: none is left. */
bool debug_units_step(struct debug_units *);
/*
 * Counts memory for entries that are kept; call it before they are. false: it would be too much for all files that
 * are open, and there are no steps any more.
 */
bool debug_units_take(struct debug_units *, uint64_t bytes);
/* Was something left out, for want of steps or memory? */
bool debug_units_is_cut(const struct debug_units *);
/* Why a file of split DWARF that is here was not read; NULL: none was refused. */
const char *debug_units_refused(const struct debug_units *);

#endif
#endif
