/*
 * profile.c - the trie of call paths, and the sample logs.
 *
 * Two ways of looking paths up are served. Sorted folded text needs none: its reader appends paths in depth-first order
 * and the index does not even exist. For everything else the index maps the hash of a whole path to its number, so
 * that a stack whose path is known costs one probe, and one that is partly known a binary search over its prefixes
 * (if a path is known, so are all of its prefixes).
 */
#include "profile.h"

#include <string.h>

#define HASH_FUNCTION(key, len, value) ((value) = (unsigned)hash_bytes((key), (len)))
#define uthash_fatal(msg) mem_exhausted()
#include "base/mem.h"

#include <uthash.h>

/* Tasks and series are found by value through uthash. */
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

static void log_deinit(struct sample_log *log)
{
	free(log->path);
	free(log->weight);
	free(log->time);
	free(log->task);
	free(log->series);
	free(log->cpu);
}

void profile_deinit(struct profile *p)
{
	symtab_deinit(&p->symtab);
	report_deinit(&p->report);
	if (p->lookup)
		lookup_free(p->lookup);
	for (size_t i = 0; i < p->n_files; i++)
		free(p->files[i].name);
	log_deinit(&p->log[0]);
	log_deinit(&p->log[1]);
	free(p->parent);
	free(p->sym);
	free(p->hashes);
	free(p->slots);
	free(p->tasks);
	free(p->series);
	free(p->files);
	free(p->fractions);
	*p = (struct profile){0};
}

/* --- paths --- */

static void slot_insert(struct profile *p, uint32_t path)
{
	uint64_t b = p->hashes[path].b;
	size_t i = b & (p->n_slots - 1);

	while (p->slots[i].path)
		i = (i + 1) & (p->n_slots - 1);
	p->slots[i] = (struct path_slot){(uint32_t)(b >> 32), path};
}

static void rehash(struct profile *p, size_t n_slots)
{
	free(p->slots);
	p->slots = mem_zalloc_table(n_slots, sizeof *p->slots);
	p->n_slots = n_slots;
	for (uint32_t path = 1; path < p->n_indexed; path++)
		slot_insert(p, path);
}

void profile_index(struct profile *p)
{
	size_t n_slots = p->n_slots ? p->n_slots : 256;

	if (p->slots && p->n_indexed == p->n_paths)
		return;
	if (!p->slots) {
		p->hashes = mem_alloc(p->cap_paths * sizeof *p->hashes);
		p->hashes[0] = path_hash_root();
		p->n_indexed = 1;
	}
	while (n_slots < (size_t)p->n_paths * 2)
		n_slots *= 2;
	if (n_slots != p->n_slots)
		rehash(p, n_slots);
	for (; p->n_indexed < p->n_paths; p->n_indexed++) {
		uint32_t i = p->n_indexed;

		p->hashes[i] = path_hash_next(p->hashes[p->parent[i]], p->symtab.symbols[p->sym[i]].hash);
		slot_insert(p, i);
	}
}

uint32_t profile_lookup(const struct profile *p, struct path_hash h)
{
	uint32_t tag = (uint32_t)(h.b >> 32);

	for (size_t i = h.b & (p->n_slots - 1); p->slots[i].path; i = (i + 1) & (p->n_slots - 1)) {
		uint32_t path = p->slots[i].path;

		if (p->slots[i].tag == tag && p->hashes[path].a == h.a && p->hashes[path].b == h.b)
			return path;
	}
	return UINT32_MAX;
}

static void grow_paths(struct profile *p)
{
	size_t cap = p->cap_paths;

	p->parent = mem_grow(p->parent, &p->cap_paths, (size_t)p->n_paths + 1, sizeof *p->parent);
	p->sym = mem_realloc(p->sym, p->cap_paths, sizeof *p->sym);
	if (p->slots && cap != p->cap_paths)
		p->hashes = mem_realloc(p->hashes, p->cap_paths, sizeof *p->hashes);
}

uint32_t profile_append_unindexed(struct profile *p, uint32_t parent, uint32_t sym)
{
	uint32_t path = p->n_paths;

	if (path >= UINT32_MAX - 2)
		mem_exhausted();
	if (path == p->cap_paths)
		grow_paths(p);
	p->parent[path] = parent;
	p->sym[path] = sym;
	p->n_paths++;
	return path;
}

uint32_t profile_append_path(struct profile *p, uint32_t parent, uint32_t sym, const struct path_hash *h)
{
	uint32_t path = profile_append_unindexed(p, parent, sym);

	if (p->slots && p->n_indexed == path) {
		p->hashes[path] = h ? *h : path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash);
		p->n_indexed++;
		slot_insert(p, path);
		if ((size_t)p->n_paths * 2 > p->n_slots)
			rehash(p, p->n_slots * 2);
	}
	return path;
}

