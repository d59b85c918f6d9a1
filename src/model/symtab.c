/*
 * symtab.c - interns, ranks and displays names.
 *
 * Interning is the hottest look-up of the program.
 */
#include "symtab.h"

#include <string.h>

#include "base/buf.h"
#include "base/byte_order.h"
#include "base/demangle.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/progress.h"
#include "base/sort.h"

#define FIRST_NAMES 512u

void symtab_init(struct symtab *t)
{
	*t = (struct symtab){0};
	arena_init(&t->names);
	map_init(&t->ids, FIRST_NAMES);
	symtab_intern(t, "", 0);
}

static void deinit_longs(struct symtab *t)
{
	idmap_deinit(&t->longs.symbols);
	idmap_deinit(&t->longs.places);
	free(t->longs.parts);
}

void symtab_deinit(struct symtab *t)
{
	deinit_longs(t);
	arena_deinit(&t->names);
	free(t->symbols);
	map_deinit(&t->ids);
	map_deinit(&t->variants);
	free(t->plain);
	*t = (struct symtab){0};
}

void symtab_copy(struct symtab *copy, const struct symtab *of)
{
	*copy = *of;
	copy->longs = (struct symtab_long){0};
	copy->symbols = mem_copy(of->symbols, of->n, sizeof *of->symbols);
	copy->cap = of->n;
	map_copy(&copy->ids, &of->ids);
	arena_init(&copy->names);
	if (!of->n_variants)
		return;
	copy->plain = mem_copy(of->plain, of->n_plain, sizeof *of->plain);
	copy->cap_plain = of->n_plain;
	map_copy(&copy->variants, &of->variants);
}

void symtab_clone(struct symtab *clone, const struct symtab *of)
{
	symtab_copy(clone, of);
	for (size_t i = 0; i < clone->n; i++) {
		struct symbol *s = &clone->symbols[i];
		uint32_t plain = symtab_plain(clone, (uint32_t)i);
		s->name = plain == i ? arena_bytes(&clone->names, s->name, s->len) : clone->symbols[plain].name;
	}
}

void symtab_take(struct symtab *t, struct symtab *copy)
{
	struct arena names = t->names;
	arena_join(&names, &copy->names);
	deinit_longs(t);
	free(t->symbols);
	map_deinit(&t->ids);
	map_deinit(&t->variants);
	free(t->plain);
	*t = *copy;
	t->names = names;
	*copy = (struct symtab){0};
}

static uint32_t find(const struct symtab *t, const char *name, size_t len, uint64_t hash)
{
	MAP_EACH(&t->ids, hash, id)
	{
		const struct symbol *s = &t->symbols[id];
		if (s->len == len && (!len || memcmp(s->name, name, len) == 0)) /* empty names: name may be NULL */
			return (uint32_t)id;
	}
	return NO_SYMBOL;
}

uint32_t symtab_intern_hashed(struct symtab *t, const char *name, size_t len, uint64_t hash)
{
	uint32_t id = find(t, name, len, hash);
	if (id != NO_SYMBOL)
		return id;
	if (t->n >= UINT32_MAX - 2)
		mem_exhausted();
	mem_push(t->symbols, t->n, t->cap,
	         ((struct symbol){.name = arena_bytes(&t->names, name, len), .hash = hash, .len = (uint32_t)len}));
	id = (uint32_t)(t->n - 1);
	map_add(&t->ids, hash, id);
	if (len >= SYMBOL_LONG)
		idmap_add(&t->longs.symbols, (uintptr_t)t->symbols[id].name, id);
	return id;
}

uint32_t symtab_intern(struct symtab *t, const char *name, size_t len)
{
	uint32_t sym;
	if (len >= UINT32_MAX)
		len = UINT32_MAX - 1;
	if (len >= SYMBOL_LONG && idmap_find(&t->longs.symbols, (uintptr_t)name, &sym) && t->symbols[sym].len == len)
		return sym;
	return symtab_intern_hashed(t, name, len, hash_bytes(name, len));
}

uint32_t symtab_find(const struct symtab *t, const char *name, size_t len)
{
	return find(t, name, len, hash_bytes(name, len));
}

uint32_t symtab_find_frame(const struct symtab *t, const char *name, size_t len)
{
	uint32_t sym = symtab_find(t, name, len);
	return sym != NO_SYMBOL && t->symbols[sym].is_frame ? sym : NO_SYMBOL;
}

/* The letter of a trailing "_[x]", one of k, w, i, j; 0: none. */
static char annotation(const char *name, size_t len)
{
	if (len < 4 || name[len - 4] != '_' || name[len - 3] != '[' || name[len - 1] != ']')
		return 0;
	return strchr("kwij", name[len - 2]) && name[len - 2] ? name[len - 2] : 0;
}

size_t symbol_bare_length(const char *name, size_t len)
{
	return annotation(name, len) ? len - 4 : len;
}

