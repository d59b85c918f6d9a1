/*
 * Charts with a time axis: how long samples last, that the lanes add up to the profile, and that boxes lie where time
 * passed, and nowhere else. Profiles are random, in widths so small that most frames are too thin.
 */
#include "tests/tap.h"

#include <inttypes.h>

#include "loading.h"
#include "model/lane_layout.h"
#include "stacks.h"

/* Samples of up to four threads, with gaps; some stacks are empty, some times are equal. */
static void profile_by_chance(struct profile *p, uint64_t seed, bool is_time, bool is_sampled)
{
	static const char *const stacks[] = {"", "main", "main;a", "main;a;b", "main;a;b;c", "main;d", "other;a"};
	static const uint64_t steps[] = {0, 1, 1000, 1000, 1000, 990, 1500, 9000, 100000};
	uint64_t now[4] = {5000000, 5000100, 5500000, 5000000};
	profile_init(p);
	uint32_t unit = is_time ? symtab_intern(&p->symtab, "ns", 2) : 0;
	uint32_t series = profile_series(p, symtab_intern(&p->symtab, "event", 5), unit);
	p->series[series].is_sampled = is_sampled;
	for (int i = 0; i < 400; i++) {
		uint32_t thread = chance(&seed, 4), path = PATH_ROOT;
		for (const char *s = stacks[chance(&seed, 7)]; *s;) {
			size_t len = strcspn(s, ";");
			path = profile_child(p, path, symtab_intern(&p->symtab, s, len));
			s += len + (s[len] == ';');
		}
		uint64_t step = steps[chance(&seed, 9)];
		struct sample sample = {.weight = is_time ? step / (1 + chance(&seed, 2)) : chance(&seed, 5),
		                        .time = chance(&seed, 50) ? now[thread] : NO_TIME,
		                        .series = series,
		                        .cpu = NO_CPU,
		                        .task = profile_task(p, symtab_intern(&p->symtab, "t", 1), 1, 10 + thread)};
		profile_add(p, 0, path, &sample);
		now[thread] += step;
		if (chance(&seed, 60) == 0)
			now[thread] -= now[thread] > 5050000 ? 5000 : 0; /* out of order */
	}
}

static bool fold_chart(struct profile *p, struct tree *t, enum chart_axis axis, const char *hidden)
{
	struct recipe r;
	struct err err;
	recipe_init(&r);
	r.chart = true;
	r.axis = axis;
	if (hidden)
		recipe_add_filter(&r, FILTER_IGNORE, MATCH_LITERAL, hidden);
	bool ok = fold(p, &r, t, NULL, &err);
	recipe_deinit(&r);
	return ok;
}

static void lanes_add_up(void)
{
	int wrong_sums = 0, wrong_trees = 0, wrong_totals = 0;
	char why[256] = "", found[256] = "";
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct profile p;
		struct tree t, plain;
		uint64_t sum = 0, samples = 0;
		profile_by_chance(&p, seed, seed % 2, seed % 3);
		if (!fold_chart(&p, &t, AXIS_TIME, seed % 5 ? NULL : "b") ||
		    !fold_chart(&p, &plain, AXIS_SAMPLES, seed % 5 ? NULL : "b"))
			bail_out("the fold failed");
		for (uint32_t lane = 0; lane < t.n_lanes; lane++) {
			sum += tree_lane_total(&t, lane);
			samples += t.lanes[lane].samples;
		}
		wrong_sums += sum != tree_total(&t, NODE_ALL) || (seed % 5 && samples != t.samples);
		wrong_totals +=
			tree_total(&t, NODE_ALL) + t.excluded[0] != tree_total(&plain, NODE_ALL) + plain.excluded[0] ||
			t.samples + t.untimed != plain.samples || !t.untimed || plain.untimed || plain.until || !t.until;
		if (!tree_check(&t, why, sizeof why)) {
			wrong_trees++;
			snprintf(found, sizeof found, "seed %" PRIu64 ", %s", seed, why);
		}
		tree_deinit(&t);
		tree_deinit(&plain);
		profile_deinit(&p);
	}
	is_int(wrong_sums, 0, "the lanes have all weight and all samples");
	is_int(wrong_totals, 0, "with either axis the chart has the same weight, but for samples without a time");
	is_int(wrong_trees, 0, "frames are within their callers' time, and do not overlap: %s", found);
}

