/*
 * nested.h - call trees of nested objects: each node holds its callees.
 *
 *	{"name":"main","value":5,"children":[{"name":"read","value":3,"children":[]}]}
 *
 * The members of a node come in any order, so its name may be known after its callees. Nodes are therefore kept,
 * and become paths at the end.
 */
#ifndef COLLAPSE_TEXT_NESTED_H
#define COLLAPSE_TEXT_NESTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAMELESS "a function without a name counts as its caller"

#include "collapse/collapse.h"

struct nested_node {
	uint32_t parent; /* its number from 1 on; 0: none */
	uint32_t sym;    /* 0: not a frame, its callees belong to its caller */
	uint32_t millionths;
	bool lacks_weight; /* none was given: it is that of the callees, if weights are with these */
	uint64_t weight;   /* and millionths */
	uint64_t other;    /* the format's own */
};

/* Zeroed is empty. */
struct nested {
	struct nested_node *nodes; /* that of number 1 first; parents before their callees */
	size_t n, cap;
	uint32_t *open; /* numbers of the nodes whose end has not come */
	size_t n_open, cap_open;
};

void nested_deinit(struct nested *);

/* Begins a node within the one that began last and has not ended. false: there are too many. */
bool nested_begin(struct nested *);
/* Ends it. true: it is forgotten, as it says no more than its sibling before; see nested.c. */
bool nested_end(struct nested *);
/* The node that began last and has not ended. Good until the next begins. */
struct nested_node *nested_top(const struct nested *);
/* Its number. */
static inline uint32_t nested_number(const struct nested *t)
{
	return t->open[t->n_open - 1];
}

/*
 * Are weights those of nodes with their callees? Then most nodes that have callees weigh as much as these together,
 * or more.
 */
bool nested_is_inclusive(const struct nested *);
/*
 * Takes the weights of its callees off the weight of each node. Returns by how much callees weighed more than their
 * callers, in whole numbers; such callers get 0.
 */
uint64_t nested_subtract_callees(struct nested *);

/* The path of each node, by its number; freed by the caller. */
uint32_t *nested_paths(const struct nested *, struct sink *);
/* Adds the weight of each node to a series. */
void nested_add_weights(const struct nested *, struct sink *, const uint32_t *paths, uint32_t series);
/* Adds one sample of a node, of which the weight, the time and the series are set. */
void nested_add(struct sink *, const uint32_t *paths, size_t number, struct sample);

#endif
