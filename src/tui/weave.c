/*
 * weave.c - the halves of a sandwich, woven out of the whole tree.
 *
 *	a frame of the loom             its strands, frames of the view's tree
 *	tcp_send                        3  17  90
 *	tcp_send < do_softirq           2  16  89
 *	tcp_send < do_softirq < timer      15          of 2 and 89 it was net_rx
 *
 * A loom grows a tree in any order, and loom_to_tree() puts it into preorder, siblings sorted. A function may have a million
 * frames, and half of the tree below them, so all of it asks on the way whether to go on.
 */
#include "tui/weave.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/cut.h"

void halves_init(struct halves *h)
{
	*h = (struct halves){.frames_symbol = UINT32_MAX};
	for (int i = 0; i < 2; i++)
		tree_init(&h->trees[i]);
}

void halves_deinit(struct halves *h)
{
	for (int i = 0; i < 2; i++) {
		tree_deinit(&h->trees[i]);
		free(h->is_lit[i]);
	}
	free(h->frames);
}

void halves_take_frames(struct halves *to, struct halves *from)
{
	free(to->frames);
	to->frames = from->frames;
	to->n_frames = from->n_frames;
	to->cap_frames = from->cap_frames;
	to->frames_symbol = from->frames_symbol;
	from->frames = NULL;
	halves_forget_frames(from);
}

void halves_forget_frames(struct halves *h)
{
	free(h->frames);
	h->frames = NULL;
	h->n_frames = h->cap_frames = 0;
	h->frames_symbol = UINT32_MAX;
}

/* A tree that grows in any order: children by (parent, symbol). */
struct loom {
	uint32_t *sym, *parent;
	uint64_t *self[2];
	bool *is_lit; /* a search matches in what was not woven beyond it */
	uint32_t n;
	size_t cap;
	uint32_t *slots; /* node + 1, 0: free; n_slots a power of two */
	size_t n_slots;
};

static void loom_init(struct loom *l)
{
	*l = (struct loom){.n_slots = 1024};
	l->slots = mem_zalloc(l->n_slots, sizeof *l->slots);
}

static void loom_deinit(struct loom *l)
{
	free(l->sym);
	free(l->parent);
	free(l->self[0]);
	free(l->self[1]);
	free(l->is_lit);
	free(l->slots);
}

static size_t loom_slot(const struct loom *l, uint32_t parent, uint32_t sym)
{
	uint64_t key = (uint64_t)parent << 32 | sym;
	size_t i = hash_mix(key ^ hash_seed[0], hash_seed[1] | 1) & (l->n_slots - 1);
	while (l->slots[i] && (l->parent[l->slots[i] - 1] != parent || l->sym[l->slots[i] - 1] != sym))
		i = (i + 1) & (l->n_slots - 1);
	return i;
}

static void loom_rehash(struct loom *l)
{
	free(l->slots);
	l->n_slots *= 2;
	l->slots = mem_zalloc(l->n_slots, sizeof *l->slots);
	for (uint32_t i = 0; i < l->n; i++)
		l->slots[loom_slot(l, l->parent[i], l->sym[i])] = i + 1;
}

static void loom_grow(struct loom *l)
{
	l->cap = l->cap ? l->cap * 2 : 256;
	l->sym = mem_realloc(l->sym, l->cap, sizeof *l->sym);
	l->parent = mem_realloc(l->parent, l->cap, sizeof *l->parent);
	for (int i = 0; i < 2; i++)
		l->self[i] = mem_realloc(l->self[i], l->cap, sizeof *l->self[i]);
	l->is_lit = mem_realloc(l->is_lit, l->cap, sizeof *l->is_lit);
}

/* The root is its own parent, as in a tree. */
static uint32_t loom_child(struct loom *l, uint32_t parent, uint32_t sym)
{
	if (l->n > 0) {
		size_t i = loom_slot(l, parent, sym);
		if (l->slots[i] && l->slots[i] != 1)
			return l->slots[i] - 1;
	}
	if (l->n == l->cap)
		loom_grow(l);
	uint32_t node = l->n++;
	l->sym[node] = sym;
	l->parent[node] = parent;
	l->self[0][node] = l->self[1][node] = 0;
	l->is_lit[node] = false;
	if ((size_t)l->n * 2 > l->n_slots)
		loom_rehash(l);
	else if (node > 0)
		l->slots[loom_slot(l, parent, sym)] = node + 1;
	return node;
}

