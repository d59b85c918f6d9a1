/*
 * Marks of a ruler are round, and end at the end of the axis, up to 2^64 - 1.
 */
#include "base/ruler.h"

#include "tests/tap.h"

static unsigned marks(uint64_t from, uint64_t step, uint64_t to)
{
	unsigned n = 0;
	uint64_t at;
	for (bool has = ruler_first(from, step, to, &at); has && n < 1000; has = ruler_next(step, to, &at))
		n += at >= from && at < to && at % step == 0;
	return n;
}

int main(void)
{
	is_int(ruler_step(0), 1, "the least step is 1");
	is_int(ruler_step(3), 5, "steps are 1, 2, 5");
	is_int(ruler_step(51), 100, "10, and so on");
	is_int(marks(0, 5, 20), 4, "marks go to before the end");
	is_int(marks(1, 5, 20), 3, "from the first round one on");
	is_int(marks(UINT64_MAX - 7, 5, UINT64_MAX), 1, "and end at the greatest number");
	is_int(marks(0, ruler_step(UINT64_MAX / 4), UINT64_MAX), 4, "also with the greatest steps");
	ok(ruler_step(UINT64_MAX) >= UINT64_MAX / 2, "which do not wrap");
	is_int(marks(UINT64_MAX - 1, ruler_step(UINT64_MAX), UINT64_MAX), 0, "there may be none");
	return done_testing();
}
