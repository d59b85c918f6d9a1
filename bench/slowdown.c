/*
 * slowdown - what recording the functions of a language costs the program that is recorded.
 *
 *	slowdown [-F HZ] [-n ROUNDS] [-s SECONDS] FLAMETOP LABEL COMMAND [ARG...]
 *
 * COMMAND repeats the same work for ever, and prints a line each time, a hundred a second or more. It runs on the first
 * processor. For each companion a round has SECONDS (3 at 99 Hz, 1.2 at 999) of it alone, as many with the companion, and
 * as many alone:
 *
 *	counted     its stacks are sampled by the kernel, and nobody is woken up
 *	woken       each sample wakes up a thread that comes before all others on that processor, and does nothing
 *	recorded    flametop sample, which reads the functions of the language at each sample
 *
 * Lines are timed in blocks, of ten samples each. Prints a row of a Markdown table for each companion: how many times longer
 * a block took than alone, and what share of a processor the companion used. A virtual machine has neighbours, which may cost more
 * than the companion does, but not at every moment: so the blocks of all rounds are sorted, and those at a tenth, at a quarter and
 * in the middle are compared with the same ones of the blocks alone. On a quiet machine the three ratios agree.
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

#include "base/mem.h"
#include "perfdata/event.h"
#include "record/sampler/abi.h"
#include "record/sampler/counter.h"
#include "record/sampler/ring.h"
#include "turns.h"

#define SETTLE_SECONDS 0.6
#define ROUNDS_MOST 100
#define RING_BYTES ((size_t)1 << 20)
#define PRIORITY 10
#define SAMPLES_A_BLOCK 10.0

struct work {
	pid_t pid;
	int lines;      /* the end of its pipe */
	size_t a_block; /* lines */
};

struct times {
	double *s; /* what each block took; allocated */
	size_t n, cap;
};

struct figures {
	struct times alone, with;
	double own[ROUNDS_MOST]; /* processors */
};

static int frequency = 999;
static double segment; /* s */

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
	struct work w = {.a_block = 1};
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
	if (w.pid < 0)
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

/* Returns how many lines came meanwhile. */
static size_t let_pass(const struct work *w, double seconds)
{
	size_t n = 0;
	double end = seconds_now() + seconds;
	while (seconds_now() < end)
		n += wait_for_lines(w, end);
	return n;
}

static size_t lines_a_block(const struct work *w)
{
	double rate = (double)let_pass(w, SETTLE_SECONDS) / SETTLE_SECONDS;
	return (size_t)(rate * SAMPLES_A_BLOCK / frequency) + 1;
}

/* Times the blocks of a segment. One whose end came together with later lines is left out. */
static void measure(const struct work *w, struct times *t)
{
	double end = seconds_now() + segment, began = 0;
	size_t n = 0;
	while (seconds_now() < end) {
		size_t more = wait_for_lines(w, end);
		double now = seconds_now();
		n += more;
		if (!more || (began > 0 && n < w->a_block))
			continue;
		if (began > 0 && n == w->a_block)
			mem_push(t->s, t->n, t->cap, now - began);
		began = now;
		n = 0;
	}
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
	measure(w, &f->alone);
	pid_t pid = start_companion(c, w);
	let_pass(w, SETTLE_SECONDS);
	if (clock_getcpuclockid(pid, &own) != 0)
		give_up(c->name);
	double began = seconds_now(), used = clock_seconds(own);
	measure(w, &f->with);
	f->own[round] = (clock_seconds(own) - used) / (seconds_now() - began);
	end_companion(pid);
	let_pass(w, SETTLE_SECONDS / 2);
	measure(w, &f->alone);
}

static void sort_times(struct times *t)
{
	if (t->n == 0) {
		errno = ETIMEDOUT;
		give_up("lines of the command");
	}
	qsort(t->s, t->n, sizeof *t->s, compare_doubles);
}

static void print_row(const char *label, const struct companion *c, struct figures *f, int rounds)
{
	static const double places[] = {0.1, 0.25, 0.5};
	sort_times(&f->alone);
	sort_times(&f->with);
	printf("| %s | %d | %s |", label, frequency, c->name);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		double with = f->with.s[(size_t)((double)f->with.n * places[i])];
		printf(" %.3f |", with / f->alone.s[(size_t)((double)f->alone.n * places[i])]);
	}
	printf(" %.1f |\n", median(f->own, (size_t)rounds) * 100);
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
	bool is_right = argc - optind >= 3 && frequency > 0 && *rounds > 0 && *rounds <= ROUNDS_MOST && segment >= 0;
	if (segment <= 0)
		segment = 1 + 200.0 / frequency;
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
	w.a_block = lines_a_block(&w);
	for (int round = 0; round < rounds; round++)
		for (size_t i = 0; i < N_COMPANIONS; i++)
			turn(&w, &companions[i], &figures[i], round);
	kill(w.pid, SIGKILL);
	for (size_t i = 0; i < N_COMPANIONS; i++) {
		print_row(rest[1], &companions[i], &figures[i], rounds);
		free(figures[i].alone.s);
		free(figures[i].with.s);
	}
	unlink("slowdown.data");
	unlink("slowdown.data.old");
	return 0;
}
