/*
 * probes.h - probes defined in tracefs, which threads and children of a target inherit.
 */
#ifndef RECORD_SAMPLER_PROBES_H
#define RECORD_SAMPLER_PROBES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "record/sampler/allocators.h"

/* Zeroed: nothing is defined. */
struct probes {
	char group[64]; /* our definitions have this name in front */
	pid_t remover;  /* a process that removes them once this one is gone; 0: nothing is defined */
	int alive;      /* the end of a pipe: it is closed when this process ends */
	int *holders;   /* counters that count nothing, but hold the probes in place */
	size_t n_holders, cap_holders;
};

/*
 * Defines a probe for each function, and sets their numbers. Removes definitions that killed samplers have left.
 * No other thread may hold a lock, such as that of malloc(). starts_processes: the target will, as far as is
 * known; then probes_hold() is called, too. false: there is no tracefs, or no right to write to it, or to count in
 * the whole system; then nothing is defined.
 */
bool probes_define(struct probes *, struct allocators *, bool starts_processes);
/*
 * The targets are more than one process from now on: holds the probes in place (probes.c says how, and what it
 * costs others). false: it is not possible. Does nothing if they are held, or if nothing is defined.
 */
bool probes_hold(struct probes *, const struct allocators *);
/* Removes the definitions. Counters of them must be closed. Does nothing if there are none. */
void probes_remove(struct probes *);

#endif
