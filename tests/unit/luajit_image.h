/*
 * luajit_image.h - the memory of a made-up process of LuaJIT, with the structures that src/languages/luajit*.c read.
 *
 *	main chunk (app.lua:7) -> work (app.lua:12) -> coroutine.resume -> a coroutine: function <app.lua:20>
 *	(app.lua:21) -> function <app.lua:30> (app.lua:31), the innermost, in the interpreter
 *
 * The native stack has a frame of the interpreter for the coroutine, and then one for the program. The image is a run
 * of bytes from IMAGE_BASE on; a test can damage it, or let reads fail.
 */
#ifndef TESTS_UNIT_LUAJIT_IMAGE_H
#define TESTS_UNIT_LUAJIT_IMAGE_H

#include "languages/luajit_layout.h"

#include "image.h"

#define JIT_SIZE 0x10000u
#define JIT_STACK UINT64_C(0x7ffe00001000) /* where the native stack begins; it grows down, for a page */
#define JIT_MAIN_TID 1
#define JIT_CONSTANTS "LuaJIT control LuaJIT 2.1.0-beta3 "
#define JIT_FRAME_MAIN (JIT_STACK - 0x200)
#define JIT_FRAME (JIT_FRAME_MAIN - LUAJIT_NATIVE_SIZE) /* of the coroutine */

/* Places in it. */
enum {
	JIT_AT_API = 0x0,     /* functions in C, 0x40 bytes each */
	JIT_AT_CODE = 0x1000, /* of the interpreter: operations, then functions in assembler */
	JIT_AT_MAIN = 0x2000, /* the program's state, and what all share */
	JIT_AT_GLOBAL = JIT_AT_MAIN + LUAJIT_STATE_SIZE,
	JIT_AT_COROUTINE = 0x3800,
	JIT_AT_VALUES = 0x4000,    /* the stack of each */
	JIT_AT_FUNCTIONS = 0x5000, /* main chunk, work, coroutine.resume, the two functions of the coroutine */
	JIT_AT_PROTOS = 0x6000,    /* with instructions */
	JIT_AT_LINES = 0x7000,
	JIT_AT_TEXTS = 0x7800,
	JIT_AT_TABLES = 0x8000, /* registry, modules, _G, coroutine */
	JIT_AT_NODES = 0x8400,
	JIT_AT_TRACES = 0x9000,
	JIT_AT_NATIVE = 0x10000, /* JIT_STACK */
	JIT_VALUES_STEP = 0x800,
	JIT_FUNCTION_STEP = 0x40,
	JIT_PROTO_STEP = 0x100,
	JIT_TEXT_STEP = 0x80,
	JIT_TABLE_STEP = 0x40,
	JIT_NODES_STEP = 0x100,
	JIT_OP_STEP = 0x10, /* of code */
	JIT_AT_FAST = JIT_AT_CODE + 0x800
};

struct luajit_image {
	struct image in;
};

__attribute__((unused)) static bool jit_read(void *arg, uint64_t address, void *into, size_t n)
{
	struct luajit_image *m = arg;
	if (address >= JIT_STACK - 0x1000)
		address -= JIT_STACK - (IMAGE_BASE + JIT_AT_NATIVE);
	return image_read(&m->in, address, into, n);
}

/* The place of an address of the native stack. */
static size_t jit_native(uint64_t address)
{
	return (size_t)(JIT_AT_NATIVE - (JIT_STACK - address));
}

static size_t jit_slot(unsigned state, unsigned slot)
{
	return JIT_AT_VALUES + state * JIT_VALUES_STEP + slot * LUAJIT_VALUE_SIZE;
}

static size_t jit_function_at(unsigned i)
{
	return JIT_AT_FUNCTIONS + i * JIT_FUNCTION_STEP;
}

/* The place after an instruction of a function; 0: of none. */
static size_t jit_at(unsigned function, unsigned instruction)
{
	return JIT_AT_PROTOS + function * JIT_PROTO_STEP + LUAJIT_PROTO_SIZE + 4 * instruction;
}

