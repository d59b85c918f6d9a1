/*
 * child_output.c - reads what another program prints, and kills it when it takes too long or prints too much.
 */
#include "base/child_output.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/temporary.h"

#define LOOK_MS 50 /* between two looks at *stop */
#define PIECE ((size_t)64 << 10)

/* Returns a pipe with what it prints, or -1 with err. */
static int start(const struct child_call *c, pid_t *pid, struct err *err)
{
	int fds[2];
	if (!descriptor_pipe(fds)) {
		fail_errno(err, "%s", c->argv[0]);
		return -1;
	}
	int e = child_start(c->argv, &(struct streams){c->in, fds[1], STREAM_NONE, true, c->entry}, pid);
	close(fds[1]);
	if (e == 0)
		return fds[0];
	close(fds[0]);
	errno = e;
	if (e == ENOENT && c->missing)
		fail(err, "%s", c->missing);
	else
		fail_errno(err, "%s", c->argv[0]);
	return -1;
}

/* Reads to the end. false with err: stopped, too slow, or too much. */
static bool read_all(const struct child_call *c, int fd, struct buf *out, struct err *err)
{
	struct timespec now;
	size_t before = out->len;
	clock_gettime(CLOCK_MONOTONIC, &now);
	for (time_t end = now.tv_sec + c->seconds;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int ready = poll(&p, 1, LOOK_MS);
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (c->stop && atomic_load(c->stop))
			return fail(err, "cancelled");
		if (now.tv_sec > end)
			return fail(err, "%s took more than %d seconds", c->argv[0], c->seconds);
		if (ready <= 0)
			continue;
		ssize_t n = read(fd, buf_reserve(out, PIECE), PIECE);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0 || fail_errno(err, "%s", c->argv[0]);
		out->len += (size_t)n;
		if (out->len - before > c->most)
			return fail(err, "%s printed more than %zu KiB", c->argv[0], c->most >> 10);
	}
}

bool child_output(const struct child_call *c, struct buf *out, struct err *err)
{
	pid_t pid;
	int status = 0;
	int fd = start(c, &pid, err);
	if (fd < 0)
		return false;
	int slot = temporary_register_child(pid, SIGKILL);
	bool ok = read_all(c, fd, out, err);
	close(fd);
	if (!ok)
		kill(pid, SIGKILL);
	child_end(pid, &status, CHILD_PATIENCE);
	temporary_forget(slot);
	return ok;
}
