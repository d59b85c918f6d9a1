/*
 * perf_recent.c - shares frames between samples of a task.
 */
#include "collapse/perf/perf_recent.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/scan.h"

void perf_recent_deinit(struct perf_recent *r)
{
	free(r->frames);
	free(r->hashes);
	free(r->sites);
	free(r->lines);
	*r = (struct perf_recent){0};
}

void perf_recent_reserve(struct perf_recent *r, size_t frames, size_t lines)
{
	if (r->n + frames > r->cap) {
		r->frames = mem_grow(r->frames, &r->cap, r->n + frames, sizeof *r->frames);
		r->hashes = mem_realloc(r->hashes, r->cap + 1, sizeof *r->hashes);
		r->sites = mem_realloc(r->sites, r->cap + 1, sizeof *r->sites);
	}
	if (r->n_lines + lines > r->cap_lines)
		r->lines = mem_grow(r->lines, &r->cap_lines, r->n_lines + lines, sizeof *r->lines);
}

void perf_recent_begin(struct perf_recent *r, uint32_t task, uint32_t root, uint64_t hash)
{
	r->task = task;
	r->end = NULL;
	r->n = r->n_lines = 0;
	perf_recent_reserve(r, 1, 0);
	r->hashes[0] = path_hash_root();
	r->sites[0] = r->sites[1] = NO_SITE;
	perf_recent_push(r, root, hash);
}

/* How many bytes before a and b are equal, at most n. */
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
	/* A line that is equal as a whole must also begin a line here. */
	while (lines && r->lines[lines - 1].start < len && text[len - r->lines[lines - 1].start - 1] != '\n')
		lines--;
	if (!r->end)
		r->depth = 0;
	size_t shared = lines ? r->lines[lines - 1].start : 0;
	r->has_other_leaf = lines && (lines == r->n_lines) != (shared == len);
	r->n_lines = lines;
	r->n = r->shared = lines ? r->lines[lines - 1].frames : 1;
	r->end = text + len;
	r->len = len;
	return shared;
}

uint32_t perf_recent_path(struct perf_recent *r, struct profile *p)
{
	uint32_t known = PATH_ROOT;
	size_t depth = 0;
	if (r->depth) {
		for (known = r->path, depth = r->depth; depth > r->shared; depth--)
			known = p->parent[known];
	}
	r->path = profile_path_hashed(p, r->frames, r->hashes, r->n, known, depth);
	r->depth = r->n;
	return r->path;
}
