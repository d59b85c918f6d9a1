/*
 * perfmap.c - the helper that asks runtimes for their functions again and again.
 *
 *	sampler -- pids --> helper -- forks, for each runtime and round --> asker (perfmap_ask.h)
 *
 * What is compiled after a round has no names until the next one, so rounds come often at first, when most is
 * compiled. The last one is at the end of the recording.
 */
#include "record/sampler/perfmap.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/write_all.h"
#include "record/sampler/perfmap_ask.h"
#include "record/sampler/targets.h"

#define FIRST_MS 500     /* from the first round to the second; each later one is twice as far away, */
#define LONGEST_MS 30000 /* but no further than that */
#define PROCESSES_MOST 256
#define PATIENCE_MS 12000 /* for the last round */

struct known {
	pid_t pid;
	uint64_t begun;
	bool was_asked, was_told, is_given_up;
};

struct helper {
	struct number_list targets, found;
	struct known *known;
	size_t n, cap;
	bool is_quiet;
};

/* ---- the helper ---------------------------------------------------------------------------------------------- */

static void take_child(void *arg, pid_t child)
{
	struct number_list *l = arg;
	if (l->n < PROCESSES_MOST)
		number_list_add(l, child);
}

/* The targets and what they have started, directly or not. */
static void find_processes(struct helper *h)
{
	h->found.n = 0;
	for (size_t i = 0; i < h->targets.n; i++)
		take_child(&h->found, h->targets.v[i]);
	for (size_t i = 0; i < h->found.n; i++) {
		struct number_list threads = {0};
		targets_threads(h->found.v[i], &threads);
		for (size_t j = 0; j < threads.n; j++)
			proc_children(h->found.v[i], threads.v[j], take_child, &h->found);
		number_list_deinit(&threads);
	}
}

/* NULL: the process has ended. */
static struct known *known_of(struct helper *h, pid_t pid)
{
	struct proc_stat s;
	if (!proc_stat(pid, &s))
		return NULL;
	for (size_t i = 0; i < h->n; i++)
		if (h->known[i].pid == pid && h->known[i].begun == s.begun)
			return &h->known[i];
	mem_push(h->known, h->n, h->cap, ((struct known){.pid = pid, .begun = s.begun}));
	return &h->known[h->n - 1];
}

static void ask(struct helper *h, struct known *k, bool is_last)
{
	struct perfmap_request r = {k->pid, !k->was_asked, is_last, h->is_quiet || k->was_told};
	int status = 0;
	if (k->is_given_up || !perfmap_concerns(k->pid))
		return;
	pid_t asker = fork();
	if (asker == 0)
		_exit(perfmap_ask(&r));
	while (asker > 0 && waitpid(asker, &status, 0) < 0 && errno == EINTR)
		;
	if (asker <= 0 || (WIFEXITED(status) && WEXITSTATUS(status) == PERFMAP_LATER))
		return;
	k->was_told = true;
	k->was_asked = true;
	k->is_given_up = !WIFEXITED(status) || WEXITSTATUS(status) != PERFMAP_DONE;
}

static void ask_all(struct helper *h, bool is_last)
{
	find_processes(h);
	for (size_t i = 0; i < h->found.n; i++) {
		struct known *k = known_of(h, h->found.v[i]);
		if (k)
			ask(h, k, is_last);
	}
}

/* false: the recording ends. */
static bool take_targets(struct helper *h, int in, int ms)
{
	struct pollfd p = {.fd = in, .events = POLLIN};
	int32_t pid;
	if (poll(&p, 1, ms) <= 0)
		return true;
	if (read(in, &pid, sizeof pid) != (ssize_t)sizeof pid)
		return false;
	number_list_add(&h->targets, pid);
	while (poll(&p, 1, 0) > 0 && read(in, &pid, sizeof pid) == (ssize_t)sizeof pid)
		number_list_add(&h->targets, pid);
	return true;
}

_Noreturn static void help(int in, bool is_quiet)
{
	struct helper h = {.is_quiet = is_quiet};
	int ms = FIRST_MS;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL); /* no signal must leave the askers' files after */
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

void perfmap_start(struct perfmap *m, bool is_quiet)
{
	int ends[2];
	if (!descriptor_pipe(ends))
		return;
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
	if (m->helper < 0)
		close(ends[1]);
}

void perfmap_add(const struct perfmap *m, pid_t pid)
{
	int32_t number = pid;
	if (m->helper > 0 && pid > 0)
		write_all(m->to_helper, (const char *)&number, sizeof number);
}

void perfmap_end(struct perfmap *m)
{
	int status;
	if (m->helper <= 0)
		return;
	close(m->to_helper);
	if (!child_has_ended(m->helper, &status, PATIENCE_MS))
		kill(m->helper, SIGKILL);
	*m = (struct perfmap){0};
}
