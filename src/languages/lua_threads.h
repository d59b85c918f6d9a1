/*
 * lua_threads.h - the native stacks of threads that may run Lua, and which of them are searched for it.
 */
#ifndef LANGUAGES_LUA_THREADS_H
#define LANGUAGES_LUA_THREADS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "languages/memory.h"
#include "languages/program.h"
#include "languages/threads.h"

#define LUA_PIECE 4096u             /* of a native stack, read at once */
#define LUA_SEARCH_MOST (64u << 10) /* bytes of it that are searched */
#define LUA_TRIES_MOST 4000u        /* words that are tried in a search */
#define LUA_ADDRESS_MOST ((uint64_t)1 << 47)
#define LUA_OWNERS 64u /* a power of two */

struct lua_threads {
	struct threads threads;
	bool has_threads;
	pid_t main;
	uint64_t stack; /* where that of the main thread begins */
	struct lua_owner {
		uint64_t page, thread;
		pid_t tid;
	} owners[LUA_OWNERS];
};

/* The thread whose stack is read. Stacks grow down: it begins above all that is on it. */
struct lua_native {
	pid_t tid;
	uint64_t stack; /* where it begins; 0: unknown */
};

/* What is kept of a thread; zeroed when it is new. */
struct lua_known {
	uint64_t thread; /* its structure in the C library; 0: none */
	unsigned wait, waited;
};

void lua_threads_init(struct lua_threads *, const struct program *, struct memory *);
/* Where the native stack of a thread begins; 0: it is not known. */
uint64_t lua_threads_stack(struct lua_threads *, struct memory *, pid_t tid, struct lua_known *);
/* Does the thread have the address on its stack? */
bool lua_threads_has(struct lua_threads *, struct memory *, const struct lua_native *, uint64_t address);

/* Is it time to search the thread? One without Lua is searched ever less often. */
bool lua_known_may_search(struct lua_known *);
/* Takes down what the search has found; hands it on. */
bool lua_known_searched(struct lua_known *, bool is_found);

#endif