static void jit_value(struct luajit_image *m, size_t at, size_t to, enum luajit_type type)
{
	image_put(&m->in, at, (~(uint64_t)type << LUAJIT_VALUE_BITS) | (IMAGE_BASE + to), 8);
}

/* The frame of a function with its base in this slot; link: how it was called. */
__attribute__((unused)) static void jit_frame(struct luajit_image *m, unsigned state, unsigned base,
                                              unsigned function, uint64_t link)
{
	jit_value(m, jit_slot(state, base - 2), jit_function_at(function), LUAJIT_FUNCTION);
	image_put(&m->in, jit_slot(state, base - 1), link, 8);
}

static size_t jit_text(struct luajit_image *m, unsigned i, const char *text)
{
	size_t at = JIT_AT_TEXTS + i * JIT_TEXT_STEP;
	snprintf((char *)m->in.bytes + at + LUAJIT_TEXT, JIT_TEXT_STEP - LUAJIT_TEXT, "%s", text);
	return at;
}

/* A function of Lua of six instructions, the second of which calls what is in a register. */
static void jit_lua(struct luajit_image *m, unsigned i, uint32_t first, uint32_t line, unsigned callee)
{
	size_t at = jit_function_at(i), proto = JIT_AT_PROTOS + i * JIT_PROTO_STEP, lines = JIT_AT_LINES + i * 0x40;
	m->in.bytes[at + LUAJIT_OBJECT_TYPE] = LUAJIT_FUNCTION;
	image_point(&m->in, at + LUAJIT_FUNCTION_CODE, proto + LUAJIT_PROTO_SIZE);
	m->in.bytes[proto + LUAJIT_OBJECT_TYPE] = LUAJIT_PROTO;
	image_put(&m->in, proto + LUAJIT_PROTO_N, 6, 4);
	image_point(&m->in, proto + LUAJIT_PROTO_SOURCE, JIT_AT_TEXTS);
	image_put(&m->in, proto + LUAJIT_PROTO_FIRST, first, 4);
	image_put(&m->in, proto + LUAJIT_PROTO_N_LINES, 9, 4);
	image_point(&m->in, proto + LUAJIT_PROTO_LINES, lines);
	for (unsigned k = 0; k < 5; k++)
		m->in.bytes[lines + k] = (unsigned char)(line - first);
	image_put(&m->in, jit_at(i, 1), 66 | callee << 8, 4); /* a call */
}

/* A function of C, which an operation calls, or one in assembler. */
__attribute__((unused)) static void jit_c(struct luajit_image *m, unsigned i, bool is_fast)
{
	size_t at = jit_function_at(i);
	m->in.bytes[at + LUAJIT_OBJECT_TYPE] = LUAJIT_FUNCTION;
	m->in.bytes[at + LUAJIT_FUNCTION_NUMBER] = 20;
	image_point(&m->in, at + LUAJIT_FUNCTION_CODE, jit_at(i, 0));
	image_point(&m->in, at + LUAJIT_FUNCTION_C, JIT_AT_API + 8);
	image_put(&m->in, jit_at(i, 0), is_fast ? 120 : 95, 4);
}

static void jit_table(struct luajit_image *m, unsigned i)
{
	size_t at = JIT_AT_TABLES + i * JIT_TABLE_STEP;
	m->in.bytes[at + LUAJIT_OBJECT_TYPE] = LUAJIT_TABLE;
	image_put(&m->in, at + LUAJIT_TABLE_MASK, 1, 4);
	image_point(&m->in, at + LUAJIT_TABLE_NODES, JIT_AT_NODES + i * JIT_NODES_STEP);
}

static void jit_entry(struct luajit_image *m, unsigned table, unsigned i, size_t key, size_t value,
                      enum luajit_type type)
{
	size_t at = JIT_AT_NODES + table * JIT_NODES_STEP + i * LUAJIT_NODE_SIZE;
	jit_value(m, at, value, type);
	jit_value(m, at + LUAJIT_NODE_KEY, key, LUAJIT_STRING);
}

