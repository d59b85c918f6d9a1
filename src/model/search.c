/*
 * search.c - a search as a bitmap over nodes.
 *
 *	symbols  ->  one bit each (match.c, every name tested once)
 *	nodes    ->  one bit each: the bit of the node's symbol, 64 of them in a row, no branches
 *	blocks   ->  how many bits are set before each 512 nodes
 *
 *	outers   ->  weight of the outermost matches that begin before each 512 nodes
 *
 * With these, "does this aggregate contain a match" and "match 7 of 31" take a few instructions, and next and
 * previous scan words. The matched share counts only outermost matches, since a match inside a match must not count
 * twice: a scan of the bits in preorder skips from each match to the end of its subtree. For the whole tree the
 * sums are precomputed, block by block; below a zoom the share is the difference of two sums, unless the zoom lies
 * inside a match, where other matches are outermost. The root is not a frame and never matches.
 *
 * Stacks that continue in left-out rows (cut.h) can match there, too. They count if none of their frames in the
 * tree matches.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

#include "base/fetch.h"
#include "base/mem.h"
#include "cut.h"

#define BLOCK_NODES 512u
#define BLOCK_WORDS (BLOCK_NODES / 64)

/* Words between two checks for cancellation, some microseconds of work. */
#define WORDS_BETWEEN_STEPS 1024u
/* Testing a name takes about as long as this many nodes. */
#define NODES_PER_STEP 32u

/* If more than one of so many nodes matched before, it takes less to look at all than at those. */
#define FEW_MATCHES 8u

/* The outermost matches of the whole tree before the first node of a block. */
struct outer {
	uint64_t weight; /* of those that begin before that node */
	uint32_t next;   /* end of the last of them, if it is after that node, else that node */
};

void search_clear(struct search *s)
{
	free(s->pattern);
	match_free(s->match);
	symset_deinit(&s->hits);
	symset_deinit(&s->within);
	symset_deinit(&s->names);
	free(s->node_bits);
	free(s->node_ranks);
	free(s->outers);
	free(s->tail_hits);
	free(s->tail_sums);
	free(s->by_weight);
	*s = (struct search){.pattern = NULL};
}

static inline uint64_t bit_of(const uint64_t *bits, uint32_t sym)
{
	return bits[sym >> 6] >> (sym & 63) & 1;
}

/* Four at a time, so that their look-ups overlap: this loop visits every node of the tree. */
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

/* Number of bits of each byte, where processors of the baseline have no instruction for it: pairs, fours, bytes. */
static inline uint64_t count_bytes(uint64_t word)
{
	const uint64_t twos = UINT64_MAX / 3, fours = UINT64_MAX / 5, bytes = UINT64_MAX / 17;
	uint64_t x = word - (word >> 1 & twos);
	x = (x & fours) + (x >> 2 & fours);
	return (x + (x >> 4)) & bytes;
}

static inline unsigned count_word(uint64_t word)
{
	return (unsigned)(count_bytes(word) * (UINT64_MAX / 255) >> 56);
}

/* A byte of the sum is at most 64, but all of them together can be 512. */
static uint32_t count_block(const uint64_t *words)
{
	uint64_t sum = 0;
	for (unsigned k = 0; k < BLOCK_WORDS; k++)
		sum += count_bytes(words[k]);
	sum = (sum & UINT64_MAX / 257) + (sum >> 8 & UINT64_MAX / 257);
	return (uint32_t)(sum * (UINT64_MAX / 65535) >> 48);
}

static uint64_t part_word(const uint64_t *bits, const uint32_t *syms, uint32_t n)
{
	uint64_t word = 0;
	for (uint32_t j = 0; j < n; j++)
		word |= bit_of(bits, syms[j]) << j;
	return word;
}

static const uint32_t *symbols_of(const struct search *s, const struct tree *t)
{
	return t->origin && match_subject(s->match) != BY_FUNCTION ? t->origin : t->sym;
}

bool search_is_hit(const struct search *s, const struct tree *t, uint32_t node)
{
	return symset_has(&s->hits, symbols_of(s, t)[node]);
}

bool search_has_name(const struct search *s, uint32_t sym)
{
	return symset_has(s->names.n ? &s->names : &s->hits, sym);
}

static void rank_nodes(struct search *s, size_t blocks)
{
	uint32_t count = 0;
	s->node_ranks = mem_realloc(s->node_ranks, blocks + 1, sizeof *s->node_ranks);
	for (size_t b = 0; b < blocks; b++) {
		s->node_ranks[b] = count;
		count += count_block(s->node_bits + b * BLOCK_WORDS);
	}
	s->node_ranks[blocks] = count;
	s->frames = count;
}

