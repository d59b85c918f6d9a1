/* model_tree - walks through preorder arrays, checked against plain ones. */
#include "tests/tap.h"

#include "model/ways.h"
#include "stacks.h"

static void test_small(void)
{
	struct profile p;
	struct view v;
	uint32_t syms[4];
	size_t found;

	view_of(&v, &p, "main;read 3\nmain;write 4\nmain 1\nexit;read 2\n", NULL);
	const struct tree *t = &v.tree;
	uint32_t main_ = node_at(&v, "main"), rd = node_at(&v, "main;read"), wr = node_at(&v, "main;write");
	is_int(t->n, 6, "a merged tree has a node for each distinct path");
	is_int(tree_total(t, NODE_ALL), 10, "the root's total is the sum of all weights");
	is_int(tree_total(t, main_), 8, "a total is the frame's own weight and that of its children");
	is_int(tree_self(t, main_), 1, "self is the weight of stacks that end in the frame");
	is_int(tree_depth(t, wr), 2, "depth counts the steps to the root");
	is_int(tree_first_child(t, main_), rd, "the first child is the first by name");
	is_int(tree_next_sibling(t, rd), wr, "the next sibling follows");
	ok(tree_next_sibling(t, wr) == NO_NODE, "the last sibling has none after it");
	ok(tree_next_sibling(t, NODE_ALL) == NO_NODE, "the root has no sibling");
	is_int(tree_previous_sibling(t, main_), node_at(&v, "exit"), "the sibling before is found from behind");
	ok(tree_previous_sibling(t, rd) == NO_NODE, "a first child has no sibling before it");
	is_int(tree_child_towards(t, NODE_ALL, wr), main_, "the way down to a node is found");
	ok(tree_is_below(t, wr, main_) && !tree_is_below(t, main_, wr), "below is a matter of ranges");
	is_int(tree_path(t, wr, syms, 4), 2, "a path has as many symbols as the node is deep");
	is_int(ways_find_path(t, syms, 2, &found), wr, "a path leads back to its node");
	syms[1] = symtab_find(&p.symtab, "exit", 4);
	is_int(ways_find_path(t, syms, 2, &found), main_, "a path that ends early leads to the deepest frame");
	is_int(found, 1, "and says how far it came");
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_siblings(const struct tree *t, uint64_t seed)
{
	bool good = true;

	for (uint32_t i = 1; i < t->n && good; i++) {
		uint32_t next = tree_next_sibling(t, i);
		good = next == NO_NODE || tree_previous_sibling(t, next) == i;
	}
	ok(good, "next and previous sibling undo each other (tree %d)", (int)seed);
	good = true;
	for (int k = 0; k < 300 && good; k++) {
		uint32_t parent = chance(&seed, t->n);
		uint64_t value = t->pos[parent] + chance(&seed, 1000) * (tree_total(t, parent) + 2) / 1000;
		uint32_t naive = tree_first_child(t, parent);
		while (naive != NO_NODE && t->pos[t->end[naive]] <= value)
			naive = tree_next_sibling(t, naive);
		good = tree_child_at(t, parent, value) == naive;
	}
	ok(good, "the child at a position is the one that a walk finds");
}

static void test_by_chance(void)
{
	struct tree t;
	char why[100];

	for (uint64_t seed = 1; seed <= 12; seed++) {
		tree_by_chance(&t, seed, 800, (uint32_t)(seed * 8), 50, seed & 1);
		ok(tree_check(&t, why, sizeof why), "a tree made by chance holds together");
		test_siblings(&t, seed);
		tree_deinit(&t);
	}
}

static void test_check(void)
{
	struct tree t;
	char why[100];

	tree_by_chance(&t, 5, 50, 60, 9, false);
	t.parent[7] = t.parent[7] ? 0 : 6;
	ok(!tree_check(&t, why, sizeof why), "a wrong parent is found: %s", why);
	tree_deinit(&t);
	tree_by_chance(&t, 5, 50, 60, 9, false);
	t.depth++;
	ok(!tree_check(&t, why, sizeof why), "a wrong depth is found: %s", why);
	tree_deinit(&t);
	tree_by_chance(&t, 5, 50, 60, 9, false);
	t.pos[9] = t.pos[10] + 1;
	ok(!tree_check(&t, why, sizeof why), "a negative weight is found: %s", why);
	tree_deinit(&t);
	tree_by_chance(&t, 5, 50, 100, 9, false);
	t.sym[9] = t.sym[20];
	ok(!tree_check(&t, why, sizeof why), "siblings of one name are found: %s", why);
	tree_deinit(&t);
	tree_init(&t);
	ok(tree_check(&t, why, sizeof why), "an empty tree holds together");
	tree_deinit(&t);
}

static void test_sums(void)
{
	struct profile p;
	struct view v;
	size_t n;

	view_of(&v, &p, "f;g;f;h 3\nf 2\ng;f 4\n", "f;g 10\n");
	struct name_sum *sums = tree_sums(&v.tree, NODE_ALL, p.symtab.n, &n, NULL);
	is_int(n, 3, "every name that occurs has a sum");
	for (size_t i = 0; i < n; i++) {
		const char *name = p.symtab.symbols[sums[i].sym].name;
		if (strcmp(name, "f") == 0) {
			is_int(sums[i].total, 9, "a name inside itself counts once");
			is_int(sums[i].self, 6, "self weights add up");
			is_int(sums[i].frames, 3, "frames are counted");
			is_int(sums[i].base_total, 10, "the baseline adds up too");
		}
	}
	free(sums);
	sums = tree_sums(&v.tree, node_at(&v, "g"), p.symtab.n, &n, NULL);
	is_int(n, 2, "below a zoom only its names have sums");
	free(sums);
	view_deinit(&v);
	profile_deinit(&p);
}

static const struct name_sum *sum_named(const struct profile *p, const struct name_sum *sums, size_t n,
                                        const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(p->symtab.symbols[sums[i].sym].name, name) == 0)
			return &sums[i];
	return NULL;
}

