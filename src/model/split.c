/*
 * split.c - puts a frame for the file, event, process, thread, processor, module or label below each stack.
 *
 * Each path of the profile is copied once above every root that its samples have. A table with open addressing maps
 * (root, path) to the copy: neighbours in the log share most frames, so most samples cost one look-up.
 */
#include "split.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "group.h"
#include "origin.h"

/* Number of the sample's file, from 1; 0: none. */
static size_t file_of(const struct profile *p, unsigned side, size_t sample)
{
	size_t known = 0,
		   end = p->n_files; /* the first `known` files begin before the sample, those from `end` on after it */
	while (known < end) {
		size_t mid = known + (end - known) / 2;
		if (p->files[mid].first[side] <= sample)
			known = mid + 1;
		else
			end = mid;
	}
	return known;
}

/* The function that did the work: the last frame of the sample's stack. */
static uint32_t leaf_of(const struct profile *p, unsigned side, size_t i)
{
	return p->sym[p->log[side].path[i]];
}

/* "user=alice" */
static void add_labels(const struct profile *p, const struct split *split, uint32_t set, struct buf *out)
{
	struct buf key;
	buf_init(&key);
	tags_read_key(&key, split->label, strlen(split->label));
	tags_add_values(p->tags, set, buf_str(&key), key.len, out);
	buf_deinit(&key);
}

static void split_name(const struct profile *p, const struct split *split, unsigned side, size_t i, struct buf *out)
{
	const struct sample_log *log = &p->log[side];
	const struct task *task = &p->tasks[log_task(log, i)];
	const struct symbol *s;
	size_t file;
	out->len = 0;
	switch (split->key) {
	case SPLIT_FILE:
		file = file_of(p, side, i);
		buf_adds(out, file ? p->files[file - 1].name : "");
		return;
	case SPLIT_EVENT:
		buf_adds(out, profile_event_name(p, log_series(log, i)));
		return;
	case SPLIT_COMM:
		s = &p->symtab.symbols[task->comm];
		if (!s->len)
			buf_adds(out, "[unknown]");
		buf_add(out, s->name, s->len);
		return;
	case SPLIT_PID:
		task->pid < 0 ? buf_adds(out, "pid ?") : buf_addf(out, "pid %lld", (long long)task->pid);
		return;
	case SPLIT_TID:
		task->tid < 0 ? buf_adds(out, "tid ?") : buf_addf(out, "tid %lld", (long long)task->tid);
		return;
	case SPLIT_CPU:
		log_cpu(log, i) != NO_CPU ? buf_addf(out, "cpu %u", log_cpu(log, i)) : buf_adds(out, "cpu ?");
		return;
	case SPLIT_MODULE:
		if (!group_add_label(&p->symtab, leaf_of(p, side, i), BY_MODULE, OF_ORIGIN, out))
			buf_adds(out, "[unknown module]");
		return;
	case SPLIT_LABEL:
		add_labels(p, split, log_tags(log, i), out);
		return;
	case N_SPLITS:
		return;
	}
}

/* A number for the value of the split key; equal numbers mean equal names. */
static uint64_t split_number(const struct profile *p, enum split_key key, unsigned side, size_t i)
{
	const struct sample_log *log = &p->log[side];
	uint32_t module;
	switch (key) {
	case SPLIT_FILE:
		return file_of(p, side, i);
	case SPLIT_EVENT:
		return log_series(log, i);
	case SPLIT_CPU:
		return log_cpu(log, i);
	case SPLIT_MODULE:
		module = group_key(&p->symtab, leaf_of(p, side, i), BY_MODULE, OF_ORIGIN);
		return module ? module : UINT64_C(1) << 32 | leaf_of(p, side, i);
	case SPLIT_LABEL:
		return log_tags(log, i);
	case SPLIT_COMM:
	case SPLIT_PID:
	case SPLIT_TID:
	case N_SPLITS:
		break;
	}
	return log_task(log, i);
}

/*
 * A frame for a process or a file is no function of an unknown module. That matters only where functions have
 * modules or are summed by them.
 */
static uint32_t no_function(struct folding *w, uint32_t sym)
{
	struct symtab *t = &w->profile->symtab;
	bool matters = t->n_variants > 0 || w->recipe->group != BY_FUNCTION;
	return matters ? symtab_variant(t, sym, (struct origin){.kind = KIND_PROCESS}) : sym;
}