static bool mark_all(struct search *s, const uint32_t *syms, size_t full, struct progress *progress)
{
	for (size_t w = 0; w < full; w++) {
		if (w % WORDS_BETWEEN_STEPS == 0 && !progress_step(progress, WORDS_BETWEEN_STEPS * 64 / NODES_PER_STEP))
			return false;
		s->node_bits[w] = full_word(s->hits.bits, syms + w * 64);
	}
	return true;
}

/* Lists the nodes of a word, eight at a time without a branch; those after the last one mean nothing. */
static size_t list_nodes(uint32_t *nodes, uint32_t first, uint64_t word)
{
	size_t n = 0;
	while (word) {
		for (unsigned k = 0; k < 8; k++, word &= word - 1)
			nodes[n + k] = first + (unsigned)__builtin_ctzll(word | UINT64_C(1) << 63);
		n += 8;
	}
	return n;
}

#define WORDS_AT_ONCE 64u
#define NODES_AHEAD 16u /* from a node to the one whose symbol is fetched */

/* The same where few nodes have a bit, and others cannot match. */
static bool mark_among(struct search *s, const uint32_t *syms, size_t full, struct progress *progress)
{
	uint32_t nodes[WORDS_AT_ONCE * 64 + NODES_AHEAD];
	for (size_t w = 0; w < full; w += WORDS_AT_ONCE) {
		size_t n = 0, end = w + WORDS_AT_ONCE < full ? w + WORDS_AT_ONCE : full;
		if (w % WORDS_BETWEEN_STEPS == 0 && !progress_step(progress, WORDS_BETWEEN_STEPS * 64 / NODES_PER_STEP))
			return false;
		for (size_t k = w; k < end; k++) {
			uint64_t word = s->node_bits[k];
			size_t m = (size_t)count_word(word);
			list_nodes(nodes + n, (uint32_t)(k * 64), word);
			n += m;
			s->node_bits[k] = 0;
		}
		memset(nodes + n, 0, NODES_AHEAD * sizeof *nodes);
		for (size_t k = 0; k < n; k++) {
			fetch_line(&syms[nodes[k + NODES_AHEAD]]);
			s->node_bits[nodes[k] / 64] |= bit_of(s->hits.bits, syms[nodes[k]]) << nodes[k] % 64;
		}
	}
	return true;
}

/* Allocates whole blocks, so that ranks may read past the last node. */
static bool mark_nodes(struct search *s, const struct tree *t, struct progress *progress)
{
	size_t blocks = (size_t)t->n / BLOCK_NODES + 1, words = blocks * BLOCK_WORDS, full = t->n / 64;
	const uint32_t *syms = symbols_of(s, t);
	bool is_limited = s->n_limited == t->n;
	s->n_limited = 0;
	s->node_bits = mem_realloc(s->node_bits, words, sizeof *s->node_bits);
	if (!(is_limited ? mark_among : mark_all)(s, syms, full, progress))
		return false;
	s->node_bits[full] = part_word(s->hits.bits, syms + full * 64, t->n % 64);
	memset(s->node_bits + full + 1, 0, (words - full - 1) * sizeof *s->node_bits);
	s->node_bits[0] &= ~UINT64_C(1);
	rank_nodes(s, blocks);
	return true;
}

/* Number of matches before `node`. */
uint32_t search_rank(const struct search *s, uint32_t node)
{
	uint32_t rank = s->node_ranks[node / BLOCK_NODES];
	for (uint32_t w = node / BLOCK_NODES * BLOCK_WORDS; w < node / 64; w++)
		rank += (uint32_t)__builtin_popcountll(s->node_bits[w]);
	return rank + (uint32_t)__builtin_popcountll(s->node_bits[node / 64] & ((UINT64_C(1) << node % 64) - 1));
}

/* The first match in [from, to), NO_NODE: none. */
uint32_t search_first(const struct search *s, uint32_t from, uint32_t to)
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

uint32_t search_last(const struct search *s, uint32_t from, uint32_t to)
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

/* Looks at the words of a short range, which mostly lie in one block; ranks tell about a long one. */
bool search_has_between(const struct search *s, uint32_t from, uint32_t to)
{
	if (to - from <= BLOCK_NODES)
		return search_first(s, from, to) != NO_NODE;
	return search_rank(s, to) > search_rank(s, from);
}

unsigned search_fetch(const struct search *s, const struct tree *t, uint32_t from, uint32_t *hits)
{
	unsigned n = 0;
	for (uint32_t i = search_first(s, from, t->n); i != NO_NODE && n < SEARCH_AT_ONCE;
	     i = search_first(s, i + 1, t->n)) {
		fetch_line(&t->end[i]);
		fetch_line(&t->pos[i]);
		hits[n++] = i;
	}
	for (unsigned k = 0; k < n; k++)
		fetch_line(&t->pos[t->end[hits[k]]]);
	return n;
}

