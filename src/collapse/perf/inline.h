/*
 * inline.h - looks up the functions inlined at an address, with addr2line.
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

/* Reports each kind of fault to the sink once. For one thread. */
struct inliner *inliner_new(struct sink *);
void inliner_free(struct inliner *); /* NULL is fine */

/*
 * Finds the functions at `address` (hex digits) of the file `module`, innermost first; valid until the next call.
 * `symbol` is the profiler's text with its offset ("main+0x1f"): it locates the function if the module was loaded
 * at another address than it was linked for. Returns how many; 0: nothing beyond the symbol is known.
 */
size_t inliner_find(struct inliner *, struct slice module, struct slice address, struct slice symbol,
                    const struct inlined **found);

#endif