/* ---- boxes --------------------------------------------------------------------------------------------------- */

struct laid {
	const struct tree *tree;
	struct lane_part part;
	struct layout l;
};

/* Does a frame of the lane on the root last within the cell? */
static bool is_busy(const struct laid *x, uint32_t col)
{
	const struct tree *t = x->tree;
	for (uint32_t i = t->lanes[x->part.lane].first; i < tree_lane_end(t, x->part.lane); i = t->end[i]) {
		uint64_t from = t->time[i] > x->part.span.from ? t->time[i] : x->part.span.from;
		bool is_visible = t->time[i] < x->part.span.to && t->until[i] >= x->part.span.from;
		uint64_t last = t->until[i] > from ? t->until[i] - 1 : from;
		if (is_visible && !tree_is_gap(t, i) && lane_layout_column(x->part.span, x->part.width, from) <= col &&
		    lane_layout_column(x->part.span, x->part.width, last) >= col)
			return true;
	}
	return false;
}

static bool idle_is_empty(const struct laid *x)
{
	for (uint32_t col = 0; col < x->part.width; col++)
		if (layout_at(&x->l, 0, col) != SIZE_MAX && !is_busy(x, col))
			return false;
	return true;
}

static bool busy_is_drawn(const struct laid *x)
{
	const struct tree *t = x->tree;
	for (uint32_t i = t->lanes[x->part.lane].first; i < tree_lane_end(t, x->part.lane); i = t->end[i])
		if (!tree_is_gap(t, i) && t->until[i] > x->part.span.from && t->time[i] < x->part.span.to &&
		    t->until[i] > t->time[i] && layout_find(&x->l, i) == SIZE_MAX)
			return false;
	return true;
}

static bool boxes_are_apart(const struct laid *x)
{
	const struct layout *l = &x->l;
	for (size_t r = 0; r < l->rows; r++)
		for (size_t i = l->row_start[r]; i < l->row_start[r + 1]; i++) {
			const struct box *b = &l->boxes[i];
			const struct box *up = r ? &l->boxes[l->row_start[r - 1] + b->parent] : NULL;
			if (b->end <= b->col || b->end > x->part.width || b->first > b->node || b->final < b->last)
				return false;
			if (up && (b->col < up->col || b->end > up->end || box_is_aggregate(up)))
				return false;
			if (x->tree->parent[b->node] != (up ? up->node : NODE_ALL))
				return false;
			if (i > l->row_start[r] && (b[-1].end > b->col || x->tree->end[b[-1].final] > b->first))
				return false;
		}
	return true;
}

static struct span span_by_chance(const struct tree *t, uint64_t *seed)
{
	struct span s = {t->time[0], t->until[0]};
	if (chance(seed, 3) == 0 || s.to - s.from < 10)
		return s;
	uint64_t width = s.to - s.from, from = s.from + chance(seed, (uint32_t)width - 1);
	return (struct span){from, from + 1 + chance(seed, (uint32_t)(s.to - from))};
}

static void boxes_are_right(void)
{
	int apart = 0, idle = 0, busy = 0;
	for (uint64_t seed = 1; seed <= 300; seed++) {
		struct profile p;
		struct tree t;
		uint64_t luck = seed * 77;
		profile_by_chance(&p, seed, seed % 2, seed % 3);
		fold_chart(&p, &t, AXIS_TIME, NULL);
		for (uint32_t lane = 0; lane < t.n_lanes; lane++)
			for (int i = 0; i < 5; i++) {
				struct laid x = {&t, {lane, span_by_chance(&t, &luck), 1 + chance(&luck, 120), 0, 1000}, {0}};
				layout_init(&x.l);
				lane_layout_make(&x.l, &t, &x.part);
				apart += !boxes_are_apart(&x);
				idle += !idle_is_empty(&x);
				busy += !busy_is_drawn(&x);
				layout_deinit(&x.l);
			}
		tree_deinit(&t);
		profile_deinit(&p);
	}
	is_int(apart, 0, "boxes do not overlap, and lie within their callers");
	is_int(idle, 0, "idle cells stay empty");
	is_int(busy, 0, "every frame that lasts has a box, or shares one");
}

