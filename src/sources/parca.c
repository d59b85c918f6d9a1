/*
 * parca.c - profiles of Parca.
 *
 *	POST /api/parca.query.v1alpha1.QueryService/Query     {mode: merge, query, start, end, report: pprof}
 *	GET  /api/profiles/query?mode=MODE_MERGE&merge.query=...&report_type=REPORT_TYPE_PPROF
 *
 * Its API is gRPC, of which it also takes the form for browsers; the second form is the same in JSON, made by a
 * gateway. Behind a proxy there may be only one of them: a server that does not know the first is asked in the
 * second one (api=json asks at once, api=grpc-web never). The server adds up all profiles that match, and finds the
 * names for addresses: each stack comes once.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "base/wire.h"
#include "base/write_all.h"
#include "sources/catalog.h"
#include "sources/grpc_web.h"
#include "sources/parca_json.h"
#include "sources/service.h"

#define QUERIER "parca.query.v1alpha1.QueryService/"
#define WRITER "parca.profilestore.v1alpha1.ProfileStoreService/WriteRaw"
#define GATEWAY "/api/profiles/"
#define MOST_MESSAGE (UINT64_C(16) << 20)

enum { MODE_MERGE = 2, REPORT_PPROF = 1 };

/* ---- questions ----------------------------------------------------------------------------------------------- */

/* A Timestamp, or a Duration: seconds and nanoseconds. */
static void add_moment(struct buf *out, unsigned field, int64_t ms)
{
	struct buf stamp;
	buf_init(&stamp);
	wire_add_number(&stamp, 1, (uint64_t)(ms / 1000));
	wire_add_number(&stamp, 2, (uint64_t)(ms % 1000) * 1000000);
	wire_add_bytes(out, field, stamp.data, stamp.len);
	buf_deinit(&stamp);
}

static void add_span(struct buf *out, unsigned field, const struct span *s)
{
	add_moment(out, field, s->from);
	add_moment(out, field + 1, s->until);
}

static void add_query(struct buf *out, unsigned field, const struct query *q)
{
	struct buf text;
	buf_init(&text);
	query_add_with(&text, q, NULL, NULL, 0);
	wire_add_bytes(out, field, text.data, text.len);
	buf_deinit(&text);
}

static void add_method(struct buf *out, const struct url *u, const char *below, const char *method)
{
	url_add_path(out, u);
	buf_adds(out, below);
	buf_adds(out, method);
}

static bool has_api(const struct asked *a, const char *name)
{
	char *api = url_value(a->url, "api");
	bool is_it = strcmp(api, name) == 0;
	free(api);
	return is_it;
}

/* Did nobody there know the form of the question? */
static bool is_unknown(const struct asked *a)
{
	long s = a->talk->status;
	return (s == 404 || s == 405 || s == 415 || s == 501) && !has_api(a, "grpc-web");
}

/* Returns the file of an answer, and the message in it. -1: err. */
static int ask(struct asked *a, const char *method, const struct buf *body, bool is_kept, uint64_t most,
               struct range *message, struct err *err)
{
	struct buf frame, address;
	buf_init(&frame);
	buf_init(&address);
	grpc_web_add_frame(&frame, body);
	add_method(&address, a->url, "/api/", method);
	struct request r = grpc_web_request(&frame);
	r.is_kept = is_kept;
	int fd = talk_ask(a->talk, buf_str(&address), &r, most, err);
	buf_deinit(&frame);
	buf_deinit(&address);
	if (fd < 0 || grpc_web_read(a->talk, fd, message, err))
		return fd;
	close(fd);
	return -1;
}

/* ---- short answers ------------------------------------------------------------------------------------------- */

/* One question in both forms, and how to take its answer apart. */
struct question {
	const char *method;
	struct buf body;
	struct buf path; /* below the gateway, with parameters */
	bool (*take_message)(struct slice, void *to);
	bool (*take_json)(struct slice, void *to);
	void *to;
};

static void question_init(struct question *q, const char *method, const char *path, void *to)
{
	*q = (struct question){.method = method, .to = to};
	buf_init(&q->body);
	buf_init(&q->path);
	buf_adds(&q->path, path);
}

static bool fail_answer(struct err *err)
{
	return fail(err, "the server's answer cannot be read: it is not of Parca's API");
}

static bool ask_message(struct asked *a, struct question *q, struct err *err)
{
	struct range r;
	struct buf message;
	int fd = ask(a, q->method, &q->body, false, MOST_MESSAGE, &r, err);
	if (fd < 0)
		return false;
	buf_init(&message);
	bool is_good = pread(fd, buf_reserve(&message, (size_t)r.n + 1), (size_t)r.n, (off_t)r.at) == (ssize_t)r.n &&
	               q->take_message((struct slice){message.data, (size_t)r.n}, q->to);
	buf_deinit(&message);
	close(fd);
	return is_good || fail_answer(err);
}

