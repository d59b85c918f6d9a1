/*
 * theme.c - chooses colours for every kind of terminal.
 *
 * Frames have their own colour with black or white text, so they look the same on dark and light backgrounds.
 * Everything else uses the terminal's default colours where possible, and numbered ones otherwise. Without colours,
 * reverse video, bold and underline make the same distinctions, and a character where those are used up.
 */
#include "tui/theme.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* The sixteen colours as most terminals show them; index 0-15. */
static const struct rgb ansi[16] = {
	{0, 0, 0},     {205, 0, 0},     {0, 205, 0},     {205, 205, 0},   {0, 0, 238}, {205, 0, 205},
	{0, 205, 205}, {229, 229, 229}, {127, 127, 127}, {255, 0, 0},     {0, 255, 0}, {255, 255, 0},
	{92, 92, 255}, {255, 0, 255},   {0, 255, 255},   {255, 255, 255},
};

static int distance(struct rgb a, struct rgb b)
{
	int r = a.r - b.r, g = a.g - b.g, bl = a.b - b.b;
	return 3 * r * r + 4 * g * g + 2 * bl * bl;
}

/*
 * With so few colours, most names of a palette would get the same one. So the nearest colour of another hue takes a
 * share of them, in proportion to its nearness. The requested colour decides, so that a name always has the same
 * colour. It must be another hue, because with only eight colours, dark and bright ones are the same. Black is left
 * out, as it would look like a gap.
 */
static uint32_t nearest_16(struct rgb c)
{
	uint32_t best = 1, second = 0;
	for (uint32_t i = 2; i < 16; i++)
		if (i != 8 && distance(c, ansi[i]) < distance(c, ansi[best]))
			best = i;
	for (uint32_t i = 1; i < 16; i++)
		if ((i & 7) != (best & 7) && (i & 7) != 0 &&
		    (second == 0 || distance(c, ansi[i]) < distance(c, ansi[second])))
			second = i;
	int to_best = distance(c, ansi[best]), to_second = distance(c, ansi[second]);
	int mix = (c.r * 3 + c.g * 7 + c.b * 13) % 16;
	return to_second < 4 * to_best && mix * (to_best + to_second) < 16 * to_best ? second : best;
}

static uint8_t cube_level(unsigned i)
{
	return (uint8_t)(i == 0 ? 0 : 55 + 40 * i);
}

static unsigned nearest_level(uint8_t v)
{
	return v < 48 ? 0 : v < 115 ? 1 : (v - 35u) / 40;
}

static uint32_t nearest_256(struct rgb c)
{
	unsigned r = nearest_level(c.r), g = nearest_level(c.g), b = nearest_level(c.b);
	struct rgb cube = {cube_level(r), cube_level(g), cube_level(b)};
	unsigned mean = ((unsigned)c.r + c.g + c.b) / 3;
	unsigned step = mean < 8 ? 0 : mean > 238 ? 23 : (mean - 3) / 10;
	uint8_t level = (uint8_t)(8 + 10 * step);
	struct rgb gray = {level, level, level};
	if (distance(c, gray) < distance(c, cube))
		return 232 + step;
	return 16 + 36 * r + 6 * g + b;
}

uint32_t theme_color(const struct theme *t, struct rgb c)
{
	switch (t->depth) {
	case DEPTH_TRUE:
		return COLOR_RGB(c.r, c.g, c.b);
	case DEPTH_256:
		return COLOR_INDEX(nearest_256(c));
	case DEPTH_16:
		return COLOR_INDEX(nearest_16(c));
	case DEPTH_MONO:
		break;
	}
	return COLOR_PLAIN;
}

static bool is_bright(struct rgb c)
{
	return 299 * c.r + 587 * c.g + 114 * c.b > 110 * 1000;
}

struct style theme_fill(const struct theme *t, struct rgb c)
{
	if (t->depth == DEPTH_MONO)
		return (struct style){.attrs = ATTR_REVERSE};
	uint32_t bg = theme_color(t, c);
	/* The displayed colour counts, and sixteen colours may be far from the requested one. */
	struct rgb shown = t->depth == DEPTH_16 ? ansi[bg & 15] : c;
	struct rgb text = is_bright(shown) ? (struct rgb){0, 0, 0} : (struct rgb){255, 255, 255};
	if (t->depth == DEPTH_16)
		return (struct style){.fg = COLOR_INDEX(text.r ? 15 : 0), .bg = bg};
	return (struct style){.fg = theme_color(t, text), .bg = bg};
}

static void mono_styles(struct theme *t)
{
	t->dim = t->plain;
	t->bar = t->bar_dim = (struct style){.attrs = ATTR_REVERSE};
	t->good = t->key = t->border = t->bold;
	t->bad = (struct style){.attrs = ATTR_BOLD | ATTR_UNDERLINE};
	t->selected = t->selected_diff = (struct style){.attrs = ATTR_BOLD | ATTR_REVERSE};
	t->hit = (struct style){.attrs = ATTR_BOLD | ATTR_UNDERLINE};
	t->aggregate = (struct style){.attrs = ATTR_DIM};
	t->aggregate_hit = t->hit;
	t->progress = (struct style){.attrs = ATTR_REVERSE};
	t->progress_rest = t->plain;
}