static bool add_up_outers(struct search *s, const struct tree *t, struct progress *progress)
{
	size_t blocks = (size_t)t->n / BLOCK_NODES + 1, b = 0;
	uint64_t weight = 0;
	uint32_t hits[SEARCH_AT_ONCE], next = 0;
	unsigned n, visited = 0;
	s->outers = mem_realloc(s->outers, blocks, sizeof *s->outers);
	while ((n = search_fetch(s, t, next, hits)) > 0) {
		for (unsigned k = 0; k < n; k++) {
			if (hits[k] < next)
				continue;
			for (; b < blocks && b * BLOCK_NODES <= hits[k]; b++)
				s->outers[b] = (struct outer){weight, next};
			weight += tree_total(t, hits[k]);
			next = t->end[hits[k]];
		}
		if (++visited % (WORDS_BETWEEN_STEPS / SEARCH_AT_ONCE) == 0 && !progress_step(progress, 0))
			return false;
	}
	for (; b < blocks; b++)
		s->outers[b] = (struct outer){weight, next};
	return true;
}

uint64_t search_outer_weight(const struct search *s, const struct tree *t, uint32_t node)
{
	const struct outer *o = &s->outers[node / BLOCK_NODES];
	uint32_t first = node / BLOCK_NODES * BLOCK_NODES;
	uint64_t weight = o->weight;
	for (uint32_t i = search_first(s, o->next > first ? o->next : first, node); i != NO_NODE;
	     i = search_first(s, t->end[i], node))
		weight += tree_total(t, i);
	return weight;
}

/*
 * Sums the tails of nodes [from, to) that match in left-out rows but in no frame of [from, to). sums[k], if not
 * NULL, gets the sum before tail k.
 */
static uint64_t add_up_tails(const struct search *s, const struct tree *t, uint32_t from, uint32_t to,
                             uint64_t *sums)
{
	const struct cut *cut = t->cut;
	size_t k = cut_first(cut, from), end = cut_first(cut, to);
	uint32_t hit = search_first(s, from, to);
	uint64_t sum = 0;
	for (; k < end; k++) {
		uint32_t node = cut->tails[k].node;
		while (hit != NO_NODE && t->end[hit] <= node)
			hit = search_first(s, t->end[hit], to);
		if (sums)
			sums[k] = sum;
		if (s->tail_hits[k + 1] > s->tail_hits[k] && (hit == NO_NODE || hit > node))
			sum += cut->sum[0][k + 1] - cut->sum[0][k];
	}
	if (sums)
		sums[k] = sum;
	return sum;
}

static bool find_tails(struct search *s, const struct tree *t, struct progress *progress)
{
	free(s->tail_hits);
	free(s->tail_sums);
	s->tail_hits = NULL;
	s->tail_sums = NULL;
	if (!t->cut)
		return true;
	s->tail_hits = cut_count_hits(t->cut, symbols_of(s, &t->cut->whole), s->hits.bits, progress);
	if (!s->tail_hits)
		return false;
	s->tail_sums = mem_alloc((t->cut->n + 1) * sizeof *s->tail_sums);
	add_up_tails(s, t, NODE_ALL, t->n, s->tail_sums);
	return progress_step(progress, 0);
}

static bool is_marked(const struct search *s, uint32_t node)
{
	return s->node_bits[node / 64] >> node % 64 & 1;
}

/*
 * Does not climb: a stack may be a million frames deep. Finds an outermost match that begins before the node and
 * ends after it.
 */
bool search_lies_in_match(const struct search *s, const struct tree *t, uint32_t node)
{
	const struct outer *o = &s->outers[node / BLOCK_NODES];
	uint32_t first = node / BLOCK_NODES * BLOCK_NODES, from = o->next > first ? o->next : first;
	if (o->next > node && node > first)
		return true;
	if (node == first)
		return o->next > node;
	for (uint32_t i = search_first(s, from, node); i != NO_NODE; i = search_first(s, t->end[i], node))
		if (t->end[i] > node)
			return true;
	return false;
}

