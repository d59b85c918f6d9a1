/*
 * callers.c - reverses stacks: all of them, or as many rows as fit.
 *
 * Almost always that adds few frames, so all stacks are reversed at once (turn.h). Deep stacks without common
 * leaves, such as nested spans, would give a quadratic number of frames: there all walks from the leaves to the
 * root advance together, one row at a time, and stop before a row that exceeds the budget. The unfinished walks
 * become the tails of cut.h.
 */
#include "callers.h"

#include <stdlib.h>
#include <string.h>

#include "arrange.h"
#include "base/mem.h"
#include "base/sort.h"
#include "cut.h"
#include "turn.h"

/*
 * Frames that any tree may have (some 250 megabytes), and frames allowed for each frame of the same stacks merged
 * from the root.
 */
#define MOST_CALLERS ((uint64_t)1 << 22)
#define CALLERS_PER_PATH 8
/* Stacks that merge, as in a recursion, take steps but add no frames. */
#define STEPS_PER_CALLER 32

/* --- all at once --- */

static uint64_t most_callers(const struct folding *w)
{
	uint64_t most = (uint64_t)w->trie.n * CALLERS_PER_PATH;
	if (w->recipe->most_callers)
		return w->recipe->most_callers;
	most = most > MOST_CALLERS ? most : MOST_CALLERS;
	return most < UINT32_MAX / 2 ? most : UINT32_MAX / 2;
}

/* Counts all frames of all stacks. */
static uint64_t count_steps(const struct trie *s)
{
	uint32_t *depth = trie_depths(s);
	uint64_t steps = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		steps += s->is_used[i] ? depth[i] : 0;
	free(depth);
	return steps;
}

static bool has_fitting_sum(const struct trie *s, const uint64_t *weight)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; weight && i < s->n; i++)
		if (!weight_add(&sum, weight[i]))
			return false;
	return true;
}

bool callers_sum_fits(const struct folding *w)
{
	return has_fitting_sum(&w->trie, w->trie.weight[0]) && has_fitting_sum(&w->trie, w->trie.weight[1]);
}

/* Empties the tree. */
static void replace_by_tree(struct folding *w, struct tree *t, uint32_t *map)
{
	struct trie to;
	uint64_t none = 0;
	trie_init_from(&to, t->n, t->parent, t->sym, &w->trie);
	t->parent = t->sym = NULL;
	tree_deinit(t);
	folding_replace(w, &to, map, &none);
}

/* Charts go through the samples again, and weights that do not fit are cut before siblings are sorted. */
static enum turn turn_all(struct folding *w, uint64_t most)
{
	const struct trie *s = &w->trie;
	bool is_last = !w->wants_map && callers_sum_fits(w);
	uint32_t *map = is_last ? NULL : mem_alloc(s->n * sizeof *map);
	struct tree t;
	enum turn how = turn_stacks(w, &t, map, most);
	if (how != TURN_DONE) {
		free(map);
	} else if (is_last) {
		w->turned = mem_copy(&t, 1, sizeof t);
	} else {
		replace_by_tree(w, &t, map);
	}
	return how;
}

/* --- row by row --- */

/* A walk in progress. */
struct walker {
	uint32_t path; /* of the trie: where it ends */
	uint32_t up;   /* of the trie: the frame of the next row */
	uint32_t at;   /* of the new trie: the frame of the last row */
};

struct rows {
	struct folding *work;
	const struct trie *from;
	struct trie to;
	uint32_t *map;          /* from paths of `from` to paths of `to` */
	struct walker *walkers; /* those that have not reached the root */
	size_t n;
	uint64_t most_frames, most_steps, steps; /* limits and steps of this run of rows */
};

static void begin_stretch(struct rows *r)
{
	uint64_t most = most_callers(r->work);
	r->most_frames = r->to.n + most;
	if (r->most_frames > UINT32_MAX - 3)
		r->most_frames = UINT32_MAX - 3;
	r->most_steps = most * STEPS_PER_CALLER;
	r->steps = 0;
}

static bool has_room(const struct rows *r, size_t n)
{
	return r->to.n + n <= r->most_frames && (!r->steps || r->steps + n <= r->most_steps);
}

/* Moves n walkers one step on; returns how many have not reached the root, in unchanged order. */
static size_t add_row(struct rows *r, struct walker *walkers, size_t n)
{
	const struct trie *s = r->from;
	size_t left = 0;
	for (size_t k = 0; k < n && !TRIE_STOPS(s, k); k++) {
		struct walker one = walkers[k];
		one.at = trie_child(&r->to, one.at, s->sym[one.up]);
		one.up = s->parent[one.up];
		if (one.up == PATH_ROOT)
			r->map[one.path] = one.at;
		else
			walkers[left++] = one;
	}
	r->steps += n;
	return left;
}

/* Adds at least one row, then as many as there is room for. */
static size_t add_rows(struct rows *r, struct walker *walkers, size_t n)
{
	while (n && (!r->steps || has_room(r, n)) && !trie_is_stopped(r->from))
		n = add_row(r, walkers, n);
	return n;
}

