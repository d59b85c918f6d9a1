/*
 * stackprof.c - parses the profiles of Ruby's stackprof as JSON: JSON.generate(StackProf.run(raw: true) { ... }).
 *
 *	{"version":1.2,"mode":"cpu","interval":1000,"samples":5,"gc_samples":1,"missed_samples":0,
 *	 "frames":{"139934548163800":{"name":"Integer#times","file":"<cfunc>","line":null,"samples":3,...},...},
 *	 "raw":[2,139934548163800,139934492426160,3, ...],
 *	 "raw_sample_timestamps":[654268031,...],"raw_timestamp_deltas":[7272,...]}
 *
 * `raw` is a row of stacks in the order of time: the number of frames, their ids, root first, and how many samples
 * in a row had this stack. In mode `wall` a sample lasts as long as its delta says, in microseconds. In mode `cpu`
 * it stands for the interval, as deltas are times on the clock. In others (`object`, `custom`) samples count. The
 * collector of garbage has a stack of its own, which interrupts the one before it and is shown on top of that.
 *
 * The frames come first, so a stack becomes a path as soon as it is complete; without them it waits. Without
 * raw: true there are no stacks, only counts of functions.
 */
#include "base/idmap.h"
#include "base/number.h"
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/time_rest.h"

#define NS_DIGITS 3                      /* microseconds become nanoseconds */
#define COLLECTOR "(garbage collection)" /* the root of its stacks */

enum place { TOP = 1, FRAMES, FRAME, RAW, TIMES, DELTAS };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "frames", '{', FRAMES},
	{FRAMES, NULL, '{', FRAME},
	{TOP, "raw", JSON_NUMBERS, RAW},
	{TOP, "raw_sample_timestamps", JSON_NUMBERS, TIMES},
	{TOP, "raw_timestamp_deltas", JSON_NUMBERS, DELTAS},
	{TOP, "mode", JSON_STRING_MEMBER, 0},
	{FRAME, "name", JSON_STRING_MEMBER, 0},
	{FRAME, "file", JSON_STRING_MEMBER, 0},
	{FRAME, "line", JSON_NUMBER_MEMBER, 0},
};

struct ruby_frame {
	uint32_t sym;
	uint64_t samples; /* in which it was the leaf */
};

#define MILLION 1000000u
#define BAD_COUNT (UINT64_MAX - 1) /* an element that is no count */

/* Samples in a row that have one stack. */
struct row {
	uint32_t path;
	uint64_t count;
};

struct stackprof {
	struct sink *sink;
	struct json_doc doc;
	struct idmap ids; /* indices of frames */
	struct ruby_frame *frames;
	size_t n_frames, cap_frames;
	uint64_t id, samples, line; /* of the frame being read, with its name and file */
	struct buf name, file;
	bool has_frames, has_raw;
	uint64_t *raw; /* stacks that are not complete, or wait for the frames */
	size_t n_raw, cap_raw;
	struct frames stack;
	uint32_t collector, interrupted; /* its symbol, 0: none; the path below its stacks */
	struct row *rows;
	size_t n_rows, cap_rows;
	int64_t *times, *deltas; /* of samples, ns; negative: bad */
	size_t n_times, cap_times, n_deltas, cap_deltas;
	struct time_rest rest; /* of deltas */
	struct buf mode;
	uint64_t interval, all, missed; /* as the file says; all: samples */
	uint32_t interval_parts;        /* millionths that the interval has as well */
};

static void *stackprof_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct stackprof *s = mem_zalloc(1, sizeof *s);
	s->sink = sink;
	s->interrupted = PATH_ROOT;
	s->interval = 1;
	json_doc_init(&s->doc, rules, sizeof rules / sizeof *rules);
	s->doc.tells_members = true;
	return s;
}

static uint64_t id_of(struct slice text)
{
	uint64_t id;
	return slice_u64(text, &id) ? id : hash_bytes(text.s, text.n);
}

static void begin_frame(struct stackprof *s)
{
	s->id = id_of(s->doc.key);
	s->samples = s->line = 0;
	s->name.len = s->file.len = 0;
}

