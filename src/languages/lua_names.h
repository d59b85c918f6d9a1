/*
 * lua_names.h - the names by which functions of Lua can be reached: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUA_NAMES_H
#define LANGUAGES_LUA_NAMES_H

#include <stdbool.h>

#include "languages/lua_layout.h"

#define LUA_NAME_MOST 200u

/* A search for the name of a function. Zeroed but for the function, it begins. */
struct lua_search {
	uint64_t function; /* closure, or function of C */
	uint32_t module;   /* node of package.loaded to go on with */
	uint32_t n_reads;  /* that were spent on it so far */
	uint32_t n_cut;
	bool is_global;
	char name[LUA_NAME_MOST]; /* the best one so far */
};
enum lua_search_result {
	SEARCH_NONE, /* it has no name */
	SEARCH_FOUND,
	SEARCH_CUT, /* the budget of the memory is used up; the next call goes on */
};
/*
 * Searches package.loaded, as luaL_traceback does. Of several names that of a global variable wins, else the
 * shortest one, and of these the first one by its letters.
 */
enum lua_search_result lua_names_find(const struct lua_layout *, struct memory *, uint64_t global,
                                      struct lua_search *);

#endif
