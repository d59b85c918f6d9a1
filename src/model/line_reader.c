/*
 * line_reader.c - what the functions of one recipe have in common, for their lines: the fold, and where each is in
 * it.
 */
#include "line_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "line_filters.h"
#include "name_sites.h"
#include "selection.h"

/* Of a profile without any: the root of the trie. */
static struct site no_site[1];
static struct code_file no_code[1];
static uint32_t no_node[1];
static const struct sites no_sites = {
	.v = no_site, .codes = no_code, .n_nodes = 1, .parent = no_node, .site = no_node};

const struct sites *line_reader_sites(const struct line_reader *r)
{
	return r->shown ? r->shown : r->profile->sites ? r->profile->sites : &no_sites;
}

bool lines_are_known(const struct profile *p)
{
	return p->sites && p->sites->n > 0;
}

void lines_add_name(struct buf *out, const struct profile *p, const char *name, size_t len)
{
	if (p->sites && p->sites->are_of_names)
		name_sites_add_function(out, name, len);
	else
		buf_add(out, name, len);
}

uint32_t lines_find_name(const struct profile *p, const char *name, size_t len)
{
	uint32_t found = NO_SYMBOL;
	struct buf text;
	buf_init(&text);
	for (uint32_t i = 1; p->sites && p->sites->are_of_names && i < p->symtab.n && found == NO_SYMBOL; i++) {
		const struct symbol *s = &p->symtab.symbols[i];
		text.len = 0;
		lines_add_name(&text, p, s->name, s->len);
		if (s->len != len && text.len == len && memcmp(text.data, name, len) == 0)
			found = symtab_plain(&p->symtab, i);
	}
	buf_deinit(&text);
	return found;
}

const char *lines_why_none(const struct profile *p)
{
	if (p->log[0].n == 0)
		return "there are no samples, so there are no lines";
	if (p->format && strcmp(p->format, "perf") == 0)
		return "no frame has an offset into a program's function, or a source line (perf script prints offsets)";
	return "the profile tells functions only, not the lines in which samples were";
}

/* Prepares what does not depend on which names are one. */
static void rank(struct line_reader *r)
{
	const struct sites *s = line_reader_sites(r);
	const struct trie *t = &r->folding.trie;
	uint32_t *keys = mem_alloc((r->samples.n + 1) * sizeof *keys);
	line_ranks_make(&r->nodes, s->parent, s->n_nodes);
	line_ranks_make(&r->paths, t->parent, t->n);
	for (size_t i = 0; i < r->samples.n; i++)
		keys[i] = r->paths.rank[r->samples.v[i].path];
	line_groups_make(&r->entries, keys, r->samples.n, t->n);
	free(keys);
	r->row = mem_alloc((s->n + 1) * sizeof *r->row);
	r->innermost = mem_alloc(s->n_nodes * sizeof *r->innermost);
	memset(r->row, 0xff, (s->n + 1) * sizeof *r->row);
	memset(r->innermost, 0xff, s->n_nodes * sizeof *r->innermost);
	for (unsigned side = 0; side < 2; side++)
		r->weight[side] = mem_zalloc(s->n_nodes, sizeof *r->weight[side]);
	r->counts = mem_zalloc(s->n_nodes, sizeof *r->counts);
}

struct line_reader *line_reader_new(struct profile *p, const struct recipe *of, const struct line_finder *finder,
                                    struct progress *progress, struct err *err)
{
	struct line_reader *r = mem_zalloc(1, sizeof *r);
	r->profile = p;
	r->finder = finder;
	recipe_copy(&r->recipe, of);
	r->recipe.leaves_base |= r->recipe.chart; /* as a chart, which shows one profile */
	selection_drop_chart(p, &r->recipe);
	r->recipe.reverse = r->recipe.apart = false;
	recipe_drop_splits(&r->recipe);
	map_init(&r->ids, 64);
	arena_init(&r->texts);
	r->folding = (struct folding){
		.profile = p, .recipe = &r->recipe, .progress = progress, .wants_map = true, .wants_sets = true};
	if (err)
		err->text[0] = '\0';
	if (!folding_run(&r->folding, err) || !line_samples_gather(&r->samples, &r->folding) ||
	    !line_filters_apply(&r->folding, &r->samples, &r->shown)) {
		line_reader_free(r);
		return NULL;
	}
	rank(r);
	return r;
}

static void drop_index(struct line_reader *r)
{
	line_groups_deinit(&r->own_sites);
	line_groups_deinit(&r->own_nodes);
	line_groups_deinit(&r->own_paths);
	r->is_indexed = false;
}

void line_reader_free(struct line_reader *r)
{
	if (!r)
		return;
	folding_deinit(&r->folding);
	line_filters_free(r->shown);
	recipe_deinit(&r->recipe);
	map_deinit(&r->ids);
	arena_deinit(&r->texts);
	free(r->names);
	free(r->functions);
	line_samples_deinit(&r->samples);
	line_ranks_deinit(&r->nodes);
	line_ranks_deinit(&r->paths);
	line_groups_deinit(&r->entries);
	drop_index(r);
	free(r->row);
	free(r->innermost);
	free(r->weight[0]);
	free(r->weight[1]);
	free(r->counts);
	free(r);
}

