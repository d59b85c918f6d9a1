/*
 * counters.c - opens the counters of all targets, and the rings that they write to.
 *
 *	              processor 0        processor 1
 *	thread 71     counter -- ring    counter -- ring
 *	thread 72     counter ---^       counter ---^       (ABI_IOCTL_SET_OUTPUT)
 *
 * The kernel allows a ring for counters that are inherited only on one processor, so there is a counter for each
 * thread on each processor, and all of a processor share its ring.
 */
#include "record/sampler/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "perfdata/event.h"
#include "record/sampler/event_names.h"
#include "record/sampler/records.h"

#define RING_OF_CHAINS ((size_t)512 << 10) /* fits into what every user may lock */
#define RING_OF_DUMPS ((size_t)8 << 20)    /* half a second of 16 kB at 997 Hz */

/* Registers that unwinding needs, in the numbering of the architecture's perf_regs.h. */
#if defined(__x86_64__)
#define USER_REGISTERS 0xff0fffu
#elif defined(__aarch64__)
#define USER_REGISTERS (((uint64_t)1 << 33) - 1)
#else
#define USER_REGISTERS 0u
#endif

/* ---- what is counted ----------------------------------------------------------------------------------------- */

/* The kernel refuses a higher frequency than it may lower it to itself. */
static uint64_t bounded(uint64_t frequency)
{
	unsigned long long most = 0;
	FILE *f = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "re");
	bool is_read = f && fscanf(f, "%llu", &most) == 1; /* NOLINT(cert-err34-c): the kernel wrote it */
	if (f)
		fclose(f);
	return is_read && most > 0 && frequency > most ? most : frequency;
}

static void choose_rate(struct abi_attr *a, const struct counters_plan *plan)
{
	if (a->type == ABI_TRACEPOINT && !plan->frequency) {
		a->period = 1;
		return;
	}
	a->period = bounded(plan->frequency ? plan->frequency : COUNTERS_FREQUENCY);
	a->flags |= ABI_FREQ;
}

static void fill_in(struct abi_attr *a, const struct counters_plan *plan, size_t ring_size)
{
	a->size = sizeof *a;
	a->sample_type = RECORDS_SAMPLE_TYPE | FIELD_CALLCHAIN;
	a->read_format = READ_LOST;
	a->flags |= ABI_MMAP | ABI_COMM | ABI_TASK | ABI_WATERMARK | ABI_SAMPLE_ID_ALL | ABI_MMAP2 | ABI_COMM_EXEC |
	            ABI_USE_CLOCK | ABI_KSYMBOL | ABI_BPF;
	a->flags |= a->flags & ABI_EXCLUDE_HOST ? 0 : ABI_EXCLUDE_GUEST;
	a->flags |= (plan->inherits ? ABI_INHERIT : 0) | (plan->waits ? ABI_DISABLED | ABI_ENABLE_ON_EXEC : 0) |
	            (plan->has_idle ? 0 : ABI_EXCLUDE_IDLE);
	a->clock = CLOCK_MONOTONIC;
	a->wakeup = (uint32_t)(ring_size / 2);
	if (plan->dump > 0) {
		a->sample_type |= FIELD_REGS_USER | FIELD_STACK_USER;
		a->flags |= ABI_EXCLUDE_CHAIN_USER; /* without frame pointers it is a guess */
		a->flags |= ABI_MMAP_DATA;          /* other programs look up call frame information in them */
		a->regs_user = USER_REGISTERS;
		a->stack_user = plan->dump;
	}
	choose_rate(a, plan);
}

static bool add_event(struct counters *c, const struct counters_plan *plan, const char *name, size_t n,
                      struct err *err)
{
	struct counter_event e = {.name = mem_strndup(name, n), .is_default = !plan->events};
	bool is_known = event_named(&e.attr, name, n, err);
	fill_in(&e.attr, plan, c->ring_size);
	mem_push(c->events, c->n_events, c->cap_events, e);
	return is_known;
}

