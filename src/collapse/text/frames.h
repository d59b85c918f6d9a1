/*
 * frames.h - the stack being read, as symbols in input order (most tools print the leaf first).
 *
 * Where the input tells executed lines, and lines are wanted, the stack also has sites (model/sites.h).
 */
#ifndef COLLAPSE_TEXT_FRAMES_H
#define COLLAPSE_TEXT_FRAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "collapse/collapse.h"
#include "collapse/text/lines.h"

/* Zeroed is empty. To empty it again, set n to 0. */
struct frames {
	uint32_t *syms;
	size_t n, cap;
	uint32_t *sites; /* of the first n_sites frames: number of the site + 1, 0: unknown */
	size_t n_sites, cap_sites;
};

void frames_deinit(struct frames *);

static inline void frames_push(struct frames *f, uint32_t sym)
{
	mem_push(f->syms, f->n, f->cap, sym);
}

void frames_push_text(struct frames *, struct sink *, struct slice name);
/* The same for a function of a source file: place is "FILE:LINE", the executed line, or has no line. */
void frames_push_at(struct frames *, struct sink *, struct slice name, struct slice place);
/* The frame pushed last is at this "FILE:LINE". */
void frames_set_place(struct frames *, struct sink *, struct slice place);
/* Pushes the function of a site, which the stack has if lines are wanted. */
void frames_push_site(struct frames *, struct sink *, const struct site *);
/* Pushes frame i of another list, with its site. */
void frames_push_of(struct frames *, const struct frames *, size_t i);
void frames_reverse(struct frames *);
/* The node of profile.sites for the stack, root first. */
uint32_t frames_site(const struct frames *, struct sink *);

/* The frame that stands for those that the writer left out, and why they are missing. */
#define ELIDED "[elided]"
void frames_push_elided(struct frames *, struct sink *, const char *why);
/* The same for frames whose numbers are missing before the one in this line. */
void frames_push_lost(struct frames *, struct sink *, uint64_t number, struct slice line);

/* The frame for stacks without frames, so that their weight is not lost. */
#define EMPTY_STACK "[empty]"

/* Reverses a stack that was pushed leaf first, so that it can be emitted. */
void frames_finish(struct frames *, struct sink *);
/* Emits a stack that was pushed leaf first, and empties it. */
void frames_emit_reversed(struct frames *, struct sink *, uint64_t weight);
/* The same, of a thread: a number of profile_task(). */
void frames_emit_reversed_of(struct frames *, struct sink *, uint64_t weight, uint32_t task);

#endif
