/*
 * receiver.c - takes OpenTelemetry profiles that programs push over HTTP.
 *
 * When there is no room for another connection, the one that was silent for longest between two requests gives
 * way; if none is idle, the new one is told to try again.
 */
#include "sources/receiver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "sources/push_client.h"

#define MOST_CLIENTS 100u
#define MOST_REFUSED 20u /* that still read why */
#define TURN_MS 20       /* the viewer, when it ends, waits for twice that */
#define SERVE_MS 1       /* then the next profile may be there */
#define BACKLOG 64

struct place {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	};
	socklen_t n;
};

struct receiver {
	int fd;
	char *name, *place; /* place is a part of name's text, and owned, too */
	bool is_local;
	double begin, end;                    /* end: 0: none */
	const volatile sig_atomic_t *is_over; /* NULL: nothing sets it */
	double left;                          /* when the last profile was returned */
	struct push_sums all;
	struct push_client *clients[MOST_CLIENTS + MOST_REFUSED];
	size_t n_clients;
	size_t next;               /* whose turn it is */
	struct push_client *taken; /* waits for receiver_answer(); NULL: none */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- where --------------------------------------------------------------------------------------------------- */

/* Splits "ADDRESS:PORT"; the address is "" for a port alone, and without its brackets. */
static bool split(const char *where, char address[64], uint16_t *port)
{
	const char *colon = strrchr(where, ':'), *digits = colon ? colon + 1 : where;
	size_t n = colon ? (size_t)(colon - where) : 0;
	uint64_t number;
	if (!number_u64(digits, strlen(digits), &number) || number > 65535)
		return false;
	if (n > 1 && where[0] == '[' && where[n - 1] == ']') {
		where++;
		n -= 2;
	} else if (memchr(where, ':', n)) {
		return false; /* "::1:4318" could mean two things */
	}
	if (n >= 64 || (colon && n == 0))
		return false;
	memcpy(address, where, n);
	address[n] = '\0';
	*port = (uint16_t)number;
	return true;
}

static bool find_place(const char *where, struct place *p, bool *is_local)
{
	char address[64];
	uint16_t port;
	if (!split(where, address, &port))
		return false;
	*p = (struct place){.n = sizeof p->v4};
	p->v4 = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(port)};
	if (!*address || strcmp(address, "localhost") == 0)
		strcpy(address, "127.0.0.1");
	if (inet_pton(AF_INET, address, &p->v4.sin_addr) == 1) {
		*is_local = ntohl(p->v4.sin_addr.s_addr) >> 24 == 127;
		return true;
	}
	*p = (struct place){.n = sizeof p->v6};
	p->v6 = (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons(port)};
	if (inet_pton(AF_INET6, address, &p->v6.sin6_addr) != 1)
		return false;
	*is_local = IN6_IS_ADDR_LOOPBACK(&p->v6.sin6_addr);
	return true;
}

/* With the port that the system chose. */
static void name(struct receiver *r)
{
	char address[64] = "";
	struct place p = {.n = sizeof p.v6};
	struct buf text;
	getsockname(r->fd, &p.any, &p.n);
	bool is_v6 = p.any.sa_family == AF_INET6;
	inet_ntop(p.any.sa_family, is_v6 ? (void *)&p.v6.sin6_addr : (void *)&p.v4.sin_addr, address, sizeof address);
	buf_init(&text);
	buf_addf(&text, is_v6 ? "[%s]:%u" : "%s:%u", address, ntohs(is_v6 ? p.v6.sin6_port : p.v4.sin_port));
	r->place = mem_strdup(buf_str(&text));
	text.len = 0;
	buf_addf(&text, "http://%s" REQUEST_PATH, r->place);
	r->name = buf_take(&text);
}

