/*
 * clickhouse_sql.c - the queries for ClickHouse.
 *
 *	SELECT stack, sum(n) FROM (
 *	    SELECT <names of the frames> AS stack, n FROM (
 *	        SELECT trace, count() AS n FROM system.trace_log WHERE ... GROUP BY trace))
 *	GROUP BY stack
 *
 * The inner one groups by addresses, which is ten times as cheap as by names; the outer one joins stacks that
 * differ only in addresses. Of a cluster, each server does the first two, since its addresses are those of its
 * own program.
 */
#include "sources/clickhouse_sql.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sources/moment.h"

#define USUAL_SPAN INT64_C(3600) /* seconds */

/* ---- parameters ---------------------------------------------------------------------------------------------- */

static const char *const own[] = {"type",  "from",      "until",      "query_id",      "event", "cluster", "table",
                                  "value", "base_from", "base_until", "base_query_id", "root",  "symbols"};

static bool is_own(struct slice name)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (slice_is(name, own[i]))
			return true;
	return false;
}

static bool is_word(const char *s)
{
	return s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

/* A name that stands in the query itself: "trace_log", "system.trace_log", "my-cluster". */
static bool is_name(const char *s, const char *more)
{
	for (const char *c = s; *c; c++)
		if (!is_word_byte(*c) && !strchr(more, *c))
			return false;
	return true;
}

static bool read_moment(const struct url *u, const char *name, int64_t usual, int64_t *seconds, struct err *err)
{
	int64_t ms;
	bool is_good = moment_read(u, name, usual * 1000, &ms, err);
	*seconds = is_good ? ms / 1000 : usual;
	return is_good;
}

/* Without times, a query is looked for at any time, and all else in the last hour. */
static bool read_times(struct clickhouse_query *q, const struct url *u, struct err *err)
{
	size_t n;
	int64_t now = moment_now() / 1000;
	bool has_times = url_parameter(u, "from", &n) || url_parameter(u, "until", &n);
	bool has_base_times = url_parameter(u, "base_from", &n) || url_parameter(u, "base_until", &n);
	bool is_any = *q->query_id && !has_times;
	q->has_base = has_base_times || *q->base_id;
	if (!read_moment(u, "until", is_any ? 0 : now + 1, &q->until, err) ||
	    !read_moment(u, "from", is_any ? 0 : q->until - USUAL_SPAN, &q->from, err) ||
	    !read_moment(u, "base_until", has_base_times ? q->from : 0, &q->base_until, err) ||
	    !read_moment(u, "base_from", has_base_times ? q->base_until - (q->until - q->from) : 0, &q->base_from, err))
		return false;
	if (q->until && q->from >= q->until)
		return fail(err, "%s: 'from' is not before 'until'", u->shown);
	if (q->base_until && q->base_from >= q->base_until)
		return fail(err, "%s: 'base_from' is not before 'base_until'", u->shown);
	return !q->has_base || q->base_until || *q->base_id || fail(err, "%s: the base has no end", u->shown);
}

static bool read_value(struct clickhouse_query *q, const struct url *u, struct err *err)
{
	static const char *const words[] = {"samples", "bytes", "live", "events"};
	char *text = url_value(u, "value");
	bool is_memory = strncmp(q->type, "Memory", 6) == 0 || strncmp(q->type, "Jemalloc", 8) == 0;
	size_t i = 0;
	q->value = is_memory ? VALUE_BYTES : strcmp(q->type, "ProfileEvent") == 0 ? VALUE_EVENTS : VALUE_SAMPLES;
	while (text && *text && i < sizeof words / sizeof *words && strcmp(text, words[i]) != 0)
		i++;
	bool is_good = text && i < sizeof words / sizeof *words;
	if (is_good && *text)
		q->value = (enum clickhouse_value)i;
	free(text);
	if (!is_good)
		return fail(err, "%s: 'value' has to be samples, bytes, live or events", u->shown);
	return q->value != VALUE_LIVE || !q->has_base ||
	       fail(err, "%s: value=live has one side: two addresses and --diff compare", u->shown);
}

/* What would be sent as a setting, although it is none. */
static bool check_settings(const struct url *u, struct err *err)
{
	const char *at = NULL;
	struct slice name;
	while ((name.s = url_next_name(u, &at, &name.n)) != NULL) {
		char *word = mem_strndup(name.s, name.n);
		bool is_user = slice_is(name, "user") || slice_is(name, "password");
		bool is_good =
			!is_user && is_word(word) && name.n && !slice_is(name, "query") && !slice_starts(name, "param_");
		if (is_user)
			fail(err,
			     "%s: user and password go before the host, or into --user or CLICKHOUSE_USER and "
			     "CLICKHOUSE_PASSWORD",
			     u->shown);
		else if (!is_good)
			fail(err, "%s: '%s' cannot be sent", u->shown, word);
		free(word);
		if (!is_good)
			return false;
	}
	return true;
}

static bool read_texts(struct clickhouse_query *q, const struct url *u, struct err *err)
{
	struct {
		const char *name;
		char **to;
	} texts[] = {{"type", &q->type},   {"query_id", &q->query_id}, {"base_query_id", &q->base_id},
	             {"event", &q->event}, {"cluster", &q->cluster},   {"table", &q->table},
	             {"root", &q->root}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (!(*texts[i].to = url_value(u, texts[i].name))) {
			fail(err, "%s: '%s' has a control character", u->shown, texts[i].name);
			return false;
		}
	return true;
}

static void default_to(char **text, const char *usual)
{
	if (**text)
		return;
	free(*text);
	*text = mem_strdup(usual);
}

bool clickhouse_query_read(struct clickhouse_query *q, const struct url *u, struct err *err)
{
	*q = (struct clickhouse_query){0};
	char *symbols = url_value(u, "symbols");
	q->has_symbols = !symbols || strcmp(symbols, "0") != 0;
	free(symbols);
	bool is_good = check_settings(u, err) && read_texts(q, u, err);
	if (is_good) {
		default_to(&q->type, "CPU");
		default_to(&q->table, "system.trace_log");
		is_good = (is_name(q->table, ".") && is_name(q->cluster, "-.") && is_word(q->root)) ||
		          fail(err, "%s: a name of a table, cluster or column with other characters", u->shown);
	}
	is_good = is_good && read_times(q, u, err) && read_value(q, u, err);
	if (!is_good)
		clickhouse_query_deinit(q);
	return is_good;
}

void clickhouse_query_deinit(struct clickhouse_query *q)
{
	free(q->type);
	free(q->query_id);
	free(q->base_id);
	free(q->event);
	free(q->cluster);
	free(q->table);
	free(q->root);
	*q = (struct clickhouse_query){0};
}

const char *clickhouse_unit(const struct clickhouse_query *q)
{
	return q->value == VALUE_SAMPLES ? "samples" : q->value == VALUE_EVENTS ? "events" : "bytes";
}

static void add_parameter(struct buf *out, const char *name, const char *value)
{
	struct buf escaped; /* as in a file of the format TSV */
	if (!*value)
		return;
	buf_init(&escaped);
	for (const char *c = value; *c; c++)
		buf_addf(&escaped, *c == '\\' ? "\\%c" : "%c", *c);
	buf_addf(out, "&param_%s=", name);
	url_add_encoded(out, escaped.data, escaped.len);
	buf_deinit(&escaped);
}

static void add_moment(struct buf *out, const char *name, int64_t seconds)
{
	if (seconds)
		buf_addf(out, "&param_%s=%" PRId64, name, seconds);
}

void clickhouse_add_parameters(struct buf *out, const struct url *u, const struct clickhouse_query *q,
                               bool is_own_sql)
{
	const char *at = NULL;
	struct slice name;
	buf_adds(out, "?wait_end_of_query=1");
	if (!is_own_sql && q->has_symbols)
		buf_adds(out, "&allow_introspection_functions=1");
	add_parameter(out, "type", q->type);
	add_parameter(out, "query_id", q->query_id);
	add_parameter(out, "base_query_id", q->base_id);
	add_parameter(out, "event", q->event);
	add_moment(out, "from", q->from);
	add_moment(out, "until", q->until);
	add_moment(out, "base_from", q->base_from);
	add_moment(out, "base_until", q->base_until);
	while ((name.s = url_next_name(u, &at, &name.n)) != NULL)
		if (!is_own(name)) /* what is encoded stays so */
			buf_addf(out, "&%.*s", (int)strcspn(name.s, "&#"), name.s);
}

/* ---- stacks of a trace_log ----------------------------------------------------------------------------------- */

/* Which samples belong to a side; "1" if all do. */
static void add_side(struct buf *out, bool is_base, int64_t until, const char *id)
{
	const char *prefix = is_base ? "base_" : "", *and = "";
	if (until) {
		buf_addf(out,
		         "event_date >= toDate({%sfrom:DateTime}) AND event_date <= toDate({%suntil:DateTime}) AND "
		         "event_time >= {%sfrom:DateTime} AND event_time < {%suntil:DateTime}",
		         prefix, prefix, prefix, prefix);
		and = " AND ";
	}
	if (*id)
		buf_addf(out, "%squery_id = {%squery_id:String}", and, prefix);
	else if (!until)
		buf_adds(out, "1");
}

static void add_after(struct buf *out, const struct clickhouse_query *q)
{
	add_side(out, false, q->until, q->query_id);
}

static void add_before(struct buf *out, const struct clickhouse_query *q)
{
	add_side(out, true, q->base_until, q->base_id);
}

static void add_where(struct buf *out, const struct clickhouse_query *q)
{
	buf_adds(out, " WHERE trace_type = {type:String} AND ");
	if (*q->event)
		buf_adds(out, "event = {event:String} AND ");
	if (q->value == VALUE_BYTES)
		buf_adds(out, "size > 0 AND ");
	buf_adds(out, "((");
	add_after(out, q);
	if (q->has_base) {
		buf_adds(out, ") OR (");
		add_before(out, q);
	}
	buf_adds(out, "))");
}

static const char *weight_of(const struct clickhouse_query *q)
{
	return q->value == VALUE_SAMPLES ? "1" : q->value == VALUE_EVENTS ? "increment" : "size";
}

/* Appends ", sumIf(1, BEFORE) AS flametop_before, sumIf(1, AFTER) AS flametop_after", or one sum of all. */
static void add_sums(struct buf *out, const struct clickhouse_query *q)
{
	const char *weight = weight_of(q);
	if (!q->has_base) {
		buf_addf(out, ", sum(toInt64(%s)) AS flametop_after", weight);
		return;
	}
	buf_addf(out, ", sumIf(toInt64(%s), ", weight);
	add_before(out, q);
	buf_addf(out, ") AS flametop_before, sumIf(toInt64(%s), ", weight);
	add_after(out, q);
	buf_adds(out, ") AS flametop_after");
}

/* Appends the query for addresses and sums. */
static void add_addresses(struct buf *out, const struct clickhouse_query *q)
{
	struct buf root;
	buf_init(&root);
	if (*q->root)
		buf_addf(&root, ", toString(`%s`) AS root", q->root);
	if (q->value == VALUE_LIVE) {
		/* What was allocated at an address, and not freed. */
		buf_addf(out, "SELECT argMaxIf(trace, event_time_microseconds, size > 0) AS trace%s",
		         *q->root ? ", any(root) AS root" : "");
		buf_addf(out, ", sum(size) AS flametop_after FROM (SELECT *%s FROM %s", buf_str(&root), q->table);
		add_where(out, q);
		buf_adds(out, " AND ptr != 0) GROUP BY ptr HAVING flametop_after > 0");
	} else {
		buf_addf(out, "SELECT trace%s", buf_str(&root));
		add_sums(out, q);
		buf_addf(out, " FROM %s", q->table);
		add_where(out, q);
		buf_addf(out, " GROUP BY trace%s", *q->root ? ", root" : "");
	}
	buf_deinit(&root);
}

/* Appends the query with names in the place of addresses. */
static void add_names(struct buf *out, const struct clickhouse_query *q)
{
	buf_adds(out, "SELECT arrayStringConcat(");
	if (*q->root)
		buf_adds(out, "arrayPushFront(");
	buf_adds(out, "arrayReverse(arrayMap(x -> ");
	if (q->has_symbols)
		buf_adds(out, "replaceRegexpAll(if(empty(addressToSymbol(x)), concat('0x', lower(hex(x))), "
		              "demangle(addressToSymbol(x))), '[;\\r\\n]', ':')");
	else
		buf_adds(out, "concat('0x', lower(hex(x)))");
	buf_adds(out, ", trace))");
	if (*q->root)
		buf_adds(out, ", replaceRegexpAll(if(empty(root), '[none]', root), '[;\\r\\n]', ':'))");
	buf_addf(out, ", ';') AS stack, %sflametop_after FROM (", q->has_base ? "flametop_before, " : "");
	add_addresses(out, q);
	buf_adds(out, ")");
}

static void add_grouped(struct buf *out, const char *stack, bool has_base)
{
	buf_addf(out, "SELECT %s, %ssum(flametop_after) AS sum_after FROM ", stack,
	         has_base ? "sum(flametop_before) AS sum_before, " : "");
}

static void add_end(struct buf *out, const char *stack, bool has_base)
{
	buf_addf(out, " GROUP BY %s HAVING %ssum_after != 0 ORDER BY %s FORMAT TabSeparated", stack,
	         has_base ? "sum_before != 0 OR " : "", stack);
}

void clickhouse_add_traces(struct buf *out, const struct clickhouse_query *q)
{
	add_grouped(out, "stack", q->has_base);
	buf_adds(out, *q->cluster ? "clusterAllReplicas('" : "(");
	if (*q->cluster)
		buf_addf(out, "%s', view(", q->cluster);
	add_names(out, q);
	buf_adds(out, *q->cluster ? "))" : ")");
	add_end(out, "stack", q->has_base);
}

/* ---- any table ----------------------------------------------------------------------------------------------- */

/* Appends the user's query in brackets. It may end in a semicolon, or in a comment. */
static void add_inner(struct buf *out, const char *sql)
{
	size_t n = strlen(sql);
	while (n && ((unsigned char)sql[n - 1] <= ' ' || sql[n - 1] == ';'))
		n--;
	buf_adds(out, "(");
	buf_add(out, sql, n);
	buf_adds(out, "\n)");
}

void clickhouse_add_describe(struct buf *out, const char *sql)
{
	buf_adds(out, "DESCRIBE TABLE ");
	add_inner(out, sql);
	buf_adds(out, " FORMAT TabSeparated");
}

static void add_quoted(struct buf *out, const char *name)
{
	buf_addc(out, '`');
	for (const char *c = name; *c; c++)
		buf_addf(out, *c == '`' || *c == '\\' ? "\\%c" : "%c", *c);
	buf_addc(out, '`');
}

/* The type inside of Nullable(...) and LowCardinality(...), with the brackets at its end. */
static struct slice bare_type(const char *type)
{
	struct slice t = slice_of(type);
	while (slice_take(&t, "Nullable(") || slice_take(&t, "LowCardinality(") ||
	       slice_take(&t, "SimpleAggregateFunction(sum, "))
		;
	return t;
}

static bool is_number(const char *type)
{
	struct slice t = bare_type(type);
	return slice_starts(t, "Int") || slice_starts(t, "UInt") || slice_starts(t, "Float") ||
	       slice_starts(t, "Decimal");
}

static bool is_text(const char *type)
{
	struct slice t = bare_type(type);
	return slice_starts(t, "String") || slice_starts(t, "FixedString") || slice_starts(t, "Enum");
}

static bool is_list(const char *type)
{
	struct slice t = bare_type(type);
	return slice_take(&t, "Array(") &&
	       (slice_starts(t, "String") || slice_starts(t, "LowCardinality(String") ||
	        slice_starts(t, "Nullable(String") || slice_starts(t, "LowCardinality(Nullable(String"));
}

static bool fail_columns(const struct clickhouse_column *c, size_t n, struct err *err)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < n && i < 4; i++)
		buf_addf(&text, "%s%.40s %.60s", i ? ", " : "", c[i].name, c[i].type);
	fail(err,
	     "--sql has to give a stack (String, or Array(String) from the root on) and a number, or two: "
	     "before and after; it gives %s%s",
	     n ? buf_str(&text) : "nothing", n > 4 ? ", ..." : "");
	buf_deinit(&text);
	return false;
}