static void test_heaviest(void)
{
	static const char *const expected[] = {"d", "a", "b"};
	struct profile p;
	struct view v;
	size_t n;
	struct name_sum heaviest[8];
	bool is_expected = true;

	view_of(&v, &p, "all;d 7\nall;d;c 4\nall;b 5\nall;a 5\nall;a;e 0\nf;b 0\n", NULL);
	struct name_sum *sums = tree_sums(&v.tree, NODE_ALL, p.symtab.n, &n, NULL);
	is_int(tree_heaviest(&p.symtab, sums, n, heaviest, 3), 3,
	       "of many functions as many as wanted are the heaviest");
	for (size_t i = 0; i < 3; i++)
		is_expected = is_expected && strcmp(p.symtab.symbols[heaviest[i].sym].name, expected[i]) == 0;
	ok(is_expected, "by self weight, and equal ones by name");
	is_int(tree_heaviest(&p.symtab, sums, n, heaviest, 8), 4, "functions without self weight are not among them");
	is_int(tree_heaviest(&p.symtab, sums, n, heaviest, 0), 0, "none are found if none are wanted");
	free(sums);
	view_deinit(&v);
	profile_deinit(&p);
}

/* The self weight of a function does not depend on how stacks are merged. */
static void test_reversed(void)
{
	struct profile p;
	struct view v;
	size_t n, n_reversed;
	bool is_same = true;

	view_of(&v, &p, "f;g;f;h 3\nf 2\ng;f 4\nh;h 5\n", "f;g 10\nh;f;g 1\n");
	struct name_sum *sums = tree_sums(&v.tree, NODE_ALL, p.symtab.n, &n, NULL);
	v.recipe.reverse = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	struct name_sum *reversed = tree_sums(&v.tree, NODE_ALL, p.symtab.n, &n_reversed, NULL);
	is_int(n_reversed, n, "merged from the leaves, there are as many names");
	for (size_t i = 0; i < n; i++) {
		const struct name_sum *s = sum_named(&p, reversed, n_reversed, p.symtab.symbols[sums[i].sym].name);
		is_same = is_same && s && s->self == sums[i].self && s->total == sums[i].total &&
		          s->base_self == sums[i].base_self && s->base_total == sums[i].base_total;
	}
	ok(is_same, "and self and total of each, on both sides, are the same as merged from the roots");
	is_int(tree_own(&v.tree, node_at(&v, "f")), 6, "a frame on the root has all its weight itself");
	is_int(tree_own(&v.tree, node_at(&v, "f;g")), 0, "a caller's frame has none");
	is_int(tree_bare(&v.tree, node_at(&v, "f;g")), 4, "though stacks begin in it");
	is_int(tree_base_own(&v.tree, node_at(&v, "g")), 11, "the same holds for the baseline");
	is_int(tree_own(&v.tree, NODE_ALL), 0, "the root is no function");
	free(reversed);
	free(sums);
	view_deinit(&v);
	profile_deinit(&p);
}

