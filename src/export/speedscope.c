/*
 * speedscope.c - writes a view as a file for speedscope.app, and for what else reads its format.
 *
 *	{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"flametop 1.0.0","name":"a.perf",
 *	"profiles":[
 *	{"type":"sampled","name":"cycles","unit":"none","startValue":0,"endValue":30,"samples":[
 *	[0,1],
 *	[0,2]
 *	],"weights":[20,10]}
 *	],"shared":{"frames":[
 *	{"name":"main"},{"name":"read","file":"io.c","line":7}
 *	]}}
 *
 * A flame chart with a time axis has an "evented" profile for each lane:
 *
 *	{"type":"evented","name":"worker","unit":"nanoseconds","startValue":0,"endValue":90,"events":[
 *	{"type":"O","frame":0,"at":0},{"type":"C","frame":0,"at":90}]}
 *
 * (github.com/jlfwong/speedscope/wiki/Importing-from-custom-sources). A stack goes from the root of calls to the
 * leaf, whichever way the tree is merged. A comparison is two profiles: after and before.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/number.h"
#include "export.h"
#include "json_text.h"
#include "model/origin.h"
#include "model/words.h"
#include "stacks.h"
#include "top.h"

#define PIECE ((size_t)256 << 10)

struct writer {
	const struct view *view;
	const struct export_options *options;
	const struct symtab *symtab;
	struct output *out;
	struct buf text;     /* to be written */
	struct buf frames;   /* the table of frames */
	uint32_t *numbers;   /* by symbol: its number in that table, from 1; 0: none yet */
	struct idmap places; /* the same by name and file: frames have no modules */
	struct symtab files; /* without their lines */
	uint32_t n_frames;
	struct buf weights; /* of the samples written */
	uint64_t total;     /* their sum */
	unsigned side;      /* whose weights */
};

