/*
 * relay.h - a pipe with room: what comes in faster than it is taken waits in memory.
 */
#ifndef RECORD_RELAY_H
#define RECORD_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define RELAY_LIMIT ((size_t)64 << 20) /* some four thousand samples with 16 kB of stack each */

struct relay_piece;

struct relay {
	int in, out, wake; /* owned by the thread once it runs */
	size_t limit;      /* bytes held at most; then whoever writes into `in` has to wait */
	size_t held;
	struct relay_piece *first, *last, *spare;
	pthread_t thread;
	bool is_running;
	atomic_bool is_at_end; /* `in` has ended: whoever wrote into it has closed it */
};

/*
 * Carries everything from one pipe to another on a thread of its own, until `in` ends; both are closed then. When
 * nobody reads `out` any more, what comes is dropped. The descriptors are the relay's even if it fails.
 */
bool relay_start(struct relay *, int in, int out, size_t limit, struct err *err);
/* Ends it; what is still held is dropped. Once for each relay that was started; a zeroed one was not. */
void relay_stop(struct relay *);

#endif
