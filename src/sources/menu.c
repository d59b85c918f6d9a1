/*
 * menu.c - what can be chosen at an address.
 */
#include "sources/menu.h"

#include <stdlib.h>

#include "base/mem.h"

#define MOST_ITEMS 20000u /* more than anyone looks through */
#define MOST_NAMED 2000u  /* bytes */

void menu_add(struct menu *m, const char *name, const char *text, const char *address, uint64_t value)
{
	if (m->n == MOST_ITEMS)
		return;
	mem_push(m->v, m->n, m->cap,
	         ((struct menu_item){mem_strdup(name), mem_strdup(text), mem_strdup(address), value}));
}

void menu_add_names(struct buf *out, const struct menu *m)
{
	size_t before = out->len;
	for (size_t i = 0; i < m->n; i++) {
		if (!m->v[i].name)
			continue;
		if (out->len - before > MOST_NAMED) {
			buf_adds(out, ", ...");
			return;
		}
		buf_addf(out, "%s%s", out->len > before ? ", " : "", m->v[i].name);
	}
}

void menu_deinit(struct menu *m)
{
	for (size_t i = 0; i < m->n; i++) {
		free(m->v[i].name);
		free(m->v[i].text);
		free(m->v[i].address);
	}
	free(m->v);
	free(m->title);
	free(m->what);
	*m = (struct menu){0};
}
