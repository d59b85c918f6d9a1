/*
 * plan.h - how samples are taken, as the options of a recording ask for it.
 */
#ifndef RECORD_SAMPLER_PLAN_H
#define RECORD_SAMPLER_PLAN_H

#include "record/sampler/counters.h"
#include "record/sampler/sampler_options.h"

struct counters_plan plan_of(const struct sampler_options *, const struct allocators *);

#endif
