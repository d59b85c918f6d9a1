/*
 * bar.c - draws shares as numbers and bars.
 *
 *	  62.1% ████▉···    1.2 G          62.1% #####...    1.2 G
 *	   0.3% ▏·······      6 M           0.3% #.......      6 M
 *
 * Both come from the same two weights. A bar ends within a column, in eighths; in ASCII, at whole columns. It is
 * empty if the number is 0.0%, and full at 100.0%, only then.
 */
#include "tui/bar.h"

#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

#define FIRST_SCREEN 110 /* columns: names of 50 still fit */

static int bar_columns(int screen)
{
	return screen < FIRST_SCREEN ? 0 : screen < 140 ? 8 : screen < 180 ? 12 : 16;
}

int bar_share_columns(int screen)
{
	int bar = bar_columns(screen);
	return SHARE_COLUMNS + (bar ? bar + 1 : 0);
}

/* How many of n steps a share above 0 % takes. */
static int steps_of(uint64_t part, uint64_t whole, int n)
{
	if (part >= whole)
		return n;
	int steps = (int)((double)part / (double)whole * n + 0.5);
	return steps == 0 ? 1 : steps >= n ? n - 1 : steps;
}

static void add_bar(struct buf *out, int steps, int columns, enum bar_look look)
{
	static const char *const rests[] = {[BAR_COLORED] = " ", [BAR_DOTTED] = "\u00B7", [BAR_ASCII] = "."};
	int each = look == BAR_ASCII ? 1 : 8;
	for (int i = 0; i < steps / each; i++)
		buf_adds(out, look == BAR_ASCII ? "#" : "\u2588");
	if (steps % each) /* from 1/8 U+258F to 7/8 U+2589 */
		utf8_add(out, 0x2590 - (uint32_t)(steps % each));
	for (int i = (steps + each - 1) / each; i < columns; i++)
		buf_adds(out, rests[look]);
}

void bar_add_share(struct buf *out, uint64_t part, uint64_t whole, int screen, enum bar_look look)
{
	struct buf number;
	int columns = bar_columns(screen);
	buf_init(&number);
	number_add_percent(&number, part, whole, 1);
	buf_pad(out, ' ', number.len < SHARE_COLUMNS - 1 ? SHARE_COLUMNS - 1 - number.len : 0);
	buf_addf(out, "%s%%", buf_str(&number));
	int n = columns * (look == BAR_ASCII ? 1 : 8);
	int steps = strcmp(buf_str(&number), "0.0") == 0 ? 0 : steps_of(part, whole, n);
	buf_deinit(&number);
	if (columns == 0)
		return;
	buf_addc(out, ' ');
	add_bar(out, steps, columns, look);
}

void bar_color(struct grid *g, int row, int col, int screen, uint32_t fg, uint32_t bg)
{
	int first = col + SHARE_COLUMNS + 1, end = first + bar_columns(screen);
	for (int i = first; i < end && i < g->cols; i++) {
		struct style *s = &grid_at(g, row, i)->style;
		s->fg = fg;
		s->bg = bg;
	}
}
