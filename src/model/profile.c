/*
 * profile.c - the trie of call paths, and the sample logs.
 *
 * Sorted folded text needs no look-ups: its reader appends paths in depth-first order and never makes the index.
 * For other input the index maps the hash of a whole path to its number: a known stack costs one probe, a partly
 * known one a binary search over its prefixes (all prefixes of a known path are known).
 */
#include "profile.h"

#include <string.h>

#define HASH_FUNCTION(key, len, value) ((value) = (unsigned)hash_bytes((key), (len)))
#define uthash_fatal(msg) mem_exhausted()
#include "base/mem.h"

#include <uthash.h>

/* uthash finds tasks and series by value. */
struct task_key {
	int64_t pid, tid;
	uint64_t comm;
};

struct task_entry {
	struct task_key key;
	uint32_t index;
	UT_hash_handle hh;
};

struct series_entry {
	uint64_t name; /* symbol */
	uint32_t index;
	UT_hash_handle hh;
};

struct lookup {
	struct task_entry *tasks;
	struct series_entry *series;
};

static void add_root(struct profile *p)
{
	p->parent = mem_grow(NULL, &p->cap_paths, 64, sizeof *p->parent);
	p->sym = mem_alloc(p->cap_paths * sizeof *p->sym);
	p->parent[0] = p->sym[0] = 0;
	p->n_paths = 1;
}

void profile_init(struct profile *p)
{
	*p = (struct profile){0};
	symtab_init(&p->symtab);
	report_init(&p->report);
	p->lookup = mem_zalloc(1, sizeof(struct lookup));
	p->begin = NO_TIME;
	p->bound = (struct profile_bound){.lost = NO_PATH, .room = {PATHS_MOST, UINT32_MAX, UINT64_MAX}};
	profile_bound_end(p);
	add_root(p);
	mem_push(p->tasks, p->n_tasks, p->cap_tasks, ((struct task){.pid = -1, .tid = -1}));
}

static void lookup_free(struct lookup *l)
{
	struct task_entry *t, *t_next;
	struct series_entry *s, *s_next;
	HASH_ITER(hh, l->tasks, t, t_next) {
		HASH_DEL(l->tasks, t);
		free(t);
	}
	HASH_ITER(hh, l->series, s, s_next) {
		HASH_DEL(l->series, s);
		free(s);
	}
	free(l);
}

void profile_deinit(struct profile *p)
{
	symtab_deinit(&p->symtab);
	report_deinit(&p->report);
	if (p->lookup)
		lookup_free(p->lookup);
	for (size_t i = 0; i < p->n_files; i++)
		free(p->files[i].name);
	samples_deinit(&p->log[0]);
	samples_deinit(&p->log[1]);
	free(p->recent[0]);
	free(p->recent[1]);
	free(p->parent);
	free(p->sym);
	free(p->hashes);
	map_deinit(&p->index);
	free(p->tasks);
	tags_free(p->tags);
	sites_free(p->sites);
	free(p->series);
	free(p->files);
	free(p->fractions);
	*p = (struct profile){0};
}

/* --- paths --- */

void profile_index(struct profile *p)
{
	if (profile_has_index(p) && p->n_indexed == p->n_paths)
		return;
	if (!profile_has_index(p)) {
		p->hashes = mem_alloc(p->cap_paths * sizeof *p->hashes);
		p->hashes[0] = path_hash_root();
		p->n_indexed = 1;
		map_init(&p->index, p->n_paths);
	}
	map_reserve(&p->index, p->n_paths);
	for (; p->n_indexed < p->n_paths; p->n_indexed++) {
		uint32_t i = p->n_indexed;
		p->hashes[i] = path_hash_next(p->hashes[p->parent[i]], p->symtab.symbols[p->sym[i]].hash);
		map_add(&p->index, p->hashes[i].b, i);
	}
}

void profile_drop_index(struct profile *p)
{
	free(p->hashes);
	map_deinit(&p->index);
	p->hashes = NULL;
	p->n_indexed = 0;
}

uint32_t profile_lookup(const struct profile *p, struct path_hash h)
{
	MAP_EACH(&p->index, h.b, path)
	if (p->hashes[path].a == h.a && p->hashes[path].b == h.b)
		return (uint32_t)path;
	return NO_PATH;
}

