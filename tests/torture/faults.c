/*
 * faults.c - makes every call that can fail do so in turn.
 *
 *	faults FLAMETOP SHIM DIR [all] [SCENARIO]
 *
 * Each scenario runs once undisturbed, to learn its output and its number of calls of each kind; then again and
 * again, with the first call failing, the second, and so on (without `all`, with a spread of at most SPREAD of
 * them). After any failure:
 *
 *	- the program ends in time, with status 0 or 1;
 *	- with 0, the output equals the undisturbed one to the byte; with 1, standard error says why;
 *	- the target holds the whole output or its previous content, and there is no other file;
 *	- an interrupted or short read or write changes nothing at all;
 *	- a signal at that moment ends the program, and leaves no other file, either;
 *	- no program that it has started is left; a terminal is as before.
 *
 *	this program --- a leader --- flametop --- perf, a guardian ...
 *	  judges           inherits what flametop leaves behind, and tells; on a terminal it is its session's leader
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

#include "base/buf.h"
#include "base/mem.h"
#include "children.h"
#include "tap.h"
#include "terminal.h"

#define SPREAD 10
#define LIVE_SPREAD 3 /* each takes as long as starting and ending two programs */
#define SECONDS 20
#define ARGS 14
#define HUNG_UP (128 + SIGHUP) /* a terminal that cannot be read counts as gone */
#define OLD "what was here before\n"

struct scenario {
	const char *name;
	const char *args[ARGS]; /* the last one before NULL is read below `in`; "-o" writes to out/target.SUFFIX */
	const char *suffix;     /* NULL: standard output */
	bool has_perf;
	bool is_named;     /* the file system does not support unnamed files */
	bool is_recording; /* signals end the recording, which is no failure */
	bool is_live;      /* on a terminal */
};

static const struct scenario scenarios[] = {
	{"text", {"--to=text", "--width=60", "in/a.folded"}, .suffix = NULL},
	{"top", {"--to=top", "in/a.folded"}, .suffix = NULL},
	{"folded", {"-o", "out/target.folded", "in/a.folded"}, .suffix = "folded"},
	{"folded, by a name", {"-o", "out/target.folded", "in/a.folded"}, .suffix = "folded", .is_named = true},
	{"svg", {"-o", "out/target.svg", "--deterministic", "in/a.folded"}, .suffix = "svg"},
	{"text in a file", {"-o", "out/target.txt", "in/a.folded"}, .suffix = "txt"},
	{"search and fold",
     {"--search=lex|wr", "--focus=main", "--hide=parse", "--to=folded", "in/a.folded"},
     .suffix = NULL},
	{"a diff", {"--diff=in/b.folded", "-o", "out/target.svg", "in/a.folded"}, .suffix = "svg"},
	{"a chart", {"--flamechart", "--inverted", "-o", "out/target.svg", "in/t.perf"}, .suffix = "svg"},
	{"gzip", {"-o", "out/target.folded", "in/a.folded.gz"}, .suffix = "folded"},
	{"two threads", {"-j2", "-o", "out/target.folded", "in/t.perf"}, .suffix = "folded"},
	{"perf.data", {"-o", "out/target.folded", "in/perf.data"}, .suffix = "folded", .has_perf = true},
	{"mangled names", {"--to=folded", "in/m.folded"}, .suffix = NULL},
	{"JSON", {"-o", "out/target.svg", "in/c.json"}, .suffix = "svg"},
	{"a screen",
     {"--screen=60x16", "--color=truecolor", "--keys=/lex<Enter>jj<Enter>t<Esc>?", "in/a.folded"},
     .suffix = NULL},
	{"a recording",
     {"record", "--symbolizer=perf", "-o", "out/target.folded", "--", "true"},
     .suffix = "folded",
     .has_perf = true,
     .is_recording = true},
	{"a recording, filtered",
     {"record", "--symbolizer=perf", "--post-process=cat", "--to=folded", "--", "true"},
     .has_perf = true,
     .is_recording = true},
	{"a live recording",
     {"record", "--symbolizer=perf", "--no-config", "--keys=jjq", "--", "true"},
     .has_perf = true,
     .is_recording = true,
     .is_live = true},
	{"a live recording, ended",
     {"record", "--symbolizer=perf", "--no-config", "--duration=0.05", "--keys=q", "--", "in/stay"},
     .has_perf = true,
     .is_recording = true,
     .is_live = true},
	{"a screen, folded anew", {"--screen=60x16", "--keys=cirJ", "in/t.perf"}, .suffix = NULL},
};

