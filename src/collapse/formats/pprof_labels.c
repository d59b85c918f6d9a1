/*
 * pprof_labels.c - sets of labels as they come: most samples share few of them.
 */
#include "collapse/formats/pprof_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void pprof_labels_init(struct pprof_labels *l)
{
	*l = (struct pprof_labels){.n = 0};
	symtab_init(&l->sets);
}

void pprof_labels_deinit(struct pprof_labels *l)
{
	symtab_deinit(&l->sets);
	free(l->now);
	free(l->as);
}

bool pprof_labels_take(struct pprof_labels *l, struct slice message)
{
	uint64_t v[5];
	if (!read_numbers(message, v, 4))
		return false;
	if (v[2])
		v[3] = v[4] = 0;
	if (v[2] || v[3] || v[4])
		mem_push(l->now, l->n, l->cap, ((struct pprof_label){v[1], v[2], v[3], v[4]}));
	return true;
}

/* Their order has no meaning. */
static int by_bytes(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct pprof_label));
}

uint32_t pprof_labels_end(struct pprof_labels *l)
{
	size_t n = l->n;
	l->n = 0;
	if (!n)
		return 0;
	if (n > 1)
		qsort(l->now, n, sizeof *l->now, by_bytes);
	return symtab_intern(&l->sets, (const char *)l->now, n * sizeof *l->now);
}

static const struct symbol *find_string(const struct pprof_strings *s, uint64_t number)
{
	return number < s->n ? &s->names->symbols[s->strings[number]] : NULL;
}

/* 0: one of its strings does not exist. */
static uint32_t add_label(struct tags *t, const struct pprof_label *label, const struct pprof_strings *s)
{
	const struct symbol *key = find_string(s, label->key), *text = find_string(s, label->text),
						*unit = find_string(s, label->unit);
	if (!key || !text || !unit)
		return 0;
	return label->text ? tags_add_text(t, *key, *text) : tags_add_number(t, *key, (int64_t)label->number, *unit);
}

/* false: a string does not exist. */
static bool add_set(struct pprof_labels *l, uint32_t set, const struct pprof_strings *s, struct tags *t)
{
	const struct symbol *bytes = &l->sets.symbols[set];
	size_t n = bytes->len / sizeof(struct pprof_label);
	uint32_t *members = mem_alloc(n * sizeof *members);
	bool is_good = true;
	for (size_t i = 0; i < n && is_good; i++) {
		struct pprof_label label;
		memcpy(&label, bytes->name + i * sizeof label, sizeof label);
		members[i] = add_label(t, &label, s);
		is_good = members[i] > 0;
	}
	if (is_good)
		l->as[set] = tags_add_set(t, members, n);
	free(members);
	return is_good;
}

bool pprof_labels_resolve(struct pprof_labels *l, const struct pprof_strings *s, struct tags **tags)
{
	bool is_good = true;
	if (l->sets.n <= 1)
		return true;
	if (!*tags)
		*tags = tags_new();
	l->as = mem_zalloc(l->sets.n, sizeof *l->as);
	for (uint32_t set = 1; set < l->sets.n && is_good; set++)
		is_good = add_set(l, set, s, *tags);
	return is_good;
}
