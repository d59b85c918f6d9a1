/*
 * perf_sites.h - where in their functions the frames of perf script are, for views of lines.
 *
 *	    55d0a1 parse+0x41 (/usr/bin/app)      0x41 bytes into parse() of that file
 *	    55d0a1 parse+0x41 (/usr/bin/app)      line 12, as perf script -F +srcline tells
 *	  parse.c:12
 *
 * The text has no addresses of files. The function is looked up when lines are asked for (symbols/code_lines.h), so
 * reading stays fast.
 */
#ifndef COLLAPSE_PERF_SITES_H
#define COLLAPSE_PERF_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/perf/perf_frames.h"

/* A place in a function; {0}: unknown. */
struct perf_at {
	uint32_t code;   /* sites_code(); NO_CODE: see file */
	uint32_t offset; /* from the start of the function */
	uint32_t file;   /* symbol of the source file; 0: unknown */
	uint32_t line;
	uint32_t caller; /* number + 1 of the site of a caller there, if it is known already; else 0 */
};

struct perf_sites;

/* NULL: options.wants_sites is not set. */
struct perf_sites *perf_sites_new(struct sink *);
void perf_sites_free(struct perf_sites *); /* NULL: nothing */

/* The place of a line whose frames were found. */
struct perf_at perf_sites_at(struct perf_sites *, struct perf_memo *, const struct perf_site *);
/* Makes perf_sites_child() faster for callers there, which are always this symbol. */
void perf_sites_know_caller(struct perf_sites *, uint32_t sym, struct perf_at *);
/* A place told by a source line, "file.c:12". */
struct perf_at perf_sites_source(struct perf_sites *, struct slice place);
/*
 * The node of profile.sites for a frame below `parent`. is_leaf: its address is that of the sample, not where a
 * call returns to. level: as site.line.
 */
uint32_t perf_sites_child(struct perf_sites *, uint32_t parent, uint32_t sym, const struct perf_at *, bool is_leaf,
                          uint32_t level);
/* The node of a whole stack, root first; frames of one address are inlined, each into the one before it. */
uint32_t perf_sites_stack(struct perf_sites *, const uint32_t *frames, const uint64_t *addresses,
                          const struct perf_at *, size_t n);

#endif
