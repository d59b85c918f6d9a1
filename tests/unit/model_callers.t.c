/*
 * Trees of callers with rows left out: sums, searches, exports and zooms give the same results as with all rows.
 * Random small profiles with a very low limit are compared with the same ones without it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "loading.h"
#include "model/cut.h"
#include "model/ways.h"
#include "stacks.h"
#include "tap.h"

static const char *const names[] = {"a", "b", "c", " a", "a-", "  a", "bc"};
#define N_NAMES (sizeof names / sizeof *names)

/* Stacks of up to eight frames, some of weight 0; with `few` names, many of them have common frames. */
static void add_by_chance(struct buf *text, uint64_t *seed, unsigned few, unsigned least)
{
	unsigned stacks = 1 + (unsigned)chance(seed, 30);

	for (unsigned i = 0; i < stacks; i++) {
		unsigned frames = 1 + (unsigned)chance(seed, 8);

		for (unsigned j = 0; j < frames; j++)
			buf_addf(text, "%s%s", j ? ";" : "", names[chance(seed, few)]);
		buf_addf(text, " %u\n", least + (unsigned)chance(seed, 9));
	}
}

struct pair {
	struct profile profiles[2];
	struct view whole, cut;
};

static void set_up(struct view *v, struct profile *p, struct buf *text, const struct recipe *r, bool has_base)
{
	profile_init(p);
	stacks_add(p, 0, buf_str(&text[0]));
	if (has_base)
		stacks_add(p, 1, buf_str(&text[1]));
	view_init(v, p, UTF8_CLEAN_UTF8, true);
	recipe_deinit(&v->recipe);
	recipe_copy(&v->recipe, r);
	if (!view_update(v, DIRTY_TREE, NULL, NULL))
		bail_out("no fold");
}

static void make_pair(struct pair *p, uint64_t *seed)
{
	struct buf text[2];
	struct recipe r;
	bool has_base = chance(seed, 3) == 0;
	unsigned few = 1 + (unsigned)chance(seed, N_NAMES);

	recipe_init(&r);
	r.reverse = true;
	r.sort = (enum sort_order)chance(seed, 3);
	r.chart = !has_base && chance(seed, 4) == 0;
	if (chance(seed, 4) == 0)
		recipe_add_filter(&r, FILTER_HIDE, MATCH_LITERAL, names[chance(seed, N_NAMES)]);
	if (chance(seed, 4) == 0)
		recipe_add_filter(&r, FILTER_CALLERS, MATCH_LITERAL, names[chance(seed, N_NAMES)]);
	for (int i = 0; i < 2; i++) {
		buf_init(&text[i]);
		add_by_chance(&text[i], seed, few, r.chart); /* samples without weight are no lines in a chart */
	}
	set_up(&p->whole, &p->profiles[0], text, &r, has_base);
	r.most_callers = 1 + (uint32_t)chance(seed, 12);
	set_up(&p->cut, &p->profiles[1], text, &r, has_base);
	for (int i = 0; i < 2; i++)
		buf_deinit(&text[i]);
	recipe_deinit(&r);
}

static void free_pair(struct pair *p)
{
	view_deinit(&p->whole);
	view_deinit(&p->cut);
	profile_deinit(&p->profiles[0]);
	profile_deinit(&p->profiles[1]);
}

/* The node of the whole tree for this one of the cut tree. */
static uint32_t same_node(const struct pair *p, uint32_t node)
{
	uint32_t syms[16];
	size_t n = tree_path(&p->cut.tree, node, syms, 16), found;
	uint32_t whole = ways_find_path(&p->whole.tree, syms, n, &found);

	return found == n ? whole : NO_NODE;
}

static const struct name_sum *find_sum(const struct name_sum *sums, size_t n, uint32_t sym)
{
	for (size_t i = 0; i < n; i++)
		if (sums[i].sym == sym)
			return &sums[i];
	return NULL;
}

static bool are_same_sums(const struct pair *p, uint32_t node, uint32_t whole)
{
	size_t n, n_whole, n_symbols = p->profiles[0].symtab.n;
	struct name_sum *sums = tree_sums(&p->cut.tree, node, n_symbols, &n, NULL);
	struct name_sum *wanted = tree_sums(&p->whole.tree, whole, n_symbols, &n_whole, NULL);
	bool same = n == n_whole;

	for (size_t i = 0; i < n_whole && same; i++) {
		const struct name_sum *w = &wanted[i], *s = find_sum(sums, n, w->sym);

		same = s && s->self == w->self && s->total == w->total && s->base_self == w->base_self &&
		       s->base_total == w->base_total && s->frames <= w->frames;
	}
	free(sums);
	free(wanted);
	return same;
}

