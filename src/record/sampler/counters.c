/*
 * counters.c - opens the counters of all targets, and the rings that they write to.
 *
 *	              processor 0        processor 1
 *	thread 71     counter -- ring    counter -- ring
 *	thread 72     counter ---^       counter ---^       (ABI_IOCTL_SET_OUTPUT)
 *
 * The kernel allows a ring for counters that are inherited only on one processor, so there is a counter for each
 * thread on each processor, and all of a processor share its ring.
 * Some events have rings of their own (strays.h).
 */
#include "record/sampler/counters.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/proc.h"
#include "languages/items.h"
#include "perfdata/event.h"
#include "perfdata/io_calls.h"
#include "perfdata/sample.h"
#include "record/limits.h"
#include "record/sampler/event_names.h"
#include "record/sampler/records.h"
#include "record/sampler/tracing_data.h"

#define RING_OF_CHAINS ((size_t)512 << 10) /* fits into what every user may lock */
#define RING_OF_DUMPS ((size_t)8 << 20)    /* half a second of 16 kB at 997 Hz */

/* What a counter's samples are for, in counters.uses; of calls, from bit USE_FUNCTION on, the allocator's place. */
enum { USE_WAKE_UP = 1, USE_BELL = 2, USE_TIME = 4, USE_PAGES = 8, USE_CALLS = 16, USE_FUNCTION = 8 };

/* ---- what is counted ----------------------------------------------------------------------------------------- */

static void choose_rate(struct abi_attr *a, const struct counters_plan *plan)
{
	if ((a->type == ABI_TRACEPOINT || plan->allocators) && !plan->frequency) {
		a->period = 1;
		return;
	}
	a->period = limits_frequency(plan->frequency ? plan->frequency : COUNTERS_FREQUENCY);
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
	a->wakeup = plan->languages ? 1 : (uint32_t)(ring_size / 2);
	a->flags &= plan->languages ? ~ABI_WATERMARK : ~(uint64_t)0;
	if (plan->dump > 0) {
		a->sample_type |= FIELD_REGS_USER | FIELD_STACK_USER;
		a->flags |= ABI_EXCLUDE_CHAIN_USER; /* without frame pointers it is a guess */
		a->flags |= ABI_MMAP_DATA;          /* other programs look up call frame information in them */
		a->regs_user = RECORDS_REGISTERS;
		a->stack_user = plan->dump;
	}
	choose_rate(a, plan);
}

/* Each switch away from a thread is a sample, and there are records of switches from it and to it. */
static void add_switches(struct counters *c, const struct counters_plan *plan)
{
	struct counter_event e = {.name = mem_strdup("off-cpu")};
	e.attr.type = ABI_SOFTWARE;
	e.attr.config = ABI_CONTEXT_SWITCHES;
	fill_in(&e.attr, plan, c->ring_size);
	e.attr.flags &= ~ABI_FREQ;
	e.attr.flags |= ABI_CONTEXT_SWITCH;
	if (!plan->switches_wake) {
		e.attr.wakeup = (uint32_t)(c->ring_size / 2);
		e.attr.flags |= ABI_WATERMARK;
	}
	e.attr.period = 1;
	mem_push(c->events, c->n_events, c->cap_events, e);
}

/* Another event records maps and threads. */
static void leave_out_tasks(struct abi_attr *a)
{
	a->flags &= ~(ABI_MMAP | ABI_MMAP2 | ABI_COMM | ABI_TASK | ABI_KSYMBOL | ABI_BPF | ABI_MMAP_DATA);
}

/* Samples without stacks, which another event has, as it has records of maps and threads. */
static void leave_out_stack(struct abi_attr *a)
{
	a->sample_type &= ~(uint64_t)(FIELD_CALLCHAIN | FIELD_REGS_USER | FIELD_STACK_USER);
	a->regs_user = a->stack_user = 0;
	leave_out_tasks(a);
}

