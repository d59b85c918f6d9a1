/*
 * call_lines.h - splits the costs of a function's lines among the paths of a call graph on which it is.
 *
 * A call graph knows the cost of a line, not on which path. A heavy path gets a part of each line, in proportion to
 * its weight; the others, if there are too many, get one line after the other. The sums of lines and of paths are
 * exact in both cases.
 */
#ifndef COLLAPSE_FORMATS_CALL_LINES_H
#define COLLAPSE_FORMATS_CALL_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/formats/call_graph.h"

struct call_lines {
	struct call_graph *graph;
	struct sink *sink;
	const uint32_t *syms;   /* frames, by function */
	uint32_t *first, *list; /* lines of function f: list[first[f]] up to list[first[f + 1]] */
	uint64_t *costs;        /* by line, of one event */
	uint64_t splits;        /* parts that all functions and events may still have */
};

/* Borrows the graph, the sink and syms[]. */
void call_lines_init(struct call_lines *, struct call_graph *, struct sink *, const uint32_t *syms);
void call_lines_deinit(struct call_lines *);
/* Goes on to an event, which must be later than the one before. */
void call_lines_take(struct call_lines *, size_t event);

/* What the paths of a function add up to. */
struct line_sum {
	uint32_t function, series;
	uint64_t weight;
	uint64_t factor; /* of all weights, in the samples */
};

struct line_split {
	struct call_lines *lines;
	struct line_sum sum; /* weight: that is not yet on a path */
	uint64_t *left;      /* by line of the function: cost that is not yet on a path; NULL: no lines */
	uint32_t *sites;
	uint32_t n, first; /* lines; the first with cost left */
	uint64_t heavy;    /* weight of a path from which it is heavy */
};

/* Borrows the lines. */
void line_split_init(struct line_split *, struct call_lines *, const struct line_sum *, size_t n_paths);
void line_split_deinit(struct line_split *);
/* Pushes the samples of one path of the function into the sink; their weights add up to `weight`. */
void line_split_add(struct line_split *, uint32_t path, uint64_t weight);

#endif