struct fault {
	const char *call, *kind, *on;
	bool changes_nothing; /* the program must not notice */
	int signal;           /* the signal that must end it */
};

static const struct fault faults[] = {
	{"malloc", "ENOMEM", "once", .signal = 0},
	{"malloc", "ENOMEM", "always", .signal = 0},
	{"read", "EINTR", "once", .changes_nothing = true},
	{"read", "short", "always", .changes_nothing = true},
	{"read", "EIO", "once", .signal = 0},
	{"read", "EIO", "always", .signal = 0},
	{"write", "EINTR", "once", .changes_nothing = true},
	{"write", "short", "always", .changes_nothing = true},
	{"write", "ENOSPC", "once", .signal = 0},
	{"write", "EIO", "always", .signal = 0},
	{"open", "EMFILE", "once", .signal = 0},
	{"open", "EMFILE", "always", .signal = 0},
	{"open", "EINTR", "once", .signal = 0},
	{"fork", "EAGAIN", "once", .signal = 0},
	{"fork", "EAGAIN", "always", .signal = 0},
	{"pipe", "EMFILE", "once", .signal = 0},
	{"pipe", "EMFILE", "always", .signal = 0},
	{"rename", "EIO", "once", .signal = 0},
	{"linkat", "EIO", "once", .signal = 0},
	{"poll", "EINTR", "once", .changes_nothing = true},
	{"thread", "EAGAIN", "once", .changes_nothing = true},
	{"thread", "EAGAIN", "always", .changes_nothing = true},
	{"write", "TERM", "once", .signal = SIGTERM},
	{"open", "INT", "once", .signal = SIGINT},
	{"rename", "HUP", "once", .signal = SIGHUP},
	{"linkat", "TERM", "once", .signal = SIGTERM},
	{"write", "XFSZ", "once", .signal = SIGXFSZ},
	{"rename", "SEGV", "once", .signal = SIGSEGV},
};

/* What the leader observed. */
struct report {
	int status; /* -1: a signal, -2: too late */
	int signal;
	bool is_alone; /* no other program is left */
};

struct outcome {
	struct report end;
	struct buf out, err; /* out: content of the target or standard output */
	bool is_clean;       /* no file but the target */
	bool is_whole;       /* the terminal is restored, if there is one */
};

static const char *flametop, *shim;
static bool is_long;

static void put_file(const char *path, const char *bytes, size_t n)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
		bail_out("cannot write a file for the test");
	close(fd);
}

