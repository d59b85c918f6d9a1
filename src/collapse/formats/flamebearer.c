/*
 * flamebearer.c - parses the flame graphs of Pyroscope: a file, the answer of /pyroscope/render, or of its API.
 *
 *	{"version":1,"flamebearer":{"names":["total","main","read"],
 *	  "levels":[[0,5,0,0],[0,5,2,1],[0,3,3,2]],"numTicks":5,"maxSelf":3},
 *	 "metadata":{"format":"single","sampleRate":100,"units":"samples"}}
 *
 *	{"flamegraph":{"names":[...],"levels":[{"values":["0","5","0","0"]},...],"total":"5"}}
 *
 * A level has four numbers for each bar: its distance from the bar on its left, how much it weighs with its callees
 * and without them, and the number of its name. A bar belongs to the one above it where it begins. The bar at the
 * top is the whole, and no frame.
 *
 * Comparisons (format "double") have seven numbers: three of the baseline, three of the profile, and the name. A
 * bar begins after what is left of it in both. They become a pair, as folded stacks with two counts do.
 *
 * The format comes after the levels, so their numbers are kept.
 */
#include "base/number.h"
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"

enum place { TOP = 1, GRAPH, NAMES, LEVELS, LEVEL_OBJECT, LEVEL, METADATA };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "flamebearer", '{', GRAPH},
	{TOP, "flamegraph", '{', GRAPH},
	{TOP, "metadata", '{', METADATA},
	{GRAPH, "names", JSON_STRINGS, NAMES},
	{GRAPH, "levels", '[', LEVELS},
	{LEVELS, NULL, JSON_BOTH, LEVEL},
	{LEVELS, NULL, '{', LEVEL_OBJECT},
	{LEVEL_OBJECT, "values", JSON_BOTH, LEVEL},
	{GRAPH, "numTicks", JSON_NUMBER_MEMBER, 0},
	{GRAPH, "total", JSON_STRING_MEMBER, 0},
	{METADATA, "units", JSON_STRING_MEMBER, 0},
	{METADATA, "format", JSON_STRING_MEMBER, 0},
	{METADATA, "sampleRate", JSON_NUMBER_MEMBER, 0},
};

#define BAD_NUMBER UINT64_MAX

enum side_numbers { DISTANCE, TOTAL, SELF, N_SIDE_NUMBERS };

/* A bar of the level above. */
struct bar {
	uint64_t from, to;
	uint32_t path; /* NO_PATH: its name is unknown, or its caller is */
};

struct bars {
	struct bar *v;
	size_t n, cap;
};

struct flamebearer {
	struct sink *sink;
	struct json_doc doc;
	struct frames names;
	uint64_t *numbers; /* of all levels */
	size_t n_numbers, cap_numbers;
	size_t *ends; /* of levels, in `numbers` */
	size_t n_ends, cap_ends;
	struct bars above, level;
	struct buf units;
	uint64_t ticks, rate; /* as the file says; ticks: the weight of all bars; 0: unknown */
	uint64_t weight;      /* of the bars that were read */
	bool is_single, is_double;
	bool is_in_object; /* the level being read is one */
};

static void *flamebearer_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct flamebearer *f = mem_zalloc(1, sizeof *f);
	f->sink = sink;
	json_doc_init(&f->doc, rules, sizeof rules / sizeof *rules);
	return f;
}

static void take_number(struct flamebearer *f, struct slice key, struct slice text)
{
	uint64_t v;
	bool is_good = slice_u64(text, &v);
	if (f->doc.place == LEVEL && !is_good)
		sink_skip(f->sink, slice_starts(text, "-") ? BELOW_ZERO : NOT_A_NUMBER, f->doc.json.line, text.s, text.n);
	if (f->doc.place == LEVEL)
		mem_push(f->numbers, f->n_numbers, f->cap_numbers, is_good ? v : BAD_NUMBER);
	else if (!is_good)
		return;
	else if (f->doc.place == METADATA && slice_is(key, "sampleRate"))
		f->rate = v;
	else if (f->doc.place == GRAPH && (slice_is(key, "numTicks") || slice_is(key, "total")))
		f->ticks = v;
	else if (slice_is(key, "leftTicks"))
		f->is_double = true;
}

static void take_string(struct flamebearer *f, struct slice key, struct slice text)
{
	if (f->doc.place == NAMES) {
		frames_push_text(&f->names, f->sink, text);
	} else if (f->doc.place == METADATA && slice_is(key, "units")) {
		f->units.len = 0;
		buf_add(&f->units, text.s, text.n);
	} else if (f->doc.place == METADATA && slice_is(key, "format")) {
		f->is_single = slice_is(text, "single");
		f->is_double = slice_is(text, "double");
	} else {
		take_number(f, key, text); /* 64-bit numbers of the API are strings */
	}
}

