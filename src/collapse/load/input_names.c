/*
 * input_names.c - short names of input files: the base name, or as much of the path as tells it from the others.
 *
 *	perf.data                         perf.data
 *	old/perf.data new/perf.data       old/perf.data, new/perf.data
 *	/a/b/1/x.txt /a/c/1/x.txt y       b/1/x.txt, c/1/x.txt, y
 *
 * Paths are sorted from their ends, so that those with the longest common end are neighbours. The profile and the
 * baseline have names of their own: --split compares files of the same name.
 */
#include "collapse/load/input_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/sort.h"

struct named {
	const char *path;
	size_t len, shared; /* shared: bytes at the end that another path of this side has, too */
	unsigned side;
	size_t index;
};

/* Byte n from the end; the one before the first is a '/', and those before that are 0. */
static unsigned char from_end(const struct named *f, size_t n)
{
	return n < f->len ? (unsigned char)f->path[f->len - 1 - n] : n == f->len ? '/' : 0;
}

static size_t common_end(const struct named *a, const struct named *b)
{
	size_t n = 0;
	while (from_end(a, n) && from_end(a, n) == from_end(b, n))
		n++;
	return n;
}

/* '/' comes before other bytes, so that nothing comes between x and d/x. */
static int by_end(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	size_t n = common_end(x, y);
	int c = from_end(x, n), d = from_end(y, n);
	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (c == d)
		return 0;
	return c == 0 || (c == '/' && d != 0) || (d != 0 && d != '/' && c < d) ? -1 : 1;
}

/* Finds what each path shares with its neighbours; equal paths are one file. */
static void find_shared(struct named *v, size_t n)
{
	for (size_t i = 1, last = 0; i < n; i++) {
		size_t common = common_end(&v[i - 1], &v[i]);
		if (v[i].side != v[i - 1].side) {
			last = i;
		} else if (by_end(&v[i - 1], &v[i]) == 0) {
			v[i].shared = v[i - 1].shared;
		} else {
			for (; last < i; last++)
				v[last].shared = common > v[last].shared ? common : v[last].shared;
			v[i].shared = common;
		}
	}
}

/* The end of the path from the last '/' on before which it differs from every other path. */
static char *short_name(const struct named *f)
{
	size_t at = f->len - (f->shared < f->len ? f->shared : f->len);
	while (at > 0 && (f->path[at - 1] != '/' || f->path[at] == '/'))
		at--;
	return mem_strdup(at < f->len ? f->path + at : f->path);
}

char **input_names(const struct load_input *inputs, size_t n)
{
	struct named *v = mem_zalloc(n + 1, sizeof *v);
	char **names = mem_zalloc(n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		const char *path = strcmp(inputs[i].path, "-") == 0 ? "stdin" : inputs[i].path;
		v[i] = (struct named){.path = path, .len = strlen(path), .side = inputs[i].side, .index = i};
	}
	sort_array(v, n, sizeof *v, by_end);
	find_shared(v, n);
	for (size_t i = 0; i < n; i++)
		names[v[i].index] = short_name(&v[i]);
	free(v);
	return names;
}
