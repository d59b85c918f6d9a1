/*
 * firefox.c - writes a view as a processed profile for the Firefox Profiler (profiler.firefox.com).
 *
 *	{"meta":{"interval":1,...,"preprocessedProfileVersion":55,...},"libs":[],"threads":[
 *	{"processType":"default",...,"name":"main","pid":"10","tid":"11",
 *	"samples":{"stack":[1,0],"time":[0,1],"weight":[5,2],"weightType":"samples","length":2},
 *	"stackTable":{"frame":[0,1],"prefix":[null,0],"length":2},
 *	"frameTable":{...,"func":[0,1],...},"funcTable":{"name":[0,1],...},...,"stringArray":["main","read"]}]}
 *
 * (github.com/firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md). Version 55 has all tables in the
 * threads; later versions of the Profiler convert it. A flame chart with a time axis has a thread for each lane,
 * and its times: a sample is a stretch of a frame without others on it, and one without a stack is where the thread
 * rests. Any other view is one thread whose samples have no times; they get the times 0, 1, 2 and so on, since the
 * Profiler draws samples by time, and the product says so.
 *
 * A function is one frame, since a view has no lines. Weights that are times become milliseconds. In a comparison
 * the baseline's weights are negative, as in the Profiler's own comparisons. If they are of another unit, nothing
 * can be subtracted: then the two sides are two threads.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/demangle.h"
#include "base/idmap.h"
#include "base/mem.h"
#include "base/number.h"
#include "export.h"
#include "json_text.h"
#include "model/origin.h"
#include "stacks.h"
#include "top.h"

#define VERSION 55
#define GECKO_VERSION 24 /* of the raw profiles that the version above is made of */
#define PIECE ((size_t)256 << 10)
#define NO_ROW UINT32_MAX
#define MS 3 /* powers of ten between a second and a millisecond */
#define NS_IN_MS 1000000
#define NS_IN_MS_DIGITS 6
#define LEAST_NS 1000
#define MOST_VISIBLE 10u /* threads that are shown at once */

/* Columns of the tables that differ from row to row. */
enum column {
	SAMPLE_STACK,
	SAMPLE_TIME,
	SAMPLE_WEIGHT,
	STACK_FRAME,
	STACK_PREFIX,
	FRAME_CATEGORY,
	FUNC_NAME,
	FUNC_IS_JS,
	FUNC_RESOURCE,
	FUNC_FILE,
	FUNC_LINE,
	RESOURCE_NAME,
	STRINGS,
	N_COLUMNS
};

struct writer {
	const struct view *view;
	const struct export_options *options;
	const struct symtab *symtab;
	struct output *out;
	struct buf text; /* to be written */
	/* of the thread */
	struct buf columns[N_COLUMNS];
	uint32_t n_samples, n_stacks, n_funcs, n_resources, n_strings;
	struct idmap stacks;    /* by parent and function */
	struct idmap funcs;     /* by symbol */
	struct idmap strings;   /* by symbol */
	struct idmap resources; /* by symbol */
	uint32_t *stack_of;     /* by node of the tree */
	uint32_t *path;         /* of a stack in the making */
	size_t cap_path;
	int places;       /* decimals of weights in the unit of the file; may be negative */
	const char *type; /* of weights */
	bool has_times;   /* of the view */
	bool has_side[2]; /* which sides of a comparison the thread has */
	bool is_apart;    /* each side has a thread of its own */
};

/* The last character stays, by which json_comma() knows whether a comma is due. */
static void flush(struct writer *w)
{
	size_t n = w->text.len;
	if (n <= PIECE)
		return;
	output_write(w->out, w->text.data, n - 1); /* a failure shows when the output is committed */
	w->text.data[0] = w->text.data[n - 1];
	w->text.len = 1;
}

/* The next number of a column. */
static void put(struct writer *w, enum column column, uint32_t v)
{
	struct buf *out = &w->columns[column];
	if (out->len)
		buf_addc(out, ',');
	if (v == NO_ROW)
		buf_adds(out, "null");
	else
		buf_addu(out, v);
}

/* ---- functions ----------------------------------------------------------------------------------------------- */

static uint32_t string(struct writer *w, const char *text, size_t n)
{
	struct buf *out = &w->columns[STRINGS];
	if (out->len)
		buf_adds(out, ",\n");
	json_exact_string(out, text, n);
	return w->n_strings++;
}

