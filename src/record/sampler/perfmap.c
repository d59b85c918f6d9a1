/*
 * perfmap.c - the helper that asks runtimes for their functions again and again.
 *
 *	sampler -- targets --> helper -- forks, for each runtime and round --> asker (perfmap_ask.h)
 *
 * What is compiled after a round has no names until the next one, so rounds come often at first, when most is
 * compiled. The last one is at the end of the recording. Many askers run at once, but those that read a large map
 * do so one after the other, which bounds their memory.
 */
#include "record/sampler/perfmap.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/err.h"
#include "base/proc.h"
#include "base/write_all.h"
#include "record/sampler/perfmap_ask.h"
#include "record/sampler/targets.h"

#define FIRST_MS 500     /* from the first round to the second; each later one is twice as far away, */
#define LONGEST_MS 30000 /* but no further than that */
#define PROCESSES_MOST 4096
#define AT_ONCE 32u       /* askers: a runtime that does not answer keeps only its own waiting */
#define PATIENCE_MS 12000 /* for the last round: of the sampler, */
#define LAST_MS 10000     /* and of the helper */
#define ASKER_MS 7000     /* for an asker, which gives up before */

/* What the sampler sends. */
struct target {
	int64_t pid;
	uint64_t begun;
};

struct process {
	pid_t pid;
	uint64_t begun; /* as in struct proc_stat: a number that is used again is another process */
	bool was_asked, was_told, was_loss_told, is_given_up;
	bool is_large; /* its map is: it is asked alone */
	pid_t asker;   /* > 0: it is being asked */
};

struct helper {
	struct process processes[PROCESSES_MOST]; /* targets, and what they have started, directly or not */
	size_t n;
	bool is_quiet, is_full;
};

/* ---- the helper ---------------------------------------------------------------------------------------------- */

static void take_process(struct helper *h, struct process p)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->processes[i].pid == p.pid && h->processes[i].begun == p.begun)
			return;
	if (h->n < PROCESSES_MOST) {
		h->processes[h->n++] = p;
	} else if (!h->is_full) {
		h->is_full = true;
		if (!h->is_quiet)
			err_printf("--enable-perfmap looks at %d processes; others are not asked", PROCESSES_MOST);
	}
}

static void take_child(void *arg, pid_t pid)
{
	struct proc_stat s;
	if (proc_stat(pid, &s))
		take_process(arg, (struct process){.pid = pid, .begun = s.begun});
}

static void drop_ended(struct helper *h)
{
	size_t n = 0;
	for (size_t i = 0; i < h->n; i++)
		if (perfmap_is_alive(h->processes[i].pid, h->processes[i].begun))
			h->processes[n++] = h->processes[i];
	h->n = n;
}

static void find_children(struct helper *h)
{
	for (size_t i = 0; i < h->n; i++) {
		pid_t pid = h->processes[i].pid;
		struct number_list threads = {0};
		targets_threads(pid, &threads);
		for (size_t j = 0; j < threads.n; j++)
			proc_children(pid, threads.v[j], take_child, h);
		number_list_deinit(&threads);
	}
}

/* The process is not asked again. */
static void give_up(const struct helper *h, struct process *p, const char *reason)
{
	p->is_given_up = true;
	if (!h->is_quiet && perfmap_is_alive(p->pid, p->begun))
		err_printf("process %ld: %s: %s", (long)p->pid, perfmap_failure(p->was_told), reason);
}

static void begin_to_ask(const struct helper *h, struct process *p, bool is_last, bool is_alone)
{
	const struct perfmap_request r = {.pid = p->pid,
	                                  .asked_by = getpid(),
	                                  .begun = p->begun,
	                                  .is_first = !p->was_asked,
	                                  .is_last = is_last,
	                                  .is_alone = is_alone,
	                                  .is_quiet = h->is_quiet,
	                                  .is_known = p->was_told,
	                                  .is_loss_known = p->was_loss_told};
	p->asker = 0;
	if (p->is_given_up || !perfmap_concerns(p->pid))
		return;
	p->asker = fork();
	if (p->asker == 0)
		_exit((int)perfmap_ask(&r));
	if (p->asker < 0)
		give_up(h, p, "no process can be started to ask it");
}

/* The target's user can stop it. */
static void end_late(const struct helper *h, struct process *p)
{
	struct proc_stat s;
	int status;
	bool is_stopped = proc_stat(p->asker, &s) && (s.state == 'T' || s.state == 't');
	kill(p->asker, SIGKILL);
	child_has_ended(p->asker, &status, ASKER_MS);
	give_up(h, p, is_stopped ? "the process that asks it was stopped" : "it took too long");
}

static void take_result(const struct helper *h, struct process *p, int status)
{
	int result = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	p->is_large = result == PERFMAP_LARGE;
	if (result == PERFMAP_DONE || result == PERFMAP_LOST) {
		p->was_told = p->was_asked = true;
		p->was_loss_told |= result == PERFMAP_LOST;
	} else if (result == PERFMAP_FAILED) {
		p->is_given_up = true;
	} else if (result != PERFMAP_LATER && result != PERFMAP_LARGE) {
		give_up(h, p, "the process that asks it was ended");
	}
}

