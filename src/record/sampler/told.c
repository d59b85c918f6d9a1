/*
 * told.c - the signals that tell the sampler to end, or that its command has ended.
 */
#include "record/sampler/told.h"

#include <stddef.h>

#include "base/child.h"
#include "base/wait_signal.h"

#define TOLD_MOST 3 /* signals that make a difference */

static volatile sig_atomic_t told, n_told, child_signal;
static sigset_t taken; /* of those that tell us to end */

static void hear(int sig)
{
	if (sig == SIGCHLD) {
		child_signal = 1;
		return;
	}
	told = sig;
	n_told += n_told < TOLD_MOST;
}

/* A reader may be slow, or stopped by its user. A sampler that is told to end gives up one that takes nothing. */
int told_patience(void)
{
	static const int tenths[TOLD_MOST + 1] = {-1, 50, 5, 0};
	return tenths[n_told];
}

void told_begin(sigset_t *old, sigset_t *open)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
	struct sigaction a = {.sa_handler = hear, .sa_flags = SA_NOCLDSTOP};
	sigemptyset(&taken);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		if (signals[i] == SIGHUP && child_is_ignored(SIGHUP))
			continue;
		sigaddset(&taken, signals[i]);
		sigaction(signals[i], &a, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* the write fails instead */
	sigprocmask(SIG_BLOCK, &taken, old);
	*open = *old;
	sigdelset(&taken, SIGCHLD);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigdelset(open, signals[i]);
}

bool told_to_end(void)
{
	return told || wait_signal_is_there(&taken);
}

int told_signal(void)
{
	return told;
}

bool told_of_child(void)
{
	bool is_told = child_signal;
	child_signal = 0;
	return is_told;
}
