/*
 * time_rest.h - times as whole nanoseconds, for inputs that also have parts of them.
 *
 * What rounding takes from a sample goes to the next sample of the same stack, so that the sum of a stack is right
 * to a nanosecond. What is lost nevertheless is said if it matters, in the same words for all formats.
 */
#ifndef COLLAPSE_TEXT_TIME_REST_H
#define COLLAPSE_TEXT_TIME_REST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"
#include "collapse/collapse.h"
#include "collapse/text/amount.h"

/* Zeroed is empty. */
struct time_rest {
	decimal_whole *carry; /* by path: what rounding took from its samples, or added to them */
	size_t n, cap;
	decimal_whole all, lost; /* of all times, and of those that are rounded alone; amounts of ns */
	bool has_gone;           /* a time that is rounded alone became 0 */
};

void time_rest_deinit(struct time_rest *);
/* Rounds an amount >= 0 of nanoseconds, the weight of a sample of a path. */
decimal_whole time_rest_round(struct time_rest *, uint32_t path, decimal_whole ns);
/*
 * Reads a number in units of 10^places ns (3: microseconds) and rounds it alone, as one that is no weight of a
 * sample. false: not a number, or beyond 63 bits.
 */
bool time_rest_read(struct time_rest *, struct slice text, unsigned places, int64_t *ns);
/* Adds what another one has lost alone; the other one has rounded no sample of a path. */
void time_rest_join(struct time_rest *, const struct time_rest *other);
/* Once all samples of the series are added: warns if a thousandth of all is lost, or all of a stack or time. */
void time_rest_say(const struct time_rest *, struct sink *, unsigned side, uint32_t series);

#endif
