/*
 * family.h - the programs that a program has started: found while they are its own, and ended when it is gone.
 */
#ifndef BASE_FAMILY_H
#define BASE_FAMILY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Zeroed is empty. */
struct family {
	struct kin *v;
	size_t n, cap;
};

void family_deinit(struct family *);
/*
 * Finds the programs below `root`, with all that they have started. Those found before are forgotten, or with
 * is_ending only those that have ended. If root itself has ended, nothing changes: its programs can no longer be
 * told from others.
 */
void family_look(struct family *, pid_t root, bool is_ending);
/* Adds this program itself and those below it. */
void family_take(struct family *, pid_t);
/* How many of them still run. The others are forgotten, and what they have started meanwhile belongs to them. */
size_t family_living(struct family *);
/* Their names as the system has them: "sh, sleep, and 3 more". */
void family_add_names(const struct family *, struct buf *out);

typedef void family_tell(void *arg, pid_t, int sig);

struct family_ending {
	family_tell *tell; /* NULL: kill() */
	void *arg;
	unsigned patience;     /* milliseconds between SIGTERM and SIGKILL */
	const sigset_t *hurry; /* blocked signals that end the patience when they come, and are taken; NULL: none */
};

#define FAMILY_GRACE 300 /* milliseconds that programs have to end by themselves, once the one above them has */

/*
 * Ends all of them: they may end by themselves, then get SIGTERM, and SIGKILL. `names`, if not NULL, gets those
 * that had to be told. false: some cannot be ended.
 */
bool family_end(struct family *, const struct family_ending *, struct buf *names);

#endif
