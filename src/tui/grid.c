/*
 * grid.c - stores cells, and turns them into text.
 *
 * A wide character owns two cells: the left one holds it, the right one holds 0. Overwriting one half blanks the
 * other, so that a grid never shows half of a character:
 *
 *	|f|o|日|0|o|   put 'x' at column 3 ->   |f|o| |x|o|
 */
#include "tui/grid.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/shorten.h"
#include "base/utf8.h"

void grid_init(struct grid *g)
{
	*g = (struct grid){.cursor_row = -1};
}

void grid_deinit(struct grid *g)
{
	free(g->cells);
	grid_init(g);
}

void grid_resize(struct grid *g, int cols, int rows)
{
	g->cols = cols < 1 ? 1 : cols;
	g->rows = rows < 1 ? 1 : rows;
	g->cells = mem_realloc(g->cells, (size_t)g->cols * (size_t)g->rows, sizeof *g->cells);
	grid_clear(g);
}

bool grid_take_row(struct grid *g, const struct grid *from, int row)
{
	size_t size = (size_t)g->cols * sizeof *g->cells;
	if (memcmp(grid_at(g, row, 0), grid_at(from, row, 0), size) == 0)
		return false;
	memcpy(grid_at(g, row, 0), grid_at(from, row, 0), size);
	return true;
}

void grid_clear(struct grid *g)
{
	size_t n = (size_t)g->cols * (size_t)g->rows;
	for (size_t i = 0; i < n; i++)
		g->cells[i] = (struct cell){.cp = ' '};
	g->cursor_row = -1;
	g->cursor_col = 0;
}

static bool is_inside(const struct grid *g, int row, int col)
{
	return row >= 0 && row < g->rows && col >= 0 && col < g->cols;
}

/* Blanks the other half of a wide character cut at (row, col). */
static void part_wide(struct grid *g, int row, int col)
{
	struct cell *c = grid_at(g, row, col);
	if (c->cp == 0 && col > 0)
		c[-1].cp = ' ';
	if (col + 1 < g->cols && c[1].cp == 0)
		c[1].cp = ' ';
}

void grid_put(struct grid *g, int row, int col, uint32_t cp, struct style style)
{
	if (!is_inside(g, row, col))
		return;
	part_wide(g, row, col);
	*grid_at(g, row, col) = (struct cell){.cp = cp, .style = style};
}

void grid_fill(struct grid *g, int row, int col, int n, uint32_t cp, struct style style)
{
	for (int i = 0; i < n; i++)
		grid_put(g, row, col + i, cp, style);
}

static void put_wide(struct grid *g, int row, int col, uint32_t cp, struct style style)
{
	grid_put(g, row, col, cp, style);
	if (!is_inside(g, row, col + 1))
		return;
	part_wide(g, row, col + 1);
	*grid_at(g, row, col + 1) = (struct cell){.cp = 0, .style = style};
	if (is_inside(g, row, col))
		grid_at(g, row, col)->cp = cp;
}

static void add_mark(struct grid *g, int row, int col, uint32_t cp)
{
	if (!is_inside(g, row, col))
		return;
	struct cell *c = grid_at(g, row, col);
	if (c->cp == 0 && col > 0)
		c--;
	for (size_t i = 0; i < CELL_MARKS; i++) {
		if (c->marks[i] == 0) {
			c->marks[i] = cp;
			return;
		}
	}
}

int grid_text(struct grid *g, int row, int col, int max, struct style style, const char *text, size_t len)
{
	int used = 0;
	size_t i = 0;
	if (col + max > g->cols)
		max = g->cols - col;
	while (i < len) {
		uint32_t cp;
		i += utf8_decode(text + i, len - i, &cp);
		int width = utf8_width(cp);
		if (width == 0 && used > 0)
			add_mark(g, row, col + used - 1, cp);
		if (width <= 0)
			continue;
		if (used + width > max)
			break;
		if (width == 2)
			put_wide(g, row, col + used, cp, style);
		else
			grid_put(g, row, col + used, cp, style);
		used += width;
	}
	return used;
}

int grid_str(struct grid *g, int row, int col, int max, struct style style, const char *text)
{
	return grid_text(g, row, col, max, style, text, strlen(text));
}

int grid_text_cut(struct grid *g, int row, int col, int max, struct style style, const char *text, size_t len,
                  bool ascii)
{
	int dots = ascii ? 2 : 1;
	if (max <= 0)
		return 0;
	if (utf8_columns(text, len) <= (size_t)max)
		return grid_text(g, row, col, max, style, text, len);
	if (max <= dots)
		return grid_text(g, row, col, max, style, text, len);
	int used = grid_text(g, row, col, max - dots, style, text, len);
	return used + grid_str(g, row, col + used, dots, style, ascii ? ".." : "…");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Does a word of these bytes say a number: "15.2", "-9.5%", "±2.30"? */
static bool is_number(const char *word, size_t len)
{
	static const char *const signs[] = {"+", "-", "~", "<", ">", "±"};
	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		size_t n = strlen(signs[i]);
		if (len > n && memcmp(word, signs[i], n) == 0)
			return is_digit(word[n]);
	}
	return len > 0 && is_digit(*word);
}

static size_t word_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != ' ')
		at--;
	return at;
}

static size_t word_end(const char *text, size_t len, size_t at)
{
	while (at < len && text[at] != ' ')
		at++;
	return at;
}

