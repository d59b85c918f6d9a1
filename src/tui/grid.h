/*
 * grid.h - a picture made of character cells, independent of a terminal.
 *
 * Everything shown is painted onto a grid first; a terminal driver, a test or --screen reads it from there. Text
 * must be clean (utf8_clean()). Coordinates count from 0; painting outside is clipped, so painters need no bounds
 * of their own.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* A colour: the terminal's default, a numbered one, or red, green and blue. */
#define COLOR_PLAIN 0u
#define COLOR_INDEX(i) (0x01000000u | (uint32_t)(i))
#define COLOR_RGB(r, g, b) (0x02000000u | (uint32_t)(r) << 16 | (uint32_t)(g) << 8 | (uint32_t)(b))
static inline bool color_is_index(uint32_t c)
{
	return c >> 24 == 1;
}
static inline bool color_is_rgb(uint32_t c)
{
	return c >> 24 == 2;
}

enum style_attr { ATTR_BOLD = 1, ATTR_UNDERLINE = 2, ATTR_REVERSE = 4, ATTR_DIM = 8 };

struct style {
	uint32_t fg, bg;
	uint32_t attrs;
};

#define CELL_MARKS 4 /* combining characters of a cell: as many as a clean text has, and as curses takes */
struct cell {
	uint32_t cp; /* 0: right half of the wide character to the left */
	uint32_t marks[CELL_MARKS];
	struct style style;
};

struct grid {
	struct cell *cells; /* rows * cols, row by row */
	int cols, rows;
	int cursor_row, cursor_col; /* position of the terminal's cursor; row -1: hidden */
};

/* A part of the grid. */
struct rect {
	int row, col, rows, cols;
};

void grid_init(struct grid *);
void grid_deinit(struct grid *);
void grid_resize(struct grid *, int cols, int rows); /* clears */
void grid_clear(struct grid *);

static inline struct cell *grid_at(const struct grid *g, int row, int col)
{
	return &g->cells[(size_t)row * (size_t)g->cols + (size_t)col];
}

/* Copies a row of another grid of the same size. false: it was the same. */
bool grid_take_row(struct grid *, const struct grid *from, int row);
void grid_put(struct grid *, int row, int col, uint32_t cp, struct style);
void grid_fill(struct grid *, int row, int col, int n, uint32_t cp, struct style);
/*
 * Paints text in at most `max` columns; returns how many it took. A wide character that does not fit is left out.
 */
int grid_text(struct grid *, int row, int col, int max, struct style, const char *text, size_t len);
int grid_str(struct grid *, int row, int col, int max, struct style, const char *text);
/* Like grid_text(), but truncates long text with an ellipsis. */
int grid_text_cut(struct grid *, int row, int col, int max, struct style, const char *text, size_t len, bool ascii);
/* The same, but instead of losing a part, a number goes with its unit: "-9…" is another number than "-96.5%". */
int grid_numbers_cut(struct grid *, int row, int col, int max, struct style, const char *text, size_t len,
                     bool ascii);
/*
 * Bytes of text for a line of `max` columns whose rest follows on the next one: no number is parted if that is
 * possible.
 */
size_t grid_numbers_fit(const char *text, size_t len, int max);
/*
 * Likewise, but first shortens long words of a message, mostly paths, in the middle: the reason is at its end. A
 * remark in parentheses at the end, which names a key or an option, stays.
 */
int grid_message(struct grid *, int row, int col, int max, struct style, const char *text, bool ascii);

bool cell_equal(const struct cell *, const struct cell *);

/* Appends one row's characters without trailing blanks and newline. */
void grid_add_row(const struct grid *, int row, struct buf *out);
/* Appends all rows, each with a newline; with `ansi` also colours and attributes. */
void grid_print(const struct grid *, struct buf *out, bool ansi);

#endif
