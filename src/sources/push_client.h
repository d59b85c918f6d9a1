/*
 * push_client.h - one connection of a client that pushes profiles, without ever waiting for it.
 */
#ifndef SOURCES_PUSH_CLIENT_H
#define SOURCES_PUSH_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sources/http_request.h"

#define PUSH_BODY_MOST (UINT64_C(64) << 20)      /* bytes of one body as it is sent */
#define PUSH_UNPACKED_MOST (UINT64_C(256) << 20) /* of what a compressed one holds */
#define PUSH_ALL_MOST (UINT64_C(256) << 20)      /* of all that are being received */
#define PUSH_ALL_UNPACKED_MOST (UINT64_C(512) << 20)

/* Bytes of all clients' bodies that are not answered yet. */
struct push_sums {
	uint64_t received, unpacked;
	uint64_t n_refused; /* before push_take(), since the owner took it back to 0 */
	struct err refused; /* why the first of them was */
};

enum push_stage {
	PUSH_IDLE,      /* between two requests */
	PUSH_READING,   /* within one */
	PUSH_UNPACKING, /* a request is complete, and its body is being unpacked */
	PUSH_READY,     /* a request is complete, and waits for push_take(): one body is read at a time */
	PUSH_TAKEN,     /* it waits for push_answer() */
	PUSH_ANSWERING, /* an answer is on its way */
	PUSH_ENDING,    /* the last one is; what still comes is dropped */
	PUSH_GONE       /* to be freed */
};

struct push_client {
	enum push_stage stage;
	int fd;
	double since; /* when the stage, or the body, began: seconds, as `now` */
	struct push_sums *all;
	uint64_t reserved, unpacked; /* parts of all */
	/* private */
	struct http_request request;
	int body; /* -1: none yet */
	struct push_unpacking *unpacking;
	struct buf held;   /* bytes after the present request */
	struct buf answer; /* and how much of it has gone */
	size_t n_sent;
};

/* Takes over the descriptor, which does not block. */
struct push_client *push_client_new(int fd, double now, struct push_sums *all);
void push_client_free(struct push_client *);
/* Does what can be done without waiting: reads, writes, gives up who is too slow. */
void push_client_work(struct push_client *, double now);
/* Has it begun to send a profile that is not ready yet? */
bool push_client_is_sending(const struct push_client *);
/* Can it go on at once, whatever poll() says? */
bool push_client_has_work(const struct push_client *);
/* The events to poll for; 0: none. */
short push_client_events(const struct push_client *);

/*
 * In the stage PUSH_READY: the body, unpacked, as a descriptor of a regular file at its beginning, which the caller
 * closes, and answers later. -1: it cannot be had, and is answered already.
 */
int push_take(struct push_client *, double now);
/* Answers a request: status 200, or another one and why. */
void push_answer(struct push_client *, int status, const char *why, double now);
/* The same for what is lost, which all->n_refused counts. */
void push_refuse(struct push_client *, int status, const char *why, double now);

#endif
