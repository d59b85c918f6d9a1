/*
 * ahead.h - reads and decompresses pipes and compressed files on a second thread while the format is fed.
 */
#ifndef COLLAPSE_LOAD_AHEAD_H
#define COLLAPSE_LOAD_AHEAD_H

#include "collapse/load/feeder.h"

/*
 * Reads the rest of the input, as feeder_read() does. Blocks are short where the source pauses, so that a live
 * profile shows what has come. If no thread can start, reads on the calling one.
 */
bool ahead_read(struct feeder *, struct input *, struct err *);

#endif