static uint32_t symbol_string(struct writer *w, uint32_t sym)
{
	const struct symbol *s = &w->symtab->symbols[sym = symtab_plain(w->symtab, sym)];
	uint32_t number;
	if (idmap_find(&w->strings, sym, &number))
		return number;
	number = string(w, s->name, s->len);
	idmap_add(&w->strings, sym, number);
	return number;
}

/* The name of a function as the view shows it, but for annotations and unprintable bytes, which stay. */
static uint32_t name_of(struct writer *w, uint32_t sym)
{
	const struct symbol *s = &w->symtab->symbols[sym];
	struct buf plain;
	buf_init(&plain);
	bool is_mangled = w->view->display.demangle && demangle(s->name, s->len, &plain);
	uint32_t number = is_mangled ? string(w, plain.data, plain.len) : symbol_string(w, sym);
	buf_deinit(&plain);
	return number;
}

static uint32_t resource_of(struct writer *w, uint32_t module)
{
	uint32_t number;
	if (!module)
		return NO_ROW;
	if (idmap_find(&w->resources, module, &number))
		return number;
	put(w, RESOURCE_NAME, symbol_string(w, module));
	idmap_add(&w->resources, module, w->n_resources);
	return w->n_resources++;
}

/* Of a symbol that is a function; 0: of one that is none. */
static void put_source(struct writer *w, uint32_t sym)
{
	uint32_t source = w->symtab->symbols[sym].source;
	const struct symbol *s = &w->symtab->symbols[source];
	uint64_t line;
	size_t n = origin_place(w->symtab, sym, &line);
	put(w, FUNC_FILE, !source ? NO_ROW : n == s->len ? symbol_string(w, source) : string(w, s->name, n));
	put(w, FUNC_LINE, line && line < INT32_MAX ? (uint32_t)line : NO_ROW);
}

/* The function and its frame, which have the same number. */
static uint32_t func_of(struct writer *w, uint32_t sym)
{
	struct origin from = view_origin(w->view, w->symtab, sym);
	enum frame_kind kind = symtab_kind(w->symtab, sym);
	uint32_t number;
	if (idmap_find(&w->funcs, sym, &number))
		return number;
	idmap_add(&w->funcs, sym, w->n_funcs);
	put(w, FRAME_CATEGORY, kind);
	put(w, FUNC_NAME, name_of(w, sym));
	uint32_t resource = resource_of(w, from.module);
	struct buf *resources = &w->columns[FUNC_RESOURCE], *is_js = &w->columns[FUNC_IS_JS];
	buf_addf(resources, resource == NO_ROW ? "%s-1" : "%s%u", resources->len ? "," : "", resource);
	buf_addf(is_js, "%s%s", is_js->len ? "," : "", kind == KIND_JIT ? "true" : "false");
	put_source(w, from.source ? sym : 0);
	return w->n_funcs++;
}

/* The stack of a function called from that of `parent`; NO_ROW: from none. */
static uint32_t stack_of(struct writer *w, uint32_t parent, uint32_t sym)
{
	uint32_t func = func_of(w, sym), number;
	uint64_t id = (uint64_t)parent << 32 | func;
	if (idmap_find(&w->stacks, id, &number))
		return number;
	idmap_add(&w->stacks, id, w->n_stacks);
	put(w, STACK_FRAME, func);
	put(w, STACK_PREFIX, parent);
	return w->n_stacks++;
}

/* ---- samples ------------------------------------------------------------------------------------------------- */

/* What the weights of a side are counted in. */
static void choose_unit(struct writer *w, bool is_baseline)
{
	const char *unit = view_unit_on(w->view, is_baseline);
	int scale = profile_time_scale(unit);
	w->places = (int)w->view->profile->decimals;
	w->type = strcmp(unit, "bytes") == 0 ? "bytes" : "samples";
	if (scale >= 0) {
		w->type = "tracing-ms";
		w->places += scale - MS;
	}
}

static void put_weight(struct writer *w, uint64_t weight, bool is_before)
{
	struct buf *out = &w->columns[SAMPLE_WEIGHT];
	uint64_t v = top_scaled(w->options, weight);
	buf_adds(out, out->len ? "," : "");
	buf_adds(out, is_before ? "-" : "");
	number_add_fixed(out, v, w->places > 0 ? (unsigned)w->places : 0);
	for (int i = w->places; v && i < 0; i++)
		buf_addc(out, '0');
}

