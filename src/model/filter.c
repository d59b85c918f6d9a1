/*
 * filter.c - applies the filters of a recipe one after the other, path by path.
 *
 * Each pattern is matched once against each symbol; paths then only test a bit. A parent comes before its children,
 * so its new place is known when they are mapped.
 */
#include "filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "filter_frames.h"
#include "match.h"

static bool has_any(const struct symset *s, size_t n)
{
	for (size_t i = 0; i < n; i += 64)
		if (n - i >= 64 ? s->bits[i / 64] : s->bits[i / 64] << (64 - (n - i)))
			return true;
	return false;
}

/* Names that a sum by module made are no functions, but those of a split are frames. */
static size_t names_to_match(const struct symtab *t, const struct match *m)
{
	return match_subject(m) == BY_FUNCTION ? t->n : t->n - t->n_made;
}

static bool match_filter(struct folding *w, struct filter *f, struct symset *set, struct err *err)
{
	struct match_in in = {.symtab = &w->profile->symtab, .of = OF_ORIGIN};
	struct match *m = match_new(f->pattern, f->mode, err);
	bool ok;
	if (!m)
		return false;
	ok = match_symbols(m, &in, set, NULL, w->progress);
	f->given_up = match_exceeded(m);
	f->matched_none = ok && !has_any(set, names_to_match(in.symtab, m)) && !f->given_up;
	match_free(m);
	return ok;
}

static void merge_sets(struct symset *a, struct symset *b)
{
	for (size_t i = 0; i < (a->n + 63) / 64 && i < (b->n + 63) / 64; i++)
		a->bits[i] |= b->bits[i];
	symset_deinit(b);
}

/* Maps each path of a filter that keeps whole stacks: to itself, or to DROPPED. */
static bool map_focus(struct folding *w, const struct symset *set, bool wanted, uint32_t *map, struct trie *to)
{
	const struct trie *s = &w->trie;
	uint8_t *has = mem_zalloc(s->n, 1); /* a frame of the path matches */
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		has[i] = has[s->parent[i]] | (uint8_t)symset_has(set, s->sym[i]);
	for (uint32_t i = 0; i < s->n; i++)
		map[i] = (bool)has[i] == wanted ? i : DROPPED;
	free(has);
	memcpy(to->parent, s->parent, s->n * sizeof *s->parent);
	memcpy(to->sym, s->sym, s->n * sizeof *s->sym);
	to->n = s->n;
	return !trie_is_stopped(s);
}

/* For filters that take frames out of stacks: the new place of a frame whose parent moved to `up`. */
static inline uint32_t place_of(struct trie *to, enum filter_kind kind, uint32_t up, uint32_t sym, bool is_match)
{
	switch (kind) {
	case FILTER_HIDE:
		return is_match ? up : trie_child(to, up, sym);
	case FILTER_SHOW:
		return is_match ? trie_child(to, up, sym) : up;
	case FILTER_BASE:
		if (is_match)
			return trie_child(to, PATH_ROOT, sym);
		return up == DROPPED ? DROPPED : trie_child(to, up, sym);
	case FILTER_RECURSION:
	case FILTER_FOCUS:
	case FILTER_IGNORE:
	case FILTER_CALLERS:
	case FILTER_CALLEES:
	case FILTER_TAGFOCUS:
	case FILTER_TAGIGNORE:
		break;
	}
	return DROPPED;
}

/* Is the function its own caller? Functions of two modules are two functions, unless only names matter. */
static inline bool is_recursion(const struct folding *w, const struct trie *to, uint32_t up, uint32_t sym)
{
	const struct symtab *t = &w->profile->symtab;
	if (up == PATH_ROOT)
		return false;
	if (w->recipe->group != BY_FUNCTION || w->recipe->apart)
		return to->sym[up] == sym;
	return symtab_plain(t, to->sym[up]) == symtab_plain(t, sym);
}

/* Moves the marks of split frames to a new trie. A frame taken out has the place of its parent. */
static void mark_splits(struct folding *w, const uint32_t *map, const struct trie *to)
{
	const struct trie *s = &w->trie;
	uint8_t *is_split;
	if (!w->is_split)
		return;
	is_split = mem_zalloc(to->n, 1);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		if (w->is_split[i] && map[i] != DROPPED && map[i] != map[s->parent[i]])
			is_split[map[i]] = 1;
	free(w->is_split);
	w->is_split = is_split;
}

static bool map_frames(struct folding *w, enum filter_kind kind, const struct symset *set, uint32_t *map,
                       struct trie *to)
{
	const struct trie *s = &w->trie;
	map[0] = kind == FILTER_BASE ? DROPPED : PATH_ROOT;
	for (uint32_t i = 1; i < s->n; i++) {
		bool is_match = kind != FILTER_RECURSION && symset_has(set, s->sym[i]);
		if (EVERY(i) && !folding_goes_on(w, 0x10000))
			return false;
		uint32_t up = map[s->parent[i]];
		if (kind == FILTER_RECURSION)
			map[i] = is_recursion(w, to, up, s->sym[i]) ? up : trie_child(to, up, s->sym[i]);
		else
			map[i] = place_of(to, kind, up, s->sym[i], is_match);
	}
	mark_splits(w, map, to);
	return true;
}

/*
 * Cuts each stack at its outermost match: callers keep the frames down to it, callees those from it on. A recursion
 * thus counts once, and callers and callees have the same weight. Frames of --split are no functions: they never
 * match, and stay.
 */
