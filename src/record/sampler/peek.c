/*
 * peek.c - looks at running threads by ptrace(2).
 *
 *	seize -> interrupt -> wait until it stops -> registers, stack -> detach, with the signal that stopped it
 *
 * Whether a thread runs is read from /proc before, and how long it has run since it was last seen: that is the
 * weight of the sample. A thread that does not stop at once, since it has just begun to wait for a device, is let
 * go in a later round.
 *
 * Memory is read on another thread, because its process can hold it back for ever (errand.h).
 */
#include "record/sampler/peek.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/find.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/proc.h"
#include "record/sampler/errand.h"
#include "record/sampler/records.h"
#include "record/sampler/targets.h"

/* In the order that samples have them (counters.c). */
#if defined(__x86_64__)
enum { REGISTER_SP = 7, REGISTER_IP = 8, REGISTERS = 20 };
#else /* aarch64; of other machines no registers are read */
enum { REGISTER_SP = 31, REGISTER_IP = 32, REGISTERS = 33 };
#endif

#define PATIENCE 20      /* milliseconds that a thread may take to stop */
#define DESCENDANTS 4096 /* processes */
#define PAGE 4096u

struct peek {
	uint32_t dump;
	uint64_t id;
	struct peek_target {
		pid_t pid, tid; /* tid 0: the whole process */
	} * targets;
	size_t n_targets, cap_targets;
	struct number_list processes; /* of this round */
	struct idmap seen;            /* processes of this round */
	struct idmap known;           /* threads -> their place in used */
	uint64_t *used;               /* ns of CPU time that is in samples */
	size_t n_used, cap_used;
	struct number_list late; /* threads that have not stopped yet */
	struct reading *reading; /* for the next stack; NULL: none yet */
	struct errands errands;
	struct idmap held; /* processes that hold back their memory */
	bool is_quiet;
	pid_t child; /* the command, whose status others want; 0: none */
	struct peek_hooks hooks;
	bool has_begun; /* threads that are new from now on have used nothing before */
};

/* All that is needed to read a thread: it may be left to whoever reads it. */
struct reading {
	struct records_sample sample;
	struct peek_hooks hooks;
	struct buf out; /* of hooks.read */
	uint32_t n;
	unsigned char stack[];
};

static struct reading *reading_new(uint32_t n)
{
	struct reading *r = mem_zalloc(1, sizeof *r + n);
	buf_init(&r->out);
	r->n = n;
	return r;
}

static void reading_free(void *arg)
{
	struct reading *r = arg;
	if (r)
		buf_deinit(&r->out);
	free(r);
}

struct peek *peek_new(uint32_t dump, uint64_t id, bool is_quiet)
{
	struct peek *p = mem_zalloc(1, sizeof *p);
	p->dump = dump;
	p->id = id;
	p->is_quiet = is_quiet;
	return p;
}

void peek_free(struct peek *p)
{
	if (!p)
		return;
	free(p->targets);
	reading_free(p->reading);
	errands_deinit(&p->errands);
	idmap_deinit(&p->held);
	number_list_deinit(&p->processes);
	number_list_deinit(&p->late);
	idmap_deinit(&p->seen);
	idmap_deinit(&p->known);
	free(p->used);
	free(p);
}

void peek_hook(struct peek *p, const struct peek_hooks *hooks)
{
	p->hooks = *hooks;
}

void peek_add(struct peek *p, pid_t pid, pid_t tid)
{
	struct peek_target t = {pid, tid};
	mem_push(p->targets, p->n_targets, p->cap_targets, t);
}

static uint64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- a thread ------------------------------------------------------------------------------------------------ */

/* How a thread is: it stands still, it has ended, or neither yet. The end of our child is left to others. */
enum state { RUNS, STOPPED, ENDED };

