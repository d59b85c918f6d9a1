/*
 * ranges.c - reads a large plain file on several threads.
 *
 *	ranges    one contiguous range per worker, each cut at a record and parsed into its own profile; the profiles
 *	          are joined in order at the end;
 *	shares    for unsorted lines on many threads. Ranges of them would all hold nearly all paths, and joining one
 *	          after the other would cost what was won. So every worker reads the whole file and takes the lines
 *	          whose first frames hash to it; where order matters, samples and paths are sorted back into the order
 *	          of the lines at the end.
 *
 * The first worker runs on the calling thread and fills the profile that is being loaded.
 */
#include "collapse/load/ranges.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/mem.h"
#include "collapse/load/message.h"

/* Tests compile the loader with smaller ranges, so that a few lines occupy several workers. */
#ifndef RANGE_MIN
#define RANGE_MIN (24u << 20) /* bytes; no worker gets less */
#endif

#define RANGES_MOST 4u /* workers of ranges of unsorted lines; with more, shares take less time */

struct range {
	struct feeder feeder;
	struct profile own; /* profile of each worker after the first */
	struct input *in;
	uint64_t from, to;
	pthread_t thread;
	uint64_t begun; /* line count at which the worker begins */
	bool is_started, ok;
	struct err err;
};

/* The profile that is being loaded is the first worker's; of shares all workers read the same bytes. */
static void count(const struct range *r, uint64_t n)
{
	const struct share *s = r->feeder.sink.share;
	bool is_first = r->feeder.lock;
	if (s && s->worker == 0)
		shared_count_more(r->feeder.shared, n, n / s->workers);
	else if (!s)
		shared_count_more(r->feeder.shared, n, is_first ? n : 0);
}

static bool read_range(struct range *r, struct err *err)
{
	uint64_t at = r->from;
	while (at < r->to && !atomic_load(&r->feeder.shared->stop)) {
		size_t want = r->to - at < BLOCK ? (size_t)(r->to - at) : BLOCK;
		ssize_t n = input_pread(r->in, feeder_room(&r->feeder, want), want, at, err);
		if (n <= 0)
			return n == 0; /* the file has shrunk */
		at += (uint64_t)n;
		count(r, (uint64_t)n);
		if (!feeder_take(&r->feeder, (size_t)n, err))
			return false;
	}
	return true;
}

static void *range_main(void *arg)
{
	struct range *r = arg;
	r->ok = feeder_start(&r->feeder, &r->err);
	r->ok = r->ok && read_range(r, &r->err);
	r->ok = feeder_finish(&r->feeder, r->ok, &r->err);
	return NULL;
}

/* A place at or before `about` where a record begins; `least` if there is none after that. */
static uint64_t find_boundary(const struct collapse_format *format, const struct input *in, uint64_t about,
                              uint64_t least)
{
	char *text = mem_alloc(BLOCK);
	uint64_t found = least;
	for (uint64_t end = about; end > least && found == least;) {
		uint64_t start = end - least > BLOCK ? end - BLOCK : least;
		size_t want = (size_t)(end - start), len = 0, part;
		while (len < want) {
			ssize_t n = input_pread(in, text + len, want - len, start + len, NULL);
			if (n <= 0)
				break;
			len += (size_t)n;
		}
		part = format->cut(text, len);
		if (part)
			found = start + part;
		if (start == least)
			break;
		end = start + 64 < end ? start + 64 : start; /* overlap: a record's end may lie across the edge */
	}
	free(text);
	return found;
}

/* Gives all workers the same first event: samples without an event's name count as that. */
static void init_worker(struct profile *p, const struct profile *first)
{
	const struct symbol *names = first->symtab.symbols;
	feeder_init_profile(p, first);
	if (first->n_series) {
		const struct symbol *name = &names[first->series[0].name], *unit = &names[first->series[0].unit];
		profile_series(p, symtab_intern(&p->symtab, name->name, name->len),
		               symtab_intern(&p->symtab, unit->name, unit->len));
	}
}

static void range_setup(struct range *r, const struct feeder *like, struct input *in, bool is_first)
{
	*r = (struct range){.in = in};
	r->feeder = *like;
	if (is_first)
		return;
	init_worker(&r->own, like->sink.profile);
	r->feeder.sink.profile = &r->own;
	r->feeder.lock = NULL;
}

/* Moves a worker's error to its line in the file; `before` lines are before those that it counts. */
static void fail_in_range(struct err *err, const struct err *of_worker, uint64_t before)
{
	uint64_t line;
	const char *rest = message_after_line(of_worker, &line);
	if (rest)
		fail(err, "line %ju%s", (uintmax_t)(line + before), rest);
	else if (err)
		*err = *of_worker;
}

/* Runs every worker but the first on its own thread, or here if that does not start. */
static void run_ranges(struct range *r, unsigned workers)
{
	for (unsigned k = 1; k < workers; k++) {
		r[k].is_started = pthread_create(&r[k].thread, NULL, range_main, &r[k]) == 0;
		if (!r[k].is_started)
			range_main(&r[k]);
	}
	range_main(&r[0]);
	for (unsigned k = 1; k < workers; k++)
		if (r[k].is_started)
			pthread_join(r[k].thread, NULL);
}

