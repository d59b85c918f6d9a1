/*
 * ways.h - follows a path of names down a tree.
 *
 * A name leads to several siblings in a flame chart, and while a search keeps functions of one name and several
 * modules apart (recipe.apart). Only one of them may have the next name below. So all of them are followed; the
 * heaviest of those at the end counts.
 *
 *	w;e;p    leads through the second e:    w -> e [libb] -> z
 *	                                          -> e [liba] -> p
 */
#ifndef MODEL_WAYS_H
#define MODEL_WAYS_H

#include "tree.h"

struct ways {
	const struct tree *tree; /* not owned */
	uint32_t *now, *next;    /* the frames that the path so far leads to, and those one name further */
	size_t n, n_next, cap, cap_next;
};

void ways_init(struct ways *, const struct tree *); /* at the root */
void ways_deinit(struct ways *);
/* Adds a child of one of the present frames. */
void ways_add_one(struct ways *, uint32_t child);
/* The same with its siblings of the same name. */
void ways_add(struct ways *, uint32_t child);
/* Of the frames added, keeps those of this origin, unless none has it. */
void ways_prefer_origin(struct ways *, uint32_t origin);
/* Goes on to the frames added. false: there are none, and the present ones stay. */
bool ways_advance(struct ways *);
/* Of equal weights the one of the least origin, whatever the order of siblings. */
uint32_t ways_heaviest(const struct ways *);

/* The deepest frame on a path of symbols; *found (may be NULL) is its depth. NODE_ALL for an empty path. */
uint32_t ways_find_path(const struct tree *, const uint32_t *syms, size_t n, size_t *found);

#endif
