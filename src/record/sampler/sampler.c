/*
 * sampler.c - samples programs without perf.
 *
 *	open counters -> start -> again and again: empty all rings in turn, end of round, write -> stop -> end
 *
 * Rounds order the records: all that are older than the youngest of the round before have come (perfdata/order.c).
 * A round lasts for ROUND_MS at most, so that samples are on the screen soon. The rings are emptied whatever the
 * reader does; what it does not take waits in memory, and beyond BACKLOG_MOST in the rings, until the kernel counts
 * losses.
 *
 * What ran before the recording is described when it is first seen: all of a machine's processes at once would take
 * seconds. A process that ended before its description has addresses without names.
 */
#include "record/sampler/sampler.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/idmap.h"
#include "base/number.h"
#include "base/output.h"
#include "base/proc.h"
#include "perfdata/event.h"
#include "perfdata/records.h"
#include "record/limits.h"
#include "record/sampler/barred.h"
#include "record/sampler/cgroup.h"
#include "record/sampler/command.h"
#include "record/sampler/counters.h"
#include "record/sampler/dump.h"
#include "record/sampler/language_records.h"
#include "record/sampler/peek.h"
#include "record/sampler/perfmap.h"
#include "record/sampler/plan.h"
#include "record/sampler/probes.h"
#include "record/sampler/records.h"
#include "record/sampler/running.h"
#include "record/sampler/strays.h"
#include "record/sampler/told.h"
#include "record/sampler/unprobed.h"
#include "record/sampler/unseen.h"
#include "record/sampler/written.h"

#define ROUND_MS 20
#define OWN_NICE_VALUE (-20) /* if the user may */
#define LOOK_SECONDS 0.25    /* between looks at whether the targets have ended */
#define BACKLOG_MOST ((size_t)256 << 20)
#define EXIT_FORM(status) ((status) << 8) /* as waitpid() has it */
#define PASSES_MOST 20                    /* over the threads of a process that starts new ones meanwhile */

