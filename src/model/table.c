/*
 * table.c - adds up, filters and sorts functions, which may be millions.
 *
 * Rows are sorted stably by several keys, the least important first: symbol, total, self, and last the requested
 * column. All but the last are the same for every column and every filter, so they are sorted once per tree and
 * kept. Numbers are mapped so that smaller comes first and sorted digit by digit, which takes a tenth of the time
 * of comparisons; names are merged. All steps check for cancellation.
 */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/demangle.h"
#include "base/mem.h"
#include "fold.h"

#define ROWS_BETWEEN_STEPS 0x4000u
#define DIGIT_BITS 11u
#define DIGITS (1u << DIGIT_BITS)

struct item {
	uint64_t key;
	uint32_t at; /* index into the sums */
};

struct sorter {
	struct symset names; /* if the filter is for modules or the like: the names that pass it */
	const struct table_recipe *recipe;
	const struct name_sum *sums;
	struct item *items, *other; /* n each */
	size_t n;
	uint64_t given_up; /* as in the table */
	struct progress *progress;
};

void table_recipe_deinit(struct table_recipe *r)
{
	match_free(r->filter);
	if (r->fold)
		recipe_deinit(r->fold);
	free(r->fold);
	*r = (struct table_recipe){.tree = NULL};
}

void table_deinit(struct table *t)
{
	free(t->rows);
	free(t->places);
	free(t->sums);
	free(t->order);
	*t = (struct table){.rows = NULL};
}

struct diff_change table_change(const struct diff_basis *b, const struct name_sum *r, enum top_column column)
{
	return column >= TOP_TOTAL_BEFORE ? diff_of(b, r->total, r->base_total) : diff_of(b, r->self, r->base_self);
}

/* A new function comes before every other growth. */
double table_relative(const struct diff_change *c)
{
	return c->before > 0 ? 100 * c->delta / c->before : c->after > 0 ? HUGE_VAL : 0;
}

static double change_value(const struct table_recipe *r, const struct name_sum *sum, enum top_column column)
{
	struct diff_change c = table_change(&r->basis, sum, column);
	switch ((column - TOP_SELF_BEFORE) % 4) {
	case 0:
		return c.before;
	case 1:
		return c.after;
	case 2:
		return c.delta;
	default:
		return table_relative(&c);
	}
}

