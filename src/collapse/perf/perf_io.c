/*
 * perf_io.c - pairs the beginnings and the ends of system calls.
 *
 *	io-enter  tid 71, NR 0 (read), at 1.000 s
 *	io-exit   tid 71, NR 0 = 4096, at 1.002 s, main load read      main;load;read;read  4096 bytes, 2 ms, 1 call
 *
 * A thread is in one call at a time. A call of which only one end is in the recording counts nowhere: it began
 * before, had not returned at the end, or the other record was lost. Notes give their number. Two events may tell
 * of one call, such as raw_syscalls:sys_exit and syscalls:sys_exit_read: the first counts. A gap in the recording
 * makes a new generation: a call that began in an older one may not be the one that returns.
 */
#include "collapse/perf/perf_io.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "model/origin.h"

#define ABI_32 1u            /* sample.regs_abi */
#define RESTARTED_FIRST 512u /* with these the kernel leaves a call for a signal, and may begin it again */
#define RESTARTED_LAST 516u
#define ERRNO_MOST 4095

/* Without a format: after 8 bytes of all tracepoints, the number (of 4 or 8 bytes), and the result. */
static const struct tracing_field usual_number = {8, 8}, usual_result = {16, 8};

enum { SERIES_BYTES, SERIES_TIME, SERIES_CALLS, N_SERIES };

static const char *const series_names[] = {"io-bytes", "io-time", "io-calls"};

struct thread {
	const struct io_call *call;  /* that has begun; NULL: none */
	const struct io_call *ended; /* the last one, until another begins; NULL: none */
	uint64_t time;               /* ns, when it began */
	uint32_t generation;         /* of the recording, when it began or ended */
	uint32_t event;              /* that told of it */
};

/* Calls of which the recording has the beginnings, or the ends. */
struct calls {
	bool all;          /* whatever their number */
	bool of[IO_CALLS]; /* by their place in io_calls */
};

struct perf_io {
	struct sink *sink;
	char arch[65]; /* numbers of calls are of it */
	unsigned kinds;
	struct calls begins, ends;
	struct idmap by_tid; /* index into threads */
	struct thread *threads;
	size_t n, cap;
	uint32_t generation;       /* gaps so far */
	uint32_t series[N_SERIES]; /* UINT32_MAX: not yet used */
	uint64_t n_calls, n_failed;
	uint64_t n_unbegun, n_open, n_lost, n_damaged; /* left out, each call once */
	uint64_t n_foreign;                            /* likewise, whatever they do */
};

static bool is_named(const struct collapse_options *o, unsigned series)
{
	return o->event_filter && strcmp(o->event_filter, series_names[series]) == 0;
}

bool perf_io_is_named(const struct collapse_options *o)
{
	return is_named(o, SERIES_BYTES) || is_named(o, SERIES_TIME) || is_named(o, SERIES_CALLS);
}

/* ---- events -------------------------------------------------------------------------------------------------- */

/* What follows the prefix; NULL: the name does not begin with it. */
static const char *behind(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

/* *call: that all its samples are about; NULL: the raw data have its number. */
static enum io_role role_of(const struct perfdata_event *e, const struct collapse_options *o,
                            const struct io_call **call)
{
	static const struct {
		const char *name;
		enum io_role role;
		bool is_ours, has_call; /* has_call: the name of a call follows */
	} kinds[] = {
		{IO_ENTER_EVENT, IO_ENTER, true, false},
		{IO_EXIT_EVENT, IO_EXIT, true, false},
		{"raw_syscalls:sys_enter", IO_ENTER, false, false},
		{"raw_syscalls:sys_exit", IO_EXIT, false, false},
		{"syscalls:sys_enter_", IO_ENTER, false, true},
		{"syscalls:sys_exit_", IO_EXIT, false, true},
	};
	*call = NULL;
	if (e->type != EVENT_TRACEPOINT || !(e->sample_type & FIELD_RAW) || !e->name)
		return IO_NO_CALL;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		const char *rest = kinds[i].is_ours || o->io ? behind(e->name, kinds[i].name) : NULL;
		if (rest && kinds[i].has_call)
			*call = io_call_named(rest);
		if (rest && (kinds[i].has_call ? *call != NULL : !*rest))
			return kinds[i].role;
	}
	return IO_NO_CALL;
}

