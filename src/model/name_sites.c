/*
 * name_sites.c - the lines of samples from the names of functions.
 */
#include "name_sites.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "name_place.h"

/* A function without its line, and the line met first. */
struct function {
	uint64_t hash;
	uint32_t line;
};

static uint64_t hash_without_line(const struct symbol *s, const struct name_place *p)
{
	uint64_t head = hash_bytes(s->name, p->cut),
			 tail = hash_bytes(s->name + p->cut + p->n_cut, s->len - p->cut - p->n_cut);
	return hash_keys(head, tail);
}

static bool has_two_lines(const struct symtab *t)
{
	struct function *list = NULL;
	size_t n = 0, cap = 0;
	struct name_place p;
	struct map ids;
	bool has_two = false;
	map_init(&ids, 64);
	for (size_t i = 0; i < t->n && !has_two; i++) {
		const struct symbol *s = &t->symbols[i];
		if (!name_place(s->name, s->len, &p) || !p.line)
			continue;
		uint64_t hash = hash_without_line(s, &p);
		bool is_known = false;
		MAP_EACH(&ids, hash, k)
		if (list && list[k].hash == hash) {
			is_known = true;
			has_two |= list[k].line != p.line;
		}
		if (is_known)
			continue;
		map_add(&ids, hash, (uint32_t)n);
		mem_push(list, n, cap, ((struct function){hash, p.line}));
	}
	map_deinit(&ids);
	free(list);
	return has_two;
}

uint32_t *name_sites_functions(const struct symtab *t)
{
	uint32_t *function = mem_alloc((t->n ? t->n : 1) * sizeof *function), *first = NULL;
	uint64_t *hashes = NULL;
	size_t n = 0, cap = 0, cap_hashes = 0;
	struct name_place p;
	struct map ids;
	map_init(&ids, 64);
	for (uint32_t sym = 0; sym < t->n; sym++) {
		const struct symbol *s = &t->symbols[sym];
		function[sym] = sym;
		if (symtab_is_variant(t, sym) || !name_place(s->name, s->len, &p) || !p.line)
			continue;
		uint64_t hash = hash_without_line(s, &p);
		MAP_EACH(&ids, hash, k)
		if (hashes && hashes[k] == hash)
			function[sym] = first[k];
		if (function[sym] != sym)
			continue;
		map_add(&ids, hash, (uint32_t)n);
		mem_push(hashes, n, cap_hashes, hash);
		n--;
		mem_push(first, n, cap, sym);
	}
	map_deinit(&ids);
	free(hashes);
	free(first);
	return function;
}

void name_sites_add_function(struct buf *out, const char *name, size_t len)
{
	struct name_place p;
	bool has_line = name_place(name, len, &p) && p.line;
	buf_add(out, name, has_line ? p.cut : len);
	if (has_line)
		buf_add(out, name + p.cut + p.n_cut, len - p.cut - p.n_cut);
}

/* By path: the node of its site. */
static uint32_t *sites_of_paths(struct profile *p)
{
	uint32_t *node = mem_zalloc(p->n_paths, sizeof *node);
	for (uint32_t i = 1; i < p->n_paths; i++) {
		uint32_t sym = p->sym[i];
		struct name_place place;
		node[i] = node[p->parent[i]];
		if (!name_place(p->symtab.symbols[sym].name, p->symtab.symbols[sym].len, &place) || !place.line)
			continue;
		uint32_t file = symtab_intern(&p->symtab, place.file, place.file_len);
		const struct site site = {.sym = sym, .file = file, .line = place.line};
		node[i] = profile_site_child(p, node[i], &site);
	}
	return node;
}

void name_sites_add(struct profile *p)
{
	if (!has_two_lines(&p->symtab))
		return;
	uint32_t *node = sites_of_paths(p);
	for (unsigned side = 0; side < 2; side++)
		samples_add_sites(&p->log[side], node);
	if (p->sites)
		p->sites->are_of_names = true;
	free(node);
}
