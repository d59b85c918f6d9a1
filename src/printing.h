/*
 * printing.h - colours and width of a terminal on which a view is printed, without the viewer.
 */
#ifndef PRINTING_H
#define PRINTING_H

#include "options.h"

/* The colours to print with: as the user asks for, else a guess, which is none where there is no terminal. */
enum color_depth printing_depth(const struct options *, bool is_terminal);
/* Columns; 0: unknown. */
unsigned printing_width(void);

#endif
