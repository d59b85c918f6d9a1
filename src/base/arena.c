/*
 * arena.c - many small allocations that live and die together.
 *
 *	chunks -> [header|used used used ......left] -> [header|used ....] -> [header|one large piece] -> NULL
 *
 * Chunks grow with the arena: a small arena stays small, and a large one makes few calls. A piece that would waste
 * much of a chunk gets its own chunk, linked after the newest, so that the free rest of the newest stays in use.
 */
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"

#define ALIGNMENT ((size_t)16)
#define SMALLEST_CHUNK ((size_t)4096)
#define LARGEST_CHUNK ((size_t)1 << 20)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of data, a multiple of the alignment */
	_Alignas(ALIGNMENT) unsigned char data[];
};

void arena_init(struct arena *a)
{
	*a = (struct arena){0};
}

void arena_deinit(struct arena *a)
{
	struct arena_chunk *next;
	for (struct arena_chunk *c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	arena_init(a);
}

static struct arena_chunk *chunk_new(struct arena *a, size_t size)
{
	if (size > SIZE_MAX / 2)
		mem_exhausted();
	size = (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	struct arena_chunk *c = mem_alloc(sizeof *c + size);
	c->size = size;
	a->total += sizeof *c + size;
	return c;
}

static size_t next_chunk_size(const struct arena *a)
{
	size_t size = a->total < LARGEST_CHUNK ? a->total : LARGEST_CHUNK;
	if (size < SMALLEST_CHUNK)
		size = SMALLEST_CHUNK;
	return size - sizeof(struct arena_chunk);
}

/* The newest chunk has no room for `bytes`. */
static unsigned char *take_from_new_chunk(struct arena *a, size_t bytes)
{
	size_t size = next_chunk_size(a);
	if (a->chunks && bytes > size / 4) {
		struct arena_chunk *own = chunk_new(a, bytes);
		own->next = a->chunks->next;
		a->chunks->next = own;
		return own->data;
	}
	struct arena_chunk *c = chunk_new(a, bytes > size ? bytes : size);
	c->next = a->chunks;
	a->chunks = c;
	a->left = c->size - bytes;
	return c->data;
}

static unsigned char *take(struct arena *a, size_t bytes)
{
	if (!a->chunks || bytes > a->left)
		return take_from_new_chunk(a, bytes);
	unsigned char *p = a->chunks->data + (a->chunks->size - a->left);
	a->left -= bytes;
	return p;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
	/* Chunks begin and end aligned, so rounding the rest down aligns its start. */
	a->left &= ~(ALIGNMENT - 1);
	return take(a, bytes);
}

char *arena_bytes(struct arena *a, const void *bytes, size_t n)
{
	if (n == SIZE_MAX)
		mem_exhausted();
	char *copy = (char *)take(a, n + 1);
	if (n > 0)
		memcpy(copy, bytes, n);
	copy[n] = '\0';
	return copy;
}

void arena_join(struct arena *to, struct arena *from)
{
	struct arena_chunk **last = &from->chunks;
	if (!to->chunks) {
		*to = *from;
		arena_init(from);
		return;
	}
	while (*last)
		last = &(*last)->next;
	*last = to->chunks->next;
	to->chunks->next = from->chunks;
	to->total += from->total;
	arena_init(from);
}
