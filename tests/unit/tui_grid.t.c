/*
 * Cells: wide and combining characters, clipping, printing; and colours reduced to those of a terminal.
 */
#include "tests/tap.h"

#include "base/utf8.h"
#include "tui/clip.h"
#include "tui/grid.h"
#include "tui/theme.h"

static const struct style plain;

static void row_is(const struct grid *g, int row, const char *expected, const char *name)
{
	struct buf b;
	buf_init(&b);
	grid_add_row(g, row, &b);
	is_str(buf_str(&b), expected, "%s", name);
	buf_deinit(&b);
}

static void texts(void)
{
	struct grid g;
	grid_init(&g);
	grid_resize(&g, 10, 4);
	is_int(grid_str(&g, 0, 2, 8, plain, "hello"), 5, "text says how many columns it took");
	row_is(&g, 0, "  hello", "text stands where it was put, and blanks at the end are left out");
	is_int(grid_str(&g, 0, 7, 10, plain, "long text"), 3, "text ends at the edge");
	row_is(&g, 0, "  hellolon", "and not beyond");
	is_int(grid_str(&g, 1, 0, 5, plain, "日本語"), 4, "a wide character that does not fit whole is left out");
	row_is(&g, 1, "日本", "wide characters");
	grid_put(&g, 1, 1, 'x', plain);
	row_is(&g, 1, " x本", "overwriting the right half blanks the left one");
	grid_put(&g, 1, 2, 'y', plain);
	row_is(&g, 1, " xy", "overwriting the left half blanks the right one");
	is_int(grid_str(&g, 2, 0, 10, plain, "e\xcc\x81t"), 2, "a combining mark takes no column");
	row_is(&g, 2, "e\xcc\x81t", "and stays with its character");
	grid_str(&g, 2, 0, 10, plain, "z\xcd\x91\xcd\xab\xcd\x83\xcd\xaat");
	row_is(&g, 2, "z\xcd\x91\xcd\xab\xcd\x83\xcd\xaat", "so do four, as many as a clean text has");
	grid_text_cut(&g, 3, 0, 5, plain, "abcdefgh", 8, false);
	row_is(&g, 3, "abcd…", "text that is too long ends in an ellipsis");
	grid_text_cut(&g, 3, 0, 5, plain, "abcdefgh", 8, true);
	row_is(&g, 3, "abc..", "in ASCII in two dots");
	grid_put(&g, -1, 0, 'x', plain);
	grid_put(&g, 4, 0, 'x', plain);
	grid_put(&g, 0, 10, 'x', plain);
	pass("text outside is clipped");
	grid_deinit(&g);
}

static void numbers_are(int max, const char *text, const char *expected, const char *name)
{
	struct grid g;
	grid_init(&g);
	grid_resize(&g, 40, 1);
	grid_numbers_cut(&g, 0, 0, max, plain, text, strlen(text), false);
	row_is(&g, 0, expected, name);
	grid_deinit(&g);
}

static void numbers(void)
{
	numbers_are(20, "total  15.2 s  39.2%", "total  15.2 s  39.2%", "a line that fits is whole");
	numbers_are(19, "total  15.2 s  39.2%", "total  15.2 s…", "a number is not cut into another one");
	numbers_are(13, "total  15.2 s  39.2%", "total…", "nor does it lose its unit");
	numbers_are(11, "total  15.2 ms", "total…", "not even a part of that");
	numbers_are(16, "total  15.2 s  39.2%", "total  15.2 s…", "blanks before the mark are left out");
	numbers_are(10, "grew -96.5%", "grew…", "a sign belongs to its number");
	numbers_are(10, "grew ±12.5%", "grew…", "whichever it is");
	numbers_are(14, "7 grew, 4 shrank, 2", "7 grew,…", "what is counted belongs to it as well");
	numbers_are(18, "7 grew, 4 shrank, 2 new", "7 grew, 4 shrank,…", "but whole words stay");
	numbers_are(5, "123456789", "…", "a number alone is left out, too: a part of it would be another one");
	numbers_are(8, "function main", "functio…", "words are cut anywhere");
}

static void ansi(void)
{
	struct grid g;
	struct buf b;
	struct style red = {.fg = COLOR_INDEX(1), .attrs = ATTR_BOLD}, rgb = {.bg = COLOR_RGB(1, 2, 3)};
	grid_init(&g);
	buf_init(&b);
	grid_resize(&g, 8, 2);
	grid_str(&g, 0, 0, 8, red, "r");
	grid_str(&g, 0, 1, 8, plain, "p");
	grid_fill(&g, 1, 0, 2, ' ', rgb);
	grid_fill(&g, 1, 2, 1, 'i', (struct style){.fg = COLOR_INDEX(200), .bg = COLOR_INDEX(9)});
	grid_print(&g, &b, true);
	is_str(buf_str(&b), "\x1b[0;1;31mr\x1b[0mp\n\x1b[0;48;2;1;2;3m  \x1b[0;38;5;200;101mi\x1b[0m\n",
	       "colours as ANSI");
	b.len = 0;
	grid_print(&g, &b, false);
	is_str(buf_str(&b), "rp\n  i\n", "and without");
	buf_deinit(&b);
	grid_deinit(&g);
}

