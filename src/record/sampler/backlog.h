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
	int error;   /* errno of the write that failed, BACKLOG_STUCK, or BACKLOG_CUT (the caller's); 0: none */
};

void backlog_deinit(struct backlog *);
/* Takes the bytes over and leaves the buffer empty. */
void backlog_add(struct backlog *, struct buf *);
/* Tenths of a second to wait for a reader that takes nothing, asked again meanwhile; below 0: for ever. */
typedef int backlog_patience(void);
/*
 * Writes as much as the descriptor takes without waiting; with a patience, all. false: the write failed, see error
 * (BACKLOG_STUCK: the patience is over); then what is held is dropped.
 */
bool backlog_write(struct backlog *, int fd, backlog_patience *);

#define BACKLOG_STUCK (-1)
#define BACKLOG_CUT (-2)

#endif
