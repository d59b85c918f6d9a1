/*
 * relay.h - a pipe that holds unread data in memory.
 */
#ifndef RECORD_RELAY_H
#define RECORD_RELAY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

#define RELAY_LIMIT ((size_t)64 << 20) /* about four thousand samples with 16 kB of stack each */

#define RELAY_TAIL 24

struct relay_piece;

struct relay {
	int in, out;  /* owned by the thread once it runs */
	int wake[2];  /* a pipe; a byte in it ends the thread */
	size_t limit; /* bytes held at most; beyond that, writers to `in` block */
	size_t held;
	char tail[RELAY_TAIL]; /* the last bytes that have come; for others once is_at_end */
	struct relay_piece *first, *last, *spare;
	pthread_t thread;
	bool is_running;
	atomic_bool has_data;  /* something has come */
	atomic_bool is_at_end; /* the writers of `in` have closed it */
};

/*
 * Carries data from `in` to `out` on a thread until `in` ends, then closes both. Drops the data once `out` has no
 * reader. The relay owns the descriptors even if this fails.
 */
bool relay_start(struct relay *, int in, int out, size_t limit, struct err *err);
/*
 * Ends the relay and drops the data that it holds. Call it once for each relay that was started; a zeroed one was
 * not.
 */
void relay_stop(struct relay *);

#endif
