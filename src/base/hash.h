/*
 * hash.h - seeded hashing. Each process has a random seed, so no input can force collisions; no output may depend
 * on a hash value.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

extern const uint64_t *const hash_seed; /* two words, set before main() runs */

uint64_t hash_bytes(const void *bytes, size_t n); /* XXH3 with the process's seed */

/* Folds a 64x64 product to 64 bits: a strong and cheap mixer. */
static inline uint64_t hash_mix(uint64_t a, uint64_t b)
{
	__extension__ typedef unsigned __int128 u128;
	u128 m = (u128)a * b;
	return (uint64_t)m ^ (uint64_t)(m >> 64);
}

/*
 * For tables whose keys are numbers. It mixes twice: with a seed as the only factor, one seed in a hundred gives
 * rows of hundreds of slots to keys that count.
 */
static inline uint64_t hash_keys(uint64_t a, uint64_t b)
{
	uint64_t hash = hash_mix(a ^ hash_seed[0], UINT64_C(0x9e3779b97f4a7c15));
	return hash_mix(hash ^ b ^ hash_seed[1], UINT64_C(0xe7037ed1a0b428db));
}

static inline uint64_t hash_key(uint64_t key)
{
	return hash_keys(key, 0);
}

#endif
