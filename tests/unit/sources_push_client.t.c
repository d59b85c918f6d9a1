/*
 * Limits for clients that push profiles: for one of them, and for all together.
 */
#include "sources/push_client.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "packing.h"
#include "tap.h"

static struct push_sums all;

/* Sends the body, and lets the server work as long as it can. Returns its client; the answer is in `answer`. */
static struct push_client *post(const struct buf *body, const char *header, char *answer, size_t size)
{
	int fds[2];
	struct buf request;
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds) != 0)
		bail_out("no pair of sockets");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	struct push_client *c = push_client_new(fds[0], 0, &all);
	buf_init(&request);
	buf_addf(&request,
	         "POST /v1development/profiles HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-protobuf\r\n"
	         "%sContent-Length: %zu\r\n\r\n",
	         header, body->len);
	buf_add(&request, body->data, body->len);
	ok(write(fds[1], request.data, request.len) == (ssize_t)request.len, "a request is sent");
	for (int i = 0; i < 100 && c->stage != PUSH_READY; i++)
		push_client_work(c, 0);
	ssize_t n = recv(fds[1], answer, size - 1, MSG_DONTWAIT);
	answer[n > 0 ? n : 0] = '\0';
	close(fds[1]);
	buf_deinit(&request);
	return c;
}

/* status: "": it waits to be taken. */
static void is_answered(const struct buf *body, const char *status, const char *name)
{
	char answer[1000];
	struct push_client *c = post(body, "Content-Encoding: gzip\r\n", answer, sizeof answer);
	ok(*status ? strncmp(answer, status, strlen(status)) == 0 : c->stage == PUSH_READY, "%s", name);
	push_client_free(c);
}

int main(void)
{
	static char zeros[1000];
	struct buf body;
	zeros[0] = '\n';
	body = gzipped(zeros, sizeof zeros);
	is_answered(&body, "", "a compressed body is unpacked");
	is_int((long long)(all.received + all.unpacked), 0, "and counts no longer when its client has gone");
	all.unpacked = PUSH_ALL_UNPACKED_MOST - sizeof zeros;
	is_answered(&body, "", "as long as all together have room");
	all.unpacked++;
	is_answered(&body, "HTTP/1.1 429 ", "then it has to be sent again");
	is_int((long long)(all.unpacked - PUSH_ALL_UNPACKED_MOST), 1 - (long long)sizeof zeros, "and counts no longer");
	all = (struct push_sums){.received = PUSH_ALL_MOST - body.len + 1};
	is_answered(&body, "HTTP/1.1 429 ", "the same of bodies as they are sent");
	buf_deinit(&body);
	return done_testing();
}
