/*
 * What must not outlive the process, while other threads go on making more of it: a signal leaves nothing.
 */
#include "base/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/temporary_tree.h"
#include "tests/tap.h"

static char dir[] = "/tmp/flametop-temporary-XXXXXX";

/* Trees of some files, one after the other, each of which would be kept until the end. */
static void *make_trees(void *arg)
{
	struct err err;
	(void)arg;
	for (;;) {
		struct temporary_tree *t = temporary_tree_new(&err);
		for (int i = 0; i < 20 && t; i++) {
			char name[20];
			snprintf(name, sizeof name, "%d/a/%d", i / 3, i);
			int fd = temporary_tree_create(t, name, &err);
			if (fd >= 0)
				close(fd);
		}
		if (t)
			temporary_tree_keep(t);
	}
	return NULL;
}

static void *make_files(void *arg)
{
	(void)arg;
	for (unsigned i = 0;; i++) {
		char path[100];
		snprintf(path, sizeof path, "%s/file-%u", dir, i);
		temporary_hold();
		int slot = temporary_register(path);
		int fd = slot < 0 ? -1 : open(path, O_WRONLY | O_CREAT, 0600);
		temporary_release();
		if (fd >= 0)
			close(fd);
		if (fd >= 0)
			unlink(path);
		temporary_forget(slot);
	}
	return NULL;
}

static size_t left(void)
{
	size_t n = 0;
	DIR *d = opendir(dir);
	for (struct dirent *e; d && (e = readdir(d));)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return n;
}

static void *wait_for_signals(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

/* Returns how the process ended. It gets the second signal while it may still be busy with the first; 0: none. */
static int end_by(int sig, int second, void *(*make)(void *), long ns)
{
	pid_t pid = fork();
	int status = -1;
	if (pid == 0) {
		pthread_t thread;
		sigset_t all;
		temporary_register("/nonexistent/file"); /* from now on, signals have handlers */
		sigfillset(&all);
		pthread_sigmask(SIG_BLOCK, &all, NULL); /* another thread than the one that makes files takes it */
		pthread_create(&thread, NULL, make, NULL);
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
		pthread_create(&thread, NULL, wait_for_signals, NULL);
		pthread_sigmask(SIG_UNBLOCK, &all, NULL);
		for (;;)
			pause();
	}
	nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
	kill(pid, sig);
	if (second)
		kill(pid, second);
	waitpid(pid, &status, 0);
	return status;
}

static void nothing_stays(void *(*make)(void *), const char *what)
{
	static const int signals[] = {SIGTERM, SIGQUIT, SIGHUP, SIGABRT};
	size_t n_left = 0, n_other = 0;
	for (int i = 0; i < 60; i++) {
		int sig = signals[i % 4], second = i % 3 == 0 ? 0 : i % 3 == 1 ? sig : signals[(i + 1) % 4];
		int status = end_by(sig, second, make, 3000000 + i * 500000L);
		n_left += left();
		n_other += !WIFSIGNALED(status) || (WTERMSIG(status) != sig && WTERMSIG(status) != second);
	}
	is_int((intmax_t)n_left, 0, "%s: nothing stays", what);
	is_int((intmax_t)n_other, 0, "%s: the process ends by its signal", what);
}

int main(void)
{
	if (!mkdtemp(dir))
		skip_all("no directory in /tmp");
	setenv("TMPDIR", dir, 1);
	nothing_stays(make_trees, "directories");
	nothing_stays(make_files, "files");
	rmdir(dir);
	return done_testing();
}
