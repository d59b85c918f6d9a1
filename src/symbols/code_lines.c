/*
 * code_lines.c - the source lines of addresses, and facts about source files, from debug information.
 */
#include "symbols/code_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/regular.h"
#include "symbols/debuginfod.h"
#include "symbols/elf_file.h"
#include "symbols/inlines.h"
#include "symbols/jit_code.h"
#include "symbols/line_files.h"
#include "symbols/symbols.h"

/* A source that a server was asked for. */
struct fetched {
	char *source;
	char *path;     /* of the copy; NULL: no server has it */
	struct err why; /* NULL path: the reason, if there is more to say */
};

struct opened {
	char *path;                 /* with the code */
	struct inlines *inlines;    /* NULL: there is no debug information */
	struct jit_code *jit;       /* NULL: it is no dump of a JIT compiler */
	char *why;                  /* there are no lines in it; NULL: there are */
	struct line_files *sources; /* NULL: there are none, or they were not read yet */
	bool are_sources_read;
	struct fetched *fetched;
	size_t n_fetched, cap_fetched;
};

/* A function that is known by name, and where it is. */
struct function {
	char *path, *name; /* as recorded */
	uint32_t page;
	bool is_found;
	struct code_place place; /* its texts belong to the symbols */
};

struct code_lines {
	struct file_places places;
	struct opened *files;
	size_t n, cap;
	size_t last;             /* the one used last */
	struct symbols *symbols; /* NULL: no function was looked for */
	struct function *functions;
	size_t n_functions, cap_functions;
	struct map ids; /* of functions */
	bool uses_servers;
	struct debuginfod *remote; /* NULL: not asked yet */
};

struct code_lines *code_lines_new(const struct file_places *places, bool uses_servers)
{
	struct code_lines *c = mem_zalloc(1, sizeof *c);
	c->places = places ? *places : (struct file_places){0};
	c->uses_servers = uses_servers;
	map_init(&c->ids, 16);
	return c;
}

static void close_file(struct opened *f)
{
	inlines_free(f->inlines);
	jit_code_free(f->jit);
	line_files_free(f->sources);
	for (size_t i = 0; i < f->n_fetched; i++) {
		free(f->fetched[i].source);
		free(f->fetched[i].path);
	}
	free(f->fetched);
	free(f->path);
	free(f->why);
}

void code_lines_free(struct code_lines *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++)
		close_file(&c->files[i]);
	for (size_t i = 0; i < c->n_functions; i++) {
		free(c->functions[i].path);
		free(c->functions[i].name);
	}
	free(c->files);
	free(c->functions);
	map_deinit(&c->ids);
	symbols_free(c->symbols);
	debuginfod_close(c->remote);
	free(c);
}

/* "/usr/lib/x.so: no debug information" -> "x.so: no debug information" */
static char *shortened(const char *path, const char *why)
{
	size_t n = strlen(path);
	const char *slash = strrchr(path, '/');
	bool is_named = slash && strncmp(why, path, n) == 0;
	return mem_strdup(is_named ? why + (slash + 1 - path) : why);
}

static struct opened *file_of(struct code_lines *c, const struct code_place *place)
{
	struct err err = {""};
	if (c->last < c->n && strcmp(c->files[c->last].path, place->path) == 0)
		return &c->files[c->last];
	for (c->last = 0; c->last < c->n; c->last++)
		if (strcmp(c->files[c->last].path, place->path) == 0)
			return &c->files[c->last];
	struct opened f = {.path = mem_strdup(place->path), .jit = jit_code_open(place->path, &err)};
	const struct inlines_files files = {place->path, place->debug, place->alt, &c->places};
	if (!f.jit && !(f.inlines = inlines_open(&files, &err)))
		f.why = shortened(place->path, err.text);
	mem_push(c->files, c->n, c->cap, f);
	return &c->files[c->last];
}

static void look_for(struct code_lines *c, struct function *f)
{
	struct symbol symbol;
	if (!c->symbols)
		c->symbols = symbols_new(&(struct symbols_options){.places = c->places, .wants_lines = true}, NULL);
	uint32_t file = symbols_file(c->symbols, &(struct symbols_file){.name = f->path}, 0);
	f->is_found = symbols_shown(c->symbols, file, f->name, CODE_PAGE, f->page, &symbol) && symbol.path;
	f->place = (struct code_place){symbol.path, symbol.debug_path, symbol.alt_path, symbol.vaddr};
}

