/*
 * limits.h - what the system allows those who sample.
 */
#ifndef RECORD_LIMITS_H
#define RECORD_LIMITS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#define LIMITS_UNKNOWN INT_MIN

struct limits {
	int paranoid;       /* kernel.perf_event_paranoid */
	int kptr_restrict;  /* kernel.kptr_restrict */
	bool is_privileged; /* root, or has a capability for perf events */
};

void limits_read(struct limits *);
/* The frequency, or the highest that the kernel allows if that is lower: it would refuse. */
uint64_t limits_frequency(uint64_t wanted);

/* Raises the limit of open files to what the user may have. Children inherit it. false: it is there already. */
bool limits_raise_files(void);

/* For messages: printf() takes the level and the one that would do. */
#define LIMITS_LOWER "kernel.perf_event_paranoid is %d; `sudo sysctl kernel.perf_event_paranoid=%d` lowers it"

#endif
