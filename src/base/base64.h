/*
 * base64.h - writes and reads bytes in base64.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the n bytes in base64, with '=' at the end. */
void base64_add(struct buf *out, const char *bytes, size_t n);
/* Appends the bytes that the text stands for, also in the alphabet of addresses; false: it goes on otherwise. */
bool base64_read(struct buf *out, const char *text, size_t n);

#endif
