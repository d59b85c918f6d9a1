/*
 * idle.h - idle weight left out of a profile, and the words for it.
 *
 *	1,046 of 2,475 samples wait in the system and are left out; --idle keeps them
 *
 * No sample of the log carries this weight. All places that report it (standard error, the notes, the header, the
 * text outputs) use these words.
 */
#ifndef MODEL_IDLE_H
#define MODEL_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/profile.h"

/* What waits are that --off-cpu=SECONDS leaves out. */
#define IDLE_SHORT "are waits that are shorter than --off-cpu asks for"

/*
 * An input leaves out `weight` of a series: counts it, and notes it as a warning. `all` is the weight of the whole
 * input; `what` follows "3 of 10 samples": "wait in the system".
 */
void idle_add(struct profile *, unsigned side, uint32_t series, uint64_t weight, uint64_t all, const char *what);
/*
 * Adds the idle weight of src, whose series have the numbers series[] in dst; dst has at least as many decimals.
 * For profile_append().
 */
void idle_append(struct profile *dst, const struct profile *src, const uint32_t *series);
/* Converts idle weights from profile->decimals to `to` decimals. */
void idle_scale(struct profile *, unsigned to);

/*
 * Appends the words for a series (-1: the first with idle weight), with weights times `factor`; those for a
 * baseline begin with "before: ". false: no idle weight.
 */
bool idle_add_words(const struct profile *, int32_t series, unsigned side, double factor, struct buf *out);
/* Has the series (-1: any) idle weight on this side, which no file can hold? */
bool idle_is_left_out(const struct profile *, int32_t series, unsigned side);
/* Is it the note that idle_add() made? */
bool idle_is_note(const struct note *);
/* A short form, of the profile only: "42.3% idle, left out". */
bool idle_add_share(const struct profile *, int32_t series, struct buf *out);

#endif
