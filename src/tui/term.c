/*
 * term.c - drives the terminal through curses, and restores it.
 *
 * Curses receives every cell of each frame and decides what to write. Everything else is done here, because curses
 * would lose something: keys and mouse are decoded elsewhere (curses merges clicks that arrive together), and
 * curses' signal handlers ignore modes that were switched on separately.
 *
 * A terminal may take no output: a slow line, a stopped one, a window that is not read. Then a write() would block,
 * and keys would not be read. So curses writes each frame into a file in memory, and the output goes to the
 * terminal as it accepts it, between the keys; at the end it gets END_PATIENCE for the rest.
 *
 *	term_draw() -> curses -> capture -> pen -> out -> push() -> spare_fd
 *
 * There is one terminal, so its state is at file scope.
 */
#define NCURSES_WIDECHAR 1
#include "tui/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <term.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/descriptor.h"
#include "base/mem.h"
#include "base/memory_file.h"
#include "base/write_all.h"
#include "tui/pen.h"
#include "tui/rescue.h"
#include "tui/terminfo.h"
#include "tui/tty.h"

#define MOUSE_ON "\x1b[?1000h\x1b[?1006h"
#define MOUSE_OFF "\x1b[?1006l\x1b[?1000l"
#define PASTE_ON "\x1b[?2004h"
#define PASTE_OFF "\x1b[?2004l"
#define CAPTURE_TRIES 10  /* for an interrupted read of memory */
#define END_PATIENCE 2000 /* milliseconds for the terminal to take the last output */

static struct {
	bool is_open, is_drawing; /* is_drawing: curses has the screen */
	bool with_mouse;
	struct timespec asked; /* when the terminal was last asked; tv_sec 0: no answer is due */
	FILE *file;
	int fd;
	int spare_fd;      /* the same terminal, non-blocking, for frames and the reset text */
	int curses_fd;     /* of `file`: the terminal, or the capture while curses draws */
	int capture;       /* -1: none, curses writes to the terminal directly */
	struct grid drawn; /* what curses was given last */
	struct pen pen;
	struct buf out; /* output that the terminal has not taken yet, from out_sent on */
	size_t out_sent;
	struct termios found; /* the modes to restore */
	SCREEN *screen;
	const char *name; /* of the description that curses uses */
	enum color_depth depth;
	struct style pair_style; /* whose colours are curses' pair number `pair`; 0: none yet */
	int pair;
	char reset[256]; /* undoes everything */
	size_t reset_len;
} term = {.fd = -1, .spare_fd = -1, .curses_fd = -1, .capture = -1};

/* ---- opening ------------------------------------------------------------------------------------------------- */

static bool describes(const char *name, int fd)
{
	int status;
	TERMINAL *before = cur_term;
	if (setupterm(name, fd, &status) != OK)
		return false;
	if (cur_term != before)
		del_curterm(cur_term);
	return true;
}

static bool wants_truecolor(enum color_when when)
{
	const char *s = getenv("COLORTERM"), *no = getenv("NO_COLOR");
	if (when == COLOR_TRUE)
		return true;
	return when == COLOR_AUTO && s && (strcmp(s, "truecolor") == 0 || strcmp(s, "24bit") == 0) && !(no && *no);
}

/* The 24-bit colour variant of the description `name`; `name` itself if there is none. */
static const char *direct_name(const char *name, int fd, char *text, size_t size)
{
	size_t n = strlen(name), suffix = strlen("-256color");
	if (n > suffix && strcmp(name + n - suffix, "-256color") == 0)
		n -= suffix;
	snprintf(text, size, "%.*s-direct", (int)n, name);
	if (describes(text, fd))
		return text;
	snprintf(text, size, "xterm-direct");
	return describes(text, fd) ? text : name;
}

static enum color_depth choose_depth(enum color_when when)
{
	const char *no = getenv("NO_COLOR");
	if (when == COLOR_NEVER || (when == COLOR_AUTO && no && *no) || !has_colors())
		return DEPTH_MONO;
	start_color();
	use_default_colors();
	if (COLORS < 8)
		return DEPTH_MONO;
	if (when == COLOR_16 || COLORS < 256)
		return DEPTH_16;
	if (when != COLOR_256 && COLORS >= 1 << 24)
		return DEPTH_TRUE;
	return DEPTH_256;
}

