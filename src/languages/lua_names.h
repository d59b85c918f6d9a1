/*
 * lua_names.h - the names by which functions of Lua can be reached: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUA_NAMES_H
#define LANGUAGES_LUA_NAMES_H

#include <stdbool.h>

#include "languages/lua_layout.h"

#define LUA_NAME_MOST 200u

/*
 * Searches package.loaded, as luaL_traceback does. Of several names that of a global variable wins, else the
 * shortest one, and of these the first one by its letters. false: it has none.
 */
bool lua_names_find(const struct lua_layout *, struct memory *, uint64_t global, uint64_t function, char *name);

#endif
