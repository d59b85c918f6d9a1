/*
 * theme.h - maps colours to those the terminal has, and gives a style to each part of the screen.
 */
#ifndef TUI_THEME_H
#define TUI_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/cells.h"
#include "tui/grid.h"

struct theme {
	enum color_depth depth;
	bool ascii;
	bool is_light; /* the terminal shows dark text on a light background */
	enum palette palette;
	struct style plain, dim, bold, bar, bar_dim, good, bad;
	struct style selected;      /* the frame or row under the cursor */
	struct style selected_diff; /* the same among the near-white frames of a comparison */
	struct style hit;           /* matches the search */
	struct style aggregate, aggregate_hit;
	struct style key;    /* a key in the hints and in the help */
	struct style border; /* of overlays */
	struct style progress, progress_rest;
};

void theme_init(struct theme *, enum color_depth, bool ascii, bool is_light);
/* Adapts the theme to the other kind of background. */
void theme_set_light(struct theme *, bool is_light);
/* Uses colours that are readable on both kinds, until the background is known. */
void theme_set_either(struct theme *);
/* Reads COLORFGBG ("15;0": foreground; background), which several terminals set. */
bool theme_guess_light(bool *is_known);

/* The terminal's nearest colour; COLOR_PLAIN without colours. */
uint32_t theme_color(const struct theme *, struct rgb);
/* A style that fills an area with this colour and keeps text readable. */
struct style theme_fill(const struct theme *, struct rgb);
/* Next scheme for the `c` key, in an order made for looking at. */

#endif
