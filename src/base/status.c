/*
 * status.c - one line on standard error about long work outside the viewer.
 *
 * The line ends with a carriage return: what another program prints, or the prompt of a shell, writes over it.
 *
 * A terminal may take no output for hours, after ^S or behind a dead link. So the line goes through a descriptor of
 * its own that never blocks, and is skipped while the terminal is full; without such a descriptor there is no line.
 * O_NONBLOCK on standard error itself would also hold for the other programs on the terminal.
 */
#include "base/status.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/status_line.h"
#include "base/temporary.h"
#include "base/timed_wait.h"
#include "base/utf8.h"
#include "base/write_all.h"

#define FIRST_MS 500 /* shorter work needs no line */
#define NEXT_MS 200
#define DETAIL 256 /* bytes kept of a path, at its end */
#define ERASE "\r\033[K"

/* of the process, like standard error itself */
static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t thread;
	bool is_on, is_ending;
	struct status_stage stage;
	struct timespec since; /* the present stage began, */
	uint64_t first;        /* with so much done */
	const char *detail;    /* verb; NULL: none */
	char path[DETAIL];
	int slot; /* see base/temporary.h */
} status = {.lock = PTHREAD_MUTEX_INITIALIZER};
static atomic_bool is_watched;
static atomic_bool is_shown; /* there is something to erase */

static int terminal = -1; /* behind standard error; non-blocking */

/* Signal handlers call it, so SIGTTOU must not stop them. false: the terminal takes no output. */
static bool put(const char *bytes, size_t n)
{
	sigset_t stop, before;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTTOU);
	pthread_sigmask(SIG_BLOCK, &stop, &before);
	bool ok = write_all(terminal, bytes, n) == n;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

static void erase(void *arg)
{
	(void)arg;
	if (atomic_load(&is_shown) && put(ERASE, sizeof ERASE - 1))
		atomic_store(&is_shown, false);
}

static double seconds_since(const struct timespec *t)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) / 1e9;
}

static void add_text(struct buf *out, size_t columns)
{
	const struct status_stage *s = &status.stage;
	struct status_line line = {
		.verb = s->verb,
		.what = s->what,
		.detail = status.detail,
		.detail_of = status.path,
		.done = s->done ? atomic_load(s->done) : 0,
		.first = status.first,
		.all = s->all ? atomic_load(s->all) : 0,
		.is_bytes = s->is_bytes,
		.seconds = seconds_since(&status.since),
	};
	status_line_add(out, &line, columns, utf8_locale_mode());
}

static size_t columns(void)
{
	struct winsize size;
	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
}

/* The lock is held. */
static void draw(void)
{
	struct buf line;
	if (!status.stage.verb) {
		erase(NULL);
		return;
	}
	buf_init(&line);
	buf_adds(&line, "\r");
	add_text(&line, columns());
	buf_adds(&line, "\033[K\r");
	atomic_store(&is_shown, true);
	put(line.data, line.len);
	buf_deinit(&line);
}

static void *show(void *arg)
{
	struct timespec when = timed_wait_in(0);
	(void)arg;
	pthread_mutex_lock(&status.lock);
	for (unsigned ms = FIRST_MS; !status.is_ending; ms = NEXT_MS) {
		timed_wait_add(&when, ms);
		while (!status.is_ending && pthread_cond_timedwait(&status.changed, &status.lock, &when) == 0)
			;
		if (!status.is_ending)
			draw();
	}
	erase(NULL);
	pthread_mutex_unlock(&status.lock);
	return NULL;
}

static bool is_terminal(void)
{
	const char *term = getenv("TERM");
	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

/* /dev/tty can be opened even if the terminal's own file belongs to another user, as after su. */
static int open_terminal(void)
{
	const char *name = tcgetpgrp(STDERR_FILENO) != -1 ? "/dev/tty" : ttyname(STDERR_FILENO);
	return name ? open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
}

/* A thread that takes no signals: handlers run where they always did. */
static bool start_thread(void)
{
	sigset_t all, old;
	timed_wait_init(&status.changed);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool ok = pthread_create(&status.thread, NULL, show, NULL) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return ok;
}

static void close_terminal(void)
{
	close(terminal);
	terminal = -1;
	atomic_store(&is_shown, false);
}

void status_begin(void)
{
	if (status.is_on || !is_terminal() || (terminal = open_terminal()) < 0)
		return;
	status.is_ending = false;
	status.is_on = start_thread();
	if (status.is_on)
		status.slot = temporary_register_call(erase, NULL);
	else
		close_terminal();
}

void status_end(void)
{
	if (!status.is_on)
		return;
	pthread_mutex_lock(&status.lock);
	status.is_ending = true;
	status.stage = (struct status_stage){0};
	pthread_cond_signal(&status.changed);
	pthread_mutex_unlock(&status.lock);
	pthread_join(status.thread, NULL);
	pthread_cond_destroy(&status.changed);
	temporary_forget(status.slot);
	close_terminal();
	status.is_on = false;
}

struct status_stage status_enter(struct status_stage stage)
{
	if (!status.is_on)
		return (struct status_stage){0};
	pthread_mutex_lock(&status.lock);
	struct status_stage before = status.stage;
	status.stage = stage;
	status.detail = NULL;
	status.first = stage.done ? atomic_load(stage.done) : 0;
	clock_gettime(CLOCK_MONOTONIC, &status.since);
	pthread_mutex_unlock(&status.lock);
	return before;
}

void status_detail(const char *verb, const char *path)
{
	if (!status.is_on && !atomic_load_explicit(&is_watched, memory_order_relaxed))
		return;
	size_t n = path ? strlen(path) : 0;
	pthread_mutex_lock(&status.lock);
	status.detail = path ? verb : NULL;
	if (path)
		memcpy(status.path, path + (n < DETAIL ? 0 : n - (DETAIL - 1)), (n < DETAIL ? n : DETAIL - 1) + 1);
	pthread_mutex_unlock(&status.lock);
}

void status_watch(void)
{
	atomic_store(&is_watched, true);
}

void status_add_detail(struct buf *out)
{
	pthread_mutex_lock(&status.lock);
	if (status.detail)
		buf_addf(out, "%s %s", status.detail, status.path);
	pthread_mutex_unlock(&status.lock);
}

void status_clear(void)
{
	if (!status.is_on)
		return;
	pthread_mutex_lock(&status.lock);
	erase(NULL);
	pthread_mutex_unlock(&status.lock);
}
