/*
 * clickhouse_sql.h - the queries for ClickHouse, in its SQL.
 *
 * Grouping, names of functions, filters and both sides of a comparison are part of a query: only different
 * stacks come back. What a user gives becomes a parameter of the query ({type:String}), never a part of its
 * text, but for names that consist of letters, digits and underscores.
 */
#ifndef SOURCES_CLICKHOUSE_SQL_H
#define SOURCES_CLICKHOUSE_SQL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"
#include "sources/url.h"

/* What an address asks for. Strings are owned. */
struct clickhouse_query {
	char *type;               /* of system.trace_log: "CPU" */
	char *query_id, *base_id; /* of the profiled queries; "": any */
	char *event;              /* of the type ProfileEvent; "": any */
	char *cluster;            /* "": this server alone */
	char *table;              /* "system.trace_log", or a copy of it */
	char *root;               /* column whose value becomes a frame at the root; "": none */
	int64_t from, until;      /* seconds since 1970; until 0: any time */
	int64_t base_from, base_until;
	bool has_base; /* there are two sides */
	bool has_symbols;
	enum clickhouse_value { VALUE_SAMPLES, VALUE_BYTES, VALUE_LIVE, VALUE_EVENTS } value;
};

/* Reads the parameters; others are settings of the server. false: err; it needs no deinit then. */
bool clickhouse_query_read(struct clickhouse_query *, const struct url *, struct err *err);
void clickhouse_query_deinit(struct clickhouse_query *);
/* What is counted: "samples", "bytes" or "events". */
const char *clickhouse_unit(const struct clickhouse_query *);

/* Appends the query for stacks of a trace_log: rows of a stack and one count, or two: before and after. */
void clickhouse_add_traces(struct buf *out, const struct clickhouse_query *);

/* A column of an answer, and its type. */
struct clickhouse_column {
	char *name, *type; /* owned */
};

/* Appends the query for the columns of the user's one. */
void clickhouse_add_describe(struct buf *out, const char *sql);
/*
 * Appends the query for the stacks of the user's one, whose columns are these: a stack (a text, or a list of
 * frames from the root on), a value, and maybe a second one. false: err says which columns it would need.
 */
bool clickhouse_add_stacks(struct buf *out, const char *sql, const struct clickhouse_column *, size_t n,
                           struct err *err);

/* Appends "?param_type=CPU&..." and the settings, as a part of an address. */
void clickhouse_add_parameters(struct buf *out, const struct url *, const struct clickhouse_query *,
                               bool is_own_sql);

#endif
