/*
 * work.c - a fold on a thread of its own.
 *
 * A large profile takes longer to fold than a person waits for a key. The thread gets a copy of the recipe and reads the
 * profile, which nobody changes meanwhile; the interface goes on with the tree it has and takes the new one over when it
 * is complete. A recipe that makes new names while folding (split keys, stripped addresses) would write to the symbol
 * table that the interface reads, so such a fold is done in the foreground.
 */
#include "tui/work.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

void facts_init(struct facts *f)
{
	*f = (struct facts){0};
}

void facts_deinit(struct facts *f)
{
	free(f->sums);
	free(f->index);
	facts_init(f);
}

static uint64_t greatest_difference(const struct tree *t)
{
	uint64_t max = 0;
	if (t->base == NULL)
		return 0;
	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t a = tree_self(t, i), b = tree_base_self(t, i);
		uint64_t d = a > b ? a - b : b - a;
		if (d > max)
			max = d;
	}
	return max ? max : 1;
}

void facts_make(struct facts *f, const struct profile *p, const struct recipe *r, const struct tree *t)
{
	size_t n_symbols = p->symtab.n;
	facts_deinit(f);
	f->sums = tree_sums(t, NODE_ALL, n_symbols, &f->n_sums);
	f->n_symbols = n_symbols;
	f->index = mem_alloc((n_symbols ? n_symbols : 1) * sizeof *f->index);
	memset(f->index, 0xFF, n_symbols * sizeof *f->index);
	for (size_t i = 0; i < f->n_sums; i++)
		if (f->sums[i].sym < n_symbols)
			f->index[f->sums[i].sym] = (uint32_t)i;
	f->diff_max = greatest_difference(t);
	diff_basis_make(&f->basis, p, r, t);
	if (t->base)
		diff_count(&f->counts, &f->basis, f->sums, f->n_sums);
}

const struct name_sum *facts_sum(const struct facts *f, uint32_t sym)
{
	if (sym >= f->n_symbols || f->index[sym] == UINT32_MAX)
		return NULL;
	return &f->sums[f->index[sym]];
}

struct work {
	pthread_t thread;
	struct profile *profile;
	struct recipe recipe;
	struct tree tree;
	struct facts facts;
	struct progress progress;
	struct err err;
	bool ok;
	atomic_bool is_done;
	int wake_fd;
};

bool work_is_possible(const struct recipe *r)
{
	return r->n_splits == 0 && !r->strip_hex;
}

static void *run(void *arg)
{
	struct work *w = arg;
	w->ok = fold(w->profile, &w->recipe, &w->tree, &w->progress, &w->err);
	if (w->ok && !atomic_load(&w->progress.cancel))
		facts_make(&w->facts, w->profile, &w->recipe, &w->tree);
	atomic_store(&w->is_done, true);
	/* The pipe only wakes a poll(); when it is full somebody is awake already. */
	ssize_t ignored = write(w->wake_fd, "w", 1);
	(void)ignored;
	return NULL;
}

struct work *work_start(struct profile *profile, const struct recipe *recipe, int wake_fd)
{
	struct work *w = mem_zalloc(1, sizeof *w);
	w->profile = profile;
	w->wake_fd = wake_fd;
	recipe_copy(&w->recipe, recipe); /* the tree stays zeroed: fold() makes it */
	facts_init(&w->facts);
	if (pthread_create(&w->thread, NULL, run, w) == 0)
		return w;
	/* No thread to be had: the caller folds by itself. */
	recipe_deinit(&w->recipe);
	tree_deinit(&w->tree);
	free(w);
	return NULL;
}

bool work_is_done(const struct work *w)
{
	return atomic_load(&w->is_done);
}

double work_share_done(const struct work *w)
{
	return progress_share(&w->progress);
}

static void free_work(struct work *w)
{
	recipe_deinit(&w->recipe);
	tree_deinit(&w->tree);
	facts_deinit(&w->facts);
	free(w);
}

bool work_end(struct work *w, struct tree *tree, struct facts *facts, struct recipe *recipe, struct err *err)
{
	pthread_join(w->thread, NULL);
	bool ok = w->ok;
	*err = w->err;
	if (ok) {
		*tree = w->tree;
		w->tree = (struct tree){.n = 0};
		facts_deinit(facts);
		*facts = w->facts;
		facts_init(&w->facts);
		for (size_t i = 0; i < recipe->n_filters && i < w->recipe.n_filters; i++) {
			recipe->filters[i].excluded = w->recipe.filters[i].excluded;
			recipe->filters[i].matched_none = w->recipe.filters[i].matched_none;
		}
	}
	free_work(w);
	return ok;
}

void work_cancel(struct work *w)
{
	if (w == NULL)
		return;
	atomic_store(&w->progress.cancel, true);
	pthread_join(w->thread, NULL);
	free_work(w);
}
