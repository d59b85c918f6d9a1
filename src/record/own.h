/*
 * own.h - recordings that flametop takes itself, without perf.
 */
#ifndef RECORD_OWN_H
#define RECORD_OWN_H

#include <stdbool.h>

#include "options.h"
#include "record/sampler/sampler.h"
#include "record/words.h"

/* Who takes the samples? --with decides; else a tracer is chosen (choice.h), or perf if it alone can do it. */
enum record_with own_choose(const struct options *);
/* May the viewer show the recording while it goes on? dtrace and xctrace tell of samples only at their end. */
bool own_can_be_live(const struct options *);

/* All but output, words and viewer come from the options of the recording. */
void own_options(struct sampler_options *, const struct options *);
/* May the targets be sampled, and what will be missing? false: err says why not. */
bool own_check(const struct options *, struct sampler_lacks *, struct err *err);
/* `flametop sample ...` into path. false: our own program cannot be found. */
bool own_words(struct words *, const struct options *, const char *path, struct err *err);

#endif