/* Adds a capability without its $<..> delays. */
static void add_capability(const char *name)
{
	const char *s = tigetstr(name);
	if (!s || s == (char *)-1)
		return;
	while (*s && term.reset_len < sizeof term.reset) {
		if (s[0] == '$' && s[1] == '<') {
			s += strcspn(s, ">");
			s += *s == '>';
			continue;
		}
		term.reset[term.reset_len++] = *s++;
	}
}

static void prepare_reset(void)
{
	static const char modes[] = MOUSE_OFF PASTE_OFF;
	memcpy(term.reset, modes, sizeof modes - 1);
	term.reset_len = sizeof modes - 1;
	add_capability("sgr0");
	add_capability("op");
	add_capability("cnorm");
	add_capability("rmcup");
}

/* ---- output that waits --------------------------------------------------------------------------------------- */

static void drop_output(void)
{
	term.out.len = term.out_sent = 0;
}

/* Writes as much as the terminal takes now. An error means that it is gone, which its input will report. */
static void push(void)
{
	/* A thread out of memory has restored the terminal, and is about to end the process. */
	while (!rescue_is_lost() && term.out_sent < term.out.len) {
		ssize_t n = write(term.spare_fd, term.out.data + term.out_sent, term.out.len - term.out_sent);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			break;
		term.out_sent += (size_t)n;
	}
	drop_output();
}

static void put(const char *bytes, size_t n)
{
	if (term.capture < 0) {
		write_all(term.fd, bytes, n);
		return;
	}
	buf_add(&term.out, bytes, n);
	push();
}

/* Writes everything, within END_PATIENCE. false: the rest is dropped. */
static bool push_all(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	long long end = now.tv_sec * 1000LL + now.tv_nsec / 1000000 + END_PATIENCE, left = END_PATIENCE;
	push();
	while (term.out.len > 0 && left > 0) {
		struct pollfd p = {.fd = term.spare_fd, .events = POLLOUT};
		poll(&p, 1, (int)left);
		push();
		clock_gettime(CLOCK_MONOTONIC, &now);
		left = end - now.tv_sec * 1000LL - now.tv_nsec / 1000000;
	}
	bool is_out = term.out.len == 0;
	drop_output();
	return is_out;
}

/* From here to end_capture(), curses writes into memory. */
static void begin_capture(void)
{
	if (term.capture >= 0)
		descriptor_copy(term.capture, term.curses_fd);
}

/* false: nothing could be read back. */
static bool end_capture(void)
{
	if (term.capture < 0)
		return true;
	descriptor_copy(term.fd, term.curses_fd);
	off_t end = lseek(term.capture, 0, SEEK_CUR), at = 0;
	struct buf frame;
	buf_init(&frame);
	for (int tries = 0; at < end && tries < CAPTURE_TRIES;) {
		ssize_t n = pread(term.capture, buf_reserve(&frame, (size_t)(end - at)), (size_t)(end - at), at);
		at += n > 0 ? n : 0;
		frame.len += n > 0 ? (size_t)n : 0;
		tries += n <= 0;
	}
	if (at == end)
		pen_add(&term.pen, &term.out, frame.data, frame.len);
	buf_deinit(&frame);
	if (lseek(term.capture, 0, SEEK_SET) == 0 && ftruncate(term.capture, 0) == 0)
		push();
	return at == end;
}

static void modes_on(void)
{
	if (term.with_mouse)
		put(MOUSE_ON, sizeof MOUSE_ON - 1);
	put(PASTE_ON, sizeof PASTE_ON - 1);
}

static void modes_off(void)
{
	if (term.with_mouse)
		put(MOUSE_OFF, sizeof MOUSE_OFF - 1);
	put(PASTE_OFF, sizeof PASTE_OFF - 1);
}

/* Gives the screen back. false: the terminal did not take the output in time; its modes are restored anyway. */
static bool leave(void)
{
	modes_off();
	begin_capture();
	endwin();
	if (!end_capture())
		put(term.reset, term.reset_len);
	bool is_out = push_all();
	tcsetattr(term.fd, is_out ? TCSADRAIN : TCSANOW, &term.found);
	term.is_drawing = false;
	rescue_arm(false);
	return is_out;
}

/* ^C and ^Z stay signals, so that they work during computations; ^S must not freeze the picture. */
static void set_modes(void)
{
	struct termios t;
	cbreak();
	noecho();
	nonl();
	if (tcgetattr(term.fd, &t) != 0)
		return;
	t.c_iflag &= ~(tcflag_t)(IXON | IXOFF | ICRNL | INLCR);
	tcsetattr(term.fd, TCSANOW, &t);
	def_prog_mode();
}

