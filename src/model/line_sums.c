/*
 * line_sums.c - sums samples by the lines of a function (lines.h).
 *
 * A fold says which function is the last frame of a sample, and whether the function is on its stack: filters may
 * have taken frames out. The trie of sites (sites.h) says at which lines. Each entry adds its weight to the node of
 * its innermost site; the subtree of a node has the total of its line, unless the line is also further out. Only
 * what is below the function is looked at: the spans of line_index.h.
 */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "line_reader.h"
#include "sites.h"

#define NO_ROW UINT32_MAX
#define NO_SYM UINT32_MAX

struct summing {
	struct line_reader *reader;
	struct line_sums *out;
	uint32_t sym;                    /* plain; NO_SYM: any, for instructions */
	struct line_spans nodes, stacks; /* ranks: what is below the function among the sites, and in the fold */
	size_t cap, cap_calls, cap_callers;
	struct map rows, known_calls, known_callers;
};

static uint32_t row_of(struct summing *x, const struct line_row *key)
{
	struct line_sums *l = x->out;
	uint64_t hash = hash_keys(hash_keys((uintptr_t)key->file, key->line), key->address);
	MAP_EACH(&x->rows, hash, i)
	if (l->rows[i].file == key->file && l->rows[i].line == key->line && l->rows[i].address == key->address)
		return (uint32_t)i;
	map_add(&x->rows, hash, (uint32_t)l->n);
	mem_push(l->rows, l->n, x->cap, *key);
	return (uint32_t)l->n - 1;
}

static uint32_t unknown_row(struct summing *x)
{
	return row_of(x, &(struct line_row){.line = 0});
}

/* Finds the function: its sites, and the spans below it. */
static bool find_function(struct summing *x)
{
	struct line_reader *r = x->reader;
	const struct sites *s = line_reader_sites(r);
	const struct line_groups *own = &r->own_sites;
	line_reader_index(r);
	line_spans_add(&x->nodes, &r->nodes, &r->own_nodes, x->sym);
	line_spans_add(&x->stacks, &r->paths, &r->own_paths, x->sym);
	if (x->sym >= own->n_keys)
		return true;
	for (uint32_t i = own->start[x->sym]; i < own->start[x->sym + 1]; i++) {
		const struct line_row place = line_reader_place(r, &s->v[own->items[i]]);
		if (EVERY(i) && !folding_goes_on(&r->folding, 0))
			return false;
		r->row[own->items[i]] = row_of(x, &place);
	}
	return true;
}

static void find_addresses(struct summing *x, uint32_t code, uint64_t from, uint64_t to)
{
	struct line_reader *r = x->reader;
	const struct sites *s = line_reader_sites(r);
	for (size_t i = 0; i < s->n; i++) {
		const struct site *v = &s->v[i];
		const struct line_row key = {.address = v->address};
		if (v->code == code && v->address >= from && v->address < to)
			r->row[i] = row_of(x, &key);
	}
	if (s->n_nodes > 1)
		mem_push(x->nodes.v, x->nodes.n, x->nodes.cap, ((struct line_span){1, s->n_nodes}));
	mem_push(x->stacks.v, x->stacks.n, x->stacks.cap, ((struct line_span){0, r->paths.n}));
}

/* The row of the site of the node with this rank. */
static uint32_t row_at(const struct line_reader *r, uint32_t rank)
{
	const struct sites *s = line_reader_sites(r);
	return r->row[s->site[r->nodes.at[rank]]];
}

static uint32_t parent_of(const struct line_reader *r, uint32_t rank)
{
	return r->nodes.rank[line_reader_sites(r)->parent[r->nodes.at[rank]]];
}

/* A caller comes before what it calls. Frames further in than the function were taken out by filters. */
static void find_innermost(struct summing *x)
{
	struct line_reader *r = x->reader;
	for (size_t i = 0; i < x->nodes.n; i++) {
		for (uint32_t k = x->nodes.v[i].from; k < x->nodes.v[i].to; k++) {
			uint32_t own = row_at(r, k);
			r->innermost[k] = own != NO_ROW ? own : r->innermost[parent_of(r, k)];
		}
	}
}

/*
 * Is the function at work there, and not what it called? An instruction is, if the last frame has a site: that of
 * the kernel, say, has none.
 */
static bool is_self(const struct summing *x, const struct line_entry *e)
{
	const struct line_reader *r = x->reader;
	const struct symtab *names = &r->profile->symtab;
	if (x->sym != NO_SYM)
		return line_reader_function(r, r->folding.trie.sym[e->path]) == x->sym;
	if (e->node == NO_SITE || r->row[line_reader_sites(r)->site[e->node]] == NO_ROW)
		return false;
	uint32_t last = line_reader_sites(r)->v[line_reader_sites(r)->site[e->node]].sym;
	return symtab_plain(names, last) == symtab_plain(names, r->profile->sym[e->raw]);
}

