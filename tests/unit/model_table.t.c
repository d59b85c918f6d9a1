/* The rows of the table: all orders, against pairwise comparison; filters; and cancellation. */
#include "model/table.h"

#include <stdlib.h>

#include "base/mem.h"
#include "tap.h"

#define ROWS 3000u

static void make_names(struct symtab *t)
{
	static const char *const parts[] = {"a", "B", "_Z1av", "x", "a::b", "_ZN1a1bEv", "x_[k]", "xx"};
	char name[64];
	symtab_init(t);
	for (size_t i = 0; i < 8; i++)
		symtab_intern(t, parts[i], strlen(parts[i]));
	for (unsigned i = 0; t->n < ROWS; i++) {
		int n = snprintf(name, sizeof name, "%s%u", parts[i % 5], i * 7919u % 5003u);
		symtab_intern(t, name, (size_t)n);
	}
}

static void make_sums(struct name_sum *sums)
{
	for (uint32_t i = 0; i < ROWS; i++) {
		uint32_t dice = (i + 1) * 2654435761u;
		sums[i] = (struct name_sum){
			.sym = (i * 1999u) % ROWS, .frames = dice % 7, .self = dice >> 8 & 15, .base_self = dice >> 4 & 7};
		sums[i].total = sums[i].self + (dice & 1 ? (uint64_t)dice << 12 : 0);
		sums[i].base_total = sums[i].base_self + (dice >> 3 & 3);
	}
}

static struct table_recipe recipe;

static double shown(const struct name_sum *s, enum top_column c)
{
	struct diff_change change = table_change(&recipe.basis, s, c);
	switch (c) {
	case TOP_SELF:
		return (double)s->self;
	case TOP_TOTAL:
		return (double)s->total;
	case TOP_FRAMES:
		return s->frames;
	case TOP_SELF_BEFORE:
	case TOP_TOTAL_BEFORE:
		return change.before;
	case TOP_SELF_AFTER:
	case TOP_TOTAL_AFTER:
		return change.after;
	case TOP_SELF_CHANGE:
	case TOP_TOTAL_CHANGE:
		return change.delta;
	default:
		return table_relative(&change);
	}
}

/* May a stand before b? */
static bool in_order(struct display *d, const struct name_sum *a, const struct name_sum *b)
{
	double x = 0, y = 0;
	int names = 0;
	if (recipe.sort == TOP_NAME) {
		names = strcmp(display_name(d, a->sym)->text, display_name(d, b->sym)->text);
	} else {
		x = shown(a, recipe.sort);
		y = shown(b, recipe.sort);
		if (x == y && recipe.sort >= TOP_SELF_BEFORE) {
			x = shown(a, TOP_TOTAL_CHANGE);
			y = shown(b, TOP_TOTAL_CHANGE);
		}
	}
	if (names != 0)
		return recipe.is_ascending ? names > 0 : names < 0;
	if (x != y)
		return recipe.is_ascending ? x < y : x > y;
	if (a->self != b->self)
		return a->self > b->self;
	return a->total != b->total ? a->total > b->total : a->sym < b->sym;
}

static void test_orders(struct symtab *t, const struct name_sum *sums)
{
	struct display d;
	display_init(&d, t, UTF8_CLEAN_UTF8, true);
	for (int column = 0; column < N_TOP_COLUMNS; column++) {
		for (int ascending = 0; ascending < 2; ascending++) {
			struct table table, again;
			size_t wrong = 0, lost = 0;
			recipe.sort = (enum top_column)column;
			recipe.is_ascending = ascending;
			recipe.sums = sums;
			table_make(&table, &recipe, NULL);
			for (size_t i = 1; i < table.n_rows; i++)
				wrong += !in_order(&d, &table.rows[i - 1], &table.rows[i]);
			for (size_t i = 0; i < table.n_rows; i++)
				lost += table.places[table.rows[i].sym] != i;
			ok(table.n_rows == ROWS && wrong == 0 && lost == 0, "column %d, %s", column,
			   ascending ? "least first" : "most first");
			recipe.order = table.order;
			table_make(&again, &recipe, NULL);
			ok(again.order == NULL && again.n_rows == table.n_rows &&
			       memcmp(again.rows, table.rows, table.n_rows * sizeof *table.rows) == 0,
			   "and the same when the order is known");
			recipe.order = NULL;
			table_deinit(&again);
			table_deinit(&table);
		}
	}
	display_deinit(&d);
}

static void test_filter(const struct symtab *t)
{
	struct table table;
	size_t strangers = 0;
	recipe.sort = TOP_SELF;
	recipe.filter = match_new("^(a::b(\\(\\))?|x)$", MATCH_REGEX, NULL);
	table_make(&table, &recipe, NULL);
	for (size_t i = 0; i < table.n_rows; i++) {
		const char *name = t->symbols[table.rows[i].sym].name;
		strangers += strcmp(name, "_ZN1a1bEv") != 0 && strcmp(name, "x_[k]") != 0 && strcmp(name, "a::b") != 0 &&
		             strcmp(name, "x") != 0;
	}
	ok(table.n_rows == 4 && strangers == 0, "a filter means names as they are shown");
	is_int(table.n_all, ROWS, "and the others are counted");
	table_deinit(&table);
	table_recipe_deinit(&recipe);
}

/* A filter among the rows of a shorter one finds what it finds among all. */
static void test_narrowing(void)
{
	struct table all, few, narrowed;
	recipe.sort = TOP_TOTAL;
	recipe.filter = match_new("a::", MATCH_REGEX, NULL);
	table_make(&few, &recipe, NULL);
	match_free(recipe.filter);
	recipe.filter = match_new("a::b1", MATCH_REGEX, NULL);
	table_make(&all, &recipe, NULL);
	recipe.within = &few;
	table_make(&narrowed, &recipe, NULL);
	size_t lost = 0;
	for (size_t i = 0; i < narrowed.n_rows; i++)
		lost += narrowed.places[narrowed.rows[i].sym] != i;
	ok(all.n_rows > 1 && few.n_rows > all.n_rows && narrowed.n_rows == all.n_rows && narrowed.n_all == ROWS &&
	       lost == 0 && memcmp(narrowed.rows, all.rows, all.n_rows * sizeof *all.rows) == 0,
	   "rows of a longer filter are found among those of a shorter one");
	table_deinit(&all);
	table_deinit(&few);
	table_deinit(&narrowed);
	match_free(recipe.filter);
	recipe.filter = NULL;
	recipe.within = NULL;
}

int main(void)
{
	struct symtab t;
	struct name_sum *sums = mem_alloc(ROWS * sizeof *sums);
	struct progress cancelled = {.cancel = true};
	struct table table;
	make_names(&t);
	make_sums(sums);
	recipe = (struct table_recipe){.symtab = &t, .demangles = true, .sums = sums, .n_sums = ROWS};
	recipe.basis =
		(struct diff_basis){.weight_before = 700, .weight_after = 1000, .samples_before = 70, .samples_after = 100};
	test_orders(&t, sums);
	recipe.is_ascending = false;
	ok(!table_make(&table, &recipe, &cancelled), "it ends when it is told to");
	table_deinit(&table);
	test_narrowing();
	test_filter(&t);
	symtab_deinit(&t);
	free(sums);
	return done_testing();
}
