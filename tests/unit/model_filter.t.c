/*
 * Callers and callees of a function: the fold of random profiles, with splits, baselines, charts and other filters,
 * against stacks cut one by one; and their weight.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "loading.h"
#include "model/cut.h"
#include "stacks.h"
#include "tap.h"

#define MOST_STACKS 40u
#define MOST_FRAMES 8u
#define MOST_SPLITS 2u

struct frame {
	char name[8];
	bool is_split;
};

struct stack {
	struct frame frames[MOST_FRAMES + MOST_SPLITS];
	unsigned n, side, cpu;
	uint64_t weight;
};

struct stacks {
	struct stack items[MOST_STACKS];
	unsigned n;
};

static void make_stacks(struct stacks *s, uint64_t *seed, bool has_base, unsigned n_splits)
{
	s->n = 1 + chance(seed, MOST_STACKS);
	for (unsigned i = 0; i < s->n; i++) {
		struct stack *one = &s->items[i];
		*one = (struct stack){.side = has_base ? chance(seed, 2) : 0, .cpu = chance(seed, 3)};
		one->weight = 1 + chance(seed, 9);
		for (unsigned k = 0; k < n_splits; k++, one->n++) {
			snprintf(one->frames[one->n].name, sizeof one->frames->name, "cpu %u", one->cpu);
			one->frames[one->n].is_split = true;
		}
		for (unsigned k = 1 + chance(seed, MOST_FRAMES); k; k--, one->n++)
			snprintf(one->frames[one->n].name, sizeof one->frames->name, "%c", 'a' + (char)chance(seed, 5));
	}
}

/* Adds the stacks from their outermost function on; or with split frames, as if these were functions. */
static void add_stacks(struct profile *p, const struct stacks *s, bool has_splits)
{
	uint32_t series = profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);
	for (unsigned i = 0; i < s->n; i++) {
		const struct stack *one = &s->items[i];
		struct sample sample = {.weight = one->weight, .series = series, .time = NO_TIME, .cpu = one->cpu};
		uint32_t path = PATH_ROOT;
		for (unsigned k = 0; k < one->n; k++) {
			const char *name = one->frames[k].name;
			if (has_splits || !one->frames[k].is_split)
				path = profile_child(p, path, symtab_intern(&p->symtab, name, strlen(name)));
		}
		profile_add(p, one->side, path, &sample);
	}
}

/* A pattern is a set of letters, each the name of a function; '0' stands for the frames of processors. */
static bool has_name(const char *pattern, const struct frame *f)
{
	return strchr(pattern, f->name[1] ? '0' : f->name[0]);
}

static const char *regex_of(const char *pattern, char *out, size_t size)
{
	snprintf(out, size, "^[%s]$|^cpu [%s-3]", pattern, strchr(pattern, '0') ? "0" : "3");
	return out;
}

/* The reference: applies a filter to one stack; false: the stack is dropped. */
static bool apply(struct stack *s, enum filter_kind kind, const char *pattern)
{
	unsigned first = 0, n = 0;
	while (first < s->n && (s->frames[first].is_split || !has_name(pattern, &s->frames[first])))
		first++;
	if (kind != FILTER_HIDE && first == s->n)
		return false;
	for (unsigned k = 0; k < s->n; k++) {
		bool is_kept = kind == FILTER_HIDE      ? !has_name(pattern, &s->frames[k])
		               : kind == FILTER_CALLERS ? k <= first
		                                        : k >= first || s->frames[k].is_split;
		if (is_kept)
			s->frames[n++] = s->frames[k];
	}
	s->n = n;
	return true;
}

static void turn(struct stack *s)
{
	for (unsigned k = 0; k < s->n / 2; k++) {
		struct frame f = s->frames[k];
		s->frames[k] = s->frames[s->n - 1 - k];
		s->frames[s->n - 1 - k] = f;
	}
}

static void filter_stacks(struct stacks *s, const struct recipe *r, const char *const *patterns)
{
	unsigned n = 0;
	for (unsigned i = 0; i < s->n; i++) {
		bool is_kept = true;
		for (size_t k = 0; k < r->n_filters && is_kept; k++)
			is_kept = apply(&s->items[i], r->filters[k].kind, patterns[k]);
		if (recipe_reverses(r))
			turn(&s->items[i]);
		if (is_kept)
			s->items[n++] = s->items[i];
	}
	s->n = n;
}

