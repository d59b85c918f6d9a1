/*
 * lua_names.h - the names by which functions of Lua can be reached: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUA_NAMES_H
#define LANGUAGES_LUA_NAMES_H

#include <stdbool.h>

#include "languages/lua_layout.h"

#define LUA_NAME_MOST 200u
#define LUA_NAME_READS 2000u /* of a search, at most */

/* The best name so far; zeroed: none. A global variable's wins, else the shortest one, then by its letters. */
struct lua_name {
	char text[LUA_NAME_MOST];
	bool is_global; /* none is better but of its kind */
};
/* A function is in this module under this key. */
void lua_name_take(struct lua_name *, const char *module, const char *key);
/* What a function is called that has no name: by the place where it begins; first 0: the code of a file. */
void lua_name_of_place(char *text, size_t size, const char *source, uint32_t first);

/* Searches package.loaded, as luaL_traceback does, for the best name. false: it has none. */
bool lua_names_find(const struct lua_layout *, struct memory *, uint64_t global, uint64_t function, char *name);

#endif
