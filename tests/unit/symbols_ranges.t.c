/*
 * Compares the look-up of an address among random ranges with a linear search.
 */
#include "symbols/ranges.h"

#include "tests/tap.h"

#define N 60

static uint32_t slowly(const struct range *r, size_t n, uint64_t address)
{
	uint32_t best = RANGES_NONE, rank = 0;
	for (size_t i = 0; i < n; i++)
		if (r[i].start <= address && address < r[i].end && (best == RANGES_NONE || r[i].rank > rank)) {
			best = r[i].value;
			rank = r[i].rank;
		}
	return best;
}

static uint32_t next(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

static size_t random_differences(uint32_t seed, uint32_t span)
{
	struct range items[N];
	struct ranges r;
	size_t differ = 0;
	ranges_init(&r);
	for (uint32_t i = 0; i < N; i++) {
		uint64_t start = next(&seed) % 200;
		items[i] = (struct range){start, start + next(&seed) % span, i, i * 7919 % N};
		ranges_add(&r, &items[i]);
	}
	ranges_settle(&r);
	for (uint64_t a = 0; a < 450; a++)
		differ += ranges_find(&r, a) != slowly(items, N, a);
	ranges_deinit(&r);
	return differ;
}

static void test_random(void)
{
	size_t differ = 0;
	for (uint32_t seed = 1; seed <= 300; seed++)
		differ += random_differences(seed, seed % 2 ? 200 : 6);
	is_int(differ, 0, "of ranges that overlap, the highest rank holds an address");
}

static void test_edges(void)
{
	struct ranges r;
	ranges_init(&r);
	ranges_settle(&r);
	is_int(ranges_find(&r, 0), RANGES_NONE, "nothing holds an address among no ranges");
	ranges_deinit(&r);
	ranges_init(&r);
	ranges_add(&r, &(struct range){5, 5, 1, 1});
	ranges_add(&r, &(struct range){UINT64_MAX - 1, UINT64_MAX, 2, 2});
	ranges_add(&r, &(struct range){0, 1, 3, 3});
	ranges_settle(&r);
	is_int(ranges_find(&r, 5), RANGES_NONE, "an empty range holds nothing");
	is_int(ranges_find(&r, 0), 3, "a range may begin at 0");
	is_int(ranges_find(&r, UINT64_MAX - 1), 2, "a range may end at the highest address");
	is_int(ranges_find(&r, UINT64_MAX), RANGES_NONE, "which it does not hold");
	ranges_deinit(&r);
}

/* Nested ranges would take n * n steps if each look-up went through all open ones. */
static void test_deep(void)
{
	enum { DEEP = 300000 };
	struct ranges r;
	double before = tap_seconds();
	ranges_init(&r);
	for (uint32_t i = 0; i < DEEP; i++)
		ranges_add(&r, &(struct range){i, 2 * (uint64_t)DEEP - i, i, i});
	ranges_settle(&r);
	is_int(ranges_find(&r, DEEP), DEEP - 1, "the innermost of 300,000 ranges is found");
	is_int(ranges_find(&r, 2 * DEEP - 10), 9, "and the outer ones behind it");
	ok(tap_seconds() - before < 1, "and settled in less than a second");
	ranges_deinit(&r);
}

int main(void)
{
	test_random();
	test_edges();
	test_deep();
	return done_testing();
}
