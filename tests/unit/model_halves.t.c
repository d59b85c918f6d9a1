/*
 * The halves of a sandwich and the stacks through a function, against a count of the stacks themselves: recursive
 * functions, trees merged from the root and from the leaves, flame charts, and a baseline.
 */
#include "model/halves.h"

#include "model/through.h"
#include "tests/tap.h"
#include "tests/unit/stacks.h"

#define STACKS 60u
#define LETTERS 4u /* functions: few, so that many are recursive */
#define MOST_FRAMES 7u

struct stack {
	char frames[MOST_FRAMES + 1];
	uint64_t weight[2];
};

static void make_stacks(struct stack *s, uint64_t *seed)
{
	for (size_t i = 0; i < STACKS; i++) {
		size_t n = 1 + chance(seed, MOST_FRAMES);
		for (size_t k = 0; k < n; k++)
			s[i].frames[k] = (char)('a' + chance(seed, LETTERS));
		s[i].frames[n] = '\0';
		s[i].weight[0] = 1 + chance(seed, 9);
		s[i].weight[1] = 1 + chance(seed, 9);
	}
}

static void add_line(struct buf *out, const char *frames, uint64_t weight)
{
	for (size_t k = 0; frames[k]; k++)
		buf_addf(out, "%s%c", k ? ";" : "", frames[k]);
	buf_addf(out, " %llu\n", (unsigned long long)weight);
}

/* function: only stacks with it; 0: all. */
static char *text_of(const struct stack *s, unsigned side, char function)
{
	struct buf b;
	buf_init(&b);
	for (size_t i = 0; i < STACKS; i++)
		if (!function || strchr(s[i].frames, function))
			add_line(&b, s[i].frames, s[i].weight[side]);
	return buf_take(&b);
}

/* Of the stacks: the weight of those whose way from the outermost frame of the function begins like this. */
static uint64_t count(const struct stack *s, unsigned side, enum sandwich_half half, const char *way)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < STACKS; i++) {
		const char *at = strchr(s[i].frames, way[0]);
		size_t k = 0;
		while (at && way[k] && at[0] == way[k] && (k++, true)) {
			if (half == HALF_CALLEES)
				at = *at ? at + 1 : NULL;
			else
				at = at > s[i].frames ? at - 1 : NULL;
		}
		sum += way[k] ? 0 : s[i].weight[side];
	}
	return sum;
}

/* Is every frame of the half as heavy as the stacks say? And do its children hold all that goes on from it? */
static bool half_holds(const struct view *v, const struct stack *s, const struct tree *t, enum sandwich_half half)
{
	for (uint32_t i = 0; i < t->n; i++) {
		char way[MOST_FRAMES + 2] = {0};
		size_t n = tree_depth(t, i);
		for (uint32_t k = i, left = (uint32_t)n + 1; left-- > 0; k = t->parent[k])
			way[left] = v->profile->symtab.symbols[t->sym[k]].name[0];
		if (tree_total(t, i) != count(s, 0, half, way) || tree_base_total(t, i) != count(s, 1, half, way)) {
			diag("%s: %llu, expected %llu", way, (unsigned long long)tree_total(t, i),
			     (unsigned long long)count(s, 0, half, way));
			return false;
		}
	}
	return true;
}

static uint64_t self_of(const struct stack *s, char function)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < STACKS; i++)
		sum += s[i].frames[strlen(s[i].frames) - 1] == function ? s[i].weight[0] : 0;
	return sum;
}

static bool halves_hold(const struct view *v, const struct stack *s, char function)
{
	char name[2] = {function, '\0'};
	char why[256];
	struct halves h;
	struct halves_recipe r = {
		.view = v,
		.symtab = &v->profile->symtab,
		.symbol = symtab_find(&v->profile->symtab, name, 1),
	};
	struct name_sum sum = halves_sum(&v->tree, r.symbol, r.symtab->n, NULL);
	halves_init(&h);
	bool holds = halves_make(&h, &r, NULL);
	for (int half = 0; half < 2; half++) {
		struct tree *t = &h.trees[half];
		t->sym[0] = 0; /* as in the tree of a profile */
		holds = holds && tree_check(t, why, sizeof why);
		t->sym[0] = r.symbol;
		holds = holds && half_holds(v, s, t, (enum sandwich_half)half);
	}
	holds = holds && tree_total(&h.trees[0], 0) == sum.total && sum.self == self_of(s, function);
	halves_deinit(&h);
	return holds;
}

/* Of the stacks through the function: the weight of those that have the name in the half, each counted once. */
static uint64_t count_matches(const struct stack *s, char function, enum sandwich_half half, char name)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < STACKS; i++) {
		const char *at = strchr(s[i].frames, function), *found = strchr(s[i].frames, name);
		bool is_hit = at && (half == HALF_CALLERS ? found && found <= at : strchr(at, name) != NULL);
		sum += is_hit ? s[i].weight[0] : 0;
	}
	return sum;
}

/* In halves of any width: what is too narrow to be drawn counts, too. */
static bool matches_hold(struct view *v, const struct stack *s, char function, char name, int cols)
{
	const char in[2] = {function, '\0'}, pattern[2] = {name, '\0'};
	struct halves_recipe r = {.view = v, .symtab = &v->profile->symtab, .cols = cols};
	struct halves h;
	r.symbol = symtab_find(r.symtab, in, 1);
	halves_init(&h);
	bool holds =
		view_update(v, view_search(v, pattern, MATCH_REGEX, NULL), NULL, NULL) && halves_make(&h, &r, NULL);
	for (int half = 0; half < 2; half++)
		holds = holds && h.matched[half] == count_matches(s, function, (enum sandwich_half)half, name);
	halves_deinit(&h);
	view_update(v, view_search(v, NULL, MATCH_REGEX, NULL), NULL, NULL);
	return holds;
}

