/*
 * perf_inlines.c - finds inlined calls in the debug information of files (symbols/inlines.h).
 *
 * Frames are named and kept like those of the lines "name (inlined)" that perf script prints. The function itself,
 * however, has the name of its symbol; perf takes the name in the debug information, and where the two differ
 * (foo.constprop.0) it calls the function inlined, too.
 *
 * The debug information of an address is looked up once, and its frames are made once for each function in which it
 * occurs.
 */
#include "collapse/perf/perf_inlines.h"

#include <errno.h>
#include <string.h>

#include "base/descriptor.h"
#include "base/hash.h"
#include "base/idmap.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/status.h"
#include "collapse/perf/perf_names.h"
#include "symbols/inlines.h"

/* The frames of these inlined calls in this function. */
struct joined {
	const struct inlined_at *calls;
	struct perf_place_frames own, frames;
	bool is_java;
};

struct perf_inlines {
	struct sink *sink;
	struct perf_frames *frames;
	struct idmap numbers;   /* of files, by the address of their path string, which does not change */
	struct inlines **files; /* by number; NULL: without debug information */
	size_t n_files, cap_files;
	struct joined *joined;
	size_t n_joined, cap_joined;
	struct map map; /* of joined, by what they are joined from */
	struct file_places places;
	struct buf name;
	bool has_any;
};

struct perf_inlines *perf_inlines_new(struct sink *sink, struct perf_frames *frames)
{
	struct perf_inlines *p = mem_zalloc(1, sizeof *p);
	p->sink = sink;
	p->frames = frames;
	p->places = collapse_places(sink->options);
	map_init(&p->map, 512);
	buf_init(&p->name);
	return p;
}

bool perf_inlines_are_wanted(const struct collapse_options *o)
{
	return o->inline_ || (o->inlines == INLINES_SHOWN && inlines_is_built());
}

/* Only to a user who asked for them. */
static void say_what_is_missing(struct perf_inlines *p)
{
	struct report *report = &p->sink->profile->report;
	if (!p->sink->options->inline_)
		return;
	if (!inlines_is_built())
		report_add(report, NOTE_WARN, "inlined calls stay hidden: flametop was built without libdw (elfutils)",
		           NULL, 0, NULL, 0);
	else if (p->n_files && !p->has_any)
		report_add(report, NOTE_WARN, "inlined calls stay hidden: no program or library has debug information",
		           NULL, 0, NULL, 0);
}

static void close_file(struct perf_inlines *p, struct inlines *file)
{
	const char *refused = file ? inlines_refused(file) : NULL;
	const char *lines = file ? inlines_lines_refused(file) : NULL;
	const char *cut = file ? inlines_cut(file) : NULL;
	if (file && inlines_lacks_names(file))
		sink_warn(p->sink, "some inlined calls have no names: they are longer than debug information explains", 0,
		          NULL, 0);
	if (cut)
		sink_warn(p->sink, "debug information is not read to its end, since there is too much of it", 0, cut,
		          strlen(cut));
	if (lines)
		sink_warn(p->sink, "lines of code stay unknown, as debug information is not read", 0, lines, strlen(lines));
	if (refused)
		sink_warn(p->sink, "inlined calls stay hidden, as debug information is not read", 0, refused,
		          strlen(refused));
	inlines_free(file);
}

void perf_inlines_free(struct perf_inlines *p)
{
	if (!p)
		return;
	say_what_is_missing(p);
	for (size_t i = 0; i < p->n_files; i++)
		close_file(p, p->files[i]);
	free(p->files);
	free(p->joined);
	map_deinit(&p->map);
	idmap_deinit(&p->numbers);
	buf_deinit(&p->name);
	free(p);
}

static struct inlines *file_of(struct perf_inlines *p, const struct perf_symbol *symbol)
{
	struct err err = {""};
	uint32_t number;
	if (idmap_find(&p->numbers, (uintptr_t)symbol->path, &number))
		return p->files[number];
	idmap_add(&p->numbers, (uintptr_t)symbol->path, (uint32_t)p->n_files);
	errno = 0;
	const struct inlines_files files = {symbol->path, symbol->debug_path, symbol->alt_path, &p->places};
	struct inlines *file = inlines_open(&files, &err);
	if (file ? err.text[0] != '\0' : descriptor_is_lacking(errno) || errno == EFBIG)
		sink_warn(p->sink,
		          file ? "inlined calls may have no names, as debug information is not read"
		               : "inlined calls stay hidden, as debug information is not read",
		          0, err.text, strlen(err.text));
	mem_push(p->files, p->n_files, p->cap_files, file);
	p->has_any |= file != NULL;
	return file;
}

