/*
 * process.c - what the program does to its process as a whole: see process.h.
 *
 * Out of memory, the program ends here and allocates nothing: write(2) sends the message, and _exit() skips
 * handlers that might allocate. If several threads run out at once, the first one exits and the others wait.
 */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/signals.h"
#include "base/status.h"
#include "base/temporary.h"
#include "base/utf8.h"

/* belongs to the process, like the allocator's own state */
static _Atomic(void (*)(void)) exhausted_hook;
static atomic_flag is_exhausted = ATOMIC_FLAG_INIT;

void mem_on_exhausted(void (*hook)(void))
{
	atomic_store(&exhausted_hook, hook);
}

_Noreturn void mem_exhausted(void)
{
	static const char message[] = "flametop: out of memory\n";
	while (atomic_flag_test_and_set(&is_exhausted))
		pause();
	void (*hook)(void) = atomic_load(&exhausted_hook);
	if (hook)
		hook();
	temporary_remove_all();
	ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
	(void)written; /* a failed write to stderr has nowhere to go */
	_exit(1);
}

/* ---- standard error ------------------------------------------------------------------------------------------ */

static atomic_uint patience; /* seconds; 0: no limit */

void process_limit_wait(unsigned seconds)
{
	atomic_store(&patience, seconds);
}

static void wake(int sig)
{
	(void)sig;
}

struct alarm_before {
	struct sigaction action;
	struct itimerval timer;
	sigset_t mask;
};

#define TICK 0.5 /* seconds */

/* From here to end_alarm(), each tick interrupts a call that waits. Of one thread at a time. */
static void begin_alarm(struct alarm_before *before)
{
	static const struct timeval tick = {.tv_usec = (suseconds_t)(TICK * 1e6)};
	struct sigaction a = {.sa_handler = wake};
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaction(SIGALRM, &a, &before->action);
	pthread_sigmask(SIG_UNBLOCK, &set, &before->mask);
	setitimer(ITIMER_REAL, &(struct itimerval){tick, tick}, &before->timer);
}

static void end_alarm(const struct alarm_before *before)
{
	setitimer(ITIMER_REAL, &before->timer, NULL);
	pthread_sigmask(SIG_SETMASK, &before->mask, NULL);
	sigaction(SIGALRM, &before->action, NULL);
}

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Whoever started us may have made standard error non-blocking. */
static void wait_for_room(bool has_limit)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
	poll(&p, 1, has_limit ? (int)(TICK * 1000) : -1);
}

/* Messages that other code writes must not wait, either. */
static void give_up(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	if (null > STDERR_FILENO)
		close(null);
}

/* limit 0: none. Returns how many bytes were written. */
static size_t write_within(const char *bytes, size_t n, unsigned limit)
{
	size_t done = 0;
	double since = seconds_now(); /* it took something */
	while (done < n) {
		ssize_t put = write(STDERR_FILENO, bytes + done, n - done);
		bool is_full = put < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
		if (put > 0) {
			done += (size_t)put;
			since = seconds_now();
		} else if (put == 0 || (!is_full && errno != EINTR)) {
			break;
		} else if (limit && seconds_now() - since > limit - TICK / 2) {
			give_up();
			break;
		} else if (is_full) {
			wait_for_room(limit > 0);
		}
	}
	return done;
}

bool process_write(const char *bytes, size_t n)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct alarm_before before;
	unsigned limit = atomic_load(&patience);
	if (!limit)
		return write_within(bytes, n, 0) == n;
	pthread_mutex_lock(&lock);
	begin_alarm(&before);
	bool is_out = write_within(bytes, n, limit) == n;
	end_alarm(&before);
	pthread_mutex_unlock(&lock);
	return is_out;
}

void process_say(const char *text, size_t n)
{
	struct buf line;
	buf_init(&line);
	buf_adds(&line, "flametop: ");
	utf8_clean(&line, text, n, utf8_locale_mode());
	buf_addc(&line, '\n');
	status_clear();
	/* In one write: other processes may print to the same terminal. */
	fflush(stderr);
	process_write(line.data, line.len);
	buf_deinit(&line);
}

mode_t process_umask(void)
{
	mode_t mask = umask(0777);
	umask(mask);
	return mask;
}

void process_ignore_broken_pipes(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* ---- what children inherit ----------------------------------------------------------------------------------- */

static sigset_t ignored; /* all zero until child_inherit(): none */

void child_hold_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* reading or writing it still fails */
}

void child_inherit(void)
{
	static const int normal[] = {SIGCHLD, SIGPIPE, SIGALRM, SIGXCPU, SIGXFSZ};
	struct sigaction found;
	sigset_t none;
	sigemptyset(&ignored);
	for (int sig = 1; sig < SIGNALS_END; sig++)
		if (sigaction(sig, NULL, &found) == 0 && !(found.sa_flags & SA_SIGINFO) && found.sa_handler == SIG_IGN)
			sigaddset(&ignored, sig);
	for (size_t i = 0; i < sizeof normal / sizeof *normal; i++)
		signal(normal[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

bool child_is_ignored(int sig)
{
	return sigismember(&ignored, sig) == 1;
}