static void grow_paths(struct profile *p)
{
	size_t cap = p->cap_paths;
	p->parent = mem_grow(p->parent, &p->cap_paths, (size_t)p->n_paths + 1, sizeof *p->parent);
	p->sym = mem_realloc(p->sym, p->cap_paths, sizeof *p->sym);
	if (profile_has_index(p) && cap != p->cap_paths)
		p->hashes = mem_realloc(p->hashes, p->cap_paths, sizeof *p->hashes);
}

uint32_t profile_append_unindexed(struct profile *p, uint32_t parent, uint32_t sym)
{
	uint32_t path = p->n_paths;
	if (path >= p->bound.most_paths || parent == p->bound.lost || p->symtab.n > p->bound.room[ROOM_SYMBOLS])
		return profile_lost(p);
	if (path == p->cap_paths)
		grow_paths(p);
	p->parent[path] = parent;
	p->sym[path] = sym;
	p->symtab.symbols[symtab_plain(&p->symtab, sym)].is_frame = true;
	p->n_paths++;
	return path;
}

uint32_t profile_append_path(struct profile *p, uint32_t parent, uint32_t sym, const struct path_hash *h)
{
	uint32_t path = profile_append_unindexed(p, parent, sym);
	if (profile_has_index(p) && p->n_indexed == path && path != p->bound.lost) {
		p->hashes[path] = h ? *h : path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash);
		p->n_indexed++;
		map_add(&p->index, p->hashes[path].b, path);
	}
	return path;
}

uint32_t profile_find_child(const struct profile *p, uint32_t parent, uint32_t sym)
{
	uint32_t path = NO_PATH;
	if (parent < p->n_indexed)
		path = profile_lookup(p, path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash));
	for (uint32_t i = parent < p->n_indexed ? p->n_indexed : parent + 1; path == NO_PATH && i < p->n_paths; i++)
		if (p->parent[i] == parent && p->sym[i] == sym)
			path = i;
	return path;
}

uint32_t profile_child(struct profile *p, uint32_t parent, uint32_t sym)
{
	struct path_hash h;
	uint32_t path;
	if (!profile_walk(p, 1))
		return profile_lost(p);
	profile_index(p);
	h = path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash);
	path = profile_lookup(p, h);
	if (path != NO_PATH)
		return path;
	return profile_append_path(p, parent, sym, &h);
}

#define FETCHED_AT_ONCE 64u /* frames whose look-ups overlap, known or not */

/* Finds the longest known prefix by binary search. Tries the whole stack first: most stacks of a profile repeat. */
uint32_t profile_path_hashed(struct profile *p, const uint32_t *syms, const struct path_hash *h, size_t n,
                             uint32_t known, size_t depth)
{
	uint32_t path;
	size_t lo = depth, hi = n; /* prefix lo is known, prefix hi is not */
	if (p->bound.is_reached)
		return profile_lost(p);
	profile_index(p);
	path = n > depth ? profile_lookup(p, h[n]) : known;
	if (path != NO_PATH)
		return path;
	if (n - depth <= FETCHED_AT_ONCE)
		for (size_t i = depth + 1; i < n; i++)
			profile_prefetch(p, h[i]);
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		path = profile_lookup(p, h[mid]);
		if (path == NO_PATH) {
			hi = mid;
		} else {
			lo = mid;
			known = path;
		}
	}
	if (n - depth > FETCHED_AT_ONCE)
		for (size_t i = lo + 1; i <= n; i++)
			profile_prefetch(p, h[i]);
	for (path = known; lo < n && !p->bound.is_reached; lo++)
		path = profile_append_path(p, path, syms[lo], &h[lo + 1]);
	return path;
}

uint32_t profile_path(struct profile *p, const uint32_t *syms, size_t n)
{
	struct path_hash local[256], *h;
	uint32_t path;
	if (!profile_walk(p, n))
		return profile_lost(p);
	h = n < 256 ? local : mem_alloc((n + 1) * sizeof *h);
	h[0] = path_hash_root();
	for (size_t i = 0; i < n; i++)
		h[i + 1] = path_hash_next(h[i], p->symtab.symbols[syms[i]].hash);
	path = profile_path_hashed(p, syms, h, n, PATH_ROOT, 0);
	if (h != local)
		free(h);
	return path;
}

