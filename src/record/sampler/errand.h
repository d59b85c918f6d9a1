/*
 * errand.h - does what another process can hold up for ever on another thread, and gives it up after a while.
 *
 * The kernel waits for a page that a process holds back (userfaultfd, a file system of its own), and for a file
 * there; only the death of the process that waits ends that. So a thread that waits is left behind, with all that
 * belongs to its errand, and the end of the process ends it.
 */
#ifndef RECORD_SAMPLER_ERRAND_H
#define RECORD_SAMPLER_ERRAND_H

#include <stdbool.h>
#include <sys/types.h>

#define ERRAND_MS 1000      /* until an errand is given up: a page from a disk comes sooner */
#define ERRANDS_LOST_MOST 8 /* those who hold back more than this many times are not asked again */

struct errand_worker;

/* Zeroed: no thread has been started. For one thread at a time. */
struct errands {
	struct errand_worker *worker; /* NULL: none */
	unsigned n_lost;              /* errands that were given up */
};

typedef void errand_fn(void *arg);

/*
 * Calls run(arg) on another thread, and waits for it. false: it was given up; then arg is no longer the caller's,
 * and drop(arg) frees it if the thread ever comes back. Without a thread, it is called on this one.
 */
bool errand_run(struct errands *, errand_fn *run, errand_fn *drop, void *arg);
/* Says of a process that it holds back its memory, and what is missing for that. */
void errand_say_held(pid_t, const char *missing);
void errands_deinit(struct errands *);

#endif