/* time: ns; used if the view has times. */
static void add_sample(struct writer *w, uint32_t stack, uint64_t time, uint64_t weight, bool is_before)
{
	put(w, SAMPLE_STACK, stack);
	buf_adds(&w->columns[SAMPLE_TIME], w->columns[SAMPLE_TIME].len ? "," : "");
	number_add_fixed(&w->columns[SAMPLE_TIME], w->has_times ? time : w->n_samples,
	                 w->has_times ? NS_IN_MS_DIGITS : 0);
	put_weight(w, weight, is_before);
	w->n_samples++;
}

/* Side 1 is the baseline, wherever the widths come from. */
static void add_weights(struct writer *w, uint32_t stack, uint64_t time, const uint64_t weight[2])
{
	bool is_swapped = view_is_swapped(w->view);
	for (unsigned side = 0; side < 2; side++)
		if (w->has_side[side] && weight[side ^ is_swapped])
			add_sample(w, stack, time, weight[side ^ is_swapped], side && !w->is_apart);
}

/* A stack of a tree that is merged from the leaves. */
static void take_reversed(void *arg, const uint32_t *syms, size_t n, size_t same, const uint64_t weight[2])
{
	(void)same;
	struct writer *w = arg;
	uint32_t stack = NO_ROW;
	while (n-- > 0)
		stack = stack_of(w, stack, syms[n]);
	add_weights(w, stack, 0, weight);
}

/* The stack of the zoomed frame's caller. */
static uint32_t stack_below(struct writer *w, uint32_t node)
{
	const struct tree *t = &w->view->tree;
	size_t n = node == NODE_ALL ? 0 : tree_depth(t, t->parent[node]);
	uint32_t stack = NO_ROW;
	w->path = mem_grow(w->path, &w->cap_path, n + 1, sizeof *w->path);
	if (n)
		tree_path(t, t->parent[node], w->path, n);
	for (size_t i = 0; i < n; i++)
		stack = stack_of(w, stack, w->path[i]);
	return stack;
}

/* The stack of a node of a chart that is merged from the leaves: its last frame is the first on the root. */
static uint32_t stack_above(struct writer *w, uint32_t node)
{
	const struct tree *t = &w->view->tree;
	uint32_t stack = NO_ROW;
	for (; node != NODE_ALL; node = t->parent[node])
		stack = tree_is_gap(t, node) ? stack : stack_of(w, stack, t->sym[node]);
	return stack;
}

/* The thread rests between frames on the root: a sample of no weight says from when on. */
static void add_rest(struct writer *w, uint32_t node, uint32_t end)
{
	const struct tree *t = &w->view->tree;
	static const uint64_t last = UINT64_MAX;
	uint32_t next = t->end[node];
	if (!t->until || t->parent[node] != NODE_ALL)
		return;
	if (t->until[node] < (next < end ? t->time[next] : last))
		add_sample(w, NO_ROW, t->until[node], 0, false);
}

/* Adds the samples of nodes [first, end), each below its parent. */
static void add_nodes(struct writer *w, uint32_t first, uint32_t end)
{
	const struct tree *t = &w->view->tree;
	uint32_t rests = NO_NODE; /* the last frame on the root */
	for (uint32_t i = first; i < end && export_goes_on(w->options); i++) {
		uint32_t below = i == NODE_ALL ? NO_ROW : w->stack_of[t->parent[i]];
		const uint64_t weight[2] = {tree_self(t, i), tree_base_self(t, i)};
		if (rests != NO_NODE && i == t->end[rests]) {
			add_rest(w, rests, end);
			rests = NO_NODE;
		}
		if (i != NODE_ALL && t->parent[i] == NODE_ALL)
			rests = i;
		if (!t->is_reversed)
			w->stack_of[i] = i == NODE_ALL || tree_is_gap(t, i) ? below : stack_of(w, below, t->sym[i]);
		else if (weight[0] || weight[1])
			w->stack_of[i] = stack_above(w, i);
		add_weights(w, w->stack_of[i], w->has_times ? t->time[i] : 0, weight);
	}
	if (rests != NO_NODE)
		add_rest(w, rests, end);
}

