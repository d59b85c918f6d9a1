/*
 * origin.c - the variants of a name, one for each module and file.
 *
 * A variant is found by a hash of name, module and file, in a table of its own, so that look-ups of names never
 * meet one. That hash also stands for the variant in the hashes of paths: a path has the same hash in all profiles
 * of the process, in whatever order they met its names.
 */
#include "origin.h"

#include <string.h>

#include "base/buf.h"
#include "base/find.h"
#include "base/hash.h"
#include "base/mem.h"

#define FIRST_VARIANTS 128u

_Static_assert(N_FRAME_KINDS <= 16, "struct symbol has four bits for a kind");
_Static_assert(sizeof(struct symbol) == 32 || sizeof(void *) < 8, "a symbol is half a cache line");

const char *origin_base(const char *path, size_t len, size_t *n)
{
	const char *slash = len ? find_last(path, '/', len) : NULL;
	size_t skipped = slash ? (size_t)(slash - path) + 1 : 0;
	if (skipped == len)
		skipped = 0;
	*n = len - skipped;
	return path + skipped;
}

/* ---- facts -------------------------------------------------------------------------------------------------- */

struct origin symtab_origin(const struct symtab *t, uint32_t sym)
{
	const struct symbol *s = &t->symbols[sym];
	return (struct origin){(enum frame_kind)s->kind, s->module, s->source, s->line};
}

/* Does the name of a sort before that of b, looking at so many bytes of each? */
static int compare_names(const struct symbol *a, size_t a_len, const struct symbol *b, size_t b_len)
{
	int order = a == b ? 0 : memcmp(a->name, b->name, a_len < b_len ? a_len : b_len);
	return order ? order : (a_len > b_len) - (a_len < b_len);
}

/* The symbol whose name sorts first; 0 stands for none. */
static uint32_t first_by_name(const struct symtab *t, uint32_t a, uint32_t b)
{
	const struct symbol *x = &t->symbols[a], *y = &t->symbols[b];
	if (a == b || !a || !b)
		return a ? a : b;
	return compare_names(x, x->len, y, y->len) <= 0 ? a : b;
}

static size_t path_length(const struct symbol *source, uint32_t line)
{
	return line ? source->len : symbol_path_length(source->name, source->len);
}

/* The line in "path:line"; 0: unknown. */
static uint64_t line_in(const struct symbol *source, size_t path)
{
	const char *end = source->name + source->len, *p = source->name + path + 1;
	uint64_t line = 0;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		line = line * 10 + (uint64_t)(*p - '0');
	return line;
}

static size_t place_of(const struct symtab *t, const struct origin *o, uint64_t *line)
{
	const struct symbol *source = &t->symbols[o->source];
	size_t path = path_length(source, o->line);
	*line = o->line ? o->line : line_in(source, path);
	return path;
}

size_t origin_place(const struct symtab *t, uint32_t sym, uint64_t *line)
{
	struct origin o = symtab_origin(t, sym);
	return place_of(t, &o, line);
}

void origin_add_place(const struct symtab *t, uint32_t sym, struct buf *out)
{
	const struct symbol *s = &t->symbols[sym], *source = &t->symbols[s->source];
	buf_add(out, source->name, source->len);
	if (s->line) {
		buf_addc(out, ':');
		buf_addu(out, s->line);
	}
}

/* Is the source of a not behind that of b: by path, then by line? Those without a line come last. */
static bool is_first_by_place(const struct symtab *t, const struct origin *a, const struct origin *b)
{
	uint64_t x, y;
	size_t m = place_of(t, a, &x), n = place_of(t, b, &y);
	int order = compare_names(&t->symbols[a->source], m, &t->symbols[b->source], n);
	return order < 0 || (order == 0 && x - 1 <= y - 1); /* 0 - 1 is more than any line */
}

void symtab_learn(struct symtab *t, uint32_t sym, struct origin o)
{
	struct symbol *s = &t->symbols[sym];
	struct origin known = symtab_origin(t, sym);
	if (o.kind != KIND_UNKNOWN && (known.kind == KIND_UNKNOWN || o.kind < known.kind))
		s->kind = o.kind & 0xf;
	t->has_languages |= o.kind == KIND_LANGUAGE;
	s->module = first_by_name(t, s->module, o.module);
	if (!o.source || (o.source == s->source && o.line == s->line))
		return;
	if (!s->source || !is_first_by_place(t, &known, &o)) {
		s->source = o.source;
		s->line = o.line & LINE_MOST;
	}
}

/* ---- variants ----------------------------------------------------------------------------------------------- */

/* What tells variants of a name apart. */
struct key {
	uint32_t plain;
	const char *module, *file;
	size_t module_len, file_len;
	enum frame_kind apart; /* KIND_UNKNOWN, or one whose frames differ from all others of the name */
	uint64_t hash;
};

