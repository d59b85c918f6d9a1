/*
 * unseen.h - processor time of the targets that is in no sample, and their memory (touched.h).
 *
 * A clock begins anew in each thread. So threads that end before its first sample leave none: a program of many
 * such threads, or processes, may use all of its time unseen. What the system has counted tells.
 */
#ifndef RECORD_SAMPLER_UNSEEN_H
#define RECORD_SAMPLER_UNSEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/idmap.h"
#include "record/sampler/counters.h"
#include "record/sampler/sampler_options.h"
#include "record/sampler/touched.h"

struct unseen_process {
	pid_t pid;
	uint64_t begun;       /* as in struct proc_stat: a number that is used again is another process */
	uint64_t first, last; /* clock ticks that it had used */
};

/* Zeroed at first: nothing is compared. */
struct unseen {
	const struct counters *counters; /* NULL: nothing is compared */
	uint32_t event;                  /* the clock's place in events */
	bool is_user;                    /* it counts in user space alone */
	bool has_command;
	bool is_of_idle;    /* all time of all processors, idle or not, */
	double began;       /* from then on, in seconds */
	uint64_t frequency; /* samples per second */
	struct unseen_process *v;
	size_t n, cap;
	struct idmap by_pid;
	uint64_t sampled, n_samples; /* ns */
	struct touched touched;
};

/* The counters are open. Compares no times unless a clock samples whole processes, or all. command: 0: none. */
void unseen_begin(struct unseen *, const struct sampler_options *, const struct counters *, pid_t command);
void unseen_deinit(struct unseen *);
void unseen_take(struct unseen *, const struct abi_record *sample);
/* Call now and then, since a process that ends takes its times along. */
void unseen_look(struct unseen *);
/* Says how much was not seen, if that is much. has_ended: the command, which was waited for. */
void unseen_tell(struct unseen *, bool has_ended, uint64_t lost);

#endif
