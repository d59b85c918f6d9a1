/*
 * cut.c - reads the rows that a caller tree leaves out, without building them.
 *
 * The weight of a name or a pattern does not depend on which rows were built. For stacks that continue beyond the
 * tree, it is summed in the tree of the same stacks merged from the root, which is no larger than the input. From
 * the zoom's row on, each stack is the way from one frame of that tree to its root.
 */
#include "cut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

#define STEPS_BETWEEN 0x4000u

size_t cut_first(const struct cut *c, uint32_t node)
{
	size_t from = 0, to = c->n;
	while (from < to) {
		size_t mid = from + (to - from) / 2;
		if (c->tails[mid].node < node)
			from = mid + 1;
		else
			to = mid;
	}
	return from;
}

bool tree_tails(const struct tree *t, uint32_t node, size_t *first, size_t *end)
{
	*first = *end = 0;
	if (!t->cut)
		return false;
	*first = cut_first(t->cut, node);
	*end = cut_first(t->cut, t->end[node]);
	return *first < *end;
}

uint64_t tree_going_on(const struct tree *t, unsigned side, uint32_t node)
{
	size_t first, end;
	if (!tree_tails(t, node, &first, &end) || !t->cut->sum[side])
		return 0;
	uint64_t weight = t->cut->sum[side][end] - t->cut->sum[side][first];
	uint64_t total = side ? tree_base_total(t, node) : tree_total(t, node); /* smaller if sums saturated */
	return weight < total ? weight : total;
}

uint32_t tree_rows_left_out(const struct tree *t, uint32_t node)
{
	size_t k, end;
	uint32_t most = 0;
	if (!tree_tails(t, node, &k, &end))
		return 0;
	while (k < end) {
		bool is_block = k % CUT_BLOCK == 0 && end - k >= CUT_BLOCK;
		uint32_t rows = is_block ? t->cut->most_rows[k / CUT_BLOCK] : t->cut->tails[k].rows;
		most = rows > most ? rows : most;
		k += is_block ? CUT_BLOCK : 1;
	}
	return most;
}

/* --- sums --- */

struct adding {
	const struct tree *tree, *whole;
	uint64_t *weight[2]; /* by frame of `whole`: of the tails that pass it last; then prefix sums */
	uint32_t *count;
	struct progress *progress;
};

/* The frame of `whole` that the stack has in this row; row 1 is the leaf. */
static uint32_t frame_in_row(const struct tree *whole, uint32_t leaf, uint32_t row)
{
	while (row-- > 1)
		leaf = whole->parent[leaf];
	return leaf;
}

static bool place_weights(struct adding *a, uint32_t zoom)
{
	const struct cut *c = a->tree->cut;
	uint32_t row = tree_depth(a->tree, zoom);
	uint64_t steps = 0;
	size_t k, end;
	tree_tails(a->tree, zoom, &k, &end);
	for (; k < end; k++) {
		uint32_t at = frame_in_row(a->whole, c->tails[k].leaf, row);
		for (int side = 0; side < 2 && a->weight[side]; side++)
			a->weight[side][at] += c->sum[side][k + 1] - c->sum[side][k];
		a->count[at]++;
		steps += row + 1;
		if (steps >= STEPS_BETWEEN && !progress_step(a->progress, 0))
			return false;
		steps %= STEPS_BETWEEN;
	}
	return true;
}

/* Replaces weights by prefix sums, so that a subtree's weight is a difference. */
static void sum_before(struct adding *a)
{
	uint64_t sum[2] = {0, 0};
	uint32_t count = 0;
	for (uint32_t i = 0; i <= a->whole->n; i++) {
		for (int side = 0; side < 2 && a->weight[side]; side++) {
			uint64_t own = a->weight[side][i];
			a->weight[side][i] = sum[side];
			sum[side] += own;
		}
		uint32_t n = a->count[i];
		a->count[i] = count;
		count += n;
	}
}

static bool add_names(struct adding *a, size_t n_symbols, cut_sum_fn *add, void *arg)
{
	const struct tree *w = a->whole;
	uint32_t *until =
		mem_zalloc(n_symbols ? n_symbols : 1, sizeof *until); /* end of the outermost open frame of a name */
	const uint64_t *now = a->weight[0], *before = a->weight[1];
	bool goes_on = true;
	assert(now);
	for (uint32_t i = 1; i < w->n && goes_on; i++) {
		uint32_t sym = w->sym[i], end = w->end[i];
		if (i % STEPS_BETWEEN == 0)
			goes_on = progress_step(a->progress, 0);
		if (sym >= n_symbols || i < until[sym] || tree_is_gap(w, i))
			continue;
		until[sym] = end;
		if (a->count[end] == a->count[i])
			continue;
		add(arg, sym, now[end] - now[i], before ? before[end] - before[i] : 0);
	}
	free(until);
	return goes_on;
}

