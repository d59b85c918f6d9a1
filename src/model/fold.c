/*
 * fold.c - samples and paths in, tree out.
 *
 * A profile's paths are a trie already, so almost every step runs once per path, not once per sample:
 *
 *	names        creates the names (split.h, rename.h) that the steps below look up;
 *	weigh        sums the selected samples (selection.h) by path; --split puts frames below them (split.h);
 *	rename,      walk the paths in order (a parent comes before its children) and map each to a path of a smaller
 *	filter,      trie: hiding maps a frame to its parent, focusing drops weights, merging makes one frame of the
 *	merge,       functions of a name or a module, reversing turns paths around;
 *	callers      reverses; mostly it makes the tree at once;
 *	arrange      sorts siblings and turns paths into the nodes of a tree;
 *	chart        replaces arrange for a flame chart: replays the log through the maps of the earlier steps.
 *
 * folding.h holds the state that they share.
 */
#include "fold.h"

#include <stdlib.h>

#include "arrange.h"
#include "base/mem.h"
#include "callers.h"
#include "chart.h"
#include "cut.h"
#include "early.h"
#include "filter.h"
#include "folding.h"
#include "merge.h"
#include "rename.h"
#include "split.h"
#include "weigh.h"

/* Creates all names that the fold needs, so that it adds none while other threads read. false: cancelled. */
static bool make_names(struct folding *w)
{
	const struct recipe *r = w->recipe;
	struct symtab *t = &w->profile->symtab;
	size_t before = t->n;
	bool goes_on = split_make_names(w) && (!r->strip_hex || rename_make_addresses(w)) && merge_make_names(w);
	t->n_made += t->n - before;
	return goes_on;
}

bool fold_makes_names(const struct recipe *r)
{
	return r->n_splits || r->strip_hex || merge_makes_names(r);
}

#define LONG_FRAMES ((uint64_t)1 << 20)

