/*
 * debug_file.h - finds the debug information and the copies of an ELF file.
 */
#ifndef SYMBOLS_DEBUG_FILE_H
#define SYMBOLS_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_sums.h"
#include "symbols/debuginfod.h"
#include "symbols/elf_file.h"

/* Directories; all owned. */
struct debug_paths {
	char **debug; /* such as /usr/lib/debug */
	size_t n;
	bool are_below_root;       /* these */
	char *cache;               /* such as ~/.debug; NULL: none */
	char *root;                /* below which all files of the recording are; "": the real one */
	struct debuginfod *remote; /* not owned; NULL: no server is asked */
	struct report *report;     /* not owned; told of files that are here and are not read; NULL: nobody is */
	struct debug_sums *sums;
	bool wants_lines; /* ask servers for debug information of files that have a symbol table */
};

/*
 * debug: a list that ends with NULL; NULL means /usr/lib/debug below root. cache: NULL is $HOME/.debug, "" none. A
 * root may have copies in ROOT/.debug, too, which go before those of the cache.
 */
void debug_paths_init(struct debug_paths *, const char *root, const char *const *debug, const char *cache);
void debug_paths_deinit(struct debug_paths *);

/*
 * Opens a file with the debug information of `elf`, which is at `path`: by its build id, else by its
 * .gnu_debuglink, whose checksum must agree, else from a server. Returns the path, which the caller frees; NULL:
 * there is none.
 */
char *debug_file_open(const struct debug_paths *, const struct elf_file *elf, const char *path,
                      struct elf_file *debug);

/* What several debug files share (.gnu_debugaltlink, made by dwz). */
struct debug_alt {
	char *name; /* as in the link; NULL: there is no link */
	char *path; /* NULL: it is not here */
	uint8_t build_id[BUILD_ID_MAX];
	size_t n_build_id;
};

/* Finds what the file with the debug information, at `path`, shares with others. */
void debug_alt_find(struct debug_alt *, const struct debug_paths *, const struct elf_file *, const char *path);
void debug_alt_deinit(struct debug_alt *);

/*
 * Finds perf's copy of a file by the build id: `name` is "elf", "vdso" or "kallsyms". Returns the path of the first
 * that exists; the caller frees it. NULL: there is no copy, or no build id.
 */
char *debug_cache_path(const struct debug_paths *, const uint8_t *build_id, size_t n, const char *name);
/* The same in debug directory number i, "DIR/.build-id/ab/cdef.debug"; NULL: there are no more directories. */
char *debug_build_id_path(const struct debug_paths *, size_t i, const uint8_t *build_id, size_t n);
/* The path of a name, "/...", in debug directory number i; the caller frees it. */
char *debug_path(const struct debug_paths *, size_t i, const char *name);

#endif
