/*
 * errand.c - a thread that is sent on errands, and left behind if it does not return.
 */
#include "record/sampler/errand.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "base/err.h"
#include "base/mem.h"

struct errand_worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	errand_fn *run, *drop; /* run: NULL: there is nothing to do */
	void *arg;
	bool is_lost; /* the caller has given up: the thread frees all of this */
	bool ends;
};

static void worker_free(struct errand_worker *w)
{
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

static void *work(void *arg)
{
	struct errand_worker *w = arg;
	pthread_mutex_lock(&w->lock);
	while (!w->is_lost && !w->ends) {
		if (!w->run) {
			pthread_cond_wait(&w->changed, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		w->run(w->arg);
		pthread_mutex_lock(&w->lock);
		w->run = NULL;
		pthread_cond_signal(&w->changed);
	}
	bool is_lost = w->is_lost;
	pthread_mutex_unlock(&w->lock);
	if (is_lost) {
		w->drop(w->arg);
		worker_free(w);
	}
	return NULL;
}

/* NULL: no thread can be had. */
static struct errand_worker *worker_new(void)
{
	struct errand_worker *w = mem_zalloc(1, sizeof *w);
	pthread_condattr_t monotonic;
	sigset_t all, old;
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&w->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool is_started = pthread_create(&w->thread, NULL, work, w) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (is_started)
		return w;
	worker_free(w);
	return NULL;
}

bool errand_run(struct errands *e, errand_fn *run, errand_fn *drop, void *arg)
{
	struct errand_worker *w = e->worker = e->worker ? e->worker : worker_new();
	struct timespec until;
	int error = 0;
	if (!w) {
		run(arg);
		return true;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ERRAND_MS / 1000;
	pthread_mutex_lock(&w->lock);
	w->run = run;
	w->drop = drop;
	w->arg = arg;
	pthread_cond_signal(&w->changed);
	while (w->run && error != ETIMEDOUT)
		error = pthread_cond_timedwait(&w->changed, &w->lock, &until);
	w->is_lost = w->run;
	bool is_done = !w->is_lost;
	if (!is_done) {
		pthread_detach(w->thread);
		e->worker = NULL;
		e->n_lost++;
	}
	pthread_mutex_unlock(&w->lock);
	return is_done;
}

void errand_say_held(pid_t pid, const char *missing)
{
	err_printf("process %ld holds back its memory (userfaultfd or FUSE), so its stacks lack %s", (long)pid,
	           missing);
}

void errands_deinit(struct errands *e)
{
	struct errand_worker *w = e->worker;
	if (!w)
		return;
	pthread_mutex_lock(&w->lock);
	w->ends = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	worker_free(w);
	e->worker = NULL;
}
