/*
 * peek.c - looks at running threads by ptrace(2).
 *
 *	seize -> interrupt -> wait until it stops -> registers, stack -> detach, with the signal that stopped it
 *
 * Whether a thread runs is read from /proc before, and how long it has run since its last sample: that is the
 * weight of the sample. A thread that does not stop at once, since it has just begun to wait for a device, is let
 * go in a later round.
 *
 * The kernel also calls a thread running ('R') that waits for a processor. If it was preempted, its stack is that
 * of its work. If it has just been woken, its stack is still that of its sleep, where it spent no time: no sample
 * is taken, and the time counts for the next one (has_worked).
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

#define AWAKE 50000      /* ns: a thread that seems to have slept for less has not */
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
	struct idmap known;           /* TIDs -> their places in threads */
	struct peek_thread {
		uint64_t used; /* ns of CPU time that is in samples */
		uint64_t name; /* hash of the name that is recorded; 0: none */
		pid_t pid;
		bool was_let_go; /* in this round: it has just begun to run, because of us */
	} * threads;
	size_t n_threads, cap_threads;
	struct idmap programs; /* PIDs -> their places in stacks */
	uint64_t *stacks;      /* by process: where its main thread's stack began when it was last looked at */
	size_t n_stacks, cap_stacks;
	struct number_list late; /* threads that have not stopped yet */
	struct reading *reading; /* for the next stack; NULL: none yet */
	struct errands errands;
	struct idmap held; /* processes that hold back their memory */
	struct barred barred;
	uint32_t random;
	double moment; /* of the last look in its interval: from 0 to 1 */
	bool is_quiet;
	pid_t child;  /* the command, whose status others want; 0: none */
	pid_t viewer; /* ours, which is not looked at; 0: none */
	struct peek_hooks hooks;
	bool has_begun; /* threads that are new from now on have used nothing before */
};

/* All that is needed to read a thread. If the read never ends, this is left to the thread that reads. */
struct reading {
	struct records_sample sample;
	void (*more)(void *reader, const struct records_sample *, struct buf *out); /* NULL: nothing */
	void *reader;
	struct buf out; /* of more() */
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
	barred_deinit(&p->barred);
	number_list_deinit(&p->processes);
	number_list_deinit(&p->late);
	idmap_deinit(&p->seen);
	idmap_deinit(&p->known);
	idmap_deinit(&p->programs);
	free(p->threads);
	free(p->stacks);
	free(p);
}

const struct barred *peek_barred(const struct peek *p)
{
	return &p->barred;
}

double peek_pause(struct peek *p, uint64_t frequency)
{
	p->random = p->random * 1664525u + 1013904223u; /* Numerical Recipes' generator */
	double before = p->moment;
	p->moment = (double)(p->random >> 8) / (1u << 24);
	return (1 - before + p->moment) / (double)frequency;
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

/* It is traced by us already, and is waited for. */
static bool is_late(const struct peek *p, pid_t tid)
{
	for (size_t i = 0; i < p->late.n; i++)
		if (p->late.v[i] == tid)
			return true;
	return false;
}

static bool stop(struct peek *p, pid_t tid, int *status)
{
	errno = EAGAIN;
	if (is_late(p, tid))
		return false;
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
		uint32_t at;
		enum state state = look(p, p->late.v[i], &status);
		if (state == RUNS)
			p->late.v[kept++] = p->late.v[i];
		else if (state == STOPPED)
			let_go(p->late.v[i], status);
		if (state == STOPPED && idmap_find(&p->known, (uint32_t)p->late.v[i], &at))
			p->threads[at].was_let_go = true;
	}
	p->late.n = kept;
}

#if defined(__x86_64__) || defined(__aarch64__)

#define KNOWS_REGISTERS true

/* Puts the registers in the order of perf_regs.h. is_in_call: in a system call. false: they cannot be read. */
static bool read_registers(pid_t tid, struct records_sample *s, bool *is_in_call)
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
	*is_in_call = (int64_t)r.orig_rax >= 0;
#else
	int call = -1;
	struct iovec into_call = {&call, sizeof call};
	*is_in_call = ptrace(PTRACE_GETREGSET, tid, NT_ARM_SYSTEM_CALL, &into_call) != 0 || call >= 0;
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

static bool read_registers(pid_t tid, struct records_sample *s, bool *is_in_call)
{
	(void)tid;
	(void)s;
	(void)is_in_call;
	return false;
}

#endif

