/*
 * ahead.h - reading and decompressing on a thread of its own while the format is fed: for pipes and compressed
 * files.
 */
#ifndef COLLAPSE_LOAD_AHEAD_H
#define COLLAPSE_LOAD_AHEAD_H

#include "collapse/load/feeder.h"

/*
 * Reads the rest of the input, as feeder_read() does. Blocks are short where the source pauses, so that a live
 * profile shows what has come. Without a thread, reads on the calling one.
 */
bool ahead_read(struct feeder *, struct input *, struct err *);

#endif
