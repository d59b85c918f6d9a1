/*
 * run.h - the call that a thread is in, for the files of this directory. The contract of calls is in lib/guard.h.
 */
#ifndef LIB_ALONE_RUN_H
#define LIB_ALONE_RUN_H

#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "lib/alone/held.h"
#include "lib/guard.h"

#define MOST_LOCKS 8
#define MOST_TEMPORARIES 16

struct temporary;

/* What the call has done to SIGPIPE. */
struct pipes {
	bool are_blocked;
	bool was_pending;
	sigset_t before; /* the thread's mask */
};

struct guard {
	atomic_flag is_busy;
	atomic_bool is_broken; /* memory ran out: every thread of the call unwinds */
	struct held held;
	struct pipes pipes;
	locale_t numbers;                                /* that of its making, but numbers are those of C */
	struct temporary *temporaries[MOST_TEMPORARIES]; /* under the lock of `held`; NULL: a free slot */
	char bug[256];                                   /* "": none */
	void (*note)(void *arg, const char *text);
	void *note_arg;
};

/* A call, or a thread of one, from its beginning to its end. */
struct run {
	struct guard *guard;
	struct run *outer;                  /* of this thread: a callback of that call made this one */
	pthread_mutex_t *locks[MOST_LOCKS]; /* that the thread holds */
	unsigned n_locks;
	bool is_thread;  /* that the call has started */
	locale_t before; /* of the thread, before it entered */
	jmp_buf back;
};

/* Of the calling thread; NULL: it is in no call. */
struct run *run_now(void);
/* From run_enter() to run_leave() the thread writes and reads numbers as in the C locale. */
void run_enter(struct run *, struct guard *);
void run_leave(struct run *);
/* Waits for a thread, a pthread_t: how what wrap.c records of threads ends. */
void run_end_thread(void *thread);

#endif
