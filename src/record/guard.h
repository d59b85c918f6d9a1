/*
 * guard.h - runs a process that ends the programs of a recording, or a build, if flametop cannot.
 */
#ifndef RECORD_GUARD_H
#define RECORD_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/family.h"
#include "record/words.h"

/* pid 0: there is no guard. */
struct guard {
	pid_t pid;
	int fd;
	bool reads_on;
	struct family_place *seen; /* what the guard has seen of the recorder's family */
};

/*
 * Starts the guard; no other thread may hold a lock that the guard could need, such as that of malloc(). The guard
 * calls tell in its own process; NULL: kill(). `printed` is a pipe that the guard reads at the end, until its last
 * writer is gone; -1: none. marked has the mark of the recorder's orphans. If the start fails, the other functions
 * do nothing.
 */
void guard_start(struct guard *, int printed, const struct family *marked, family_tell *, void *arg);
/*
 * Starts a guard and a program that it watches, with a mark for the family, which is in the place of that of the
 * streams. *slot is for temporary_forget(): without a guard, a signal handler ends the program. false with err: the
 * program was not started, and the guard has ended. The caller ends the guard and frees the family.
 */
bool guard_spawn(struct guard *, struct family *, const struct words *, const struct streams *, pid_t *child,
                 int *slot, struct err *);
/* A program with the mark is about to be started: until guard_watch(), the guard finds it by that. */
void guard_begin(struct guard *);
/* Tells the guard which programs to end; 0: none. */
void guard_watch(struct guard *, pid_t recorder, pid_t script);
/*
 * Adds what the guard saw at its last look, if it still runs. Call it when the recorder is told to end: a signal
 * may have ended the parents of some before anybody else could look.
 */
void guard_recall(const struct guard *, struct family *);
/* Dismisses the guard: the programs have ended, or are to be left alone. */
void guard_end(struct guard *);

#endif
