/*
 * temporary.c - in the place of base/temporary.c: no signal handler, and nothing at exit(). What must not outlive a
 * call is in the record of its guard, and goes when the call unwinds.
 */
#include "base/temporary.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "lib/alone/real.h"
#include "lib/alone/run.h"
#include "lib/alone/wrap.h"

struct temporary {
	pid_t child; /* 0: it is a file, or a function; below 0: a process group */
	int signal;
	void (*call)(void *);
	void *arg;
	char path[];
};

/* Of a process group, waits for its one program that is our child. */
static void end_child(const struct temporary *t)
{
	if (kill(t->child, t->signal) != 0)
		return;
	while (waitpid(t->child, NULL, 0) < 0 && errno == EINTR)
		;
}

static void end_temporary(void *thing)
{
	struct temporary *t = thing;
	if (t->call)
		t->call(t->arg);
	else if (t->child != 0)
		end_child(t);
	else
		unlink(t->path);
	__real_free(t);
}

/* Returns a free slot of the guard, which gets the thing; -1: there is none. */
static int take_slot(struct guard *g, struct temporary *t)
{
	int slot = -1;
	__real_pthread_mutex_lock(&g->held.lock);
	for (int i = 0; i < MOST_TEMPORARIES && slot < 0; i++)
		if (!g->temporaries[i])
			slot = i;
	if (slot >= 0)
		g->temporaries[slot] = t;
	__real_pthread_mutex_unlock(&g->held.lock);
	return slot;
}

/* There is no memory to record the child, so the child is ended here. */
static _Noreturn void give_up(const struct temporary *t)
{
	if (t->child != 0)
		end_child(t);
	mem_exhausted();
}

static int register_one(const char *path, const struct temporary *like)
{
	struct run *r = run_now();
	size_t n = strlen(path) + 1;
	if (!r)
		return -1;
	struct temporary *t = __real_malloc(sizeof *t + n);
	if (!t)
		give_up(like);
	*t = *like;
	memcpy(t->path, path, n);
	int slot = take_slot(r->guard, t);
	if (slot < 0)
		__real_free(t);
	else if (!wrap_hold(end_temporary, t))
		mem_exhausted();
	return slot;
}

void temporary_begin(void) {}

int temporary_register(const char *path)
{
	return register_one(path, &(struct temporary){0});
}

int temporary_register_child(pid_t child, int signal)
{
	return register_one("", &(struct temporary){.child = child, .signal = signal});
}

int temporary_register_call(void (*fn)(void *), void *arg)
{
	return register_one("", &(struct temporary){.call = fn, .arg = arg});
}

void temporary_forget(int slot)
{
	struct run *r = run_now();
	if (!r || slot < 0)
		return;
	__real_pthread_mutex_lock(&r->guard->held.lock);
	struct temporary *t = r->guard->temporaries[slot];
	r->guard->temporaries[slot] = NULL;
	__real_pthread_mutex_unlock(&r->guard->held.lock);
	wrap_drop(end_temporary, t);
	__real_free(t);
}

void temporary_remove_all(void) {}

void temporary_hold(void) {}

void temporary_release(void) {}
