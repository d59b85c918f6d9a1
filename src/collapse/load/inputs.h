/*
 * inputs.h - reads inputs one after the other into one profile, on the calling thread and on worker threads.
 */
#ifndef COLLAPSE_LOAD_INPUTS_H
#define COLLAPSE_LOAD_INPUTS_H

#include "collapse/load/load.h"
#include "collapse/load/shared.h"

struct load_job {
	struct profile *profile; /* initialised by the caller; written under the lock of `shared` only */
	struct load_shared *shared;
	const struct collapse_options *options; /* as returned by inputs_options() */
	bool is_background;                     /* a viewer shows what has come so far */
	bool is_several;                        /* there are several inputs */
	bool is_foreign;                        /* one of those read so far does not look like its named format */
};

/* A copy of the options with the number of threads filled in. */
struct collapse_options inputs_options(const struct collapse_options *);
/* Reads all inputs as load_all() does, or until shared->stop is set. */
bool inputs_read(struct load_job *, const struct load_input *, size_t n, struct err *);
/* Bytes of all inputs before decompression; 0 if one is a pipe, which also sets *is_live. */
uint64_t inputs_bytes(const struct load_input *, size_t n, const struct collapse_options *, bool *is_live);

/* The samples of both sides; 0: there is nothing to show. */
static inline size_t inputs_samples(const struct profile *p)
{
	return p->log[0].n + p->log[1].n;
}

#endif
