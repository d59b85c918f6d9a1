/*
 * merge.c - merges the variants of a name, or all functions of a module, file or package.
 *
 * Filters have seen each function with its module and file. From here on, frames of a name are one:
 *
 *	main [vim]   read [libc.so.6]        main    read        the same name below the same frame
 *	main [bash]  read [libc.so.6]
 *
 * If no name has two origins in use, only the symbols change. Else the paths are merged. Each path keeps the origin
 * of its frame if that is still a single one, and the name alone does not tell it. With recipe.apart they are not
 * merged: a search for a module then counts exactly that module's frames.
 *
 * By module, neighbouring frames of one module become one. The frames of tasks stay.
 */
#include "merge.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "group.h"
#include "origin.h"
#include "sides.h"
#include "tree_build.h"

/* ---- by module, file or package ------------------------------------------------------------------------------ */

bool merge_makes_names(const struct recipe *r)
{
	return r->group != BY_FUNCTION;
}

/* By symbol: the symbol of its label. Tasks keep theirs. */
bool merge_make_names(struct folding *w)
{
	struct symtab *t = &w->profile->symtab;
	uint32_t n = (uint32_t)t->n;
	struct buf label;
	bool goes_on = true;
	if (w->recipe->group == BY_FUNCTION)
		return true;
	buf_init(&label);
	w->labels = mem_alloc(n * sizeof *w->labels);
	for (uint32_t i = 0; i < n && goes_on; i++) {
		label.len = 0;
		w->labels[i] = i;
		if (group_add_label(t, i, w->recipe->group, OF_ORIGIN, &label))
			w->labels[i] = symtab_intern(t, label.data, label.len);
		goes_on = !EVERY(i) || folding_goes_on(w, 0);
	}
	buf_deinit(&label);
	return goes_on;
}

static bool group(struct folding *w)
{
	const struct trie *s = &w->trie;
	const struct symtab *t = &w->profile->symtab;
	uint32_t *map = mem_alloc(s->n * sizeof *map);
	uint64_t none = 0;
	struct trie to;
	trie_init_like(&to, s);
	map[0] = PATH_ROOT;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t up = map[s->parent[i]], label = w->labels[s->sym[i]];
		bool is_same = up != PATH_ROOT && to.sym[up] == label && !symtab_is_variant(t, label);
		map[i] = is_same ? up : trie_child(&to, up, label);
	}
	if (trie_is_stopped(s)) {
		trie_deinit(&to);
		free(map);
		return false;
	}
	folding_replace(w, &to, map, &none);
	return true;
}

/* ---- by name ------------------------------------------------------------------------------------------------- */

/* Which paths become one with another? */
struct namesakes {
	uint8_t *is_several; /* by path: the name of its last frame has several origins in use */
	uint64_t *hash;      /* by path: of the names of its frames */
	uint8_t *marks;      /* by path: it has the names of another path, or may have */
	uint32_t n_several, n_marked;
	bool is_origin_told; /* a name in use has several origins, maybe in stacks that filters took out */
};

/* Is there a name in use that has several origins in the profile? In many profiles there is none. */
static bool may_have_several(const struct trie *s, const struct symtab *t)
{
	uint8_t *variants = mem_zalloc(t->n, 1); /* by plain symbol: 0, 1, or 2 for more */
	bool may = false;
	for (uint32_t i = 0; i < t->n_plain; i++)
		if (t->plain[i] != i)
			variants[t->plain[i]] = variants[t->plain[i]] ? 2 : 1;
	for (uint32_t i = 1; i < s->n && !may; i++) {
		uint32_t plain = symtab_plain(t, s->sym[i]);
		may = variants[plain] + (plain == s->sym[i]) > 1;
	}
	free(variants);
	return may;
}

/* By plain symbol: are several of its variants in use? The caller frees the array. */
static uint8_t *several_origins(const struct trie *s, const struct symtab *t)
{
	uint32_t *met = mem_zalloc(t->n, sizeof *met); /* by plain symbol: the variant in use, plus one */
	uint8_t *has_several = mem_zalloc(t->n, 1);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t plain = symtab_plain(t, s->sym[i]);
		has_several[plain] |= met[plain] && met[plain] != s->sym[i] + 1;
		met[plain] = s->sym[i] + 1;
	}
	free(met);
	return has_several;
}

