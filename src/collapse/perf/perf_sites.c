/*
 * perf_sites.c - where in their functions the frames of perf script are.
 */
#include "collapse/perf/perf_sites.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/line_finder.h"
#include "base/map.h"
#include "base/mem.h"

/* A function whose lines have this key (perf_frames.h), at an address that ends in these bits. */
struct function {
	uint64_t key[2];
	uint32_t page;
	uint32_t code;
};

struct perf_sites {
	struct sink *sink;
	struct function *functions;
	size_t n, cap;
	struct map ids;
};

struct perf_sites *perf_sites_new(struct sink *sink)
{
	if (!sink->options->wants_sites)
		return NULL;
	struct perf_sites *s = mem_zalloc(1, sizeof *s);
	s->sink = sink;
	map_init(&s->ids, 64);
	return s;
}

void perf_sites_free(struct perf_sites *s)
{
	if (!s)
		return;
	free(s->functions);
	map_deinit(&s->ids);
	free(s);
}

static uint32_t look_up(struct perf_sites *s, const struct perf_site *f, uint32_t page)
{
	struct profile *p = s->sink->profile;
	uint64_t hash = hash_mix(f->key[0] ^ page, f->key[1]);
	MAP_EACH(&s->ids, hash, i)
	if (s->functions[i].key[0] == f->key[0] && s->functions[i].key[1] == f->key[1] && s->functions[i].page == page)
		return s->functions[i].code;
	if (!p->sites)
		p->sites = sites_new();
	const struct code_file file = {.path = sink_sym(s->sink, f->module.s, f->module.n),
	                               .function = sink_sym(s->sink, f->symbol.s, f->symbol.n),
	                               .page = page};
	uint32_t code = sites_code(p->sites, file);
	map_add(&s->ids, hash, (uint32_t)s->n);
	mem_push(s->functions, s->n, s->cap, ((struct function){{f->key[0], f->key[1]}, page, code}));
	return code;
}

/* Mostly a name is that of one function. */
static uint32_t code_of(struct perf_sites *s, struct perf_memo *m, const struct perf_site *f, uint32_t page)
{
	if (!m->code && !perf_frames_has_file(f->module))
		m->code = MEMO_NO_FILE;
	if (m->code == MEMO_NO_FILE)
		return NO_CODE;
	if (!m->code || m->page != page) {
		m->code = look_up(s, f, page);
		m->page = page;
	}
	return m->code;
}

struct perf_at perf_sites_at(struct perf_sites *s, struct perf_memo *m, const struct perf_site *f)
{
	struct slice offset = {f->symbol.s + f->symbol.n, f->offset};
	uint64_t at, address;
	if (offset.n <= 3 || m->code == MEMO_NO_FILE || !slice_hex(slice_from(offset, 3), &at) ||
	    !slice_hex(slice_trim(f->address), &address) || at > UINT32_MAX)
		return (struct perf_at){0};
	uint32_t code = code_of(s, m, f, (uint32_t)((address - at) & CODE_PAGE));
	return (struct perf_at){.code = code, .offset = code ? (uint32_t)at : 0};
}

struct perf_at perf_sites_source(struct perf_sites *s, struct slice place)
{
	size_t colon = slice_find_last(place, ':');
	uint64_t line;
	if (colon == SIZE_MAX || !slice_u64(slice_from(place, colon + 1), &line) || !line || line > UINT32_MAX)
		return (struct perf_at){0};
	return (struct perf_at){.file = sink_file(s->sink, place.s, colon), .line = (uint32_t)line};
}

static struct site make_site(uint32_t sym, const struct perf_at *at, bool is_leaf, uint32_t level)
{
	bool is_moved = !is_leaf && at->offset > 0;
	if (at->code)
		return (struct site){.sym = sym, .line = level, .code = at->code, .address = at->offset - is_moved};
	return (struct site){.sym = sym, .file = at->file, .line = at->line};
}

void perf_sites_know_caller(struct perf_sites *s, uint32_t sym, struct perf_at *at)
{
	const struct site site = make_site(sym, at, false, 0);
	at->caller = profile_site(s->sink->profile, &site) + 1;
}

uint32_t perf_sites_child(struct perf_sites *s, uint32_t parent, uint32_t sym, const struct perf_at *at,
                          bool is_leaf, uint32_t level)
{
	struct profile *p = s->sink->profile;
	if (!at->code && !at->file)
		return parent;
	if (at->caller && !is_leaf && level == 0)
		return sites_child(p->sites, parent, at->caller - 1);
	const struct site site = make_site(sym, at, is_leaf, level);
	return profile_site_child(p, parent, &site);
}

uint32_t perf_sites_stack(struct perf_sites *s, const uint32_t *frames, const uint64_t *addresses,
                          const struct perf_at *at, size_t n)
{
	uint32_t node = NO_SITE, level = 0;
	struct perf_at outer = {0};
	for (size_t i = 0; i < n; i++) {
		bool is_inlined = i && addresses[i] == addresses[i - 1];
		level = is_inlined ? level + 1 : 0;
		outer = is_inlined ? outer : at[i];
		node = perf_sites_child(s, node, frames[i], at[i].file ? &at[i] : &outer, addresses[i] == addresses[n - 1],
		                        at[i].file ? 0 : level);
	}
	return node;
}
