/*
 * signals.c - sends signals to the viewer at any time and checks that the terminal is restored.
 *
 *	signals FLAMETOP DIR TRIALS SEED [SHIM]
 *
 *	this program --- master | slave --- leader (a tiny shell) --- flametop
 *	  reads what is drawn, types,         starts it as a job, continues
 *	  sends the signals                   it, tells how it ended
 *
 * A trial starts the viewer on its own pseudo terminal, types random keys, and sends a signal at a random moment
 * (during start, loading, drawing, prompts, exports). Afterwards the modes shown by `stty -g` must be as before,
 * and every mode switched on by an escape sequence must be off. The leader is needed because a terminal hangs up
 * when its session's first process ends, and because only a shell can continue a stopped job.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "children.h"
#include "tap.h"
#include "terminal.h"

/* Time to end: two seconds of patience with the terminal, six with two perfs, and a slow machine. */
#define END_MS 15000
#define RESTORE_MS 3000 /* time to restore the terminal after that */

enum activity { DRAWING, LOADING, PROMPTING, EXPORTING, ACTIVITIES };
static const char *const activities[] = {"drawing", "loading", "prompting", "exporting"};

static const struct ending {
	const char *name;
	int sig;
} endings[] = {{"INT", SIGINT},   {"TERM", SIGTERM}, {"HUP", SIGHUP},   {"QUIT", SIGQUIT},  {"SEGV", SIGSEGV},
               {"ABRT", SIGABRT}, {"KILL", SIGKILL}, {"TSTP", SIGTSTP}, {"WINCH", SIGWINCH}};

static const char *flametop, *shim; /* shim: NULL if there is none */
static uint32_t dice;

struct trial {
	int master, reports, orders, feed; /* feed: flametop's standard input, -1: none */
	pid_t leader, job;
	struct termios before;
	struct screen_modes modes;
	bool is_stopped, has_ended, is_alone;
	int status;
};

static uint32_t roll(uint32_t sides)
{
	dice = dice * 1664525 + 1013904223;
	return (uint32_t)(((uint64_t)(dice >> 4) * sides) >> 28);
}

static long now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- what the terminal shows --------------------------------------------------------------------------------- */

static bool is_whole(const struct trial *t)
{
	struct termios now;
	return !screen_has_modes(&t->modes) && tcgetattr(t->master, &now) == 0 && termios_are_same(&now, &t->before);
}

static void tell_state(const struct trial *t)
{
	struct termios now;
	bool same = tcgetattr(t->master, &now) == 0 && termios_are_same(&now, &t->before);
	diag("alternate %d, mouse %d, SGR %d, paste %d, cursor hidden %d, modes %s; ended %d, stopped %d, status %x",
	     t->modes.is_alternate, t->modes.has_mouse, t->modes.has_sgr, t->modes.has_paste, t->modes.is_cursor_hidden,
	     same ? "as before" : "changed", t->has_ended, t->is_stopped, (unsigned)t->status);
}

/* ---- the leader ---------------------------------------------------------------------------------------------- */

enum news { RUNS, STOPPED, ENDED };

struct report {
	pid_t job;
	int status;
	enum news news;
	bool is_alone; /* no program started by flametop is left */
};

static bool tell(int fd, struct report *r, enum news news)
{
	r->news = news;
	return write(fd, r, sizeof *r) == (ssize_t)sizeof *r;
}

