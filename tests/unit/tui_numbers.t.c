/*
 * Numbers on the screen are whole or absent, however narrow it is: each number of a narrow screen, with its unit, is one of
 * a wide screen of the same view. "12" instead of "123 k" would be another number.
 */
#include "tests/unit/viewing.h"

#define WIDE 400
#define MOST_TOKENS 4000

/* Numbers with their units, as text. */
struct tokens {
	char *text[MOST_TOKENS];
	size_t n;
};

static void tokens_clear(struct tokens *t)
{
	while (t->n)
		free(t->text[--t->n]);
}

static bool tokens_have(const struct tokens *t, const char *text)
{
	for (size_t i = 0; i < t->n; i++)
		if (strcmp(t->text[i], text) == 0)
			return true;
	return false;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Length of the unit behind a number, with its blank: " k", " ms", " points"; 0: none. */
static size_t unit_length(const char *s)
{
	static const char *const units[] = {"k", "M", "G", "ns", "us", "ms", "s", "points"};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		size_t n = strlen(units[i]);
		if (s[0] == ' ' && strncmp(s + 1, units[i], n) == 0 && !(s[n + 1] >= 'a' && s[n + 1] <= 'z'))
			return n + 1;
	}
	return 0;
}

/* "1-20 of 30" rows depend on the size of the screen, not on the view: their length; 0: it is something else. */
static size_t rows_length(const char *s)
{
	int n = 0;
	unsigned long first, last, all;
	return sscanf(s, "%lu-%lu of %lu%n", &first, &last, &all, &n) == 3 ? (size_t)n : 0;
}

/* Adds each number of a row. A number begins behind a character that is no part of it or of a name. */
static void add_tokens(struct tokens *t, const char *row)
{
	for (const char *s = row; *s;) {
		size_t rows = is_digit(*s) ? rows_length(s) : 0, n = 0;
		bool is_inside = s > row && (s[-1] == '_' || (s[-1] >= 'a' && s[-1] <= 'z'));
		while (is_digit(s[n]) || (n > 0 && (s[n] == '.' || s[n] == ',') && is_digit(s[n + 1])))
			n++;
		if (n == 0 || is_inside || rows) {
			s += rows ? rows : n ? n : 1;
			continue;
		}
		n += s[n] == '%';
		n += unit_length(s + n);
		if (t->n < MOST_TOKENS)
			t->text[t->n++] = mem_strndup(s, n);
		s += n;
	}
}

static void read_screen(struct fixture *f, int cols, int rows, struct tokens *t)
{
	struct buf row;
	buf_init(&row);
	refresh_size(&f->app, cols, rows);
	app_refresh(&f->app);
	paint(&f->app);
	for (int i = 0; i < rows; i++) {
		row.len = 0;
		grid_add_row(&f->app.grid, i, &row);
		add_tokens(t, buf_str(&row));
	}
	buf_deinit(&row);
}

static void say_row(struct fixture *f, const char *number)
{
	struct buf row;
	buf_init(&row);
	for (int i = 0; i < f->app.grid.rows; i++) {
		row.len = 0;
		grid_add_row(&f->app.grid, i, &row);
		if (strstr(buf_str(&row), number))
			diag("%3d columns: '%s' in row %d: %s", f->app.grid.cols, number, i, buf_str(&row));
	}
	buf_deinit(&row);
}

/* Compares the numbers of all narrower screens with those of a wide one. */
static void numbers_are_whole(struct fixture *f, int rows, const char *name)
{
	struct tokens wide = {.n = 0}, narrow = {.n = 0};
	unsigned wrong = 0;
	read_screen(f, WIDE, 60, &wide);
	read_screen(f, WIDE, rows, &wide);
	for (int cols = 20; cols <= 200; cols++) {
		read_screen(f, cols, rows, &narrow);
		for (size_t i = 0; i < narrow.n; i++)
			if (!tokens_have(&wide, narrow.text[i]) && wrong++ < 5)
				say_row(f, narrow.text[i]);
		tokens_clear(&narrow);
	}
	tokens_clear(&wide);
	ok(wrong == 0, "%d rows, %s: numbers are whole", rows, name);
}

static const char *const views[] = {
	"",  "*", "**kk", "2", "2>", "2j", "4",  "4*", "*3", "*3k", "/lex<Enter>", "i", "I",  "t",        "s",
	"L", "d", "e",    "T", "M",  "W",  "xL", "R",  "#",  "*x",  "*&e<Enter>",  "S", "S*", "S<Tab>jj", "S<Tab>>"};

static const char counts[] = "main;parse;lex 4123456\n"
							 "main;parse;lex;lex 70123\n"
							 "main;parse;push_back 1299123\n"
							 "main;eval;eval;eval;apply 3087654\n"
							 "main;eval;gc 123456\n"
							 "main 512345\n"
							 "idle 9987654\n";
static const char counts_before[] = "main;parse;lex 9123456\n"
									"main;eval;apply 1098765\n"
									"main;gone;away 5512345\n"
									"idle 8012345\n";

static const char huge_times[] = "war:Column filter is ON.\n"
								 "Function Stack,CPU Time:Self,Module\n"
								 "Total,0.0,[Unknown]\n"
								 " main,1e30,a.out\n"
								 "  parse,1e9,a.out\n";

enum kind { COUNTS, COMPARISON, TIMES, HUGE_TIMES, N_KINDS };
static const char *const kinds[] = {"counts", "a comparison", "times", "huge times"};

static void open_kind(struct fixture *f, enum kind kind)
{
	struct profile *p = mem_zalloc(1, sizeof *p);
	struct err err = {0};
	open_it(f, SHAPE_EMPTY, DEPTH_TRUE, false);
	if (kind == HUGE_TIMES) {
		if (!load_as(p, "vtune", huge_times))
			bail_out("the times were not read");
	} else {
		profile_init(p);
		stacks_add(p, 0, counts);
	}
	if (kind == COMPARISON) {
		stacks_add(p, 1, counts_before);
		f->options.diffs = f->diffs;
		f->options.n_diffs = 1;
		f->app.options_applied = false;
	}
	if (!refresh_profile(&f->app, p, &err))
		bail_out("%s", err.text);
	app_refresh(&f->app);
}

/* The marks of an axis depend on its width. */
static bool has_axis(enum kind kind, const char *keys)
{
	return kind == TIMES && strcmp(keys, "t") == 0;
}

static void test(int rows, const char *keys, enum kind kind)
{
	struct fixture f;
	char name[64];
	if (has_axis(kind, keys))
		return;
	if (kind == TIMES)
		open_it(&f, SHAPE_PERF, DEPTH_TRUE, false);
	else
		open_kind(&f, kind);
	type(&f, keys);
	snprintf(name, sizeof name, "%s, keys '%s'", kinds[kind], keys);
	numbers_are_whole(&f, rows, name);
	close_it(&f);
}

int main(void)
{
	static const int heights[] = {12, 24, 34};
	for (size_t h = 0; h < sizeof heights / sizeof *heights; h++)
		for (size_t i = 0; i < sizeof views / sizeof *views; i++)
			for (enum kind kind = 0; kind < N_KINDS; kind++)
				test(heights[h], views[i], kind);
	return done_testing();
}
