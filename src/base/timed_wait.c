/*
 * timed_wait.c - by the monotonic clock; on macOS, whose conditions know no other, by the wall clock.
 */
#include "base/timed_wait.h"

#ifdef __APPLE__
#define WAIT_CLOCK CLOCK_REALTIME
#else
#define WAIT_CLOCK CLOCK_MONOTONIC
#endif

void timed_wait_init(pthread_cond_t *condition)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
#ifndef __APPLE__
	pthread_condattr_setclock(&attr, WAIT_CLOCK);
#endif
	pthread_cond_init(condition, &attr);
	pthread_condattr_destroy(&attr);
}

void timed_wait_add(struct timespec *t, unsigned milliseconds)
{
	t->tv_nsec += (long)(milliseconds % 1000) * 1000000;
	t->tv_sec += milliseconds / 1000 + t->tv_nsec / 1000000000;
	t->tv_nsec %= 1000000000;
}

struct timespec timed_wait_in(unsigned milliseconds)
{
	struct timespec t;
	clock_gettime(WAIT_CLOCK, &t);
	timed_wait_add(&t, milliseconds);
	return t;
}
