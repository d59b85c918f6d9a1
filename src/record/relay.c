/*
 * relay.c - buffers data between perf record and perf script in a live recording.
 *
 *	perf record  ->  pipe  ->  [piece][piece][piece]  ->  pipe  ->  perf script
 *
 * perf script reads symbol tables and debugging information before it prints its first sample, and again for every
 * library that a program loads. A pipe holds only four samples with a piece of the stack each, so perf record would
 * block meanwhile and its buffers would overflow. The loss begins with the most important records: new programs and
 * the libraries they map, without which later addresses have no names.
 */
#include "relay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/mem.h"

#define PIECE ((size_t)256 << 10)

struct relay_piece {
	struct relay_piece *next;
	size_t begin, end; /* the part that is not yet written */
	char bytes[PIECE];
};

static void add_piece(struct relay *r)
{
	struct relay_piece *p = r->spare ? r->spare : mem_alloc(sizeof *p);
	r->spare = NULL;
	p->next = NULL;
	p->begin = p->end = 0;
	if (r->last)
		r->last->next = p;
	else
		r->first = p;
	r->last = p;
}

static void drop_piece(struct relay *r)
{
	struct relay_piece *p = r->first;
	r->first = p->next;
	if (!r->first)
		r->last = NULL;
	free(r->spare);
	r->spare = p;
}

static bool is_for_later(ssize_t n)
{
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

static void remember(struct relay *r, const char *bytes, size_t n)
{
	size_t some = n < RELAY_TAIL ? n : RELAY_TAIL;
	memmove(r->tail, r->tail + some, RELAY_TAIL - some);
	memcpy(r->tail + RELAY_TAIL - some, bytes + n - some, some);
}

/* Reads a piece. false: `in` is at its end. */
static bool take(struct relay *r)
{
	if (!r->last || r->last->end == PIECE)
		add_piece(r);
	ssize_t n = read(r->in, r->last->bytes + r->last->end, PIECE - r->last->end);
	if (n <= 0)
		return is_for_later(n);
	r->has_data = true;
	remember(r, r->last->bytes + r->last->end, (size_t)n);
	r->last->end += (size_t)n;
	r->held += (size_t)n;
	return true;
}

/* Writes a piece. false: `out` has no reader. */
static bool give(struct relay *r)
{
	struct relay_piece *p = r->first;
	ssize_t n = write(r->out, p->bytes + p->begin, p->end - p->begin);
	if (n < 0)
		return is_for_later(n);
	p->begin += (size_t)n;
	r->held -= (size_t)n;
	if (p->begin == p->end)
		drop_piece(r);
	return true;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* `out` has no reader any more. `in` stays open: closing it would kill perf record and orphan its command. */
static void give_up(struct relay *r)
{
	close_end(&r->out);
	while (r->first)
		drop_piece(r);
	r->held = 0;
}

/* poll() skips descriptors below 0. */
static void *carry(void *arg)
{
	struct relay *r = arg;
	while (r->in >= 0 || r->held) {
		struct pollfd p[] = {
			{.fd = r->held < r->limit ? r->in : -1, .events = POLLIN},
			{.fd = r->out, .events = (short)(r->held ? POLLOUT : 0)}, /* poll() always reports a lost reader */
			{.fd = r->wake[0], .events = POLLIN},
		};
		if (poll(p, sizeof p / sizeof *p, -1) < 0)
			continue;
		if (p[2].revents)
			break;
		if ((p[1].revents & (POLLERR | POLLNVAL)) || ((p[1].revents & POLLOUT) && !give(r)))
			give_up(r);
		if (p[0].revents && !take(r)) {
			close_end(&r->in);
			r->is_at_end = true;
		}
		if (r->out < 0)
			give_up(r);
	}
	close_end(&r->in);
	close_end(&r->out);
	return NULL;
}

/* Enlarges the pipe to the allowed limit, so that the thread wakes up less often. */
static void prepare_end(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	descriptor_enlarge(fd, 1 << 20);
}

bool relay_start(struct relay *r, int in, int out, size_t limit, struct err *err)
{
	sigset_t all, old;
	*r = (struct relay){.in = in, .out = out, .limit = limit, .wake = {-1, -1}};
	prepare_end(in);
	prepare_end(out);
	/* Other threads handle signals; SIGPIPE comes as an error. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int e = !descriptor_pair(SOCK_STREAM, r->wake) ? errno : pthread_create(&r->thread, NULL, carry, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	r->is_running = e == 0;
	if (r->is_running)
		return true;
	close_end(&r->in);
	close_end(&r->out);
	close_end(&r->wake[0]);
	close_end(&r->wake[1]);
	errno = e;
	return fail_errno(err, "thread between perf record and perf script");
}

void relay_stop(struct relay *r)
{
	if (!r->is_running)
		return;
	descriptor_wake(r->wake[1]);
	pthread_join(r->thread, NULL);
	close_end(&r->wake[0]);
	close_end(&r->wake[1]);
	while (r->first)
		drop_piece(r);
	free(r->spare);
	*r = (struct relay){.in = -1, .out = -1, .wake = {-1, -1}};
}
