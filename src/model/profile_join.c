/*
 * profile_join.c - joins several profiles into one.
 *
 * Workers read parts of one input into separate profiles. Joining them translates symbols, paths, tasks and series,
 * with as few look-ups as possible: sorted parts share only one stack, parts without common subtrees only their
 * stems, and a child of a new path is new. Profiles that were read without an index are joined without one.
 */
#include <string.h>

#include "base/fetch.h"
#include "base/mem.h"
#include "estimate.h"
#include "idle.h"
#include "origin.h"
#include "profile.h"

/* Maps numbers of src to numbers of dst. */
struct translation {
	uint32_t *sym, *path, *task, *series;
	uint32_t *tags; /* NULL: src has none */
	uint32_t *site; /* the same; by node */
};

static void translate_symbols(struct profile *dst, const struct profile *src, struct translation *t)
{
	size_t n = src->symtab.n;
	t->sym = mem_alloc(n * sizeof *t->sym);
	for (size_t i = 0; i < n; i++) {
		const struct symbol *s = &src->symtab.symbols[i];
		if (!symtab_is_variant(&src->symtab, (uint32_t)i))
			t->sym[i] = symtab_intern_hashed(&dst->symtab, s->name, s->len, s->hash);
	}
	for (size_t i = 0; i < n; i++) {
		const struct symbol *s = &src->symtab.symbols[i];
		uint32_t plain = symtab_plain(&src->symtab, (uint32_t)i);
		struct origin o = {(enum frame_kind)s->kind, t->sym[s->module], t->sym[s->source], s->line};
		if (plain == i)
			symtab_learn(&dst->symtab, t->sym[i], o);
		else
			t->sym[i] = symtab_frame(&dst->symtab, t->sym[plain], o);
	}
}

/* Can the path be one of the first n_old of dst? A child of a new path is new. t knows the first n paths. */
static bool may_be_known(const struct profile *src, const struct translation *t, uint32_t path, uint32_t n,
                         uint32_t n_old)
{
	return src->parent[path] < n && t->path[src->parent[path]] < n_old;
}

/* Prefetches slots first, then the hashes they refer to, some paths ahead of their use. */
static void prefetch_path(const struct profile *dst, const struct profile *src, const struct translation *t,
                          uint32_t i, uint32_t n_old)
{
	enum { FAR = 32, NEAR = 12 };
	uint32_t path;
	if (i + FAR < src->n_paths && may_be_known(src, t, i + FAR, i, n_old))
		profile_prefetch(dst, src->hashes[i + FAR]);
	if (i + NEAR >= src->n_paths || !may_be_known(src, t, i + NEAR, i, n_old))
		return;
	path = map_peek(&dst->index, src->hashes[i + NEAR].b);
	if (path != MAP_NONE)
		fetch_line(&dst->hashes[path]);
}

/*
 * Both are indexed, and a path has the same hash in every profile of the process. The next look-up indexes the new
 * paths.
 */
static void translate_by_hash(struct profile *dst, const struct profile *src, struct translation *t)
{
	uint32_t n_old = dst->n_paths;
	for (uint32_t i = 1; i < src->n_paths; i++) {
		uint32_t path = NO_PATH;
		prefetch_path(dst, src, t, i, n_old);
		if (may_be_known(src, t, i, i, n_old))
			path = profile_lookup(dst, src->hashes[i]);
		t->path[i] =
			path != NO_PATH ? path : profile_append_unindexed(dst, t->path[src->parent[i]], t->sym[src->sym[i]]);
	}
}

/* The frames of a path, root first; the caller frees the array. */
static uint32_t *path_chain(const struct profile *p, uint32_t path, uint32_t *depth)
{
	uint32_t *chain, d = *depth = profile_depth(p, path);
	chain = mem_alloc((d + 1u) * sizeof *chain);
	for (; d; path = p->parent[path])
		chain[d--] = path;
	chain[0] = PATH_ROOT;
	return chain;
}

static int compare_symbols(const struct symbol *a, const struct symbol *b)
{
	int order = memcmp(a->name, b->name, a->len < b->len ? a->len : b->len);
	return order ? order : (a->len > b->len) - (a->len < b->len);
}

/* Is a a proper prefix of b? */
static bool is_prefix(const struct symbol *a, const struct symbol *b)
{
	return a->len < b->len && memcmp(a->name, b->name, a->len) == 0;
}

/*
 * Does src, read from sorted text like dst, continue where dst ends? Then its paths can meet dst's only along dst's
 * last stack. Compares frame by frame; if one name is a prefix of the other, texts sort differently from names, so
 * the answer is no.
 */
