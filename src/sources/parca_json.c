/*
 * parca_json.c - Parca's API in JSON.
 *
 *	{"types":[{"name":"process_cpu","sampleType":"cpu",...,"delta":true}]}
 *	{"labelNames":["job"],"warnings":[]}       {"labelValues":["shop"],"warnings":[]}
 *	{"series":[{"labelset":{...},"samples":[{"timestamp":"2026-11-22T07:00:00Z","value":"5"}]}]}
 *	{"pprof":"H4sI...","total":"5","filtered":"0"}
 *
 * A gateway makes it from the messages of gRPC: names of members are as above or with underscores, as it was told,
 * and numbers of 64 bits are texts.
 */
#include "sources/parca_json.h"

#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/json.h"
#include "sources/answer.h"
#include "sources/catalog.h"
#include "sources/url.h"

struct request parca_json_request(void)
{
	static const char *const headers[] = {"Accept: application/json", NULL};
	return (struct request){.headers = headers, .explain = answer_explain};
}

bool parca_json_is(const struct talk *t, const char *said, size_t n, struct err *err)
{
	struct buf text;
	if (!answer_is(t, "application/json", said, n, err))
		return false;
	buf_init(&text);
	bool is_error = answer_explain(&text, &t->secrets, said, n);
	if (is_error)
		fail(err, "the server answers: %s", buf_str(&text));
	buf_deinit(&text);
	return !is_error;
}

void parca_json_add_query(struct buf *out, char mark, const char *name, const struct query *q)
{
	struct buf text;
	buf_init(&text);
	query_add_with(&text, q, NULL, NULL, 0);
	buf_addf(out, "%c%s=", mark, name);
	url_add_escaped(out, text.data, text.len);
	buf_deinit(&text);
}

void parca_json_add_span(struct buf *out, char mark, const char *prefix, const struct span *s)
{
	buf_addf(out, "%c%sstart=", mark, prefix);
	moment_add_iso(out, s->from);
	buf_addf(out, "&%send=", prefix);
	moment_add_iso(out, s->until);
}

/* ---- answers ------------------------------------------------------------------------------------------------- */

/* Walks over a document; `take` gets each value that is no container, with its key and how deep it is. */
struct walk {
	struct json json;
	struct buf key; /* of the present value, or of the array around it */
	enum json_token token;
};

static void walk_begin(struct walk *w, struct slice s)
{
	json_init(&w->json);
	buf_init(&w->key);
	json_feed(&w->json, s.s, s.n, true);
}

/* The next token but keys; false: there are no more. */
static bool walk_on(struct walk *w)
{
	while ((w->token = json_next(&w->json)) == JSON_KEY) {
		w->key.len = 0;
		buf_add(&w->key, w->json.text, w->json.len);
	}
	return w->token > JSON_MORE;
}

/* Was it a whole document? */
static bool walk_end(struct walk *w)
{
	bool is_whole = w->token == JSON_END && !json_is_cut(&w->json);
	json_deinit(&w->json);
	buf_deinit(&w->key);
	return is_whole;
}

static bool walk_is(const struct walk *w, const char *name)
{
	return json_is_name((struct slice){w->key.data ? w->key.data : "", w->key.len}, name);
}

bool parca_json_take_names(struct slice s, void *names)
{
	struct walk w;
	walk_begin(&w, s);
	while (walk_on(&w))
		if (w.token == JSON_STRING && w.json.depth == 2 &&
		    (walk_is(&w, "labelNames") || walk_is(&w, "labelValues")))
			names_add(names, w.json.text, w.json.len);
	return walk_end(&w);
}

#define N_PARTS 5

static void add_type(struct names *l, struct buf *parts, bool is_delta)
{
	struct buf text;
	buf_init(&text);
	for (unsigned i = 0; i < N_PARTS; i++) {
		buf_adds(&text, i ? ":" : "");
		buf_add(&text, parts[i].data, parts[i].len);
		parts[i].len = 0;
	}
	buf_adds(&text, is_delta ? ":delta" : "");
	names_add(l, text.data, text.len);
	buf_deinit(&text);
}