uint32_t profile_find_child(const struct profile *p, uint32_t parent, uint32_t sym)
{
	uint32_t path = UINT32_MAX;

	if (parent < p->n_indexed)
		path = profile_lookup(p, path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash));
	for (uint32_t i = parent < p->n_indexed ? p->n_indexed : parent + 1; path == UINT32_MAX && i < p->n_paths; i++)
		if (p->parent[i] == parent && p->sym[i] == sym)
			path = i;
	return path;
}

uint32_t profile_child(struct profile *p, uint32_t parent, uint32_t sym)
{
	struct path_hash h;
	uint32_t path;

	profile_index(p);
	h = path_hash_next(p->hashes[parent], p->symtab.symbols[sym].hash);
	path = profile_lookup(p, h);
	if (path != UINT32_MAX)
		return path;
	return profile_append_path(p, parent, sym, &h);
}

/*
 * A binary search for the longest known prefix. The whole stack is asked for first: in a profile most stacks have been
 * seen before.
 */
uint32_t profile_path_hashed(struct profile *p, const uint32_t *syms, const struct path_hash *h, size_t n,
                             uint32_t known, size_t depth)
{
	uint32_t path;
	size_t lo = depth, hi = n; /* prefix lo is known, prefix hi is not */

	profile_index(p);
	path = n > depth ? profile_lookup(p, h[n]) : known;
	if (path != UINT32_MAX)
		return path;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		path = profile_lookup(p, h[mid]);
		if (path == UINT32_MAX) {
			hi = mid;
		} else {
			lo = mid;
			known = path;
		}
	}
	for (size_t i = lo + 1; i <= n; i++)
		profile_prefetch(p, h[i]);
	for (path = known; lo < n; lo++)
		path = profile_append_path(p, path, syms[lo], &h[lo + 1]);
	return path;
}

