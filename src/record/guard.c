/*
 * guard.c - runs a process that ends the programs of a recording, or a build, if flametop cannot.
 *
 *	flametop ---- socket ---- guard        recorder=71 script=72
 *	   | SEGV, QUIT, KILL ...   |          end of file: finds all processes that 71 and 72 have started,
 *	   x                        |          SIGTERM; SIGKILL for those left after GUARD_PATIENCE and a second
 *
 * A signal handler could only send a signal, and perf record waits for a command that ignores it. flametop tells
 * the guard the process IDs. A program that was being started when flametop died is found by the mark of its
 * family. While flametop lives, perf record and perf script are its children, so no other program gets their IDs;
 * after flametop's end the guard looks at once. Signals for the process group do not reach the guard: it has its
 * own session and blocks all signals.
 *
 * A signal for the whole group, or a terminal that hangs up, ends parents of programs with sessions of their own
 * before anybody can look, and the programs would pass for daemons. So the guard looks while all of them run, about
 * once a second, and leaves what it has seen where flametop, if it lives, finds it (guard_recall()).
 */
#include "record/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/descriptor.h"
#include "base/temporary.h"

#define GUARD_PATIENCE 2000 /* milliseconds for perf record and its command to end */
#define READER_PATIENCE 100 /* milliseconds after which a guard with nothing to read has ended */
#define NAP 10              /* milliseconds */
#define START_PATIENCE 1000 /* milliseconds for a program to get its mark, after flametop's end */
#define FIRST_LOOK 10       /* milliseconds; each look is twice as far from the one before, */
#define LAST_LOOK 1000      /* up to this, */
#define LOOK_SHARE 100      /* or so many times what the look has taken */
#define DISMISS ((pid_t)-1)
#define STARTING ((pid_t)-2)

/* Sockets that keep messages apart. macOS has only streams; messages are small enough to arrive whole. */
#ifdef __APPLE__
#define MESSAGES SOCK_STREAM
#else
#define MESSAGES SOCK_SEQPACKET
#endif

struct watched {
	pid_t recorder, script;
};

/* Finds a recorder that may have been started, by its mark. */
static void find_started(struct family *recorder)
{
	for (int waited = 0; !recorder->n && waited < START_PATIENCE; waited += NAP) {
		nanosleep(&(struct timespec){0, NAP * 1000000}, NULL);
		family_take_orphans(recorder);
	}
}

static void end_all(const struct watched *w, const struct family *marked, const struct family *seen,
                    family_tell *tell, void *arg)
{
	static const struct timespec nap = {0, NAP * 1000000};
	struct family_ending e = {tell, arg, 1000, NULL};
	struct family recorder = {0}, script = {0};
	if (w->recorder > 0 || w->recorder == STARTING)
		family_copy_mark(&recorder, marked);
	family_take(&recorder, w->recorder);
	if (w->recorder == STARTING)
		find_started(&recorder);
	family_take(&script, w->script);
	bool is_told = w->recorder > 0 && family_living(&recorder);
	if (is_told)
		tell(arg, w->recorder, SIGTERM);
	family_add(&recorder, seen);
	if (family_living(&script)) /* it has nothing to lose */
		tell(arg, w->script, SIGKILL);
	for (int waited = 0; is_told && family_living(&recorder) && waited < GUARD_PATIENCE; waited += NAP)
		nanosleep(&nap, NULL);
	family_end(&recorder, &e, NULL);
	family_end(&script, &e, NULL);
}

static void tell_plainly(void *arg, pid_t pid, int sig)
{
	(void)arg;
	kill(pid, sig);
}

#define PRINTED 3 /* descriptor for the command's output, if it is read */

/*
 * Closes all inherited descriptors but the socket and the command's output: after flametop's end no pipe may seem
 * to have a reader or a writer.
 */
static void take_streams(int fd, int printed)
{
	int null = open("/dev/null", O_RDWR);
	fd = fcntl(fd, F_DUPFD, PRINTED + 1);
	null = fcntl(null, F_DUPFD, PRINTED + 1);
	printed = printed < 0 ? null : fcntl(printed, F_DUPFD, PRINTED + 1);
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0 ||
	    dup2(printed, PRINTED) < 0)
		_exit(1);
	descriptor_close_from(PRINTED + 1);
}

