/*
 * sites.c - interns sites, and the nodes of their trie.
 */
#include "sites.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

struct sites *sites_new(void)
{
	struct sites *s = mem_zalloc(1, sizeof *s);
	s->parent = mem_grow(NULL, &s->cap_nodes, 1, sizeof *s->parent);
	s->site = mem_zalloc(s->cap_nodes, sizeof *s->site);
	s->parent[NO_SITE] = 0;
	s->n_nodes = 1;
	map_init(&s->ids, 64);
	map_init(&s->nodes, 64);
	map_init(&s->code_ids, 16);
	return s;
}

void sites_free(struct sites *s)
{
	if (!s)
		return;
	free(s->v);
	free(s->codes);
	free(s->parent);
	free(s->site);
	map_deinit(&s->ids);
	map_deinit(&s->nodes);
	map_deinit(&s->code_ids);
	free(s);
}

struct sites *sites_copy(const struct sites *of)
{
	if (!of)
		return NULL;
	struct sites *s = mem_copy(of, 1, sizeof *of);
	s->v = mem_copy(of->v, of->n, sizeof *of->v);
	s->cap = of->n;
	s->codes = mem_copy(of->codes, of->n_codes, sizeof *of->codes);
	s->cap_codes = of->n_codes;
	s->parent = mem_copy(of->parent, of->n_nodes, sizeof *of->parent);
	s->site = mem_copy(of->site, of->n_nodes, sizeof *of->site);
	s->cap_nodes = of->n_nodes;
	map_copy(&s->ids, &of->ids);
	map_copy(&s->nodes, &of->nodes);
	map_copy(&s->code_ids, &of->code_ids);
	return s;
}

void sites_reverse(struct site *s, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		struct site swap = s[i];
		s[i] = s[--n];
		s[n] = swap;
	}
}

static uint64_t hash_of(uint64_t a, uint64_t b)
{
	return hash_keys(a, b);
}

static bool is_same(const struct site *a, const struct site *b)
{
	return a->sym == b->sym && a->file == b->file && a->line == b->line && a->code == b->code &&
	       a->address == b->address;
}

uint32_t sites_add(struct sites *s, const struct site *x)
{
	uint64_t where = hash_of((uint64_t)x->file << 32 | x->line, (uint64_t)x->code << 56 ^ x->address);
	uint64_t hash = hash_of(where, x->sym);
	MAP_EACH(&s->ids, hash, i)
	if (is_same(&s->v[i], x))
		return (uint32_t)i;
	if (s->n >= MAP_NONE - 1)
		mem_exhausted();
	map_add(&s->ids, hash, (uint32_t)s->n);
	mem_push(s->v, s->n, s->cap, *x);
	return (uint32_t)s->n - 1;
}

uint32_t sites_code(struct sites *s, struct code_file x)
{
	uint64_t hash =
		hash_of((uint64_t)x.path << 32 | x.function, (uint64_t)x.debug << 32 | x.alt | (uint64_t)x.page << 20);
	MAP_EACH(&s->code_ids, hash, i)
	if (memcmp(&s->codes[i], &x, sizeof x) == 0)
		return (uint32_t)i + 1;
	map_add(&s->code_ids, hash, (uint32_t)s->n_codes);
	mem_push(s->codes, s->n_codes, s->cap_codes, x);
	return (uint32_t)s->n_codes;
}

uint32_t sites_child(struct sites *s, uint32_t parent, uint32_t site)
{
	uint64_t hash = hash_of(parent, site);
	uint32_t node = s->n_nodes;
	MAP_EACH(&s->nodes, hash, i)
	if (s->parent[i] == parent && s->site[i] == site)
		return (uint32_t)i;
	if (node >= MAP_NONE - 1)
		mem_exhausted();
	if (node == s->cap_nodes) {
		s->parent = mem_grow(s->parent, &s->cap_nodes, node + 1u, sizeof *s->parent);
		s->site = mem_realloc(s->site, s->cap_nodes, sizeof *s->site);
	}
	s->parent[node] = parent;
	s->site[node] = site;
	map_add(&s->nodes, hash, node);
	s->n_nodes++;
	return node;
}