/* The symbol of a sample's frame for split k, which split_make_names() created. */
static uint32_t frame_of(struct splitter *s, unsigned k, size_t i)
{
	const struct profile *p = s->folding->profile;
	const struct split *split = &s->folding->recipe->splits[k];
	uint64_t number = split_number(p, split->key, s->side, i);
	struct buf name;
	struct split_recent *recent = &s->recent[k * SPLIT_RECENT + number % SPLIT_RECENT];
	uint32_t sym;
	if (recent->is_known && recent->number == number)
		return recent->sym;
	buf_init(&name);
	split_name(p, split, s->side, i, &name);
	sym = symtab_find(&p->symtab, name.data ? name.data : "", name.len);
	buf_deinit(&name);
	*recent = (struct split_recent){number, sym == NO_SYMBOL ? 0 : no_function(s->folding, sym), true};
	return recent->sym;
}

/* NO_PATH: not copied yet. */
static uint32_t find_copy(const struct splitter *s, uint64_t key)
{
	MAP_EACH(&s->map, hash_key(key), i)
	if (s->copies[i].key == key)
		return s->copies[i].path;
	return NO_PATH;
}

static void add_copy(struct splitter *s, uint64_t key, uint32_t path)
{
	mem_push(s->copies, s->n_copies, s->cap_copies, ((struct split_copy){key, path}));
	map_add(&s->map, hash_key(key), (uint32_t)(s->n_copies - 1));
}

/*
 * Climbs from the profile's path to the first one with a copy on this root, then copies the rest downwards. A small
 * input can ask for any number of copies: beyond the limit of views a stack ends where its copies end.
 */
static uint32_t copy_path(struct splitter *s, uint32_t root, uint32_t path)
{
	const struct profile *p = s->folding->profile;
	struct trie *trie = &s->folding->trie;
	uint32_t known = root;
	size_t n = 0;
	if (s->folding->is_shortened) {
		uint32_t copy = path == PATH_ROOT ? root : find_copy(s, (uint64_t)root << 32 | path);
		return copy != NO_PATH ? copy : root;
	}
	for (; path != PATH_ROOT; path = p->parent[path]) {
		uint32_t copy = find_copy(s, (uint64_t)root << 32 | path);
		if (copy != NO_PATH) {
			known = copy;
			break;
		}
		mem_push(s->chain, n, s->cap_chain, path);
	}
	while (n && !TRIE_STOPS(trie, n) && !s->folding->is_shortened) {
		path = s->chain[--n];
		known = trie_child(trie, known, p->sym[path]);
		add_copy(s, (uint64_t)root << 32 | path, known);
		s->folding->is_shortened = trie->n > s->most;
	}
	return known;
}

uint32_t split_path(struct splitter *s, size_t i)
{
	const struct folding *w = s->folding;
	uint32_t root = PATH_ROOT;
	for (unsigned k = 0; k < w->recipe->n_splits; k++)
		root = trie_child(&s->folding->trie, root, frame_of(s, k, i));
	return copy_path(s, root, w->profile->log[s->side].path[i]);
}

void split_init(struct splitter *s, struct folding *w, unsigned side)
{
	*s = (struct splitter){.folding = w, .side = side, .most = profile_bound_of_views(w->profile)};
	s->recent = mem_zalloc(w->recipe->n_splits * SPLIT_RECENT, sizeof *s->recent);
	map_init(&s->map, w->recipe->n_splits ? 512 : 0);
}

void split_deinit(struct splitter *s)
{
	free(s->copies);
	free(s->recent);
	map_deinit(&s->map);
	free(s->chain);
}

/* The names of one log. false: cancelled. */
static bool make_names(struct folding *w, const struct split *split, unsigned side)
{
	struct profile *p = w->profile;
	uint64_t recent[SPLIT_RECENT] = {0}; /* numbers of recent samples, plus one */
	struct buf name;
	bool goes_on = true;
	buf_init(&name);
	for (size_t i = 0; i < p->log[side].n && goes_on; i++) {
		uint64_t number = split_number(p, split->key, side, i), *known = &recent[number % SPLIT_RECENT];
		goes_on = !EVERY(i) || folding_goes_on(w, 0x10000);
		if (*known == number + 1)
			continue;
		*known = number + 1;
		split_name(p, split, side, i, &name);
		no_function(w, symtab_intern(&p->symtab, name.data ? name.data : "", name.len));
	}
	buf_deinit(&name);
	return goes_on;
}

bool split_make_names(struct folding *w)
{
	bool goes_on = true;
	for (unsigned k = 0; k < w->recipe->n_splits && goes_on; k++)
		for (unsigned side = 0; side < 2 && goes_on; side++)
			goes_on = make_names(w, &w->recipe->splits[k], side);
	return goes_on;
}