static void end_frame(struct stackprof *s)
{
	if (!s->name.len)
		buf_adds(&s->name, "(unknown)");
	struct ruby_frame f = {sink_frame(s->sink, s->name.data, s->name.len), s->samples};
	if (slice_is((struct slice){s->name.data, s->name.len}, COLLECTOR))
		s->collector = f.sym;
	else
		f.sym = sink_source(s->sink, f.sym, s->file.data, s->file.len, s->line);
	if (s->n_frames < UINT32_MAX && idmap_add(&s->ids, s->id, (uint32_t)s->n_frames))
		mem_push(s->frames, s->n_frames, s->cap_frames, f);
}

/* The path of a stack; NO_PATH: it has an unknown frame. */
static uint32_t stack_path(struct stackprof *s, const uint64_t *ids, size_t n)
{
	struct profile *p = s->sink->profile;
	uint32_t index;
	s->stack.n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!idmap_find(&s->ids, ids[i], &index))
			return NO_PATH;
		frames_push(&s->stack, s->frames[index].sym);
	}
	if (!n)
		frames_push(&s->stack, sink_sym(s->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	if (!s->collector || s->stack.syms[0] != s->collector)
		return s->interrupted = profile_path(p, s->stack.syms, s->stack.n);
	uint32_t path = s->interrupted;
	for (size_t i = 0; i < n; i++)
		path = profile_child(p, path, s->stack.syms[i]);
	return path;
}

/* Takes the complete stacks of `raw`. */
static void take_stacks(struct stackprof *s)
{
	size_t at = 0;
	while (s->n_raw - at >= 2 && s->raw[at] <= s->n_raw - at - 2) {
		size_t n = (size_t)s->raw[at];
		struct row row = {stack_path(s, &s->raw[at + 1], n), s->raw[at + 1 + n]};
		mem_push(s->rows, s->n_rows, s->cap_rows, row);
		at += n + 2;
	}
	s->n_raw -= at;
	if (at && s->n_raw)
		memmove(s->raw, s->raw + at, s->n_raw * sizeof *s->raw);
}

/* A length, the number of a frame, or a count. */
static uint64_t raw_number(struct slice text)
{
	uint64_t v;
	if (slice_u64(text, &v))
		return v == BAD_COUNT ? UINT64_MAX : v;
	return text.n && slice_is_digits(text) ? UINT64_MAX : BAD_COUNT;
}

static void take_raw(struct stackprof *s, struct slice text)
{
	mem_push(s->raw, s->n_raw, s->cap_raw, raw_number(text));
	if (s->has_frames && s->n_raw >= 2 && s->n_raw - 2 == s->raw[0])
		take_stacks(s);
}

static int64_t time_of(struct slice text)
{
	int64_t v;
	return decimal_scaled(text.s, text.n, NS_DIGITS, &v) && v >= 0 ? v : -1;
}

static void take_delta(struct stackprof *s, struct slice text)
{
	int64_t delta;
	if (!time_rest_read(&s->rest, text, NS_DIGITS, &delta) || delta < 0)
		delta = -1;
	mem_push(s->deltas, s->n_deltas, s->cap_deltas, delta);
	if (delta < 0)
		sink_skip(s->sink, text.n && *text.s == '-' ? BELOW_ZERO : NOT_A_NUMBER, s->doc.json.line, text.s, text.n);
}

static void take_interval(struct stackprof *s, struct slice text)
{
	if (!number_count(text.s, text.n, &s->interval, &s->interval_parts))
		sink_skip(s->sink, "interval that is not a number", s->doc.json.line, text.s, text.n);
}

static void take_number(struct stackprof *s, struct slice key, struct slice text)
{
	uint64_t v;
	if (s->doc.place == RAW)
		take_raw(s, text);
	else if (s->doc.place == TIMES)
		mem_push(s->times, s->n_times, s->cap_times, time_of(text));
	else if (s->doc.place == DELTAS)
		take_delta(s, text);
	bool is_top = s->doc.place == TOP;
	if (is_top && slice_is(key, "interval"))
		take_interval(s, text);
	if (!is_top && s->doc.place != FRAME)
		return;
	if (!slice_u64(text, &v)) {
		if (slice_is(key, "samples"))
			sink_skip(s->sink, "a number of samples that is not one of 64 bits counts as 0", s->doc.json.line,
			          text.s, text.n);
		return;
	}
	if (is_top && slice_is(key, "missed_samples"))
		s->missed = v;
	else if (slice_is(key, "samples"))
		*(is_top ? &s->all : &s->samples) = v;
	else if (!is_top && slice_is(key, "line"))
		s->line = v;
}

static void take_string(struct stackprof *s, struct slice key, struct slice text)
{
	bool is_frame = s->doc.place == FRAME;
	struct buf *to = s->doc.place == TOP && slice_is(key, "mode") ? &s->mode
	                 : is_frame && slice_is(key, "name")          ? &s->name
	                 : is_frame && slice_is(key, "file")          ? &s->file
	                                                              : NULL;
	if (!to)
		return;
	to->len = 0;
	buf_add(to, text.s, text.n);
}

/* What follows keeps its place. */
static void take_odd(struct stackprof *s)
{
	json_doc_skip(&s->doc, s->sink);
	take_number(s, s->doc.key, slice_of(""));
}

static bool is_samples(const struct stackprof *s)
{
	return (s->doc.place == TOP || s->doc.place == FRAME) && slice_is(s->doc.key, "samples");
}

static void take(struct stackprof *s, enum json_token t)
{
	if (t == JSON_NUMBER)
		take_number(s, s->doc.key, s->doc.text);
	else if (t == JSON_ODD)
		take_odd(s);
	else if (json_is_no_number(t) && s->doc.place == TOP && slice_is(s->doc.key, "interval"))
		take_interval(s, slice_of(""));
	else if (json_is_no_number(t) && is_samples(s))
		take_number(s, s->doc.key, slice_of(""));
	else if (t == JSON_STRING)
		take_string(s, s->doc.key, s->doc.text);
	else if (t == JSON_OBJECT && s->doc.place == FRAME)
		begin_frame(s);
	else if (t == JSON_OBJECT_END && s->doc.place == FRAME)
		end_frame(s);
	else if (t == JSON_OBJECT_END && s->doc.place == FRAMES)
		s->has_frames = true;
	else if (t == JSON_ARRAY && s->doc.place == RAW)
		s->has_raw = true;
}

static bool stackprof_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct stackprof *s = state;
	enum json_token t;
	json_doc_feed(&s->doc, text, len);
	while ((t = json_doc_next(&s->doc)) > JSON_MORE)
		take(s, t);
	return t != JSON_ERROR || fail(err, "%s", s->doc.json.err.text);
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static bool is_mode(const struct stackprof *s, const char *mode)
{
	return slice_is((struct slice){s->mode.len ? s->mode.data : "", s->mode.len}, mode);
}

static uint32_t declare(const struct stackprof *s)
{
	bool is_time = is_mode(s, "wall") || is_mode(s, "cpu");
	uint32_t name = s->mode.len ? sink_frame(s->sink, s->mode.data, s->mode.len) : sink_sym(s->sink, "samples", 7);
	return profile_series(s->sink->profile, name, is_time ? sink_sym(s->sink, "us", 2) : 0);
}

static uint64_t product(uint64_t a, uint64_t b)
{
	uint64_t v;
	return __builtin_mul_overflow(a, b, &v) ? UINT64_MAX : v;
}

/* Sets the weight of n samples, unless their deltas say it. */
static void set_weight(const struct stackprof *s, uint64_t n, struct sample *sample)
{
	bool is_time = is_mode(s, "cpu") || is_mode(s, "wall");
	uint64_t parts = is_time ? product(n, s->interval_parts) : 0;
	sample->weight = product(n, is_time ? s->interval : 1);
	weight_add(&sample->weight, parts / MILLION);
	sample->millionths = (uint32_t)(parts % MILLION);
}

/* A sample's time is that of its end in mode `wall`, as its delta lies before it. length: ns */
static void set_time(const struct stackprof *s, size_t i, uint64_t length, struct sample *sample)
{
	sample->time = NO_TIME;
	if (i < s->n_times && s->times[i] >= 0)
		sample->time = (uint64_t)s->times[i] > length ? (uint64_t)s->times[i] - length : 0;
}

/* Weights are microseconds, whose parts become decimals. Returns the length, ns. */
static uint64_t set_length(const struct stackprof *s, size_t i, struct sample *sample)
{
	uint64_t ns = u64_sum(product(sample->weight, 1000), sample->millionths / 1000);
	if (i >= s->n_deltas)
		return ns;
	ns = s->deltas[i] > 0 ? (uint64_t)s->deltas[i] : 0;
	sample->weight = ns / 1000;
	sample->millionths = (uint32_t)(ns % 1000 * 1000);
	return ns;
}

/* Emits the samples of a row that have a time or a delta each, and the others as one. */
static void emit_row(struct stackprof *s, const struct row *row, size_t *number, uint32_t series)
{
	struct profile *p = s->sink->profile;
	bool is_wall = is_mode(s, "wall");
	size_t most = s->n_times > s->n_deltas || !is_wall ? s->n_times : s->n_deltas;
	uint64_t left = row->count;
	for (; left && *number < most; left--, ++*number) {
		struct sample sample = {.cpu = NO_CPU, .series = series};
		set_weight(s, 1, &sample);
		set_time(s, *number, is_wall ? set_length(s, *number, &sample) : 0, &sample);
		if (sample.weight || sample.millionths)
			profile_add(p, s->sink->options->side, row->path, &sample);
	}
	struct sample rest = {.time = NO_TIME, .cpu = NO_CPU, .series = series};
	set_weight(s, left, &rest);
	if (rest.weight || rest.millionths)
		profile_add(p, s->sink->options->side, row->path, &rest);
}

static void emit_rows(struct stackprof *s, uint32_t series)
{
	uint64_t sum = 0;
	size_t number = 0;
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct row *row = &s->rows[i];
		if (row->count == BAD_COUNT) {
			sink_skip(s->sink, "stack without a count", 0, NULL, 0);
			continue;
		}
		weight_add(&sum, row->count);
		if (row->path != NO_PATH) {
			emit_row(s, row, &number, series);
			continue;
		}
		number += row->count < SIZE_MAX - number ? (size_t)row->count : SIZE_MAX - number;
		report_add_weight(&s->sink->profile->report, NOTE_SKIP, "stack of an unknown frame", NULL, 0, row->count);
	}
	if (s->n_raw)
		sink_skip(s->sink, "a stack without its end or its count", 0, NULL, 0);
	if (s->all && sum != s->all)
		sink_warn(s->sink, "not as many samples in stacks as the profile says", 0, NULL, 0);
	if (is_mode(s, "wall") && sum > s->n_deltas)
		sink_warn(s->sink, "samples without a time of their own count as long as the interval", 0, NULL, 0);
	if (is_mode(s, "wall"))
		time_rest_say(&s->rest, s->sink, s->sink->options->side, series);
}

