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
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/number.h"
#include "perfdata/event.h"
#include "perfdata/records.h"
#include "record/sampler/backlog.h"
#include "record/sampler/command.h"
#include "record/sampler/counters.h"
#include "record/sampler/dump.h"
#include "record/sampler/records.h"
#include "record/sampler/running.h"

#define ROUND_MS 20
#define OWN_NICE_VALUE (-20) /* if the user may */
#define LOOK_SECONDS 0.25    /* between looks at whether the targets have ended */
#define BACKLOG_MOST ((size_t)256 << 20)
#define EXIT_FORM(status) ((status) << 8) /* as waitpid() has it */
#define PASSES_MOST 20                    /* over the threads of a process that starts new ones meanwhile */

struct sampler {
	const struct sampler_options *options;
	struct counters counters;
	struct number_list tids; /* sampled since the beginning */
	struct number_list born; /* threads that inherited their counters meanwhile */
	bool is_opening;
	bool describes; /* targets may have run before */
	struct running *running;
	struct command command;
	bool has_command, has_ended;
	int nice_value;  /* that we began with */
	int status;      /* of the command */
	int out, cgroup; /* descriptors */
	bool is_pipe, is_nonblocking;
	struct buf round; /* bytes of the present round */
	struct backlog backlog;
	uint64_t n_data, lost; /* bytes of records in the file; lost records that the kernel told */
	bool has_waiting;      /* records of the last round wait for the end of the next one */
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- signals ------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t told, child_signal;

static void hear(int sig)
{
	if (sig == SIGCHLD)
		child_signal = 1;
	else
		told = sig;
}

/* They arrive only while the sampler waits: ppoll() gets *open. */
static void take_signals(sigset_t *old, sigset_t *open)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
	struct sigaction a = {.sa_handler = hear};
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		if (signals[i] == SIGHUP && child_is_ignored(SIGHUP))
			continue;
		sigaddset(&set, signals[i]);
		sigaction(signals[i], &a, NULL);
	}
	signal(SIGPIPE, SIG_IGN); /* the write fails instead */
	sigprocmask(SIG_BLOCK, &set, old);
	*open = *old;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		sigdelset(open, signals[i]);
}

/* ---- records ------------------------------------------------------------------------------------------------- */

static int32_t number_at(const struct abi_record *r, size_t offset)
{
	int32_t n = -1;
	if (offset + sizeof n <= r->size)
		memcpy(&n, (const char *)r + offset, sizeof n);
	return n;
}

#define PID_OF_SAMPLE (sizeof(struct abi_record) + 16)
#define PID_OF_FORK sizeof(struct abi_record)
#define PPID_OF_FORK (sizeof(struct abi_record) + 4)
#define TID_OF_FORK (sizeof(struct abi_record) + 8)

/* Samples of those who sample would show the sampling. */
static bool is_own(const struct sampler *s, int32_t pid)
{
	return s->options->all_cpus && (pid == getpid() || (s->options->viewer && pid == s->options->viewer));
}

static void take_fork(struct sampler *s, const struct abi_record *r)
{
	int32_t pid = number_at(r, PID_OF_FORK), parent = number_at(r, PPID_OF_FORK);
	if (s->is_opening)
		number_list_add(&s->born, number_at(r, TID_OF_FORK));
	if (s->describes)
		running_add(s->running, parent, &s->round); /* its maps are the child's */
	if (s->describes && pid != parent)
		running_knows(s->running, pid);
}

static void take_lost(struct sampler *s, const struct abi_record *r)
{
	uint64_t n = 0;
	if (r->size >= sizeof *r + 16)
		memcpy(&n, (const char *)(r + 1) + 8, sizeof n);
	s->lost += n;
}

static void take_record(void *arg, struct abi_record *r)
{
	struct sampler *s = arg;
	if (r->type == RECORD_SAMPLE) {
		int32_t pid = number_at(r, PID_OF_SAMPLE);
		if (is_own(s, pid))
			return;
		if (s->describes)
			running_add(s->running, pid, &s->round);
		dump_shorten(r, &s->counters.events[0].attr);
	} else if (r->type == RECORD_FORK) {
		take_fork(s, r);
	} else if (r->type == RECORD_LOST) {
		take_lost(s, r);
	} else if (r->type == RECORD_MMAP2) {
		running_identify(s->running, r);
	}
	buf_add(&s->round, r, r->size);
}

static void say_broken(const struct sampler *s, size_t place)
{
	if (!s->options->is_quiet)
		err_printf("the kernel's buffer of processor %d makes no sense; its samples are missing from here on",
		           s->counters.cpus.v[place]);
}

