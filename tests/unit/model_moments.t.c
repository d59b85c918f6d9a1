/*
 * Moments: the samples of a range, taken from the moments of the whole, are those of a fold of that range.
 */
#include "tests/tap.h"

#include "loading.h"
#include "model/fold.h"
#include "model/moments.h"
#include "stacks.h"

/* Stacks and weights by chance, ten to a millisecond. */
static void profile_by_chance(struct profile *p)
{
	static const char *const stacks[] = {"", "main", "main;a", "main;a;b", "main;b;a", "idle;a"};
	uint64_t seed = 7;
	profile_init(p);
	for (uint64_t i = 0; i < 20000; i++) {
		uint32_t path = PATH_ROOT;
		for (const char *s = stacks[chance(&seed, 6)]; *s;) {
			size_t len = strcspn(s, ";");
			path = profile_child(p, path, symtab_intern(&p->symtab, s, len));
			s += len + (s[len] == ';');
		}
		struct sample sample = {.weight = chance(&seed, 9), .time = 1000000 + i * 100000, .cpu = NO_CPU};
		profile_add(p, 0, path, &sample);
	}
}

static uint64_t weight_between(const struct moments *m, const struct tree *t, uint32_t node, uint32_t from,
                               uint32_t to)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < m->n; i++)
		if (m->v[i].slice >= from && m->v[i].slice < to && tree_is_below(t, m->v[i].node, node))
			sum += m->v[i].weight;
	return sum;
}

/* The weight of main from one slice to another, by a fold. */
static uint64_t folded_between(struct profile *p, const struct moments *m, uint32_t from, uint32_t to)
{
	struct recipe r;
	struct tree t;
	struct err err;
	recipe_init(&r);
	r.from = from * m->length;
	r.to = to * m->length;
	if (!fold(p, &r, &t, NULL, &err))
		return 0;
	uint32_t node = tree_find_child(&t, NODE_ALL, symtab_find(&p->symtab, "main", 4));
	uint64_t weight = tree_total(&t, node);
	tree_deinit(&t);
	recipe_deinit(&r);
	return weight;
}

static void ranges(void)
{
	struct profile p;
	struct recipe r;
	struct tree t;
	struct moments m;
	struct err err;
	int wrong = 0;
	profile_by_chance(&p);
	recipe_init(&r);
	ok(fold(&p, &r, &t, NULL, &err), "a fold of all");
	ok(moments_make(&m, &p, &r, &t, NULL), "has moments");
	ok(m.slices <= MOMENTS_SLICES && m.slices > MOMENTS_SLICES / 2, "of as many slices as there may be");
	uint32_t node = tree_find_child(&t, NODE_ALL, symtab_find(&p.symtab, "main", 4));
	is_int(weight_between(&m, &t, node, 0, m.slices), tree_total(&t, node), "which add up to the whole");
	for (uint32_t from = 0; from + 100 <= m.slices; from += 77)
		wrong += weight_between(&m, &t, node, from, from + 100) != folded_between(&p, &m, from, from + 100);
	is_int(wrong, 0, "and in a range to what a fold of that has");
	moments_deinit(&m);
	tree_deinit(&t);
	r.chart = true;
	ok(fold(&p, &r, &t, NULL, &err) && !moments_make(&m, &p, &r, &t, NULL),
	   "a chart has none: its frames have times");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	ranges();
	return done_testing();
}
