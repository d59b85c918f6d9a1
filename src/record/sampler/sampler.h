/*
 * sampler.h - samples programs without perf, and writes what `perf record` would.
 *
 *	kernel's rings -> sampler -> recording (perf.data, or the same through a pipe)
 *
 * The recording has what the kernel delivers, unchanged; addresses get their names where it is read.
 */
#ifndef RECORD_SAMPLER_SAMPLER_H
#define RECORD_SAMPLER_SAMPLER_H

#include <stdbool.h>

#include "base/err.h"
#include "record/sampler/sampler_options.h"

/*
 * Samples until the command or the targets have ended, the duration is over, or SIGINT, SIGTERM or SIGHUP comes.
 * Then ends the command with SIGTERM, waits for it, and without `viewer` kills it after a while (command_end()).
 * *status is waitpid()'s of the command, 0 without one or if it was ended. false with err: nothing was recorded;
 * *status is an exit status in waitpid()'s form.
 */
bool sampler_run(const struct sampler_options *, int *status, struct err *err);

/*
 * Finds out whether the targets may be sampled, and what will be missing, without sampling them. false with err:
 * they may not.
 */
struct sampler_lacks {
	bool kernel; /* only user space is sampled */
	bool malloc; /* with `memory`: only pages are counted */
};
bool sampler_probe(const struct sampler_options *, struct sampler_lacks *, struct err *err);

/* Are all events known to the sampler? Else perf may know them. */
bool sampler_knows(const char *events, struct err *err);

#endif
