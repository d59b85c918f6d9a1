/*
 * measure - time and memory of commands, one next to the other.
 *
 *	measure [-t SECONDS] RUNS --of LABEL COMMAND [ARG...] [--of LABEL COMMAND [ARG...]]...
 *
 *	parse	0.2130	0.2060	18432	1.000	5.318        LABEL, seconds, CPU seconds, KiB, and then times each of
 *	wc -l	0.0400	0.0320	1904	0.188	1.000        the commands, itself included, in the order given
 *
 * The commands run in turn, A B C A B C, and the ratios are taken within a turn: a machine that others use, or that
 * is warm by the end, slows all of them down alike. Every figure but one is the median of RUNS turns after one that
 * is not counted and that warms the page cache; memory is the highest of all. No turn begins later than SECONDS
 * after the first, but one is always counted.
 *
 * Standard input is empty, output goes to /dev/null. A command that fails is run once and becomes "LABEL	failed	STATUS";
 * one that is not installed is left out.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "turns.h"

extern char **environ;

struct result {
	double *wall, *cpu; /* s, by turn; turn 0 is not counted */
	double *sorted;     /* room for a median */
	long peak;          /* KiB */
	int status;         /* of wait(); not 0: it failed */
	bool is_missing;
};

static int start(pid_t *pid, char **argv)
{
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	int failure = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failure;
}

static void run(const struct command *c, struct result *r, int turn)
{
	struct rusage usage;
	pid_t pid;
	double began = seconds_now();
	if (start(&pid, c->argv) != 0) {
		r->is_missing = true;
		return;
	}
	while (wait4(pid, &r->status, 0, &usage) < 0)
		if (errno != EINTR)
			exit(1);
	r->wall[turn] = seconds_now() - began;
	r->cpu[turn] = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
	if (usage.ru_maxrss > r->peak)
		r->peak = usage.ru_maxrss;
}

static bool is_usable(const struct result *r)
{
	return !r->is_missing && r->status == 0;
}

/* The number of turns that count. */
static size_t run_in_turn(const struct command *commands, struct result *results, size_t n, int runs, double limit)
{
	double end = seconds_now() + limit;
	for (int turn = 0; turn <= runs; turn++) {
		if (turn > 1 && seconds_now() > end)
			return (size_t)turn - 1;
		for (size_t i = 0; i < n; i++)
			if (is_usable(&results[i]))
				run(&commands[i], &results[i], turn);
	}
	return (size_t)runs;
}

/* ---- what came out ------------------------------------------------------------------------------------------- */

static double median_of(struct result *r, const double *values, size_t n)
{
	memcpy(r->sorted, values + 1, n * sizeof *values);
	return median(r->sorted, n);
}

static double median_ratio(struct result *r, const struct result *to, size_t n)
{
	for (size_t i = 0; i < n; i++)
		r->sorted[i] = r->wall[i + 1] / to->wall[i + 1];
	return median(r->sorted, n);
}

static void print(const struct command *commands, struct result *results, size_t n, size_t turns)
{
	for (size_t i = 0; i < n; i++) {
		struct result *r = &results[i];
		if (r->is_missing)
			continue;
		if (r->status != 0) {
			printf("%s\tfailed\t%d\n", commands[i].label, WIFEXITED(r->status) ? WEXITSTATUS(r->status) : -1);
			continue;
		}
		printf("%s\t%.4f\t%.4f\t%ld", commands[i].label, median_of(r, r->wall, turns), median_of(r, r->cpu, turns),
		       r->peak);
		for (size_t k = 0; k < n; k++)
			if (is_usable(&results[k]))
				printf("\t%.3f", median_ratio(r, &results[k], turns));
		putchar('\n');
	}
}

/* ---- main ---------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX];
	struct result results[COMMANDS_MAX] = {{0}};
	double limit = 1e9;
	char **words = argv + 1;
	if (argc > 3 && strcmp(words[0], "-t") == 0) {
		limit = atof(words[1]);
		words += 2;
	}
	int runs = *words ? atoi(*words++) : 0;
	size_t n = runs > 0 ? take_commands(words, commands) : 0;
	if (n == 0) {
		fputs("usage: measure [-t SECONDS] RUNS --of LABEL COMMAND [ARG...] [--of ...]...\n", stderr);
		return 2;
	}
	size_t room = (size_t)runs + 1;
	double *all = mem_zalloc(n * 3 * room, sizeof *all);
	for (size_t i = 0; i < n; i++)
		results[i] =
			(struct result){all + i * 3 * room, all + (i * 3 + 1) * room, all + (i * 3 + 2) * room, 0, 0, false};
	size_t turns = run_in_turn(commands, results, n, runs, limit);
	print(commands, results, n, turns);
	free(all);
	return 0;
}
