/*
 * shorten.h - messages that are too long lose the middle of their longest word, which is a path as a rule.
 */
#ifndef BASE_SHORTEN_H
#define BASE_SHORTEN_H

#include <stddef.h>

#include "buf.h"

/*
 * All lengths are bytes, and what is left out becomes `dots`. No character is cut in two where the text is UTF-8.
 */

/* Appends s[0..n), or as much of both ends as `room` holds; room is at least the length of dots. */
void shorten_middle(struct buf *out, const char *s, size_t n, size_t room, const char *dots);
/*
 * Appends a message whose paths and long words lose their middles until `room` holds it, or nothing long is left.
 */
void shorten_words(struct buf *out, const char *s, size_t n, size_t room, const char *dots);
/* Appends a message in at most `room` bytes: by its words, and by the middle of the whole if that is not enough. */
void shorten_message(struct buf *out, const char *s, size_t n, size_t room, const char *dots);

/* What a program said, its lines as one, in at most `room` bytes. */
void shorten_lines(struct buf *out, const char *s, size_t n, size_t room, const char *dots);

#endif
