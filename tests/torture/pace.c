/*
 * pace.c - measures how long the viewer may keep a key waiting.
 *
 *	pace FLAMETOP SHIM KEYS ARG...
 *
 * Runs the viewer on a terminal and types KEYS at once while it loads, and again when it has loaded (--keys wait
 * for that, leave an open prompt, and copy something to the clipboard, which shows that loading is over). ~ is
 * Escape. Prints the longest time between two reads of the keyboard, in microseconds of processor time (shim.c,
 * PACE_TO), which other load does not change.
 */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define BETWEEN_MS 40
#define QUIET_MS 1000
#define RESTING_MS 50 /* of processor time in QUIET_MS */
#define PATIENCE_S 120

static int master;
static bool is_loaded, has_ended;

/* Detects OSC 52, which may come in pieces. */
static void watch(const char *bytes, ssize_t n)
{
	static const char mark[] = "\x1b]52;";
	static size_t seen;
	for (ssize_t i = 0; i < n && !is_loaded; i++) {
		seen = bytes[i] == mark[seen] ? seen + 1 : bytes[i] == mark[0];
		is_loaded = seen == sizeof mark - 1;
	}
}

/* Reads until nothing has been drawn for this long. */
static void drain(int quiet_ms)
{
	char bytes[65536];
	struct pollfd p = {.fd = master, .events = POLLIN};
	time_t end = time(NULL) + PATIENCE_S;
	while (!has_ended && poll(&p, 1, quiet_ms) > 0 && time(NULL) < end) {
		ssize_t n = read(master, bytes, sizeof bytes);
		has_ended = n <= 0;
		watch(bytes, n);
	}
}

/* Processor time of the viewer, in milliseconds. */
static long long worked(pid_t pid)
{
	clockid_t clock;
	struct timespec t = {0};
	if (clock_getcpuclockid(pid, &clock) == 0)
		clock_gettime(clock, &t);
	return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/* A stretch is measured at the look that ends it, and draws nothing before: waits until the viewer rests. */
static void wait_for_rest(pid_t pid)
{
	time_t end = time(NULL) + PATIENCE_S;
	long long before;
	do {
		before = worked(pid);
		drain(QUIET_MS);
	} while (!has_ended && worked(pid) - before > RESTING_MS && time(NULL) < end);
}

static void type(const char *keys)
{
	for (; *keys; keys++) {
		if (write(master, *keys == '~' ? "\x1b" : keys, 1) != 1)
			return;
		drain(BETWEEN_MS);
	}
}

int main(int argc, char **argv)
{
	struct winsize size = {.ws_col = 160, .ws_row = 50};
	char path[] = "/tmp/flametop-pace-XXXXXX", text[64] = "";
	int status = 0, fd = mkstemp(path);
	if (argc < 5 || fd < 0)
		bail_out("usage: pace FLAMETOP SHIM KEYS ARG...");
	pid_t pid = forkpty(&master, NULL, NULL, &size);
	if (pid == 0) {
		setenv("LD_PRELOAD", argv[2], 1);
		setenv("PACE_TO", path, 1);
		const char *args[16] = {argv[1], "--keys=<Esc>C"};
		for (int i = 4; i < argc && i < 16; i++)
			args[i - 2] = argv[i];
		execv(argv[1], (char *const *)(uintptr_t)args);
		_exit(99);
	}
	poll(&(struct pollfd){.fd = master, .events = POLLIN}, 1, PATIENCE_S * 1000);
	type(argv[3]);
	type("~"); /* closes a prompt, which would take the key as text */
	for (time_t end = time(NULL) + PATIENCE_S; !is_loaded && !has_ended && time(NULL) < end;)
		drain(BETWEEN_MS);
	type("~"); /* closes the list of what was copied, which would take the keys */
	drain(4 * BETWEEN_MS);
	type(argv[3]);
	wait_for_rest(pid);
	kill(pid, SIGTERM);
	drain(QUIET_MS);
	waitpid(pid, &status, 0);
	bool is_told = (is_loaded || has_ended) && read(fd, text, sizeof text - 1) > 0;
	unlink(path);
	printf("%s", is_told ? text : "none\n");
	return !is_told;
}
