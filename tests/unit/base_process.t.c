/*
 * Standard error is waited for, but once the end is near not for ever.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "tests/tap.h"

#define MUCH ((size_t)1 << 20) /* more than a pipe holds */

static char bytes[MUCH];

struct reader {
	int fd;
	size_t got;
};

/* Takes all of it, in steps that together last longer than the limit. */
static void *read_slowly(void *arg)
{
	struct reader *r = arg;
	static char piece[MUCH / 4];
	ssize_t n = 1;
	while (r->got < MUCH && n > 0) {
		nanosleep(&(struct timespec){0, r->got % sizeof piece ? 0 : 500000000}, NULL);
		n = read(r->fd, piece, sizeof piece - r->got % sizeof piece);
		r->got += n > 0 ? (size_t)n : 0;
	}
	return NULL;
}

static void test_slow(bool is_nonblocking, const char *name)
{
	int ends[2], saved = dup(STDERR_FILENO);
	struct reader r = {0};
	pthread_t thread;
	if (pipe(ends) != 0)
		bail_out("no pipe");
	r.fd = ends[0];
	if (is_nonblocking)
		fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK);
	pthread_create(&thread, NULL, read_slowly, &r);
	dup2(ends[1], STDERR_FILENO);
	bool is_out = process_write(bytes, MUCH);
	dup2(saved, STDERR_FILENO);
	close(ends[1]);
	pthread_join(thread, NULL);
	ok(is_out && r.got == MUCH, "%s that takes bytes now and then gets all", name);
	close(ends[0]);
	close(saved);
}

static void test_full(bool is_nonblocking, const char *name)
{
	int ends[2], saved = dup(STDERR_FILENO);
	struct sigaction action;
	if (pipe(ends) != 0)
		bail_out("no pipe");
	if (is_nonblocking)
		fcntl(ends[1], F_SETFL, fcntl(ends[1], F_GETFL) | O_NONBLOCK);
	dup2(ends[1], STDERR_FILENO);
	bool is_out = process_write(bytes, MUCH), is_muted = process_write(bytes, MUCH);
	dup2(saved, STDERR_FILENO);
	ok(!is_out, "%s that takes nothing is given up", name);
	ok(is_muted, "%s: and what follows is dropped at once", name);
	sigaction(SIGALRM, NULL, &action);
	ok(action.sa_handler == SIG_DFL, "%s: the alarm is as before", name);
	close(ends[0]);
	close(ends[1]);
	close(saved);
}

static void test_lost(void)
{
	int ends[2], saved = dup(STDERR_FILENO);
	if (pipe(ends) != 0)
		bail_out("no pipe");
	close(ends[0]);
	dup2(ends[1], STDERR_FILENO);
	bool is_out = process_write(bytes, MUCH);
	dup2(saved, STDERR_FILENO);
	ok(!is_out, "a reader that is gone takes nothing");
	close(ends[1]);
	close(saved);
}

int main(void)
{
	sigset_t alarm_only;
	signal(SIGPIPE, SIG_IGN);
	test_lost();
	test_slow(false, "without a limit, a pipe");
	test_slow(true, "without a limit, a pipe that does not block");
	process_limit_wait(1);
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm_only, NULL); /* of the caller's threads, some may block it */
	test_lost();
	test_slow(false, "a pipe");
	test_slow(true, "a pipe that does not block");
	test_full(false, "a pipe");
	test_full(true, "a pipe that does not block");
	return done_testing();
}
