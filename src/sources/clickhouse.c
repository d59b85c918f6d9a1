/*
 * clickhouse.c - profiles of ClickHouse: what its profiler found about itself, and any table that holds stacks.
 *
 *	clickhouse://host/?type=CPU&from=now-1h           system.trace_log
 *	clickhouse://host/ with --sql='SELECT stack, n FROM t'
 *
 * A query is a POST to its HTTP interface, with parameters and settings in the address. Rows of the answer
 * become folded stacks, which the format of that name reads.
 */
#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "sources/clickhouse_rows.h"
#include "sources/clickhouse_sql.h"
#include "sources/service.h"

#define MOST_COLUMNS 8u
#define MOST_OF_TABLE (1u << 20) /* bytes of the one of columns */

struct asking {
	const struct url *url;
	struct talk *talk;
	struct clickhouse_query query;
	bool is_own_sql;
};

/* ---- queries ------------------------------------------------------------------------------------------------- */

static void add_address(struct buf *out, const struct asking *a)
{
	buf_add(out, a->url->request, a->url->query);
	clickhouse_add_parameters(out, a->url, &a->query, a->is_own_sql);
}

static struct request request_of(const struct buf *sql)
{
	static const char *const headers[] = {"Content-Type: text/plain; charset=UTF-8", NULL};
	return (struct request){
		.headers = headers, .body = sql->data, .n_body = sql->len, .is_kept = true, .explain = clickhouse_explain};
}

/* Returns a descriptor of the answer; -1: err. */
static int ask(struct asking *a, const struct buf *sql, struct err *err)
{
	struct buf address;
	struct request r = request_of(sql);
	buf_init(&address);
	add_address(&address, a);
	int fd = talk_ask(a->talk, buf_str(&address), &r, TALK_MOST_BYTES, err);
	buf_deinit(&address);
	return fd;
}

/* ---- the columns of the user's query ------------------------------------------------------------------------- */

struct columns {
	struct clickhouse_column v[MOST_COLUMNS];
	size_t n;
};

static void columns_deinit(struct columns *c)
{
	for (size_t i = 0; i < c->n; i++) {
		free(c->v[i].name);
		free(c->v[i].type);
	}
}

static char *take_cell(struct slice *row)
{
	struct buf text;
	buf_init(&text);
	clickhouse_add_value(&text, slice_take_until(row, '\t'));
	return buf_take(&text);
}

/* false: that is no table of columns. */
static bool read_columns(struct columns *c, struct slice text)
{
	while (text.n) {
		struct slice row = slice_take_until(&text, '\n');
		if (slice_find_byte(row, '\t') == SIZE_MAX)
			return false;
		if (c->n == MOST_COLUMNS)
			return true;
		c->v[c->n].name = take_cell(&row);
		c->v[c->n++].type = take_cell(&row);
	}
	return true;
}

static bool fail_columns(const struct asking *a, const struct buf *text, struct err *err)
{
	struct buf words;
	buf_init(&words);
	if (clickhouse_explain(&words, &a->talk->secrets, text->data, text->len))
		fail(err, "%s", buf_str(&words));
	else
		fail(err, "the server's answer cannot be read: it is not of ClickHouse's HTTP interface");
	buf_deinit(&words);
	return false;
}

static bool ask_columns(struct asking *a, struct columns *c, struct err *err)
{
	struct buf sql, address, text;
	buf_init(&sql);
	buf_init(&address);
	buf_init(&text);
	clickhouse_add_describe(&sql, a->talk->options->sql);
	add_address(&address, a);
	struct request r = request_of(&sql);
	bool is_good = talk_read(a->talk, buf_str(&address), &r, MOST_OF_TABLE, &text, err) &&
	               (read_columns(c, (struct slice){text.data, text.len}) || fail_columns(a, &text, err));
	buf_deinit(&sql);
	buf_deinit(&address);
	buf_deinit(&text);
	return is_good;
}

/* ---- stacks -------------------------------------------------------------------------------------------------- */

/* A word of the folded format's first line. */
static void add_word(struct buf *out, const char *text)
{
	for (const char *c = text; *c; c++)
		buf_addc(out, is_word_byte(*c) || strchr("-.", *c) ? *c : '_');
}

static bool fail_empty(const struct asking *a, struct err *err)
{
	if (a->is_own_sql)
		return fail(err, "%s: --sql gives no rows", a->url->shown);
	return fail(err,
	            "%s: no samples of the type %s at that time (a query has some if it runs longer than its setting "
	            "query_profiler_cpu_time_period_ns; the server writes them after some seconds: SYSTEM FLUSH LOGS)",
	            a->url->shown, a->query.type);
}

/* Returns a descriptor of folded stacks; -1: err. head: their first line. */
static int ask_stacks(struct asking *a, const struct buf *sql, unsigned n, const char *head, struct err *err)
{
	uint64_t rows = 0;
	int fd = ask(a, sql, err);
	if (fd < 0)
		return -1;
	int folded = clickhouse_fold(fd, n, head, &a->talk->secrets, &rows, err);
	close(fd);
	if (folded < 0 || rows > 0)
		return folded;
	close(folded);
	fail_empty(a, err);
	return -1;
}

static int fetch_traces(struct asking *a, struct err *err)
{
	struct buf sql, head;
	buf_init(&sql);
	buf_init(&head);
	clickhouse_add_traces(&sql, &a->query);
	buf_adds(&head, "# event=");
	add_word(&head, *a->query.event ? a->query.event : a->query.type);
	buf_addf(&head, " unit=%s 0", clickhouse_unit(&a->query));
	int fd = ask_stacks(a, &sql, a->query.has_base ? 2 : 1, buf_str(&head), err);
	buf_deinit(&sql);
	buf_deinit(&head);
	return fd;
}

static int fetch_sql(struct asking *a, struct err *err)
{
	struct columns c = {.n = 0};
	struct buf sql, head;
	int fd = -1;
	buf_init(&sql);
	buf_init(&head);
	if (ask_columns(a, &c, err) && clickhouse_add_stacks(&sql, a->talk->options->sql, c.v, c.n, err)) {
		assert(c.n); /* fewer than two are refused */
		buf_adds(&head, "# event=");
		add_word(&head, c.v[c.n - 1].name);
		buf_adds(&head, " unit=samples 0");
		fd = ask_stacks(a, &sql, (unsigned)c.n - 1, buf_str(&head), err);
	}
	columns_deinit(&c);
	buf_deinit(&sql);
	buf_deinit(&head);
	return fd;
}

/* ---- the service --------------------------------------------------------------------------------------------- */

static bool check(const struct url *u, struct err *err)
{
	struct clickhouse_query q;
	if (!clickhouse_query_read(&q, u, err))
		return false;
	clickhouse_query_deinit(&q);
	return true;
}

static int fetch(const struct url *u, struct talk *t, struct err *err)
{
	struct asking a = {.url = u, .talk = t, .is_own_sql = t->options->sql};
	if (!clickhouse_query_read(&a.query, u, err))
		return -1;
	int fd = a.is_own_sql ? fetch_sql(&a, err) : fetch_traces(&a, err);
	clickhouse_query_deinit(&a.query);
	return fd;
}

/* Those of clickhouse-client. */
static const struct service_environment environment = {.user = "CLICKHOUSE_USER",
                                                       .password = "CLICKHOUSE_PASSWORD"};

const struct service service_clickhouse = {
	.format = "folded",
	.takes_sql = true,
	.environment = &environment,
	.check = check,
	.fetch = fetch,
};