/* A chart's gaps are their parents' weight. */
static void test_chart(void)
{
	struct profile p;
	struct view v;
	size_t n;
	char why[100];

	view_of(&v, &p, "f;g 1\nf 2\nf;g 5\nf;h 1\n", NULL);
	v.recipe.chart = true;
	view_update(&v, DIRTY_TREE, NULL, NULL);
	ok(tree_check(&v.tree, why, sizeof why), "a flame chart holds together");
	uint32_t f = node_at(&v, "f");
	is_int(tree_own(&v.tree, f), 2, "time after a child returned is the frame's own");
	is_int(tree_total(&v.tree, node_at(&v, "f;g")), 5, "of several frames of one name the widest is found");
	struct name_sum *sums = tree_sums(&v.tree, NODE_ALL, p.symtab.n, &n, NULL);
	is_int(n, 3, "a gap has no name");
	for (size_t i = 0; i < n; i++)
		if (sums[i].sym == v.tree.sym[f])
			is_int(sums[i].self, 2, "a gap adds to its parent's self");
	free(sums);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_deep(void)
{
	struct tree t;
	uint32_t n = 1000000;
	char why[100];

	tree_by_chance(&t, 1, n, 0, 5, false);
	is_int(tree_depth(&t, n - 1), n - 1, "a stack may be a million frames deep");
	is_int(tree_child_towards(&t, NODE_ALL, n - 1), 1, "the way down it is found");
	ok(tree_check(&t, why, sizeof why), "it holds together");
	tree_deinit(&t);
}

/* Samples at 5, 6, 8 and 9 seconds: a chart knows the start of each frame, and the gaps. */
static void test_times(void)
{
	static const uint64_t seconds[] = {5, 6, 8, 9};
	static const char *const names[] = {"a", "a", "b", "a"};
	struct profile p;
	struct view v;

	profile_init(&p);
	for (size_t i = 0; i < 4; i++) {
		uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, names[i], 1));
		profile_add(&p, 0, path, &(struct sample){.weight = 10, .time = seconds[i] * 1000000000, .cpu = NO_CPU});
	}
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	ok(view_update(&v, DIRTY_TREE, NULL, NULL) && v.tree.time == NULL, "a merged tree has no times");
	v.recipe.chart = true;
	v.recipe.axis = AXIS_SAMPLES;
	if (ok(view_update(&v, DIRTY_TREE, NULL, NULL) && v.tree.time != NULL,
	       "a chart of samples with times has them")) {
		is_int((intmax_t)v.tree.time[2], 3000000000, "a frame's time is its first sample's, from the start");
		is_int((intmax_t)tree_time_at(&v.tree, 0), 0, "the chart begins with the first sample");
		is_int((intmax_t)tree_time_at(&v.tree, 10), 1500000000, "within a frame time goes on evenly");
		is_int((intmax_t)tree_time_at(&v.tree, 20), 3000000000, "to where the next one begins");
		is_int((intmax_t)tree_time_at(&v.tree, 40), 4000000000, "and ends with the last sample");
	}
	view_deinit(&v);
	profile_deinit(&p);
}

/* The last part of a frame that lasts nearly 2^64 ns: no double lies between it and the end. */
static void test_great_times(void)
{
	static const uint64_t times[] = {0, UINT64_MAX - 1}, weight = UINT64_C(1) << 60;
	struct profile p;
	struct view v;

	profile_init(&p);
	for (size_t i = 0; i < 2; i++) {
		uint32_t path = profile_child(&p, PATH_ROOT, symtab_intern(&p.symtab, i ? "b" : "a", 1));
		profile_add(&p, 0, path, &(struct sample){.weight = weight, .time = times[i], .cpu = NO_CPU});
	}
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	v.recipe.chart = true;
	if (ok(view_update(&v, DIRTY_TREE, NULL, NULL) && v.tree.time != NULL,
	       "a chart of very late samples has times"))
		ok(tree_time_at(&v.tree, weight - 1) == UINT64_MAX - 1, "which end with the last one");
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_great_times();
	test_small();
	test_by_chance();
	test_check();
	test_sums();
	test_heaviest();
	test_reversed();
	test_chart();
	test_deep();
	test_times();
	return done_testing();
}
