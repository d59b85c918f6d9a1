/*
 * parts.h - the samples of each event as a profile of their own, from one pass over the log.
 *
 * Work on all events then takes time for the samples of each and their stacks, not for the whole profile each time.
 */
#ifndef MODEL_PARTS_H
#define MODEL_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "profile.h"

struct parts {
	struct profile *of;
	struct sample_log log; /* the entries of log[0] by event, in their order */
	size_t *first;         /* by event: its first entry there; and the end */
	uint32_t *number;      /* private; by path of the profile: its number in the part; 0: it is not in it */
	uint64_t times[2];     /* of the whole profile */
	bool has_times;
};

/* The profile must not change but for symbols, and outlive the parts. */
void parts_init(struct parts *, struct profile *of);
void parts_deinit(struct parts *);
/*
 * Makes *part of the samples of an event: paths that these have, in the order of the profile; the rest is shared
 * with it, the range of times is that of the whole. Whoever adds symbols to the part, as a fold does, hands them to
 * the profile at once, by parts_share_symbols(). Other parts begin after parts_end().
 */
void parts_begin(struct parts *, uint32_t series, struct profile *part);
void parts_share_symbols(struct parts *, const struct profile *part);
void parts_end(struct profile *part);

#endif
