/*
 * json_functions.c - the functions of a view: those of --to=top, and those that are heavy only by total.
 *
 * Callers and callees are those of the outermost frames of a function, as in the sandwich: a function inside itself
 * counts once. So the callers of one add up to its total, but for the weight that begins in it.
 */
#include "base/sort.h"
#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "base/number.h"
#include "json_text.h"
#include "lines.h"
#include "model/halves.h"
#include "model/name_origins.h"
#include "model/origin.h"

#define USUAL_FUNCTIONS 30u
#define USUAL_EDGES 5u
#define USUAL_LINES 5u
#define NOT_CHOSEN UINT32_MAX

/* A caller or a callee of a chosen function. */
struct edge {
	uint32_t of, sym; /* of: number of the function */
	bool is_callee;
	uint64_t weight;
};

struct chosen {
	struct diff_row *rows; /* without a comparison only sym and sum are set */
	size_t n, cap;
	size_t most_edges;
	struct edge *edges; /* by function, callers first, the heaviest first */
	size_t n_edges, cap_edges;
	struct idmap ids;
};

/* ---- which functions ----------------------------------------------------------------------------------------- */

static size_t most_functions(const struct json *j)
{
	return j->options->top ? j->options->top : USUAL_FUNCTIONS;
}

/* Of the same name, the first in the input. */
static int by_name(const struct symtab *t, uint32_t x, uint32_t y)
{
	int order = symbol_order(&t->symbols[x], &t->symbols[y]);
	return order ? order : (x > y) - (x < y);
}

static int by_total(const void *a, const void *b, void *symtab)
{
	const struct name_sum *x = a, *y = b;
	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return by_name(symtab, x->sym, y->sym);
}

static void add_row(struct chosen *c, const struct name_sum *sum)
{
	mem_push(c->rows, c->n, c->cap, ((struct diff_row){.sym = sum->sym, .sum = *sum}));
}

/* Adds those of the `most` heaviest by total that are not among the first n, and sorts the rest by total for it. */
static void add_heavy_by_total(struct chosen *c, struct name_sum *rest, size_t n_rest, size_t most,
                               struct symtab *symtab, struct progress *progress)
{
	size_t rank = 0;
	if (!n_rest)
		return;
	sort_by_until(rest, n_rest, sizeof *rest, by_total, symtab, progress);
	for (size_t i = 0; i < c->n; i++)
		rank += c->rows[i].sum.total > rest[0].total;
	for (size_t i = 0; i < n_rest && rank + i < most; i++)
		add_row(c, &rest[i]);
}

/* All functions of the view, those that the table's filter hides as well. */
static void count_all(struct json *j)
{
	const struct view *v = j->view;
	struct name_sum *all =
		tree_sums(&v->tree, v->zoom, v->profile->symtab.n, &j->functions.all, j->options->progress);
	for (size_t i = 0; i < j->functions.all; i++)
		j->functions.weight += all[i].self;
	free(all);
}

/* The heaviest by self, in the order of the table, then those that are heavy by total alone. */
static void choose_heaviest(struct json *j, struct chosen *c)
{
	size_t most = most_functions(j);
	struct name_sum *rows = top_rows(j->view, &j->passed, j->options->progress);
	size_t n = j->passed.n < most ? j->passed.n : most;
	for (size_t i = 0; i < n; i++)
		add_row(c, &rows[i]);
	if (!top_is_sorted(j->view))
		add_heavy_by_total(c, rows + n, j->passed.n - n, most, &j->view->profile->symtab, j->options->progress);
	free(rows);
}

static void choose_changes(struct json *j, struct chosen *c)
{
	size_t most = most_functions(j);
	c->rows = top_diff_rows(j->view, &j->changes, most, DIFF_BY_CHANGE, &c->n, &j->passed, j->options->progress);
}

/* In a view of lines, all names that differ only in the line are one function; its number, or that of the name. */
static uint32_t function_of(const struct json *j, uint32_t sym)
{
	return json_joins_names(j) ? line_reader_function(j->reader, sym) : sym;
}

/* The sums of a function by the lines that are shown of it. false: cancelled. */
static bool sum_lines(struct json *j, struct diff_row *r)
{
	struct line_sums l;
	bool ok = line_reader_read(j->reader, r->sym, &l);
	r->sum.self = l.self[0];
	r->sum.total = l.total[0];
	r->sum.base_self = l.self[1];
	r->sum.base_total = l.total[1];
	if (j->is_diff) {
		r->self = diff_of(&j->changes.basis, l.self[0], l.self[1]);
		r->total = diff_of(&j->changes.basis, l.total[0], l.total[1]);
	}
	line_sums_deinit(&l);
	return ok;
}

