/*
 * answers.c - reads an input that is fetched again and again.
 *
 *	fetch --- read apart --- append, stamp, let go of the old --- wait until it is time --- fetch ...
 *
 * What others send is read on a thread of its own, so that the rest of them need not wait for it, nor does the end.
 * Others may send without end, and anything: so a profile of theirs adds nothing once names and stacks take much
 * memory.
 */
#include "collapse/load/answers.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/status.h"
#include "collapse/load/feeder.h"
#include "model/retain.h"

#define MOST_FAILURES 5u /* in a row */
#define TURN_MS 20       /* between two looks at *stop */
#define SECOND UINT64_C(1000000000)
/* of what others send */
#define MOST_NAME_BYTES (UINT64_C(256) << 20)
#define MOST_NAMES (UINT64_C(4) << 20)
#define MOST_PATHS (UINT64_C(8) << 20)
#define MOST_PATHS_EACH (UINT64_C(2) << 20) /* others wait while they are added */
#define MOST_VALUES_EACH (UINT64_C(4) << 20)
#define MOST_TASKS (UINT64_C(1) << 20)
#define MOST_SERIES 1024u
#define MOST_ENTRIES (UINT64_C(8) << 20) /* samples that retention cannot add up, with those of an answer */

static uint64_t clock_of(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t clock_now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

static void wait_until(uint64_t due, const atomic_bool *stop)
{
	const struct timespec turn = {0, TURN_MS * 1000000L};
	while (!atomic_load(stop) && clock_now() < due)
		nanosleep(&turn, NULL);
}

/* One answer. It has a lock of its own: the loader's owner must not look into a profile that is not shown yet. */
struct reading {
	struct load_job job;
	struct load_shared own;
	const struct load_input *input;
	load_answer_fn *read;
	int fd;
	struct err *err;
	bool is_good;
	atomic_bool is_done;
};

static void *read_one(void *arg)
{
	struct reading *r = arg;
	r->is_good = r->read(&r->job, r->input, r->fd, r->err);
	atomic_store(&r->is_done, true);
	return NULL;
}

/* It blocks all signals: others handle them. */
static bool start(pthread_t *thread, struct reading *r)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool is_started = pthread_create(thread, NULL, read_one, r) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return is_started;
}

/* Reads on a thread of its own. false: there is none. */
static bool read_beside(struct reading *r, const atomic_bool *stop)
{
	const struct load_fetcher *f = r->input->fetcher;
	pthread_t thread;
	if (!start(&thread, r))
		return false;
	while (!atomic_load(&r->is_done))
		if (!f->meanwhile(f->arg) || atomic_load(stop))
			atomic_store(&r->own.stop, true);
	pthread_join(thread, NULL);
	return true;
}

/* *is_late: it was given up, as there is no more time. */
static bool read_apart(const struct load_job *job, const struct load_input *input, load_answer_fn *read, int fd,
                       struct profile *apart, bool *is_late, struct err *err)
{
	struct reading r = {.job = *job, .input = input, .read = read, .fd = fd, .err = err};
	struct status_stage before = status_enter((struct status_stage){0});
	shared_init(&r.own, -1);
	r.job.profile = apart;
	r.job.shared = &r.own;
	r.job.is_background = false;
	if (!input->fetcher->meanwhile || !read_beside(&r, &job->shared->stop))
		read_one(&r);
	status_enter(before);
	*is_late = atomic_load(&r.own.stop);
	shared_count(job->shared, atomic_load(&r.own.bytes));
	shared_deinit(&r.own);
	return r.is_good && !*is_late;
}

/* The lock is held. */
static void look_after(struct load_job *job, struct retention *kept, size_t first, uint64_t time)
{
	struct load_wish wish = shared_wish(job->shared);
	if (wish.is_there)
		retain_widen(kept, wish.window, wish.half_life);
	retain_stamp(job->profile, first, time);
	retain_recent(job->profile, kept);
}

static void show(struct load_job *job, const struct load_input *input, const struct profile *apart,
                 struct retention *kept, uint64_t time)
{
	struct profile *whole = job->profile;
	struct load_shared *s = job->shared;
	shared_lock(s);
	if (input->fetcher->is_state)
		profile_forget(whole);
	profile_seal(whole);
	size_t first = whole->log[0].n;
	if (!inputs_samples(whole))
		whole->decimals = apart->decimals;
	if (input->fetcher->is_state || !whole->format)
		whole->format = apart->format;
	profile_append(whole, apart, NULL, 0);
	if (input->fetcher->is_state)
		atomic_store(&s->samples, whole->log[0].samples);
	else
		atomic_fetch_add(&s->samples, apart->log[0].samples);
	if (!input->fetcher->is_state)
		look_after(job, kept, first, time);
	shared_unlock(s);
	shared_count_input(s);
	shared_wake(s);
}

/* What limits count in a profile. */
struct amounts {
	uint64_t names, bytes; /* of functions, and of labels and their sets */
	uint64_t paths;        /* also those of lines */
	uint64_t tasks, series;
};

static void add_names(struct amounts *a, const struct symtab *t)
{
	a->names += t->n;
	a->bytes += t->names.total;
}

static void add_amounts(struct amounts *a, const struct profile *p)
{
	add_names(a, &p->symtab);
	if (p->tags) {
		add_names(a, &p->tags->names);
		add_names(a, &p->tags->each);
		add_names(a, &p->tags->sets);
	}
	a->paths += p->n_paths + (p->sites ? (uint64_t)p->sites->n_nodes + p->sites->n : 0);
	a->tasks += p->n_tasks;
	a->series += p->n_series;
}

