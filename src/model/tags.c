/*
 * tags.c - labels and sets of labels, each once.
 *
 * Symbol tables keep byte strings unique, so labels and sets are symbols whose names are their bytes. A name need
 * not be aligned; numbers are copied out of it.
 */
#include "tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/sort.h"
#include "base/utf8.h"
#include "match.h"
#include "tag_units.h"

#define SEVERAL_MOST 1024u /* bytes of several values in one name: very many sets of labels may share them */

struct tags *tags_new(void)
{
	struct tags *t = mem_zalloc(1, sizeof *t);
	symtab_init(&t->names);
	symtab_init(&t->each);
	symtab_init(&t->sets);
	return t;
}

void tags_free(struct tags *t)
{
	if (!t)
		return;
	symtab_deinit(&t->names);
	symtab_deinit(&t->each);
	symtab_deinit(&t->sets);
	free(t);
}

struct tags *tags_snapshot(const struct tags *of)
{
	struct tags *t;
	if (!of)
		return NULL;
	t = mem_zalloc(1, sizeof *t);
	symtab_copy(&t->names, &of->names);
	symtab_copy(&t->each, &of->each);
	symtab_copy(&t->sets, &of->sets);
	return t;
}

static uint32_t add(struct tags *t, const struct tag *tag)
{
	return symtab_intern(&t->each, (const char *)tag, sizeof *tag);
}

struct symbol tags_name(struct tags *t, struct symbol name)
{
	return t->names.symbols[symtab_intern_hashed(&t->names, name.name, name.len, name.hash)];
}

uint32_t tags_add_text(struct tags *t, struct symbol key, struct symbol text)
{
	struct tag tag = {.key = symtab_intern(&t->names, key.name, key.len),
	                  .text = symtab_intern(&t->names, text.name, text.len)};
	return add(t, &tag);
}

uint32_t tags_add_number(struct tags *t, struct symbol key, int64_t number, struct symbol unit)
{
	struct tag tag = {.key = symtab_intern(&t->names, key.name, key.len),
	                  .unit = symtab_intern(&t->names, unit.name, unit.len),
	                  .is_number = 1,
	                  .number = number};
	return add(t, &tag);
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

uint32_t tags_add_set(struct tags *t, uint32_t *members, size_t n)
{
	size_t out = 0;
	if (!n)
		return NO_TAGS;
	sort_array(members, n, sizeof *members, by_number);
	for (size_t i = 0; i < n; i++)
		if (!out || members[out - 1] != members[i])
			members[out++] = members[i];
	return symtab_intern(&t->sets, (const char *)members, out * sizeof *members);
}

size_t tags_count(const struct tags *t)
{
	return t->each.n - 1;
}

size_t tags_count_sets(const struct tags *t)
{
	return t->sets.n;
}

struct tag tags_at(const struct tags *t, uint32_t tag)
{
	struct tag copy;
	memcpy(&copy, t->each.symbols[tag].name, sizeof copy);
	return copy;
}

size_t tags_size(const struct tags *t, uint32_t set)
{
	return t->sets.symbols[set].len / sizeof(uint32_t);
}

uint32_t tags_member(const struct tags *t, uint32_t set, size_t i)
{
	uint32_t tag;
	memcpy(&tag, t->sets.symbols[set].name + i * sizeof tag, sizeof tag);
	return tag;
}

static uint32_t translate(struct tags *t, const struct tags *src, uint32_t number)
{
	struct tag tag = tags_at(src, number);
	const struct symbol *names = src->names.symbols;
	if (tag.is_number)
		return tags_add_number(t, names[tag.key], tag.number, names[tag.unit]);
	return tags_add_text(t, names[tag.key], names[tag.text]);
}

uint32_t *tags_append(struct tags *t, const struct tags *src)
{
	uint32_t *sets = mem_zalloc(src->sets.n, sizeof *sets), *as = mem_zalloc(src->each.n, sizeof *as);
	struct buf members;
	buf_init(&members);
	for (uint32_t i = 1; i < src->each.n; i++)
		as[i] = translate(t, src, i);
	for (uint32_t i = 1; i < src->sets.n; i++) {
		size_t n = tags_size(src, i);
		uint32_t *set = mem_alloc(n * sizeof *set);
		for (size_t k = 0; k < n; k++)
			set[k] = as[tags_member(src, i, k)];
		sets[i] = tags_add_set(t, set, n);
		free(set);
	}
	buf_deinit(&members);
	free(as);
	return sets;
}

bool tags_have_key(const struct tags *t, const char *key, size_t len)
{
	uint32_t name = t ? symtab_find(&t->names, key, len) : NO_SYMBOL;
	for (uint32_t i = 1; name != NO_SYMBOL && i <= tags_count(t); i++)
		if (tags_at(t, i).key == name)
			return true;
	return false;
}

/* --- as text --- */

static void write_key(struct buf *out, const char *key, size_t len)
{
	struct buf text;
	buf_init(&text);
	escape_add(&text, key, len, false);
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '=')
			buf_adds(out, "\\x3d");
		else
			buf_addc(out, text.data[i]);
	}
	buf_deinit(&text);
}

