/*
 * mem.c - allocation that cannot fail.
 *
 * Out of memory, a viewer can do nothing useful but restore the terminal, so there is one way out instead of a test
 * at every call: mem_exhausted() in process.c.
 */
#include "base/mem.h"

#include <stdint.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#define LARGE_BLOCK (2 << 20) /* bytes; below, mapping and unmapping take more time than the memory is worth */

void mem_return_large(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK);
#endif
}

void *mem_alloc(size_t bytes)
{
	void *p = malloc(bytes > 0 ? bytes : 1);
	if (!p)
		mem_exhausted();
	return p;
}

void mem_ensure(size_t bytes)
{
	void *volatile kept = mem_alloc(bytes); /* volatile: compilers may remove what is only freed */
	free(kept);
}

void *mem_zalloc(size_t count, size_t size)
{
	void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
	if (!p)
		mem_exhausted();
	return p;
}

void *mem_zalloc_table(size_t count, size_t size)
{
	enum { PAGE = 4096 }; /* or a multiple */
	char *p = mem_zalloc(count, size);
	for (size_t i = 0; i < count * size; i += PAGE)
		((volatile char *)p)[i] = 0;
	return p;
}

void *mem_realloc(void *old, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		mem_exhausted();
	/* realloc(p, 0) may free p and return NULL, which would look like exhaustion. */
	void *p = realloc(old, bytes > 0 ? bytes : 1);
	if (!p)
		mem_exhausted();
	return p;
}

void *mem_copy(const void *array, size_t n, size_t size)
{
	if (!array)
		return NULL;
	void *copy = mem_alloc((n ? n : 1) * size);
	memcpy(copy, array, n * size);
	return copy;
}

char *mem_strdup(const char *s)
{
	return s ? mem_strndup(s, strlen(s)) : NULL;
}

char *mem_strndup(const char *s, size_t n)
{
	if (n == SIZE_MAX)
		mem_exhausted();
	char *copy = mem_alloc(n + 1);
	if (n > 0)
		memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

void *mem_grow(void *array, size_t *cap, size_t need, size_t size)
{
	size_t least = size < 64 ? 16 : 4;
	if (need <= *cap)
		return array;
	size_t grown = *cap <= SIZE_MAX / 2 ? *cap * 2 : need;
	if (grown < need)
		grown = need;
	if (grown < least)
		grown = least;
	array = mem_realloc(array, grown, size);
	*cap = grown;
	return array;
}
