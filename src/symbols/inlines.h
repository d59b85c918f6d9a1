/*
 * inlines.h - finds the functions inlined at an address of a file, from its debug information.
 *
 * It keeps an index per file: asking libdw for each address costs a thousand times more. It works only with libdw
 * (HAVE_LIBDW); without it inlines_open() fails and says so.
 *
 * Use each struct inlines in one thread: libdw changes a handle while it reads. Several threads may each have one
 * for the same file. Debug information is mapped into memory; truncating the file meanwhile kills the program
 * (SIGBUS).
 */
#ifndef SYMBOLS_INLINES_H
#define SYMBOLS_INLINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_places.h"

struct inlines;

/* All texts live as long as the struct inlines. */
struct inlined_at {
	const char *name; /* linkage name (mangled), else qualified (a::b); NULL: only a line is known, no function */
	const char *file; /* absolute, if the compiler says where it ran; NULL: unknown */
	uint32_t line;    /* from 1; 0: unknown */
	bool is_inlined;  /* false for the last frame: the function that contains the address */
};

/* Was libdw there at build time? */
bool inlines_is_built(void);

struct inlines_files {
	const char *path;       /* an ELF file with DWARF ... */
	const char *debug_path; /* ... or a separate one that has it; NULL: there is none */
	const char *alt_path;   /* what the one with DWARF shares with others (dwz); NULL: it is not here */
	const struct file_places
		*places; /* where the compiler's directories are, for split DWARF; NULL: at their names */
};

/*
 * Copies what it needs but for the places, which must outlive it. NULL: err has the reason, which may be that there
 * is no debug information; errno has that of a file that was not opened, EFBIG if reading it would take too much
 * memory. Else err has a text if what is shared is missing. Of other files, only those of split DWARF are opened
 * (debug_split.h).
 */
struct inlines *inlines_open(const struct inlines_files *, struct err *err);
void inlines_free(struct inlines *);

/*
 * Lists the functions at an address of the file (not of a process), innermost first. Returns how many; 0: nothing
 * is known. *frames stays valid until inlines_free(). The first request looks the address up; later ones cost one
 * hash probe.
 */
size_t inlines_at(struct inlines *, uint64_t vaddr, const struct inlined_at **frames);

/* The file whose debug information was cut short, as there is more than any compiler makes; NULL: it was not. */
const char *inlines_cut(const struct inlines *);
/* Were names left out, because one was too long, or all were longer together than the file explains? */
bool inlines_lacks_names(const struct inlines *);
/* Why a file of split DWARF that is here was not read; NULL: none was refused. */
const char *inlines_refused(const struct inlines *);
/* Why a table of lines was not read; NULL: none was refused. */
const char *inlines_lines_refused(const struct inlines *);

#endif
