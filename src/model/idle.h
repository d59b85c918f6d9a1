/*
 * idle.h - what was left out of a profile because it waits, and the words for it.
 *
 *	1,046 of 2,475 samples wait in the system and are left out; --idle keeps them
 *
 * The weights belong to no sample of the log. Every place that tells of them (standard error, the notes, the
 * header, the text outputs) takes its words from here.
 */
#ifndef MODEL_IDLE_H
#define MODEL_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "model/profile.h"

/*
 * Some of what one input has in a series is left out: counts it, and notes it as a warning. `all` is the weight of
 * the whole input; `what` goes on from "3 of 10 samples": "wait in the system".
 */
void idle_add(struct profile *, unsigned side, uint32_t series, uint64_t weight, uint64_t all, const char *what);
/*
 * Adds what src has left out; its series have these numbers in dst, whose decimals are no fewer. For
 * profile_append().
 */
void idle_append(struct profile *dst, const struct profile *src, const uint32_t *series);
/* All weights have `to` decimals from now on, instead of profile->decimals. */
void idle_scale(struct profile *, unsigned to);

/*
 * The words for a series (-1: the first that has something), weights times `factor`, for a baseline with "before:
 * ". false: nothing was left out.
 */
bool idle_add_words(const struct profile *, int32_t series, unsigned side, double factor, struct buf *out);
/* The same where there is little room: "42.3% idle, left out", of the profile only. */
bool idle_add_share(const struct profile *, int32_t series, struct buf *out);

#endif
