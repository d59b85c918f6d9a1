/*
 * waiting.h - holds back the stacks of waiting threads until their share of the input is known.
 *
 *	waiting_work(&w, 60)                  every sample that works
 *	waiting_add(&w, sink, kind, path, site, 30) and every one that waits
 *	waiting_settle(&w, sink, ...)         at the end of the input
 *
 * A format numbers its kinds of waiting from 0, and at the end decides which of them to leave out. Those are
 * counted and reported (model/idle.h); the others go to their places among the samples. --idle keeps all of them
 * from the start.
 *
 * While the input still comes in, waiting_preview() decides the same for a copy of the profile. What is shown at
 * any time is what would be shown if the input ended there.
 */
#ifndef COLLAPSE_TEXT_WAITING_H
#define COLLAPSE_TEXT_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"

#define WAITING_KINDS 4
#ifndef WAITING_MOST
#define WAITING_MOST ((size_t)1 << 18) /* stacks, about 14 MB; beyond that, equal ones are merged */
#endif

struct waiting_stack {
	uint32_t path, site;
	unsigned kind;
	uint64_t weight;
	size_t at;     /* the sample of the log that follows it */
	uint64_t time; /* of its arrival; NO_TIME: not needed */
	uint64_t n;    /* number of merged stacks, each of this weight */
};

/* Zeroed is empty. */
struct waiting {
	struct waiting_stack *v;
	size_t n, cap;
	uint64_t slice;                  /* ns within which stacks were merged; 0: none were */
	size_t least;                    /* number of stacks after that */
	uint64_t of_kind[WAITING_KINDS]; /* weights */
	uint64_t all;                    /* including stacks that work */
};

void waiting_deinit(struct waiting *);
void waiting_work(struct waiting *, uint64_t weight);
/* site: as in struct sample */
void waiting_add(struct waiting *, struct sink *, unsigned kind, uint32_t path, uint32_t site, uint64_t weight);
/* Is it no more than half of `all`? */
bool waiting_is_minor(uint64_t weight, uint64_t all);
/* May stacks of this weight be left out? Not in one of several inputs: their shares must be comparable. */
bool waiting_may_go(const struct sink *, uint64_t weight, uint64_t all);
/*
 * Places or drops the stacks held back. `kinds`: one bit for each kind to drop, unless options say otherwise.
 * `what` as in idle_add().
 */
void waiting_settle(struct waiting *, struct sink *, unsigned kinds, const char *what);

/* A format's decision; it ends with waiting_settle(). */
typedef void waiting_settler(struct waiting *, struct sink *);
/* Makes that decision for a copy of the sink's profile; changes nothing else. */
void waiting_preview(const struct waiting *, const struct sink *, struct profile *copy, waiting_settler *settle);

#endif
