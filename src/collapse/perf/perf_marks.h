/*
 * perf_marks.h - recognises the output of perf script.
 */
#ifndef COLLAPSE_PERF_MARKS_H
#define COLLAPSE_PERF_MARKS_H

#include "collapse/collapse.h"

/* Recognises it in any of its dialects. */
enum sniff perf_sniff(const struct head *, const char **why);

#endif
