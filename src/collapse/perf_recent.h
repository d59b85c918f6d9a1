/*
 * perf_recent.h - what a sample shares with the one before of the same task.
 *
 * perf prints a stack leaf first, so two samples of one thread usually end in the very same lines: main, the event loop, the
 * phase it is in. Comparing the texts from the end finds these without looking at a single frame, and the frames and
 * path hashes of the sample before are taken over as they are.
 *
 *	sample before        this sample
 *	  read_token           write_token       <- only this line is parsed
 *	  parse                parse             \
 *	  main                 main              /  equal to the last byte
 */
#ifndef COLLAPSE_PERF_RECENT_H
#define COLLAPSE_PERF_RECENT_H

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
	const char *end;    /* of its text, which must still be there; NULL: nothing to share */
	size_t len;         /* of its text */
	uint32_t *frames;   /* n, root first; the first one is the process */
	struct path_hash *hashes; /* n + 1: of the first i frames */
	size_t n, cap;
	struct recent_line *lines; /* from the root's on */
	size_t n_lines, cap_lines;
};

void perf_recent_deinit(struct perf_recent *);
/* Forgets everything but the memory, and starts with the process's frame. */
void perf_recent_begin(struct perf_recent *, uint32_t task, uint32_t root, const struct symtab *);
/*
 * Drops what the text of len bytes does not share and makes it the recent one. Both texts begin at a line and end before
 * the last newline. Returns how many bytes at its end are known.
 */
size_t perf_recent_share(struct perf_recent *, const char *text, size_t len);
void perf_recent_push(struct perf_recent *, uint32_t frame, const struct symtab *);
/* All frames of the line that begins `start` bytes before the end have been pushed. */
void perf_recent_line(struct perf_recent *, size_t start);

#endif