static void get_file(const char *path, struct buf *b)
{
	char bytes[4096];
	ssize_t n;
	int fd = open(path, O_RDONLY);
	while (fd >= 0 && (n = read(fd, bytes, sizeof bytes)) > 0)
		buf_add(b, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
}

/* ---- one run ------------------------------------------------------------------------------------------------- */

static void set_fault(const struct fault *f, long at)
{
	char number[24];
	snprintf(number, sizeof number, "%ld", at);
	setenv("FAULT_CALL", f->call, 1);
	setenv("FAULT_KIND", f->kind, 1);
	setenv("FAULT_ON", f->on, 1);
	setenv("FAULT_AT", number, 1);
	setenv("FAULT_COUNT", "count", 1);
	setenv("LD_PRELOAD", shim, 1);
}

_Noreturn static void be_flametop(const struct scenario *s, const struct fault *f, long at)
{
	const char *argv[ARGS + 2] = {flametop};
	for (size_t i = 0; i < ARGS && s->args[i]; i++)
		argv[i + 1] = s->args[i];
	int in = open("/dev/null", O_RDONLY);
	int out = s->is_live ? STDOUT_FILENO : open("stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(99);
	if (!s->is_live)
		setpgid(0, 0);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(SIGINT, SIG_DFL); /* tests run in the background ignore it */
	signal(SIGHUP, SIG_DFL);
	if (s->has_perf)
		setenv("PERF", "in/perf", 1);
	if (s->is_named)
		setenv("FAULT_NAMED", "1", 1);
	set_fault(f, at);
	execv(flametop, (char *const *)(uintptr_t)argv);
	_exit(99);
}

static void wait_for(pid_t pid, struct report *r)
{
	int status;
	for (int i = 0; i < SECONDS * 2000; i++) {
		if (waitpid(pid, &status, WNOHANG) == pid) {
			r->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
			r->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
			return;
		}
		children_nap();
	}
	r->status = -2;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

_Noreturn static void lead(const struct scenario *s, const struct fault *f, long at, int slave, int reports)
{
	struct report r = {.status = -1};
	signal(SIGHUP, SIG_IGN);
	if (slave >= 0 && login_tty(slave) != 0)
		_exit(99);
	children_inherit();
	pid_t pid = fork();
	if (pid == 0)
		be_flametop(s, f, at);
	wait_for(pid, &r);
	r.is_alone = children_are_gone();
	if (write(reports, &r, sizeof r) != (ssize_t)sizeof r)
		_exit(99);
	while (slave >= 0) /* otherwise the terminal would be hung up */
		pause();
	_exit(0);
}

/* Reads the screen until the report comes, and a moment longer if something is missing. */
static void watch(int reports, int master, const struct termios *before, struct outcome *o)
{
	struct screen_modes modes = {.n = 0};
	struct termios now;
	char bytes[65536];
	bool has_report = false;
	for (int patience = 100; patience > 0; patience -= has_report) {
		struct pollfd p[] = {{.fd = has_report ? -1 : reports, .events = POLLIN}, {.fd = master, .events = POLLIN}};
		poll(p, 2, has_report ? 10 : -1);
		ssize_t n = p[1].revents & POLLIN ? read(master, bytes, sizeof bytes) : 0;
		if (n > 0) {
			screen_watch(&modes, bytes, (size_t)n);
			buf_add(&o->out, bytes, (size_t)n);
		}
		if (p[0].revents && read(reports, &o->end, sizeof o->end) != (ssize_t)sizeof o->end)
			bail_out("no report");
		has_report = has_report || p[0].revents;
		o->is_whole = master < 0 ||
		              (!screen_has_modes(&modes) && tcgetattr(master, &now) == 0 && termios_are_same(&now, before));
		if (has_report && o->is_whole && n <= 0)
			return;
	}
}

static void run_below_leader(const struct scenario *s, const struct fault *f, long at, struct outcome *o)
{
	struct winsize size = {.ws_col = 80, .ws_row = 24};
	struct termios before;
	int master = -1, slave = -1, reports[2];
	if (pipe2(reports, O_CLOEXEC) != 0 || (s->is_live && openpty(&master, &slave, NULL, NULL, &size) != 0) ||
	    (s->is_live && tcgetattr(master, &before) != 0))
		bail_out("no pipe, or no pseudo terminal");
	pid_t leader = fork();
	if (leader == 0) {
		close(reports[0]);
		if (master >= 0)
			close(master);
		lead(s, f, at, slave, reports[1]);
	}
	close(reports[1]);
	if (slave >= 0)
		close(slave);
	watch(reports[0], master, &before, o);
	close(reports[0]);
	if (master >= 0)
		close(master);
	kill(leader, SIGKILL);
	waitpid(leader, NULL, 0);
}

/* The directory may only contain the target. */
static bool has_one_file(const char *path, bool is_expected)
{
	size_t n = 0;
	DIR *d = opendir(path);
	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
	if (d)
		closedir(d);
	return n == (is_expected ? 1 : 0);
}

static void empty_out(void)
{
	char path[300];
	DIR *d = opendir("out");
	for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
		snprintf(path, sizeof path, "out/%s", e->d_name);
		unlink(path);
	}
	if (d)
		closedir(d);
}

static void run(const struct scenario *s, const struct fault *f, long at, struct outcome *o)
{
	char target[64];
	*o = (struct outcome){.end.status = -1};
	buf_init(&o->out);
	buf_init(&o->err);
	snprintf(target, sizeof target, "out/target.%s", s->suffix ? s->suffix : "none");
	empty_out();
	if (s->suffix)
		put_file(target, OLD, strlen(OLD));
	run_below_leader(s, f, at, o);
	if (!s->is_live)
		get_file(s->suffix ? target : "stdout", &o->out);
	get_file("stderr", &o->err);
	o->is_clean = has_one_file("out", s->suffix != NULL);
}

static void outcome_deinit(struct outcome *o)
{
	buf_deinit(&o->out);
	buf_deinit(&o->err);
}

/* ---- what has to hold ---------------------------------------------------------------------------------------- */

static bool is_same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data ? a->data : "", b->data ? b->data : "", a->len) == 0;
}

