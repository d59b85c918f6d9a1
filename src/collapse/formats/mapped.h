/*
 * mapped.h - stacks of addresses, in formats that list the mapped files after the stacks, as /proc/PID/maps does.
 *
 *	mapped_address(&m, address);          the leaf first
 *	mapped_stack(&m, values, n);
 *	...
 *	mapped_line(&m, line);                "55c8-55c9 r-xp 00001000 00:00 10985516    /usr/bin/app"
 *	...
 *	mapped_emit(&m, series, n, LEAF_IS_EXACT);
 *
 * Names come from the files on this machine (symbols/symbols.h). The maps have no build ids, so a file that has
 * changed since gives wrong names; a note says where names come from. A function without a name has that of its
 * module, "[libc.so.6]"; an address outside of all modules is its own name.
 */
#ifndef COLLAPSE_FORMATS_MAPPED_H
#define COLLAPSE_FORMATS_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/idmap.h"
#include "collapse/collapse.h"
#include "collapse/formats/mapped_names.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"

struct mapped {
	struct sink *sink;
	struct mapped_names *names; /* NULL: there are no maps yet */
	uint64_t *words;            /* for each stack: times in a row, number of its addresses, these, the values */
	size_t n_words, cap_words;
	size_t start;        /* of the stack that is being read */
	size_t last;         /* of the one before; the same as `start`: none */
	struct idmap frames; /* symbols by address */
	struct frames stack;
	struct buf text;
};

void mapped_init(struct mapped *, struct sink *);
void mapped_deinit(struct mapped *);

void mapped_address(struct mapped *, uint64_t address);
/* Ends a stack. One without a value takes no memory, and neither does one that equals the one before. */
void mapped_stack(struct mapped *, const uint64_t *values, size_t n);
/* false: not a line of maps. */
bool mapped_line(struct mapped *, struct slice line);

/* Is the leaf an instruction at work, or a return address as all others? */
enum mapped_leaf { LEAF_IS_EXACT, LEAF_IS_CALLER };
/* Emits all stacks, of n values each, and forgets them and the maps: those of another profile may follow. */
void mapped_emit(struct mapped *, const uint32_t *series, size_t n, enum mapped_leaf);

#endif
