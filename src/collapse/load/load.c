/*
 * load.c - how bytes reach a collapser, on how many threads, and how the pieces become one profile.
 *
 * Four ways of reading, chosen by what the input is:
 *
 *	plain     read into one buffer that is used again and again, feed whole lines, move the rest to the front;
 *	ahead     the same, with a second thread that reads (and decompresses) ahead through a short ring of blocks: for
 *	          pipes and compressed files;
 *	ranges    a large plain file whose format has independent records: as many contiguous ranges as there are workers,
 *	          each cut at a record and parsed into a profile of its own, joined in order at the end;
 *	shares    a large plain file whose lines stand in no order: ranges of it would all hold nearly all paths, and joining them
 *	          would cost what was won. So every worker reads all of it, and takes the lines whose first frames fall to it;
 *	          where order matters, samples and paths are put into that of the lines at the end.
 *
 * The first worker always fills the profile that is being loaded, under a lock that is free between two pieces, so that
 * load_snapshot() can copy what is there.
 *
 * A pipe beside an interface may stay open for hours: what it brings is kept at a bearable size (retain.h), and gets the
 * time of its arrival where a view needs times and the format has none. Where neither order nor times matter to the view,
 * samples are added up as they come, and the profile grows with the number of stacks and not with that of samples.
 */
#include "collapse/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/input.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "collapse/load/ahead.h"
#include "collapse/load/effect.h"
#include "collapse/load/feeder.h"
#include "collapse/load/head.h"
#include "collapse/load/message.h"
#include "collapse/load/ranges.h"
#include "collapse/perf/perf_data.h"
#include "collapse/perf/perf_header.h"
#include "collapse/perf/perf_packed.h"
#include "model/retain.h"

#ifndef MOST_ORDERED
#define MOST_ORDERED (8u << 20) /* samples without times, beyond runs of equal ones: about 100 MB */
#endif

/* --- one input --- */

static unsigned processors(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
}

static bool is_forced(const struct collapse_options *o)
{
	return o->format && strcmp(o->format, "auto") != 0;
}

/* Sets *format to the one that was asked for by name; NULL: none was. */
static bool named_format(const struct collapse_options *o, const struct collapse_format **format, struct err *err)
{
	*format = is_forced(o) ? collapse_find(o->format) : NULL;
	return *format || !is_forced(o) || fail(err, "%s: no such format (see --format=help)", o->format);
}

static bool read_body(struct feeder *f, struct input *in, const struct head *head, unsigned jobs, struct err *err)
{
	if (ranges_are_worth_it(f->format, in, jobs))
		return ranges_read(f, in, head, jobs, err);
	if (f->format->is_text_stream) /* these refer to what comes later, or are made whole at the end */
		input_bound(in);
	if (!feeder_start(f, err))
		return feeder_finish(f, false, err);
	memcpy(feeder_room(f, head->len), head->text, head->len);
	if (!feeder_take(f, head->len, err))
		return feeder_finish(f, false, err);
	if (head->is_all)
		return feeder_finish(f, true, err);
	return feeder_finish(f, input_is_plain_file(in) || jobs < 2 ? feeder_read(f, in, err) : ahead_read(f, in, err),
	                     err);
}

struct load_job {
	struct profile *profile;
	struct load_shared *shared;
	const struct collapse_options *options;
	bool is_beside;  /* an interface */
	bool is_several; /* inputs */
};

static bool is_pipe(const struct load_input *input)
{
	return input->fd >= 0 || strcmp(input->path, "-") == 0;
}

static size_t usable_samples(const struct profile *p)
{
	return p->log[0].n + p->log[1].n;
}

/*
 * Does an input after others get a profile of its own first? It must where weights have another resolution. And sorted folded
 * text needs no index to be read into an empty profile, and none for joining two: that takes less than looking up every line.
 * By itself it counts something without a name, so that has to be what the others count. Beside an interface what has been
 * read is wanted at once.
 */
static bool is_apart(const struct load_job *job, const struct collapse_format *format, const struct head *head)
{
	const struct profile *p = job->profile;

	if (!usable_samples(p) || p->decimals != format->decimals)
		return usable_samples(p) > 0;
	return !job->is_beside && !p->slots && !p->series[0].name && format->share_depth && !format->share_depth(head, 2);
}