/* Each call of an allocator, and each page that is touched first. */
static void add_memory(struct counters *c, const struct counters_plan *plan)
{
	static const char *const names[] = {EVENT_OF_MALLOC, "touched-bytes"};
	int64_t uprobe = -1;
	proc_number("/sys/bus/event_source/devices/uprobe/type", &uprobe);
	c->allocators = plan->allocators;
	c->lacks_probes = uprobe < 0 || !plan->allocators->n || !allocators_registers();
	c->lacks_births = !c->lacks_probes && plan->inherits && !plan->allocators->are_defined;
	for (size_t i = c->lacks_probes; i < 2; i++) {
		struct counter_event e = {.name = mem_strdup(names[i]), .is_probe = i == 0};
		e.attr.type = e.is_probe ? (uint32_t)uprobe : ABI_SOFTWARE;
		e.attr.config = e.is_probe ? 0 : ABI_PAGE_FAULTS;
		fill_in(&e.attr, plan, c->ring_size);
		if (e.is_probe && c->lacks_births) /* probes.c says why they cannot be inherited */
			e.attr.flags &= ~ABI_INHERIT;
		if (e.is_probe) /* else the counter of each function would have them */
			leave_out_tasks(&e.attr);
		allocators_prepare(&e.attr); /* both events, so that their samples have the same fields */
		c->recorded = e.attr;
		mem_push(c->events, c->n_events, c->cap_events, e);
	}
}

/* The beginnings of calls have a time, their ends a stack, and a register, which tells 32-bit programs apart. */
static void fill_in_call(struct counter_event *e, const struct counters_plan *plan, size_t ring_size)
{
	struct abi_attr *a = &e->attr;
	fill_in(a, plan, ring_size);
	a->flags |= ABI_EXCLUDE_CHAIN_KERNEL | ABI_DISABLED; /* until the filter is set */
	if (e->has_no_stack)
		leave_out_stack(a);
	else if (!a->regs_user && RECORDS_IP != 0) {
		a->sample_type |= FIELD_REGS_USER;
		a->regs_user = RECORDS_IP;
	}
	if (e->is_bell)
		return;
	a->sample_type |= FIELD_RAW;
	a->flags |= ABI_WATERMARK;
	a->wakeup = (uint32_t)(ring_size / 2);
}

static bool add_call(struct counters *c, const struct counters_plan *plan, struct counter_event e, struct err *err)
{
	struct utsname name = {0};
	struct buf filter;
	uname(&name);
	buf_init(&filter);
	bool is_good = (event_named(&e.attr, e.tracepoint, strlen(e.tracepoint), err) || tracing_data_fail(err)) &&
	               (io_calls_filter(plan->io, name.machine, &filter) ||
	                fail(err, "the system calls of this processor are not known (%s)", name.machine));
	e.name = mem_strdup(e.name);
	e.filter = mem_strdup(buf_str(&filter));
	e.needs_kernel = true;
	fill_in_call(&e, plan, c->ring_size);
	buf_deinit(&filter);
	mem_push(c->events, c->n_events, c->cap_events, e);
	return is_good;
}

/*
 * The ends of calls are counted before their beginnings are: so a call whose beginning is known is followed by its
 * own end. To be woken up costs much more than a sample, so a third counter does that, and can be switched off.
 */
static bool add_calls(struct counters *c, const struct counters_plan *plan, struct err *err)
{
	const struct counter_event end = {.name = (char *)"io-exit", .tracepoint = "raw_syscalls:sys_exit"},
							   bell = {.name = (char *)"io-bell",
	                                   .tracepoint = "raw_syscalls:sys_exit",
	                                   .has_no_stack = true,
	                                   .is_bell = true},
							   begin = {.name = (char *)"io-enter",
	                                    .tracepoint = "raw_syscalls:sys_enter",
	                                    .has_no_stack = true};
	c->has_bells = plan->languages;
	return add_call(c, plan, end, err) && (!plan->languages || add_call(c, plan, bell, err)) &&
	       add_call(c, plan, begin, err);
}

/* The event whose samples hold stacks of languages. Its type is that of perf's bpf-output: samples of any bytes. */
static void add_languages(struct counters *c)
{
	struct counter_event e = {.name = mem_strdup(ITEMS_EVENT), .is_tried = true, .is_written = true};
	e.attr = c->events[0].attr;
	e.attr.type = ABI_SOFTWARE;
	e.attr.config = ABI_BPF_OUTPUT;
	e.attr.sample_type = RECORDS_SAMPLE_TYPE | FIELD_RAW;
	e.attr.flags &= ~(ABI_FREQ | ABI_CONTEXT_SWITCH | ABI_PRECISE_MOST);
	e.attr.period = 1;
	e.attr.regs_user = 0;
	e.attr.stack_user = 0;
	mem_push(e.ids, e.n_ids, e.cap_ids, COUNTERS_LANGUAGE_ID);
	mem_push(c->events, c->n_events, c->cap_events, e);
}