static void colors(void)
{
	struct theme t;
	theme_init(&t, DEPTH_TRUE, false, false);
	is_int(theme_color(&t, (struct rgb){10, 20, 30}), COLOR_RGB(10, 20, 30), "truecolor keeps a colour");
	theme_init(&t, DEPTH_256, false, false);
	is_int(theme_color(&t, (struct rgb){255, 0, 0}), COLOR_INDEX(196), "256: pure red is in the cube");
	is_int(theme_color(&t, (struct rgb){95, 135, 175}), COLOR_INDEX(67), "256: colours of the cube are themselves");
	is_int(theme_color(&t, (struct rgb){128, 128, 128}), COLOR_INDEX(244), "256: a gray is on the gray ramp");
	theme_init(&t, DEPTH_16, false, false);
	is_int(theme_color(&t, (struct rgb){250, 10, 5}), COLOR_INDEX(9), "16: bright red");
	ok(theme_color(&t, (struct rgb){0, 0, 0}) != COLOR_INDEX(0), "16: no frame is black, it would look like a gap");
	unsigned hues = 0;
	for (uint8_t green = 130; green < 170; green++)
		hues |= 1u << (theme_color(&t, (struct rgb){240, green, 40}) & 7);
	is_int(hues, 1 << 1 | 1 << 3, "16: oranges are yellow or red, which differ where there are eight colours, too");
	theme_init(&t, DEPTH_MONO, false, false);
	is_int(theme_color(&t, (struct rgb){250, 10, 5}), COLOR_PLAIN, "without colours the default is used");
	theme_init(&t, DEPTH_TRUE, false, false);
	is_int(theme_fill(&t, (struct rgb){255, 230, 55}).fg, COLOR_RGB(0, 0, 0), "black text on bright frames");
	is_int(theme_fill(&t, (struct rgb){60, 20, 90}).fg, COLOR_RGB(255, 255, 255), "white text on dark ones");
	enum palette p = PALETTE_HOT;
	int n = 0;
	do
		p = palette_next(p);
	while (p != PALETTE_HOT && ++n < 100);
	is_int(n + 1, N_PALETTES, "the colour schemes are all reached, and lead back to the first");
}

static void clipboard(void)
{
	struct buf b;
	buf_init(&b);
	is_int((intmax_t)clip_add(&b, "hello", 5, CLIP_PLAIN), 5, "a short text is sent whole");
	is_str(buf_str(&b), "\x1b]52;c;aGVsbG8=\a", "OSC 52");
	b.len = 0;
	clip_add(&b, "abc", 3, CLIP_TMUX);
	is_str(buf_str(&b), "\x1b]52;c;YWJj\a\x1bPtmux;\x1b\x1b]52;c;YWJj\a\x1b\\", "for tmux plain and wrapped");
	b.len = 0;
	clip_add(&b, "abc", 3, CLIP_SCREEN);
	is_str(buf_str(&b), "\x1bP\x1b]52;c;YWJj\a\x1b\\", "for screen wrapped");
	b.len = 0;
	static char big[CLIP_MAX + 1];
	is_int((intmax_t)clip_add(&b, big, sizeof big, CLIP_PLAIN), CLIP_MAX,
	       "of text too long for terminals the beginning");
	is_int(b.len, 7 + CLIP_MAX / 3 * 4 + 1, "of the length that they take");
	memcpy(big + CLIP_MAX - 1, "\u00e4", 2);
	is_int((intmax_t)clip_add(&b, big, sizeof big, CLIP_PLAIN), CLIP_MAX - 1, "and no part of a character");
	memset(big, 0x80, sizeof big);
	is_int((intmax_t)clip_add(&b, big, sizeof big, CLIP_PLAIN), CLIP_MAX - 4, "nor is a whole text taken for one");
	b.len = 0;
	clip_add(&b, "abc", 3, CLIP_AROUND_TMUX);
	is_str(buf_str(&b), "\x1bPtmux;\x1b\x1b]52;c;YWJj\a\x1b\\", "past tmux only wrapped");
	b.len = 0;
	is_int((intmax_t)clip_add(&b, "abc", 3, CLIP_NONE), 0, "to a terminal without a clipboard nothing");
	is_int(b.len, 0, "not even an empty sequence");
	buf_deinit(&b);
}

int main(void)
{
	texts();
	numbers();
	ansi();
	colors();
	clipboard();
	return done_testing();
}