static char *folded_text(const struct view *v)
{
	struct export_options o = {.fail_above = -1};
	char *text = export_text_of(&export_folded, v, &o);

	return text ? text : mem_strdup("");
}

/*
 * In a chart with rows left out, neighbours are merged that otherwise have another frame in between: only their
 * sums are equal.
 */
static char *stacks_text(const struct view *v)
{
	char *text = folded_text(v), *merged;
	struct recipe plain = {.sort = SORT_NAME};
	struct profile p;
	struct err err;

	if (!v->tree.is_chart)
		return text;
	profile_init(&p);
	stacks_add(&p, 0, text);
	merged = fold_text(&p, &plain, &err);
	profile_deinit(&p);
	free(text);
	return merged;
}

static bool are_same_exports(const struct pair *p)
{
	char *got = stacks_text(&p->cut), *wanted = stacks_text(&p->whole);
	bool same = strcmp(got, wanted) == 0;

	if (!same)
		diag("got\n%swanted\n%s", got, wanted);
	free(got);
	free(wanted);
	return same;
}

static bool are_same_matches(struct pair *p)
{
	return p->cut.search.matched == p->whole.search.matched &&
	       p->cut.search.frames_zoom <= p->whole.search.frames_zoom;
}

/* Compares sizes of frames that are in both trees; and everything below frames where nothing is left out. */
static bool is_same_tree(const struct pair *p, uint32_t node, uint32_t whole)
{
	const struct tree *c = &p->cut.tree, *w = &p->whole.tree;
	size_t first, end;

	if (tree_total(c, node) != tree_total(w, whole) || tree_base_total(c, node) != tree_base_total(w, whole) ||
	    tree_own(c, node) != tree_own(w, whole))
		return false;
	if (tree_tails(c, node, &first, &end))
		return true;
	for (uint32_t i = 0; i < c->end[node] - node; i++)
		if (c->sym[node + i] != w->sym[whole + i] || tree_self(c, node + i) != tree_self(w, whole + i))
			return false;
	return c->end[node] - node == w->end[whole] - whole;
}

/* A chart has several frames for a path: only their sums are compared. */
static bool agrees_everywhere(struct pair *p, const char **what)
{
	const struct tree *t = &p->cut.tree;

	for (uint32_t i = 0; i < (t->is_chart ? 1 : t->n); i++) {
		uint32_t whole = same_node(p, i);

		*what = "frames";
		if (whole == NO_NODE || !is_same_tree(p, i, whole))
			return false;
		*what = "sums";
		if (!are_same_sums(p, i, whole))
			return false;
		view_zoom(&p->cut, i);
		view_zoom(&p->whole, whole);
		*what = "matches";
		if (!are_same_matches(p))
			return false;
		*what = "folded stacks";
		if ((i == 0 || i == t->n - 1) && !are_same_exports(p)) /* writing files takes time */
			return false;
	}
	return true;
}

/* Each zoom shows more rows, until none are left out. */
static bool zooms_to_the_end(struct pair *p, uint64_t *seed, const char **what)
{
	size_t first, end;
	unsigned zooms = 0;

	*what = "zooms";
	view_zoom(&p->cut, NODE_ALL);
	if (!view_update(&p->cut, DIRTY_TREE, NULL, NULL) || !agrees_everywhere(p, what))
		return false;
	view_zoom(&p->cut, NODE_ALL);
	*what = "zooms that go on";
	while (tree_tails(&p->cut.tree, p->cut.zoom, &first, &end)) {
		uint32_t node = p->cut.tree.cut->tails[first + chance(seed, (uint32_t)(end - first))].node;
		uint32_t before = tree_depth(&p->cut.tree, node);

		if (view_zoom(&p->cut, node) & DIRTY_TREE && !view_update(&p->cut, DIRTY_TREE, NULL, NULL))
			return false;
		if (++zooms > 20 || tree_depth(&p->cut.tree, p->cut.zoom) != before)
			return false;
		if (p->cut.tree.end[p->cut.zoom] == p->cut.zoom + 1 && tree_tails(&p->cut.tree, p->cut.zoom, &first, &end))
			return false;
	}
	uint32_t whole = same_node(p, p->cut.zoom);
	*what = "the tree of the last zoom";
	return whole != NO_NODE && is_same_tree(p, p->cut.zoom, whole);
}

