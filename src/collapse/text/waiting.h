/*
 * waiting.h - stacks that wait, held back until it is known how much of the input they are.
 *
 *	waiting_work(&w, 60)                  every sample that works
 *	waiting_add(&w, sink, kind, path, 30) and every one that waits
 *	waiting_settle(&w, sink, ...)         at the end of the input
 *
 * A format knows kinds of waiting, numbered from 0, and at the end says which of them are to be left out; that is
 * counted and said (model/idle.h), and the rest is put in its place among the samples. --idle keeps all of them
 * from the start.
 *
 * While the input still comes in, the same is done with copies of the profile, each time with what there is so far
 * (waiting_preview), so that what is shown is at any time what would be shown if the input ended there.
 */
#ifndef COLLAPSE_TEXT_WAITING_H
#define COLLAPSE_TEXT_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"

#define WAITING_KINDS 4
#ifndef WAITING_MOST
#define WAITING_MOST ((size_t)1 << 18) /* stacks, some 12 MB; beyond that equal ones are added up */
#endif

struct waiting_stack {
	uint32_t path;
	unsigned kind;
	uint64_t weight;
	size_t at;     /* the sample of the log that follows it */
	uint64_t time; /* of its arrival, NO_TIME if nobody asks for it */
	uint64_t n;    /* so many, each of this weight */
};

/* Zeroed is empty. */
struct waiting {
	struct waiting_stack *v;
	size_t n, cap;
	uint64_t slice;                  /* ns within which stacks were added up; 0: none were */
	size_t least;                    /* that were left then */
	uint64_t of_kind[WAITING_KINDS]; /* weights */
	uint64_t all;                    /* with that of stacks that work */
};

void waiting_deinit(struct waiting *);
void waiting_work(struct waiting *, uint64_t weight);
void waiting_add(struct waiting *, struct sink *, unsigned kind, uint32_t path, uint64_t weight);
/* Is it no more than half of `all`? */
bool waiting_is_minor(uint64_t weight, uint64_t all);
/*
 * May stacks of this weight be left out? Not where inputs are compared or merged, whose shares have to mean the
 * same.
 */
bool waiting_may_go(const struct sink *, uint64_t weight, uint64_t all);
/* `kinds`: one bit for each kind to leave out, unless options say otherwise. `what` as in idle_add(). */
void waiting_settle(struct waiting *, struct sink *, unsigned kinds, const char *what);

/* How a format decides; ends in waiting_settle(). */
typedef void waiting_settler(struct waiting *, struct sink *);
/* Decides for a copy of sink's profile, without an effect on anything else. */
void waiting_preview(const struct waiting *, const struct sink *, struct profile *copy, waiting_settler *settle);

#endif