static void find_fields(struct io_event *io, const struct perfdata_event *e)
{
	if (!io->call)
		tracing_find(e->format, "id", &io->number);
	if (io->role == IO_EXIT)
		tracing_find(e->format, "ret", &io->result);
}

struct io_event perf_io_event(const struct perf_io *io, const struct perfdata_event *e)
{
	struct io_event event = {.role = IO_NO_CALL, .number = usual_number, .result = usual_result};
	if (io)
		event.role = role_of(e, io->sink->options, &event.call);
	if (event.role != IO_NO_CALL && e->format)
		find_fields(&event, e);
	return event;
}

static void calls_add(struct calls *c, const struct io_call *call)
{
	if (call)
		c->of[call - io_calls] = true;
	else
		c->all = true;
}

static bool calls_have(const struct calls *c, const struct io_call *call)
{
	return c->all || c->of[call - io_calls];
}

/* How many calls of these kinds are in both, or in `a` alone? */
static size_t count_calls(const struct calls *a, const struct calls *b, unsigned kinds, bool is_in_both)
{
	size_t n = 0;
	for (const struct io_call *call = io_calls; call < io_calls + IO_CALLS; call++)
		n += call->kind & kinds && calls_have(a, call) && calls_have(b, call) == is_in_both;
	return n;
}

static void note_missing(const struct perf_io *io)
{
	struct sink *sink = io->sink;
	if (!count_calls(&io->ends, &io->begins, io->kinds, true))
		sink_warn(sink, "the time of system calls is unknown: the recording does not have their beginnings", 0,
		          NULL, 0);
	else if (count_calls(&io->ends, &io->begins, io->kinds, false))
		sink_warn(sink, "the time of some system calls is unknown: the recording does not have their beginnings", 0,
		          NULL, 0);
	if (count_calls(&io->begins, &io->ends, io->kinds, false))
		sink_warn(sink, "some system calls are left out: the recording does not have their ends", 0, NULL, 0);
}

struct perf_io *perf_io_new(struct sink *sink, const struct perfdata *recording)
{
	struct calls of[IO_EXIT + 1] = {{.all = false}};
	bool has[IO_EXIT + 1] = {false};
	for (uint32_t i = 0; i < perfdata_n_events(recording); i++) {
		const struct io_call *call;
		enum io_role role = role_of(perfdata_event(recording, i), sink->options, &call);
		calls_add(&of[role], call);
		has[role] = true;
	}
	if (sink->options->io && !has[IO_EXIT])
		sink_warn(sink, "--io has no effect: the recording has no system calls that read or write", 0, NULL, 0);
	if (!has[IO_EXIT])
		return NULL;
	struct perf_io *io = mem_zalloc(1, sizeof *io);
	const char *arch = perfdata_facts(recording)->arch;
	struct utsname here;
	io->sink = sink;
	io->kinds = sink->options->io ? sink->options->io : IO_ALL;
	io->begins = of[IO_ENTER];
	io->ends = of[IO_EXIT];
	if (!arch && uname(&here) == 0)
		arch = here.machine;
	snprintf(io->arch, sizeof io->arch, "%s", arch ? arch : "");
	memset(io->series, 0xff, sizeof io->series);
	note_missing(io);
	return io;
}

/* ---- notes --------------------------------------------------------------------------------------------------- */

static void note(struct perf_io *io, enum note_level level, const char *kind, uint64_t count, uint64_t all)
{
	char detail[64];
	int n = snprintf(detail, sizeof detail, "%" PRIu64 " of %" PRIu64, count, all);
	if (count)
		report_add(&io->sink->profile->report, level, kind, NULL, 0, detail, (size_t)n);
}

/* The call that the thread has begun does not return. */
static void abandon(struct perf_io *io, struct thread *t)
{
	if (t->call)
		(*(t->generation == io->generation ? &io->n_open : &io->n_lost))++;
	*t = (struct thread){0};
}

