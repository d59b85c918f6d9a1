/*
 * luajit_names.h - the names by which functions can be reached in LuaJIT: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUAJIT_NAMES_H
#define LANGUAGES_LUAJIT_NAMES_H

#include "languages/lua_names.h"
#include "languages/luajit_layout.h"

#define LUAJIT_NAME_READS 2000u /* of a search, at most */

/*
 * Searches package.loaded for a closure, by at most *reads, which are counted down. A search that had all of
 * LUAJIT_NAME_READS is not cut, but takes what it has found.
 */
enum lua_search_result luajit_names_find(struct memory *, uint64_t global, uint64_t closure, uint32_t *reads,
                                         struct lua_name *);

#endif
