/*
 * Rows of a call tree that are open at first, and the path of a search in it, against slow references.
 */
#include "model/call_rows.h"
#include "model/child_index.h"

#include "stacks.h"
#include "tap.h"

static void test_halves(void)
{
	struct profile p;
	struct view v;
	struct call_rows c = {.rows = NULL};

	view_of(&v, &p, "a;b;c;d 40\na;b;c;e 39\na;b;c 1\na;f 15\ng 5\n", NULL);
	call_rows_begin(&c, &v.tree, NODE_ALL);
	is_int(c.n, 3, "a call tree begins with its first level");
	call_rows_open_halves(&c, &v.tree);
	is_int(c.n, 8, "the heaviest path is open at first, and its siblings are there");
	is_int(c.rows[4].node, node_at(&v, "a;b;c;d"), "each row has its heaviest child behind it");
	ok(!c.rows[4].is_open && c.rows[3].is_open, "as deep as it has half of the weight");
	call_rows_deinit(&c);
	view_deinit(&v);
	profile_deinit(&p);

	view_of(&v, &p, "a;b 3\na;c 3\na;d 3\ne;f 3\n", NULL);
	call_rows_begin(&c, &v.tree, NODE_ALL);
	call_rows_open_halves(&c, &v.tree);
	is_int(c.n, 6, "a frame opens, none of whose children has half of its weight");
	call_rows_begin(&c, &v.tree, node_at(&v, "e"));
	call_rows_open_halves(&c, &v.tree);
	is_int(c.n, 2, "a path may end in a leaf");
	struct call_rows copy = {.rows = NULL};
	call_rows_copy(&copy, &c);
	ok(copy.n == 2 && copy.rows != c.rows && copy.rows[1].node == c.rows[1].node, "rows can be copied");
	call_rows_deinit(&copy);
	call_rows_deinit(&c);
	view_deinit(&v);
	profile_deinit(&p);

	view_of(&v, &p, "a;b 0\n", NULL);
	call_rows_begin(&c, &v.tree, NODE_ALL);
	call_rows_open_halves(&c, &v.tree);
	is_int(c.n, 2, "frames without weight stay closed");
	call_rows_deinit(&c);
	view_deinit(&v);
	profile_deinit(&p);
}

static void test_as_usual(void)
{
	struct profile p;
	struct view v;
	struct call_rows c = {.rows = NULL};
	view_of(&v, &p, "a;b;c;d 40\na;b;c;e 39\na;b;c 1\na;f;g 15\nh;i 5\n", NULL);
	call_rows_begin_as_usual(&c, &v.tree, NODE_ALL, NODE_ALL);
	is_int(c.n, 8, "the heaviest path is open");
	call_rows_begin_as_usual(&c, &v.tree, NODE_ALL, node_at(&v, "a;b"));
	is_int(c.n, 8, "also if the cursor is on it");
	call_rows_begin_as_usual(&c, &v.tree, NODE_ALL, node_at(&v, "a;f"));
	is_int(c.n, 5, "else the way to the cursor is");
	is_int(c.rows[3].node, node_at(&v, "a;f"), "which has a row");
	ok(!c.rows[3].is_open, "and stays closed");
	call_rows_begin_as_usual(&c, &v.tree, node_at(&v, "a;b"), node_at(&v, "h"));
	is_int(c.n, 2, "a cursor beyond the first row opens nothing");
	call_rows_deinit(&c);
	view_deinit(&v);
	profile_deinit(&p);
}

/* --- opening many rows at once --- */

/* Random; trees have names in common: siblings are numbered. */
static void named_tree(struct tree *t, uint64_t seed, uint32_t wide)
{
	uint32_t *n_children = mem_zalloc(400, sizeof *n_children);
	tree_by_chance(t, seed, 400, wide, 9, false);
	for (uint32_t i = 1; i < t->n; i++)
		t->sym[i] = ++n_children[t->parent[i]];
	t->sym[0] = 0;
	free(n_children);
}

