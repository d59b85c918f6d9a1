/*
 * folded_names.c - names of frames in folded output.
 */
#include "folded_names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

char *folded_without_semicolons(const struct symbol *s)
{
	char *name = mem_strndup(s->name, s->len);
	for (size_t i = 0; i < s->len; i++)
		name[i] = name[i] == ';' ? ':' : name[i];
	return name;
}

bool *folded_frame_names(const struct tree *t, const struct symtab *symtab)
{
	const struct tree *trees[] = {t, t->cut ? &t->cut->whole : NULL};
	bool *is_frame = mem_zalloc(symtab->n, sizeof *is_frame);
	for (size_t i = 0; i < 2 && trees[i]; i++)
		for (uint32_t node = 1; node < trees[i]->n; node++)
			is_frame[trees[i]->sym[node]] = true;
	return is_frame;
}

void folded_free_written(struct written_name *written, size_t n)
{
	for (size_t i = 0; written && i < n; i++)
		free(written[i].text);
	free(written);
}

bool folded_is_of_perf(const struct profile *p)
{
	return p->format && (strcmp(p->format, "perf") == 0 || strcmp(p->format, "perf-data") == 0);
}
