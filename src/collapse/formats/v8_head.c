/*
 * v8_head.c - parses V8's profiles as one nested tree: node --heap-prof, and CPU profiles of V8 before 2017.
 *
 *	{"head":{"callFrame":{"functionName":"(root)",...},"selfSize":0,"id":1,"children":[
 *	  {"callFrame":{"functionName":"keep","url":"file:///a.js","lineNumber":3,...},"selfSize":1024,"id":2,
 *	   "children":[]}]},"samples":[...]}
 *
 *	{"head":{"functionName":"(root)","url":"","lineNumber":0,"hitCount":0,"id":1,"children":[...]},
 *	 "startTime":12.5,"endTime":14.0,"samples":[2,2],"timestamps":[12500000,12501000]}
 *
 * Sizes are bytes that V8 has scaled up from its samples; its list of samples says the same without times. In CPU
 * profiles a sample lasts until the next one, the last until endTime: timestamps are microseconds, startTime and
 * endTime seconds, and lines count from 1. A node's members come in any order, so paths are made at the end.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/nested.h"
#include "collapse/text/v8_profile.h"

#define US_IN_S_DIGITS 6 /* endTime, a decimal number of seconds, becomes microseconds */

enum place { TOP = 1, NODE, CALL_FRAME, CHILDREN, SAMPLES, HEAP_SAMPLE, TIMES };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "head", '{', NODE},
	{NODE, "callFrame", '{', CALL_FRAME},
	{NODE, "children", '[', CHILDREN},
	{CHILDREN, NULL, '{', NODE},
	{TOP, "samples", JSON_NUMBERS, SAMPLES},
	{SAMPLES, NULL, '{', HEAP_SAMPLE},
	{TOP, "timestamps", JSON_NUMBERS, TIMES},
	{TOP, "endTime", JSON_NUMBER_MEMBER, 0},
	{CALL_FRAME, "lineNumber", JSON_NUMBER_MEMBER, 0},
	{CALL_FRAME, "functionName", JSON_STRING_MEMBER, 0},
	{CALL_FRAME, "url", JSON_STRING_MEMBER, 0},
	{NODE, "functionName", JSON_STRING_MEMBER, 0},
	{NODE, "url", JSON_STRING_MEMBER, 0},
	{NODE, "lineNumber", JSON_NUMBER_MEMBER, 0},
	{NODE, "id", JSON_NUMBER_MEMBER, 0},
};

/* A node whose end has not come. */
struct open_node {
	struct buf name, url;
	int64_t line; /* from 0; negative: unknown */
};

struct v8_head {
	struct sink *sink;
	struct json_doc doc;
	struct nested tree; /* `other` is the id */
	struct open_node *open;
	size_t n_open, cap_open;
	uint64_t *samples; /* ids */
	size_t n_samples, cap_samples;
	int64_t *times;
	size_t n_times, cap_times;
	int64_t end_time; /* us; negative: unknown */
	bool is_heap;
	size_t n_back;           /* samples before one that is earlier */
	struct json_odd objects; /* samples of heap profiles, which are not read */
	struct buf text;
};

static void *v8_head_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct v8_head *h = mem_zalloc(1, sizeof *h);
	h->sink = sink;
	h->end_time = -1;
	json_doc_init(&h->doc, rules, sizeof rules / sizeof *rules);
	h->doc.tells_members = true;
	return h;
}

static void begin_node(struct v8_head *h)
{
	struct open_node o = {.line = -1};
	if (!nested_begin(&h->tree)) {
		json_doc_leave(&h->doc);
		return;
	}
	buf_init(&o.name);
	buf_init(&o.url);
	mem_push(h->open, h->n_open, h->cap_open, o);
}

static void end_node(struct v8_head *h)
{
	struct open_node *o = &h->open[--h->n_open];
	nested_top(&h->tree)->sym = v8_frame(h->sink, &h->text, &o->name, &o->url, o->line);
	nested_end(&h->tree);
	buf_deinit(&o->name);
	buf_deinit(&o->url);
}

