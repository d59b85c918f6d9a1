/*
 * perfmap.h - has runtimes write the names of the functions that they compile (--enable-perfmap).
 *
 * This is the one thing that a recording changes in its targets, so it is done only on demand, and each process for
 * which it was done, or could not be done, is named in a line on standard error.
 *
 * A program of our own, with the rights of the target and a limit of time, talks to each runtime: the sampler never
 * waits for a target.
 */
#ifndef RECORD_SAMPLER_PERFMAP_H
#define RECORD_SAMPLER_PERFMAP_H

#include <stdbool.h>
#include <sys/types.h>

/* Zeroed: not wanted, and nothing has an effect. */
struct perfmap {
	pid_t helper;
	int to_helper; /* a pipe: targets; its end is the end of the recording */
	bool is_quiet;
};

/* Call it before threads are started and files are opened, which the helper would inherit. */
void perfmap_start(struct perfmap *, bool is_quiet);
/* A target begins: it and what it starts are asked now, and again in growing intervals. */
void perfmap_add(const struct perfmap *, pid_t);
/* Asks all a last time, which takes seconds at most, while they still run. */
void perfmap_end(struct perfmap *);

#endif
