/*
 * line_reader.h - what the functions of one recipe have in common, for their lines.
 *
 * Private to line_reader.c, which makes it, and to line_sums.c, which sums up one function after the other.
 */
#ifndef MODEL_LINE_READER_H
#define MODEL_LINE_READER_H

#include "base/arena.h"
#include "base/map.h"
#include "folding.h"
#include "line_index.h"
#include "line_samples.h"
#include "lines.h"
#include "sites.h"

struct line_reader {
	struct profile *profile;
	struct recipe recipe;
	struct folding folding;
	const struct line_finder *finder;
	uint32_t *functions; /* by symbol, see line_reader_join_names(); NULL: not joined */
	size_t n_functions;
	struct line_samples samples;
	struct sites *shown;            /* without those that filters take out; NULL: the profile's */
	struct line_ranks nodes, paths; /* of the trie of sites, and of the fold's */
	struct line_groups entries;     /* numbers of samples.v, by rank of the path */
	bool is_indexed;                /* there are: */
	struct line_groups own_sites, own_nodes, own_paths; /* sites, and ranks of nodes and paths, by function */
	/* Between two functions without values: */
	uint32_t *row;       /* by site: its row; UINT32_MAX: it is of another function */
	uint32_t *innermost; /* by rank of a node: the row of the innermost line of the function on the way to it */
	uint64_t *weight[2]; /* likewise: of the samples whose innermost site it is, then of all that are below */
	uint64_t *counts;    /* likewise, of samples */
	const char **names;  /* of files, each once */
	size_t n_names, cap_names;
	struct map ids;
	struct arena texts;
};

/* Those of the view. Those of a profile without sites have the root of the trie alone. */
const struct sites *line_reader_sites(const struct line_reader *);
/* The function, or its module, as the tree names it. */
uint32_t line_reader_label(const struct line_reader *, uint32_t sym);
/* File and line of a site, as the key of a row. */
struct line_row line_reader_place(struct line_reader *, const struct site *);
/* Tells where each function is, unless that is known. */
void line_reader_index(struct line_reader *);

#endif
