/*
 * lua_code.h - the functions of a Lua process: names, files and lines, read once each.
 */
#ifndef LANGUAGES_LUA_CODE_H
#define LANGUAGES_LUA_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/language.h"
#include "languages/lua_layout.h"

struct lua_codes;

/* The layout must outlive it. */
struct lua_codes *lua_codes_new(const struct lua_layout *);
void lua_codes_free(struct lua_codes *); /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void lua_codes_begin(struct lua_codes *);

/* A function as it is called: the closure, and what it runs: a Proto, or a function of C. */
struct lua_callee {
	uint64_t closure, code;
	uint64_t global; /* the state that it is of */
};

/* What a function of Lua runs. */
struct lua_code {
	uint32_t function;   /* its number */
	uint64_t address;    /* of the Proto */
	uint64_t begin, end; /* of its instructions */
};
/* false: it cannot be read, makes no sense, or there is no room for it now. */
bool lua_codes_find(struct lua_codes *, struct memory *, const struct lua_callee *, const struct language_names *,
                    struct lua_code *);
/* The line of the instruction before this address; 0: unknown. */
uint32_t lua_codes_line(struct lua_codes *, struct memory *, const struct lua_code *, uint64_t address);
/* The number of a function of C; NO_FUNCTION: it has no name, is still searched for, or there is no room now. */
uint32_t lua_codes_native(struct lua_codes *, struct memory *, const struct lua_callee *,
                          const struct language_names *);

#endif
