/*
 * debug_file.h - where the debug information and copies of an ELF file are.
 */
#ifndef SYMBOLS_DEBUG_FILE_H
#define SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf_file.h"

/* Directories; all owned. */
struct debug_paths {
	char **debug; /* as /usr/lib/debug */
	size_t n;
	char *cache; /* as ~/.debug; NULL: none */
};

/* debug: ends with NULL; NULL: /usr/lib/debug below root. cache: NULL is $HOME/.debug, "" none. */
void debug_paths_init(struct debug_paths *, const char *root, const char *const *debug, const char *cache);
void debug_paths_deinit(struct debug_paths *);

/*
 * Opens a file with the debug information of `elf`, which is at `path`: by its build id, else by its
 * .gnu_debuglink, whose checksum has to agree. Returns the path, which the caller frees; NULL: there is none.
 */
char *debug_file_open(const struct debug_paths *, const struct elf_file *elf, const char *path,
                      struct elf_file *debug);

/*
 * perf's copy of a file, by the build id: `name` is "elf", "vdso" or "kallsyms". Returns its path, which the caller
 * frees, whether or not there is a file. NULL: there is no cache, or no build id.
 */
char *debug_cache_path(const struct debug_paths *, const uint8_t *build_id, size_t n, const char *name);
/* The same in directory number i of debug information, "DIR/.build-id/ab/cdef.debug"; NULL: there are no more. */
char *debug_build_id_path(const struct debug_paths *, size_t i, const uint8_t *build_id, size_t n);

#endif