static void add_entry(struct summing *x, const struct line_entry *e)
{
	struct line_reader *r = x->reader;
	uint32_t rank = r->nodes.rank[e->node], row = r->innermost[rank];
	if (row == NO_ROW && x->sym == NO_SYM)
		return;
	bool is_last = is_self(x, e), has_row = row != NO_ROW;
	row = has_row ? row : unknown_row(x);
	struct line_row *at = &x->out->rows[row];
	for (unsigned side = 0; side < 2; side++) {
		weight_add(&x->out->total[side], e->weight[side]);
		weight_add(&x->out->self[side], is_last ? e->weight[side] : 0);
		weight_add(&at->self[side], is_last ? e->weight[side] : 0);
		weight_add(has_row ? &r->weight[side][rank] : &at->total[side], e->weight[side]);
	}
	x->out->samples += e->samples;
	*(has_row ? &r->counts[rank] : &at->samples) += e->samples;
}

static bool add_entries(struct summing *x)
{
	const struct line_reader *r = x->reader;
	bool ok = true;
	for (size_t i = 0; i < x->stacks.n && ok; i++) {
		uint32_t from = r->entries.start[x->stacks.v[i].from], to = r->entries.start[x->stacks.v[i].to];
		for (uint32_t k = from; k < to && ok; k++) {
			ok = !EVERY(k) || folding_goes_on(&x->reader->folding, 0);
			add_entry(x, &r->samples.v[r->entries.items[k]]);
		}
	}
	return ok;
}

static void add_up_nodes(struct summing *x)
{
	struct line_reader *r = x->reader;
	for (size_t i = 0; i < x->nodes.n; i++) {
		for (uint32_t k = x->nodes.v[i].to; k-- > x->nodes.v[i].from + 1;) {
			uint32_t parent = parent_of(r, k);
			if (parent < x->nodes.v[i].from)
				continue;
			for (unsigned side = 0; side < 2; side++)
				weight_add(&r->weight[side][parent], r->weight[side][k]);
			r->counts[parent] += r->counts[k];
		}
	}
}

static void add_total(struct summing *x, uint32_t row, uint32_t rank)
{
	struct line_row *r = &x->out->rows[row];
	for (unsigned side = 0; side < 2; side++)
		weight_add(&r->total[side], x->reader->weight[side][rank]);
	r->samples += x->reader->counts[rank];
}

static void add_call(struct summing *x, struct map *known, struct line_call **list, size_t *n, size_t *cap,
                     const struct line_call *key, uint32_t rank)
{
	uint64_t hash = hash_keys((uint64_t)key->row << 32 | key->sym, (uintptr_t)key->file);
	hash = hash_keys(hash, key->line ^ (uint64_t)key->is_inlined << 32);
	size_t at = *n;
	MAP_EACH(known, hash, i)
	if ((*list)[i].row == key->row && (*list)[i].sym == key->sym && (*list)[i].file == key->file &&
	    (*list)[i].line == key->line && (*list)[i].is_inlined == key->is_inlined)
		at = i;
	if (at == *n) {
		map_add(known, hash, (uint32_t)at);
		mem_push(*list, *n, *cap, *key);
	}
	for (unsigned side = 0; side < 2; side++)
		weight_add(&(*list)[at].weight[side], x->reader->weight[side][rank]);
}

static bool has_weight(const struct line_reader *r, uint32_t rank)
{
	return r->weight[0][rank] || r->weight[1][rank];
}

/* What the line of this node called. */
static void add_callees(struct summing *x, uint32_t row, uint32_t rank)
{
	const struct line_reader *r = x->reader;
	const struct sites *s = line_reader_sites(r);
	const struct site *own = &s->v[s->site[r->nodes.at[rank]]];
	for (uint32_t k = rank + 1; k < r->nodes.end[rank] && x->sym != NO_SYM; k = r->nodes.end[k]) {
		const struct site *v = &s->v[s->site[r->nodes.at[k]]];
		struct line_call key = {.row = row, .sym = line_reader_label(r, v->sym)};
		key.is_inlined = v->code && v->code == own->code && v->address == own->address;
		if (has_weight(r, k))
			add_call(x, &x->known_calls, &x->out->calls, &x->out->n_calls, &x->cap_calls, &key, k);
	}
}

