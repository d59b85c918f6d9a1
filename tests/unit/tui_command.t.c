/*
 * The command that the key `C` copies shows the same screen: keys and clicks by chance in every view, then the
 * command, parsed as a shell would, in a new viewer. All cells are compared, with their colours; only messages are
 * left out, and in the sandwich and the lines the hints, which know whether there is a function to go back to.
 *
 *	TUI_COMMAND=5000 build/tests/tui_command.t      that many sequences in each view
 *	TUI_COMMAND_SEED=7 ...                          others
 */
#include "tests/tap.h"

#include <dirent.h>
#include <locale.h>
#include <unistd.h>

#include "tui/lines.h"
#include "viewing.h"

/* ---- a command line ------------------------------------------------------------------------------------------ */

struct words {
	struct buf text; /* all words, each with its 0 */
	char **v;        /* NULL-terminated; owned */
	int n;
};

static void words_free(struct words *w)
{
	buf_deinit(&w->text);
	free(w->v);
}

/* The character of an escape of printf; *p moves behind it. */
static char escape_of(const char **p)
{
	unsigned value = 0;
	if (**p < '0' || **p > '7')
		return *(*p)++;
	for (int i = 0; i < 3 && **p >= '0' && **p <= '7'; i++)
		value = value * 8 + (unsigned)(*(*p)++ - '0');
	return (char)value;
}

/* Appends the next word without its quotes, as a shell reads it. */
static const char *add_word(struct buf *out, const char *p)
{
	static const char begin[] = "\"$(printf '";
	while (*p && *p != ' ') {
		if (*p == '\'') {
			for (p++; *p && *p != '\''; p++)
				buf_addc(out, *p);
			p += *p == '\'';
		} else if (strncmp(p, begin, strlen(begin)) == 0) {
			for (p += strlen(begin); *p && *p != '\'';)
				if (*p == '\\')
					p++, buf_addc(out, escape_of(&p));
				else
					p += *p == '%', buf_addc(out, *p++);
			p += strlen("')\"");
		} else {
			p += *p == '\\' && p[1];
			buf_addc(out, *p++);
		}
	}
	buf_add(out, "", 1);
	return p;
}

static void words_of(struct words *w, const char *line)
{
	buf_init(&w->text);
	w->n = 0;
	for (const char *p = line; *p; w->n++) {
		p = add_word(&w->text, p);
		p += strspn(p, " ");
	}
	w->v = mem_zalloc((size_t)w->n + 1, sizeof *w->v);
	char *at = w->text.data;
	for (int i = 0; i < w->n; i++, at += strlen(at) + 1)
		w->v[i] = at;
}

/* ---- a viewer ------------------------------------------------------------------------------------------------ */

enum sort_of_input {
	ONE_PROFILE,
	WITH_BASE,
	TWO_COLUMNS,
	WITH_TIMES,
	WITH_MODULES,
	WITH_LABELS,
	WITH_LINES,
	DEEP_AND_WIDE,
	N_INPUTS
};

static const char *const commands_of[N_INPUTS] = {
	"flametop test.folded", "flametop --diff=before.folded test.folded",
	"flametop test.folded", "flametop test.perf",
	"flametop test.perf",   "flametop --split=label:user test.pb",
	"flametop test.folded", "flametop test.folded",
};

#define MOST_FRAMES 64u

/* Gives each frame of the samples a line of source.c, but for every fifth sample. */
static void add_lines(struct profile *p)
{
	struct sample_log *log = &p->log[0];
	uint32_t file = symtab_intern(&p->symtab, "source.c", 8);
	log->site = mem_zalloc(log->cap, sizeof *log->site);
	for (size_t i = 0; i < log->n; i++) {
		struct site sites[MOST_FRAMES];
		uint32_t n = 0;
		for (uint32_t path = log->path[i]; path != PATH_ROOT && n < MOST_FRAMES; path = p->parent[path], n++)
			sites[n] =
				(struct site){.sym = p->sym[path], .file = file, .line = 1 + (p->sym[path] * 3 + (uint32_t)i) % 40};
		sites_reverse(sites, n);
		log->site[i] = i % 5 ? profile_sites(p, sites, n) : NO_SITE;
	}
}

static void write_source(void)
{
	FILE *f = fopen("source.c", "w");
	for (int i = 1; f && i <= 45; i++)
		fprintf(
			f,
			"%.*s/* line %d of a source that is long enough to be scrolled to the right, with \xe6\xbc\xa2\xe5\xad\x97 */\n",
			i % 4, "\t\t\t", i);
	if (!f || fclose(f) != 0)
		bail_out("source.c");
}