/* Drops one ":12" from the end. */
static size_t without_number(const char *s, size_t len)
{
	size_t n = len;
	while (n && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	return n < len && n > 1 && s[n - 1] == ':' ? n - 1 : len;
}

size_t symbol_path_length(const char *source, size_t len)
{
	return without_number(source, without_number(source, len));
}

enum frame_kind symtab_kind(const struct symtab *t, uint32_t sym)
{
	const struct symbol *s = &t->symbols[sym];
	if (s->kind != KIND_UNKNOWN)
		return (enum frame_kind)s->kind;
	switch (annotation(s->name, s->len)) {
	case 'k':
		return KIND_KERNEL;
	case 'j':
		return KIND_JIT;
	case 'i':
		return KIND_INLINED;
	default:
		return KIND_UNKNOWN;
	}
}

/*
 * Ranking sorts names by words of eight bytes. Names share long prefixes (namespaces, packages), and this reads
 * each word of a common prefix once per group, not once per comparison. The sort key of an item is the eight bytes
 * at its group's offset, big-endian and padded with zeros; the tie is the number of bytes, at most 8, which tells
 * "ab" from "ab\0".
 */
struct rank_group {
	size_t lo, hi, offset;
};

static void load_key(const struct symtab *t, struct sort_item *item, size_t offset)
{
	const struct symbol *s = &t->symbols[item->value];
	size_t n = s->len > offset ? s->len - offset : 0;
	uint64_t key = 0;
	if (n >= 8) {
		memcpy(&key, s->name + offset, 8);
		n = 8;
	} else if (n) {
		memcpy(&key, s->name + offset, n);
	}
	item->key = big64(key);
	item->tie = (uint32_t)n;
}

static void sort_by_name(const struct symtab *t, struct sort_item *items, size_t n, struct progress *progress)
{
	struct sort_item *scratch = mem_alloc(n * sizeof *scratch);
	struct rank_group *stack = NULL;
	size_t n_stack = 0, cap = 0;
	mem_push(stack, n_stack, cap, ((struct rank_group){0, n, 0}));
	while (n_stack && progress_step(progress, 0)) {
		struct rank_group g = stack[--n_stack];
		for (size_t i = g.lo; i < g.hi; i++)
			load_key(t, &items[i], g.offset);
		if (!sort_items_until(items + g.lo, g.hi - g.lo, scratch, progress))
			break;
		for (size_t i = g.lo, j; i < g.hi; i = j) {
			for (j = i + 1; j < g.hi && !sort_less(&items[i], &items[j]); j++)
				;
			if (j - i > 1 && items[i].tie == 8)
				mem_push(stack, n_stack, cap, ((struct rank_group){i, j, g.offset + 8}));
		}
	}
	free(scratch);
	free(stack);
}

bool symbol_ends_before(const struct symbol *x, const struct symbol *y)
{
	if (y->len <= x->len || memcmp(x->name, y->name, x->len) != 0)
		return true;
	return (unsigned char)y->name[x->len] >= ';';
}

int symbol_order(const struct symbol *x, const struct symbol *y)
{
	int order = memcmp(x->name, y->name, x->len < y->len ? x->len : y->len);
	return order ? order : (x->len > y->len) - (x->len < y->len);
}

void symtab_rank(const struct symtab *t, uint32_t *rank, uint32_t *ends)
{
	symtab_rank_until(t, rank, ends, NULL);
}

bool symtab_rank_until(const struct symtab *t, uint32_t *rank, uint32_t *ends, struct progress *progress)
{
	struct sort_item *items = mem_alloc(t->n * sizeof *items);
	uint32_t *open =
		mem_alloc(t->n * sizeof *open); /* names whose "name;" has no number yet, each a prefix of the next */
	size_t n_open = 0;
	uint32_t next = 0;
	size_t n = 0;
	for (size_t i = 0; i < t->n; i++)
		if (!symtab_is_variant(t, (uint32_t)i))
			items[n++].value = (uint32_t)i;
	sort_by_name(t, items, n, progress);
	bool goes_on = progress_step(progress, 0);
	for (size_t i = 0; i < n && goes_on; i++) {
		goes_on = (i & 0xffff) != 0xffff || progress_step(progress, 0);
		while (n_open && symbol_ends_before(&t->symbols[open[n_open - 1]], &t->symbols[items[i].value]))
			ends[open[--n_open]] = next++;
		rank[items[i].value] = next++;
		open[n_open++] = items[i].value;
	}
	while (n_open)
		ends[open[--n_open]] = next++;
	for (size_t i = 0; i < t->n_plain && goes_on; i++) {
		rank[i] = rank[t->plain[i]];
		ends[i] = ends[t->plain[i]];
	}
	free(open);
	free(items);
	return goes_on;
}

void display_init(struct display *d, const struct symtab *t, enum utf8_clean_mode mode, bool demangle)
{
	*d = (struct display){.symtab = t, .mode = mode, .demangle = demangle};
	arena_init(&d->texts);
}

void display_deinit(struct display *d)
{
	arena_deinit(&d->texts);
	free(d->names);
	*d = (struct display){0};
}

void display_forget(struct display *d, uint32_t first)
{
	if (first < d->cap)
		memset(d->names + first, 0, (d->cap - first) * sizeof *d->names);
}

/* Limits `len` to d->longest bytes, at the end of a character. */
static size_t shown_length(const struct display *d, const char *name, size_t len)
{
	size_t n = d->longest;
	if (!n || len <= n)
		return len;
	while (n > d->longest - 4 && ((unsigned char)name[n] & 0xc0) == 0x80)
		n--;
	return n;
}

/* Does another frame, plain or of another kind, have these `len` bytes? */
static bool has_namesake(const struct symtab *t, uint32_t sym, size_t len)
{
	static const char kinds[][5] = {"", "_[k]", "_[w]", "_[i]", "_[j]"};
	const char *name = t->symbols[sym].name;
	bool is_there = false;
	struct buf other;
	buf_init(&other);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !is_there; i++) {
		other.len = 0;
		buf_add(&other, name, len);
		buf_adds(&other, kinds[i]);
		uint32_t found = symtab_find_frame(t, other.data, other.len);
		is_there = found != NO_SYMBOL && found != symtab_plain(t, sym);
	}
	buf_deinit(&other);
	return is_there;
}

