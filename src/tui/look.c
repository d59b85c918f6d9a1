/*
 * look.c - the theme that suits the terminal and the options.
 */
#include "tui/look.h"

#include <stdlib.h>

#include "tui/term.h"

enum palette look_palette(const struct options *o)
{
	return o->export_.has_palette ? o->export_.palette : PALETTE_HOT;
}

/* tmux and screen usually answer the question themselves, without asking the terminal behind them. */
static bool is_multiplexed(void)
{
	return getenv("TMUX") || getenv("STY");
}

void look_choose(struct theme *theme, const struct options *o)
{
	bool is_known, guess = theme_guess_light(&is_known), is_auto = o->background == BACKGROUND_AUTO;
	theme_init(theme, term_depth(), o->ascii, is_auto ? guess : o->background == BACKGROUND_LIGHT);
	if (is_auto && !is_known && is_multiplexed())
		theme_set_either(theme);
	if (is_auto && theme->depth != DEPTH_MONO)
		term_ask_background();
	theme->palette = look_palette(o);
}
