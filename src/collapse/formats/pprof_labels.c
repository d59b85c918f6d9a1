/*
 * pprof_labels.c - sets of labels as they come: most samples share few of them.
 */
#include "collapse/formats/pprof_labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

void pprof_labels_init(struct pprof_labels *l, const struct collapse_options *o)
{
	*l = (struct pprof_labels){.drops_all = o->drops_labels, .most = o->most_label_sets};
	symtab_init(&l->sets);
}

void pprof_labels_deinit(struct pprof_labels *l)
{
	symtab_deinit(&l->sets);
	free(l->now);
	free(l->as);
	idmap_deinit(&l->long_ids);
	free(l->longs);
}

bool pprof_labels_take(struct pprof_labels *l, struct slice message)
{
	uint64_t v[5];
	if (!wire_read_numbers(message, v, 4))
		return false;
	if (v[2])
		v[3] = v[4] = 0;
	if ((v[2] || v[3] || v[4]) && !l->drops_all)
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
		sort_array(l->now, n, sizeof *l->now, by_bytes);
	const char *bytes = (const char *)l->now;
	size_t len = n * sizeof *l->now;
	if (l->most && l->sets.n > l->most && symtab_find(&l->sets, bytes, len) == NO_SYMBOL) {
		l->n_more++;
		return 0;
	}
	return symtab_intern(&l->sets, bytes, len);
}

/* A long string is looked up among the names of the tags once. */
static struct symbol string_at(struct pprof_labels *l, struct tags *t, const struct pprof_strings *s,
                               uint64_t number)
{
	uint32_t name = s->strings[number], at = (uint32_t)l->n_longs;
	const struct symbol *symbol = &s->names->symbols[name];
	if (symbol->len < SYMBOL_LONG)
		return *symbol;
	if (idmap_add(&l->long_ids, name, at))
		mem_push(l->longs, l->n_longs, l->cap_longs, tags_name(t, *symbol));
	idmap_find(&l->long_ids, name, &at);
	return l->longs[at];
}

/* 0: one of its strings does not exist. */
static uint32_t add_label(struct pprof_labels *l, struct tags *t, const struct pprof_label *label,
                          const struct pprof_strings *s)
{
	if (label->key >= s->n || label->text >= s->n || label->unit >= s->n)
		return 0;
	struct symbol key = string_at(l, t, s, label->key);
	if (label->text)
		return tags_add_text(t, key, string_at(l, t, s, label->text));
	return tags_add_number(t, key, (int64_t)label->number, string_at(l, t, s, label->unit));
}

static void add_set(struct pprof_labels *l, uint32_t set, const struct pprof_strings *s, struct tags *t)
{
	const struct symbol *bytes = &l->sets.symbols[set];
	size_t n = bytes->len / sizeof(struct pprof_label), good = 0;
	uint32_t *members = mem_alloc(n * sizeof *members);
	for (size_t i = 0; i < n; i++) {
		struct pprof_label label;
		memcpy(&label, bytes->name + i * sizeof label, sizeof label);
		members[good] = add_label(l, t, &label, s);
		l->n_lost += !members[good];
		good += members[good] > 0;
	}
	l->as[set] = tags_add_set(t, members, good);
	free(members);
}

void pprof_labels_resolve(struct pprof_labels *l, const struct pprof_strings *s, struct tags **tags)
{
	if (l->sets.n <= 1)
		return;
	if (!*tags)
		*tags = tags_new();
	l->as = mem_zalloc(l->sets.n, sizeof *l->as);
	for (uint32_t set = 1; set < l->sets.n; set++)
		add_set(l, set, s, *tags);
}

void pprof_labels_report(const struct pprof_labels *l, struct report *report)
{
	for (uint64_t i = 0; i < l->n_lost; i++)
		report_add(report, NOTE_WARN, "a label is left out: its text is not in the profile", NULL, 0, NULL, 0);
	for (uint64_t i = 0; i < l->n_more; i++)
		report_add(report, NOTE_WARN,
		           "too many different labels to list: a sample is without its own (--tagfocus has all)", NULL, 0,
		           NULL, 0);
}