struct sampler {
	const struct sampler_options *options;
	struct counters_plan plan;
	struct counters counters;
	/* Threads that have counters, or inherited them while others were opened; all, if who is woken matters. */
	struct idmap threads;
	bool is_opening;
	bool describes; /* targets may have run before */
	struct running *running;
	struct peek *peek;                  /* NULL: the kernel samples */
	double next_peek;                   /* when */
	bool has_peeked_last;               /* it found no target */
	struct language_records *languages; /* NULL: stacks of languages are not read */
	size_t place;                       /* of the ring that is being drained */
	struct allocators allocators;
	struct probes probes;
	struct command command;
	struct perfmap perfmap;
	bool has_command, has_ended;
	int nice_value;         /* that we began with */
	int status;             /* of the command */
	int cgroup;             /* descriptor */
	struct errands errands; /* stacks of sleeping threads */
	struct written out;
	struct unseen unseen;
	struct barred barred;
	struct buf round;  /* bytes of the present round */
	bool has_unprobed; /* a thread or a process has begun, whose calls of allocators are not counted */
	bool is_throttled; /* the kernel paused a counter */
	uint64_t lost;     /* records that the kernel told, without those of bells */
	uint64_t bells;    /* samples of bells that were among them */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- records ------------------------------------------------------------------------------------------------- */

/* Samples of those who sample would show the sampling. */
static bool is_own(const struct sampler *s, int32_t pid)
{
	return s->options->all_cpus && (pid == getpid() || (s->options->viewer && pid == s->options->viewer));
}

/* With -a and of a control group, everything is. */
static bool is_target(const struct sampler *s, pid_t tid)
{
	uint32_t unused;
	return s->options->all_cpus || s->options->cgroup || idmap_find(&s->threads, (uint32_t)tid, &unused);
}

static void take_fork(struct sampler *s, const struct abi_record *r)
{
	int32_t pid = records_number(r, RECORDS_PID), parent = records_number(r, RECORDS_PARENT);
	s->has_unprobed |= s->counters.lacks_births || (pid != parent && !probes_hold(&s->probes, &s->allocators));
	if (s->is_opening || s->options->wakers)
		idmap_add(&s->threads, (uint32_t)records_number(r, RECORDS_TID), 0);
	if (s->describes)
		running_add(s->running, parent, &s->round); /* its maps are the child's */
	if (s->describes && pid != parent)
		running_knows(s->running, pid);
}

/*
 * Nobody misses samples of bells: they are taken off the number, as far as the kernel tells them apart. A record of
 * none that is left still marks a gap.
 */
static void take_lost(struct sampler *s, struct abi_record *r)
{
	char *place = (char *)(r + 1) + 8;
	uint64_t n, bells;
	if (r->size < sizeof *r + 16)
		return;
	memcpy(&n, place, sizeof n);
	bells = counters_lost(&s->counters, true) - s->bells;
	bells = bells < n ? bells : n;
	s->bells += bells;
	n -= bells;
	s->lost += n;
	memcpy(place, &n, sizeof n);
}

static void take_stack(struct sampler *s, struct abi_record *r, bool is_waking)
{
	if (!counters_have_stack(&s->counters, records_id(r)))
		return;
	language_records_sample(s->languages, s->place, r, &s->round);
	if (!is_waking)
		dump_shorten(r, &s->counters.events[0].attr);
}

static void take_record(void *arg, struct abi_record *r)
{
	struct sampler *s = arg;
	strays_mend(&s->counters, s->place, r);
	if (!s->options->all_cpus && !s->options->cgroup)
		barred_take(&s->barred, r);
	if (r->type == RECORD_SAMPLE) {
		int32_t pid = records_number(r, RECORDS_PID_OF_SAMPLE);
		pid_t woken = counters_woken(&s->counters, r);
		if (is_own(s, pid) || (woken >= 0 && !is_target(s, woken)))
			return;
		if (s->describes)
			running_add(s->running, pid, &s->round);
		unseen_take(&s->unseen, r);
		if (!counters_weigh(&s->counters, r))
			return;
		take_stack(s, r, woken >= 0);
	} else if (r->type == RECORD_FORK) {
		language_records_program(s->languages, r, &s->round);
		take_fork(s, r);
	} else if (r->type == RECORD_THROTTLE) {
		s->is_throttled = true;
	} else if (r->type == RECORD_LOST) {
		take_lost(s, r);
	} else if (r->type == RECORD_SWITCH || r->type == RECORD_SWITCH_CPU_WIDE) {
		if (is_own(s, records_number(r, r->size - RECORDS_TRAILER * sizeof(uint64_t))))
			return;
	} else if (r->type == RECORD_MMAP2) {
		language_records_program(s->languages, r, &s->round);
		running_identify(s->running, r);
	} else if (r->type == RECORD_COMM) {
		language_records_program(s->languages, r, &s->round);
		if (r->misc & ABI_MISC_EXEC)
			allocator_calls_forget(&s->counters.calls, records_number(r, RECORDS_PID));
	}
	buf_add(&s->round, r, r->size);
}

static void say_broken(const struct sampler *s, size_t place)
{
	if (!s->options->is_quiet)
		err_printf("the kernel's buffer of processor %d makes no sense; its samples are missing from here on",
		           counters_cpu(&s->counters, place));
}

static void empty_rings(struct sampler *s)
{
	if (s->peek)
		return;
	language_records_watch(s->languages, &s->round);
	for (size_t i = 0; i < s->counters.n_rings; i++) {
		struct ring *ring = &s->counters.rings[i];
		s->place = i;
		bool was_broken = ring->is_broken;
		if (ring->page && !ring_drain(ring, take_record, s) && !was_broken)
			say_broken(s, i);
		if (ring->page && ring_has_unseen(ring))
			language_records_call(s->languages, i);
	}
}

/* ---- targets ------------------------------------------------------------------------------------------------- */

/* Opens the threads that neither have counters nor inherited them. Returns how many; -1: failed. */
static int open_new_threads(struct sampler *s, pid_t pid, struct err *err)
{
	struct number_list threads = {0};
	int n = 0;
	targets_threads(pid, &threads);
	empty_rings(s); /* tells of threads that were born */
	for (size_t i = 0; n >= 0 && i < threads.n; i++) {
		if (!idmap_add(&s->threads, (uint32_t)threads.v[i], 0))
			continue;
		n = counters_open(&s->counters, threads.v[i], -1, err) ? n + 1 : -1;
	}
	number_list_deinit(&threads);
	return n;
}

/* A thread that is born while its process is scanned is found by the next scan. */
static bool open_process(struct sampler *s, pid_t pid, struct err *err)
{
	int n = 1;
	for (int pass = 0; n > 0 && pass < PASSES_MOST; pass++)
		n = open_new_threads(s, pid, err);
	return n >= 0;
}

static bool open_listed(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	bool is_good = true;
	for (size_t i = 0; is_good && o->pids && o->pids[i]; i++)
		is_good = open_process(s, targets_number(o->pids[i]), err);
	for (size_t i = 0; is_good && o->tids && o->tids[i]; i++) {
		if (idmap_add(&s->threads, (uint32_t)targets_number(o->tids[i]), 0))
			is_good = counters_open(&s->counters, targets_number(o->tids[i]), -1, err);
	}
	return is_good && (counters_are_open(&s->counters) || fail(err, "the processes to be sampled have ended"));
}

static bool open_cgroup(struct sampler *s, struct err *err)
{
	s->cgroup = cgroup_open(s->options->cgroup, err);
	return s->cgroup >= 0 && counters_open(&s->counters, -1, s->cgroup, err);
}

static bool open_command(struct sampler *s, struct err *err)
{
	idmap_add(&s->threads, (uint32_t)s->command.pid, 0);
	running_knows(s->running, s->command.pid);
	return counters_open(&s->counters, s->command.pid, -1, err);
}

static bool open_peek(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	bool is_good = true;
	s->peek = peek_new(s->plan.dump, COUNTERS_PEEK_ID, !says_held(o));
	peek_leave_out(s->peek, o->viewer);
	if (o->command) {
		peek_add(s->peek, s->command.pid, 0);
		peek_from_start(s->peek, s->command.pid);
	}
	for (size_t i = 0; is_good && o->pids && o->pids[i]; i++) {
		peek_add(s->peek, targets_number(o->pids[i]), 0);
		is_good = peek_check(targets_number(o->pids[i]), err);
	}
	for (size_t i = 0; is_good && o->tids && o->tids[i]; i++) {
		peek_add(s->peek, targets_process(targets_number(o->tids[i])), targets_number(o->tids[i]));
		is_good = peek_check(targets_number(o->tids[i]), err);
	}
	return is_good;
}

static bool open_targets(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	if (o->ptrace)
		return open_peek(s, err);
	bool is_good = o->cgroup     ? open_cgroup(s, err)
	               : o->all_cpus ? counters_open(&s->counters, -1, -1, err)
	               : o->command  ? open_command(s, err)
	                             : open_listed(s, err);
	is_good = is_good && counters_open_rest(&s->counters, err);
	counters_settle(&s->counters);
	return is_good;
}

/* Says where a sleeping thread is, and that it has left the CPU: the kernel does not, until it wakes up. */
static void describe_sleeper(struct sampler *s, pid_t pid, pid_t tid, uint64_t time)
{
	const struct counter_event *e = counters_switches(&s->counters);
	char state = proc_thread_state(pid, tid);
	if (!e || !state || !strchr("SDTtI", state))
		return;
	const struct peek_place place = {e->ids[0], time};
	bool is_given = !s->errands.n_lost; /* one such process makes all wait */
	if (!peek_add_sleeper(&s->errands, pid, tid, is_given ? e->attr.stack_user : 0, &place, &s->round)) {
		language_records_held(s->languages, pid, &s->round);
		if (says_held(s->options))
			errand_say_held(pid, "callers of sleeping threads");
	}
	records_add_blocked(&s->round, pid, tid, time);
}

static void describe_sleepers(struct sampler *s, uint64_t time)
{
	const struct sampler_options *o = s->options;
	for (size_t i = 0; o->pids && o->pids[i]; i++) {
		struct number_list threads = {0};
		pid_t pid = targets_number(o->pids[i]);
		targets_threads(pid, &threads);
		for (size_t j = 0; j < threads.n; j++)
			describe_sleeper(s, pid, threads.v[j], time);
		number_list_deinit(&threads);
	}
	for (size_t i = 0; o->tids && o->tids[i]; i++)
		describe_sleeper(s, targets_process(targets_number(o->tids[i])), targets_number(o->tids[i]), time);
}

static void describe_target(struct sampler *s, pid_t pid)
{
	running_add(s->running, pid, &s->round);
	language_records_look(s->languages, pid, &s->round);
	perfmap_add(&s->perfmap, pid);
}

/* After the counters were opened, lest a library mapped in between is missed. */
static void describe_targets(struct sampler *s)
{
	const struct sampler_options *o = s->options;
	for (size_t i = 0; o->pids && o->pids[i]; i++)
		describe_target(s, targets_number(o->pids[i]));
	for (size_t i = 0; o->tids && o->tids[i]; i++)
		describe_target(s, targets_process(targets_number(o->tids[i])));
	if (o->off_cpu)
		describe_sleepers(s, (uint64_t)(now() * 1e9));
}

/* ---- sampling ------------------------------------------------------------------------------------------------ */

/* One that has ended when we are told to may have got the same signal, sent to all of our group: command_end(). */
static void look_at_command(struct sampler *s)
{
	if (s->has_command && !s->has_ended && child_is_over(s->command.pid) && !told_to_end())
		s->has_ended = command_has_ended(&s->command, &s->status);
}

/* Waits for data, a reader, a signal, or the end of the round. */
static void wait_for_round(struct sampler *s, const sigset_t *open, double until)
{
	struct counters *c = &s->counters;
	size_t n = c->n_rings, last = n;
	double round = s->peek ? s->next_peek - now() : ROUND_MS / 1e3;
	double left = until > 0 && until - now() < round ? until - now() : round;
	struct timespec t = {0, left > 0 ? (long)(left * 1e9) : 0};
	struct pollfd *polls = c->polls;
	polls[last] = (struct pollfd){.fd = s->out.backlog.first ? s->out.fd : -1, .events = POLLOUT};
	if (ppoll(polls, n + 1, &t, open) <= 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (polls[i].revents & (POLLHUP | POLLERR)) /* its thread has ended; others may use the ring */
			polls[i].fd = -1;
}

/* Threads that sleep all the time leave no other records. */
static void tell_time(struct sampler *s)
{
	if (s->options->off_cpu)
		records_add_time(&s->round, (uint64_t)(now() * 1e9));
}

static bool is_over(struct sampler *s, double until, double *look)
{
	double t = now();
	if (told_of_child() || t >= *look)
		look_at_command(s);
	if (s->has_ended || told_signal() || s->out.backlog.error || (until > 0 && t >= until))
		return true;
	if (t < *look)
		return false;
	*look = t + LOOK_SECONDS;
	if (s->is_throttled)
		counters_lower_frequency(&s->counters);
	s->is_throttled = false;
	written_size(&s->out);
	unseen_look(&s->unseen);
	tell_time(s);
	if (s->has_command || s->options->all_cpus || s->options->cgroup)
		return false;
	return s->peek ? s->has_peeked_last : counters_have_ended(&s->counters);
}

static void peek(struct sampler *s)
{
	double t = now();
	if (t < s->next_peek || s->out.backlog.held >= BACKLOG_MOST)
		return;
	s->has_peeked_last = !peek_take(s->peek, s->running, &s->round);
	s->next_peek = t + peek_pause(s->peek, s->plan.frequency);
}

/* Readers that look now and then may keep records back for a part of a round, so it must be a whole one. */
static void end_round(struct sampler *s, double *next)
{
	double t = s->counters.has_bells ? now() : 0;
	if (t < *next)
		return;
	written_round(&s->out, &s->round);
	*next = s->counters.has_bells ? t + ROUND_MS / 1e3 : 0;
}

static void run(struct sampler *s, const sigset_t *open)
{
	double until = s->options->duration > 0 ? now() + s->options->duration : 0, look = now() + LOOK_SECONDS;
	double next_round = 0;
	while (!is_over(s, until, &look)) {
		wait_for_round(s, open, until);
		if (s->out.backlog.held < BACKLOG_MOST)
			empty_rings(s);
		if (s->peek)
			peek(s);
		end_round(s, &next_round);
		written_flush(&s->out);
	}
}

static void take_rest(struct sampler *s)
{
	counters_disable(&s->counters);
	perfmap_end(&s->perfmap);
	language_records_stop(s->languages, &s->round);
	empty_rings(s);
	tell_time(s);
	uint64_t lost = counters_lost(&s->counters, false);
	if (lost > s->lost)
		records_add_lost(&s->round, lost);
	written_round(&s->out, &s->round);
	written_round(&s->out, &s->round);
	if (s->options->is_quiet)
		return;
	unprobed_tell(&s->counters, running_unprobed(s->running), s->has_unprobed, s->options->viewer);
	if (s->out.backlog.error == EPIPE && s->has_command && !s->has_ended && !s->options->viewer)
		err_printf("the reader of the recording has left, so '%s' is ended", s->options->command[0]);
	strays_tell(&s->counters);
	unseen_tell(&s->unseen, s->has_ended, lost);
	barred_tell(s->peek ? peek_barred(s->peek) : &s->barred);
}

/* A command that was told to end has no status of its own. */
static void end_command(struct sampler *s)
{
	if (!s->has_command || s->has_ended)
		return;
	command_end(&s->command, s->options->command[0], told_signal() == SIGINT, &s->status);
	s->has_ended = true;
	s->status = 0;
}

/* Without stacks of languages, counters that wake up at each sample would only cost time. */
static bool open_without_languages(struct sampler *s, struct err *err)
{
	language_records_free(s->languages);
	s->languages = NULL;
	counters_deinit(&s->counters);
	idmap_deinit(&s->threads);
	running_free(s->running);
	s->running = running_new(s->options->dump > 0);
	s->round.len = 0;
	if (s->cgroup >= 0)
		close(s->cgroup);
	s->cgroup = -1;
	s->plan.languages = s->plan.switches_wake = false;
	return counters_init(&s->counters, &s->plan, err) && open_targets(s, err);
}

static bool open_all(struct sampler *s, struct err *err)
{
	struct err why = {""};
	if (!open_targets(s, err) || !written_open(&s->out, s->options->output, err))
		return false;
	if (!s->languages || language_records_start(s->languages, &s->counters, s->peek, s->out.is_pipe, &why))
		return true;
	if (!s->options->is_quiet)
		err_printf("functions of interpreters are not shown: %s", why.text);
	return open_without_languages(s, err);
}

static bool start(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	bool is_waiting = o->command && command_start(&s->command, output_descriptor(o->output) == STDOUT_FILENO,
	                                              s->nice_value, o->command, err);
	limits_raise_files(); /* not for the command */
	s->is_opening = true;
	if ((o->command && !is_waiting) || !open_all(s, err)) {
		if (is_waiting)
			command_drop(&s->command);
		return false;
	}
	s->is_opening = false;
	const struct records_facts facts = {o->words, s->counters.events, s->counters.n_events};
	written_begin(&s->out, &facts);
	if (!counters_lack_kernel(&s->counters))
		running_add_kernel(&s->round);
	language_records_begin(s->languages, &s->round);
	describe_targets(s);
	unseen_begin(&s->unseen, o, &s->counters, s->command.pid);
	int status = 0;
	s->has_command = is_waiting && command_go(&s->command, o->command, &status, err);
	if (s->has_command)
		perfmap_add(&s->perfmap, s->command.pid);
	if (is_waiting && !s->has_command) {
		s->status = EXIT_FORM(status);
		command_wait(&s->command, &status);
		written_drop(&s->out);
		return false;
	}
	if (written_settle(&s->out, err))
		return true;
	end_command(s);
	s->status = EXIT_FORM(1);
	return false;
}

static void sampler_deinit(struct sampler *s)
{
	perfmap_end(&s->perfmap);
	language_records_free(s->languages);
	errands_deinit(&s->errands);
	written_deinit(&s->out);
	command_deinit(&s->command);
	unseen_deinit(&s->unseen);
	barred_deinit(&s->barred);
	if (s->cgroup >= 0)
		close(s->cgroup);
	counters_deinit(&s->counters);
	probes_remove(&s->probes); /* which no counter uses now */
	allocators_deinit(&s->allocators);
	idmap_deinit(&s->threads);
	running_free(s->running);
	peek_free(s->peek);
	buf_deinit(&s->round);
}

static void sampler_init(struct sampler *s, const struct sampler_options *o)
{
	*s = (struct sampler){.options = o, .out = {.fd = -1}, .cgroup = -1, .running = running_new(o->dump > 0)};
	s->describes = !o->command || o->all_cpus || o->cgroup || o->wakers;
	buf_init(&s->round);
	s->languages = o->languages ? language_records_new(!says_held(o)) : NULL;
	if (o->memory)
		allocators_add_targets(&s->allocators, o->command, o->pids, o->tids);
	if (o->memory)
		running_probes(s->running, &s->allocators);
	if (o->memory && !o->all_cpus && !o->cgroup) /* those inherit nothing */
		probes_define(&s->probes, &s->allocators, o->command);
	s->plan = plan_of(o, &s->allocators);
}

/* Among a thousand busy threads, ours alone would get a thousandth of the time. */
static void go_first(struct sampler *s)
{
	s->nice_value = getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, s->nice_value < OWN_NICE_VALUE ? s->nice_value : OWN_NICE_VALUE);
}

bool sampler_run(const struct sampler_options *o, int *status, struct err *err)
{
	struct sampler s;
	sigset_t old, open;
	sampler_init(&s, o);
	s.status = EXIT_FORM(1);
	if (o->command && !o->viewer)
		command_guard(&s.command);
	if (o->perfmap)
		perfmap_start(&s.perfmap, o->is_quiet);
	told_begin(&old, &open);
	go_first(&s);
	if (output_descriptor(o->output) > STDERR_FILENO) /* the command does not inherit it */
		fcntl(output_descriptor(o->output), F_SETFD, FD_CLOEXEC);
	bool is_good = counters_init(&s.counters, &s.plan, err) && start(&s, err);
	if (is_good) {
		s.status = 0;
		run(&s, &open);
		take_rest(&s);
		end_command(&s);
		sigprocmask(SIG_SETMASK, &open, NULL);
		is_good = written_end(&s.out, told_patience, err);
		s.status = is_good || s.status ? s.status : EXIT_FORM(1);
	}
	*status = s.status;
	sampler_deinit(&s);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return is_good;
}

/* The counter of a command that does not run yet is tried on ourselves. */
static pid_t first_target(const struct sampler_options *o)
{
	if (o->all_cpus)
		return -1;
	return o->command ? 0 : targets_number(o->pids ? o->pids[0] : o->tids[0]);
}

static bool probe_peek(const struct sampler_options *o, struct err *err)
{
	pid_t pid = o->command ? 0 : first_target(o);
	return !pid || peek_check(pid, err);
}

bool sampler_probe(const struct sampler_options *o, struct sampler_lacks *lacks, struct err *err)
{
	struct sampler s;
	sampler_init(&s, o);
	if (o->ptrace) {
		lacks->kernel = true;
		sampler_deinit(&s);
		return probe_peek(o, err);
	}
	bool is_good = counters_init(&s.counters, &s.plan, err) &&
	               (o->cgroup ? open_cgroup(&s, err) : counters_open(&s.counters, first_target(o), -1, err)) &&
	               counters_open_rest(&s.counters, err);
	lacks->kernel = counters_lack_kernel(&s.counters);
	lacks->malloc = s.counters.lacks_probes;
	sampler_deinit(&s);
	return is_good;
}

bool sampler_knows(const char *events, struct err *err)
{
	struct counters c;
	const struct counters_plan plan = {.events = events};
	bool is_known = counters_init(&c, &plan, err);
	counters_deinit(&c);
	return is_known;
}
