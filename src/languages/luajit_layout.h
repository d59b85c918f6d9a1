/*
 * luajit_layout.h - where LuaJIT keeps what is needed of its structures, on x86-64 with 64-bit pointers (GC64).
 */
#ifndef LANGUAGES_LUAJIT_LAYOUT_H
#define LANGUAGES_LUAJIT_LAYOUT_H

#include "base/err.h"
#include "languages/memory.h"
#include "languages/program.h"

/*
 * A value is 64 bits: a type in the highest 17, and what it is or leads to in the others. Objects have the type in
 * a byte.
 */
#define LUAJIT_VALUE_SIZE 8u
#define LUAJIT_VALUE_BITS 47u
enum luajit_type {
	LUAJIT_STRING = 4,
	LUAJIT_THREAD = 6,
	LUAJIT_PROTO = 7,
	LUAJIT_FUNCTION = 8,
	LUAJIT_TRACE = 9,
	LUAJIT_TABLE = 11
};
#define LUAJIT_OBJECT_TYPE 9u

/* lua_State */
#define LUAJIT_STATE_STATUS 11u
#define LUAJIT_STATE_GLOBAL 16u
#define LUAJIT_STATE_BASE 32u
#define LUAJIT_STATE_TOP 40u
#define LUAJIT_STATE_STACK_END 48u
#define LUAJIT_STATE_STACK 56u
#define LUAJIT_STATE_C_FRAME 80u
#define LUAJIT_STATE_SIZE 96u

/* global_State; the main lua_State is right before it */
#define LUAJIT_GLOBAL_HOOK_MASK 145u
#define LUAJIT_GLOBAL_VM_STATE 184u
#define LUAJIT_GLOBAL_MAIN 192u
#define LUAJIT_GLOBAL_REGISTRY 272u
#define LUAJIT_GLOBAL_HOOK 336u
#define LUAJIT_GLOBAL_STATE 368u
#define LUAJIT_GLOBAL_JIT_BASE 376u
#define LUAJIT_GLOBAL_SIZE 384u /* bytes of it that are read */
#define LUAJIT_GLOBAL_TRACES 1112u
#define LUAJIT_GLOBAL_N_TRACES 1124u
#define LUAJIT_GLOBAL_DISPATCH 3968u
/* Addresses of code: of all operations, functions in assembler, and again of operations, which never change. */
#define LUAJIT_OPS 97u
#define LUAJIT_DISPATCH_FIXED 154u
#define LUAJIT_DISPATCHES 243u
#define LUAJIT_ALL_SIZE 6240u /* of the main lua_State, global_State, these addresses, and what is between them */
#define LUAJIT_DISPATCH_REST 1600u /* bytes from the last one to the end of what the interpreter itself calls */

/* VM states: a number of a trace, or one of these; there are more */
#define LUAJIT_VM_INTERPRETER (-1)
#define LUAJIT_VM_EXIT (-4)

/* A frame of the interpreter on the native stack. */
#define LUAJIT_NATIVE_RESULTS 8u /* negative: it has no frame in the stack of values above that many bytes */
#define LUAJIT_NATIVE_STATE 16u
#define LUAJIT_NATIVE_AT 24u
#define LUAJIT_NATIVE_PREVIOUS 32u
#define LUAJIT_NATIVE_SIZE 80u
#define LUAJIT_NATIVE_FLAGS 3u /* in its address */

/* Frames of functions. The link is the caller's next instruction, or the lowest bits tell another kind of call. */
#define LUAJIT_FRAME_SIZE 16u /* the function and the link, before the base */
enum luajit_link {
	LUAJIT_LINK_LUA = 0,
	LUAJIT_LINK_C = 1,
	LUAJIT_LINK_CONTINUATION = 2,
	LUAJIT_LINK_VARARG = 3,
	LUAJIT_LINK_PROTECTED = 5,
};
#define LUAJIT_LINK_KIND 7u
#define LUAJIT_LINK_IS_TYPED 3u
#define LUAJIT_CALLBACK 1u /* of FFI: this instead of a continuation */

/* Functions: of Lua if the number is 0; `code` leads to the end of the Proto, where its instructions begin. */
#define LUAJIT_FUNCTION_NUMBER 10u
#define LUAJIT_FUNCTION_CODE 32u
#define LUAJIT_FUNCTION_C 40u
#define LUAJIT_FUNCTION_SIZE 48u

/* Proto */
#define LUAJIT_PROTO_N 12u
#define LUAJIT_PROTO_SOURCE 64u
#define LUAJIT_PROTO_FIRST 72u
#define LUAJIT_PROTO_N_LINES 76u
#define LUAJIT_PROTO_LINES 80u
#define LUAJIT_PROTO_SIZE 104u
#define LUAJIT_FIRST_BUILTIN UINT32_MAX /* the first line of a function of the library that is written in Lua */

/* Instructions: operation, A, ... */
enum {
	LUAJIT_OP_CALL_FIRST = 65,
	LUAJIT_OP_CALLMT = 67,
	LUAJIT_OP_CALLT = 68,
	LUAJIT_OP_CALL_LAST = 70,
	LUAJIT_OP_RET_FIRST = 73,
	LUAJIT_OP_RET_LAST = 76
};

/* Traces */
#define LUAJIT_TRACE_PROTO 64u
#define LUAJIT_TRACE_AT 72u
#define LUAJIT_TRACE_NUMBER 104u
#define LUAJIT_TRACE_SIZE 112u

/* Tables and their nodes: value, key, next */
#define LUAJIT_TABLE_NODES 40u
#define LUAJIT_TABLE_MASK 52u
#define LUAJIT_TABLE_SIZE 56u
#define LUAJIT_NODE_KEY 8u
#define LUAJIT_NODE_SIZE 24u

#define LUAJIT_TEXT 24u /* of a string: its bytes, and NUL */

/* What a value leads to, if it has this type; else 0. */
static inline uint64_t luajit_object(uint64_t value, enum luajit_type type)
{
	uint64_t tag = ~(uint64_t)type & ((UINT64_C(1) << (64 - LUAJIT_VALUE_BITS)) - 1);
	return value >> LUAJIT_VALUE_BITS == tag ? value & ((UINT64_C(1) << LUAJIT_VALUE_BITS) - 1) : 0;
}

/* The symbols that luajit_layout_check() needs; see language.h. */
#define LUAJIT_SYMBOLS "luaJIT_setmode", "lua_status", "lua_gettop", "lua_gethook", "lua_gethookmask"

/* Has the program this layout? false with err: no. */
bool luajit_layout_check(const struct program *, struct memory *, struct err *);

#endif