/* One or two filters, and what else changes the tree. */
static void make_recipe(struct recipe *r, uint64_t *seed, bool has_base, const char **patterns)
{
	static const char *const some[] = {"a", "b", "ab", "bcd", "a0", "0"};
	static const enum filter_kind kinds[] = {FILTER_CALLERS, FILTER_CALLEES, FILTER_HIDE};
	unsigned n = 1 + chance(seed, 3);
	char regex[32];
	recipe_init(r);
	r->chart = !has_base && chance(seed, 3) == 0;
	r->reverse = chance(seed, 4) == 0;
	r->sort = chance(seed, 2) ? SORT_NAME : SORT_WEIGHT;
	for (r->n_splits = 0; r->n_splits < MOST_SPLITS && chance(seed, 3) == 0; r->n_splits++)
		r->splits[r->n_splits] = (struct split){.key = SPLIT_CPU};
	for (unsigned i = 0; i < n; i++) {
		patterns[i] = some[chance(seed, 6)];
		recipe_add_filter(r, kinds[chance(seed, i + 1 < n ? 3 : 2)], MATCH_REGEX,
		                  regex_of(patterns[i], regex, sizeof regex));
	}
}

static bool is_expected(const struct stacks *cut, struct recipe *r, const char *got)
{
	struct recipe plain = {.chart = r->chart, .sort = r->sort};
	struct profile p;
	profile_init(&p);
	add_stacks(&p, cut, true);
	char *want = fold_text(&p, &plain, NULL);
	/* Without any stack there is no second side. */
	bool is_same = want && got && (strcmp(want, got) == 0 || (!*want && !*got));
	if (!is_same)
		diag("got\n%sexpected\n%s", got, want);
	free(want);
	profile_deinit(&p);
	return is_same;
}

static bool agrees(uint64_t seed)
{
	struct stacks stacks;
	struct recipe r;
	struct profile p;
	const char *patterns[4];
	bool has_base = chance(&seed, 3) == 0;
	make_recipe(&r, &seed, has_base, patterns);
	make_stacks(&stacks, &seed, has_base, r.n_splits);
	profile_init(&p);
	add_stacks(&p, &stacks, false);
	char *got = fold_text(&p, &r, NULL);
	filter_stacks(&stacks, &r, patterns);
	bool has_side[2] = {false, false}, had_base = p.log[1].n > 0;
	for (unsigned i = 0; i < stacks.n; i++)
		has_side[stacks.items[i].side] = true;
	bool is_same = (had_base && !has_side[1]) || is_expected(&stacks, &r, got);
	free(got);
	recipe_deinit(&r);
	profile_deinit(&p);
	return is_same;
}

static void test_by_chance(void)
{
	unsigned wrong = 0;
	for (uint64_t seed = 1; seed <= 3000 && wrong < 3; seed++)
		wrong += !agrees(seed);
	is_int(wrong, 0, "three thousand random profiles fold as their stacks cut one by one");
}

/* The weight of the stacks with a function, each counted once however often the function is in it. */
static void sum_stacks(const struct stacks *s, const char *pattern, uint64_t sums[2])
{
	sums[0] = sums[1] = 0;
	for (unsigned i = 0; i < s->n; i++) {
		bool has = false;
		for (unsigned k = 0; k < s->items[i].n; k++)
			has |= has_name(pattern, &s->items[i].frames[k]);
		sums[s->items[i].side] += has ? s->items[i].weight : 0;
	}
}

