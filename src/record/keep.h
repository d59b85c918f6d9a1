/*
 * keep.h - keeps a recording if a later step fails.
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include <stdbool.h>

#include "base/err.h"

#define KEEP_NAME 4200 /* bytes of a path */

struct keep {
	int data, slot;            /* the recording, not owned; see base/temporary.h */
	char *name;                /* of the recording; owned, NULL: none yet */
	char *quoted;              /* the name, quoted for a shell; owned */
	char elsewhere[KEEP_NAME]; /* a name in TMPDIR, to be completed; "": none */
	bool is_on;
	bool has_late; /* the handler for a late Ctrl-C is installed */
};

/*
 * From now on, if a signal or a lack of memory ends the process, the recording is kept: unless it has a name, it
 * gets one in the working directory or, if that takes no files, in TMPDIR or /var/tmp; a message tells it. A Ctrl-C
 * within KEEP_LATE seconds was meant for perf record and does nothing. Block the signals that end a process before
 * the call, so that none arrives first.
 */
void keep_begin(struct keep *, int data, const char *name);
/* Gives the recording a name if it has none. false: none of these places takes it. */
bool keep_now(struct keep *, struct err *err);
/* Stops protecting the recording. Does nothing for a zeroed struct, which did not begin. */
void keep_end(struct keep *);

#define KEEP_LATE 1.0

#endif
