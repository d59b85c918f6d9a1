/*
 * pyroscope.c - profiles of Pyroscope, of version 1 or later.
 *
 *	POST /querier.v1.QuerierService/SelectMergeProfile    {type, selector, start, end}    a profile.proto
 *
 * Its API is that of Connect: a question is a POST of one message of protocol buffers, the answer is another one
 * without a frame around it, and an error is an object in JSON with a status above 400. The server adds up all
 * profiles that match: each stack comes once. The address may have a path, if the API is below one, as behind
 * Grafana: /api/datasources/proxy/uid/UID.
 */
#include <string.h>
#include <unistd.h>

#include "base/wire.h"
#include "sources/answer.h"
#include "sources/catalog.h"
#include "sources/service.h"

#define QUERIER "/querier.v1.QuerierService/"
#define PROTO "application/proto"

/* ---- questions ----------------------------------------------------------------------------------------------- */

static const char *const question_headers[] = {"Content-Type: " PROTO, "Accept: " PROTO,
                                               "Connect-Protocol-Version: 1", NULL};

/* Where a method is: below the address's path. */
static void add_method(struct buf *out, const struct url *u, const char *method)
{
	url_add_path(out, u);
	buf_adds(out, method);
}

static struct request question(const struct buf *body)
{
	return (struct request){.headers = question_headers,
	                        .body = body->len ? body->data : "",
	                        .n_body = body->len,
	                        .explain = answer_explain};
}

/* Appends the answer, a message; false: err. */
static bool ask(struct asked *a, const char *method, const struct buf *body, struct buf *answer, struct err *err)
{
	struct buf address;
	struct request r = question(body);
	buf_init(&address);
	add_method(&address, a->url, method);
	bool is_there = talk_read(a->talk, buf_str(&address), &r, TALK_MOST_TEXT, answer, err) &&
	                answer_is(a->talk, PROTO, answer->data, answer->len, err);
	buf_deinit(&address);
	return is_there;
}

/* {__profile_type__="TYPE",...}: whose labels are asked for. */
static void add_matcher(struct buf *out, unsigned field, const struct query *q)
{
	struct buf selector;
	buf_init(&selector);
	query_add_selector(&selector, q->selector, "__profile_type__", q->type, strlen(q->type));
	wire_add_bytes(out, field, selector.data, selector.len);
	buf_deinit(&selector);
}

static void add_span(struct buf *out, unsigned field, const struct span *s)
{
	wire_add_number(out, field, (uint64_t)s->from);
	wire_add_number(out, field + 1, (uint64_t)s->until);
}

/* The fields that all questions for profiles begin with. */
static void add_selection(struct buf *out, const struct asked *a, const struct span *s)
{
	wire_add_text(out, 1, a->query.type);
	wire_add_text(out, 2, a->query.selector);
	add_span(out, 3, s);
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

static bool fail_message(struct err *err)
{
	return fail(err, "the server's answer cannot be read: it is not of Pyroscope's API");
}

/* Adds the strings of field `in` of each message in field `of`; in 0: field `of` is a string itself. */
static bool take_strings(const struct buf *answer, uint32_t of, uint32_t in, struct names *l, struct err *err)
{
	struct slice s = {answer->data, answer->len};
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad)) {
		if (f.number != of || f.wire != WIRE_BYTES)
			continue;
		if (!in)
			names_add(l, f.bytes.s, f.bytes.n);
		for (struct wire_field part; in && wire_take_field(&f.bytes, &part, &is_bad);)
			if (part.number == in && part.wire == WIRE_BYTES)
				names_add(l, part.bytes.s, part.bytes.n);
		if (is_bad)
			break;
	}
	return !is_bad || fail_message(err);
}

static bool list_strings(struct asked *a, const char *method, const struct buf *body, uint32_t of, uint32_t in,
                         struct names *l, struct err *err)
{
	struct buf answer;
	buf_init(&answer);
	bool is_there = ask(a, method, body, &answer, err) && take_strings(&answer, of, in, l, err);
	buf_deinit(&answer);
	return is_there;
}

/* ---- the catalog --------------------------------------------------------------------------------------------- */

static bool list_types(struct asked *a, struct names *l, struct err *err)
{
	struct buf body;
	buf_init(&body);
	add_span(&body, 1, &a->span);
	bool is_there = list_strings(a, QUERIER "ProfileTypes", &body, 1, 1, l, err);
	buf_deinit(&body);
	return is_there;
}

static bool list_labels(struct asked *a, struct names *l, struct err *err)
{
	struct buf body;
	buf_init(&body);
	add_matcher(&body, 1, &a->query);
	add_span(&body, 2, &a->span);
	bool is_there = list_strings(a, QUERIER "LabelNames", &body, 1, 0, l, err);
	buf_deinit(&body);
	return is_there;
}