/* Counts functions of several names once. */
static void count_joined(struct json *j)
{
	const struct view *v = j->view;
	size_t n, n_symbols = v->profile->symtab.n;
	struct name_sum *all = tree_sums(&v->tree, v->zoom, n_symbols, &n, j->options->progress);
	bool *is_counted = mem_zalloc(n_symbols, sizeof *is_counted);
	j->functions.all = 0;
	for (size_t i = 0; i < n; i++) {
		bool *is_known = &is_counted[function_of(j, all[i].sym)];
		j->functions.all += !*is_known;
		*is_known = true;
	}
	free(is_counted);
	free(all);
}

/* One that is named, or those whose lines are shown. false: cancelled. */
static bool choose_named(struct json *j, struct chosen *c)
{
	const struct tree *t = &j->view->tree;
	bool is_one = j->view->shown.function != NO_SYMBOL, ok = true;
	size_t n;
	struct name_sum *named = lines_choose(j->view, j->options, json_joins_names(j) ? j->reader : NULL, &n);
	for (size_t i = 0; i < n; i++) {
		struct name_sum sum = halves_sum(t, named[i].sym, j->view->profile->symtab.n, j->options->progress);
		add_row(c, &sum);
		for (size_t k = 0; k < j->changes.n; k++)
			if (j->changes.rows[k].sym == sum.sym)
				c->rows[i] = j->changes.rows[k];
		ok = ok && (!json_joins_names(j) || sum_lines(j, &c->rows[i]));
		j->functions.weight += is_one ? c->rows[i].sum.self : 0;
	}
	free(named);
	if (!is_one)
		count_all(j);
	if (!is_one && json_joins_names(j))
		count_joined(j);
	j->functions.all = is_one ? n : j->functions.all;
	j->passed.n = j->functions.all;
	return ok;
}

/* ---- who calls whom ------------------------------------------------------------------------------------------ */

static void add_edge(struct chosen *c, uint32_t of, uint32_t sym, bool is_callee, uint64_t weight)
{
	uint64_t key = ((uint64_t)of << 1 | is_callee) << 32 | sym;
	uint32_t i;
	if (!weight)
		return;
	if (!idmap_find(&c->ids, key, &i)) {
		i = (uint32_t)c->n_edges;
		idmap_add(&c->ids, key, i);
		mem_push(c->edges, c->n_edges, c->cap_edges, ((struct edge){of, sym, is_callee, 0}));
	}
	c->edges[i].weight += weight;
}

static int compare_edges(const void *a, const void *b, void *symtab)
{
	const struct edge *x = a, *y = b;
	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->is_callee != y->is_callee)
		return x->is_callee ? 1 : -1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return by_name(symtab, x->sym, y->sym);
}

/* The edges of a frame that is the outermost one of its function. */
static void add_edges_of(const struct json *j, struct chosen *c, uint32_t of, uint32_t node)
{
	const struct tree *t = &j->view->tree;
	uint32_t parent = t->parent[node];
	if (node != j->view->zoom && parent != NODE_ALL)
		add_edge(c, of, function_of(j, t->sym[parent]), false, tree_total(t, node));
	uint32_t k = tree_first_child(t, node);
	for (; k != NO_NODE && export_goes_on(j->options); k = tree_next_sibling(t, k))
		if (!tree_is_gap(t, k))
			add_edge(c, of, function_of(j, t->sym[k]), true, tree_total(t, k));
}

static bool has_edges(const struct json *j)
{
	return (!j->view->tree.is_reversed || j->view->shown.view == SHOWN_SANDWICH) && !j->is_brief;
}

static void find_edges(const struct json *j, struct chosen *c)
{
	const struct tree *t = &j->view->tree;
	size_t n_symbols = j->view->profile->symtab.n;
	uint32_t *of = mem_alloc(n_symbols * sizeof *of), *until = mem_zalloc(c->n, sizeof *until);
	memset(of, 0xff, n_symbols * sizeof *of);
	for (size_t i = 0; i < c->n; i++)
		of[function_of(j, c->rows[i].sym)] = (uint32_t)i;
	for (uint32_t i = j->view->zoom; i < t->end[j->view->zoom] && export_goes_on(j->options); i++) {
		bool is_none = i == NODE_ALL || t->sym[i] >= n_symbols || tree_is_gap(t, i);
		uint32_t f = is_none ? NOT_CHOSEN : of[function_of(j, t->sym[i])];
		if (f == NOT_CHOSEN || i < until[f])
			continue;
		until[f] = t->end[i];
		add_edges_of(j, c, f, i);
	}
	free(of);
	free(until);
	if (c->n_edges)
		sort_by_until(c->edges, c->n_edges, sizeof *c->edges, compare_edges, &j->view->profile->symtab,
		              j->options->progress);
}

