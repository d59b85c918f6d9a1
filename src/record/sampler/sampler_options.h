/*
 * sampler_options.h - what a recording samples, and how.
 */
#ifndef RECORD_SAMPLER_SAMPLER_OPTIONS_H
#define RECORD_SAMPLER_SAMPLER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

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

#endif
