/*
 * query.h - the query in an address of a store of profiles: a type of profile, and whose.
 *
 *	query=process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="shop",version=~"1.*"}
 */
#ifndef SOURCES_QUERY_H
#define SOURCES_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

struct url;

/* Strings are owned. */
struct query {
	char *type;     /* "" if the address has no query yet */
	char *selector; /* "{...}" */
};

/* Reads the parameter "query". false: err says what is wrong with it; it needs no deinit then. */
bool query_read(struct query *, const struct url *, struct err *err);
void query_deinit(struct query *);
/* Can it be a type of profile, the part before the brace? */
bool query_is_type(const char *);
/* Can it be the name of a label? Others are not offered. */
bool query_is_label(const char *name, size_t n);
/* Appends the query with one more condition: name="value". name NULL: as it is. */
void query_add_with(struct buf *out, const struct query *, const char *name, const char *value, size_t n_value);
/* Appends the selector with one more condition, or as it is. */
void query_add_selector(struct buf *out, const char *selector, const char *name, const char *value, size_t n_value);

#endif
