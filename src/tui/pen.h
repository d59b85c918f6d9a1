/*
 * pen.h - filters curses' output, so that colours and attributes are sent only where they change.
 */
#ifndef TUI_PEN_H
#define TUI_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define PEN_COLOR 24 /* bytes of the longest colour parameter, "48:2::255:255:255", and more */

/* The terminal's writing style. Colours are SGR parameters; empty: the terminal's default. */
struct pen_style {
	char fg[PEN_COLOR], bg[PEN_COLOR];
	unsigned attrs; /* bits 1 to 9, as in SGR */
};

struct pen {
	struct pen_style is, to; /* the terminal's style, and the one that curses has chosen */
	bool is_known;           /* false: the style is unknown until all attributes are switched off */
	char ascii;              /* first byte of the sequence that selected ASCII, the current set; 0: none */
	int row;                 /* of the cursor, from 1; 0: unknown */
	bool has_column;         /* ESC[nG goes to column n, and what fills a row leaves the cursor in it */
};

/* Keeps has_column. Call it when another program has written to the terminal, or will. */
void pen_forget(struct pen *);
/* Appends whole sequences from curses, shortened so that the terminal shows the same and ends in the same style. */
void pen_add(struct pen *, struct buf *out, const char *bytes, size_t n);

#endif
