/*
 * interpreters.c - keeps the runtimes of processes.
 *
 * Two kinds of locks protect them: one for the list, held for a look-up, and one for each process, held while a
 * stack is read. A reader that slept would let its target go on, so it tries for a while to get a lock; if it has
 * to sleep after all, the stack counts as one of a thread that moved. The kernel lends a sleeping reader's priority
 * to the thread that has the lock.
 *
 * A process that was forgotten is freed when no reader has it any more, by the thread that looks for interpreters.
 *
 * A process can hold back its memory for ever. The reader that waits for it then holds the lock of that process,
 * so other readers wait for the lock only for a while. A process that was found to do this is marked as HELD, and
 * is not read again.
 */
#include "record/sampler/interpreters.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "languages/items.h"
#include "languages/languages.h"
#include "languages/process.h"
#include "record/sampler/errand.h"

#define PATIENCE 200000 /* ns that a reader tries to get a lock without sleeping: a stack takes less */
#define LOCK_MS 20      /* that a reader sleeps for the lock of a process */
#define FORGOTTEN UINT32_MAX
#define HELD (UINT32_MAX - 1)
#define SWEEP_LEAST 16u /* interpreters, from which on it is asked which processes have ended */

struct interpreter {
	pid_t pid;
	struct language_process *process;
	pthread_mutex_t lock;
	unsigned readers; /* that have it now; for the lock of the list, like what follows */
	bool is_forgotten;
};

struct interpreters {
	pthread_mutex_t lock;
	struct idmap known; /* processes -> place in all; 0: has none; or FORGOTTEN, HELD */
	struct interpreter **all;
	size_t n, cap;
	size_t n_live, sweep_at; /* interpreters; how many there will be at the next sweep */
	struct idmap others;     /* files that hold no runtime */
	uint32_t last_function;  /* number of it; changed by readers */
	struct err trouble;      /* told last */
	struct errands errands;  /* looks */
	unsigned n_held;         /* processes; with too many, nothing is read any more */
};

static void lock_init(pthread_mutex_t *lock)
{
	pthread_mutexattr_t a;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(lock, &a);
	pthread_mutexattr_destroy(&a);
}

enum locked { AT_ONCE, SLEPT, NOT_LOCKED };

/* For readers. ms: to sleep for a lock that may never be given back; 0: for ever. */
static enum locked lock_soon(pthread_mutex_t *lock, long ms)
{
	struct timespec begin, now;
	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		if (pthread_mutex_trylock(lock) == 0)
			return AT_ONCE;
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < PATIENCE);
	if (!ms) {
		pthread_mutex_lock(lock);
		return SLEPT;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_nsec += ms * 1000000;
	now.tv_sec += now.tv_nsec / 1000000000;
	now.tv_nsec %= 1000000000;
	return pthread_mutex_timedlock(lock, &now) == 0 ? SLEPT : NOT_LOCKED;
}

struct interpreters *interpreters_new(void)
{
	struct interpreters *s = mem_zalloc(1, sizeof *s);
	lock_init(&s->lock);
	mem_push(s->all, s->n, s->cap, NULL);
	s->sweep_at = SWEEP_LEAST;
	return s;
}

static void interpreter_free(struct interpreter *one)
{
	if (!one)
		return;
	language_process_free(one->process);
	pthread_mutex_destroy(&one->lock);
	free(one);
}

