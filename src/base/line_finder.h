/*
 * line_finder.h - what finds the source lines of addresses. Whoever has debug information implements it.
 */
#ifndef BASE_LINE_FINDER_H
#define BASE_LINE_FINDER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* The lowest bits of a function's address, which loading does not change. */
#define CODE_PAGE 0xfffu

/* The texts of a struct code_file; NULL: none. */
struct code_name {
	const char *path, *debug, *alt, *function;
	uint32_t page;
};

/* Where the code is: addresses of its sites plus `base` are those in the file. */
struct code_place {
	const char *path, *debug, *alt;
	uint64_t base;
};

/* What debug information tells of a source file. Texts and checksums live as long as the finder. */
struct source_facts {
	int64_t built;      /* when the program was written, seconds; 0: unknown */
	const uint8_t *md5; /* of the whole file, MD5_BYTES; NULL: unknown */
	const char *text;   /* the file itself; NULL: it is not part of the debug information */
	size_t len;
};

struct line_finder {
	/*
	 * Returns the name of the source file of an address, with its directory, NULL: unknown, and the line, 0:
	 * unknown. level: as site.line.
	 */
	const char *(*find)(void *arg, const struct code_name *, uint64_t address, uint32_t level, uint32_t *line);
	/* false: the function is not there. */
	bool (*locate)(void *arg, const struct code_name *, struct code_place *);
	/* Why code has no lines at all; NULL: some of its addresses may. The text lives as long as the finder. */
	const char *(*why)(void *arg, const struct code_name *);
	/* Sets all facts; `file` as from find(). */
	void (*describe)(void *arg, const struct code_name *, const char *file, struct source_facts *);
	/*
	 * Gets a copy of such a file from a server, if the user wants that; *stop (may be NULL) ends it. Returns its
	 * path, which the caller frees; NULL: there is none, or err says why it is not taken.
	 */
	char *(*fetch)(void *arg, const struct code_name *, const char *file, const atomic_bool *stop, struct err *);
	void *arg;
};

#endif
