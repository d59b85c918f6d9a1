/*
 * The lines of a function: random stacks of lines against a count by hand, and against the tree under any filter.
 */
#include "model/lines.h"

#include "tests/tap.h"
#include "tests/unit/stacks.h"

#define N_SYMS 6u
#define N_LINES 5u
#define MOST_DEPTH 9u
#define N_SAMPLES 300u

struct one {
	uint32_t sym[MOST_DEPTH], line[MOST_DEPTH]; /* root first; line 0: the frame has no site */
	uint32_t n, weight, side;
};

static uint32_t syms[N_SYMS], files[2];
static bool all_have_sites; /* of a sample with any */

/* Adds a random sample, with a site for most of its frames, or for none. */
static void add_sample(struct profile *p, uint64_t *seed, struct one *o)
{
	struct site sites[MOST_DEPTH];
	uint32_t path = PATH_ROOT, n_sites = 0;
	bool has_none = chance(seed, 8) == 0;
	o->n = 1 + chance(seed, MOST_DEPTH);
	o->weight = 1 + chance(seed, 20);
	o->side = chance(seed, 3) == 0;
	for (uint32_t i = 0; i < o->n; i++) {
		uint32_t k = chance(seed, N_SYMS);
		o->sym[i] = syms[k];
		o->line[i] = has_none || (!all_have_sites && chance(seed, 6) == 0) ? 0 : 1 + chance(seed, N_LINES);
		path = profile_child(p, path, o->sym[i]);
		if (o->line[i])
			sites[n_sites++] = (struct site){.sym = o->sym[i], .file = files[k % 2], .line = o->line[i]};
	}
	struct sample s = {.weight = o->weight, .time = chance(seed, 1000), .cpu = NO_CPU};
	s.site = n_sites ? profile_sites(p, sites, n_sites) : NO_SITE;
	profile_add(p, o->side, path, &s);
}

static void make_profile(struct profile *p, uint64_t *seed, struct one *samples)
{
	profile_init(p);
	profile_series(p, symtab_intern(&p->symtab, "cycles", 6), 0);
	for (uint32_t i = 0; i < N_SYMS; i++)
		syms[i] = symtab_intern(&p->symtab, &"abcdef"[i], 1);
	files[0] = symtab_intern(&p->symtab, "x.c", 3);
	files[1] = symtab_intern(&p->symtab, "y.c", 3);
	for (uint32_t i = 0; i < N_SAMPLES; i++)
		add_sample(p, seed, &samples[i]);
}

/* Line of the innermost frame of the function with a site, as the report has it; 0: it has none. */
static uint32_t innermost(const struct one *o, uint32_t sym)
{
	for (uint32_t i = o->n; i-- > 0;)
		if (o->sym[i] == sym && o->line[i])
			return o->line[i];
	return 0;
}

static bool is_in(const struct one *o, uint32_t sym, uint32_t line)
{
	bool is_there = false, has_line = false;
	for (uint32_t i = 0; i < o->n; i++) {
		is_there |= o->sym[i] == sym && (line == 0 || o->line[i] == line);
		has_line |= o->sym[i] == sym && o->line[i];
	}
	return is_there && (line != 0 || !has_line);
}

/* The sums of a line of a function, by hand; line 0: of samples of which no line is known. */
static struct line_row sums_of(const struct one *samples, uint32_t sym, uint32_t line)
{
	struct line_row r = {.line = line};
	for (uint32_t i = 0; i < N_SAMPLES; i++) {
		const struct one *o = &samples[i];
		if (!is_in(o, sym, line))
			continue;
		r.total[o->side] += o->weight;
		r.samples += !o->side;
		if (o->sym[o->n - 1] == sym && innermost(o, sym) == line)
			r.self[o->side] += o->weight;
	}
	return r;
}

static const struct line_row *find_row(const struct line_sums *l, uint32_t line)
{
	static const struct line_row none = {.line = 0};
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].line == line)
			return &l->rows[i];
	return &none;
}

