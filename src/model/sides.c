/*
 * sides.c - a comparison of two profiles of which only one tells modules or files.
 *
 *	baseline            new profile            the baseline's 30, paired
 *	main;alloc 30       main;alloc [libc] 20   20
 *	                    main;alloc [libx] 10   10
 */
#include "sides.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "match.h"
#include "origin.h"

/* ---- what each side knows ------------------------------------------------------------------------------------ */

/* By symbol: in which logs a stack has it, one bit each. The caller frees the array. */
static uint8_t *sides_of_symbols(const struct profile *p)
{
	uint8_t *paths = mem_zalloc(p->n_paths, 1), *symbols = mem_zalloc(p->symtab.n, 1);
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->log[side].n; i++)
			paths[p->log[side].path[i]] |= (uint8_t)(1u << side);
	for (uint32_t i = p->n_paths; i-- > 1;) {
		symbols[p->sym[i]] |= paths[i];
		paths[p->parent[i]] |= paths[i];
	}
	free(paths);
	return symbols;
}

static bool is_known(const struct symtab *t, uint32_t sym, enum group_by by, struct buf *label)
{
	label->len = 0;
	return group_add_label(t, sym, by, OF_ORIGIN, label) && strncmp(buf_str(label), "[unknown ", 9) != 0;
}

/* What is known of the functions by module, file or package; sides are one bit each. */
struct knowledge {
	unsigned known, tasks;     /* sides with functions of known modules, with frames of processes */
	size_t in_both, in_one[2]; /* names of both sides that are known in both, or in this one alone */
};

/* Marks the sides on which a name is, and on which it is known. */
static void look_at_symbols(const struct symtab *t, const uint8_t *sides, enum group_by by, uint8_t *is_there,
                            uint8_t *knows, struct knowledge *k)
{
	struct buf label;
	buf_init(&label);
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t plain = symtab_plain(t, i);
		if (symtab_is_task(t, i)) {
			k->tasks |= sides[i];
			continue;
		}
		is_there[plain] |= sides[i];
		if ((sides[i] | knows[plain]) != knows[plain] && is_known(t, i, by, &label))
			knows[plain] |= sides[i];
	}
	buf_deinit(&label);
}

static struct knowledge knowing(const struct symtab *t, const uint8_t *sides, enum group_by by)
{
	struct knowledge k = {0};
	uint8_t *is_there = mem_zalloc(t->n, 1), *knows = mem_zalloc(t->n, 1);
	look_at_symbols(t, sides, by, is_there, knows, &k);
	for (size_t i = 1; i < t->n; i++) {
		k.known |= knows[i];
		if (is_there[i] == 3 && knows[i])
			(*(knows[i] == 3 ? &k.in_both : &k.in_one[knows[i] - 1]))++;
	}
	free(is_there);
	free(knows);
	return k;
}

static enum group_by asked_by_filter(const struct filter *f)
{
	return f->pattern && !filter_is_of_tags(f->kind) ? match_subject_of(f->pattern, f->mode, NULL) : BY_FUNCTION;
}

static bool splits_modules(const struct recipe *r)
{
	for (unsigned i = 0; i < r->n_splits; i++)
		if (r->splits[i].key == SPLIT_MODULE)
			return true;
	return false;
}

/*
 * Does one side know much less? Folded stacks may have some modules ("[libc.so.6]"), but not those of named
 * functions: what counts then are the names that both sides have.
 */
static bool are_uneven(const struct profile *p, const uint8_t *sides, enum group_by by, struct sides *out)
{
	if (by == BY_FUNCTION)
		return false;
	struct knowledge k = knowing(&p->symtab, sides, by);
	/* A function whose name has no package counts for its module. */
	if (by == BY_PACKAGE && k.in_one[0] + k.in_one[1] > 0)
		k = knowing(&p->symtab, sides, BY_MODULE);
	bool is_one = k.known == 1 || k.known == 2, is_rest = k.in_one[0] + k.in_one[1] > k.in_both;
	out->by = by;
	out->is_base_only = is_one ? k.known == 2 : k.in_one[1] > k.in_one[0];
	out->is_neither = !k.known && (k.tasks == 1 || k.tasks == 2);
	return is_one || is_rest || out->is_neither;
}

static bool asks(const struct recipe *r)
{
	bool does = r->group != BY_FUNCTION || splits_modules(r);
	for (size_t i = 0; i < r->n_filters && !does; i++)
		does = asked_by_filter(&r->filters[i]) != BY_FUNCTION;
	return does;
}

struct sides sides_of(const struct profile *p, const struct recipe *r)
{
	struct sides s = {.use = SIDES_ALIKE};
	if (p->log[1].n == 0 || r->leaves_base || r->chart || !asks(r))
		return s;
	uint8_t *sides = sides_of_symbols(p);
	if (are_uneven(p, sides, r->group, &s) || (splits_modules(r) && are_uneven(p, sides, BY_MODULE, &s)))
		s.use = SIDES_FRAMES;
	for (size_t i = 0; i < r->n_filters && s.use == SIDES_ALIKE; i++)
		if (are_uneven(p, sides, asked_by_filter(&r->filters[i]), &s))
			s.use = SIDES_FILTER;
	free(sides);
	return s;
}

__extension__ typedef unsigned __int128 u128;

void sides_add_knowing(struct buf *out, const struct sides *s)
{
	enum group_by by = s->by == BY_PACKAGE ? BY_MODULE : s->by;
	const char *who = s->is_neither     ? "neither profile"
	                  : s->is_base_only ? "only the baseline"
	                                    : "only the new profile";
	buf_addf(out, "%s has %s", who, group_plural(by));
}