static enum state look(const struct peek *p, pid_t tid, int *status)
{
	siginfo_t info = {.si_pid = 0};
	int ends = tid == p->child ? 0 : WEXITED;
	if (waitid(P_PID, (id_t)tid, &info, WSTOPPED | ends | WNOHANG | __WALL) != 0)
		return ENDED;
	*status = info.si_status;
	if (info.si_pid != tid)
		return RUNS;
	return info.si_code == CLD_TRAPPED || info.si_code == CLD_STOPPED ? STOPPED : ENDED;
}

/* Waits until the thread stands still. false: it does not yet, or it has ended. */
static bool wait_for_stop(const struct peek *p, pid_t tid, int *status)
{
	const struct timespec nap = {0, 20000};
	uint64_t end = now() + PATIENCE * 1000000u;
	enum state state;
	while ((state = look(p, tid, status)) == RUNS && now() < end)
		nanosleep(&nap, NULL);
	if (state == RUNS)
		errno = EAGAIN;
	return state == STOPPED;
}

/* A signal that was about to be delivered is delivered now. */
static void let_go(pid_t tid, int status)
{
	bool is_ours = status >> 8 == PTRACE_EVENT_STOP;
	ptrace(PTRACE_DETACH, tid, NULL, (void *)(intptr_t)(is_ours ? 0 : status & 0x7f));
}

static bool stop(struct peek *p, pid_t tid, int *status)
{
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		return false;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0 && wait_for_stop(p, tid, status))
		return true;
	if (errno == EAGAIN)
		number_list_add(&p->late, tid);
	return false;
}

static void let_late_ones_go(struct peek *p)
{
	size_t kept = 0;
	for (size_t i = 0; i < p->late.n; i++) {
		int status;
		enum state state = look(p, p->late.v[i], &status);
		if (state == RUNS)
			p->late.v[kept++] = p->late.v[i];
		else if (state == STOPPED)
			let_go(p->late.v[i], status);
	}
	p->late.n = kept;
}

#if defined(__x86_64__) || defined(__aarch64__)

#define KNOWS_REGISTERS true

/* Puts the registers in the order of perf_regs.h. false: they cannot be read. */
static bool read_registers(pid_t tid, struct records_sample *s)
{
	struct user_regs_struct r;
	struct iovec into = {&r, sizeof r};
	if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &into) != 0)
		return false;
#if defined(__x86_64__)
	bool is_32 = into.iov_len != sizeof r;
	const uint64_t in_order[] = {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.rsp, r.rip, r.eflags,
	                             r.cs,  r.ss,  r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
	if (is_32)
		return false;
	s->ip = r.rip;
	s->sp = r.rsp;
#else
	uint64_t in_order[33];
	memcpy(in_order, r.regs, sizeof r.regs);
	in_order[31] = s->sp = r.sp;
	in_order[32] = s->ip = r.pc;
#endif
	s->n_regs = sizeof in_order / sizeof *in_order;
	memcpy(s->regs, in_order, sizeof in_order);
	return true;
}

#else

#define KNOWS_REGISTERS false

static bool read_registers(pid_t tid, struct records_sample *s)
{
	(void)tid;
	(void)s;
	return false;
}

#endif

/* The kernel copies whole pieces only: each page is one. */
static size_t read_stack(pid_t pid, uint64_t from, unsigned char *bytes, uint32_t most)
{
	struct iovec into = {bytes, most}, pages[RECORDS_STACK_MOST / PAGE + 2];
	size_t n = 0;
	for (uint64_t at = from, end = from + most; at < end; n++) {
		uint64_t next = (at / PAGE + 1) * PAGE;
		next = next < end ? next : end;
		pages[n] = (struct iovec){(void *)(uintptr_t)at, (size_t)(next - at)};
		at = next;
	}
	ssize_t got = process_vm_readv(pid, &into, 1, pages, n, 0);
	return got > 0 ? (size_t)got & ~(size_t)7 : 0;
}

