/*
 * interact - how long a terminal program takes to draw and to answer keys, and how much it writes.
 *
 *	interact [-s COLSxROWS] start RUNS WORK --of LABEL COMMAND [ARG...] [--of ...]...
 *	interact [-s COLSxROWS] keys TIMES COMMAND [ARG...]
 *	interact [-s COLSxROWS] cost TIMES COMMAND [ARG...]
 *
 * The command gets a pseudo terminal (xterm-256color, 200x50) whose other end is read here. `start` measures from
 * the start of the program to the first byte, to the first picture (PICTURE_BYTES have come: an empty screen is
 * less, a flame graph more), and to the last byte; programs run in turn, and q ends them. `keys` types keys of the
 * viewer one by one, each TIMES times, and measures from key to first and last byte. Both print rows of a table in
 * Markdown. `cost` prints processor time alone, in ms: of drawing everything anew, of moving the cursor, of zooming
 * in.
 *
 *	key ----> read(), think, write() ----> ... write() ----> nothing for QUIET_MS, no thread of it runs: that was all
 *	        |                         |                 |
 *	        0                    first byte         last byte
 *
 * What it cost the program's processor clock says, also on a machine that has other things to do.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <pty.h>
#else
#include <util.h>
#endif

#include "base/mem.h"
#include "turns.h"

#define QUIET_MS \
	130.0 /* more than the viewer waits for the rest of an ESC sequence, or between two pictures of progress */
#define PATIENCE_MS 600000.0 /* then it hangs */
#define PICTURE_BYTES 2000
#define PICTURES 3 /* of long work, whose median counts */
#define IDLE_MS 2000.0
#define FLOOD 1000     /* keys at once */
#define FAST_MS 5.0    /* what an answer should take */
#define SLOW_MS 16.0   /* and what it may */
#define MOVE_BYTES 256 /* what moving the cursor may write */
#define FRAME_BYTES 65536

struct session {
	pid_t pid;
	int fd;
	clockid_t cpu; /* its processor clock, where another process has one that can be read */
	bool has_cpu;
};

struct answer {
	double first, picture, last; /* ms; 0: nothing came */
	double cpu;                  /* ms */
	size_t bytes;
};

static struct winsize size = {.ws_col = 200, .ws_row = 50};

_Noreturn static void give_up(const char *what)
{
	fprintf(stderr, "interact: %s\n", what);
	exit(1);
}

static double ms_now(void)
{
	return seconds_now() * 1e3;
}

/* ---- the program on its terminal ----------------------------------------------------------------------------- */

