/*
 * command.h - starts the command to be sampled, so that nothing before its first instruction is missed.
 */
#ifndef RECORD_SAMPLER_COMMAND_H
#define RECORD_SAMPLER_COMMAND_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct command {
	pid_t pid;
	int go, failed; /* pipes: a byte in `go` lets it begin; `failed` brings errno if it cannot */
};

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

#endif