static bool map_cut(struct folding *w, bool is_callers, const struct symset *set, uint32_t *map, struct trie *to)
{
	const struct trie *s = &w->trie;
	uint8_t *has = mem_zalloc(s->n, 1); /* a frame of the path matches */
	bool goes_on = true;
	map[0] = PATH_ROOT;
	for (uint32_t i = 1; i < s->n && goes_on; i++) {
		uint32_t up = s->parent[i];
		bool is_split = w->is_split && w->is_split[i];
		has[i] = has[up] | (uint8_t)(!is_split && symset_has(set, s->sym[i]));
		bool is_kept = is_split || (is_callers ? !has[up] : has[i]);
		map[i] = is_kept ? trie_child(to, map[up], s->sym[i]) : map[up];
		goes_on = !EVERY(i) || folding_goes_on(w, 0x10000);
	}
	mark_splits(w, map, to);
	for (uint32_t i = 0; i < s->n && goes_on; i++)
		map[i] = has[i] ? map[i] : DROPPED;
	free(has);
	return goes_on;
}

/* Consecutive --base filters act as one: the deepest frame that any of them matches. */
static bool match_more_bases(struct folding *w, size_t *index, struct symset *set, struct err *err)
{
	const struct recipe *r = w->recipe;
	while (*index + 1 < r->n_filters && r->filters[*index + 1].kind == FILTER_BASE) {
		struct symset more = {0};
		if (!match_filter(w, &r->filters[++*index], &more, err)) {
			symset_deinit(&more);
			return false;
		}
		merge_sets(set, &more);
	}
	return true;
}

static bool map_paths(struct folding *w, enum filter_kind kind, const struct symset *set, uint32_t *map,
                      struct trie *to)
{
	switch (kind) {
	case FILTER_FOCUS:
	case FILTER_IGNORE:
		return map_focus(w, set, kind == FILTER_FOCUS, map, to);
	case FILTER_CALLERS:
	case FILTER_CALLEES:
		return map_cut(w, kind == FILTER_CALLERS, set, map, to);
	case FILTER_BASE:
	case FILTER_HIDE:
	case FILTER_SHOW:
	case FILTER_RECURSION:
	case FILTER_TAGFOCUS:
	case FILTER_TAGIGNORE:
		break;
	}
	return map_frames(w, kind, set, map, to);
}

/* Puts the paths into their new places, and ends the map. is_mapped: else the fold was cancelled. */
static bool replace(struct folding *w, bool is_mapped, uint32_t *map, struct trie *to, uint64_t *excluded)
{
	if (is_mapped) {
		folding_replace(w, to, map, excluded);
	} else {
		trie_deinit(to);
		free(map);
	}
	return is_mapped;
}

/* Makes the paths anew without what the set leaves out. */
static bool take_out(struct folding *w, enum filter_kind kind, const struct symset *set, uint64_t *excluded)
{
	struct trie to;
	uint32_t *map = mem_alloc(w->trie.n * sizeof *map);
	trie_init_like(&to, &w->trie);
	bool is_mapped = map_paths(w, kind, set, map, &to);
	return replace(w, is_mapped, map, &to, excluded);
}

/* Takes frames out by their kind. */
static bool choose_frames(struct folding *w)
{
	struct trie to;
	uint64_t none = 0;
	if (!w->profile->symtab.has_languages)
		return true;
	uint32_t *map = mem_alloc(w->trie.n * sizeof *map);
	trie_init_like(&to, &w->trie);
	bool is_mapped = filter_frames_map(w, map, &to);
	if (is_mapped)
		mark_splits(w, map, &to);
	return replace(w, is_mapped, map, &to, &none);
}

/* Ends the set, or keeps it for the lines. */
static void keep_set(struct folding *w, size_t index, struct symset *set)
{
	if (w->wants_sets)
		w->sets[index] = *set;
	else
		symset_deinit(set);
}

/* Applies filter number *index, and moves *index to the last one applied together with it. */
static bool apply_filter(struct folding *w, size_t *index, struct err *err)
{
	struct filter *f = &w->recipe->filters[*index];
	struct symset set = {0};
	bool ok = (f->kind == FILTER_RECURSION || match_filter(w, f, &set, err)) &&
	          (f->kind != FILTER_BASE || match_more_bases(w, index, &set, err));
	if (!ok) {
		symset_deinit(&set);
		return false;
	}
	uint64_t before = w->excluded[1];
	f->excluded = 0;
	ok = take_out(w, f->kind, &set, &f->excluded);
	keep_set(w, *index, &set);
	f->has_taken = f->excluded > 0 || w->excluded[1] > before;
	return ok;
}

/* The outermost frames of all stacks, as long as no filter has taken any out. */
static void find_splits(struct folding *w)
{
	const struct trie *s = &w->trie;
	uint32_t *depth;
	if (!w->recipe->n_splits)
		return;
	depth = trie_depths(s);
	w->is_split = mem_zalloc(s->n, 1);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		w->is_split[i] = depth[i] <= w->recipe->n_splits;
	free(depth);
}

bool filter_all(struct folding *w, struct err *err)
{
	if (w->recipe->n_filters)
		find_splits(w);
	if (w->wants_sets)
		w->sets = mem_zalloc(w->recipe->n_filters + 1, sizeof *w->sets);
	if (!choose_frames(w))
		return false;
	for (size_t i = 0; i < w->recipe->n_filters; i++)
		if (!filter_is_of_tags(w->recipe->filters[i].kind) && !apply_filter(w, &i, err))
			return false;
	return true;
}
