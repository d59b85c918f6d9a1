/*
 * halves.c - merges the callers and the callees of a function from all its frames in the tree.
 *
 *	frame of a half                 its parts, frames of the view's tree
 *	tcp_send                        3  17  90
 *	tcp_send < do_softirq           2  16  89
 *	tcp_send < do_softirq < timer      15          of 2 and 89 it was net_rx
 *
 * A half grows as a trie (trie.h), row after row. trie_to_tree() converts it to preorder. A function may have a
 * million frames, and half of the tree below them, so all steps check for cancellation.
 */
#include "halves.h"

#include <stdlib.h>

#include "base/mem.h"
#include "samples.h"
#include "through.h"
#include "tree_build.h"
#include "tree_sums.h"
#include "trie.h"
#include "trie_tree.h"
#include "ways.h"

void halves_init(struct halves *h)
{
	*h = (struct halves){.frames_symbol = NO_SYMBOL};
	for (int i = 0; i < 2; i++)
		tree_init(&h->trees[i]);
}

void halves_deinit(struct halves *h)
{
	for (int i = 0; i < 2; i++) {
		tree_deinit(&h->trees[i]);
		free(h->is_lit[i]);
		free(h->beyond[i]);
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
	h->frames_symbol = NO_SYMBOL;
}

/* --- merging --- */

/*
 * A function may have half of a large tree below it, most of it too narrow to see. So a frame gets children only if
 * it is wide enough for something to be drawn beyond it, row after row from the middle. Each frame lists its parts,
 * the frames of the view's tree that it is merged from, and passes them on to its children. A narrower frame keeps
 * its weight as self.
 */
struct part {
	uint32_t at;   /* frame of the view's tree */
	uint32_t next; /* next part of the same path; NO_PART: the last */
	uint64_t weight[2];
};
#define NO_PART UINT32_MAX
/* One for each path of the trie. */
struct frame {
	uint32_t first; /* its first part; NO_PART: none */
};
/* Limits the quadratic number of parts that deep stacks without common frames would make. */
#define MOST_PARTS ((size_t)1 << 22)

struct merging {
	const struct view *view;
	enum sandwich_half half;
	struct trie trie;
	struct frame *frames; /* by path of the trie */
	size_t n_frames, cap_frames;
	struct part *parts;
	size_t n, cap;
	struct beyond *beyond; /* nodes are paths of the trie */
	size_t n_beyond, cap_beyond;
	struct progress *progress;
	bool is_cancelled;
	bool is_cut;
	size_t steps;
};

#define PARTS_BETWEEN_STEPS 0x400u

static bool goes_on(struct merging *w)
{
	if (++w->steps % PARTS_BETWEEN_STEPS == 0 && !progress_step(w->progress, 0))
		w->is_cancelled = true;
	return !w->is_cancelled;
}

static void add_weight(struct merging *w, uint32_t node, uint64_t now, uint64_t before)
{
	w->trie.weight[0][node] += now;
	if (w->trie.weight[1])
		w->trie.weight[1][node] += before;
}

static void add_part(struct merging *w, uint32_t node, uint32_t at, uint64_t now, uint64_t before)
{
	while (w->n_frames < w->trie.n)
		mem_push(w->frames, w->n_frames, w->cap_frames, ((struct frame){.first = NO_PART}));
	uint32_t first = w->frames[node].first;
	/* On the way to the root, many parts soon meet. */
	if (w->half == HALF_CALLERS && first != NO_PART && w->parts[first].at == at) {
		w->parts[first].weight[0] += now;
		w->parts[first].weight[1] += before;
		return;
	}
	if (w->n >= NO_PART)
		mem_exhausted();
	w->frames[node].first = (uint32_t)w->n;
	mem_push(w->parts, w->n, w->cap, ((struct part){at, first, {now, before}}));
}

/* Does a search need functions of one name and different origins apart? */
static bool are_apart(const struct view *v)
{
	return v->tree.origin && (v->recipe.apart || v->tree.group != BY_FUNCTION);
}

static uint32_t name_at(const struct merging *w, uint32_t node)
{
	const struct tree *t = &w->view->tree;
	return are_apart(w->view) ? t->origin[node] : t->sym[node];
}

static void add_below(struct merging *w, uint32_t node, uint32_t at)
{
	const struct tree *t = &w->view->tree;
	add_weight(w, node, tree_bare(t, at), tree_base_self(t, at));
	for (uint32_t i = tree_first_child(t, at); i != NO_NODE; i = tree_next_sibling(t, i))
		if (!tree_is_gap(t, i)) /* a chart's gap is its parent's own time */
			add_part(w, trie_child(&w->trie, node, name_at(w, i)), i, tree_total(t, i), tree_base_total(t, i));
}

static void add_above(struct merging *w, uint32_t node, const struct part *s)
{
	const struct tree *t = &w->view->tree;
	uint32_t parent = t->parent[s->at];
	if (parent == NODE_ALL)
		add_weight(w, node, s->weight[0], s->weight[1]);
	else
		add_part(w, trie_child(&w->trie, node, name_at(w, parent)), parent, s->weight[0], s->weight[1]);
}

static void add_children(struct merging *w, uint32_t node, uint64_t least)
{
	uint64_t sum[2] = {0, 0};
	for (uint32_t i = w->frames[node].first; i != NO_PART && goes_on(w); i = w->parts[i].next)
		for (int side = 0; side < 2; side++)
			sum[side] += w->parts[i].weight[side];
	bool is_narrow = sum[0] < least && sum[1]<least, is_too_much = w->n> MOST_PARTS && !is_narrow;
	w->is_cut |= is_too_much && w->frames[node].first != NO_PART;
	if (node > 0 && (is_narrow || is_too_much)) {
		add_weight(w, node, sum[0], sum[1]);
		for (uint32_t i = w->frames[node].first; i != NO_PART && goes_on(w); i = w->parts[i].next)
			mem_push(w->beyond, w->n_beyond, w->cap_beyond, ((struct beyond){node, w->parts[i].at}));
		return;
	}
	for (uint32_t i = w->frames[node].first, next; i != NO_PART && goes_on(w); i = next) {
		struct part s = w->parts[i]; /* a copy, as adding parts may move them */
		next = s.next;
		if (w->half == HALF_CALLEES)
			add_below(w, node, s.at);
		else
			add_above(w, node, &s);
	}
}

#define STRETCH 64u

/* Is the symbol among these? Without an early exit, several are compared at once. */
static bool occurs(const uint32_t *syms, uint32_t symbol)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < STRETCH; i++)
		found |= syms[i] == symbol;
	return found;
}