static bool goes_on(const struct profile *dst, const struct profile *src, unsigned side)
{
	uint32_t *last, *first, n_last, n_first, d = 1;
	bool does = false;
	if (!dst->is_sorted || !src->is_sorted || profile_has_index(dst) || profile_has_index(src) ||
	    !dst->log[side].n || !src->log[side].n || dst->log[!side].n || src->log[!side].n)
		return false;
	last = path_chain(dst, dst->log[side].path[dst->log[side].n - 1], &n_last);
	first = path_chain(src, src->log[side].path[0], &n_first);
	for (; d <= n_last && d <= n_first; d++) {
		const struct symbol *a = &dst->symtab.symbols[dst->sym[last[d]]],
							*b = &src->symtab.symbols[src->sym[first[d]]];
		int order = compare_symbols(a, b);
		if (order) {
			does = order < 0 && !is_prefix(a, b) && !is_prefix(b, a);
			break;
		}
	}
	does = does || (d > n_last && d <= n_first + 1); /* the same stack, or dst's last one is a prefix */
	free(last);
	free(first);
	return does;
}

/*
 * The child of an existing path: the next frame of dst's last stack, or an earlier sibling whose name is a prefix
 * of it.
 */
static uint32_t child_on_edge(const struct profile *dst, const uint32_t *last, uint32_t n_last, uint32_t depth,
                              uint32_t sym)
{
	const struct symbol *edge;
	if (depth >= n_last)
		return NO_PATH;
	edge = &dst->symtab.symbols[dst->sym[last[depth + 1]]];
	if (dst->sym[last[depth + 1]] == sym)
		return last[depth + 1];
	return is_prefix(&dst->symtab.symbols[sym], edge) ? profile_find_child(dst, last[depth], sym) : NO_PATH;
}

/* src continues where dst ends: appends its paths, except those on dst's right edge. */
static void translate_sorted(struct profile *dst, const struct profile *src, struct translation *t, unsigned side)
{
	uint32_t n_last, *last = path_chain(dst, dst->log[side].path[dst->log[side].n - 1], &n_last),
					 n_old = dst->n_paths;
	uint32_t *depth = mem_alloc(src->n_paths * sizeof *depth); /* of paths */
	depth[0] = 0;
	for (uint32_t i = 1; i < src->n_paths; i++) {
		uint32_t up = t->path[src->parent[i]], sym = t->sym[src->sym[i]], found = NO_PATH;
		depth[i] = depth[src->parent[i]] + 1;
		if (up < n_old && depth[i] - 1 <= n_last && last[depth[i] - 1] == up)
			found = child_on_edge(dst, last, n_last, depth[i] - 1, sym);
		else if (up < n_old)
			found = profile_find_child(dst, up, sym);
		t->path[i] = found != NO_PATH ? found : profile_append_path(dst, up, sym, NULL);
	}
	free(depth);
	free(last);
}

/* The children of every path in ascending order: the first, and the next of each; 0: none. */
struct children {
	uint32_t *first, *next;
};

static struct children children_of(const struct profile *p)
{
	struct children c = {mem_zalloc(p->n_paths, sizeof *c.first), mem_alloc(p->n_paths * sizeof *c.next)};
	for (uint32_t i = p->n_paths - 1; i > 0; i--) {
		c.next[i] = c.first[p->parent[i]];
		c.first[p->parent[i]] = i;
	}
	return c;
}

static void children_free(struct children *c)
{
	free(c->first);
	free(c->next);
}

/* By symbol of dst: the child of path `of` with this name. */
struct namesake {
	uint32_t of, child;
};

/*
 * Walks two tries in parallel: for each path in both, notes dst's children by name and looks up src's. Visits every
 * child once, in any order of siblings, and needs no index.
 */
static void translate_by_names(struct profile *dst, const struct profile *src, struct translation *t)
{
	uint32_t n_old = dst->n_paths;
	struct children old = children_of(dst), more = children_of(src);
	struct namesake *namesakes = mem_alloc(dst->symtab.n * sizeof *namesakes);
	memset(namesakes, 0xff, dst->symtab.n * sizeof *namesakes);
	for (uint32_t i = 0; i < src->n_paths; i++) {
		if (i && t->path[i] == NO_PATH)
			t->path[i] = profile_append_unindexed(dst, t->path[src->parent[i]], t->sym[src->sym[i]]);
		for (uint32_t k = t->path[i] < n_old ? old.first[t->path[i]] : 0; k; k = old.next[k])
			namesakes[dst->sym[k]] = (struct namesake){t->path[i], k};
		for (uint32_t k = more.first[i]; k; k = more.next[k]) {
			const struct namesake *known = &namesakes[t->sym[src->sym[k]]];
			t->path[k] = t->path[i] < n_old && known->of == t->path[i] ? known->child : NO_PATH;
		}
	}
	dst->is_sorted = false;
	free(namesakes);
	children_free(&old);
	children_free(&more);
}

