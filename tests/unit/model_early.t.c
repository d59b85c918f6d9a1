/*
 * The early tree of a caller tree has frames of the whole one, with the same weights, in the same places.
 */
#include <stdlib.h>

#include "model/fold.h"
#include "stacks.h"
#include "tap.h"

#define STACKS 140000u /* of two frames of their own, above common ones: a fold of them has an early tree */
#define PART 512u      /* a frame with this part of all weight is always there */

/* Few leaves have most of the weight, others none; each stack is a path of its own. */
static void add_stacks(struct profile *p, unsigned side, uint64_t seed)
{
	struct buf text;
	buf_init(&text);
	for (unsigned i = 0; i < STACKS; i++) {
		unsigned leaf = (unsigned)(chance(&seed, 40) * chance(&seed, 40));
		buf_addf(&text, "main;m%u;c%u;own%u;leaf%u %u\n", (unsigned)chance(&seed, 3), (unsigned)chance(&seed, 9), i,
		         leaf, (unsigned)chance(&seed, leaf < 20 ? 50 : 2));
	}
	stacks_add(p, side, buf_str(&text));
	stacks_add(p, side, "leaf1 7\nmain;leaf1;leaf1;leaf1 100000\n");
	buf_deinit(&text);
}

static void take(void *arg, struct tree *early)
{
	*(struct tree *)arg = *early;
}

static bool is_wide(const struct tree *t, uint32_t i)
{
	return tree_total(t, i) > tree_total(t, NODE_ALL) / PART ||
	       (t->base && tree_base_total(t, i) > tree_base_total(t, NODE_ALL) / PART);
}

static bool is_same(const struct tree *early, uint32_t e, const struct tree *whole, uint32_t w)
{
	return early->sym[e] == whole->sym[w] && early->pos[e] == whole->pos[w] &&
	       tree_total(early, e) == tree_total(whole, w) && (!early->base) == (!whole->base) &&
	       tree_base_total(early, e) == tree_base_total(whole, w);
}

/* Both trees side by side; returns the number of frames that only the whole one has and that are wide. */
static uint32_t compare(const struct tree *early, const struct tree *whole, bool *are_same)
{
	uint32_t e = 1, w = 1, missing = 0;
	*are_same = is_same(early, NODE_ALL, whole, NODE_ALL);
	while (w < whole->n) {
		if (e < early->n && is_same(early, e, whole, w)) {
			e++, w++;
			continue;
		}
		missing += is_wide(whole, w);
		w++;
	}
	*are_same &= e == early->n;
	return missing;
}

static uint32_t count_roots(const struct tree *t)
{
	uint32_t n = 0;
	for (uint32_t i = tree_first_child(t, NODE_ALL); i != NO_NODE; i = tree_next_sibling(t, i))
		n++;
	return n;
}

static void compare_folds(enum sort_order sort, bool has_base, const char *name)
{
	struct profile p;
	struct recipe r = {.reverse = true, .sort = sort};
	struct tree whole, early = {.n = 0}, alone;
	char why[200] = "";
	bool are_same = false;
	profile_init(&p);
	add_stacks(&p, 0, 5);
	if (has_base)
		add_stacks(&p, 1, 6);
	if (!fold_with_early(&p, &r, &whole, NULL, NULL, take, &early) || !fold(&p, &r, &alone, NULL, NULL))
		bail_out("no fold");
	ok(early.n > 1 && early.n < whole.n / 4, "%s: there is an early tree, of few frames", name);
	ok(early.n > 0 && tree_check(&early, why, sizeof why), "%s: it is a tree %s", name, why);
	is_int(compare(&early, &whole, &are_same), 0, "%s: it has all wide frames", name);
	ok(are_same, "%s: its frames are those of the whole tree, in the same places", name);
	is_int(count_roots(&early), count_roots(&whole), "%s: the first row is complete", name);
	ok(early.is_reversed && early.samples == whole.samples, "%s: it is described as the whole tree is", name);
	ok(whole.n == alone.n && memcmp(whole.sym, alone.sym, whole.n * sizeof *whole.sym) == 0 &&
	       memcmp(whole.pos, alone.pos, (whole.n + 1) * sizeof *whole.pos) == 0,
	   "%s: the whole tree is the same with and without it", name);
	tree_deinit(&early);
	tree_deinit(&whole);
	tree_deinit(&alone);
	profile_deinit(&p);
}

static void deep_stack(void)
{
	struct profile p;
	struct recipe r = {.reverse = true};
	struct tree whole, early = {.n = 0};
	struct buf text;
	bool are_same = false;
	buf_init(&text);
	for (unsigned i = 0; i < 300000; i++)
		buf_addf(&text, "%sf%u", i ? ";" : "", i % 7);
	buf_adds(&text, " 10\nother 3\n");
	profile_init(&p);
	stacks_add(&p, 0, buf_str(&text));
	buf_deinit(&text);
	if (!fold_with_early(&p, &r, &whole, NULL, NULL, take, &early))
		bail_out("no fold");
	is_int(compare(&early, &whole, &are_same), 0, "a stack that is deep and wide is there to its end");
	ok(are_same && early.n == whole.n, "and then the early tree is the whole one");
	tree_deinit(&early);
	tree_deinit(&whole);
	profile_deinit(&p);
}

static void nothing_early(void)
{
	struct profile p;
	struct recipe r = {.reverse = true};
	struct tree t, early = {.n = 0};
	profile_init(&p);
	stacks_add(&p, 0, "a;b 1\na;c 2\n");
	ok(fold_with_early(&p, &r, &t, NULL, NULL, take, &early) && early.n == 0, "a short fold has no early tree");
	tree_deinit(&t);
	profile_deinit(&p);
	profile_init(&p);
	add_stacks(&p, 0, 5);
	r.reverse = false;
	ok(fold_with_early(&p, &r, &t, NULL, NULL, take, &early) && early.n == 0, "nor has one that does not reverse");
	tree_deinit(&t);
	r.reverse = true;
	recipe_add_filter(&r, FILTER_IGNORE, MATCH_REGEX, "main|leaf");
	ok(fold_with_early(&p, &r, &t, NULL, NULL, take, &early) && early.n == 0, "nor one without weight");
	tree_deinit(&t);
	recipe_deinit(&r);
	profile_deinit(&p);
}

int main(void)
{
	compare_folds(SORT_NAME, false, "by name");
	compare_folds(SORT_WEIGHT, false, "by weight");
	compare_folds(SORT_INPUT, false, "by input");
	compare_folds(SORT_NAME, true, "two profiles");
	compare_folds(SORT_WEIGHT, true, "two profiles by weight");
	deep_stack();
	nothing_early();
	return done_testing();
}
