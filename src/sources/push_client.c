/*
 * push_client.c - one connection of a client that pushes profiles.
 *
 * A client may be slow, lie about lengths, or say nothing at all: each stage has a limit of time, each buffer one
 * of size, and bodies are in files without names. After an error the connection ends, but only when the client
 * had a chance to read the answer: closing with bytes unread would take it away from it.
 */
#include "sources/push_client.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/decompress.h"
#include "base/descriptor.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "base/write_all.h"
#include "sources/http_answer.h"

#define PIECE (64u << 10)
#define PIECES 16u /* at once, read or unpacked, so that one client does not keep others waiting */
/* seconds */
#define IDLE_MOST 300.0
#define HEAD_MOST 10.0
#define BODY_MOST 60.0
#define ANSWER_MOST 10.0
#define ENDING_MOST 2.0

struct push_unpacking {
	struct decompressor *decompressor;
	int to;   /* the file that takes the place of the body */
	off_t at; /* of the body: what is not yet unpacked begins here */
};

struct push_client *push_client_new(int fd, double now, struct push_sums *all)
{
	struct push_client *c = mem_zalloc(1, sizeof *c);
	c->fd = fd;
	c->since = now;
	c->all = all;
	c->body = -1;
	http_request_init(&c->request, PUSH_BODY_MOST);
	buf_init(&c->held);
	buf_init(&c->answer);
	return c;
}

static void enter(struct push_client *c, enum push_stage stage, double now)
{
	c->stage = stage;
	c->since = now;
}

static void drop_body(struct push_client *c)
{
	if (c->body >= 0)
		close(c->body);
	c->body = -1;
	c->all->received -= c->reserved;
	c->all->unpacked -= c->unpacked;
	c->reserved = c->unpacked = 0;
}

static void end_unpacking(struct push_client *c)
{
	struct push_unpacking *u = c->unpacking;
	if (!u)
		return;
	decompressor_free(u->decompressor);
	if (u->to >= 0)
		close(u->to);
	free(u);
	c->unpacking = NULL;
}

void push_client_free(struct push_client *c)
{
	end_unpacking(c);
	drop_body(c);
	close(c->fd);
	http_request_deinit(&c->request);
	buf_deinit(&c->held);
	buf_deinit(&c->answer);
	free(c);
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

/* Sends what the client takes now. */
static void send_answer(struct push_client *c, double now)
{
	while (c->n_sent < c->answer.len) {
		ssize_t n = descriptor_send(c->fd, c->answer.data + c->n_sent, c->answer.len - c->n_sent);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n <= 0) {
			enter(c, PUSH_GONE, now);
			return;
		}
		c->n_sent += (size_t)n;
	}
	c->answer.len = c->n_sent = 0;
	if (c->stage == PUSH_ANSWERING && c->request.keeps_alive) {
		http_request_reset(&c->request);
		enter(c, PUSH_IDLE, now);
	} else if (c->stage == PUSH_ANSWERING) {
		shutdown(c->fd, SHUT_WR);
		enter(c, PUSH_ENDING, now);
	}
}

void push_answer(struct push_client *c, int status, const char *why, double now)
{
	if (c->stage == PUSH_GONE)
		return;
	c->request.keeps_alive = c->request.keeps_alive && c->request.stage == REQUEST_DONE;
	struct http_answer a = {status, why, c->request.is_json, !c->request.keeps_alive};
	drop_body(c);
	http_answer_add(&c->answer, &a);
	enter(c, PUSH_ANSWERING, now);
	send_answer(c, now);
}

static void count_refused(struct push_client *c, const char *why)
{
	if (!c->all->n_refused++)
		fail(&c->all->refused, "%s", why);
}

void push_refuse(struct push_client *c, int status, const char *why, double now)
{
	count_refused(c, why);
	push_answer(c, status, why, now);
}

/* ---- bodies -------------------------------------------------------------------------------------------------- */

/*
 * Does the body begin as its type says? A body that is still compressed does not: the reader of profiles would
 * unpack it without the limits that hold here.
 */
static bool has_type(int fd, bool is_json)
{
	char bytes[256];
	ssize_t got = pread(fd, bytes, sizeof bytes, 0);
	size_t n = got > 0 ? (size_t)got : 0;
	return json_begins((struct slice){bytes, n}) == is_json && !codec_by_magic(bytes, n, NULL);
}

/* All of it is there, unpacked: it waits for push_take(), unless it can be answered without. */
static void end_body(struct push_client *c, double now)
{
	enter(c, PUSH_READY, now);
	if (c->body < 0 && (c->request.is_json || c->request.is_gzip))
		push_refuse(c, 400, "an empty body", now);
	else if (c->body < 0)
		push_answer(c, 200, NULL, now);
	else if (!has_type(c->body, c->request.is_json))
		push_refuse(c, 400, "the body is not of its Content-Type", now);
}

