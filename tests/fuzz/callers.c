/*
 * callers.c - folds any bytes as a profile, callers first; rows left out of the tree must not change any result.
 *
 * The first byte picks the format (or detection), the second the fold's options, the third the limit of frames; the
 * rest is the input. It is folded with all rows and with few: sums, matches, stacks and a zoom to the end must
 * agree.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "collapse/load/load.h"
#include "model/cut.h"
#include "model/tree_sums.h"
#include "model/view.h"
#include "model/ways.h"
#include "tests/fuzz/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "not the same: %s\n", what);
	abort();
}

static void open_view(struct view *v, struct profile *p, uint8_t bits, uint32_t most)
{
	struct recipe *r = &v->recipe;
	struct err err;
	view_init(v, p, UTF8_CLEAN_UTF8, true);
	r->reverse = true;
	r->most_callers = most;
	r->sort = (enum sort_order)(bits % 3);
	r->chart = bits & 4;
	if (bits & 8)
		recipe_add_filter(r, FILTER_RECURSION, MATCH_REGEX, NULL);
	if (bits & 16)
		recipe_add_filter(r, FILTER_HIDE, MATCH_REGEX, "a");
	if (bits & 32)
		r->splits[r->n_splits++] = (struct split){.key = SPLIT_TID};
	r->strip_hex = bits & 64;
	if (bits & 128)
		recipe_add_filter(r, FILTER_CALLERS, MATCH_REGEX, "a|b");
	require(view_update(v, DIRTY_TREE, NULL, &err), "a fold");
	view_search(v, "b", MATCH_REGEX, &err);
}

static uint64_t next_hash(uint64_t hash, uint32_t sym)
{
	return hash_mix(hash + sym + 1, UINT64_C(0x9E3779B97F4A7C15));
}

/* A hash of all stacks and their weights, independent of their order. */
static uint64_t hash_stacks(const struct view *v)
{
	const struct tree *t = &v->tree;
	size_t n = v->profile->symtab.n;
	uint32_t *rank = mem_alloc(n * sizeof *rank), *ends = mem_alloc(n * sizeof *ends);
	uint64_t *hash = mem_zalloc(t->n, sizeof *hash), sum = 0;
	symtab_rank(&v->profile->symtab, rank, ends);
	for (uint32_t i = 0; i < t->n; i++) {
		struct cut_walk w;
		size_t first, end;
		hash[i] = i && !tree_is_gap(t, i) ? next_hash(hash[t->parent[i]], t->sym[i]) : hash[t->parent[i]];
		uint64_t self = tree_self(t, i);
		if (t->end[i] == i + 1 && tree_tails(t, i, &first, &end)) {
			self -= tree_going_on(t, 0, i);
			cut_walk_begin(&w, t, i, rank, ends);
			while (cut_walk_next(&w)) {
				uint64_t whole = hash[i];
				for (size_t k = 0; k < w.n; k++)
					whole = next_hash(whole, w.syms[k]);
				sum += whole * w.weight[0];
			}
			cut_walk_end(&w);
		}
		sum += hash[i] * self;
	}
	free(hash);
	free(rank);
	free(ends);
	return sum;
}

static int by_symbol(const void *a, const void *b)
{
	const struct name_sum *x = a, *y = b;
	return x->sym < y->sym ? -1 : x->sym > y->sym;
}

static void compare_sums(const struct view *cut, uint32_t node, const struct view *whole, uint32_t same)
{
	size_t n, n_whole;
	struct name_sum *a = tree_sums(&cut->tree, node, cut->profile->symtab.n, &n, NULL);
	struct name_sum *b = tree_sums(&whole->tree, same, whole->profile->symtab.n, &n_whole, NULL);
	require(n == n_whole, "names");
	if (n > 0) {
		qsort(a, n, sizeof *a, by_symbol);
		qsort(b, n, sizeof *b, by_symbol);
	}
	for (size_t i = 0; i < n; i++)
		require(a[i].sym == b[i].sym && a[i].self == b[i].self && a[i].total == b[i].total &&
		            a[i].frames <= b[i].frames,
		        "the sums of a name");
	free(a);
	free(b);
}

/* Zooms again and again, each time to the end of the previous rows. */
static void zoom_to_the_end(struct view *cut, const struct view *whole)
{
	struct err err;
	size_t first, end;
	while (tree_tails(&cut->tree, cut->zoom, &first, &end)) {
		uint32_t node = cut->tree.cut->tails[first + (end - first) / 2].node, depth = tree_depth(&cut->tree, node);
		require(node != cut->zoom, "a zoom shows more");
		if (view_zoom(cut, node) & DIRTY_TREE)
			require(view_update(cut, DIRTY_TREE, NULL, &err), "a fold");
		require(tree_depth(&cut->tree, cut->zoom) == depth, "the frame that was zoomed into");
	}
	uint32_t depth = tree_depth(&cut->tree, cut->zoom), *syms = mem_alloc((depth + 1) * sizeof *syms);
	size_t found;
	tree_path(&cut->tree, cut->zoom, syms, depth);
	uint32_t node = ways_find_path(&whole->tree, syms, depth, &found);
	require(found == depth && tree_total(&whole->tree, node) == tree_total(&cut->tree, cut->zoom),
	        "the end of a path");
	require(whole->tree.end[node] - node == cut->tree.end[cut->zoom] - cut->zoom, "what stands on it");
	compare_sums(cut, cut->zoom, whole, node);
	free(syms);
}

static void look(struct profile *p, uint8_t bits, uint32_t most)
{
	struct view whole, cut;
	char why[256];
	open_view(&whole, p, bits, UINT32_MAX / 2);
	open_view(&cut, p, bits, most);
	/* In a chart, stacks of weight 0 may separate neighbours of one name, even if rows are left out. */
	require(tree_check(&cut.tree, why, sizeof why) || !tree_check(&whole.tree, why, sizeof why), "a sound tree");
	require(tree_total(&cut.tree, NODE_ALL) == tree_total(&whole.tree, NODE_ALL), "all");
	if (tree_total(&whole.tree, NODE_ALL) > UINT64_MAX / 2) /* the heaviest frames are capped to fit */
		goto out;
	require(cut.search.matched == whole.search.matched, "matches");
	require(hash_stacks(&cut) == hash_stacks(&whole), "stacks");
	compare_sums(&cut, NODE_ALL, &whole, NODE_ALL);
	if (!cut.tree.is_chart)
		zoom_to_the_end(&cut, &whole);
out:
	view_deinit(&whole);
	view_deinit(&cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	struct collapse_options options = {.format = pick_format_or_none(data[0]), .jobs = 1};
	struct load_input input = {.path = "input", .fd = memfd_create("input", 0)};
	struct profile p;
	struct err err;
	if (input.fd < 0 || write(input.fd, data + 3, size - 3) != (ssize_t)(size - 3) ||
	    lseek(input.fd, 0, SEEK_SET) != 0)
		abort();
	profile_init(&p);
	if (load_all(&p, &input, 1, &options, &err))
		look(&p, data[1], 1 + data[2] % 64u);
	profile_deinit(&p);
	return 0;
}