/* ---- how long samples last ----------------------------------------------------------------------------------- */

static char *spans(const char *format, const char *text)
{
	struct profile p;
	struct tree t;
	struct buf out;
	if (!load_as(&p, format, text) || !fold_chart(&p, &t, AXIS_TIME, NULL))
		bail_out("the profile was not read");
	buf_init(&out);
	for (uint32_t lane = 0; lane < t.n_lanes; lane++)
		for (uint32_t i = t.lanes[lane].first; i < tree_lane_end(&t, lane); i++)
			buf_addf(&out, "%u %s %" PRIu64 "-%" PRIu64 "\n", lane,
			         tree_is_gap(&t, i) ? "(gap)" : p.symtab.symbols[t.sym[i]].name, t.time[i], t.until[i]);
	tree_deinit(&t);
	profile_deinit(&p);
	return buf_take(&out);
}

static void spans_are(const char *format, const char *text, const char *expected, const char *what)
{
	char *got = spans(format, text);
	is_str(got, expected, "%s", what);
	free(got);
}

#define EVENT(task, time, weight, event, leaf) \
	task " [000] " time ": " weight " " event ": \n\t401000 " leaf "+0x10 (/bin/x)\n\t401000 main+0x10 (/bin/x)\n\n"

static void lengths(void)
{
	spans_are("perf",
	          EVENT("x 1/1", "1.000000", "1000000", "cpu-clock", "a")
	              EVENT("x 1/1", "1.001010", "1000000", "cpu-clock", "a")
	                  EVENT("x 1/1", "1.001990", "1000000", "cpu-clock", "b")
	                      EVENT("x 1/1", "1.010000", "1000000", "cpu-clock", "b"),
	          "0 x 0-2990000\n0 main 0-2990000\n0 a 0-1990000\n0 b 1990000-2990000\n"
	          "0 x 10000000-11000000\n0 main 10000000-11000000\n0 b 10000000-11000000\n",
	          "a sample of a clock lasts until the next one, or for its weight");
	spans_are("perf",
	          EVENT("x 1/1", "1.000000", "77", "cycles", "a") EVENT("x 1/1", "1.002000", "5", "cycles", "a")
	              EVENT("x 1/1", "1.004000", "77", "cycles", "b") EVENT("x 1/1", "1.006000", "77", "cycles", "b")
	                  EVENT("y 1/2", "1.050000", "77", "cycles", "b"),
	          "0 x 0-8000000\n0 main 0-8000000\n0 a 0-4000000\n0 b 4000000-8000000\n"
	          "1 y 50000000-52000000\n1 main 50000000-52000000\n1 b 50000000-52000000\n",
	          "one of an event lasts for the usual distance");
	spans_are(
		"speedscope",
		"{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"a\"},"
		"{\"name\":\"b\"}]},\"profiles\":[{\"type\":\"evented\",\"name\":\"one\",\"unit\":\"nanoseconds\","
		"\"startValue\":0,\"endValue\":900,\"events\":[{\"type\":\"O\",\"frame\":0,\"at\":100},{\"type\":\"O\","
		"\"frame\":1,\"at\":150},{\"type\":\"C\",\"frame\":1,\"at\":160},{\"type\":\"C\",\"frame\":0,\"at\":200},"
		"{\"type\":\"O\",\"frame\":0,\"at\":210},{\"type\":\"C\",\"frame\":0,\"at\":900}]}]}",
		"0 a 0-100\n0 b 50-60\n0 (gap) 60-100\n0 a 110-800\n", "the spans of a trace are exact");
}

int main(void)
{
	lanes_add_up();
	boxes_are_right();
	lengths();
	return done_testing();
}