bool answers_have_room(const struct profile *whole, const struct profile *more)
{
	struct amounts a = {0};
	add_amounts(&a, whole);
	add_amounts(&a, more);
	return a.bytes <= MOST_NAME_BYTES && a.names <= MOST_NAMES && a.paths <= MOST_PATHS && a.tasks <= MOST_TASKS &&
	       a.series <= MOST_SERIES && (uint64_t)whole->log[0].n + more->log[0].n <= MOST_ENTRIES;
}

/* What is read may not take more room than there is, also while it is read. */
static void leave_room(const struct profile *whole, struct profile *more)
{
	uint64_t left = whole->n_paths < MOST_PATHS ? MOST_PATHS - whole->n_paths : 0;
	more->bound.room[ROOM_PATHS] = left < MOST_PATHS_EACH ? left : MOST_PATHS_EACH;
	more->bound.room[ROOM_VALUES] = MOST_VALUES_EACH;
	more->bound.room[ROOM_SYMBOLS] = whole->symtab.n < MOST_NAMES ? MOST_NAMES - whole->symtab.n : 0;
}

/*
 * Lets go of old samples if there is no room for more: without this, a profile with a window would stay full, since
 * only samples that are taken tell how much time has passed.
 */
static void make_room(const struct load_job *job, struct retention *kept, const struct profile *more, uint64_t time)
{
	const struct sample_log *whole = &job->profile->log[0], *log = &more->log[0];
	if (whole->n + log->n <= MOST_ENTRIES)
		return;
	shared_lock(job->shared);
	retain_for(job->profile, kept, log->time ? retain_last_time(log, 0) : time);
	shared_unlock(job->shared);
}

/* What was sent is in *apart if ok; else err says why not. */
static bool judge(const struct load_job *job, const struct load_fetcher *f, bool ok, bool is_late,
                  const struct profile *apart, struct err *err)
{
	bool is_large = !is_late && apart->bound.is_reached;
	bool is_full = is_large || (ok && !answers_have_room(job->profile, apart));
	if (is_late)
		fail(err, "there was no time to read it");
	else if (apart->bound.values > MOST_VALUES_EACH)
		fail(err, "it has more than four million samples and values");
	else if (is_large)
		fail(err, "it makes too many frames, or there is no room for so many");
	else if (is_full)
		fail(err, "there is no room for more names, stacks and samples");
	f->judge(f->arg,
	         is_late   ? LOAD_LATE
	         : is_full ? LOAD_FULL
	         : ok      ? LOAD_TAKEN
	                   : LOAD_BAD,
	         ok && !is_full ? NULL : err->text);
	return ok && !is_full;
}

static bool take_answer(struct load_job *job, const struct load_input *input, load_answer_fn *read,
                        struct retention *kept, struct err *err)
{
	const struct load_fetcher *f = input->fetcher;
	uint64_t time = clock_now(); /* for samples without one: when the request began */
	int fd = f->fetch(f->arg, &job->shared->stop, err);
	struct profile apart;
	if (fd < 0)
		return false;
	if (f->judge)
		time = clock_of(CLOCK_REALTIME); /* when it came; others' times, too, are those of the day */
	feeder_init_profile(&apart, job->profile);
	if (f->judge)
		leave_room(job->profile, &apart);
	bool is_late, ok = read_apart(job, input, read, fd, &apart, &is_late, err);
	close(fd);
	if (f->judge && ok)
		make_room(job, kept, &apart, time);
	if (f->judge)
		ok = judge(job, f, ok, is_late, &apart, err);
	if (ok && f->keep && inputs_samples(&apart) > 0)
		ok = f->keep(f->arg, err);
	if (ok)
		show(job, input, &apart, kept, time);
	profile_deinit(&apart);
	return ok;
}

static void note_failure(struct load_job *job, const char *kind, const char *why)
{
	shared_lock(job->shared);
	report_add(&job->profile->report, NOTE_WARN, kind, NULL, 0, why, strlen(why));
	shared_unlock(job->shared);
}

/* Reads what others send until there is no more. */
static bool read_sent(struct load_job *job, const struct load_input *input, load_answer_fn *read,
                      struct retention *kept, struct err *err)
{
	struct err why = {""};
	bool has_any = false;
	for (;;) {
		why.text[0] = '\0';
		if (take_answer(job, input, read, kept, &why))
			has_any = true;
		else if (!*why.text || atomic_load(&job->shared->stop))
			break;
		else
			note_failure(job, "a profile that was sent is refused", why.text);
	}
	return has_any || atomic_load(&job->shared->stop) || fail(err, "no profile has come");
}

bool answers_read(struct load_job *job, const struct load_input *input, load_answer_fn *read, struct err *err)
{
	struct retention kept;
	struct err why = {""};
	const atomic_bool *stop = &job->shared->stop;
	unsigned failures = 0;
	bool has_any = false;
	mem_return_large();
	retain_init(&kept, job->options->window, job->options->half_life);
	if (input->fetcher->judge)
		return read_sent(job, input, read, &kept, err);
	do {
		uint64_t due = clock_now() + input->fetcher->every * SECOND;
		bool ok = take_answer(job, input, read, &kept, &why);
		has_any |= ok;
		failures = ok ? 0 : failures + 1;
		if (!ok && !atomic_load(stop) && (!has_any || failures == MOST_FAILURES))
			return fail(err, "%s", why.text);
		if (!ok && !atomic_load(stop)) {
			status_detail("trying again:", why.text);
			note_failure(job, "an answer is missing", why.text);
		}
		wait_until(due, stop);
		status_detail(NULL, NULL);
	} while (!atomic_load(stop));
	return true;
}
