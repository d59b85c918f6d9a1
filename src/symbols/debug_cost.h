/*
 * debug_cost.h - how much memory debug information takes for the files that are open, estimated before it is taken.
 *
 * libdw unpacks all compressed sections of a file at once, keeps a struct for each unit up to the one that is asked
 * for, with its abbreviations, and one for each row of a unit's table of lines. A file of a few kB can make it take
 * gigabytes, and so can several such files. Call frame information is read without libdw, and it may be compressed,
 * too. What is kept of entries is counted as they are read (debug_units.h). The sum of all files that are open in
 * this process is limited.
 *
 * What is about libdw is built with it only. Thread-safe, as long as each struct debug_cost is used in one thread.
 */
#ifndef SYMBOLS_DEBUG_COST_H
#define SYMBOLS_DEBUG_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* What is counted for a file, or for several; zeros: nothing yet. */
struct debug_cost {
	uint64_t bytes; /* of memory */
	uint64_t size;  /* of the files */
	/* Not memory, but time; of one file: */
	uint64_t attributes; /* of an entry, at most */
	uint64_t lines;      /* bytes of the tables of lines that were counted */
};

/*
 * Counts `bytes` more of memory, and `size` more of the file; `what` takes it. false with err, and errno EFBIG: it
 * would be too much, and nothing is counted.
 */
bool debug_cost_bytes(struct debug_cost *, uint64_t bytes, uint64_t size, const char *path, const char *what,
                      struct err *err);
/* After the files were closed. */
void debug_cost_end(struct debug_cost *);

#ifdef HAVE_LIBDW

#include <gelf.h>
#include <libelf.h>

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
/*
 * Counts a table of lines. The same, but only the table may not be read. Tables that overlap would be read again
 * and again, so all of them have a limit, too.
 */
bool debug_cost_lines(struct debug_cost *, Elf *, struct debug_table, const char *path, struct err *err);

#endif
#endif
