/*
 * luajit_code.h - the functions of a LuaJIT process: names, files and lines, read once each.
 */
#ifndef LANGUAGES_LUAJIT_CODE_H
#define LANGUAGES_LUAJIT_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "languages/language.h"
#include "languages/luajit_layout.h"

struct luajit_codes;

struct luajit_codes *luajit_codes_new(void);
void luajit_codes_free(struct luajit_codes *); /* NULL is fine */

/* A stack is about to be read: what was seen before may be gone. */
void luajit_codes_begin(struct luajit_codes *);

/* A function, of Lua or of C. */
struct luajit_function {
	uint64_t closure;
	uint64_t c;          /* a function of C; 0: of Lua */
	uint64_t begin, end; /* of the instructions; of one of C, that by which it is called */
	uint32_t place;      /* likewise, for the functions below */
};
/* Reads a function that a value leads to. false: there is none, or it makes no sense. */
bool luajit_codes_read(struct luajit_codes *, struct memory *, uint64_t value, struct luajit_function *);
/* Is this the address after one of its instructions? Of one that has just begun, also that of the first one. */
bool luajit_function_has(const struct luajit_function *, uint64_t at);

/*
 * The number of a function; global: the state that it is of. *has_name: one of C has none unless it is in a module.
 * NO_FUNCTION with has_name: there is no room for it now, or its name cannot be read.
 */
uint32_t luajit_codes_number(struct luajit_codes *, struct memory *, const struct luajit_function *,
                             uint64_t global, const struct language_names *, bool *has_name);
/* The line of the instruction before this address; 0: unknown. */
uint32_t luajit_codes_line(struct luajit_codes *, struct memory *, const struct luajit_function *, uint64_t at);

/*
 * The number of a trace, the code that was compiled from a line on, and *line. NO_FUNCTION: it cannot be told.
 * trace: its number in LuaJIT.
 */
uint32_t luajit_codes_trace(struct luajit_codes *, struct memory *, uint64_t global, uint32_t trace,
                            const struct language_names *, uint32_t *line);

#endif
