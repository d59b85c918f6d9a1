/*
 * perf_recent.h - finds what a sample shares with the one before of the same task.
 *
 * perf prints a stack leaf first, so two samples of one thread usually end in the same lines: main, the event loop,
 * the current phase. A comparison of the texts from the end finds them without looking at any frame, and the frames
 * and path hashes of the previous sample are reused.
 *
 *	sample before        this sample
 *	  read_token           write_token       <- only this line is parsed
 *	  parse                parse             \
 *	  main                 main              /  equal to the last byte
 */
#ifndef COLLAPSE_PERF_RECENT_H
#define COLLAPSE_PERF_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/profile.h"

struct recent_line {
	uint32_t start;  /* bytes from the beginning of the line to the end of the text */
	uint32_t frames; /* from the root up to and including this line's */
};

/* The last sample of a task. */
struct perf_recent {
	uint32_t task;
	const char *end;          /* end of its text, which must still exist; NULL: nothing to share */
	size_t len;               /* of its text */
	uint32_t *frames;         /* n, root first; the first one is the process */
	struct path_hash *hashes; /* n + 1: of the first i frames */
	size_t n, cap;
	uint32_t *sites;           /* n + 1: nodes of profile.sites of the first i frames; 0 if they are not wanted */
	bool has_other_leaf;       /* the innermost line shared was the leaf of one of the samples only */
	uint32_t path;             /* of the sample before; PATH_ROOT: unknown */
	size_t depth;              /* its number of frames */
	size_t shared;             /* number of leading frames that the present sample shares */
	struct recent_line *lines; /* beginning with the root's */
	size_t n_lines, cap_lines;
};

void perf_recent_deinit(struct perf_recent *);
/* Forgets everything but the memory, and starts with the process's frame, whose name has this hash. */
void perf_recent_begin(struct perf_recent *, uint32_t task, uint32_t root, uint64_t hash);
/*
 * Drops what the text of len bytes does not share, and makes it the recent text. Both texts begin at a line and end
 * before the last newline. Returns how many bytes at the end are known.
 */
size_t perf_recent_share(struct perf_recent *, const char *text, size_t len);
/* Makes room for this many more frames and lines. */
void perf_recent_reserve(struct perf_recent *, size_t frames, size_t lines);
/* The path of all frames, added to the profile when new. */
uint32_t perf_recent_path(struct perf_recent *, struct profile *);

/* There must be room. */
static inline void perf_recent_push(struct perf_recent *r, uint32_t frame, uint64_t hash)
{
	r->frames[r->n] = frame;
	r->hashes[r->n + 1] = path_hash_next(r->hashes[r->n], hash);
	r->n++;
}

/* The last n frames pushed have this node, those before the last one that of their callers. */
static inline void perf_recent_at(struct perf_recent *r, size_t n, uint32_t node)
{
	for (size_t i = r->n - n; i < r->n; i++)
		r->sites[i + 1] = i + 1 < r->n ? r->sites[i] : node;
}

/* All frames of the line that begins `start` bytes before the end have been pushed. */
static inline void perf_recent_line(struct perf_recent *r, size_t start)
{
	r->lines[r->n_lines++] = (struct recent_line){(uint32_t)start, (uint32_t)r->n};
}

#endif
