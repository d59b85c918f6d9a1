/*
 * find.h - searches in bytes that no NUL ends.
 */
#ifndef BASE_FIND_H
#define BASE_FIND_H

#include <stddef.h>
#include <string.h>

#include "base/platform.h"

#if ON_LINUX

/* The last c in the n bytes; NULL: none. */
static inline const void *find_last(const void *bytes, int c, size_t n)
{
	return memrchr(bytes, c, n);
}

/* The first place in the n bytes where the n_what bytes stand; NULL: none. */
static inline const void *find_bytes(const void *bytes, size_t n, const void *what, size_t n_what)
{
	return bytes ? memmem(bytes, n, what, n_what) : NULL;
}

#else

static inline const void *find_last(const void *bytes, int c, size_t n)
{
	const unsigned char *b = bytes;
	while (n > 0 && b[n - 1] != (unsigned char)c)
		n--;
	return n > 0 ? b + n - 1 : NULL;
}

static inline const void *find_bytes(const void *bytes, size_t n, const void *what, size_t n_what)
{
	const char *at = bytes, *end = at + n;
	if (n_what == 0)
		return bytes;
	while (at && n_what <= (size_t)(end - at)) {
		at = memchr(at, *(const unsigned char *)what, (size_t)(end - at) - n_what + 1);
		if (at && memcmp(at, what, n_what) == 0)
			return at;
		at = at ? at + 1 : NULL;
	}
	return NULL;
}

#endif

#endif
