/*
 * lua_image.h - the memory of a made-up Lua process, with the structures that src/languages/lua.c reads.
 *
 *	main chunk (app.lua:7) -> work (app.lua:12) -> coroutine.resume -> a coroutine: function <app.lua:20>
 *	(app.lua:21) -> function <app.lua:30> (app.lua:31), the innermost
 *
 * It is of any version: the layout says where things are. The native stack has a pointer to the coroutine, and then
 * one to the program. The image is a run of bytes from IMAGE_BASE on; a test can damage it, or let reads fail.
 */
#ifndef TESTS_UNIT_LUA_IMAGE_H
#define TESTS_UNIT_LUA_IMAGE_H

#include "languages/lua_layout.h"

#include "image.h"

#define LUA_SIZE 0x10000u
#define LUA_STACK UINT64_C(0x7ffe00001000) /* where the native stack begins; it grows down, for a page */
#define LUA_MAIN_TID 1
#define LUA_IDENT_5_1 "$Lua: Lua 5.1.5 Copyright (C) 1994-2012"
#define LUA_IDENT_5_2 "$LuaVersion: Lua 5.2.4  Copyright (C) 1994-2015"
#define LUA_IDENT_5_3 "$LuaVersion: Lua 5.3.6  Copyright (C) 1994-2020"
#define LUA_IDENT_5_4 "$LuaVersion: Lua 5.4.6  Copyright (C) 1994-2023"

/* Places in it. */
enum {
	LUA_AT_IDENT = 0x0,
	LUA_AT_GLOBAL = 0x100,
	LUA_AT_STATES = 0x400,    /* the program, and the coroutine */
	LUA_AT_CALLS = 0x1000,    /* four of each, the base first */
	LUA_AT_VALUES = 0x2000,   /* the stack of each */
	LUA_AT_CLOSURES = 0x3000, /* main chunk, work, coroutine.resume, the two functions of the coroutine */
	LUA_AT_PROTOS = 0x3400,
	LUA_AT_CODE = 0x3c00,
	LUA_AT_LINES = 0x4000,
	LUA_AT_TEXTS = 0x5000,
	LUA_AT_TABLES = 0x6000, /* registry, modules, _G, coroutine */
	LUA_AT_NODES = 0x6400,
	LUA_AT_NATIVE = 0x10000, /* LUA_STACK */
	LUA_STATE_STEP = 0x100,
	LUA_CALLS_STEP = 0x800,
	LUA_VALUES_STEP = 0x800,
	LUA_CLOSURE_STEP = 0x40,
	LUA_PROTO_STEP = 0x80,
	LUA_CODE_STEP = 0x40,
	LUA_TEXT_STEP = 0x40,
	LUA_TABLE_STEP = 0x40,
	LUA_NODES_STEP = 0x100
};

struct lua_image {
	struct image in;
	struct lua_layout layout;
};

__attribute__((unused)) static bool lua_image_read(void *arg, uint64_t address, void *into, size_t n)
{
	struct lua_image *m = arg;
	if (address >= LUA_STACK - 0x1000)
		address -= LUA_STACK - (IMAGE_BASE + LUA_AT_NATIVE);
	return image_read(&m->in, address, into, n);
}

static size_t lua_text(struct lua_image *m, unsigned i, const char *text)
{
	size_t at = LUA_AT_TEXTS + i * LUA_TEXT_STEP;
	snprintf((char *)m->in.bytes + at + LUA_TEXT, LUA_TEXT_STEP - LUA_TEXT, "%s", text);
	return at;
}

/* A value that leads to an object. */
static void lua_value(struct lua_image *m, size_t at, size_t to, unsigned tag)
{
	image_point(&m->in, at, to);
	m->in.bytes[at + LUA_VALUE_TAG] = (unsigned char)(tag | (m->layout.minor > 1 ? 0x40 : 0));
}

static size_t lua_call_at(const struct lua_image *m, unsigned state, unsigned i)
{
	size_t step = m->layout.call_flags ? 0x100 : m->layout.call_size;
	size_t base = LUA_AT_CALLS + state * LUA_CALLS_STEP;
	if (!i && m->layout.call_flags)
		return LUA_AT_STATES + state * LUA_STATE_STEP + m->layout.state_base;
	return base + i * step;
}

static size_t lua_slot_at(unsigned state, unsigned slot)
{
	return LUA_AT_VALUES + state * LUA_VALUES_STEP + slot * LUA_VALUE_SIZE;
}