static enum frame_kind apart(enum frame_kind kind)
{
	bool is_apart = kind == KIND_PROCESS || kind == KIND_LANGUAGE || kind == KIND_LOOP || kind == KIND_REPLACED;
	return is_apart ? kind : KIND_UNKNOWN;
}

/* The part of a name that counts: a module without its directories, the path of a file. */
struct symtab_part {
	const char *text;
	size_t len;
	uint64_t hash;
};

static struct symtab_part look_for_part(const struct symbol *s, bool is_module, uint32_t line)
{
	struct symtab_part part = {.text = s->name, .len = s->len, .hash = s->hash};
	if (is_module)
		part.text = origin_base(s->name, s->len, &part.len);
	else
		part.len = path_length(s, line);
	if (part.len != s->len)
		part.hash = hash_bytes(part.text, part.len);
	return part;
}

/* That of a long name is looked for once. */
static struct symtab_part part_of(struct symtab *t, uint32_t sym, bool is_module, uint32_t line)
{
	struct symtab_long *longs = &t->longs;
	uint64_t id = (uint64_t)sym << 1 | is_module;
	uint32_t at = (uint32_t)longs->n_parts;
	if (line || t->symbols[sym].len < SYMBOL_LONG)
		return look_for_part(&t->symbols[sym], is_module, line);
	if (!idmap_find(&longs->places, id, &at)) {
		idmap_add(&longs->places, id, at);
		mem_push(longs->parts, longs->n_parts, longs->cap_parts, look_for_part(&t->symbols[sym], is_module, 0));
	}
	return longs->parts[at];
}

static struct key key_of(struct symtab *t, uint32_t plain, const struct origin *o)
{
	struct symtab_part module = part_of(t, o->module, true, 0), file = part_of(t, o->source, false, o->line);
	struct key k = {plain, module.text, file.text, module.len, file.len, apart(o->kind), 0};
	k.hash = hash_keys(module.hash ^ (k.apart == KIND_PROCESS ? 1 : k.apart), file.hash);
	k.hash = hash_keys(t->symbols[plain].hash, k.hash);
	return k;
}

static bool is_same(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && (a == b || memcmp(a, b, a_len) == 0);
}

static bool has_key(struct symtab *t, uint32_t sym, const struct key *k)
{
	const struct symbol *s = &t->symbols[sym];
	struct key other;
	if (s->hash != k->hash || t->plain[sym] != k->plain)
		return false;
	struct origin o = symtab_origin(t, sym);
	other = key_of(t, k->plain, &o);
	return is_same(other.module, other.module_len, k->module, k->module_len) &&
	       is_same(other.file, other.file_len, k->file, k->file_len) && other.apart == k->apart;
}

static uint32_t find(struct symtab *t, const struct key *k)
{
	if (!t->n_variants)
		return NO_SYMBOL;
	MAP_EACH(&t->variants, k->hash, sym)
	if (has_key(t, (uint32_t)sym, k))
		return (uint32_t)sym;
	return NO_SYMBOL;
}

static uint32_t add_variant(struct symtab *t, const struct key *k, const struct origin *o)
{
	uint32_t sym = (uint32_t)t->n;
	struct symbol s = t->symbols[k->plain];
	if (t->n >= UINT32_MAX - 2)
		mem_exhausted();
	s.hash = k->hash;
	s.kind = o->kind & 0xf;
	t->has_languages |= o->kind == KIND_LANGUAGE;
	s.module = o->module;
	s.source = o->source;
	s.line = o->line & LINE_MOST;
	mem_push(t->symbols, t->n, t->cap, s);
	for (uint32_t i = (uint32_t)t->n_plain; i < sym; i++)
		mem_push(t->plain, t->n_plain, t->cap_plain, i);
	mem_push(t->plain, t->n_plain, t->cap_plain, k->plain);
	if (!t->n_variants++)
		map_init(&t->variants, FIRST_VARIANTS);
	map_add(&t->variants, k->hash, sym);
	return sym;
}

uint32_t symtab_variant(struct symtab *t, uint32_t sym, struct origin o)
{
	if (symtab_is_variant(t, sym)) {
		const struct symbol *s = &t->symbols[sym];
		o.module = o.module ? o.module : s->module;
		if (!o.source) {
			o.source = s->source;
			o.line = s->line;
		}
		o.kind = o.kind != KIND_UNKNOWN ? o.kind : (enum frame_kind)s->kind;
		sym = symtab_plain(t, sym);
	}
	if (!o.module && !o.source && apart(o.kind) == KIND_UNKNOWN)
		return sym;
	struct key k = key_of(t, sym, &o);
	uint32_t known = find(t, &k);
	return known != NO_SYMBOL ? known : add_variant(t, &k, &o);
}

uint32_t symtab_frame(struct symtab *t, uint32_t sym, struct origin o)
{
	uint32_t variant = symtab_variant(t, sym, o);
	symtab_learn(t, symtab_plain(t, sym), o);
	if (symtab_is_variant(t, variant))
		symtab_learn(t, variant, o);
	return variant;
}
