/* A map finds every item it was given, and no other, however hashes collide and the map grows. */
#include "base/map.h"

#include "base/hash.h"
#include "tap.h"

enum { N = 100000 };

static uint64_t hash_of(uint64_t key)
{
	return hash_mix(key ^ hash_seed[0], hash_seed[1] | 1);
}

static uint32_t find(const struct map *m, const uint64_t *keys, uint64_t hash, uint64_t key)
{
	MAP_EACH(m, hash, i)
	if (keys[i] == key)
		return (uint32_t)i;
	return MAP_NONE;
}

static void test_grows(void)
{
	static uint64_t keys[N];
	struct map m;
	bool is_found = true, is_free = true;
	map_init(&m, 0);
	for (uint32_t i = 0; i < N; i++) {
		keys[i] = (uint64_t)i * i;
		is_free = is_free && find(&m, keys, hash_of(keys[i]), keys[i]) == MAP_NONE;
		map_add(&m, hash_of(keys[i]), i);
	}
	for (uint32_t i = 0; i < N; i++)
		is_found = is_found && find(&m, keys, hash_of(keys[i]), keys[i]) == i;
	ok(is_found && is_free, "a map that grows finds its items, and only them");
	ok(m.n == N && m.mask + 1 <= 4 * (size_t)N, "it is at least a quarter full");

	struct map copy;
	map_copy(&copy, &m);
	map_deinit(&m);
	ok(find(&copy, keys, hash_of(keys[77]), keys[77]) == 77, "a copy has slots of its own");
	map_deinit(&copy);
}

/* Items whose slots collide, also at the end of the slots, where probing wraps. */
static void test_collisions(void)
{
	static uint64_t keys[N];
	const uint64_t hashes[] = {0, UINT64_MAX, UINT64_C(0xFFFFFFFF00000000), UINT64_C(0xFFFFFFFE00000000)};
	enum { HASHES = sizeof hashes / sizeof *hashes, EACH = 40 };
	struct map m;
	bool is_found = true;
	map_init(&m, 4);
	for (uint32_t i = 0; i < HASHES * EACH; i++) {
		keys[i] = i;
		map_add(&m, hashes[i % HASHES], i);
	}
	for (uint32_t i = 0; i < HASHES * EACH; i++)
		is_found = is_found && find(&m, keys, hashes[i % HASHES], i) == i;
	ok(is_found, "equal hashes are told apart by the items");
	ok(find(&m, keys, UINT64_C(0x8000000000000000), 0) == MAP_NONE, "another hash finds nothing");
	map_deinit(&m);
}

static void test_reserve(void)
{
	struct map m;
	map_init(&m, 10);
	map_add(&m, 5, 3);
	map_reserve(&m, N);
	size_t mask = m.mask;
	ok(map_peek(&m, 5) == 3, "making room keeps the items");
	for (uint32_t i = 0; i < N - 1; i++)
		map_add(&m, hash_of(i), i);
	ok(m.mask == mask, "a map with room does not grow");
	map_deinit(&m);
}

int main(void)
{
	test_grows();
	test_collisions();
	test_reserve();
	return done_testing();
}
