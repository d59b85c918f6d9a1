/*
 * shorten.h - messages that are too long lose the middle of their longest word, usually a path.
 */
#ifndef BASE_SHORTEN_H
#define BASE_SHORTEN_H

#include <stddef.h>

#include "buf.h"

/* Lengths are in bytes; `dots` replaces the omitted part. UTF-8 characters stay whole. */

/* Appends s[0..n), or as much of both ends as fits into `room`, which is at least the length of dots. */
void shorten_middle(struct buf *out, const char *s, size_t n, size_t room, const char *dots);
/* Appends a message, shortening paths and long words until it fits into `room` or no long word is left. */
void shorten_words(struct buf *out, const char *s, size_t n, size_t room, const char *dots);
/* Appends a message in at most `room` bytes: shortens words first, then cuts the middle of the whole. */
void shorten_message(struct buf *out, const char *s, size_t n, size_t room, const char *dots);

/* Appends the output of a program, lines joined, in at most `room` bytes. */
void shorten_lines(struct buf *out, const char *s, size_t n, size_t room, const char *dots);

#endif
