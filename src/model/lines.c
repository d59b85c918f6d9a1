/*
 * lines.c - sums samples by the lines of a function.
 *
 * A fold says which function is the last frame of a sample, and whether the function is on its stack: filters may
 * have taken frames out. The trie of sites (sites.h) says at which lines. Each entry adds its weight to the node of
 * its innermost site; the subtree of a node has the total of its line, unless the line is also further out.
 */
#include "lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/sort.h"
#include "folding.h"
#include "line_samples.h"
#include "name_sites.h"
#include "sites.h"

#define NO_ROW UINT32_MAX
#define NO_SYM UINT32_MAX

struct line_reader {
	struct profile *profile;
	struct recipe recipe;
	struct folding folding;
	const struct line_finder *finder;
	uint32_t *functions; /* by symbol, see line_reader_join_names(); NULL: not joined */
	size_t n_functions;
	uint32_t *first, *next; /* by node: its first child, its next sibling; 0: none */
	struct line_samples samples;
	const char **names; /* of files, each once */
	size_t n_names, cap_names;
	struct map ids;
	struct arena texts;
};

/* Of a profile without any: the root of the trie. */
static struct site no_site[1];
static struct code_file no_code[1];
static uint32_t no_node[1];
static const struct sites no_sites = {
	.v = no_site, .codes = no_code, .n_nodes = 1, .parent = no_node, .site = no_node};

static const struct sites *sites_of(const struct line_reader *r)
{
	return r->profile->sites ? r->profile->sites : &no_sites;
}

bool lines_are_known(const struct profile *p)
{
	return p->sites && p->sites->n > 0;
}

void lines_add_name(struct buf *out, const struct profile *p, const char *name, size_t len)
{
	if (p->sites && p->sites->are_of_names)
		name_sites_add_function(out, name, len);
	else
		buf_add(out, name, len);
}

uint32_t lines_find_name(const struct profile *p, const char *name, size_t len)
{
	uint32_t found = NO_SYMBOL;
	struct buf text;
	buf_init(&text);
	for (uint32_t i = 1; p->sites && p->sites->are_of_names && i < p->symtab.n && found == NO_SYMBOL; i++) {
		const struct symbol *s = &p->symtab.symbols[i];
		text.len = 0;
		lines_add_name(&text, p, s->name, s->len);
		if (s->len != len && text.len == len && memcmp(text.data, name, len) == 0)
			found = symtab_plain(&p->symtab, i);
	}
	buf_deinit(&text);
	return found;
}

const char *lines_why_none(const struct profile *p)
{
	if (p->log[0].n == 0)
		return "there are no samples, so there are no lines";
	if (p->format && strcmp(p->format, "perf") == 0)
		return "no frame has an offset into a program's function, or a source line (perf script prints offsets)";
	return "the profile tells functions only, not the lines in which samples were";
}

/* ---- the reader ---------------------------------------------------------------------------------------------- */

/* Links the children of each node. */
static void link_nodes(struct line_reader *r)
{
	const struct sites *s = sites_of(r);
	r->first = mem_zalloc(s->n_nodes, sizeof *r->first);
	r->next = mem_zalloc(s->n_nodes, sizeof *r->next);
	for (uint32_t i = s->n_nodes - 1; i > 0; i--) {
		r->next[i] = r->first[s->parent[i]];
		r->first[s->parent[i]] = i;
	}
}

struct line_reader *line_reader_new(struct profile *p, const struct recipe *of, const struct line_finder *finder,
                                    struct progress *progress, struct err *err)
{
	struct line_reader *r = mem_zalloc(1, sizeof *r);
	r->profile = p;
	r->finder = finder;
	recipe_copy(&r->recipe, of);
	r->recipe.reverse = r->recipe.chart = r->recipe.apart = false;
	recipe_drop_splits(&r->recipe);
	map_init(&r->ids, 64);
	arena_init(&r->texts);
	r->folding = (struct folding){.profile = p, .recipe = &r->recipe, .progress = progress, .wants_map = true};
	if (err)
		err->text[0] = '\0';
	if (!folding_run(&r->folding, err) || !line_samples_gather(&r->samples, &r->folding)) {
		line_reader_free(r);
		return NULL;
	}
	link_nodes(r);
	return r;
}

void line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	folding_deinit(&r->folding);
	recipe_deinit(&r->recipe);
	map_deinit(&r->ids);
	arena_deinit(&r->texts);
	free(r->names);
	free(r->functions);
	line_samples_deinit(&r->samples);
	free(r->first);
	free(r->next);
	free(r);
}

