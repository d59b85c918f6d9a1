/*
 * detach.c - lets the command of a live recording run on, and tells how it has ended.
 *
 * perf record ends its command when it is told to end, with any signal that it can catch. So it gets SIGKILL. That
 * loses nothing but the samples of the last moment: a live recording has no end that perf would have to write, and
 * the system stops sampling when perf's descriptors are closed. The command keeps its input (/dev/null) and its
 * output: a pipe that the guard reads to its end, so that the command's writes never fail.
 *
 * sudo may give perf a terminal of its own and close it at the end, which would hang up on the command. So does the
 * system if flametop leads its session, as in `tmux new-window flametop record ...`.
 */
#include "record/detach.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "record/process.h"

bool record_can_detach(const struct recording *r)
{
	const struct record_options *o = &r->options->record;
	return o->command && !o->root && r->guard.pid > 0 && getsid(0) != getpid();
}

bool record_detach(void *arg)
{
	struct recording *r = arg;
	pid_t command = r->recorder > 0 && !r->is_interrupted ? process_child(r->recorder) : 0;
	if (command <= 0)
		return false;
	r->left_running = command;
	kill(r->recorder, SIGKILL);
	return true;
}

void record_say_detached(const struct recording *r)
{
	if (r->left_running > 0 && !r->options->quiet)
		err_printf("%s (process %ld) runs on; what it prints is dropped from now on", r->options->record.command[0],
		           (long)r->left_running);
}

static void add_signal(struct buf *out, int sig)
{
	static const struct {
		int sig;
		const char *name;
	} names[] = {
		{SIGHUP, "SIGHUP"},   {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},
		{SIGTRAP, "SIGTRAP"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
		{SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"}, {SIGUSR2, "SIGUSR2"},
		{SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"}, {SIGXCPU, "SIGXCPU"},
		{SIGXFSZ, "SIGXFSZ"}, {SIGSYS, "SIGSYS"},
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].sig == sig) {
			buf_addf(out, "killed by %s", names[i].name);
			return;
		}
	buf_addf(out, "killed by signal %d", sig);
}

/* perf record ends with the status, or by the signal, of its command. It stays to be waited for. */
bool record_add_outcome(void *arg, struct buf *out)
{
	struct recording *r = arg;
	siginfo_t info = {0};
	if (r->recorder <= 0 || waitid(P_PID, (id_t)r->recorder, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	    info.si_pid == 0)
		return false;
	if (!r->is_interrupted && info.si_code != CLD_EXITED && record_is_complete(r) == RECORD_IS_CUT)
		buf_addf(out, "%s ", record_recorder(r));
	if (r->is_interrupted)
		buf_adds(out, "stopped");
	else if (info.si_code != CLD_EXITED)
		add_signal(out, info.si_status);
	else if (r->options->record.command || info.si_status)
		buf_addf(out, "ended, status %d", info.si_status);
	else
		buf_adds(out, "ended");
	return true;
}
