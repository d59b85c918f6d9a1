/*
 * temporary.c - files and programs that must not outlive the process.
 *
 * The signal handlers find them in a table at file scope, since a handler has no argument. A slot holds a copy of
 * the path, so that a handler on another thread never reads freed memory:
 *
 *	register: path, then is_taken       handler: is_taken? unlink(path)       forget: is_taken off
 */
#include "base/temporary.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/signals.h"

#define SLOTS \
	12 /* a drawing, its palette file, a recording and its two programs, those that read files, and room to spare */

static struct {
	atomic_bool is_taken, is_called;
	pid_t child; /* 0: it is a file; below 0: a process group */
	int signal;  /* the signal that ends the child */
	void (*call)(void *);
	void *arg;
	char path[PATH_MAX];
} slots[SLOTS];
static unsigned n_taken;
static bool is_at_exit;
static bool is_ours[SIGNALS_END];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* for writers; the handlers only read */

#define WAIT_MS 100 /* for threads that hold */
static atomic_bool is_ending;
static atomic_uint n_holding;
static _Thread_local unsigned n_own;    /* of n_holding, this thread */
static _Thread_local bool ends_process; /* it is this thread that removes all */

void temporary_hold(void)
{
	n_own++;
	atomic_fetch_add(&n_holding, 1);
	if (!atomic_load(&is_ending))
		return;
	temporary_release();
	for (;;)
		pause();
}

void temporary_release(void)
{
	n_own--;
	atomic_fetch_sub(&n_holding, 1);
}

/*
 * No other thread is making a file then, nor will be, unless it takes too long. Does not return if another thread,
 * which took an earlier signal, is at it: the process ends when that one is done.
 */
static void stop_others(void)
{
	static const struct timespec moment = {.tv_nsec = 1000000};
	while (atomic_exchange(&is_ending, true) && !ends_process)
		pause();
	ends_process = true;
	for (int i = 0; i < WAIT_MS && atomic_load(&n_holding) > n_own; i++)
		nanosleep(&moment, NULL);
}

void temporary_remove_all(void)
{
	int saved_errno = errno;
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before); /* a second signal waits */
	stop_others();
	for (size_t i = 0; i < SLOTS; i++) {
		if (!atomic_load(&slots[i].is_taken) || slots[i].call)
			continue;
		if (slots[i].child != 0)
			kill(slots[i].child, slots[i].signal);
		else
			unlink(slots[i].path);
	}
	for (size_t i = 0; i < SLOTS; i++)
		if (atomic_load(&slots[i].is_taken) && slots[i].call && !atomic_exchange(&slots[i].is_called, true))
			slots[i].call(slots[i].arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved_errno;
}

static void on_signal(int sig)
{
	temporary_remove_all();
	signal(sig, SIG_DFL);
	raise(sig); /* when the handler returns */
}

/*
 * On a write beyond the file size limit, the kernel sends the signal in our own name. That write fails, and its
 * caller reports the error.
 */
static void on_size_limit(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (info->si_code == SI_USER && info->si_pid == getpid())
		return;
	temporary_remove_all();
	signal(sig, SIG_DFL);
	raise(sig);
}

void temporary_begin(void)
{
	struct sigaction limit = {.sa_sigaction = on_size_limit,
	                          .sa_flags = (int)(SA_SIGINFO | SA_NODEFER | SA_RESTART)};
	sigaction(SIGXFSZ, &limit, NULL);
}

/* Does its default action end the process? No handler can catch SIGKILL. */
static bool is_deadly(int sig)
{
	static const int harmless[] = {SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH};
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		if (sig == harmless[i])
			return false;
	return true;
}

static void install_handlers(void)
{
	struct sigaction ours = {.sa_handler = on_signal}, old;
	sigfillset(&ours.sa_mask);
	for (int sig = 1; sig < SIGNALS_END; sig++) {
		is_ours[sig] = is_deadly(sig) && sigaction(sig, NULL, &old) == 0 && !(old.sa_flags & SA_SIGINFO) &&
		               old.sa_handler == SIG_DFL && sigaction(sig, &ours, NULL) == 0;
	}
}

static void remove_handlers(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL}, now;
	for (int sig = 1; sig < SIGNALS_END; sig++)
		if (is_ours[sig] && sigaction(sig, NULL, &now) == 0 && now.sa_handler == on_signal)
			sigaction(sig, &plain, NULL);
}

/* What is to be done about something; all but one are NULL or 0. */
struct wish {
	const char *path;
	pid_t child;
	int signal;
	void (*call)(void *);
	void *arg;
};

static int register_locked(const struct wish *w)
{
	const char *path = w->path ? w->path : "";
	size_t n = strlen(path);
	/* For libraries that call exit(), as curses does when it runs out of memory. */
	is_at_exit = is_at_exit || atexit(temporary_remove_all) == 0;
	for (int i = 0; i < SLOTS && n < sizeof slots[0].path; i++) {
		if (atomic_load(&slots[i].is_taken))
			continue;
		memcpy(slots[i].path, path, n + 1);
		slots[i].child = w->child;
		slots[i].signal = w->signal;
		slots[i].call = w->call;
		slots[i].arg = w->arg;
		atomic_store(&slots[i].is_called, false);
		atomic_store(&slots[i].is_taken, true);
		if (n_taken++ == 0)
			install_handlers();
		return i;
	}
	return -1;
}

static int register_one(const struct wish *w)
{
	pthread_mutex_lock(&lock);
	int slot = register_locked(w);
	pthread_mutex_unlock(&lock);
	return slot;
}

int temporary_register(const char *path)
{
	return register_one(&(struct wish){.path = path});
}

int temporary_register_child(pid_t child, int signal)
{
	return register_one(&(struct wish){.child = child, .signal = signal});
}

int temporary_register_call(void (*fn)(void *), void *arg)
{
	return register_one(&(struct wish){.call = fn, .arg = arg});
}

void temporary_forget(int slot)
{
	if (slot < 0)
		return;
	pthread_mutex_lock(&lock);
	atomic_store(&slots[slot].is_taken, false);
	if (--n_taken == 0)
		remove_handlers();
	pthread_mutex_unlock(&lock);
}
