/*
 * tracing_data.c - copies formats of tracepoints from tracefs into a recording.
 *
 * Without them, other programs show samples of tracepoints without their fields. The layout is in
 * perfdata/tracing.c.
 */
#include "record/sampler/tracing_data.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "record/sampler/event_names.h"

/* ---- formats ------------------------------------------------------------------------------------------------- */

static const char *name_of(const struct counter_event *e)
{
	return e->tracepoint ? e->tracepoint : e->name;
}

bool tracing_data_is_needed(const struct counter_event *events, size_t n_events)
{
	for (size_t i = 0; i < n_events; i++)
		if (events[i].attr.type == ABI_TRACEPOINT && strchr(name_of(&events[i]), ':'))
			return true;
	return false;
}

/* Appends a file below events/: its size in 64 bits, and its text. */
static void add_file(struct buf *out, const char *path)
{
	uint64_t size = 0;
	size_t at = out->len;
	buf_add(out, &size, sizeof size);
	event_file_read(path, out);
	size = out->len - at - sizeof size;
	memcpy(out->data + at, &size, sizeof size);
}

static void add_u32(struct buf *out, uint32_t n)
{
	buf_add(out, &n, sizeof n);
}

/* A system, with one event: "sched:sched_switch", and modifiers after a second colon. */
static void add_event(struct buf *out, const char *name)
{
	size_t n_system = strcspn(name, ":"), n_event = strcspn(name + n_system + 1, ":");
	struct buf path;
	buf_init(&path);
	buf_addf(&path, "%.*s/%.*s/format", (int)n_system, name, (int)n_event, name + n_system + 1);
	buf_add(out, name, n_system);
	buf_addc(out, '\0');
	add_u32(out, 1);
	add_file(out, buf_str(&path));
	buf_deinit(&path);
}

void tracing_data_add(struct buf *out, const struct counter_event *events, size_t n_events)
{
	static const char magic[] = "\x17\x08\x44tracing0.6";
	const uint16_t one = 1;
	size_t at, zeros = 16; /* no symbols (u32), formats of texts (u32) and names of threads (u64) */
	buf_add(out, magic, sizeof magic);
	buf_addc(out, *(const char *)&one ? '\0' : '\1');
	buf_addc(out, sizeof(long));
	add_u32(out, (uint32_t)sysconf(_SC_PAGESIZE));
	buf_add(out, "header_page", 12);
	add_file(out, "header_page");
	buf_add(out, "header_event", 13);
	add_file(out, "header_event");
	add_u32(out, 0);
	at = out->len;
	add_u32(out, 0);
	uint32_t n = 0;
	for (size_t i = 0; i < n_events; i++) {
		if (!tracing_data_is_needed(&events[i], 1))
			continue;
		add_event(out, name_of(&events[i]));
		n++;
	}
	memcpy(out->data + at, &n, sizeof n);
	buf_pad(out, '\0', zeros);
}

/* ---- why not ------------------------------------------------------------------------------------------------- */

bool tracing_data_fail(struct err *err)
{
	if (access(TRACEFS "/events", X_OK) == 0)
		return access(TRACEFS "/events/raw_syscalls", X_OK) == 0
		           ? fail(err, "only root may look up system calls in " TRACEFS " (--root records as root)")
		           : fail(err, "this kernel does not tell of system calls (CONFIG_FTRACE_SYSCALLS)");
	if (errno == EACCES)
		return fail(err, "only root may read " TRACEFS ", which --io needs (--root records as root)");
	if (access(TRACEFS, F_OK) == 0)
		return fail(err, TRACEFS " is empty, and --io needs it (`sudo mount -t tracefs tracefs " TRACEFS "`)");
	return fail(err, "this kernel has no " TRACEFS ", which --io needs (CONFIG_FTRACE)");
}
