/*
 * interpreters.h - the processes of a recording that run an interpreter, and the stacks of their languages.
 *
 * Several threads may read stacks at once. Looking for interpreters opens files, so it is left to one thread that
 * has time; it alone makes, looks, forgets and checks.
 */
#ifndef RECORD_SAMPLER_INTERPRETERS_H
#define RECORD_SAMPLER_INTERPRETERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "languages/language.h"

struct interpreters;

struct interpreters *interpreters_new(void);
void interpreters_free(struct interpreters *); /* NULL is fine */

/*
 * Looks for an interpreter in a process, the first time that it is asked. trouble gets an item (languages/items.h)
 * if there is one that cannot be read; once for each reason. false: the process holds back its memory.
 */
bool interpreters_look(struct interpreters *, pid_t, struct buf *trouble);
/* Another program runs in the process: the next look is the first one. */
void interpreters_forget(struct interpreters *, pid_t);
/*
 * A reader waits for memory of this process for ever. Nothing of it is read from now on; trouble gets an item that
 * says so. That reader may come back at any time, so the interpreters are never freed then.
 */
void interpreters_hold(struct interpreters *, pid_t, struct buf *trouble);
/* It has mapped this file. Forgets that the process has no interpreter if the file may be one. */
void interpreters_mapped(struct interpreters *, pid_t, const char *path);
/* Its maps have changed. Forgets what is known unless it has the same interpreter as before. */
void interpreters_check(struct interpreters *, pid_t);

/* Takes an item. false: there is no room for it; with NULL: for any function and its texts. */
typedef bool interpreters_put(void *arg, const struct buf *item);

/* What each thread that reads has of its own. */
struct interpreters_reader {
	interpreters_put *put;
	void *arg;
	struct buf item; /* the caller's; interpreters_walk() leaves that of the stack in it, or nothing */
	struct memory_registers registers; /* of the thread at its sample; mask 0: unknown */
	struct language_stack stack;
};

/*
 * Hands on the stack of a thread as an item, after the functions in it that are new. Nothing, if the process has no
 * interpreter or the thread runs none of its functions. Of two threads that read stacks of one process, one waits.
 */
void interpreters_walk(struct interpreters *, pid_t pid, pid_t tid, struct interpreters_reader *);
/* Has the process an interpreter? */
bool interpreters_has(struct interpreters *, pid_t);

#endif
