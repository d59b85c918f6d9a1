/*
 * luajit_names.c - searches the tables of modules for a function.
 *
 *	registry -> "_LOADED" -> name of a module -> name of the function -> closure
 *
 * The part of a table that is an array holds no names, so only nodes are looked at.
 */
#include "languages/luajit_names.h"

#include <string.h>

#define PIECE 64u         /* nodes that are read at once */
#define NODES_MOST 65536u /* of a table */

struct table {
	uint64_t nodes;
	uint32_t n, at;
	unsigned char piece[PIECE * LUAJIT_NODE_SIZE];
};

/* A node whose key is a string. */
struct entry {
	uint64_t key, object; /* the address of the string, and of the value */
};

static bool table_open(struct memory *m, uint64_t address, struct table *t)
{
	unsigned char head[LUAJIT_TABLE_SIZE];
	if (!address || address % 8 || !memory_read(m, address, head, sizeof head) ||
	    head[LUAJIT_OBJECT_TYPE] != LUAJIT_TABLE || memory_u32(head, LUAJIT_TABLE_MASK) >= NODES_MOST)
		return false;
	t->nodes = memory_u64(head, LUAJIT_TABLE_NODES);
	t->n = memory_u32(head, LUAJIT_TABLE_MASK) + 1;
	t->at = 0;
	return true;
}

/* The next entry whose key is a string and whose value has this type. false: there is none. */
static bool table_next(struct memory *m, struct table *t, enum luajit_type type, struct entry *e)
{
	while (t->at < t->n) {
		uint32_t i = t->at % PIECE, n = t->n - t->at < PIECE ? t->n - t->at : PIECE;
		if (!i &&
		    !memory_read(m, t->nodes + (uint64_t)t->at * LUAJIT_NODE_SIZE, t->piece, (size_t)n * LUAJIT_NODE_SIZE))
			return false;
		const unsigned char *node = t->piece + (size_t)i * LUAJIT_NODE_SIZE;
		t->at++;
		e->key = luajit_object(memory_u64(node, LUAJIT_NODE_KEY), LUAJIT_STRING);
		e->object = luajit_object(memory_u64(node, 0), type);
		if (e->key && e->object)
			return true;
	}
	return false;
}

static bool read_key(struct memory *m, const struct entry *e, char *name)
{
	return memory_string(m, e->key + LUAJIT_TEXT, name, LUA_NAME_MOST / 2);
}

/* The table package.loaded; 0: there is none. */
static uint64_t find_modules(struct memory *m, uint64_t global)
{
	struct table registry;
	struct entry e;
	char key[LUA_NAME_MOST];
	uint64_t value;
	if (!memory_pointer(m, global + LUAJIT_GLOBAL_REGISTRY, &value) ||
	    !table_open(m, luajit_object(value, LUAJIT_TABLE), &registry))
		return 0;
	while (table_next(m, &registry, LUAJIT_TABLE, &e))
		if (read_key(m, &e, key) && strcmp(key, "_LOADED") == 0)
			return e.object;
	return 0;
}

/* Searches a module. */
static void search(struct memory *m, const struct entry *module, uint64_t closure, struct lua_name *name)
{
	struct table t;
	struct entry e;
	char of[LUA_NAME_MOST] = "", key[LUA_NAME_MOST];
	if (!table_open(m, module->object, &t))
		return;
	while (table_next(m, &t, LUAJIT_FUNCTION, &e))
		if (e.object == closure && (*of || read_key(m, module, of)) && read_key(m, &e, key))
			lua_name_take(name, of, key);
}

enum lua_search_result luajit_names_find(struct memory *m, uint64_t global, uint64_t closure, uint32_t *reads,
                                         struct lua_name *name)
{
	struct table modules;
	struct entry e;
	bool is_whole = *reads == LUAJIT_NAME_READS;
	struct memory few = memory_part(m, *reads);
	memset(name, 0, sizeof *name);
	if (table_open(&few, find_modules(&few, global), &modules))
		while (!name->is_global && table_next(&few, &modules, LUAJIT_TABLE, &e))
			search(&few, &e, closure, name);
	memory_part_end(m, &few, reads);
	if (!few.budget && !is_whole)
		return SEARCH_CUT;
	return *name->text ? SEARCH_FOUND : SEARCH_NONE;
}
