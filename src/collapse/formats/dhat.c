/*
 * dhat.c - parses what valgrind --tool=dhat writes: heap blocks, copies, or events of the program (--mode=...).
 *
 *	{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs",...
 *	,"pps":[{"tb":10,"tbk":2,"tl":500,"mb":5,"mbk":1,"gb":5,"gbk":1,"eb":0,"ebk":0,"rb":8,"wb":10,"fs":[1,2]},...]
 *	,"ftbl":["[root]","0x4840F2F: malloc (in /usr/lib/...)","0x109169: main (w.c:4)",...]}
 *
 * A program point (pp) is a stack, the leaf first, with its costs: total bytes and blocks, the lifetimes of its
 * blocks, what there was at most, when the whole heap was largest, and at the end, and bytes read and written. The
 * table of frames comes last, so the numbers wait for it. Entry 0 of the table is a root, which no stack has.
 */
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/valgrind.h"

enum place { TOP = 1, POINTS, POINT, STACK, TABLE };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},     {TOP, "pps", '[', POINTS},          {POINTS, NULL, '{', POINT},
	{POINT, "fs", JSON_NUMBERS, STACK}, {TOP, "ftbl", JSON_STRINGS, TABLE}, {TOP, "mode", JSON_STRING_MEMBER, 0},
	{TOP, "tu", JSON_STRING_MEMBER, 0},
};

#define N_COSTS 11
static const struct slice cost_keys[N_COSTS] = {{"tb", 2}, {"tbk", 3}, {"gb", 2}, {"gbk", 3}, {"eb", 2}, {"ebk", 3},
                                                {"mb", 2}, {"mbk", 3}, {"rb", 2}, {"wb", 2},  {"tl", 2}};

struct point {
	uint64_t n_frames : 48; /* the next ones of all */
	uint64_t costs : 16;    /* the set of those that are not 0: the next values of all */
};

struct dhat {
	struct sink *sink;
	struct json_doc doc;
	struct point *points;
	size_t n_points, cap_points;
	uint32_t *numbers; /* of frames in the table */
	size_t n_numbers, cap_numbers;
	uint64_t *values; /* of costs */
	size_t n_values, cap_values;
	uint64_t costs[N_COSTS]; /* of the point that is read or emitted */
	bool is_in_point;
	struct frames table, stack;
	bool has_cost[N_COSTS], is_ad_hoc;
	char time_unit[32];
};

static void *dhat_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct dhat *d = mem_zalloc(1, sizeof *d);
	d->sink = sink;
	json_doc_init(&d->doc, rules, sizeof rules / sizeof *rules);
	d->doc.tells_members = true;
	return d;
}

static void begin_point(struct dhat *d)
{
	mem_push(d->points, d->n_points, d->cap_points, ((struct point){0}));
	memset(d->costs, 0, sizeof d->costs);
	d->is_in_point = true;
}

/* Keeps what it costs. */
static void end_point(struct dhat *d)
{
	struct point *p = &d->points[d->n_points - 1];
	for (size_t i = 0; i < N_COSTS; i++) {
		if (!d->costs[i])
			continue;
		p->costs |= (uint64_t)1 << i & UINT16_MAX;
		mem_push(d->values, d->n_values, d->cap_values, d->costs[i]);
	}
	d->is_in_point = false;
}

static void take_cost(struct dhat *d, struct slice key, struct slice text)
{
	uint64_t v;
	for (size_t i = 0; i < N_COSTS; i++) {
		if (key.n != cost_keys[i].n || memcmp(key.s, cost_keys[i].s, key.n) != 0)
			continue;
		d->has_cost[i] = true;
		if (slice_u64(text, &v))
			d->costs[i] = v;
		else
			sink_skip(d->sink, "a cost that is not a number of 64 bits", d->doc.json.line, text.s, text.n);
	}
}

static void take_number(struct dhat *d, struct slice key, struct slice text)
{
	uint64_t v;
	if (d->doc.place == POINT) {
		take_cost(d, key, text);
	} else if (d->doc.place == STACK) {
		mem_push(d->numbers, d->n_numbers, d->cap_numbers,
		         slice_u64(text, &v) && v < UINT32_MAX ? (uint32_t)v : UINT32_MAX);
		d->points[d->n_points - 1].n_frames++;
	}
}

static void take_string(struct dhat *d, struct slice key, struct slice text)
{
	if (d->doc.place == TABLE)
		valgrind_push(&d->table, d->sink, text);
	else if (d->doc.place == TOP && slice_is(key, "mode"))
		d->is_ad_hoc = slice_is(text, "ad-hoc");
	else if (d->doc.place == TOP && slice_is(key, "tu"))
		snprintf(d->time_unit, sizeof d->time_unit, "%.*s", (int)(text.n < 31 ? text.n : 31), text.s);
}

/* What follows keeps its place. */
static void take_odd(struct dhat *d)
{
	json_doc_skip(&d->doc, d->sink);
	if (d->doc.place == TABLE)
		frames_push(&d->table, sink_unknown(d->sink));
	else if (d->doc.place == STACK)
		take_number(d, d->doc.key, slice_of(""));
}

