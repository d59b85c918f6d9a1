/*
 * deferred.h - keeps samples whose user callers come in a later record (perf record --call-graph=fp,defer).
 *
 * The chain of such a sample ends with CHAIN_USER_DEFERRED and a cookie. When the thread returns to user space, one
 * record (CALLCHAIN_DEFERRED, with the cookie) has the rest of the chain for all samples since it left.
 */
#ifndef PERFDATA_DEFERRED_H
#define PERFDATA_DEFERRED_H

#include "base/idmap.h"
#include "perfdata/sample.h"

/* Why a sample is handed on. */
enum perfdata_callers { CALLERS_CAME, CALLERS_MISSING, CALLERS_TOO_MANY };

struct perfdata_deferred {
	void (*take)(void *arg, const struct perfdata_sample *, enum perfdata_callers);
	void *arg;
	struct deferred_list {
		struct deferred *first, *last;
	} all, *queues; /* in order of arrival: all, and those of each thread */
	size_t n_queues, cap_queues;
	struct idmap queue_of; /* thread -> its place in `queues` */
	size_t bytes, most;
	struct deferred_body *body; /* of the record at hand; NULL: no sample of it waits */
	uint64_t *chain;            /* of the sample at hand */
	size_t cap_chain;
};

static inline bool perfdata_sample_is_deferred(const struct perfdata_sample *s)
{
	return s->n_chain >= 2 && s->chain[s->n_chain - 2] == CHAIN_USER_DEFERRED;
}

/* take: gets each sample, sooner or later. Beyond `most` bytes the oldest ones are handed on without callers. */
void perfdata_deferred_init(struct perfdata_deferred *, size_t most,
                            void (*take)(void *arg, const struct perfdata_sample *, enum perfdata_callers),
                            void *arg);
/* Drops the samples that still wait. */
void perfdata_deferred_deinit(struct perfdata_deferred *);

/* The samples that are added from now on are those of another record. */
void perfdata_deferred_new_record(struct perfdata_deferred *);
/* Copies the sample, and its record's `body`, in which its parts lie, once for all its samples. */
void perfdata_deferred_add(struct perfdata_deferred *, const struct perfdata_sample *, struct perfdata_bytes body);
/* The callers of the thread's samples with this cookie have come; earlier ones of it get none any more. */
void perfdata_deferred_meet(struct perfdata_deferred *, int32_t tid, uint64_t cookie,
                            struct perfdata_bytes callers);
/* The thread has ended. */
void perfdata_deferred_end(struct perfdata_deferred *, int32_t tid);
/* The recording has ended. */
void perfdata_deferred_flush(struct perfdata_deferred *);

#endif