/* Each level has an end, also one that is an object without values. */
static void begin_level(struct flamebearer *f, enum json_token t)
{
	if (t == JSON_OBJECT ? f->doc.place == LEVEL_OBJECT : f->doc.place == LEVEL && !f->is_in_object)
		mem_push(f->ends, f->n_ends, f->cap_ends, f->n_numbers);
	f->is_in_object = f->doc.place == LEVEL_OBJECT || (f->is_in_object && f->doc.place == LEVEL);
}

static void end_level(struct flamebearer *f)
{
	if (f->doc.place == LEVEL)
		f->ends[f->n_ends - 1] = f->n_numbers;
	else if (f->doc.place == LEVEL_OBJECT)
		f->is_in_object = false;
}

/* What follows keeps its place. */
static void take_odd(struct flamebearer *f)
{
	json_doc_skip(&f->doc, f->sink);
	if (f->doc.place == NAMES)
		frames_push(&f->names, sink_unknown(f->sink));
	else if (f->doc.place == LEVELS)
		mem_push(f->ends, f->n_ends, f->cap_ends, f->n_numbers);
	else if (f->doc.place == LEVEL)
		mem_push(f->numbers, f->n_numbers, f->cap_numbers, BAD_NUMBER);
}

static bool flamebearer_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct flamebearer *f = state;
	enum json_token t;
	json_doc_feed(&f->doc, text, len);
	while ((t = json_doc_next(&f->doc)) > JSON_MORE) {
		if (t == JSON_NUMBER)
			take_number(f, f->doc.key, f->doc.text);
		else if (t == JSON_STRING)
			take_string(f, f->doc.key, f->doc.text);
		else if (t == JSON_OBJECT || t == JSON_ARRAY)
			begin_level(f, t);
		else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END)
			end_level(f);
		else if (t == JSON_ODD)
			take_odd(f);
	}
	return t != JSON_ERROR || fail(err, "%s", f->doc.json.err.text);
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

/* The level at the top has one bar, which tells how many numbers a bar has. */
static bool is_pair(const struct flamebearer *f)
{
	size_t top = f->n_ends ? f->ends[0] : f->n_numbers;
	if (f->is_single || f->is_double)
		return f->is_double;
	return top && top % (2 * N_SIDE_NUMBERS + 1) == 0;
}

/* Pyroscope counts samples, or calls nanoseconds samples at a rate of 10^9. 0: samples. */
static uint32_t declare(const struct flamebearer *f)
{
	static const struct {
		const char *units, *name, *unit;
	} known[] = {
		{"bytes", "bytes", "bytes"}, {"nanoseconds", "time", "ns"},    {"lock_nanoseconds", "delay", "ns"},
		{"objects", "objects", ""},  {"goroutines", "goroutines", ""},
	};
	struct slice units = {f->units.len ? f->units.data : "", f->units.len};
	if (slice_is(units, "samples") && f->rate == 1000000000)
		units = slice_of("nanoseconds");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (slice_is(units, known[i].units))
			return profile_series(f->sink->profile, sink_sym(f->sink, known[i].name, strlen(known[i].name)),
			                      sink_sym(f->sink, known[i].unit, strlen(known[i].unit)));
	return 0;
}

static void add(struct flamebearer *f, unsigned side, uint32_t path, uint64_t weight, uint32_t series)
{
	struct sample s = {.weight = weight, .time = NO_TIME, .cpu = NO_CPU, .series = series};
	if (weight)
		profile_add(f->sink->profile, side, path, &s);
}