static struct profile *profile_of(enum sort_of_input input, const struct options *o)
{
	static const enum shape shapes[N_INPUTS] = {SHAPE_FOLDED,  SHAPE_FOLDED, SHAPE_FOLDED, SHAPE_PERF,
	                                            SHAPE_MODULES, SHAPE_LABELS, SHAPE_FOLDED, SHAPE_EXTREME};
	struct profile *p = make_profile(shapes[input]);
	if (input == WITH_LINES)
		add_lines(p);
	if (input == TWO_COLUMNS || (input == WITH_BASE && o->n_diffs > 0))
		stacks_add(p, 1, before);
	return p;
}

struct session_of {
	struct fixture f;
	struct words words;
	struct load_input inputs[2];
	enum sort_of_input input;
};

/* Opens a viewer for a command line; false: the command is refused, and *err says why. */
static bool open_line(struct session_of *s, enum sort_of_input input, const char *line, int cols, int rows,
                      struct err *err)
{
	struct fixture *f = &s->f;
	size_t n = 0;
	*f = (struct fixture){.why = ""};
	s->input = input;
	words_of(&s->words, line);
	if (options_parse(&f->options, s->words.n, s->words.v, err) != OPTIONS_GO)
		return false;
	for (size_t i = 0; i < f->options.n_files; i++)
		s->inputs[n++] = (struct load_input){.path = f->options.files[i], .fd = -1};
	for (size_t i = 0; i < f->options.n_diffs; i++)
		s->inputs[n++] = (struct load_input){.path = f->options.diffs[i], .fd = -1, .side = 1};
	theme_init(&f->theme, DEPTH_TRUE, false, false);
	viewer_open(&f->app, &f->options, s->inputs, n, &f->theme);
	buf_init(&f->typed);
	if (!refresh_profile(&f->app, profile_of(input, &f->options), err))
		return false;
	refresh_size(&f->app, cols, rows);
	app_refresh(&f->app);
	return true;
}

/* A viewer whose options were refused has nothing else to close. */
static void close_line(struct session_of *s)
{
	if (s->f.app.panes)
		close_it(&s->f);
	options_deinit(&s->f.options);
	words_free(&s->words);
}

static void press(struct fixture *f, uint32_t key)
{
	struct event e = {.kind = EVENT_KEY, .key = key};
	send(f, &e, f->n_events * 1000);
	prompt_settle(&f->app.prompt, &f->app);
	app_refresh(&f->app);
}

/* ---- comparing ----------------------------------------------------------------------------------------------- */

/* A copy of the screen without the message; the caller frees it. */
static struct cell *screen_of(struct app *app)
{
	size_t n = (size_t)app->grid.rows * (size_t)app->grid.cols;
	struct cell *cells = mem_alloc(n * sizeof *cells);
	app_say_nothing(app);
	app->is_touched = true; /* or the footer names the hot functions */
	app_refresh(app);
	app_say_nothing(app);
	paint(app);
	memcpy(cells, app->grid.cells, n * sizeof *cells);
	return cells;
}

/* Rows to compare: see above. */
static int rows_compared(const struct app *app)
{
	bool has_past = (app->tab == TAB_SANDWICH && app->sandwich->n_past > 0) ||
	                (app->tab == TAB_LINES && app->lines->n_past > 0);
	bool has_hints_of_the_past = has_past && !app->is_heat_open;
	return app->grid.rows - has_hints_of_the_past;
}

static int first_difference(const struct cell *a, const struct cell *b, int rows, int cols)
{
	for (int i = 0; i < rows * cols; i++)
		if (!cell_equal(&a[i], &b[i]))
			return i;
	return -1;
}

static void show_row(const char *what, const struct cell *cells, int row, int cols)
{
	struct grid g = {.cells = (struct cell *)(uintptr_t)cells, .cols = cols, .rows = row + 1};
	struct buf text;
	buf_init(&text);
	grid_add_row(&g, row, &text);
	diag("%s%s", what, buf_str(&text));
	buf_deinit(&text);
}

/* Opens the command in another viewer and compares; false: says what differs. */
static bool command_shows(struct session_of *s, const char *line, const struct cell *was)
{
	struct session_of other = {.input = s->input};
	struct err err = {0};
	int cols = s->f.app.grid.cols, rows = s->f.app.grid.rows, at = -1;
	struct cell *now = NULL;
	bool is_good = open_line(&other, s->input, line, cols, rows, &err);
	if (!is_good)
		diag("refused: %s", err.text);
	if (is_good) {
		if (other.f.app.message && other.f.app.is_error)
			diag("the message: %s", other.f.app.message);
		now = screen_of(&other.f.app);
		at = first_difference(was, now, rows_compared(&s->f.app), cols);
	}
	if (at >= 0) {
		diag("first difference in row %d, column %d", at / cols, at % cols);
		show_row("was: ", was, at / cols, cols);
		show_row("is:  ", now, at / cols, cols);
		if (was[at].cp == now[at].cp)
			diag("colours %x on %x, attributes %x are %x on %x, %x", was[at].style.fg, was[at].style.bg,
			     was[at].style.attrs, now[at].style.fg, now[at].style.bg, now[at].style.attrs);
	}
	free(now);
	close_line(&other);
	return is_good && at < 0;
}