static double cpu_ms(const struct session *s)
{
	struct timespec t;
	if (!s->has_cpu || clock_gettime(s->cpu, &t) != 0)
		return 0;
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* false: it is not installed. */
static bool start(struct session *s, char **argv)
{
	int begun[2], failure = 0;
	if (pipe2(begun, O_CLOEXEC) != 0)
		give_up("no pipe");
	s->has_cpu = false;
	s->pid = forkpty(&s->fd, NULL, NULL, &size);
	if (s->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		setenv("LC_ALL", "C.UTF-8", 1);
		unsetenv("COLORTERM");
		unsetenv("NO_COLOR");
		execvp(argv[0], argv);
		failure = errno;
		_exit(write(begun[1], &failure, sizeof failure) != sizeof failure);
	}
	if (s->pid < 0)
		give_up("no pseudo terminal");
	close(begun[1]);
	bool is_there = read(begun[0], &failure, sizeof failure) == 0;
	close(begun[0]);
	if (!is_there) {
		close(s->fd);
		waitpid(s->pid, NULL, 0);
		return false;
	}
	fcntl(s->fd, F_SETFL, O_NONBLOCK);
#if defined(_POSIX_CPUTIME) && _POSIX_CPUTIME >= 0
	s->has_cpu = clock_getcpuclockid(s->pid, &s->cpu) == 0;
#endif
	return true;
}

/* Does a thread of it run, or would one if it could? Without /proc nobody can tell: no. */
static bool is_running(const struct session *s)
{
	char path[300], line[512];
	snprintf(path, sizeof path, "/proc/%d/task", (int)s->pid);
	DIR *tasks = opendir(path);
	bool is = false;
	for (struct dirent *e; !is && tasks && (e = readdir(tasks)) != NULL;) {
		snprintf(path, sizeof path, "/proc/%d/task/%.200s/stat", (int)s->pid, e->d_name);
		FILE *f = e->d_name[0] != '.' ? fopen(path, "r") : NULL;
		char *name_end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
		is = name_end && (name_end[2] == 'R' || name_end[2] == 'D');
		if (f)
			fclose(f);
	}
	if (tasks)
		closedir(tasks);
	return is;
}

/* Takes what is there; false: the program is gone. */
static bool take(struct session *s, double since, struct answer *a)
{
	char bytes[65536];
	ssize_t n;
	while ((n = read(s->fd, bytes, sizeof bytes)) > 0) {
		double at = ms_now() - since;
		if (a->bytes == 0)
			a->first = at;
		a->bytes += (size_t)n;
		if (a->picture == 0 && a->bytes >= PICTURE_BYTES)
			a->picture = at;
		a->last = at;
	}
	return n < 0 && (errno == EAGAIN || errno == EINTR);
}

/* Until the program has nothing more to say. */
static void listen_to(struct session *s, double since, double cpu_before, struct answer *a)
{
	double quiet_since = ms_now(), cpu = cpu_before;
	while (ms_now() - quiet_since < QUIET_MS) {
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		int ready = poll(&p, 1, 20);
		size_t before = a->bytes;
		if (ready > 0 && !take(s, since, a))
			give_up("the program ended");
		double now_cpu = cpu_ms(s);
		if (a->bytes != before || now_cpu > cpu || is_running(s))
			quiet_since = ms_now();
		cpu = now_cpu;
		if (ms_now() - since > PATIENCE_MS)
			give_up("the program does not come to rest");
	}
	a->cpu = cpu - cpu_before;
	if (a->picture == 0)
		a->picture = a->last;
}

static struct answer type(struct session *s, const char *keys, size_t n)
{
	struct answer a = {0};
	double cpu = cpu_ms(s), since = ms_now();
	while (n > 0) {
		ssize_t done = write(s->fd, keys, n);
		if (done < 0 && errno != EAGAIN && errno != EINTR)
			give_up("the program takes no keys");
		if (done > 0) {
			keys += done;
			n -= (size_t)done;
		} else {
			struct pollfd p = {.fd = s->fd, .events = POLLIN | POLLOUT};
			poll(&p, 1, -1);
			take(s, since, &a);
		}
	}
	listen_to(s, since, cpu, &a);
	return a;
}

/* Each key for itself: an ESC would begin a sequence otherwise. */
static void type_unmeasured(struct session *s, const char *keys)
{
	for (; keys && *keys; keys++)
		type(s, keys, 1);
}

/* Ends it; the highest resident memory in KiB. */
static long end(struct session *s)
{
	struct rusage usage = {0};
	double since = ms_now();
	int status;
	while (wait4(s->pid, &status, WNOHANG, &usage) == 0) {
		struct answer ignored = {0};
		if (write(s->fd, "q", 1) < 0 && errno == EIO)
			break;
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		poll(&p, 1, 20);
		take(s, since, &ignored);
		if (ms_now() - since > 5000)
			kill(s->pid, SIGKILL);
	}
	close(s->fd);
	return usage.ru_maxrss;
}

/* ---- start --------------------------------------------------------------------------------------------------- */

struct starts {
	double *first, *picture, *last, *cpu, *bytes, *ratio; /* by run */
	long peak;
	bool is_missing;
};

static void start_once(const struct command *c, struct starts *r, size_t run)
{
	struct session s;
	struct answer a = {0};
	double since = ms_now();
	if (!start(&s, c->argv)) {
		r->is_missing = true;
		return;
	}
	listen_to(&s, since, 0, &a);
	long peak = end(&s);
	r->first[run] = a.first;
	r->picture[run] = a.picture;
	r->last[run] = a.last;
	r->cpu[run] = a.cpu;
	r->bytes[run] = (double)a.bytes;
	if (peak > r->peak)
		r->peak = peak;
}

static void print_starts(const char *work, const char *label, struct starts *r, size_t runs)
{
	if (r->is_missing)
		return;
	printf("| %s | %s | %.1f |", work, label, median(r->first, runs));
	printf(" %.1f |", median(r->picture, runs));
	printf(" %.1f |", r->picture[runs - 1]);
	printf(" %.1f | %.1f |", median(r->last, runs), median(r->ratio, runs));
	printf(" %.1f | %.1f | %.0f |\n", median(r->cpu, runs), median(r->bytes, runs) / 1e3, (double)r->peak / 1024);
}

static void measure_starts(const char *work, size_t runs, const struct command *commands, size_t n)
{
	struct starts results[COMMANDS_MAX] = {{0}};
	double *all = mem_zalloc(n * 6 * runs, sizeof *all), *next = all;
	for (size_t i = 0; i < n; i++, next += 6 * runs)
		results[i] = (struct starts){
			next, next + runs, next + 2 * runs, next + 3 * runs, next + 4 * runs, next + 5 * runs, 0, false};
	for (size_t run = 0; run < runs; run++)
		for (size_t i = 0; i < n; i++)
			if (!results[i].is_missing)
				start_once(&commands[i], &results[i], run);
	/* Printing sorts, and a ratio is one of the same turn. */
	for (size_t i = 0; i < n; i++)
		for (size_t run = 0; run < runs; run++)
			results[i].ratio[run] = results[i].last[run] / results[0].last[run];
	for (size_t i = 0; i < n; i++)
		print_starts(work, commands[i].label, &results[i], runs);
	free(all);
}

/* ---- keys ---------------------------------------------------------------------------------------------------- */

#define ESC "\x1b"
#define ENTER "\r"
#define BACK "\x7f"
#define CTRL_D "\x04"
#define CTRL_U "\x15"
#define REDRAW "\x0c"

/* Of the keys each is measured; those before and after are typed for each round, setup and teardown once. */
static const struct work {
	const char *name, *setup, *before, *keys, *after, *teardown;
	size_t bytes_max;
	size_t times_max; /* 0: as often as asked for; what goes on in the background for seconds is not typed often */
} works[] = {
	{"cursor: flame graph", "", "", "kkkkkkllllhhhhjjjjjj", "", "", MOVE_BYTES, 0},
	{"cursor: table", "2", "", "jjjjjjjjkkkkkkkk", "", "1", MOVE_BYTES, 0},
	{"cursor: sandwich", "2jj3", "", "kkkllhhjjj", "", "1", MOVE_BYTES, 0},
	{"cursor: call tree", "4", "", "lljjjllkkjhh", "", "1", FRAME_BYTES, 0},
	{"scroll: table, pages", "2", "", "ffff" CTRL_D CTRL_D CTRL_U CTRL_U "bbbb", "", "1", FRAME_BYTES, 0},
	{"zoom in", "kkk", "", ENTER, BACK, "", FRAME_BYTES, 0},
	{"zoom out", "", ENTER, BACK, "", "jjj", FRAME_BYTES, 0},
	{"search: every letter", "", "/", "parse", ESC ESC, "", FRAME_BYTES, 0},
	{"search: next, previous", "/run" ENTER, "", "nnnnNNNN", "", ESC, FRAME_BYTES, 0},
	{"search in the table: every letter", "2", "/", "alloc", ESC ESC, "1", FRAME_BYTES, 0},
	{"search in the sandwich: every letter", "2jj3", "/", "parse", ESC ESC, "1", FRAME_BYTES, 0},
	{"view: table, sandwich, call tree, flame graph", "", "", "2341", "", "", FRAME_BYTES, 0},
	{"table: another column", "2", "", ">><<", "", "1", FRAME_BYTES, 0},
	{"smallest share drawn", "", "", "++--", "", "", FRAME_BYTES, 0},
	{"flip", "", "", "ii", "", "", FRAME_BYTES, 0},
	{"another palette", "", "", "c", "", "", FRAME_BYTES, 0},
	{"help", "", "", "?", "q", "", FRAME_BYTES, 0},
	{"everything drawn anew", "", "", REDRAW, "", "", FRAME_BYTES, 0},
	{"regrouping: order of siblings", "", "", "ooo", "", "", FRAME_BYTES, 3},
	{"regrouping: merged from the leaves", "", "", "II", "", "", FRAME_BYTES, 2},
	{"filter: exclude, take back", "kkk", "", "xX", "", "r", FRAME_BYTES, 4},
};
#define N_WORKS (sizeof works / sizeof *works)

struct tally {
	double *first, *last, *cpu, *bytes; /* by answer */
	size_t n, n_silent;                 /* keys that changed nothing on the screen are not answers */
};

static void add_answer(struct tally *t, struct answer a)
{
	if (a.bytes == 0) {
		t->n_silent++;
		return;
	}
	t->first[t->n] = a.first;
	t->last[t->n] = a.last;
	t->cpu[t->n] = a.cpu;
	t->bytes[t->n++] = (double)a.bytes;
}

static void work_through(struct session *s, const struct work *w, struct tally *t, size_t times)
{
	t->n = t->n_silent = 0;
	if (w->times_max > 0 && times > w->times_max)
		times = w->times_max;
	type_unmeasured(s, w->setup);
	while (t->n + t->n_silent < times) {
		type_unmeasured(s, w->before);
		for (const char *key = w->keys; *key && t->n + t->n_silent < times; key++)
			add_answer(t, type(s, key, 1));
		type_unmeasured(s, w->after);
	}
	type_unmeasured(s, w->teardown);
}

/* Of sorted values: the one that a share of them does not exceed. */
static double quantile(const double *sorted, size_t n, double share)
{
	size_t at = (size_t)(share * (double)n);
	return sorted[at < n ? at : n - 1];
}

static void print_tally(const struct work *w, struct tally *t)
{
	double sum = 0;
	size_t fast = 0, slow = 0, n = t->n;
	if (n == 0) {
		printf("| %s | 0 | | | | | | | | | | |\n", w->name);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		sum += t->last[i];
		fast += t->last[i] <= FAST_MS;
		slow += t->last[i] > SLOW_MS;
	}
	printf("| %s | %zu | %.2f |", w->name, n, median(t->first, n));
	printf(" %.2f |", median(t->last, n));
	printf(" %.2f | %.2f |", quantile(t->last, n, 0.99), t->last[n - 1]);
	printf(" %.2f |", median(t->cpu, n));
	printf(" %.2f |", t->cpu[n - 1]);
	printf(" %.0f | %.0f |", 100.0 * (double)fast / (double)n, 100.0 * (double)slow / (double)n);
	double typical = median(t->bytes, n);
	printf(" %.0f | %.0f | %zu | %.0f |\n", typical, t->bytes[n - 1], w->bytes_max, 1e3 * (double)n / sum);
}

/*
 * A key held down, and then some: far more at once than a keyboard sends. They end on another frame than they
 * begin.
 */
static void measure_flood(struct session *s)
{
	char keys[FLOOD];
	for (size_t i = 0; i < FLOOD; i++)
		keys[i] = "kkkkkkkkllllhhhhjjjjjjjj"[i % 24];
	type_unmeasured(s, "rG");
	struct answer a = type(s, keys, FLOOD);
	printf("\n%d cursor keys at once: answered after %.1f ms, %.1f bytes a key, %.1f ms CPU.\n", FLOOD, a.last,
	       (double)a.bytes / FLOOD, a.cpu);
}

/* Long work that has a picture before its end; the viewer is as it was afterwards. */
static void measure_picture(struct session *s, const char *what, const char *key)
{
	double picture[PICTURES], last[PICTURES];
	type_unmeasured(s, "rG");
	for (size_t i = 0; i < PICTURES; i++) {
		struct answer a = type(s, key, 1);
		picture[i] = a.picture;
		last[i] = a.last;
		type_unmeasured(s, key);
	}
	printf("\n%s: a picture after %.0f ms", what, median(picture, PICTURES));
	printf(", all of it after %.0f ms (medians of %d).\n", median(last, PICTURES), PICTURES);
}

static void measure_idle(struct session *s)
{
	struct answer a = {0};
	double since = ms_now(), cpu = cpu_ms(s);
	while (ms_now() - since < IDLE_MS) {
		struct pollfd p = {.fd = s->fd, .events = POLLIN};
		if (poll(&p, 1, 20) > 0 && !take(s, since, &a))
			give_up("the program ended");
	}
	printf("Idle for %.0f s: %zu bytes, %.2f ms CPU.\n", IDLE_MS / 1e3, a.bytes, cpu_ms(s) - cpu);
}

static void begin(struct session *s, char **argv)
{
	struct answer a = {0};
	double since = ms_now();
	if (!start(s, argv))
		give_up("no such program");
	listen_to(s, since, 0, &a);
}

static void measure_keys(size_t times, char **argv)
{
	struct session s;
	struct tally t = {0};
	double *all = mem_zalloc(4 * times, sizeof *all);
	t.first = all;
	t.last = all + times;
	t.cpu = all + 2 * times;
	t.bytes = all + 3 * times;
	begin(&s, argv);
	puts(
		"| key | answers | first byte ms | last byte ms | 99 % | max | CPU ms | max | % within 5 ms | % over 16 ms "
		"| bytes | max | allowed | a second |");
	puts("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
	for (size_t i = 0; i < N_WORKS; i++) {
		work_through(&s, &works[i], &t, times);
		print_tally(&works[i], &t);
		fflush(stdout);
	}
	measure_picture(&s, "Merged from the leaves", "I");
	measure_flood(&s);
	measure_idle(&s);
	end(&s);
	free(all);
}

/* ---- cost ---------------------------------------------------------------------------------------------------- */

static void measure_cost(size_t times, char **argv)
{
	static const struct work samples[] = {
		{"", "", "", REDRAW, "", "", 0, 0},
		{"", "", "", "kkkkjjjj", "", "", 0, 0},
		{"", "kkk", "", ENTER, BACK, "jjj", 0, 0},
	};
	struct session s;
	double *all = mem_zalloc(4 * times, sizeof *all);
	struct tally t = {all, all + times, all + 2 * times, all + 3 * times, 0, 0};
	begin(&s, argv);
	for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
		work_through(&s, &samples[i], &t, times);
		printf("%s%.3f", i > 0 ? "\t" : "", t.n > 0 ? median(t.cpu, t.n) : 0.0);
	}
	putchar('\n');
	end(&s);
	free(all);
}

/* ---- main ---------------------------------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
	struct command commands[COMMANDS_MAX];
	char **words = argv + 1;
	(void)argc;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (words[0] && words[1] && strcmp(words[0], "-s") == 0) {
		if (sscanf(words[1], "%hux%hu", &size.ws_col, &size.ws_row) != 2)
			give_up("-s wants COLSxROWS");
		words += 2;
	}
	const char *what = words[0];
	int times = what && words[1] ? atoi(words[1]) : 0;
	if (times > 0 && strcmp(what, "start") == 0 && words[2]) {
		size_t n = take_commands(words + 3, commands);
		measure_starts(words[2], (size_t)times, commands, n);
		return 0;
	}
	if (times > 0 && words[2] && (strcmp(what, "keys") == 0 || strcmp(what, "cost") == 0)) {
		(*what == 'k' ? measure_keys : measure_cost)((size_t)times, words + 2);
		return 0;
	}
	fputs("usage: interact [-s COLSxROWS] start RUNS WORK --of LABEL COMMAND [ARG...] [--of ...]...\n"
	      "       interact [-s COLSxROWS] keys|cost TIMES COMMAND [ARG...]\n",
	      stderr);
	return 2;
}