bool frame_is_state(const char *name, size_t len)
{
	return (len == strlen(FRAME_BLOCKED) && memcmp(name, FRAME_BLOCKED, len) == 0) ||
	       (len == strlen(FRAME_RUNNABLE) && memcmp(name, FRAME_RUNNABLE, len) == 0);
}

/* Frames of --split=pid, tid and cpu do; a process may have the name of a module. */
static bool says_what_it_is(const char *task)
{
	return strncmp(task, "pid ", 4) == 0 || strncmp(task, "tid ", 4) == 0 || strncmp(task, "cpu ", 4) == 0;
}

bool symtab_is_marked(const struct symtab *t, uint32_t sym)
{
	return symtab_is_task(t, sym) && !says_what_it_is(t->symbols[sym].name);
}

bool symtab_has_marked(const struct symtab *t)
{
	bool has_any = false;
	for (uint32_t i = 0; i < t->n_plain && !has_any; i++)
		has_any = symtab_is_marked(t, i);
	return has_any;
}

void symtab_copy_marked(struct symtab *copy, const struct symtab *of)
{
	struct buf name;
	buf_init(&name);
	symtab_copy(copy, of);
	for (uint32_t i = 0; i < of->n_plain; i++) {
		struct symbol *s = &copy->symbols[i];
		if (!symtab_is_marked(of, i))
			continue;
		name.len = 0;
		buf_add(&name, s->name, s->len);
		buf_adds(&name, TASK_MARK);
		s->name = arena_bytes(&copy->names, name.data, name.len);
		s->len = (uint32_t)name.len;
		copy->plain[i] = i;
	}
	buf_deinit(&name);
}

static struct display_name *make_name(struct display *d, uint32_t sym)
{
	const struct symbol *s = &d->symtab->symbols[sym];
	size_t len = symbol_bare_length(s->name, s->len), shown = shown_length(d, s->name, len);
	struct display_name *name = arena_alloc(&d->texts, sizeof *name);
	struct buf plain, clean;
	buf_init(&plain);
	buf_init(&clean);
	if (d->demangle && shown == len && demangle(s->name, len, &plain))
		utf8_clean(&clean, plain.data, plain.len, d->mode);
	else
		utf8_clean(&clean, s->name, shown, d->mode);
	if (d->tells_kinds && len && len < s->len && has_namesake(d->symtab, sym, len))
		buf_add(&clean, s->name + len, s->len - len);
	if (symtab_is_marked(d->symtab, sym))
		buf_adds(&clean, TASK_MARK);
	if (shown < len)
		buf_addf(&clean, "%s and %zu more bytes", d->mode == UTF8_CLEAN_ASCII ? "..." : "\u2026", len - shown);
	name->text = arena_bytes(&d->texts, clean.len ? clean.data : "", clean.len);
	name->len = (uint32_t)clean.len;
	name->columns = (uint32_t)utf8_columns(name->text, clean.len);
	buf_deinit(&plain);
	buf_deinit(&clean);
	return name;
}

/* Untouched zeroed pages cost nothing, and a screen shows only a hundred out of millions of names. */
static void grow_names(struct display *d, uint32_t sym)
{
	size_t need = d->symtab->n > sym ? d->symtab->n : sym + 1u, cap = need > d->cap * 2 ? need : d->cap * 2;
	struct display_name **names = mem_zalloc(cap, sizeof *names);
	if (d->cap)
		memcpy(names, d->names, d->cap * sizeof *names);
	free(d->names);
	d->names = names;
	d->cap = cap;
}

const struct display_name *display_name(struct display *d, uint32_t sym)
{
	if (sym >= d->cap)
		grow_names(d, sym);
	if (!d->names[sym]) {
		bool is_shared = symtab_is_variant(d->symtab, sym) && !symtab_is_marked(d->symtab, sym);
		d->names[sym] =
			is_shared ? (struct display_name *)display_name(d, symtab_plain(d->symtab, sym)) : make_name(d, sym);
	}
	return d->names[sym];
}