static void hash_paths(struct namesakes *n, const struct trie *s, const struct symtab *t)
{
	uint8_t *has_several = several_origins(s, t);
	n->hash = mem_alloc(s->n * sizeof *n->hash);
	n->is_several = mem_alloc(s->n);
	n->hash[0] = hash_seed[0];
	n->is_several[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t plain = symtab_plain(t, s->sym[i]);
		uint64_t h = (n->hash[s->parent[i]] ^ plain) * UINT64_C(0xD6E8FEB86659FD93);
		n->hash[i] = h ^ h >> 32;
		n->n_several += n->is_several[i] = has_several[plain];
	}
	free(has_several);
}

/* Looks up the paths that `is_wanted` selects by hash, and marks those that are not alone. Returns how many. */
static uint32_t mark_equals(struct namesakes *n, const struct trie *s, const uint8_t *is_wanted, uint32_t n_wanted)
{
	size_t n_slots = 64;
	uint32_t found = 0;
	while (n_slots < 2 * (size_t)n_wanted)
		n_slots *= 2;
	uint32_t *slots = mem_zalloc_table(n_slots, sizeof *slots);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		if (!is_wanted[i])
			continue;
		size_t at = n->hash[i] & (n_slots - 1);
		while (slots[at] && n->hash[slots[at]] != n->hash[i])
			at = (at + 1) & (n_slots - 1);
		if (!slots[at]) {
			slots[at] = i;
			continue;
		}
		n->marks[i] = n->marks[slots[at]] = 1;
		found++;
	}
	free(slots);
	return found;
}

/* Selects the children of marked paths. */
static uint32_t select_children(const struct namesakes *n, const struct trie *s, uint8_t *is_child)
{
	uint32_t n_children = 0;
	is_child[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		n_children += is_child[i] = n->marks[s->parent[i]];
	return n_children;
}

/*
 * Two paths of the same names differ first in a frame whose name has several origins. So only such frames are
 * looked up, and then the frames above those that are not alone: mostly they have none in common, as with _start
 * of a program and of its loader. Else all paths above are marked, since a mark too many does no harm.
 */
static void mark_paths(struct namesakes *n, const struct trie *s)
{
	n->marks = mem_zalloc(s->n, 1);
	n->n_marked = mark_equals(n, s, n->is_several, n->n_several);
	if (!n->n_marked)
		return;
	uint32_t n_children = select_children(n, s, n->is_several);
	uint32_t more = mark_equals(n, s, n->is_several, n_children);
	n->n_marked = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		n->n_marked += n->marks[i] |= more ? n->marks[s->parent[i]] : 0;
}

static bool namesakes_init(struct namesakes *n, const struct trie *s, const struct symtab *t)
{
	*n = (struct namesakes){.marks = NULL, .is_origin_told = may_have_several(s, t)};
	if (n->is_origin_told)
		hash_paths(n, s, t);
	if (n->n_several)
		mark_paths(n, s);
	return !trie_is_stopped(s);
}

static void namesakes_deinit(struct namesakes *n)
{
	free(n->is_several);
	free(n->hash);
	free(n->marks);
}

/* No two paths become one, so that all keep their numbers. */
static void rename_paths(struct trie *s, const struct symtab *t, bool keeps_origins)
{
	uint32_t *sym = mem_alloc(s->n * sizeof *sym);
	for (uint32_t i = 0; i < s->n; i++)
		sym[i] = symtab_plain(t, s->sym[i]);
	if (keeps_origins)
		s->origin = s->is_borrowed ? mem_copy(s->sym, s->n, sizeof *s->sym) : s->sym;
	else if (!s->is_borrowed)
		free(s->sym);
	if (s->is_borrowed)
		s->parent = mem_copy(s->parent, s->n, sizeof *s->parent);
	s->sym = sym;
	s->is_borrowed = false;
	free(s->slots);
	s->slots = NULL;
	s->n_slots = 0;
}

/* The marked paths by parent and name, in a table with open addressing. */
struct merging {
	struct trie to;
	uint32_t *origin; /* by path of `to` */
	uint32_t *slots;  /* paths of `to`, 0: free */
	size_t n_slots;
};

static uint32_t append(struct merging *m, uint32_t parent, uint32_t sym, uint32_t origin)
{
	uint32_t path = m->to.n++; /* there is room for all paths */
	m->to.parent[path] = parent;
	m->to.sym[path] = sym;
	m->origin[path] = origin;
	return path;
}

static uint32_t find_or_append(struct merging *m, uint32_t parent, uint32_t sym, uint32_t origin)
{
	uint64_t key = (uint64_t)parent << 32 | sym;
	size_t at = hash_key(key) & (m->n_slots - 1);
	for (; m->slots[at]; at = (at + 1) & (m->n_slots - 1)) {
		uint32_t path = m->slots[at];
		if (m->to.parent[path] != parent || m->to.sym[path] != sym)
			continue;
		if (m->origin[path] != origin)
			m->origin[path] = sym;
		return path;
	}
	return m->slots[at] = append(m, parent, sym, origin);
}

static void merge_paths(struct merging *m, const struct trie *s, const struct symtab *t, const uint8_t *marks,
                        uint32_t *map)
{
	map[0] = PATH_ROOT;
	m->origin[0] = 0;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t up = map[s->parent[i]], plain = symtab_plain(t, s->sym[i]);
		map[i] = marks[i] ? find_or_append(m, up, plain, s->sym[i]) : append(m, up, plain, s->sym[i]);
	}
}