static bool ask_gateway(struct asked *a, struct question *q, struct err *err)
{
	struct buf address, answer;
	struct request r = parca_json_request();
	buf_init(&address);
	buf_init(&answer);
	add_method(&address, a->url, GATEWAY, buf_str(&q->path));
	bool is_good = talk_read(a->talk, buf_str(&address), &r, TALK_MOST_TEXT, &answer, err) &&
	               parca_json_is(a->talk, answer.data, answer.len, err) &&
	               (q->take_json((struct slice){answer.data, answer.len}, q->to) || fail_answer(err));
	buf_deinit(&address);
	buf_deinit(&answer);
	return is_good;
}

/* Asks, and ends the question. */
static bool answer(struct asked *a, struct question *q, struct err *err)
{
	bool is_json = has_api(a, "json");
	bool is_good = (!is_json && ask_message(a, q, err)) || ((is_json || is_unknown(a)) && ask_gateway(a, q, err));
	buf_deinit(&q->body);
	buf_deinit(&q->path);
	return is_good;
}

/* ---- the catalog --------------------------------------------------------------------------------------------- */

/* {name, sample type, its unit, period type, its unit, delta}: as it stands in a query. */
static bool take_type(struct slice s, struct names *l)
{
	struct buf text;
	struct wire_field f;
	struct slice parts[6] = {{NULL, 0}};
	bool is_bad = false, is_delta = false;
	while (wire_take_field(&s, &f, &is_bad)) {
		if (f.number >= 1 && f.number <= 5 && f.wire == WIRE_BYTES)
			parts[f.number] = f.bytes;
		else if (f.number == 6 && f.wire == WIRE_VARINT)
			is_delta = f.value;
	}
	buf_init(&text);
	for (unsigned i = 1; i <= 5; i++) {
		buf_adds(&text, i > 1 ? ":" : "");
		buf_add(&text, parts[i].s, parts[i].n);
	}
	buf_adds(&text, is_delta ? ":delta" : "");
	names_add(l, text.data, text.len);
	buf_deinit(&text);
	return !is_bad;
}

static bool take_types(struct slice s, void *to)
{
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad))
		if (f.number == 1 && f.wire == WIRE_BYTES && !take_type(f.bytes, to))
			return false;
	return !is_bad;
}

static bool take_names(struct slice s, void *to)
{
	struct wire_field f;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad))
		if (f.number == 1 && f.wire == WIRE_BYTES)
			names_add(to, f.bytes.s, f.bytes.n);
	return !is_bad;
}

static bool list_types(struct asked *a, struct names *l, struct err *err)
{
	struct question q;
	question_init(&q, QUERIER "ProfileTypes", "types", l);
	q.take_message = take_types;
	q.take_json = parca_json_take_types;
	return answer(a, &q, err);
}

static bool list_labels(struct asked *a, struct names *l, struct err *err)
{
	struct question q;
	question_init(&q, QUERIER "Labels", "labels", l);
	add_span(&q.body, 2, &a->span);
	parca_json_add_span(&q.path, '?', "", &a->span);
	q.take_message = take_names;
	q.take_json = parca_json_take_names;
	return answer(a, &q, err);
}

static bool list_values(struct asked *a, const char *label, struct names *l, struct err *err)
{
	struct question q;
	question_init(&q, QUERIER "Values", "labels/", l);
	wire_add_text(&q.body, 1, label);
	add_span(&q.body, 3, &a->span);
	buf_addf(&q.path, "%s/values", label);
	parca_json_add_span(&q.path, '?', "", &a->span);
	q.take_message = take_names;
	q.take_json = parca_json_take_names;
	return answer(a, &q, err);
}

/* {seconds, nanoseconds} */
static bool take_moment(struct slice s, int64_t *ms)
{
	uint64_t v[3];
	bool is_good = wire_read_numbers(s, v, 2);
	*ms = v[1] < (uint64_t)INT64_MAX / 2000 ? (int64_t)(v[1] * 1000 + v[2] % 1000000000 / 1000000) : 0;
	return is_good;
}

/* {timestamp, value} */
static bool take_sample(struct slice s, struct totals *t)
{
	struct wire_field f;
	int64_t ms = -1;
	uint64_t value = 0;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad)) {
		if (f.number == 1 && f.wire == WIRE_BYTES && !take_moment(f.bytes, &ms))
			return false;
		if (f.number == 2 && f.wire == WIRE_VARINT)
			value = f.value;
	}
	if (value <= INT64_MAX)
		totals_add(t, ms, (double)value);
	return !is_bad;
}

static bool take_totals(struct slice s, void *to)
{
	struct wire_field f, part;
	bool is_bad = false;
	while (wire_take_field(&s, &f, &is_bad)) {
		if (f.number != 1 || f.wire != WIRE_BYTES)
			continue;
		while (wire_take_field(&f.bytes, &part, &is_bad))
			if (part.number == 2 && part.wire == WIRE_BYTES && !take_sample(part.bytes, to))
				return false;
		if (is_bad)
			return false;
	}
	return !is_bad;
}

