/*
 * diff_table.c - all functions of a comparison in the order of their change, or only those that changed most.
 *
 * A function is of one rank: its self grew, its self shrank, only its total changed, or all of it is noise. Ranks
 * follow each other in the table. Within a rank the greatest change comes first; equal ones are ordered by name.
 *
 * Rows are large, and a comparison of a million functions makes twenty million comparisons of rows: so small items
 * are sorted, by the bits of the change, which ascend with a double of 0 or more. Names are only compared where
 * changes are equal.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"
#include "diff.h"

#define N_RANKS 4
#define SUMS_BETWEEN_STEPS 0x1000u

static int rank_of(const struct diff_row *r)
{
	if (!r->self.is_noise)
		return r->self.delta > 0 ? 0 : 1;
	return r->total.is_noise ? 3 : 2;
}

static double magnitude(const struct diff_row *r, int rank)
{
	double self = fabs(r->self.delta), total = fabs(r->total.delta);
	return rank < 2 ? self : rank == 2 ? total : fmax(self, total);
}

static int compare_names(const struct symtab *names, uint32_t a, uint32_t b)
{
	const struct symbol *s = &names->symbols[a], *t = &names->symbols[b];
	int order = memcmp(s->name, t->name, s->len < t->len ? s->len : t->len);
	return order ? order : s->len < t->len ? -1 : s->len > t->len;
}

static struct diff_row row_of(const struct diff_basis *b, const struct name_sum *s)
{
	return (struct diff_row){
		.sym = s->sym,
		.sum = *s,
		.self = diff_of(b, s->self, s->base_self),
		.total = diff_of(b, s->total, s->base_total),
	};
}

static void count_row(struct diff_counts *n, const struct diff_row *r)
{
	int rank = rank_of(r);
	n->grown += rank == 0;
	n->shrunk += rank == 1;
	n->noise += rank == 3;
	n->added += diff_is_new(&r->total);
	n->gone += diff_is_gone(&r->total);
}

void diff_count(struct diff_counts *counts, const struct diff_basis *b, const struct name_sum *sums, size_t n)
{
	*counts = (struct diff_counts){0};
	for (size_t i = 0; i < n; i++) {
		struct diff_row r = row_of(b, &sums[i]);
		count_row(counts, &r);
	}
}

/* ---- the table ----------------------------------------------------------------------------------------------- */

struct names_of_rows {
	const struct symtab *names;
	const struct diff_row *rows;
};

static int by_name(const void *a, const void *b, void *arg)
{
	const struct sort_item *x = a, *y = b;
	const struct names_of_rows *n = arg;
	return compare_names(n->names, n->rows[x->value].sym, n->rows[y->value].sym);
}

/* Ascends as the magnitude descends. */
static uint64_t key_of(double magnitude)
{
	uint64_t bits;
	memcpy(&bits, &magnitude, sizeof bits);
	return ~bits;
}

/* Puts the rows of this rank into `items`, in order. Returns how many. */
static size_t sort_rank(const struct diff_table *t, const struct symtab *names, int rank, struct sort_item *items,
                        struct sort_item *scratch, struct progress *progress)
{
	struct names_of_rows of = {names, t->rows};
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (rank_of(&t->rows[i]) == rank)
			items[n++] = (struct sort_item){key_of(magnitude(&t->rows[i], rank)), (uint32_t)i, (uint32_t)i};
	sort_items_until(items, n, scratch, progress);
	for (size_t from = 0, to; from < n && progress_step(progress, 0); from = to) {
		for (to = from + 1; to < n && items[to].key == items[from].key;)
			to++;
		if (to - from > 1)
			sort_by_until(items + from, to - from, sizeof *items, by_name, &of, progress);
	}
	return n;
}

static void sort_rows(struct diff_table *t, const struct symtab *names, struct progress *progress)
{
	struct sort_item *items = mem_alloc((t->n + 1) * sizeof *items);
	struct sort_item *scratch = mem_alloc((t->n + 1) * sizeof *scratch);
	struct diff_row *sorted = mem_alloc((t->n + 1) * sizeof *sorted);
	size_t n = 0;
	for (int rank = 0; rank < N_RANKS; rank++) {
		size_t of_rank = sort_rank(t, names, rank, items, scratch, progress);
		for (size_t i = 0; i < of_rank; i++)
			sorted[n++] = t->rows[items[i].value];
	}
	free(t->rows);
	t->rows = sorted;
	free(items);
	free(scratch);
}

void diff_table_make(struct diff_table *t, const struct profile *p, const struct recipe *recipe,
                     const struct tree *tree, uint32_t zoom, struct progress *progress)
{
	*t = (struct diff_table){.group = tree->group};
	diff_basis_make(&t->basis, p, recipe, tree);
	struct name_sum *sums = tree_sums(tree, zoom, p->symtab.n, &t->n, progress);
	t->rows = mem_zalloc(t->n ? t->n : 1, sizeof *t->rows);
	for (size_t i = 0; i < t->n && progress_step(progress, 0); i++) {
		t->rows[i] = row_of(&t->basis, &sums[i]);
		count_row(&t->counts, &t->rows[i]);
	}
	free(sums);
	sort_rows(t, &p->symtab, progress);
}

