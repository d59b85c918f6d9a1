/*
 * luajit_code.c - reads functions and lines, and keeps what was read.
 *
 * Functions are named as those of Lua are (lua_code.c): by a module or global variable, or by where they begin. A
 * function's instructions follow its Proto, and each has its distance from the first line in 8, 16 or 32 bits.
 *
 * A Proto can be freed, and another one take its place. While a function runs its Proto lives; so it is compared
 * once for each stack.
 */
#include "languages/luajit_code.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "languages/luajit_names.h"

#define ENTRIES_MOST 200000u /* of a process that makes code without end; then all are forgotten */
#define CODE_MOST 10000000u  /* instructions of a function */
#define LINE_MOST 100000000u
#define RECENT 8u /* lines of a function that are remembered, a power of two */
#define INSTRUCTION 4u

struct proto {
	uint64_t source, lines; /* pointers, by which it is known again */
	uint32_t n, first, n_lines, function;
	uint64_t seen; /* the stack in which it was compared last */
	struct {
		uint32_t at, line; /* at: the instruction; with line 0: empty */
	} recent[RECENT];
};

struct luajit_codes {
	uint64_t stack; /* number of the one being read */
	struct idmap places, natives;
	uint32_t name_reads; /* for names, that are left for this stack */
	struct proto *protos;
	size_t n, cap;
	char source[LANGUAGE_TEXT];
};

struct luajit_codes *luajit_codes_new(void)
{
	return mem_zalloc(1, sizeof(struct luajit_codes));
}

static void forget_all(struct luajit_codes *c)
{
	c->n = 0;
	idmap_deinit(&c->places);
	idmap_deinit(&c->natives);
}

void luajit_codes_free(struct luajit_codes *c)
{
	if (!c)
		return;
	forget_all(c);
	free(c->protos);
	free(c);
}

