/*
 * perf_need.h - which recordings need perf script, rather than the reader of flametop (perf_native.c).
 */
#ifndef COLLAPSE_PERF_NEED_H
#define COLLAPSE_PERF_NEED_H

#include <stdbool.h>

#include "collapse/collapse.h"

/* Why a file needs perf script. */
enum perf_need {
	NEED_NOTHING, /* format_perf_data reads it */
	NEED_STACKS,  /* stack dumps of a machine that flametop does not unwind */
	NEED_TEXT,    /* only perf's text has what the user asks for: source lines, scheduler events */
	NEED_OTHER,   /* it cannot be read: err says why; perf may know it */
	NEED_MORE,    /* it ends in its header: err says so */
};
/* path "-" is standard input, which must be a file then; its position does not change. */
enum perf_need perf_need_of_file(const char *path, const struct collapse_options *, struct err *);
/* The same for a recording of this machine that is still to come. has_dumps: with copies of the stack. */
enum perf_need perf_need_of_plan(const struct collapse_options *, bool has_dumps);

#endif
