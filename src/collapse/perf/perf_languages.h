/*
 * perf_languages.h - the functions of interpreters in recordings of flametop, which has read them at each sample.
 */
#ifndef COLLAPSE_PERF_LANGUAGES_H
#define COLLAPSE_PERF_LANGUAGES_H

#include "collapse/collapse.h"
#include "collapse/perf/perf_native_stack.h"
#include "perfdata/perfdata.h"

struct perf_languages;

struct perf_languages *perf_languages_new(struct sink *);
void perf_languages_free(struct perf_languages *); /* adds notes about what is missing; NULL is fine */

/* Are the samples of the event such stacks, rather than samples? */
bool perf_languages_is_event(const struct perfdata_event *);
/* Takes one of them. */
void perf_languages_take(struct perf_languages *, const struct perfdata_sample *);
/* Is there a stack for this sample? It is used up by perf_languages_end(). */
bool perf_languages_begin(const struct perf_languages *, const struct perfdata_sample *);
/* The same; and does the language's runtime compile functions? */
bool perf_languages_compile(const struct perf_languages *, const struct perfdata_sample *);
void perf_languages_end(struct perf_languages *);
/* Everything that determines its frames and lines. */
uint64_t perf_languages_hash(const struct perf_languages *);
/* The set of labels of its sample: who holds the interpreter's lock. */
uint32_t perf_languages_tags(struct perf_languages *);

/* Puts the functions of the present stack between those of a native one. false: some may have wrong callers. */
bool perf_languages_merge(struct perf_languages *, struct perf_native_stack *);
/* Counts such a stack, for a note. */
void perf_languages_inexact(struct perf_languages *);

#endif
