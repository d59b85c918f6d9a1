/*
 * debug_file.h - finds the debug information and the copies of an ELF file.
 */
#ifndef SYMBOLS_DEBUG_FILE_H
#define SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debuginfod.h"
#include "symbols/elf_file.h"

/* Directories; all owned. */
struct debug_paths {
	char **debug; /* such as /usr/lib/debug */
	size_t n;
	char *cache;               /* such as ~/.debug; NULL: none */
	struct debuginfod *remote; /* not owned; NULL: no server is asked */
	bool wants_lines;          /* ask servers for debug information of files that have a symbol table */
};

/* debug: a list that ends with NULL; NULL means /usr/lib/debug below root. cache: NULL is $HOME/.debug, "" none. */
void debug_paths_init(struct debug_paths *, const char *root, const char *const *debug, const char *cache);
void debug_paths_deinit(struct debug_paths *);

/*
 * Opens a file with the debug information of `elf`, which is at `path`: by its build id, else by its
 * .gnu_debuglink, whose checksum must agree, else from a server. Returns the path, which the caller frees; NULL:
 * there is none.
 */
char *debug_file_open(const struct debug_paths *, const struct elf_file *elf, const char *path,
                      struct elf_file *debug);

/*
 * Builds the path of perf's copy of a file from the build id: `name` is "elf", "vdso" or "kallsyms". Returns the
 * path, whether or not a file is there; the caller frees it. NULL: there is no cache, or no build id.
 */
char *debug_cache_path(const struct debug_paths *, const uint8_t *build_id, size_t n, const char *name);
/* The same in debug directory number i, "DIR/.build-id/ab/cdef.debug"; NULL: there are no more directories. */
char *debug_build_id_path(const struct debug_paths *, size_t i, const uint8_t *build_id, size_t n);

#endif
