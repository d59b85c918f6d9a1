/*
 * firefox_paths.c - makes the paths of the stacks of a profile of Firefox.
 *
 *	samples.stack [2,1]   stackTable.frame [0,1,1]     stacks of samples   0: none
 *	                      stackTable.prefix [null,0,0]                     1: main on 0   2: read on 1
 *	                      frames 0 main, 1 read        numbers of rows     [1,2,2]
 *
 * The stacks that samples have are numbered first, each after its parent, for all threads: two numbers for each.
 * Several of them may be one path, as frames differ by their lines or addresses. When all are known, paths are made
 * of them at once. If there were none before, that takes no look-ups: each stack has a list of its children, and a
 * mark for each symbol tells which of them are the same.
 */
#include "collapse/formats/firefox_profile.h"

#define NOT_MADE UINT32_MAX /* of numbers and symbols */
#define PENDING (UINT32_MAX - 1)
#define NO_STACK 0u

void firefox_paths_deinit(struct firefox_profile *p)
{
	free(p->stacks);
	free(p->paths);
	free(p->rows.v);
}

/* ---- from rows to stacks ------------------------------------------------------------------------------------- */

static uint32_t *filled(size_t n, uint32_t v)
{
	uint32_t *list = mem_alloc((n + 1) * sizeof *list);
	for (size_t i = 0; i < n; i++)
		list[i] = v;
	return list;
}

/* FIREFOX_LOST: there are too many. */
static uint32_t add_stack(struct firefox_profile *p, uint32_t parent, uint32_t sym)
{
	struct profile *profile = p->sink->profile;
	if (!profile_walk(profile, 1) || profile->n_paths + p->n_stacks > profile->bound.most_paths) {
		profile_lost(profile);
		return FIREFOX_LOST;
	}
	mem_push(p->stacks, p->n_stacks, p->cap_stacks, ((struct firefox_stack){parent, sym}));
	return (uint32_t)p->n_stacks - 1;
}

/* --pid and --tid: the root frame "name-PID" or "name-PID/TID". */
static uint32_t root_of(struct firefox_profile *p, const struct firefox_thread *t)
{
	const struct collapse_options *o = p->sink->options;
	struct symbol name = p->sink->profile->symtab.symbols[t->process ? t->process : t->name];
	struct buf text;
	if ((!o->pid && !o->tid) || t->pid < 0)
		return NO_STACK;
	buf_init(&text);
	sink_add_shared(p->sink, &text, name.name, name.len);
	buf_addf(&text, "-%lld", (long long)t->pid);
	if (o->tid && t->tid >= 0)
		buf_addf(&text, "/%lld", (long long)t->tid);
	uint32_t sym = sink_frame(p->sink, text.data, text.len);
	buf_deinit(&text);
	return add_stack(p, NO_STACK, sym);
}

static size_t count_frames(const struct firefox_tables *t)
{
	size_t n = firefox_numbers(t, FRAME_LOCATION)->n;
	return n ? n : firefox_numbers(t, FRAME_FUNC)->n;
}

/* Gets the tables ready for the stacks of a thread. */
static void begin_numbers(const struct firefox_profile *p, struct firefox_tables *t, uint32_t root)
{
	size_t n = t->columns[STACK_FRAME].n;
	if (t->numbers && t->root != root) {
		free(t->numbers);
		t->numbers = NULL;
	}
	if (!t->numbers)
		t->numbers = filled(n, NOT_MADE);
	if (!t->sites && p->sink->options->wants_sites)
		t->sites = mem_zalloc(n + 1, sizeof *t->sites);
	if (!t->syms)
		t->syms = filled(count_frames(t), NOT_MADE);
	t->root = root;
}

/* The parent of a row; NO_NUMBER: it is the outermost frame. */
static uint32_t prefix_of(const struct firefox_tables *t, uint32_t row)
{
	if (!t->columns[STACK_OFFSET].n)
		return firefox_at(t, STACK_PREFIX, row);
	uint32_t offset = firefox_at(t, STACK_OFFSET, row);
	if (offset == 0 || offset == NO_NUMBER)
		return NO_NUMBER;
	return offset <= row ? row - offset : BAD_NUMBER;
}

