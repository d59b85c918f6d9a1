/*
 * unseen.c - compares what the system counts with the samples.
 */
#include "record/sampler/unseen.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/proc.h"
#include "record/sampler/records.h"
#include "record/sampler/targets.h"

#define FAST 50000 /* samples a second */
#define SHORT_THREADS "threads that end before their first sample leave none (a higher -F sees more of them)"
#define LEAST 0.05         /* seconds that are worth a word */
#define SHARE 0.1          /* of the time used, likewise */
#define SHARE_OF_USER 0.25 /* where the system may only estimate what was used in user space */

static bool is_clock(const struct abi_attr *a)
{
	return a->type == ABI_SOFTWARE && (a->config == ABI_CPU_CLOCK || a->config == ABI_TASK_CLOCK) &&
	       !(a->flags & ABI_EXCLUDE_USER);
}

static uint64_t rate_of(const struct abi_attr *a)
{
	return a->flags & ABI_FREQ || !a->period ? a->period : 1000000000 / a->period;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- what was used ------------------------------------------------------------------------------------------- */

static uint64_t ticks(const struct unseen *u, const struct proc_stat *s)
{
	return s->user + (u->is_user ? 0 : s->system);
}

static void add_process(struct unseen *u, pid_t pid)
{
	struct proc_stat s;
	if (pid <= 0 || !proc_stat(pid, &s) || !idmap_add(&u->by_pid, (uint32_t)pid, (uint32_t)u->n))
		return;
	const struct unseen_process new = {pid, s.begun, ticks(u, &s), ticks(u, &s)};
	mem_push(u->v, u->n, u->cap, new);
}

void unseen_look(struct unseen *u)
{
	struct proc_stat s;
	touched_look(&u->touched);
	for (size_t i = 0; i < u->n; i++)
		if (proc_stat(u->v[i].pid, &s) && s.begun == u->v[i].begun)
			u->v[i].last = ticks(u, &s);
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* Of a command that was waited for, with the programs that it has waited for. */
static double used_by_children(const struct unseen *u)
{
	struct rusage r;
	if (getrusage(RUSAGE_CHILDREN, &r) != 0)
		return 0;
	return seconds(&r.ru_utime) + (u->is_user ? 0 : seconds(&r.ru_stime));
}

static double used_by_processes(struct unseen *u)
{
	uint64_t sum = 0;
	unseen_look(u);
	for (size_t i = 0; i < u->n; i++)
		sum += u->v[i].last - u->v[i].first;
	return (double)sum / (double)sysconf(_SC_CLK_TCK);
}

static double used_by_all(struct unseen *u, bool has_ended)
{
	if (u->is_of_idle)
		return (now() - u->began) * (double)u->counters->cpus.n;
	return u->has_command && has_ended ? used_by_children(u) : used_by_processes(u);
}

/* ---- what was seen ------------------------------------------------------------------------------------------- */

static void begin_touched(struct unseen *u, const struct sampler_options *o, const struct counters *c)
{
	if (o->all_cpus || o->cgroup || o->tids)
		return;
	touched_begin(&u->touched, c);
	for (size_t i = 0; o->pids && o->pids[i]; i++)
		touched_add(&u->touched, targets_number(o->pids[i]));
}

void unseen_begin(struct unseen *u, const struct sampler_options *o, const struct counters *c, pid_t command)
{
	begin_touched(u, o, c);
	uint32_t event = 0;
	while (event < c->n_events && !is_clock(&c->events[event].attr))
		event++;
	u->is_user = event < c->n_events && c->events[event].attr.flags & ABI_EXCLUDE_KERNEL;
	u->is_of_idle = o->all_cpus && o->has_idle && !u->is_user;
	if (event == c->n_events || o->ptrace || (o->all_cpus && !u->is_of_idle) || o->cgroup || o->tids)
		return;
	u->counters = c;
	u->event = event;
	u->frequency = rate_of(&c->events[event].attr);
	u->has_command = command > 0;
	u->began = now();
	add_process(u, command);
	for (size_t i = 0; o->pids && o->pids[i]; i++)
		add_process(u, targets_number(o->pids[i]));
}

void unseen_deinit(struct unseen *u)
{
	touched_deinit(&u->touched);
	idmap_deinit(&u->by_pid);
	free(u->v);
	*u = (struct unseen){0};
}

/* What a command has started counts for it; what processes start does not. */
void unseen_take(struct unseen *u, const struct abi_record *sample)
{
	uint32_t event, unused, pid = (uint32_t)records_number(sample, RECORDS_PID_OF_SAMPLE);
	uint64_t period;
	touched_take(&u->touched, sample);
	if (!u->counters || sample->size < sizeof *sample + (RECORDS_WORD_OF_PERIOD + 1) * sizeof period ||
	    !idmap_find(&u->counters->owners, records_id(sample), &event) || event != u->event ||
	    (!u->has_command && !u->is_of_idle && !idmap_find(&u->by_pid, pid, &unused)))
		return;
	memcpy(&period, (const char *)(sample + 1) + RECORDS_WORD_OF_PERIOD * sizeof period, sizeof period);
	u->sampled += period;
	u->n_samples++;
}

/* At the highest rates the clock's interrupts are late, and the kernel skips what is due meanwhile. */
static const char *reason(const struct unseen *u)
{
	if (u->frequency > FAST)
		return "the clock does not keep up with so high a rate (a lower -F misses less)";
	if (u->is_of_idle)
		return "the kernel's clock may stop on a processor that is idle";
	if (geteuid() != 0)
		return SHORT_THREADS ", nor do programs that run with another user's rights";
	return SHORT_THREADS ", nor does what some kernels do at the end of a process (-a sees both)";
}

void unseen_tell(struct unseen *u, bool has_ended, uint64_t lost)
{
	touched_tell(&u->touched, has_ended, lost);
	if (!u->counters)
		return;
	double used = used_by_all(u, has_ended);
	double seen = (double)u->sampled / 1e9;
	seen += u->n_samples ? seen / (double)u->n_samples * (double)lost : 0;
	if (used - seen > LEAST && used - seen > used * (u->is_user ? SHARE_OF_USER : SHARE))
		err_printf("%.2f s of %.2f s of processor time are in no sample: %s", used - seen, used, reason(u));
}
