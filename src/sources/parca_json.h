/*
 * parca_json.h - Parca's API in JSON.
 */
#ifndef SOURCES_PARCA_JSON_H
#define SOURCES_PARCA_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"
#include "sources/moment.h"
#include "sources/query.h"
#include "sources/talk.h"

struct request parca_json_request(void);
/* Is the last answer, which begins like this, JSON? false: err says what it is. */
bool parca_json_is(const struct talk *, const char *said, size_t n, struct err *err);

/* Append a parameter, or two, with '?' or '&' in front. */
void parca_json_add_query(struct buf *out, char mark, const char *name, const struct query *);
void parca_json_add_span(struct buf *out, char mark, const char *prefix, const struct span *);

/* Take answers apart: into struct names, or struct totals; false: it is no such answer. Any bytes will do. */
bool parca_json_take_types(struct slice, void *names);
bool parca_json_take_names(struct slice, void *names);
bool parca_json_take_totals(struct slice, void *totals);
/* Returns a file of the profile in the last answer, whose file it closes. -1: err. */
int parca_json_take_pprof(const struct talk *, int fd, struct err *err);

#endif
