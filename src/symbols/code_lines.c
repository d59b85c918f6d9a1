/*
 * code_lines.c - the source lines of addresses, from debug information.
 */
#include "symbols/code_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/inlines.h"

struct code_file {
	char *path;              /* with the code */
	struct inlines *inlines; /* NULL: there is no debug information */
};

struct code_lines {
	struct code_file *files;
	size_t n, cap;
	size_t last; /* the one used last */
};

struct code_lines *code_lines_new(void)
{
	return mem_zalloc(1, sizeof(struct code_lines));
}

void code_lines_free(struct code_lines *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->n; i++) {
		inlines_free(c->files[i].inlines);
		free(c->files[i].path);
	}
	free(c->files);
	free(c);
}

static struct inlines *file_of(struct code_lines *c, const char *const paths[3])
{
	struct err ignored;
	if (c->last < c->n && strcmp(c->files[c->last].path, paths[0]) == 0)
		return c->files[c->last].inlines;
	for (c->last = 0; c->last < c->n; c->last++)
		if (strcmp(c->files[c->last].path, paths[0]) == 0)
			return c->files[c->last].inlines;
	struct code_file f = {mem_strdup(paths[0]), inlines_open(paths[0], paths[1], paths[2], &ignored)};
	mem_push(c->files, c->n, c->cap, f);
	return f.inlines;
}

const char *code_lines_find(void *lines, const char *const paths[3], uint64_t address, uint32_t level,
                            uint32_t *line)
{
	struct code_lines *c = lines;
	const struct inlined_at *frames;
	struct inlines *in = paths[0] ? file_of(c, paths) : NULL;
	size_t n = in ? inlines_at(in, address, &frames) : 0;
	*line = 0;
	if (!n)
		return NULL;
	const struct inlined_at *f = &frames[level < n ? n - 1 - level : 0];
	*line = f->line;
	return f->file;
}