static bool is_same(const struct line_row *a, const struct line_row *b)
{
	return a->self[0] == b->self[0] && a->self[1] == b->self[1] && a->total[0] == b->total[0] &&
	       a->total[1] == b->total[1] && a->samples == b->samples;
}

static unsigned compare_all(struct line_reader *r, const struct one *samples)
{
	unsigned bad = 0;
	for (uint32_t k = 0; k < N_SYMS; k++) {
		struct line_sums l;
		bad += !line_reader_read(r, syms[k], &l);
		for (uint32_t line = 0; line <= N_LINES; line++) {
			struct line_row expected = sums_of(samples, syms[k], line);
			bad += !is_same(find_row(&l, line), &expected);
		}
		line_sums_deinit(&l);
	}
	return bad;
}

static void against_a_count(void)
{
	struct one *samples = mem_alloc(N_SAMPLES * sizeof *samples);
	unsigned bad = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		uint64_t state = seed;
		struct profile p, joined;
		struct recipe recipe;
		make_profile(&p, &state, samples);
		recipe_init(&recipe);
		struct line_reader *r = line_reader_new(&p, &recipe, NULL, NULL, NULL);
		bad += compare_all(r, samples);
		line_reader_free(r);
		profile_init(&joined);
		profile_append(&joined, &p, NULL, 0);
		for (uint32_t i = 0; i < N_SYMS; i++)
			syms[i] = symtab_find(&joined.symtab, &"abcdef"[i], 1);
		for (uint32_t i = 0; i < N_SAMPLES; i++)
			for (uint32_t k = 0; k < samples[i].n; k++)
				samples[i].sym[k] = symtab_find(&joined.symtab, p.symtab.symbols[samples[i].sym[k]].name, 1);
		r = line_reader_new(&joined, &recipe, NULL, NULL, NULL);
		bad += compare_all(r, samples);
		line_reader_free(r);
		profile_deinit(&joined);
		recipe_deinit(&recipe);
		profile_deinit(&p);
	}
	is_int(bad, 0, "self, total and samples of each line are those counted by hand, also of joined profiles");
	free(samples);
}

/* Self weights of lines add up to that of the function in the tree, totals are at most its total. */
static unsigned differs(const struct view *v, struct line_reader *r)
{
	size_t n;
	unsigned bad = 0;
	struct name_sum *sums = tree_sums(&v->tree, NODE_ALL, v->profile->symtab.n, &n, NULL);
	for (size_t i = 0; i < n; i++) {
		struct line_sums l;
		uint64_t self[2] = {0, 0};
		bad += !line_reader_read(r, sums[i].sym, &l);
		bad += l.self[0] != sums[i].self || l.total[0] != sums[i].total || l.self[1] != sums[i].base_self ||
		       l.total[1] != sums[i].base_total;
		for (size_t k = 0; k < l.n; k++) {
			for (unsigned side = 0; side < 2; side++) {
				self[side] += l.rows[k].self[side];
				bad += l.rows[k].total[side] > l.total[side] || l.rows[k].self[side] > l.rows[k].total[side];
			}
			bad += l.rows[k].samples > l.samples;
		}
		bad += self[0] != l.self[0] || self[1] != l.self[1];
		line_sums_deinit(&l);
	}
	free(sums);
	return bad;
}

