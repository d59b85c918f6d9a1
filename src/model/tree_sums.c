/*
 * tree_sums.c - sums the weight of each name in one walk over all nodes; cut.h adds the rows left out of the tree.
 *
 * A name inside itself counts once. In preorder, one number per name suffices: the end of its outermost open frame.
 */
#include "tree_sums.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cut.h"

#define NODES_BETWEEN_STEPS 0x4000u

struct name_place {
	uint32_t index; /* of the name's entry in sums, plus one */
	uint32_t until; /* end of the outermost open frame of this name */
};

struct name_sums {
	struct name_sum *sums;
	size_t n, cap;
	struct name_place *places; /* by symbol */
};

static struct name_sum *sum_of(struct name_sums *s, uint32_t sym)
{
	struct name_place *place = &s->places[sym];
	if (!place->index) {
		mem_push(s->sums, s->n, s->cap, ((struct name_sum){.sym = sym}));
		place->index = (uint32_t)s->n;
	}
	assert(s->sums); /* places[sym].index is set, so sums exists */
	return &s->sums[place->index - 1];
}

static void add_left_out(void *arg, uint32_t sym, uint64_t now, uint64_t before)
{
	struct name_sum *sum = sum_of(arg, sym);
	sum->total += now;
	sum->base_total += before;
}

/* Most trees have no left-out rows: calling tree_going_on() for each frame would cost a tenth of the time. */
static inline uint64_t going_on(const struct tree *t, unsigned side, uint32_t node)
{
	return t->cut ? tree_going_on(t, side, node) : 0;
}

struct name_sum *tree_sums(const struct tree *t, uint32_t zoom, size_t n_symbols, size_t *n,
                           struct progress *progress)
{
	struct name_sums s = {.places = mem_zalloc(n_symbols ? n_symbols : 1, sizeof *s.places)};
	for (uint32_t i = zoom; i < t->end[zoom]; i++) {
		if (i % NODES_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
			break;
		if (i == NODE_ALL || t->sym[i] >= n_symbols || tree_is_gap(t, i))
			continue;
		struct name_sum *sum = sum_of(&s, t->sym[i]);
		struct name_place *place = &s.places[t->sym[i]];
		sum->frames++;
		sum->self += tree_own(t, i);
		if (t->base)
			sum->base_self += tree_base_own(t, i);
		if (i < place->until)
			continue;
		place->until = t->end[i];
		sum->total += tree_total(t, i) - going_on(t, 0, i);
		if (t->base)
			sum->base_total += tree_base_total(t, i) - going_on(t, 1, i);
	}
	if (t->cut)
		cut_sums(t, zoom, n_symbols, add_left_out, &s, progress);
	free(s.places);
	*n = s.n;
	return s.sums;
}

int tree_sums_order(const struct symtab *t, const struct name_sum *a, const struct name_sum *b)
{
	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return symbol_order(&t->symbols[a->sym], &t->symbols[b->sym]);
}

size_t tree_heaviest(const struct symtab *t, const struct name_sum *sums, size_t n, struct name_sum *out,
                     size_t most)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		if (!sums[i].self || (found == most && (!most || tree_sums_order(t, &sums[i], &out[found - 1]) > 0)))
			continue;
		size_t at = found < most ? found++ : found - 1;
		for (; at > 0 && tree_sums_order(t, &sums[i], &out[at - 1]) < 0; at--)
			out[at] = out[at - 1];
		out[at] = sums[i];
	}
	return found;
}

/* ---- the nth ------------------------------------------------------------------------------------------------- */

static bool is_before(const struct symtab *t, const struct name_sum *a, const struct name_sum *b)
{
	int order = tree_sums_order(t, a, b);
	return order ? order < 0 : a->sym < b->sym;
}

static bool counts_after(const struct symtab *t, const struct name_sum *s, const struct name_sum *after)
{
	return s->self && (!after || is_before(t, after, s));
}

size_t tree_sums_count_after(const struct symtab *t, const struct name_sum *sums, size_t n,
                             const struct name_sum *after)
{
	size_t found = 0;
	for (size_t i = 0; i < n; i++)
		found += counts_after(t, &sums[i], after);
	return found;
}

/* Puts the item at `at` of a heap, whose root comes last in order, where it belongs among those below it. */
static void sink(const struct symtab *t, const struct name_sum **heap, size_t n, size_t at)
{
	const struct name_sum *item = heap[at];
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		if (child + 1 < n && is_before(t, heap[child], heap[child + 1]))
			child++;
		if (!is_before(t, item, heap[child]))
			break;
		heap[at] = heap[child];
	}
	heap[at] = item;
}

/* A heap keeps the first ones: one pass, for one of them without more. */
const struct name_sum *tree_sums_after(const struct symtab *t, const struct name_sum *sums, size_t n,
                                       const struct name_sum *after, size_t before)
{
	size_t most = before < n ? before + 1 : n, kept = 0;
	const struct name_sum **heap = mem_alloc((most + 1) * sizeof *heap);
	for (size_t i = 0; i < n; i++) {
		if (!counts_after(t, &sums[i], after))
			continue;
		if (kept < most) {
			heap[kept++] = &sums[i];
			for (size_t k = kept == most ? most / 2 : 0; k-- > 0;)
				sink(t, heap, most, k);
		} else if (is_before(t, &sums[i], heap[0])) {
			heap[0] = &sums[i];
			sink(t, heap, most, 0);
		}
	}
	const struct name_sum *nth = kept > before ? heap[0] : NULL;
	free(heap);
	return nth;
}