void perf_io_free(struct perf_io *io)
{
	if (!io)
		return;
	for (size_t i = 0; i < io->n; i++)
		abandon(io, &io->threads[i]);
	uint64_t all = io->n_calls + io->n_unbegun + io->n_lost + io->n_damaged + io->n_open;
	note(io, NOTE_INFO, "system calls began before the recording, or in a gap of it, and are left out",
	     io->n_unbegun, all);
	note(io, NOTE_INFO, "system calls had not returned when the recording or their thread ended, and are left out",
	     io->n_open, all);
	note(io, NOTE_WARN, "system calls are left out: samples were lost before they returned", io->n_lost, all);
	note(io, NOTE_WARN, "system calls are left out: their samples are too short (a damaged file?)", io->n_damaged,
	     all);
	note(io, NOTE_WARN, "system calls of 32-bit programs are left out", io->n_foreign, io->n_foreign + all);
	note(io, NOTE_INFO, "system calls failed", io->n_failed, io->n_calls);
	idmap_deinit(&io->by_tid);
	free(io->threads);
	free(io);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

static struct thread *thread_of(struct perf_io *io, int32_t tid)
{
	uint32_t i;
	if (!idmap_find(&io->by_tid, (uint32_t)tid, &i)) {
		i = (uint32_t)io->n;
		mem_push(io->threads, io->n, io->cap, (struct thread){0});
		idmap_add(&io->by_tid, (uint32_t)tid, i);
	}
	return &io->threads[i];
}

void perf_io_forget(struct perf_io *io, int32_t tid)
{
	uint32_t i;
	if (idmap_find(&io->by_tid, (uint32_t)tid, &i))
		abandon(io, &io->threads[i]);
}

void perf_io_lost(struct perf_io *io)
{
	io->generation++;
}

/* ---- counting ------------------------------------------------------------------------------------------------ */

/* Which call has returned here is unknown. */
static void leave_out(struct perf_io *io, const struct io_event *e, const struct perfdata_sample *s,
                      uint64_t *count)
{
	if (e->role != IO_EXIT)
		return;
	*thread_of(io, s->tid) = (struct thread){0};
	(*count)++;
}

const struct io_call *perf_io_call(struct perf_io *io, const struct io_event *e, const struct perfdata_sample *s)
{
	const struct io_call *call = e->call;
	int64_t number;
	if (!call && s->regs_abi == ABI_32) { /* its calls have other numbers */
		leave_out(io, e, s, &io->n_foreign);
		return NULL;
	}
	if (!call && !tracing_number(&e->number, perfdata_raw(s), &number)) {
		leave_out(io, e, s, &io->n_damaged);
		return NULL;
	}
	if (!call)
		call = io_call_numbered(number, io->arch);
	return call && call->kind & io->kinds && calls_have(&io->ends, call) ? call : NULL;
}

/* Has another event told of this end of the call? last: the call whose end of this kind was the last one. */
static bool is_known(const struct perf_io *io, const struct thread *t, const struct io_call *last,
                     const struct io_call *call, const struct perfdata_sample *s)
{
	return last == call && t->generation == io->generation && t->event != s->event;
}

void perf_io_enter(struct perf_io *io, const struct io_call *call, const struct perfdata_sample *s)
{
	struct thread *t = thread_of(io, s->tid);
	if (is_known(io, t, t->call, call, s))
		return;
	io->n_lost += t->call != NULL; /* it must have returned */
	*t = (struct thread){.call = call, .time = s->time, .generation = io->generation, .event = s->event};
}

static uint32_t series_of(struct perf_io *io, unsigned which)
{
	static const char *const units[] = {"bytes", "ns", "calls"};
	struct profile *p = io->sink->profile;
	if (io->series[which] == UINT32_MAX) {
		const char *name = series_names[which], *unit = units[which];
		io->series[which] =
			profile_series(p, sink_sym(io->sink, name, strlen(name)), sink_sym(io->sink, unit, strlen(unit)));
		profile_rank_series(p, io->series[which], UINT32_MAX - N_SERIES + which);
	}
	return io->series[which];
}

static void add_error(struct buf *name, uint64_t number)
{
	static const struct {
		uint16_t number;
		const char *name;
	} errors[] = {
		{1, "EPERM"},        {2, "ENOENT"},     {4, "EINTR"},       {5, "EIO"},
		{6, "ENXIO"},        {9, "EBADF"},      {11, "EAGAIN"},     {13, "EACCES"},
		{14, "EFAULT"},      {17, "EEXIST"},    {20, "ENOTDIR"},    {21, "EISDIR"},
		{22, "EINVAL"},      {24, "EMFILE"},    {27, "EFBIG"},      {28, "ENOSPC"},
		{29, "ESPIPE"},      {30, "EROFS"},     {32, "EPIPE"},      {40, "ELOOP"},
		{104, "ECONNRESET"}, {107, "ENOTCONN"}, {110, "ETIMEDOUT"}, {111, "ECONNREFUSED"},
	};
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].number == number) {
			buf_addf(name, "[%s]", errors[i].name);
			return;
		}
	if (number >= RESTARTED_FIRST && number <= RESTARTED_LAST)
		buf_adds(name, "[interrupted by a signal]");
	else
		buf_addf(name, "[error %" PRIu64 "]", number);
}