void line_reader_join_names(struct line_reader *r)
{
	if (!line_reader_sites(r)->are_of_names || r->recipe.group != BY_FUNCTION || r->functions)
		return;
	drop_index(r);
	r->functions = name_sites_functions(&r->profile->symtab);
	r->n_functions = r->profile->symtab.n;
}

uint32_t line_reader_function(const struct line_reader *r, uint32_t sym)
{
	const struct symtab *names = &r->profile->symtab;
	if (symtab_is_task(names, sym)) /* a module may have its name */
		return sym;
	uint32_t plain = symtab_plain(names, sym);
	return r->functions && plain < r->n_functions ? r->functions[plain] : plain;
}

void line_reader_follow(struct line_reader *r, struct progress *progress)
{
	r->folding.progress = progress;
}

uint32_t line_reader_label(const struct line_reader *r, uint32_t sym)
{
	const uint32_t *labels = r->folding.labels;
	return symtab_plain(&r->profile->symtab, labels ? labels[sym] : sym);
}

void line_reader_index(struct line_reader *r)
{
	if (r->is_indexed)
		return;
	const struct sites *s = line_reader_sites(r);
	const struct trie *t = &r->folding.trie;
	size_t most = s->n_nodes > t->n ? s->n_nodes : t->n, n_symbols = r->profile->symtab.n;
	uint32_t *of_site = mem_alloc((s->n + 1) * sizeof *of_site), *keys = mem_alloc((most + 1) * sizeof *keys);
	for (size_t i = 0; i < s->n; i++)
		of_site[i] = line_reader_function(r, line_reader_label(r, s->v[i].sym));
	line_groups_make(&r->own_sites, of_site, s->n, n_symbols);
	keys[0] = NO_SYMBOL; /* the root */
	for (uint32_t k = 1; k < s->n_nodes; k++)
		keys[k] = of_site[s->site[r->nodes.at[k]]];
	line_groups_make(&r->own_nodes, keys, s->n_nodes, n_symbols);
	for (uint32_t k = 1; k < t->n; k++)
		keys[k] = line_reader_function(r, t->sym[r->paths.at[k]]);
	line_groups_make(&r->own_paths, keys, t->n, n_symbols);
	free(of_site);
	free(keys);
	r->is_indexed = true;
}

/* Keeps each name once. NULL stays NULL. */
static const char *intern(struct line_reader *r, const char *name)
{
	size_t n = name ? strlen(name) : 0;
	uint64_t hash = hash_bytes(name ? name : "", n);
	if (!n)
		return NULL;
	MAP_EACH(&r->ids, hash, i)
	if (strcmp(r->names[i], name) == 0)
		return r->names[i];
	map_add(&r->ids, hash, (uint32_t)r->n_names);
	mem_push(r->names, r->n_names, r->cap_names, arena_bytes(&r->texts, name, n));
	return r->names[r->n_names - 1];
}

static const char *text_of(const struct profile *p, uint32_t sym)
{
	return sym ? p->symtab.symbols[sym].name : NULL;
}

const char *line_reader_why(const struct line_reader *r, const struct line_sums *l)
{
	if (l->code == NO_CODE || !r->finder)
		return NULL;
	const struct code_name name = code_name_of(r->profile, l->code);
	return r->finder->why(r->finder->arg, &name); /* cppcheck-suppress returnDanglingLifetime */
}

void line_reader_describe(const struct line_reader *r, uint32_t code, const char *file, struct source_facts *facts)
{
	*facts = (struct source_facts){0};
	if (code == NO_CODE || !r->finder)
		return;
	const struct code_name name = code_name_of(r->profile, code);
	r->finder->describe(r->finder->arg, &name, file, facts);
}

char *line_reader_fetch(const struct line_reader *r, uint32_t code, const char *file, struct err *err)
{
	if (code == NO_CODE || !r->finder)
		return NULL;
	const struct code_name name = code_name_of(r->profile, code);
	const struct progress *progress = r->folding.progress;
	/* cppcheck-suppress returnDanglingLifetime */
	return r->finder->fetch(r->finder->arg, &name, file, progress ? &progress->cancel : NULL, err);
}

struct code_name code_name_of(const struct profile *p, uint32_t code)
{
	const struct code_file *c = &p->sites->codes[code - 1];
	return (struct code_name){text_of(p, c->path), text_of(p, c->debug), text_of(p, c->alt),
	                          text_of(p, c->function), c->page};
}

struct line_row line_reader_place(struct line_reader *r, const struct site *s)
{
	struct line_row key = {.line = s->line};
	if (s->code && r->finder) {
		const struct code_name code = code_name_of(r->profile, s->code);
		key.file = intern(r, r->finder->find(r->finder->arg, &code, s->address, s->line, &key.line));
	} else if (s->code) {
		key.line = 0;
	} else {
		key.file = intern(r, text_of(r->profile, s->file));
	}
	key.file = key.line ? key.file : NULL;
	return key;
}