bool fold_is_long(const struct profile *p, const struct recipe *r)
{
	uint32_t *depth, deepest = 0;
	uint64_t frames = 0;
	if (!recipe_reverses(r) && !r->chart)
		return false;
	depth = mem_alloc(p->n_paths * sizeof *depth);
	depth[0] = 0;
	for (uint32_t i = 1; i < p->n_paths; i++) {
		depth[i] = depth[p->parent[i]] + 1;
		frames += depth[i];
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	free(depth);
	return frames > LONG_FRAMES || (r->chart && p->log[0].n * (uint64_t)deepest > LONG_FRAMES);
}

static void swap_sides(struct folding *w)
{
	uint64_t *other = w->trie.weight[0], excluded = w->excluded[0];
	if (!w->has_base || !w->recipe->swap_sides)
		return;
	w->trie.weight[0] = w->trie.weight[1];
	w->trie.weight[1] = other;
	w->excluded[0] = w->excluded[1];
	w->excluded[1] = excluded;
	double *squares = w->trie.squares[0];
	w->trie.squares[0] = w->trie.squares[1];
	w->trie.squares[1] = squares;
}

static void add_up_squares(struct folding *w)
{
	for (unsigned side = 0; side < 2; side++)
		for (uint32_t i = 0; w->trie.squares[side] && i < w->trie.n; i++)
			w->squares[side] += w->trie.squares[side][i];
}

/* What filters left out is counted anew. */
static void forget_effects(struct recipe *r)
{
	for (size_t i = 0; i < r->n_filters; i++) {
		r->filters[i].excluded = 0;
		r->filters[i].has_taken = false;
		r->filters[i].matched_none = false;
		r->filters[i].given_up = 0;
	}
}

/* Do stacks have two counts each, before and now? */
static bool has_pairs(const struct profile *p)
{
	bool has_any = p->columns.two > 0;
	for (size_t i = 0; i < p->n_files && !has_any; i++)
		has_any = p->files[i].columns.two > 0;
	return has_any;
}

static bool change(struct folding *w, struct err *err)
{
	if (w->recipe->strip_hex && !rename_addresses(w))
		return false;
	swap_sides(w);
	if (!filter_all(w, err) || !merge_names(w))
		return false;
	add_up_squares(w);
	return true;
}

bool folding_run(struct folding *w, struct err *err)
{
	const struct recipe *r = w->recipe;
	w->has_base = w->profile->log[1].n > 0 && !r->chart && !r->leaves_base;
	w->leaves_zeros = has_pairs(w->profile) && !w->has_base;
	forget_effects(w->recipe);
	return make_names(w) && weigh(w) && change(w, err);
}

void folding_deinit(struct folding *w)
{
	if (w->turned)
		tree_deinit(w->turned);
	free(w->turned);
	cut_free(w->cut);
	free(w->place);
	free(w->tail_of);
	free(w->chart_tails);
	free(w->chart_weights);
	trie_deinit(&w->trie);
	for (size_t i = 0; w->sets && i < w->recipe->n_filters; i++)
		symset_deinit(&w->sets[i]);
	free(w->sets);
	free(w->is_split);
	free(w->labels);
	free(w->functions);
	folding_forget_samples(w);
}

void folding_forget_samples(struct folding *w)
{
	free(w->map);
	free(w->part);
	free(w->faded);
	free(w->sample_path);
	w->map = w->sample_path = NULL;
	w->part = w->faded = NULL;
}

static uint64_t count_steps(const struct profile *p, const struct recipe *r)
{
	return (p->log[0].n + p->log[1].n) * (r->n_splits + 1u) + (r->chart ? p->log[0].n * 2 : 0) +
	       (r->chart ? 0 : (uint64_t)p->n_paths * ARRANGE_STEPS) + (uint64_t)p->symtab.n * r->n_filters +
	       (uint64_t)p->n_paths * (r->n_filters + recipe_reverses(r) + r->strip_hex + 1u + p->symtab.has_languages);
}

/* false: cancelled. */
static bool number_nodes(struct folding *w, struct tree *t)
{
	if (w->turned) {
		*t = *w->turned;
		*w->turned = (struct tree){.n = 0};
		return true;
	}
	folding_prune(w);
	if (w->cut && !w->recipe->chart)
		w->place = mem_alloc(w->trie.n * sizeof *w->place);
	return w->recipe->chart ? chart_make(w, t) : arrange(w, t, w->place);
}

static void describe(const struct folding *w, struct tree *t)
{
	merge_end(w, t);
	t->functions = mem_copy(w->functions, w->n_functions / 64 + 1, sizeof *w->functions);
	t->n_functions = w->n_functions;
	t->is_reversed = recipe_reverses(w->recipe);
	t->is_shortened = w->is_shortened;
	t->excluded[0] = w->excluded[0];
	t->excluded[1] = w->excluded[1];
	t->untimed = w->untimed;
	t->squares[0] = w->squares[0];
	t->squares[1] = w->squares[1];
	t->samples = w->samples;
}

static bool make_tree(struct folding *w, struct tree *t)
{
	if (!number_nodes(w, t))
		return false;
	callers_end(w, t);
	describe(w, t);
	return true;
}

/* Paths with which a fold takes several times as long as its early tree. */
#define EARLY_PATHS 250000u

static void show_early(struct folding *w, fold_early_fn *show, void *arg)
{
	struct tree t;
	if (!show || w->recipe->chart || w->trie.n < EARLY_PATHS || !callers_sum_fits(w) || !early_callers(w, &t))
		return;
	describe(w, &t);
	show(arg, &t);
}

bool fold(struct profile *p, struct recipe *r, struct tree *out, struct progress *progress, struct err *err)
{
	return fold_with_early(p, r, out, progress, err, NULL, NULL);
}

static bool turn_around(struct folding *w, fold_early_fn *show, void *arg)
{
	if (!recipe_reverses(w->recipe))
		return true;
	show_early(w, show, arg);
	return callers_first(w);
}

bool fold_with_early(struct profile *p, struct recipe *r, struct tree *out, struct progress *progress,
                     struct err *err, fold_early_fn *show, void *arg)
{
	struct folding w = {.profile = p, .recipe = r, .progress = progress};
	struct tree t;
	bool ok;
	if (err)
		err->text[0] = '\0';
	w.wants_map = r->chart;
	if (progress)
		atomic_store(&progress->all, count_steps(p, r));
	ok = folding_run(&w, err) && turn_around(&w, show, arg) && make_tree(&w, &t);
	if (ok)
		*out = t;
	folding_deinit(&w);
	return ok;
}