static void translate_paths(struct profile *dst, const struct profile *src, struct translation *t)
{
	t->path = mem_alloc(src->n_paths * sizeof *t->path);
	t->path[0] = PATH_ROOT;
	if (dst->n_paths == 1 && !profile_has_index(dst)) { /* dst is empty: the same paths with other symbols */
		for (uint32_t i = 1; i < src->n_paths; i++)
			t->path[i] = profile_append_path(dst, t->path[src->parent[i]], t->sym[src->sym[i]], NULL);
		dst->is_sorted = src->is_sorted;
		return;
	}
	for (unsigned side = 0; side < 2; side++) {
		if (goes_on(dst, src, side)) {
			translate_sorted(dst, src, t, side);
			return;
		}
	}
	if (profile_has_index(dst) && profile_has_index(src) && src->n_indexed == src->n_paths) {
		profile_index(dst);
		translate_by_hash(dst, src, t);
		return;
	}
	if (src->n_paths >= dst->n_paths / 8) { /* worth a walk over dst */
		translate_by_names(dst, src, t);
		return;
	}
	profile_index(dst);
	for (uint32_t i = 1; i < src->n_paths; i++)
		t->path[i] = profile_child(dst, t->path[src->parent[i]], t->sym[src->sym[i]]);
}

static struct site translate_site(struct profile *dst, const struct profile *src, const struct translation *t,
                                  const struct site *from)
{
	struct site s = *from;
	s.sym = t->sym[s.sym];
	s.file = t->sym[s.file];
	if (s.code) {
		struct code_file c = src->sites->codes[s.code - 1];
		s.code = sites_code(dst->sites, (struct code_file){t->sym[c.path], t->sym[c.debug], t->sym[c.alt],
		                                                   t->sym[c.function], c.page});
	}
	return s;
}

/* NULL: src has none. */
static uint32_t *translate_sites(struct profile *dst, const struct profile *src, const struct translation *t)
{
	const struct sites *from = src->sites;
	if (!from)
		return NULL;
	if (!dst->sites)
		dst->sites = sites_new();
	uint32_t *site = mem_alloc((from->n + 1) * sizeof *site), *node = mem_zalloc(from->n_nodes, sizeof *node);
	for (size_t i = 0; i < from->n; i++) {
		const struct site s = translate_site(dst, src, t, &from->v[i]);
		site[i] = sites_add(dst->sites, &s);
	}
	for (uint32_t i = 1; i < from->n_nodes; i++)
		node[i] = sites_child(dst->sites, node[from->parent[i]], site[from->site[i]]);
	free(site);
	return node;
}

static void translate_tables(struct profile *dst, const struct profile *src, struct translation *t)
{
	t->task = mem_alloc(src->n_tasks * sizeof *t->task);
	t->task[0] = 0;
	for (size_t i = 1; i < src->n_tasks; i++)
		t->task[i] = profile_task(dst, t->sym[src->tasks[i].comm], src->tasks[i].pid, src->tasks[i].tid);
	if (src->tags && !dst->tags)
		dst->tags = tags_new();
	t->tags = src->tags ? tags_append(dst->tags, src->tags) : NULL;
	t->site = translate_sites(dst, src, t);
	t->series = mem_zalloc(src->n_series + 1, sizeof *t->series);
	for (size_t i = 0; i < src->n_series; i++) {
		size_t known = dst->n_series;
		t->series[i] = profile_series(dst, t->sym[src->series[i].name], t->sym[src->series[i].unit]);
		if (dst->n_series > known)
			profile_rank_series(dst, t->series[i], (uint32_t)src->series[i].rank);
		if (dst->n_series > known && src->series[i].family)
			dst->series[t->series[i]].family = t->series[src->series[i].family - 1] + 1;
		for (unsigned side = 0; side < 2; side++) {
			struct series *into = &dst->series[t->series[i]];
			into->has_times[side] |= src->series[i].has_times[side];
			into->grain[side] = fmax(into->grain[side], src->series[i].grain[side]);
			number_counts_add(&into->numbers[side], &src->series[i].numbers[side]);
		}
		dst->series[t->series[i]].is_sampled |= src->series[i].is_sampled;
		dst->series[t->series[i]].is_off_cpu |= src->series[i].is_off_cpu;
		dst->series[t->series[i]].overlaps |= src->series[i].overlaps;
		if (!dst->series[t->series[i]].unit)
			dst->series[t->series[i]].unit = t->sym[src->series[i].unit];
	}
}

