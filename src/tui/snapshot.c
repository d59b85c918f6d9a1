/*
 * snapshot.c - copies a profile that is coming in, and frees the copies, in the background.
 *
 * Both threads block all signals: the thread that owns the screen handles them.
 */
#include "tui/snapshot.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define SMALL_PATHS 20000u /* paths, or samples: to free them takes less than to start a thread */

struct snapshot {
	pthread_t thread;
	struct loader *loader;
	struct profile *copy;
	atomic_bool is_done;
	int wake_fd;
};

static bool start_quietly(pthread_t *thread, void *(*run)(void *), void *arg)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int e = pthread_create(thread, NULL, run, arg);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return e == 0;
}

static void *copy(void *arg)
{
	struct snapshot *s = arg;
	struct profile *p = mem_zalloc(1, sizeof *p);
	if (load_snapshot(s->loader, p))
		s->copy = p;
	else
		free(p);
	atomic_store(&s->is_done, true);
	ssize_t ignored = write(s->wake_fd, "s", 1); /* if full, the loop is awake already */
	(void)ignored;
	return NULL;
}

struct snapshot *snapshot_start(struct loader *l, int wake_fd)
{
	struct snapshot *s = mem_zalloc(1, sizeof *s);
	s->loader = l;
	s->wake_fd = wake_fd;
	if (start_quietly(&s->thread, copy, s))
		return s;
	free(s);
	return NULL;
}

bool snapshot_is_done(const struct snapshot *s)
{
	return atomic_load(&s->is_done);
}

struct profile *snapshot_end(struct snapshot *s)
{
	if (!s)
		return NULL;
	pthread_join(s->thread, NULL);
	struct profile *p = s->copy;
	free(s);
	return p;
}

static void *free_profile(void *arg)
{
	profile_deinit(arg);
	free(arg);
	return NULL;
}

void snapshot_free_later(struct profile *p)
{
	pthread_t thread;
	if (!p)
		return;
	if (p->n_paths <= SMALL_PATHS && p->log[0].n + p->log[1].n <= SMALL_PATHS)
		free_profile(p);
	else if (start_quietly(&thread, free_profile, p))
		pthread_detach(thread);
	else
		free_profile(p);
}
