/*
 * branch.c - adds call trees that are printed from the root, one node a line, with its depth.
 *
 * Such reports have one line per call path. Looking each one up in a table of all paths would cost a cache miss per
 * line, nearly always to learn that the path is new. The open nodes tell that without the table, as they remember
 * their children,
 *
 *	Total    { main, clone }
 *	  clone  { worker }
 *	    worker { }
 *
 * and those are few. A node that was left and comes again (some tools print a function once for each address in its
 * caller) finds its children by links from path to path. Following them takes time in proportion to the children,
 * so each line adds a few links to a credit; beyond that, and for paths from other files, the profile is asked.
 */
#include "collapse/text/branch.h"

#include <stdbool.h>
#include <string.h>

#include "base/mem.h"

/* Up to this many children are compared one by one. */
#define FEW 24

/* Links of credit for each node that is put. */
#define LINKS_EACH 4

/* The last child added to a path, and the child that its parent got before this path; 0: none. */
struct branch_link {
	uint32_t child, sibling;
};

struct branch_level {
	uint32_t path;
	bool is_unknown; /* has children that are not listed here */
	uint32_t n;      /* children; their symbols and paths */
	size_t cap, cap_paths;
	uint32_t *syms, *paths;
	uint32_t *slots; /* child + 1 by symbol, once there are more than FEW */
	size_t n_slots;  /* a power of two, more than twice n; 0: none */
};

void branch_deinit(struct branch *b)
{
	for (size_t i = 0; i < b->n_levels; i++) {
		free(b->levels[i].syms);
		free(b->levels[i].paths);
		free(b->levels[i].slots);
	}
	free(b->levels);
	free(b->links);
	*b = (struct branch){0};
}

static uint32_t *find_slot(const struct branch_level *l, uint32_t sym)
{
	size_t at = sym * 0x9e3779b1u & (l->n_slots - 1);
	while (l->slots[at] && l->syms[l->slots[at] - 1] != sym)
		at = (at + 1) & (l->n_slots - 1);
	return &l->slots[at];
}

/* Symbols are numbered in sequence, so no input can make them collide. */
static void index_children(struct branch_level *l)
{
	l->n_slots = l->n_slots ? l->n_slots * 2 : 4 * FEW;
	while (l->n_slots & (l->n_slots - 1))
		l->n_slots += l->n_slots & -l->n_slots;
	free(l->slots);
	l->slots = mem_zalloc(l->n_slots, sizeof *l->slots);
	for (uint32_t i = 0; i < l->n; i++)
		*find_slot(l, l->syms[i]) = i + 1;
}

/* The child's path; PATH_ROOT: there is none. */
static uint32_t find_child(const struct branch_level *l, uint32_t sym)
{
	if (l->n_slots) {
		uint32_t child = *find_slot(l, sym);
		return child ? l->paths[child - 1] : PATH_ROOT;
	}
	for (uint32_t i = 0; i < l->n; i++) {
		if (l->syms[i] == sym)
			return l->paths[i];
	}
	return PATH_ROOT;
}

static void add_child(struct branch_level *l, uint32_t sym, uint32_t path)
{
	uint32_t n = l->n;
	mem_push(l->syms, l->n, l->cap, sym);
	mem_push(l->paths, n, l->cap_paths, path);
	if (l->n_slots ? (size_t)l->n * 2 > l->n_slots : l->n > FEW)
		index_children(l);
	else if (l->n_slots)
		*find_slot(l, sym) = l->n;
}

static void enter(struct branch_level *l, uint32_t path, bool is_unknown)
{
	l->path = path;
	l->is_unknown = is_unknown;
	l->n = 0;
	if (!l->n_slots)
		return;
	free(l->slots);
	l->slots = NULL;
	l->n_slots = 0;
}

/* Links the paths that are new since the last time: most trees have no node twice, and never need it. */
static void add_links(struct branch *b, const struct profile *p)
{
	size_t n = p->n_paths - b->first;
	if (n > b->cap_links)
		b->links = mem_grow(b->links, &b->cap_links, n, sizeof *b->links);
	for (; b->n_links < n; b->n_links++) {
		uint32_t path = b->first + (uint32_t)b->n_links, parent = p->parent[path];
		b->links[b->n_links] = (struct branch_link){0};
		if (parent < b->first)
			continue;
		struct branch_link *above = &b->links[parent - b->first];
		b->links[b->n_links].sibling = above->child;
		above->child = path;
	}
}

/* Enters a node that was there before: lists its children, if there are links to them and not too many. */
static void enter_again(struct branch *b, const struct profile *p, struct branch_level *l, uint32_t path)
{
	enter(l, path, path < b->first);
	if (l->is_unknown)
		return;
	add_links(b, p);
	for (uint32_t child = b->links[path - b->first].child; child; child = b->links[child - b->first].sibling) {
		if (!b->credit--) {
			b->credit = 0;
			enter(l, path, true);
			return;
		}
		add_child(l, p->sym[child], child);
	}
}

/* Room for the root and depth + 1 nodes. */
static void reach(struct branch *b, const struct profile *p, size_t depth)
{
	bool is_first = !b->n_levels;
	if (depth + 2 > b->cap)
		b->levels = mem_grow(b->levels, &b->cap, depth + 2, sizeof *b->levels);
	while (b->n_levels < depth + 2)
		b->levels[b->n_levels++] = (struct branch_level){0};
	if (is_first) {
		enter(&b->levels[0], PATH_ROOT, p->n_paths > 1);
		b->first = p->n_paths;
	}
}

uint32_t branch_put(struct branch *b, struct profile *p, size_t depth, uint32_t sym)
{
	if (depth + 2 > b->n_levels)
		reach(b, p, depth);
	struct branch_level *parent = &b->levels[depth], *node = parent + 1;
	uint32_t path = parent->is_unknown ? PATH_ROOT : find_child(parent, sym);
	bool is_same = path != PATH_ROOT && path == node->path;
	b->height = depth + 1;
	b->credit += LINKS_EACH;
	if (is_same) /* and its children are still known */
		return path;
	uint32_t n_paths = p->n_paths;
	if (parent->is_unknown) {
		path = profile_child(p, parent->path, sym);
	} else if (path == PATH_ROOT) {
		path = profile_append_unindexed(p, parent->path, sym);
		add_child(parent, sym, path);
	}
	if (p->n_paths == n_paths)
		enter_again(b, p, node, path);
	else
		enter(node, path, false);
	return path;
}