/* Do the sums of both fit 64 bits with this many decimals? */
static bool is_room(const struct profile *a, const struct profile *b, unsigned decimals)
{
	for (unsigned side = 0; side < 2; side++) {
		uint64_t x = with_decimals(a->log[side].total, a->decimals, decimals),
				 y = with_decimals(b->log[side].total, b->decimals, decimals);
		if (x == UINT64_MAX || y == UINT64_MAX || x > UINT64_MAX - y)
			return false;
	}
	return true;
}

/* The higher resolution of the two, or as close to it as the sums allow. */
static unsigned common_decimals(const struct profile *a, const struct profile *b)
{
	unsigned least = a->decimals < b->decimals ? a->decimals : b->decimals;
	unsigned most = a->decimals < b->decimals ? b->decimals : a->decimals;
	while (most > least && !is_room(a, b, most))
		most--;
	return most;
}

/* Moves the fractions of an entry of src (from number *at on) to entry `as` of dst. */
static void append_fractions(struct profile *dst, const struct profile *src, unsigned side, size_t *at,
                             size_t entry, size_t as)
{
	for (; *at < src->n_fractions; ++*at) {
		const struct fraction *x = &src->fractions[*at];
		if (x->side != side)
			continue;
		if (x->sample != entry)
			return;
		profile_add_fraction(dst, side, as, x->n, x->millionths);
	}
}

static void append_log(struct profile *dst, const struct profile *src, unsigned side, const struct translation *t)
{
	const struct sample_log *from = &src->log[side];
	unsigned was = src->decimals, decimals = dst->decimals;
	size_t fraction = 0;
	for (size_t i = 0; i < from->n; i++) {
		struct sample s = {
			.weight = profile_with_decimals(from, i, was, decimals),
			.time = log_time(from, i),
			.task = t->task[log_task(from, i)],
			.series = t->series[log_series(from, i)],
			.cpu = log_cpu(from, i),
			.tags = t->tags ? t->tags[log_tags(from, i)] : NO_TAGS,
			.site = t->site ? t->site[log_site(from, i)] : NO_SITE,
		};
		size_t as = profile_add_entry(dst, side, t->path[from->path[i]], &s, log_count(from, i),
		                              profile_spread_with_decimals(from, i, was, decimals));
		append_fractions(dst, src, side, &fraction, i, as);
	}
	dst->log[side].has_times |= from->has_times;
}

static void append_lacks(struct profile_lacks *to, const struct profile_lacks *from)
{
	weight_add(&to->lost, from->lost);
	weight_add(&to->paused, from->paused);
	to->is_cut_off |= from->is_cut_off;
	to->callers |= from->callers;
}

/* Lifts the limit for what src has made, which had its own. Returns what join_bounds() needs. */
static struct profile_bound lift_bound(struct profile *dst)
{
	struct profile_bound own = dst->bound;
	own.before -= dst->n_paths;
	dst->bound.lost = NO_PATH;
	dst->bound.is_reached = false;
	dst->bound.room[ROOM_SYMBOLS] = UINT32_MAX;
	profile_bound_end(dst);
	return own;
}

static void join_bounds(struct profile *dst, const struct profile_bound *own, const struct profile *src)
{
	dst->bound = *own;
	dst->bound.before += dst->n_paths;
	dst->bound.of_all += src->bound.of_all;
	profile_bound_grow(dst, 0);
}

void profile_append(struct profile *dst, const struct profile *src, const char *file, uint64_t line_base)
{
	struct translation t;
	unsigned decimals = common_decimals(dst, src);
	const struct profile_bound bound = lift_bound(dst);
	if (decimals < dst->decimals || decimals < src->decimals)
		report_add_state(&dst->report, NOTE_WARN, "fractional counts are cut to fewer decimals");
	if (decimals < dst->decimals)
		profile_lower_decimals(dst, decimals);
	else
		profile_raise_decimals(dst, decimals);
	translate_symbols(dst, src, &t);
	translate_paths(dst, src, &t);
	translate_tables(dst, src, &t);
	append_log(dst, src, 0, &t);
	append_log(dst, src, 1, &t);
	idle_append(dst, src, t.series);
	estimate_append(dst, src, t.series);
	report_merge(&dst->report, &src->report, file, line_base);
	append_lacks(&dst->lacks[0], &src->lacks[0]);
	append_lacks(&dst->lacks[1], &src->lacks[1]);
	dst->lacks_inlines |= src->lacks_inlines;
	join_bounds(dst, &bound, src);
	if (src->has_foreign_counts)
		profile_note_foreign_count(dst);
	profile_add_columns(dst, src->columns);
	if (!dst->format)
		dst->format = src->format;
	free(t.sym);
	free(t.path);
	free(t.task);
	free(t.tags);
	free(t.site);
	free(t.series);
}