uint32_t profile_depth(const struct profile *p, uint32_t path)
{
	uint32_t depth = 0;
	for (; path != PATH_ROOT; path = p->parent[path])
		depth++;
	return depth;
}

/* --- samples --- */

static void add_noted(struct profile *p, uint64_t *sum, uint64_t weight)
{
	if (!weight_add(sum, weight))
		report_add_state(&p->report, NOTE_WARN, PROFILE_SATURATED);
}

void profile_add_columns(struct profile *p, struct columns more)
{
	struct columns *c = p->n_files ? &p->files[p->n_files - 1].columns : &p->columns;
	c->one += more.one;
	c->two += more.two;
	c->are_shares |= more.are_shares;
}

void profile_seal(struct profile *p)
{
	p->log[0].sealed = p->log[0].n;
	p->log[1].sealed = p->log[1].n;
}

static void forget_sums(struct series *s)
{
	s->samples = s->base_samples = s->let_go = 0;
	for (unsigned side = 0; side < 2; side++) {
		s->total[side] = s->estimated[side] = 0;
		s->idle[side] = (struct idle){0};
		s->numbers[side] = (struct number_counts){0};
	}
}

void profile_forget(struct profile *p)
{
	for (unsigned side = 0; side < 2; side++) {
		struct sample_log *log = &p->log[side];
		log->n = log->sealed = 0;
		log->samples = log->total = 0;
		p->last_fraction[side] = 0;
		p->lacks[side].lost = p->lacks[side].paused = 0;
	}
	for (size_t i = 0; i < p->n_series; i++)
		forget_sums(&p->series[i]);
	p->n_fractions = 0;
	p->begin = NO_TIME;
}

/* Are order and times of these samples irrelevant? The baseline is another run, and only its sums are compared. */
static bool is_bag(const struct profile *p, unsigned side)
{
	return p->join == JOIN_ALL || (p->join == JOIN_RUNS && side == 1);
}

/* The last fraction, if it belongs to this entry; else NULL. */
static struct fraction *last_fraction(const struct profile *p, unsigned side, size_t entry)
{
	struct fraction *x = p->last_fraction[side] ? &p->fractions[p->last_fraction[side] - 1] : NULL;
	return x && x->sample == entry ? x : NULL;
}

/* Does the sample equal all those of the entry? false if that would take long to find out. */
static bool is_repeated(const struct profile *p, unsigned side, size_t i, uint32_t path, const struct sample *s)
{
	const struct sample_log *log = &p->log[side];
	const struct fraction *x;
	uint64_t all;
	if (i < log->sealed || log->path[i] != path || log_task(log, i) != s->task || log_series(log, i) != s->series ||
	    log_cpu(log, i) != s->cpu || log_tags(log, i) != s->tags || log_site(log, i) != s->site)
		return false;
	if (!is_bag(p, side) && (s->time != NO_TIME || log_time(log, i) != NO_TIME))
		return false;
	if (!log_is_even(log, i) || __builtin_mul_overflow(s->weight, log_count(log, i), &all) ||
	    all != log->weight[i] || __builtin_add_overflow(all, s->weight, &all))
		return false;
	if (i < log->n - 1)
		return !p->n_fractions && !s->millionths;
	x = last_fraction(p, side, i);
	return s->millionths == (x ? x->millionths : 0) && (!x || x->n == log_count(log, i));
}

/* A recent entry, found by the lowest bits of its path. */
struct recent_entry {
	uint32_t path, entry;
};

#define RECENT 1024u

static struct recent_entry *recent_entry(struct profile *p, unsigned side, uint32_t path)
{
	if (!p->recent[side])
		p->recent[side] = mem_zalloc(RECENT, sizeof **p->recent);
	return &p->recent[side][path % RECENT];
}

/* An entry that can take the sample; SIZE_MAX: none at hand. */
static size_t entry_for(struct profile *p, unsigned side, uint32_t path, const struct sample *s)
{
	const struct sample_log *log = &p->log[side];
	const struct recent_entry *r;
	if (!p->join || !log->n)
		return SIZE_MAX;
	if (is_repeated(p, side, log->n - 1, path, s))
		return log->n - 1;
	if (!is_bag(p, side))
		return SIZE_MAX;
	r = recent_entry(p, side, path);
	return r->path == path && r->entry < log->n && is_repeated(p, side, r->entry, path, s) ? r->entry : SIZE_MAX;
}

