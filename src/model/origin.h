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
 * The line of a function is a number beside the symbol of its file: so a long name of a file takes memory once,
 * not for each of its functions.
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

struct buf;

struct origin {
	enum frame_kind kind;
	uint32_t module; /* symbol, 0: unknown */
	uint32_t source; /* symbol of the file, 0: unknown; its name may be "file:line:column" if line is 0 */
	uint32_t line;   /* at most LINE_MOST; 0: unknown, or in the name of the source */
};

/*
 * Adds facts about a symbol; KIND_UNKNOWN and 0 mean unknown. If samples disagree, the lowest kind, the module
 * that sorts first, and the first line win, so that the order of samples does not matter.
 */
void symtab_learn(struct symtab *, uint32_t sym, struct origin);
/* What is known about a symbol. */
struct origin symtab_origin(const struct symtab *, uint32_t sym);

/*
 * A frame of this name and origin: symtab_learn(), and the symbol for paths. The plain symbol if nothing but its
 * name is known. If `sym` is a variant, the origin completes that of the variant.
 */
uint32_t symtab_frame(struct symtab *, uint32_t sym, struct origin);
/* The same without learning; changes nothing if the variant exists. */
uint32_t symtab_variant(struct symtab *, uint32_t sym, struct origin);

/*
 * The source file of a symbol: returns the length of its path, with which the name of the symbol's source begins;
 * *line is 0 if it is unknown. Without a source, both are 0.
 */
size_t origin_place(const struct symtab *, uint32_t sym, uint64_t *line);
/* Adds the source as people write it: "file:line", "file:line:column", "file", nothing. */
void origin_add_place(const struct symtab *, uint32_t sym, struct buf *out);

/* The last part of a path, the whole if that is empty: a module's name. */
const char *origin_base(const char *path, size_t len, size_t *n);

#endif