static void close_files(void)
{
	if (term.file)
		fclose(term.file);
	if (term.fd >= 0)
		close(term.fd);
	if (term.spare_fd >= 0)
		close(term.spare_fd);
	if (term.capture >= 0)
		close(term.capture);
	term.file = NULL;
	term.fd = term.spare_fd = term.curses_fd = term.capture = -1;
	buf_deinit(&term.out);
	drop_output();
}

static void open_capture(void)
{
	term.spare_fd = tty_open(O_WRONLY | O_NONBLOCK);
	buf_init(&term.out);
	if (term.spare_fd >= 0)
		term.capture = memory_file_open("flametop-frame");
}

static bool open_files(struct err *err)
{
	term.fd = tty_open(O_RDWR);
	if (term.fd < 0)
		return fail(err, "no terminal to draw on");
	if (tcgetattr(term.fd, &term.found) != 0) {
		close(term.fd);
		term.fd = -1;
		return fail(err, "no terminal to draw on");
	}
	term.curses_fd = fcntl(term.fd, F_DUPFD_CLOEXEC, 3);
	if (term.curses_fd < 0) {
		close(term.fd);
		term.fd = -1;
		return fail_errno(err, "the terminal");
	}
	term.file = fdopen(term.curses_fd, "r+");
	if (!term.file)
		mem_exhausted();
	open_capture();
	return true;
}

/* Does the description of $TERM allow cursor positioning? Checked before curses touches anything. */
static bool can_address(struct err *err)
{
	const char *name = getenv("TERM");
	int status;
	if (!name || *name == '\0')
		return fail(err, "TERM is not set: text follows instead of the viewer");
	term.name = name;
	if (setupterm(name, term.fd, &status) != OK) {
		term.name = terminfo_use(name);
		if (!term.name || setupterm(term.name, term.fd, &status) != OK) {
			terminfo_restore();
			return fail(err, "the terminal '%s' is not known here (TERM): text follows instead of the viewer",
			            name);
		}
	}
	const char *cup = tigetstr("cup");
	bool ok = cup && cup != (char *)-1;
	if (ok)
		prepare_reset();
	del_curterm(cur_term);
	if (!ok)
		return fail(err, "the terminal '%s' cannot move its cursor: text follows instead of the viewer", name);
	return true;
}

static bool start_curses(enum color_when when, struct err *err)
{
	char direct[64];
	const char *name = term.name;
	if (wants_truecolor(when))
		name = direct_name(name, term.fd, direct, sizeof direct);
	term.screen = newterm(name, term.file, term.file);
	terminfo_restore();
	if (!term.screen)
		return fail(err, "the terminal '%s' cannot be used", name);
	const char *hpa = tigetstr("hpa");
	term.pen.has_column = hpa && hpa != (char *)-1 && strcmp(hpa, "\x1b[%i%p1%dG") == 0 && tigetflag("xenl") == 1;
	term.depth = choose_depth(when);
	term.pair = 0;
	set_modes();
	typeahead(-1);
	scrollok(stdscr, FALSE);
	intrflush(stdscr, FALSE);
	return true;
}

static bool begin_rescue(struct err *err)
{
	struct rescue_terminal t = {term.fd, term.spare_fd, term.found, "", term.reset_len};
	memcpy(t.reset, term.reset, term.reset_len);
	return rescue_begin(&t, err);
}

bool term_open(enum color_when when, bool with_mouse, struct err *err)
{
	if (!open_files(err))
		return false;
	if (!can_address(err)) {
		close_files();
		return false;
	}
	if (!begin_rescue(err)) {
		close_files();
		return false;
	}
	term.with_mouse = with_mouse;
	pen_forget(&term.pen);
	term.is_open = term.is_drawing = true;
	if (!start_curses(when, err)) {
		term_close();
		return false;
	}
	modes_on();
	return true;
}

void term_ask_background(void)
{
	static const char question[] = "\x1b]11;?\x1b\\";
	if (COLORS < 256 && tigetflag("XT") != 1)
		return;
	clock_gettime(CLOCK_MONOTONIC, &term.asked);
	put(question, sizeof question - 1);
}

void term_answered(void)
{
	term.asked.tv_sec = 0;
}

#define ANSWER_SECONDS 2 /* after which no answer is expected */
#define ANSWER_WAIT_MS 100

static void drop_answer(void)
{
	struct pollfd p = {.fd = term.fd, .events = POLLIN};
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (term.asked.tv_sec == 0 || now.tv_sec - term.asked.tv_sec > ANSWER_SECONDS)
		return;
	term.asked.tv_sec = 0;
	if (poll(&p, 1, ANSWER_WAIT_MS) > 0)
		tcflush(term.fd, TCIFLUSH);
}

