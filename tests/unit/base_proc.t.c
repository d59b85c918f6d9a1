/* base_proc - small files of the kernel: whole, by line, by number; a process by its stat. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tap.h"
#include "base/proc.h"

static char path[64];

static void is_file(const char *text)
{
	FILE *f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f) != 0)
		abort();
}

static void test_files(void)
{
	char text[8], line[8];
	int64_t n = 5;
	int fd = mkstemp(strcpy(path, "/tmp/flametop-proc-XXXXXX")); /* no file or link of another user */
	ok(fd >= 0 && close(fd) == 0, "a file is made");
	is_file("Name:\tx\nUid:\t1234567890\nUid:\t2\n");
	ok(proc_read(path, text, sizeof text) == 7 && strcmp(text, "Name:\tx") == 0,
	   "a file is read as far as there is room");
	ok(proc_line(path, "Name:", line, sizeof line) && strcmp(line, "\tx") == 0,
	   "a line by its prefix, without newline");
	ok(proc_line(path, "Uid:", line, sizeof line) && strcmp(line, "\t123456") == 0,
	   "the first of several, cut off");
	ok(!proc_line(path, "Gid:", line, sizeof line), "there is no such line");
	ok(!proc_number(path, &n) && n == 5, "a name is no number");
	is_file("-1\n");
	ok(proc_number(path, &n) && n == -1, "a number, below 0");
	is_file("");
	ok(proc_read(path, text, sizeof text) == 0 && !*text && !proc_line(path, "", line, sizeof line),
	   "an empty file");
	unlink(path);
	ok(proc_read(path, text, sizeof text) == 0 && !proc_number(path, &n) && !proc_line(path, "", line, sizeof line),
	   "there is no such file");
}

static void test_processes(void)
{
	struct proc_stat s;
	prctl(PR_SET_NAME, "a) S (b");
	ok(proc_stat(getpid(), &s) && strcmp(s.name, "a) S (b") == 0, "a name with parentheses");
	ok(s.state == 'R' && s.session == getsid(0) && s.begun > 0, "and what follows it");
	ok(!proc_stat(0, &s), "there is no process 0");
	ok(proc_thread_state(getpid(), getpid()) == 'R' && !proc_thread_state(getpid(), 0), "the state of a thread");
}

static void count(void *n, pid_t child)
{
	*(int *)n += child > 0;
}

static void test_children(void)
{
	int n = 0;
	pid_t child = fork();
	if (child == 0) {
		pause();
		_exit(0);
	}
	proc_children(getpid(), getpid(), count, &n);
	ok(n == 1, "a child is found");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	n = 0;
	proc_children(getpid(), getpid(), count, &n);
	ok(n == 0, "as long as it lives");
}

int main(void)
{
	test_files();
	test_processes();
	test_children();
	return done_testing();
}
