/*
 * record_relay.t.c - a relay between two pipes.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/relay.h"
#include "tests/tap.h"

#define MUCH ((size_t)8 << 20) /* more than two pipes hold */

struct ends {
	int write, read;
	struct relay relay;
};

static bool open_ends(struct ends *e, size_t limit)
{
	int first[2], second[2];
	struct err err;
	if (pipe(first) != 0 || pipe(second) != 0)
		return false;
	e->write = first[1];
	e->read = second[0];
	return relay_start(&e->relay, first[0], second[1], limit, &err);
}

static char byte_at(size_t i)
{
	return (char)(i * 31 + (i >> 13));
}

static bool write_much(int fd)
{
	char *bytes = mem_alloc(MUCH);
	size_t at = 0;
	for (size_t i = 0; i < MUCH; i++)
		bytes[i] = byte_at(i);
	while (at < MUCH) {
		ssize_t n = write(fd, bytes + at, MUCH - at);
		if (n <= 0)
			break;
		at += (size_t)n;
	}
	free(bytes);
	return at == MUCH;
}

/* Reads to the end; returns how many leading bytes were as expected. */
static size_t read_much(int fd)
{
	char bytes[4096];
	size_t at = 0;
	ssize_t n;
	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		for (ssize_t i = 0; i < n; i++, at++)
			if (bytes[i] != byte_at(at))
				return at;
	return at;
}

static void test_room(void)
{
	struct ends e;
	ok(open_ends(&e, RELAY_LIMIT), "a relay starts");
	ok(write_much(e.write), "much can be written without a reader");
	close(e.write);
	is_int((int64_t)read_much(e.read), (int64_t)MUCH, "all of it comes out in order, and then the end");
	close(e.read);
	relay_stop(&e.relay);
}

static void test_limit(void)
{
	struct ends e;
	static char block[65536];
	size_t written = 0;
	open_ends(&e, MUCH / 2);
	fcntl(e.write, F_SETFL, O_NONBLOCK);
	for (;;) {
		struct pollfd p = {.fd = e.write, .events = POLLOUT};
		if (poll(&p, 1, written < MUCH / 2 ? 10000 : 300) == 0)
			break; /* full, and nothing moves any more */
		ssize_t n = write(e.write, block, sizeof block);
		written += n > 0 ? (size_t)n : 0;
		if (written > 4 * MUCH)
			break;
	}
	ok(written >= MUCH / 2, "data up to the limit are taken");
	ok(written <= MUCH, "and not much more: the writer has to wait (%zu bytes)", written);
	close(e.read);
	fcntl(e.write, F_SETFL, 0);
	ok(write_much(e.write), "once the reader is gone, the writer need not wait");
	relay_stop(&e.relay);
	ok(write(e.write, "x", 1) < 0 && errno == EPIPE, "until the relay is stopped");
	close(e.write);
}

static void test_stop(void)
{
	struct ends e;
	open_ends(&e, RELAY_LIMIT);
	write_much(e.write);
	relay_stop(&e.relay);
	ok(write(e.write, "x", 1) < 0 && errno == EPIPE, "a relay that is stopped takes nothing");
	size_t came = read_much(e.read);
	ok(came < MUCH, "and drops the data that it holds");
	close(e.write);
	close(e.read);
	relay_stop(&e.relay);
	ok(true, "stopping it twice is stopping it once");
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_room();
	test_limit();
	test_stop();
	return done_testing();
}
