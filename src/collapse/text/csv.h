/*
 * csv.h - splits a line of comma-separated values into fields.
 */
#ifndef COLLAPSE_TEXT_CSV_H
#define COLLAPSE_TEXT_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct csv {
	const char *p, *end; /* rest of the line */
	bool is_over;        /* the last field was taken */
	bool is_unclosed;    /* a quote is never closed: the field reaches to the end of the line */
	struct buf text;     /* holds those fields of the line that had doubled quotes */
};

void csv_init(struct csv *);
void csv_deinit(struct csv *);

/* Starts a line, given without its end. An empty line has one empty field. */
void csv_line(struct csv *, const char *line, size_t len);

/*
 * Takes the next field: *s is its text without quotes, valid until the next line. false: there is none. Spaces
 * around an unquoted field are part of it; spaces before an opening quote are not.
 */
bool csv_next(struct csv *, const char **s, size_t *len);

#endif
