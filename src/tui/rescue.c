/*
 * rescue.c - restores the terminal on every way out:
 *
 *	q, ^C, end          term_close() in term.c
 *	TERM, HUP, INT      the handler sets a flag, and the loop leaves; if it does not within two seconds (a terminal
 *	                    without output blocks a write forever), SIGALRM restores without curses and exits
 *	SEGV, ABRT, ...     the handler writes a prepared text, restores the modes and re-raises the signal
 *	out of memory       the same text, from mem.h's hook
 *	KILL                the guardian: a child that waits for our end of a pipe to close
 *
 * Handlers touch only data prepared in `rescue` below; it is at file scope because a signal handler has no
 * argument.
 */
#include "tui/rescue.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/mem.h"
#include "base/process.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "base/write_all.h"

static struct {
	struct rescue_terminal terminal;
	bool is_armed;     /* the terminal is ours, and must be restored */
	int signals[2];    /* self-pipe */
	int guardian_pipe; /* a socket, as a pipe cannot avoid SIGPIPE; -1: none */
	pid_t guardian;
	void *alt_stack;
	struct sigaction saved[SIGNALS_END];
	bool is_saved[SIGNALS_END];
	volatile sig_atomic_t flags, end_signal;
	atomic_bool is_lost; /* out of memory: nothing is drawn any more */
} rescue = {.terminal = {.fd = -1, .spare_fd = -1}, .signals = {-1, -1}, .guardian_pipe = -1};

/* Only async-signal-safe calls from here to crash(). */
static void dismiss_guardian(void)
{
	if (rescue.guardian_pipe < 0)
		return;
	/* If the guardian was killed, SIGPIPE must not kill us. */
	ssize_t ignored = descriptor_send(rescue.guardian_pipe, "c", 1);
	(void)ignored;
}

static void restore_now(void)
{
	if (!rescue.is_armed)
		return;
	rescue.is_armed = false;
	write_all(rescue.terminal.spare_fd >= 0 ? rescue.terminal.spare_fd : rescue.terminal.fd, rescue.terminal.reset,
	          rescue.terminal.reset_len);
	tcsetattr(rescue.terminal.fd, TCSANOW, &rescue.terminal.found);
	dismiss_guardian();
}

/* Called by the thread that ran out of memory; others may be drawing. */
static void lose(void)
{
	atomic_store(&rescue.is_lost, true);
	restore_now();
}

static void on_crash(int sig)
{
	restore_now();
	temporary_remove_all();
	signal(sig, SIG_DFL);
	raise(sig); /* when the handler returns */
}

static void on_alarm(int sig)
{
	(void)sig;
	int end = rescue.end_signal ? rescue.end_signal : SIGINT;
	/* Modes first: they take effect even if the terminal takes no output. */
	tcsetattr(rescue.terminal.fd, TCSANOW, &rescue.terminal.found);
	restore_now();
	temporary_remove_all();
	_exit(128 + end);
}

static void announce(unsigned flag)
{
	int saved_errno = errno;
	rescue.flags = (sig_atomic_t)((unsigned)rescue.flags | flag);
	ssize_t ignored = write(rescue.signals[1], "s", 1); /* if full, the loop is about to wake up anyway */
	(void)ignored;
	errno = saved_errno;
}

static void on_end(int sig, siginfo_t *info, void *context)
{
	(void)context;
	/* A typed ^C comes from the kernel; a sender of kill() expects us to end. */
	bool is_typed = sig == SIGINT && info && info->si_code == SI_KERNEL;
	if (!is_typed)
		rescue.end_signal = sig;
	alarm(2);
	announce(is_typed ? TERM_INTERRUPT : TERM_END);
}

static void on_notice(int sig)
{
	announce(sig == SIGWINCH ? TERM_RESIZED : sig == SIGTSTP ? TERM_SUSPEND : TERM_CONTINUED);
}

static void set_action(int sig, struct sigaction *a, bool only_if_default)
{
	sigaction(sig, NULL, &rescue.saved[sig]);
	if (only_if_default && rescue.saved[sig].sa_handler == SIG_IGN && !(rescue.saved[sig].sa_flags & SA_SIGINFO))
		return;
	rescue.is_saved[sig] = true;
	sigaction(sig, a, NULL);
}