/* The kernel copies whole pieces only: each page is one. */
static size_t read_stack(pid_t tid, uint64_t from, unsigned char *bytes, uint32_t most)
{
	struct iovec into = {bytes, most}, pages[RECORDS_STACK_MOST / PAGE + 2];
	size_t n = 0;
	for (uint64_t at = from, end = from + most; at < end; n++) {
		uint64_t next = (at / PAGE + 1) * PAGE;
		next = next < end ? next : end;
		pages[n] = (struct iovec){(void *)(uintptr_t)at, (size_t)(next - at)};
		at = next;
	}
	ssize_t got = process_vm_readv(tid, &into, 1, pages, n, 0);
	return got > 0 ? (size_t)got & ~(size_t)7 : 0;
}

/* What the kernel counts for a thread, times in ns. run 0: it does not tell. */
struct turns {
	uint64_t run, waited; /* on a processor; for one, until the thread got it */
	uint64_t n;           /* how often it got one */
	uint64_t left; /* when it last left its processor, on the kernel's clock; 0: it has moved, or is not told */
};

static struct turns read_turns(pid_t pid, pid_t tid)
{
	char path[96], text[96], *end;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)pid, (long)tid);
	proc_read(path, text, sizeof text);
	struct turns t = {.run = strtoull(text, &end, 10)};
	t.waited = strtoull(end, &end, 10);
	t.n = strtoull(end, NULL, 10);
	return t;
}

/* "se.exec_start     :     2825784.123456": milliseconds. */
static uint64_t read_left(pid_t pid, pid_t tid)
{
	char path[96], text[96], *end;
	snprintf(path, sizeof path, "/proc/%ld/task/%ld/sched", (long)pid, (long)tid);
	if (!proc_line(path, "se.exec_start", text, sizeof text))
		return 0;
	uint64_t ms = strtoull(text + strspn(text, " :"), &end, 10);
	return ms * 1000000 + (*end == '.' ? strtoull(end + 1, NULL, 10) : 0);
}

/*
 * Has a thread that stands still in a system call worked in it, rather than slept? It has if it kept its processor
 * from the look at `before` until it was stopped. If it waited for one then, it was preempted if it waited ever
 * since it had left its last one, and woken if it did not.
 */
static bool has_worked(pid_t pid, pid_t tid, const struct turns *before)
{
	struct turns t = read_turns(pid, tid);
	if (t.n == before->n)
		return true;
	t.left = read_left(pid, tid);
	int64_t asleep = (int64_t)((t.left - before->left) - (t.run - before->run) - (t.waited - before->waited));
	return before->left && asleep > -AWAKE && asleep < AWAKE;
}

static void read_thread(void *arg)
{
	struct reading *r = arg;
	struct records_sample *s = &r->sample;
	s->stack = r->stack;
	s->n_stack = read_stack(s->tid, s->sp, r->stack, r->n);
	if (r->more)
		r->more(r->reader, s, &r->out);
}

