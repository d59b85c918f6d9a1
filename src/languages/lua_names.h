/*
 * lua_names.h - the names by which functions of Lua can be reached: "print", "string.gsub", "app.start".
 */
#ifndef LANGUAGES_LUA_NAMES_H
#define LANGUAGES_LUA_NAMES_H

#include <stdbool.h>

#include "languages/lua_layout.h"

#define LUA_NAME_MOST 200u

/* The best name so far; zeroed: none. A global variable's wins, else the shortest one, then by its letters. */
struct lua_name {
	char text[LUA_NAME_MOST];
	bool is_global; /* none is better but of its kind */
};
/* A function is in this module under this key. */
void lua_name_take(struct lua_name *, const char *module, const char *key);
#define LUA_SHORT_MOST 59u /* bytes of the short form of a source */
/* The short form of a source that names a file, or that says itself how it is shown. false: it is a text. */
bool lua_name_of_file(char *text, size_t size, const char *source);
/* What a function is called that has no name: by the place where it begins; first 0: the code of a file. */
void lua_name_of_place(char *text, size_t size, const char *source, uint32_t first);

/* A search for the name of a function. Zeroed but for the function, it begins. */
struct lua_search {
	uint64_t function; /* closure, or function of C */
	uint32_t module;   /* node of package.loaded to go on with */
	uint32_t n_reads;  /* that were spent on it so far */
	uint32_t n_cut;
	struct lua_name best; /* so far */
};
enum lua_search_result {
	SEARCH_NONE, /* it has no name */
	SEARCH_FOUND,
	SEARCH_CUT, /* the budget of the memory is used up; the next call goes on */
};
/* Searches package.loaded, as luaL_traceback does, for the best name. */
enum lua_search_result lua_names_find(const struct lua_layout *, struct memory *, uint64_t global,
                                      struct lua_search *);

#endif