static bool merge(struct folding *w, const uint8_t *marks, uint32_t n_marked)
{
	const struct trie *s = &w->trie;
	uint32_t *map = mem_alloc(s->n * sizeof *map);
	struct merging m = {.origin = mem_alloc(s->n * sizeof *m.origin), .n_slots = 64};
	uint64_t none = 0;
	while (m.n_slots < 2 * (size_t)n_marked)
		m.n_slots *= 2;
	m.slots = mem_zalloc_table(m.n_slots, sizeof *m.slots);
	trie_init_like(&m.to, s);
	merge_paths(&m, s, &w->profile->symtab, marks, map);
	free(m.slots);
	if (trie_is_stopped(s)) {
		trie_deinit(&m.to);
		free(map);
		free(m.origin);
		return false;
	}
	folding_replace(w, &m.to, map, &none);
	w->trie.origin = m.origin;
	return true;
}

/* Which functions are in the stacks that filters left? */
static void note_functions(struct folding *w)
{
	const struct trie *s = &w->trie;
	w->n_functions = (uint32_t)w->profile->symtab.n;
	w->functions = mem_zalloc(w->n_functions / 64 + 1, sizeof *w->functions);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		w->functions[s->sym[i] / 64] |= UINT64_C(1) << s->sym[i] % 64;
}

static bool merge_variants(struct folding *w)
{
	struct namesakes n;
	folding_prune(w); /* a function that no stack has gives its name no further origin */
	if (trie_is_stopped(&w->trie))
		return false;
	note_functions(w);
	bool goes_on = namesakes_init(&n, &w->trie, &w->profile->symtab);
	w->keeps_origins = n.is_origin_told && w->recipe->apart;
	if (goes_on && !w->keeps_origins && n.n_marked)
		goes_on = merge(w, n.marks, n.n_marked);
	else if (goes_on && !w->keeps_origins)
		rename_paths(&w->trie, &w->profile->symtab, n.is_origin_told);
	else if (goes_on)
		goes_on = sides_pair(w, n.hash);
	namesakes_deinit(&n);
	return goes_on;
}

bool merge_names(struct folding *w)
{
	const struct symtab *t = &w->profile->symtab;
	if (w->recipe->group != BY_FUNCTION) {
		w->keeps_origins = t->n_variants > 0;
		return group(w);
	}
	return !t->n_variants || merge_variants(w);
}

void merge_end(const struct folding *w, struct tree *tree)
{
	tree->group = w->recipe->group;
	if (tree->cut)
		tree->cut->whole.group = tree->group;
	if (!w->keeps_origins)
		return;
	tree_name_nodes(tree, &w->profile->symtab);
	if (tree->cut)
		tree_name_nodes(&tree->cut->whole, &w->profile->symtab);
}
