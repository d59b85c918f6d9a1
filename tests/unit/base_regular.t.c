/*
 * Which files are opened whose names come from input, and that others are not even opened.
 */
#include "base/regular.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_look.h"
#include "base/platform.h"
#include "tests/tap.h"

static char directory[] = "/tmp/flametop-regular-XXXXXX";

static const char *path_in(const char *name)
{
	static char path[4][256];
	static int turn;
	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", directory, name);
	return path[turn];
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(path_in(name), "we");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		bail_out("no file can be written to /tmp");
}

static void link_to(const char *target, const char *name)
{
	if (symlink(target, path_in(name)) != 0)
		bail_out("no link can be made in /tmp");
}

static void holds(int fd, const char *text, const char *what)
{
	char bytes[64] = "";
	ssize_t n = fd >= 0 ? read(fd, bytes, sizeof bytes - 1) : -1;
	bytes[n > 0 ? n : 0] = '\0';
	is_str(bytes, text, "%s", what);
	if (fd >= 0)
		close(fd);
}

static void is_refused(const char *path, const char *why, const char *what)
{
	struct err err = {""};
	int fd = regular_open(path, NULL, &err);
	ok(fd < 0 && strstr(err.text, why), "%s is refused: %s", what, err.text);
	if (fd >= 0)
		close(fd);
}

static void test_kinds(void)
{
	struct stat st = {0};
	write_file("plain", "plain");
	link_to("plain", "link");
	mkfifo(path_in("pipe"), 0600);
	holds(regular_open(path_in("plain"), &st, NULL), "plain", "a regular file is opened");
	is_int(st.st_size, 5, "and described");
	holds(regular_open(path_in("link"), NULL, NULL), "plain", "so is one behind a link");
	is_refused(directory, "not a regular file", "a directory");
	is_refused(path_in("pipe"), "not a regular file", "a pipe");
	is_refused("/dev/null", "not a regular file", "a device");
	is_refused(path_in("none"), "No such file", "a missing file");
	ok(regular_stat(path_in("link"), false, &st) && S_ISLNK(st.st_mode), "a link can be looked at");
	ok(regular_stat(path_in("link"), true, &st) && S_ISREG(st.st_mode), "or followed");
	ok(!regular_stat(path_in("none"), true, &st), "a missing file has no properties");
}

static void test_kernel(void)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)getpid());
	if (access(path, R_OK) != 0) {
		skip("there is no /proc");
		return;
	}
	link_to(path, "status");
	is_refused(path, "a file of the kernel", "one of /proc");
	is_refused(path_in("status"), "a file of the kernel", "so is a link to it");
	int fd = regular_open_of_kernel(path, NULL);
	ok(fd >= 0, "but a name that no input chooses may lead there");
	close(fd);
	is_refused(access("/sys/kernel/notes", R_OK) == 0 ? "/sys/kernel/notes" : path, "a file of the kernel",
	           "one of /sys");
}

#if ON_LINUX

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static bool was_opened(int watch)
{
	char events[4096];
	return read(watch, events, sizeof events) > 0;
}

static void test_opens_nothing(void)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%ld/status", (long)getpid());
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	if (watch < 0 || inotify_add_watch(watch, path, IN_OPEN) < 0) {
		skip("files of /proc cannot be watched");
		return;
	}
	is_refused(path_in("status"), "a file of the kernel", "a watched file");
	ok(!was_opened(watch), "and not opened for that");
	int fd = regular_open_of_kernel(path, NULL);
	ok(was_opened(watch), "which would be seen");
	close(fd);
	close(watch);
}

static void test_spellings(void)
{
	static const struct {
		const char *root, *below;
	} paths[] = {
		{"/proc/12/root", "/x"},
		{"//proc///12//root", "//x"},
		{"/./proc/12/./root", "/../x"},
		{"/proc/self/root", "/x"},
		{"/proc/thread-self/root", "/x"},
		{"/proc/12/task/13/root", "/x"},
		{"/proc/self/task/13/root", "/x"},
		{"/usr/lib/../../proc/12/root", "/x"},
		{"/../proc/12/task/13/fd/../../../root", "/x"},
		{"", "/proc/12/root"},
		{"", "/proc/12/roots/x"},
		{"", "/proc/12x/root/x"},
		{"", "/proc/12/cwd/root/x"},
		{"", "/usr/proc/12/root/x"},
		{"", "/procs/12/root/x"},
		{"", "/proc/12/task/root/x"},
		{"", "proc/12/root/x"},
		{"", ""},
	};
	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		char path[100];
		snprintf(path, sizeof path, "%s%s", paths[i].root, paths[i].below);
		is_int((long long)file_look_root(path), (long long)strlen(paths[i].root), "the root of a process in '%s'",
		       path);
	}
}