static void read_thread(void *arg)
{
	struct reading *r = arg;
	struct records_sample *s = &r->sample;
	s->stack = r->stack;
	s->n_stack = read_stack(s->pid, s->sp, r->stack, r->n);
	if (r->hooks.read)
		r->hooks.read(r->hooks.arg, s, &r->out);
}

/* Adds the stack to the sample, and what others read. false: the process holds back its memory. */
static bool read_memory(struct peek *p, struct records_sample *s, struct buf *out)
{
	uint32_t unused;
	if (p->errands.n_lost > ERRANDS_LOST_MOST || idmap_find(&p->held, (uint64_t)s->pid, &unused))
		return true;
	struct reading *r = p->reading = p->reading ? p->reading : reading_new(p->dump);
	r->sample = *s;
	r->hooks = p->hooks;
	r->out.len = 0;
	if (!errand_run(&p->errands, read_thread, reading_free, r)) {
		p->reading = NULL;
		return false;
	}
	buf_add(out, r->out.data, r->out.len);
	*s = r->sample;
	return true;
}

static void hold(struct peek *p, pid_t pid, struct buf *out)
{
	idmap_add(&p->held, (uint64_t)pid, 0);
	if (p->hooks.held)
		p->hooks.held(p->hooks.arg, pid, out);
	if (!p->is_quiet)
		errand_say_held(pid, "callers and functions of interpreters");
}

static void take_thread(struct peek *p, pid_t pid, pid_t tid, struct records_sample *s, struct buf *out)
{
	int status;
	if (!stop(p, tid, &status))
		return;
	s->pid = pid;
	s->tid = tid;
	s->time = now();
	s->n_stack = 0;
	bool is_read = read_registers(tid, s), has_memory = is_read && read_memory(p, s, out);
	let_go(tid, status);
	if (is_read)
		records_add_sample(out, s);
	if (is_read && !has_memory)
		hold(p, pid, out);
}

void peek_from_start(struct peek *p, pid_t child)
{
	p->child = child;
	p->has_begun = true;
}

/* Stopping a thread that sleeps could end its system call early, so this asks the kernel in another way. */
bool peek_check(pid_t pid, struct err *err)
{
	char byte, path[64], tracer[32];
	struct iovec into = {&byte, 1}, from = {NULL, 1};
	if (!KNOWS_REGISTERS)
		return fail(err, "--ptrace works on x86-64 and aarch64 only: no other registers are known");
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	if (proc_line(path, "TracerPid:", tracer, sizeof tracer) && strtol(tracer, NULL, 10) != 0)
		return fail(err, "--ptrace: process %ld is traced already, by process %ld", (long)pid,
		            strtol(tracer, NULL, 10));
	/* There is nothing at address 0: with the right to debug the process, that is the error. */
	return process_vm_readv(pid, &into, 1, &from, 1, 0) >= 0 || errno == EFAULT ||
	       fail_errno(err, "--ptrace of process %ld", (long)pid);
}

/* ---- a sleeping thread --------------------------------------------------------------------------------------- */

/* "202 0x7f.. 0x80 0x0 0x0 0x0 0x0 0x7ffc.. 0x7f..": the last two are stack pointer and address (proc(5)). */
static bool read_sleeper(pid_t pid, pid_t tid, struct records_sample *s)
{
	char path[96], text[256];
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/syscall", (long)pid, (long)tid);
	size_t n = proc_read(path, text, sizeof text);
	const char *ip = n ? find_last(text, ' ', n) : NULL,
			   *sp = ip ? find_last(text, ' ', (size_t)(ip - text)) : NULL;
	s->ip = ip ? strtoull(ip, NULL, 16) : 0;
	s->sp = sp ? strtoull(sp, NULL, 16) : 0;
	return s->ip && s->sp;
}