/* ---- chance -------------------------------------------------------------------------------------------------- */

static const uint32_t special_keys[] = {K_ENTER, K_ENTER, K_ESC, K_UP,      K_DOWN,      K_LEFT,
                                        K_RIGHT, K_HOME,  K_END, K_PAGE_UP, K_PAGE_DOWN, K_BACKSPACE};
#define N_SPECIAL (sizeof special_keys / sizeof *special_keys)

/* Searches and filters, typed at once: keys by chance seldom make one that matches. */
static const char *const phrases[] = {
	"/eval<Enter>",
	"/e<Enter>n",
	"/nothing<Enter>",
	"&main<Enter>",
	"Hparse<Enter>",
	"m<Down><Enter><Right><Enter>",
	"T<Down><Enter>",
	"T<Down><Down><Down><Down><Down><Enter>",
	"T<End><Enter>",
	"T<Enter>",
	"p",
	"pp",
	"ppp",
	"/module:l<Enter>",
	"2/module:libc<Enter>",
	"/package:acme<Enter>",
	"&module:app<Enter>",
	"Hmodule:ld<Enter>",
	"/mod<Tab><Tab><Enter>",
	"L<Enter>",
	"d<Enter>",
	"s<Down><Enter>",
	"e<Down><Enter>",
	"/C|漢<Enter>",
	"2f",
	"<End><Enter>",
	"n",
	"nn",
	"#",
	"+++",
	"DDD",
	"D",
	"t",
	"I",
	"i",
	"o",
	"v",
	"kkk<Enter>",
	"lll",
	"hh",
	"ZkZ",
	"A",
};
#define N_PHRASES (sizeof phrases / sizeof *phrases)

static void random_click(struct fixture *f)
{
	struct event e = {.kind = EVENT_MOUSE};
	static const enum mouse_button buttons[] = {MOUSE_LEFT, MOUSE_LEFT, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN};
	e.button = buttons[chance(&f->seed, 4)];
	e.action = MOUSE_PRESS;
	e.row = (int)chance(&f->seed, (uint32_t)f->app.grid.rows);
	e.col = (int)chance(&f->seed, (uint32_t)f->app.grid.cols);
	send(f, &e, f->n_events * 1000);
	app_refresh(&f->app);
}

static void random_keys(struct fixture *f)
{
	uint32_t kind = chance(&f->seed, 100);
	if (kind < 10) {
		random_click(f);
	} else if (kind < 40) {
		press(f, special_keys[chance(&f->seed, N_SPECIAL)]);
	} else if (kind < 60) {
		type(f, phrases[chance(&f->seed, N_PHRASES)]);
	} else if (kind < 70) {
		uint32_t n = chance(&f->seed, 12);
		for (uint32_t i = 0; i < n; i++)
			press(f, chance(&f->seed, 2) ? 'j' : 'k');
	} else {
		press(f, f->app.keymap.rows[chance(&f->seed, (uint32_t)f->app.keymap.n)].key);
	}
}

/* Closes prompts, lists, and the heat map where `C` does not work. */
static void close_overlays(struct fixture *f)
{
	struct app *app = &f->app;
	while (prompt_is_open(&app->prompt) || app->list.is_open || !keymap_find(&app->keymap, 'C', app_where(app)))
		press(f, K_ESC);
}

/* A chart with a time axis, the cursor on a frame. */
#define LANES "tkkk"

#define SIZES 5u
static const int sizes[SIZES][2] = {{80, 24}, {160, 45}, {60, 16}, {100, 30}, {40, 12}};
static const int wide_sizes[SIZES][2] = {{140, 24}, {160, 45}, {139, 16}, {200, 30}, {300, 12}};

static bool one_sequence(const char *view, enum sort_of_input input, uint64_t seed)
{
	struct session_of s;
	struct err err = {0};
	bool held;
	uint64_t random = seed;
	chance(&random, 2);
	const int *size = (*view == 'S' ? wide_sizes : sizes)[chance(&random, SIZES)];
	if (!open_line(&s, input, commands_of[input], size[0], size[1], &err))
		bail_out("%s", err.text);
	s.f.seed = random;
	type(&s.f, view);
	for (uint32_t n = chance(&s.f.seed, 15); n > 0; n--)
		random_keys(&s.f);
	close_overlays(&s.f);
	if (chance(&s.f.seed, 2)) {
		type(&s.f, view[0] == 't' ? "1" : view[0] == 'S' ? "<Tab>" : view);
		close_overlays(&s.f);
	}
	struct cell *was = screen_of(&s.f.app);
	type(&s.f, "C");
	char *line = mem_strndup(s.f.app.clipboard.data, s.f.app.clipboard.len);
	held = command_shows(&s, line, was);
	if (!held) {
		diag("the command: %s", line);
		report(&s.f, view);
	}
	free(line);
	free(was);
	close_line(&s);
	return held;
}