/* Wake-ups are events of the waker, who may be any thread, or an interrupt. */
static bool add_wakings(struct counters *c, struct err *err)
{
	static const char name[] = "sched:sched_waking";
	static const struct counters_plan plan = {.frequency = 0};
	struct counter_event e = {.name = mem_strdup(name), .is_of_all = true};
	bool is_known = event_named(&e.attr, name, strlen(name), err);
	fill_in(&e.attr, &plan, c->ring_size);
	e.attr.sample_type |= FIELD_RAW;
	mem_push(c->events, c->n_events, c->cap_events, e);
	return is_known;
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

/* The event of samples that are taken by ptrace. perf knows it as a clock that counts user space. */
static void add_peeks(struct counters *c, const struct counters_plan *plan)
{
	struct counter_event e = {.name = mem_strdup("cpu-clock:ptrace"), .lacks_kernel = true, .is_tried = true};
	e.attr.type = ABI_SOFTWARE;
	e.attr.config = ABI_CPU_CLOCK;
	fill_in(&e.attr, plan, c->ring_size);
	e.attr.flags |= ABI_EXCLUDE_KERNEL;
	mem_push(e.ids, e.n_ids, e.cap_ids, COUNTERS_PEEK_ID);
	mem_push(c->events, c->n_events, c->cap_events, e);
}

/* The events of the plan, which are those in its list unless it says otherwise. */
static bool add_events(struct counters *c, const struct counters_plan *plan, struct err *err)
{
	/* Time on the CPU adds up with time off it. */
	const char *list = plan->events ? plan->events : plan->off_cpu ? "cpu-clock" : "cycles";
	if (plan->allocators)
		add_memory(c, plan);
	if (plan->peeks)
		add_peeks(c, plan);
	if (plan->io)
		return add_calls(c, plan, err);
	while (*list && !plan->peeks && !plan->allocators) {
		size_t n = event_names_first(list);
		if (!add_event(c, plan, list, n, err))
			return false;
		list += n + (list[n] == ',');
	}
	return c->n_events || fail(err, "no event is named");
}

/* No two events that share their samples share rings. Returns how many sets of rings there are. */
static size_t choose_sets(struct counters *c)
{
	size_t n = 0;
	for (size_t i = 0; i < c->n_events; i++)
		if (counter_shares_samples(&c->events[i]))
			c->events[i].set = (uint32_t)n++;
	return n ? n : 1;
}

static void make_rings(struct counters *c)
{
	c->n_rings = c->cpus.n * choose_sets(c);
	c->rings = mem_zalloc(c->n_rings, sizeof *c->rings);
	c->bell_fds = mem_zalloc(c->n_rings, sizeof *c->bell_fds);
	c->polls = mem_zalloc(c->n_rings + 1, sizeof *c->polls);
	c->leaders = mem_zalloc(c->n_rings, sizeof *c->leaders);
	c->times = mem_zalloc(c->n_rings, sizeof *c->times);
	for (size_t i = 0; i < c->n_rings; i++)
		c->leaders[i] = c->polls[i].fd = -1;
}

bool counters_init(struct counters *c, const struct counters_plan *plan, struct err *err)
{
	*c = (struct counters){.ring_size = plan->dump > 0 || plan->io ? RING_OF_DUMPS : RING_OF_CHAINS};
	if (plan->dump > 0 && !RECORDS_REGISTERS)
		return fail(err, "copies of the stack are not taken on this processor (--call-graph=fp, or --with=perf)");
	targets_cpus(&c->cpus);
	if (!add_events(c, plan, err))
		return false;
	if (plan->off_cpu)
		add_switches(c, plan);
	if (plan->wakers && !add_wakings(c, err))
		return false;
	if (plan->languages)
		add_languages(c);
	make_rings(c);
	return true;
}

void counters_deinit(struct counters *c)
{
	for (size_t i = 0; i < c->n_rings; i++)
		ring_unmap(&c->rings[i]);
	for (size_t i = 0; i < c->n_fds; i++)
		close(c->fds[i]);
	for (size_t i = 0; i < c->n_events; i++)
		counter_event_deinit(&c->events[i]);
	for (size_t i = 0; i < c->n_rings; i++)
		number_list_deinit(&c->bell_fds[i]);
	free(c->bell_fds);
	number_list_deinit(&c->cpus);
	idmap_deinit(&c->uses);
	idmap_deinit(&c->owners);
	allocator_calls_deinit(&c->calls);
	free(c->events);
	free(c->fds);
	free(c->event_of);
	free(c->rings);
	free(c->polls);
	free(c->leaders);
	free(c->times);
	*c = (struct counters){0};
}

/* ---- opening ------------------------------------------------------------------------------------------------- */

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

/* Lets a tracepoint count, unless the exec of its target does. */
static bool begin_filtered(const struct counter_event *e, int fd, struct err *err)
{
	bool waits = e->attr.flags & ABI_ENABLE_ON_EXEC;
	return (ioctl(fd, ABI_IOCTL_FILTER, e->filter) == 0 && (waits || ioctl(fd, ABI_IOCTL_ENABLE, 0) == 0)) ||
	       fail_errno(err, "choosing system calls");
}

static uint32_t use_of(const struct counter_event *e)
{
	return (e->is_of_all ? USE_WAKE_UP : 0) | (e->is_bell ? USE_BELL : 0) | (e->has_no_stack ? USE_TIME : 0);
}

static bool open_one(struct counters *c, struct counter_event *e, const struct counter_target *t, size_t place,
                     uint32_t use, struct err *err)
{
	int fd = counter_open(e, t);
	if (fd < 0 && errno == EMFILE && limits_raise_files())
		fd = counter_open(e, t);
	if (fd < 0)
		return is_gone(e, errno) || counter_fail(e, t, errno, err);
	mem_push(c->fds, c->n_fds, c->cap_fds, fd);
	mem_push(c->event_of, c->n_event_of, c->cap_event_of, (uint32_t)(e - c->events));
	if (!connect_ring(c, place, fd, err))
		return false;
	if (!counter_learn_id(e, fd))
		return fail_errno(err, "number of a counter");
	idmap_add(&c->owners, e->ids[e->n_ids - 1], (uint32_t)(e - c->events));
	if (use)
		idmap_add(&c->uses, e->ids[e->n_ids - 1], use);
	if (e->is_bell)
		number_list_add(&c->bell_fds[place], fd);
	return !e->filter || begin_filtered(e, fd, err);
}

static void aim(struct abi_attr *attr, const struct allocator *a, bool is_defined)
{
	if (is_defined) {
		attr->type = ABI_TRACEPOINT;
		attr->config = a->event;
	} else {
		attr->config1 = (uintptr_t)a->path;
		attr->config2 = a->offset;
	}
}

/* Opens a counter for each function. false: it cannot be done here, which the first one tells. */
static bool open_probes(struct counters *c, struct counter_event *e, const struct counter_target *t, size_t place,
                        struct err *err)
{
	const uint32_t type = e->attr.type;
	bool is_good = true;
	for (size_t i = 0; is_good && i < c->allocators->n; i++) {
		const struct allocator *a = &c->allocators->v[i];
		aim(&e->attr, a, c->allocators->are_defined);
		is_good = open_one(c, e, t, place, USE_CALLS | (uint32_t)i << USE_FUNCTION, err);
	}
	e->attr.type = type; /* our addresses and numbers mean nothing in a recording */
	e->attr.config = e->attr.config1 = e->attr.config2 = 0;
	return is_good;
}

/* Who may not probe functions sees pages instead. */
static bool drop_probes(struct counters *c)
{
	if (c->events[0].is_tried)
		return false;
	counter_event_deinit(&c->events[0]);
	memmove(c->events, c->events + 1, --c->n_events * sizeof *c->events);
	c->lacks_probes = true;
	c->lacks_births = false;
	return true;
}

static bool open_event(struct counters *c, size_t i, const struct counter_target *t, size_t place, struct err *err)
{
	struct counter_event *e = &c->events[i];
	if (e->is_probe)
		return open_probes(c, e, t, place, err);
	return open_one(c, e, t, place, use_of(e) | (c->allocators ? USE_PAGES : 0), err);
}

static bool open_all(struct counters *c, bool is_of_all, pid_t tid, int cgroup, struct err *err)
{
	for (size_t i = 0; i < c->n_events; i++) {
		bool is_now = !c->events[i].is_written && c->events[i].is_of_all == is_of_all;
		for (size_t cpu = 0; is_now && cpu < c->cpus.n; cpu++) {
			struct counter_target t = {tid, c->cpus.v[cpu], cgroup};
			if (open_event(c, i, &t, c->events[i].set * c->cpus.n + cpu, err))
				continue;
			if (!c->events[i].is_probe || !drop_probes(c))
				return false;
			i--;
			is_now = false;
		}
	}
	return true;
}

bool counters_open(struct counters *c, pid_t tid, int cgroup, struct err *err)
{
	bool is_good = open_all(c, false, tid, cgroup, err);
	c->n_of_targets = c->n_fds;
	return is_good;
}

bool counters_open_rest(struct counters *c, struct err *err)
{
	return open_all(c, true, -1, -1, err);
}

static uint32_t find_use(const struct counters *c, uint64_t id)
{
	uint32_t use = 0;
	idmap_find(&c->uses, id, &use);
	return use;
}

pid_t counters_woken(const struct counters *c, const struct abi_record *r)
{
	const uint64_t *words = (const uint64_t *)(const void *)(r + 1);
	size_t n = (r->size - sizeof *r) / 8, chain = RECORDS_WORD_OF_CHAIN;
	int32_t pid;
	if (n <= chain || !(find_use(c, words[0]) & USE_WAKE_UP) || words[chain] > n - chain - 1)
		return -1;
	const char *raw = (const char *)(words + chain + 1 + words[chain]) + sizeof(uint32_t);
	if (raw + PID_OF_WAKING + sizeof pid > (const char *)r + r->size)
		return -1;
	memcpy(&pid, raw + PID_OF_WAKING, sizeof pid);
	return pid;
}

bool counters_have_stack(const struct counters *c, uint64_t id)
{
	return !(find_use(c, id) & USE_TIME);
}

bool counters_are_waking(const struct counters *c, uint64_t id)
{
	return find_use(c, id) & USE_WAKE_UP;
}

bool counters_are_bell(const struct counters *c, uint64_t id)
{
	return find_use(c, id) & USE_BELL;
}

void counters_let_ring(const struct counters *c, size_t place, bool on)
{
	for (size_t i = 0; i < c->bell_fds[place].n; i++)
		ioctl(c->bell_fds[place].v[i], on ? ABI_IOCTL_ENABLE : ABI_IOCTL_DISABLE, 0);
}

int counters_cpu(const struct counters *c, size_t place)
{
	return c->cpus.v[place % c->cpus.n];
}

void counters_settle(struct counters *c)
{
	for (size_t i = 0; c->allocators && i < c->n_events; i++)
		allocators_hide(&c->events[i].attr);
}

/* false: the call that made this one counts the bytes, or it must fail. */
static bool weigh_call(struct counters *c, struct abi_record *r, const struct allocator *function)
{
	struct allocator_call call;
	c->n_calls++;
	bool is_read = allocator_read_call(r, &c->recorded, function, &call);
	if (is_read && allocator_calls_are_nested(&c->calls, &call))
		return false;
	if (!allocator_weigh(r, &c->recorded, function->size))
		return false;
	bool is_impossible = is_read && call.bytes >= ALLOCATOR_BYTES_MOST;
	c->n_impossible += is_impossible;
	return !is_impossible;
}

bool counters_weigh(struct counters *c, struct abi_record *r)
{
	uint64_t id;
	if (!c->uses.n || r->size < sizeof *r + sizeof id)
		return true;
	memcpy(&id, r + 1, sizeof id);
	uint32_t use = find_use(c, id);
	if (use & USE_BELL)
		return false;
	if (use & USE_CALLS)
		return weigh_call(c, r, &c->allocators->v[use >> USE_FUNCTION]);
	return !(use & USE_PAGES) || allocator_weigh(r, &c->recorded, SIZE_PAGE);
}

void counters_lower_frequency(struct counters *c)
{
	for (size_t i = 0; i < c->n_fds; i++) {
		const struct abi_attr *a = &c->events[c->event_of[i]].attr;
		bool is_clock = a->type == ABI_SOFTWARE && (a->config == ABI_CPU_CLOCK || a->config == ABI_TASK_CLOCK);
		uint64_t allowed = limits_frequency(a->period), period = is_clock ? 1000000000 / allowed : allowed;
		if (a->flags & ABI_FREQ && allowed < a->period)
			ioctl(c->fds[i], ABI_IOCTL_PERIOD, &period); /* the kernel gave clocks a period in ns */
	}
}

const struct counter_event *counters_switches(const struct counters *c)
{
	for (size_t i = 0; i < c->n_events; i++)
		if (c->events[i].attr.flags & ABI_CONTEXT_SWITCH && c->events[i].n_ids)
			return &c->events[i];
	return NULL;
}

bool counters_are_open(const struct counters *c)
{
	return c->n_fds > 0;
}

/* ---- running ------------------------------------------------------------------------------------------------- */

bool counters_have_ended(const struct counters *c)
{
	for (size_t i = 0; i < c->n_of_targets; i++) {
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

uint64_t counters_lost(const struct counters *c, bool of_bells)
{
	uint64_t sum = 0;
	if (!c->n_events || !(c->events[0].attr.read_format & READ_LOST))
		return 0;
	for (size_t i = 0; i < c->n_fds; i++) {
		if (c->events[c->event_of[i]].is_bell != of_bells)
			continue;
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
