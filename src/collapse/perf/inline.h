/*
 * inline.h - the functions that a compiler has put into one another at an address, as addr2line knows them.
 */
#ifndef COLLAPSE_PERF_INLINE_H
#define COLLAPSE_PERF_INLINE_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"
#include "collapse/text/lines.h"

/* One function at an address; the texts belong to the inliner. */
struct inlined {
	struct slice function;
	struct slice place; /* "file.c:12"; empty: unknown */
};

struct inliner;

/* What goes wrong is told to the sink once for each kind of fault. For one thread. */
struct inliner *inliner_new(struct sink *);
void inliner_free(struct inliner *); /* NULL is fine */

/*
 * The functions at `address` (hex digits) of the file `module`, innermost first; valid until the next call.
 * `symbol` is what the profiler printed, with its offset ("main+0x1f"): where the module was loaded at another
 * address than it was linked for, the place is found from there. Returns how many, 0: nothing is known that the
 * symbol does not say.
 */
size_t inliner_find(struct inliner *, struct slice module, struct slice address, struct slice symbol,
                    const struct inlined **found);

#endif