/* Who calls the function at this node. */
static void add_caller(struct summing *x, uint32_t rank)
{
	const struct sites *s = line_reader_sites(x->reader);
	uint32_t parent = s->parent[x->reader->nodes.at[rank]];
	if (parent == NO_SITE || x->sym == NO_SYM || !has_weight(x->reader, rank))
		return;
	const struct site *v = &s->v[s->site[parent]];
	struct line_row place = line_reader_place(x->reader, v);
	struct line_call key = {
		.row = NO_ROW, .sym = line_reader_label(x->reader, v->sym), .file = place.file, .line = place.line};
	add_call(x, &x->known_callers, &x->out->callers, &x->out->n_callers, &x->cap_callers, &key, rank);
}

/* The nodes of the function on the way to another one. */
struct open_nodes {
	uint32_t *ranks;
	size_t n, cap;
	uint32_t *times; /* by row: how many of them have it */
};

static void enter(struct summing *x, struct open_nodes *open, uint32_t rank)
{
	uint32_t row = row_at(x->reader, rank);
	if (row == NO_ROW)
		return;
	if (open->n == 0)
		add_caller(x, rank);
	mem_push(open->ranks, open->n, open->cap, rank);
	if (open->times[row]++ == 0) {
		add_total(x, row, rank);
		add_callees(x, row, rank);
	}
}

/* Leaves those that the next node is not below. */
static void leave(const struct summing *x, struct open_nodes *open, uint32_t next)
{
	const struct line_reader *r = x->reader;
	for (; open->n && r->nodes.end[open->ranks[open->n - 1]] <= next; open->n--)
		open->times[row_at(r, open->ranks[open->n - 1])]--;
}

/* Visits the nodes with weight. */
static void add_totals(struct summing *x)
{
	const struct line_reader *r = x->reader;
	struct open_nodes open = {.times = mem_zalloc(x->out->n + 1, sizeof *open.times)};
	for (size_t i = 0; i < x->nodes.n; i++) {
		for (uint32_t k = x->nodes.v[i].from; k < x->nodes.v[i].to;) {
			bool is_live = has_weight(r, k) || r->counts[k];
			leave(x, &open, k);
			enter(x, &open, k);
			k = is_live ? k + 1 : r->nodes.end[k];
		}
	}
	free(open.ranks);
	free(open.times);
}

static int compare_rows(const void *a, const void *b)
{
	const struct line_row *x = a, *y = b;
	int order = x->file == y->file ? 0 : !x->file ? -1 : !y->file ? 1 : strcmp(x->file, y->file);
	if (order)
		return order;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
	                          : (x->address > y->address) - (x->address < y->address);
}

static int compare_calls(const void *a, const void *b)
{
	const struct line_call *x = a, *y = b;
	if (x->row != y->row)
		return x->row < y->row ? -1 : 1;
	for (unsigned side = 0; side < 2; side++)
		if (x->weight[side] != y->weight[side])
			return x->weight[side] > y->weight[side] ? -1 : 1;
	return x->sym != y->sym ? (x->sym > y->sym) - (x->sym < y->sym) : (x->line > y->line) - (x->line < y->line);
}

/* As the tree does, if widths are from before. */
static void swap_sides(uint64_t weight[2])
{
	uint64_t before = weight[1];
	weight[1] = weight[0];
	weight[0] = before;
}

static void swap_all(struct line_sums *l)
{
	for (size_t i = 0; i < l->n; i++) {
		swap_sides(l->rows[i].self);
		swap_sides(l->rows[i].total);
	}
	for (size_t i = 0; i < l->n_calls; i++)
		swap_sides(l->calls[i].weight);
	for (size_t i = 0; i < l->n_callers; i++)
		swap_sides(l->callers[i].weight);
	swap_sides(l->self);
	swap_sides(l->total);
}

static bool has_samples(const struct line_row *r)
{
	return r->total[0] || r->total[1] || r->samples;
}

/* Sorts the rows; those without samples of the recipe go. */
static void finish(struct line_sums *l)
{
	size_t n = 0;
	struct line_row *was = mem_copy(l->rows, l->n, sizeof *was);
	for (size_t i = 0; i < l->n; i++)
		if (has_samples(&l->rows[i]))
			l->rows[n++] = l->rows[i];
	l->n = n;
	if (n)
		sort_array(l->rows, n, sizeof *l->rows, compare_rows);
	for (size_t i = 0; i < l->n_calls && n; i++) {
		const struct line_row *to = bsearch(&was[l->calls[i].row], l->rows, n, sizeof *l->rows, compare_rows);
		l->calls[i].row = to ? (uint32_t)(to - l->rows) : NO_ROW;
	}
	free(was);
	if (l->n_calls)
		sort_array(l->calls, l->n_calls, sizeof *l->calls, compare_calls);
	if (l->n_callers)
		sort_array(l->callers, l->n_callers, sizeof *l->callers, compare_calls);
}