/* The path with the call, and its error. */
static uint32_t path_of(struct perf_io *io, const struct io_call *call, uint32_t path, int64_t result)
{
	struct profile *p = io->sink->profile;
	struct buf name;
	buf_init(&name);
	buf_addf(&name, "%s%s", call->name, io->sink->options->kernel ? "_[k]" : "");
	uint32_t frame = sink_frame(io->sink, name.data, name.len);
	path = profile_child(p, path, symtab_frame(&p->symtab, frame, (struct origin){.kind = KIND_KERNEL}));
	if (result < 0 && result >= -ERRNO_MOST) {
		name.len = 0;
		add_error(&name, (uint64_t)-result);
		path = profile_child(p, path, sink_frame(io->sink, name.data, name.len));
		io->n_failed++;
	}
	buf_deinit(&name);
	return path;
}

static void add(struct perf_io *io, unsigned series, uint64_t weight, uint32_t path, const struct sample *like)
{
	struct sample sample = *like;
	const struct collapse_options *o = io->sink->options;
	if (!weight || (perf_io_is_named(o) && !is_named(o, series)))
		return;
	sample.weight = weight;
	sample.series = series_of(io, series);
	profile_add(io->sink->profile, io->sink->options->side, path, &sample);
}

/* first: when the call began; its end if that is unknown. */
static void count(struct perf_io *io, const struct io_call *call, int64_t result, uint64_t first,
                  const struct perfdata_sample *s, const struct sample_place *place)
{
	bool has_time = s->time != NO_RECORD_TIME && first != NO_RECORD_TIME && s->time > first;
	const struct sample sample = {.time = first == NO_RECORD_TIME ? NO_TIME : first,
	                              .cpu = s->cpu,
	                              .task = place->task,
	                              .tags = place->tags,
	                              .site = place->site};
	uint32_t path = path_of(io, call, place->path, result);
	io->n_calls++;
	add(io, SERIES_BYTES, call->is_bytes && result > 0 ? (uint64_t)result : 0, path, &sample);
	add(io, SERIES_TIME, has_time ? s->time - first : 0, path, &sample);
	add(io, SERIES_CALLS, 1, path, &sample);
}

void perf_io_exit(struct perf_io *io, const struct io_event *e, const struct io_call *call,
                  const struct perfdata_sample *s, const struct sample_place *place)
{
	struct thread *t = thread_of(io, s->tid), begun = *t;
	bool has_begin = calls_have(&io->begins, call);
	int64_t result;
	assert(call);
	if (!begun.call && is_known(io, t, t->ended, call, s))
		return;
	*t = (struct thread){.ended = call, .generation = io->generation, .event = s->event};
	io->n_lost += begun.call && begun.call != call;
	if (place->path == NO_PATH)
		return;
	if (!tracing_number(&e->result, perfdata_raw(s), &result))
		io->n_damaged++;
	else if (has_begin && begun.call != call)
		io->n_unbegun++;
	else if (has_begin && begun.generation != io->generation)
		io->n_lost++;
	else
		count(io, call, result, has_begin ? begun.time : s->time, s, place);
}
