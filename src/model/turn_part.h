/*
 * turn_part.h - parts stacks that are being reversed, and makes the nodes of their tree.
 *
 * All stacks begin together at the new root. Those that stand at a node are parted by their next frame. Each part
 * gets one new node and is parted further on its own; a part of one stack is copied to its end. So no child of a
 * node is ever looked up. Parts are sorted and finished one after the other: nodes are made in the order of the
 * tree, each is written once, and what a part needs is close together.
 *
 * A stretch is a run of nodes that one thread makes: the whole tree, or a part of it (turn_team.h). Private to the
 * fold, as folding.h is.
 */
#ifndef MODEL_TURN_PART_H
#define MODEL_TURN_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sort.h"
#include "tree.h"
#include "trie.h"

/* A frame of a stack, and the path above it in the old trie; each step needs both. */
struct step {
	uint32_t sym; /* NO_SYMBOL: the stack has no more frames */
	uint32_t up;
};

/* A stack on its way from its leaf to its root. */
struct stack {
	uint32_t path; /* of the old trie: where it ends */
	struct step next;
};

/* Stacks [begin, end) stand at a node, and all go on with this frame; NO_SYMBOL: with any. */
struct part {
	uint32_t begin, end, at, sym;
};

/* What all stretches share; it does not change, but for the stacks and the map, each of which is in one stretch. */
struct turn_input {
	const struct trie *from;
	const struct step *steps; /* by path */
	struct stack *stacks;     /* n_stacks */
	uint32_t n_stacks;
	uint32_t *map;        /* NULL: not wanted */
	const uint32_t *rank; /* by symbol; NULL: siblings stay in the order in which they come */
	const uint64_t *key;  /* by path, see part_key(); NULL: rank alone decides */
	bool adds_keys;       /* else the greatest one counts */
	uint64_t most;        /* nodes */
	void (*wait)(void *); /* called by the first of the other threads before it works; NULL: nothing */
	void *wait_arg;
	size_t n_symbols;
};

/* Room that a thread needs to part stacks, for all its stretches. */
struct turn_room {
	uint32_t *part_of;   /* by symbol, while stacks are parted: number of its part plus one; else 0 */
	struct stack *other; /* copies of those that are parted */
	size_t cap_other;
	struct sort_item *items;
	size_t cap_items;
};

struct stretch {
	const struct turn_input *in;
	struct turn_room *room;
	struct tree *to;
	size_t cap;            /* nodes that `to` has room for */
	uint64_t sum[2];       /* weight of the nodes so far */
	uint64_t moved, ended; /* ended: stacks that progress does not know of yet */
	struct part *open;     /* parts that wait; the last one is next */
	size_t first_open;     /* those before it were given to another stretch */
	size_t n_open, cap_open;
	uint32_t *way; /* way[d]: the node at depth d above the next one, whose end is not known yet */
	uint32_t depth;
	size_t cap_way;
	bool has_zero;   /* a stack of weight 0 ended in the node */
	uint32_t *zeros; /* nodes in which only such stacks end */
	size_t n_zeros, cap_zeros;
	/* Called now and then, between two parts; false: the stretch should end. NULL: nobody asks. */
	bool (*goes_on)(struct stretch *);
};

void turn_room_init(struct turn_room *, const struct turn_input *);
void turn_room_deinit(struct turn_room *);

/* The stretch of the root, with all stacks as one part that waits; *to is overwritten. */
void stretch_begin(struct stretch *, const struct turn_input *, struct tree *to);
/* Makes nodes until no part waits, the fold is cancelled, or there are too many nodes. */
void stretch_run(struct stretch *);
/* No more nodes come: sets the ends of those above the last one. */
void stretch_close(struct stretch *);
/* The nodes of the stretch are the whole tree: completes it. */
void stretch_finish(struct stretch *);
void stretch_deinit(struct stretch *); /* without the tree */

#endif
