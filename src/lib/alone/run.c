/*
 * run.c - calls of the library that return when memory runs out.
 *
 *	guard_run():   setjmp, body  ->  mem_exhausted(): unlock, wait for threads, longjmp  ->  give everything back
 *
 * The code below a call neither tests for NULL nor cleans up on the way, so everything that it acquires is in the
 * guard's record (held.h), where wrap.c puts it. A thread that the call has started is a run of its own: it unwinds
 * to its first function, and the guard is broken from then on. Whoever waits for that thread, or for a lock or a
 * condition, or asks for memory, then unwinds, too.
 *
 * What is not freed: a block that another library allocates for itself while none of its objects is in the record.
 */
#include "lib/alone/run.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/wait_signal.h"
#include "lib/alone/real.h"

static _Thread_local struct run *now;

struct run *run_now(void)
{
	return now;
}

void run_enter(struct run *r, struct guard *g)
{
	r->guard = g;
	r->outer = now;
	r->n_locks = 0;
	r->is_thread = false;
	r->before = uselocale(g->numbers);
	now = r;
}

void run_leave(struct run *r)
{
	now = r->outer;
	uselocale(r->before);
}

void run_end_thread(void *thread)
{
	__real_pthread_join((pthread_t)(uintptr_t)thread, NULL);
}

/*
 * The threads of the call use what is on the stack of its own thread, which therefore waits for them before it
 * jumps. Nothing allocates outside of a call.
 */
_Noreturn void mem_exhausted(void)
{
	struct run *r = now;
	if (!r)
		__builtin_trap();
	atomic_store(&r->guard->is_broken, true);
	while (r->n_locks > 0)
		__real_pthread_mutex_unlock(r->locks[--r->n_locks]);
	if (!r->is_thread)
		held_end_all(&r->guard->held, run_end_thread);
	longjmp(r->back, 1);
}

/* In the place of libc's, which would print and abort: the call fails. */
_Noreturn void __wrap___assert_fail(const char *, const char *, unsigned, const char *);
_Noreturn void __wrap___assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
	(void)function;
	if (now)
		snprintf(now->guard->bug, sizeof now->guard->bug, "%s:%u: %s", file, line, what);
	mem_exhausted();
}

void mem_on_exhausted(void (*hook)(void))
{
	(void)hook;
}

/* The thread's locale, with the numbers of C; 0: out of memory. */
static locale_t make_locale(void)
{
	locale_t copy = duplocale(uselocale((locale_t)0));
	locale_t made = copy ? newlocale(LC_NUMERIC_MASK, "C", copy) : copy;
	if (copy && !made)
		freelocale(copy);
	return made;
}

struct guard *guard_new(void)
{
	struct guard *g = __real_calloc(1, sizeof *g);
	if (g && !(g->numbers = make_locale())) {
		__real_free(g);
		return NULL;
	}
	if (g && !held_init(&g->held)) {
		freelocale(g->numbers);
		__real_free(g);
		return NULL;
	}
	return g;
}

void guard_free(struct guard *g)
{
	if (!g)
		return;
	held_deinit(&g->held);
	freelocale(g->numbers);
	__real_free(g);
}

void *guard_keep(size_t size)
{
	return __real_calloc(1, size);
}

void guard_release(void *p)
{
	__real_free(p);
}

void guard_on_note(struct guard *g, void (*fn)(void *arg, const char *text), void *arg)
{
	g->note = fn;
	g->note_arg = arg;
}

const char *guard_bug(const struct guard *g)
{
	return *g->bug ? g->bug : NULL;
}

bool guard_is_broken(const struct guard *g)
{
	return atomic_load(&g->is_broken);
}

/* A write to a program that has ended is an error; the signal for it must not reach the caller's process. */
void guard_block_sigpipe(void)
{
	struct pipes *p = &now->guard->pipes;
	sigset_t pipe, pending;
	if (p->are_blocked)
		return;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	p->was_pending = sigismember(&pending, SIGPIPE) == 1;
	pthread_sigmask(SIG_BLOCK, &pipe, &p->before);
	p->are_blocked = true;
}

static void unblock_sigpipe(struct pipes *p)
{
	const struct timespec at_once = {0, 0};
	sigset_t pipe;
	if (!p->are_blocked)
		return;
	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	if (!p->was_pending)
		wait_signal(&pipe, &at_once, NULL);
	pthread_sigmask(SIG_SETMASK, &p->before, NULL);
	p->are_blocked = false;
}

static void run(struct guard *g, void (*body)(void *arg), void *arg)
{
	struct run r;
	run_enter(&r, g);
	if (setjmp(r.back) == 0)
		body(arg);
	if (guard_is_broken(g)) {
		guard_block_sigpipe();
		held_give_back(&g->held);
	}
	unblock_sigpipe(&g->pipes);
	run_leave(&r);
}

enum guard_result guard_run(struct guard *g, void (*body)(void *arg), void *arg)
{
	if (atomic_flag_test_and_set(&g->is_busy))
		return GUARD_BUSY;
	if (!guard_is_broken(g))
		run(g, body, arg);
	bool is_broken = guard_is_broken(g);
	atomic_flag_clear(&g->is_busy);
	return is_broken ? GUARD_BROKEN : GUARD_DONE;
}