/* The address with most samples of the function in it, which tells the code to show; likewise of each row. */
static void find_code(struct summing *x)
{
	const struct line_reader *r = x->reader;
	const struct sites *s = line_reader_sites(r);
	uint64_t most = 0, *most_of = mem_zalloc(x->out->n, sizeof *most_of);
	for (size_t i = 0; i < x->nodes.n; i++) {
		for (uint32_t k = x->nodes.v[i].from; k < x->nodes.v[i].to; k++) {
			const struct site *v = &s->v[s->site[r->nodes.at[k]]];
			uint32_t row = row_at(r, k);
			if (row == NO_ROW || !v->code || r->counts[k] <= most_of[row])
				continue;
			most_of[row] = r->counts[k];
			x->out->rows[row].code = v->code;
			if (r->counts[k] <= most)
				continue;
			most = r->counts[k];
			x->out->code = v->code;
			x->out->address = v->address;
		}
	}
	free(most_of);
}

static void begin(struct summing *x, struct line_reader *r, struct line_sums *out, uint32_t sym)
{
	*out = (struct line_sums){0};
	*x = (struct summing){.reader = r, .out = out, .sym = sym};
	map_init(&x->rows, 8);
	map_init(&x->known_calls, 8);
	map_init(&x->known_callers, 8);
}

/* false: cancelled. */
static bool add_up(struct summing *x)
{
	find_innermost(x);
	if (!add_entries(x))
		return false;
	add_up_nodes(x);
	add_totals(x);
	find_code(x);
	if (x->reader->folding.has_base && x->reader->recipe.swap_sides)
		swap_all(x->out);
	finish(x->out);
	return true;
}

/* Takes the values out of the reader again. */
static void clear(struct line_reader *r, const struct line_spans *nodes, const uint32_t *sites, size_t n_sites)
{
	for (size_t i = 0; i < nodes->n; i++) {
		size_t from = nodes->v[i].from, n = nodes->v[i].to - from;
		memset(r->innermost + from, 0xff, n * sizeof *r->innermost);
		for (unsigned side = 0; side < 2; side++)
			memset(r->weight[side] + from, 0, n * sizeof *r->weight[side]);
		memset(r->counts + from, 0, n * sizeof *r->counts);
	}
	for (size_t i = 0; i < n_sites; i++)
		r->row[sites ? sites[i] : i] = NO_ROW;
}

static void end(struct summing *x)
{
	map_deinit(&x->rows);
	map_deinit(&x->known_calls);
	map_deinit(&x->known_callers);
	line_spans_deinit(&x->nodes);
	line_spans_deinit(&x->stacks);
}

bool line_reader_read(struct line_reader *r, uint32_t sym, struct line_sums *out)
{
	const struct line_groups *own = &r->own_sites;
	struct summing x;
	begin(&x, r, out, line_reader_function(r, sym));
	bool ok = find_function(&x) && add_up(&x);
	uint32_t from = x.sym < own->n_keys ? own->start[x.sym] : 0,
			 to = x.sym < own->n_keys ? own->start[x.sym + 1] : 0;
	clear(r, &x.nodes, own->items + from, to - from);
	end(&x);
	return ok;
}

bool line_reader_addresses(struct line_reader *r, uint32_t code, uint64_t from, uint64_t to, struct line_sums *out)
{
	struct summing x;
	begin(&x, r, out, NO_SYM);
	find_addresses(&x, code, from, to);
	bool ok = add_up(&x);
	clear(r, &x.nodes, NULL, line_reader_sites(r)->n);
	end(&x);
	return ok;
}

int line_row_compare_heat(const struct line_row *x, const struct line_row *y)
{
	if (x->self[0] != y->self[0])
		return x->self[0] > y->self[0] ? -1 : 1;
	if (x->total[0] != y->total[0])
		return x->total[0] > y->total[0] ? -1 : 1;
	return (x > y) - (x < y);
}

size_t line_sums_hottest(const struct line_sums *l, const struct line_row **hottest, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++) {
		const struct line_row *r = &l->rows[i];
		if (!r->line)
			continue;
		size_t at = n < most ? n++ : most;
		for (; at > 0 && line_row_compare_heat(r, hottest[at - 1]) < 0; at--)
			if (at < most)
				hottest[at] = hottest[at - 1];
		if (at < most)
			hottest[at] = r;
	}
	return n;
}

void line_sums_deinit(struct line_sums *l)
{
	free(l->rows);
	free(l->calls);
	free(l->callers);
	*l = (struct line_sums){0};
}