void interpreters_free(struct interpreters *s)
{
	if (!s)
		return;
	errands_deinit(&s->errands);
	if (s->n_held) /* a reader may come back to it */
		return;
	for (size_t i = 1; i < s->n; i++)
		interpreter_free(s->all[i]);
	free(s->all);
	idmap_deinit(&s->known);
	idmap_deinit(&s->others);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

/* ---- processes ----------------------------------------------------------------------------------------------- */

/* -1: unknown. */
static int64_t place_of(struct interpreters *s, pid_t pid)
{
	uint32_t at = FORGOTTEN;
	pthread_mutex_lock(&s->lock);
	bool is_known = idmap_find(&s->known, (uint64_t)pid, &at) && at != FORGOTTEN;
	pthread_mutex_unlock(&s->lock);
	return is_known ? (int64_t)at : -1;
}

static void set_place(struct interpreters *s, pid_t pid, uint32_t at)
{
	pthread_mutex_lock(&s->lock);
	if (!idmap_add(&s->known, (uint64_t)pid, at))
		idmap_slot(&s->known, (uint64_t)pid)->value = at;
	pthread_mutex_unlock(&s->lock);
}

/* Frees the one in this place if it was forgotten and no reader has it. */
static void free_unused(struct interpreters *s, size_t place)
{
	struct interpreter *one = s->all[place];
	pthread_mutex_lock(&s->lock);
	bool is_unused = one && one->is_forgotten && !one->readers;
	if (is_unused)
		s->all[place] = NULL;
	pthread_mutex_unlock(&s->lock);
	if (!is_unused)
		return;
	s->n_live--;
	interpreter_free(one);
}

/* Forgets the interpreters of processes that have ended. */
static void sweep(struct interpreters *s)
{
	for (size_t i = 1; i < s->n; i++) {
		if (s->all[i] && kill(s->all[i]->pid, 0) != 0 && errno == ESRCH)
			interpreters_forget(s, s->all[i]->pid);
		free_unused(s, i);
	}
	s->sweep_at = s->n_live < SWEEP_LEAST / 2 ? SWEEP_LEAST : 2 * s->n_live;
}

static uint32_t add(struct interpreters *s, pid_t pid, struct language_process *process)
{
	struct interpreter *one = mem_zalloc(1, sizeof *one);
	size_t at = 1;
	one->pid = pid;
	one->process = process;
	lock_init(&one->lock);
	if (s->n_live >= s->sweep_at)
		sweep(s);
	while (at < s->n && s->all[at])
		at++;
	pthread_mutex_lock(&s->lock);
	if (at == s->n)
		mem_push(s->all, s->n, s->cap, NULL);
	s->all[at] = one;
	s->n_live++;
	pthread_mutex_unlock(&s->lock);
	return (uint32_t)at;
}

/* All that a look needs: it may be given up. */
struct looking {
	pid_t pid;
	struct idmap others;
	struct err err;
	struct language_process *process;
};

static void look(void *arg)
{
	struct looking *l = arg;
	l->process = language_process_new(l->pid, &l->others, &l->err);
}

static void looking_free(void *arg)
{
	struct looking *l = arg;
	language_process_free(l->process);
	idmap_deinit(&l->others);
	free(l);
}

static void tell(struct interpreters *s, const struct err *err, struct buf *trouble)
{
	if (!err->text[0] || strcmp(err->text, s->trouble.text) == 0)
		return;
	s->trouble = *err;
	item_add_trouble(trouble, err->text);
}

bool interpreters_look(struct interpreters *s, pid_t pid, struct buf *trouble)
{
	if (pid <= 0 || s->n_held > ERRANDS_LOST_MOST || place_of(s, pid) >= 0)
		return true;
	struct looking *l = mem_zalloc(1, sizeof *l);
	l->pid = pid;
	l->others = s->others;
	s->others = (struct idmap){0};
	if (!errand_run(&s->errands, look, looking_free, l)) {
		interpreters_hold(s, pid, trouble);
		return false;
	}
	s->others = l->others;
	l->others = (struct idmap){0};
	set_place(s, pid, l->process ? add(s, pid, l->process) : 0);
	tell(s, &l->err, trouble);
	l->process = NULL;
	looking_free(l);
	return true;
}

void interpreters_hold(struct interpreters *s, pid_t pid, struct buf *trouble)
{
	interpreters_forget(s, pid);
	set_place(s, pid, HELD);
	item_add_held(trouble, pid, ++s->n_held > ERRANDS_LOST_MOST);
}

void interpreters_forget(struct interpreters *s, pid_t pid)
{
	int64_t at = place_of(s, pid);
	if (at < 0)
		return;
	set_place(s, pid, FORGOTTEN);
	if (at == 0 || at == HELD)
		return;
	pthread_mutex_lock(&s->lock);
	s->all[at]->is_forgotten = true;
	pthread_mutex_unlock(&s->lock);
	free_unused(s, (size_t)at);
}

void interpreters_mapped(struct interpreters *s, pid_t pid, const char *path)
{
	if (place_of(s, pid) == 0 && language_process_concerns(path))
		interpreters_forget(s, pid);
}

void interpreters_check(struct interpreters *s, pid_t pid)
{
	int64_t at = place_of(s, pid);
	if (at >= 0 && at != HELD && !(at && language_process_lasts(s->all[at]->process)))
		interpreters_forget(s, pid);
}

/* The interpreter of a process; NULL: none is known. With the lock. */
static struct interpreter *find(const struct interpreters *s, pid_t pid)
{
	uint32_t at = FORGOTTEN;
	bool is_known = idmap_find(&s->known, (uint64_t)pid, &at) && at != FORGOTTEN && at != HELD;
	return is_known && s->n_held <= ERRANDS_LOST_MOST ? s->all[at] : NULL;
}

bool interpreters_has(struct interpreters *s, pid_t pid)
{
	lock_soon(&s->lock, 0);
	bool has = find(s, pid);
	pthread_mutex_unlock(&s->lock);
	return has;
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

struct walking {
	struct interpreters *all;
	struct interpreters_reader *reader;
	const struct language *language; /* the one whose stack is read */
};

static uint32_t define(void *arg, const struct language_function *f)
{
	struct walking *w = arg;
	struct interpreters_reader *r = w->reader;
	if (!r->put(r->arg, NULL))
		return NO_FUNCTION;
	uint32_t number = __atomic_add_fetch(&w->all->last_function, 1, __ATOMIC_RELAXED);
	r->item.len = 0;
	item_add_function(&r->item, number, language_number(w->language), f);
	return r->put(r->arg, &r->item) ? number : NO_FUNCTION;
}

static struct interpreter *take(struct interpreters *s, pid_t pid, bool *has_slept)
{
	*has_slept = lock_soon(&s->lock, 0) != AT_ONCE;
	struct interpreter *one = find(s, pid);
	if (one)
		one->readers++;
	pthread_mutex_unlock(&s->lock);
	return one;
}

static void give_back(struct interpreters *s, struct interpreter *one)
{
	lock_soon(&s->lock, 0);
	one->readers--;
	pthread_mutex_unlock(&s->lock);
}

void interpreters_walk(struct interpreters *s, pid_t pid, pid_t tid, struct interpreters_reader *r)
{
	struct walking w = {.all = s, .reader = r};
	const struct language_names names = {define, &w};
	bool has_slept;
	struct interpreter *one = take(s, pid, &has_slept);
	r->item.len = 0;
	if (!one)
		return;
	enum locked locked = lock_soon(&one->lock, LOCK_MS);
	enum language_walk how = WALK_NO_THREAD;
	if (locked != NOT_LOCKED) {
		how = language_process_walk(one->process, tid, &r->registers, &names, &r->stack, &w.language);
		pthread_mutex_unlock(&one->lock);
	}
	give_back(s, one);
	r->stack.has_moved |= has_slept || locked == SLEPT;
	r->item.len = 0;
	if (locked == NOT_LOCKED)
		item_add_lack(&r->item, LACK_SKIPPED);
	else if (how == WALK_DONE)
		item_add_stack(&r->item, &r->stack);
	else if (how == WALK_FAILED)
		item_add_lack(&r->item, LACK_FAILED);
	if (r->item.len)
		r->put(r->arg, &r->item);
}