static void against_the_tree(void)
{
	static const enum filter_kind kinds[] = {FILTER_FOCUS,   FILTER_IGNORE,  FILTER_HIDE,     FILTER_SHOW,
	                                         FILTER_CALLERS, FILTER_CALLEES, FILTER_RECURSION};
	static const char *const patterns[] = {"a", "b|c", "[d-f]", "^e$"};
	struct one *samples = mem_alloc(N_SAMPLES * sizeof *samples);
	unsigned bad = 0;
	for (uint64_t seed = 1; seed <= 120; seed++) {
		uint64_t state = seed * 977;
		struct profile p;
		struct view v;
		make_profile(&p, &state, samples);
		view_init(&v, &p, UTF8_CLEAN_UTF8, true);
		for (uint32_t k = chance(&state, 3); k > 0; k--)
			recipe_add_filter(&v.recipe, kinds[chance(&state, 7)], MATCH_REGEX, patterns[chance(&state, 4)]);
		v.recipe.reverse = chance(&state, 4) == 0;
		v.recipe.swap_sides = chance(&state, 3) == 0;
		v.recipe.half_life = chance(&state, 2) ? 1 + chance(&state, 1000) : 0;
		v.recipe.from = chance(&state, 4) == 0 ? chance(&state, 500) : 0;
		if (!view_update(&v, DIRTY_TREE, NULL, NULL))
			bail_out("no tree");
		struct line_reader *r = line_reader_new(&p, &v.recipe, NULL, NULL, NULL);
		bad += differs(&v, r);
		line_reader_free(r);
		view_deinit(&v);
		profile_deinit(&p);
	}
	is_int(bad, 0, "under any filter, self weights add up to the function's, and no total is above it");
	free(samples);
}

/* What a filter leaves of a stack; n is 0: nothing. */
static void filter_by_hand(struct one *o, enum filter_kind kind, const bool *matches)
{
	uint32_t n = 0, first = o->n, last = o->n;
	for (uint32_t i = 0; i < o->n; i++) {
		first = matches[o->sym[i]] && first == o->n ? i : first;
		last = matches[o->sym[i]] ? i : last;
	}
	for (uint32_t i = 0; i < o->n; i++) {
		bool is_kept = kind == FILTER_HIDE      ? !matches[o->sym[i]]
		               : kind == FILTER_SHOW    ? matches[o->sym[i]]
		               : kind == FILTER_CALLERS ? first < o->n && i <= first
		               : kind == FILTER_CALLEES ? i >= first
		                                        : i >= last;
		o->sym[n] = o->sym[i];
		o->line[n] = o->line[i];
		n += is_kept;
	}
	o->n = n;
}

static void add_random_filter(struct recipe *r, struct one *samples, uint64_t *seed)
{
	static const enum filter_kind kinds[] = {FILTER_HIDE, FILTER_SHOW, FILTER_CALLERS, FILTER_CALLEES, FILTER_BASE};
	static const char *const patterns[] = {"a", "[bc]", "[def]", "e"};
	enum filter_kind kind = kinds[chance(seed, 5)];
	const char *pattern = patterns[chance(seed, 4)];
	bool matches[64] = {false};
	for (uint32_t i = 0; i < N_SYMS; i++)
		matches[syms[i]] = strchr(pattern, "abcdef"[i]) != NULL;
	/* Two of BASE in a row are one, of what either matches. */
	if (r->n_filters && r->filters[r->n_filters - 1].kind == FILTER_BASE && kind == FILTER_BASE)
		return;
	recipe_add_filter(r, kind, MATCH_REGEX, pattern);
	for (uint32_t i = 0; i < N_SAMPLES; i++)
		filter_by_hand(&samples[i], kind, matches);
}

static void of_filtered_stacks(void)
{
	struct one *samples = mem_alloc(N_SAMPLES * sizeof *samples);
	unsigned bad = 0;
	all_have_sites = true;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		uint64_t state = seed * 31;
		struct profile p;
		struct recipe recipe;
		make_profile(&p, &state, samples);
		recipe_init(&recipe);
		for (uint32_t n = 1 + chance(&state, 3); n > 0; n--)
			add_random_filter(&recipe, samples, &state);
		struct line_reader *r = line_reader_new(&p, &recipe, NULL, NULL, NULL);
		bad += compare_all(r, samples);
		line_reader_free(r);
		recipe_deinit(&recipe);
		profile_deinit(&p);
	}
	all_have_sites = false;
	is_int(bad, 0, "a frame that a filter took out has no lines, however often its function is on the stack");
	free(samples);
}

