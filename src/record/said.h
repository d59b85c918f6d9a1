/*
 * said.h - prints what the programs of a recording wrote to standard error while the viewer owned the terminal.
 */
#ifndef RECORD_SAID_H
#define RECORD_SAID_H

#include "base/buf.h"

/* Prints it to standard error, byte for byte, without perf's routine lines. */
void said_print(const struct buf *text);
/* Appends a file's text as one line, shortened, for a message. fd -1: nothing. */
void said_add(int fd, struct buf *out);

#endif
