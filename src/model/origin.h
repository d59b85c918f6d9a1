/*
 * origin.h - where a function comes from: its module and its source file. Two functions may have the same name.
 *
 *	main of /usr/bin/vim, main of /usr/bin/bash: one frame "main" in a flame graph, but two modules
 *
 * A name is one symbol. For each module and file from which functions of that name come, the symbol has a variant:
 * a further symbol with the same text and hash of its own, which stands for these functions alone. The paths of a
 * profile consist of variants, as far as the input tells modules or files. A fold applies filters to them; then it
 * merges the variants of a name (merge.h) or sums by module (group.h), so that in a tree each name is one symbol.
 *
 * The plain symbol keeps what is known about all functions of its name, as symtab_learn() describes. As a frame of
 * a path it is a function of unknown origin.
 *
 * Modules are the same if the last parts of their paths are, as for perf report: "/usr/lib/libc.so.6" and
 * "libc.so.6". Files are the same if their whole paths are.
 */
#ifndef MODEL_ORIGIN_H
#define MODEL_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symtab.h"

struct origin {
	enum frame_kind kind;
	uint32_t module; /* symbol, 0: unknown */
	uint32_t source; /* symbol of "file:line" or "file", 0: unknown */
};

/*
 * A frame of this name and origin: symtab_learn(), and the symbol for paths. The plain symbol if nothing but its
 * name is known. If `sym` is a variant, the origin completes that of the variant.
 */
uint32_t symtab_frame(struct symtab *, uint32_t sym, struct origin);
/* The same without learning; changes nothing if the variant exists. */
uint32_t symtab_variant(struct symtab *, uint32_t sym, struct origin);

/* The last part of a path, the whole if that is empty: a module's name. */
const char *origin_base(const char *path, size_t len, size_t *n);

#endif