/* ---- threads ------------------------------------------------------------------------------------------------- */

static void add_column(struct writer *w, const char *key, enum column column)
{
	json_key(&w->text, key);
	buf_addc(&w->text, '[');
	if (w->columns[column].len && export_goes_on(w->options))
		buf_add(&w->text, w->columns[column].data, w->columns[column].len);
	buf_addc(&w->text, ']');
	w->columns[column].len = 0;
	flush(w);
}

/* A column of the same value in each row. */
static void add_same(struct writer *w, const char *key, const char *value, uint32_t n)
{
	json_key(&w->text, key);
	buf_addc(&w->text, '[');
	for (uint32_t i = 0; i < n && export_goes_on(w->options); i++) {
		buf_adds(&w->text, i ? "," : "");
		buf_adds(&w->text, value);
		flush(w);
	}
	buf_addc(&w->text, ']');
}

/* A table without members begins. */
static void begin(struct writer *w, const char *key)
{
	json_newline(&w->text);
	json_key(&w->text, key);
	buf_addc(&w->text, '{');
}

static void end(struct writer *w, uint32_t length)
{
	json_add_count(&w->text, "length", length);
	buf_addc(&w->text, '}');
}

static void add_samples(struct writer *w)
{
	begin(w, "samples");
	add_column(w, "stack", SAMPLE_STACK);
	add_column(w, "time", SAMPLE_TIME);
	add_column(w, "weight", SAMPLE_WEIGHT);
	json_add_text(&w->text, "weightType", w->type, UTF8_CLEAN_UTF8);
	end(w, w->n_samples);
	begin(w, "markers");
	buf_adds(&w->text, "\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]");
	end(w, 0);
	begin(w, "stackTable");
	add_column(w, "frame", STACK_FRAME);
	add_column(w, "prefix", STACK_PREFIX);
	end(w, w->n_stacks);
}

static void add_frames(struct writer *w)
{
	static const char *const nulls[] = {"nativeSymbol", "innerWindowID", "line", "column"};
	uint32_t n = w->n_funcs;
	begin(w, "frameTable");
	add_same(w, "address", "-1", n);
	add_same(w, "inlineDepth", "0", n);
	add_column(w, "category", FRAME_CATEGORY);
	add_same(w, "subcategory", "0", n);
	json_key(&w->text, "func");
	buf_addc(&w->text, '[');
	for (uint32_t i = 0; i < n && export_goes_on(w->options); i++)
		buf_addf(&w->text, i ? ",%u" : "%u", i);
	buf_addc(&w->text, ']');
	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		add_same(w, nulls[i], "null", n);
	end(w, n);
}

static void add_functions(struct writer *w)
{
	uint32_t n = w->n_funcs;
	begin(w, "funcTable");
	add_column(w, "name", FUNC_NAME);
	add_column(w, "isJS", FUNC_IS_JS);
	add_same(w, "relevantForJS", "false", n);
	add_column(w, "resource", FUNC_RESOURCE);
	add_column(w, "fileName", FUNC_FILE);
	add_column(w, "lineNumber", FUNC_LINE);
	add_same(w, "columnNumber", "null", n);
	end(w, n);
	begin(w, "resourceTable");
	add_same(w, "lib", "null", w->n_resources);
	add_column(w, "name", RESOURCE_NAME);
	add_same(w, "host", "null", w->n_resources);
	add_same(w, "type", "1", w->n_resources); /* a library */
	end(w, w->n_resources);
	begin(w, "nativeSymbols");
	buf_adds(&w->text, "\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[]");
	end(w, 0);
	json_newline(&w->text);
	add_column(w, "stringArray", STRINGS);
}

static void end_thread(struct writer *w)
{
	add_samples(w);
	add_frames(w);
	add_functions(w);
	buf_addc(&w->text, '}');
	flush(w);
	w->n_samples = w->n_stacks = w->n_funcs = w->n_resources = w->n_strings = 0;
	idmap_deinit(&w->stacks);
	idmap_deinit(&w->funcs);
	idmap_deinit(&w->strings);
	idmap_deinit(&w->resources);
}

/* An id that is not known is a question mark with the number of the thread. */
static void add_id(struct writer *w, const char *key, int64_t id, uint32_t number)
{
	json_key(&w->text, key);
	if (id >= 0)
		buf_addf(&w->text, "\"%lld\"", (long long)id);
	else
		buf_addf(&w->text, "\"?%u\"", number);
}

