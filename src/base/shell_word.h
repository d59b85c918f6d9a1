/*
 * shell_word.h - quotes words for a POSIX shell.
 */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include "base/buf.h"

/* Appends one word, quoted where a shell needs it; without a character that changes what a terminal shows. */
void shell_word_add(struct buf *out, const char *word);

#endif
