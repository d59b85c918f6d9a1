/*
 * base64.h - writes bytes in base64.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stddef.h>

#include "base/buf.h"

/* Appends the n bytes in base64, with '=' at the end. */
void base64_add(struct buf *out, const char *bytes, size_t n);

#endif