static void repeat(struct profile *p, unsigned side, size_t entry, const struct sample *s)
{
	struct sample_log *log = &p->log[side];
	log->weight[entry] += s->weight;
	samples_repeat(log, entry, 1);
	if (s->millionths)
		last_fraction(p, side, entry)->n++;
}

void profile_add_input(const struct profile *p, struct buf *out)
{
	for (size_t i = 0; i < p->n_files; i++)
		if (p->files[i].side == 0) {
			buf_addf(out, "%s: ", p->files[i].name);
			return;
		}
}

uint32_t profile_site(struct profile *p, const struct site *site)
{
	if (!p->sites)
		p->sites = sites_new();
	return sites_add(p->sites, site);
}

uint32_t profile_site_node(struct profile *p, uint32_t parent, uint32_t site)
{
	uint32_t before = p->sites->n_nodes;
	if (p->bound.is_reached)
		return parent;
	uint32_t node = sites_child(p->sites, parent, site);
	profile_take(p, p->sites->n_nodes - before);
	return node;
}

uint32_t profile_site_child(struct profile *p, uint32_t parent, const struct site *site)
{
	return profile_site_node(p, parent, profile_site(p, site));
}

uint32_t profile_sites(struct profile *p, const struct site *site, size_t n)
{
	uint32_t node = NO_SITE;
	for (size_t i = 0; i < n; i++)
		node = profile_site_child(p, node, &site[i]);
	return node;
}

static void push(struct profile *p, unsigned side, uint32_t path, const struct sample *s)
{
	struct sample timeless = *s;
	timeless.time = NO_TIME;
	samples_push(&p->log[side], path, is_bag(p, side) ? &timeless : s);
	if (is_bag(p, side) && p->log[side].n <= UINT32_MAX)
		*recent_entry(p, side, path) = (struct recent_entry){path, (uint32_t)(p->log[side].n - 1)};
	if (s->millionths)
		profile_add_fraction(p, side, p->log[side].n - 1, 1, s->millionths);
}

/* --- joining entries --- */

/* Tests define a small number. */
#ifndef LEAST_ADDED_UP
#define LEAST_ADDED_UP 0x10000u /* entries from which on joining pays */
#endif

/* A mark for each entry from the first unsealed one on: the fraction cut off its samples, if all have the same. */
static uint64_t *mark_fractions(const struct profile *p, unsigned side)
{
	const struct sample_log *log = &p->log[side];
	uint64_t *mark;
	if (!p->n_fractions)
		return NULL;
	mark = mem_zalloc(log->n - log->sealed, sizeof *mark);
	for (size_t i = 0; i < p->n_fractions; i++) {
		const struct fraction *x = &p->fractions[i];
		if (x->side != side || x->sample < log->sealed)
			continue;
		/* If only some samples have it, a unique mark keeps the entry apart. */
		mark[x->sample - log->sealed] = x->n == log_count(log, x->sample) ? x->millionths : UINT64_MAX - i;
	}
	return mark;
}

void profile_add_up(struct profile *p, unsigned side, size_t first, size_t end, const struct alike *alike)
{
	size_t *moved = p->n_fractions ? mem_alloc((p->log[side].n - first) * sizeof *moved) : NULL;
	samples_add_up(&p->log[side], first, end, alike, moved);
	if (moved)
		profile_move_fractions(p, side, first, moved);
	free(moved);
}

/*
 * Joins all equal entries of the current file. With `is_even`, samples of different weights keep their own entries.
 */
static void add_up_entries(struct profile *p, unsigned side, bool is_even)
{
	const struct sample_log *log = &p->log[side];
	uint64_t *mark = is_even ? mark_fractions(p, side) : NULL;
	profile_add_up(p, side, log->sealed, log->n, &(struct alike){.is_even = is_even, .mark = mark});
	free(mark);
}

/* May equal entries that are not neighbours be joined? */
static bool may_add_up(struct profile *p, unsigned side)
{
	const struct sample_log *log = &p->log[side];
	size_t n = log->n - log->sealed;
	/* If nearly all stacks differ, joining gains nothing. */
	if (n < LEAST_ADDED_UP || n / 2 < p->n_paths)
		return false;
	if (is_bag(p, side))
		return true;
	if (p->join != JOIN_RUNS || !p->most_ordered || n < p->most_ordered || log->time)
		return false;
	report_add_state(&p->report, NOTE_WARN,
	                 "samples of the same stack were added up to save memory: their order is lost");
	return true;
}