/*
 * Moves walkers that `is_wanted` selects to the end, keeping the order of both parts; returns where the end begins.
 */
static size_t part(struct walker *walkers, size_t n, const struct rows *r, const uint8_t *is_wanted, uint32_t only)
{
	struct walker *wanted = mem_alloc((n ? n : 1) * sizeof *wanted);
	size_t n_wanted = 0, left = 0;
	for (size_t k = 0; k < n && !TRIE_STOPS(r->from, k); k++) {
		if (is_wanted ? is_wanted[walkers[k].at] : walkers[k].at == only)
			wanted[n_wanted++] = walkers[k];
		else
			walkers[left++] = walkers[k];
	}
	if (left + n_wanted == n) /* else the fold was cancelled */
		memcpy(walkers + left, wanted, n_wanted * sizeof *wanted);
	free(wanted);
	return left;
}

static size_t part_below(struct rows *r, uint32_t top)
{
	uint8_t *is_below = mem_zalloc(r->to.n, 1);
	size_t first;
	is_below[top] = 1;
	for (uint32_t i = top + 1; i < r->to.n && !TRIE_STOPS(r->from, i); i++)
		is_below[i] = is_below[r->to.parent[i]];
	first = part(r->walkers, r->n, r, is_below, 0);
	free(is_below);
	return first;
}

/*
 * Adds rows below the path that the recipe names. If the path leads beyond the rows so far, its walkers follow it
 * first, one frame a row. Each row adds one frame, and one more for each stack that leaves the path, so this needs
 * no limit.
 */
static void add_rows_below(struct rows *r)
{
	const struct recipe *recipe = r->work->recipe;
	uint32_t at = PATH_ROOT, next;
	size_t depth = 0, first = 0;
	for (; depth < recipe->n_below; depth++, at = next) {
		next = trie_find(&r->to, at, recipe->below[depth]);
		if (next == DROPPED)
			break;
	}
	if (!depth)
		return;
	first = depth == recipe->n_below ? part_below(r, at) : part(r->walkers, r->n, r, NULL, at);
	for (; depth < recipe->n_below && first < r->n; depth++, at = next) {
		r->n = first + add_row(r, r->walkers + first, r->n - first);
		next = trie_find(&r->to, at, recipe->below[depth]);
		if (next == DROPPED || trie_is_stopped(r->from))
			return;
		first += part(r->walkers + first, r->n - first, r, NULL, next);
	}
	if (depth < recipe->n_below)
		return;
	begin_stretch(r);
	r->n = first + add_rows(r, r->walkers + first, r->n - first);
}

/* Maps paths of the first trie, which the log refers to, to their tails. */
static void find_tails(struct rows *r)
{
	struct folding *w = r->work;
	uint32_t *tail_of = mem_zalloc(r->from->n, sizeof *tail_of);
	for (size_t k = 0; k < r->n; k++)
		tail_of[r->walkers[k].path] = (uint32_t)k + 1;
	w->tail_of = mem_zalloc(w->n_first, sizeof *w->tail_of);
	for (uint32_t i = 0; i < w->n_first && !TRIE_STOPS(r->from, i); i++) {
		uint32_t path = w->map ? w->map[i] : i;
		w->tail_of[i] = path == DROPPED ? 0 : tail_of[path];
	}
	free(tail_of);
}

static void keep_tails(struct rows *r, const uint32_t *place)
{
	const struct trie *s = r->from;
	struct cut *cut = r->work->cut;
	uint32_t *depth = trie_depths(s);
	cut->n = r->n;
	cut->tails = mem_alloc((r->n ? r->n : 1) * sizeof *cut->tails);
	for (int side = 0; side < 1 + r->work->has_base; side++)
		cut->sum[side] = mem_zalloc(r->n + 1, sizeof *cut->sum[side]);
	for (size_t k = 0; k < r->n && !trie_is_stopped(s); k++) {
		const struct walker *one = &r->walkers[k];
		r->map[one->path] = one->at;
		cut->tails[k] = (struct tail){one->at, place[one->up], place[one->path], depth[one->up]};
		for (int side = 0; side < 1 + r->work->has_base; side++)
			cut->sum[side][k] = s->weight[side][one->path];
	}
	free(depth);
	if (r->work->wants_map)
		find_tails(r);
}

static void begin_rows(struct rows *r)
{
	const struct trie *s = r->from;
	trie_init_like(&r->to, s);
	r->map = mem_alloc(s->n * sizeof *r->map);
	r->walkers = mem_alloc(s->n * sizeof *r->walkers);
	r->map[0] = PATH_ROOT;
	for (uint32_t i = 1; i < s->n; i++) {
		r->map[i] = DROPPED;
		if (s->is_used[i])
			r->walkers[r->n++] = (struct walker){i, i, PATH_ROOT};
	}
}

