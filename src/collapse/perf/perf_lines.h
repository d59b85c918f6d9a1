/*
 * perf_lines.h - caches recent frame lines.
 *
 * Most frame lines of a recording equal one of the last few thousand distinct ones byte for byte, address included.
 * This small direct-mapped cache, which fits the processor's second-level cache, holds them with their frames:
 * comparing a whole line, newline included, even saves the search for its end. Lines that are not found are parsed,
 * so the cache may forget.
 */
#ifndef COLLAPSE_PERF_LINES_H
#define COLLAPSE_PERF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/scan.h"
#include "collapse/perf/perf_caches.h"
#include "collapse/text/lines.h"

/* One line and the frames it stands for, [first, first + n) of the reader's pool. */
struct perf_line {
	uint32_t first, n;
	uint32_t len;     /* with the newline; 0: free */
	uint32_t is_java; /* the frames are those of a Java process */
	char text[PERF_LINE_MAX];
};

static inline size_t perf_line_slot(const char *text)
{
	uint64_t word[2];
	memcpy(word, text + 1, sizeof word); /* the address */
	return hash_mix(word[0] ^ hash_seed[0], word[1] ^ hash_seed[1]) & (PERF_LINES - 1);
}

/* Finds the line at text, which ends at or before `end`; NULL: not cached. 48 bytes after end are readable. */
static inline const struct perf_line *perf_line_find(const struct perf_line *lines, const char *text,
                                                     const char *end, bool is_java)
{
	const struct perf_line *l = &lines[perf_line_slot(text)];
	if (l->len - 1 > (size_t)(end - text) || l->is_java != is_java)
		return NULL;
	return scan_common(l->text, text, l->len) == l->len ? l : NULL;
}

/* Caches a line; len includes the newline. NULL: longer lines are not kept. */
static inline struct perf_line *perf_line_keep(struct perf_line *lines, const char *text, size_t len, bool is_java,
                                               uint32_t first, uint32_t n)
{
	struct perf_line *l = &lines[perf_line_slot(text)];
	if (len > PERF_LINE_MAX)
		return NULL;
	l->first = first;
	l->n = n;
	l->len = (uint32_t)len;
	l->is_java = is_java;
	memcpy(l->text, text, len);
	return l;
}

/*
 * Behind a tab, perf pads addresses to sixteen columns, so the symbol begins at byte 18. Returns where the address
 * of the line ends; 0: another form, or a shorter line. 34 bytes are readable.
 */
static inline size_t perf_padded_address(const char *line, size_t n)
{
	uint32_t blank;
	if (n < 34 || *line != '\t' || line[17] != ' ' || !is_hex_byte(line[16]) ||
	    (scan_mask(line + 1, '\n') & 0xffff))
		return 0;
	blank = scan_mask(line + 1, ' ') & 0xffff;
	return blank & (blank + 1) ? 0 : 17; /* blanks only at the front */
}

/* Do two lines begin with the same address? */
static inline bool perf_same_address(const char *a, const char *b)
{
	while (is_blank_byte(*a))
		a++;
	while (is_blank_byte(*b))
		b++;
	for (; is_hex_byte(*a) && *a == *b; a++)
		b++;
	return !is_hex_byte(*a) && !is_hex_byte(*b);
}

/* The text after the padded address of a line without a symbol, newline included, and its frames. */
struct perf_unnamed {
	uint32_t first, n;
	uint32_t len; /* 0: none yet */
	bool is_java;
	char text[PERF_LINE_MAX];
};

enum { PERF_SYMBOL_AT = 18 };

/* Does the line at text have the same frames? */
static inline bool perf_unnamed_is(const struct perf_unnamed *u, const char *text, bool is_java)
{
	return text[PERF_SYMBOL_AT] == '[' && u->len && u->is_java == is_java &&
	       scan_common(u->text, text + PERF_SYMBOL_AT, u->len) == u->len &&
	       perf_padded_address(text, PERF_SYMBOL_AT + u->len - 1);
}

/* Remembers the line of len bytes, newline included, if it has no symbol. */
static inline bool perf_unnamed_keep(struct perf_unnamed *u, const char *text, size_t len, bool is_java,
                                     uint32_t first, uint32_t n)
{
	static const char unknown[] = "[unknown] (";
	if (len < PERF_SYMBOL_AT + sizeof unknown || len > PERF_SYMBOL_AT + PERF_LINE_MAX - 32 ||
	    memcmp(text + PERF_SYMBOL_AT, unknown, sizeof unknown - 1) != 0 || !perf_padded_address(text, len - 1))
		return false;
	u->first = first;
	u->n = n;
	u->len = (uint32_t)len - PERF_SYMBOL_AT;
	u->is_java = is_java;
	memcpy(u->text, text + PERF_SYMBOL_AT, u->len);
	return true;
}

#endif