/* ---- compressed bodies --------------------------------------------------------------------------------------- */

static void begin_unpacking(struct push_client *c, double now)
{
	static const char magic[] = {0x1f, (char)0x8b, 8};
	struct err err;
	struct push_unpacking *u;
	enter(c, PUSH_UNPACKING, now);
	c->unpacking = u = mem_zalloc(1, sizeof *u);
	u->decompressor = decompressor_new(codec_by_magic(magic, sizeof magic, NULL));
	u->to = scratch_open(&err);
	if (u->to < 0) {
		end_unpacking(c);
		push_refuse(c, 500, err.text, now);
	}
}

/* Returns a status: 100 to go on, 200 for all of it, 400, 413, 429 or 500, and says why. */
static int unpack_piece(struct push_client *c, struct err *err)
{
	char in[PIECE], out[PIECE];
	struct push_unpacking *u = c->unpacking;
	ssize_t n = pread(c->body, in, sizeof in, u->at);
	struct compressed bytes = {(unsigned char *)in, n > 0 ? (size_t)n : 0, n <= 0};
	size_t made, before = bytes.n;
	enum decompress_status state = decompress(u->decompressor, &bytes, out, sizeof out, &made, err);
	u->at += (off_t)(before - bytes.n);
	c->unpacked += made;
	c->all->unpacked += made;
	if (c->unpacked > PUSH_UNPACKED_MOST)
		return fail(err, "the body unpacks to more than 256 MiB"), 413;
	if (c->all->unpacked > PUSH_ALL_UNPACKED_MOST)
		return fail(err, "too much is being unpacked; try again"), 429;
	if (write_all(u->to, out, made) != made)
		return fail(err, "no room to keep what comes"), 500;
	return state == DECOMPRESS_BAD ? 400 : state == DECOMPRESS_END ? 200 : 100;
}

/* Unpacks some pieces, the last of which makes the request ready. */
static void unpack_more(struct push_client *c, double now)
{
	struct err err = {""};
	int status = 100;
	for (unsigned i = 0; i < PIECES && status == 100; i++)
		status = unpack_piece(c, &err);
	if (status == 100)
		return;
	if (status == 200) {
		close(c->body);
		c->body = c->unpacking->to;
		c->unpacking->to = -1;
	}
	end_unpacking(c);
	if (status == 200)
		end_body(c, now);
	else
		push_refuse(c, status, err.text, now);
}

/* ---- requests ------------------------------------------------------------------------------------------------ */

/* Makes room for a body of this size. false: answered. */
static bool reserve(struct push_client *c, uint64_t n, double now)
{
	struct err err;
	if (n <= c->reserved)
		return true;
	if (n - c->reserved > PUSH_ALL_MOST - c->all->received) {
		push_refuse(c, 429, "too much is being received; try again", now);
		return false;
	}
	c->all->received += n - c->reserved;
	c->reserved = n;
	if (c->body < 0 && (c->body = scratch_open(&err)) < 0)
		push_refuse(c, 500, err.text, now);
	return c->body >= 0;
}

/* Writes what chunks held; they can be of a byte each. */
static void keep_body(struct push_client *c, const struct buf *body, double now)
{
	if (c->stage == PUSH_READING && body->len && write_all(c->body, body->data, body->len) != body->len)
		push_refuse(c, 500, "no room to keep what comes", now);
}

/* The head is complete. false: answered. */
static bool begin_body(struct push_client *c, double now)
{
	static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
	if (c->request.has_length && !reserve(c, c->request.length, now))
		return false;
	c->since = now;
	if (c->request.expects)
		buf_add(&c->answer, go_on, sizeof go_on - 1);
	send_answer(c, now);
	return c->stage == PUSH_READING;
}

/* Takes bytes until the request ends or is answered, and adds those of its body. Returns how many. */
static size_t feed_request(struct push_client *c, const char *bytes, size_t n, struct buf *all, double now)
{
	struct http_request *r = &c->request;
	size_t taken = 0;
	while (taken < n && c->stage == PUSH_READING && r->stage < REQUEST_DONE) {
		const char *body;
		size_t n_body;
		bool is_head = r->stage == REQUEST_HEAD;
		taken += http_request_feed(r, bytes + taken, n - taken, &body, &n_body);
		if ((n_body && !reserve(c, r->n_body, now)) || (is_head && r->stage == REQUEST_BODY && !begin_body(c, now)))
			break;
		buf_add(all, body, n_body);
	}
	return taken;
}