/* Neither waits, nor is inherited. */
static bool prepare(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	return flags >= 0 && fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static int open_place(const struct place *p)
{
	int one = 1, fd = socket(p->any.sa_family, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (p->any.sa_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one); /* [::] is what it says */
	if (prepare(fd) && bind(fd, &p->any, p->n) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	int why = errno;
	close(fd);
	errno = why;
	return -1;
}

struct receiver *receiver_open(const char *where, struct err *err)
{
	struct place p;
	bool is_local;
	if (!find_place(where, &p, &is_local)) {
		fail(
			err,
			"--listen: expected PORT, ADDRESS:PORT or [ADDRESS]:PORT, where ADDRESS is a number such as 127.0.0.1");
		return NULL;
	}
	int fd = open_place(&p);
	if (fd < 0) {
		fail_errno(err, "cannot listen at %s", where);
		return NULL;
	}
	struct receiver *r = mem_zalloc(1, sizeof *r);
	r->fd = fd;
	r->is_local = is_local;
	r->begin = r->left = now();
	name(r);
	return r;
}

void receiver_free(struct receiver *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_clients; i++)
		push_client_free(r->clients[i]);
	close(r->fd);
	free(r->name);
	free(r->place);
	free(r);
}

const char *receiver_name(const struct receiver *r)
{
	return r->name;
}

const char *receiver_place(const struct receiver *r)
{
	return r->place;
}

bool receiver_is_local(const struct receiver *r)
{
	return r->is_local;
}

void receiver_set_end(struct receiver *r, double seconds)
{
	r->end = seconds > 0 ? r->begin + seconds : 0;
}

void receiver_heed(struct receiver *r, const volatile sig_atomic_t *is_over)
{
	r->is_over = is_over;
}

/* ---- clients ------------------------------------------------------------------------------------------------- */

static void forget_gone(struct receiver *r)
{
	size_t n = 0;
	for (size_t i = 0; i < r->n_clients; i++) {
		struct push_client *c = r->clients[i];
		if (c->stage == PUSH_GONE)
			push_client_free(c);
		else
			r->clients[n++] = c;
	}
	r->n_clients = n;
}

/* Ends the connection that was idle for longest. false: all are busy. */
static bool end_oldest(struct receiver *r)
{
	struct push_client *oldest = NULL;
	for (size_t i = 0; i < r->n_clients; i++) {
		struct push_client *c = r->clients[i];
		if ((c->stage == PUSH_IDLE || c->stage == PUSH_ENDING) && (!oldest || c->since < oldest->since))
			oldest = c;
	}
	if (oldest)
		oldest->stage = PUSH_GONE;
	forget_gone(r);
	return oldest;
}

static bool make_room(struct receiver *r)
{
	return r->n_clients < MOST_CLIENTS || end_oldest(r);
}

static bool lacks_room(int why)
{
	return why == EMFILE || why == ENFILE || why == ENOBUFS || why == ENOMEM;
}

static bool has_waiting(const struct receiver *r)
{
	struct pollfd fd = {.fd = r->fd, .events = POLLIN};
	return poll(&fd, 1, 0) > 0;
}

/*
 * Where no more files can be opened, poll() says again and again that a connection waits: an idle one gives way, or
 * there is a pause. Without a free descriptor accept() fails even if no connection waits; then no client
 * is closed.
 */
static void accept_all(struct receiver *r, double at)
{
	int fd = 0;
	for (unsigned i = 0; i < BACKLOG && (fd = accept(r->fd, NULL, NULL)) >= 0; i++) {
		if (!prepare(fd)) {
			close(fd);
			continue;
		}
		struct push_client *c = push_client_new(fd, at, &r->all);
		if (!make_room(r))
			push_refuse(c, 429, "too many connections; try again", at);
		if (r->n_clients < MOST_CLIENTS + MOST_REFUSED)
			r->clients[r->n_clients++] = c;
		else
			push_client_free(c);
	}
	if (fd < 0 && lacks_room(errno) && has_waiting(r) && !end_oldest(r))
		poll(NULL, 0, TURN_MS);
}

/* Lets everybody go on, after waiting for at most so long. */
static void turn(struct receiver *r, int ms)
{
	struct pollfd fds[MOST_CLIENTS + MOST_REFUSED + 1];
	fds[0] = (struct pollfd){.fd = r->fd, .events = POLLIN};
	for (size_t i = 0; i < r->n_clients; i++) {
		if (push_client_has_work(r->clients[i]))
			ms = 0;
		fds[i + 1] = (struct pollfd){.fd = r->clients[i]->fd, .events = push_client_events(r->clients[i])};
	}
	poll(fds, (nfds_t)r->n_clients + 1, ms);
	double at = now();
	for (size_t i = 0; i < r->n_clients; i++)
		push_client_work(r->clients[i], at);
	forget_gone(r);
	if (fds[0].revents)
		accept_all(r, at);
}

/* Time that we took for a profile is not the clients' fault. */
static void forgive(struct receiver *r)
{
	double taken = now() - r->left;
	for (size_t i = 0; i < r->n_clients; i++)
		r->clients[i]->since += taken;
}

/* The next complete profile, from each client in turn; -1: there is none now. */
static int take(struct receiver *r, double at)
{
	for (size_t i = 0; i < r->n_clients; i++) {
		struct push_client *c = r->clients[(r->next + i) % r->n_clients];
		int fd = c->stage == PUSH_READY ? push_take(c, at) : -1;
		if (fd < 0)
			continue;
		r->next = (r->next + i + 1) % r->n_clients;
		r->taken = c;
		return fd;
	}
	return -1;
}

static bool is_over(const struct receiver *r, double at)
{
	return (r->end > 0 && at >= r->end) || (r->is_over && *r->is_over);
}

/* At the end: who is still sending is told so. */
static void refuse_late(struct receiver *r, double at)
{
	for (size_t i = 0; i < r->n_clients; i++)
		if (push_client_is_sending(r->clients[i]))
			push_refuse(r->clients[i], 503, "there was no time to read it", at);
}

/* Always -1, with err. Of several that were refused at once, each is taken with the words of the first. */
static int take_refusal(struct receiver *r, struct err *err)
{
	*err = r->all.refused;
	r->all.n_refused--;
	return -1;
}

int receiver_next(struct receiver *r, const atomic_bool *stop, struct err *err)
{
	err->text[0] = '\0';
	forgive(r);
	while (!(stop && atomic_load(stop))) {
		double at = now();
		int fd = take(r, at);
		r->left = at;
		if (fd >= 0)
			return fd;
		bool is_end = is_over(r, at);
		if (is_end)
			refuse_late(r, at);
		if (r->all.n_refused)
			return take_refusal(r, err);
		if (is_end)
			break;
		turn(r, TURN_MS);
	}
	return -1;
}

bool receiver_serve(struct receiver *r)
{
	turn(r, SERVE_MS);
	r->left = now();
	return !is_over(r, r->left);
}

void receiver_answer(struct receiver *r, int status, const char *why)
{
	if (r->taken)
		push_answer(r->taken, status, why, now());
	r->taken = NULL;
}