/* Handles its order: run the job in the foreground again, until it ends. */
_Noreturn static void lead(const char *const *argv, int in, int reports, int orders, bool ignores_hangup)
{
	struct report r = {0};
	int begun[2]; /* closes when flametop runs in place of us, who handle HUP differently */
	char order;
	signal(SIGHUP, SIG_IGN);
	signal(SIGTTOU, SIG_IGN);
	children_inherit();
	if (read(orders, &order, 1) != 1 || pipe2(begun, O_CLOEXEC) != 0)
		_exit(1);
	r.job = fork();
	if (r.job == 0) {
		struct rlimit none = {0, 0};
		setrlimit(RLIMIT_CORE, &none);
		setpgid(0, 0);
		tcsetpgrp(STDOUT_FILENO, getpid());
		signal(SIGTTOU, SIG_DFL);
		signal(SIGINT, SIG_DFL); /* tests run in the background ignore these */
		signal(SIGQUIT, SIG_DFL);
		signal(SIGHUP, ignores_hangup ? SIG_IGN : SIG_DFL);
		if (in >= 0)
			dup2(in, STDIN_FILENO);
		execv(flametop, (char *const *)(uintptr_t)argv);
		_exit(99);
	}
	setpgid(r.job, r.job);
	if (in >= 0)
		close(in);
	close(begun[1]);
	while (read(begun[0], &order, 1) > 0)
		;
	while (tell(reports, &r, RUNS) && waitpid(r.job, &r.status, WUNTRACED) > 0) {
		tcsetpgrp(STDOUT_FILENO, getpid());
		r.is_alone = !WIFSTOPPED(r.status) && children_are_gone();
		if (!tell(reports, &r, WIFSTOPPED(r.status) ? STOPPED : ENDED) || !WIFSTOPPED(r.status) ||
		    read(orders, &order, 1) != 1)
			break;
		tcsetpgrp(STDOUT_FILENO, r.job);
		kill(-r.job, SIGCONT);
	}
	/* Stays until the terminal is no longer needed. */
	while (read(orders, &order, 1) > 0)
		;
	_exit(0);
}

/* ---- a trial ------------------------------------------------------------------------------------------------- */

static void take_report(struct trial *t)
{
	struct report r;
	if (read(t->reports, &r, sizeof r) != (ssize_t)sizeof r)
		return;
	t->job = r.job;
	t->status = r.status;
	t->is_stopped = r.news == STOPPED;
	t->has_ended = r.news == ENDED;
	t->is_alone = r.is_alone;
}

static void start(struct trial *t, const char *const *argv, bool has_feed, bool ignores_hangup)
{
	int reports[2], orders[2], feed[2] = {-1, -1};
	struct winsize size = {.ws_col = (unsigned short)(20 + roll(180)), .ws_row = (unsigned short)(5 + roll(60))};
	*t = (struct trial){.feed = -1};
	if (pipe2(reports, O_CLOEXEC) || pipe2(orders, O_CLOEXEC) || (has_feed && pipe2(feed, O_CLOEXEC | O_NONBLOCK)))
		bail_out("no pipes");
	if (has_feed)
		fcntl(feed[0], F_SETFL, 0);
	t->leader = forkpty(&t->master, NULL, NULL, &size);
	if (t->leader < 0)
		bail_out("no pseudo terminal: %s", strerror(errno));
	if (t->leader == 0) {
		close(reports[0]);
		close(orders[1]);
		if (feed[1] >= 0)
			close(feed[1]);
		lead(argv, feed[0], reports[1], orders[0], ignores_hangup);
	}
	close(reports[1]);
	close(orders[0]);
	if (feed[0] >= 0)
		close(feed[0]);
	t->reports = reports[0];
	t->orders = orders[1];
	t->feed = feed[1];
	fcntl(t->master, F_SETFL, O_NONBLOCK);
	tcgetattr(t->master, &t->before);
	if (write(t->orders, "r", 1) != 1)
		bail_out("no leader");
	take_report(t);
}

static void pump_once(struct trial *t, int wait_ms, bool drains)
{
	char bytes[65536];
	struct pollfd p[] = {{.fd = t->reports, .events = POLLIN}, {.fd = drains ? t->master : -1, .events = POLLIN}};
	ssize_t n;
	poll(p, 2, wait_ms);
	if (p[1].revents & POLLIN && (n = read(t->master, bytes, sizeof bytes)) > 0)
		screen_watch(&t->modes, bytes, (size_t)n);
	if (p[0].revents & POLLIN)
		take_report(t);
}

static void type(struct trial *t, const char *keys)
{
	ssize_t ignored = write(t->master, keys, strlen(keys));
	(void)ignored;
}

static void type_something(struct trial *t, enum activity a)
{
	static const char *const keys[] = {"j",  "k", "h",   "l", "\r", "u", "\x1b[A", "\x1b[B",
	                                   "i",  "c", "r",   "t", "\t", "?", "\x1b",   "/",
	                                   "re", "n", "N",   "z", "0",  "+", "-",      "\x1b[<0;5;9M\x1b[<0;5;9m",
	                                   "S",  "d", "\x0c"};
	static const char *const prompt[] = {"/",    "a", "b(", "[",      "\x7f",
	                                     "\x15", "x", ".*", "\x1b[D", "\x1b[200~p\nq\x1b[201~"};
	if (a == PROMPTING)
		type(t, prompt[roll(sizeof prompt / sizeof *prompt)]);
	else
		type(t, keys[roll(sizeof keys / sizeof *keys)]);
}

