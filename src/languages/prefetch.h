/*
 * prefetch.h - reads in one call what a stack will need: what the last stacks of the same thread needed.
 *
 * A stack is read by many small reads, most of which are the same as in the stack before: those of the thread, of
 * its outer frames, and of their functions. A call of the system costs more than what it reads. So all of them are
 * read at once when a stack begins, and its reads are served from the copy. The copy is as old as the beginning of
 * the stack, and gone at the next one: nothing is served that was read for another stack.
 */
#ifndef LANGUAGES_PREFETCH_H
#define LANGUAGES_PREFETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "languages/memory.h"

/* The functions that read; arg is handed to them. */
struct prefetch *prefetch_new(memory_read_fn *, memory_read_all_fn *, void *arg);
void prefetch_free(struct prefetch *); /* NULL is fine */

/* A stack of this thread is about to be read. Comes before anything is read. */
void prefetch_begin(struct prefetch *, pid_t tid);
/* For struct memory, whose arg is the struct prefetch. */
memory_read_fn prefetch_read;
memory_renew_fn prefetch_renew;

#endif
