/*
 * children.h - finds the programs that a program has started and left behind.
 */
#ifndef TORTURE_CHILDREN_H
#define TORTURE_CHILDREN_H

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define CHILDREN_SECONDS 5

/* From now on we inherit grandchildren whose parent has ended. */
TAP_FN void children_inherit(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

TAP_FN void children_nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
}

TAP_FN void children_kill(void)
{
	char path[64];
	long pid;
	snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
	FILE *f = fopen(path, "r");
	while (f && fscanf(f, "%ld", &pid) == 1)
		kill((pid_t)pid, SIGKILL);
	if (f)
		fclose(f);
}

/*
 * Waits for them: they may take a moment to see that their output has no reader. false: some did not end, and were
 * killed.
 */
TAP_FN bool children_are_gone(void)
{
	bool is_alone = true;
	for (int i = 0; i < 2 * CHILDREN_SECONDS * 2000; i++) {
		pid_t got = waitpid(-1, NULL, WNOHANG);
		if (got < 0)
			return is_alone;
		if (i > CHILDREN_SECONDS * 2000)
			is_alone = false;
		if (!is_alone)
			children_kill();
		if (got == 0)
			children_nap();
	}
	return false;
}

#endif
