/*
 * perf_io.h - turns system calls that read and write into bytes, time and calls.
 *
 * The stack of a call is that of its return, under one more frame: the call, and under that its error, if it failed
 * ("read;[EAGAIN]"). Each call counts in three series: the bytes that it moved, its time, and 1.
 */
#ifndef COLLAPSE_PERF_IO_H
#define COLLAPSE_PERF_IO_H

#include "collapse/collapse.h"
#include "collapse/perf/perf_native_stack.h"
#include "perfdata/io_calls.h"
#include "perfdata/perfdata.h"
#include "perfdata/tracing.h"

/* The events of our own recordings. */
#define IO_ENTER_EVENT "io-enter"
#define IO_EXIT_EVENT "io-exit"

/* What the samples of an event are. */
enum io_role { IO_NO_CALL, IO_ENTER, IO_EXIT };

struct io_event {
	enum io_role role;
	const struct io_call *call;          /* NULL: the raw data have its number */
	struct tracing_field number, result; /* in the raw data; result: of IO_EXIT */
};

struct perf_io;

/* Does --event-filter name bytes, time or calls? Only these then count, whatever event tells of them. */
bool perf_io_is_named(const struct collapse_options *);

/*
 * Events are those of our own recordings and, with --io, the tracepoints raw_syscalls:sys_enter and sys_exit, and
 * syscalls:sys_enter_NAME and sys_exit_NAME. NULL: the recording has none; a note names an --io without them.
 */
struct perf_io *perf_io_new(struct sink *, const struct perfdata *);
/* Adds notes about what is missing; NULL is fine. */
void perf_io_free(struct perf_io *);
/* NULL: it has no calls. */
struct io_event perf_io_event(const struct perf_io *, const struct perfdata_event *);

/* The call that the sample is about; NULL: one that does not count. */
const struct io_call *perf_io_call(struct perf_io *, const struct io_event *, const struct perfdata_sample *);
void perf_io_enter(struct perf_io *, const struct io_call *, const struct perfdata_sample *);
void perf_io_exit(struct perf_io *, const struct io_event *, const struct io_call *, const struct perfdata_sample *,
                  const struct sample_place *);
/* The thread has begun or ended: a call of it that has begun does not return. */
void perf_io_forget(struct perf_io *, int32_t tid);
/* Records are missing here: no call that has begun is known to be the next one that returns. */
void perf_io_lost(struct perf_io *);

#endif
