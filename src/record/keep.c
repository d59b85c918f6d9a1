/*
 * keep.c - keeps a recording if a later step fails.
 *
 *	perf record ends | perf script, folding, export ...                        | done
 *	                 | ^C does nothing for a second; then, like any deadly     |
 *	                 | signal: copies to perf-XXXXXX.data, prints that, ends   |
 *
 * Until then a recording is an unnamed file, which cannot be linked again, so it is copied. The functions that run
 * in a signal handler only make calls that are safe there.
 */
#include "record/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/copy_data.h"
#include "base/mem.h"
#include "base/shell_word.h"
#include "base/temporary.h"
#include "options.h"
#include "record/ending.h"

#define NAME "perf-XXXXXX.data"
#define PATIENCE_MS 1000 /* for a terminal or pipe to take a message */

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define N_DEADLY (sizeof deadly / sizeof *deadly)

static double ended; /* when perf record ended; global, because the SIGINT handler has no argument */

#define NAMES_TRIED 1000

/* Makes a new file; the X in the name become digits. Not mkstemps(), which POSIX has not. -1: failed, errno set. */
static int make_file(char *name)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	unsigned long number = (unsigned long)now.tv_nsec + (unsigned long)getpid() * 65537;
	for (int attempt = 0; attempt < NAMES_TRIED; attempt++) {
		unsigned long rest = number + (unsigned long)attempt;
		char *digits = name + strlen(name) - strlen("XXXXXX.data");
		for (int i = 0; i < 6; i++, rest /= 10)
			digits[i] = (char)('0' + rest % 10);
		int fd = open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Copies the recording to a new file in that place, and completes its name. Returns 0 or an errno. */
static int copy_to(const struct keep *k, const char *place, char name[KEEP_NAME])
{
	memcpy(name, place, strlen(place) + 1); /* the place fits: keep_begin() */
	int fd = make_file(name), e = 0;
	if (fd < 0)
		return errno;
	if (!copy_data(k->data, fd)) {
		e = errno;
		unlink(name);
	}
	close(fd);
	return e;
}

/* In the working directory or, if that takes no files or is full, where temporary ones go. */
static int copy_somewhere(const struct keep *k, char name[KEEP_NAME])
{
	int first = copy_to(k, NAME, name), e = first;
	if (e != 0 && k->elsewhere[0])
		e = copy_to(k, k->elsewhere, name);
	if (e != 0)
		e = copy_to(k, "/var/tmp/" NAME, name);
	return e ? first : 0;
}

/* A terminal that takes no output must not keep the process. */
static void put(const char *text)
{
	struct pollfd p = {.fd = STDERR_FILENO, .events = POLLOUT};
	if (poll(&p, 1, PATIENCE_MS) != 1)
		return;
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
	(void)ignored;
}

static void say_kept(const char *name)
{
	put("flametop: the recording is still there: flametop record --perfdata=");
	put(name);
	put("\n");
}

/* Called when the process ends. Ignores signals: a second one would leave half a copy. */
static void keep_last(void *arg)
{
	const struct keep *k = arg;
	struct sigaction ignored = {.sa_handler = SIG_IGN}, old[N_DEADLY];
	char name[KEEP_NAME];
	for (size_t i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &ignored, &old[i]);
	if (k->name)
		say_kept(k->quoted);
	else if (copy_somewhere(k, name) == 0)
		say_kept(name);
	else
		put("flametop: the recording cannot be kept here, and is lost\n");
	for (size_t i = 0; i < N_DEADLY; i++)
		sigaction(deadly[i], &old[i], NULL);
}

static void on_interrupt(int sig)
{
	int saved_errno = errno;
	if (ending_now() - ended >= KEEP_LATE) {
		temporary_remove_all();
		signal(sig, SIG_DFL);
		raise(sig);
	}
	errno = saved_errno;
}

static void set_name(struct keep *k, const char *name)
{
	struct buf quoted;
	buf_init(&quoted);
	shell_word_add(&quoted, name);
	k->quoted = buf_take(&quoted);
	k->name = mem_strdup(name);
}

void keep_begin(struct keep *k, int data, const char *name)
{
	struct sigaction a = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, found;
	const char *directory = getenv("TMPDIR");
	*k = (struct keep){.data = data};
	if (directory && *directory == '/' && strlen(directory) + sizeof "/" NAME <= KEEP_NAME)
		snprintf(k->elsewhere, sizeof k->elsewhere, "%s/" NAME, directory);
	if (name)
		set_name(k, name);
	ended = ending_now();
	k->has_late = sigaction(SIGINT, NULL, &found) == 0 && !(found.sa_flags & SA_SIGINFO) &&
	              found.sa_handler == SIG_DFL && sigaction(SIGINT, &a, NULL) == 0;
	k->slot = temporary_register_call(keep_last, k);
	k->is_on = true;
}

bool keep_now(struct keep *k, struct err *err)
{
	char name[KEEP_NAME];
	sigset_t signals, old;
	if (k->name)
		return true;
	sigemptyset(&signals);
	for (size_t i = 0; i < N_DEADLY; i++)
		sigaddset(&signals, deadly[i]);
	pthread_sigmask(SIG_BLOCK, &signals, &old);
	int e = copy_somewhere(k, name);
	if (e == 0)
		set_name(k, name);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = e;
	return e == 0 || fail_errno(err, "the recording cannot be kept here");
}

void keep_end(struct keep *k)
{
	if (!k->is_on)
		return;
	if (k->has_late)
		signal(SIGINT, SIG_DFL);
	temporary_forget(k->slot);
	free(k->name);
	free(k->quoted);
	*k = (struct keep){0};
}