/* Into a profile of its own, which then joins what is there already. */
static bool read_apart(struct feeder *f, struct input *in, const struct head *head, unsigned jobs, struct err *err)
{
	struct profile *whole = f->sink.profile, apart;
	bool ok;

	feeder_init_profile(&apart, whole);
	f->sink.profile = &apart;
	ok = read_body(f, in, head, jobs, err);
	f->sink.profile = whole;
	shared_lock(f->shared);
	profile_append(whole, &apart, NULL, 0);
	shared_unlock(f->shared);
	profile_deinit(&apart);
	return ok;
}

static bool load_text(struct load_job *job, struct input *in, const struct load_input *from, struct err *err)
{
	struct collapse_options options = *job->options;
	struct feeder f = {.lock = job->shared, .shared = job->shared};
	struct beginning bytes = {0};
	struct head head;
	size_t before = usable_samples(job->profile);
	bool ok;

	options.side = from->side;
	options.events = from->events;
	options.is_one_of_several = job->is_several;
	if (from->format)
		options.format = from->format;
	if (!named_format(&options, &f.format, err) || !head_read(&bytes, in, &f.format, err) ||
	    atomic_load(&job->shared->stop)) {
		free(bytes.text);
		return false;
	}
	f.first = bytes.mark;
	head = (struct head){bytes.text + bytes.mark, bytes.len - bytes.mark, bytes.is_all, false};
	f.sink = (struct sink){.profile = job->profile, .options = &options, .head = &head};
	shared_lock(job->shared);
	effect_note_missing(&job->profile->report, f.format, &options);
	shared_unlock(job->shared);
	f.is_live = job->is_beside && !input_is_plain_file(in) && is_pipe(from) && from->side == 0;
	retain_init(&f.retention, options.window, options.half_life);
	if (!job->profile->format)
		job->profile->format = f.format->name;
	ok = is_apart(job, f.format, &head) ? read_apart(&f, in, &head, options.jobs, err)
	                                    : read_body(&f, in, &head, options.jobs, err);
	free(bytes.text);
	if (!ok && usable_samples(job->profile) > before && err && err->text[0]) {
		/* What was read is shown; why it is not all is said. */
		message_in_file_briefly(err, input_name(in));
		report_add(&job->profile->report, NOTE_WARN, "the rest could not be read", NULL, 0, err->text,
		           strlen(err->text));
		err->text[0] = '\0';
		return true;
	}
	return ok;
}

/* A pipe with a name must be opened only once: between two readers its writer would be left alone. */
static bool is_plain_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_perf_data(const char *path)
{
	char magic[8] = "";
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO : is_plain_file(path) ? open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) : -1;
	size_t n = 0;
	ssize_t got;

	if (fd < 0)
		return false;
	do {
		got = pread(fd, magic + n, sizeof magic - n, (off_t)n);
		n += got > 0 ? (size_t)got : 0;
	} while ((got > 0 && n < sizeof magic) || (got < 0 && errno == EINTR));
	if (!is_stdin)
		close(fd);
	return n == sizeof magic && memcmp(magic, "PERFILE2", 8) == 0;
}

/* The recording is at `path`, which the input's name need not be. */
static bool load_perf_data(struct load_job *job, const struct load_input *input, const char *path, struct err *err)
{
	struct perf_data perf;
	struct load_input text = *input;
	struct err script = {""};
	struct input *in;
	char *events;
	const struct collapse_options *o = job->options;
	/* Places of calls are looked up here: perf prints inlined functions without. */
	int fd = perf_data_open(path, !o->inline_ || o->context, o->srcline, &perf, err);
	size_t before = usable_samples(job->profile);
	bool ok, is_silent;

	if (fd < 0)
		return false;
	in = input_fd(fd, input->path, err);
	text.events = events = perf_header_events(path);
	ok = in && load_text(job, in, &text, err);
	free(events);
	is_silent = in && input_consumed(in) == 0;
	if (in)
		input_close(in);
	else
		close(fd);
	if (perf_data_finish(&perf, atomic_load(&job->shared->stop), &script) || !script.text[0])
		return ok || !is_silent ? ok
		                        : fail(err, "%s: a recording without samples (too short, or asleep?)", input->path);
	if (usable_samples(job->profile) == before)
		return fail(err, "%s", script.text);
	report_add(&job->profile->report, NOTE_WARN, "perf script ended with an error", input->path, 0, script.text,
	           strlen(script.text));
	return true;
}