static void install_handlers(void)
{
	static const int crashes[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSYS, SIGTRAP};
	struct sigaction notice = {.sa_handler = on_notice, .sa_flags = SA_RESTART};
	struct sigaction end = {.sa_sigaction = on_end, .sa_flags = SA_RESTART | SA_SIGINFO};
	struct sigaction last = {.sa_handler = on_alarm};
	struct sigaction crash = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
	sigfillset(&crash.sa_mask);
	size_t size = 64u << 10;
	rescue.alt_stack = mem_alloc(size);
	stack_t stack = {.ss_sp = rescue.alt_stack, .ss_size = size};
	sigaltstack(&stack, NULL);
	set_action(SIGWINCH, &notice, false);
	set_action(SIGCONT, &notice, false);
	set_action(SIGTSTP, &notice, true);
	set_action(SIGINT, &end, true);
	set_action(SIGTERM, &end, true);
	set_action(SIGHUP, &end, true);
	set_action(SIGALRM, &last, false);
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
		set_action(crashes[i], &crash, true);
}

static void remove_handlers(void)
{
	stack_t none = {.ss_flags = SS_DISABLE};
	alarm(0);
	for (int sig = 1; sig < SIGNALS_END; sig++) {
		if (rescue.is_saved[sig])
			sigaction(sig, &rescue.saved[sig], NULL);
		rescue.is_saved[sig] = false;
	}
	sigaltstack(&none, NULL);
	free(rescue.alt_stack);
	rescue.alt_stack = NULL;
}

/*
 * Keeps only its pipe and the terminal open: it must not keep others' pipes open after our end. Its own session
 * protects it from ^C, ^Z and the terminal's hang-up.
 */
_Noreturn static void guard(int pipe_fd)
{
	sigset_t all;
	char c;
	ssize_t n;
	int errors = 0;
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	if (dup2(pipe_fd, STDIN_FILENO) < 0 || dup2(rescue.terminal.fd, STDOUT_FILENO) < 0)
		_exit(1);
	descriptor_close_from(STDERR_FILENO);
	do /* only the end of the stream says that the viewer is gone; a read that fails is tried again */
		n = read(STDIN_FILENO, &c, 1);
	while (n < 0 && (errno == EINTR || errors++ < 100));
	if (n == 0) {
		tcsetattr(STDOUT_FILENO, TCSANOW, &rescue.terminal.found);
		write_all(STDOUT_FILENO, rescue.terminal.reset, rescue.terminal.reset_len);
	}
	_exit(0);
}

static void start_guardian(void)
{
	int ends[2];
	rescue.guardian_pipe = -1;
	if (!descriptor_pair(SOCK_STREAM, ends))
		return;
	rescue.guardian = fork();
	if (rescue.guardian == 0) {
		/* Both ends may have the numbers of closed standard streams. */
		close(ends[1]);
		guard(ends[0]);
	}
	close(ends[0]);
	if (rescue.guardian < 0)
		close(ends[1]);
	else
		rescue.guardian_pipe = ends[1];
}

static void end_guardian(void)
{
	if (rescue.guardian_pipe < 0)
		return;
	dismiss_guardian();
	close(rescue.guardian_pipe);
	rescue.guardian_pipe = -1;
	int status;
	child_has_ended(rescue.guardian, &status, CHILD_PATIENCE); /* takes longer only if it was stopped */
}

bool rescue_begin(const struct rescue_terminal *t, struct err *err)
{
	if (!descriptor_pipe_nonblocking(rescue.signals))
		return fail_errno(err, "pipe");
	rescue.terminal = *t;
	rescue.flags = rescue.end_signal = 0;
	start_guardian();
	install_handlers();
	rescue.is_armed = true;
	mem_on_exhausted(lose);
	return true;
}

void rescue_end(void)
{
	rescue.is_armed = false;
	process_limit_wait(rescue.end_signal ? PROCESS_TOLD : PROCESS_ASKED);
	mem_on_exhausted(NULL);
	end_guardian();
	remove_handlers();
	close(rescue.signals[0]);
	close(rescue.signals[1]);
	rescue.signals[0] = rescue.signals[1] = -1;
}

void rescue_arm(bool is_armed)
{
	rescue.is_armed = is_armed;
}

void rescue_found(const struct termios *found)
{
	rescue.terminal.found = *found;
}

bool rescue_is_lost(void)
{
	return atomic_load(&rescue.is_lost);
}

int rescue_signal_fd(void)
{
	return rescue.signals[0];
}

unsigned rescue_take_signals(void)
{
	char bytes[64];
	sigset_t all, before;
	while (read(rescue.signals[0], bytes, sizeof bytes) > 0)
		;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	unsigned flags = (unsigned)rescue.flags;
	rescue.flags = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return flags;
}

int rescue_end_signal(void)
{
	return rescue.end_signal;
}

void rescue_forgive(void)
{
	alarm(0);
	rescue.end_signal = 0;
}

void rescue_forget(unsigned flags)
{
	rescue.flags = (sig_atomic_t)((unsigned)rescue.flags & ~flags);
}

void rescue_restore_actions(void)
{
	for (int sig = 1; sig < SIGNALS_END; sig++)
		if (rescue.is_saved[sig])
			sigaction(sig, &rescue.saved[sig], NULL);
}