static bool dhat_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct dhat *d = state;
	enum json_token t;
	json_doc_feed(&d->doc, text, len);
	while ((t = json_doc_next(&d->doc)) > JSON_MORE) {
		if (t == JSON_NUMBER)
			take_number(d, d->doc.key, d->doc.text);
		else if (json_is_no_number(t) && d->doc.place == POINT)
			take_cost(d, d->doc.key, slice_of(""));
		else if (t == JSON_STRING)
			take_string(d, d->doc.key, d->doc.text);
		else if (t == JSON_OBJECT && d->doc.place == POINT)
			begin_point(d);
		else if (t == JSON_OBJECT_END && d->doc.place == POINT)
			end_point(d);
		else if (t == JSON_ODD)
			take_odd(d);
	}
	return t != JSON_ERROR || fail(err, "%s", d->doc.json.err.text);
}

static bool declare(struct dhat *d, uint32_t *series, struct err *err)
{
	struct column columns[N_COSTS] = {
		{"bytes", "bytes", false},         {"blocks", "blocks", false},       {"peak-bytes", "bytes", false},
		{"peak-blocks", "blocks", false},  {"end-bytes", "bytes", false},     {"end-blocks", "blocks", false},
		{"max-bytes", "bytes", false},     {"max-blocks", "blocks", false},   {"read-bytes", "bytes", false},
		{"written-bytes", "bytes", false}, {"lifetime", d->time_unit, false},
	};
	size_t first = N_COSTS;
	if (d->is_ad_hoc) {
		columns[0] = (struct column){"units", "units", false};
		columns[1] = (struct column){"events", "events", false};
	}
	for (size_t i = N_COSTS; i-- > 0;) {
		columns[i].is_absent = !d->has_cost[i];
		first = d->has_cost[i] ? i : first;
	}
	if (first == N_COSTS)
		return true;
	if (!columns_declare(d->sink, columns, N_COSTS, first, series, err))
		return false;
	columns_overlap(d->sink, series, N_COSTS);
	return true;
}

/* false: it has an unknown frame. */
static bool make_stack(struct dhat *d, const uint32_t *numbers, size_t n)
{
	d->stack.n = d->stack.n_sites = 0;
	for (size_t i = 0; i < n; i++) {
		uint32_t number = numbers[i];
		if (number >= d->table.n)
			return false;
		if (number)
			frames_push_of(&d->stack, &d->table, number);
	}
	frames_finish(&d->stack, d->sink);
	return true;
}

/* With the costs of the point set. */
static void emit_point(struct dhat *d, const uint32_t *numbers, size_t n, const uint32_t *series)
{
	struct profile *p = d->sink->profile;
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU};
	if (!make_stack(d, numbers, n)) {
		report_add_weight(&p->report, NOTE_SKIP, "stack of an unknown frame", NULL, 0, d->costs[0]);
		return;
	}
	uint32_t path = profile_path(p, d->stack.syms, d->stack.n);
	s.site = frames_site(&d->stack, d->sink);
	for (size_t i = 0; i < N_COSTS; i++) {
		s.weight = d->costs[i];
		s.series = series[i];
		if (s.weight)
			profile_add(p, d->sink->options->side, path, &s);
	}
}

static void emit(struct dhat *d, const uint32_t *series)
{
	const uint32_t *number = d->numbers;
	const uint64_t *value = d->values;
	for (size_t i = 0; i < d->n_points; i++) {
		const struct point *p = &d->points[i];
		for (size_t k = 0; k < N_COSTS; k++)
			d->costs[k] = p->costs >> k & 1 ? *value++ : 0;
		emit_point(d, number, p->n_frames, series);
		if (p->n_frames)
			number += p->n_frames;
	}
}

static bool dhat_finish(void *state, bool ok, struct err *err)
{
	struct dhat *d = state;
	uint32_t series[N_COSTS];
	ok = json_doc_end(&d->doc, d->sink, ok, err);
	if (d->is_in_point)
		end_point(d);
	if (declare(d, series, ok ? err : NULL))
		emit(d, series);
	else
		ok = false;
	json_doc_deinit(&d->doc);
	frames_deinit(&d->table);
	frames_deinit(&d->stack);
	free(d->points);
	free(d->numbers);
	free(d->values);
	free(d);
	return ok;
}

static enum sniff dhat_sniff(const struct head *head, const char **why)
{
	static const char *const keys[] = {"dhatFileVersion", "pps", NULL};
	*why = "not a JSON object with \"dhatFileVersion\" and \"pps\"";
	return json_head_has(head, keys) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_dhat = {
	.name = "dhat",
	.help = "DHAT: valgrind --tool=dhat (--value=bytes, blocks, peak-bytes, end-bytes, ...)",
	.sniff = dhat_sniff,
	.start = dhat_start,
	.feed = dhat_feed,
	.finish = dhat_finish,
	.is_text_stream = true,
	.effects = EFFECT_VALUE,
};
