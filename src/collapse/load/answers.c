/*
 * answers.c - reads an input that is fetched again and again.
 *
 *	fetch --- read apart --- append, stamp, let go of the old --- wait until it is time --- fetch ...
 *
 * Others may send without end, and anything: so a profile of theirs adds nothing once names and stacks take much
 * memory.
 */
#include "collapse/load/answers.h"

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
#define MOST_PATHS_EACH (UINT64_C(2) << 20) /* others wait while a profile is read */
#define MOST_TASKS (UINT64_C(1) << 20)
#define MOST_SERIES 1024u

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

/* The loader's owner must not look into a profile that is not shown yet: so the answer has a lock of its own. */
static bool read_apart(const struct load_job *job, const struct load_input *input, load_answer_fn *read, int fd,
                       struct profile *apart, struct err *err)
{
	struct load_shared own;
	struct load_job of_answer = *job;
	shared_init(&own, -1);
	of_answer.profile = apart;
	of_answer.shared = &own;
	of_answer.is_background = false;
	bool ok = read(&of_answer, input, fd, err);
	shared_count(job->shared, atomic_load(&own.bytes));
	shared_deinit(&own);
	return ok;
}

/* The lock is held. */
static void look_after(struct load_job *job, struct retention *kept, size_t first, uint64_t time)
{
	struct load_shared *s = job->shared;
	if (s->has_wish)
		retain_widen(kept, s->window, s->half_life);
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
	if (!whole->format)
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
	       a.series <= MOST_SERIES;
}

/* What is read may not take more room than there is, also while it is read. */
static void leave_room(const struct profile *whole, struct profile *more)
{
	uint64_t left = whole->n_paths < MOST_PATHS ? MOST_PATHS - whole->n_paths : 0;
	more->bound.room[ROOM_PATHS] = left < MOST_PATHS_EACH ? left : MOST_PATHS_EACH;
	more->bound.room[ROOM_SYMBOLS] = whole->symtab.n < MOST_NAMES ? MOST_NAMES - whole->symtab.n : 0;
}

/* What was sent is in *apart if ok; else err says why not. */
static bool judge(const struct load_job *job, const struct load_fetcher *f, bool ok, const struct profile *apart,
                  struct err *err)
{
	bool is_large = apart->bound.is_reached, is_full = is_large || (ok && !answers_have_room(job->profile, apart));
	if (is_large)
		fail(err, "it makes too many frames, or there is no room for so many");
	else if (is_full)
		fail(err, "there is no room for more names and stacks");
	f->judge(f->arg, is_full ? LOAD_FULL : ok ? LOAD_TAKEN : LOAD_BAD, ok && !is_full ? NULL : err->text);
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
	bool ok = read_apart(job, input, read, fd, &apart, err);
	close(fd);
	if (f->judge)
		ok = judge(job, f, ok, &apart, err);
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