/* The row of a frame below the row `at`, whose place may be NO_CALL_ROW. */
static size_t row_below(const struct call_rows *c, size_t at, uint32_t sym)
{
	for (size_t i = at; at != NO_CALL_ROW && ++i < c->n && c->rows[i].depth > c->rows[at].depth;)
		if (c->rows[i].depth == c->rows[at].depth + 1 && c->rows[i].sym == sym)
			return i;
	return NO_CALL_ROW;
}

/* Opens the row `at` and those below it that are open in `old`, one by one. was: its row there. */
static void open_as(struct call_rows *c, const struct tree *t, size_t at, const struct call_rows *old, size_t was)
{
	if (was == NO_CALL_ROW || !old->rows[was].is_open)
		return;
	call_rows_open(c, t, at);
	for (uint32_t i = tree_first_child(t, c->rows[at].node); i != NO_NODE; i = tree_next_sibling(t, i))
		open_as(c, t, call_rows_find(c, i), old, row_below(old, was, t->sym[i]));
}

static void open_by_chance(struct call_rows *c, const struct tree *t, uint64_t *seed)
{
	call_rows_begin(c, t, NODE_ALL);
	for (int i = 0; i < 40; i++)
		call_rows_open(c, t, chance(seed, (uint32_t)c->n));
}

/* One by one, too; `least` is a tenth of the weight of the first row. */
static size_t slow_hot_path(struct call_rows *c, const struct tree *t, size_t at)
{
	uint64_t least = tree_total(t, c->rows[at].node) / 10;
	for (;; at++) {
		call_rows_open(c, t, at);
		if (!c->rows[at].is_open || tree_total(t, c->rows[at + 1].node) < least)
			return at;
	}
}

static void slow_around(struct call_rows *c, const struct tree *t, uint32_t node)
{
	if (node != NODE_ALL) {
		slow_around(c, t, t->parent[node]);
		call_rows_open(c, t, call_rows_find(c, t->parent[node]));
	}
}

static bool opens_the_same(uint64_t seed, uint32_t wide)
{
	struct tree one, other;
	struct call_rows old = {.rows = NULL}, got = {.rows = NULL}, expected = {.rows = NULL};
	named_tree(&one, seed, wide);
	named_tree(&other, seed + 1000000, wide);
	open_by_chance(&old, &one, &seed);

	call_rows_begin(&got, &other, NODE_ALL);
	call_rows_reopen(&got, &other, NODE_ALL, &old);
	call_rows_begin(&expected, &other, NODE_ALL);
	open_as(&expected, &other, 0, &old, 0);
	bool is_same = call_rows_is_same(&got, &expected);

	uint32_t node = chance(&seed, other.n);
	call_rows_open_around(&got, &other, node);
	slow_around(&expected, &other, node);
	is_same &= call_rows_is_same(&got, &expected);

	size_t at = chance(&seed, (uint32_t)got.n);
	is_same &= call_rows_open_hot_path(&got, &other, at) == slow_hot_path(&expected, &other, at) &&
	           call_rows_is_same(&got, &expected);
	call_rows_deinit(&old);
	call_rows_deinit(&got);
	call_rows_deinit(&expected);
	tree_deinit(&one);
	tree_deinit(&other);
	return is_same;
}

/* In a chart, where siblings may have the same name, and gaps have none, and elsewhere. */
static void test_child_index(void)
{
	unsigned wrong = 0;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct tree t;
		struct child_index x = {0};
		named_tree(&t, seed, 90);
		t.is_chart = seed % 2;
		for (uint32_t i = 1; i < t.n && t.is_chart; i++)
			t.sym[i] %= 7;
		for (uint32_t parent = 0; parent < t.n; parent++) {
			child_index_begin(&x, &t, parent);
			for (uint32_t sym = 0; sym < 100; sym++)
				wrong += child_index_find(&x, sym) != tree_find_child(&t, parent, sym);
		}
		child_index_deinit(&x);
		tree_deinit(&t);
	}
	is_int(wrong, 0, "an index finds the same children as a scan");
}

