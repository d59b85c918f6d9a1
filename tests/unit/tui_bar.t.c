/*
 * Shares as numbers and bars: both say the same.
 */
#include "tests/tap.h"
#include "tui/bar.h"

#include "base/utf8.h"

static void share_is(uint64_t part, uint64_t whole, int screen, enum bar_look look, const char *expected)
{
	struct buf b;
	buf_init(&b);
	bar_add_share(&b, part, whole, screen, look);
	is_str(buf_str(&b), expected, "%llu of %llu on %d columns", (unsigned long long)part, (unsigned long long)whole,
	       screen);
	buf_deinit(&b);
}

/* Any share takes the same columns. */
static void widths(void)
{
	struct buf b;
	int wrong = 0;
	buf_init(&b);
	for (int screen = 20; screen < 300; screen++)
		for (uint64_t part = 0; part <= 1000; part += 7)
			for (int look = BAR_COLORED; look <= BAR_ASCII; look++) {
				b.len = 0;
				bar_add_share(&b, part, 1000, screen, (enum bar_look)look);
				wrong += (int)utf8_columns(b.data, b.len) != bar_share_columns(screen);
			}
	is_int(wrong, 0, "a share takes the columns that were announced");
	buf_deinit(&b);
}

/* The larger number never has the shorter bar. */
static void order(void)
{
	struct buf b, before;
	int wrong = 0;
	buf_init(&b);
	buf_init(&before);
	for (uint64_t part = 0; part <= 10000; part++) {
		b.len = 0;
		bar_add_share(&b, part, 10000, 120, BAR_ASCII);
		size_t signs = 0, signs_before = 0;
		for (size_t i = 0; i < b.len; i++)
			signs += b.data[i] == '#';
		for (size_t i = 0; i < before.len; i++)
			signs_before += before.data[i] == '#';
		wrong += signs < signs_before;
		before.len = 0;
		buf_add(&before, b.data, b.len);
	}
	is_int(wrong, 0, "bars grow with their numbers");
	buf_deinit(&before);
	buf_deinit(&b);
}

int main(void)
{
	share_is(1, 4, 80, BAR_COLORED, "  25.0%");
	share_is(1, 4, 120, BAR_COLORED, "  25.0% ██      ");
	share_is(1, 4, 120, BAR_DOTTED, "  25.0% ██······");
	share_is(1, 4, 120, BAR_ASCII, "  25.0% ##......");
	share_is(1, 4, 200, BAR_ASCII, "  25.0% ####............");
	share_is(3, 64, 120, BAR_DOTTED, "   4.7% ▍·······");
	share_is(1, 1000, 120, BAR_DOTTED, "   0.1% ▏·······");
	share_is(1, 10000, 120, BAR_DOTTED, "   0.0% ········");
	share_is(9999, 10000, 120, BAR_DOTTED, "  99.9% ███████▉");
	share_is(1, 1, 120, BAR_DOTTED, " 100.0% ████████");
	share_is(0, 0, 120, BAR_DOTTED, "   0.0% ········");
	share_is(UINT64_MAX, UINT64_MAX, 120, BAR_ASCII, " 100.0% ########");
	widths();
	order();
	return done_testing();
}