static void feed_some(struct trial *t)
{
	char line[128];
	for (int i = 0; t->feed >= 0 && i < 50; i++) {
		int n = snprintf(line, sizeof line, "main;run_%u;work_%u;leaf_%u %u\n", roll(9), roll(90), roll(900),
		                 roll(9) + 1);
		if (write(t->feed, line, (size_t)n) != n)
			return;
	}
}

static void play(struct trial *t, enum activity a, long ms)
{
	long end = now_ms() + ms;
	while (!t->has_ended && !t->is_stopped && now_ms() < end) {
		if (roll(3) == 0)
			type_something(t, a);
		feed_some(t);
		pump_once(t, (int)roll(6), true);
	}
}

static void play_nothing(struct trial *t, long ms)
{
	for (long end = now_ms() + ms; !t->has_ended && now_ms() < end;)
		pump_once(t, 20, true);
}

static bool await(struct trial *t, const bool *what, long ms, bool drains)
{
	long end = now_ms() + ms;
	while (!*what && now_ms() < end)
		pump_once(t, 20, drains);
	return *what;
}

static void await_not_stopped(struct trial *t)
{
	for (long end = now_ms() + END_MS; t->is_stopped && now_ms() < end;)
		pump_once(t, 20, true);
}

static bool await_whole(struct trial *t)
{
	long end = now_ms() + RESTORE_MS;
	while (!is_whole(t) && now_ms() < end)
		pump_once(t, 10, true);
	return is_whole(t);
}

static void finish(struct trial *t)
{
	if (!t->has_ended && t->job > 0)
		kill(-t->job, SIGKILL);
	close(t->orders);
	close(t->reports);
	if (t->feed >= 0)
		close(t->feed);
	if (t->master >= 0)
		close(t->master);
	kill(t->leader, SIGKILL);
	waitpid(t->leader, NULL, 0);
}

static bool has_status(const struct trial *t, int sig)
{
	if (WIFEXITED(t->status))
		return WEXITSTATUS(t->status) == 128 + sig || WEXITSTATUS(t->status) == 0;
	return WTERMSIG(t->status) == sig;
}

static void resize(struct trial *t)
{
	struct winsize size = {.ws_col = (unsigned short)(1 + roll(250)), .ws_row = (unsigned short)(1 + roll(80))};
	ioctl(t->master, TIOCSWINSZ, &size);
}

/* While stopped, the shell has its terminal; when continued, the viewer goes on. */
static const char *stop_and_go(struct trial *t, enum activity a)
{
	for (int i = 0; i < 2 && !t->has_ended; i++) {
		kill(t->job, SIGTSTP);
		long end = now_ms() + END_MS;
		while (!t->is_stopped && !t->has_ended && now_ms() < end)
			pump_once(t, 20, true);
		if (!t->is_stopped && !t->has_ended)
			return "is not stopped";
		if (!await_whole(t))
			return "leaves the terminal as it is when stopped";
		/* The system would drop a stop sent before the viewer goes on. */
		if (!t->has_ended && write(t->orders, "c", 1) == 1)
			await_not_stopped(t);
		play(t, a, (long)roll(60));
	}
	return NULL;
}

static const char *send(struct trial *t, enum activity a, int sig)
{
	const char *wrong = NULL;
	if (sig == SIGTSTP)
		wrong = stop_and_go(t, a);
	for (uint32_t i = roll(20); sig == SIGWINCH && i > 0; i--) {
		resize(t);
		play(t, a, (long)roll(12));
	}
	if (!t->has_ended)
		kill(t->job, sig == SIGTSTP || sig == SIGWINCH ? SIGTERM : sig);
	return wrong;
}

static bool has_files(const char *path)
{
	size_t n = 0;
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return n > 0;
}

/* Only requested files may be in out/, and only complete ones. */
static const char *check_out(void)
{
	const char *wrong = NULL;
	char path[300], last[16] = "";
	DIR *d = opendir("out");
	for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
		if (e->d_name[0] == '.' && (!e->d_name[1] || e->d_name[1] == '.'))
			continue;
		snprintf(path, sizeof path, "out/%s", e->d_name);
		int fd = open(path, O_RDONLY);
		if (strcmp(e->d_name, "x.svg") != 0)
			wrong = "leaves a temporary file";
		else if (lseek(fd, -7, SEEK_END) < 0 || read(fd, last, 7) != 7 || strstr(last, "</svg>") == NULL)
			wrong = "leaves half a file";
		close(fd);
		unlink(path);
	}
	if (d)
		closedir(d);
	return wrong;
}

