/*
 * curses_rows.c - gives curses the rows of a grid that have changed since the last one.
 */
#define NCURSES_WIDECHAR 1
#include "tui/curses_rows.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/mem.h"

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
static int pair_of(struct curses_rows *r, struct style s)
{
	if (r->depth == DEPTH_MONO || (s.fg == COLOR_PLAIN && s.bg == COLOR_PLAIN))
		return 0;
	if (r->pair <= 0 || s.fg != r->pair_style.fg || s.bg != r->pair_style.bg)
		r->pair = alloc_pair(curses_color(s.fg), curses_color(s.bg));
	r->pair_style = s;
	return r->pair < 0 ? 0 : r->pair; /* all pairs are taken: better plain than wrong */
}

static cchar_t curses_cell(struct curses_rows *r, const struct cell *c)
{
	wchar_t text[CELL_MARKS + 2] = {is_known(c->cp) ? (wchar_t)c->cp : UNKNOWN};
	cchar_t cc;
	for (size_t i = 0; i < CELL_MARKS && c->marks[i] && wcwidth((wchar_t)c->marks[i]) == 0; i++)
		text[i + 1] = (wchar_t)c->marks[i];
	int pair = pair_of(r, c->style);
	setcchar(&cc, text, curses_attrs(c->style, c->cp), 0, &pair);
	return cc;
}

/* Curses takes characters, not columns: of a wide one it fills the right half itself. */
static void put_row(struct curses_rows *r, const struct grid *g, int row, cchar_t *cells)
{
	int n = 0;
	for (int col = 0; col < g->cols; col++) {
		const struct cell *c = grid_at(g, row, col);
		if (c->cp != 0) {
			cells[n] = n > 0 && cell_equal(c, c - 1) ? cells[n - 1] : curses_cell(r, c);
			n++;
		} else if (col > 0 && !is_known(c[-1].cp)) { /* its mark has one column */
			cells[n++] = curses_cell(r, &(struct cell){.cp = ' ', .style = c->style});
		}
	}
	mvadd_wchnstr(row, 0, cells, n);
}

/*
 * Curses takes 10,000 cells in half a millisecond, more than it needs to find the few that have changed. So it gets
 * only the rows that have; a new screen is blank, as a new grid.
 */
void curses_rows_put(struct curses_rows *r, const struct grid *g, bool is_blank)
{
	if (is_blank || r->drawn.cols != g->cols || r->drawn.rows != g->rows)
		grid_resize(&r->drawn, g->cols, g->rows);
	size_t size = (size_t)g->cols * sizeof *g->cells;
	cchar_t *cells = mem_zalloc((size_t)g->cols, sizeof *cells);
	for (int row = 0; row < g->rows; row++) {
		if (memcmp(grid_at(g, row, 0), grid_at(&r->drawn, row, 0), size) == 0)
			continue;
		put_row(r, g, row, cells);
		memcpy(grid_at(&r->drawn, row, 0), grid_at(g, row, 0), size);
	}
	free(cells);
}

void curses_rows_deinit(struct curses_rows *r)
{
	grid_deinit(&r->drawn);
	*r = (struct curses_rows){.pair = 0};
}
