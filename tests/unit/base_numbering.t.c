/* A numbering gives each number its place among the items that are kept, whichever repeat the one before. */
#include "base/numbering.h"

#include "tap.h"

enum { N = 20000 };

static bool is_repeat(unsigned kind, uint64_t i)
{
	static const bool mixed[] = {false, true, true, false, false, true, false, true, true, true, true};
	return i && (kind == 0 ? false : kind == 1 ? true : kind == 2 ? i % 2 : mixed[i % 11]);
}

static bool is_right(unsigned kind, struct numbering *x)
{
	uint64_t place = 0;
	bool ok = true;
	for (uint64_t i = 0; i < N; i++)
		numbering_add(x, is_repeat(kind, i));
	for (uint64_t i = 0; i < N && ok; i++) {
		place += i && !is_repeat(kind, i);
		ok = numbering_place(x, i) == place;
	}
	return ok;
}

int main(void)
{
	static const char *const names[] = {"none", "all", "every other one", "rows of several lengths"};
	for (unsigned kind = 0; kind < 4; kind++) {
		struct numbering x = {0};
		ok(is_right(kind, &x), "numbers have their places, with repeats: %s", names[kind]);
		if (kind < 2)
			ok(x.n_rows == kind, "%u rows are kept", kind);
		numbering_deinit(&x);
	}
	return done_testing();
}
