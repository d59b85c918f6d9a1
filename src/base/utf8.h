/*
 * utf8.h - decoding, display width, and the one function that makes foreign text safe to show.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * Decodes one character of s[0..n), n > 0. Stores the code point and returns its length in bytes. An invalid
 * sequence (overlong, surrogate, above U+10FFFF, truncated) stores UTF8_BAD and returns the number of bytes to skip
 * (>= 1).
 */
#define UTF8_BAD 0xFFFFFFFFu
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
size_t utf8_encode(char out[4], uint32_t cp);
void utf8_add(struct buf *, uint32_t cp);
bool utf8_is_valid(const char *s, size_t n);

/* Does utf8_clean() pass the character? */
bool utf8_is_shown(uint32_t cp);
/* Columns a character takes on a terminal: 0 (combining), 1 or 2. Only for characters that utf8_clean() passes. */
int utf8_width(uint32_t cp);
size_t utf8_columns(const char *s, size_t n); /* of clean text */
/* The length of the longest beginning of s that has at most that many bytes and cuts no character. */
size_t utf8_cut(const char *s, size_t n, size_t most);

/* Number of bytes of clean text that fit into `columns`; keeps characters and their combining marks whole. */
size_t utf8_fit(const char *s, size_t n, size_t columns);

enum utf8_clean_mode {
	UTF8_CLEAN_UTF8,  /* keep printable UTF-8; everything else becomes U+FFFD */
	UTF8_CLEAN_ASCII, /* every unsafe or non-ASCII character becomes '?' */
};

/*
 * Appends s to out, safe for a terminal, a log or an SVG: each C0 (also TAB and newline), DEL, C1, invalid
 * sequence, bidi or other format control, non-character, unassigned or private character becomes one visible
 * replacement.
 */
void utf8_clean(struct buf *out, const char *s, size_t n, enum utf8_clean_mode);
/* How to clean what goes to standard error. Without setlocale() the codeset is ASCII's. */
enum utf8_clean_mode utf8_locale_mode(void);

#endif
