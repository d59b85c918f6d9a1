/*
 * perf_native.h - perf.data recordings, read without perf.
 */
#ifndef COLLAPSE_PERF_NATIVE_H
#define COLLAPSE_PERF_NATIVE_H

#include <stdbool.h>

#include "collapse/collapse.h"

/*
 * What a file needs perf script for.
 */
enum perf_need {
	NEED_NOTHING, /* format_perf_data reads it */
	NEED_STACKS,  /* dumps of stacks of a machine that are not unwound here */
	NEED_TEXT,    /* what is asked for stands in perf's text alone: source lines, the scheduler's events */
	NEED_OTHER,   /* it cannot be read: err says why */
};
/* path "-" is standard input, a file then, whose position stays as it is. */
enum perf_need perf_native_need(const char *path, const struct collapse_options *, struct err *);

#endif