static const char *run_trial(struct trial *t, enum activity a, int sig)
{
	static const char *const viewer[] = {"flametop", "a.folded", NULL};
	static const char *const loader[] = {"flametop", NULL};
	static const char *const exporter[] = {"flametop", "-o", "out/x.svg", "big.folded", NULL};
	const char *const *argv = a == EXPORTING ? exporter : a == LOADING ? loader : viewer;
	start(t, argv, a == LOADING, false);
	play(t, a, roll(4) == 0 ? (long)roll(12) : (long)roll(120));
	const char *wrong = send(t, a, sig);
	if (!await(t, &t->has_ended, END_MS, true))
		return "does not end";
	if (!await_whole(t))
		return "leaves the terminal broken";
	if (!t->is_alone)
		return "leaves a program behind";
	if (!has_status(t, sig == SIGTSTP || sig == SIGWINCH ? SIGTERM : sig))
		return "ends with another status";
	return wrong ? wrong : check_out();
}

static void try_signal(const struct ending *e, enum activity a, long trials)
{
	long bad = 0;
	for (long i = 0; i < trials; i++) {
		struct trial t;
		uint32_t seed = dice;
		const char *wrong = run_trial(&t, a, e->sig);
		if (wrong) {
			bad++;
			diag("%s while %s, seed %" PRIu32 ": %s", e->name, activities[a], seed, wrong);
			tell_state(&t);
		}
		finish(&t);
	}
	ok(bad == 0, "%s while %s: the terminal is whole, %ld times of %ld", e->name, activities[a], trials - bad,
	   trials);
}

static const char *const of_file[] = {"flametop", "--no-config", "--color=truecolor", "a.folded", NULL};
static const char *const of_pipe[] = {"flametop", "--no-config", NULL};
static const char *const of_recording[] = {
	"flametop",          "record", "--no-config", "--no-ask", "--symbolizer=perf",
	"--color=truecolor", "--",     "./stay",      NULL};

/* What perf has printed is more than a terminal's buffer takes. */
static const char *const of_talker[] = {
	"flametop",          "record", "--no-config", "--no-ask", "--symbolizer=perf",
	"--color=truecolor", "--",     "./talk",      NULL};
static const char *const of_build[] = {"flametop", "record", "--no-config", "--build=yes", "--", "./stay", NULL};

/*
 * The output is not read: a write to the terminal would never return. fills: the buffer is full before the end, else
 * the viewer leaves in time, and what is printed after it does not.
 */
static void try_undrained(const char *name, const char *const *argv, bool fills, int sig, const char *keys)
{
	struct trial t;
	struct winsize size = {.ws_col = 250, .ws_row = 100};
	struct termios now;
	start(&t, argv, false, false);
	ioctl(t.master, TIOCSWINSZ, &size);
	for (long end = now_ms() + END_MS; !t.modes.is_alternate && now_ms() < end;)
		pump_once(&t, 20, true);
	/* Fills the terminal's buffer with frames that all differ. */
	for (int i = 0; fills && i < 40; i++) {
		type(&t, i % 2 ? "i" : "c");
		pump_once(&t, 10, false);
	}
	long from = now_ms();
	if (sig > 0)
		kill(t.job, sig);
	type(&t, keys);
	bool has_ended = await(&t, &t.has_ended, END_MS, false);
	diag("%s: gone after %ld ms", name, now_ms() - from);
	ok(has_ended && has_status(&t, sig), "%s ends the viewer on a terminal that takes no output", name);
	ok(tcgetattr(t.master, &now) == 0 && termios_are_same(&now, &t.before),
	   "%s: and the modes of that terminal are as before", name);
	ok(t.is_alone, "%s: and nothing runs on", name);
	finish(&t);
}