static void test_many(void)
{
	unsigned wrong = 0;
	for (uint64_t seed = 1; seed <= 100; seed++)
		for (uint32_t wide = 5; wide < 100; wide += 46)
			wrong += !opens_the_same(seed, wide);
	is_int(wrong, 0, "rows that are opened at once are the same as one by one");
}

/* --- the path of a search --- */

/* Weight of the outermost matches at or below a node. */
static uint64_t matched(const struct view *v, uint32_t node)
{
	uint64_t sum = 0;
	if (node != NODE_ALL && view_is_hit(v, node))
		return tree_total(&v->tree, node);
	for (uint32_t i = tree_first_child(&v->tree, node); i != NO_NODE; i = tree_next_sibling(&v->tree, i))
		sum += matched(v, i);
	return sum;
}

static uint32_t expected_end(const struct view *v, uint32_t from)
{
	uint64_t all = matched(v, from);
	for (uint32_t up = from; up != NODE_ALL; up = v->tree.parent[up])
		if (view_is_hit(v, up))
			return NO_NODE;
	while (all && (from == NODE_ALL || !view_is_hit(v, from))) {
		uint32_t best = NO_NODE;
		uint64_t most = 0;
		for (uint32_t i = tree_first_child(&v->tree, from); i != NO_NODE; i = tree_next_sibling(&v->tree, i)) {
			best = matched(v, i) > most ? i : best;
			most = matched(v, i) > most ? matched(v, i) : most;
		}
		if (most < all / 10)
			break;
		from = best;
	}
	return all ? from : NO_NODE;
}

static bool has_same_paths(uint64_t seed)
{
	struct profile p;
	struct view v;
	struct buf text;
	bool is_same = true;

	buf_init(&text);
	for (unsigned i = 0; i < 60; i++) {
		for (uint32_t d = 1 + chance(&seed, 6); d; d--)
			buf_addf(&text, "%c%s", 'a' + (char)chance(&seed, 12), d > 1 ? ";" : "");
		buf_addf(&text, " %u\n", chance(&seed, 20));
	}
	view_of(&v, &p, buf_str(&text), NULL);
	view_search(&v, "[ab]", MATCH_REGEX, NULL);
	for (uint32_t i = 0; i < v.tree.n; i++)
		is_same = is_same && search_heaviest_path(&v.search, &v.tree, i) == expected_end(&v, i);
	buf_deinit(&text);
	view_deinit(&v);
	profile_deinit(&p);
	return is_same;
}

static void test_paths(void)
{
	struct profile p;
	struct view v;
	struct buf text;
	unsigned wrong = 0;

	for (uint64_t seed = 1; seed <= 200; seed++)
		wrong += !has_same_paths(seed);
	is_int(wrong, 0, "a search leads along the weight of all its matches, from any frame");

	/* One match is heavier than any of the others, but most of the weight is elsewhere. */
	buf_init(&text);
	for (int i = 0; i < 30; i++)
		buf_addf(&text, "main;run;part%d;malloc 2\n", i);
	buf_adds(&text, "odd;path;malloc 3\nmain;wait 9\n");
	view_of(&v, &p, buf_str(&text), NULL);
	view_search(&v, "malloc", MATCH_REGEX, NULL);
	is_int(view_first_hit(&v), node_at(&v, "odd;path;malloc"), "the heaviest match may be in a corner");
	is_int(search_heaviest_path(&v.search, &v.tree, NODE_ALL), node_at(&v, "main;run"),
	       "the path ends where matches spread over many children");
	buf_deinit(&text);
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	test_halves();
	test_as_usual();
	test_many();
	test_child_index();
	test_paths();
	return done_testing();
}