static uint64_t weight_of(struct v8_head *h, int64_t v)
{
	struct slice text = h->doc.text;
	uint64_t whole;
	if (v >= 0)
		return (uint64_t)v;
	if (slice_u64(text, &whole))
		return whole;
	bool is_negative = slice_starts(text, "-");
	sink_skip(h->sink, is_negative ? BELOW_ZERO : TOO_HEAVY, h->doc.json.line, text.s, text.n);
	return is_negative ? 0 : UINT64_MAX;
}

static void take_node_number(struct v8_head *h, struct slice key, int64_t v)
{
	struct open_node *o = &h->open[h->n_open - 1];
	struct nested_node *n = nested_top(&h->tree);
	if (slice_is(key, "id"))
		n->other = v > 0 ? (uint64_t)v : 0;
	else if (slice_is(key, "hitCount"))
		n->weight = weight_of(h, v);
	else if (slice_is(key, "lineNumber")) /* of a node without callFrame */
		o->line = v - 1;
	if (!slice_is(key, "selfSize"))
		return;
	n->weight = weight_of(h, v);
	h->is_heap = true;
}

static void take_number(struct v8_head *h, struct slice key, struct slice text)
{
	enum place place = h->doc.place;
	bool is_end = place == TOP && slice_is(key, "endTime");
	int64_t v;
	if (!decimal_scaled(text.s, text.n, is_end ? US_IN_S_DIGITS : 0, &v))
		v = -1;
	if (place == NODE)
		take_node_number(h, key, v);
	else if (place == CALL_FRAME && slice_is(key, "lineNumber"))
		h->open[h->n_open - 1].line = v;
	else if (place == SAMPLES)
		mem_push(h->samples, h->n_samples, h->cap_samples, v > 0 ? (uint64_t)v : 0);
	else if (place == TIMES)
		mem_push(h->times, h->n_times, h->cap_times, v);
	else if (is_end)
		h->end_time = v;
}

static void take_string(struct v8_head *h, struct slice key, struct slice text)
{
	if (h->doc.place != NODE && h->doc.place != CALL_FRAME)
		return;
	struct open_node *o = &h->open[h->n_open - 1];
	struct buf *to = slice_is(key, "functionName") ? &o->name : slice_is(key, "url") ? &o->url : NULL;
	if (!to)
		return;
	to->len = 0;
	buf_add(to, text.s, text.n);
}

/* What follows keeps its place. */
static void take_odd(struct v8_head *h)
{
	json_doc_skip(&h->doc, h->sink);
	take_number(h, h->doc.key, (struct slice){"", 0});
}

/* Among the samples of a CPU profile, what follows keeps its place. */
static void begin_heap_sample(struct v8_head *h)
{
	json_odd_add(&h->objects, (struct json_odd){.n = 1, .line = h->doc.json.line});
	mem_push(h->samples, h->n_samples, h->cap_samples, 0);
}

static bool is_weight(struct slice key)
{
	return slice_is(key, "selfSize") || slice_is(key, "hitCount");
}

static bool v8_head_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct v8_head *h = state;
	enum json_token t;
	json_doc_feed(&h->doc, text, len);
	while ((t = json_doc_next(&h->doc)) > JSON_MORE) {
		if (t == JSON_NUMBER)
			take_number(h, h->doc.key, h->doc.text);
		else if (t == JSON_ODD)
			take_odd(h);
		else if (json_is_no_number(t) && h->doc.place == NODE && is_weight(h->doc.key))
			sink_skip(h->sink, NOT_A_NUMBER, h->doc.json.line, h->doc.text.s, h->doc.text.n);
		else if (t == JSON_STRING)
			take_string(h, h->doc.key, h->doc.text);
		else if (t == JSON_OBJECT && h->doc.place == NODE)
			begin_node(h);
		else if (t == JSON_OBJECT && h->doc.place == HEAP_SAMPLE)
			begin_heap_sample(h);
		else if (t == JSON_OBJECT_END && h->doc.place == NODE)
			end_node(h);
	}
	return t != JSON_ERROR || fail(err, "%s", h->doc.json.err.text);
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static void emit_nodes(struct v8_head *h, const uint32_t *paths)
{
	const char *name = h->is_heap ? "heap" : "hits", *unit = h->is_heap ? "bytes" : "";
	uint32_t series = profile_series(h->sink->profile, sink_sym(h->sink, name, strlen(name)),
	                                 *unit ? sink_sym(h->sink, unit, strlen(unit)) : 0);
	nested_add_weights(&h->tree, h->sink, paths, series);
}

