/*
 * perf_marks.h - which text is the output of perf script.
 */
#ifndef COLLAPSE_PERF_MARKS_H
#define COLLAPSE_PERF_MARKS_H

#include "collapse/collapse.h"

/* In any of its dialects. */
enum sniff perf_sniff(const struct head *, const char **why);

#endif
