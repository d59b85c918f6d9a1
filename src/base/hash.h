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

#endif
