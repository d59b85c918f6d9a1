/*
 * stream - what a program takes to read what another one writes.
 *
 *	stream --of LABEL COMMAND [ARG...] --of LABEL COMMAND [ARG...]
 *
 *	generate	8.1200	3.0100	6144            LABEL, seconds, CPU seconds, KiB
 *	flametop	8.1210	7.9000	13112
 *
 * Standard output of the first command is standard input of the second one, through a pipe, so that nothing needs room
 * on a disk. Output of the second goes to /dev/null. On one machine both take their turns: of the second one only the
 * processor time is its own. If a command fails, so does this.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "turns.h"

extern char **environ;

struct end {
	pid_t pid;
	double seconds, cpu;
	long peak; /* KiB */
	int status;
};

/* Starts a command with one end of the pipe in the place of the descriptor `as`. */
static bool start(const struct command *c, struct end *e, int pipe_end, int as)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1 - as, "/dev/null", as == 0 ? O_WRONLY : O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, pipe_end, as);
	int failure = posix_spawnp(&e->pid, c->argv[0], &actions, NULL, c->argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failure)
		fprintf(stderr, "stream: %s: %s\n", c->argv[0], strerror(failure));
	return !failure;
}

static void wait_for(struct end *e, double began)
{
	struct rusage usage;
	while (wait4(e->pid, &e->status, 0, &usage) < 0)
		if (errno != EINTR)
			exit(1);
	e->seconds = seconds_now() - began;
	e->cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	e->peak = usage.ru_maxrss;
}

/* Both hold only the end that is theirs: the pipe ends with the writer. */
static bool run(const struct command *commands, struct end *ends)
{
	int fds[2];
	double began = seconds_now();
	if (!descriptor_pipe(fds))
		return false;
	bool is_writing = start(&commands[0], &ends[0], fds[1], 1);
	close(fds[1]);
	bool is_reading = start(&commands[1], &ends[1], fds[0], 0);
	close(fds[0]);
	if (is_reading)
		wait_for(&ends[1], began);
	if (is_writing)
		wait_for(&ends[0], began);
	return is_writing && is_reading && ends[0].status == 0 && ends[1].status == 0;
}

int main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX];
	struct end ends[2] = {{0}};
	if (argc < 2 || take_commands(argv + 1, commands) != 2) {
		fputs("usage: stream --of LABEL COMMAND [ARG...] --of LABEL COMMAND [ARG...]\n", stderr);
		return 2;
	}
	if (!run(commands, ends))
		return 1;
	for (int i = 0; i < 2; i++)
		printf("%s\t%.4f\t%.4f\t%ld\n", commands[i].label, ends[i].seconds, ends[i].cpu, ends[i].peak);
	return 0;
}
