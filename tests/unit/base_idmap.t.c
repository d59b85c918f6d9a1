/* An idmap finds every id it was given, and no other, whether ids are consecutive, aligned or arbitrary. */
#include "base/idmap.h"

#include "tap.h"

enum { N = 50000 };

static uint64_t id_of(unsigned kind, uint64_t i)
{
	switch (kind) {
	case 0:
		return i;
	case 1:
		return i * IDMAP_GROUP;
	case 2:
		return UINT64_MAX - i * 4096;
	default:
		return hash_mix(i + 1, 0x9e3779b97f4a7c15u);
	}
}

static bool finds_all(unsigned kind)
{
	struct idmap m = {0};
	uint32_t value = 0;
	bool is_right = true;
	for (uint32_t i = 0; i < N; i++)
		is_right = is_right && idmap_add(&m, id_of(kind, 2 * (uint64_t)i), i);
	for (uint32_t i = 0; i < N; i++) {
		is_right = is_right && idmap_find(&m, id_of(kind, 2 * (uint64_t)i), &value) && value == i;
		is_right = is_right && !idmap_find(&m, id_of(kind, 2 * (uint64_t)i + 1), &value);
	}
	is_right =
		is_right && !idmap_add(&m, id_of(kind, 0), 7) && idmap_find(&m, id_of(kind, 0), &value) && value == 0;
	idmap_deinit(&m);
	return is_right;
}

/* Slots in a row that are in use. Long rows would mean long searches. */
static size_t longest_row(unsigned kind)
{
	struct idmap m = {0};
	size_t row = 0, longest = 0;
	for (uint32_t i = 0; i < N; i++)
		idmap_add(&m, id_of(kind, i), i);
	for (size_t i = 0, at = 0; i < m.cap; i++, at = (at + IDMAP_GROUP + 1) & (m.cap - 1)) {
		row = m.slots[at].is_used ? row + 1 : 0;
		longest = row > longest ? row : longest;
	}
	idmap_deinit(&m);
	return longest;
}

static void test_expected(void)
{
	struct idmap m = {0};
	idmap_expect(&m, 1000);
	const struct idmap_slot *slots = m.slots;
	for (uint32_t i = 0; i < 1000; i++)
		idmap_add(&m, i * UINT64_C(0x10001), i);
	ok(m.slots == slots && m.n == 1000, "a map with room for its ids does not grow");
	idmap_deinit(&m);
}

int main(void)
{
	static const char *const names[] = {"consecutive", "aligned", "descending", "arbitrary"};
	struct idmap empty = {0};
	uint32_t value;
	ok(!idmap_find(&empty, 0, &value), "an empty map finds nothing");
	for (unsigned kind = 0; kind < 4; kind++) {
		ok(finds_all(kind), "it finds %s ids, and no others", names[kind]);
		ok(longest_row(kind) < 200, "a search for %s ids is short", names[kind]);
	}
	test_expected();
	return done_testing();
}
