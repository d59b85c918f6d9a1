/*
 * perf_places.c - turns the addresses of a recording into frames.
 *
 *	address -> function (perf_symbols.h) -> frames (perf_frames.h)
 *
 * One cache maps the addresses of a process to frames; a change of its maps makes these entries useless. Another
 * cache maps functions to frames. Both give the same frames as a full look-up. JIT-compiled code comes and goes, so
 * its addresses are looked up each time.
 */
#include "collapse/perf/perf_places.h"

#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "collapse/perf/perf_inlines.h"
#include "collapse/perf/perf_names.h"

#define SLOTS 16384u /* a power of two; they fit into the processor's second-level cache */

/* A recent address. */
struct met {
	uint64_t key; /* hash of everything that determines its meaning; 0: free */
	struct perf_place_frames frames;
};

/* Frames of a function. */
struct function {
	struct perf_place_frames frames;
	bool is_made;
};

struct perf_places {
	struct sink *sink;
	struct perf_frames *frames;
	struct perf_symbols *symbols;
	struct perf_inlines *inlines; /* NULL: not in this pass */
	struct function *functions;   /* index: twice the symbol's number, plus one for Java */
	size_t n_functions, cap_functions;
	struct met *met;
	struct perf_code *codes; /* by slot of `met`; NULL: not wanted */
	struct perf_code code;   /* of the last address */
	struct code_paths {
		const char *path, *debug, *alt; /* equal texts are equal pointers */
		uint32_t code;
	} * paths;
	size_t n_paths, cap_paths;
	struct map by_paths;
	struct buf name, address;
};

struct perf_places *perf_places_new(struct sink *sink, struct perf_frames *frames, struct perf_symbols *symbols)
{
	struct perf_places *p = mem_zalloc(1, sizeof *p);
	p->sink = sink;
	p->frames = frames;
	p->symbols = symbols;
	p->inlines = perf_inlines_are_wanted(sink->options) ? perf_inlines_new(sink, frames) : NULL;
	p->met = mem_zalloc(SLOTS, sizeof *p->met);
	p->codes = sink->options->wants_sites ? mem_zalloc(SLOTS, sizeof *p->codes) : NULL;
	map_init(&p->by_paths, 16);
	buf_init(&p->name);
	buf_init(&p->address);
	return p;
}

void perf_places_free(struct perf_places *p)
{
	if (!p)
		return;
	perf_inlines_free(p->inlines);
	free(p->functions);
	free(p->met);
	free(p->codes);
	free(p->paths);
	map_deinit(&p->by_paths);
	buf_deinit(&p->name);
	buf_deinit(&p->address);
	free(p);
}

static struct slice module_text(const struct perf_symbol *symbol)
{
	static const char deleted[] = " (deleted)";
	struct slice module = slice_of(symbol->module);
	if (slice_ends(module, deleted))
		module.n -= sizeof deleted - 1;
	return module;
}

static struct perf_place_frames make(struct perf_places *p, const struct perf_place *place,
                                     const struct perf_symbol *symbol, bool is_java)
{
	struct perf_site site = {.module = module_text(symbol)};
	p->address.len = 0;
	buf_addf(&p->address, "%llx", (unsigned long long)perf_symbols_printed(p->symbols, place));
	site.address = (struct slice){p->address.data, p->address.len};
	perf_frames_prepare(p->frames, &site, perf_symbol_name(p->sink, symbol->name, &p->name), is_java);
	const struct perf_memo *m = perf_frames_find(p->frames, &site);
	return (struct perf_place_frames){m->first, m->n, m->is_cut};
}

/* Makes the frames of a function once; those of unnamed functions each time if they show the address. */
static struct perf_place_frames frames_of(struct perf_places *p, const struct perf_place *place,
                                          const struct perf_symbol *symbol, bool is_java)
{
	size_t number = 2 * (size_t)symbol->number + is_java;
	if (p->sink->options->addrs && !symbol->name)
		return make(p, place, symbol, is_java);
	while (p->n_functions <= number)
		mem_push(p->functions, p->n_functions, p->cap_functions, ((struct function){.is_made = false}));
	if (!p->functions[number].is_made)
		p->functions[number] = (struct function){make(p, place, symbol, is_java), true};
	return p->functions[number].frames;
}

static uint32_t symbol_of(struct perf_places *p, const char *path)
{
	return path ? sink_sym(p->sink, path, strlen(path)) : 0;
}

static uint32_t code_of(struct perf_places *p, const struct perf_symbol *symbol)
{
	struct profile *profile = p->sink->profile;
	uint64_t debug = hash_mix((uintptr_t)symbol->debug_path ^ hash_seed[0], (uintptr_t)symbol->alt_path);
	uint64_t hash = hash_mix((uintptr_t)symbol->path ^ hash_seed[1], debug);
	MAP_EACH(&p->by_paths, hash, i)
	{
		const struct code_paths *known = &p->paths[i];
		if (known->path == symbol->path && known->debug == symbol->debug_path && known->alt == symbol->alt_path)
			return known->code;
	}
	if (!profile->sites)
		profile->sites = sites_new();
	struct code_file file = {symbol_of(p, symbol->path), symbol_of(p, symbol->debug_path),
	                         symbol_of(p, symbol->alt_path), 0, 0};
	uint32_t code = sites_code(profile->sites, file);
	map_add(&p->by_paths, hash, (uint32_t)p->n_paths);
	mem_push(p->paths, p->n_paths, p->cap_paths,
	         ((struct code_paths){symbol->path, symbol->debug_path, symbol->alt_path, code}));
	return code;
}

struct perf_code perf_places_code(const struct perf_places *p)
{
	return p->code;
}

static struct perf_place_frames find(struct perf_places *p, const struct perf_place *place, bool is_java,
                                     bool *is_passing)
{
	struct perf_symbol symbol = perf_symbols_find(p->symbols, place);
	*is_passing = *is_passing || symbol.is_passing;
	struct perf_place_frames own = frames_of(p, place, &symbol, is_java);
	p->code = (struct perf_code){.address = symbol.vaddr};
	if (p->codes && symbol.path)
		p->code.code = code_of(p, &symbol);
	if (p->inlines)
		return perf_inlines_find(p->inlines, &symbol, own, is_java);
	p->sink->profile->lacks_inlines |= symbol.has_debug && p->sink->options->inlines == INLINES_LATER;
	return own;
}

uint64_t perf_places_space(const struct perf_places *p, const struct perf_place *place, bool is_java)
{
	uint64_t generation = perf_symbols_generation(p->symbols, place);
	return hash_mix((uintptr_t)place->process ^ hash_seed[0],
	                (generation << 8 | place->mode << 1 | is_java) ^ hash_seed[1]);
}

struct perf_place_frames perf_places_find(struct perf_places *p, const struct perf_place *place, uint64_t space,
                                          bool is_java, bool *is_passing)
{
	uint64_t key = hash_mix(place->address ^ space, (0x9e3779b97f4a7c15u ^ hash_seed[1]) + place->is_caller);
	size_t at = key & (SLOTS - 1);
	bool is_new = false;
	if (p->met[at].key == key && key) {
		if (p->codes)
			p->code = p->codes[at];
		return p->met[at].frames;
	}
	struct perf_place_frames frames = find(p, place, is_java, &is_new);
	if (!is_new)
		p->met[at] = (struct met){key, frames};
	if (!is_new && p->codes)
		p->codes[at] = p->code;
	*is_passing |= is_new;
	return frames;
}
