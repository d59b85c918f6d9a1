/*
 * http_request.h - reads requests of HTTP/1.1 that push profiles, in pieces as they come from a client.
 *
 *	http_request_init(&r, most);
 *	while (r.stage < REQUEST_DONE && n) {
 *		size_t taken = http_request_feed(&r, bytes, n, &body, &n_body);
 *		... n_body bytes of the body are at `body`
 *	}
 *
 * Only what a sender of OpenTelemetry profiles needs is accepted: POST to one path, with a body of known or chunked
 * length. All else is an error with its status. What could be read in two ways is an error, too.
 */
#ifndef SOURCES_HTTP_REQUEST_H
#define SOURCES_HTTP_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define REQUEST_PATH "/v1development/profiles"
#define REQUEST_HEAD_MOST (16u << 10) /* bytes of the request line and the headers */

enum request_stage {
	REQUEST_HEAD,
	REQUEST_BODY,
	REQUEST_DONE,
	REQUEST_BAD /* status and why say what to answer; the connection is of no further use */
};

struct http_request {
	enum request_stage stage;
	int status;      /* of REQUEST_BAD: 400 to 505 */
	const char *why; /* static */
	/* known after the head */
	bool sends;       /* by POST or PUT, so that a profile is lost if it is refused; known after the first line */
	bool is_json;     /* else protocol buffers; the answer is of the same kind */
	bool is_gzip;     /* Content-Encoding */
	bool keeps_alive; /* another request may follow on the connection */
	bool expects;     /* the client waits for "100 Continue" before it sends the body */
	bool has_length;  /* `length` is that of the body; else it is chunked */
	uint64_t length;
	uint64_t n_body; /* bytes of the body so far */
	/* private */
	uint64_t most;
	uint64_t left; /* of the body, or of the chunk */
	unsigned part; /* of a chunked body */
	unsigned seen; /* headers that were there */
	struct buf line;
	size_t n_head; /* bytes of the head or of the trailer so far */
};

/* most: bytes of a body. */
void http_request_init(struct http_request *, uint64_t most);
void http_request_deinit(struct http_request *);
/* Begins the next request of the connection. */
void http_request_reset(struct http_request *);
/*
 * Takes at least one of n > 0 bytes, and at most up to the end of the request; returns how many. Bytes of the body
 * among them are at *body, *n_body of them.
 */
size_t http_request_feed(struct http_request *, const char *bytes, size_t n, const char **body, size_t *n_body);

#endif