static void add_stack(struct buf *out, const struct clickhouse_column *c)
{
	bool is_frames = is_list(c->type);
	if (is_frames)
		buf_adds(
			out,
			"arrayStringConcat(arrayMap(f -> replaceRegexpAll(ifNull(toString(f), '[null]'), '[;\\r\\n]', ':'), ");
	else
		buf_adds(out, "replaceRegexpAll(ifNull(toString(");
	add_quoted(out, c->name);
	buf_adds(out, is_frames ? "), ';')" : "), '[null]'), '[\\r\\n]', ':')");
}

bool clickhouse_add_stacks(struct buf *out, const char *sql, const struct clickhouse_column *c, size_t n,
                           struct err *err)
{
	bool has_base = n == 3;
	if (n < 2 || n > 3 || !(is_text(c[0].type) || is_list(c[0].type)) || !is_number(c[1].type) ||
	    (has_base && !is_number(c[2].type)))
		return fail_columns(c, n, err);
	add_grouped(out, "flametop_stack", has_base);
	buf_adds(out, "(SELECT ");
	add_stack(out, &c[0]);
	buf_adds(out, " AS flametop_stack, ");
	add_quoted(out, c[1].name);
	buf_adds(out, has_base ? " AS flametop_before, " : " AS flametop_after");
	if (has_base) {
		add_quoted(out, c[2].name);
		buf_adds(out, " AS flametop_after");
	}
	buf_adds(out, " FROM ");
	add_inner(out, sql);
	buf_adds(out, ")");
	add_end(out, "flametop_stack", has_base);
	return true;
}
