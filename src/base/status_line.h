/*
 * status_line.h - words and numbers of the line about long work, for any width.
 *
 *	flametop: reading perf.data: 34% of 506 MB, 48 MB/s; symbols of libLLVM-14.so.1
 *	34% reading …/builds/perf.data
 */
#ifndef BASE_STATUS_LINE_H
#define BASE_STATUS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/utf8.h"

struct status_line {
	const char *verb, *what;        /* "reading", "perf.data"; what may be NULL */
	const char *detail, *detail_of; /* "symbols of", a path; detail may be NULL */
	uint64_t done, first, all;      /* first: at the beginning of the stage; all: 0 if unknown */
	bool is_bytes;
	double seconds; /* since the beginning of the stage */
};

/*
 * Appends clean text of at most so many columns. If the share does not fit after the name, it comes first, and the
 * name keeps its end.
 */
void status_line_add(struct buf *, const struct status_line *, size_t columns, enum utf8_clean_mode);

#endif