/* A file that is itself the baseline has no other. */
static void add_bar(struct flamebearer *f, uint32_t path, uint64_t self, uint64_t before, uint32_t series)
{
	unsigned side = f->sink->options->side;
	weight_add(&f->weight, u64_sum(self, before));
	if (path == PATH_ROOT && (self || before))
		path = profile_child(f->sink->profile, path, sink_sym(f->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	add(f, side, path, self, series);
	if (side == 0)
		add(f, 1, path, before, series);
}

/* The path of the bar above, in which this one begins; it is at or after the one at *at. */
static uint32_t path_above(const struct flamebearer *f, size_t *at, uint64_t from)
{
	while (*at < f->above.n && f->above.v[*at].to <= from)
		++*at;
	return *at < f->above.n && f->above.v[*at].from <= from ? f->above.v[*at].path : NO_PATH;
}

static uint32_t bar_path(struct flamebearer *f, uint32_t above, uint64_t name)
{
	if (above == NO_PATH || name >= f->names.n)
		return NO_PATH;
	return profile_child(f->sink->profile, above, f->names.syms[name]);
}

/*
 * Sets where a bar begins and ends. *end: that of the bar on its left; BAD_NUMBER: unknown, and nothing is on such
 * bars.
 */
static void place_bar(struct bar *bar, const uint64_t *numbers, unsigned sides, uint64_t *end)
{
	bar->from = *end;
	for (unsigned side = 0; side < sides; side++)
		bar->from = u64_sum(bar->from, numbers[side * N_SIDE_NUMBERS + DISTANCE]);
	*end = bar->from;
	for (unsigned side = 0; side < sides; side++)
		*end = u64_sum(*end, numbers[side * N_SIDE_NUMBERS + TOTAL]);
	bar->to = *end == BAD_NUMBER ? bar->from : *end;
}

/* The weight of a bar alone; 0 if it is no number, which was said. */
static uint64_t self_of(const uint64_t *numbers)
{
	return numbers[SELF] == BAD_NUMBER ? 0 : numbers[SELF];
}

/* Takes one level: numbers[0..n) in groups; is_top: its bar is no frame. */
static void take_level(struct flamebearer *f, const uint64_t *numbers, size_t n, unsigned sides, uint32_t series,
                       bool is_top)
{
	size_t group = sides * N_SIDE_NUMBERS + 1, at = 0;
	uint64_t end = 0;
	f->level.n = 0;
	for (; n >= group; n -= group, numbers += group) {
		const uint64_t *last = numbers + group - 1 - N_SIDE_NUMBERS; /* of the profile itself */
		uint64_t self = self_of(last), before = sides == 2 ? self_of(numbers) : 0;
		struct bar bar = {.path = PATH_ROOT};
		place_bar(&bar, numbers, sides, &end);
		if (!is_top)
			bar.path = bar_path(f, path_above(f, &at, bar.from), numbers[group - 1]);
		mem_push(f->level.v, f->level.n, f->level.cap, bar);
		if (bar.path == NO_PATH)
			report_add_weight(&f->sink->profile->report, NOTE_SKIP, "bar of an unknown name, or not below another",
			                  NULL, 0, self);
		else
			add_bar(f, bar.path, self, before, series);
	}
	if (n)
		sink_skip(f->sink, "a bar without all of its numbers", 0, NULL, 0);
}

static void emit(struct flamebearer *f)
{
	unsigned sides = is_pair(f) ? 2 : 1;
	uint32_t series = declare(f);
	size_t first = 0;
	if (f->n_ends)
		f->ends[f->n_ends - 1] = f->n_numbers; /* it may be cut off */
	for (size_t i = 0; i < f->n_ends; first = f->ends[i++]) {
		take_level(f, f->numbers + first, f->ends[i] - first, sides, series, i == 0);
		struct bars above = f->above;
		f->above = f->level;
		f->level = above;
	}
	if (sides == 2)
		profile_add_columns(f->sink->profile, (struct columns){.two = f->n_numbers / (2 * N_SIDE_NUMBERS + 1)});
	if (f->ticks && f->ticks != f->weight)
		sink_warn(f->sink, "the bars do not weigh what the file says in all", 0, NULL, 0);
}

static bool flamebearer_finish(void *state, bool ok, struct err *err)
{
	struct flamebearer *f = state;
	ok = json_doc_end(&f->doc, f->sink, ok, err);
	emit(f);
	json_doc_deinit(&f->doc);
	frames_deinit(&f->names);
	free(f->numbers);
	free(f->ends);
	free(f->above.v);
	free(f->level.v);
	buf_deinit(&f->units);
	free(f);
	return ok;
}

static enum sniff flamebearer_sniff(const struct head *head, const char **why)
{
	static const char *const file[] = {"flamebearer", NULL}, *const api[] = {"flamegraph", NULL};
	struct slice text = {head->text, head->len};
	*why = "not a JSON object with \"flamebearer\" and \"names\"";
	if (!slice_has(text, "\"names\""))
		return SNIFF_NO;
	return json_head_has(head, file) || json_head_has(head, api) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_flamebearer = {
	.name = "flamebearer",
	.help = "flame graph or comparison of Pyroscope, as JSON",
	.sniff = flamebearer_sniff,
	.start = flamebearer_start,
	.feed = flamebearer_feed,
	.finish = flamebearer_finish,
	.is_text_stream = true,
};
