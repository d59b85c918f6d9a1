/*
 * keep.h - a recording that is to outlive what comes after it.
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include <stdbool.h>

#include "record/record.h"

/*
 * From here on the recording is kept if a signal, or the want of memory, ends the process: it gets a name in the
 * working directory, which is said. A Ctrl-C within KEEP_LATE seconds was meant for the recording, and does
 * nothing. With the signals blocked that end a process, so that none comes before.
 */
void keep_begin(struct recording *);
/* No longer. Does nothing if it did not begin. */
void keep_end(struct recording *);

#define KEEP_LATE 1.0

#endif