/* Takes bytes up to the end of the request. Returns how many. */
static size_t feed(struct push_client *c, const char *bytes, size_t n, double now)
{
	struct http_request *r = &c->request;
	struct buf body;
	buf_init(&body);
	size_t taken = feed_request(c, bytes, n, &body, now);
	keep_body(c, &body, now);
	buf_deinit(&body);
	if (c->stage == PUSH_READING && r->stage == REQUEST_BAD)
		(r->sends ? push_refuse : push_answer)(c, r->status, r->why, now);
	else if (c->stage == PUSH_READING && r->stage == REQUEST_DONE && r->is_gzip && c->body >= 0)
		begin_unpacking(c, now);
	else if (c->stage == PUSH_READING && r->stage == REQUEST_DONE)
		end_body(c, now);
	return taken;
}

/* Bytes that came after the last request begin the next one. */
static void take_held(struct push_client *c, double now)
{
	enter(c, PUSH_READING, now);
	size_t taken = feed(c, c->held.data, c->held.len, now);
	memmove(c->held.data, c->held.data + taken, c->held.len - taken);
	c->held.len -= taken;
}

static void take_bytes(struct push_client *c, const char *bytes, size_t n, double now)
{
	if (c->stage == PUSH_ENDING)
		return;
	if (c->stage == PUSH_IDLE)
		enter(c, PUSH_READING, now);
	size_t taken = feed(c, bytes, n, now);
	if (c->stage == PUSH_READY || c->stage == PUSH_UNPACKING || c->stage == PUSH_IDLE || c->request.keeps_alive)
		buf_add(&c->held, bytes + taken, n - taken);
}

/* The client has ended the connection. */
static void leave(struct push_client *c, double now)
{
	if (push_client_is_sending(c))
		count_refused(c, "its client left before all of it was there");
	enter(c, PUSH_GONE, now);
}

static void read_more(struct push_client *c, double now)
{
	char bytes[PIECE];
	for (unsigned i = 0; i < PIECES && (push_client_events(c) & POLLIN); i++) {
		ssize_t n = read(c->fd, bytes, sizeof bytes);
		if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK))
			return;
		if (n <= 0) {
			leave(c, now);
			return;
		}
		take_bytes(c, bytes, (size_t)n, now);
	}
}

/* ---- time ---------------------------------------------------------------------------------------------------- */

static double most_seconds(const struct push_client *c)
{
	switch (c->stage) {
	case PUSH_IDLE:
		return IDLE_MOST;
	case PUSH_READING:
		return c->request.stage == REQUEST_HEAD ? HEAD_MOST : BODY_MOST;
	case PUSH_ENDING:
		return ENDING_MOST;
	default:
		return ANSWER_MOST;
	}
}

static void give_up(struct push_client *c, double now)
{
	bool waits_for_us = c->stage == PUSH_UNPACKING || c->stage == PUSH_READY || c->stage == PUSH_TAKEN;
	if (waits_for_us || now - c->since < most_seconds(c))
		return;
	if (c->stage == PUSH_READING)
		push_refuse(c, 408, "the request takes too long", now);
	else
		enter(c, PUSH_GONE, now);
}

bool push_client_is_sending(const struct push_client *c)
{
	return (c->stage == PUSH_READING && c->request.sends) || c->stage == PUSH_UNPACKING;
}

bool push_client_has_work(const struct push_client *c)
{
	return c->stage == PUSH_UNPACKING || (c->stage == PUSH_IDLE && c->held.len);
}

/* What is held is read first: it came earlier, and does not grow. */
short push_client_events(const struct push_client *c)
{
	bool may_read = c->stage == PUSH_IDLE || c->stage == PUSH_READING || c->stage == PUSH_ENDING;
	bool is_reading = may_read && !push_client_has_work(c);
	short out = c->answer.len ? POLLOUT : 0;
	return (short)(is_reading ? POLLIN | out : out);
}

void push_client_work(struct push_client *c, double now)
{
	if (c->answer.len)
		send_answer(c, now);
	if (c->stage == PUSH_IDLE && c->held.len)
		take_held(c, now);
	read_more(c, now);
	if (c->stage == PUSH_UNPACKING)
		unpack_more(c, now);
	give_up(c, now);
}

/* ---- what was received --------------------------------------------------------------------------------------- */

int push_take(struct push_client *c, double now)
{
	int fd = c->body;
	enter(c, PUSH_TAKEN, now);
	c->body = -1;
	if (lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	close(fd);
	push_refuse(c, 500, "what came cannot be read again", now);
	return -1;
}
