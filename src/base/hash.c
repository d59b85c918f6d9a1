/*
 * hash.c - XXH3 with a seed that nobody can know beforehand.
 *
 * Names come from whoever made the profile. With a fixed seed a file could be built whose names all land in one
 * slot and make every look-up linear; with a seed from the system that takes a guess at 64 bits.
 */
#include "base/hash.h"

#include <errno.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Written once, before main() and before there is a second thread; constant from then on. */
static uint64_t seed[2];
const uint64_t *const hash_seed = seed;

__attribute__((constructor)) static void seed_once(void)
{
	ssize_t n;
	do
		n = getrandom(seed, sizeof seed, GRND_NONBLOCK);
	while (n < 0 && errno == EINTR);
	if (n == (ssize_t)sizeof seed)
		return;
	/* Early at boot, or a sandbox without the call: the clock and the address layout are a weaker secret. */
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seed[0] ^= hash_mix((uint64_t)now.tv_nsec + 1, (uint64_t)(uintptr_t)&now | 1);
	seed[1] ^= hash_mix((uint64_t)getpid() + (uint64_t)now.tv_sec, (uint64_t)(uintptr_t)&getpid | 1);
}

uint64_t hash_bytes(const void *bytes, size_t n)
{
	return XXH3_64bits_withSeed(bytes, n, seed[0]);
}