bool sides_add_words(struct buf *out, const struct sides *s)
{
	if (s->use == SIDES_ALIKE)
		return false;
	sides_add_knowing(out, s);
	if (s->use == SIDES_FRAMES)
		buf_addf(out, ": by %s, frames cannot be compared", group_name(s->by));
	else
		buf_addf(out, ": filters by %s find nothing in the other", group_name(s->by));
	return true;
}

/* ---- pairs for a search -------------------------------------------------------------------------------------- */

struct pairing {
	struct folding *folding;
	const uint64_t *hash;
	uint64_t *total; /* by path, of the side that is shown; above 0: the path keeps its place */
	uint32_t *slots; /* paths with such totals by hash: the last one; 0: free */
	size_t n_slots;
	uint32_t *next; /* by path: another one with the same names, 0: none */
};

static uint32_t *slot_of(struct pairing *g, uint64_t hash)
{
	size_t at = hash & (g->n_slots - 1);
	while (g->slots[at] && g->hash[g->slots[at]] != hash)
		at = (at + 1) & (g->n_slots - 1);
	return &g->slots[at];
}

static void pairing_init(struct pairing *g, struct folding *w, const uint64_t *hash)
{
	const struct trie *s = &w->trie;
	*g = (struct pairing){.folding = w, .hash = hash, .n_slots = 64};
	while (g->n_slots < 2 * (size_t)s->n)
		g->n_slots *= 2;
	g->slots = mem_zalloc_table(g->n_slots, sizeof *g->slots);
	g->next = mem_zalloc(s->n, sizeof *g->next);
	g->total = mem_copy(s->weight[0], s->n, sizeof *g->total);
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--)
		weight_add(&g->total[s->parent[i]], g->total[i]);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t *slot = g->total[i] ? slot_of(g, hash[i]) : NULL;
		if (!slot)
			continue;
		g->next[i] = *slot;
		*slot = i;
	}
}

static void pairing_deinit(struct pairing *g)
{
	free(g->slots);
	free(g->next);
	free(g->total);
}

static uint32_t heaviest(const struct pairing *g, uint32_t first)
{
	uint32_t found = first;
	for (uint32_t i = first; i; i = g->next[i])
		if (g->total[i] >= g->total[found])
			found = i;
	return found;
}

/* Moves the weight of the baseline to the paths of the same names. What does not divide goes to the heaviest. */
static void divide(struct pairing *g, uint32_t path, uint32_t first)
{
	struct trie *s = &g->folding->trie;
	uint64_t weight = s->weight[1][path], left = weight, sum = 0;
	for (uint32_t i = first; i; i = g->next[i])
		weight_add(&sum, s->weight[0][i]);
	for (uint32_t i = first; i && sum && sum < UINT64_MAX; i = g->next[i]) {
		uint64_t part = (uint64_t)((u128)weight * s->weight[0][i] / sum);
		weight_add(&s->weight[1][i], part);
		left -= part;
	}
	weight_add(&s->weight[1][heaviest(g, first)], left);
	s->weight[1][path] = 0;
}

static void pair_all(struct pairing *g)
{
	struct folding *w = g->folding;
	struct trie *s = &w->trie, to;
	uint32_t *map = mem_alloc(s->n * sizeof *map);
	uint64_t none = 0;
	trie_init_like(&to, s);
	map[0] = PATH_ROOT;
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++)
		if (g->total[i])
			map[i] = trie_child(&to, map[s->parent[i]], s->sym[i]);
	for (uint32_t i = 1; i < s->n && !TRIE_STOPS(s, i); i++) {
		uint32_t first = g->total[i] ? 0 : *slot_of(g, g->hash[i]);
		if (first)
			divide(g, i, first);
		if (!g->total[i])
			map[i] = first ? map[heaviest(g, first)] : trie_child(&to, map[s->parent[i]], s->sym[i]);
	}
	if (trie_is_stopped(s)) {
		trie_deinit(&to);
		free(map);
		return;
	}
	folding_replace(w, &to, map, &none);
}

/* Modules or files that stacks of one side have, and none of the other. */
static bool knows_more(const struct folding *w, bool *is_uneven)
{
	const struct trie *s = &w->trie;
	const struct symtab *t = &w->profile->symtab;
	unsigned modules = 0, files = 0;
	uint8_t *sides = mem_alloc(s->n);
	for (uint32_t i = 0; i < s->n; i++)
		sides[i] = (uint8_t)((s->weight[0][i] > 0) | (s->weight[1][i] > 0) << 1);
	for (uint32_t i = s->n - 1; i > 0 && !TRIE_STOPS(s, i); i--) {
		modules |= group_key(t, s->sym[i], BY_MODULE, OF_ORIGIN) ? sides[i] : 0u;
		files |= group_key(t, s->sym[i], BY_FILE, OF_ORIGIN) ? sides[i] : 0u;
		sides[s->parent[i]] |= sides[i];
	}
	free(sides);
	*is_uneven = modules == 1 || modules == 2 || files == 1 || files == 2;
	return !trie_is_stopped(s);
}

bool sides_pair(struct folding *w, const uint64_t *hash)
{
	struct pairing g;
	bool is_uneven = false;
	if (!w->has_base || !knows_more(w, &is_uneven) || !is_uneven)
		return !trie_is_stopped(&w->trie);
	pairing_init(&g, w, hash);
	if (!trie_is_stopped(&w->trie))
		pair_all(&g);
	pairing_deinit(&g);
	return !trie_is_stopped(&w->trie);
}
