/*
 * grpc_web.h - one request and one answer of gRPC over plain HTTP.
 */
#ifndef SOURCES_GRPC_WEB_H
#define SOURCES_GRPC_WEB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "sources/talk.h"

/* A part of a file, in bytes. */
struct range {
	uint64_t at, n;
};

/* Appends the frame of a message. */
void grpc_web_add_frame(struct buf *out, const struct buf *message);
/* The request with this frame as its body. */
struct request grpc_web_request(const struct buf *frame);

/*
 * Finds the message of the talk's last answer, which is in the file. false: err says what is wrong with it, or
 * which status the server gives instead. Any bytes will do.
 */
bool grpc_web_read(const struct talk *, int fd, struct range *message, struct err *err);
/* Finds the last field of this number, a text or message, in a message. false: it has none, or is none. */
bool grpc_web_find(int fd, struct range message, uint32_t field, struct range *value);

#endif
