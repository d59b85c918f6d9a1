/*
 * plan.c - turns options into a plan for the counters.
 */
#include "record/sampler/plan.h"

#include "record/sampler/language_records.h"
#include "record/sampler/peek.h"
#include "record/sampler/records.h"

#define PEEK_DUMP 16384u /* bytes of the stack */

struct counters_plan plan_of(const struct sampler_options *o, const struct allocators *allocators)
{
	uint64_t looks = o->frequency && o->frequency < PEEK_MOST ? o->frequency
	                 : o->frequency                           ? PEEK_MOST
	                                                          : PEEK_FREQUENCY;
	uint32_t copied = !o->dump ? PEEK_DUMP : o->dump < RECORDS_STACK_MOST ? o->dump : RECORDS_STACK_MOST;
	return (struct counters_plan){.events = o->events,
	                              .frequency = o->ptrace ? looks : o->frequency,
	                              .dump = o->ptrace ? copied : o->dump,
	                              .peeks = o->ptrace,
	                              .waits = o->command && !o->all_cpus && !o->cgroup,
	                              .inherits = !o->all_cpus && !o->cgroup,
	                              .off_cpu = o->off_cpu,
	                              .io = o->io,
	                              .allocators = o->memory ? allocators : NULL,
	                              .wakers = o->wakers,
	                              .languages = o->languages,
	                              .switches_wake =
	                                  o->languages && o->off_cpu && language_records_expected(o->command, o->pids),
	                              .has_idle = o->has_idle};
}
