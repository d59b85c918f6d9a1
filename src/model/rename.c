/*
 * rename.c - frames under changed names: without addresses.
 *
 * Names that a fold needs are created before it starts. While it runs it only looks them up, so that other threads
 * can read the symbols meanwhile.
 */
#include "rename.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/slice.h"
#include "origin.h"

static bool has_hex(const char *name, size_t len, size_t *at)
{
	for (size_t i = 0; i + 2 < len; i++) {
		if (name[i] == '0' && name[i + 1] == 'x' && is_hex_byte(name[i + 2])) {
			*at = i;
			return true;
		}
	}
	return false;
}

/* Replaces each 0x1f by 0x...; false: there is none. */
static bool strip_hex(const char *name, size_t len, struct buf *out)
{
	size_t at;
	out->len = 0;
	if (!has_hex(name, len, &at))
		return false;
	do {
		buf_add(out, name, at);
		buf_adds(out, "0x...");
		at += 2;
		while (at < len && is_hex_byte(name[at]))
			at++;
		name += at;
		len -= at;
	} while (has_hex(name, len, &at));
	buf_add(out, name, len);
	return true;
}

/* The name `plain` with the origin of sym. */
static uint32_t with_origin_of(struct symtab *t, uint32_t plain, uint32_t sym)
{
	return symtab_is_variant(t, sym) ? symtab_variant(t, plain, symtab_origin(t, sym)) : plain;
}

/* By symbol: the symbol of its name without addresses. */
static uint32_t *stripped_names(struct symtab *t, const struct trie *trie)
{
	uint32_t *as = mem_alloc(t->n * sizeof *as);
	struct buf name;
	buf_init(&name);
	for (uint32_t i = 0; i < t->n && !TRIE_STOPS(trie, i); i++) {
		as[i] = strip_hex(t->symbols[i].name, t->symbols[i].len, &name) ? symtab_find(t, name.data, name.len) : i;
		if (as[i] == NO_SYMBOL)
			as[i] = i;
		if (as[i] != i)
			as[i] = with_origin_of(t, as[i], i); /* made before */
	}
	buf_deinit(&name);
	return as;
}

bool rename_addresses(struct folding *w)
{
	struct trie to;
	uint32_t *map, *as = stripped_names(&w->profile->symtab, &w->trie);
	uint64_t none = 0;
	bool goes_on = true;
	map = mem_alloc(w->trie.n * sizeof *map);
	trie_init_like(&to, &w->trie);
	map[0] = PATH_ROOT;
	goes_on = !trie_is_stopped(&w->trie);
	for (uint32_t i = 1; i < w->trie.n && goes_on; i++) {
		map[i] = trie_child(&to, map[w->trie.parent[i]], as[w->trie.sym[i]]);
		goes_on = !EVERY(i) || folding_goes_on(w, 0x10000);
	}
	free(as);
	if (goes_on) {
		folding_replace(w, &to, map, &none);
	} else {
		trie_deinit(&to);
		free(map);
	}
	return goes_on;
}

bool rename_make_addresses(struct folding *w)
{
	struct symtab *t = &w->profile->symtab;
	struct buf name;
	size_t n = t->n;
	bool goes_on = true;
	buf_init(&name);
	for (size_t i = 0; i < n && goes_on; i++) {
		if (strip_hex(t->symbols[i].name, t->symbols[i].len, &name))
			with_origin_of(t, symtab_intern(t, name.data, name.len), (uint32_t)i);
		goes_on = !EVERY(i) || folding_goes_on(w, 0);
	}
	buf_deinit(&name);
	return goes_on;
}
