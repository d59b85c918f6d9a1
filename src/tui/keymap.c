/*
 * keymap.c - stores which key runs which command, and in which places.
 *
 * A key with different meanings in different places has several rows in the table. The map is searched from the
 * front: it has about a hundred rows, and keys are typed one at a time.
 */
#include "tui/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tui/keys.h"

static void add(struct keymap *m, uint32_t key, const struct command *c)
{
	struct binding b = {key, c->where, c};
	mem_push(m->rows, m->n, m->cap, b);
}

void keymap_init(struct keymap *m, const struct command *table)
{
	*m = (struct keymap){.commands = table};
	for (const struct command *c = table; c->name; c++) {
		const char *p = c->keys;
		uint32_t key;
		while (key_parse(&p, &key, NULL))
			if (key != ' ')
				add(m, key, c);
		/* Blanks separate keys in the table, so the space bar has a name there. */
		if (strstr(c->keys, "<Space>"))
			add(m, ' ', c);
	}
}

void keymap_deinit(struct keymap *m)
{
	free(m->rows);
	*m = (struct keymap){0};
}

const struct command *keymap_find(const struct keymap *m, uint32_t key, unsigned where)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->rows[i].key == key && (m->rows[i].where & where))
			return m->rows[i].command;
	return NULL;
}

const struct command *keymap_by_name(const struct keymap *m, const char *name)
{
	for (const struct command *c = m->commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* The key loses its old meaning wherever the command can be used. */
static void take_key(struct keymap *m, uint32_t key, unsigned where)
{
	size_t n = 0;
	for (size_t i = 0; i < m->n; i++) {
		struct binding b = m->rows[i];
		if (b.key == key)
			b.where &= ~where;
		if (b.where)
			m->rows[n++] = b;
	}
	m->n = n;
}

bool keymap_bind(struct keymap *m, const char *text, const char *name, struct err *err)
{
	const struct command *c = keymap_by_name(m, name);
	const char *p = text;
	uint32_t key;
	if (!c)
		return fail(err, "unknown command '%s'", name);
	if (!key_parse(&p, &key, err))
		return err->text[0] ? false : fail(err, "no key given for '%s'", name);
	if (*p)
		return fail(err, "'%s' is more than one key", text);
	if ((c->where & ON_PROMPT) && key_is_text(key))
		return fail(err, "'%s' could no longer be typed into a prompt, where '%s' is used", text, name);
	take_key(m, key, c->where);
	add(m, key, c);
	return true;
}

bool keymap_add_key(const struct keymap *m, unsigned where, const char *name, struct buf *out)
{
	const struct binding *found = NULL;
	for (size_t i = 0; i < m->n; i++) {
		const struct binding *b = &m->rows[i];
		bool is_here = b->where & where, is_answer = b->where == ON_QUESTION;
		if (strcmp(b->command->name, name) != 0 || ((found || is_answer) && !is_here))
			continue;
		found = b;
		if (is_here)
			break;
	}
	if (found)
		key_add_label(out, found->key);
	return found;
}

void keymap_add_keys(const struct keymap *m, const struct command *c, struct buf *out)
{
	for (size_t i = 0; i < m->n; i++) {
		if (m->rows[i].command != c)
			continue;
		if (out->len > 0)
			buf_addc(out, ' ');
		key_add_label(out, m->rows[i].key);
	}
}

void keymap_add_text(const struct keymap *m, unsigned where, const char *text, struct buf *out)
{
	for (const char *p = text; *p;) {
		size_t plain = strcspn(p, "{"), n = strcspn(p + plain, "}");
		char name[32];
		buf_add(out, p, plain);
		p += plain;
		if (*p == '\0')
			break;
		snprintf(name, sizeof name, "%.*s", (int)n - 1, p + 1);
		if (!keymap_add_key(m, where, name, out))
			buf_addf(out, "(%s)", name);
		p += n + (p[n] == '}');
	}
}

const char *command_group_title(enum command_group group)
{
	static const char *const titles[] = {"Moving", "Zooming", "Searching", "Filtering", "Views",
	                                     "Data",   "Output",  "Program",   "Prompts"};
	return titles[group];
}

const char *const keymap_mouse[][2] = {
	{"click",
     "select the frame; in the breadcrumb: zoom there; in the line above a zoomed graph: see that part; in front "
     "of a lane's name: fold it; on a heading of the table: sort by it"},
	{"double click", "zoom in"},
	{"right click", "back one zoom; sandwich: the function before"},
	{"wheel", "scroll"},
	{"drag", "in the heat map: a range of time, as two clicks do"},
	{NULL, NULL},
};
