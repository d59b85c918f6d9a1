/*
 * webkit.c - parses timeline recordings that Safari's Web Inspector exports.
 *
 *	{"version":1,"recording":{"displayName":"Timeline Recording 1","startTime":3.1,"endTime":4.2,
 *	  "instrumentTypes":[...],"records":[...],
 *	  "sampleStackTraces":[{"timestamp":3.25,"stackFrames":[
 *	    {"sourceID":"5","name":"run","line":3,"column":20,"url":"https://a/a.js",
 *	     "expressionLocation":{"line":7,"column":2}}, ...]}, ...],
 *	  "sampleDurations":[0.001,...]},
 *	 "overview":{...}}
 *
 * Stacks have the leaf first. A timestamp, in seconds, is the end of its sample, and the durations follow in a list
 * of their own. What lies between samples is idle, and is not in the file.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/time_rest.h"
#include "collapse/text/v8_profile.h"

#define NS_DIGITS 9 /* seconds become nanoseconds */

enum place { TOP = 1, RECORDING, SAMPLES, SAMPLE, STACK, FRAME, EXPRESSION, DURATIONS };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "recording", '{', RECORDING},
	{RECORDING, "sampleStackTraces", '[', SAMPLES},
	{SAMPLES, NULL, '{', SAMPLE},
	{SAMPLE, "stackFrames", '[', STACK},
	{STACK, NULL, '{', FRAME},
	{FRAME, "expressionLocation", '{', EXPRESSION},
	{RECORDING, "sampleDurations", JSON_NUMBERS, DURATIONS},
	{SAMPLE, "timestamp", JSON_NUMBER_MEMBER, 0},
	{FRAME, "name", JSON_STRING_MEMBER, 0},
	{FRAME, "url", JSON_STRING_MEMBER, 0},
	{FRAME, "line", JSON_NUMBER_MEMBER, 0},
	{EXPRESSION, "line", JSON_NUMBER_MEMBER, 0},
};

struct web_sample {
	uint32_t path, site;
	int64_t end; /* ns; negative: unknown */
};

struct webkit {
	struct sink *sink;
	struct json_doc doc;
	struct frames stack;
	struct buf name, url, text; /* of the frame being read */
	uint64_t line, executed;
	struct web_sample *samples;
	size_t n_samples, cap_samples;
	int64_t *lengths; /* of samples, ns; negative: unknown */
	size_t n_lengths, cap_lengths;
	struct time_rest rest; /* of these */
};

static void *webkit_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct webkit *w = mem_zalloc(1, sizeof *w);
	w->sink = sink;
	json_doc_init(&w->doc, rules, sizeof rules / sizeof *rules);
	return w;
}

static void begin(struct webkit *w)
{
	if (w->doc.place == SAMPLE) {
		w->stack.n = w->stack.n_sites = 0;
		mem_push(w->samples, w->n_samples, w->cap_samples, ((struct web_sample){.end = -1}));
	} else if (w->doc.place == FRAME) {
		w->name.len = w->url.len = 0;
		w->line = w->executed = 0;
	}
}

static void end_frame(struct webkit *w)
{
	int64_t line = w->line && w->line <= INT32_MAX ? (int64_t)w->line - 1 : -1;
	uint32_t sym = v8_frame(w->sink, &w->text, &w->name, &w->url, line);
	if (!sym)
		return;
	frames_push(&w->stack, sym);
	if (!w->sink->options->wants_sites || !w->executed || !w->url.len)
		return;
	w->text.len = 0;
	buf_addf(&w->text, "%.*s:%llu", (int)(w->url.len < 4096 ? w->url.len : 4096), w->url.data,
	         (unsigned long long)w->executed);
	frames_set_place(&w->stack, w->sink, (struct slice){w->text.data, w->text.len});
}

static void end_sample(struct webkit *w)
{
	struct web_sample *s = &w->samples[w->n_samples - 1];
	frames_finish(&w->stack, w->sink);
	s->path = profile_path(w->sink->profile, w->stack.syms, w->stack.n);
	s->site = frames_site(&w->stack, w->sink);
}

static int64_t time_of(struct slice text)
{
	int64_t v;
	return decimal_scaled(text.s, text.n, NS_DIGITS, &v) && v >= 0 ? v : -1;
}

/* With sorted keys, all durations come before the samples. */
static void take_length(struct webkit *w, struct slice text)
{
	int64_t length;
	if ((w->n_samples && w->n_lengths >= w->n_samples) || !time_rest_read(&w->rest, text, NS_DIGITS, &length) ||
	    length < 0)
		length = -1;
	mem_push(w->lengths, w->n_lengths, w->cap_lengths, length);
}

