/*
 * timed_wait.h - waits for a condition with a time limit, by a clock that is never set where the system has one.
 *
 *	timed_wait_init(&changed);
 *	struct timespec until = timed_wait_in(500);
 *	pthread_cond_timedwait(&changed, &lock, &until);
 */
#ifndef BASE_TIMED_WAIT_H
#define BASE_TIMED_WAIT_H

#include <pthread.h>
#include <time.h>

/* Initialises a condition whose times come from timed_wait_in(). */
void timed_wait_init(pthread_cond_t *);
/* The time in that many milliseconds. */
struct timespec timed_wait_in(unsigned milliseconds);
/* Adds milliseconds to such a time. */
void timed_wait_add(struct timespec *, unsigned milliseconds);

#endif
