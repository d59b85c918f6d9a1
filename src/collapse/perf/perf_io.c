/*
 * perf_io.c - pairs the beginnings and the ends of system calls.
 *
 *	io-enter  tid 71, NR 0 (read), at 1.000 s
 *	io-exit   tid 71, NR 0 = 4096, at 1.002 s, main load read      main;load;read;read  4096 bytes, 2 ms, 1 call
 *
 * A thread is in one call at a time. A call of which only one end is in the recording counts nowhere: it began
 * before, had not returned at the end, or the other record was lost. How many there are is told.
 */
#include "collapse/perf/perf_io.h"

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

struct thread {
	const struct io_call *call; /* that has begun; NULL: none */
	uint64_t time;              /* ns, when */
};

struct perf_io {
	struct sink *sink;
	char arch[65]; /* numbers of calls are of it */
	unsigned kinds;
	bool has_enters;
	struct idmap by_tid; /* index into threads */
	struct thread *threads;
	size_t n, cap;
	uint32_t series[N_SERIES]; /* UINT32_MAX: not yet used */
	uint64_t n_calls, n_failed, n_unbegun, n_lost, n_foreign;
};

/* ---- events -------------------------------------------------------------------------------------------------- */

/* What follows the prefix; NULL: the name does not begin with it. */
static const char *behind(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(name, prefix, n) == 0 ? name + n : NULL;
}

static struct io_event event_of(const struct perfdata_event *e, const struct collapse_options *o)
{
	struct io_event io = {.role = IO_NO_CALL, .number = usual_number, .result = usual_result};
	const char *name = e->name ? e->name : "", *call = NULL;
	if (e->type != EVENT_TRACEPOINT || !(e->sample_type & FIELD_RAW))
		return io;
	if (strcmp(name, IO_ENTER_EVENT) == 0 || (o->io && strcmp(name, "raw_syscalls:sys_enter") == 0))
		io.role = IO_ENTER;
	else if (strcmp(name, IO_EXIT_EVENT) == 0 || (o->io && strcmp(name, "raw_syscalls:sys_exit") == 0))
		io.role = IO_EXIT;
	else if (o->io && (call = behind(name, "syscalls:sys_enter_")))
		io.role = IO_ENTER;
	else if (o->io && (call = behind(name, "syscalls:sys_exit_")))
		io.role = IO_EXIT;
	io.call = call ? io_call_named(call) : NULL;
	if (call && !io.call)
		io.role = IO_NO_CALL;
	if (e->format && !call)
		tracing_find(e->format, "id", &io.number);
	if (e->format && io.role == IO_EXIT)
		tracing_find(e->format, "ret", &io.result);
	return io;
}

struct io_event perf_io_event(const struct perf_io *io, const struct perfdata_event *e)
{
	return io ? event_of(e, io->sink->options) : (struct io_event){.role = IO_NO_CALL};
}

struct perf_io *perf_io_new(struct sink *sink, const struct perfdata *recording)
{
	bool has[IO_EXIT + 1] = {false};
	for (uint32_t i = 0; i < perfdata_n_events(recording); i++)
		has[event_of(perfdata_event(recording, i), sink->options).role] = true;
	if (sink->options->io && !has[IO_EXIT])
		sink_warn(sink, "--io has no effect: the recording has no system calls that read or write", 0, NULL, 0);
	if (!has[IO_EXIT])
		return NULL;
	struct perf_io *io = mem_zalloc(1, sizeof *io);
	const char *arch = perfdata_facts(recording)->arch;
	struct utsname here;
	io->sink = sink;
	io->kinds = sink->options->io ? sink->options->io : IO_ALL;
	io->has_enters = has[IO_ENTER];
	if (!arch && uname(&here) == 0)
		arch = here.machine;
	snprintf(io->arch, sizeof io->arch, "%s", arch ? arch : "");
	memset(io->series, 0xff, sizeof io->series);
	if (!io->has_enters)
		sink_warn(sink, "the time of system calls is unknown: the recording does not have their beginnings", 0,
		          NULL, 0);
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

void perf_io_free(struct perf_io *io)
{
	uint64_t n_open = 0;
	if (!io)
		return;
	for (size_t i = 0; i < io->n; i++)
		n_open += io->threads[i].call != NULL;
	uint64_t all = io->n_calls + io->n_unbegun + io->n_lost + io->n_foreign + n_open;
	note(io, NOTE_INFO, "system calls began before the recording, or in a gap of it, and are left out",
	     io->n_unbegun, all);
	note(io, NOTE_INFO, "system calls had not returned when the recording ended, and are left out", n_open, all);
	note(io, NOTE_WARN, "system calls are left out: samples were lost before they returned", io->n_lost, all);
	note(io, NOTE_WARN, "system calls of 32-bit programs are left out", io->n_foreign, all);
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
		io->threads[i].call = NULL;
}

void perf_io_lost(struct perf_io *io)
{
	for (size_t i = 0; i < io->n; i++) {
		io->n_lost += io->threads[i].call != NULL;
		io->threads[i].call = NULL;
	}
}

/* ---- counting ------------------------------------------------------------------------------------------------ */

const struct io_call *perf_io_call(struct perf_io *io, const struct io_event *e, const struct perfdata_sample *s)
{
	const struct io_call *call = e->call;
	int64_t number;
	if (!call && tracing_number(&e->number, perfdata_raw(s), &number))
		call = io_call_numbered(number, io->arch);
	if (!call || !(call->kind & io->kinds))
		return NULL;
	if (e->call || s->regs_abi != ABI_32)
		return call;
	io->n_foreign++; /* its calls have other numbers */
	perf_io_forget(io, s->tid);
	return NULL;
}

void perf_io_enter(struct perf_io *io, const struct io_call *call, const struct perfdata_sample *s)
{
	struct thread *t = thread_of(io, s->tid);
	io->n_lost += t->call != NULL; /* it must have returned */
	*t = (struct thread){call, s->time};
}

static uint32_t series_of(struct perf_io *io, unsigned which)
{
	static const char *const names[] = {"io-bytes", "io-time", "io-calls"}, *const units[] = {"bytes", "ns",
	                                                                                          "calls"};
	struct profile *p = io->sink->profile;
	if (io->series[which] == UINT32_MAX) {
		const char *name = names[which], *unit = units[which];
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
	if (!weight)
		return;
	sample.weight = weight;
	sample.series = series_of(io, series);
	profile_add(io->sink->profile, io->sink->options->side, path, &sample);
}

void perf_io_exit(struct perf_io *io, const struct io_event *e, const struct io_call *call,
                  const struct perfdata_sample *s, const struct sample_place *place)
{
	struct thread *t = thread_of(io, s->tid), begun = *t;
	int64_t result;
	t->call = NULL;
	if (!call || place->path == NO_PATH || !tracing_number(&e->result, perfdata_raw(s), &result))
		return;
	if (io->has_enters && begun.call != call) {
		io->n_unbegun++;
		return;
	}
	uint64_t first = io->has_enters ? begun.time : s->time;
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
