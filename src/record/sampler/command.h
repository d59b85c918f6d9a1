/*
 * command.h - starts the command to be sampled, so that nothing before its first instruction is missed.
 */
#ifndef RECORD_SAMPLER_COMMAND_H
#define RECORD_SAMPLER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/family.h"
#include "record/guard.h"

/* Zeroed at first. */
struct command {
	pid_t pid;
	int go, failed; /* pipes: a byte in `go` lets it begin; `failed` brings errno if it cannot */
	bool is_guarded;
	struct family family; /* what it has started, once it is told to end */
	struct guard guard;   /* ends it if we are gone */
};

/*
 * Call first, if nobody else ends the command when this process dies. The guard inherits no descriptor, but its
 * priority. If it cannot be started, the command runs without one.
 */
void command_guard(struct command *);
/*
 * Starts a process that waits to become the command. It gets our standard streams and default signals. is_piped:
 * standard output is ours alone, and it prints to standard error. nice_value: its priority, as for setpriority().
 */
bool command_start(struct command *, bool is_piped, int nice_value, char *const *words, struct err *err);
/*
 * Lets it begin. false with err: there is no such program, or it cannot run; *status becomes 127 or 126, as of a
 * shell.
 */
bool command_go(struct command *, char *const *words, int *status, struct err *err);
/* Ends the waiting process, and waits for it. */
void command_drop(struct command *);
/* Has it ended? *status is waitpid()'s. */
bool command_has_ended(struct command *, int *status);
/* Waits for its end, however long that takes. */
void command_wait(struct command *, int *status);
/*
 * Sends SIGTERM and waits. With a guard of our own, SIGKILL follows after ENDING_AFTER_TERM or, with is_asked, only
 * after the next signal that is sent to us (ending.h); then what it has started ends, too. Without, all that is up
 * to the process that has started us. name: for the remark about the wait.
 */
void command_end(struct command *, const char *name, bool is_asked, int *status);
/* Dismisses the guard. Needs no command. */
void command_deinit(struct command *);

#endif