static void begin_thread(struct writer *w, const char *name, size_t n, const struct task *task, uint32_t number)
{
	json_newline(&w->text);
	buf_adds(&w->text, "{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
	                   "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[]");
	json_key(&w->text, "name");
	json_exact_string(&w->text, name, n);
	json_add_bool(&w->text, "isMainThread", number == 1 || (task->pid >= 0 && task->pid == task->tid));
	add_id(w, "pid", task->pid, 0);
	add_id(w, "tid", task->tid, number);
}

static void add_lanes(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	for (uint32_t i = 0; i < t->n_lanes && export_goes_on(w->options); i++) {
		const struct task *task = &w->view->profile->tasks[t->lanes[i].task];
		const struct symbol *comm = &w->symtab->symbols[task->comm];
		begin_thread(w, comm->name, comm->len, task, i + 1);
		w->stack_of[NODE_ALL] = NO_ROW;
		add_nodes(w, t->lanes[i].first, tree_lane_end(t, i));
		end_thread(w);
	}
}

static void add_all(struct writer *w, const char *name, uint32_t number)
{
	static const struct task unknown = {.pid = -1, .tid = -1};
	const struct view *v = w->view;
	begin_thread(w, name, strlen(name), &unknown, number);
	if (!v->tree.is_chart) /* each frame is a stack */
		idmap_expect(&w->stacks, v->tree.end[v->zoom] - v->zoom);
	if (v->tree.is_reversed) {
		stacks_each(v, take_reversed, w, w->options->progress);
	} else {
		if (v->zoom != NODE_ALL)
			w->stack_of[v->tree.parent[v->zoom]] = stack_below(w, v->zoom);
		add_nodes(w, v->zoom, v->tree.end[v->zoom]);
	}
	end_thread(w);
}

static void add_threads(struct writer *w)
{
	bool is_diff = view_is_diff(w->view);
	w->is_apart = view_has_two_units(w->view);
	w->has_side[0] = true;
	w->has_side[1] = is_diff && !w->is_apart;
	if (w->view->tree.until)
		add_lanes(w);
	else
		add_all(w, w->is_apart ? "after" : "all", 1);
	if (!w->is_apart)
		return;
	w->has_side[0] = false;
	w->has_side[1] = true;
	choose_unit(w, true);
	add_all(w, "before", 2);
}

/* ---- the file ------------------------------------------------------------------------------------------------ */

/* The usual length of a sample: the width that the Profiler gives to one. */
static void add_interval(struct writer *w)
{
	const struct tree *t = &w->view->tree;
	uint64_t busy = 0, interval = NS_IN_MS;
	for (uint32_t i = 1; w->has_times && i < t->n; i = t->end[i])
		busy = u64_sum(busy, t->until[i] - t->time[i]);
	if (w->has_times && t->samples)
		interval = busy / t->samples > LEAST_NS ? busy / t->samples : LEAST_NS;
	json_key(&w->text, "interval");
	number_add_fixed(&w->text, interval, NS_IN_MS_DIGITS);
}

static void add_product(struct writer *w)
{
	const struct profile *p = w->view->profile;
	struct buf product;
	buf_init(&product);
	buf_adds(&product, p->n_files ? p->files[0].name : "");
	buf_adds(&product, product.len ? " (flametop" : "flametop (");
	if (!w->has_times)
		buf_addf(&product, "%s", p->n_files ? ", without times: samples follow each other" : "without times");
	buf_addc(&product, ')');
	json_add_text(&w->text, "product", buf_str(&product), UTF8_CLEAN_UTF8);
	buf_deinit(&product);
}

static void add_entry(struct writer *w, const char *label, const char *value)
{
	json_comma(&w->text);
	buf_addc(&w->text, '{');
	json_add_text(&w->text, "label", label, UTF8_CLEAN_UTF8);
	json_add_text(&w->text, "format", "string", UTF8_CLEAN_UTF8);
	json_add_text(&w->text, "value", value, UTF8_CLEAN_UTF8);
	buf_addc(&w->text, '}');
}

