/*
 * debug_sums.h - the checksums of debug files, each read once, and not more than a limit of bytes for all of them.
 */
#ifndef SYMBOLS_DEBUG_SUMS_H
#define SYMBOLS_DEBUG_SUMS_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/elf_file.h"

struct debug_sums;

struct debug_sums *debug_sums_new(void);
void debug_sums_free(struct debug_sums *); /* NULL is fine */

#define DEBUG_SUMS_MOST ((uint64_t)4 << 30) /* bytes that are read for checksums */

/* The checksum of the file, as .gnu_debuglink has it. false: it cannot be read, or that would be too many bytes. */
bool debug_sums_get(struct debug_sums *, const struct elf_file *, uint32_t *sum);
/* Was one refused for the limit? */
bool debug_sums_are_full(const struct debug_sums *);

#endif
