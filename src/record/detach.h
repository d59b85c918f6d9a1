/*
 * detach.h - how the command of a live recording goes on or has ended.
 */
#ifndef RECORD_DETACH_H
#define RECORD_DETACH_H

#include "record/record.h"

/* Could the command run on without us? Not behind sudo, and not if the terminal ends with us. */
bool record_can_detach(const struct recording *);
/*
 * Ends the recording at once and lets the command run on: arg is the recording. false: the command has ended. What
 * the command prints from then on is dropped.
 */
bool record_detach(void *arg);
/* Says on standard error which command runs on; nothing without record_detach(). */
void record_say_detached(const struct recording *);

/*
 * Appends how the command, or perf without one, has ended: "ended, status 3", "killed by SIGTERM", "stopped".
 * false: it runs. arg is the recording. Only before record_end().
 */
bool record_add_outcome(void *arg, struct buf *out);

#endif
