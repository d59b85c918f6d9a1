/*
 * tree.c - walks a flame graph that is stored as preorder arrays.
 *
 *	index   0    1     2     3      4          a subtree is an index range, so "is it inside" is two compares;
 *	        all  main  read  parse  write      the next sibling of i is end[i]; climbing parent[] finds the parents
 *	end     5    5     4     4      5          of a node, without a search.
 *
 * Positions are prefix sums in the same order, so a binary search over all nodes finds the frame at a position, and
 * a short climb (or a short walk along siblings, whichever ends first) leads to the sibling that holds it. No
 * function here recurses: a stack may be a million frames deep.
 */
#include "tree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "samples.h"

void tree_init(struct tree *t)
{
	*t = (struct tree){.n = 1};
	t->sym = mem_zalloc(1, sizeof *t->sym);
	t->parent = mem_zalloc(1, sizeof *t->parent);
	t->end = mem_zalloc(1, sizeof *t->end);
	t->end[0] = 1;
	t->pos = mem_zalloc(2, sizeof *t->pos);
}

void cut_free(struct cut *c)
{
	if (!c)
		return;
	tree_deinit(&c->whole);
	free(c->tails);
	free(c->sum[0]);
	free(c->sum[1]);
	free(c->most_rows);
	free(c->below);
	free(c);
}

void tree_deinit(struct tree *t)
{
	free(t->sym);
	free(t->origin);
	free(t->functions);
	free(t->parent);
	free(t->end);
	free(t->pos);
	free(t->base);
	free(t->ends);
	free(t->nameless);
	free(t->time);
	free(t->until);
	free(t->lanes);
	cut_free(t->cut);
	if (t->heavy)
		free(atomic_load(&t->heavy->found));
	free(t->heavy);
	*t = (struct tree){.n = 0};
}

void tree_add_light(const struct tree *t, uint32_t node, uint64_t least, struct tree_light *light)
{
	for (uint32_t i = node > NODE_ALL ? node : NODE_ALL + 1; i < t->end[node]; i++) {
		uint64_t total = tree_total(t, i);
		if (!total && tree_base_total(t, i))
			light->gone++;
		else if (total < least && !tree_is_gap(t, i))
			light->narrow++;
	}
}

uint32_t tree_depth(const struct tree *t, uint32_t node)
{
	uint32_t depth = 0;
	for (; node != NODE_ALL; node = t->parent[node])
		depth++;
	return depth;
}

uint32_t tree_child_towards(const struct tree *t, uint32_t parent, uint32_t node)
{
	while (t->parent[node] != parent)
		node = t->parent[node];
	return node;
}

uint64_t tree_time_at(const struct tree *t, uint64_t position)
{
	uint32_t low = 0, high = t->n; /* [low, high) holds the last node that begins at or before position */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (t->pos[middle] <= position)
			low = middle;
		else
			high = middle;
	}
	uint64_t from = t->time[low], to = low + 1 < t->n ? t->time[low + 1] : t->time_end;
	uint64_t width = t->pos[low + 1] - t->pos[low], in = position - t->pos[low];
	if (to <= from || width == 0 || in >= width)
		return in >= width && to > from ? to : from;
	uint64_t passed = weight_from((double)(to - from) * ((double)in / (double)width));
	return passed < to - from ? from + passed : to;
}

/* Climbs from node i - 1, which is on the last branch of the previous sibling's subtree. */
uint32_t tree_previous_sibling(const struct tree *t, uint32_t i)
{
	if (i == NODE_ALL || i - 1 == t->parent[i])
		return NO_NODE;
	return tree_child_towards(t, t->parent[i], i - 1);
}

/*
 * The first node in [from, to) whose self weight ends after value; that of the last one must. Self weights are in
 * preorder, so everything before that node, and every subtree before it, ends at or before value.
 */
static uint32_t node_past(const uint64_t *pos, uint32_t from, uint32_t to, uint64_t value)
{
	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		if (pos[mid + 1] > value)
			to = mid;
		else
			from = mid + 1;
	}
	return from;
}

/*
 * The sibling at or after `first` whose subtree holds `inner`. Climbing costs the depth below, walking costs the
 * siblings in between; alternating the two costs at most twice the cheaper one.
 */
static uint32_t sibling_holding(const struct tree *t, uint32_t first, uint32_t inner)
{
	uint32_t parent = t->parent[first];
	for (;;) {
		if (inner < t->end[first])
			return first;
		if (t->parent[inner] == parent)
			return inner;
		first = t->end[first];
		inner = t->parent[inner];
	}
}