static struct style pair_16(unsigned fg, unsigned bg, unsigned attrs)
{
	return (struct style){.fg = COLOR_INDEX(fg), .bg = COLOR_INDEX(bg), .attrs = attrs};
}

static void styles_16(struct theme *t)
{
	t->dim = t->plain;
	t->bar = pair_16(15, 4, 0);
	t->bar_dim = pair_16(7, 4, 0);
	t->good = (struct style){.fg = COLOR_INDEX(2)};
	t->bad = (struct style){.fg = COLOR_INDEX(1), .attrs = ATTR_BOLD};
	/* No bold black: many terminals show it as grey. */
	t->selected = t->is_light ? pair_16(15, 0, ATTR_BOLD) : pair_16(0, 15, 0);
	t->selected_diff = pair_16(0, 11, 0);
	t->hit = pair_16(15, 5, ATTR_BOLD);
	t->aggregate = t->is_light ? pair_16(0, 7, 0) : pair_16(15, 8, 0);
	t->aggregate_hit = t->hit;
	t->key = (struct style){.fg = COLOR_INDEX(t->is_light ? 4 : 6)};
	t->border = t->key;
	t->progress = pair_16(0, 2, 0);
	t->progress_rest = t->plain;
}

static struct style fill(const struct theme *t, unsigned char r, unsigned char g, unsigned char b)
{
	return theme_fill(t, (struct rgb){r, g, b});
}

static struct style ink(const struct theme *t, unsigned char r, unsigned char g, unsigned char b)
{
	return (struct style){.fg = theme_color(t, (struct rgb){r, g, b})};
}

static void styles_rich(struct theme *t)
{
	bool light = t->is_light;
	t->dim = light ? ink(t, 95, 95, 95) : ink(t, 158, 158, 158);
	t->bar = light ? fill(t, 215, 215, 215) : fill(t, 58, 58, 58);
	t->bar_dim = t->bar;
	t->bar_dim.fg = light ? theme_color(t, (struct rgb){88, 88, 88}) : theme_color(t, (struct rgb){178, 178, 178});
	t->good = light ? ink(t, 0, 128, 0) : ink(t, 135, 215, 95);
	t->bad = light ? ink(t, 175, 0, 0) : ink(t, 255, 135, 95);
	t->bad.attrs = ATTR_BOLD;
	t->selected = light ? fill(t, 28, 28, 28) : fill(t, 255, 255, 255);
	t->selected_diff = fill(t, 255, 215, 0);
	t->hit = fill(t, 215, 0, 215);
	t->hit.fg = theme_color(t, (struct rgb){255, 255, 255});
	t->hit.attrs = ATTR_BOLD;
	t->aggregate = light ? fill(t, 188, 188, 188) : fill(t, 98, 98, 98);
	t->aggregate_hit = t->hit;
	t->key = light ? ink(t, 0, 95, 175) : ink(t, 135, 215, 255);
	t->border = t->dim;
	t->progress = fill(t, 95, 175, 95);
	t->progress_rest = light ? fill(t, 228, 228, 228) : fill(t, 48, 48, 48);
}

void theme_init(struct theme *t, enum color_depth depth, bool ascii, bool is_light)
{
	*t = (struct theme){.depth = depth, .ascii = ascii, .is_light = is_light};
	t->bold = (struct style){.attrs = ATTR_BOLD};
	if (depth == DEPTH_MONO)
		mono_styles(t);
	else if (depth == DEPTH_16)
		styles_16(t);
	else
		styles_rich(t);
}

void theme_set_either(struct theme *t)
{
	if (t->depth == DEPTH_MONO)
		return;
	if (t->depth == DEPTH_16) {
		t->selected = pair_16(15, 4, ATTR_BOLD);
		return;
	}
	t->dim = t->border = ink(t, 128, 128, 128);
	t->good = ink(t, 0, 135, 0);
	t->bad = ink(t, 215, 0, 0);
	t->bad.attrs = ATTR_BOLD;
	t->key = ink(t, 0, 135, 215);
	t->selected = fill(t, 0, 0, 175);
	t->selected.attrs = ATTR_BOLD;
}

void theme_set_light(struct theme *t, bool is_light)
{
	enum palette palette = t->palette;
	theme_init(t, t->depth, t->ascii, is_light);
	t->palette = palette;
}

bool theme_guess_light(bool *is_known)
{
	const char *s = getenv("COLORFGBG");
	const char *last = s ? strrchr(s, ';') : NULL;
	uint64_t bg;
	*is_known = last && number_u64(last + 1, strlen(last + 1), &bg);
	return *is_known && (bg == 7 || bg == 15);
}