static const struct function *function_of(struct code_lines *c, const struct code_name *code)
{
	uint64_t name = hash_bytes(code->function, strlen(code->function)) ^ code->page;
	uint64_t hash = hash_keys(name, hash_bytes(code->path, strlen(code->path)));
	MAP_EACH(&c->ids, hash, i)
	if (c->functions[i].page == code->page && strcmp(c->functions[i].name, code->function) == 0 &&
	    strcmp(c->functions[i].path, code->path) == 0)
		return &c->functions[i];
	struct function f = {.path = mem_strdup(code->path), .name = mem_strdup(code->function), .page = code->page};
	look_for(c, &f);
	map_add(&c->ids, hash, (uint32_t)c->n_functions);
	mem_push(c->functions, c->n_functions, c->cap_functions, f);
	return &c->functions[c->n_functions - 1];
}

static bool locate(void *lines, const struct code_name *code, struct code_place *place)
{
	*place = (struct code_place){code->path, code->debug, code->alt, 0};
	if (code->path && code->function) {
		const struct function *f = function_of(lines, code);
		*place = f->place;
		return f->is_found;
	}
	return code->path != NULL;
}

static const char *why_none(void *lines, const struct code_name *code)
{
	struct code_place place;
	if (!locate(lines, code, &place))
		return "the program is not here, or has no such function any more";
	const struct opened *f = file_of(lines, &place);
	if (!f->inlines)
		return f->why;
	const char *refused = inlines_lines_refused(f->inlines);
	return refused || !inlines_cut(f->inlines) ? refused
	                                           : "its debug information is not read to its end: too much of it";
}

static const char *find(void *lines, const struct code_name *code, uint64_t address, uint32_t level, uint32_t *line)
{
	struct code_place place;
	const struct inlined_at *frames;
	const struct opened *file = locate(lines, code, &place) ? file_of(lines, &place) : NULL;
	if (file && file->jit)
		return jit_code_line(file->jit, address, line);
	size_t n = file && file->inlines ? inlines_at(file->inlines, address + place.base, &frames) : 0;
	*line = 0;
	if (!n)
		return NULL;
	const struct inlined_at *f = &frames[level < n ? n - 1 - level : 0];
	*line = f->line;
	return f->file;
}

static void describe(void *lines, const struct code_name *code, const char *file, struct source_facts *facts)
{
	struct code_place place;
	struct stat st;
	*facts = (struct source_facts){0};
	if (!locate(lines, code, &place))
		return;
	struct opened *f = file_of(lines, &place);
	facts->built = regular_stat(place.path, true, &st) ? st.st_mtime : 0;
	if (f->inlines && !f->are_sources_read)
		f->sources = line_files_open(place.debug ? place.debug : place.path);
	f->are_sources_read = true;
	if (f->sources)
		line_files_find(f->sources, file, facts);
}

static const struct fetched *find_fetched(const struct opened *f, const char *source)
{
	for (size_t i = 0; i < f->n_fetched; i++)
		if (strcmp(f->fetched[i].source, source) == 0)
			return &f->fetched[i];
	return NULL;
}

static char *fetch_from(struct debuginfod *remote, const char *program, const char *source, struct err *err)
{
	struct elf_file elf;
	uint8_t id[BUILD_ID_MAX];
	if (!elf_file_open(&elf, program, NULL))
		return NULL;
	size_t n = elf_build_id(&elf, id);
	elf_file_close(&elf);
	return debuginfod_fetch_source(remote, id, n, source, err);
}

/* NULL: the user does not want servers, or none can be asked. */
static struct debuginfod *remote_of(struct code_lines *c)
{
	if (!c->remote && c->uses_servers)
		c->remote = debuginfod_open(NULL, NULL, NULL);
	c->uses_servers = c->remote;
	return c->remote;
}

/* Servers know sources by the absolute names of the compiler. What they do not have is asked for once. */
static char *fetch(void *lines, const struct code_name *code, const char *file, const atomic_bool *stop,
                   struct err *err)
{
	struct code_lines *c = lines;
	struct code_place place;
	struct opened *f = *file == '/' && remote_of(c) && locate(c, code, &place) ? file_of(c, &place) : NULL;
	if (!f || !f->inlines)
		return NULL;
	const struct fetched *known = find_fetched(f, file);
	if (known && *known->why.text)
		fail(err, "%s", known->why.text);
	if (known)
		return mem_strdup(known->path);
	debuginfod_follow(c->remote, stop);
	struct fetched new = {.source = mem_strdup(file)};
	char *path = fetch_from(c->remote, place.path, file, &new.why);
	new.path = mem_strdup(path);
	if (*new.why.text)
		fail(err, "%s", new.why.text);
	if (path || !stop || !atomic_load(stop))
		mem_push(f->fetched, f->n_fetched, f->cap_fetched, new);
	else
		free(new.source);
	debuginfod_follow(c->remote, NULL);
	return path;
}

struct line_finder code_lines_finder(struct code_lines *c)
{
	return (struct line_finder){find, locate, why_none, describe, fetch, c};
}
