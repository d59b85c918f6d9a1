/*
 * job.h - what a thread that loads works on.
 */
#ifndef COLLAPSE_LOAD_JOB_H
#define COLLAPSE_LOAD_JOB_H

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

/* The samples of both sides; 0: there is nothing to show. */
static inline size_t inputs_samples(const struct profile *p)
{
	return p->log[0].n + p->log[1].n;
}

#endif