static bool is_old(const struct buf *b)
{
	return b->len == strlen(OLD) && memcmp(b->data, OLD, b->len) == 0;
}

/*
 * Without memory for its own tables, curses ends the process with its own message, or crashes. Terminal, files and
 * programs must be in order even so.
 */
static bool is_up_to_curses(const struct scenario *s, const struct fault *f)
{
	return s->is_live && strcmp(f->call, "malloc") == 0;
}

/* Every line of standard error must be ours, and there must be one if something went wrong. */
static bool is_told(struct outcome *o)
{
	const char *text = buf_str(&o->err);
	if (o->end.status != 0 && o->end.status != HUNG_UP && *text == '\0')
		return false;
	for (const char *line = text; *line; line = strchr(line, '\n') + 1)
		if (strncmp(line, "flametop: ", 10) != 0 || strchr(line, '\n') == NULL)
			return false;
	return true;
}

/*
 * good[1] is the output in the C locale, which remains if there is no memory for the user's; libc does not report
 * that.
 */
static bool is_good(const struct outcome *o, const struct outcome good[2])
{
	return is_same(&o->out, &good[0].out) || is_same(&o->out, &good[1].out);
}

/* A recorder that is interrupted early has nothing to show, which is an error. */
static bool has_no_samples_yet(struct outcome *o)
{
	return o->end.status == 1 && strstr(buf_str(&o->err), "was interrupted before it had samples");
}

/* The target is the old one, or already the new one. */
static const char *judge_signal(const struct scenario *s, const struct fault *f, struct outcome *o,
                                const struct outcome *good)
{
	bool is_over = o->end.signal == f->signal || (s->is_recording && o->end.status == 128 + f->signal) ||
	               (s->is_recording && (o->end.status == 0 || has_no_samples_yet(o)));
	if (!is_over)
		return "does not end by the signal";
	if (!o->is_clean)
		return "leaves a file behind";
	if (s->suffix && !is_old(&o->out) && !is_good(o, good))
		return "leaves half a file";
	return NULL;
}

