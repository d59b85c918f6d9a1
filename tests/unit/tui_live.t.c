/*
 * The figures of a profile that is coming in.
 */
#include "tui/live.h"

#include <stdlib.h>

#include "tap.h"

static void is_text(const struct live *l, const struct load_status *s, const char *expected, const char *what)
{
	struct buf b;
	buf_init(&b);
	live_add(&b, l, s, "sample", 100);
	is_str(buf_str(&b), expected, "%s", what);
	buf_deinit(&b);
}

static void fits(const struct live *l, const struct load_status *s, size_t most, const char *expected)
{
	struct buf b;
	buf_init(&b);
	buf_adds(&b, "|");
	live_add(&b, l, s, "sample", most);
	is_str(buf_str(&b), expected, "in %zu columns", most);
	buf_deinit(&b);
}

int main(void)
{
	struct live l;
	struct load_status s = {.samples = 1};

	live_init(&l, 5000);
	ok(!live_update(&l, &s, 0.1, 5100), "at first there is nothing to say");
	is_text(&l, &s, "0:00  1 sample", "before there is a rate none is shown");
	s.samples = 500;
	ok(live_update(&l, &s, 0.1, 5500), "a rate comes early");
	is_text(&l, &s, "0:00  500 samples  1000/s", "the cost needs two looks");
	s.samples = 600;
	ok(live_wants_cost(&l, 5600), "the cost is asked for");
	ok(!live_wants_cost(&l, 5700), "not again and again");
	ok(live_wants_cost(&l, 5800), "but more often than it is shown");
	ok(live_wants_cost(&l, 6400), "and after a while");
	ok(!live_update(&l, &s, 0.2, 5700), "figures stay for a second");
	s.samples = 1500;
	ok(live_wants_cost(&l, 6500), "and whenever it is shown anew");
	ok(live_update(&l, &s, 0.15, 6500), "and are renewed then");
	is_text(&l, &s, "0:01  1,500 samples  1000/s  sampling 5.0% CPU", "rate and cost are those of the last second");
	s.lost = 1234;
	is_text(&l, &s, "0:01  1,500 samples  1000/s  1,234 lost  sampling 5.0% CPU", "losses are said");
	fits(&l, &s, 58, "|0:01  1,500 samples  1000/s  1,234 lost  sampling 5.0% CPU");
	fits(&l, &s, 57, "|0:01  1.5 k  1000/s  1.23 k lost  sampling 5%");
	fits(&l, &s, 40, "|0:01  1.5 k  1000/s  1.23 k lost");
	fits(&l, &s, 20, "|");
	ok(live_update(&l, &s, 0.15, 7600), "a silent second is news too");
	is_text(&l, &s, "0:02  1,500 samples  0/s  1,234 lost  sampling 0.0% CPU", "with a rate of nothing");
	live_update(&l, &s, LIVE_UNKNOWN, 3725 * 1000 + 5000);
	is_text(&l, &s, "1:02:05  1,500 samples  0/s  1,234 lost",
	        "a cost that is not known is left out; hours are shown");
	return done_testing();
}
