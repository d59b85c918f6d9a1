/*
 * perf_data.c - reads a perf.data recording through `perf script`.
 *
 * For what perf_native.c leaves to perf (source lines, scheduler events, stacks of some machines, and
 * --symbolizer=perf), perf reads the recording and prints text:
 *
 *	perf script --no-inline -i PATH      standard output  ->  pipe  ->  the perf collapser
 *	                                     standard error   ->  unnamed temporary file
 *
 * The program is started by an argument vector, not by a shell: a file may be called `x; rm -rf ~`. Messages go to
 * a file, not to a second pipe, which would have to be read while the samples flow, or block.
 */
#include "collapse/perf/perf_data.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/below_root.h"
#include "base/buf.h"
#include "base/child.h"
#include "base/descriptor.h"
#include "base/shorten.h"
#include "base/temporary.h"

const char *perf_program(void)
{
	const char *perf = getenv("PERF");
	return perf && *perf ? perf : "perf";
}

/* Opens an unnamed file; the system frees its data with the last user. */
static int messages_file(struct err *err)
{
	FILE *f = tmpfile();
	if (!f) {
		fail_errno(err, "temporary file for the messages of perf");
		return -1;
	}
	int fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 3);
	if (fd < 0)
		fail_errno(err, "temporary file for the messages of perf");
	fclose(f);
	return fd;
}

/* The name under which perf opens the file: standard input needs one, and a name like an option a harmless one. */
static bool perf_path(const char *path, struct buf *out, struct err *err)
{
	struct stat st;
	if (strcmp(path, "-") != 0) {
		buf_adds(out, *path == '-' ? "./" : "");
		buf_adds(out, path);
		return true;
	}
	if (fstat(STDIN_FILENO, &st) != 0 || !S_ISREG(st.st_mode))
		return fail(err, "a perf.data recording cannot be read from a pipe (save it to a file, or pipe in the "
		                 "output of `perf script`)");
	buf_adds(out, "/proc/self/fd/0");
	return true;
}

#define MOST_WORDS 14

/* The kernel's functions in a copy of its machine's files, which perf does not look for there. */
static const char *kallsyms_of(const struct collapse_options *o, struct buf *path)
{
	if (o->kallsyms || !o->symfs)
		return o->kallsyms;
	below_root_add(o->symfs, "/proc/kallsyms", path);
	return access(buf_str(path), R_OK) == 0 ? path->data : NULL;
}

static void script_command(const char *argv[MOST_WORDS], const char *path, const char *kallsyms,
                           const struct collapse_options *o)
{
	size_t n = 0;
	argv[n++] = perf_program();
	argv[n++] = "script";
	argv[n++] = "--show-lost-events"; /* lost samples are counted and reported */
	/* flametop looks up the places of calls itself: perf prints inlined functions without them. */
	if (!o->inline_ || o->context)
		argv[n++] = "--no-inline";
	argv[n++] = "-F"; /* perf prints no place of tracepoints unless they have a chain */
	argv[n++] = o->srcline ? "+ip,+sym,+dso,+srcline" : "+ip,+sym,+dso";
	if (o->symfs) {
		argv[n++] = "--symfs";
		argv[n++] = o->symfs;
	}
	if (kallsyms) {
		argv[n++] = "--kallsyms";
		argv[n++] = kallsyms;
	}
	argv[n++] = "-i";
	argv[n++] = path;
	argv[n] = NULL;
}

/* A damaged recording of some kilobytes can make perf take all memory there is. */
#define MEMORY_LEAST (UINT64_C(4) << 30)
#define MEMORY_FOR_BYTE 4u