/* Visits at most `most` matches, 0: any number. false: cancelled. */
bool search_count(struct search *s, const struct tree *t, uint32_t zoom, size_t most, struct progress *progress)
{
	uint32_t to = t->end[zoom];
	size_t visited = 0;
	s->zoom = zoom;
	s->frames_zoom = search_rank(s, to) - search_rank(s, zoom);
	s->matched = 0;
	s->is_counted = true;
	if (is_marked(s, zoom)) {
		s->matched = tree_total(t, zoom);
	} else if (!search_lies_in_match(s, t, zoom)) {
		s->matched = search_outer_weight(s, t, to) - search_outer_weight(s, t, zoom);
		if (s->tail_sums)
			s->matched += s->tail_sums[cut_first(t->cut, to)] - s->tail_sums[cut_first(t->cut, zoom)];
	} else {
		for (uint32_t i = search_first(s, zoom, to); i != NO_NODE && s->is_counted;
		     i = search_first(s, t->end[i], to)) {
			s->matched += tree_total(t, i);
			s->is_counted = most == 0 || visited < most;
			if (++visited % WORDS_BETWEEN_STEPS == 0 && !progress_step(progress, 0))
				return false;
		}
		/* Tails are about 16 times as fast as matches. */
		s->is_counted = s->is_counted &&
		                (!s->tail_hits || !most || cut_first(t->cut, to) - cut_first(t->cut, zoom) < most * 16);
		if (s->tail_hits && s->is_counted)
			s->matched += add_up_tails(s, t, zoom, to, NULL);
	}
	return true;
}

struct search_sum search_of_all(const struct search *s, const struct tree *t)
{
	struct search_sum sum = {s->frames, 0};
	sum.matched = is_marked(s, NODE_ALL) ? tree_total(t, NODE_ALL) : search_outer_weight(s, t, t->n);
	if (s->tail_sums && !is_marked(s, NODE_ALL))
		sum.matched += s->tail_sums[cut_first(t->cut, t->n)];
	return sum;
}

/* The same search in another tree only tests new names. */
static bool is_same(const struct search *s, const struct search *before)
{
	return s->mode == before->mode && strcmp(s->pattern, before->pattern) == 0;
}

bool search_begin(struct search *s, const char *pattern, enum match_mode mode, const struct search *before,
                  struct err *err)
{
	struct match *match = match_new(pattern, mode, err);
	if (!match)
		return false;
	*s = (struct search){.pattern = mem_strdup(pattern), .mode = mode, .match = match};
	/* If names exceeded the match limit, the earlier hits are incomplete. */
	if (!before || !before->pattern || match_exceeded(before->match) > 0)
		return true;
	if (is_same(s, before))
		symset_copy(&s->hits, &before->hits);
	else if (match_narrows(pattern, mode, before->pattern, before->mode))
		symset_copy(&s->within, &before->hits);
	s->in = before->in;
	return true;
}

void search_limit(struct search *s, const struct search *before, const struct tree *t)
{
	size_t words = ((size_t)t->n / BLOCK_NODES + 1) * BLOCK_WORDS;
	if (!before->node_bits || before->frames > t->n / FEW_MATCHES || (!s->within.n && !s->hits.n))
		return;
	s->node_bits = mem_copy(before->node_bits, words, sizeof *s->node_bits);
	s->n_limited = t->n;
}

/* Hits found in a tree of other labels mean nothing in this one. */
static void prepare_for(struct search *s, const struct symtab *symtab, const struct tree *t)
{
	struct match_in in = {.symtab = symtab, .of = t->origin ? OF_ORIGIN : OF_NAME, .named_by = t->group};
	if (match_subject(s->match) != BY_FUNCTION && (s->in.of != in.of || s->in.named_by != in.named_by)) {
		symset_deinit(&s->hits);
		symset_deinit(&s->within);
		s->n_limited = 0;
		match_forget(s->match);
	}
	s->in = in;
}

/* A row of a table stands for all functions of its name: does one of them match? */
static void collect_names(struct search *s, const struct symtab *symtab, const struct tree *t)
{
	symset_deinit(&s->names);
	if (symbols_of(s, t) == t->sym)
		return;
	s->names = (struct symset){.bits = mem_zalloc((symtab->n + 63) / 64, sizeof *s->names.bits), .n = symtab->n};
	for (uint32_t i = search_first(s, 0, t->n); i != NO_NODE; i = search_first(s, i + 1, t->n))
		s->names.bits[t->sym[i] >> 6] |= UINT64_C(1) << (t->sym[i] & 63);
}

/* Clears symbol 0, the empty name: the root and the gaps of a chart have it, too. */
bool search_run(struct search *s, const struct symtab *symtab, const struct tree *t, uint32_t zoom,
                struct progress *progress)
{
	prepare_for(s, symtab, t);
	if (progress)
		atomic_store(&progress->all, symtab->n - s->hits.n + t->n / NODES_PER_STEP);
	bool goes_on = match_symbols(s->match, &s->in, &s->hits, s->within.n ? &s->within : NULL, progress);
	symset_deinit(&s->within);
	if (s->hits.n)
		s->hits.bits[0] &= ~UINT64_C(1);
	goes_on = goes_on && mark_nodes(s, t, progress);
	if (goes_on)
		collect_names(s, symtab, t);
	return goes_on && add_up_outers(s, t, progress) && find_tails(s, t, progress) && search_order(s, t, progress) &&
	       search_count(s, t, zoom, 0, progress);
}