void line_reader_join_names(struct line_reader *r)
{
	if (!sites_of(r)->are_of_names || r->recipe.group != BY_FUNCTION || r->functions)
		return;
	r->functions = name_sites_functions(&r->profile->symtab);
	r->n_functions = r->profile->symtab.n;
}

uint32_t line_reader_function(const struct line_reader *r, uint32_t sym)
{
	const struct symtab *names = &r->profile->symtab;
	if (symtab_is_task(names, sym)) /* a module may have its name */
		return sym;
	uint32_t plain = symtab_plain(names, sym);
	return r->functions && plain < r->n_functions ? r->functions[plain] : plain;
}

void line_reader_follow(struct line_reader *r, struct progress *progress)
{
	r->folding.progress = progress;
}

/* The function, or its module, as the tree names it. */
static uint32_t label_of(const struct line_reader *r, uint32_t sym)
{
	const uint32_t *labels = r->folding.labels;
	return symtab_plain(&r->profile->symtab, labels ? labels[sym] : sym);
}

/* Keeps each name once. NULL stays NULL. */
static const char *intern(struct line_reader *r, const char *name)
{
	size_t n = name ? strlen(name) : 0;
	uint64_t hash = hash_bytes(name ? name : "", n);
	if (!n)
		return NULL;
	MAP_EACH(&r->ids, hash, i)
	if (strcmp(r->names[i], name) == 0)
		return r->names[i];
	map_add(&r->ids, hash, (uint32_t)r->n_names);
	mem_push(r->names, r->n_names, r->cap_names, arena_bytes(&r->texts, name, n));
	return r->names[r->n_names - 1];
}

static const char *text_of(const struct profile *p, uint32_t sym)
{
	return sym ? p->symtab.symbols[sym].name : NULL;
}

const char *line_reader_why(const struct line_reader *r, const struct line_sums *l)
{
	if (l->code == NO_CODE || !r->finder)
		return NULL;
	const struct code_name name = code_name_of(r->profile, l->code);
	return r->finder->why(r->finder->arg, &name); /* cppcheck-suppress returnDanglingLifetime */
}

void line_reader_describe(const struct line_reader *r, uint32_t code, const char *file, struct source_facts *facts)
{
	*facts = (struct source_facts){0};
	if (code == NO_CODE || !r->finder)
		return;
	const struct code_name name = code_name_of(r->profile, code);
	r->finder->describe(r->finder->arg, &name, file, facts);
}

char *line_reader_fetch(const struct line_reader *r, uint32_t code, const char *file)
{
	if (code == NO_CODE || !r->finder)
		return NULL;
	const struct code_name name = code_name_of(r->profile, code);
	const struct progress *progress = r->folding.progress;
	/* cppcheck-suppress returnDanglingLifetime */
	return r->finder->fetch(r->finder->arg, &name, file, progress ? &progress->cancel : NULL);
}

struct code_name code_name_of(const struct profile *p, uint32_t code)
{
	const struct code_file *c = &p->sites->codes[code - 1];
	return (struct code_name){text_of(p, c->path), text_of(p, c->debug), text_of(p, c->alt),
	                          text_of(p, c->function), c->page};
}

/* ---- one function -------------------------------------------------------------------------------------------- */