static void loom_add(struct loom *l, uint32_t node, const struct tree *t, uint64_t now, uint64_t before)
{
	l->self[0][node] += now;
	if (t->base)
		l->self[1][node] += before;
}

/* ---- from the loom to a tree ------------------------------------------------------------------------------------ */

struct order {
	const struct loom *loom;
	const struct symbol *symbols;
	const uint64_t *total; /* NULL: by name */
};

static int compare_siblings(const void *a, const void *b, void *arg)
{
	const struct order *o = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (o->total && o->total[x] != o->total[y])
		return o->total[x] < o->total[y] ? 1 : -1;
	return strcmp(o->symbols[o->loom->sym[x]].name, o->symbols[o->loom->sym[y]].name);
}

#define LOOM_STEPS 0x4000u

/* Children of each node side by side in `list`, those of i at [from[i], from[i + 1]); both are the caller's. */
static uint32_t *list_children(const struct loom *l, struct order *o, uint32_t **from, struct progress *progress)
{
	uint32_t *list = mem_alloc(l->n * sizeof *list), *start = mem_zalloc((size_t)l->n + 2, sizeof *start);
	for (uint32_t i = 1; i < l->n; i++)
		start[l->parent[i] + 2]++;
	for (uint32_t i = 2; i < l->n + 2; i++)
		start[i] += start[i - 1];
	for (uint32_t i = 1; i < l->n; i++)
		list[start[l->parent[i] + 1]++] = i;
	for (uint32_t i = 0; i < l->n && (i % LOOM_STEPS || progress_step(progress, 0)); i++)
		qsort_r(list + start[i], start[i + 1] - start[i], sizeof *list, compare_siblings, o);
	*from = start;
	return list;
}

static uint64_t *totals(const struct loom *l)
{
	uint64_t *total = mem_alloc(l->n * sizeof *total);
	memcpy(total, l->self[0], l->n * sizeof *total);
	for (uint32_t i = l->n; i-- > 1;)
		total[l->parent[i]] += total[i];
	return total;
}

static void alloc_tree(struct tree *t, uint32_t n, bool has_base)
{
	tree_deinit(t);
	*t = (struct tree){.n = n};
	t->sym = mem_alloc(n * sizeof *t->sym);
	t->parent = mem_alloc(n * sizeof *t->parent);
	t->end = mem_alloc(n * sizeof *t->end);
	t->pos = mem_zalloc((size_t)n + 1, sizeof *t->pos);
	t->base = has_base ? mem_zalloc((size_t)n + 1, sizeof *t->base) : NULL;
}

/* Depth first without recursion: `at` holds the next child to visit for every node on the way. */
static bool loom_to_tree(const struct loom *l, struct halves *h, enum sandwich_half half,
                         const struct weave_recipe *r, struct progress *progress)
{
	struct tree *t = &h->trees[half];
	uint64_t *total = totals(l);
	struct order o = {l, r->symtab->symbols, r->is_by_weight ? total : NULL};
	uint32_t *from, *list = list_children(l, &o, &from, progress);
	uint32_t *place = mem_alloc(l->n * sizeof *place), *at = mem_alloc(l->n * sizeof *at);
	uint32_t n = 0, node = 0, depth = 0;
	bool goes_on = progress_step(progress, 0);
	alloc_tree(t, l->n, r->view->tree.base != NULL);
	bool *is_lit = h->is_lit[half] = mem_realloc(h->is_lit[half], l->n, sizeof *is_lit);
	memcpy(at, from, l->n * sizeof *at);
	for (bool is_new = true; goes_on;) {
		if (is_new && n % LOOM_STEPS == 0)
			goes_on = progress_step(progress, 0);
		if (is_new) {
			place[node] = n;
			t->sym[n] = l->sym[node];
			is_lit[n] = l->is_lit[node];
			t->parent[n] = node ? place[l->parent[node]] : 0;
			t->pos[n + 1] = t->pos[n] + l->self[0][node];
			if (t->base)
				t->base[n + 1] = t->base[n] + l->self[1][node];
			t->depth = depth > t->depth ? depth : t->depth;
			n++;
		}
		is_new = at[node] < from[node + 1];
		if (is_new) {
			node = list[at[node]++];
			depth++;
			continue;
		}
		t->end[place[node]] = n;
		if (node == 0)
			break;
		node = l->parent[node];
		depth--;
	}
	free(total);
	free(list);
	free(from);
	free(place);
	free(at);
	if (!goes_on) {
		tree_deinit(t);
		tree_init(t);
	}
	return goes_on;
}

/* ---- weaving ---------------------------------------------------------------------------------------------------- */

