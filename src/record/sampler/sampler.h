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
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* Exactly one target: a command, processes, threads, a control group, or all. */
struct sampler_options {
	const char *events; /* as perf record -e takes them; NULL: cycles, or cpu-clock without them */
	uint64_t frequency; /* samples per second and processor; 0: the default */
	uint32_t dump;      /* bytes of the stack to copy for DWARF; 0: chains by frame pointers */
	char *const *command;
	const char *const *pids, *const *tids;
	const char *cgroup; /* its path below /sys/fs/cgroup, or whole */
	bool all_cpus;
	bool ptrace;        /* looks at threads instead of counting events; not with all_cpus or cgroup */
	bool off_cpu;       /* time off the CPU, too */
	unsigned io;        /* system calls of these kinds (perfdata/io_calls.h), in place of events; 0: none */
	bool wakers;        /* with that: who ends it; needs the right to sample all */
	bool memory;        /* who asks for memory, and touches it, in bytes */
	bool has_idle;      /* the processors' idle time, too */
	bool languages;     /* the functions of interpreters, too */
	bool perfmap;       /* JVMs and .NET write the names of their functions; not with all_cpus or cgroup */
	double duration;    /* seconds; 0: as long as the targets run */
	const char *output; /* a file; "-": standard output, in pipe layout */
	/*
	 * The process that shows the samples: it is left out like the sampler itself, and ends the command if the
	 * sampler dies; 0: none, and the sampler has a guard of its own.
	 */
	pid_t viewer;
	char *const *words; /* flametop's command line */
	bool is_quiet;
};

/* Where the recording says it, flametop record does not say it twice. */
static inline bool says_held(const struct sampler_options *o)
{
	return !o->is_quiet && !(o->viewer && o->languages);
}

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