/*
 * The log is full: joins equal entries first, where allowed. Samples of different weights are joined only if that
 * is not enough, since diff_samples() then estimates the weight of a sample less exactly.
 */
static void make_room(struct profile *p, unsigned side)
{
	struct sample_log *log = &p->log[side];
	if (may_add_up(p, side)) {
		add_up_entries(p, side, true);
		if (log->n > log->cap / 2)
			add_up_entries(p, side, false);
	}
	if (log->n > log->cap / 2 || log->n == log->cap)
		samples_grow(log);
}

static void count_in(struct profile *p, unsigned side, const struct sample *s, uint64_t n)
{
	struct series *series = &p->series[s->series];
	p->log[side].samples += n;
	weight_add(&p->log[side].total, s->weight); /* of different events, whose sum is not shown */
	add_noted(p, &series->total[side], s->weight);
	*(side == 0 ? &series->samples : &series->base_samples) += n;
	series->has_times[side] |= s->time != NO_TIME;
}

void profile_add(struct profile *p, unsigned side, uint32_t path, const struct sample *s)
{
	struct sample_log *log = &p->log[side];
	size_t entry;
	if (path == p->bound.lost)
		return;
	if (!p->n_series)
		profile_series(p, 0, 0);
	log->has_times |= s->time != NO_TIME;
	if (log->n == log->cap)
		make_room(p, side);
	entry = entry_for(p, side, path, s);
	if (entry != SIZE_MAX)
		repeat(p, side, entry, s);
	else
		push(p, side, path, s);
	count_in(p, side, s, 1);
}

size_t profile_add_entry(struct profile *p, unsigned side, uint32_t path, const struct sample *s, uint64_t n,
                         struct spread spread)
{
	struct sample_log *log = &p->log[side];
	if (path == p->bound.lost)
		return SIZE_MAX;
	if (log->n == log->cap)
		make_room(p, side);
	push(p, side, path, s);
	samples_repeat(log, log->n - 1, n - 1);
	samples_set_spread(log, log->n - 1, spread);
	count_in(p, side, s, n);
	return log->n - 1;
}

uint32_t profile_task(struct profile *p, uint32_t comm, int64_t pid, int64_t tid)
{
	struct lookup *l = p->lookup;
	struct task_key key = {pid, tid, comm};
	struct task_entry *e;
	HASH_FIND(hh, l->tasks, &key, sizeof key, e);
	if (e)
		return e->index;
	e = mem_zalloc(1, sizeof *e);
	e->key = key;
	e->index = (uint32_t)p->n_tasks;
	mem_push(p->tasks, p->n_tasks, p->cap_tasks, ((struct task){comm, pid, tid}));
	HASH_ADD(hh, l->tasks, key, sizeof key, e);
	return e->index;
}

static struct series_entry *find_series(const struct profile *p, uint64_t name)
{
	struct lookup *l = p->lookup;
	struct series_entry *e;
	HASH_FIND(hh, l->series, &name, sizeof name, e);
	return e;
}

bool profile_has_series(const struct profile *p, uint32_t name)
{
	return name != NO_SYMBOL && find_series(p, name);
}

/* "time (us)": the same name with another unit is another event; the two are not added up. */
static uint32_t name_with_unit(struct profile *p, uint32_t name, uint32_t unit)
{
	enum { MOST = 1024 }; /* bytes of the name, which may have very many units */
	struct buf text;
	uint32_t sym;
	buf_init(&text);
	buf_addf(&text, "%.*s (%s)", MOST, name ? p->symtab.symbols[name].name : "unnamed",
	         unit ? p->symtab.symbols[unit].name : "samples");
	sym = symtab_intern(&p->symtab, text.data, text.len);
	buf_deinit(&text);
	return sym;
}

/* Does the series count in that unit on this side? Then it does from now on. */
static bool has_unit(struct series *s, unsigned side, uint32_t unit)
{
	if (s->units[side])
		return s->units[side] == unit + 1;
	if (s->unit && unit && s->unit != unit)
		return false;
	s->unit = s->unit ? s->unit : unit;
	s->units[side] = unit + 1;
	return true;
}

