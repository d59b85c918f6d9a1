/*
 * child.h - programs that we start: their signals, and waiting for them to end.
 */
#ifndef BASE_CHILD_H
#define BASE_CHILD_H

#include <stdbool.h>
#include <sys/types.h>

/* If a standard stream were closed, the next file opened would get its number, and foreign output. */
void child_hold_streams(void);
/*
 * Remembers the inherited signal dispositions, and resets those that would keep us from ending or from seeing how a
 * child ends. Call once, at the start of main().
 */
void child_inherit(void);
/* Did we start with the signal ignored, as nohup does with SIGHUP? */
bool child_is_ignored(int sig);

/* Where a child's standard streams go, and what else it gets. */
struct streams {
	int in, out, err; /* descriptors, or one of those below */
	bool is_apart;    /* in its own process group, which Ctrl-C does not reach */
	/* "NAME=VALUE": for the environment; "NAME": without this variable; NULL: the environment is ours. */
	const char *entry;
};
#define STREAM_SAME (-1) /* where ours goes */
#define STREAM_NONE (-2) /* /dev/null */
/* Programs that look for debug information ask the servers in this variable; only --debuginfod may do that. */
#define CHILD_OFFLINE "DEBUGINFOD_URLS"

/*
 * Starts argv[0], looked up in PATH. It blocks no signal and has the default action for each, except a SIGHUP that
 * we inherited as ignored. Returns 0, or an errno if it could not be started.
 */
int child_start(const char *const *argv, const struct streams *, pid_t *child);

/* Has it ended? It stays to be waited for, and keeps its number. */
bool child_is_over(pid_t);

/* Waits up to `milliseconds` for the child to end. false: it still runs. *status is waitpid()'s, 0 if unknown. */
bool child_has_ended(pid_t, int *status, unsigned milliseconds);

#define CHILD_PATIENCE 3000 /* milliseconds a child has to end before a stronger signal */

/*
 * Ends a child that has finished its work. It gets `patience` milliseconds, then SIGTERM and CHILD_PATIENCE, then
 * SIGKILL and as long again; programs it started and left running get the same. false: a signal was needed.
 */
bool child_end(pid_t, int *status, unsigned patience);

#endif