static void empty_rings(struct sampler *s)
{
	for (size_t i = 0; i < s->counters.cpus.n; i++) {
		struct ring *ring = &s->counters.rings[i];
		bool was_broken = ring->is_broken;
		if (ring->page && !ring_drain(ring, take_record, s) && !was_broken)
			say_broken(s, i);
	}
}

/* Ends the round, if there is anything that it puts in order. */
static void end_round(struct sampler *s)
{
	bool has_records = s->round.len > 0;
	if (has_records || s->has_waiting)
		records_add_round(&s->round);
	s->has_waiting = has_records;
	s->n_data += s->round.len;
	backlog_add(&s->backlog, &s->round);
}

/* ---- the output ---------------------------------------------------------------------------------------------- */

/* perf, too, keeps the recording before. Nothing but a plain file of ours is moved. */
static void keep_old(const char *path)
{
	struct stat st;
	struct buf old;
	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
		return;
	buf_init(&old);
	buf_addf(&old, "%s.old", path);
	(void)!rename(path, buf_str(&old));
	buf_deinit(&old);
}

/* The descriptor that "/dev/fd/3" names; -1: it is another path. */
static int inherited(const char *path)
{
	static const char prefix[] = "/dev/fd/";
	uint64_t fd;
	size_t n = sizeof prefix - 1;
	bool is_it = strncmp(path, prefix, n) == 0 && number_u64(path + n, strlen(path + n), &fd) && fd <= INT32_MAX;
	return is_it && fcntl((int)fd, F_GETFD) >= 0 ? (int)fd : -1;
}

static bool open_output(struct sampler *s, struct err *err)
{
	const char *path = s->options->output;
	s->is_pipe = strcmp(path, "-") == 0;
	if (s->is_pipe) {
		int flags = fcntl(STDOUT_FILENO, F_GETFL);
		if (isatty(STDOUT_FILENO))
			return fail(err, "a terminal shows no recording (name a file with -o, or pipe it into flametop)");
		s->out = STDOUT_FILENO;
		s->is_nonblocking = !(flags & O_NONBLOCK) && fcntl(s->out, F_SETFL, flags | O_NONBLOCK) == 0;
		return true;
	}
	s->out = inherited(path);
	if (s->out >= 0)
		return true;
	keep_old(path);
	s->out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return s->out >= 0 || fail_errno(err, "%s", path);
}

static struct records_facts facts_of(const struct sampler *s)
{
	return (struct records_facts){s->options->words, s->counters.events, s->counters.n_events};
}

static void begin_output(struct sampler *s)
{
	struct records_facts facts = facts_of(s);
	struct buf header;
	buf_init(&header);
	if (s->is_pipe) {
		records_begin_pipe(&header, s->counters.events, s->counters.n_events);
		records_add_facts(&header, &facts);
	} else {
		records_begin_file(&header, s->counters.events, s->counters.n_events);
	}
	backlog_add(&s->backlog, &header);
	buf_deinit(&header);
	if (!counters_lack_kernel(&s->counters))
		running_add_kernel(&s->round);
}

/* A recording that is cut off at any time says in its header how long it is. */
static void write_size(const struct sampler *s)
{
	uint64_t n = s->n_data - s->backlog.held;
	if (!s->is_pipe && s->n_data > s->backlog.held)
		(void)!pwrite(s->out, &n, sizeof n, RECORDS_PLACE_OF_SIZE);
}

static bool fail_output(const struct sampler *s, struct err *err)
{
	errno = s->backlog.error;
	return fail_errno(err, "%s", s->is_pipe ? "standard output" : s->options->output);
}

static bool end_output(struct sampler *s, struct err *err)
{
	struct records_facts facts = facts_of(s);
	struct buf header, end;
	buf_init(&header);
	buf_init(&end);
	bool is_written = backlog_write(&s->backlog, s->out, true);
	if (!s->is_pipe && is_written) {
		records_end_file(&header, &end, s->n_data, &facts);
		backlog_add(&s->backlog, &end);
		is_written = backlog_write(&s->backlog, s->out, true) &&
		             pwrite(s->out, header.data, header.len, 0) == (ssize_t)header.len;
		s->backlog.error = s->backlog.error ? s->backlog.error : is_written ? 0 : errno;
	}
	buf_deinit(&header);
	buf_deinit(&end);
	/* A reader that leaves has seen enough. */
	return is_written || (s->is_pipe && s->backlog.error == EPIPE) || fail_output(s, err);
}

/* ---- targets ------------------------------------------------------------------------------------------------- */

static bool is_in(const struct number_list *l, int number)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i] == number)
			return true;
	return false;
}

