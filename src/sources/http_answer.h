/*
 * http_answer.h - what a receiver of OpenTelemetry profiles answers: a status, and a message of the protocol.
 */
#ifndef SOURCES_HTTP_ANSWER_H
#define SOURCES_HTTP_ANSWER_H

#include <stdbool.h>

#include "base/buf.h"

struct http_answer {
	int status;      /* 200: taken; 400 to 505: not, and why says why */
	const char *why; /* any text; it is cleaned and cut */
	bool is_json;    /* as the request was; else protocol buffers */
	bool is_last;    /* the connection is closed after it */
};

/* Appends status line, headers and body. */
void http_answer_add(struct buf *out, const struct http_answer *);

#endif