/* main:2 calls f:5, main:3 calls f:6, and f:6 calls f:5. */
static void calls_and_callers(void)
{
	struct profile p;
	struct recipe recipe;
	struct line_sums l;
	profile_init(&p);
	profile_series(&p, symtab_intern(&p.symtab, "cycles", 6), 0);
	uint32_t main_ = symtab_intern(&p.symtab, "main", 4), f = symtab_intern(&p.symtab, "f", 1);
	uint32_t file = symtab_intern(&p.symtab, "x.c", 3), path = profile_path(&p, (uint32_t[]){main_, f}, 2);
	const struct site stacks[][3] = {
		{{main_, file, 2, 0, 0}, {f, file, 5, 0, 0}},
		{{main_, file, 3, 0, 0}, {f, file, 6, 0, 0}, {f, file, 5, 0, 0}},
	};
	for (unsigned i = 0; i < 2; i++) {
		struct sample s = {.weight = i ? 4 : 3, .time = NO_TIME, .cpu = NO_CPU};
		s.site = profile_sites(&p, stacks[i], 2 + i);
		profile_add(&p, 0, i ? profile_child(&p, path, f) : path, &s);
	}
	recipe_init(&recipe);
	struct line_reader *r = line_reader_new(&p, &recipe, NULL, NULL, NULL);
	line_reader_read(r, f, &l);
	is_int(l.n, 2, "a function has a row for each line");
	is_int(find_row(&l, 5)->total[0], 7, "a line inside a call of itself counts once");
	is_int(l.n_callers, 2, "its callers are lines, too");
	is_int(l.callers[0].line, 3, "the heaviest first");
	is_int(l.callers[0].weight[0], 4, "with the weight of the calls from there");
	is_int(l.n_calls, 1, "one line calls something");
	is_int(l.rows[l.calls[0].row].line, 6, "that one");
	is_int(l.calls[0].sym, f, "the function itself");
	line_sums_deinit(&l);
	line_reader_read(r, main_, &l);
	is_int(l.n_callers, 0, "the outermost function has no callers");
	is_int(l.self[0], 0, "and no weight of its own");
	is_int(find_row(&l, 3)->total[0], 4, "its lines have the weight of their calls");
	line_sums_deinit(&l);
	line_reader_free(r);
	recipe_deinit(&recipe);
	profile_deinit(&p);
}

#define DEEP 1000000u

/* A walk from each sample to the function would not end within the time that a test has. */
static void a_function_far_below(void)
{
	struct profile p;
	struct recipe recipe;
	struct line_sums l;
	profile_init(&p);
	profile_series(&p, symtab_intern(&p.symtab, "cycles", 6), 0);
	uint32_t f = symtab_intern(&p.symtab, "f", 1), g = symtab_intern(&p.symtab, "g", 1);
	uint32_t path = profile_path(&p, (uint32_t[]){f, g}, 2);
	struct sample s = {.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	s.site = profile_sites(&p, &(struct site){.sym = f, .line = 7}, 1);
	uint32_t of_g = sites_add(p.sites, &(struct site){.sym = g, .line = 9});
	for (uint32_t i = 0; i < DEEP; i++) {
		s.site = sites_child(p.sites, s.site, of_g);
		profile_add(&p, 0, path, &s);
	}
	recipe_init(&recipe);
	struct line_reader *r = line_reader_new(&p, &recipe, NULL, NULL, NULL);
	line_reader_read(r, f, &l);
	is_int(l.n, 1, "a million samples, up to a million calls above a function: it has one line");
	is_int(find_row(&l, 7)->total[0], DEEP, "to which all of them belong");
	line_sums_deinit(&l);
	line_reader_free(r);
	recipe_deinit(&recipe);
	profile_deinit(&p);
}

int main(void)
{
	against_a_count();
	against_the_tree();
	of_filtered_stacks();
	calls_and_callers();
	a_function_far_below();
	return done_testing();
}
