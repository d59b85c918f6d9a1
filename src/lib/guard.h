/*
 * guard.h - runs the calls on a profile so that a call which runs out of memory returns.
 *
 * In the library (alone/run.c), mem_exhausted() unwinds to guard_run(), which stops the threads of the call and
 * frees what all calls with this guard have acquired: memory, files, threads, programs, objects of other libraries.
 * The guard is then broken. In the program (guard.c) there is nothing to guard: it ends, as documented in mem.h.
 */
#ifndef LIB_GUARD_H
#define LIB_GUARD_H

#include <stdbool.h>
#include <stddef.h>

struct guard;

/* NULL: out of memory. */
struct guard *guard_new(void);
void guard_free(struct guard *); /* and all that its calls have left; NULL is fine */

/* Memory that unwinding does not free: zeroed, NULL if there is none. guard_release() frees it. */
void *guard_keep(size_t size);
void guard_release(void *);

/* Gets each note of a call, a clean line; fn NULL: nobody does. The program prints its notes instead. */
void guard_on_note(struct guard *, void (*fn)(void *arg, const char *text), void *arg);

enum guard_result {
	GUARD_DONE,
	GUARD_BUSY,   /* a call is running, and body was not called */
	GUARD_BROKEN, /* memory ran out, now or earlier, or there was a bug */
};

/* Calls body(arg). */
enum guard_result guard_run(struct guard *, void (*body)(void *arg), void *arg);
/*
 * From here to the end of the call that this thread is in, no SIGPIPE ends the process: a write to a broken pipe
 * is an error. For calls that read, write, say notes or start programs, before they start threads. Again is fine.
 */
void guard_block_sigpipe(void);
bool guard_is_broken(const struct guard *);
/* The bug that broke it, "FILE:LINE: what is not so"; NULL: none, memory ran out. */
const char *guard_bug(const struct guard *);

#endif
