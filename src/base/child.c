/*
 * child.c - start other programs, with the right signals, and wait for them.
 *
 * A child inherits ignored and blocked signals from us, as we did from the shell. A child must not inherit the
 * signal settings of the viewer, or of the wait for a recording. While SIGCHLD is ignored, the system discards the
 * exit status of a child, so we reset it (process.c). If nohup made us ignore SIGHUP, the command must ignore it,
 * too.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/family.h"
#include "base/mem.h"

extern char **environ;

static void set_attributes(posix_spawnattr_t *attr, bool is_apart)
{
	sigset_t set;
	posix_spawnattr_init(attr);
	sigemptyset(&set);
	posix_spawnattr_setsigmask(attr, &set);
	sigfillset(&set);
	if (child_is_ignored(SIGHUP))
		sigdelset(&set, SIGHUP);
	posix_spawnattr_setsigdefault(attr, &set);
	posix_spawnattr_setpgroup(attr, 0);
	posix_spawnattr_setflags(
		attr, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (is_apart ? POSIX_SPAWN_SETPGROUP : 0)));
}

static void add_stream(posix_spawn_file_actions_t *actions, int from, int to)
{
	if (from == STREAM_NONE)
		posix_spawn_file_actions_addopen(actions, to, "/dev/null", to == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0);
	else if (from >= 0)
		posix_spawn_file_actions_adddup2(actions, from, to);
}

/*
 * The order matters: a stream may be one of our own standard streams, which must not be replaced before it is
 * copied.
 */
static void set_streams(posix_spawn_file_actions_t *actions, const struct streams *s)
{
	posix_spawn_file_actions_init(actions);
	add_stream(actions, s->in, STDIN_FILENO);
	add_stream(actions, s->out, STDOUT_FILENO);
	add_stream(actions, s->err, STDERR_FILENO);
}

/* Our environment with the entry, or without the variable; see struct streams. */
static char **environment_with(const char *entry)
{
	size_t n = 0, name = strcspn(entry, "="), kept = 0;
	while (environ[n])
		n++;
	char **all = mem_alloc((n + 2) * sizeof *all);
	if (entry[name])
		all[kept++] = (char *)(uintptr_t)entry;
	for (size_t i = 0; i < n; i++) {
		bool is_it = strncmp(environ[i], entry, name) == 0 && environ[i][name] == '=';
		if (!is_it)
			all[kept++] = environ[i];
	}
	all[kept] = NULL;
	return all;
}

int child_start(const char *const *argv, const struct streams *s, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	char **with = s->entry ? environment_with(s->entry) : NULL; /* first: if memory runs out, nothing is left */
	set_streams(&actions, s);
	set_attributes(&attr, s->is_apart);
	int e = posix_spawnp(child, argv[0], &actions, &attr, (char *const *)(uintptr_t)argv, with ? with : environ);
	free(with);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return e;
}

bool child_is_over(pid_t child)
{
	siginfo_t info = {0};
	return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ? errno == ECHILD : info.si_pid != 0;
}

bool child_has_ended(pid_t child, int *status, unsigned milliseconds)
{
	for (unsigned waited = 0;; waited += 5) {
		pid_t got = waitpid(child, status, WNOHANG);
		if (got == child)
			return true;
		if (got < 0 && errno == ECHILD) {
			*status = 0;
			return true;
		}
		if (waited >= milliseconds)
			return false;
		nanosleep(&(struct timespec){0, 5000000}, NULL);
	}
}

bool child_end(pid_t child, int *status, unsigned patience)
{
	static const int signals[] = {SIGTERM, SIGKILL};
	struct family family = {0};
	if (child_has_ended(child, status, patience))
		return true;
	*status = SIGKILL; /* a child that survives SIGKILL is left to the system */
	family_look(&family, child, true);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		kill(child, signals[i]);
		if (child_has_ended(child, status, CHILD_PATIENCE))
			break;
	}
	family_end(&family, &(struct family_ending){.patience = CHILD_PATIENCE}, NULL);
	family_deinit(&family);
	return false;
}