uint32_t tree_sibling_at(const struct tree *t, const uint64_t *pos, uint32_t first, uint64_t value)
{
	uint32_t stop = t->end[t->parent[first]];
	if (pos[stop] <= value)
		return NO_NODE;
	for (int steps = 0; steps < 4; steps++) {
		if (pos[t->end[first]] > value)
			return first;
		first = t->end[first];
	}
	return sibling_holding(t, first, node_past(pos, first, stop, value));
}

uint32_t tree_child_at(const struct tree *t, uint32_t parent, uint64_t value)
{
	uint32_t first = tree_first_child(t, parent);
	return first == NO_NODE ? NO_NODE : tree_sibling_at(t, t->pos, first, value);
}

uint32_t tree_lane_of(const struct tree *t, uint32_t node)
{
	uint32_t low = 0, high = t->n_lanes;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (t->lanes[middle].first <= node)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Nodes of a lane are in the order in which they begin. */
uint32_t tree_sibling_by_time(const struct tree *t, uint32_t first, uint32_t end, uint64_t time)
{
	uint32_t low = first, high = end;
	if (first >= end || t->time[first] > time)
		return NO_NODE;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;
		if (t->time[middle] <= time)
			low = middle;
		else
			high = middle;
	}
	return sibling_holding(t, first, low);
}

uint64_t tree_bare(const struct tree *t, uint32_t node)
{
	uint64_t bare = tree_self(t, node);
	if (!t->is_chart)
		return bare;
	for (uint32_t i = node + 1; i < t->end[node]; i = t->end[i])
		if (tree_is_gap(t, i))
			bare += tree_total(t, i);
	return bare;
}

/* Frames on the root of a caller tree were on top of their stacks; the others are their callers. */
static bool is_reversed_at(const struct tree *t, uint32_t node)
{
	return t->is_reversed && node != NODE_ALL;
}

uint64_t tree_own(const struct tree *t, uint32_t node)
{
	if (!is_reversed_at(t, node))
		return tree_bare(t, node);
	return t->parent[node] == NODE_ALL ? tree_total(t, node) : 0;
}

uint64_t tree_base_own(const struct tree *t, uint32_t node)
{
	if (!is_reversed_at(t, node))
		return tree_base_self(t, node);
	return t->parent[node] == NODE_ALL ? tree_base_total(t, node) : 0;
}

size_t tree_path(const struct tree *t, uint32_t node, uint32_t *syms, size_t max)
{
	size_t n = tree_depth(t, node);
	for (size_t i = n; i-- > 0; node = t->parent[node])
		if (i < max)
			syms[i] = t->sym[node];
	return n;
}

uint32_t tree_find_child(const struct tree *t, uint32_t parent, uint32_t sym)
{
	uint32_t best = NO_NODE;
	for (uint32_t i = parent + 1; i < t->end[parent]; i = t->end[i]) {
		if (t->sym[i] != sym)
			continue;
		if (!t->is_chart)
			return i;
		if (tree_is_gap(t, i))
			continue;
		if (best == NO_NODE || tree_total(t, i) > tree_total(t, best))
			best = i;
	}
	return best;
}

/*
 * Distance of `at` from the stretch of node i; 0: inside. Times may run backwards where one thread follows another.
 */
static uint64_t distance(const struct tree *t, const uint64_t *starts, uint32_t i, uint64_t at)
{
	uint64_t start = starts[i], end = starts == t->time && t->end[i] == t->n ? t->time_end + 1 : starts[t->end[i]];
	if (starts == t->time && t->until)
		end = t->until[i];
	uint64_t last = end > start ? end - 1 : start;
	return at < start ? start - at : at > last ? at - last : 0;
}

uint32_t tree_find_child_near(const struct tree *t, const uint64_t *starts, uint32_t parent, uint32_t sym,
                              uint64_t at)
{
	uint32_t best = starts == t->pos ? tree_child_at(t, parent, at) : NO_NODE;
	uint64_t least = UINT64_MAX;
	if (best != NO_NODE && t->sym[best] == sym && !tree_is_gap(t, best))
		return best;
	best = NO_NODE;
	for (uint32_t i = parent + 1; i < t->end[parent]; i = t->end[i]) {
		if (t->sym[i] != sym || tree_is_gap(t, i))
			continue;
		uint64_t d = distance(t, starts, i, at);
		if (best != NO_NODE && d >= least)
			continue;
		best = i;
		least = d;
	}
	return best;
}

