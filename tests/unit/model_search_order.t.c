/*
 * More matches than are put in order: the heaviest are the same as if all were sorted, also where a sample of them
 * tells too little or too much.
 */
#define SEARCH_ORDERED 64u
#define SEARCH_SAMPLED 20u
#define HEAVY_TREE 4000u
#include "model/search_order.c"

#include "stacks.h"
#include "tap.h"

static bool is_order_right(const struct search *s, const struct tree *t)
{
	size_t wanted = s->frames < SEARCH_ORDERED ? (size_t)s->frames : SEARCH_ORDERED, before = 0;
	if (s->n_by_weight != wanted)
		return false;
	for (size_t k = 1; k < wanted; k++)
		if (!comes_before(t, s->by_weight[k - 1], s->by_weight[k]))
			return false;
	uint32_t last = wanted > 0 ? s->by_weight[wanted - 1] : 0;
	for (uint32_t i = search_first(s, 0, t->n); i != NO_NODE; i = search_first(s, i + 1, t->n))
		before += wanted > 0 && (i == last || comes_before(t, i, last));
	return before == wanted;
}

/* The match that is the last in order is followed by the first, and one that is in no order by the first, too. */
static bool is_round_right(const struct search *s, const struct tree *t)
{
	if (s->n_by_weight == 0)
		return search_heaviest(s, 0, t->n) == NO_NODE && search_next_lighter(s, t, 1, 0, t->n, false) == NO_NODE;
	uint32_t first = s->by_weight[0], last = s->by_weight[s->n_by_weight - 1];
	return search_heaviest(s, 0, t->n) == first && search_next_lighter(s, t, last, 0, t->n, false) == first &&
	       search_next_lighter(s, t, first, 0, t->n, true) == last &&
	       search_place(s, t, last, 0, t->n) == s->n_by_weight - 1;
}

static void search_in(struct profile *p, struct view *v, uint32_t n, uint64_t seed)
{
	struct tree t;
	view_of(v, p, "x 1", NULL);
	for (int i = 0; i < 20; i++) {
		char name[8];
		symtab_intern(&p->symtab, name, (size_t)snprintf(name, sizeof name, "f%d", i));
	}
	tree_by_chance(&t, seed, n, 60, 100, false);
	for (uint32_t i = 1; i < n; i++)
		t.sym[i] = 1 + chance(&seed, 20);
	view_adopt_tree(v, &t);
	tree_deinit(&t);
	view_search(v, "[1-5]$", MATCH_REGEX, NULL);
}

/* A large tree keeps its heaviest nodes: the same result, also where few of them match. */
static void heavy_nodes(void)
{
	static const char *const patterns[] = {"f", "[0-9]", "[1-9]$", "f1", "[1-5]$", "^f7$", "nothing"};
	bool orders = true, keeps = true;
	size_t whole = 0;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct profile p;
		struct view v;
		search_in(&p, &v, seed % 2 ? 6000 : 12000, seed);
		if (!v.tree.heavy)
			v.tree.heavy = mem_zalloc(1, sizeof *v.tree.heavy);
		const uint64_t *first = NULL;
		for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
			view_search(&v, patterns[i], MATCH_REGEX, NULL);
			orders = orders && is_order_right(&v.search, &v.tree) && is_round_right(&v.search, &v.tree);
			first = first ? first : atomic_load(&v.tree.heavy->found);
			keeps = keeps && first && first == atomic_load(&v.tree.heavy->found);
		}
		const uint32_t *nodes = heavy_of(&v.tree, NULL).nodes;
		for (size_t k = 1; k < count_heavy(&v.tree); k++)
			orders = orders && comes_before(&v.tree, nodes[k - 1], nodes[k]);
		whole += take_from_heavy(&v.search, &v.tree, 0, NULL);
		view_search(&v, "f", MATCH_REGEX, NULL);
		whole += take_from_heavy(&v.search, &v.tree, SEARCH_ORDERED, NULL);
		view_deinit(&v);
		profile_deinit(&p);
	}
	ok(orders, "a large tree has the heaviest matches in order, too");
	ok(keeps, "its heaviest nodes are found once");
	is_int((intmax_t)whole, 20, "where nearly all match, they have all that are put in order");
}

static bool is_same_search(const struct search *a, const struct search *b, const struct tree *t)
{
	bool same = a->frames == b->frames && a->matched == b->matched && a->n_by_weight == b->n_by_weight;
	for (uint32_t i = 0; i < t->n && same; i++)
		same =
			search_rank(a, i) == search_rank(b, i) && search_outer_weight(a, t, i) == search_outer_weight(b, t, i);
	for (size_t k = 0; k < a->n_by_weight && same; k++)
		same = a->by_weight[k] == b->by_weight[k];
	return same;
}

static struct search anew(const struct view *v, const char *pattern)
{
	struct search s;
	search_begin(&s, pattern, MATCH_REGEX, NULL, NULL);
	search_run(&s, &v->profile->symtab, &v->tree, v->zoom, NULL);
	return s;
}

/* A longer text looks only at the nodes that matched before, but those of another tree mean nothing. */
static void longer_patterns(void)
{
	static const char *const patterns[] = {"f", "2", "12", "f12", "f12", "1", "f1", "f1x", "17"};
	bool same = true, limits = false;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct profile p;
		struct view v;
		struct tree other;
		search_in(&p, &v, 900 + (uint32_t)seed * 101, seed);
		for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
			struct search whole = anew(&v, patterns[i]), s;
			search_begin(&s, patterns[i], MATCH_REGEX, &v.search, NULL);
			search_limit(&s, &v.search, &v.tree);
			limits |= s.n_limited > 0;
			search_clear(&s);
			view_search(&v, patterns[i], MATCH_REGEX, NULL);
			same = same && is_same_search(&v.search, &whole, &v.tree);
			search_clear(&whole);
		}
		tree_by_chance(&other, seed + 100, v.tree.n, 60, 100, false);
		for (uint32_t i = 1; i < other.n; i++)
			other.sym[i] = 1 + i % 20;
		view_search(&v, "7", MATCH_REGEX, NULL);
		view_adopt_tree(&v, &other);
		tree_deinit(&other);
		struct search whole = anew(&v, "7");
		same = same && is_same_search(&v.search, &whole, &v.tree);
		search_clear(&whole);
		view_deinit(&v);
		profile_deinit(&p);
	}
	ok(limits, "a longer text looks only at what matched before");
	ok(same, "and finds what a search without one before it finds");
}

int main(void)
{
	bool orders = true, rounds = true;
	size_t many = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct profile p;
		struct view v;
		search_in(&p, &v, seed % 3 ? 3000 : 1 + (uint32_t)seed, seed);
		many += v.search.frames > 2 * SEARCH_ORDERED;
		orders = orders && is_order_right(&v.search, &v.tree);
		rounds = rounds && is_round_right(&v.search, &v.tree);
		view_deinit(&v);
		profile_deinit(&p);
	}
	ok(many > 30, "most trees have more matches than are put in order");
	ok(orders, "the heaviest are in order");
	ok(rounds, "and the last is followed by the first");
	heavy_nodes();
	longer_patterns();
	return done_testing();
}