static bool list_values(struct asked *a, const char *label, struct names *l, struct err *err)
{
	struct buf body;
	buf_init(&body);
	wire_add_text(&body, 1, label);
	add_matcher(&body, 2, &a->query);
	add_span(&body, 3, &a->span);
	bool is_there = list_strings(a, QUERIER "LabelValues", &body, 1, 0, l, err);
	buf_deinit(&body);
	return is_there;
}

/* {value, timestamp}: of the step before that. */
static bool take_point(struct slice s, struct totals *t)
{
	struct wire_field f;
	double value = 0;
	uint64_t ms = 0;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_FIXED64)
			memcpy(&value, &f.value, sizeof value);
		else if (f.number == 2 && f.wire == WIRE_VARINT)
			ms = f.value;
	}
	if (!is_bad && ms <= INT64_MAX)
		totals_add(t, (int64_t)ms - 1, value);
	return !is_bad;
}

static bool take_series(struct slice s, struct totals *t)
{
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad))
		if (f.number == 2 && f.wire == WIRE_BYTES && !take_point(f.bytes, t))
			return false;
	return !is_bad;
}

static bool take_totals(const struct buf *answer, struct totals *t, struct err *err)
{
	struct slice s = {answer->data, answer->len};
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad))
		if (f.number == 1 && f.wire == WIRE_BYTES && !take_series(f.bytes, t))
			return fail_message(err);
	return !is_bad || fail_message(err);
}

/* A point tells about the step before it, also the first one: it is a step after the beginning. */
static bool list_totals(struct asked *a, struct totals *t, struct err *err)
{
	struct span s = {t->from + t->step, t->from + t->step * (int64_t)t->n};
	double step = (double)t->step / 1000;
	struct buf body, answer;
	buf_init(&body);
	buf_init(&answer);
	add_selection(&body, a, &s);
	wire_add_double(&body, 6, step);
	bool is_there = ask(a, QUERIER "SelectSeries", &body, &answer, err) && take_totals(&answer, t, err);
	buf_deinit(&body);
	buf_deinit(&answer);
	return is_there;
}

static const struct catalog catalog = {list_types, list_labels, list_values, list_totals};

/* ---- the service --------------------------------------------------------------------------------------------- */

static bool check(const struct url *u, struct err *err)
{
	return catalog_check(u, NULL, err);
}

static bool list(const struct url *u, struct talk *t, struct menu *m, struct err *err)
{
	return catalog_list(&catalog, u, t, m, err);
}

static int fetch_selected(struct asked *a, struct err *err)
{
	struct buf body, address;
	buf_init(&body);
	buf_init(&address);
	add_selection(&body, a, &a->span);
	add_method(&address, a->url, QUERIER "SelectMergeProfile");
	struct request r = question(&body);
	int fd = talk_ask(a->talk, buf_str(&address), &r, TALK_MOST_BYTES, err);
	buf_deinit(&body);
	buf_deinit(&address);
	if (fd < 0 || answer_file_is(a->talk, PROTO, fd, err))
		return fd;
	close(fd);
	return -1;
}

static int fetch(const struct url *u, struct talk *t, struct err *err)
{
	return catalog_fetch(u, t, fetch_selected, err);
}

/* {series: {labels, samples: {pprof}}} */
static void add_series(struct buf *out, const struct push_labels *l, const struct buf *pprof)
{
	struct buf sample, series;
	buf_init(&sample);
	buf_init(&series);
	wire_add_bytes(&sample, 1, pprof->data, pprof->len);
	push_labels_add_fields(&series, 1, l);
	wire_add_bytes(&series, 2, sample.data, sample.len);
	wire_add_bytes(out, 1, series.data, series.len);
	buf_deinit(&sample);
	buf_deinit(&series);
}

static bool send(const struct url *u, struct talk *t, const struct buf *body, struct err *err)
{
	struct buf address, answer;
	struct request r = question(body);
	r.is_kept = true;
	buf_init(&address);
	buf_init(&answer);
	url_add_path(&address, u);
	buf_adds(&address, "/push.v1.PusherService/Push");
	bool is_sent = talk_read(t, buf_str(&address), &r, TALK_MOST_TEXT, &answer, err) &&
	               answer_is(t, PROTO, answer.data, answer.len, err);
	buf_deinit(&address);
	buf_deinit(&answer);
	return is_sent;
}

static bool push(const struct url *u, struct talk *t, const struct pushed *p, struct buf *said, struct err *err)
{
	return pushed_send(u, t, p, add_series, send, said, err);
}

/* Those of profilecli, Pyroscope's own tool. */
static const struct service_environment environment = {
	.url = "PROFILECLI_URL",
	.user = "PROFILECLI_USERNAME",
	.password = "PROFILECLI_PASSWORD",
	.bearer = "PROFILECLI_TOKEN",
	.header = "X-Scope-OrgID",
	.value = "PROFILECLI_TENANT_ID",
};

const struct service service_pyroscope = {
	.format = "pprof",
	.environment = &environment,
	.check = check,
	.is_menu = catalog_is_menu,
	.list = list,
	.fetch = fetch,
	.push = push,
};