static uint32_t symbol_of(struct firefox_profile *p, struct firefox_tables *t, uint32_t frame)
{
	if (frame >= count_frames(t))
		return BAD_NUMBER;
	if (t->syms[frame] == NOT_MADE)
		t->syms[frame] = p->frame(p, t, frame);
	return t->syms[frame];
}

static uint32_t site_of(struct firefox_profile *p, const struct firefox_tables *t, uint32_t above, uint32_t frame)
{
	uint32_t line = firefox_at(t, FRAME_LINE, frame), sym = t->syms[frame];
	const struct symtab *names = &p->sink->profile->symtab;
	if (line >= FIREFOX_LOST || line == 0)
		return above;
	uint32_t file = names->symbols[sym].source;
	const struct symbol *source = &names->symbols[file];
	uint64_t first;
	size_t n = origin_place(names, sym, &first);
	if (n < source->len)
		file = sink_sym(p->sink, source->name, n);
	const struct site site = {.sym = sym, .file = file, .line = line};
	return profile_site_child(p->sink->profile, above, &site);
}

/* Numbers a row whose parent has the number `below`. */
static uint32_t number_row(struct firefox_profile *p, struct firefox_tables *t, uint32_t row, uint32_t below,
                           uint32_t *site)
{
	uint32_t frame = firefox_at(t, STACK_FRAME, row);
	uint32_t sym = below >= FIREFOX_LOST ? BAD_NUMBER : symbol_of(p, t, frame);
	uint32_t number = below == FIREFOX_LOST ? below : sym == BAD_NUMBER ? FIREFOX_BROKEN : add_stack(p, below, sym);
	if (number < FIREFOX_LOST && t->sites)
		t->sites[row] = *site = site_of(p, t, *site, frame);
	t->numbers[row] = number;
	return number;
}

/* Climbs to a row that has a number, or to the root, and descends again. */
static uint32_t number_of(struct firefox_profile *p, struct firefox_tables *t, uint32_t row)
{
	uint32_t number = t->root, site = NO_SITE;
	if (p->sink->profile->bound.is_reached)
		return FIREFOX_LOST;
	for (p->rows.n = 0; row != NO_NUMBER; row = prefix_of(t, row)) {
		bool is_row = row < t->columns[STACK_FRAME].n;
		if (!is_row || t->numbers[row] != NOT_MADE) {
			number = is_row && t->numbers[row] != PENDING ? t->numbers[row] : FIREFOX_BROKEN;
			site = is_row && t->sites ? t->sites[row] : NO_SITE;
			break;
		}
		t->numbers[row] = PENDING;
		firefox_push(&p->rows, row);
	}
	while (p->rows.n)
		number = number_row(p, t, p->rows.v[--p->rows.n], number, &site);
	return number;
}

/* Replaces rows by numbers of stacks. */
static void number_log(struct firefox_profile *p, struct firefox_tables *t, struct firefox_log *log)
{
	if (t->sites && log->stack.n) {
		log->site = mem_zalloc(log->stack.n, sizeof *log->site);
		log->n_sites = log->cap_sites = log->stack.n;
	}
	for (size_t i = 0; i < log->stack.n; i++) {
		uint32_t row = log->stack.v[i];
		if (row == NO_NUMBER)
			continue;
		log->stack.v[i] = number_of(p, t, row);
		if (log->site && log->stack.v[i] < FIREFOX_LOST)
			log->site[i] = t->sites[row];
	}
}

void firefox_number_stacks(struct firefox_profile *p, const struct firefox_thread *thread, struct firefox_tables *t)
{
	if (!p->n_stacks)
		mem_push(p->stacks, p->n_stacks, p->cap_stacks, ((struct firefox_stack){0, 0}));
	begin_numbers(p, t, root_of(p, thread));
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++)
		number_log(p, t, &p->data.logs[i]);
}

/* ---- from stacks to paths ------------------------------------------------------------------------------------ */

/* The children of each stack, and which stacks are the same. */
struct kin {
	const struct firefox_stack *stacks;
	uint32_t n;
	uint32_t *first;   /* its first child; 0: it has none */
	uint32_t *sibling; /* the next child of its parent; 0: it is the last */
	uint32_t *same;    /* the stack that stands for it and its like; itself: it is the one */
	uint32_t *next;    /* another one for which that stands; 0: there is none */
	uint32_t *open;    /* those that stand for their like, and whose children are to be compared */
	uint32_t n_open;
	struct mark {
		uint32_t parent, stack;
	} * marks; /* by symbol: its last stack, and the one that stands for the parent */
};

