/*
 * language_stacks.c - prints the stacks of a process's main thread in its language, each at a stop.
 *
 *	language_stacks PID COUNT [SIGNAL|own]
 *	S TAB name:line* TAB name:line ...
 *
 * The innermost frame comes first; * marks those that native code began to run; [loop] is a frame without a
 * function. At each stop the process gets the signal, if one is given, so that its own report is about the same
 * instruction. With "own", the process stops by itself, and is only let go. Times and counts go to standard
 * error.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/proc.h"
#include "languages/process.h"

struct names {
	char **names, **files;
	size_t n, cap, n_files, cap_files;
};

static uint32_t define(void *arg, const struct language_function *f)
{
	struct names *t = arg;
	const char *slash = strrchr(f->file, '/');
	mem_push(t->names, t->n, t->cap, mem_strdup(f->name));
	mem_push(t->files, t->n_files, t->cap_files, mem_strdup(slash ? slash + 1 : f->file));
	return (uint32_t)t->n;
}

static void print(const struct names *t, const struct language_stack *s)
{
	putchar('S');
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->frames[i].function == NO_FUNCTION) {
			printf("\t[loop]");
			continue;
		}
		printf("\t%s:%s:%u%s", t->names[s->frames[i].function - 1], t->files[s->frames[i].function - 1],
		       s->frames[i].line, s->frames[i].is_entry ? "*" : "");
	}
	puts(s->is_cut ? "\t[cut]" : "");
}

static void free_names(struct names *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->names[i]);
		free(t->files[i]);
	}
	free(t->names);
	free(t->files);
}

static void nap(long us)
{
	nanosleep(&(struct timespec){us / 1000000, us % 1000000 * 1000}, NULL);
}

/* Waits until the process stands still, by our signal or its own. */
static void stop(pid_t pid, bool is_own)
{
	if (!is_own)
		kill(pid, SIGSTOP);
	for (int i = 0; i < 10000 && proc_thread_state(pid, pid) != 'T'; i++)
		nap(20);
}

/* Signals of the process in this line of its status, "SigBlk:" or the like. */
static bool has_signals(pid_t pid, const char *line)
{
	char path[64], signals[64];
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	return proc_line(path, line, signals, sizeof signals) && strtoull(signals, NULL, 16) != 0;
}

/* Waits until the process has taken its signal, and its handler, which blocks it, is done. */
static void wait_for_delivery(pid_t pid)
{
	int i = 0;
	do
		nap(100);
	while (i++ < 10000 && (has_signals(pid, "ShdPnd:") || has_signals(pid, "SigBlk:")));
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	static struct language_stack stack;
	struct names known = {0};
	const struct language_names names = {define, &known};
	const struct language *language;
	struct err err = {""};
	struct idmap others = {0};
	int counts[3] = {0}, sig = argc > 3 ? atoi(argv[3]) : 0, locks[3] = {0};
	bool is_own = argc > 3 && strcmp(argv[3], "own") == 0;
	pid_t pid = argc > 2 ? atoi(argv[1]) : 0;
	struct language_process *p = pid ? language_process_new(pid, &others, &err) : NULL;
	double spent = 0;
	if (!p) {
		fprintf(stderr, "%s\n", err.text[0] ? err.text : "no runtime");
		return 1;
	}
	srand((unsigned)getpid());
	for (int i = 0; i < atoi(argv[2]) && proc_thread_state(pid, pid) && proc_thread_state(pid, pid) != 'Z'; i++) {
		if (!is_own)
			nap(2000 + rand() % 7000);
		stop(pid, is_own);
		double before = now();
		enum language_walk how = language_process_walk(p, pid, NULL, &names, &stack, &language);
		spent += now() - before;
		counts[how]++;
		locks[stack.lock]++;
		if (how == WALK_DONE)
			print(&known, &stack);
		else
			puts("E");
		if (sig)
			kill(pid, sig);
		kill(pid, SIGCONT);
		if (sig)
			wait_for_delivery(pid);
	}
	fprintf(stderr, "%d read, %d without a stack, %d failed; %.1f us each; lock: %d unknown, %d held, %d not\n",
	        counts[WALK_DONE], counts[WALK_NO_THREAD], counts[WALK_FAILED], spent / atoi(argv[2]), locks[0],
	        locks[1], locks[2]);
	language_process_free(p);
	idmap_deinit(&others);
	free_names(&known);
	return 0;
}