/* The last byte stays: it tells whether a comma goes before what follows. */
static void flush_piece(struct writer *w)
{
	if (w->text.len < PIECE)
		return;
	output_write(w->out, w->text.data, w->text.len - 1); /* a failure shows when the output is committed */
	w->text.data[0] = w->text.data[w->text.len - 1];
	w->text.len = 1;
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static void add_source(const struct symtab *t, uint32_t sym, struct buf *out)
{
	uint64_t line;
	size_t n = origin_place(t, sym, &line);
	json_key(out, "file");
	json_exact_string(out, t->symbols[t->symbols[sym].source].name, n);
	if (line)
		json_add_count(out, "line", line);
}

/* What tells frames apart: the name and the file. */
static uint64_t place_of(struct writer *w, uint32_t sym)
{
	const struct symtab *t = w->symtab;
	uint32_t source = view_origin(w->view, t, sym).source, file = 0;
	uint64_t line;
	if (source)
		file = symtab_intern(&w->files, t->symbols[source].name, origin_place(t, sym, &line));
	return (uint64_t)symtab_plain(t, sym) << 32 | file;
}

static uint32_t frame_of(struct writer *w, uint32_t sym)
{
	const struct symtab *t = w->symtab;
	const struct symbol *s = &t->symbols[sym];
	uint32_t known;
	if (w->numbers[sym])
		return w->numbers[sym] - 1;
	uint64_t place = place_of(w, sym);
	if (idmap_find(&w->places, place, &known)) {
		w->numbers[sym] = known;
		return known - 1;
	}
	json_newline(&w->frames);
	buf_addc(&w->frames, '{');
	json_key(&w->frames, "name");
	json_exact_string(&w->frames, s->name, s->len);
	if (view_origin(w->view, t, sym).source)
		add_source(t, sym, &w->frames);
	buf_addc(&w->frames, '}');
	w->numbers[sym] = ++w->n_frames;
	idmap_add(&w->places, place, w->n_frames);
	return w->n_frames - 1;
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

static void add_number(const struct writer *w, struct buf *out, uint64_t weight)
{
	number_add_fixed(out, weight, w->view->profile->decimals);
}

static void add_sample(void *arg, const uint32_t *syms, size_t n, size_t same, const uint64_t weight[2])
{
	(void)same;
	struct writer *w = arg;
	bool is_leaf_first = w->view->tree.is_reversed;
	uint64_t scaled = top_scaled(w->options, weight[w->side]);
	if (!scaled)
		return;
	json_newline(&w->text);
	buf_addc(&w->text, '[');
	for (size_t i = 0; i < n; i++) {
		buf_adds(&w->text, i ? "," : "");
		buf_addu(&w->text, frame_of(w, syms[is_leaf_first ? n - 1 - i : i]));
	}
	buf_addc(&w->text, ']');
	json_comma(&w->weights);
	add_number(w, &w->weights, scaled);
	weight_add(&w->total, scaled);
	flush_piece(w);
}

/* side: 0 after, 1 before */
static const char *unit_of(const struct view *v, unsigned side)
{
	static const struct {
		const char *ours, *theirs;
	} units[] = {{"ns", "nanoseconds"},
	             {"us", "microseconds"},
	             {"ms", "milliseconds"},
	             {"s", "seconds"},
	             {"bytes", "bytes"}};
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(view_unit_on(v, side), units[i].ours) == 0)
			return units[i].theirs;
	return "none";
}

/* What the format has no words for. */
static void add_counted(struct writer *w, unsigned side)
{
	const char *event = view_event_on(w->view, side), *unit = view_unit_on(w->view, side);
	if (*event)
		json_add_text(&w->text, "event", event, UTF8_CLEAN_UTF8);
	if (strcmp(unit_of(w->view, side), "none") == 0 && strcmp(unit, "samples") != 0)
		json_add_text(&w->text, "counted", unit, UTF8_CLEAN_UTF8);
}

/* What is missing in the weights. */
static void add_notes(const struct writer *w, struct buf *name)
{
	top_add_notes(name, w->view, w->options, "; ", "");
	top_add_idle(name, w->view, w->options, "; ", "");
}

/* The event, the side of a comparison, and what the view leaves out. */
static void add_name(struct writer *w, unsigned side, const char *of_side)
{
	const struct view *v = w->view;
	const char *event = view_event_on(v, side);
	struct buf name;
	buf_init(&name);
	buf_adds(&name, *event ? event : view_unit_on(v, side));
	buf_adds(&name, of_side);
	add_notes(w, &name);
	json_add_text(&w->text, "name", buf_str(&name), UTF8_CLEAN_UTF8);
	buf_deinit(&name);
}

static void begin_profile(struct writer *w, const char *type)
{
	json_newline(&w->text);
	buf_addf(&w->text, "{\"type\":\"%s\"", type);
}

/* Side 1 is the baseline, wherever the widths come from. */
static void add_sampled(struct writer *w, unsigned side, const char *name)
{
	bool is_swapped = view_is_swapped(w->view);
	w->side = side ^ is_swapped;
	w->total = 0;
	w->weights.len = 0;
	begin_profile(w, "sampled");
	add_name(w, side, name);
	json_add_text(&w->text, "unit", unit_of(w->view, side), UTF8_CLEAN_ASCII);
	add_counted(w, side);
	buf_adds(&w->text, ",\"samples\":[");
	stacks_each(w->view, add_sample, w, w->options->progress);
	buf_adds(&w->text, "\n],\"weights\":[");
	buf_add(&w->text, w->weights.data, w->weights.len);
	buf_adds(&w->text, "],\"startValue\":0,\"endValue\":");
	add_number(w, &w->text, w->total);
	buf_addc(&w->text, '}');
}

/* ---- lanes --------------------------------------------------------------------------------------------------- */

struct lane_walk {
	struct writer *writer;
	struct span span;
	uint32_t *open; /* nodes around, root first; of a tree merged from the leaves, their symbols */
	size_t n, cap;
	uint64_t lasts, weighs; /* sums of the stacks shown, in ns and in the unit of the view */
	uint64_t n_short;       /* stacks that have weight, and last no time */
};

static uint64_t within(const struct lane_walk *l, uint64_t time)
{
	return time < l->span.from ? l->span.from : time > l->span.to ? l->span.to : time;
}

static void add_event_of(struct lane_walk *l, char type, uint32_t sym, uint64_t time)
{
	struct writer *w = l->writer;
	json_newline(&w->text);
	buf_addf(&w->text, "{\"type\":\"%c\"", type);
	json_add_count(&w->text, "frame", frame_of(w, sym));
	json_add_count(&w->text, "at", within(l, time));
	buf_addc(&w->text, '}');
	flush_piece(w);
}

static void add_event(struct lane_walk *l, char type, uint32_t node)
{
	const struct tree *t = &l->writer->view->tree;
	add_event_of(l, type, t->sym[node], type == 'O' ? t->time[node] : t->until[node]);
}

static void close_frames(struct lane_walk *l, uint32_t before)
{
	const struct tree *t = &l->writer->view->tree;
	while (l->n && t->end[l->open[l->n - 1]] <= before)
		add_event(l, 'C', l->open[--l->n]);
}

static bool is_within(const struct lane_walk *l, uint32_t node)
{
	const struct tree *t = &l->writer->view->tree;
	return t->time[node] < l->span.to && t->until[node] > l->span.from;
}

static bool is_visible(const struct lane_walk *l, uint32_t node)
{
	return is_within(l, node) && !tree_is_gap(&l->writer->view->tree, node);
}

static void count_top(struct lane_walk *l, uint32_t node)
{
	const struct tree *t = &l->writer->view->tree;
	weight_add(&l->lasts, t->until[node] - t->time[node]);
	weight_add(&l->weighs, tree_total(t, node));
}

/* Of several samples of one time in a lane, only the last one lasts. */
static void count_short(struct lane_walk *l, uint32_t first, uint32_t end)
{
	const struct tree *t = &l->writer->view->tree;
	for (uint32_t i = first; i < end; i++) {
		bool is_end = t->end[i] == i + 1, is_short = t->until[i] == t->time[i] && tree_total(t, i) > 0;
		l->n_short += is_end && is_short && t->time[i] >= l->span.from && t->time[i] < l->span.to;
	}
}

static void add_events(struct lane_walk *l, uint32_t first, uint32_t end)
{
	const struct tree *t = &l->writer->view->tree;
	for (uint32_t i = first; i < end && export_goes_on(l->writer->options);) {
		close_frames(l, i);
		if (!is_visible(l, i)) {
			i = t->end[i];
			continue;
		}
		if (!l->n)
			count_top(l, i);
		add_event(l, 'O', i);
		mem_push(l->open, l->n, l->cap, i++);
	}
	close_frames(l, end);
}

static void close_symbols(struct lane_walk *l, size_t kept, uint64_t time)
{
	while (l->n > kept)
		add_event_of(l, 'C', l->open[--l->n], time);
}

/* Goes on with the stack of a node, whose last frame is the first on the root. Frames that it shares stay open. */
static void turn_to(struct lane_walk *l, uint32_t node, uint64_t last)
{
	const struct tree *t = &l->writer->view->tree;
	uint64_t time = t->time[node];
	size_t at = 0;
	if (time != last)
		close_symbols(l, 0, last);
	for (uint32_t i = node; i != NODE_ALL; i = t->parent[i]) {
		if (tree_is_gap(t, i))
			continue;
		if (at < l->n && l->open[at] != t->sym[i])
			close_symbols(l, at, last);
		if (at == l->n) {
			add_event_of(l, 'O', t->sym[i], time);
			mem_push(l->open, l->n, l->cap, t->sym[i]);
		}
		at++;
	}
	close_symbols(l, at, last);
}

/* The lane of a tree that is merged from the leaves: each end of a stack is a whole one, from the root on. */
static void add_turned(struct lane_walk *l, uint32_t first, uint32_t end)
{
	const struct tree *t = &l->writer->view->tree;
	uint64_t last = 0;
	for (uint32_t i = first; i < end && export_goes_on(l->writer->options); i++) {
		if (!is_within(l, i))
			continue;
		if (t->parent[i] == NODE_ALL && !tree_is_gap(t, i))
			count_top(l, i);
		if (t->end[i] != i + 1)
			continue;
		turn_to(l, i, last);
		last = t->until[i];
	}
	close_symbols(l, 0, last);
}

static void add_lane(struct lane_walk *l, uint32_t lane)
{
	struct writer *w = l->writer;
	const struct tree *t = &w->view->tree;
	struct buf name;
	buf_init(&name);
	words_add_lane(&name, w->view, lane, UTF8_CLEAN_UTF8);
	begin_profile(w, "evented");
	json_add_text(&w->text, "name", buf_str(&name), UTF8_CLEAN_UTF8);
	json_add_text(&w->text, "unit", "nanoseconds", UTF8_CLEAN_ASCII);
	json_add_count(&w->text, "startValue", l->span.from);
	json_add_count(&w->text, "endValue", l->span.to);
	buf_adds(&w->text, ",\"events\":[");
	(t->is_reversed ? add_turned : add_events)(l, t->lanes[lane].first, tree_lane_end(t, lane));
	count_short(l, t->lanes[lane].first, tree_lane_end(t, lane));
	buf_adds(&w->text, "\n]}");
	buf_deinit(&name);
}

/* Spans of a trace last as long as they weigh, samples only about. */
static void tell_loss(const struct lane_walk *l)
{
	const struct view *v = l->writer->view;
	struct export_loss *loss = l->writer->options->loss;
	int scale = profile_time_scale(view_unit(v));
	bool differs = scale < 0 || with_decimals(l->weighs, v->profile->decimals + (unsigned)scale, 9) != l->lasts;
	if (loss && (differs || l->n_short))
		*loss = (struct export_loss){
			.wanted = l->weighs, .written = l->lasts, .stacks = l->n_short, .is_of_times = true};
}

static void add_lanes(struct writer *w)
{
	struct lane_walk l = {.writer = w, .span = view_span(w->view)};
	for (uint32_t i = 0; i < w->view->tree.n_lanes && export_goes_on(w->options); i++)
		add_lane(&l, i);
	tell_loss(&l);
	free(l.open);
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

static void add_profiles(struct writer *w)
{
	bool is_diff = view_is_diff(w->view);
	if (w->view->tree.until) {
		add_lanes(w);
		return;
	}
	add_sampled(w, 0, is_diff ? " after" : "");
	if (is_diff)
		add_sampled(w, 1, " before");
}

/* The file that was read. The names of lanes are those of threads, so what their chart leaves out follows it. */
static void add_document_name(struct writer *w)
{
	const struct profile *p = w->view->profile;
	struct buf name;
	buf_init(&name);
	buf_adds(&name, p->n_files ? p->files[0].name : "");
	if (w->view->tree.until) {
		buf_adds(&name, w->view->span.to ? "; " : "");
		words_add_span(&name, w->view, true);
		add_notes(w, &name);
	}
	json_add_text(&w->text, "name", buf_str(&name), UTF8_CLEAN_UTF8);
	buf_deinit(&name);
}

static bool speedscope_write(const struct view *v, const struct export_options *o, struct output *out,
                             struct err *err)
{
	struct symtab marked;
	struct writer w = {.view = v, .options = o, .symtab = view_file_names(v, &marked), .out = out};
	(void)err; /* a failed write shows when the output is committed */
	w.numbers = mem_zalloc(w.symtab->n + 1, sizeof *w.numbers);
	symtab_init(&w.files);
	buf_adds(&w.text, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
	                  "\"exporter\":\"flametop " FLAMETOP_VERSION "\"");
	add_document_name(&w);
	buf_adds(&w.text, ",\n\"profiles\":[");
	add_profiles(&w);
	buf_adds(&w.text, "\n],\"shared\":{\"frames\":[");
	output_flush_buf(out, &w.text);
	output_flush_buf(out, &w.frames);
	buf_adds(&w.text, "\n]}}\n");
	output_write(out, w.text.data, w.text.len);
	buf_deinit(&w.text);
	buf_deinit(&w.frames);
	buf_deinit(&w.weights);
	free(w.numbers);
	idmap_deinit(&w.places);
	symtab_deinit(&w.files);
	symtab_deinit(&marked);
	return true;
}

const struct export_kind export_speedscope = {
	.name = "speedscope",
	.bit = EXPORT_SPEEDSCOPE,
	.help = "a profile for speedscope.app",
	.holds = EXPORT_HOLDS(FLAME),
	.has_lanes = true,
	.write = speedscope_write,
};