/* Where to cut instead of at `cut`, so that neither a number nor the unit after its blank is lost in part. */
static size_t spare_number(const char *text, size_t len, size_t cut)
{
	size_t start = word_start(text, cut), end = word_end(text, len, cut);
	bool has_unit = end + 1 < len && text[end + 1] != ' ';
	if (is_number(text + start, end - start) && (cut < end || has_unit))
		cut = start;
	else if (cut < end && start > 1 && text[start - 2] != ' ') { /* perhaps a unit */
		size_t before = word_start(text, start - 1);
		if (is_number(text + before, start - 1 - before))
			cut = before;
	}
	while (cut > 0 && text[cut - 1] == ' ')
		cut--;
	return cut;
}

size_t grid_numbers_fit(const char *text, size_t len, int max)
{
	size_t fits = max > 0 ? utf8_fit(text, len, (size_t)max) : 0;
	size_t cut = fits < len ? spare_number(text, len, fits) : len;
	return cut > 0 ? cut : fits;
}

int grid_numbers_cut(struct grid *g, int row, int col, int max, struct style style, const char *text, size_t len,
                     bool ascii)
{
	int dots = ascii ? 2 : 1;
	if (max < dots || utf8_columns(text, len) <= (size_t)max)
		return grid_text_cut(g, row, col, max, style, text, len, ascii);
	size_t cut = spare_number(text, len, utf8_fit(text, len, (size_t)(max - dots)));
	int used = grid_text(g, row, col, max - dots, style, text, cut);
	return used + grid_str(g, row, col + used, dots, style, ascii ? ".." : "…");
}

/* Where the remark in parentheses at the end of a message begins: the key or the option that helps. */
static size_t remark_start(const char *text, int max)
{
	size_t len = strlen(text), at = len;
	if (len == 0 || text[len - 1] != ')')
		return len;
	while (at > 0 && !(text[at] == '(' && text[at - 1] == ' '))
		at--;
	at -= at > 0;
	return at > 0 && utf8_columns(text + at, len - at) <= (size_t)max / 2 ? at : len;
}

int grid_message(struct grid *g, int row, int col, int max, struct style style, const char *text, bool ascii)
{
	struct buf fits;
	if (max <= 0 || utf8_columns(text, strlen(text)) <= (size_t)max)
		return grid_text_cut(g, row, col, max, style, text, strlen(text), ascii);
	size_t end = remark_start(text, max);
	int room = max - (int)utf8_columns(text + end, strlen(text + end));
	buf_init(&fits);
	shorten_words(&fits, text, end, (size_t)room, ascii ? ".." : "…");
	int used = grid_numbers_cut(g, row, col, room, style, fits.data, fits.len, ascii);
	buf_deinit(&fits);
	return used + grid_str(g, row, col + used, max - used, style, text + end);
}

static bool is_same_style(struct style a, struct style b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

bool cell_equal(const struct cell *a, const struct cell *b)
{
	if (a->cp != b->cp || !is_same_style(a->style, b->style))
		return false;
	for (size_t i = 0; i < CELL_MARKS; i++)
		if (a->marks[i] != b->marks[i])
			return false;
	return true;
}

static void add_cell(struct buf *out, const struct cell *c)
{
	if (c->cp == 0)
		return;
	utf8_add(out, c->cp);
	for (size_t i = 0; i < CELL_MARKS && c->marks[i] != 0; i++)
		utf8_add(out, c->marks[i]);
}

static int row_length(const struct grid *g, int row, bool with_style)
{
	int n = g->cols;
	while (n > 0) {
		const struct cell *c = grid_at(g, row, n - 1);
		if (c->cp != ' ' || (with_style && (c->style.bg != COLOR_PLAIN || c->style.attrs != 0)))
			break;
		n--;
	}
	return n;
}

void grid_add_row(const struct grid *g, int row, struct buf *out)
{
	int n = row_length(g, row, false);
	for (int col = 0; col < n; col++)
		add_cell(out, grid_at(g, row, col));
}

static void add_color(struct buf *out, uint32_t color, unsigned base)
{
	uint32_t i = color & 0xFFu;
	if (color_is_rgb(color))
		buf_addf(out, ";%u;2;%u;%u;%u", base + 8, color >> 16 & 0xFFu, color >> 8 & 0xFFu, i);
	else if (color_is_index(color) && i < 8)
		buf_addf(out, ";%u", base + i);
	else if (color_is_index(color) && i < 16)
		buf_addf(out, ";%u", base + 60 + i - 8);
	else if (color_is_index(color))
		buf_addf(out, ";%u;5;%u", base + 8, i);
}

static void add_style(struct buf *out, struct style s)
{
	buf_adds(out, "\x1b[0");
	if (s.attrs & ATTR_BOLD)
		buf_adds(out, ";1");
	if (s.attrs & ATTR_DIM)
		buf_adds(out, ";2");
	if (s.attrs & ATTR_UNDERLINE)
		buf_adds(out, ";4");
	if (s.attrs & ATTR_REVERSE)
		buf_adds(out, ";7");
	add_color(out, s.fg, 30);
	add_color(out, s.bg, 40);
	buf_addc(out, 'm');
}

static void print_row_ansi(const struct grid *g, int row, struct buf *out)
{
	struct style now = {0};
	int n = row_length(g, row, true);
	for (int col = 0; col < n; col++) {
		const struct cell *c = grid_at(g, row, col);
		if (!is_same_style(c->style, now)) {
			now = c->style;
			add_style(out, now);
		}
		add_cell(out, c);
	}
	if (!is_same_style(now, (struct style){0}))
		buf_adds(out, "\x1b[0m");
}

void grid_print(const struct grid *g, struct buf *out, bool ansi)
{
	for (int row = 0; row < g->rows; row++) {
		if (ansi)
			print_row_ansi(g, row, out);
		else
			grid_add_row(g, row, out);
		buf_addc(out, '\n');
	}
}
