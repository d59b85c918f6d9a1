/*
 * view_search.c - a search as a bitmap over nodes.
 *
 *	symbols  ->  one bit each (match.c, every name tested once)
 *	nodes    ->  one bit each: the bit of the node's symbol, 64 of them in a row, no branches
 *	blocks   ->  how many bits are set before each 512 nodes
 *
 * With these, "is there a match inside of this aggregate" and "match 7 of 31" take a few instructions, next and
 * previous scan words, and the matched share visits matches only: the bits in preorder, each outermost match passed
 * over to the end of its subtree, so that a match inside of a match is not counted twice. The root is no frame and
 * never matches.
 */
#include "view_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BLOCK_NODES 512u
#define BLOCK_WORDS (BLOCK_NODES / 64)

void search_clear(struct search *s)
{
	free(s->pattern);
	match_free(s->match);
	symset_deinit(&s->hits);
	free(s->node_bits);
	free(s->node_ranks);
	*s = (struct search){.pattern = NULL};
}

static inline uint64_t bit_of(const uint64_t *bits, uint32_t sym)
{
	return bits[sym >> 6] >> (sym & 63) & 1;
}

/* Four at a time, so that their look-ups overlap: this loop runs over every node of the tree. */
static uint64_t full_word(const uint64_t *bits, const uint32_t *syms)
{
	uint64_t word = 0;

	for (unsigned j = 0; j < 64; j += 4) {
		uint64_t four = bit_of(bits, syms[j]) | bit_of(bits, syms[j + 1]) << 1 | bit_of(bits, syms[j + 2]) << 2 |
		                bit_of(bits, syms[j + 3]) << 3;
		word |= four << j;
	}
	return word;
}

static uint64_t part_word(const uint64_t *bits, const uint32_t *syms, uint32_t n)
{
	uint64_t word = 0;

	for (uint32_t j = 0; j < n; j++)
		word |= bit_of(bits, syms[j]) << j;
	return word;
}

/* Whole blocks are allocated, so that ranks may read past the last node. */
static void mark_nodes(struct search *s, const struct tree *t)
{
	size_t blocks = (size_t)t->n / BLOCK_NODES + 1, words = blocks * BLOCK_WORDS, full = t->n / 64;
	uint32_t count = 0;

	s->node_bits = mem_realloc(s->node_bits, words, sizeof *s->node_bits);
	s->node_ranks = mem_realloc(s->node_ranks, blocks + 1, sizeof *s->node_ranks);
	for (size_t w = 0; w < full; w++)
		s->node_bits[w] = full_word(s->hits.bits, t->sym + w * 64);
	s->node_bits[full] = part_word(s->hits.bits, t->sym + full * 64, t->n % 64);
	memset(s->node_bits + full + 1, 0, (words - full - 1) * sizeof *s->node_bits);
	s->node_bits[0] &= ~UINT64_C(1);
	for (size_t b = 0; b < blocks; b++) {
		s->node_ranks[b] = count;
		for (size_t w = b * BLOCK_WORDS; w < (b + 1) * BLOCK_WORDS; w++)
			count += (uint32_t)__builtin_popcountll(s->node_bits[w]);
	}
	s->node_ranks[blocks] = count;
	s->frames = count;
}

/* How many nodes before `node` match. */
static uint32_t rank_of(const struct search *s, uint32_t node)
{
	uint32_t rank = s->node_ranks[node / BLOCK_NODES];

	for (uint32_t w = node / BLOCK_NODES * BLOCK_WORDS; w < node / 64; w++)
		rank += (uint32_t)__builtin_popcountll(s->node_bits[w]);
	return rank + (uint32_t)__builtin_popcountll(s->node_bits[node / 64] & ((UINT64_C(1) << node % 64) - 1));
}

/* The first match in [from, to), NO_NODE: none. */
static uint32_t first_hit(const struct search *s, uint32_t from, uint32_t to)
{
	if (from >= to)
		return NO_NODE;
	uint32_t w = from / 64, last = (to - 1) / 64;
	uint64_t word = s->node_bits[w] & (~UINT64_C(0) << from % 64);

	while (!word && w < last)
		word = s->node_bits[++w];
	if (!word)
		return NO_NODE;
	uint32_t hit = w * 64 + (uint32_t)__builtin_ctzll(word);
	return hit < to ? hit : NO_NODE;
}

static uint32_t last_hit(const struct search *s, uint32_t from, uint32_t to)
{
	if (from >= to)
		return NO_NODE;
	uint32_t w = (to - 1) / 64, first = from / 64;
	uint64_t word = s->node_bits[w] & (~UINT64_C(0) >> (63 - (to - 1) % 64));

	while (!word && w > first)
		word = s->node_bits[--w];
	if (!word)
		return NO_NODE;
	uint32_t hit = w * 64 + 63 - (uint32_t)__builtin_clzll(word);
	return hit >= from ? hit : NO_NODE;
}

void search_zoom(struct view *v)
{
	struct search *s = &v->search;
	const struct tree *t = &v->tree;

	if (!s->pattern)
		return;
	uint32_t to = t->end[v->zoom];
	s->frames_zoom = rank_of(s, to) - rank_of(s, v->zoom);
	s->matched = 0;
	for (uint32_t i = first_hit(s, v->zoom, to); i != NO_NODE; i = first_hit(s, t->end[i], to))
		s->matched += tree_total(t, i);
}

/* Names that came since are tested now; the empty name stands for the root and for a chart's gaps, too. */
static void extend_hits(struct search *s, const struct symtab *t)
{
	match_symbols(s->match, t, &s->hits, NULL, NULL);
	s->hits.bits[0] &= ~UINT64_C(1);
}

void search_tree(struct view *v)
{
	if (!v->search.pattern)
		return;
	extend_hits(&v->search, &v->profile->symtab);
	mark_nodes(&v->search, &v->tree);
	search_zoom(v);
}

unsigned view_search(struct view *v, const char *pattern, enum match_mode mode, struct err *err)
{
	struct search *s = &v->search;

	if (!pattern || !*pattern) {
		unsigned dirty = s->pattern ? DIRTY_SCREEN : 0;
		search_clear(s);
		return dirty;
	}
	struct match *match = match_new(pattern, mode, err);
	if (!match)
		return 0;
	struct search fresh = {.pattern = mem_strdup(pattern), .mode = mode, .match = match};
	search_clear(s);
	*s = fresh;
	search_tree(v);
	return DIRTY_SCREEN;
}

uint32_t view_next_hit(const struct view *v, bool backwards)
{
	const struct search *s = &v->search;
	uint32_t from = v->zoom, to = v->tree.end[v->zoom], hit;

	if (!s->pattern)
		return NO_NODE;
	if (backwards) {
		hit = last_hit(s, from, v->cursor);
		return hit != NO_NODE ? hit : last_hit(s, v->cursor, to);
	}
	hit = first_hit(s, v->cursor + 1, to);
	return hit != NO_NODE ? hit : first_hit(s, from, v->cursor + 1);
}

uint64_t view_hit_number(const struct view *v, uint32_t node)
{
	if (!v->search.pattern || node < v->zoom)
		return 0;
	return rank_of(&v->search, node + 1) - rank_of(&v->search, v->zoom);
}

bool view_has_hit_between(const struct view *v, uint32_t from, uint32_t to)
{
	return v->search.pattern && rank_of(&v->search, to) > rank_of(&v->search, from);
}

bool view_has_hit_within(const struct view *v, uint32_t node, uint32_t last)
{
	return view_has_hit_between(v, node, v->tree.end[last]);
}