static bool is_small(const struct pair *p)
{
	const struct recipe *r = &p->cut.recipe;
	size_t row = 0;

	/* The first row always exists; without a zoom there is one range of rows. */
	for (uint32_t i = 1; i < p->cut.tree.n; i++)
		row += p->cut.tree.parent[i] == NODE_ALL;
	return r->chart || p->cut.tree.cut == NULL ||
	       p->cut.tree.n <= 1 + (row > r->most_callers ? row : r->most_callers);
}

static bool agrees(uint64_t seed)
{
	struct pair p;
	const char *what = "size";
	char why[200];
	bool good;

	make_pair(&p, &seed);
	view_search(&p.whole, names[seed % 3], MATCH_LITERAL, NULL);
	view_search(&p.cut, names[seed % 3], MATCH_LITERAL, NULL);
	good = is_small(&p) && tree_check(&p.cut.tree, why, sizeof why) && agrees_everywhere(&p, &what) &&
	       (p.cut.tree.is_chart || zooms_to_the_end(&p, &seed, &what));
	if (!good)
		diag("seed %llu: %s differ", (unsigned long long)seed, what);
	free_pair(&p);
	return good;
}

static void test_by_chance(void)
{
	unsigned good = 0, n = 200;

	for (uint64_t seed = 1; seed <= n && good == seed - 1; seed++)
		good += agrees(seed);
	is_int(good, n, "with rows left out, sums, matches, stacks and zooms are as with all of them");
}

/* Frames that call one another, each with self time. */
static void nested(struct profile *p, unsigned n, unsigned distinct)
{
	uint32_t path = PATH_ROOT;

	profile_init(p);
	profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);
	for (unsigned i = 0; i < n; i++) {
		char name[16];

		path = profile_child(
			p, path, symtab_intern(&p->symtab, name, (size_t)snprintf(name, sizeof name, "f%u", i % distinct)));
		profile_add(p, 0, path, &(struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU});
	}
}

static void test_nested(void)
{
	struct recipe r = {.reverse = true};
	struct progress steps = {0};
	struct profile p;
	struct tree t;
	size_t first, end;

	nested(&p, 100000, 100000);
	ok(fold(&p, &r, &t, &steps, NULL), "a hundred thousand nested spans are turned around");
	ok(t.n <= 1u + (1u << 22), "into no more frames than there is room for");
	is_int(tree_total(&t, NODE_ALL), 100000, "with the same weight");
	ok(tree_tails(&t, NODE_ALL, &first, &end), "the rest goes on");
	is_int(tree_rows_left_out(&t, NODE_ALL) + t.depth, 100000, "and it is known how deep");
	tree_deinit(&t);
	profile_deinit(&p);
	nested(&p, 100000, 1);
	ok(fold(&p, &r, &t, NULL, NULL), "a recursion as deep is turned around");
	ok(t.cut && t.depth < 100000, "by no more steps than there is time for");
	is_int(tree_rows_left_out(&t, NODE_ALL) + t.depth, 100000, "and it is known how deep it is");
	tree_deinit(&t);
	profile_deinit(&p);
	nested(&p, 1000, 1000);
	ok(fold(&p, &r, &t, NULL, NULL) && !t.cut && t.n == 500501, "a tree that fits has all its rows");
	tree_deinit(&t);
	profile_deinit(&p);
}

/* A path into rows that are left out is found even so. */
static void test_path(void)
{
	struct profile p;
	struct view v;
	struct buf path;

	nested(&p, 300, 300);
	view_init(&v, &p, UTF8_CLEAN_UTF8, true);
	v.recipe.reverse = true;
	v.recipe.most_callers = 3000;
	buf_init(&path);
	for (int i = 299; i >= 100; i--)
		buf_addf(&path, "%sf%d", i < 299 ? ";" : "", i);
	ok(view_update(&v, DIRTY_TREE, NULL, NULL) && !view_zoom_path(&v, buf_str(&path)),
	   "a frame two hundred rows up is not there");
	ok(view_wants_path(&v, buf_str(&path)), "but it is behind those that are");
	ok(view_fold(&v, NULL, NULL) && view_zoom_path(&v, buf_str(&path)), "and after another fold it is found");
	is_int(tree_depth(&v.tree, v.zoom), 200, "where it should be");
	is_int(v.tree.end[v.zoom] - v.zoom, 101, "with all that stands on it");
	is_int(view_follow_zoom(&v), 0, "so that no other tree is wanted");
	ok(!view_wants_path(&v, buf_str(&path)), "with any path");
	ok(view_reset(&v) & DIRTY_TREE, "from there one goes back");
	v.recipe.reverse = true;
	ok(view_update(&v, DIRTY_TREE, NULL, NULL) && v.tree.n < 3000, "to rows as before");
	buf_deinit(&path);
	view_deinit(&v);
	profile_deinit(&p);
}