static bool load_packed_perf_data(struct load_job *job, const struct load_input *input, struct err *err)
{
	struct buf path;
	int fd = perf_packed_unpack(input->path, &job->shared->stop, err);
	bool ok;

	if (fd < 0)
		return false;
	buf_init(&path);
	scratch_add_path(&path, fd);
	ok = load_perf_data(job, input, buf_str(&path), err);
	buf_deinit(&path);
	close(fd);
	return ok;
}

/* Notes of one file are collected apart, so that they can be given its name. */
static void begin_file(struct load_job *job, const struct load_input *input, struct report *before)
{
	struct profile *p = job->profile;
	const char *slash = strrchr(input->path, '/');
	const char *name = strcmp(input->path, "-") == 0 ? "stdin" : slash && slash[1] ? slash + 1 : input->path;

	shared_lock(job->shared);
	mem_push(p->files, p->n_files, p->cap_files,
	         ((struct profile_file){.name = mem_strdup(name), .side = input->side, .first = {p->log[0].n, p->log[1].n}}));
	profile_seal(p);
	*before = p->report;
	report_init(&p->report);
	shared_unlock(job->shared);
}

static bool load_one(struct load_job *job, const struct load_input *input, struct err *err)
{
	struct report mine;
	struct input *in;
	bool ok;

	begin_file(job, input, &mine);
	if (input->fd < 0 && is_perf_data(input->path)) {
		ok = load_perf_data(job, input, input->path, err);
	} else if (input->fd < 0 && perf_packed_is(input->path)) {
		ok = load_packed_perf_data(job, input, err);
	} else {
		in = input->fd >= 0 ? input_fd(input->fd, input->path, err) : input_open(input->path, err);
		ok = in && load_text(job, in, input, err);
		if (in)
			input_close(in);
	}
	if (!ok)
		message_in_file(err, strcmp(input->path, "-") == 0 ? "stdin" : input->path);
	shared_lock(job->shared);
	report_merge(&mine, &job->profile->report, strcmp(input->path, "-") == 0 ? "stdin" : input->path, 0);
	report_deinit(&job->profile->report);
	job->profile->report = mine;
	shared_unlock(job->shared);
	return ok;
}

/* Nothing usable at all: the first thing that was wrong is why. */
static bool fail_empty(struct profile *p, const char *name, struct err *err)
{
	struct buf text;

	for (size_t i = 0; i < p->report.n; i++) {
		if (p->report.notes[i].level < NOTE_WARN)
			continue;
		buf_init(&text);
		note_add(&p->report.notes[i], &text);
		report_deinit(&p->report);
		report_init(&p->report);
		fail(err, "%s; no stacks found", buf_str(&text));
		buf_deinit(&text);
		return false;
	}
	return fail(err, "%s: no stacks found (expected at least one sample)", name);
}

static bool load_inputs(struct load_job *job, const struct load_input *inputs, size_t n, struct err *err)
{
	enum order order = job->options->order;
	bool ok = true;

	job->profile->join = order == ORDER_IS_NOTHING ? JOIN_ALL : JOIN_RUNS;
	job->profile->most_ordered = order == ORDER_MAY_MATTER ? MOST_ORDERED : 0;
	for (size_t i = 0; i < n && ok && !atomic_load(&job->shared->stop); i++)
		ok = load_one(job, &inputs[i], err);
	shared_lock(job->shared);
	profile_settle_fractions(job->profile);
	shared_unlock(job->shared);
	if (!ok)
		return false;
	if (usable_samples(job->profile) > 0)
		return true;
	/* Asked for by name and with nothing wrong in it, an empty input is an empty profile. */
	if (is_forced(job->options) && !job->profile->report.n) {
		report_add(&job->profile->report, NOTE_WARN, "no stacks found", NULL, 0, NULL, 0);
		return true;
	}
	return fail_empty(job->profile, n && strcmp(inputs[0].path, "-") != 0 ? inputs[0].path : "stdin", err);
}

static struct collapse_options with_jobs(const struct collapse_options *o)
{
	struct collapse_options with = *o;

