/*
 * backlog.h - bytes that wait for a slow reader.
 */
#ifndef RECORD_SAMPLER_BACKLOG_H
#define RECORD_SAMPLER_BACKLOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct backlog_piece;

/* Zeroed is empty. */
struct backlog {
	struct backlog_piece *first, *last, *spare;
	size_t held; /* bytes */
	int error;   /* errno of the write that failed; 0: none */
};

void backlog_deinit(struct backlog *);
/* Takes the bytes over and leaves the buffer empty. */
void backlog_add(struct backlog *, struct buf *);
/*
 * Writes as much as the descriptor takes without waiting; with `waits`, all. false: the write failed, see error;
 * then what is held is dropped.
 */
bool backlog_write(struct backlog *, int fd, bool waits);

#endif
