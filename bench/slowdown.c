/*
 * slowdown - what recording the functions of a language costs the program that is recorded.
 *
 *	slowdown [-F HZ] [-n ROUNDS] [-s SECONDS] FLAMETOP LABEL COMMAND [ARG...]
 *
 * COMMAND repeats the same work for ever, and prints a line each time, some fifty a second. It runs on the first processor.
 * For each companion a round has SECONDS (1) of it alone, as many with the companion, and as many alone:
 *
 *	counted     its stacks are sampled by the kernel, and nobody is woken up
 *	woken       each sample wakes up a thread that comes before all others on that processor, and does nothing
 *	recorded    flametop sample, which reads the functions of the language at each sample
 *
 * Prints a row of a Markdown table for each of them: how many times longer the work took than alone
 * before and after, by the clock and by the command's processor time, as medians and quartiles over the rounds, and what share
 * of a processor the companion used. "woken" is what no reader of that kind can get below.
 *
 * Needs the rights to sample with frequency HZ, and those for SCHED_FIFO.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "perfdata/event.h"
#include "record/sampler/abi.h"
#include "record/sampler/counter.h"
#include "record/sampler/ring.h"
#include "turns.h"

#define SETTLE_SECONDS 0.6
#define ROUNDS_MOST 100
#define RING_BYTES ((size_t)1 << 20)
#define PRIORITY 10

struct work {
	pid_t pid;
	int lines; /* the end of its pipe */
	clockid_t cpu;
};

struct cost {
	double wall, cpu; /* s for each line */
};

struct figures {
	double wall[ROUNDS_MOST], cpu[ROUNDS_MOST], own[ROUNDS_MOST];
};

static int frequency = 999;
static double segment = 1; /* s */

_Noreturn static void give_up(const char *what)
{
	fprintf(stderr, "slowdown: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void go_to_first_processor(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		give_up("the first processor");
}

/* ---- the work ------------------------------------------------------------------------------------------------ */

static double clock_seconds(clockid_t clock)
{
	struct timespec t;
	return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + (double)t.tv_nsec / 1e9 : 0;
}

static struct work start_work(char **argv)
{
	struct work w;
	int ends[2];
	if (pipe(ends) != 0)
		give_up("a pipe");
	w.pid = fork();
	if (w.pid == 0) {
		go_to_first_processor();
		dup2(ends[1], 1);
		close(ends[0]);
		close(ends[1]);
		execvp(argv[0], argv);
		give_up(argv[0]);
	}
	close(ends[1]);
	w.lines = ends[0];
	if (w.pid < 0 || clock_getcpuclockid(w.pid, &w.cpu) != 0)
		give_up(argv[0]);
	return w;
}

/* Lines that come until `end`; 0: that was it. */
static size_t wait_for_lines(const struct work *w, double end)
{
	char text[4096];
	double left = end - seconds_now();
	struct pollfd p = {.fd = w->lines, .events = POLLIN};
	if (left <= 0 || poll(&p, 1, (int)(left * 1e3) + 1) <= 0)
		return 0;
	ssize_t n = read(w->lines, text, sizeof text);
	if (n <= 0)
		give_up("the command ended");
	size_t lines = 0;
	for (ssize_t i = 0; i < n; i++)
		lines += text[i] == '\n';
	return lines;
}

static void let_pass(const struct work *w, double seconds)
{
	double end = seconds_now() + seconds;
	while (seconds_now() < end)
		wait_for_lines(w, end);
}

/* From the first line to the last of a segment. */
static struct cost measure(const struct work *w)
{
	double end = seconds_now() + segment, wall[2] = {0, 0}, cpu[2] = {0, 0};
	size_t n = 0, n_first = 0;
	while (seconds_now() < end) {
		size_t more = wait_for_lines(w, end);
		if (!more)
			continue;
		wall[1] = seconds_now();
		cpu[1] = clock_seconds(w->cpu);
		if (!n) {
			wall[0] = wall[1];
			cpu[0] = cpu[1];
			n_first = more;
		}
		n += more;
	}
	if (n < n_first + 2) {
		errno = ETIMEDOUT;
		give_up("lines of the command");
	}
	double lines = (double)(n - n_first);
	return (struct cost){(wall[1] - wall[0]) / lines, (cpu[1] - cpu[0]) / lines};
}

/* ---- companions ---------------------------------------------------------------------------------------------- */

/* Samples of the work as flametop takes them, but for registers. */
static int open_counter(const struct work *w, struct ring *ring, bool wakes)
{
	struct err err;
	struct counter_event e = {
		.attr = {.type = ABI_SOFTWARE,
	             .size = sizeof e.attr,
	             .config = ABI_CPU_CLOCK,
	             .period = (uint64_t)frequency,
	             .sample_type = FIELD_IDENTIFIER | FIELD_IP | FIELD_TID | FIELD_TIME | FIELD_CALLCHAIN,
	             .flags = ABI_FREQ | (wakes ? 0 : ABI_WATERMARK),
	             .wakeup = wakes ? 1 : RING_BYTES / 2}};
	int fd = counter_open(&e, &(struct counter_target){w->pid, -1, -1});
	if (fd < 0)
		give_up("a counter");
	if (!ring_map(ring, fd, RING_BYTES, &err)) {
		fprintf(stderr, "slowdown: %s\n", err.text);
		exit(1);
	}
	return fd;
}

static void count(const struct work *w)
{
	struct ring ring;
	open_counter(w, &ring, false);
	for (;;) {
		usleep(100000);
		ring.page->tail = __atomic_load_n(&ring.page->head, __ATOMIC_ACQUIRE);
	}
}

static void wake(const struct work *w)
{
	struct ring ring;
	go_to_first_processor();
	if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){PRIORITY}) != 0)
		give_up("SCHED_FIFO");
	struct pollfd p = {.fd = open_counter(w, &ring, true), .events = POLLIN};
	while (poll(&p, 1, -1) > 0)
		ring.page->tail = __atomic_load_n(&ring.page->head, __ATOMIC_ACQUIRE);
}