/* Merges the runs [from, middle) and [middle, to) of `order` by their keys. */
static void merge_runs(const uint64_t *key, const size_t *order, size_t *into, size_t from, size_t middle,
                       size_t to)
{
	size_t a = from, b = middle;
	for (size_t i = from; i < to; i++)
		into[i] = a < middle && (b == to || key[order[a]] <= key[order[b]]) ? order[a++] : order[b++];
}

/* The end of the run that begins at `from`. */
static size_t run_end(const uint64_t *key, const size_t *order, size_t from, size_t n)
{
	size_t i = from;
	while (i + 1 < n && key[order[i]] <= key[order[i + 1]])
		i++;
	return from < n ? i + 1 : n;
}

/* The numbers 0 to n - 1 sorted by ascending key; the caller frees them. A natural merge sort. */
static size_t *sort_by_runs(const uint64_t *key, size_t n)
{
	size_t *order = mem_alloc(n * sizeof *order), *other = mem_alloc(n * sizeof *other);
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	while (run_end(key, order, 0, n) < n) {
		size_t *swap = order;
		for (size_t from = 0, middle, to; from < n; from = to) {
			middle = run_end(key, order, from, n);
			to = run_end(key, order, middle, n);
			merge_runs(key, order, other, from, middle, to);
		}
		order = other;
		other = swap;
	}
	free(other);
	return order;
}

static void order_fractions(struct profile *p, unsigned side, size_t first, const size_t *order, size_t n)
{
	size_t *place;
	if (!p->n_fractions)
		return;
	place = mem_alloc(n * sizeof *place);
	for (size_t i = 0; i < n; i++)
		place[order[i]] = i + first;
	profile_move_fractions(p, side, first, place);
	free(place);
}

void profile_order(struct profile *p, unsigned side, size_t first, const uint64_t *key)
{
	struct sample_log *log = &p->log[side];
	size_t n = log->n - first, *order;
	if (!n)
		return;
	order = sort_by_runs(key, n);
	samples_permute(log, first, order, n);
	order_fractions(p, side, first, order, n);
	free(order);
}

/* New numbers of the paths from `first` on; 0: none yet. */
struct renumbering {
	uint32_t *as, first, next;
	uint32_t *chain; /* paths on the way up */
	size_t cap_chain;
};

/* Numbers the path and its unnumbered ancestors, root first. */
static void number_path(struct renumbering *r, const struct profile *p, uint32_t path)
{
	size_t n = 0;
	for (; path >= r->first && !r->as[path - r->first]; path = p->parent[path])
		mem_push(r->chain, n, r->cap_chain, path);
	while (n)
		r->as[r->chain[--n] - r->first] = r->next++;
}

static uint32_t renumbered(const struct renumbering *r, uint32_t path)
{
	return path < r->first ? path : r->as[path - r->first];
}

static void move_paths(struct profile *p, const struct renumbering *r)
{
	size_t n = p->n_paths - r->first;
	uint32_t *parent = mem_alloc(n * sizeof *parent), *sym = mem_alloc(n * sizeof *sym);
	for (size_t i = 0; i < n; i++) {
		parent[r->as[i] - r->first] = renumbered(r, p->parent[r->first + i]);
		sym[r->as[i] - r->first] = p->sym[r->first + i];
	}
	memcpy(p->parent + r->first, parent, n * sizeof *parent);
	memcpy(p->sym + r->first, sym, n * sizeof *sym);
	free(parent);
	free(sym);
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = 0; i < p->log[side].n; i++)
			p->log[side].path[i] = renumbered(r, p->log[side].path[i]);
}

void profile_renumber(struct profile *p, unsigned side, size_t first, uint32_t first_path)
{
	struct renumbering r = {.first = first_path, .next = first_path};
	if (first_path == p->n_paths)
		return;
	r.as = mem_zalloc(p->n_paths - first_path, sizeof *r.as);
	for (size_t i = first; i < p->log[side].n; i++)
		number_path(&r, p, p->log[side].path[i]);
	for (uint32_t path = first_path; path < p->n_paths; path++) /* paths without samples */
		number_path(&r, p, path);
	profile_seal(p);
	profile_drop_index(p);
	p->is_sorted = false;
	move_paths(p, &r);
	free(r.chain);
	free(r.as);
}