uint32_t profile_series(struct profile *p, uint32_t name, uint32_t unit)
{
	return profile_series_on(p, p->n_files > 0 ? p->files[p->n_files - 1].side : 0, name, unit);
}

uint32_t profile_series_on(struct profile *p, unsigned side, uint32_t name, uint32_t unit)
{
	struct series_entry *e = find_series(p, name);
	uint32_t family = 0;
	unit = profile_spell_unit(p, unit ? unit : p->bare_unit);
	if (e && !has_unit(&p->series[e->index], side, unit)) {
		family = e->index + 1;
		name = name_with_unit(p, name, unit);
		e = find_series(p, name);
		if (e)
			has_unit(&p->series[e->index], side, unit);
	}
	if (e)
		return e->index;
	if (p->n_series > UINT16_MAX) {
		report_add(&p->report, NOTE_WARN, "more than 65536 events: the rest is counted under the last one", NULL, 0,
		           NULL, 0);
		return UINT16_MAX;
	}
	e = mem_zalloc(1, sizeof *e);
	e->name = name;
	e->index = (uint32_t)p->n_series;
	mem_push(p->series, p->n_series, p->cap_series, ((struct series){name, unit, .family = family}));
	has_unit(&p->series[e->index], side, unit);
	HASH_ADD(hh, ((struct lookup *)p->lookup)->series, name, sizeof e->name, e);
	profile_rank_series(p, e->index, e->index);
	return e->index;
}

void profile_rank_series(struct profile *p, uint32_t series, uint32_t place)
{
	p->series[series].rank = (uint64_t)p->n_files << 32 | place;
}

bool profile_time_range(const struct profile *p, uint64_t *first, uint64_t *last)
{
	if (!p->times)
		return samples_time_range(&p->log[0], first, last);
	*first = p->times[0];
	*last = p->times[1];
	return true;
}

/* --- snapshots --- */

static void copy_lookup(struct profile *copy)
{
	struct lookup *l = copy->lookup = mem_zalloc(1, sizeof *l);
	for (size_t i = 1; i < copy->n_tasks; i++) {
		struct task_entry *e = mem_zalloc(1, sizeof *e);
		e->key = (struct task_key){copy->tasks[i].pid, copy->tasks[i].tid, copy->tasks[i].comm};
		e->index = (uint32_t)i;
		HASH_ADD(hh, l->tasks, key, sizeof e->key, e);
	}
	for (size_t i = 0; i < copy->n_series; i++) {
		struct series_entry *e = mem_zalloc(1, sizeof *e);
		e->name = copy->series[i].name;
		e->index = (uint32_t)i;
		HASH_ADD(hh, l->series, name, sizeof e->name, e);
	}
}

void profile_snapshot(struct profile *copy, const struct profile *of)
{
	*copy = *of;
	symtab_copy(&copy->symtab, &of->symtab);
	copy->parent = mem_copy(of->parent, of->n_paths, sizeof *of->parent);
	copy->sym = mem_copy(of->sym, of->n_paths, sizeof *of->sym);
	copy->cap_paths = of->n_paths;
	copy->hashes = NULL;
	copy->index = (struct map){0};
	copy->n_indexed = 0;
	copy->recent[0] = copy->recent[1] = NULL;
	samples_copy(&copy->log[0], &of->log[0]);
	samples_copy(&copy->log[1], &of->log[1]);
	copy->tasks = mem_copy(of->tasks, of->n_tasks, sizeof *of->tasks);
	copy->cap_tasks = of->n_tasks;
	copy->tags = tags_snapshot(of->tags);
	copy->sites = sites_copy(of->sites);
	copy->series = mem_copy(of->series, of->n_series, sizeof *of->series);
	copy->cap_series = of->n_series;
	copy->files = mem_copy(of->files, of->n_files, sizeof *of->files);
	copy->cap_files = of->n_files;
	for (size_t i = 0; i < of->n_files; i++)
		copy->files[i].name = mem_strdup(of->files[i].name);
	copy->fractions = mem_copy(of->fractions, of->n_fractions, sizeof *of->fractions);
	copy->cap_fractions = of->n_fractions;
	report_init(&copy->report);
	report_merge(&copy->report, &of->report, NULL, 0);
	copy_lookup(copy);
}