bool parca_json_take_types(struct slice s, void *names)
{
	static const char *const keys[N_PARTS] = {"name", "sampleType", "sampleUnit", "periodType", "periodUnit"};
	struct buf parts[N_PARTS];
	struct walk w;
	bool is_delta = false;
	for (unsigned i = 0; i < N_PARTS; i++)
		buf_init(&parts[i]);
	walk_begin(&w, s);
	while (walk_on(&w)) {
		for (unsigned i = 0; w.token == JSON_STRING && w.json.depth == 3 && i < N_PARTS; i++)
			if (walk_is(&w, keys[i]) && parts[i].len == 0)
				buf_add(&parts[i], w.json.text, w.json.len);
		if ((w.token == JSON_TRUE || w.token == JSON_FALSE) && walk_is(&w, "delta"))
			is_delta = w.token == JSON_TRUE;
		if (w.token == JSON_OBJECT_END && w.json.depth == 2) {
			add_type(names, parts, is_delta);
			is_delta = false;
		}
	}
	for (unsigned i = 0; i < N_PARTS; i++)
		buf_deinit(&parts[i]);
	return walk_end(&w);
}

bool parca_json_take_totals(struct slice s, void *totals)
{
	struct walk w;
	int64_t ms = -1;
	uint64_t value = 0;
	walk_begin(&w, s);
	while (walk_on(&w)) {
		bool is_text = (w.token == JSON_STRING || w.token == JSON_NUMBER) && w.json.depth == 5;
		if (is_text && walk_is(&w, "timestamp") && !moment_read_iso(w.json.text, w.json.len, &ms))
			ms = -1;
		if (is_text && walk_is(&w, "value") && !number_u64(w.json.text, w.json.len, &value))
			value = 0;
		if (w.token == JSON_OBJECT && w.json.depth == 5) {
			ms = -1;
			value = 0;
		}
		if (w.token == JSON_OBJECT_END && w.json.depth == 4)
			totals_add(totals, ms, (double)value);
	}
	return walk_end(&w);
}

/* ---- the profile --------------------------------------------------------------------------------------------- */

/* Finds the text of "pprof" in the outermost object, which is read piece by piece. */
static bool read_pprof(int fd, struct buf *out, struct err *err)
{
	struct json j;
	char bytes[1 << 16];
	enum json_token t = JSON_MORE;
	bool is_next = false, is_found = false, is_good = true;
	ssize_t n = 1;
	off_t at = 0;
	json_init(&j);
	while (n > 0 && t == JSON_MORE && is_good) {
		n = pread(fd, bytes, sizeof bytes, at);
		at += n > 0 ? n : 0;
		json_feed(&j, bytes, n > 0 ? (size_t)n : 0, n <= 0);
		while (is_good && (t = json_next(&j)) > JSON_MORE) {
			if (is_next && t == JSON_STRING)
				is_good = is_found = base64_read(out, j.text, j.len);
			is_next = t == JSON_KEY && j.depth == 1 && j.len == 5 && memcmp(j.text, "pprof", 5) == 0;
		}
	}
	bool is_whole = is_good && t == JSON_END && !json_is_cut(&j);
	json_deinit(&j);
	if (!is_whole)
		return fail(err, "the server's answer is cut short or damaged");
	return is_found || fail(err, "the server's answer has no pprof");
}

int parca_json_take_pprof(const struct talk *t, int fd, struct err *err)
{
	struct buf pprof;
	char said[4096];
	ssize_t n = pread(fd, said, sizeof said, 0);
	buf_init(&pprof);
	bool is_there = parca_json_is(t, said, n > 0 ? (size_t)n : 0, err) && read_pprof(fd, &pprof, err);
	close(fd);
	fd = is_there ? talk_file_of(pprof.data, pprof.len, err) : -1;
	buf_deinit(&pprof);
	return fd;
}
