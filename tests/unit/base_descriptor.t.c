/* Descriptors, random bytes, searches and waits: what the system's services and their stand-ins have to do. */
#include "tests/tap.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/byte_order.h"
#include "base/copy_data.h"
#include "base/descriptor.h"
#include "base/find.h"
#include "base/memory_file.h"
#include "base/processors.h"
#include "base/random.h"
#include "base/wait_signal.h"

static bool is_closed_for_others(int fd)
{
	return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0;
}

static bool waits(int fd)
{
	return !(fcntl(fd, F_GETFL) & O_NONBLOCK);
}

static void check_pipes(void)
{
	int ends[2];
	ok(descriptor_pipe(ends), "a pipe can be had");
	ok(is_closed_for_others(ends[0]) && is_closed_for_others(ends[1]), "other programs do not inherit it");
	ok(waits(ends[0]) && waits(ends[1]), "reading and writing wait");
	descriptor_enlarge(ends[1], 1 << 20);
	ok(descriptor_copy(ends[0], ends[1]) && is_closed_for_others(ends[1]), "a copy is not inherited, either");
	close(ends[0]);
	close(ends[1]);

	ok(descriptor_pipe_nonblocking(ends), "a pipe that does not wait can be had");
	ok(!waits(ends[0]) && !waits(ends[1]), "neither end waits");
	ok(is_closed_for_others(ends[0]) && is_closed_for_others(ends[1]), "nor is inherited");
	close(ends[0]);
	close(ends[1]);
}

static void check_sockets(void)
{
	int ends[2];
	ok(descriptor_pair(SOCK_STREAM, ends), "a pair of sockets can be had");
	ok(is_closed_for_others(ends[0]) && is_closed_for_others(ends[1]), "other programs do not inherit them");
	descriptor_wake(ends[1]);
	struct pollfd reader = {.fd = ends[0], .events = POLLIN};
	ok(poll(&reader, 1, -1) == 1 && (reader.revents & POLLIN), "a reader is woken without a byte");
	close(ends[0]);
	close(ends[1]);
	ok(descriptor_pair(SOCK_STREAM, ends), "another pair");
	close(ends[0]);
	is_int(descriptor_send(ends[1], "x", 1), -1, "sending to nobody fails, and no signal comes");
	close(ends[1]);
}

/* The child says which descriptors it still has. */
static void check_closing(void)
{
	int status = 0;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		int low = fcntl(STDOUT_FILENO, F_DUPFD, 40), high = fcntl(STDOUT_FILENO, F_DUPFD, 900);
		descriptor_close_from(41);
		_exit((fcntl(40, F_GETFD) >= 0) + 2 * (high >= 0 && fcntl(high, F_GETFD) >= 0) + 4 * (low != 40));
	}
	ok(child > 0 && waitpid(child, &status, 0) == child, "a process closes its descriptors");
	is_int(WEXITSTATUS(status), 1, "those from the first on, and no other");
}

static void check_searches(void)
{
	static const char text[] = "a.b\0c.d";
	ok(find_last(text, '.', 7) == text + 5, "the last of a character is found behind a NUL");
	ok(find_last(text, '.', 5) == text + 1, "but not beyond the end");
	ok(!find_last(text, 'x', 7) && !find_last(text, 'a', 0), "one that is not there is not");
	ok(find_bytes(text, 7, "c.d", 3) == text + 4, "bytes are found at the end");
	ok(find_bytes("aaab", 4, "ab", 2) != NULL, "behind their own beginning");
	ok(!find_bytes(text, 6, "c.d", 3), "not beyond the end");
	ok(!find_bytes("ab", 2, "abc", 3) && !find_bytes("", 0, "a", 1), "not in fewer");
	ok(find_bytes(text, 7, "", 0) == text, "none are everywhere");
}

static void check_order(void)
{
	static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 8};
	uint64_t v;
	uint32_t half;
	uint16_t quarter;
	memcpy(&v, bytes, sizeof v);
	memcpy(&half, bytes, sizeof half);
	memcpy(&quarter, bytes, sizeof quarter);
	ok(big64(v) == UINT64_C(0x0102030405060708), "the first byte of a big-endian number is the highest");
	ok(little64(v) == UINT64_C(0x0807060504030201), "that of a little-endian number the lowest");
	ok(little32(half) == 0x04030201 && little16(quarter) == 0x0201, "in shorter ones, too");
}

static void check_signals(void)
{
	sigset_t set;
	const struct timespec at_once = {0, 0}, soon = {5, 0};
	bool is_typed = true;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	is_int(wait_signal(&set, &at_once, NULL), 0, "no signal comes");
	kill(getpid(), SIGUSR1);
	is_int(wait_signal(&set, &soon, &is_typed), SIGUSR1, "one that came is taken");
	ok(!is_typed, "no key sent it");
	is_int(wait_signal(&set, &at_once, NULL), 0, "once");
}

static void check_files(void)
{
	char text[6] = "";
	int from = memory_file_open("from"), to = memory_file_open("to");
	ok(from >= 0 && to >= 0 && is_closed_for_others(from), "files without names can be had");
	ok(write(from, "hello", 5) == 5 && copy_data(from, to), "data are copied, wherever the file is read");
	ok(pread(to, text, sizeof text, 0) == 5 && strcmp(text, "hello") == 0, "all of them");
	close(from);
	close(to);
}

int main(void)
{
	uint64_t a[2] = {0}, b[2] = {0};
	check_pipes();
	check_sockets();
	check_closing();
	check_searches();
	check_order();
	check_signals();
	check_files();
	ok(random_bytes(a, sizeof a) && random_bytes(b, sizeof b) && memcmp(a, b, sizeof a) != 0,
	   "random bytes differ");
	ok(processors() >= 1, "there is a processor");
	return done_testing();
}