size_t diff_table_most(const struct diff_table *t, size_t most, enum diff_order order, struct diff_row *rows)
{
	const struct diff_row *grown = t->rows, *shrunk = grown + t->counts.grown, *rest = shrunk + t->counts.shrunk;
	size_t n_grown = 0, n_shrunk = 0, n = 0, n_rest = t->n - t->counts.grown - t->counts.shrunk;
	for (; n < most && (n_grown < t->counts.grown || n_shrunk < t->counts.shrunk); n++) {
		bool is_grown =
			n_shrunk == t->counts.shrunk ||
			(n_grown < t->counts.grown && fabs(grown[n_grown].self.delta) >= fabs(shrunk[n_shrunk].self.delta));
		rows[n] = is_grown ? grown[n_grown++] : shrunk[n_shrunk++];
	}
	if (order == DIFF_BY_RANK) {
		memcpy(rows, grown, n_grown * sizeof *rows);
		memcpy(rows + n_grown, shrunk, n_shrunk * sizeof *rows);
	}
	n_rest = n_rest < most - n ? n_rest : most - n;
	memcpy(rows + n, rest, n_rest * sizeof *rows);
	return n + n_rest;
}

void diff_table_deinit(struct diff_table *t)
{
	free(t->rows);
	*t = (struct diff_table){0};
}

double diff_gate_sigmas(const struct diff_table *t)
{
	return sqrt(2 * log(100 * fmax(1, (double)t->n)));
}

double diff_points(const struct diff_table *t, const struct diff_change *c)
{
	double whole = t->basis.weight_before;
	if (c->quantity == DIFF_OF_SHARES)
		return c->delta;
	return whole > 0 ? 100 * c->delta / whole : c->delta > 0 ? HUGE_VAL : 0;
}

bool diff_grew(const struct diff_table *t, const struct diff_change *c, double points)
{
	return diff_points(t, c) > points && c->delta > diff_gate_sigmas(t) * c->error && c->error > 0;
}

/* ---- those that changed most --------------------------------------------------------------------------------- */

static double change_of(const struct diff_row *r, enum diff_kind kind)
{
	return fabs(kind == DIFF_GREW || kind == DIFF_SHRANK ? r->self.delta : r->total.delta);
}

/* Does row a come before b, which was added earlier? */
static bool is_before(const struct symtab *names, enum diff_kind kind, const struct diff_row *a,
                      const struct diff_row *b)
{
	double x = change_of(a, kind), y = change_of(b, kind);
	if (x != y)
		return x > y;
	return kind == DIFF_GREW || kind == DIFF_SHRANK ? compare_names(names, a->sym, b->sym) < 0 : a->sym < b->sym;
}

static void add_leader(struct diff_leaders *l, const struct symtab *names, enum diff_kind kind,
                       const struct diff_row *r)
{
	struct diff_row *rows = l->rows[kind];
	size_t at = l->n[kind];
	if (at == DIFF_LEADERS && !is_before(names, kind, r, &rows[at - 1]))
		return;
	if (at < DIFF_LEADERS)
		l->n[kind]++;
	else
		at--;
	for (; at > 0 && is_before(names, kind, r, &rows[at - 1]); at--)
		rows[at] = rows[at - 1];
	rows[at] = *r;
}

static void add_to_leaders(struct diff_leaders *l, const struct symtab *names, const struct diff_row *r)
{
	int rank = rank_of(r);
	count_row(&l->counts, r);
	if (rank < 2)
		add_leader(l, names, rank == 0 ? DIFF_GREW : DIFF_SHRANK, r);
	if (diff_is_new(&r->total))
		add_leader(l, names, DIFF_ADDED, r);
	if (diff_is_gone(&r->total))
		add_leader(l, names, DIFF_GONE, r);
}

void diff_leaders_make(struct diff_leaders *l, const struct diff_basis *b, const struct symtab *names,
                       const struct tree *tree, uint32_t zoom, struct progress *progress)
{
	size_t n;
	struct name_sum *sums = tree_sums(tree, zoom, names->n, &n, progress);
	*l = (struct diff_leaders){.basis = *b};
	if (progress)
		atomic_store(&progress->all, n);
	for (size_t i = 0; i < n; i++) {
		struct diff_row r = row_of(b, &sums[i]);
		if (i % SUMS_BETWEEN_STEPS == 0 && !progress_step(progress, i ? SUMS_BETWEEN_STEPS : 0))
			break;
		add_to_leaders(l, names, &r);
	}
	free(sums);
}