/* A program that flametop has started before there is a viewer fills the terminal. */
static void try_full(const char *name, const char *const *argv, int sig)
{
	struct trial t;
	char some[4096];
	start(&t, argv, false, false);
	bool has_printed = false;
	for (long end = now_ms() + END_MS; !has_printed && now_ms() < end;)
		has_printed = read(t.master, some, sizeof some) > 0 || (pump_once(&t, 20, false), false);
	for (long end = now_ms() + 300; now_ms() < end;)
		pump_once(&t, 20, false);
	kill(t.job, sig);
	bool has_ended = await(&t, &t.has_ended, END_MS, false);
	ok(has_printed && has_ended && has_status(&t, sig), "%s ends it on a terminal that takes no output", name);
	ok(t.is_alone, "%s: and nothing runs on", name);
	finish(&t);
}

/* Runs under nohup while the terminal hangs up. */
static void try_hangup(const char *name, const char *const *argv)
{
	struct trial t;
	bool has_feed = argv == of_pipe;
	start(&t, argv, has_feed, true);
	/* Without a terminal from the start, it would print text at the end of its input. */
	for (long end = now_ms() + END_MS; !t.modes.is_alternate && now_ms() < end;)
		play(&t, has_feed ? LOADING : DRAWING, 150);
	close(t.master);
	t.master = -1;
	bool has_ended = await(&t, &t.has_ended, END_MS, false);
	ok(has_ended && WIFEXITED(t.status), "a terminal that hangs up ends a viewer of %s that ignores HUP", name);
	ok(t.is_alone, "and nothing runs on");
	finish(&t);
}

/*
 * The viewer writes a file, which has a temporary name at that time, and crashes; or hangs and is told to end. The
 * shim does either when the file is about to get its final name.
 */
static void try_writing(const char *name, const char *kind, int sig)
{
	static const char *const argv[] = {"flametop", "a.folded", NULL};
	struct trial t;
	setenv("LD_PRELOAD", shim, 1);
	setenv("FAULT_CALL", "rename", 1);
	setenv("FAULT_AT", "1", 1);
	setenv("FAULT_KIND", kind, 1);
	start(&t, argv, false, false);
	unsetenv("LD_PRELOAD");
	/* Nothing can be written before the profile is there. */
	for (long end = now_ms() + 4 * END_MS; !t.has_ended && !has_files("out") && now_ms() < end;) {
		type(&t, "wout/x.svg\r");
		play_nothing(&t, 300);
	}
	if (sig > 0)
		kill(t.job, sig);
	bool has_ended = await(&t, &t.has_ended, END_MS, true);
	ok(has_ended && has_status(&t, sig > 0 ? sig : SIGSEGV), "%s while the viewer writes a file ends it", name);
	ok(await_whole(&t), "%s: and the terminal is whole", name);
	ok(!has_files("out"), "%s: and nothing is left of the file", name);
	finish(&t);
}

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "can") == 0)
		return !has_terminals();
	if (argc < 5 || chdir(argv[2]) != 0)
		bail_out("usage: signals can, or signals FLAMETOP DIR TRIALS SEED [SHIM]");
	flametop = argv[1];
	long trials = atol(argv[3]);
	dice = (uint32_t)atol(argv[4]);
	shim = argc > 5 ? argv[5] : NULL;
	signal(SIGPIPE, SIG_IGN);
	mkdir("out", 0700);
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
		for (int a = 0; a < ACTIVITIES; a++)
			try_signal(&endings[i], (enum activity)a, trials);
	try_undrained("TERM", of_file, true, SIGTERM, "");
	try_undrained("HUP", of_file, true, SIGHUP, "");
	try_undrained("INT", of_file, true, SIGINT, "");
	try_undrained("^C", of_file, true, 0, "\x03");
	try_undrained("q", of_file, true, 0, "q");
	try_undrained("TERM in a recording", of_recording, true, SIGTERM, "");
	try_undrained("q in a recording", of_recording, true, 0, "q");
	try_undrained("TERM in a recording that has printed", of_talker, false, SIGTERM, "");
	try_undrained("HUP in a recording that has printed", of_talker, false, SIGHUP, "");
	try_full("TERM in a build", of_build, SIGTERM);
	try_full("INT in a build", of_build, SIGINT);
	try_hangup("a file", of_file);
	try_hangup("a pipe", of_pipe);
	try_hangup("a recording", of_recording);
	try_hangup("a recording that has printed", of_talker);
	if (shim) {
		try_writing("a crash", "SEGV", 0);
		try_writing("TERM", "stall", SIGTERM);
	}
	return done_testing();
}
