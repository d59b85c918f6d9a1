/*
 * lua_code.c - reads functions and lines, and keeps what was read.
 *
 * A function of Lua has no name of its own: its callers reach it by variables, fields and methods, each by another
 * one. So it is called by the name that it has in a module or as a global variable, as luaL_traceback() does first,
 * and else by the place where it begins: "function <app.lua:12>". That of a caller would cut it in parts.
 *
 * A Proto can be freed, and another one take its place. While a function runs its Proto lives; so pointers of it
 * are compared once for each stack.
 */
#include "languages/lua_code.h"

#include <stdio.h>
#include <string.h>

#include "base/idmap.h"
#include "base/mem.h"
#include "languages/lua_names.h"
#include "languages/slots.h"

#define CODE_MOST 10000000u /* instructions of a function */
#define LINE_MOST 100000000u
#define RECENT 8u /* lines of a function that are remembered, a power of two */
#define DELTA_NONE (-0x80)
#define BASE_STEP 128u   /* 5.4: at most so many instructions are between two lines that are known as such */
#define BASES_MOST 2000u /* that are tried */
#define DELTAS_MOST 1024u
#define NAME_READS 500u /* for names, in one stack */

struct proto {
	uint64_t code, source, lines, bases; /* pointers, by which it is known again */
	uint32_t n, n_lines, n_bases, first, function;
	bool is_searched; /* else its name is still being searched for, and its function has another one */
	uint64_t seen;    /* the stack in which it was compared last */
	struct {
		uint32_t at, line; /* at: the instruction; with line 0: empty */
	} recent[RECENT];
};

struct lua_codes {
	const struct lua_layout *layout;
	uint64_t stack; /* number of the one being read */
	struct lua_search search;
	uint64_t searched;    /* the stack in which that was gone on with */
	uint32_t name_reads;  /* that are left for this stack */
	struct slots protos;  /* by address */
	struct idmap natives; /* function of C -> its number */
	char source[LANGUAGE_TEXT];
};

struct lua_codes *lua_codes_new(const struct lua_layout *layout)
{
	struct lua_codes *c = mem_zalloc(1, sizeof *c);
	c->layout = layout;
	c->protos = (struct slots){.size = sizeof(struct proto), .most = CODES_MOST};
	return c;
}

void lua_codes_free(struct lua_codes *c)
{
	if (!c)
		return;
	slots_deinit(&c->protos);
	idmap_deinit(&c->natives);
	free(c);
}

void lua_codes_begin(struct lua_codes *c)
{
	c->stack++;
	c->name_reads = NAME_READS;
	if (c->natives.n >= CODES_MOST)
		idmap_deinit(&c->natives);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

#define START_MOST 44u /* bytes of a text, in its short form */

/* The short form of a source, as messages of Lua have it: "app.lua", "[string "return 1"]". */
static void shorten(const char *source, char *text, size_t size)
{
	size_t n = strlen(source), line = strcspn(source, "\n");
	if (lua_name_of_file(text, size, source))
		return;
	if (n == line && n <= START_MOST)
		snprintf(text, size, "[string \"%s\"]", source);
	else
		snprintf(text, size, "[string \"%.*s...\"]", (int)(line > START_MOST + 1 ? START_MOST + 1 : line), source);
}

/*
 * Searches the name of a function, which c->search has then. A search that takes long goes on in the next stacks;
 * others wait for it, unless its function is no longer in them.
 */
static enum lua_search_result find_name(struct lua_codes *c, struct memory *m, const struct lua_callee *callee)
{
	bool is_its = c->search.function == callee->closure,
		 is_taken = c->search.function && c->searched + 1 >= c->stack;
	if (is_its)
		c->searched = c->stack;
	if (!c->name_reads || !m->budget || (!is_its && is_taken))
		return SEARCH_CUT;
	if (!is_its)
		c->search = (struct lua_search){.function = callee->closure};
	struct memory few = memory_part(m, c->name_reads);
	enum lua_search_result result = lua_names_find(c->layout, &few, callee->global, &c->search);
	memory_part_end(m, &few, &c->name_reads);
	c->searched = c->stack;
	if (result != SEARCH_CUT)
		c->search.function = 0;
	return result;
}

static bool define(struct lua_codes *c, struct memory *m, const struct lua_callee *callee,
                   const struct language_names *names, struct proto *p)
{
	char brief[LUA_SHORT_MOST + 20], place[LUA_SHORT_MOST + 60];
	strcpy(c->source, "=?");
	if (p->source && !memory_string(m, p->source + LUA_TEXT, c->source, sizeof c->source))
		return false;
	shorten(c->source, brief, sizeof brief);
	lua_name_of_place(place, sizeof place, brief, p->first);
	const struct language_function f = {place, *c->source == '@' ? c->source + 1 : brief, p->first};
	struct language_function named = f;
	enum lua_search_result result = find_name(c, m, callee);
	if (result == SEARCH_FOUND)
		named.name = c->search.best.text;
	p->is_searched = result != SEARCH_CUT;
	p->function = names->define(names->arg, &named);
	return p->function != NO_FUNCTION;
}

/* ---- code ---------------------------------------------------------------------------------------------------- */

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
	if (!memory_is_place(address) || !memory_read(m, address, bytes, sizeof bytes) ||
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
	struct proto *p = slots_find(&c->protos, callee->code), now;
	if (!p || p->seen != c->stack || !p->function) {
		if (!look_at(c, m, callee->code, &now))
			return false;
		if (!p)
			p = slots_of(&c->protos, callee->code);
		if (!p->function || !p->is_searched || !is_same(p, &now)) {
			*p = now;
			if (!define(c, m, callee, names, p))
				return false;
		}
		p->seen = c->stack;
	}
	*out = (struct lua_code){p->function, callee->code, p->code, p->code + 4 * (uint64_t)p->n};
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
	struct proto *p = slots_find(&c->protos, code->address);
	if (!p || address <= code->begin || address > code->end)
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
	enum lua_search_result result = find_name(c, m, callee);
	if (result == SEARCH_FOUND)
		number = names->define(names->arg, &(struct language_function){c->search.best.text, "", 0});
	if (result == SEARCH_CUT || (result == SEARCH_FOUND && number == NO_FUNCTION))
		return NO_FUNCTION;
	idmap_add(&c->natives, callee->code, number);
	return number;
}