/* Adds the stack to the sample, and what others read. false: the process holds back its memory. */
static bool read_memory(struct peek *p, struct records_sample *s, struct buf *out)
{
	uint32_t unused;
	if (p->errands.n_lost > ERRANDS_LOST_MOST || idmap_find(&p->held, (uint64_t)s->pid, &unused))
		return true;
	struct reading *r = p->reading = p->reading ? p->reading : reading_new(p->dump);
	r->sample = *s;
	r->more = p->hooks.read;
	r->reader = p->hooks.read ? p->hooks.reader(p->hooks.arg) : NULL;
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

/* Appends a sample of the thread, unless it does not stop, or has only slept where it is. */
static void take_thread(struct peek *p, struct peek_thread *t, const struct turns *now_used,
                        struct records_sample *s, struct buf *out)
{
	int status;
	bool is_in_call = false;
	if (!stop(p, s->tid, &status)) {
		if (errno == EPERM && !strchr("ZX", proc_thread_state(s->pid, s->tid)))
			barred_refused(&p->barred, s->pid);
		return;
	}
	s->time = now();
	s->n_stack = 0;
	s->period = now_used->run - t->used;
	bool is_read = read_registers(s->tid, s, &is_in_call) && (!is_in_call || has_worked(s->pid, s->tid, now_used));
	bool has_memory = is_read && read_memory(p, s, out);
	let_go(s->tid, status);
	if (!is_read)
		return;
	records_add_sample(out, s);
	t->used = now_used->run;
	if (!has_memory)
		hold(p, s->pid, out);
}

void peek_leave_out(struct peek *p, pid_t viewer)
{
	p->viewer = viewer;
}

void peek_from_start(struct peek *p, pid_t child)
{
	p->child = child;
	p->has_begun = true;
}

/* There is nothing at address 0: with the right to debug the process, that is the error. */
static bool may_read(pid_t tid)
{
	char byte;
	struct iovec into = {&byte, 1}, from = {NULL, 1};
	return process_vm_readv(tid, &into, 1, &from, 1, 0) >= 0 || errno == EFAULT;
}

/* Any of its threads will do: if the main one has ended, it has no memory. */
static bool may_read_any(pid_t pid)
{
	struct number_list threads = {0};
	bool may = may_read(pid);
	int error = errno;
	if (!may && error == ESRCH)
		targets_threads(pid, &threads);
	for (size_t i = 0; !may && i < threads.n; i++)
		may = may_read(threads.v[i]);
	number_list_deinit(&threads);
	errno = error;
	return may;
}

/* Stopping a thread that sleeps could end its system call early, so this asks the kernel in another way. */
bool peek_check(pid_t pid, struct err *err)
{
	char path[64], tracer[32];
	if (!KNOWS_REGISTERS)
		return fail(err, "--ptrace works on x86-64 and aarch64 only: no other registers are known");
	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	if (proc_line(path, "TracerPid:", tracer, sizeof tracer) && strtol(tracer, NULL, 10) != 0)
		return fail(err, "--ptrace: process %ld is traced already, by process %ld", (long)pid,
		            strtol(tracer, NULL, 10));
	return may_read_any(pid) || fail_errno(err, "--ptrace of process %ld", (long)pid);
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
	if (pid == getpid() || pid == p->viewer)
		return;
	if (p->processes.n < DESCENDANTS && idmap_add(&p->seen, (uint32_t)pid, 0))
		number_list_add(&p->processes, pid);
}

/* Has the process begun another program since the last call? Its stack is elsewhere then. */
static bool has_new_program(struct peek *p, pid_t pid)
{
	struct proc_stat s;
	uint32_t at;
	if (!proc_stat(pid, &s) || !s.stack)
		return false;
	if (!idmap_find(&p->programs, (uint32_t)pid, &at)) {
		idmap_add(&p->programs, (uint32_t)pid, (uint32_t)p->n_stacks);
		mem_push(p->stacks, p->n_stacks, p->cap_stacks, s.stack);
		return false;
	}
	bool is_new = p->stacks[at] != s.stack;
	p->stacks[at] = s.stack;
	return is_new;
}

/*
 * What the thread had used that began the new program. It has the number of the process from then on, and the
 * others are gone. It has used `ns` by now, so it is the one that had used most of those with less.
 */
static uint64_t used_before(const struct peek *p, pid_t pid, uint64_t ns)
{
	uint64_t used = 0;
	for (size_t i = 0; i < p->n_threads; i++) {
		const struct peek_thread *t = &p->threads[i];
		if (t->pid == pid && t->used <= ns && t->used > used)
			used = t->used;
	}
	return used;
}

/*
 * What is known of the thread, which may be new: so is one that has run for less time than before, under a TID that
 * is used again. Valid until the next call.
 */
static struct peek_thread *thread_of(struct peek *p, pid_t pid, pid_t tid, uint64_t ns)
{
	bool is_heir = tid == pid && has_new_program(p, pid);
	struct peek_thread fresh = {.used = !p->has_begun ? ns : is_heir ? used_before(p, pid, ns) : 0, .pid = pid};
	uint32_t at;
	if (idmap_find(&p->known, (uint32_t)tid, &at)) {
		if (is_heir || ns < p->threads[at].used)
			p->threads[at] = fresh;
		return &p->threads[at];
	}
	idmap_add(&p->known, (uint32_t)tid, (uint32_t)p->n_threads);
	mem_push(p->threads, p->n_threads, p->cap_threads, fresh);
	return &p->threads[p->n_threads - 1];
}

/* Has it run since its last sample, and not only because we let it go in this round? */
static bool is_to_be_taken(struct peek_thread *t, const struct turns *now_used)
{
	bool was_let_go = t->was_let_go;
	t->was_let_go = false;
	return !was_let_go && now_used->run > t->used;
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
		struct turns now_used = read_turns(pid, threads.v[i]);
		struct peek_thread *t = thread_of(p, pid, threads.v[i], now_used.run);
		if (!is_to_be_taken(t, &now_used))
			continue;
		now_used.left = read_left(pid, threads.v[i]);
		if (!is_described)
			describe(p, pid, running, out);
		is_described = true;
		s->pid = pid;
		s->tid = threads.v[i];
		running_add_name(pid, s->tid, &t->name, out); /* also after exec(2) or prctl(2) */
		take_thread(p, t, &now_used, s, out);
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
		lives |= proc_stat(t->pid, &stat) && !stat.is_over;
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
