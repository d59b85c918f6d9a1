/*
 * unwind_files.h - the files of an unwinder, each opened once for all processes that map it.
 */
#ifndef SYMBOLS_UNWIND_FILES_H
#define SYMBOLS_UNWIND_FILES_H

#include "base/err.h"
#include "symbols/cfi.h"
#include "symbols/unwind_input.h"

struct unwind_files;

struct unwind_files *unwind_files_new(void);
void unwind_files_free(struct unwind_files *);

/* NULL: the file cannot be read, or is not the recorded one. */
struct cfi *unwind_files_get(struct unwind_files *, const struct unwind_map *);
/*
 * What is added to its addresses to make those of the process; false: the map holds no part of it that is loaded.
 */
bool unwind_files_bias(const struct cfi *, const struct unwind_map *, uint64_t *bias);

/* As unwind_trouble(). */
const char *unwind_files_trouble(const struct unwind_files *);

#endif
