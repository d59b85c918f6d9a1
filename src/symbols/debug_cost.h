/*
 * debug_cost.h - how much memory libdw takes for the files that are open, estimated before it takes it.
 *
 * libdw unpacks all compressed sections of a file at once, keeps a struct for each unit up to the one that is asked
 * for, and one for each row of a unit's table of lines. A file of a few kB can make it take gigabytes, and so can
 * several such files. The sum of all files that are open in this process is limited.
 *
 * Built with libdw only. Thread-safe, as long as each struct debug_cost is used in one thread.
 */
#ifndef SYMBOLS_DEBUG_COST_H
#define SYMBOLS_DEBUG_COST_H

#include "base/err.h"

#ifdef HAVE_LIBDW

#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>

/* What is counted for a file, or for several; zeros: nothing yet. */
struct debug_cost {
	uint64_t bytes; /* of memory */
	uint64_t size;  /* of the files */
};

/*
 * Counts what the compressed sections of a file unpack to. false with err, and errno EFBIG: it would be too much,
 * or the names of its sections would take libdw minutes. Then nothing is counted, and nothing of the file may be
 * given to libdw.
 */
bool debug_cost_file(struct debug_cost *, Elf *, const char *path, struct err *err);
/* Counts the units of a file whose sections are unpacked. The same as above for them. */
bool debug_cost_units(struct debug_cost *, Elf *, const char *path, struct err *err);

struct debug_table {
	uint64_t offset;       /* in .debug_line */
	unsigned address_size; /* of the unit that has the table */
};
/* Counts a table of lines. The same, but only the table may not be read. */
bool debug_cost_lines(struct debug_cost *, Elf *, struct debug_table, const char *path, struct err *err);
/* After the files were closed. */
void debug_cost_end(struct debug_cost *);

#endif
#endif