static long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Waits until there is something to read, and looks at what the recorder has started meanwhile. */
static void look_until_news(pid_t recorder, struct family *seen, struct family_place *place)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	long pause = FIRST_LOOK;
	while (poll(&p, 1, (int)pause) == 0) {
		long begun = now_ms();
		family_look(seen, recorder, false);
		family_leave(seen, place);
		long least = LOOK_SHARE * (now_ms() - begun);
		pause = pause < LAST_LOOK / 2 ? 2 * pause : LAST_LOOK;
		pause = pause < least ? least : pause;
	}
}

/* A read that fails is tried again: only the end of the stream says that flametop is gone. */
#define MOST_ERRORS 100

/* Programs left running may still print, and without a reader that would kill them. */
static void read_on(void)
{
	static char bytes[65536];
	fcntl(PRINTED, F_SETFL, fcntl(PRINTED, F_GETFL) & ~O_NONBLOCK);
	ssize_t n;
	do
		n = read(PRINTED, bytes, sizeof bytes);
	while (n > 0 || (n < 0 && errno == EINTR));
}

_Noreturn static void guard(int fd, int printed, struct family_place *place, const struct family *marked,
                            family_tell *tell, void *arg)
{
	struct watched now = {0}, next;
	struct family seen = {0};
	sigset_t all;
	ssize_t n;
	int errors = 0;
	setsid();
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	take_streams(fd, printed);
	do {
		if (now.recorder > 0)
			look_until_news(now.recorder, &seen, place);
		n = read(STDIN_FILENO, &next, sizeof next);
		if (n == (ssize_t)sizeof next && next.recorder != now.recorder)
			family_deinit(&seen);
		if (n == (ssize_t)sizeof next)
			now = next;
		errors = n < 0 && errno != EINTR ? errors + 1 : 0;
	} while (now.recorder != DISMISS && n != 0 && errors < MOST_ERRORS);
	if (now.recorder != DISMISS)
		end_all(&now, marked, &seen, tell ? tell : tell_plainly, arg);
	read_on();
	_exit(0);
}

void guard_start(struct guard *g, int printed, const struct family *marked, family_tell *tell, void *arg)
{
	int ends[2];
	*g = (struct guard){.fd = -1};
	if (!descriptor_pair(MESSAGES, ends))
		return;
	struct family_place *seen = family_place_new();
	pid_t pid = fork();
	if (pid == 0) {
		close(ends[1]);
		guard(ends[0], printed, seen, marked, tell, arg);
	}
	close(ends[0]);
	if (pid > 0) {
		*g = (struct guard){pid, ends[1], printed >= 0, seen};
		return;
	}
	close(ends[1]);
	family_place_free(seen);
}

static void send_to(const struct guard *g, struct watched w)
{
	ssize_t ignored = descriptor_send(g->fd, &w, sizeof w); /* fails if the guard was killed */
	(void)ignored;
}

void guard_begin(struct guard *g)
{
	guard_watch(g, STARTING, 0);
}

void guard_watch(struct guard *g, pid_t recorder, pid_t script)
{
	if (g->pid > 0)
		send_to(g, (struct watched){recorder, script});
}

void guard_recall(const struct guard *g, struct family *family)
{
	if (g->pid > 0)
		family_recall(family, g->seen);
}

bool guard_spawn(struct guard *g, struct family *family, const struct words *w, const struct streams *streams,
                 pid_t *child, int *slot, struct err *err)
{
	struct streams marked = *streams;
	family_choose_mark(family);
	marked.entry = family->mark;
	guard_start(g, -1, family, NULL, NULL);
	*slot = -1;
	guard_begin(g);
	if (!words_spawn(w, &marked, child, err)) {
		guard_end(g);
		return false;
	}
	guard_watch(g, *child, 0);
	/* The guard finds what the program has started, then ends it, so only without a guard a signal handler may. */
	if (g->pid <= 0)
		*slot = temporary_register_child(*child, SIGTERM);
	return true;
}

void guard_end(struct guard *g)
{
	int status;
	if (g->pid <= 0)
		return;
	send_to(g, (struct watched){DISMISS, 0});
	close(g->fd);
	/* The guard stays while it reads on, and may have been stopped. */
	child_has_ended(g->pid, &status, g->reads_on ? READER_PATIENCE : CHILD_PATIENCE);
	family_place_free(g->seen);
	*g = (struct guard){.fd = -1};
}