/* Later messages must not block on this terminal, either. */
static void mute_standard_streams(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	for (int fd = STDOUT_FILENO; null >= 0 && fd <= STDERR_FILENO; fd++)
		if (isatty(fd))
			dup2(null, fd);
	if (null >= 0)
		close(null);
}

void term_close(void)
{
	if (!term.is_open)
		return;
	drop_answer();
	alarm(0); /* the code below has its own time limits */
	if (term.is_drawing && term.screen && !leave())
		mute_standard_streams();
	term.is_drawing = term.is_open = false;
	rescue_end();
	if (term.screen)
		delscreen(term.screen);
	term.screen = NULL;
	grid_deinit(&term.drawn);
	close_files();
}

enum color_depth term_depth(void)
{
	return term.depth;
}

void term_size(int *cols, int *rows)
{
	struct winsize w;
	if (ioctl(term.fd, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 && w.ws_row > 0) {
		*cols = w.ws_col;
		*rows = w.ws_row;
	} else {
		*cols = COLS;
		*rows = LINES;
	}
}

int term_fd(void)
{
	return term.fd;
}

ssize_t term_read(unsigned char *bytes, size_t n)
{
	struct pollfd p = {.fd = term.fd, .events = POLLIN};
	if (poll(&p, 1, 0) <= 0)
		return 0;
	if (!(p.revents & POLLIN))
		return p.revents & (POLLHUP | POLLERR | POLLNVAL) ? -1 : 0;
	ssize_t got = read(term.fd, bytes, n);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	return got > 0 ? got : -1;
}

bool term_is_behind(void)
{
	push();
	return term.out.len > 0;
}

bool term_is_ready(void)
{
	struct pollfd p = {.fd = term.fd, .events = POLLOUT};
	return !term_is_behind() && poll(&p, 1, 0) > 0 && (p.revents & POLLOUT);
}

/* ---- drawing ------------------------------------------------------------------------------------------------- */

/* Curses' number of a colour; -1 is the terminal's default. */
static int curses_color(uint32_t c)
{
	int v = (int)(c & 0xFFFFFFu);
	if (color_is_rgb(c)) /* there, numbers below eight mean the old colours, so the darkest blues move up */
		return v > 0 && v < 8 ? 8 : v;
	if (!color_is_index(c))
		return -1;
	return COLORS < 16 ? v & 7 : v;
}

/*
 * Is it a part of a frame that reaches into a cell? Its foreground is that frame's background, and must look the
 * same.
 */
static bool is_block(uint32_t cp)
{
	return cp >= 0x2580 && cp <= 0x259F;
}

static attr_t curses_attrs(struct style s, uint32_t cp)
{
	attr_t a = A_NORMAL;
	if (s.attrs & ATTR_BOLD)
		a |= A_BOLD;
	if (s.attrs & ATTR_UNDERLINE)
		a |= A_UNDERLINE;
	if (s.attrs & ATTR_REVERSE)
		a |= A_REVERSE;
	if (s.attrs & ATTR_DIM)
		a |= A_DIM;
	/* Where bold means bright, eight colours are sixteen; but a background is never bright there. */
	if (COLORS < 16 && !is_block(cp) && color_is_index(s.fg) && (s.fg & 0xFF) >= 8)
		a |= A_BOLD;
	return a;
}

/* Curses draws nothing for a character newer than the C library. */
#define UNKNOWN L'\uFFFD'
static bool is_known(uint32_t cp)
{
	return cp < 0x80 || wcwidth((wchar_t)cp) > 0;
}

/* Most cells have the colours of the one before; alloc_pair() searches. */
static int pair_of(struct style s)
{
	if (term.depth == DEPTH_MONO || (s.fg == COLOR_PLAIN && s.bg == COLOR_PLAIN))
		return 0;
	if (term.pair <= 0 || s.fg != term.pair_style.fg || s.bg != term.pair_style.bg)
		term.pair = alloc_pair(curses_color(s.fg), curses_color(s.bg));
	term.pair_style = s;
	return term.pair < 0 ? 0 : term.pair; /* all pairs are taken: better plain than wrong */
}

static cchar_t curses_cell(const struct cell *c)
{
	wchar_t text[CELL_MARKS + 2] = {is_known(c->cp) ? (wchar_t)c->cp : UNKNOWN};
	cchar_t cc;
	for (size_t i = 0; i < CELL_MARKS && c->marks[i] && wcwidth((wchar_t)c->marks[i]) == 0; i++)
		text[i + 1] = (wchar_t)c->marks[i];
	int pair = pair_of(c->style);
	setcchar(&cc, text, curses_attrs(c->style, c->cp), 0, &pair);
	return cc;
}

/* Curses takes characters, not columns: of a wide one it fills the right half itself. */
static void put_row(const struct grid *g, int row, cchar_t *cells)
{
	int n = 0;
	for (int col = 0; col < g->cols; col++) {
		const struct cell *c = grid_at(g, row, col);
		if (c->cp != 0) {
			cells[n] = n > 0 && cell_equal(c, c - 1) ? cells[n - 1] : curses_cell(c);
			n++;
		} else if (col > 0 && !is_known(c[-1].cp)) { /* its mark has one column */
			cells[n++] = curses_cell(&(struct cell){.cp = ' ', .style = c->style});
		}
	}
	mvadd_wchnstr(row, 0, cells, n);
}

void term_forget(void)
{
	pen_forget(&term.pen);
	clearok(curscr, TRUE);
}

void term_draw(const struct grid *g)
{
	bool has_size = COLS == g->cols && LINES == g->rows;
	if (!has_size) {
		resizeterm(g->rows, g->cols);
		clear();
	}
	if (!has_size || term.drawn.cols != g->cols || term.drawn.rows != g->rows)
		grid_resize(&term.drawn, g->cols, g->rows);
	/* Only rows that have changed: curses compares cells one by one, and a new screen is blank as a new grid. */
	cchar_t *cells = mem_zalloc((size_t)g->cols, sizeof *cells);
	for (int row = 0; row < g->rows; row++)
		if (grid_take_row(&term.drawn, g, row))
			put_row(g, row, cells);
	free(cells);
	begin_capture();
	curs_set(g->cursor_row >= 0);
	leaveok(stdscr, g->cursor_row < 0);
	if (g->cursor_row >= 0)
		move(g->cursor_row, g->cursor_col);
	wnoutrefresh(stdscr);
	doupdate();
	if (!end_capture())
		term_forget();
}

void term_send(const char *bytes, size_t n)
{
	put(bytes, n);
}

/* ---- giving the terminal away for a while -------------------------------------------------------------------- */

void term_resume(void)
{
	term.is_drawing = true;
	rescue_arm(true);
	pen_forget(&term.pen);
	reset_prog_mode();
	begin_capture();
	refresh();
	(void)end_capture(); /* the whole screen follows */
	modes_on();
	term_forget();
}

void term_suspend(void)
{
	struct sigaction plain = {.sa_handler = SIG_DFL}, ours;
	sigset_t stop, before;
	leave();
	sigaction(SIGTSTP, &plain, &ours);
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, &before);
	raise(SIGTSTP);
	sigprocmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	/* The shell may have changed its modes meanwhile; restore those at the end. */
	tcgetattr(term.fd, &term.found);
	rescue_found(&term.found);
	rescue_forget(TERM_CONTINUED | TERM_SUSPEND);
	term_resume();
}

