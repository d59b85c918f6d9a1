/*
 * loader.c - reads in the background: load_start() and the functions that query it.
 *
 * The thread may wait forever for a silent pipe, so load_free() waits for the thread only briefly. Whichever of the
 * thread and its owner leaves last frees the loader.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "base/mem.h"
#include "collapse/load/feeder.h"
#include "collapse/load/inputs.h"
#include "collapse/load/load.h"

#define NAP_NS 200000L                 /* nanoseconds between looks */
#define PATIENCE_NS (40 * 1000 * 1000) /* with the thread, when the viewer has ended */

struct loader {
	struct load_shared shared; /* first, for a test */
	struct profile profile;
	struct collapse_options options;
	struct load_input *inputs; /* a copy: a thread that waits for a silent pipe outlives the owner */
	size_t n_inputs;
	struct err err;
	pthread_t thread;
	bool is_joined;
	atomic_bool is_left; /* set by the first to leave, thread or owner; the other one frees the loader */
	atomic_int state;
};

static void take_inputs(struct loader *l, const struct load_input *inputs, size_t n)
{
	l->inputs = mem_zalloc(n, sizeof *inputs);
	l->n_inputs = n;
	for (size_t i = 0; i < n; i++) {
		l->inputs[i] = inputs[i];
		l->inputs[i].path = mem_strdup(inputs[i].path);
	}
}

static void loader_free(struct loader *l)
{
	for (size_t i = 0; i < l->n_inputs; i++)
		free((char *)l->inputs[i].path);
	free(l->inputs);
	profile_deinit(&l->profile);
	shared_deinit(&l->shared);
	free(l);
}

static void *loader_main(void *arg)
{
	struct loader *l = arg;
	struct load_job job = {&l->profile, &l->shared, &l->options, true, l->n_inputs > 1, false};
	bool ok = inputs_read(&job, l->inputs, l->n_inputs, &l->err);
	atomic_store(&l->shared.is_live, false);
	atomic_store(&l->state, ok ? LOAD_DONE : LOAD_FAILED);
	atomic_store(&l->shared.is_signalled, false);
	shared_wake(&l->shared);
	if (atomic_exchange(&l->is_left, true))
		loader_free(l);
	return NULL;
}

struct loader *load_start(const struct load_input *inputs, size_t n, const struct collapse_options *o, int wake_fd)
{
	return load_start_again(inputs, n, o, wake_fd, NULL);
}

static void know(struct profile *p, const struct symtab *known)
{
	symtab_deinit(&p->symtab);
	symtab_clone(&p->symtab, known);
}

struct loader *load_start_again(const struct load_input *inputs, size_t n, const struct collapse_options *o,
                                int wake_fd, const struct symtab *known)
{
	struct loader *l = mem_zalloc(1, sizeof *l);
	sigset_t all, old;
	bool is_live;
	shared_init(&l->shared, wake_fd);
	profile_init(&l->profile);
	if (known)
		know(&l->profile, known);
	l->options = inputs_options(o);
	take_inputs(l, inputs, n);
	atomic_store(&l->shared.bytes_all, inputs_bytes(inputs, n, &l->options, &is_live));
	atomic_store(&l->shared.is_live, is_live);
	atomic_store(&l->state, LOAD_RUNNING);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old); /* the viewer handles signals */
	int e = pthread_create(&l->thread, NULL, loader_main, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (e != 0) { /* reading here would block the keys forever on a silent pipe */
		l->is_joined = true;
		errno = e;
		fail_errno(&l->err, "no thread to read the input with");
		atomic_store(&l->shared.is_live, false);
		atomic_store(&l->state, LOAD_FAILED);
		shared_wake(&l->shared);
	}
	return l;
}

void load_get_status(struct loader *l, struct load_status *s)
{
	atomic_store(&l->shared.is_signalled, false);
	s->state = (enum load_state)atomic_load(&l->state);
	s->bytes = atomic_load(&l->shared.bytes);
	s->bytes_all = atomic_load(&l->shared.bytes_all);
	s->generation = atomic_load(&l->shared.generation);
	s->is_live = atomic_load(&l->shared.is_live);
	s->samples = atomic_load(&l->shared.samples) + atomic_load(&l->shared.held);
	s->lost = atomic_load(&l->shared.lost);
	s->unsure = atomic_load(&l->shared.unsure);
}

bool load_is_running(const struct loader *l)
{
	return atomic_load(&l->state) == LOAD_RUNNING;
}

/* Copies the profile, including samples held back that would be shown if the input ended here. The lock is held. */
static bool copy_profile(struct loader *l, struct profile *copy)
{
	const struct feeder *f = l->shared.feeder;
	if (!f && inputs_samples(&l->profile) == 0)
		return false;
	profile_snapshot(copy, &l->profile);
	if (f)
		f->format->preview(f->state, copy);
	copy->so_far =
		(struct profile_so_far){true, atomic_load(&l->shared.in_profile), atomic_load(&l->shared.bytes_all)};
	if (f)
		atomic_store(&l->shared.held, copy->log[0].samples - l->profile.log[0].samples);
	if (inputs_samples(copy) > 0)
		return true;
	profile_deinit(copy);
	return false;
}

bool load_snapshot(struct loader *l, struct profile *copy)
{
	bool is_there;
	if (!shared_lock_first(&l->shared))
		return false;
	is_there = copy_profile(l, copy);
	shared_unlock_first(&l->shared);
	if (is_there) { /* of the samples so far */
		profile_settle_fractions(copy);
		profile_settle_units(copy);
	}
	return is_there;
}

void load_keep(struct loader *l, uint64_t window, uint64_t half_life)
{
	shared_make_wish(&l->shared, window, half_life);
}

bool load_take(struct loader *l, struct profile *p, struct err *err)
{
	if (!l->is_joined) {
		pthread_join(l->thread, NULL);
		l->is_joined = true;
	}
	profile_deinit(p);
	*p = l->profile;
	profile_init(&l->profile);
	if (err)
		*err = l->err;
	return atomic_load(&l->state) == LOAD_DONE;
}

void load_stop(struct loader *l)
{
	if (l)
		atomic_store(&l->shared.stop, true);
}

/* Has the thread nothing left to do but end? Gives it a moment. */
static bool ends_soon(const struct loader *l)
{
	const struct timespec nap = {0, NAP_NS};
	for (long waited = 0; load_is_running(l) && waited < PATIENCE_NS; waited += NAP_NS)
		nanosleep(&nap, NULL);
	return !load_is_running(l);
}

void load_free(struct loader *l)
{
	if (!l)
		return;
	load_stop(l);
	if (!l->is_joined && !ends_soon(l)) {
		pthread_detach(
			l->thread); /* it reads a large block, or waits for a silent pipe; the process is about to end */
		if (atomic_exchange(&l->is_left, true))
			loader_free(l);
		return;
	}
	if (!l->is_joined)
		pthread_join(l->thread, NULL);
	loader_free(l);
}