/* Opens the threads that neither have counters nor inherited them. Returns how many; -1: failed. */
static int open_new_threads(struct sampler *s, pid_t pid, struct err *err)
{
	struct number_list threads = {0};
	int n = 0;
	targets_threads(pid, &threads);
	empty_rings(s); /* tells of threads that were born */
	for (size_t i = 0; n >= 0 && i < threads.n; i++) {
		if (is_in(&s->tids, threads.v[i]) || is_in(&s->born, threads.v[i]))
			continue;
		number_list_add(&s->tids, threads.v[i]);
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

static pid_t parse_id(const char *text)
{
	uint64_t id = 0;
	return number_u64(text, strlen(text), &id) && id <= INT32_MAX ? (pid_t)id : -1;
}

static bool open_listed(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	bool is_good = true;
	for (size_t i = 0; is_good && o->pids && o->pids[i]; i++)
		is_good = open_process(s, parse_id(o->pids[i]), err);
	for (size_t i = 0; is_good && o->tids && o->tids[i]; i++)
		is_good = counters_open(&s->counters, parse_id(o->tids[i]), -1, err);
	return is_good && (counters_are_open(&s->counters) || fail(err, "the processes to be sampled have ended"));
}

/* Counters know the groups of one hierarchy: their own, the unified one next to older ones, or that alone. */
static int open_group_directory(const char *path)
{
	static const char *const bases[] = {"/sys/fs/cgroup/perf_event", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"};
	struct buf whole;
	int fd = -1;
	if (strncmp(path, "/sys/", 5) == 0)
		return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	buf_init(&whole);
	for (size_t i = 0; i < sizeof bases / sizeof *bases && fd < 0; i++) {
		whole.len = 0;
		buf_addf(&whole, "%s%s%s", bases[i], path[0] == '/' ? "" : "/", path);
		fd = open(buf_str(&whole), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	}
	int error = errno;
	buf_deinit(&whole);
	errno = error;
	return fd;
}

static bool open_cgroup(struct sampler *s, struct err *err)
{
	const char *path = s->options->cgroup;
	path += strncmp(path, "0::", 3) == 0 ? 3 : 0; /* as in /proc/PID/cgroup */
	s->cgroup = open_group_directory(path);
	if (s->cgroup < 0)
		return fail_errno(err, "control group %s", path);
	return counters_open(&s->counters, -1, s->cgroup, err);
}

static bool open_targets(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	if (o->cgroup)
		return open_cgroup(s, err);
	if (o->all_cpus || o->command)
		return counters_open(&s->counters, o->all_cpus ? -1 : s->command.pid, -1, err);
	return open_listed(s, err);
}

/* After the counters were opened, lest a library mapped in between is missed. */
static void describe_targets(struct sampler *s)
{
	const struct sampler_options *o = s->options;
	for (size_t i = 0; o->pids && o->pids[i]; i++)
		running_add(s->running, parse_id(o->pids[i]), &s->round);
	for (size_t i = 0; o->tids && o->tids[i]; i++)
		running_add(s->running, targets_process(parse_id(o->tids[i])), &s->round);
}

/* ---- sampling ------------------------------------------------------------------------------------------------ */

static void look_at_command(struct sampler *s)
{
	child_signal = 0;
	if (s->has_command && !s->has_ended)
		s->has_ended = waitpid(s->command.pid, &s->status, WNOHANG) == s->command.pid;
}

/* Waits for data, a reader, a signal, or the end of the round. */
static void wait_for_round(struct sampler *s, const sigset_t *open, double until)
{
	struct counters *c = &s->counters;
	size_t n = c->cpus.n, last = n;
	double left = until > 0 && until - now() < ROUND_MS / 1e3 ? until - now() : ROUND_MS / 1e3;
	struct timespec t = {0, left > 0 ? (long)(left * 1e9) : 0};
	struct pollfd *polls = c->polls;
	polls[last] = (struct pollfd){.fd = s->backlog.first ? s->out : -1, .events = POLLOUT};
	if (ppoll(polls, n + 1, &t, open) <= 0)
		return;
	for (size_t i = 0; i < n; i++)
		if (polls[i].revents & (POLLHUP | POLLERR)) /* its thread has ended; others may use the ring */
			polls[i].fd = -1;
}

static bool is_over(struct sampler *s, double until, double *look)
{
	double t = now();
	if (child_signal || t >= *look)
		look_at_command(s);
	if (s->has_ended || told || s->backlog.error || (until > 0 && t >= until))
		return true;
	if (t < *look)
		return false;
	*look = t + LOOK_SECONDS;
	write_size(s);
	return !s->has_command && !s->options->all_cpus && !s->options->cgroup && counters_have_ended(&s->counters);
}

static void run(struct sampler *s, const sigset_t *open)
{
	double until = s->options->duration > 0 ? now() + s->options->duration : 0, look = now() + LOOK_SECONDS;
	while (!is_over(s, until, &look)) {
		wait_for_round(s, open, until);
		if (s->backlog.held < BACKLOG_MOST)
			empty_rings(s);
		end_round(s);
		backlog_write(&s->backlog, s->out, false);
	}
}

static void take_rest(struct sampler *s)
{
	counters_disable(&s->counters);
	empty_rings(s);
	uint64_t lost = counters_lost(&s->counters);
	if (lost > s->lost)
		records_add_lost(&s->round, lost);
	end_round(s);
	end_round(s);
}

/* A command that was told to end has no status of its own. */
static void end_command(struct sampler *s)
{
	if (!s->has_command || s->has_ended)
		return;
	kill(s->command.pid, SIGTERM);
	while (waitpid(s->command.pid, &s->status, 0) < 0 && errno == EINTR)
		;
	s->has_ended = true;
	s->status = 0;
}

static bool start(struct sampler *s, struct err *err)
{
	const struct sampler_options *o = s->options;
	bool is_waiting =
		o->command && command_start(&s->command, strcmp(o->output, "-") == 0, s->nice_value, o->command, err);
	s->is_opening = true;
	if ((o->command && !is_waiting) || !open_targets(s, err) || !open_output(s, err)) {
		if (is_waiting)
			command_drop(&s->command);
		return false;
	}
	s->is_opening = false;
	begin_output(s);
	describe_targets(s);
	int status = 0;
	s->has_command = is_waiting && command_go(&s->command, o->command, &status, err);
	if (is_waiting && !s->has_command) {
		s->status = EXIT_FORM(status);
		while (waitpid(s->command.pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	return s->has_command || !o->command;
}

static struct counters_plan plan_of(const struct sampler_options *o)
{
	return (struct counters_plan){.events = o->events,
	                              .frequency = o->frequency,
	                              .dump = o->dump,
	                              .waits = o->command && !o->all_cpus && !o->cgroup,
	                              .inherits = !o->all_cpus && !o->cgroup,
	                              .has_idle = o->has_idle};
}

static void sampler_deinit(struct sampler *s)
{
	if (s->is_nonblocking)
		fcntl(s->out, F_SETFL, fcntl(s->out, F_GETFL) & ~O_NONBLOCK);
	if (s->out >= 0 && !s->is_pipe)
		close(s->out);
	if (s->cgroup >= 0)
		close(s->cgroup);
	counters_deinit(&s->counters);
	number_list_deinit(&s->tids);
	number_list_deinit(&s->born);
	running_free(s->running);
	buf_deinit(&s->round);
	backlog_deinit(&s->backlog);
}

static void sampler_init(struct sampler *s, const struct sampler_options *o)
{
	*s = (struct sampler){.options = o, .out = -1, .cgroup = -1, .running = running_new(o->dump > 0)};
	s->describes = !o->command || o->all_cpus || o->cgroup;
	buf_init(&s->round);
}

/* Among a thousand busy threads, ours alone would get a thousandth of the time. */
static void go_first(struct sampler *s)
{
	s->nice_value = getpriority(PRIO_PROCESS, 0);
	setpriority(PRIO_PROCESS, 0, s->nice_value < OWN_NICE_VALUE ? s->nice_value : OWN_NICE_VALUE);
}

bool sampler_run(const struct sampler_options *o, int *status, struct err *err)
{
	const struct counters_plan plan = plan_of(o);
	struct sampler s;
	sigset_t old, open;
	sampler_init(&s, o);
	s.status = EXIT_FORM(1);
	take_signals(&old, &open);
	go_first(&s);
	if (inherited(o->output) >= 0) /* not by the command */
		fcntl(inherited(o->output), F_SETFD, FD_CLOEXEC);
	bool is_good = counters_init(&s.counters, &plan, err) && start(&s, err);
	if (is_good) {
		s.status = 0;
		run(&s, &open);
		take_rest(&s);
		end_command(&s);
		is_good = end_output(&s, err);
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
	return o->command ? 0 : parse_id(o->pids ? o->pids[0] : o->tids[0]);
}

bool sampler_probe(const struct sampler_options *o, bool *lacks_kernel, struct err *err)
{
	const struct counters_plan plan = plan_of(o);
	struct sampler s;
	sampler_init(&s, o);
	bool is_good = counters_init(&s.counters, &plan, err) &&
	               (o->cgroup ? open_cgroup(&s, err) : counters_open(&s.counters, first_target(o), -1, err));
	*lacks_kernel = counters_lack_kernel(&s.counters);
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