#define NODES_BETWEEN_STEPS (STRETCH * 0x400u)

/*
 * Finds the outermost frames of the function. Only this scans the whole tree, once for both halves and all
 * searches.
 */
static bool find_frames(struct halves *h, const struct tree *t, uint32_t symbol, struct progress *progress)
{
	if (h->frames_symbol == symbol)
		return true;
	h->frames_symbol = NO_SYMBOL;
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

static void begin(struct merging *w, const struct halves *h, uint32_t symbol)
{
	const struct tree *t = &w->view->tree;
	w->trie.sym[PATH_ROOT] = symbol;
	for (size_t i = 0; i < h->n_frames; i++)
		add_part(w, 0, h->frames[i], tree_total(t, h->frames[i]), tree_base_total(t, h->frames[i]));
}

/* Hands over the tree, and what is beyond it. */
static bool end_half(struct merging *w, struct halves *h, const struct halves_recipe *r)
{
	uint32_t *place = mem_alloc(w->trie.n * sizeof *place);
	const struct symtab *names = r->symtab;
	bool ok = trie_to_tree(&w->trie, &h->trees[w->half], place, names, r->is_by_weight, w->progress);
	h->trees[w->half].group = r->view->tree.group;
	if (ok && are_apart(r->view))
		tree_name_nodes(&h->trees[w->half], names);
	for (size_t i = 0; ok && i < w->n_beyond; i++)
		w->beyond[i].node = place[w->beyond[i].node];
	free(h->beyond[w->half]);
	h->beyond[w->half] = mem_realloc(w->beyond, w->n_beyond, sizeof *w->beyond);
	h->n_beyond[w->half] = w->n_beyond;
	w->beyond = NULL;
	free(place);
	return ok;
}

static bool make_half(struct halves *h, enum sandwich_half half, const struct halves_recipe *r,
                      struct progress *progress)
{
	const struct tree *t = &r->view->tree;
	struct merging w = {.view = r->view, .half = half, .progress = progress};
	uint64_t sum = 0;
	trie_init(&w.trie, 256, t->base, progress);
	begin(&w, h, r->symbol);
	for (size_t i = 0; i < w.n; i++)
		weight_add(&sum, w.parts[i].weight[0] > w.parts[i].weight[1] ? w.parts[i].weight[0] : w.parts[i].weight[1]);
	/* A frame narrower than a cell may still get a cell where two meet. */
	uint64_t least = r->cols > 0 ? sum / ((uint64_t)r->cols * 8) : 1;
	for (uint32_t node = 0; node < w.n_frames && !w.is_cancelled; node++)
		add_children(&w, node, least > 0 ? least : 1);
	h->is_cut[half] = w.is_cut;
	if (!w.is_cancelled)
		w.is_cancelled = !end_half(&w, h, r);
	/* A caller's weight is its share of the middle, not the remainder at the end of the way to the root. */
	h->trees[half].is_reversed = half == HALF_CALLERS;
	trie_deinit(&w.trie);
	free(w.frames);
	free(w.parts);
	free(w.beyond);
	return !w.is_cancelled;
}

/* --- what a search matches --- */

/* Does the search match beyond this frame, where nothing was added? */
static bool has_hit_beyond(const struct view *v, enum sandwich_half half, uint32_t at)
{
	return half == HALF_CALLEES ? view_has_hit_within(v, at, at) : view_has_hit_above(v, at);
}

static bool light_half(struct halves *lit, const struct halves *made, enum sandwich_half half, const struct view *v,
                       struct progress *progress)
{
	uint32_t n = made->trees[half].n;
	bool *is_lit = mem_zalloc(n, sizeof *is_lit);
	free(lit->is_lit[half]);
	lit->is_lit[half] = is_lit;
	for (size_t i = 0; v->search.pattern && i < made->n_beyond[half]; i++) {
		const struct beyond *one = &made->beyond[half][i];
		if (!is_lit[one->node])
			is_lit[one->node] = has_hit_beyond(v, half, one->at);
		if (i % PARTS_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
			return false;
	}
	return true;
}

/* The weight below a frame that is in matches, nested ones once. No frame around it counts. */
static uint64_t matched_below(const struct view *v, uint32_t frame)
{
	const struct tree *t = &v->tree;
	uint64_t sum = 0;
	if (!view_has_hit_above(v, frame))
		return search_outer_weight(&v->search, t, t->end[frame]) - search_outer_weight(&v->search, t, frame + 1);
	for (uint32_t i = frame + 1; (i = search_first(&v->search, i, t->end[frame])) != NO_NODE; i = t->end[i])
		weight_add(&sum, tree_total(t, i));
	return sum;
}

/*
 * A caller matches for all that a frame of the function weighs, a callee for what is below it, the function itself
 * for both. So this needs no half, whose frames may be too narrow to be there.
 */
static bool add_matches(struct halves *lit, const struct halves *h, const struct view *v, struct progress *progress)
{
	bool has_name = v->search.pattern && search_is_hit(&v->search, &h->trees[HALF_CALLEES], NODE_ALL);
	lit->matched[HALF_CALLERS] = lit->matched[HALF_CALLEES] = 0;
	for (size_t i = 0; v->search.pattern && i < h->n_frames; i++) {
		uint64_t total = tree_total(&v->tree, h->frames[i]);
		if (has_name || view_has_hit_above(v, h->frames[i]))
			weight_add(&lit->matched[HALF_CALLERS], total);
		weight_add(&lit->matched[HALF_CALLEES], has_name ? total : matched_below(v, h->frames[i]));
		if (i % PARTS_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
			return false;
	}
	return true;
}

bool halves_can_be_lit(const struct halves *h)
{
	return h->frames_symbol != NO_SYMBOL && h->beyond[HALF_CALLERS] && h->beyond[HALF_CALLEES];
}

bool halves_light(struct halves *lit, const struct halves *made, const struct view *v, struct progress *progress)
{
	return light_half(lit, made, HALF_CALLERS, v, progress) && light_half(lit, made, HALF_CALLEES, v, progress) &&
	       add_matches(lit, made, v, progress);
}

void halves_take_light(struct halves *to, struct halves *from)
{
	for (int i = 0; i < 2; i++) {
		free(to->is_lit[i]);
		to->is_lit[i] = from->is_lit[i];
		from->is_lit[i] = NULL;
		to->matched[i] = from->matched[i];
	}
}

static bool make_both(struct halves *h, const struct halves_recipe *r, struct progress *progress)
{
	return find_frames(h, &r->view->tree, r->symbol, progress) && make_half(h, HALF_CALLERS, r, progress) &&
	       make_half(h, HALF_CALLEES, r, progress) && halves_light(h, h, r->view, progress);
}

/* Makes them from another tree of the same stacks, whose frames are not those of the view's search. */
static bool make_from(struct halves *h, const struct halves_recipe *r, const struct tree *t,
                      struct progress *progress)
{
	struct view v = *r->view;
	struct halves_recipe other = *r;
	bool goes_on = true;
	other.view = &v;
	v.tree = *t;
	v.search = (struct search){.pattern = NULL};
	if (r->view->search.pattern)
		goes_on = search_begin(&v.search, r->view->search.pattern, r->view->search.mode, &r->view->search, NULL) &&
		          search_run(&v.search, r->symtab, &v.tree, NODE_ALL, progress);
	goes_on = goes_on && make_both(h, &other, progress);
	search_clear(&v.search);
	for (int i = 0; i < 2; i++) {
		free(h->beyond[i]);
		h->beyond[i] = NULL;
		h->n_beyond[i] = 0;
	}
	return goes_on;
}

/*
 * In a tree merged from the leaves, the first frame of a recursive function is its innermost one. The same stacks
 * merged from the root make the same sandwich, whichever way the view's tree was merged.
 */
static bool make_from_callers(struct halves *h, const struct halves_recipe *r, struct progress *progress)
{
	struct tree through;
	tree_init(&through);
	halves_forget_frames(h);
	bool goes_on = through_make(&through, &r->view->tree, r->symtab, r->symbol, are_apart(r->view), progress) &&
	               make_from(h, r, &through, progress);
	halves_forget_frames(h);
	tree_deinit(&through);
	return goes_on;
}

bool halves_make(struct halves *h, const struct halves_recipe *r, struct progress *progress)
{
	const struct tree *t = &r->view->tree;
	if (t->cut) /* it keeps the same stacks merged from the root */
		return make_from(h, r, &t->cut->whole, progress);
	return t->is_reversed ? make_from_callers(h, r, progress) : make_both(h, r, progress);
}

struct name_sum halves_sum(const struct tree *t, uint32_t symbol, size_t n_symbols, struct progress *progress)
{
	struct name_sum found = {.sym = symbol};
	size_t n;
	struct name_sum *sums = tree_sums(t, NODE_ALL, n_symbols, &n, progress);
	for (size_t i = 0; i < n; i++)
		if (sums[i].sym == symbol)
			found = sums[i];
	free(sums);
	return found;
}

bool halves_have_hit(const struct search *s, const struct tree *half, const bool *is_lit, uint32_t from,
                     uint32_t to)
{
	for (uint32_t i = from; s->pattern && i < to; i++)
		if (search_is_hit(s, half, i) || (is_lit && is_lit[i]))
			return true;
	return false;
}

uint32_t halves_find_path(const struct halves *h, enum sandwich_half half, const uint32_t *syms, size_t n)
{
	return ways_find_path(&h->trees[half], syms, n, NULL);
}
