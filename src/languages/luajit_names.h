/*
 * luajit_names.h - the names by which functions can be reached in LuaJIT: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUAJIT_NAMES_H
#define LANGUAGES_LUAJIT_NAMES_H

#include "languages/lua_names.h"
#include "languages/luajit_layout.h"

/* As lua_names_find(), for a closure. */
bool luajit_names_find(struct memory *, uint64_t global, uint64_t closure, struct lua_name *);

#endif
