/*
 * weigh.c - reads the log once and adds each sample's weight to its path.
 *
 * Without --split the profile's own paths are the trie; with it, samples copy the paths they need.
 */
#include "weigh.h"

#include <stdlib.h>

#include "base/mem.h"
#include "decay.h"
#include "selection.h"
#include "split.h"
#include "threads.h"

/* State of weighing one log. */
struct weighing {
	struct folding *folding;
	const struct selection *selection;
	unsigned side;
	bool is_decaying;
	struct decay decay;
	struct splitter splitter;
	size_t n_copies; /* of the splitter, at the last check for cancellation */
};

/* Excludes the weight that a window let go (retain.h). */
static void exclude_let_go(struct folding *w, int32_t series)
{
	size_t first = series < 0 ? 0 : (size_t)series, end = series < 0 ? w->profile->n_series : first + 1;
	for (size_t i = first; i < end && i < w->profile->n_series; i++)
		weight_add(&w->excluded[0], w->profile->series[i].let_go);
}

static bool goes_on(struct weighing *x, size_t i)
{
	if (EVERY(i) && !folding_goes_on(x->folding, 0x10000))
		return false;
	if (x->splitter.n_copies - x->n_copies <= 0x10000)
		return true;
	x->n_copies = x->splitter.n_copies;
	return folding_goes_on(x->folding, 0);
}

static inline void add_entry(struct weighing *x, const struct sample_log *log, size_t i)
{
	struct folding *w = x->folding;
	uint32_t path = w->recipe->n_splits ? split_path(&x->splitter, i) : log->path[i];
	uint64_t weight = x->side ? log->weight[i] : folding_weight(w, i);
	if (x->is_decaying)
		decay_add(&x->decay, path, weight, decay_left(x->selection, log, i, weight));
	else
		weight_add(&w->trie.weight[x->side][path], weight);
	weight_add(&w->excluded[x->side], log->weight[i] - weight);
	if (w->trie.squares[x->side])
		w->trie.squares[x->side][path] += log_squares(log, i);
	w->trie.is_used[path] |= (uint8_t)(1u << x->side);
	trie_add_age(&w->trie, path, UINT64_MAX - (x->side ? w->profile->log[0].n : 0) - i);
	if (x->side)
		return;
	w->samples += log_count(log, i);
	if (w->sample_path)
		w->sample_path[i] = path;
}

/* Each filter says what it left out of the side that is shown. */
static void exclude(struct weighing *x, const struct sample_log *log, size_t i)
{
	struct folding *w = x->folding;
	uint32_t filter = selection_left_out_by(x->selection, log, i);
	weight_add(&w->excluded[x->side], log->weight[i]);
	if (x->side == 0 && selection_lacks_time(x->selection, log, i) &&
	    selection_has_but_for_time(x->selection, log, i))
		w->untimed += log_count(log, i);
	if (filter && log->weight[i])
		w->recipe->filters[filter - 1].has_taken = true;
	if (filter && x->side == (w->has_base && w->recipe->swap_sides))
		weight_add(&w->recipe->filters[filter - 1].excluded, log->weight[i]);
}

/* Rounds what is left: the sums of paths, and for a chart the parts of their samples. */
static bool settle(struct weighing *x, const struct sample_log *log, int32_t series)
{
	struct folding *w = x->folding;
	struct decay_parts parts;
	bool ok = true;
	weight_add(&w->excluded[0], decay_settle(&x->decay, w->trie.weight[0]));
	if (!w->recipe->chart)
		return true;
	decay_parts_init(&parts, x->decay.sum, w->trie.weight[0], x->decay.n, x->decay.grain);
	w->faded = mem_zalloc(log->n ? log->n : 1, sizeof *w->faded);
	for (size_t i = 0; i < log->n && ok; i++) {
		ok = !EVERY(i) || folding_goes_on(w, 0);
		if (!log_is_of(log, i, series) || !selection_has(x->selection, log, i) || folding_leaves_out(w, i))
			continue;
		double left = decay_left(x->selection, log, i, folding_weight(w, i));
		w->faded[i] = decay_part(&parts, folding_first_path(w, i), left);
	}
	decay_parts_deinit(&parts);
	return ok;
}

static bool weigh_log(struct folding *w, const struct selection *s, unsigned side)
{
	const struct sample_log *log = &w->profile->log[side];
	int32_t series = selection_series(w->profile, w->recipe, side);
	struct weighing x = {.folding = w, .selection = s, .side = side};
	x.decay.grain = w->profile->grain;
	split_init(&x.splitter, w, side);
	bool ok = true;
	x.is_decaying = side == 0 && w->recipe->half_life && log->time;
	if (side == 0)
		exclude_let_go(w, series);
	for (size_t i = 0; i < log->n && ok; i++) {
		ok = goes_on(&x, i);
		if (!log_is_of(log, i, series))
			continue;
		if (side == 0 ? selection_has(s, log, i) && !folding_leaves_out(w, i) : selection_has_before(s, log, i))
			add_entry(&x, log, i);
		else
			exclude(&x, log, i);
	}
	if (x.is_decaying && ok)
		ok = settle(&x, log, series);
	decay_deinit(&x.decay);
	split_deinit(&x.splitter);
	return ok;
}

/* Unless stacks are changed, paths are in the order of the input: each comes when the first sample has it. */
static bool wants_ages(const struct recipe *r)
{
	return r->sort == SORT_INPUT && !r->chart && (r->reverse || r->n_filters > 0 || r->strip_hex);
}

bool weigh(struct folding *w)
{
	struct profile *p = w->profile;
	struct selection s;
	bool ok;
	if (w->recipe->cut_to && !threads_parts(w))
		return false;
	if (w->recipe->n_splits)
		trie_init(&w->trie, p->n_paths, w->has_base, w->progress);
	else
		trie_borrow(&w->trie, p->n_paths, p->parent, p->sym, w->has_base, w->progress);
	if (wants_ages(w->recipe))
		trie_want_ages(&w->trie);
	if (w->has_base && (p->log[0].has_times || p->log[1].has_times) && !w->recipe->half_life)
		trie_want_squares(&w->trie);
	if (w->wants_map && w->recipe->n_splits)
		w->sample_path = mem_alloc(p->log[0].n * sizeof *w->sample_path);
	ok = selection_init(&s, p, w->recipe, w->progress) && weigh_log(w, &s, 0) &&
	     (!w->has_base || weigh_log(w, &s, 1));
	selection_deinit(&s);
	w->n_first = w->trie.n;
	return ok;
}
