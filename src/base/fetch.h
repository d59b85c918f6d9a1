/*
 * fetch.h - fetches memory into the cache before it is read.
 *
 * gcc 12 takes a function that only prefetches for one without effect, and drops its calls. The empty assembly is
 * an effect.
 */
#ifndef BASE_FETCH_H
#define BASE_FETCH_H

/* The cache line at any address, also an invalid one. */
static inline void fetch_line(const void *at)
{
	__builtin_prefetch(at);
	__asm__ volatile("");
}

#endif