struct summing {
	struct line_reader *reader;
	struct line_sums *out;
	uint32_t sym;        /* plain; NO_SYM: any, for instructions */
	uint32_t *row;       /* by site: its row; NO_ROW: it is of another function */
	uint32_t *innermost; /* by node: the row of the innermost line of the function on the way to it */
	uint8_t *has;        /* by path of the trie: is the function on it? NULL: it does not matter */
	uint64_t *weight[2]; /* by node: of the samples whose innermost site it is, then of its subtree */
	uint64_t *samples;   /* likewise */
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

static struct line_row place_of(struct line_reader *r, const struct site *s)
{
	struct line_row key = {.line = s->line};
	if (s->code && r->finder) {
		const struct code_name code = code_name_of(r->profile, s->code);
		key.file = intern(r, r->finder->find(r->finder->arg, &code, s->address, s->line, &key.line));
	} else if (s->code) {
		key.line = 0;
	} else {
		key.file = intern(r, text_of(r->profile, s->file));
	}
	key.file = key.line ? key.file : NULL;
	return key;
}

static bool find_rows(struct summing *x)
{
	const struct sites *s = sites_of(x->reader);
	bool goes_on = true;
	for (size_t i = 0; i < s->n && goes_on; i++) {
		goes_on = !EVERY(i) || folding_goes_on(&x->reader->folding, 0);
		struct line_row place = {.line = 0};
		bool is_there = line_reader_function(x->reader, label_of(x->reader, s->v[i].sym)) == x->sym;
		if (is_there)
			place = place_of(x->reader, &s->v[i]);
		x->row[i] = is_there ? row_of(x, &place) : NO_ROW;
	}
	return goes_on;
}

static void find_addresses(struct summing *x, uint32_t code, uint64_t from, uint64_t to)
{
	const struct sites *s = sites_of(x->reader);
	for (size_t i = 0; i < s->n; i++) {
		const struct site *v = &s->v[i];
		bool is_there = v->code == code && v->address >= from && v->address < to;
		struct line_row key = {.address = v->address};
		x->row[i] = is_there ? row_of(x, &key) : NO_ROW;
	}
}

static void find_paths(struct summing *x)
{
	const struct trie *t = &x->reader->folding.trie;
	x->has = mem_zalloc(t->n, 1);
	for (uint32_t i = 1; i < t->n; i++)
		x->has[i] = x->has[t->parent[i]] || line_reader_function(x->reader, t->sym[i]) == x->sym;
}

/* A caller comes before what it calls. Frames further in than the function were taken out by filters. */
static void find_innermost(struct summing *x)
{
	const struct sites *s = sites_of(x->reader);
	x->innermost[NO_SITE] = NO_ROW;
	for (uint32_t i = 1; i < s->n_nodes; i++) {
		uint32_t own = x->row[s->site[i]];
		x->innermost[i] = own != NO_ROW ? own : x->innermost[s->parent[i]];
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
	if (e->node == NO_SITE || x->row[sites_of(r)->site[e->node]] == NO_ROW)
		return false;
	uint32_t last = sites_of(r)->v[sites_of(r)->site[e->node]].sym;
	return symtab_plain(names, last) == symtab_plain(names, r->profile->sym[e->raw]);
}

static void add_entry(struct summing *x, const struct line_entry *e)
{
	if (x->has && !x->has[e->path])
		return;
	uint32_t row = x->innermost[e->node];
	if (row == NO_ROW && !x->has)
		return;
	bool is_last = is_self(x, e), has_row = row != NO_ROW;
	row = has_row ? row : unknown_row(x);
	struct line_row *at = &x->out->rows[row];
	for (unsigned side = 0; side < 2; side++) {
		weight_add(&x->out->total[side], e->weight[side]);
		weight_add(&x->out->self[side], is_last ? e->weight[side] : 0);
		weight_add(&at->self[side], is_last ? e->weight[side] : 0);
		weight_add(has_row ? &x->weight[side][e->node] : &at->total[side], e->weight[side]);
	}
	x->out->samples += e->samples;
	*(has_row ? &x->samples[e->node] : &at->samples) += e->samples;
}

static bool add_entries(struct summing *x)
{
	const struct line_reader *r = x->reader;
	bool ok = true;
	for (size_t i = 0; i < r->samples.n && ok; i++) {
		ok = !EVERY(i) || folding_goes_on(&x->reader->folding, 0);
		add_entry(x, &r->samples.v[i]);
	}
	return ok;
}

static void add_up_nodes(struct summing *x)
{
	const struct sites *s = sites_of(x->reader);
	for (uint32_t i = s->n_nodes - 1; i > 0; i--) {
		for (unsigned side = 0; side < 2; side++)
			weight_add(&x->weight[side][s->parent[i]], x->weight[side][i]);
		x->samples[s->parent[i]] += x->samples[i];
	}
}

static void add_total(struct summing *x, uint32_t row, uint32_t node)
{
	struct line_row *r = &x->out->rows[row];
	for (unsigned side = 0; side < 2; side++)
		weight_add(&r->total[side], x->weight[side][node]);
	r->samples += x->samples[node];
}

static void add_call(struct summing *x, struct map *known, struct line_call **list, size_t *n, size_t *cap,
                     const struct line_call *key, uint32_t node)
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
		weight_add(&(*list)[at].weight[side], x->weight[side][node]);
}

/* What the line of this node called. */
static void add_callees(struct summing *x, uint32_t row, uint32_t node)
{
	const struct line_reader *r = x->reader;
	const struct sites *s = sites_of(r);
	const struct site *own = &s->v[s->site[node]];
	for (uint32_t i = r->first[node]; i && x->sym != NO_SYM; i = r->next[i]) {
		const struct site *v = &s->v[s->site[i]];
		struct line_call key = {.row = row, .sym = label_of(r, v->sym)};
		key.is_inlined = v->code && v->code == own->code && v->address == own->address;
		if (x->weight[0][i] || x->weight[1][i])
			add_call(x, &x->known_calls, &x->out->calls, &x->out->n_calls, &x->cap_calls, &key, i);
	}
}

/* Who calls the function at this node. */
static void add_caller(struct summing *x, uint32_t node)
{
	const struct sites *s = sites_of(x->reader);
	uint32_t parent = s->parent[node];
	if (parent == NO_SITE || x->sym == NO_SYM || !(x->weight[0][node] || x->weight[1][node]))
		return;
	const struct site *v = &s->v[s->site[parent]];
	struct line_row place = place_of(x->reader, v);
	struct line_call key = {
		.row = NO_ROW, .sym = label_of(x->reader, v->sym), .file = place.file, .line = place.line};
	add_call(x, &x->known_callers, &x->out->callers, &x->out->n_callers, &x->cap_callers, &key, node);
}

/* A node with weight is entered; `open` counts how often a row is on the way to it, and open[n] that any row is. */
static void enter(struct summing *x, uint32_t *open, uint32_t node)
{
	uint32_t row = x->row[sites_of(x->reader)->site[node]];
	if (row == NO_ROW)
		return;
	if (open[x->out->n]++ == 0)
		add_caller(x, node);
	if (open[row]++ == 0) {
		add_total(x, row, node);
		add_callees(x, row, node);
	}
}

static void leave(const struct summing *x, uint32_t *open, uint32_t node)
{
	uint32_t row = x->row[sites_of(x->reader)->site[node]];
	if (row == NO_ROW)
		return;
	open[x->out->n]--;
	open[row]--;
}

/* Visits the nodes with weight, children after their parent. */
static void add_totals(struct summing *x)
{
	const struct line_reader *r = x->reader;
	const struct sites *s = sites_of(r);
	uint32_t *open = mem_zalloc(x->out->n + 1, sizeof *open), node = r->first[NO_SITE];
	while (node) {
		bool is_live = x->weight[0][node] || x->weight[1][node] || x->samples[node];
		enter(x, open, node);
		if (is_live && r->first[node]) {
			node = r->first[node];
			continue;
		}
		for (;;) {
			leave(x, open, node);
			if (r->next[node] || s->parent[node] == NO_SITE)
				break;
			node = s->parent[node];
		}
		node = r->next[node];
	}
	free(open);
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
	const struct sites *s = sites_of(x->reader);
	uint64_t most = 0, *most_of = mem_zalloc(x->out->n, sizeof *most_of);
	for (uint32_t i = 1; i < s->n_nodes; i++) {
		const struct site *v = &s->v[s->site[i]];
		uint32_t row = x->row[s->site[i]];
		if (row == NO_ROW || !v->code || x->samples[i] <= most_of[row])
			continue;
		most_of[row] = x->samples[i];
		x->out->rows[row].code = v->code;
		if (x->samples[i] <= most)
			continue;
		most = x->samples[i];
		x->out->code = v->code;
		x->out->address = v->address;
	}
	free(most_of);
}

static void begin(struct summing *x, struct line_reader *r, struct line_sums *out, uint32_t sym)
{
	const struct sites *s = sites_of(r);
	*out = (struct line_sums){0};
	*x = (struct summing){.reader = r, .out = out, .sym = sym};
	map_init(&x->rows, 64);
	map_init(&x->known_calls, 64);
	map_init(&x->known_callers, 64);
	for (unsigned side = 0; side < 2; side++)
		x->weight[side] = mem_zalloc(s->n_nodes, sizeof *x->weight[side]);
	x->samples = mem_zalloc(s->n_nodes, sizeof *x->samples);
	x->row = mem_alloc((s->n + 1) * sizeof *x->row);
	x->innermost = mem_alloc(s->n_nodes * sizeof *x->innermost);
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

static void end(struct summing *x)
{
	map_deinit(&x->rows);
	map_deinit(&x->known_calls);
	map_deinit(&x->known_callers);
	for (unsigned side = 0; side < 2; side++)
		free(x->weight[side]);
	free(x->samples);
	free(x->row);
	free(x->innermost);
	free(x->has);
}

bool line_reader_read(struct line_reader *r, uint32_t sym, struct line_sums *out)
{
	struct summing x;
	begin(&x, r, out, line_reader_function(r, sym));
	find_paths(&x);
	bool ok = find_rows(&x) && add_up(&x);
	end(&x);
	return ok;
}

bool line_reader_addresses(struct line_reader *r, uint32_t code, uint64_t from, uint64_t to, struct line_sums *out)
{
	struct summing x;
	begin(&x, r, out, NO_SYM);
	find_addresses(&x, code, from, to);
	bool ok = add_up(&x);
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
