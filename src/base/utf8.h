/*
 * utf8.h - decoding, display width, and the one function that makes text from elsewhere safe to show.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "buf.h"

/*
 * Decodes one character of s[0..n), n > 0. Returns its length in bytes and stores the code point; an invalid
 * sequence (overlong, surrogate, above U+10FFFF, cut short) stores UTF8_BAD and returns the number of bytes to pass
 * over (>= 1).
 */
#define UTF8_BAD 0xFFFFFFFFu
size_t utf8_decode(const char *s, size_t n, uint32_t *cp);
size_t utf8_encode(char out[4], uint32_t cp);
void utf8_add(struct buf *, uint32_t cp);
bool utf8_is_valid(const char *s, size_t n);

/* Does utf8_clean() let the character through? */
bool utf8_is_shown(uint32_t cp);
/*
 * Columns a character takes on a terminal: 0 (combining), 1, 2. Only for characters that utf8_clean() lets through.
 */
int utf8_width(uint32_t cp);
size_t utf8_columns(const char *s, size_t n); /* of clean text */

/* How many bytes of clean text fit into `columns` columns, never cutting a character or its combining marks. */
size_t utf8_fit(const char *s, size_t n, size_t columns);

enum utf8_clean_mode {
	UTF8_CLEAN_UTF8,  /* keep printable UTF-8; everything else becomes U+FFFD */
	UTF8_CLEAN_ASCII, /* every character outside of ASCII, and every unsafe one, becomes '?' */
};

/*
 * Appends s to out so that it can go to a terminal, a log or an SVG: C0, DEL, C1, invalid sequences, bidi and other
 * format controls, non-characters, unassigned and private characters become one visible replacement each; TAB and
 * newline too.
 */
void utf8_clean(struct buf *out, const char *s, size_t n, enum utf8_clean_mode);

#endif