static bool is_same(const struct joined *a, const struct joined *b)
{
	return a->calls == b->calls && a->own.first == b->own.first && a->own.n == b->own.n && a->is_java == b->is_java;
}

static uint64_t hash_of(const struct joined *j)
{
	return hash_mix((uintptr_t)j->calls ^ hash_seed[0],
	                ((uint64_t)j->own.first << 1 | j->is_java) + (hash_seed[1] | 1));
}

/* Appends copies of frames in the pool to the pool; inlined ones get the module of the function they are in. */
static void copy(struct perf_frames *f, uint32_t first, uint32_t n, const struct perf_place_frames *own,
                 size_t level)
{
	for (uint32_t i = 0; i < n; i++) {
		struct perf_frame frame = f->pool[first + i];
		if (frame.is_inlined && own->n)
			frame = perf_frames_inlined(f, frame, f->pool[own->first].sym);
		frame.level = (uint8_t)(level < UINT8_MAX ? level : UINT8_MAX);
		mem_push(f->pool, f->n_pool, f->cap_pool, frame);
	}
}

/* The frames of an inlined call; known ones stay where they are. */
static struct perf_place_frames frames_of(struct perf_inlines *p, const char *name, bool is_java)
{
	struct perf_site site = {.module = slice_of("inlined")};
	perf_frames_prepare(p->frames, &site, perf_symbol_name(p->sink, name, &p->name), is_java);
	const struct perf_memo *m = perf_frames_find(p->frames, &site);
	return (struct perf_place_frames){m->first, m->n, m->is_cut};
}

static struct perf_place_frames join(struct perf_inlines *p, const struct inlined_at *calls, size_t n,
                                     struct perf_place_frames own, bool is_java)
{
	struct perf_frames *f = p->frames;
	struct perf_place_frames all = {.is_cut = false}, *parts = mem_alloc((n + 1) * sizeof *parts);
	size_t n_parts = 0, n_inlined = 0;
	while (n_inlined < n && calls[n_inlined].is_inlined)
		n_inlined++;
	for (size_t i = 0; i < n && calls[i].is_inlined && !all.is_cut; i++) {
		parts[n_parts] = frames_of(p, calls[i].name, is_java);
		all.is_cut = parts[n_parts++].is_cut;
	}
	if (!all.is_cut) {
		parts[n_parts++] = own;
		all.is_cut = own.is_cut;
	}
	all.first = (uint32_t)f->n_pool;
	for (size_t i = 0; i < n_parts; i++)
		copy(f, parts[i].first, parts[i].n, &own, n_inlined - i);
	all.n = (uint32_t)(f->n_pool - all.first) & 0x7fffffff;
	free(parts);
	return all;
}

struct perf_place_frames perf_inlines_find(struct perf_inlines *p, const struct perf_symbol *symbol,
                                           struct perf_place_frames own, bool is_java)
{
	bool may_look = symbol->path && !symbol->is_passing && !p->sink->profile->bound.is_reached;
	struct inlines *file = may_look ? file_of(p, symbol) : NULL;
	struct joined key = {.own = own, .is_java = is_java};
	status_detail("inlined functions of", file ? symbol->path : NULL);
	size_t n = file ? inlines_at(file, symbol->vaddr, &key.calls) : 0;
	status_detail(NULL, NULL);
	if (!n || !key.calls[0].is_inlined)
		return own;
	profile_take(p->sink->profile, n);
	uint64_t hash = hash_of(&key);
	MAP_EACH(&p->map, hash, i)
	if (is_same(&p->joined[i], &key))
		return p->joined[i].frames;
	key.frames = join(p, key.calls, n, own, is_java);
	mem_push(p->joined, p->n_joined, p->cap_joined, key);
	map_add(&p->map, hash, (uint32_t)(p->n_joined - 1));
	return key.frames;
}
