/*
 * command.c - starts the command to be sampled.
 *
 *	sampler   fork --- opens counters of the child, which begin to count with exec -- writes go -- reads failed
 *	child         \--- reads go ................................................... exec: end of file, or errno
 *
 * If `go` ends without a byte, the sampler has died, and the command does not run.
 */
#include "record/sampler/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"

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

_Noreturn static void become(char *const *words, bool is_piped, int nice_value, int go, int failed)
{
	char byte;
	ssize_t n;
	reset_signals();
	setpriority(PRIO_PROCESS, 0, nice_value);
	if (is_piped)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	do
		n = read(go, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(1);
	execvp(words[0], words);
	int error = errno;
	ssize_t ignored = write(failed, &error, sizeof error);
	(void)ignored;
	_exit(127);
}

bool command_start(struct command *c, bool is_piped, int nice_value, char *const *words, struct err *err)
{
	int go[2], failed[2];
	*c = (struct command){.go = -1, .failed = -1};
	if (pipe2(go, O_CLOEXEC) != 0)
		return fail_errno(err, "pipe to the command");
	if (pipe2(failed, O_CLOEXEC) != 0) {
		fail_errno(err, "pipe to the command");
		close(go[0]);
		close(go[1]);
		return false;
	}
	pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		become(words, is_piped, nice_value, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	*c = (struct command){pid, go[1], failed[0]};
	if (pid > 0)
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
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	close(c->go);
	close(c->failed);
}