/* Those of the sandwich, for a tree that is merged from either end. */
static void take_halves(const struct json *j, struct chosen *c)
{
	const struct halves_recipe r = {
		.view = j->view, .symtab = &j->view->profile->symtab, .symbol = c->rows[0].sym, .is_by_weight = true};
	struct halves h;
	halves_init(&h);
	bool is_made = halves_make(&h, &r, j->options->progress);
	for (unsigned half = HALF_CALLERS; is_made && half <= HALF_CALLEES; half++) {
		const struct tree *t = &h.trees[half];
		for (uint32_t k = tree_first_child(t, NODE_ALL); k != NO_NODE; k = tree_next_sibling(t, k))
			add_edge(c, 0, t->sym[k], half == HALF_CALLEES, tree_total(t, k));
	}
	halves_deinit(&h);
	if (c->n_edges)
		sort_by_until(c->edges, c->n_edges, sizeof *c->edges, compare_edges, &j->view->profile->symtab,
		              j->options->progress);
}

/* Takes the edges of one kind from *at on. */
static void add_edges(struct json *j, const struct chosen *c, size_t *at, uint32_t of, bool is_callee)
{
	struct buf *out = &j->functions.text;
	size_t n = 0;
	uint64_t rest = 0;
	json_key(out, is_callee ? "callees" : "callers");
	buf_addc(out, '[');
	for (; *at < c->n_edges && c->edges[*at].of == of && c->edges[*at].is_callee == is_callee; ++*at, n++) {
		const struct edge *e = &c->edges[*at];
		if (n >= c->most_edges) {
			rest += e->weight;
			continue;
		}
		json_comma(out);
		buf_adds(out, "{\"name\":");
		json_add_name(j, out, e->sym);
		json_add_weight(j, out, "weight", e->weight);
		buf_addc(out, '}');
	}
	if (n > c->most_edges) {
		buf_addf(out, ",{\"left_out\":%zu", n - c->most_edges);
		json_add_weight(j, out, "weight", rest);
		buf_addc(out, '}');
	}
	buf_addc(out, ']');
}

/* ---- one function -------------------------------------------------------------------------------------------- */

/* A standard error of weights as they are shown. */
static double shown_error(const struct json *j, double weight)
{
	double factor = j->options->factor > 0 ? j->options->factor : 1;
	return weight * factor / (double)with_decimals(1, 0, j->view->profile->decimals);
}

/* Weights are exact up to 2^64 - 1, which a double is not; without a change there is no sign. */
static void add_difference(const struct json *j, struct buf *out, const struct diff_change *c)
{
	if (c->quantity == DIFF_OF_SHARES) {
		json_add_real(out, "change", fabs(c->delta) < 0.005 ? 0 : number_percent(c->delta, 2), 2);
		return;
	}
	json_key(out, "change");
	uint64_t weight = top_scaled(j->options, diff_weight(c));
	buf_adds(out, c->delta < 0 && weight ? "-" : "");
	number_add_fixed(out, weight, j->view->profile->decimals);
}

static void add_change(const struct json *j, struct buf *out, const char *key, const struct diff_change *c)
{
	int decimals = c->quantity == DIFF_OF_SHARES ? 2 : (int)j->view->profile->decimals;
	json_key(out, key);
	buf_addc(out, '{');
	json_add_weight(j, out, "before", c->weight_before);
	if (c->quantity == DIFF_OF_SHARES)
		json_add_real(out, "before_pct", number_percent(c->before, 2), 2);
	json_add_weight(j, out, "after", c->weight_after);
	if (c->quantity == DIFF_OF_SHARES)
		json_add_real(out, "after_pct", number_percent(c->after, 2), 2);
	add_difference(j, out, c);
	double error = c->quantity == DIFF_OF_SHARES ? c->error : shown_error(j, c->error);
	json_add_real(out, "error", c->error > 0 ? error : NAN, decimals);
	json_add_bool(out, "is_noise", c->is_noise);
	buf_addc(out, '}');
}

static void add_place(const struct json *j, struct buf *out, uint32_t sym)
{
	struct buf place;
	buf_init(&place);
	origin_add_place(&j->view->profile->symtab, sym, &place);
	json_add_path(j, out, "source", buf_str(&place));
	buf_deinit(&place);
}

/* If no function of the name has an origin of its own, the symbol tells it. */
static uint32_t origin_of(const uint32_t *origins, uint32_t sym)
{
	return origins[sym] == NO_SYMBOL ? sym : origins[sym];
}