	if (!with.jobs)
		with.jobs = processors();
	return with;
}

bool load_all(struct profile *p, const struct load_input *inputs, size_t n, const struct collapse_options *o,
              struct err *err)
{
	struct collapse_options options = with_jobs(o);
	struct load_shared shared;
	struct load_job job = {p, &shared, &options, false, n > 1};
	bool ok;

	shared_init(&shared, -1);
	ok = load_inputs(&job, inputs, n, err);
	shared_deinit(&shared);
	return ok;
}

/* --- beside the interface --- */

struct loader {
	struct load_shared shared;
	struct profile profile;
	struct collapse_options options;
	struct load_input *inputs; /* its own: a thread that waits for a silent pipe stays behind when the owner goes */
	size_t n_inputs;
	struct err err;
	pthread_t thread;
	bool is_joined;
	atomic_bool is_left; /* by one of both, its thread and its owner; the other one frees it */
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
	struct load_job job = {&l->profile, &l->shared, &l->options, true, l->n_inputs > 1};
	bool ok = load_inputs(&job, l->inputs, l->n_inputs, &l->err);

	atomic_store(&l->shared.is_live, false);
	atomic_store(&l->state, ok ? LOAD_DONE : LOAD_FAILED);
	atomic_store(&l->shared.is_signalled, false);
	shared_wake(&l->shared);
	if (atomic_exchange(&l->is_left, true))
		loader_free(l);
	return NULL;
}

static uint64_t sizes_of(const struct load_input *inputs, size_t n, bool *is_live)
{
	uint64_t sum = 0;

	*is_live = false;
	for (size_t i = 0; i < n; i++) {
		struct input *in;

		if (is_pipe(&inputs[i]) || !is_plain_file(inputs[i].path)) {
			*is_live = true;
			continue;
		}
		in = input_open(inputs[i].path, NULL);
		if (!in)
			continue;
		sum += input_size(in);
		input_close(in);
	}
	return *is_live ? 0 : sum;
}

struct loader *load_start(const struct load_input *inputs, size_t n, const struct collapse_options *o, int wake_fd)
{
	struct loader *l = mem_zalloc(1, sizeof *l);
	sigset_t all, old;
	bool is_live;

	shared_init(&l->shared, wake_fd);
	profile_init(&l->profile);
	l->options = with_jobs(o);
	take_inputs(l, inputs, n);
	atomic_store(&l->shared.bytes_all, sizes_of(inputs, n, &is_live));
	atomic_store(&l->shared.is_live, is_live);
	atomic_store(&l->state, LOAD_RUNNING);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old); /* signals are the interface's business */
	int e = pthread_create(&l->thread, NULL, loader_main, l);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (e != 0) { /* read here, a silent pipe would keep the keys waiting for ever */
		l->is_joined = true;
		fail(&l->err, "no thread to read the input with: %s", strerror(e));
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
	s->samples = atomic_load(&l->shared.samples);
	s->lost = atomic_load(&l->shared.lost);
}

bool load_is_running(const struct loader *l)
{
	return atomic_load(&l->state) == LOAD_RUNNING;
}

bool load_snapshot(struct loader *l, struct profile *copy)
{
	bool is_there;

	shared_lock_first(&l->shared);
	is_there = usable_samples(&l->profile) > 0;
	if (is_there)
		profile_snapshot(copy, &l->profile);
	shared_unlock_first(&l->shared);
	if (is_there)
		profile_settle_fractions(copy); /* of what is there so far */
	return is_there;
}

void load_keep(struct loader *l, uint64_t window, uint64_t half_life)
{
	pthread_mutex_lock(&l->shared.lock);
	l->shared.has_wish = true;
	l->shared.window = window;
	l->shared.half_life = half_life;
	pthread_mutex_unlock(&l->shared.lock);
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

void load_free(struct loader *l)
{
	struct timespec until;

	if (!l)
		return;
	atomic_store(&l->shared.stop, true);
	if (!l->is_joined) {
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 200 * 1000 * 1000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		if (pthread_timedjoin_np(l->thread, NULL, &until) != 0) {
			pthread_detach(l->thread); /* it waits for a silent pipe; the process is about to end */
			if (atomic_exchange(&l->is_left, true))
				loader_free(l);
			return;
		}
	}
	loader_free(l);
}