/*
 * If it never checked for cancellation, a fold of these would run for seconds. The torture test `pace` measures how
 * soon keys are answered.
 */
#define PATIENCE_NS 500000000

/* A fold on its own thread, stopped after some time of that thread, and its end by the same clock. */
struct stopping {
	struct profile *profile;
	struct recipe recipe;
	struct progress progress;
	pthread_t thread;
	atomic_bool is_done;
	uint64_t end;
};

static uint64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void *fold_beside(void *arg)
{
	struct stopping *s = arg;
	struct tree t;
	bool ok = fold(s->profile, &s->recipe, &t, &s->progress, NULL);

	s->end = now(CLOCK_THREAD_CPUTIME_ID);
	atomic_store(&s->is_done, true);
	if (ok)
		tree_deinit(&t);
	return NULL;
}

/* How long it worked on after the stop at `at`; *is_done: it had ended before. */
static uint64_t worked_on(struct profile *p, const struct recipe *r, uint64_t at, bool *is_done)
{
	struct stopping s = {.profile = p, .recipe = *r};
	struct timespec nap = {.tv_nsec = 1000000};
	clockid_t clock;
	uint64_t stopped = 0;

	if (pthread_create(&s.thread, NULL, fold_beside, &s) != 0 || pthread_getcpuclockid(s.thread, &clock) != 0)
		bail_out("no thread");
	while (!atomic_load(&s.is_done) && (stopped = now(clock)) < at)
		nanosleep(&nap, NULL);
	atomic_store(&s.progress.cancel, true);
	pthread_join(s.thread, NULL);
	*is_done = s.end <= stopped;
	return s.end > stopped ? s.end - stopped : 0;
}

/* A key that stops a fold is never kept waiting, whatever the fold is doing. */
static void stops_at_once(const char *what, unsigned n, unsigned distinct, const struct recipe *r)
{
	struct profile p;
	uint64_t longest = 0, longest_at = 0;
	bool is_done = false;

	nested(&p, n, distinct);
	for (uint64_t at = 15000000; !is_done && at < UINT64_C(2000000000); at *= 2) {
		uint64_t took = worked_on(&p, r, at, &is_done);

		longest_at = took > longest ? at : longest_at;
		longest = took > longest ? took : longest;
	}
	/* Under valgrind everything takes longer: then the time after the stop is compared with that before. */
	if (!ok(longest < PATIENCE_NS || longest < longest_at, "a fold of %s stops when it is told to", what))
		diag("after %llu ms it took %llu ms more", (unsigned long long)longest_at / 1000000,
		     (unsigned long long)longest / 1000000);
	profile_deinit(&p);
}

static void test_stopping(void)
{
	struct recipe r = {.reverse = true};

	stops_at_once("nested spans", 20000, 20000, &r);
	stops_at_once("nested spans of ten names", 5000, 10, &r);
	r.sort = SORT_WEIGHT;
	stops_at_once("nested spans by weight", 5000, 5000, &r);
	r.chart = true;
	stops_at_once("nested spans as a chart", 3000, 3000, &r);
}

static void test_stopped(void)
{
	struct recipe r = {.reverse = true};
	struct profile p;

	nested(&p, 20000, 20000);
	for (unsigned i = 0; i < 3; i++) {
		struct progress steps = {.cancel = true};
		struct tree t = {.n = 0};

		r.sort = (enum sort_order)i;
		ok(!fold(&p, &r, &t, &steps, NULL), "a fold that is not stopped ends");
	}
	profile_deinit(&p);
}

int main(void)
{
	test_by_chance();
	test_nested();
	test_path();
	test_stopped();
	test_stopping();
	return done_testing();
}