/* Reports samples without a length, besides those without a time. last: the latest time. */
static void say_times(struct v8_head *h, int64_t last)
{
	static const char back[] = "sample after which time goes back (it is left out)";
	if (h->n_samples != h->n_times)
		sink_warn(h->sink, "not as many timestamps as samples (those without the other are left out)", 0, NULL, 0);
	if (h->n_samples >= h->n_times && h->end_time < last)
		sink_warn(h->sink, "no endTime after the last sample, whose time is unknown (it is left out)", 0, NULL, 0);
	if (h->n_back)
		report_add_times(&h->sink->profile->report, NOTE_SKIP, back, NULL, 0, h->n_back);
}

static void emit_samples(struct v8_head *h, const uint32_t *paths)
{
	struct idmap ids = {.slots = NULL};
	json_odd_say(&h->objects, h->sink);
	uint32_t series = profile_series(h->sink->profile, sink_sym(h->sink, "time", 4), sink_sym(h->sink, "us", 2));
	for (size_t i = 0; i < h->tree.n; i++)
		idmap_add(&ids, h->tree.nodes[i].other, (uint32_t)i + 1);
	int64_t last = 0;
	for (size_t i = 0; i < h->n_samples && i < h->n_times; i++) {
		uint32_t number;
		int64_t from = h->times[i] > last ? h->times[i] : last;
		int64_t to = i + 1 < h->n_times ? h->times[i + 1] : h->end_time;
		last = from;
		if (h->times[i] < 0 || (to < 0 && i + 1 < h->n_times)) {
			sink_skip(h->sink, "sample without a time, or before one", 0, NULL, 0);
			continue;
		}
		h->n_back += i + 1 < h->n_times && to < from;
		if (to <= from)
			continue; /* see say_times(); or both are at the same time */
		struct sample s = {.weight = (uint64_t)(to - from), .series = series, .time = NO_TIME};
		if (from < INT64_MAX / 1000)
			s.time = (uint64_t)from * 1000;
		if (idmap_find(&ids, h->samples[i], &number))
			nested_add(h->sink, paths, number, s);
		else
			sink_skip(h->sink, "sample of an unknown node", 0, NULL, 0);
	}
	say_times(h, last);
	idmap_deinit(&ids);
}

static void emit(struct v8_head *h)
{
	uint32_t *paths = nested_paths(&h->tree, h->sink);
	if (h->is_heap || !h->n_times || !h->n_samples)
		emit_nodes(h, paths);
	else
		emit_samples(h, paths);
	free(paths);
}

static bool v8_head_finish(void *state, bool ok, struct err *err)
{
	struct v8_head *h = state;
	ok = json_doc_end(&h->doc, h->sink, ok, err);
	while (h->n_open)
		end_node(h);
	emit(h);
	json_doc_deinit(&h->doc);
	nested_deinit(&h->tree);
	free(h->open);
	free(h->samples);
	free(h->times);
	buf_deinit(&h->text);
	free(h);
	return ok;
}

static enum sniff v8_head_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a JSON object with \"head\" and \"selfSize\" or \"hitCount\"";
	if (!slice_starts(text, "{") || !slice_has(text, "\"head\"") || !slice_has(text, "\"functionName\""))
		return SNIFF_NO;
	return slice_has(text, "\"selfSize\"") || slice_has(text, "\"hitCount\"") ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_v8_head = {
	.name = "v8-head",
	.help = "heap profile of V8: node --heap-prof; and CPU profiles of V8 before 2017",
	.sniff = v8_head_sniff,
	.start = v8_head_start,
	.feed = v8_head_feed,
	.finish = v8_head_finish,
	.is_text_stream = true,
	.has_spans = true,
};