/* Starts a process whose root is the directory; -1: it cannot be done. It ends when *hold is closed. */
static pid_t start_inside(const char *root, int *hold)
{
	int said[2], held[2];
	char byte = 0;
	if (pipe(said) != 0 || pipe(held) != 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0) {
		close(held[1]);
		bool is_inside =
			(chroot(root) == 0 || (unshare(CLONE_NEWUSER) == 0 && chroot(root) == 0)) && chdir("/") == 0;
		if (is_inside && write(said[1], "y", 1) == 1)
			(void)!read(held[0], &byte, 1);
		_exit(0);
	}
	close(said[1]);
	close(held[0]);
	*hold = held[1];
	bool is_inside = pid > 0 && read(said[0], &byte, 1) == 1;
	close(said[0]);
	return is_inside ? pid : -1;
}

static int open_inside(pid_t pid, const char *name, struct err *err)
{
	char path[128];
	snprintf(path, sizeof path, "/proc/%ld/root/%s", (long)pid, name);
	return regular_open(path, NULL, err);
}

/* The same root under other names. */
static void test_other_paths(pid_t pid)
{
	char roots[4][64], path[320];
	snprintf(roots[0], sizeof roots[0], "//proc/%ld/root", (long)pid);
	snprintf(roots[1], sizeof roots[1], "/proc/./%ld//root", (long)pid);
	snprintf(roots[2], sizeof roots[2], "/proc/%ld/task/%ld/root", (long)pid, (long)pid);
	snprintf(roots[3], sizeof roots[3], "/tmp/../proc/%ld/root", (long)pid);
	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		struct err err = {""};
		snprintf(path, sizeof path, "%s/in/absolute", roots[i]);
		holds(regular_open(path, NULL, NULL), "inside", roots[i]);
		snprintf(path, sizeof path, "%s/out", roots[i]);
		ok(regular_open(path, NULL, &err) < 0, "no link leads out: %s", err.text);
	}
}

static void forbid_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 437, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static bool has_openat2(void)
{
	return syscall(437, -1, "", NULL, (size_t)0) >= 0 || (errno != ENOSYS && errno != EPERM);
}

static void test_without_openat2(pid_t pid)
{
	struct err err = {""};
	forbid_openat2();
	if (has_openat2()) {
		skip("calls cannot be forbidden here");
		return;
	}
	holds(open_inside(pid, "in/deep/file", NULL), "inside", "without openat2(), a file there is opened");
	ok(open_inside(pid, "in/absolute", &err) < 0, "a link is not: %s", err.text);
	ok(open_inside(pid, "up/file", &err) < 0, "nor one on the way: %s", err.text);
	ok(open_inside(pid, "in/../../plain", &err) < 0, "nor a path that goes up: %s", err.text);
}

/* Links of a process with another root lead where they lead for that process. */
static void test_root(void)
{
	int hold = -1;
	char outside[256];
	mkdir(path_in("root"), 0700);
	mkdir(path_in("root/in"), 0700);
	mkdir(path_in("root/in/deep"), 0700);
	write_file("root/in/deep/file", "inside");
	write_file("root/plain", "root's");
	snprintf(outside, sizeof outside, "%s/plain", directory);
	link_to("/in/deep/file", "root/in/absolute");
	link_to("in/deep", "root/up");
	link_to(outside, "root/out");
	link_to("../../../../../../plain", "root/in/above");
	pid_t pid = start_inside(path_in("root"), &hold);
	if (pid < 0 || open_inside(pid, "plain", NULL) < 0) {
		skip("no process can have another root here");
		return;
	}
	if (has_openat2()) {
		struct err err = {""};
		holds(open_inside(pid, "in/deep/file", NULL), "inside", "a file below the root of a process is opened");
		holds(open_inside(pid, "in/absolute", NULL), "inside", "an absolute link begins at that root");
		holds(open_inside(pid, "in/above", NULL), "root's", "and one upwards ends there");
		holds(open_inside(pid, "up/file", NULL), "inside", "a link on the way is followed");
		ok(open_inside(pid, "out", &err) < 0, "no link leads out: %s", err.text);
		test_other_paths(pid);
	} else {
		skip("the kernel has no openat2()");
	}
	test_without_openat2(pid);
	close(hold);
	waitpid(pid, NULL, 0);
}

#endif

int main(void)
{
	char command[64];
	if (!mkdtemp(directory))
		bail_out("no directory in /tmp");
	test_kinds();
	test_kernel();
#if ON_LINUX
	test_opens_nothing();
	test_spellings();
	test_root();
#endif
	snprintf(command, sizeof command, "rm -rf '%s'", directory);
	ok(system(command) == 0, "the files are removed");
	return done_testing();
}
