/*
 * mem.h - allocation that cannot fail.
 *
 * Out of memory, the hook registered with mem_on_exhausted() runs (the viewer restores the terminal there), one
 * line goes to standard error, and the process exits with status 1. No caller tests for NULL. In libflametop, the
 * call that needs the memory returns instead (src/lib/guard.h).
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

/*
 * For recordings that may go on for hours: from here on, large blocks return to the system as soon as they are
 * freed. glibc otherwise learns to keep blocks of up to 32 MB, and what each thread keeps adds up. Costs some 3 %
 * of time.
 */
void mem_return_large(void);

/* Called once, before the message, when memory is exhausted. Must not allocate. NULL removes it. */
void mem_on_exhausted(void (*hook)(void));

/* Ends the process as described above. */
_Noreturn void mem_exhausted(void);

void *mem_alloc(size_t bytes) __attribute__((returns_nonnull));               /* uninitialised; bytes may be 0 */
void *mem_zalloc(size_t count, size_t size) __attribute__((returns_nonnull)); /* zeroed; the product is checked */
/*
 * The same for hash tables, with its pages mapped at once. Reading a fresh page before writing it costs a second
 * fault, which interrupts every processor that runs one of our threads.
 */
void *mem_zalloc_table(size_t count, size_t size) __attribute__((returns_nonnull));
void *mem_realloc(void *old, size_t count, size_t size)
	__attribute__((returns_nonnull)); /* the product is checked */
/*
 * Before a call of a library that does not test each small allocation: makes sure that the allocator can give out
 * that many bytes (below 128 kB) without asking the system.
 */
void mem_ensure(size_t bytes);
/* A copy of n elements of `size` bytes; NULL stays NULL. */
void *mem_copy(const void *array, size_t n, size_t size);
char *mem_strdup(const char *s);            /* NULL stays NULL */
char *mem_strndup(const char *s, size_t n); /* always terminated */

/*
 * Growable array: makes room for `need` elements of `size` bytes. Updates *cap, the capacity, which at least
 * doubles, so that pushing is amortised O(1). Returns the (moved) array.
 */
void *mem_grow(void *array, size_t *cap, size_t need, size_t size) __attribute__((returns_nonnull));

/* Appends `value` to array `a` with length `n` (lvalue) and capacity `cap` (lvalue, size_t). */
#define mem_push(a, n, cap, value)                                          \
	do {                                                                    \
		if ((size_t)(n) == (cap))                                           \
			(a) = mem_grow((a), &(cap), (size_t)(n) + 1, sizeof *(a));      \
		if ((a) == NULL)                                                    \
			__builtin_unreachable(); /* for analyzers: there is room now */ \
		(a)[(n)++] = (value);                                               \
	} while (0)

#endif
