/*
 * lines_options.c - what views of lines need besides a profile.
 */
#include "lines_options.h"

#include <stdlib.h>

#include "base/mem.h"
#include "symbols/code_lines.h"

struct lines_needs {
	struct line_finder finder;
	struct source_places sources;
};

struct lines_needs *lines_needs_begin(struct options *o, bool shows_lines)
{
	struct lines_needs *n = mem_zalloc(1, sizeof *n);
	n->sources.files = collapse_places(&o->collapse);
	n->finder = code_lines_finder(code_lines_new(&n->sources.files, o->collapse.debuginfod));
	n->sources.directories = o->source_paths;
	o->export_.finder = &n->finder;
	o->export_.sources = &n->sources;
	o->collapse.wants_sites = o->collapse.keeps_bundles = shows_lines;
	return n;
}

void lines_needs_end(struct options *o, struct lines_needs *n)
{
	o->export_.finder = NULL;
	o->export_.sources = NULL;
	code_lines_free(n->finder.arg);
	free(n);
}
