/*
 * origin.c - the variants of a name, one for each module and file.
 *
 * A variant is found by a hash of name, module and file, in a table of its own, so that look-ups of names never
 * meet one. That hash also stands for the variant in the hashes of paths: a path has the same hash in all profiles
 * of the process, in whatever order they met its names.
 */
#include "origin.h"

#include <string.h>

#include "base/find.h"
#include "base/hash.h"
#include "base/mem.h"

#define FIRST_VARIANTS 128u

const char *origin_base(const char *path, size_t len, size_t *n)
{
	const char *slash = len ? find_last(path, '/', len) : NULL;
	size_t skipped = slash ? (size_t)(slash - path) + 1 : 0;
	if (skipped == len)
		skipped = 0;
	*n = len - skipped;
	return path + skipped;
}

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

static struct key key_of(const struct symtab *t, uint32_t plain, const struct origin *o)
{
	const struct symbol *module = &t->symbols[o->module], *source = &t->symbols[o->source];
	struct key k = {.plain = plain, .file = source->name, .apart = apart(o->kind)};
	k.module = origin_base(module->name, module->len, &k.module_len);
	k.file_len = symbol_path_length(source->name, source->len);
	k.hash = hash_keys(hash_bytes(k.module, k.module_len) ^ (k.apart == KIND_PROCESS ? 1 : k.apart),
	                   hash_bytes(k.file, k.file_len));
	k.hash = hash_keys(t->symbols[plain].hash, k.hash);
	return k;
}

static bool has_key(const struct symtab *t, uint32_t sym, const struct key *k)
{
	const struct symbol *s = &t->symbols[sym];
	struct key other;
	if (s->hash != k->hash || t->plain[sym] != k->plain)
		return false;
	other = key_of(t, k->plain, &(struct origin){(enum frame_kind)s->kind, s->module, s->source});
	return other.module_len == k->module_len && memcmp(other.module, k->module, k->module_len) == 0 &&
	       other.file_len == k->file_len && memcmp(other.file, k->file, k->file_len) == 0 &&
	       other.apart == k->apart;
}

static uint32_t find(const struct symtab *t, const struct key *k)
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
	s.kind = o->kind;
	t->has_languages |= o->kind == KIND_LANGUAGE;
	s.module = o->module;
	s.source = o->source;
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
		o.source = o.source ? o.source : s->source;
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
	symtab_learn(t, symtab_plain(t, sym), o.kind, o.module, o.source);
	if (symtab_is_variant(t, variant))
		symtab_learn(t, variant, o.kind, o.module, o.source);
	return variant;
}
