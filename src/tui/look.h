/*
 * look.h - the theme that suits the terminal and the options.
 */
#ifndef TUI_LOOK_H
#define TUI_LOOK_H

#include "options.h"
#include "tui/theme.h"

/* The palette of frames that the options ask for. */
enum palette look_palette(const struct options *);
/* Sets up the theme for the terminal, which is open; asks it for its background where that is unknown. */
void look_choose(struct theme *, const struct options *);

#endif
