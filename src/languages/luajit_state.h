/*
 * luajit_state.h - finds the state of LuaJIT that a thread runs.
 *
 *	native stack   ... frame of the interpreter ... frame of the interpreter ... beginning of the thread
 *	               has a lua_State, and that leads back to the frame (cframe, and from there on the previous ones)
 *
 * So nothing is guessed: a word of the native stack counts only if it is a state that leads back to this place.
 */
#ifndef LANGUAGES_LUAJIT_STATE_H
#define LANGUAGES_LUAJIT_STATE_H

#include "languages/lua_threads.h"
#include "languages/luajit_layout.h"

/* What all states of a program of Lua share. */
struct luajit_global {
	uint64_t address, main, current, jit_base;
	int32_t vm_state;
};

struct luajit_state {
	uint64_t address, global;
	uint64_t base, stack, end; /* of values; end: of those that are in use at most */
	uint64_t frame;            /* of the interpreter, the innermost one; 0: it does not run */
};

#define LUAJIT_REJECTED 1024u /* a power of two */

struct luajit_finder {
	struct lua_threads threads;
	uint64_t rejected[LUAJIT_REJECTED]; /* words that are no states */
	uint32_t n_stacks;
};

/* What is kept of a thread; zeroed when it is new. */
struct luajit_known {
	struct lua_known lua;
	uint64_t global; /* that it runs; 0: unknown */
};

/* A stack is about to be read. */
void luajit_finder_begin(struct luajit_finder *);

bool luajit_read_global(struct memory *, uint64_t address, struct luajit_global *);
bool luajit_read_state(struct memory *, uint64_t address, struct luajit_state *);

/* sp: the thread's stack pointer; 0: unknown. false: it runs none. */
bool luajit_find(struct luajit_finder *, struct memory *, const struct lua_native *, struct luajit_known *,
                 uint64_t sp, struct luajit_global *, struct luajit_state *);
/* The innermost state of the program at or above an address of the native stack, which is its stack pointer. */
bool luajit_find_above(struct luajit_finder *, struct memory *, const struct lua_native *, uint64_t address,
                       uint64_t global, struct luajit_state *);

#endif
