/*
 * inputs.h - inputs one after the other into one profile, on the calling thread and on those that it starts.
 */
#ifndef COLLAPSE_LOAD_INPUTS_H
#define COLLAPSE_LOAD_INPUTS_H

#include "collapse/load/load.h"
#include "collapse/load/shared.h"

struct load_job {
	struct profile *profile; /* initialised by the caller; written under the lock of `shared` only */
	struct load_shared *shared;
	const struct collapse_options *options; /* as inputs_options() gives them */
	bool is_background;                     /* an interface shows what has come so far */
	bool is_several;                        /* inputs */
};

/* The options with the number of threads in them. */
struct collapse_options inputs_options(const struct collapse_options *);
/* Reads all inputs, as load_all() says, or until shared->stop. */
bool inputs_read(struct load_job *, const struct load_input *, size_t n, struct err *);
/* Bytes of all inputs before decompression. 0 if one of them is a pipe, which *is_live says. */
uint64_t inputs_bytes(const struct load_input *, size_t n, bool *is_live);

/* Is there something to show? */
static inline size_t inputs_samples(const struct profile *p)
{
	return p->log[0].n + p->log[1].n;
}

#endif