static void sequences(const char *name, const char *view, unsigned long count, unsigned long seed)
{
	unsigned long bad = 0;
	for (unsigned long i = 0; i < count && bad < 3; i++) {
		enum sort_of_input input = i % 40 == 39 ? DEEP_AND_WIDE : (enum sort_of_input)(i % DEEP_AND_WIDE);
		if (*view == 'm' || strcmp(view, LANES) == 0) /* only these samples have times */
			input = WITH_TIMES;
		else if (*view == '5')
			input = WITH_LINES;
		if (!one_sequence(view, input, seed * 1000003 + i * 31 + (unsigned char)*view)) {
			diag("sequence %lu, input %d", i, (int)input);
			bad++;
		}
	}
	ok(bad == 0, "%s: the command shows the same screen, %lu times", name, count);
}

/* ---- in particular ------------------------------------------------------------------------------------------- */

static char *command_after(const char *line, enum sort_of_input input, const char *keys)
{
	struct session_of s;
	struct err err = {0};
	if (!open_line(&s, input, line, 80, 24, &err))
		bail_out("%s", err.text);
	type(&s.f, keys);
	char *copy = mem_strndup(s.f.app.clipboard.data, s.f.app.clipboard.len);
	close_line(&s);
	return copy;
}

static bool shows_the_same(const char *line, enum sort_of_input input, const char *keys)
{
	struct session_of s;
	struct err err = {0};
	if (!open_line(&s, input, line, 80, 24, &err))
		bail_out("%s", err.text);
	type(&s.f, keys);
	struct cell *was = screen_of(&s.f.app);
	type(&s.f, "C");
	char *command = mem_strndup(s.f.app.clipboard.data, s.f.app.clipboard.len);
	bool is_same = command_shows(&s, command, was);
	if (!is_same)
		diag("the command: %s", command);
	free(command);
	free(was);
	close_line(&s);
	return is_same;
}

/* The path of a recursion begins and ends with the function. */
static void recursion(void)
{
	static const char roots[] = "flametop --view=sandwich --function=eval test.folded",
					  leaves[] = "flametop --reverse --view=sandwich --function=eval test.folded";
	ok(shows_the_same(roots, ONE_PROFILE, "jj"), "recursive callees in a sandwich");
	ok(shows_the_same(roots, ONE_PROFILE, "k"), "their caller");
	ok(shows_the_same(leaves, ONE_PROFILE, "jj"), "recursive callees in a sandwich of a tree from the leaves");
	ok(shows_the_same(leaves, ONE_PROFILE, "k"), "their caller");
}

static void particulars(void)
{
	char *off = command_after("flametop --diff=before.folded test.folded", WITH_BASE, "DDDC");
	is_str(off, "flametop --no-diff --diff=before.folded test.folded", "a comparison that is off stays off");
	free(off);
	char *piped = command_after("flametop", ONE_PROFILE, "C");
	is_str(piped, "flametop -", "the command of piped input reads standard input");
	free(piped);
	piped = command_after("flametop -", ONE_PROFILE, "C");
	is_str(piped, "flametop -", "once");
	free(piped);
}

static unsigned long from_environment(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);
	return text && *text ? strtoul(text, NULL, 10) : otherwise;
}

static void remove_all(const char *dir)
{
	DIR *d = opendir(".");
	for (struct dirent *e; d && (e = readdir(d)) != NULL;)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			unlink(e->d_name);
	if (d)
		closedir(d);
	if (chdir("/") != 0 || rmdir(dir) != 0)
		diag("%s is left behind", dir);
}

int main(void)
{
	static const char *const views[][2] = {{"flame graph", "1"}, {"table", "2"},        {"sandwich", "3"},
	                                       {"call tree", "4"},   {"flame chart", "t"},  {"lanes", LANES},
	                                       {"heat map", "m"},    {"side by side", "S"}, {"lines", "5"}};
	char dir[] = "/tmp/flametop-test-XXXXXX";
	unsigned long count = from_environment("TUI_COMMAND", 200), seed = from_environment("TUI_COMMAND_SEED", 1);
	setlocale(LC_CTYPE, "C.UTF-8");
	/* `w` is one of the keys. */
	if (mkdtemp(dir) == NULL || chdir(dir) != 0)
		bail_out("no directory to work in");
	write_source();
	particulars();
	recursion();
	for (size_t i = 0; i < sizeof views / sizeof *views; i++)
		sequences(views[i][0], views[i][1], count, seed);
	remove_all(dir);
	return done_testing();
}
