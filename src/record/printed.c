/*
 * printed.c - keeps the output of a live recording's command until the user leaves the viewer.
 *
 *	command, perf record  ->  pipe  ->  [ file without a name, the first 64 MiB ][ ring, the last 4 MiB ]
 *
 * If they wrote to a file, it would grow without bound, and on a full disk the command's writes would fail. A pipe
 * with a permanent reader avoids both: output beyond the file goes to the ring in memory, and bytes that drop out
 * of the ring are counted.
 */
#include "record/printed.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/scratch.h"
#include "record/said.h"

#define PIECE ((size_t)64 << 10)
#define MOST_AT_END ((size_t)4 << 20) /* bytes: a program left behind may print forever */

static size_t smaller(uint64_t a, uint64_t b)
{
	return (size_t)(a < b ? a : b);
}

/* Writes to the file while it has room. Returns how many bytes it took. */
static size_t put_first(struct printed *p, const char *bytes, size_t n)
{
	size_t done = 0, most = p->error || p->beyond ? 0 : smaller(n, PRINTED_FIRST - p->first);
	while (done < most) {
		ssize_t put = pwrite(p->file, bytes + done, most - done, (off_t)p->first);
		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			p->error = put < 0 ? errno : ENOSPC;
			break;
		}
		done += (size_t)put;
		p->first += (uint64_t)put;
	}
	return done;
}

static void put_last(struct printed *p, const char *bytes, size_t n)
{
	if (n && !p->last)
		p->last = mem_alloc(PRINTED_LAST);
	while (n) {
		size_t at = (size_t)(p->beyond % PRINTED_LAST), part = smaller(n, PRINTED_LAST - at);
		memcpy(p->last + at, bytes, part);
		p->beyond += part;
		bytes += part;
		n -= part;
	}
}

/* Reads one piece. Returns its length; 0: the output has ended; below 0: nothing to read now. */
static ssize_t take(struct printed *p)
{
	char bytes[PIECE];
	ssize_t n = read(p->in, bytes, sizeof bytes);
	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? -1 : 0;
	size_t done = put_first(p, bytes, (size_t)n);
	put_last(p, bytes + done, (size_t)n - done);
	return n;
}

static void *listen_to(void *arg)
{
	struct printed *p = arg;
	struct pollfd fds[] = {{.fd = p->in, .events = POLLIN}, {.fd = p->wake[0], .events = POLLIN}};
	while (poll(fds, 2, -1) < 0 || !fds[1].revents)
		if (fds[0].revents && take(p) == 0)
			fds[0].fd = -1; /* poll() skips it */
	ssize_t n;
	size_t left = fds[0].fd >= 0 ? MOST_AT_END / PIECE : 0;
	do
		n = left ? take(p) : 0;
	while (n > 0 && --left);
	return NULL;
}

static bool start_thread(struct printed *p, struct err *err)
{
	sigset_t all, old;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int e = pthread_create(&p->thread, NULL, listen_to, p);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	p->is_running = e == 0;
	return p->is_running || fail(err, "no thread for what the command prints: %s", strerror(e));
}

int printed_start(struct printed *p, struct err *err)
{
	int ends[2] = {-1, -1};
	*p = (struct printed){.in = -1, .wake = {-1, -1}, .file = scratch_open(err)};
	if (p->file < 0)
		return -1;
	if (!descriptor_pipe(ends) || !descriptor_pair(SOCK_STREAM, p->wake))
		fail_errno(err, "pipe for what the command prints");
	p->in = ends[0];
	if (p->wake[1] >= 0) {
		fcntl(p->in, F_SETFL, fcntl(p->in, F_GETFL) | O_NONBLOCK);
		if (start_thread(p, err))
			return ends[1];
	}
	if (ends[1] >= 0)
		close(ends[1]);
	return -1;
}

void printed_stop(struct printed *p)
{
	if (!p->is_running)
		return;
	descriptor_wake(p->wake[1]);
	pthread_join(p->thread, NULL);
	p->is_running = false;
}

static uint64_t dropped(const struct printed *p)
{
	return p->beyond > PRINTED_LAST ? p->beyond - PRINTED_LAST : 0;
}

static void add_first(const struct printed *p, struct buf *out)
{
	ssize_t got = 1;
	for (uint64_t at = 0; at < p->first && got > 0; at += (uint64_t)(got > 0 ? got : 0)) {
		size_t most = smaller(p->first - at, PIECE);
		got = pread(p->file, buf_reserve(out, most), most, (off_t)at);
		out->len += got > 0 ? (size_t)got : 0;
	}
}

static void add_last(const struct printed *p, struct buf *out)
{
	size_t at = (size_t)(p->beyond % PRINTED_LAST);
	if (dropped(p))
		buf_add(out, p->last + at, PRINTED_LAST - at);
	if (at || dropped(p))
		buf_add(out, p->last, at);
	else if (p->beyond)
		buf_add(out, p->last, PRINTED_LAST);
}

static void say_dropped(const struct printed *p)
{
	struct buf amount;
	buf_init(&amount);
	number_add_short(&amount, dropped(p), 0);
	if (p->error)
		err_printf("%sB of what the command printed are lost: %s (TMPDIR may name another place)", buf_str(&amount),
		           strerror(p->error));
	else
		err_printf("%sB of what the command printed are lost: only the first %d MiB and the last %d MiB are kept",
		           buf_str(&amount), (int)(PRINTED_FIRST >> 20), (int)(PRINTED_LAST >> 20));
	buf_deinit(&amount);
}

void printed_show(struct printed *p, bool is_quiet)
{
	struct buf text;
	buf_init(&text);
	add_first(p, &text);
	if (dropped(p)) { /* mark the gap in the text, and report it at the end, where it is seen */
		buf_adds(&text, "\n[...]\n");
		add_last(p, &text);
	} else if (p->beyond) {
		add_last(p, &text);
	}
	said_print(&text);
	if (dropped(p) && !is_quiet)
		say_dropped(p);
	buf_deinit(&text);
}

static void close_file(int fd)
{
	if (fd >= 0)
		close(fd);
}

void printed_deinit(struct printed *p)
{
	printed_stop(p);
	close_file(p->in);
	close_file(p->wake[0]);
	close_file(p->wake[1]);
	close_file(p->file);
	free(p->last);
	*p = (struct printed){.in = -1, .wake = {-1, -1}, .file = -1};
}
