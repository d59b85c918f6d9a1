/*
 * perf_recent.c - sharing frames between samples of a task.
 */
#include "collapse/perf_recent.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/scan.h"

void perf_recent_deinit(struct perf_recent *r)
{
	free(r->frames);
	free(r->hashes);
	free(r->lines);
	*r = (struct perf_recent){0};
}

void perf_recent_begin(struct perf_recent *r, uint32_t task, uint32_t root, const struct symtab *t)
{
	if (!r->hashes) {
		r->frames = mem_grow(NULL, &r->cap, 128, sizeof *r->frames);
		r->hashes = mem_alloc((r->cap + 1) * sizeof *r->hashes);
		r->hashes[0] = path_hash_root();
	}
	r->task = task;
	r->end = NULL;
	r->n = r->n_lines = 0;
	perf_recent_push(r, root, t);
}

/* How many bytes before a and before b are equal, at most n. */
static size_t common_suffix(const char *a, const char *b, size_t n)
{
	size_t done = 0;

	for (; n - done >= 32; done += 32) {
		uint32_t mask = scan_difference(a - done - 32, b - done - 32);

		if (mask)
			return done + (size_t)__builtin_clz(mask);
	}
	while (done < n && a[-(ptrdiff_t)done - 1] == b[-(ptrdiff_t)done - 1])
		done++;
	return done;
}

size_t perf_recent_share(struct perf_recent *r, const char *text, size_t len)
{
	size_t common = r->end ? common_suffix(r->end, text + len, len < r->len ? len : r->len) : 0, lines = r->n_lines;

	while (lines && r->lines[lines - 1].start > common)
		lines--;
	/* A line that is wholly equal must begin a line here too. */
	while (lines && r->lines[lines - 1].start < len && text[len - r->lines[lines - 1].start - 1] != '\n')
		lines--;
	r->n_lines = lines;
	r->n = lines ? r->lines[lines - 1].frames : 1;
	r->end = text + len;
	r->len = len;
	return lines ? r->lines[lines - 1].start : 0;
}

void perf_recent_push(struct perf_recent *r, uint32_t frame, const struct symtab *t)
{
	if (r->n == r->cap) {
		r->frames = mem_grow(r->frames, &r->cap, r->n + 1, sizeof *r->frames);
		r->hashes = mem_realloc(r->hashes, r->cap + 1, sizeof *r->hashes);
	}
	r->frames[r->n] = frame;
	r->hashes[r->n + 1] = path_hash_next(r->hashes[r->n], t->symbols[frame].hash);
	r->n++;
}

void perf_recent_line(struct perf_recent *r, size_t start)
{
	mem_push(r->lines, r->n_lines, r->cap_lines, ((struct recent_line){(uint32_t)start, (uint32_t)r->n}));
}
