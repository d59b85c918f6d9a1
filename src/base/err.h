/*
 * err.h - one error with its text, and the report of everything that was skipped.
 *
 * A function that can fail for reasons outside the program takes a `struct err *` last and returns bool:
 *
 *	if (n > max)
 *		return fail(err, "line %zu: bad count '%s' (expected an integer)", line, s);
 *
 * Input text inside a message is cleaned on printing (err_print), not before.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"

struct err {
	/* One line, without "flametop: " and newline; empty: no error. Holds the longest path (4 kB) and a message. */
	char text[5120];
};

/*
 * Formats the message (shortens paths to fit, but never the reason at the end) and returns false. err may be NULL.
 */
bool fail(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends ": " and strerror(errno) to the message; returns false. */
bool fail_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* What errno means: a static text, or one in the buffer. strerror() is not for several threads. */
const char *err_reason(int error, char *buffer, size_t size);

/* "flametop: TEXT\n" on standard error, control characters and invalid UTF-8 made visible. */
void err_print(const char *text);
void err_printf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Lines skipped while reading, by kind. A kind is a string literal that says what was wrong and what was expected
 * ("not a stack (expected 'frames count')"). Notes of one kind and file are counted; the first line is kept.
 */
/* NOTE_SKIP: of lines of which nothing was taken. */
enum note_level { NOTE_INFO, NOTE_WARN, NOTE_SKIP };

struct note {
	const char *kind; /* static string; notes with equal text are one */
	char *file;       /* owned; NULL: no particular file */
	char *detail;     /* owned; the first one's text, "" if none; not cleaned */
	uint64_t line;    /* first line, from 1; 0: no line */
	uint64_t count;   /* how many times */
	uint64_t weight;  /* samples lost with the skipped lines, 0 if unknown */
	enum note_level level;
	const char *things; /* static string: what `count` counts where there is a line; NULL: lines */
	bool is_state;      /* about the whole input: true or not, never counted */
};

struct report {
	struct note *notes;
	size_t n, cap;
	const char *things; /* of notes that are new from now on, as above: "elements" of a document */
};

void report_init(struct report *);
void report_deinit(struct report *);
/* detail may be NULL; a long one keeps its two ends, 120 bytes in all. kind must outlive the report. */
void report_add(struct report *, enum note_level, const char *kind, const char *file, uint64_t line,
                const char *detail, size_t detail_len);
/* The same, `count` times at once. */
void report_add_times(struct report *, enum note_level, const char *kind, const char *detail, size_t detail_len,
                      uint64_t count);
void report_add_weight(struct report *, enum note_level, const char *kind, const char *file, uint64_t line,
                       uint64_t weight);
/*
 * The level of a note on callees that weigh `excess` more than their callers, of `all` in the input: a warning for
 * more than a thousandth. Rounded numbers leave less, which is no news.
 */
enum note_level excess_level(uint64_t excess, uint64_t all);
/* Adds a note on the whole input, once, however often it is reported. */
void report_add_state(struct report *, enum note_level, const char *kind);
/* Adds src's notes to dst: adds line_base to lines above 0, sets `file` (may be NULL) where a note has none. */
void report_merge(struct report *dst, const struct report *src, const char *file, uint64_t line_base);
/*
 * Appends one note, not cleaned: "FILE:LINE: KIND: DETAIL" or "FILE: N lines skipped, the first at line L: KIND",
 * with what it has for lines.
 */
void note_add(const struct note *, struct buf *out);
/* Prints every note of at least `level` with err_print(). */
void report_print(const struct report *, enum note_level level);

#endif
