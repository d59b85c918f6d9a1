/*
 * lua_names.c - searches the tables of modules for a function.
 *
 *	registry -> "_LOADED" -> name of a module -> name of the function -> closure, or function of C
 *
 * The part of a table that is an array holds no names, so only nodes are looked at: a value and its key.
 */
#include "languages/lua_names.h"

#include <stdio.h>
#include <string.h>

#define PIECE 64u          /* nodes that are read at once */
#define NODES_MOST 65536u  /* of a table */
#define MODULE_READS 1000u /* without an end: it is too large, and left out */
#define CUTS_MOST 16u      /* then what was found so far counts */

struct table {
	uint64_t nodes;
	uint32_t n, at;
	unsigned char piece[PIECE * LUA_NODE_MOST];
};

static bool table_open(const struct lua_layout *l, struct memory *m, uint64_t address, struct table *t)
{
	unsigned char head[LUA_NODE_MOST];
	if (!memory_is_place(address) || !memory_read(m, address, head, l->table_nodes + 8u) ||
	    head[LUA_OBJECT_TYPE] != LUA_TAG_TABLE || head[LUA_TABLE_SIZE] > 30)
		return false;
	t->nodes = memory_u64(head, l->table_nodes);
	t->n = 1u << head[LUA_TABLE_SIZE];
	t->at = 0;
	return t->n <= NODES_MOST;
}

static uint32_t tag_of(const unsigned char *value)
{
	return value[LUA_VALUE_TAG] & LUA_TAG_MASK;
}

/* The next node whose key is a string and whose value has this type. NULL: there is none. */
static const unsigned char *table_next(const struct lua_layout *l, struct memory *m, struct table *t, uint32_t type)
{
	while (t->at < t->n) {
		uint32_t i = t->at % PIECE, n = t->n < PIECE ? t->n : PIECE;
		if (!i && !memory_read(m, t->nodes + (uint64_t)t->at * l->node_size, t->piece, (size_t)n * l->node_size))
			return NULL;
		const unsigned char *node = t->piece + (size_t)i * l->node_size;
		t->at++;
		if ((node[l->node_tag] & LUA_TAG_MASK) == LUA_TAG_STRING && tag_of(node) == type)
			return node;
	}
	return NULL;
}

static bool read_key(struct memory *m, const unsigned char *node, char *name)
{
	return memory_string(m, memory_u64(node, LUA_NODE_KEY) + LUA_TEXT, name, LUA_NAME_MOST / 2);
}

/* The table package.loaded; 0: there is none. */
static uint64_t find_modules(const struct lua_layout *l, struct memory *m, uint64_t global)
{
	struct table registry;
	const unsigned char *node;
	char key[LUA_NAME_MOST];
	uint64_t address;
	if (!memory_pointer(m, global + l->global_registry, &address) || !table_open(l, m, address, &registry))
		return 0;
	while ((node = table_next(l, m, &registry, LUA_TAG_TABLE)))
		if (read_key(m, node, key) && strcmp(key, "_LOADED") == 0)
			return memory_u64(node, 0);
	return 0;
}

/* Is the first name better? An empty one is none. */
static bool is_better(const char *a, const char *b)
{
	size_t n = strlen(a), n_b = strlen(b);
	return !n_b || n < n_b || (n == n_b && strcmp(a, b) < 0);
}

void lua_name_take(struct lua_name *name, const char *module, const char *key)
{
	char full[2 * LUA_NAME_MOST];
	bool is_global = strcmp(module, "_G") == 0;
	snprintf(full, sizeof full, "%s%s%s", is_global ? "" : module, is_global ? "" : ".", key);
	if ((is_global && !name->is_global) || (is_global == name->is_global && is_better(full, name->text)))
		snprintf(name->text, sizeof name->text, "%.*s", LUA_NAME_MOST - 1, full);
	name->is_global |= is_global;
}

/* Searches a module. */
static void search(const struct lua_layout *l, struct memory *m, const unsigned char *module, struct lua_search *s)
{
	struct table t;
	const unsigned char *node;
	char of[LUA_NAME_MOST] = "", key[LUA_NAME_MOST];
	if (!table_open(l, m, memory_u64(module, 0), &t))
		return;
	while ((node = table_next(l, m, &t, LUA_TAG_FUNCTION)))
		if (memory_u64(node, 0) == s->function && (*of || read_key(m, module, of)) && read_key(m, node, key))
			lua_name_take(&s->best, of, key);
}

bool lua_name_of_file(char *text, size_t size, const char *source)
{
	size_t n = strlen(source);
	if (*source == '=')
		snprintf(text, size, "%.*s", (int)LUA_SHORT_MOST, source + 1);
	else if (*source == '@' && n - 1 <= LUA_SHORT_MOST)
		snprintf(text, size, "%s", source + 1);
	else if (*source == '@')
		snprintf(text, size, "...%s", source + n - (LUA_SHORT_MOST - 3));
	return *source == '=' || *source == '@';
}

void lua_name_of_place(char *text, size_t size, const char *source, uint32_t first)
{
	if (first)
		snprintf(text, size, "function <%s:%u>", source, first);
	else
		snprintf(text, size, "main chunk <%s>", source);
}

enum lua_search_result lua_names_find(const struct lua_layout *l, struct memory *m, uint64_t global,
                                      struct lua_search *s)
{
	struct table modules;
	const unsigned char *node;
	uint32_t first = s->module, budget = m->budget;
	if (table_open(l, m, find_modules(l, m, global), &modules)) {
		modules.at = first - first % PIECE;
		while (!s->best.is_global && m->budget && (node = table_next(l, m, &modules, LUA_TAG_TABLE)))
			if (modules.at > first) {
				s->module = modules.at - 1;
				search(l, m, node, s);
			}
	}
	if (!s->best.is_global && !m->budget && s->n_cut++ < CUTS_MOST) {
		s->n_reads = s->module == first ? s->n_reads + budget : 0;
		if (s->n_reads >= MODULE_READS) {
			s->module++;
			s->n_reads = 0;
		}
		return SEARCH_CUT;
	}
	return *s->best.text ? SEARCH_FOUND : SEARCH_NONE;
}