static bool turn_rows(struct folding *w)
{
	struct rows r = {.work = w, .from = &w->trie};
	uint32_t *place;
	uint64_t none = 0;
	bool ok;
	folding_prune(w);
	if (trie_is_stopped(&w->trie))
		return false;
	w->cut = mem_zalloc(1, sizeof *w->cut);
	tree_init(&w->cut->whole);
	place = mem_alloc(w->trie.n * sizeof *place);
	begin_rows(&r);
	tree_deinit(&w->cut->whole);
	ok = arrange(w, &w->cut->whole, place);
	if (ok) {
		begin_stretch(&r);
		r.n = add_rows(&r, r.walkers, r.n);
		add_rows_below(&r);
	}
	ok = ok && !trie_is_stopped(&w->trie);
	if (ok) {
		keep_tails(&r, place);
		folding_replace(w, &r.to, r.map, &none);
	} else {
		trie_deinit(&r.to);
		free(r.map);
	}
	free(r.walkers);
	free(place);
	return ok;
}

bool callers_first(struct folding *w)
{
	uint64_t most = most_callers(w);
	if (count_steps(&w->trie) <= most * STEPS_PER_CALLER) {
		enum turn how = turn_all(w, most);
		if (how != TURN_TOO_MANY)
			return how == TURN_DONE;
	}
	return turn_rows(w);
}

/* --- tails of the tree --- */

/* Sorts the tails by node, once the tree is arranged and the nodes have their numbers. */
static void sort_tails(struct cut *cut)
{
	size_t n = cut->n;
	struct sort_item *items = mem_alloc((2 * n + 1) * sizeof *items);
	struct tail *tails = mem_alloc((n ? n : 1) * sizeof *tails);
	uint64_t *sum = mem_alloc((n + 1) * sizeof *sum);
	for (size_t k = 0; k < n; k++)
		items[k] = (struct sort_item){cut->tails[k].node, (uint32_t)k, (uint32_t)k};
	sort_items(items, n, items + n);
	for (size_t k = 0; k < n; k++)
		tails[k] = cut->tails[items[k].value];
	memcpy(cut->tails, tails, n * sizeof *tails);
	for (int side = 0; side < 2 && cut->sum[side]; side++) {
		for (size_t k = 0; k < n; k++)
			sum[k] = cut->sum[side][items[k].value];
		memcpy(cut->sum[side], sum, n * sizeof *sum);
	}
	free(items);
	free(tails);
	free(sum);
}

static void add_up_tails(uint64_t *sum, size_t n)
{
	uint64_t before = 0;
	for (size_t k = 0; k <= n; k++) {
		uint64_t own = k < n ? sum[k] : 0;
		sum[k] = before;
		if (__builtin_add_overflow(before, own, &before))
			before = UINT64_MAX;
	}
}

void callers_add_to_chart(struct folding *w, uint32_t path, uint32_t node, uint64_t weight)
{
	uint32_t k = w->tail_of ? w->tail_of[path] : 0;
	size_t n = w->n_chart_tails;
	struct tail tail;
	if (!k)
		return;
	tail = w->cut->tails[k - 1];
	tail.node = node;
	if (n && w->chart_tails[n - 1].node == node && w->chart_tails[n - 1].leaf == tail.leaf) {
		w->chart_weights[n - 1] += weight;
		return;
	}
	w->chart_weights = mem_grow(w->chart_weights, &w->cap_chart_weights, n + 2, sizeof *w->chart_weights);
	w->chart_weights[n] = weight;
	mem_push(w->chart_tails, w->n_chart_tails, w->cap_chart_tails, tail);
}

/* Nodes of a chart ascend with the samples, so its tails are in order. */
static void take_chart_tails(struct folding *w, struct cut *cut)
{
	free(cut->tails);
	free(cut->sum[0]);
	cut->n = w->n_chart_tails;
	cut->tails = w->chart_tails;
	cut->sum[0] = w->chart_weights ? w->chart_weights : mem_zalloc(1, sizeof *cut->sum[0]);
	w->chart_tails = NULL;
	w->chart_weights = NULL;
}

static void place_tails(struct cut *cut, const uint32_t *place)
{
	for (size_t k = 0; k < cut->n; k++)
		cut->tails[k].node = place[cut->tails[k].node];
	sort_tails(cut);
}

void callers_end(struct folding *w, struct tree *t)
{
	struct cut *cut = w->cut;
	if (!cut)
		return;
	if (t->is_chart)
		take_chart_tails(w, cut);
	else
		place_tails(cut, w->place);
	for (int side = 0; side < 2 && cut->sum[side]; side++)
		add_up_tails(cut->sum[side], cut->n);
	cut->most_rows = mem_zalloc(cut->n / CUT_BLOCK + 1, sizeof *cut->most_rows);
	for (size_t k = 0; k < cut->n; k++)
		if (cut->most_rows[k / CUT_BLOCK] < cut->tails[k].rows)
			cut->most_rows[k / CUT_BLOCK] = cut->tails[k].rows;
	cut->n_below = w->recipe->n_below;
	cut->below = mem_alloc((cut->n_below ? cut->n_below : 1) * sizeof *cut->below);
	memcpy(cut->below, w->recipe->n_below ? w->recipe->below : (const uint32_t[]){0},
	       cut->n_below * sizeof *cut->below);
	t->cut = cut;
	w->cut = NULL;
}