/* What is counted, and what the view leaves out: the Profiler shows it among the facts on a profile. */
static void add_extra(struct writer *w)
{
	const char *event = view_event_on(w->view, false);
	struct buf notes;
	buf_init(&notes);
	top_add_notes(&notes, w->view, w->options, "", "\n");
	top_add_idle(&notes, w->view, w->options, "", "\n");
	json_newline(&w->text);
	json_key(&w->text, "extra");
	buf_adds(&w->text, "[{\"label\":\"flametop\",\"entries\":[");
	if (*event)
		add_entry(w, "Event", event);
	add_entry(w, "Unit", view_unit_on(w->view, false));
	if (view_has_two_units(w->view))
		add_entry(w, "Unit before", view_unit_on(w->view, true));
	for (char *line = (char *)buf_str(&notes); *line;) {
		char *eol = line + strcspn(line, "\n");
		char *next = eol + (*eol == '\n');
		*eol = '\0';
		add_entry(w, "Note", line);
		line = next;
	}
	buf_adds(&w->text, "]}]");
	buf_deinit(&notes);
}

/* By enum frame_kind, in the colours of the palette `kind` as far as the Profiler has them. */
static void add_categories(struct writer *w)
{
	static const struct {
		const char *name, *color;
	} categories[] = {
		[KIND_UNKNOWN] = {"Other", "grey"},        [KIND_USER] = {"User", "yellow"},
		[KIND_KERNEL] = {"Kernel", "orange"},      [KIND_JIT] = {"JIT", "green"},
		[KIND_INLINED] = {"Inlined", "lightblue"}, [KIND_PROCESS] = {"Process", "purple"},
		[KIND_LANGUAGE] = {"Interpreted", "blue"}, [KIND_LOOP] = {"Interpreter", "yellow"},
		[KIND_REPLACED] = {"User", "yellow"},
	};
	json_newline(&w->text);
	json_key(&w->text, "categories");
	buf_addc(&w->text, '[');
	for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
		buf_addf(&w->text, "%s{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}", i ? "," : "",
		         categories[i].name, categories[i].color);
	buf_addc(&w->text, ']');
}

static void add_meta(struct writer *w)
{
	uint32_t n = w->view->tree.n_lanes + 2 * view_has_two_units(w->view);
	buf_adds(&w->text, "{\"meta\":{");
	add_interval(w);
	buf_addf(&w->text, ",\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"version\":%d", GECKO_VERSION);
	json_add_count(&w->text, "preprocessedProfileVersion", VERSION);
	add_product(w);
	json_add_text(&w->text, "importedFrom", "flametop", UTF8_CLEAN_UTF8);
	buf_adds(&w->text, ",\"symbolicated\":true,\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[]");
	json_key(&w->text, "initialVisibleThreads");
	buf_addc(&w->text, '[');
	for (uint32_t i = 0; i < (n ? n : 1) && i < MOST_VISIBLE; i++)
		buf_addf(&w->text, i ? ",%u" : "%u", i);
	buf_addc(&w->text, ']');
	add_categories(w);
	add_extra(w);
	buf_adds(&w->text, "},\n\"libs\":[],\n\"threads\":[");
}

static bool firefox_write(const struct view *v, const struct export_options *o, struct output *out, struct err *err)
{
	struct symtab marked;
	struct writer w = {.view = v, .options = o, .symtab = view_file_names(v, &marked), .out = out};
	(void)err; /* a failed write shows when the output is committed */
	for (size_t i = 0; i < N_COLUMNS; i++)
		buf_init(&w.columns[i]);
	buf_init(&w.text);
	w.stack_of = mem_alloc(((size_t)v->tree.n + 1) * sizeof *w.stack_of);
	w.has_times = v->tree.until != NULL;
	choose_unit(&w, false);
	add_meta(&w);
	add_threads(&w);
	buf_adds(&w.text, "]}\n");
	output_flush_buf(out, &w.text);
	for (size_t i = 0; i < N_COLUMNS; i++)
		buf_deinit(&w.columns[i]);
	buf_deinit(&w.text);
	free(w.stack_of);
	free(w.path);
	symtab_deinit(&marked);
	return true;
}

const struct export_kind export_firefox = {
	.name = "firefox",
	.bit = EXPORT_FIREFOX,
	.help = "a profile for profiler.firefox.com: drop the file on the page",
	.holds = EXPORT_HOLDS(FLAME),
	.has_lanes = true,
	.write = firefox_write,
};