static void add_origin(const struct json *j, struct buf *out, uint32_t sym)
{
	const struct symtab *t = &j->view->profile->symtab;
	if (sym >= t->n || j->view->tree.group != BY_FUNCTION)
		return;
	uint32_t module = origin_of(j->modules, sym), file = origin_of(j->files, sym);
	if (module == ORIGIN_SEVERAL)
		json_add_text(out, "module", ORIGIN_MODULES, j->clean);
	else if (t->symbols[module].module)
		json_add_path(j, out, "module", t->symbols[t->symbols[module].module].name);
	if (file == ORIGIN_SEVERAL)
		json_add_text(out, "source", ORIGIN_FILES, j->clean);
	else if (t->symbols[file].source)
		add_place(j, out, file);
}

static void add_line(const struct json *j, struct buf *out, const struct line_row *r)
{
	json_comma(out);
	buf_addc(out, '{');
	if (r->file)
		json_add_path(j, out, "file", r->file);
	if (r->line)
		json_add_count(out, "line", r->line);
	json_add_shared(j, out, "self", r->self[0]);
	json_add_shared(j, out, "total", r->total[0]);
	if (j->is_diff) {
		struct diff_change c = diff_of(&j->changes.basis, r->self[0], r->self[1]);
		add_change(j, out, "self_change", &c);
		c = diff_of(&j->changes.basis, r->total[0], r->total[1]);
		add_change(j, out, "total_change", &c);
	}
	buf_addc(out, '}');
}

/* All lines, or the hottest ones. false: cancelled. */
static bool add_lines(struct json *j, uint32_t sym)
{
	struct buf *out = &j->functions.text;
	const struct line_row *hottest[USUAL_LINES];
	struct line_sums sums;
	bool ok = line_reader_read(j->reader, sym, &sums);
	bool is_all = j->view->shown.view == SHOWN_LINES;
	size_t n = !ok ? 0 : is_all ? sums.n : line_sums_hottest(&sums, hottest, USUAL_LINES);
	json_key(out, "lines");
	buf_addc(out, '[');
	for (size_t i = 0; i < n; i++)
		add_line(j, out, is_all ? &sums.rows[i] : hottest[i]);
	buf_addc(out, ']');
	line_sums_deinit(&sums);
	return ok;
}

static bool add_function(struct json *j, const struct chosen *c, uint32_t i, size_t *edge)
{
	const struct diff_row *r = &c->rows[i];
	struct buf *out = &j->functions.text;
	buf_adds(out, i ? ",\n{\"name\":" : "\n{\"name\":");
	json_add_name(j, out, r->sym);
	add_origin(j, out, r->sym);
	if (j->view->search.pattern)
		json_add_bool(out, "is_match", search_has_name(&j->view->search, r->sym));
	if (j->is_diff) {
		add_change(j, out, "self", &r->self);
		add_change(j, out, "total", &r->total);
	} else {
		json_add_shared(j, out, "self", r->sum.self);
		json_add_shared(j, out, "total", r->sum.total);
	}
	if (has_edges(j)) {
		add_edges(j, c, edge, i, false);
		add_edges(j, c, edge, i, true);
	}
	bool ok = !j->reader || add_lines(j, r->sym);
	buf_addc(out, '}');
	json_end_item(&j->functions, r->sum.self);
	return ok;
}

bool json_make_functions(struct json *j)
{
	struct chosen c = {.most_edges = j->view->shown.view == SHOWN_SANDWICH ? SIZE_MAX : USUAL_EDGES};
	enum shown_view view = j->view->shown.view;
	size_t edge = 0;
	bool ok = true;
	bool is_named = view == SHOWN_SANDWICH || view == SHOWN_LINES;
	j->is_filtered = !is_named && j->view->shown.filter;
	if (is_named)
		ok = choose_named(j, &c);
	else if (j->is_diff)
		choose_changes(j, &c);
	else
		choose_heaviest(j, &c);
	if (!is_named)
		count_all(j);
	ok = ok && export_goes_on(j->options);
	if (view == SHOWN_SANDWICH && c.n)
		take_halves(j, &c);
	else if (has_edges(j) && c.n)
		find_edges(j, &c);
	j->modules = name_origins(j->view, BY_MODULE, j->options->progress);
	j->files = name_origins(j->view, BY_FILE, j->options->progress);
	for (uint32_t i = 0; i < c.n && ok && export_goes_on(j->options); i++)
		ok = add_function(j, &c, i, &edge);
	free(j->modules);
	free(j->files);
	idmap_deinit(&c.ids);
	free(c.edges);
	free(c.rows);
	return ok && export_goes_on(j->options);
}
