/*
 * inlines.h - which functions were inlined at an address of a file, by its debug information.
 *
 * An index per file: asking libdw per address costs a thousand times more. Built with libdw only (HAVE_LIBDW);
 * without it inlines_open() fails and says so.
 *
 * One thread per struct inlines: libdw changes a handle while it reads. Threads may have one each of the same file.
 * Debug information is mapped into memory; whoever cuts the file short meanwhile ends the program (SIGBUS).
 */
#ifndef SYMBOLS_INLINES_H
#define SYMBOLS_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct inlines;

/* All texts live as long as the struct inlines. */
struct inlined_at {
	const char *name; /* as linked (mangled), else qualified (a::b); NULL: no function is known, only a line */
	const char *file; /* with its directory; NULL: unknown */
	uint32_t line;    /* from 1; 0: unknown */
	bool is_inlined;  /* false for the last one: the function that has the address as its own */
};

/* Is there libdw? */
bool inlines_is_built(void);

/*
 * Of the ELF file at `path`, with DWARF in itself or in debug_path (may be NULL). NULL: err has the reason, among
 * them that there is no debug information.
 */
struct inlines *inlines_open(const char *path, const char *debug_path, struct err *err);
void inlines_free(struct inlines *);

/*
 * What runs at an address of the file (not of a process), the innermost first. Returns how many; 0: nothing is
 * known. *frames stays valid until inlines_free(). An address is looked up once, from then on it is a probe.
 */
size_t inlines_at(struct inlines *, uint64_t vaddr, const struct inlined_at **frames);

/* Debug information of this file was not read to its end: there is more of it than any compiler makes. */
bool inlines_is_cut(const struct inlines *);

#endif