static void end_asking(const struct helper *h, struct process *p, double until)
{
	double ms = until - perfmap_now();
	int status = 0;
	if (p->asker <= 0)
		return;
	if (child_has_ended(p->asker, &status, ms > 0 ? (unsigned)ms : 0))
		take_result(h, p, status);
	else
		end_late(h, p);
}

static double sooner(double a, double b)
{
	return a < b ? a : b;
}

/* Asks processes from `first` on, at once. Returns the first that is left. */
static size_t ask_some(struct helper *h, size_t first, bool is_last, double until)
{
	size_t end = first;
	for (unsigned n = 0; end < h->n && n < AT_ONCE; end++) {
		begin_to_ask(h, &h->processes[end], is_last, false);
		n += h->processes[end].asker > 0;
	}
	until = sooner(until, perfmap_now() + ASKER_MS);
	for (size_t i = first; i < end; i++)
		end_asking(h, &h->processes[i], until);
	return end;
}

static void ask_large(struct helper *h, bool is_last, double until)
{
	for (size_t i = 0; i < h->n && perfmap_now() < until; i++) {
		struct process *p = &h->processes[i];
		if (!p->is_large)
			continue;
		begin_to_ask(h, p, is_last, true);
		p->is_large = false;
		end_asking(h, p, sooner(until, perfmap_now() + ASKER_MS));
	}
}

static void ask_all(struct helper *h, bool is_last)
{
	double until = perfmap_now() + (is_last ? LAST_MS : INFINITY);
	size_t done = 0;
	drop_ended(h);
	find_children(h);
	while (done < h->n && perfmap_now() < until)
		done = ask_some(h, done, is_last, until);
	ask_large(h, is_last, until);
	for (size_t i = 0; i < h->n; i++) {
		struct process *p = &h->processes[i];
		if ((i >= done || p->is_large) && !p->is_given_up && perfmap_concerns(p->pid))
			give_up(h, p, "others took too long");
	}
}

/* false: the recording ends. */
static bool take_targets(struct helper *h, int in, int ms)
{
	struct pollfd p = {.fd = in, .events = POLLIN};
	struct target t;
	if (poll(&p, 1, ms) <= 0)
		return true;
	do {
		if (read(in, &t, sizeof t) != (ssize_t)sizeof t)
			return false;
		take_process(h, (struct process){.pid = (pid_t)t.pid, .begun = t.begun});
	} while (poll(&p, 1, 0) > 0);
	return true;
}

_Noreturn static void help(int in, bool is_quiet)
{
	struct helper h = {.is_quiet = is_quiet};
	int ms = FIRST_MS;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL); /* no signal may make an asker leave its files behind */
	setsid();
	bool goes_on = take_targets(&h, in, -1);
	while (goes_on) {
		ask_all(&h, false);
		goes_on = take_targets(&h, in, ms);
		ms = ms < LONGEST_MS / 2 ? 2 * ms : LONGEST_MS;
	}
	ask_all(&h, true);
	_exit(0);
}

/* ---- its parent ---------------------------------------------------------------------------------------------- */

static void say_idle(bool is_quiet)
{
	struct err err = {""};
	fail_errno(&err, "--enable-perfmap: no program is asked");
	if (!is_quiet)
		err_print(err.text);
}

void perfmap_start(struct perfmap *m, bool is_quiet)
{
	int ends[2];
	if (!descriptor_pipe(ends)) {
		say_idle(is_quiet);
		return;
	}
	m->is_quiet = is_quiet;
	m->helper = fork();
	if (m->helper == 0) {
		int in = fcntl(ends[0], F_DUPFD, STDERR_FILENO + 1);
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		child_hold_streams();
		in = dup2(in, STDERR_FILENO + 1);
		descriptor_close_from(STDERR_FILENO + 2);
		help(in, is_quiet);
	}
	close(ends[0]);
	m->to_helper = ends[1];
	if (m->helper < 0) {
		say_idle(is_quiet);
		close(ends[1]);
	}
}

void perfmap_add(const struct perfmap *m, pid_t pid)
{
	struct proc_stat s;
	if (m->helper <= 0 || pid <= 0 || !proc_stat(pid, &s))
		return;
	struct target t = {pid, s.begun};
	write_all(m->to_helper, (const char *)&t, sizeof t);
}

void perfmap_end(struct perfmap *m)
{
	int status;
	if (m->helper <= 0)
		return;
	close(m->to_helper);
	if (!child_has_ended(m->helper, &status, PATIENCE_MS)) {
		kill(m->helper, SIGKILL);
		if (!m->is_quiet)
			err_print("--enable-perfmap: some programs were not asked at the end, as others did not answer");
	} else if (!m->is_quiet && (!WIFEXITED(status) || WEXITSTATUS(status) != 0)) {
		err_print("--enable-perfmap: some programs were not asked, as the process that asks them was ended");
	}
	*m = (struct perfmap){0};
}