bool cut_sums(const struct tree *t, uint32_t zoom, size_t n_symbols, cut_sum_fn *add, void *arg,
              struct progress *progress)
{
	const struct tree *whole = &t->cut->whole;
	size_t n = (size_t)whole->n + 1;
	struct adding a = {.tree = t, .whole = whole, .progress = progress};
	bool goes_on;
	for (int side = 0; side < 2 && t->cut->sum[side]; side++)
		a.weight[side] = mem_zalloc(n, sizeof *a.weight[side]);
	a.count = mem_zalloc(n, sizeof *a.count);
	goes_on = place_weights(&a, zoom);
	if (goes_on) {
		sum_before(&a);
		goes_on = add_names(&a, n_symbols, add, arg);
	}
	free(a.weight[0]);
	free(a.weight[1]);
	free(a.count);
	return goes_on;
}

/* --- searching --- */

uint32_t *cut_count_hits(const struct cut *c, const uint32_t *syms, const uint64_t *bits, struct progress *progress)
{
	const struct tree *w = &c->whole;
	uint8_t *has = mem_zalloc(w->n, 1); /* the frame or one of its ancestors is a hit */
	uint32_t *count = mem_alloc((c->n + 1) * sizeof *count);
	bool goes_on = true;
	count[0] = 0;
	for (uint32_t i = 1; i < w->n && goes_on; i++) {
		has[i] = has[w->parent[i]] | (bits[syms[i] / 64] >> syms[i] % 64 & 1);
		goes_on = i % STEPS_BETWEEN || progress_step(progress, 0);
	}
	for (size_t k = 0; k < c->n && goes_on; k++) {
		count[k + 1] = count[k] + has[c->tails[k].at];
		goes_on = k % STEPS_BETWEEN || progress_step(progress, 0);
	}
	free(has);
	if (goes_on)
		return count;
	free(count);
	return NULL;
}

/* --- stacks, one after the other --- */

/* A stack on its way to the root; at == NODE_ALL: it has ended. */
struct cut_stack {
	uint32_t at;
	uint32_t key; /* sort key within its part */
	uint64_t weight[2];
};

/* Stacks [first, end), equal down to `row`. */
struct cut_part {
	uint32_t first, end;
	uint32_t row;
	bool has_ended;
	bool is_leaf; /* they have ended, and no equal stack continues */
};

void cut_walk_begin(struct cut_walk *w, const struct tree *t, uint32_t node, const uint32_t *rank,
                    const uint32_t *ends)
{
	const struct cut *c = t->cut;
	size_t first, end;
	*w = (struct cut_walk){.tree = t, .rank = rank, .ends = ends};
	if (!tree_tails(t, node, &first, &end) || c->tails[first].node != node)
		return;
	end = cut_first(c, node + 1);
	w->n_stacks = end - first;
	w->stacks = mem_alloc(w->n_stacks * sizeof *w->stacks);
	for (size_t k = 0; k < w->n_stacks; k++) {
		struct cut_stack *s = &w->stacks[k];
		*s = (struct cut_stack){.at = c->tails[first + k].at};
		for (int side = 0; side < 2 && c->sum[side]; side++)
			s->weight[side] = c->sum[side][first + k + 1] - c->sum[side][first + k];
	}
	if (!t->is_chart) {
		mem_push(w->parts, w->n_parts, w->cap_parts,
		         ((struct cut_part){.end = (uint32_t)w->n_stacks, .is_leaf = true}));
		return;
	}
	for (uint32_t k = (uint32_t)w->n_stacks; k > 0; k--) /* one part each; the first stack ends on top */
		mem_push(w->parts, w->n_parts, w->cap_parts,
		         ((struct cut_part){.first = k - 1, .end = k, .is_leaf = true}));
}

void cut_walk_end(struct cut_walk *w)
{
	free(w->syms);
	free(w->stacks);
	free(w->parts);
}

static int by_key(const void *a, const void *b)
{
	uint32_t x = ((const struct cut_stack *)a)->key, y = ((const struct cut_stack *)b)->key;
	return x < y ? -1 : x > y;
}

/* The sort key of a stack in this row: if it ends here, that of its name, else that of its name followed by ';'. */
static uint32_t key_of(const struct cut_walk *w, uint32_t at)
{
	const struct tree *whole = &w->tree->cut->whole;
	return whole->parent[at] == NODE_ALL ? w->rank[whole->sym[at]] : w->ends[whole->sym[at]];
}