static void jit_state(struct luajit_image *m, size_t at, unsigned i, unsigned base, uint64_t frame)
{
	m->in.bytes[at + LUAJIT_OBJECT_TYPE] = LUAJIT_THREAD;
	image_point(&m->in, at + LUAJIT_STATE_GLOBAL, JIT_AT_GLOBAL);
	image_point(&m->in, at + LUAJIT_STATE_BASE, jit_slot(i, base));
	image_point(&m->in, at + LUAJIT_STATE_STACK, jit_slot(i, 0));
	image_point(&m->in, at + LUAJIT_STATE_STACK_END, jit_slot(i, 60));
	image_put(&m->in, at + LUAJIT_STATE_C_FRAME, frame, 8);
	jit_value(m, jit_slot(i, 0), at, LUAJIT_THREAD);
}

static void jit_native_frame(struct luajit_image *m, uint64_t frame, size_t state, size_t instruction)
{
	image_point(&m->in, jit_native(frame) + LUAJIT_NATIVE_STATE, state);
	image_point(&m->in, jit_native(frame) + LUAJIT_NATIVE_AT, instruction);
}

/* The API's functions that tell the layout. */
static void jit_api(struct luajit_image *m)
{
	static const unsigned char codes[][12] = {{0xf3, 0x0f, 0x1e, 0xfa, 0x0f, 0xb6, 0x47, 0x0b, 0xc3},
	                                          {0x48, 0x8b, 0x47, 0x28, 0x48, 0x2b, 0x47, 0x20},
	                                          {0x48, 0x8b, 0x47, 0x10, 0x48, 0x8b, 0x80, 0x50, 0x01, 0, 0, 0xc3},
	                                          {0x48, 0x8b, 0x47, 0x10, 0x0f, 0xb6, 0x80, 0x91, 0, 0, 0, 0x83}};
	for (size_t i = 0; i < 4; i++)
		memcpy(m->in.bytes + JIT_AT_API + 0x40 * (i + 1), codes[i], sizeof *codes);
	memcpy(m->in.bytes + JIT_AT_API + 0x28, "\xb9\x60\x18\0\0", 5);
}

static void jit_global(struct luajit_image *m)
{
	size_t g = JIT_AT_GLOBAL, dispatch = g + LUAJIT_GLOBAL_DISPATCH;
	image_point(&m->in, g + LUAJIT_GLOBAL_MAIN, JIT_AT_MAIN);
	image_point(&m->in, g + LUAJIT_GLOBAL_STATE, JIT_AT_COROUTINE);
	image_put(&m->in, g + LUAJIT_GLOBAL_VM_STATE, UINT32_MAX, 4);
	jit_value(m, g + LUAJIT_GLOBAL_REGISTRY, JIT_AT_TABLES, LUAJIT_TABLE);
	image_point(&m->in, g + LUAJIT_GLOBAL_TRACES, JIT_AT_TRACES);
	image_put(&m->in, g + LUAJIT_GLOBAL_N_TRACES, 8, 4);
	for (unsigned i = 0; i < LUAJIT_DISPATCHES; i++) {
		bool is_fast = i >= LUAJIT_OPS && i < LUAJIT_DISPATCH_FIXED;
		unsigned op = i < LUAJIT_OPS ? i : is_fast ? i - LUAJIT_OPS : i - LUAJIT_DISPATCH_FIXED;
		image_point(&m->in, dispatch + 8 * i, (is_fast ? JIT_AT_FAST : JIT_AT_CODE) + op * JIT_OP_STEP);
	}
}