/*
 * Joins a worker's profile to the first one's while all is well. `before`: lines before those that it has counted.
 */
static void join_range(struct range *r, struct feeder *f, bool *ok, uint64_t before, struct err *err)
{
	if (*ok) {
		shared_lock(f->shared);
		profile_append(f->sink.profile, &r->own, NULL, before);
		shared_unlock(f->shared);
	}
	if (*ok && !r->ok)
		fail_in_range(err, &r->err, before);
	*ok = *ok && r->ok;
	profile_deinit(&r->own);
}

static bool read_ranges(struct feeder *f, struct input *in, unsigned workers, struct err *err)
{
	struct range *r = mem_zalloc(workers, sizeof *r);
	uint64_t size = input_size(in), line;
	bool ok;
	for (unsigned k = 0; k < workers; k++) {
		range_setup(&r[k], f, in, k == 0);
		r[k].from = k ? r[k - 1].to : f->first;
		r[k].to = k + 1 == workers ? size : find_boundary(f->format, in, size / workers * (k + 1), r[k].from);
		/* marks a range after the first; corrected when joined */
		r[k].begun = r[k].from > f->first;
		r[k].feeder.sink.line = r[k].begun;
	}
	run_ranges(r, workers);
	line = r[0].feeder.sink.line;
	ok = r[0].ok;
	if (!ok && err)
		*err = r[0].err;
	for (unsigned k = 1; k < workers; k++) {
		join_range(&r[k], f, &ok, line - r[k].begun, err);
		line += r[k].feeder.sink.line - r[k].begun;
	}
	free(r);
	return ok;
}

/* Sorts the samples of all workers, which are appended one after the other, into the order of their lines. */
static void order_shares(struct feeder *f, struct share *shares, unsigned workers, const size_t *before)
{
	for (unsigned side = 0; side < 2; side++) {
		struct line_numbers all = shares[0].samples[side];
		for (unsigned k = 1; k < workers; k++) {
			struct line_numbers *more = &shares[k].samples[side];
			if (more->n)
				all.line = mem_grow(all.line, &all.cap, all.n + more->n, sizeof *all.line);
			for (size_t i = 0; i < more->n; i++)
				all.line[all.n++] = more->line[i];
			free(more->line);
		}
		shared_lock(f->shared);
		if (all.n == f->sink.profile->log[side].n - before[side])
			profile_order(f->sink.profile, side, before[side], all.line);
		shared_unlock(f->shared);
		free(all.line);
	}
}

static bool read_shares(struct feeder *f, struct input *in, unsigned workers, size_t depth, struct err *err)
{
	struct range *r = mem_zalloc(workers, sizeof *r);
	struct share *shares = mem_zalloc(workers, sizeof *shares);
	struct profile *p = f->sink.profile;
	const size_t before[2] = {p->log[0].n, p->log[1].n};
	const unsigned side = f->sink.options->side; /* here every line has a sample */
	const uint32_t n_paths = p->n_paths;
	enum profile_join join = p->join;
	bool ok;
	/* sorting needs samples that are not merged */
	p->join = join == JOIN_ALL ? JOIN_ALL : JOIN_NONE;
	for (unsigned k = 0; k < workers; k++) {
		range_setup(&r[k], f, in, k == 0);
		r[k].from = f->first;
		r[k].to = input_size(in);
		shares[k] = (struct share){.worker = k, .workers = workers, .depth = depth};
		r[k].feeder.sink.share = &shares[k];
	}
	run_ranges(r, workers);
	ok = r[0].ok;
	if (!ok && err)
		*err = r[0].err;
	for (unsigned k = 1; k < workers; k++)
		join_range(&r[k], f, &ok, 0, err);
	if (join != JOIN_ALL) {
		order_shares(f, shares, workers, before);
		shared_lock(f->shared);
		profile_renumber(p, side, before[side], n_paths);
		shared_unlock(f->shared);
	}
	p->join = join;
	free(shares);
	free(r);
	return ok;
}

bool ranges_are_worth_it(const struct collapse_format *format, const struct input *in, unsigned jobs)
{
	return input_is_plain_file(in) && format->cut && jobs > 1 && input_size(in) >= 2 * (uint64_t)RANGE_MIN;
}

bool ranges_read(struct feeder *f, struct input *in, const struct head *head, unsigned jobs, struct err *err)
{
	uint64_t size = input_size(in);
	unsigned workers = jobs > size / RANGE_MIN ? (unsigned)(size / RANGE_MIN) : jobs;
	bool may_share = f->format->share_depth && workers > RANGES_MOST;
	size_t depth = may_share ? f->format->share_depth(head, workers) : 0;
	return depth ? read_shares(f, in, workers, depth, err) : read_ranges(f, in, workers, err);
}
