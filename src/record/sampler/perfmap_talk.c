/*
 * perfmap_talk.c - signals and local sockets of a target that is not trusted, with an end in time.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/proc.h"
#include "record/sampler/perfmap_ask.h"

#define PIDFD_SEND_SIGNAL 424

/* ---- time ---------------------------------------------------------------------------------------------------- */

double perfmap_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

void perfmap_begin(struct perfmap_target *t, int ms)
{
	t->until = perfmap_now() + ms;
}

/* ms that are left; 0: none. */
static int left(const struct perfmap_target *t)
{
	double ms = t->until - perfmap_now();
	return ms > 0 ? (int)ms + 1 : 0;
}

bool perfmap_pause(const struct perfmap_target *t, int ms)
{
	int most = left(t);
	poll(NULL, 0, ms < most ? ms : most);
	return left(t) > 0;
}

static bool wait_for(const struct perfmap_target *t, int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n;
	do
		n = poll(&p, 1, left(t));
	while (n < 0 && errno == EINTR && left(t));
	return n > 0;
}

/* ---- signals ------------------------------------------------------------------------------------------------- */

bool perfmap_catches(const struct perfmap_target *t, int sig)
{
	char path[64], mask[64];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)t->pid);
	return proc_line(path, "SigCgt:", mask, sizeof mask) && strtoull(mask, NULL, 16) >> (sig - 1) & 1;
}

bool perfmap_signal(const struct perfmap_target *t, int sig)
{
	if (t->process >= 0)
		return syscall(PIDFD_SEND_SIGNAL, t->process, sig, NULL, 0) == 0;
	return kill(t->pid, sig) == 0;
}

/* ---- sockets ------------------------------------------------------------------------------------------------- */

/* Connects to the very socket that the descriptor leads to. */
static int connect_to(int found)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d", found);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
		return fd;
	close(fd);
	return -1;
}

static bool is_targets(const struct perfmap_target *t, int socket)
{
	struct ucred peer = {.pid = -1};
	socklen_t n = sizeof peer;
	return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &n) == 0 && peer.pid == t->pid;
}

int perfmap_connect(const struct perfmap_target *t, const char *name, struct err *err)
{
	struct stat st;
	int found = openat(t->directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	bool is_socket = found >= 0 && fstat(found, &st) == 0 && S_ISSOCK(st.st_mode) && st.st_uid == t->uid;
	int fd = is_socket ? connect_to(found) : -1;
	if (found >= 0)
		close(found);
	if (found >= 0 && !is_socket)
		fail(err, "%s is no socket of its user", name);
	if (fd < 0 || is_targets(t, fd))
		return fd;
	close(fd);
	fail(err, "another process listens at %s", name);
	return -1;
}

bool perfmap_send(const struct perfmap_target *t, int socket, const void *bytes, size_t n, struct err *err)
{
	size_t done = 0;
	while (done < n && wait_for(t, socket, POLLOUT)) {
		ssize_t put = send(socket, (const char *)bytes + done, n - done, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (put < 0 && errno != EINTR && errno != EAGAIN)
			break;
		done += put > 0 ? (size_t)put : 0;
	}
	if (done == n)
		return true;
	close(socket);
	return fail(err, "it does not listen");
}

size_t perfmap_receive(const struct perfmap_target *t, int socket, void *bytes, size_t n)
{
	size_t done = 0;
	while (done < n && wait_for(t, socket, POLLIN)) {
		ssize_t got = recv(socket, (char *)bytes + done, n - done, MSG_DONTWAIT);
		if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN))
			break;
		done += got > 0 ? (size_t)got : 0;
	}
	close(socket);
	return done;
}
