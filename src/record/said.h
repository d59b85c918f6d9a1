/*
 * said.h - what the programs of a recording said, which is held back while the screen is taken.
 */
#ifndef RECORD_SAID_H
#define RECORD_SAID_H

#include "base/buf.h"

/*
 * All of it on standard error, byte for byte; of perf's own lines only those that are no routine. fd -1: nothing.
 */
void said_print(int fd);
/* The same as one line, shortened, for a message. */
void said_add(int fd, struct buf *out);

#endif
