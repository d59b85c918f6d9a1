/*
 * line_files.h - what line tables know of source files besides their names: checksums, and the files themselves.
 *
 * DWARF 5 has room for both. clang writes an MD5 checksum of each file (-gdwarf-5), and the file itself on request
 * (-gembed-source); libdw hands out neither. Tables of older versions have nothing to read here.
 */
#ifndef SYMBOLS_LINE_FILES_H
#define SYMBOLS_LINE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/line_finder.h"

struct line_files;

/* Reads the tables of an ELF file; NULL: it has none, or is no ELF file. */
struct line_files *line_files_open(const char *path);
void line_files_free(struct line_files *); /* NULL: nothing */

/* Sections, from malloc(); NULL: there is none. */
struct line_section {
	unsigned char *bytes;
	size_t n;
};
struct line_sections {
	struct line_section line, line_str, str; /* .debug_line and so on */
	bool is_big;                             /* most significant bytes first */
};
/* Reads tables, as far as they are good; owns the bytes from now on. */
struct line_files *line_files_read(const struct line_sections *);

/*
 * Sets checksum and text of a file, which live as long as the struct line_files; NULL: the tables do not have it,
 * or do not agree on its checksum. The name is one with a directory, as debug information joins it.
 */
void line_files_find(const struct line_files *, const char *name, struct source_facts *);

#endif