/* A call of the function in a slot, at an instruction. */
static void lua_call(struct lua_image *m, unsigned state, unsigned i, unsigned slot, size_t at, bool is_lua,
                     bool is_fresh)
{
	const struct lua_layout *l = &m->layout;
	size_t call = lua_call_at(m, state, i);
	image_point(&m->in, call + l->call_function, lua_slot_at(state, slot));
	if (l->minor != 4)
		image_point(&m->in, call + l->call_base, lua_slot_at(state, slot + 1));
	image_point(&m->in, call + l->call_at, at);
	if (!l->call_flags)
		return;
	image_point(&m->in, call + 16, lua_call_at(m, state, i - 1));
	uint16_t flags = (uint16_t)((is_lua ? l->flags.lua : 0) | (is_fresh ? l->flags.fresh : 0));
	image_put(&m->in, call + l->call_flags, flags ^ l->flags.flips, 2);
}

/* A function of Lua of four instructions, the second of which calls what is in the register. */
static void lua_function(struct lua_image *m, unsigned i, uint32_t first, unsigned callee)
{
	const struct lua_layout *l = &m->layout;
	size_t closure = LUA_AT_CLOSURES + i * LUA_CLOSURE_STEP, proto = LUA_AT_PROTOS + i * LUA_PROTO_STEP,
		   code = LUA_AT_CODE + i * LUA_CODE_STEP, lines = LUA_AT_LINES + i * LUA_CODE_STEP;
	m->in.bytes[closure + LUA_OBJECT_TYPE] = LUA_TAG_FUNCTION;
	image_point(&m->in, closure + l->closure_code, proto);
	m->in.bytes[proto + LUA_OBJECT_TYPE] = (unsigned char)l->proto_type;
	image_point(&m->in, proto + l->proto_code, code);
	image_point(&m->in, proto + l->proto_lines, lines);
	image_point(&m->in, proto + l->proto_source, LUA_AT_TEXTS);
	image_put(&m->in, proto + l->proto_n, 4, 4);
	image_put(&m->in, proto + l->proto_n_lines, 4, 4);
	image_put(&m->in, proto + l->proto_first, first, 4);
	image_put(&m->in, code + 4, l->op_call | callee << l->op_bits, 4);
	for (unsigned k = 0; k < 4; k++)
		if (l->proto_bases)
			m->in.bytes[lines + k] = k == 1; /* a step */
		else
			image_put(&m->in, lines + 4 * k, first + (k > 0), 4);
	if (!i && !l->proto_bases)
		image_put(&m->in, lines + 4, 7, 4);
	if (!i && l->proto_bases)
		m->in.bytes[lines + 1] = 7;
}

static size_t lua_at(unsigned function, unsigned instruction)
{
	return LUA_AT_CODE + function * LUA_CODE_STEP + 4 * instruction;
}

static void lua_table(struct lua_image *m, unsigned i)
{
	size_t at = LUA_AT_TABLES + i * LUA_TABLE_STEP;
	m->in.bytes[at + LUA_OBJECT_TYPE] = LUA_TAG_TABLE;
	m->in.bytes[at + LUA_TABLE_SIZE] = 1;
	image_point(&m->in, at + m->layout.table_nodes, LUA_AT_NODES + i * LUA_NODES_STEP);
}

static void lua_entry(struct lua_image *m, unsigned table, unsigned i, size_t key, size_t value, unsigned tag)
{
	size_t at = LUA_AT_NODES + table * LUA_NODES_STEP + i * m->layout.node_size;
	lua_value(m, at, value, tag);
	image_point(&m->in, at + LUA_NODE_KEY, key);
	m->in.bytes[at + m->layout.node_tag] = LUA_TAG_STRING | (m->layout.minor > 1 ? 0x40 : 0);
}

static void lua_state(struct lua_image *m, unsigned i, unsigned last, uint64_t jump, unsigned c_calls)
{
	const struct lua_layout *l = &m->layout;
	size_t at = LUA_AT_STATES + i * LUA_STATE_STEP;
	m->in.bytes[at + LUA_OBJECT_TYPE] = LUA_TAG_THREAD;
	image_point(&m->in, at + LUA_STATE_TOP, lua_slot_at(i, 20));
	image_point(&m->in, at + l->state_global, LUA_AT_GLOBAL);
	image_point(&m->in, at + l->state_call, lua_call_at(m, i, last));
	image_point(&m->in, at + l->state_stack_end, lua_slot_at(i, 40));
	image_point(&m->in, at + l->state_stack_end + 8, lua_slot_at(i, 0));
	if (l->call_flags)
		image_point(&m->in, at + l->state_base + l->call_function, lua_slot_at(i, 0));
	image_put(&m->in, at + l->state_jump, jump, 8);
	if (!l->call_flags)
		image_point(&m->in, at + l->state_base, lua_call_at(m, i, 0));
	image_put(&m->in, at + l->state_c_calls, c_calls, 2);
}

