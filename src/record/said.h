/*
 * said.h - what the programs of a recording said, which is held back while the screen is taken.
 */
#ifndef RECORD_SAID_H
#define RECORD_SAID_H

#include "base/buf.h"

/* On standard error, byte for byte; of perf's own lines only those that are no routine. */
void said_print(const struct buf *text);
/* What is in a file, as one line, shortened, for a message. fd -1: nothing. */
void said_add(int fd, struct buf *out);

#endif