void luajit_codes_begin(struct luajit_codes *c)
{
	c->stack++;
	c->name_reads = LUAJIT_NAME_READS;
	if (c->n + c->natives.n >= ENTRIES_MOST)
		forget_all(c);
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

/* The Proto as it is now. false: it is none. */
static bool look_at(struct memory *m, uint64_t address, struct proto *p)
{
	unsigned char b[LUAJIT_PROTO_SIZE];
	if (!address || address % 8 || !memory_read(m, address, b, sizeof b) || b[LUAJIT_OBJECT_TYPE] != LUAJIT_PROTO)
		return false;
	*p = (struct proto){.source = memory_u64(b, LUAJIT_PROTO_SOURCE),
	                    .lines = memory_u64(b, LUAJIT_PROTO_LINES),
	                    .n = memory_u32(b, LUAJIT_PROTO_N),
	                    .first = memory_u32(b, LUAJIT_PROTO_FIRST),
	                    .n_lines = memory_u32(b, LUAJIT_PROTO_N_LINES)};
	return p->n && p->n <= CODE_MOST && p->source && p->n_lines < LINE_MOST &&
	       (p->first < LINE_MOST || p->first == LUAJIT_FIRST_BUILTIN);
}

static bool is_same(const struct proto *a, const struct proto *b)
{
	return a->source == b->source && a->lines == b->lines && a->n == b->n && a->first == b->first &&
	       a->n_lines == b->n_lines;
}

/* Takes the Proto at an address, which was not seen in this stack. *at: its place, if is_known. */
static bool take_proto(struct luajit_codes *c, struct memory *m, uint64_t address, bool is_known, uint32_t *at)
{
	struct proto now;
	if (!look_at(m, address, &now))
		return false;
	if (!is_known) {
		*at = (uint32_t)c->n;
		mem_push(c->protos, c->n, c->cap, now);
		idmap_add(&c->places, address, *at);
	}
	if (!is_same(&c->protos[*at], &now))
		c->protos[*at] = now;
	c->protos[*at].seen = c->stack;
	return true;
}

/* Finds the Proto before these instructions. */
static bool read_proto(struct luajit_codes *c, struct memory *m, uint64_t code, struct luajit_function *f)
{
	uint64_t address = code - LUAJIT_PROTO_SIZE;
	bool is_known = idmap_find(&c->places, address, &f->place);
	if ((!is_known || c->protos[f->place].seen != c->stack) && !take_proto(c, m, address, is_known, &f->place))
		return false;
	f->begin = code;
	f->end = code + (uint64_t)c->protos[f->place].n * INSTRUCTION;
	return true;
}

bool luajit_codes_read(struct luajit_codes *c, struct memory *m, uint64_t value, struct luajit_function *f)
{
	unsigned char b[LUAJIT_FUNCTION_SIZE];
	*f = (struct luajit_function){.closure = luajit_object(value, LUAJIT_FUNCTION)};
	if (!f->closure || f->closure % 8 || !memory_read(m, f->closure, b, sizeof b) ||
	    b[LUAJIT_OBJECT_TYPE] != LUAJIT_FUNCTION)
		return false;
	f->begin = memory_u64(b, LUAJIT_FUNCTION_CODE);
	if (!b[LUAJIT_FUNCTION_NUMBER])
		return read_proto(c, m, f->begin, f);
	f->c = memory_u64(b, LUAJIT_FUNCTION_C);
	return f->c;
}

bool luajit_function_has(const struct luajit_function *f, uint64_t at)
{
	return !f->c && at >= f->begin && at <= f->end && at % INSTRUCTION == 0;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

#define TEXT_MOST 48u  /* bytes of a text that is shown as a whole */
#define START_MOST 45u /* of one that is not */

/* The short form of a source, as messages of LuaJIT have it: "app.lua", "[string "return 1"]". */
static void shorten(const char *source, uint32_t first, char *text, size_t size)
{
	const char *mark = first == LUAJIT_FIRST_BUILTIN ? "[builtin:" : "[string \"";
	const char *end = first == LUAJIT_FIRST_BUILTIN ? "]" : "\"]";
	size_t plain = 0;
	while (plain < TEXT_MOST && (unsigned char)source[plain] >= ' ')
		plain++;
	if (lua_name_of_file(text, size, source))
		return;
	if (!source[plain])
		snprintf(text, size, "%s%s%s", mark, source, end);
	else
		snprintf(text, size, "%s%.*s...%s", mark, (int)(plain < START_MOST ? plain : START_MOST), source, end);
}

/* Reads the source of a function, and its short form. */
static bool read_source(struct luajit_codes *c, struct memory *m, const struct proto *p, char *brief, size_t size)
{
	if (!memory_string(m, p->source + LUAJIT_TEXT, c->source, sizeof c->source))
		return false;
	shorten(c->source, p->first, brief, size);
	return true;
}

static const char *file_of(const struct luajit_codes *c, const struct proto *p, const char *brief)
{
	return p->first == LUAJIT_FIRST_BUILTIN ? "" : *c->source == '@' ? c->source + 1 : brief;
}

static uint32_t define(struct luajit_codes *c, struct memory *m, const struct luajit_function *f, uint64_t global,
                       const struct language_names *names)
{
	struct proto *p = &c->protos[f->place];
	struct lua_name name;
	char brief[LUA_SHORT_MOST + 20], place[LUA_SHORT_MOST + 60];
	if (!read_source(c, m, p, brief, sizeof brief))
		return NO_FUNCTION;
	bool is_builtin = p->first == LUAJIT_FIRST_BUILTIN;
	enum lua_search_result result = luajit_names_find(m, global, f->closure, &c->name_reads, &name);
	if (is_builtin)
		snprintf(place, sizeof place, "%s", brief);
	else
		lua_name_of_place(place, sizeof place, brief, p->first);
	const struct language_function of = {result == SEARCH_FOUND ? name.text : place, file_of(c, p, brief),
	                                     is_builtin ? 0 : p->first};
	uint32_t number = names->define(names->arg, &of);
	if (result != SEARCH_CUT)
		p->function = number;
	return number;
}

/* One of C has no name of its own. The same address can be another closure later. */
static uint32_t define_native(struct luajit_codes *c, struct memory *m, const struct luajit_function *f,
                              uint64_t global, const struct language_names *names, bool *has_name)
{
	uint64_t key = hash_keys(f->closure, f->c);
	uint32_t number = NO_FUNCTION;
	struct lua_name name;
	*has_name = !idmap_find(&c->natives, key, &number) || number != NO_FUNCTION;
	if (!*has_name || number != NO_FUNCTION)
		return number;
	enum lua_search_result result = luajit_names_find(m, global, f->closure, &c->name_reads, &name);
	*has_name = result == SEARCH_FOUND;
	if (*has_name)
		number = names->define(names->arg, &(struct language_function){name.text, "", 0});
	if (result == SEARCH_NONE || number != NO_FUNCTION)
		idmap_add(&c->natives, key, number);
	return number;
}

uint32_t luajit_codes_number(struct luajit_codes *c, struct memory *m, const struct luajit_function *f,
                             uint64_t global, const struct language_names *names, bool *has_name)
{
	*has_name = true;
	if (f->c)
		return define_native(c, m, f, global, names, has_name);
	uint32_t number = c->protos[f->place].function;
	return number != NO_FUNCTION ? number : define(c, m, f, global, names);
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* The first instruction, which begins the function, has its first line, and none in the table. */
static uint32_t read_line(struct memory *m, const struct proto *p, uint32_t at)
{
	uint32_t size = p->n_lines < 256 ? 1 : p->n_lines < 65536 ? 2 : 4, line = 0;
	if (!p->lines || p->first == LUAJIT_FIRST_BUILTIN || at >= p->n)
		return 0;
	if (!at)
		return p->first;
	if (!memory_read(m, p->lines + (uint64_t)(at - 1) * size, &line, size) || line > p->n_lines)
		return 0;
	return p->first + line;
}

uint32_t luajit_codes_line(struct luajit_codes *c, struct memory *m, const struct luajit_function *f, uint64_t at)
{
	if (!luajit_function_has(f, at))
		return 0;
	struct proto *p = &c->protos[f->place];
	uint32_t number = at > f->begin ? (uint32_t)((at - f->begin) / INSTRUCTION) - 1 : 0;
	uint32_t i = number & (RECENT - 1);
	if (p->recent[i].at != number || !p->recent[i].line) {
		p->recent[i].at = number;
		p->recent[i].line = read_line(m, p, number);
	}
	return p->recent[i].line;
}

/* ---- traces -------------------------------------------------------------------------------------------------- */

/* Reads where a trace begins: a function and, there, the address after an instruction. */
static bool read_trace(struct luajit_codes *c, struct memory *m, uint64_t global, uint32_t trace,
                       struct luajit_function *f, uint64_t *at)
{
	unsigned char b[LUAJIT_TRACE_SIZE];
	uint64_t traces, address;
	uint32_t n;
	*f = (struct luajit_function){.closure = 0};
	if (!memory_pointer(m, global + LUAJIT_GLOBAL_TRACES, &traces) ||
	    !memory_read(m, global + LUAJIT_GLOBAL_N_TRACES, &n, sizeof n) || !trace || trace >= n ||
	    !memory_pointer(m, traces + 8 * (uint64_t)trace, &address) || !address || address % 8 ||
	    !memory_read(m, address, b, sizeof b) || b[LUAJIT_OBJECT_TYPE] != LUAJIT_TRACE ||
	    (memory_u32(b, LUAJIT_TRACE_NUMBER) & UINT16_MAX) != trace)
		return false;
	*at = memory_u64(b, LUAJIT_TRACE_AT) + INSTRUCTION;
	return read_proto(c, m, memory_u64(b, LUAJIT_TRACE_PROTO) + LUAJIT_PROTO_SIZE, f) &&
	       luajit_function_has(f, *at);
}

uint32_t luajit_codes_trace(struct luajit_codes *c, struct memory *m, uint64_t global, uint32_t trace,
                            const struct language_names *names, uint32_t *line)
{
	struct luajit_function f;
	char brief[LUA_SHORT_MOST + 20], name[LUA_SHORT_MOST + 60];
	uint64_t at;
	if (!read_trace(c, m, global, trace, &f, &at))
		return NO_FUNCTION;
	const struct proto *p = &c->protos[f.place];
	*line = luajit_codes_line(c, m, &f, at);
	if (!*line || !read_source(c, m, p, brief, sizeof brief))
		return NO_FUNCTION;
	snprintf(name, sizeof name, "trace <%s:%u>", brief, *line);
	return names->define(names->arg, &(struct language_function){name, file_of(c, p, brief), *line});
}
