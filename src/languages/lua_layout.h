/*
 * lua_layout.h - where Lua keeps what is needed of its structures, by version.
 */
#ifndef LANGUAGES_LUA_LAYOUT_H
#define LANGUAGES_LUA_LAYOUT_H

#include "base/err.h"
#include "languages/memory.h"

/* Offsets in bytes that are equal in all versions. */
#define LUA_OBJECT_TYPE 8u /* of anything that is collected */
#define LUA_STATE_TOP 16u
#define LUA_VALUE_TAG 8u
#define LUA_VALUE_SIZE 16u
#define LUA_TEXT 24u /* of a string: its bytes, and NUL */
#define LUA_TABLE_SIZE 11u
#define LUA_NODE_KEY 16u
#define LUA_CLOSURE_N 10u   /* upvalues; in 5.1: is it written in C */
#define LUA_STATE_MOST 208u /* bytes of a structure */
#define LUA_CALL_MOST 80u
#define LUA_CLOSURE_MOST 56u
#define LUA_PROTO_MOST 120u
#define LUA_NODE_MOST 40u

enum { LUA_TAG_STRING = 4, LUA_TAG_TABLE = 5, LUA_TAG_FUNCTION = 6, LUA_TAG_THREAD = 8 };
#define LUA_TAG_MASK 0xfu        /* of the type */
#define LUA_TAG_VARIANT 0x3fu    /* with its variant */
#define LUA_FUNCTION_LIGHT 0x16u /* a function of C without upvalues */
#define LUA_FUNCTION_C 0x26u

/* Flags of calls, by version. */
struct lua_flags {
	uint16_t flips; /* bits that mean the opposite of what follows */
	uint16_t lua;   /* it is a function of Lua */
	uint16_t fresh; /* that C calls */
	uint16_t tail;  /* its caller is gone */
	uint16_t other; /* calls something that is not what its instruction says: a hook, a finalizer */
};

struct lua_layout {
	unsigned minor;
	/* lua_State */
	uint16_t state_global, state_call, state_stack_end, state_jump, state_base, state_c_calls, state_size;
	/* CallInfo; call_flags 0: there are none, and calls are an array */
	uint16_t call_function, call_base, call_at, call_flags, call_size;
	struct lua_flags flags;
	/* global_State */
	uint16_t global_registry, global_main;
	/* closures: of Lua its Proto, of C its function; the first upvalue of C comes next */
	uint16_t closure_code;
	/* Proto */
	uint16_t proto_type, proto_code, proto_lines, proto_bases, proto_source, proto_n, proto_n_lines, proto_n_bases,
		proto_first;
	/* Table */
	uint16_t table_nodes, node_size, node_tag; /* of the key, which is at LUA_NODE_KEY */
	/* instructions */
	uint8_t op_bits, op_call; /* the next one is the tail call */
};

/* Reads lua_ident. false with err: this version is not known. */
bool lua_layout_find(struct lua_layout *, struct memory *, uint64_t ident, struct err *err);

#endif
