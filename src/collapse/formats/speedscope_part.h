/*
 * speedscope_part.h - one profile of a speedscope file: its name, unit and limits.
 */
#ifndef COLLAPSE_FORMATS_SPEEDSCOPE_PART_H
#define COLLAPSE_FORMATS_SPEEDSCOPE_PART_H

#include "collapse/formats/speedscope_values.h"

/* Its stacks, weights and events are the next elements of arrays of the reader. */
struct speedscope_part {
	uint32_t name;
	uint32_t event, counted; /* symbols; 0: those of the unit */
	unsigned char places;    /* its unit is 10^places nanoseconds, bytes or pieces */
	char unit;               /* 't'ime, 'b'ytes, 'n'one */
	bool has_start : 1, has_end : 1;
	bool is_foreign : 1;             /* has fractions that may be cut, see speedscope_is_exact() */
	struct small_decimal start, end; /* of the events */
	size_t n_stacks, n_weights, n_events;
};

/* Does it say no more than its unit? */
bool speedscope_is_bare(const struct speedscope_part *);
/* Takes startValue or endValue. */
void speedscope_take_limit(struct speedscope_part *, struct slice key, const struct decimal *);
/* Takes name, unit, and what a file of flametop says of its counts: {"event":"alloc","counted":"kB"}. */
void speedscope_take_fact(struct speedscope_part *, struct sink *, bool is_ours, struct slice key,
                          struct slice text);
/* Symbol of the event. */
uint32_t speedscope_event(struct sink *, const struct speedscope_part *);
/* The series of its samples, of the given side. */
uint32_t speedscope_series(struct sink *, unsigned side, const struct speedscope_part *);

#endif