/*
 * A function may have half of a large tree below it, of which little can be seen. So a frame is woven only if it is wide
 * enough to be drawn with something beyond it, row after row from the middle: each holds its strands, the frames of the
 * view's tree that make it up, and hands them on to its children. What is narrower keeps its weight as its own.
 */
struct strand {
	uint32_t at;   /* frame of the view's tree */
	uint32_t next; /* of the same loom's frame; NO_STRAND: the last */
	uint64_t weight[2];
};
#define NO_STRAND UINT32_MAX
/* Of deep stacks on which nothing meets there would be the square of what the tree has. */
#define MOST_STRANDS ((size_t)1 << 22)

struct weaver {
	const struct view *view;
	enum sandwich_half half;
	bool is_below; /* towards the leaves of the view's tree */
	struct loom loom;
	uint32_t *first; /* by frame of the loom: strand */
	size_t cap_first, n_first;
	struct strand *strands;
	size_t n, cap;
	struct progress *progress;
	bool is_cancelled;
	bool is_cut;
	size_t steps;
};

#define STRANDS_BETWEEN_STEPS 0x400u

static bool goes_on(struct weaver *w)
{
	if (++w->steps % STRANDS_BETWEEN_STEPS == 0 && !progress_step(w->progress, 0))
		w->is_cancelled = true;
	return !w->is_cancelled;
}

static void add_strand(struct weaver *w, uint32_t node, uint32_t at, uint64_t now, uint64_t before)
{
	while (w->n_first < w->loom.n)
		mem_push(w->first, w->n_first, w->cap_first, NO_STRAND);
	uint32_t first = w->first[node];
	/* On their ways to the root many strands soon meet. */
	if (!w->is_below && first != NO_STRAND && w->strands[first].at == at) {
		w->strands[first].weight[0] += now;
		w->strands[first].weight[1] += before;
		return;
	}
	if (w->n >= NO_STRAND)
		mem_exhausted();
	w->first[node] = (uint32_t)w->n;
	mem_push(w->strands, w->n, w->cap, ((struct strand){at, first, {now, before}}));
}

static void weave_below(struct weaver *w, uint32_t node, uint32_t at)
{
	const struct tree *t = &w->view->tree;
	loom_add(&w->loom, node, t, tree_bare(t, at), tree_base_self(t, at));
	for (uint32_t i = tree_first_child(t, at); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i)) /* a chart's gap is its parent's own time */
			add_strand(w, loom_child(&w->loom, node, t->sym[i]), i, tree_total(t, i), tree_base_total(t, i));
}

static void weave_above(struct weaver *w, uint32_t node, const struct strand *s)
{
	const struct tree *t = &w->view->tree;
	uint32_t parent = t->parent[s->at];
	if (parent == NODE_ALL)
		loom_add(&w->loom, node, t, s->weight[0], s->weight[1]);
	else
		add_strand(w, loom_child(&w->loom, node, t->sym[parent]), parent, s->weight[0], s->weight[1]);
}

/* Does the search match beyond this frame, where nothing was woven? */
static bool has_hit_beyond(const struct weaver *w, uint32_t at)
{
	const struct view *v = w->view;
	if (v->search.pattern == NULL)
		return false;
	if (w->is_below)
		return view_has_hit_within(v, at, at);
	return view_has_hit_above(v, at);
}

static void weave_frame(struct weaver *w, uint32_t node, uint64_t least)
{
	const struct tree *t = &w->view->tree;
	uint64_t sum[2] = {0, 0};
	for (uint32_t i = w->first[node]; i != NO_STRAND && goes_on(w); i = w->strands[i].next)
		for (int side = 0; side < 2; side++)
			sum[side] += w->strands[i].weight[side];
	bool is_narrow = sum[0] < least && sum[1]<least, is_too_much = w->n> MOST_STRANDS && !is_narrow;
	w->is_cut |= is_too_much && w->first[node] != NO_STRAND;
	if (node > 0 && (is_narrow || is_too_much)) {
		loom_add(&w->loom, node, t, sum[0], sum[1]);
		for (uint32_t i = w->first[node]; i != NO_STRAND && !w->loom.is_lit[node] && goes_on(w);
		     i = w->strands[i].next)
			w->loom.is_lit[node] = has_hit_beyond(w, w->strands[i].at);
		return;
	}
	for (uint32_t i = w->first[node], next; i != NO_STRAND && goes_on(w); i = next) {
		struct strand s = w->strands[i]; /* adding some moves them */
		next = s.next;
		if (w->is_below)
			weave_below(w, node, s.at);
		else
			weave_above(w, node, &s);
	}
}

