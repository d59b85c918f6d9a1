/*
 * lua_code.c - reads functions and lines, and keeps what was read.
 *
 * A function of Lua has no name of its own: its callers reach it by variables, fields and methods, each by another
 * one. So it is called by the name that it has in a module or as a global variable, as luaL_traceback() does first,
 * and else by the place where it begins: "function <app.lua:12>". That of a caller would cut it in parts.
 *
 * A Proto can be freed, and another one take its place. While a function runs its Proto lives; so pointers of it
 * are compared once for each stack. Functions that are made again from the same source share a number.
 */
#include "languages/lua_code.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "languages/lua_names.h"

#define ENTRIES_MOST 200000u /* of a process that makes code without end; then all are forgotten */
#define CODE_MOST 10000000u  /* instructions of a function */
#define LINE_MOST 100000000u
#define RECENT 8u /* lines of a function that are remembered, a power of two */
#define DELTA_NONE (-0x80)
#define BASE_STEP 128u   /* 5.4: at most so many instructions are between two lines that are known as such */
#define BASES_MOST 2000u /* that are tried */
#define DELTAS_MOST 1024u

struct proto {
	uint64_t code, source, lines, bases; /* pointers, by which it is known again */
	uint32_t n, n_lines, n_bases, first, function;
	uint64_t seen; /* the stack in which it was compared last */
	struct {
		uint32_t at, line; /* at: the instruction; with line 0: empty */
	} recent[RECENT];
};

struct lua_codes {
	const struct lua_layout *layout;
	uint64_t stack; /* number of the one being read */
	struct idmap places, natives, numbers;
	struct proto *protos;
	size_t n, cap;
	char name[LANGUAGE_TEXT], source[LANGUAGE_TEXT];
};

struct lua_codes *lua_codes_new(const struct lua_layout *layout)
{
	struct lua_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	return c;
}

static void forget_all(struct lua_codes *c)
{
	c->n = 0;
	idmap_deinit(&c->places);
	idmap_deinit(&c->natives);
	idmap_deinit(&c->numbers);
}

void lua_codes_free(struct lua_codes *c)
{
	if (!c)
		return;
	forget_all(c);
	free(c->protos);
	free(c);
}

void lua_codes_begin(struct lua_codes *c)
{
	c->stack++;
	if (c->n + c->natives.n + c->numbers.n >= ENTRIES_MOST)
		forget_all(c);
}

uint32_t lua_codes_number(struct lua_codes *c, const struct language_names *names,
                          const struct language_function *f)
{
	uint64_t key =
		hash_keys(hash_bytes(f->name, strlen(f->name)), hash_bytes(f->file, strlen(f->file)) + f->first_line);
	uint32_t number;
	if (idmap_find(&c->numbers, key, &number))
		return number;
	number = names->define(names->arg, f);
	if (number != NO_FUNCTION)
		idmap_add(&c->numbers, key, number);
	return number;
}

/* ---- names --------------------------------------------------------------------------------------------------- */

#define SHORT_MOST 59u /* bytes of the short form of a source */
#define START_MOST 44u /* of a text, in it */

/* The short form of a source, as messages of Lua have it: "app.lua", "[string "return 1"]". */
static void shorten(const char *source, char *text, size_t size)
{
	size_t n = strlen(source), line = strcspn(source, "\n");
	if (*source == '=')
		snprintf(text, size, "%.*s", (int)SHORT_MOST, source + 1);
	else if (*source == '@' && n - 1 <= SHORT_MOST)
		snprintf(text, size, "%s", source + 1);
	else if (*source == '@')
		snprintf(text, size, "...%s", source + n - (SHORT_MOST - 3));
	else if (n == line && n <= START_MOST)
		snprintf(text, size, "[string \"%s\"]", source);
	else
		snprintf(text, size, "[string \"%.*s...\"]", (int)(line > START_MOST + 1 ? START_MOST + 1 : line), source);
}

static bool define(struct lua_codes *c, struct memory *m, const struct lua_callee *callee,
                   const struct language_names *names, struct proto *p)
{
	char brief[SHORT_MOST + 20], place[SHORT_MOST + 60];
	strcpy(c->source, "=?");
	if (p->source && !memory_string(m, p->source + LUA_TEXT, c->source, sizeof c->source))
		return false;
	shorten(c->source, brief, sizeof brief);
	lua_name_of_place(place, sizeof place, brief, p->first);
	const struct language_function f = {place, *c->source == '@' ? c->source + 1 : brief, p->first};
	struct language_function named = f;
	if (lua_names_find(c->layout, m, callee->global, callee->closure, c->name))
		named.name = c->name;
	p->function = lua_codes_number(c, names, &named);
	return p->function != NO_FUNCTION;
}

/* ---- code ---------------------------------------------------------------------------------------------------- */

static struct proto *slot_of(struct lua_codes *c, uint64_t address)
{
	uint32_t at;
	if (!idmap_find(&c->places, address, &at)) {
		at = (uint32_t)c->n;
		mem_push(c->protos, c->n, c->cap, ((struct proto){.function = NO_FUNCTION}));
		idmap_add(&c->places, address, at);
	}
	return &c->protos[at];
}

