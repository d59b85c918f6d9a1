/*
 * pen.h - what curses writes, but with colours and attributes only where they change.
 */
#ifndef TUI_PEN_H
#define TUI_PEN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define PEN_COLOR 24 /* bytes of the longest parameter of a colour, "48:2::255:255:255", and more */

/* How the terminal writes. Colours are parameters of SGR; empty: the terminal's own. */
struct pen_style {
	char fg[PEN_COLOR], bg[PEN_COLOR];
	unsigned attrs; /* bits 1 to 9, as in SGR */
};

struct pen {
	struct pen_style is, to; /* now, and what curses chose since */
	bool is_known;           /* false: how it writes is unknown until everything is switched off */
	char ascii;              /* first byte of the sequence that chose ASCII, and no other set was since; 0: none */
};

/* Another program wrote to the terminal, or will. */
void pen_forget(struct pen *);
/* Appends whole sequences from curses so that the terminal shows the same, and ends up writing the same way. */
void pen_add(struct pen *, struct buf *out, const char *bytes, size_t n);

#endif
