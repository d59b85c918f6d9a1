/*
 * child.h - programs that we start: which signals they begin with, and waits for them that end.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <spawn.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Remembers how signals were found, and makes those normal that would keep us from ending, or from hearing how a
 * child ends. At the start of main(), once.
 */
void child_inherit(void);
/* Was the signal ignored when we were started, as nohup does with SIGHUP? */
bool child_is_ignored(int sig);

/*
 * A child has no signal blocked, and every one at its default but a SIGHUP that we were told to ignore. is_apart:
 * it is in a process group of its own, which Ctrl-C does not reach. Initializes the attributes.
 */
void child_attributes(posix_spawnattr_t *, bool is_apart);

/* Waits for its end, as long as that. false: it still runs. *status is waitpid()'s, 0 if that cannot be known. */
bool child_has_ended(pid_t, int *status, unsigned milliseconds);

#define CHILD_PATIENCE 3000 /* milliseconds that a child has at its end, before it is told more firmly */

/*
 * The end of a child whose work is done: it has `patience` milliseconds, then CHILD_PATIENCE after SIGTERM, and as
 * long after SIGKILL; so have the programs that it has started and does not take with it. false: it had to be told.
 */
bool child_end(pid_t, int *status, unsigned patience);

#endif
