/*
 * keep.h - a recording that is to outlive what comes after it.
 */
#ifndef RECORD_KEEP_H
#define RECORD_KEEP_H

#include <stdbool.h>

#include "base/err.h"

struct keep {
	int data, slot; /* the recording, not owned; see base/temporary.h */
	char *name;     /* that it has, or got; owned, NULL: none yet */
	char *quoted;   /* the same for a shell; owned */
	bool is_on;
	bool has_late; /* the handler for a Ctrl-C that comes late is there */
};

/*
 * From here on the recording is kept if a signal, or the want of memory, ends the process: it gets a name in the
 * working directory, unless it has one, and that is said. A Ctrl-C within KEEP_LATE seconds was meant for the
 * recording, and does nothing. With the signals blocked that end a process, so that none comes before.
 */
void keep_begin(struct keep *, int data, const char *name);
/* Gives it a name, if it has none. false: it cannot be written here. */
bool keep_now(struct keep *, struct err *err);
/* No longer. A zeroed one did not begin. */
void keep_end(struct keep *);

#define KEEP_LATE 1.0

#endif