uint32_t profile_path(struct profile *p, const uint32_t *syms, size_t n)
{
	struct path_hash local[256], *h = n < 256 ? local : mem_alloc((n + 1) * sizeof *h);
	uint32_t path;

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

static uint64_t add_saturating(struct profile *p, uint64_t *sum, uint64_t weight)
{
	if (__builtin_add_overflow(*sum, weight, sum)) {
		*sum = UINT64_MAX;
		report_add_state(&p->report, NOTE_WARN,
		                 "the sum of all counts is above 2^64 - 1: totals and shares are cut there");
	}
	return *sum;
}

/* Makes a column that only some samples need; earlier ones get its default, all bits `fill`. */
static void *add_column(const struct sample_log *log, size_t size, int fill)
{
	char *column = mem_alloc(log->cap * size);

	memset(column, fill, log->cap * size);
	return column;
}

static void grow_log(struct sample_log *log)
{
	size_t cap = log->cap, old = log->cap;

	log->path = mem_grow(log->path, &cap, log->n + 1, sizeof *log->path);
	log->cap = cap;
	log->weight = mem_realloc(log->weight, cap, sizeof *log->weight);
	if (log->time) {
		log->time = mem_realloc(log->time, cap, sizeof *log->time);
		memset(log->time + old, 0xff, (cap - old) * sizeof *log->time);
	}
	if (log->task) {
		log->task = mem_realloc(log->task, cap, sizeof *log->task);
		memset(log->task + old, 0, (cap - old) * sizeof *log->task);
	}
	if (log->series) {
		log->series = mem_realloc(log->series, cap, sizeof *log->series);
		memset(log->series + old, 0, (cap - old) * sizeof *log->series);
	}
	if (log->cpu) {
		log->cpu = mem_realloc(log->cpu, cap, sizeof *log->cpu);
		memset(log->cpu + old, 0xff, (cap - old) * sizeof *log->cpu);
	}
}

static void set_columns(struct sample_log *log, size_t i, const struct sample *s)
{
	if (s->time != NO_TIME && !log->time)
		log->time = add_column(log, sizeof *log->time, 0xff);
	if (s->task && !log->task)
		log->task = add_column(log, sizeof *log->task, 0);
	if (s->series && !log->series)
		log->series = add_column(log, sizeof *log->series, 0);
	if (s->cpu != NO_CPU && !log->cpu)
		log->cpu = add_column(log, sizeof *log->cpu, 0xff);
	if (log->time)
		log->time[i] = s->time;
	if (log->task)
		log->task[i] = s->task;
	if (log->series)
		log->series[i] = (uint16_t)s->series;
	if (log->cpu)
		log->cpu[i] = s->cpu;
}

void profile_add(struct profile *p, unsigned side, uint32_t path, const struct sample *s)
{
	struct sample_log *log = &p->log[side];
	size_t i = log->n;
	struct series *series;

	if (!p->n_series)
		profile_series(p, 0, 0);
	if (i == log->cap)
		grow_log(log);
	log->path[i] = path;
	log->weight[i] = s->weight;
	log->n++;
	set_columns(log, i, s);
	series = &p->series[s->series];
	add_saturating(p, &log->total, s->weight);
	add_saturating(p, &series->total[side], s->weight);
	series->samples += side == 0;
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

uint32_t profile_series(struct profile *p, uint32_t name, uint32_t unit)
{
	struct lookup *l = p->lookup;
	struct series_entry *e;
	uint64_t key = name;

	HASH_FIND(hh, l->series, &key, sizeof key, e);
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
	mem_push(p->series, p->n_series, p->cap_series, ((struct series){.name = name, .unit = unit}));
	HASH_ADD(hh, l->series, name, sizeof e->name, e);
	return e->index;
}

uint32_t profile_find_series(const struct profile *p, const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < p->n_series; i++) {
		const struct symbol *s = &p->symtab.symbols[p->series[i].name];

		if (s->len == len && memcmp(s->name, name, len) == 0)
			return (uint32_t)i;
	}
	return UINT32_MAX;
}

bool profile_time_range(const struct profile *p, uint64_t *first, uint64_t *last)
{
	const struct sample_log *log = &p->log[0];

	*first = UINT64_MAX;
	*last = 0;
	for (size_t i = 0; log->time && i < log->n; i++) {
		if (log->time[i] == NO_TIME)
			continue;
		if (log->time[i] < *first)
			*first = log->time[i];
		if (log->time[i] > *last)
			*last = log->time[i];
	}
	return *first != UINT64_MAX;
}

double profile_unit(const struct profile *p)
{
	double unit = 1;

	for (unsigned d = 0; d < p->decimals; d++)
		unit *= 10;
	return unit;
}

void profile_raise_decimals(struct profile *p, unsigned decimals)
{
	uint64_t f = 1;

	for (; p->decimals < decimals; p->decimals++)
		f *= 10;
	for (unsigned side = 0; f > 1 && side < 2; side++) {
		for (size_t i = 0; i < p->log[side].n; i++)
			p->log[side].weight[i] *= f;
		p->log[side].total *= f;
		for (size_t i = 0; i < p->n_series; i++)
			p->series[i].total[side] *= f;
	}
	for (size_t i = 0; f > 1 && i < p->n_series; i++)
		p->series[i].let_go *= f;
}

void profile_add_fraction(struct profile *p, unsigned side, uint32_t millionths)
{
	mem_push(p->fractions, p->n_fractions, p->cap_fractions,
	         ((struct fraction){p->log[side].n - 1, millionths, side}));
}

/* Decimals that hold n fractions: 1 to 6. */
static unsigned decimals_needed(const struct fraction *x, size_t n)
{
	uint32_t unit = 100000;
	unsigned decimals = 1;

	for (size_t i = 0; i < n; i++) {
		while (x[i].millionths % unit) {
			unit /= 10;
			decimals++;
		}
	}
	return decimals;
}

static uint32_t series_of(const struct sample_log *log, size_t i)
{
	return log->series ? log->series[i] : 0;
}

/*
 * Would cutting the n fractions from x on, all there are of samples from number first[] to end[], lose a tenth of what one of
 * their series sums up to?
 */
static bool is_much_lost(const struct profile *p, const struct fraction *x, size_t n, const size_t *first,
                         const size_t *end)
{
	double *lost = mem_zalloc(2 * p->n_series, sizeof *lost), *whole = mem_zalloc(2 * p->n_series, sizeof *whole);
	double unit = profile_unit(p);
	bool is_much = false;

	for (size_t i = 0; i < n; i++)
		lost[2 * series_of(&p->log[x[i].side], x[i].sample) + x[i].side] += x[i].millionths / 1e6;
	for (unsigned side = 0; side < 2; side++)
		for (size_t i = first[side]; i < end[side]; i++)
			whole[2 * series_of(&p->log[side], i) + side] += (double)p->log[side].weight[i] / unit;
	for (size_t i = 0; i < 2 * p->n_series; i++)
		is_much = is_much || (lost[i] > 0 && 9 * lost[i] >= whole[i]);
	free(lost);
	free(whole);
	return is_much;
}

/* The decimals that the fractions ask for, file by file: they stand in the order of files, as samples do. */
static unsigned decimals_due(const struct profile *p)
{
	static const size_t begin[2];
	const size_t all[2] = {p->log[0].n, p->log[1].n};
	unsigned due = p->decimals;

	for (size_t file = 0, from = 0, to = 0; from < p->n_fractions; from = to, file++) {
		const size_t *first = file < p->n_files ? p->files[file].first : begin;
		const size_t *end = file + 1 < p->n_files ? p->files[file + 1].first : all;
		const struct fraction *x = p->fractions;

		while (to < p->n_fractions && x[to].sample < end[x[to].side])
			to++;
		if (to > from && is_much_lost(p, x + from, to - from, first, end)) {
			unsigned decimals = decimals_needed(x + from, to - from);

			due = decimals > due ? decimals : due;
		}
	}
	return due;
}

/* Do all sums fit 64 bits with so many decimals, and with the fractions, each of which is less than one? */
static bool is_room(const struct profile *p, unsigned decimals)
{
	uint64_t limit = UINT64_MAX, unit = 1;

	for (unsigned d = 0; d < decimals; d++) {
		limit = d >= p->decimals ? limit / 10 : limit;
		unit *= d < p->decimals ? 10 : 1;
	}
	for (unsigned side = 0; side < 2; side++)
		if (p->log[side].total > limit || p->n_fractions >= (limit - p->log[side].total) / unit)
			return false;
	return true;
}

/* Adds what the decimals hold of the fractions. Is that all of them? */
static bool add_fractions(struct profile *p)
{
	uint32_t unit = 1000000;
	bool is_all = true;

	for (unsigned d = 0; d < p->decimals && unit > 1; d++)
		unit /= 10;
	for (size_t i = 0; i < p->n_fractions; i++) {
		const struct fraction *x = &p->fractions[i];
		struct sample_log *log = &p->log[x->side];
		uint64_t more = x->millionths / unit;

		for (unsigned d = 6; d < p->decimals; d++)
			more *= 10;
		is_all = is_all && x->millionths % unit == 0;
		log->weight[x->sample] += more;
		add_saturating(p, &log->total, more);
		add_saturating(p, &p->series[series_of(log, x->sample)].total[x->side], more);
	}
	return is_all;
}

void profile_settle_fractions(struct profile *p)
{
	unsigned due = decimals_due(p);

	while (due > p->decimals && !is_room(p, due))
		due--;
	profile_raise_decimals(p, due);
	if (!add_fractions(p))
		report_add_state(&p->report, NOTE_WARN,
		                 due ? "fractional counts are cut to fewer decimals"
		                     : "fractional counts are cut to integers");
	free(p->fractions);
	p->fractions = NULL;
	p->n_fractions = p->cap_fractions = 0;
}

/* --- snapshots --- */

static void *copy_array(const void *from, size_t n, size_t size)
{
	void *to;

	if (!from)
		return NULL;
	to = mem_alloc((n ? n : 1) * size);
	memcpy(to, from, n * size);
	return to;
}

static void copy_log(struct sample_log *to, const struct sample_log *from)
{
	*to = *from;
	to->cap = from->n ? from->n : 1;
	to->path = copy_array(from->path, from->n, sizeof *to->path);
	to->weight = copy_array(from->weight, from->n, sizeof *to->weight);
	to->time = copy_array(from->time, from->n, sizeof *to->time);
	to->task = copy_array(from->task, from->n, sizeof *to->task);
	to->series = copy_array(from->series, from->n, sizeof *to->series);
	to->cpu = copy_array(from->cpu, from->n, sizeof *to->cpu);
}

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
	copy->parent = copy_array(of->parent, of->n_paths, sizeof *of->parent);
	copy->sym = copy_array(of->sym, of->n_paths, sizeof *of->sym);
	copy->cap_paths = of->n_paths;
	copy->hashes = NULL;
	copy->slots = NULL;
	copy->n_slots = 0;
	copy->n_indexed = 0;
	copy_log(&copy->log[0], &of->log[0]);
	copy_log(&copy->log[1], &of->log[1]);
	copy->tasks = copy_array(of->tasks, of->n_tasks, sizeof *of->tasks);
	copy->cap_tasks = of->n_tasks;
	copy->series = copy_array(of->series, of->n_series, sizeof *of->series);
	copy->cap_series = of->n_series;
	copy->files = copy_array(of->files, of->n_files, sizeof *of->files);
	copy->cap_files = of->n_files;
	for (size_t i = 0; i < of->n_files; i++)
		copy->files[i].name = mem_strdup(of->files[i].name);
	copy->fractions = copy_array(of->fractions, of->n_fractions, sizeof *of->fractions);
	copy->cap_fractions = of->n_fractions;
	report_init(&copy->report);
	report_merge(&copy->report, &of->report, NULL, 0);
	copy_lookup(copy);
}