static void take_number(struct webkit *w, struct slice key, struct slice text)
{
	uint64_t line;
	if (w->doc.place == DURATIONS)
		take_length(w, text);
	else if (w->doc.place == SAMPLE && slice_is(key, "timestamp"))
		w->samples[w->n_samples - 1].end = time_of(text);
	else if (slice_is(key, "line") && slice_u64(text, &line) && line <= UINT32_MAX)
		*(w->doc.place == EXPRESSION ? &w->executed : &w->line) = line;
}

static void take_string(struct webkit *w, struct slice key, struct slice text)
{
	struct buf *to = slice_is(key, "name") ? &w->name : slice_is(key, "url") ? &w->url : NULL;
	if (!to || w->doc.place != FRAME)
		return;
	to->len = 0;
	buf_add(to, text.s, text.n);
}

/* What follows keeps its place. */
static void take_odd(struct webkit *w)
{
	json_doc_skip(&w->doc, w->sink);
	if (w->doc.place == SAMPLES)
		mem_push(w->samples, w->n_samples, w->cap_samples, ((struct web_sample){.end = -1}));
	else if (w->doc.place == STACK)
		frames_push(&w->stack, sink_unknown(w->sink));
	else if (w->doc.place == DURATIONS)
		take_length(w, slice_of(""));
}

static bool webkit_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct webkit *w = state;
	enum json_token t;
	json_doc_feed(&w->doc, text, len);
	while ((t = json_doc_next(&w->doc)) > JSON_MORE) {
		if (t == JSON_OBJECT)
			begin(w);
		else if (t == JSON_OBJECT_END && w->doc.place == FRAME)
			end_frame(w);
		else if (t == JSON_OBJECT_END && w->doc.place == SAMPLE)
			end_sample(w);
		else if (t == JSON_NUMBER)
			take_number(w, w->doc.key, w->doc.text);
		else if (t == JSON_STRING)
			take_string(w, w->doc.key, w->doc.text);
		else if (t == JSON_ODD)
			take_odd(w);
	}
	return t != JSON_ERROR || fail(err, "%s", w->doc.json.err.text);
}

static void emit(struct webkit *w)
{
	struct profile *p = w->sink->profile;
	uint32_t series = profile_series(p, sink_sym(w->sink, "time", 4), sink_sym(w->sink, "ns", 2));
	profile_note_grain(p, series, w->sink->options->side, NS_DIGITS);
	for (size_t i = 0; i < w->n_samples; i++) {
		const struct web_sample *s = &w->samples[i];
		struct sample sample = {.time = NO_TIME, .cpu = NO_CPU, .series = series, .site = s->site};
		int64_t length = i < w->n_lengths ? w->lengths[i] : -1;
		if (length < 0 || s->path == PATH_ROOT) {
			sink_skip(w->sink, "sample without a duration, or without its end", 0, NULL, 0);
			continue;
		}
		sample.weight = (uint64_t)length;
		if (s->end >= 0)
			sample.time = s->end > length ? (uint64_t)(s->end - length) : 0;
		if (sample.weight)
			profile_add(p, w->sink->options->side, s->path, &sample);
	}
	if (w->n_lengths > w->n_samples)
		sink_warn(w->sink, "more durations than samples (the surplus is left out)", 0, NULL, 0);
}

static bool webkit_finish(void *state, bool ok, struct err *err)
{
	struct webkit *w = state;
	ok = json_doc_end(&w->doc, w->sink, ok, err);
	emit(w);
	time_rest_say(&w->rest, w->sink, w->sink->options->side, 0);
	json_doc_deinit(&w->doc);
	frames_deinit(&w->stack);
	buf_deinit(&w->name);
	buf_deinit(&w->url);
	buf_deinit(&w->text);
	free(w->samples);
	free(w->lengths);
	free(w);
	return ok;
}

/* Samples come after the records of a timeline, which may be many; both have keys of their own before them. */
static enum sniff webkit_sniff(const struct head *head, const char **why)
{
	static const char *const keys[] = {"recording", NULL};
	struct slice text = {head->text, head->len};
	*why = "not a JSON object with a \"recording\" that has \"instrumentTypes\" or \"sampleStackTraces\"";
	if (!slice_has(text, "\"instrumentTypes\"") && !slice_has(text, "\"sampleStackTraces\""))
		return SNIFF_NO;
	return json_head_has(head, keys) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_webkit = {
	.name = "webkit",
	.help = "timeline recording of Safari and other WebKit browsers, exported as JSON",
	.sniff = webkit_sniff,
	.start = webkit_start,
	.feed = webkit_feed,
	.finish = webkit_finish,
	.is_text_stream = true,
	.has_spans = true,
};