/* The folded text of the stacks through the function, and of a profile of just these stacks, are the same. */
static bool through_holds(struct view *v, const struct stack *s, char function)
{
	char name[2] = {function, '\0'};
	char *part = text_of(s, 0, function), *base = text_of(s, 1, function), *got, *expected;
	struct profile p;
	struct view only;
	struct export_options o = {.factor = 1};
	view_of(&only, &p, part, v->tree.base ? base : NULL);
	v->shown.view = SHOWN_SANDWICH;
	v->shown.function = symtab_find(&v->profile->symtab, name, 1);
	got = export_text_of(&export_folded, v, &o);
	expected = export_text_of(&export_folded, &only, &o);
	v->shown.view = SHOWN_FLAME;
	bool holds = got && expected && strcmp(got, expected) == 0;
	if (!holds)
		diag("got\n%s\nexpected\n%s", got, expected);
	free(part);
	free(base);
	free(got);
	free(expected);
	view_deinit(&only);
	profile_deinit(&p);
	return holds;
}

/* Halves that were made for one search and lit for another are like those made for the other. */
static bool lights_hold(struct view *v, char function, char name)
{
	const char in[2] = {function, '\0'}, pattern[2] = {name, '\0'};
	struct halves_recipe r = {.view = v, .symtab = &v->profile->symtab, .cols = 1};
	struct halves made, lit;
	bool holds = true;
	r.symbol = symtab_find(r.symtab, in, 1);
	halves_init(&made);
	halves_init(&lit);
	halves_make(&lit, &r, NULL);
	view_update(v, view_search(v, pattern, MATCH_REGEX, NULL), NULL, NULL);
	halves_make(&made, &r, NULL);
	if (halves_can_be_lit(&lit) == v->tree.is_reversed)
		holds = false;
	if (halves_can_be_lit(&lit)) {
		struct halves light;
		halves_init(&light);
		holds = holds && halves_light(&light, &lit, v, NULL);
		halves_take_light(&lit, &light);
		halves_deinit(&light);
		for (int half = 0; half < 2; half++)
			holds = holds && lit.matched[half] == made.matched[half] &&
			        memcmp(lit.is_lit[half], made.is_lit[half], lit.trees[half].n * sizeof(bool)) == 0;
	}
	halves_deinit(&made);
	halves_deinit(&lit);
	view_update(v, view_search(v, NULL, MATCH_REGEX, NULL), NULL, NULL);
	return holds;
}

enum shape { MERGED, REVERSED, BY_WEIGHT, CHART, N_SHAPES };

static void test_shape(enum shape shape)
{
	static const char *const names[] = {"merged from the root", "merged from the leaves", "by weight",
	                                    "a flame chart"};
	uint64_t seed = 7;
	bool halves = true, through = true, matches = true, lights = true;
	for (int round = 0; round < 20; round++) {
		struct stack s[STACKS];
		struct profile p;
		struct view v;
		make_stacks(s, &seed);
		for (size_t i = 0; shape == CHART && i < STACKS; i++)
			s[i].weight[1] = 0; /* a chart shows one profile */
		char *text = text_of(s, 0, 0), *base = text_of(s, 1, 0);
		view_of(&v, &p, text, shape == CHART ? NULL : base);
		v.recipe.reverse = shape == REVERSED;
		v.recipe.chart = shape == CHART;
		v.recipe.sort = shape == BY_WEIGHT ? SORT_WEIGHT : v.recipe.sort;
		if (!view_update(&v, DIRTY_TREE, NULL, NULL))
			bail_out("the profile was not folded");
		for (char c = 'a'; c < (char)('a' + LETTERS); c++) {
			halves = halves && halves_hold(&v, s, c);
			through = through && through_holds(&v, s, c);
			for (char name = 'a'; name < (char)('a' + LETTERS); name++)
				lights = lights && lights_hold(&v, c, name);
			for (char name = 'a'; name < (char)('a' + LETTERS); name++)
				matches = matches && matches_hold(&v, s, c, name, 0) && matches_hold(&v, s, c, name, 1);
		}
		view_deinit(&v);
		profile_deinit(&p);
		free(text);
		free(base);
	}
	ok(halves, "%s: callers, callees and sums are those of the stacks, recursion counts once", names[shape]);
	ok(matches, "%s: matches among callers and callees weigh what the stacks say, whatever the width",
	   names[shape]);
	ok(lights, "%s: halves lit for another search are like those made for it", names[shape]);
	ok(through, "%s: the stacks through a function are those with it", names[shape]);
}

static void test_none(void)
{
	struct profile p;
	struct view v;
	struct tree t;
	view_of(&v, &p, "a;b 1\n", NULL);
	tree_init(&t);
	through_make(&t, &v.tree, &p.symtab, NO_SYMBOL, false, NULL);
	is_int(t.n, 1, "no stack goes through no function");
	is_int((intmax_t)halves_sum(&v.tree, NO_SYMBOL, p.symtab.n, NULL).total, 0, "which has no weight");
	tree_deinit(&t);
	view_deinit(&v);
	profile_deinit(&p);
}

int main(void)
{
	for (int shape = 0; shape < N_SHAPES; shape++)
		test_shape((enum shape)shape);
	test_none();
	return done_testing();
}