static bool list_totals(struct asked *a, struct totals *t, struct err *err)
{
	struct question q;
	struct span s = {t->from, t->from + t->step * (int64_t)t->n};
	question_init(&q, QUERIER "QueryRange", "query_range", t);
	add_query(&q.body, 1, &a->query);
	add_span(&q.body, 2, &s);
	add_moment(&q.body, 5, t->step);
	parca_json_add_query(&q.path, '?', "query", &a->query);
	parca_json_add_span(&q.path, '&', "", &s);
	buf_addf(&q.path, "&step=%llds", (long long)(t->step + 999) / 1000);
	q.take_message = take_totals;
	q.take_json = parca_json_take_totals;
	return answer(a, &q, err);
}

static const struct catalog catalog = {list_types, list_labels, list_values, list_totals};

/* ---- the profile --------------------------------------------------------------------------------------------- */

/* Returns a file of its own of a part of another, which is closed. -1: err. */
static int cut_out(int fd, struct range r, struct err *err)
{
	char bytes[1 << 16];
	int to = scratch_open(err);
	while (to >= 0 && r.n > 0) {
		size_t want = r.n < sizeof bytes ? (size_t)r.n : sizeof bytes;
		ssize_t n = pread(fd, bytes, want, (off_t)r.at);
		if (n <= 0 || write_all(to, bytes, (size_t)n) != (size_t)n) {
			fail_errno(err, "the answer cannot be kept");
			close(to);
			to = -1;
			break;
		}
		r.at += (uint64_t)n;
		r.n -= (uint64_t)n;
	}
	close(fd);
	return to;
}

static int fetch_message(struct asked *a, struct err *err)
{
	struct buf merge, body;
	struct range message, pprof;
	buf_init(&merge);
	buf_init(&body);
	add_query(&merge, 1, &a->query);
	add_span(&merge, 2, &a->span);
	wire_add_number(&body, 1, MODE_MERGE);
	wire_add_bytes(&body, 3, merge.data, merge.len);
	wire_add_number(&body, 5, REPORT_PPROF);
	int fd = ask(a, QUERIER "Query", &body, false, TALK_MOST_BYTES, &message, err);
	buf_deinit(&merge);
	buf_deinit(&body);
	if (fd < 0)
		return -1;
	if (grpc_web_find(fd, message, 6, &pprof))
		return cut_out(fd, pprof, err);
	close(fd);
	fail(err, "the server's answer has no pprof");
	return -1;
}

static int fetch_json(struct asked *a, struct err *err)
{
	struct buf address;
	struct request r = parca_json_request();
	buf_init(&address);
	add_method(&address, a->url, GATEWAY, "query?mode=MODE_MERGE&report_type=REPORT_TYPE_PPROF");
	parca_json_add_query(&address, '&', "merge.query", &a->query);
	parca_json_add_span(&address, '&', "merge.", &a->span);
	int fd = talk_ask(a->talk, buf_str(&address), &r, TALK_MOST_BYTES, err);
	buf_deinit(&address);
	return fd < 0 ? -1 : parca_json_take_pprof(a->talk, fd, err);
}

static int fetch_selected(struct asked *a, struct err *err)
{
	if (has_api(a, "json"))
		return fetch_json(a, err);
	int fd = fetch_message(a, err);
	return fd < 0 && is_unknown(a) ? fetch_json(a, err) : fd;
}

static int fetch(const struct url *u, struct talk *t, struct err *err)
{
	return catalog_fetch(u, t, fetch_selected, err);
}

/* ---- sending ------------------------------------------------------------------------------------------------- */

/* {series: {labels: {labels}, samples: {pprof}}} */
static void add_series(struct buf *out, const struct push_labels *l, const struct buf *pprof)
{
	struct buf set, sample, series;
	buf_init(&set);
	buf_init(&sample);
	buf_init(&series);
	push_labels_add_fields(&set, 1, l);
	wire_add_bytes(&series, 1, set.data, set.len);
	wire_add_bytes(&sample, 1, pprof->data, pprof->len);
	wire_add_bytes(&series, 2, sample.data, sample.len);
	wire_add_bytes(out, 2, series.data, series.len);
	buf_deinit(&set);
	buf_deinit(&sample);
	buf_deinit(&series);
}

static bool send(const struct url *u, struct talk *t, const struct buf *body, struct err *err)
{
	struct asked a = {.url = u, .talk = t};
	struct range message;
	int fd = ask(&a, WRITER, body, true, MOST_MESSAGE, &message, err);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool push(const struct url *u, struct talk *t, const struct pushed *p, struct buf *said, struct err *err)
{
	return pushed_send(u, t, p, add_series, send, said, err);
}

/* ---- the service --------------------------------------------------------------------------------------------- */

static bool check(const struct url *u, struct err *err)
{
	static const char *const more[] = {"api", NULL};
	struct asked a = {.url = u};
	return catalog_check(u, more, err) && (has_api(&a, "") || has_api(&a, "json") || has_api(&a, "grpc-web") ||
	                                       fail(err, "%s: 'api' is neither grpc-web nor json", u->shown));
}

static bool list(const struct url *u, struct talk *t, struct menu *m, struct err *err)
{
	return catalog_list(&catalog, u, t, m, err);
}

const struct service service_parca = {
	.format = "pprof",
	.check = check,
	.is_menu = catalog_is_menu,
	.list = list,
	.fetch = fetch,
	.push = push,
};
