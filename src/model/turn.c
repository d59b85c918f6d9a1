/*
 * turn.c - reverses stacks by parting them (turn_part.h), on several threads if there are many.
 */
#include "turn.h"

#include <stdlib.h>

#include "arrange.h"
#include "base/mem.h"
#include "turn_part.h"
#include "turn_team.h"

/* With fewer, to start a thread takes more time than it saves. Tests have a smaller limit. */
#ifndef STACKS_PER_THREAD
#define STACKS_PER_THREAD 50000u
#endif

static uint32_t count_stacks(const struct trie *from)
{
	uint32_t n = 0;
	for (uint32_t i = 1; i < from->n; i++)
		n += from->is_used[i] != 0;
	return n;
}

static struct step *make_steps(const struct trie *from)
{
	struct step *steps = mem_alloc(from->n * sizeof *steps);
	for (uint32_t i = 0; i < from->n; i++)
		steps[i] = (struct step){i ? from->sym[i] : NO_SYMBOL, from->parent[i]};
	return steps;
}

static void make_stacks(struct turn_input *in)
{
	const struct trie *from = in->from;
	uint32_t n = 0;
	for (uint32_t i = 1; i < from->n && !TRIE_STOPS(from, i); i++) {
		if (in->map)
			in->map[i] = DROPPED;
		if (from->is_used[i])
			in->stacks[n++] = (struct stack){i, in->steps[i]};
	}
	in->n_stacks = n; /* fewer if the fold was cancelled */
}

/* How siblings are sorted. false: cancelled. */
static bool order_siblings(struct turn_input *in, const struct folding *w, uint32_t *rank)
{
	enum sort_order sort = w->recipe->sort;
	const struct symtab *symtab = &w->profile->symtab;
	in->key = sort == SORT_WEIGHT ? in->from->weight[0] : sort == SORT_INPUT ? in->from->age : NULL;
	in->adds_keys = sort == SORT_WEIGHT;
	in->rank = sort == SORT_INPUT ? NULL : rank;
	return !in->rank || symtab_rank_until(symtab, rank, rank + symtab->n, w->progress);
}

/* A map tells the numbers of nodes as they are made: only one thread knows them then. */
static unsigned threads_for(const struct folding *w, const struct turn_input *in)
{
	uint32_t most = in->map ? 1 : in->n_stacks / STACKS_PER_THREAD;
	unsigned jobs = w->recipe->jobs < most ? w->recipe->jobs : most;
	return jobs ? jobs : 1;
}

/* Completes the tree, or frees it. */
static enum turn turn_all(const struct folding *w, const struct turn_input *in, struct tree *to)
{
	struct stretch all;
	stretch_begin(&all, in, to);
	bool is_done = turn_on_threads(&all, threads_for(w, in)), is_stopped = trie_is_stopped(in->from);
	if (is_done && !is_stopped)
		stretch_finish(&all);
	else
		tree_deinit(to);
	stretch_deinit(&all);
	return is_stopped ? TURN_STOPPED : is_done ? TURN_DONE : TURN_TOO_MANY;
}

enum turn turn_stacks(struct folding *w, struct tree *to, uint32_t *map, uint64_t most)
{
	const struct trie *from = &w->trie;
	uint32_t n_stacks = count_stacks(from);
	struct step *steps = make_steps(from);
	uint32_t *rank = mem_alloc(w->profile->symtab.n * 2 * sizeof *rank);
	struct turn_input in = {.from = from, .steps = steps, .map = map, .most = most};
	in.wait = w->wait;
	in.wait_arg = w->wait_arg;
	enum turn how = TURN_STOPPED;
	in.n_symbols = w->profile->symtab.n;
	in.n_stacks = n_stacks;
	in.stacks = mem_alloc((n_stacks + 1) * sizeof *in.stacks);
	if (w->progress)
		atomic_store(&w->progress->all, atomic_load(&w->progress->done) + n_stacks * (uint64_t)ARRANGE_STEPS);
	if (order_siblings(&in, w, rank)) {
		make_stacks(&in);
		how = turn_all(w, &in, to);
	}
	free(rank);
	free(in.stacks);
	free(steps);
	return how;
}