static const char *flametop;

static void record(const struct work *w)
{
	char hz[20], pid[20];
	snprintf(hz, sizeof hz, "%d", frequency);
	snprintf(pid, sizeof pid, "%d", (int)w->pid);
	execl(flametop, "flametop", "sample", "-q", "-F", hz, "-p", pid, "-o", "slowdown.data", (char *)NULL);
	give_up(flametop);
}

static const struct companion {
	const char *name;
	void (*run)(const struct work *);
} companions[] = {{"counted", count}, {"woken", wake}, {"recorded", record}};
#define N_COMPANIONS (sizeof companions / sizeof *companions)

static pid_t start_companion(const struct companion *c, const struct work *w)
{
	pid_t pid = fork();
	if (pid < 0)
		give_up(c->name);
	if (pid == 0) {
		if (!freopen("/dev/null", "w", stdout))
			give_up("/dev/null");
		signal(SIGINT, SIG_DFL); /* which a shell makes its background jobs ignore */
		c->run(w);
		_exit(1);
	}
	return pid;
}

static void end_companion(pid_t pid)
{
	int status;
	kill(pid, SIGINT);
	if (waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 1)) {
		errno = ECHILD;
		give_up("a companion");
	}
}

/* ---- rounds -------------------------------------------------------------------------------------------------- */

static void turn(const struct work *w, const struct companion *c, struct figures *f, int round)
{
	clockid_t own;
	struct cost before = measure(w);
	pid_t pid = start_companion(c, w);
	let_pass(w, SETTLE_SECONDS);
	if (clock_getcpuclockid(pid, &own) != 0)
		give_up(c->name);
	double began = seconds_now(), used = clock_seconds(own);
	struct cost with = measure(w);
	f->own[round] = (clock_seconds(own) - used) / (seconds_now() - began);
	end_companion(pid);
	let_pass(w, SETTLE_SECONDS / 2);
	struct cost after = measure(w);
	f->wall[round] = with.wall * 2 / (before.wall + after.wall);
	f->cpu[round] = with.cpu * 2 / (before.cpu + after.cpu);
}

static void print_ratio(double *values, int n)
{
	double middle = median(values, (size_t)n); /* sorts them */
	printf(" %.3f (%.3f to %.3f) |", middle, values[n / 4], values[n - 1 - n / 4]);
}

/* The rest of the arguments; NULL: they make no sense. */
static char **take_options(int argc, char **argv, int *rounds)
{
	int option;
	while ((option = getopt(argc, argv, "+F:n:s:")) != -1) {
		if (option == 'F')
			frequency = atoi(optarg);
		else if (option == 'n')
			*rounds = atoi(optarg);
		else if (option == 's')
			segment = atof(optarg);
		else
			return NULL;
	}
	bool is_right = argc - optind >= 3 && frequency > 0 && *rounds > 0 && *rounds <= ROUNDS_MOST && segment > 0;
	return is_right ? argv + optind : NULL;
}

int main(int argc, char **argv)
{
	static struct figures figures[N_COMPANIONS];
	int rounds = 9;
	char **rest = take_options(argc, argv, &rounds);
	if (!rest) {
		fprintf(stderr, "usage: slowdown [-F HZ] [-n ROUNDS] [-s SECONDS] FLAMETOP LABEL COMMAND [ARG...]\n");
		return 2;
	}
	flametop = rest[0];
	struct work w = start_work(rest + 2);
	let_pass(&w, SETTLE_SECONDS);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < N_COMPANIONS; i++)
			turn(&w, &companions[i], &figures[i], round);
	kill(w.pid, SIGKILL);
	for (size_t i = 0; i < N_COMPANIONS; i++) {
		printf("| %s | %d | %s |", rest[1], frequency, companions[i].name);
		print_ratio(figures[i].wall, rounds);
		print_ratio(figures[i].cpu, rounds);
		printf(" %.1f |\n", median(figures[i].own, (size_t)rounds) * 100);
	}
	unlink("slowdown.data");
	unlink("slowdown.data.old");
	return 0;
}
