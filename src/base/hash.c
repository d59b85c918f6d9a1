/*
 * hash.c - XXH3 with an unpredictable seed.
 *
 * Names come from the input. With a fixed seed a crafted file could put all its names into one slot and make every
 * look-up linear; with a random seed an attacker would have to guess 64 bits.
 */
#include "base/hash.h"

#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/random.h"

/* Written before main(), with one thread; constant from then on. */
static uint64_t seed[2];
const uint64_t *const hash_seed = seed;

__attribute__((constructor)) static void seed_once(void)
{
	if (random_bytes(seed, sizeof seed))
		return;
	/* Early at boot, or in a sandbox without the call: clock and address layout make a weaker secret. */
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seed[0] ^= hash_mix((uint64_t)now.tv_nsec + 1, (uint64_t)(uintptr_t)&now | 1);
	seed[1] ^= hash_mix((uint64_t)getpid() + (uint64_t)now.tv_sec, (uint64_t)(uintptr_t)&getpid | 1);
}

uint64_t hash_bytes(const void *bytes, size_t n)
{
	return XXH3_64bits_withSeed(bytes, n, seed[0]);
}