uint32_t tree_widest_frame(const struct tree *t, uint32_t below, uint32_t sym)
{
	uint32_t best = NO_NODE;
	for (uint32_t i = below; i < t->end[below]; i++)
		if (t->sym[i] == sym && i != NODE_ALL && !tree_is_gap(t, i) &&
		    (best == NO_NODE || tree_total(t, i) > tree_total(t, best)))
			best = i;
	return best;
}

static bool broken(char *why, size_t size, const char *what, uint32_t node)
{
	snprintf(why, size, "node %" PRIu32 ": %s", node, what);
	return false;
}

/* Every node's parent must be the innermost subtree still open at the node; `depth` is that subtree's depth. */
static bool check_shape(const struct tree *t, char *why, size_t size)
{
	uint32_t open = NODE_ALL, depth = 0, deepest = 0;
	if (t->n == 0 || t->sym[0] != 0 || t->parent[0] != 0 || t->end[0] != t->n)
		return broken(why, size, "the root must hold every node", 0);
	for (uint32_t i = 1; i < t->n; i++) {
		for (; t->end[open] <= i; depth--)
			open = t->parent[open];
		if (t->parent[i] != open)
			return broken(why, size, "not in preorder below its parent", i);
		if (t->end[i] <= i || t->end[i] > t->end[open])
			return broken(why, size, "its end lies outside of its parent", i);
		open = i;
		depth++;
		deepest = depth > deepest ? depth : deepest;
	}
	return deepest == t->depth || broken(why, size, "the depth must be that of the deepest node", 0);
}

static bool check_sums(const struct tree *t, const uint64_t *pos, char *why, size_t size)
{
	if (!pos)
		return true;
	if (pos[0] != 0)
		return broken(why, size, "positions must start at 0", 0);
	for (uint32_t i = 0; i < t->n; i++)
		if (pos[i + 1] < pos[i])
			return broken(why, size, "negative self weight", i);
	return true;
}

/* Functions of one name and different origins may be neighbours, see recipe.apart. */
static uint32_t name_of(const struct tree *t, uint32_t i)
{
	return t->origin ? t->origin[i] : t->sym[i];
}

/* In a chart a name may repeat, but not immediately; a nameless frame may follow a gap, and any frame idle time. */
static bool is_same_again(const struct tree *t, uint32_t i, uint32_t before)
{
	if (before != NO_NODE && t->until && (t->until[before] != t->time[i] || t->parent[i] == NODE_ALL))
		return false;
	return before != NO_NODE && name_of(t, i) == name_of(t, before) && tree_is_gap(t, i) == tree_is_gap(t, before);
}

/* Visits siblings parent by parent; seen[sym] is the last parent (plus one) with a child of this name. */
static bool check_siblings(const struct tree *t, char *why, size_t size)
{
	uint32_t max = 0;
	bool good = true;
	for (uint32_t i = 0; i < t->n; i++)
		max = name_of(t, i) > max ? name_of(t, i) : max;
	uint32_t *seen = mem_zalloc((size_t)max + 1, sizeof *seen);
	for (uint32_t p = 0; p < t->n && good; p++) {
		uint32_t before = NO_NODE;
		for (uint32_t i = p + 1; i < t->end[p] && good; before = i, i = t->end[i]) {
			if (t->is_chart ? is_same_again(t, i, before) : seen[name_of(t, i)] == p + 1)
				good = broken(why, size, "has a sibling of the same name", i);
			seen[name_of(t, i)] = p + 1;
		}
	}
	free(seen);
	return good;
}

/* In a lane, nodes are in order of time, within their parents, and siblings do not overlap. */
static bool check_times(const struct tree *t, char *why, size_t size)
{
	for (uint32_t i = 1; t->until && i < t->n; i++) {
		uint32_t lane = tree_lane_of(t, i), up = t->parent[i], next = t->end[i];
		bool has_next = up == NODE_ALL ? next < tree_lane_end(t, lane) : next < t->end[up];
		if (t->until[i] < t->time[i])
			return broken(why, size, "ends before it begins", i);
		if (t->time[i] < t->time[up] || t->until[i] > t->until[up])
			return broken(why, size, "its time is not within its parent's", i);
		if (has_next && t->time[next] < t->until[i])
			return broken(why, size, "reaches into the next sibling", i);
		if (i > t->lanes[lane].first && t->time[i] < t->time[i - 1])
			return broken(why, size, "begins before the node before it", i);
	}
	return true;
}

bool tree_check(const struct tree *t, char *why, size_t size)
{
	return check_shape(t, why, size) && check_sums(t, t->pos, why, size) && check_sums(t, t->base, why, size) &&
	       check_siblings(t, why, size) && check_times(t, why, size);
}
