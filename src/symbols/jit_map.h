/*
 * jit_map.h - functions of a JIT compiler, from the text file that it writes for perf (/tmp/perf-PID.map).
 */
#ifndef SYMBOLS_JIT_MAP_H
#define SYMBOLS_JIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jit_map;

struct jit_function {
	const char *name; /* lives as long as the map, with a NUL at its end */
	uint64_t start;
};

/*
 * Takes over the text from the heap, n bytes and one more; NULL if n is 0. Skips damaged lines. Never returns NULL.
 * Besides the text, each function takes at most 56 bytes, and 32 when the map is made.
 */
struct jit_map *jit_map_new(char *text, size_t n);
/* Bytes of memory that a map of this text takes at most, also while it is made. */
uint64_t jit_map_memory(const char *text, size_t n);
void jit_map_free(struct jit_map *); /* NULL is fine */
bool jit_map_has_any(const struct jit_map *);
/* false: no function holds the address. */
bool jit_map_find(const struct jit_map *, uint64_t address, struct jit_function *);

#endif
