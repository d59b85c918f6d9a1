/*
 * perf_lines.h - frame lines met a moment ago.
 *
 * Most frame lines of a recording are byte for byte among the last few thousand distinct ones, address and all. A small
 * direct-mapped cache that stays in the processor's second-level cache holds them with their frames: comparing a whole
 * line, its newline included, even saves looking for its end. What is not found is parsed as ever, so the cache may forget.
 */
#ifndef COLLAPSE_PERF_LINES_H
#define COLLAPSE_PERF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "base/scan.h"

enum { PERF_LINES = 2048, PERF_LINE_MAX = 112 };

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

/* The line at text, which ends at or before `end`; NULL: not here. 48 bytes after end are readable. */
static inline const struct perf_line *perf_line_find(const struct perf_line *lines, const char *text, const char *end, bool is_java)
{
	const struct perf_line *l = &lines[perf_line_slot(text)];

	if (l->len - 1 > (size_t)(end - text) || l->is_java != is_java)
		return NULL;
	return scan_common(l->text, text, l->len) == l->len ? l : NULL;
}

/* len with the newline. Longer lines are not kept. */
static inline void perf_line_keep(struct perf_line *lines, const char *text, size_t len, bool is_java, uint32_t first, uint32_t n)
{
	struct perf_line *l = &lines[perf_line_slot(text)];

	if (len > PERF_LINE_MAX)
		return;
	l->first = first;
	l->n = n;
	l->len = (uint32_t)len;
	l->is_java = is_java;
	memcpy(l->text, text, len);
}

#endif