/*
 * Ctrl-C is for the program that has the terminal, Ctrl-Z for both: the shell waits until the whole group has
 * stopped.
 */
static void lend_signals(bool is_lent)
{
	static const struct {
		int sig;
		void (*handler)(int);
	} lent[] = {{SIGINT, SIG_IGN}, {SIGQUIT, SIG_IGN}, {SIGTSTP, SIG_DFL}};
	static struct sigaction ours[sizeof lent / sizeof *lent];
	for (size_t i = 0; i < sizeof lent / sizeof *lent; i++) {
		struct sigaction a = {.sa_handler = lent[i].handler};
		sigaction(lent[i].sig, is_lent ? &a : &ours[i], is_lent ? &ours[i] : NULL);
	}
}

int term_run(char *const argv[])
{
	int status = -1;
	leave();
	lend_signals(true);
	if (!rescue_end_signal()) /* a ^C typed a moment ago must not end us while the program runs */
		alarm(0);
	pid_t pid = fork();
	if (pid == 0) {
		rescue_restore_actions();
		dup2(term.fd, STDIN_FILENO);
		dup2(term.fd, STDOUT_FILENO);
		dup2(term.fd, STDERR_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	lend_signals(false);
	rescue_forget(TERM_INTERRUPT | TERM_CONTINUED);
	term_resume();
	return status;
}
