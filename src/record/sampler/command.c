/*
 * command.c - starts the command to be sampled.
 *
 *	sampler   fork --- opens counters of the child, which begin to count with exec -- writes go -- reads failed
 *	child         \--- reads go ................................................... exec: end of file, or errno
 *
 * If `go` ends without a byte, the sampler has died, and the command does not run. If the sampler dies later, a
 * guard ends the command: its own, or that of the `flametop record` which has started the sampler.
 */
#include "record/sampler/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "record/ending.h"

void command_guard(struct command *c)
{
	c->is_guarded = true;
	family_choose_mark(&c->family);
	guard_start(&c->guard, -1, &c->family, NULL, NULL);
}

/* Signals are as at our own start: a SIGHUP that was ignored stays so. */
static void reset_signals(void)
{
	sigset_t none;
	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGHUP || !child_is_ignored(SIGHUP))
			signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

_Noreturn static void become(struct command *c, char *const *words, bool is_piped, int nice_value)
{
	char byte;
	ssize_t n;
	reset_signals();
	setpriority(PRIO_PROCESS, 0, nice_value);
	if (is_piped)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do
		n = read(c->go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(1);
	if (c->is_guarded)
		putenv(c->family.mark);
	execvp(words[0], words);
	int error = errno;
	ssize_t ignored = write(c->failed, &error, sizeof error);
	(void)ignored;
	_exit(127);
}

bool command_start(struct command *c, bool is_piped, int nice_value, char *const *words, struct err *err)
{
	int go[2], failed[2];
	c->go = c->failed = -1;
	if (pipe2(go, O_CLOEXEC) != 0)
		return fail_errno(err, "pipe to the command");
	if (pipe2(failed, O_CLOEXEC) != 0) {
		fail_errno(err, "pipe to the command");
		close(go[0]);
		close(go[1]);
		return false;
	}
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		c->go = go[0];
		c->failed = failed[1];
		become(c, words, is_piped, nice_value);
	}
	close(go[0]);
	close(failed[1]);
	c->go = go[1];
	c->failed = failed[0];
	guard_watch(&c->guard, c->pid > 0 ? c->pid : 0, 0);
	if (c->pid > 0)
		return true;
	fail_errno(err, "starting '%s'", words[0]);
	close(c->go);
	close(c->failed);
	return false;
}

bool command_go(struct command *c, char *const *words, int *status, struct err *err)
{
	int error = 0;
	ssize_t n;
	do
		n = write(c->go, "", 1);
	while (n < 0 && errno == EINTR);
	close(c->go); /* if the byte is not there, it ends */
	do
		n = read(c->failed, &error, sizeof error);
	while (n < 0 && errno == EINTR);
	close(c->failed);
	if (n != (ssize_t)sizeof error)
		return true;
	*status = error == ENOENT ? 127 : 126;
	errno = error;
	return error == ENOENT ? fail(err, "%s: command not found", words[0]) : fail_errno(err, "%s", words[0]);
}

void command_drop(struct command *c)
{
	kill(c->pid, SIGKILL);
	close(c->go);
	close(c->failed);
	command_wait(c, &(int){0});
}

/* ---- its end ------------------------------------------------------------------------------------------------- */

bool command_has_ended(struct command *c, int *status)
{
	if (waitpid(c->pid, status, WNOHANG) != c->pid)
		return false;
	guard_watch(&c->guard, 0, 0);
	return true;
}

void command_wait(struct command *c, int *status)
{
	while (waitpid(c->pid, status, 0) < 0 && errno == EINTR)
		;
	guard_watch(&c->guard, 0, 0);
}

static void look(void *arg)
{
	struct command *c = arg;
	guard_recall(&c->guard, &c->family);
	family_look(&c->family, c->pid, true);
}

/* The command waits for nothing that could be killed in its place: there is no step between SIGTERM and SIGKILL. */
static bool take(void *arg, enum ending_step step, bool is_typed)
{
	struct command *c = arg;
	(void)is_typed;
	look(c);
	if (step == ENDING_TOLD || step == ENDING_KILLED)
		kill(c->pid, step == ENDING_TOLD ? SIGTERM : SIGKILL);
	return step != ENDING_STRIPPED;
}

/* Those that the command has started and that have not detached themselves. Another signal shortens the wait. */
static void end_family(struct command *c)
{
	struct family_ending e = {.patience = (unsigned)(1000 * ENDING_AFTER_TERM)};
	sigset_t hurry, old;
	sigemptyset(&hurry);
	sigaddset(&hurry, SIGINT);
	sigaddset(&hurry, SIGTERM);
	e.hurry = &hurry;
	sigprocmask(SIG_BLOCK, &hurry, &old);
	family_end(&c->family, &e, NULL);
	sigprocmask(SIG_SETMASK, &old, NULL);
}

void command_end(struct command *c, const char *name, bool is_asked, int *status)
{
	struct ending e = {.step = ENDING_RUNS};
	double now = ending_now();
	look(c);
	kill(c->pid, SIGTERM);
	if (!c->is_guarded) {
		command_wait(c, status);
		return;
	}
	ending_go(&e, is_asked ? ENDING_ASKED : ENDING_TOLD, now, is_asked ? 0 : ENDING_AFTER_TERM);
	ending_wait(&e, c->pid, status, &(struct ending_wait){name, take, c, .look = look});
	end_family(c);
	guard_watch(&c->guard, 0, 0);
}

void command_deinit(struct command *c)
{
	guard_end(&c->guard);
	family_deinit(&c->family);
}