static const char *judge(const struct scenario *s, const struct fault *f, struct outcome *o,
                         const struct outcome *good)
{
	if (o->end.status == -2)
		return "hangs";
	if (!o->end.is_alone)
		return "leaves a program behind";
	/* The sequences that switch modes off are written, too. */
	bool may_stay = strcmp(f->call, "write") == 0 && !f->changes_nothing;
	if (!o->is_whole && !may_stay)
		return "leaves the terminal as it is";
	if (f->signal)
		return judge_signal(s, f, o, good);
	if (o->end.status < 0 && is_up_to_curses(s, f) && o->end.signal == SIGSEGV)
		return NULL;
	if (o->end.status < 0)
		return "crashes";
	if (o->end.status > 1 && !(s->is_live && o->end.status == HUNG_UP))
		return "ends with an odd status";
	if (!is_told(o) && !(is_up_to_curses(s, f) && o->err.len > 0))
		return "does not say clearly what is wrong";
	if (!o->is_clean)
		return "leaves a file behind, or none";
	/* Reading next to the keys takes a thread. */
	if (f->changes_nothing && o->end.status != 0 && !(s->is_live && strcmp(f->call, "thread") == 0))
		return "fails where it need not";
	/* Input before the fault is shown, with a note that it is not all. */
	if (o->end.status == 0 && o->err.len == 0 && !s->is_live && !is_good(o, good))
		return "says nothing, but what comes out differs";
	bool is_written = s->is_recording && is_good(o, good); /* only perf's last words failed */
	if (o->end.status == 1 && s->suffix && !is_old(&o->out) && !is_written)
		return "fails, but touches the target";
	return NULL;
}

static long count_calls(const struct scenario *s, const struct fault *f)
{
	struct outcome o;
	struct buf b;
	unlink("count");
	run(s, f, 0, &o);
	outcome_deinit(&o);
	buf_init(&b);
	get_file("count", &b);
	long n = atol(buf_str(&b));
	buf_deinit(&b);
	return n;
}

static long step_of(const struct scenario *s, long n)
{
	long spread = s->is_live ? LIVE_SPREAD : SPREAD;
	return is_long || n <= spread ? 1 : n / spread;
}

/* Number of failed runs. */
static size_t torture(const struct scenario *s, const struct fault *f, const struct outcome *good, size_t *runs)
{
	size_t bad = 0;
	long n = count_calls(s, f);
	for (long at = 1; at <= n; at += step_of(s, n)) {
		struct outcome o;
		run(s, f, at, &o);
		const char *wrong = judge(s, f, &o, good);
		if (wrong) {
			bad++;
			diag("%s: %s %s (%s) at %ld of %ld: %s; status %d, signal %d", s->name, f->call, f->kind, f->on, at, n,
			     wrong, o.end.status, o.end.signal);
			diag("standard error: %s", buf_str(&o.err));
		}
		(*runs)++;
		outcome_deinit(&o);
	}
	return bad;
}

static void torture_all(const struct scenario *s)
{
	static const struct fault none = {"none", "EIO", "once", .signal = 0};
	struct outcome good[2];
	size_t runs = 0;
	run(s, &none, 0, &good[0]);
	setenv("LC_ALL", "C", 1);
	run(s, &none, 0, &good[1]);
	unsetenv("LC_ALL");
	if (!ok(good[0].end.status == 0 && good[0].out.len > 0 && !is_old(&good[0].out), "%s: works when nothing fails",
	        s->name))
		diag("standard error: %s", buf_str(&good[0].err));
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		const struct fault *f = &faults[i];
		size_t bad = torture(s, f, good, &runs);
		if (bad > 0)
			ok(false, "%s: %s with %s, %s", s->name, f->call, f->kind, f->on);
	}
	ok(true, "%s: %zu runs, each with a call that fails", s->name, runs);
	outcome_deinit(&good[0]);
	outcome_deinit(&good[1]);
}

int main(int argc, char **argv)
{
	if (argc < 4 || chdir(argv[3]) != 0)
		bail_out("usage: faults FLAMETOP SHIM DIR [all] [SCENARIO]");
	flametop = argv[1];
	shim = argv[2];
	is_long = argc > 4 && strcmp(argv[4], "all") == 0;
	mkdir("out", 0700);
	for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
		if (argc > 5 && *argv[5] && !strstr(scenarios[i].name, argv[5]))
			continue;
		else if (scenarios[i].is_live && !has_terminals())
			skip("%s: no pseudo terminal", scenarios[i].name);
		else
			torture_all(&scenarios[i]);
	return done_testing();
}