/* Maps real numbers to whole numbers in the same order. */
static uint64_t ordered(double value)
{
	uint64_t bits;
	if (value == 0)
		value = 0; /* both zeros are equal */
	memcpy(&bits, &value, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t value_of(const struct table_recipe *r, const struct name_sum *sum, enum top_column column)
{
	if (column == TOP_SELF)
		return sum->self;
	if (column == TOP_TOTAL)
		return sum->total;
	return column == TOP_FRAMES ? sum->frames : ordered(change_value(r, sum, column));
}

static bool goes_on(const struct sorter *s, size_t i)
{
	return i % ROWS_BETWEEN_STEPS != 0 || progress_step(s->progress, 0);
}

static void swap_items(struct sorter *s)
{
	struct item *items = s->items;
	s->items = s->other;
	s->other = items;
}

/* Sorts by one digit of the keys. */
static bool sort_digit(struct sorter *s, unsigned shift)
{
	size_t start[DIGITS + 1] = {0};
	for (size_t i = 0; i < s->n; i++)
		start[(s->items[i].key >> shift & (DIGITS - 1)) + 1]++;
	if (start[(s->items[0].key >> shift & (DIGITS - 1)) + 1] == s->n)
		return progress_step(s->progress, 0);
	for (size_t d = 0; d < DIGITS; d++)
		start[d + 1] += start[d];
	for (size_t i = 0; i < s->n; i++) {
		if (!goes_on(s, i))
			return false;
		s->other[start[s->items[i].key >> shift & (DIGITS - 1)]++] = s->items[i];
	}
	swap_items(s);
	return true;
}

static bool sort_keys(struct sorter *s)
{
	for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS)
		if (!sort_digit(s, shift))
			return false;
	return true;
}

/* Sorts largest first, or smallest first. */
static bool sort_numbers(struct sorter *s, enum top_column column, bool is_ascending)
{
	for (size_t i = 0; i < s->n; i++) {
		uint64_t value = value_of(s->recipe, &s->sums[s->items[i].at], column);
		if (!goes_on(s, i))
			return false;
		s->items[i].key = is_ascending ? value : ~value;
	}
	return sort_keys(s);
}

static bool sort_symbols(struct sorter *s)
{
	for (size_t i = 0; i < s->n; i++)
		s->items[i].key = s->sums[s->items[i].at].sym;
	return sort_keys(s);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

struct text {
	const char *s;
	size_t len;
};

/* The name as shown, except characters that cannot be displayed: those are replaced only when a row is painted. */
static struct text shown_name(const struct table_recipe *r, uint32_t sym, struct arena *texts, struct buf *plain)
{
	const struct symbol *s = &r->symtab->symbols[sym];
	size_t len = symbol_bare_length(s->name, s->len);
	plain->len = 0;
	if (!r->demangles || len < 2 || s->name[0] != '_' || !demangle(s->name, len, plain))
		return (struct text){s->name, len};
	return (struct text){arena_bytes(texts, plain->data, plain->len), plain->len};
}

static uint64_t first_bytes(struct text t)
{
	unsigned char bytes[8] = {0};
	uint64_t key = 0;
	memcpy(bytes, t.s, t.len < sizeof bytes ? t.len : sizeof bytes);
	for (size_t i = 0; i < sizeof bytes; i++)
		key = key << 8 | bytes[i];
	return key;
}

static bool is_after(const struct text *names, const struct item *a, const struct item *b)
{
	if (a->key != b->key)
		return a->key > b->key;
	const struct text *x = &names[a->at], *y = &names[b->at];
	int c = memcmp(x->s, y->s, x->len < y->len ? x->len : y->len);
	return c ? c > 0 : x->len > y->len;
}

/* Merges sorted runs of `width` items to twice that length. */
static bool merge(struct sorter *s, const struct text *names, size_t width, bool is_falling)
{
	for (size_t from = 0, out = 0; from < s->n; from += 2 * width) {
		size_t i = from, middle = from + width < s->n ? from + width : s->n, j = middle;
		size_t end = middle + width < s->n ? middle + width : s->n;
		while (i < middle || j < end) {
			bool is_second = i == middle;
			if (i < middle && j < end)
				is_second = is_falling ? is_after(names, &s->items[j], &s->items[i])
				                       : is_after(names, &s->items[i], &s->items[j]);
			if (!goes_on(s, out))
				return false;
			s->other[out++] = s->items[is_second ? j++ : i++];
		}
	}
	swap_items(s);
	return true;
}

static bool sort_names(struct sorter *s, bool is_falling)
{
	struct text *names = mem_alloc((s->n ? s->n : 1) * sizeof *names);
	struct arena texts;
	struct buf plain;
	bool ok = true;
	arena_init(&texts);
	buf_init(&plain);
	for (size_t i = 0; i < s->n && ok; i++) {
		uint32_t at = s->items[i].at;
		s->items[i].at = (uint32_t)i; /* temporary: keeps names close together */
		s->other[i].at = at;
		names[i] = shown_name(s->recipe, s->sums[at].sym, &texts, &plain);
		s->items[i].key = first_bytes(names[i]);
		ok = goes_on(s, i);
	}
	uint32_t *places = mem_alloc((s->n ? s->n : 1) * sizeof *places);
	for (size_t i = 0; i < s->n && ok; i++)
		places[i] = s->other[i].at;
	for (size_t width = 1; width < s->n && ok; width *= 2)
		ok = merge(s, names, width, is_falling);
	for (size_t i = 0; i < s->n && ok; i++)
		s->items[i].at = places[s->items[i].at];
	free(places);
	free(names);
	arena_deinit(&texts);
	buf_deinit(&plain);
	return ok;
}

/* ---- rows ---------------------------------------------------------------------------------------------------- */

/* Orders all names by self, total and symbol. */
static uint32_t *make_order(struct sorter *s, size_t n_sums)
{
	uint32_t *order = mem_alloc((n_sums ? n_sums : 1) * sizeof *order);
	s->n = n_sums;
	for (size_t i = 0; i < n_sums; i++)
		s->items[i].at = (uint32_t)i;
	bool ok =
		s->n == 0 || (sort_symbols(s) && sort_numbers(s, TOP_TOTAL, false) && sort_numbers(s, TOP_SELF, false));
	for (size_t i = 0; i < n_sums && ok; i++)
		order[i] = s->items[i].at;
	s->n = 0;
	if (ok)
		return order;
	free(order);
	return NULL;
}

static bool sort_rows(struct sorter *s)
{
	const struct table_recipe *r = s->recipe;
	if (s->n < 2)
		return true;
	if (r->sort == TOP_NAME)
		return sort_names(s, r->is_ascending);
	/* For equal changes of self, mostly none, the change of the total decides. */
	if (r->sort >= TOP_SELF_BEFORE && !sort_numbers(s, TOP_TOTAL_CHANGE, r->is_ascending))
		return false;
	return (r->sort == TOP_SELF && !r->is_ascending) || sort_numbers(s, r->sort, r->is_ascending);
}

/* A row stands for all functions of its name: does one of them pass the filter? */
static bool find_names(struct sorter *s)
{
	const struct table_recipe *r = s->recipe;
	const struct tree *t = r->tree;
	const uint32_t *syms = t->origin ? t->origin : t->sym;
	struct match_in in = {r->symtab, t->origin ? OF_ORIGIN : OF_NAME, t->group};
	struct symset hits = {.n = 0};
	bool ok = match_symbols(r->filter, &in, &hits, NULL, s->progress);
	s->given_up = match_exceeded(r->filter);
	s->names.n = r->symtab->n;
	s->names.bits = mem_zalloc((s->names.n + 63) / 64, sizeof *s->names.bits);
	/* A frame of several origins has the symbol of its name. */
	for (uint32_t i = 0; i < r->symtab->n_plain && t->origin && ok; i++)
		if (symset_has(&hits, i))
			hits.bits[r->symtab->plain[i] >> 6] |= UINT64_C(1) << (r->symtab->plain[i] & 63);
	for (uint32_t i = r->zoom; i < t->end[r->zoom] && ok; i++) {
		if (symset_has(&hits, syms[i]))
			s->names.bits[t->sym[i] >> 6] |= UINT64_C(1) << (t->sym[i] & 63);
		ok = goes_on(s, i);
	}
	symset_deinit(&hits);
	return ok;
}

static bool passes(const struct table_recipe *r, uint32_t sym, struct buf *plain)
{
	const struct symbol *s = &r->symtab->symbols[sym];
	size_t len = symbol_bare_length(s->name, s->len);
	if (match_name(r->filter, s->name, s->len) || (len != s->len && match_name(r->filter, s->name, len)))
		return true;
	plain->len = 0;
	return r->demangles && len > 1 && s->name[0] == '_' && demangle(s->name, len, plain) &&
	       match_name(r->filter, plain->data, plain->len);
}

/* A name has up to three forms, each of which may exceed the limit. */
static bool is_wanted(struct sorter *s, uint32_t sym, struct buf *plain)
{
	struct match *filter = s->recipe->filter;
	if (!filter)
		return true;
	uint64_t before = match_exceeded(filter);
	bool is_match = passes(s->recipe, sym, plain);
	s->given_up += !is_match && match_exceeded(filter) > before;
	return is_match;
}

/* If at least one of so many names is in the table, all are tested, in the order of memory: that is faster. */
#define PART_IN_ORDER 8u

/* Likewise for names of functions: tests all of them. A slow one must not delay cancellation. */
static bool find_functions(struct sorter *s)
{
	const struct table_recipe *r = s->recipe;
	struct buf plain;
	bool ok = true;
	buf_init(&plain);
	s->names.n = r->symtab->n;
	s->names.bits = mem_zalloc((s->names.n + 63) / 64, sizeof *s->names.bits);
	for (uint32_t i = 0; i < s->names.n && ok; i++) {
		s->names.bits[i >> 6] |= (uint64_t)is_wanted(s, i, &plain) << (i & 63);
		ok = progress_step(s->progress, 0);
	}
	buf_deinit(&plain);
	return ok;
}

/* Finds the set of names that pass; leaves it empty if testing those of the table takes less. false: cancelled. */
static bool find_set(struct sorter *s, size_t n_sums)
{
	const struct table_recipe *r = s->recipe;
	if (!r->filter)
		return true;
	if (match_subject(r->filter) != BY_FUNCTION)
		return find_names(s);
	return n_sums < r->symtab->n / PART_IN_ORDER || find_functions(s);
}

/* Finds the names that pass the filter; "all" is no function. */
static bool find_wanted(struct sorter *s, bool *wanted, size_t n_sums, size_t *n_all)
{
	struct buf plain;
	bool ok = find_set(s, n_sums);
	buf_init(&plain);
	*n_all = 0;
	for (size_t i = 0; i < n_sums && ok; i++) {
		uint32_t sym = s->sums[i].sym;
		wanted[i] = s->names.n ? symset_has(&s->names, sym) : is_wanted(s, sym, &plain);
		(*n_all)++;
		ok = s->recipe->filter && !s->names.n ? progress_step(s->progress, 0) : goes_on(s, i);
	}
	buf_deinit(&plain);
	return ok;
}

/* order: NULL: that of the sums. */
static bool pick(struct sorter *s, const uint32_t *order, size_t n_sums, size_t *n_all)
{
	bool *wanted = mem_alloc((n_sums ? n_sums : 1) * sizeof *wanted);
	bool ok = find_wanted(s, wanted, n_sums, n_all);
	for (size_t i = 0; i < n_sums && ok; i++) {
		size_t at = order ? order[i] : i;
		if (wanted[at])
			s->items[s->n++].at = (uint32_t)at;
	}
	free(wanted);
	return ok;
}

static bool copy_rows(const struct sorter *s, struct table *t)
{
	t->n_rows = s->n;
	t->rows = mem_alloc((s->n ? s->n : 1) * sizeof *t->rows);
	t->n_places = s->recipe->symtab->n;
	t->places = mem_alloc((t->n_places ? t->n_places : 1) * sizeof *t->places);
	memset(t->places, 0xFF, t->n_places * sizeof *t->places);
	for (size_t i = 0; i < s->n; i++) {
		if (!goes_on(s, i))
			return false;
		t->rows[i] = s->sums[s->items[i].at];
		t->places[t->rows[i].sym] = (uint32_t)i;
	}
	return true;
}

/* A chart has no sums of a part of its time: that is folded anew. NULL: cancelled. */
static struct name_sum *sums_of_span(const struct table_recipe *r, size_t *n, struct progress *progress)
{
	struct profile p = *r->profile; /* read-only, except for the symbols */
	struct err ignored;
	struct tree tree;
	bool makes_names = fold_makes_names(r->fold);
	if (makes_names)
		symtab_copy(&p.symtab, &r->profile->symtab);
	r->fold->cut_from = r->span.from;
	r->fold->cut_to = r->span.to;
	bool ok = fold(&p, r->fold, &tree, progress, &ignored);
	struct name_sum *sums = ok ? tree_sums(&tree, NODE_ALL, r->symtab->n, n, progress) : NULL;
	if (ok)
		tree_deinit(&tree);
	if (makes_names)
		symtab_deinit(&p.symtab);
	return sums;
}

/* Leaves out some of the rows that are known. */
static bool narrow(struct table *t, const struct table_recipe *r, struct progress *progress)
{
	const struct table *within = r->within;
	struct sorter s = {.recipe = r, .sums = within->rows, .progress = progress};
	size_t n_all;
	s.items = mem_alloc((within->n_rows ? within->n_rows : 1) * sizeof *s.items);
	*t = (struct table){.n_all = within->n_all};
	bool ok = pick(&s, NULL, within->n_rows, &n_all) && copy_rows(&s, t);
	t->given_up = s.given_up;
	symset_deinit(&s.names);
	free(s.items);
	return ok;
}

bool table_make(struct table *t, const struct table_recipe *r, struct progress *progress)
{
	if (r->within)
		return narrow(t, r, progress);
	struct sorter s = {.recipe = r, .sums = r->sums, .progress = progress};
	size_t n_sums = r->n_sums;
	*t = (struct table){.rows = NULL};
	if (!r->sums) {
		t->sums = r->fold ? sums_of_span(r, &t->n_sums, progress)
		                  : tree_sums(r->tree, r->zoom, r->symtab->n, &t->n_sums, progress);
		if (!t->sums)
			return false;
		s.sums = t->sums;
		n_sums = t->n_sums;
	}
	s.items = mem_alloc((n_sums ? n_sums : 1) * sizeof *s.items);
	s.other = mem_alloc((n_sums ? n_sums : 1) * sizeof *s.other);
	const uint32_t *order = r->order;
	if (!order && progress_step(progress, 0))
		order = t->order = make_order(&s, n_sums);
	bool ok = order && pick(&s, order, n_sums, &t->n_all) && sort_rows(&s) && copy_rows(&s, t);
	t->given_up = s.given_up;
	symset_deinit(&s.names);
	free(s.items);
	free(s.other);
	return ok;
}