#define STRETCH 64u

/* Is the symbol among so many? Without an end on the way, several are compared at once. */
static bool occurs(const uint32_t *syms, uint32_t symbol)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < STRETCH; i++)
		found |= syms[i] == symbol;
	return found;
}

#define NODES_BETWEEN_STEPS (STRETCH * 0x400u)

/* The outermost frames of the function: the one look at the whole tree, once for both halves and for every search. */
static bool find_frames(struct halves *h, const struct tree *t, uint32_t symbol, struct progress *progress)
{
	if (h->frames_symbol == symbol)
		return true;
	h->frames_symbol = UINT32_MAX;
	h->n_frames = 0;
	for (uint64_t i = 1, next = 1; i < t->n; i++) {
		if (i >= next && !progress_step(progress, 0))
			return false;
		next = i >= next ? i + NODES_BETWEEN_STEPS : next;
		while (t->n - i > STRETCH && i < next && !occurs(t->sym + i, symbol))
			i += STRETCH;
		if (t->sym[i] != symbol)
			continue;
		mem_push(h->frames, h->n_frames, h->cap_frames, (uint32_t)i);
		i = t->end[i] - 1;
	}
	h->frames_symbol = symbol;
	return true;
}

static void begin_weaving(struct weaver *w, const struct halves *h, uint32_t symbol)
{
	const struct tree *t = &w->view->tree;
	loom_child(&w->loom, 0, symbol);
	for (size_t i = 0; i < h->n_frames; i++)
		add_strand(w, 0, h->frames[i], tree_total(t, h->frames[i]), tree_base_total(t, h->frames[i]));
}

static bool weave_half(struct halves *h, enum sandwich_half half, const struct weave_recipe *r,
                       struct progress *progress)
{
	const struct tree *t = &r->view->tree;
	/* A tree merged from the leaves has the callers below and the callees above. */
	struct weaver w = {
		.view = r->view, .half = half, .is_below = (half == HALF_CALLEES) != t->is_reversed, .progress = progress};
	uint64_t sum = 0;
	loom_init(&w.loom);
	begin_weaving(&w, h, r->symbol);
	for (size_t i = 0; i < w.n; i++)
		weight_add(&sum, w.strands[i].weight[0] > w.strands[i].weight[1] ? w.strands[i].weight[0]
		                                                                 : w.strands[i].weight[1]);
	/* A frame narrower than a cell may still have one to itself, at the edge of two. */
	uint64_t least = sum / ((uint64_t)(r->cols > 0 ? r->cols : 1) * 8);
	for (uint32_t node = 0; node < w.n_first && !w.is_cancelled; node++)
		weave_frame(&w, node, least > 0 ? least : 1);
	h->is_cut[half] = w.is_cut;
	if (!w.is_cancelled)
		w.is_cancelled = !loom_to_tree(&w.loom, h, half, r, progress);
	/* The weight of a caller is what it has in the middle, not what is left over at the end of the way to the root. */
	h->trees[half].is_reversed = half == HALF_CALLERS;
	loom_deinit(&w.loom);
	free(w.first);
	free(w.strands);
	return !w.is_cancelled;
}

static bool weave_both(struct halves *h, const struct weave_recipe *r, struct progress *progress)
{
	return find_frames(h, &r->view->tree, r->symbol, progress) && weave_half(h, HALF_CALLERS, r, progress) &&
	       weave_half(h, HALF_CALLEES, r, progress);
}

/* Where a tree of callers leaves rows out, it has the same stacks merged from the root: they make the same sandwich. */
static bool weave_whole(struct halves *h, const struct weave_recipe *r, struct progress *progress)
{
	struct view v = *r->view;
	struct weave_recipe whole = *r;
	bool goes_on = true;
	whole.view = &v;
	v.tree = r->view->tree.cut->whole;
	v.search = (struct search){.pattern = NULL};
	if (r->view->search.pattern)
		goes_on = search_begin(&v.search, r->view->search.pattern, r->view->search.mode, &r->view->search, NULL) &&
		          search_run(&v.search, r->symtab, &v.tree, NODE_ALL, progress);
	goes_on = goes_on && weave_both(h, &whole, progress);
	search_clear(&v.search);
	return goes_on;
}

bool weave(struct halves *h, const struct weave_recipe *r, struct progress *progress)
{
	return r->view->tree.cut ? weave_whole(h, r, progress) : weave_both(h, r, progress);
}