static void push_sym(struct cut_walk *w, uint32_t row, uint32_t sym)
{
	w->syms = mem_grow(w->syms, &w->cap_syms, (size_t)row + 1, sizeof *w->syms);
	w->syms[row] = sym;
}

/* Moves all stacks of a part one row on while they are equal. true: they still are, and have not ended. */
static bool go_on_together(struct cut_walk *w, struct cut_part *p)
{
	const struct tree *whole = &w->tree->cut->whole;
	uint32_t key = w->stacks[p->first].key = key_of(w, w->stacks[p->first].at);
	bool is_same = true;
	for (uint32_t k = p->first + 1; k < p->end; k++) {
		w->stacks[k].key = key_of(w, w->stacks[k].at);
		is_same &= w->stacks[k].key == key;
	}
	if (!is_same)
		return false;
	push_sym(w, p->row++, whole->sym[w->stacks[p->first].at]);
	for (uint32_t k = p->first; k < p->end; k++)
		w->stacks[k].at = whole->parent[w->stacks[k].at];
	p->has_ended = w->stacks[p->first].at == NODE_ALL;
	return !p->has_ended;
}

/*
 * Does a longer stack with the same name follow the stacks that end here? Its key is ends[sym] of the same symbol.
 */
static bool goes_on_too(const struct cut_walk *w, const struct cut_part *p, uint32_t sym)
{
	const struct tree *whole = &w->tree->cut->whole;
	uint32_t key = w->ends[sym];
	uint32_t from = p->first, to = p->end;
	while (from < to) {
		uint32_t mid = from + (to - from) / 2;
		if (w->stacks[mid].key < key)
			from = mid + 1;
		else
			to = mid;
	}
	return from < p->end && w->stacks[from].key == key && whole->sym[w->stacks[from].at] == sym;
}

/* The majority key, if more than half of the stacks share one. */
static uint32_t common_key(const struct cut_walk *w, const struct cut_part *p)
{
	uint32_t key = 0, lead = 0;
	for (uint32_t k = p->first; k < p->end; k++) {
		if (!lead)
			key = w->stacks[k].key;
		w->stacks[k].key == key ? lead++ : lead--;
	}
	return key;
}

static void swap_stacks(struct cut_walk *w, uint32_t a, uint32_t b)
{
	struct cut_stack s = w->stacks[a];
	w->stacks[a] = w->stacks[b];
	w->stacks[b] = s;
}

/*
 * Sorts by key. In nested spans of one name, a single stack ends in every row: the majority stays in place, and
 * only the others are sorted, each of which is then in a part of at most half the size.
 */
static void sort_part(struct cut_walk *w, const struct cut_part *p)
{
	uint32_t key = common_key(w, p), less = p->first, more = p->end;
	for (uint32_t k = p->first; k < more;) {
		if (w->stacks[k].key < key)
			swap_stacks(w, k++, less++);
		else if (w->stacks[k].key > key)
			swap_stacks(w, k, --more);
		else
			k++;
	}
	sort_array(w->stacks + p->first, less - p->first, sizeof *w->stacks, by_key);
	sort_array(w->stacks + more, p->end - more, sizeof *w->stacks, by_key);
}

/* Pushes the parts in reverse, so that the next one is on top. */
static void split_part(struct cut_walk *w, const struct cut_part *p)
{
	const struct tree *whole = &w->tree->cut->whole;
	sort_part(w, p);
	for (uint32_t end = p->end, first; end > p->first; end = first) {
		uint32_t sym = whole->sym[w->stacks[end - 1].at];
		for (first = end - 1; first > p->first && w->stacks[first - 1].key == w->stacks[end - 1].key;)
			first--;
		mem_push(
			w->parts, w->n_parts, w->cap_parts,
			((struct cut_part){.first = first, .end = end, .row = p->row, .is_leaf = !goes_on_too(w, p, sym)}));
	}
}

bool cut_walk_next(struct cut_walk *w)
{
	for (bool is_first = true; w->n_parts; is_first = false) {
		struct cut_part p = w->parts[--w->n_parts];
		w->n_same = is_first ? p.row : w->n_same;
		w->n_next = p.row;
		while (go_on_together(w, &p))
			p.is_leaf = true; /* until another part shows otherwise */
		if (!p.has_ended) {
			split_part(w, &p);
			continue;
		}
		w->n = p.row;
		w->is_leaf = p.is_leaf;
		w->weight[0] = w->weight[1] = 0;
		for (uint32_t k = p.first; k < p.end; k++)
			for (int side = 0; side < 2; side++)
				w->weight[side] += w->stacks[k].weight[side];
		return true;
	}
	return false;
}