#define MOST_KEYS 12

void tags_add_keys(const struct tags *t, struct buf *out)
{
	uint32_t keys[MOST_KEYS];
	size_t n = 0;
	for (uint32_t i = 1; t && i <= tags_count(t); i++) {
		uint32_t key = tags_at(t, i).key;
		size_t k = 0;
		while (k < n && keys[k] != key)
			k++;
		if (k < n)
			continue;
		if (n == MOST_KEYS) {
			buf_adds(out, ", ...");
			return;
		}
		keys[n++] = key;
		buf_adds(out, n > 1 ? ", " : "");
		write_key(out, t->names.symbols[key].name, t->names.symbols[key].len);
	}
}

void tags_add_value(const struct tags *t, const struct tag *tag, struct buf *out)
{
	const struct symbol *key = &t->names.symbols[tag->key], *text = &t->names.symbols[tag->text];
	if (tag->is_number)
		tag_units_add(out, tag->number, tag_unit_of(&t->names.symbols[tag->unit], key), key);
	else
		buf_add(out, text->name, text->len);
}

/* Appends a value, or its beginning if it is longer than the room. */
static void add_within(const struct tags *t, const struct tag *tag, size_t room, struct buf *out)
{
	const struct symbol *text = &t->names.symbols[tag->text];
	if (tag->is_number || text->len <= room) {
		tags_add_value(t, tag, out);
		return;
	}
	buf_add(out, text->name, utf8_cut(text->name, text->len, room));
	buf_adds(out, "...");
}

/* The next label of the key in a set, from place *i on; false: there is none. */
static bool next_of_key(const struct tags *t, uint32_t set, struct slice key, size_t *i, struct tag *tag)
{
	size_t n = t ? tags_size(t, set) : 0;
	for (; *i < n; ++*i) {
		*tag = tags_at(t, tags_member(t, set, *i));
		const struct symbol *k = &t->names.symbols[tag->key];
		if (k->len == key.n && memcmp(k->name, key.s, key.n) == 0)
			return true;
	}
	return false;
}

void tags_add_values(const struct tags *t, uint32_t set, const char *key, size_t len, struct buf *out)
{
	const struct slice of = {key, len};
	size_t n = 0, found = 0, room = SEVERAL_MOST;
	struct tag tag;
	for (size_t i = 0; next_of_key(t, set, of, &i, &tag); i++)
		n++;
	buf_add(out, key, len);
	for (size_t i = 0; room && next_of_key(t, set, of, &i, &tag); i++) {
		size_t begin = out->len;
		buf_addc(out, found++ ? ',' : '=');
		add_within(t, &tag, n > 1 ? room : SIZE_MAX, out);
		room -= out->len - begin < room ? out->len - begin : room;
	}
	if (!n)
		buf_adds(out, " ?");
	else if (found < n)
		buf_addf(out, " and %zu more", n - found);
}

void tags_read_key(struct buf *out, const char *text, size_t len)
{
	escape_undo(out, text, len);
}

void tags_add_pattern(const struct tags *t, const struct tag *tag, struct buf *out)
{
	const struct symbol *key = &t->names.symbols[tag->key];
	struct buf value;
	buf_init(&value);
	tags_add_value(t, tag, &value);
	write_key(out, key->name, key->len);
	buf_addc(out, '=');
	match_add_name(out, buf_str(&value), value.len);
	buf_deinit(&value);
}