static void emit_functions(struct stackprof *s, uint32_t series)
{
	struct profile *p = s->sink->profile;
	sink_warn(s->sink, "no stacks in it, only functions (record with StackProf.run(raw: true))", 0, NULL, 0);
	for (size_t i = 0; i < s->n_frames; i++) {
		const struct ruby_frame *f = &s->frames[i];
		struct sample sample = {.time = NO_TIME, .cpu = NO_CPU, .series = series};
		set_weight(s, f->samples, &sample);
		if (sample.weight || sample.millionths)
			profile_add(p, s->sink->options->side, profile_child(p, PATH_ROOT, f->sym), &sample);
	}
}

/* In mode `object`, those are missed that lie between two samples. */
static void emit(struct stackprof *s)
{
	uint32_t series = declare(s);
	if (s->missed && (is_mode(s, "cpu") || is_mode(s, "wall")))
		weight_add(&sink_lacks(s->sink)->lost, s->missed);
	take_stacks(s);
	if (s->has_raw)
		emit_rows(s, series);
	else
		emit_functions(s, series);
}

static bool stackprof_finish(void *state, bool ok, struct err *err)
{
	struct stackprof *s = state;
	ok = json_doc_end(&s->doc, s->sink, ok, err);
	emit(s);
	json_doc_deinit(&s->doc);
	idmap_deinit(&s->ids);
	frames_deinit(&s->stack);
	free(s->frames);
	free(s->raw);
	free(s->rows);
	free(s->times);
	free(s->deltas);
	buf_deinit(&s->name);
	buf_deinit(&s->file);
	buf_deinit(&s->mode);
	free(s);
	return ok;
}

static enum sniff stackprof_sniff(const struct head *head, const char **why)
{
	static const char *const keys[] = {"mode", "interval", "samples", "frames", NULL};
	*why = "not a JSON object with \"mode\", \"interval\", \"samples\" and \"frames\"";
	return json_head_has(head, keys) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_stackprof = {
	.name = "stackprof",
	.help = "stackprof of Ruby: JSON.generate(StackProf.run(raw: true) { ... })",
	.sniff = stackprof_sniff,
	.start = stackprof_start,
	.feed = stackprof_feed,
	.finish = stackprof_finish,
	.is_text_stream = true,
	.has_spans = true,
};
