/*
 * process.h - the runtimes of one process: finds them, and reads the stacks of its threads.
 */
#ifndef LANGUAGES_PROCESS_H
#define LANGUAGES_PROCESS_H

#include <sys/types.h>

#include "base/err.h"
#include "base/idmap.h"
#include "languages/languages.h"

struct language_process;

/*
 * Looks for runtimes in what the process has mapped. NULL with an empty err: it has none; NULL with err: it has one
 * that cannot be read, and why. Takes milliseconds if it has one.
 *
 * others: files that hold no runtime, so that each is opened once; empty at first, and for all processes.
 */
struct language_process *language_process_new(pid_t, struct idmap *others, struct err *);
void language_process_free(struct language_process *); /* NULL is fine */
/* Are its runtimes mapped where they were? Else another program runs in it now. */
bool language_process_lasts(const struct language_process *);

/*
 * The stack of a thread in the first runtime that has one. *language: whose stack it is, already when its functions
 * get their numbers. WALK_FAILED if none has one, and the memory of one made no sense. For one thread at a time.
 * Its registers may be NULL.
 */
enum language_walk language_process_walk(struct language_process *, pid_t tid, const struct memory_registers *,
                                         const struct language_names *, struct language_stack *,
                                         const struct language **);

/* Might a file of this name be a runtime, so that it is worth looking again? */
bool language_process_concerns(const char *path);

#endif