static void limit_memory(pid_t child, const char *path)
{
#ifdef __linux__
	struct stat st;
	struct rlimit old;
	bool is_stdin = strcmp(path, "-") == 0;
	uint64_t size = (is_stdin ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 ? (uint64_t)st.st_size : 0;
	rlim_t most = size > UINT64_MAX / 8 ? RLIM_INFINITY : (rlim_t)(MEMORY_LEAST + MEMORY_FOR_BYTE * size);
	if (prlimit(child, RLIMIT_DATA, NULL, &old) == 0 && old.rlim_cur > most)
		prlimit(child, RLIMIT_DATA, &(struct rlimit){most, old.rlim_max < most ? old.rlim_max : most}, NULL);
#else
	(void)child, (void)path;
#endif
}

int perf_data_open(const char *path, const struct collapse_options *o, struct perf_data *pd, struct err *err)
{
	const char *argv[MOST_WORDS];
	struct buf name, kallsyms;
	char reason[128];
	int fds[2];
	buf_init(&name);
	buf_init(&kallsyms);
	pd->child = -1;
	pd->messages = -1;
	pd->slot = -1;
	if (!perf_path(path, &name, err))
		goto out_name;
	pd->messages = messages_file(err);
	if (pd->messages < 0)
		goto out_name;
	if (!descriptor_pipe(fds)) {
		fail_errno(err, "pipe to perf");
		goto out_messages;
	}
	script_command(argv, buf_str(&name), kallsyms_of(o, &kallsyms), o);
	/* A script in place of perf ends with what it has started: hence the process group. */
	const struct streams streams = {
		.in = strcmp(path, "-") == 0 ? STREAM_SAME : STREAM_NONE,
		.out = fds[1],
		.err = pd->messages,
		.is_apart = true,
		.entry = CHILD_OFFLINE,
	};
	int e = child_start(argv, &streams, &pd->child);
	close(fds[1]);
	if (e == 0) {
		limit_memory(pd->child, path);
		pd->slot = temporary_register_child(-pd->child, SIGKILL);
		buf_deinit(&name);
		buf_deinit(&kallsyms);
		return fds[0];
	}
	close(fds[0]);
	fail(err, "cannot start '%s' to read it (%s); install perf, or name it in the variable PERF", perf_program(),
	     err_reason(e, reason, sizeof reason));
out_messages:
	close(pd->messages);
	pd->messages = -1;
out_name:
	buf_deinit(&name);
	buf_deinit(&kallsyms);
	return -1;
}

#define SAID_MOST ((size_t)65536) /* bytes of perf's messages that are read */
#define SAID_SHOWN ((size_t)700)

/* Appends ": " and perf's messages as one line; nothing if there are none. */
static void add_messages(int fd, struct buf *out)
{
	struct buf text;
	buf_init(&text);
	ssize_t got = pread(fd, buf_reserve(&text, SAID_MOST), SAID_MOST, 0);
	buf_adds(out, ": ");
	shorten_lines(out, text.data, got > 0 ? (size_t)got : 0, SAID_SHOWN, "...");
	if (out->len == 2)
		out->len = 0;
	buf_deinit(&text);
}

/* said: the text from add_messages(). */
static bool judge(int status, bool is_itself, bool is_whole, const char *said, struct err *err)
{
	if (!is_itself)
		return fail(err, "perf script did not end after its last line, and was killed%s", said);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	if (!is_whole && WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		return true;
	if (WIFSIGNALED(status))
		return fail(err, "perf script was killed by signal %d%s", WTERMSIG(status), said);
	if (WEXITSTATUS(status) == 127 && *said == '\0')
		return fail(err, "cannot start '%s' (install perf, or name it in the variable PERF)", perf_program());
	return fail(err, "perf script failed with status %d%s", WEXITSTATUS(status), said);
}

bool perf_data_finish(struct perf_data *pd, enum perf_data_read how, struct err *err)
{
	struct buf said;
	int status = 0;
	/* A reader that has enough does not wait. One that has read all waits only for perf to clean up. */
	bool is_itself = child_end(pd->child, &status, how == PERF_DATA_STOPPED ? 0 : CHILD_PATIENCE);
	temporary_forget(pd->slot);
	buf_init(&said);
	add_messages(pd->messages, &said);
	close(pd->messages);
	pd->messages = -1;
	pd->child = -1;
	bool is_good =
		how == PERF_DATA_STOPPED || judge(status, is_itself, how == PERF_DATA_WHOLE, buf_str(&said), err);
	buf_deinit(&said);
	return is_good;
}