static void jit_names(struct luajit_image *m)
{
	for (unsigned i = 0; i < 4; i++)
		jit_table(m, i);
	jit_entry(m, 0, 1, jit_text(m, 1, "_LOADED"), JIT_AT_TABLES + JIT_TABLE_STEP, LUAJIT_TABLE);
	jit_entry(m, 1, 0, jit_text(m, 2, "_G"), JIT_AT_TABLES + 2 * JIT_TABLE_STEP, LUAJIT_TABLE);
	jit_entry(m, 1, 1, jit_text(m, 3, "coroutine"), JIT_AT_TABLES + 3 * JIT_TABLE_STEP, LUAJIT_TABLE);
	jit_entry(m, 2, 1, jit_text(m, 4, "work"), jit_function_at(1), LUAJIT_FUNCTION);
	jit_entry(m, 3, 0, jit_text(m, 5, "resume"), jit_function_at(2), LUAJIT_FUNCTION);
}

/* Trace 5 begins at the fourth instruction of the innermost function. */
static void jit_trace(struct luajit_image *m)
{
	size_t trace = JIT_AT_TRACES + 0x100;
	image_point(&m->in, JIT_AT_TRACES + 5 * 8, trace);
	m->in.bytes[trace + LUAJIT_OBJECT_TYPE] = LUAJIT_TRACE;
	image_point(&m->in, trace + LUAJIT_TRACE_PROTO, JIT_AT_PROTOS + 4 * JIT_PROTO_STEP);
	image_point(&m->in, trace + LUAJIT_TRACE_AT, jit_at(4, 3));
	image_put(&m->in, trace + LUAJIT_TRACE_NUMBER, 5, 2);
}

__attribute__((unused)) static void jit_make(struct luajit_image *m)
{
	image_begin(&m->in, JIT_SIZE);
	jit_api(m);
	jit_global(m);
	jit_names(m);
	jit_trace(m);
	jit_text(m, 0, "@/srv/app.lua");
	jit_lua(m, 0, 0, 7, 2);
	jit_lua(m, 1, 11, 12, 1);
	jit_c(m, 2, true);
	jit_lua(m, 3, 20, 21, 3);
	jit_lua(m, 4, 30, 31, 1);
	jit_state(m, JIT_AT_MAIN, 0, 11, JIT_FRAME_MAIN);
	jit_state(m, JIT_AT_COROUTINE, 1, 9, JIT_FRAME | 1);
	jit_frame(m, 0, 4, 0, 16 | LUAJIT_LINK_C);
	jit_frame(m, 0, 8, 1, IMAGE_BASE + jit_at(0, 2));
	jit_frame(m, 0, 11, 2, IMAGE_BASE + jit_at(1, 2));
	jit_frame(m, 1, 4, 3, 16 | LUAJIT_LINK_PROTECTED);
	jit_frame(m, 1, 9, 4, IMAGE_BASE + jit_at(3, 2));
	jit_native_frame(m, JIT_FRAME_MAIN, JIT_AT_MAIN, jit_at(1, 2));
	jit_native_frame(m, JIT_FRAME, JIT_AT_COROUTINE, jit_at(4, 4));
}

/* Registers of the interpreter: next instruction, base, a base that is kept, stack, and where it is. */
enum { JIT_BX, JIT_DX, JIT_BP, JIT_SP, JIT_IP };

__attribute__((unused)) static struct memory_registers jit_registers(void)
{
	return (struct memory_registers){.mask = 1 << 1 | 1 << 3 | 1 << 6 | 1 << 7 | 1 << 8,
	                                 .values = {IMAGE_BASE + jit_at(4, 4), IMAGE_BASE + jit_slot(1, 9), 0,
	                                            JIT_FRAME, IMAGE_BASE + JIT_AT_CODE + 0x40}};
}

static const char *const jit_symbols[] = {"lua_ident", "lua_newstate", LUAJIT_SYMBOLS, NULL};

__attribute__((unused)) static struct program jit_program(void)
{
	return (struct program){.path = "/usr/bin/luajit",
	                        .main = 1,
	                        .names = jit_symbols,
	                        .addresses = {0, IMAGE_BASE + 8, IMAGE_BASE + 8, IMAGE_BASE + 0x40, IMAGE_BASE + 0x80,
	                                      IMAGE_BASE + 0xc0, IMAGE_BASE + 0x100},
	                        .constants = JIT_CONSTANTS,
	                        .stack = JIT_STACK};
}

#endif