bool counters_init(struct counters *c, const struct counters_plan *plan, struct err *err)
{
	const char *list = plan->events ? plan->events : "cycles";
	*c = (struct counters){.ring_size = plan->dump > 0 ? RING_OF_DUMPS : RING_OF_CHAINS};
	if (plan->dump > 0 && !USER_REGISTERS)
		return fail(err, "copies of the stack are not taken on this processor (--call-graph=fp, or --with=perf)");
	targets_cpus(&c->cpus);
	c->rings = mem_zalloc(c->cpus.n, sizeof *c->rings);
	c->polls = mem_zalloc(c->cpus.n + 1, sizeof *c->polls);
	c->leaders = mem_zalloc(c->cpus.n, sizeof *c->leaders);
	for (size_t i = 0; i < c->cpus.n; i++)
		c->leaders[i] = c->polls[i].fd = -1;
	while (*list) {
		size_t n = event_names_first(list);
		if (!add_event(c, plan, list, n, err))
			return false;
		list += n + (list[n] == ',');
	}
	return c->n_events > 0 || fail(err, "no event is named");
}

void counters_deinit(struct counters *c)
{
	for (size_t i = 0; i < c->cpus.n && c->rings; i++)
		ring_unmap(&c->rings[i]);
	for (size_t i = 0; i < c->n_fds; i++)
		close(c->fds[i]);
	for (size_t i = 0; i < c->n_events; i++)
		counter_event_deinit(&c->events[i]);
	number_list_deinit(&c->cpus);
	free(c->events);
	free(c->fds);
	free(c->rings);
	free(c->polls);
	free(c->leaders);
	*c = (struct counters){0};
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

/* Raises the limit of open files to what the user may have. */
static bool allow_more_files(void)
{
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max)
		return false;
	limit.rlim_cur = limit.rlim_max;
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Lets the counter write to the ring of its processor. */
static bool connect_ring(struct counters *c, size_t place, int fd, struct err *err)
{
	if (c->leaders[place] >= 0)
		return ioctl(fd, ABI_IOCTL_SET_OUTPUT, c->leaders[place]) == 0 || fail_errno(err, "sharing a ring");
	if (!ring_map(&c->rings[place], fd, c->ring_size, err))
		return false;
	c->leaders[place] = fd;
	c->polls[place] = (struct pollfd){.fd = fd, .events = POLLIN};
	return true;
}

/* Has the target ended, or its processor gone offline? */
static bool is_gone(const struct counter_event *e, int error)
{
	return error == ESRCH || (error == ENODEV && e->is_tried);
}

static bool open_one(struct counters *c, struct counter_event *e, const struct counter_target *t, size_t place,
                     struct err *err)
{
	int fd = counter_open(e, t);
	if (fd < 0 && errno == EMFILE && allow_more_files())
		fd = counter_open(e, t);
	if (fd < 0)
		return is_gone(e, errno) || counter_fail(e, t, errno, err);
	mem_push(c->fds, c->n_fds, c->cap_fds, fd);
	return connect_ring(c, place, fd, err) && (counter_learn_id(e, fd) || fail_errno(err, "number of a counter"));
}

bool counters_open(struct counters *c, pid_t tid, int cgroup, struct err *err)
{
	for (size_t cpu = 0; cpu < c->cpus.n; cpu++) {
		struct counter_target t = {tid, c->cpus.v[cpu], cgroup};
		for (size_t i = 0; i < c->n_events; i++)
			if (!open_one(c, &c->events[i], &t, cpu, err))
				return false;
	}
	return true;
}

bool counters_are_open(const struct counters *c)
{
	return c->n_fds > 0;
}

/* ---- running ------------------------------------------------------------------------------------------------- */

bool counters_have_ended(const struct counters *c)
{
	for (size_t i = 0; i < c->n_fds; i++) {
		struct pollfd p = {.fd = c->fds[i], .events = POLLIN};
		if (poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP))
			return false;
	}
	return true;
}

void counters_disable(const struct counters *c)
{
	for (size_t i = 0; i < c->n_fds; i++)
		ioctl(c->fds[i], ABI_IOCTL_DISABLE, 0);
}

uint64_t counters_lost(const struct counters *c)
{
	uint64_t sum = 0;
	if (!c->n_events || !(c->events[0].attr.read_format & READ_LOST))
		return 0;
	for (size_t i = 0; i < c->n_fds; i++) {
		struct {
			uint64_t value, lost;
		} reading;
		if (read(c->fds[i], &reading, sizeof reading) == (ssize_t)sizeof reading)
			sum += reading.lost;
	}
	return sum;
}

bool counters_lack_kernel(const struct counters *c)
{
	for (size_t i = 0; i < c->n_events; i++)
		if (c->events[i].lacks_kernel)
			return true;
	return false;
}