/* One frame on the root, with all weight of the function; the rest is excluded. */
static bool has_all(struct profile *p, const struct stacks *s, enum filter_kind kind)
{
	struct recipe r = {.filters = NULL};
	struct tree t;
	uint64_t sums[2];
	recipe_add_filter(&r, kind, MATCH_REGEX, "^a$");
	sum_stacks(s, "a", sums);
	if (!fold(p, &r, &t, NULL, NULL))
		return false;
	bool has = tree_total(&t, NODE_ALL) == sums[0] && tree_base_total(&t, NODE_ALL) == sums[1];
	for (unsigned side = 0; side < 2; side++)
		has = has && sums[side] + t.excluded[side] == p->log[side].total;
	if (t.n > 1)
		has = has && t.end[1] == t.n && strcmp(p->symtab.symbols[t.sym[1]].name, "a") == 0 &&
		      !tree_self(&t, NODE_ALL);
	has = has && t.is_reversed == (kind == FILTER_CALLERS) && tree_check(&t, (char[200]){0}, 200);
	tree_deinit(&t);
	recipe_deinit(&r);
	return has;
}

static void test_weight(void)
{
	unsigned wrong = 0;
	for (uint64_t seed = 1; seed <= 500; seed++) {
		struct stacks stacks;
		struct profile p;
		uint64_t state = seed;
		make_stacks(&stacks, &state, true, 0);
		profile_init(&p);
		add_stacks(&p, &stacks, false);
		wrong += !has_all(&p, &stacks, FILTER_CALLERS) || !has_all(&p, &stacks, FILTER_CALLEES);
		profile_deinit(&p);
	}
	is_int(wrong, 0, "the function is the only root, with the weight of each stack through it once, on both sides");
}

/* A chain of frames, in each of which a stack ends, with one more frame `leaf` on top unless it is NULL. */
static void make_chain(struct profile *p, unsigned n, unsigned n_names, const char *leaf)
{
	uint32_t series, path = PATH_ROOT;
	profile_init(p);
	series = profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);
	for (unsigned i = 0; i < n; i++) {
		char name[16];
		snprintf(name, sizeof name, "f%u", i % n_names);
		path = profile_child(p, path, symtab_intern(&p->symtab, name, strlen(name)));
		uint32_t end = leaf ? profile_child(p, path, symtab_intern(&p->symtab, leaf, strlen(leaf))) : path;
		profile_add(p, 0, end, &(struct sample){.weight = 1, .series = series, .time = NO_TIME, .cpu = NO_CPU});
	}
}

static void fold_chain(struct tree *t, struct profile *p, enum filter_kind kind, const char *name)
{
	struct recipe r = {.filters = NULL};
	recipe_add_filter(&r, kind, MATCH_LITERAL, name);
	if (!fold(p, &r, t, NULL, NULL))
		bail_out("no fold");
	recipe_deinit(&r);
}

static void test_deep(void)
{
	struct profile p;
	struct tree t;
	make_chain(&p, 1000000, 2, NULL);
	fold_chain(&t, &p, FILTER_CALLERS, "f1");
	is_int(t.n, 3, "a recursion a million deep has one caller");
	is_int(tree_total(&t, 1), 999999, "and counts once");
	tree_deinit(&t);
	profile_deinit(&p);
	make_chain(&p, 30000, 30000, "leaf");
	fold_chain(&t, &p, FILTER_CALLERS, "leaf");
	is_int(tree_total(&t, 1), 30000, "a function in each row of a deep stack has its weight");
	ok(t.cut, "and its deeper callers are left out before they become half a billion frames");
	tree_deinit(&t);
	profile_deinit(&p);
}

/* Callers are merged from the leaves, without a word of the recipe. */
static void test_direction(void)
{
	struct recipe r = {.filters = NULL};
	ok(!recipe_reverses(&r), "an empty recipe merges from the roots");
	recipe_add_filter(&r, FILTER_CALLEES, MATCH_LITERAL, "a");
	ok(!recipe_reverses(&r), "as do callees");
	recipe_add_filter(&r, FILTER_CALLERS, MATCH_LITERAL, "a");
	recipe_add_filter(&r, FILTER_HIDE, MATCH_LITERAL, "b");
	ok(recipe_reverses(&r) && recipe_has_callers(&r), "callers merge from the leaves");
	recipe_drop_filter(&r, 1);
	ok(!recipe_reverses(&r), "as long as the filter is there");
	r.reverse = true;
	ok(recipe_reverses(&r) && !recipe_has_callers(&r), "or if the recipe says so");
	recipe_deinit(&r);
}

int main(void)
{
	test_by_chance();
	test_weight();
	test_deep();
	test_direction();
	return done_testing();
}
