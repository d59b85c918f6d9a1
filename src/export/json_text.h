/*
 * json_text.h - appends JSON to a buffer. A comma goes before a member or an element if another one is there.
 */
#ifndef EXPORT_JSON_TEXT_H
#define EXPORT_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/utf8.h"

void json_comma(struct buf *);   /* before an element of an array */
void json_newline(struct buf *); /* the next member or element begins a line */
void json_key(struct buf *, const char *key);
/* Any bytes: control characters and invalid UTF-8 are made visible first, as on the screen. */
void json_string(struct buf *, const char *text, size_t len, enum utf8_clean_mode);
/*
 * The same text for programs: characters that are not safe to show are escaped, so that a reader gets them back.
 * Only invalid UTF-8 becomes U+FFFD.
 */
void json_exact_string(struct buf *, const char *text, size_t len);
/* Members. */
void json_add_text(struct buf *, const char *key, const char *text, enum utf8_clean_mode);
void json_add_count(struct buf *, const char *key, uint64_t count);
void json_add_bool(struct buf *, const char *key, bool value);
/* A number without exponent; not a number and infinite: null. */
void json_add_real(struct buf *, const char *key, double value, int decimals);
/* A finite number, with as many digits as it takes to read the same one. */
void json_add_exact_real(struct buf *, const char *key, double value);

#endif