static void lua_names(struct lua_image *m, size_t resume)
{
	for (unsigned i = 0; i < 4; i++)
		lua_table(m, i);
	lua_value(m, LUA_AT_GLOBAL + m->layout.global_registry, LUA_AT_TABLES, LUA_TAG_TABLE);
	lua_entry(m, 0, 1, lua_text(m, 1, "_LOADED"), LUA_AT_TABLES + LUA_TABLE_STEP, LUA_TAG_TABLE);
	lua_entry(m, 1, 0, lua_text(m, 2, "_G"), LUA_AT_TABLES + 2 * LUA_TABLE_STEP, LUA_TAG_TABLE);
	lua_entry(m, 1, 1, lua_text(m, 3, "coroutine"), LUA_AT_TABLES + 3 * LUA_TABLE_STEP, LUA_TAG_TABLE);
	lua_entry(m, 2, 1, lua_text(m, 4, "work"), LUA_AT_CLOSURES + LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	lua_entry(m, 3, 0, lua_text(m, 5, "resume"), resume, LUA_TAG_FUNCTION);
	if (m->layout.minor > 1)
		m->in.bytes[LUA_AT_NODES + 3 * LUA_NODES_STEP + LUA_VALUE_TAG] = LUA_FUNCTION_LIGHT;
}

/* The version is that of the ident. */
__attribute__((unused)) static void lua_make(struct lua_image *m, const char *ident)
{
	struct err err;
	memset(m, 0, sizeof *m);
	image_begin(&m->in, LUA_SIZE);
	strcpy((char *)m->in.bytes, ident);
	struct memory memory = {.read = lua_image_read, .arg = m, .budget = 10};
	if (!lua_layout_find(&m->layout, &memory, IMAGE_BASE, &err))
		return;
	size_t resume = LUA_AT_CLOSURES + 2 * LUA_CLOSURE_STEP;
	lua_text(m, 0, "@/srv/app.lua");
	lua_function(m, 0, 0, 2);
	lua_function(m, 1, 11, 3);
	lua_function(m, 3, 20, 1);
	lua_function(m, 4, 30, 1);
	m->in.bytes[resume + LUA_OBJECT_TYPE] = LUA_TAG_FUNCTION;
	m->in.bytes[resume + LUA_CLOSURE_N] = 1;
	image_point(&m->in, resume + m->layout.closure_code, lua_at(2, 0));
	image_point(&m->in, LUA_AT_GLOBAL + m->layout.global_main, LUA_AT_STATES);
	lua_state(m, 0, 3, LUA_STACK - 0x100, 3);
	lua_state(m, 1, 2, LUA_STACK - 0x800, 4);
	/* the program: functions in slots 1, 4 and 8; the last one has the coroutine as its argument */
	for (unsigned i = 0; i < 3; i++)
		lua_value(m, lua_slot_at(0, (unsigned[]){1, 4, 8}[i]), LUA_AT_CLOSURES + i * LUA_CLOSURE_STEP,
		          LUA_TAG_FUNCTION);
	if (m->layout.minor > 1)
		m->in.bytes[lua_slot_at(0, 8) + LUA_VALUE_TAG] = LUA_FUNCTION_LIGHT;
	lua_value(m, lua_slot_at(0, 9), LUA_AT_STATES + LUA_STATE_STEP, LUA_TAG_THREAD);
	lua_call(m, 0, 1, 1, lua_at(0, 2), true, true);
	lua_call(m, 0, 2, 4, lua_at(1, 2), true, false);
	lua_call(m, 0, 3, 8, 0, false, false);
	/* the coroutine: functions in slots 1 and 3 */
	lua_value(m, lua_slot_at(1, 1), LUA_AT_CLOSURES + 3 * LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	lua_value(m, lua_slot_at(1, 3), LUA_AT_CLOSURES + 4 * LUA_CLOSURE_STEP, LUA_TAG_FUNCTION);
	lua_call(m, 1, 1, 1, lua_at(3, 2), true, true);
	lua_call(m, 1, 2, 3, lua_at(4, 2), true, false);
	if (!m->layout.call_flags)
		image_point(&m->in, LUA_AT_STATES + LUA_STATE_STEP + m->layout.state_call + 8, lua_at(4, 2));
	lua_names(m, resume);
	image_point(&m->in, LUA_AT_NATIVE - 0x40, LUA_AT_STATES + LUA_STATE_STEP);
	image_point(&m->in, LUA_AT_NATIVE - 0x80, LUA_AT_STATES);
}

static const char *const lua_image_names[] = {"lua_ident", "lua_newstate", "luaJIT_setmode", NULL};

__attribute__((unused)) static struct program lua_program(void)
{
	return (struct program){.path = "/usr/bin/lua",
	                        .main = LUA_MAIN_TID,
	                        .names = lua_image_names,
	                        .addresses = {IMAGE_BASE + LUA_AT_IDENT, IMAGE_BASE + 8},
	                        .stack = LUA_STACK};
}

#endif