bool peek_add_sleeper(struct errands *errands, pid_t pid, pid_t tid, uint32_t dump, const struct peek_place *place,
                      struct buf *out)
{
	struct reading *r = reading_new(dump);
	struct records_sample s = {.id = place->id, .time = place->time, .period = 1, .pid = pid, .tid = tid};
	if (!read_sleeper(pid, tid, &s)) {
		reading_free(r);
		return true;
	}
	s.n_regs = dump ? REGISTERS : 0;
	s.regs[REGISTER_SP] = s.sp;
	s.regs[REGISTER_IP] = s.ip;
	r->sample = s;
	bool is_read = !dump || errand_run(errands, read_thread, reading_free, r);
	records_add_sample(out, is_read ? &r->sample : &s);
	if (is_read)
		reading_free(r);
	return is_read;
}

/* ---- processes ----------------------------------------------------------------------------------------------- */

static void add_process(void *arg, pid_t pid)
{
	struct peek *p = arg;
	if (p->processes.n < DESCENDANTS && idmap_add(&p->seen, (uint32_t)pid, 0))
		number_list_add(&p->processes, pid);
}

/* The CPU time of a thread in ns; 0: the kernel does not tell. */
static uint64_t cpu_time(pid_t pid, pid_t tid)
{
	char path[96];
	int64_t ns = 0;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	proc_number(path, &ns);
	return ns > 0 ? (uint64_t)ns : 0;
}

/* Returns how long the thread has run since its last sample. */
static uint64_t spend(struct peek *p, pid_t pid, pid_t tid, struct buf *out)
{
	uint64_t now_used = cpu_time(pid, tid);
	uint32_t at;
	if (!idmap_find(&p->known, (uint32_t)tid, &at)) {
		at = (uint32_t)p->n_used;
		mem_push(p->used, p->n_used, p->cap_used, p->has_begun ? 0 : now_used);
		idmap_add(&p->known, (uint32_t)tid, at);
		running_add_name(pid, tid, out);
	}
	uint64_t since = now_used > p->used[at] ? now_used - p->used[at] : 0;
	p->used[at] = now_used;
	return since;
}

static void describe(struct peek *p, pid_t pid, struct running *running, struct buf *out)
{
	if (running_update(running, pid, out) && p->hooks.mapped)
		p->hooks.mapped(p->hooks.arg, pid, out);
}

/* Looks at a process, and finds its children. */
static void take_process(struct peek *p, pid_t pid, pid_t only, struct running *running, struct records_sample *s,
                         struct buf *out)
{
	struct number_list threads = {0};
	bool is_described = false;
	targets_threads(pid, &threads);
	for (size_t i = 0; i < threads.n; i++) {
		if (only && threads.v[i] != only)
			continue;
		if (!only)
			proc_children(pid, threads.v[i], add_process, p);
		if (p->has_begun && proc_thread_state(pid, threads.v[i]) != 'R')
			continue;
		s->period = spend(p, pid, threads.v[i], out);
		if (!s->period)
			continue;
		if (!is_described)
			describe(p, pid, running, out);
		is_described = true;
		take_thread(p, pid, threads.v[i], s, out);
	}
	number_list_deinit(&threads);
}

static void begin_round(struct peek *p)
{
	p->processes.n = 0;
	idmap_deinit(&p->seen);
	let_late_ones_go(p);
}

bool peek_take(struct peek *p, struct running *running, struct buf *out)
{
	struct records_sample s = {.id = p->id};
	bool lives = false;
	begin_round(p);
	for (size_t i = 0; i < p->n_targets; i++) {
		const struct peek_target *t = &p->targets[i];
		struct proc_stat stat;
		lives |= proc_stat(t->pid, &stat) && stat.state != 'Z' && stat.state != 'X';
		if (t->tid)
			take_process(p, t->pid, t->tid, running, &s, out);
		else
			add_process(p, t->pid);
	}
	for (size_t i = 0; i < p->processes.n; i++)
		take_process(p, p->processes.v[i], 0, running, &s, out);
	p->has_begun = true;
	return lives || p->processes.n > p->n_targets;
}