/* Lists the children of each stack, in their order. */
static void list_children(struct kin *k)
{
	for (uint32_t i = k->n - 1; i > 0; i--) {
		uint32_t *first = &k->first[k->stacks[i].parent];
		k->sibling[i] = *first;
		*first = i;
	}
}

/* Compares the children of `of`, a stack for which `parent` stands, with those that were seen of that. */
static void compare_children(struct kin *k, uint32_t parent, uint32_t of)
{
	for (uint32_t child = k->first[of]; child; child = k->sibling[child]) {
		struct mark *m = &k->marks[k->stacks[child].sym];
		if (m->stack && m->parent == parent) {
			k->same[child] = m->stack;
			k->next[child] = k->next[m->stack];
			k->next[m->stack] = child;
			continue;
		}
		*m = (struct mark){parent, child};
		k->same[child] = child;
		k->open[k->n_open++] = child;
	}
}

/* A stack is opened when all of its like are known: they are children of stacks that are the same. */
static void find_same(struct kin *k)
{
	k->open[k->n_open++] = NO_STACK;
	while (k->n_open) {
		uint32_t parent = k->open[--k->n_open], of = parent;
		do
			compare_children(k, parent, of);
		while ((of = k->next[of]) != 0);
	}
}

/* Makes paths of stacks in a profile without any. */
static void make_first_paths(struct firefox_profile *p)
{
	struct profile *profile = p->sink->profile;
	size_t n = p->n_stacks;
	struct kin k = {.stacks = p->stacks, .n = (uint32_t)n};
	k.first = mem_zalloc(n, sizeof *k.first);
	k.sibling = mem_alloc(n * sizeof *k.sibling);
	k.same = mem_zalloc(n, sizeof *k.same);
	k.next = mem_zalloc(n, sizeof *k.next);
	k.open = mem_alloc(n * sizeof *k.open);
	k.marks = mem_zalloc(profile->symtab.n, sizeof *k.marks);
	list_children(&k);
	find_same(&k);
	free(k.marks);
	free(k.open);
	free(k.next);
	free(k.sibling);
	free(k.first);
	for (size_t i = 1; i < n; i++) {
		uint32_t *path = &p->paths[k.same[i]];
		if (*path == PATH_ROOT)
			*path = profile_append_path(profile, p->paths[p->stacks[i].parent], p->stacks[i].sym, NULL);
		p->paths[i] = *path;
	}
	free(k.same);
}

#define AT_ONCE 64u /* stacks whose look-ups overlap */

/* Makes paths of stacks [first, end), at most AT_ONCE, in a profile that has others. */
static void make_more_paths(struct firefox_profile *p, size_t first, size_t end)
{
	struct profile *profile = p->sink->profile;
	struct path_hash h[AT_ONCE];
	for (size_t i = first; i < end; i++) {
		uint32_t parent = p->stacks[i].parent;
		struct path_hash below = parent >= first ? h[parent - first] : profile->hashes[p->paths[parent]];
		h[i - first] = path_hash_next(below, profile->symtab.symbols[p->stacks[i].sym].hash);
		profile_prefetch(profile, h[i - first]);
	}
	for (size_t i = first; i < end; i++) {
		uint32_t path = profile_lookup(profile, h[i - first]);
		if (path == NO_PATH)
			path = profile_append_path(profile, p->paths[p->stacks[i].parent], p->stacks[i].sym, &h[i - first]);
		p->paths[i] = path;
	}
}

void firefox_make_paths(struct firefox_profile *p)
{
	struct profile *profile = p->sink->profile;
	p->paths = mem_zalloc(p->n_stacks + 1, sizeof *p->paths);
	if (profile->n_paths == 1 && p->n_stacks) {
		make_first_paths(p);
		return;
	}
	profile_index(profile);
	for (size_t i = 1; i < p->n_stacks; i += AT_ONCE)
		make_more_paths(p, i, p->n_stacks - i < AT_ONCE ? p->n_stacks : i + AT_ONCE);
}