static bool is_same(const struct proto *a, const struct proto *b)
{
	return a->code == b->code && a->source == b->source && a->lines == b->lines && a->bases == b->bases &&
	       a->n == b->n && a->n_lines == b->n_lines && a->n_bases == b->n_bases && a->first == b->first;
}

/* The Proto as it is now. false: it is none. */
static bool look_at(const struct lua_codes *c, struct memory *m, uint64_t address, struct proto *p)
{
	const struct lua_layout *l = c->layout;
	unsigned char bytes[LUA_PROTO_MOST];
	if (!address || address % 8 || !memory_read(m, address, bytes, sizeof bytes) ||
	    bytes[LUA_OBJECT_TYPE] != l->proto_type)
		return false;
	*p = (struct proto){.code = memory_u64(bytes, l->proto_code),
	                    .source = memory_u64(bytes, l->proto_source),
	                    .lines = memory_u64(bytes, l->proto_lines),
	                    .bases = l->proto_bases ? memory_u64(bytes, l->proto_bases) : 0,
	                    .n = memory_u32(bytes, l->proto_n),
	                    .n_lines = memory_u32(bytes, l->proto_n_lines),
	                    .n_bases = l->proto_bases ? memory_u32(bytes, l->proto_n_bases) : 0,
	                    .first = memory_u32(bytes, l->proto_first)};
	return p->code && p->n && p->n <= CODE_MOST && p->n_lines <= p->n && p->n_bases <= p->n && p->first < LINE_MOST;
}

bool lua_codes_find(struct lua_codes *c, struct memory *m, const struct lua_callee *callee,
                    const struct language_names *names, struct lua_code *out)
{
	struct proto *p = slot_of(c, callee->code), now;
	if (p->seen != c->stack || !p->function) {
		if (!look_at(c, m, callee->code, &now))
			return false;
		if (!p->function || !is_same(p, &now)) {
			*p = now;
			if (!define(c, m, callee, names, p))
				return false;
		}
		p->seen = c->stack;
	}
	*out = (struct lua_code){p->function, (uint32_t)(p - c->protos), p->code, p->code + 4 * (uint64_t)p->n};
	return true;
}

/* ---- lines --------------------------------------------------------------------------------------------------- */

/* 5.4: the last instruction up to this one whose line is known as such. *base: -1 for the beginning. */
static uint32_t find_base(struct memory *m, const struct proto *p, uint32_t at, int64_t *base)
{
	uint32_t line = p->first, found[2];
	*base = -1;
	for (uint32_t i = at / BASE_STEP ? at / BASE_STEP - 1 : 0, n = 0; i < p->n_bases && n < BASES_MOST; i++, n++) {
		if (!memory_read(m, p->bases + 8 * (uint64_t)i, found, sizeof found) || found[0] > at)
			break;
		*base = found[0];
		line = found[1];
	}
	return line;
}

/* 5.4: steps from one instruction to the next. */
static uint32_t add_steps(struct memory *m, const struct proto *p, uint32_t at)
{
	signed char steps[DELTAS_MOST];
	int64_t base, line = find_base(m, p, at, &base);
	size_t n = (size_t)(at - base);
	if (base > at || n > sizeof steps || (n && !memory_read(m, p->lines + (uint64_t)(base + 1), steps, n)))
		return 0;
	for (size_t i = 0; i < n; i++) {
		if (steps[i] == DELTA_NONE)
			return 0;
		line += steps[i];
	}
	return line > 0 && line < LINE_MOST ? (uint32_t)line : 0;
}

static uint32_t read_line(const struct lua_codes *c, struct memory *m, const struct proto *p, uint32_t at)
{
	uint32_t line = 0;
	if (at >= p->n_lines)
		return 0;
	if (c->layout->proto_bases)
		return add_steps(m, p, at);
	return memory_read(m, p->lines + 4 * (uint64_t)at, &line, sizeof line) && line < LINE_MOST ? line : 0;
}

uint32_t lua_codes_line(struct lua_codes *c, struct memory *m, const struct lua_code *code, uint64_t address)
{
	struct proto *p = &c->protos[code->place];
	if (address <= code->begin || address > code->end)
		return 0;
	uint32_t at = (uint32_t)((address - code->begin) / 4) - 1;
	uint32_t i = at & (RECENT - 1);
	if (p->recent[i].at != at || !p->recent[i].line) {
		p->recent[i].at = at;
		p->recent[i].line = read_line(c, m, p, at);
	}
	return p->recent[i].line;
}

/* ---- functions of C ------------------------------------------------------------------------------------------ */

uint32_t lua_codes_native(struct lua_codes *c, struct memory *m, const struct lua_callee *callee,
                          const struct language_names *names)
{
	uint32_t number = NO_FUNCTION;
	if (idmap_find(&c->natives, callee->code, &number))
		return number;
	if (lua_names_find(c->layout, m, callee->global, callee->closure, c->name)) {
		number = lua_codes_number(c, names, &(struct language_function){c->name, "", 0});
		if (number == NO_FUNCTION)
			return number;
	}
	idmap_add(&c->natives, callee->code, number);
	return number;
}
