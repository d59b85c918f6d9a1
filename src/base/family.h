/*
 * family.h - the descendants of a program: found while it runs, and ended after it.
 */
#ifndef BASE_FAMILY_H
#define BASE_FAMILY_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"

/* Empty when zeroed. */
struct family {
	struct kin *v;
	size_t n, cap;
	char mark[64]; /* an entry for the environment of the root, by which orphans are found; "": none */
	pid_t session; /* of those; orphans in another one are daemons, which run on */
};

/*
 * Chooses a mark, for child_start(). Orphans that cleared their environment, or that run as another user, lack it.
 */
void family_choose_mark(struct family *);
/* Takes over the mark of another family. */
void family_copy_mark(struct family *, const struct family *from);

void family_deinit(struct family *);
/*
 * Finds all descendants of `root`. Forgets those found before; with is_ending, only those that have ended. If root
 * itself has ended, nothing changes: its descendants can no longer be recognised.
 */
void family_look(struct family *, pid_t root, bool is_ending);
/*
 * Does a program that root itself had started still run, as far as family_look() without is_ending found it? Once
 * root has ended, that is one which root should have ended.
 */
bool family_has_child(const struct family *);
/* Counts those that still run and forgets the others; their children, if any, join the family. */
size_t family_living(struct family *);
/* Adds this program itself and its descendants. */
void family_take(struct family *, pid_t);
/* Adds those of another family that still run. */
void family_add(struct family *, const struct family *from);

/* Memory in which a process leaves what it has found, for one that forked it. */
struct family_place;
/* NULL: there is no memory. */
struct family_place *family_place_new(void);
void family_place_free(struct family_place *);
/* NULL: does nothing. */
void family_leave(const struct family *, struct family_place *);
/* Adds those that were left there and still run. NULL: there are none. */
void family_recall(struct family *, const struct family_place *);

/* Adds those that have the mark, in the session of its choice. */
void family_take_orphans(struct family *);

/* Sends a signal to each, as the keys of a terminal do. */
void family_signal(const struct family *, int sig);

typedef void family_tell(void *arg, pid_t, int sig);

struct family_ending {
	family_tell *tell; /* NULL: kill() */
	void *arg;
	unsigned patience;     /* milliseconds between SIGTERM and SIGKILL */
	const sigset_t *hurry; /* blocked signals that end the wait early and are consumed; NULL: none */
};

#define FAMILY_GRACE 300 /* milliseconds that programs have to end after their parent has ended */

/*
 * Ends all of them: waits FAMILY_GRACE, then sends SIGTERM, then SIGKILL. Appends those that needed a signal to
 * `names`, if not NULL. false: some still run.
 */
bool family_end(struct family *, const struct family_ending *, struct buf *names);

#endif
