/*
 * pyinstrument.c - parses the trees of pyinstrument -r json, and the sessions that it saves (.pyisession).
 *
 *	{"start_time":1700000000.5,"duration":0.5,"sample_count":500,"target_description":"Program: a.py",
 *	 "cpu_time":0.4,"root_frame":{
 *	   "function":"<module>","file_path_short":"a.py","file_path":"/w/a.py","line_no":1,"time":0.5,
 *	   "await_time":0.0,"is_application_code":true,"children":[
 *	     {"function":"run","file_path":"/w/a.py","line_no":7,"time":0.3,...,"children":[],"class_name":"Job"}]}}
 *
 *	{"start_time":1700000000.5,"duration":0.5,...,"frame_records":[
 *	   [["<module>\u0000/w/a.py\u00001\u0001l12","run\u0000/w/a.py\u00007\u0001cJob\u0001l8"],0.3],...]}
 *
 * In a tree, the time of a node is that of its callees as well, in seconds with six decimals. Nodes of the tool's
 * own stand for the time of their caller alone. A session has stacks in the order of time, root first, each for as
 * long as its number says. An identifier is a name, a file and the line where the function begins; attributes are
 * the class (c) and the executed line (l).
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/memo.h"
#include "collapse/text/nested.h"
#include "collapse/text/time_rest.h"

#define NS_DIGITS 9 /* seconds become nanoseconds */

enum place { TOP = 1, NODE, CHILDREN, RECORDS, RECORD, STACK };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "root_frame", '{', NODE},
	{NODE, "children", '[', CHILDREN},
	{CHILDREN, NULL, '{', NODE},
	{TOP, "frame_records", '[', RECORDS},
	{RECORDS, NULL, JSON_NUMBERS, RECORD},
	{RECORD, NULL, JSON_STRINGS, STACK},
	{TOP, "start_time", JSON_NUMBER_MEMBER, 0},
	{NODE, "function", JSON_STRING_MEMBER, 0},
	{NODE, "class_name", JSON_STRING_MEMBER, 0},
	{NODE, "file_path", JSON_STRING_MEMBER, 0},
	{NODE, "line_no", JSON_NUMBER_MEMBER, 0},
};

/* A node whose end has not come. */
struct python_node {
	struct buf function, class, file;
	uint64_t line;
};

/* What an identifier stands for. */
struct python_frame {
	uint32_t sym, site; /* site: its number + 1; 0: unknown */
};

struct pyinstrument {
	struct sink *sink;
	struct json_doc doc;
	struct time_rest rest;
	struct nested tree;
	struct python_node *open;
	size_t n_open, cap_open;
	struct memo identifiers;
	struct python_frame *known; /* by number of the identifier */
	size_t n_known, cap_known;
	struct frames stack;
	struct buf name;
	uint64_t start, passed; /* ns */
	bool has_stack;         /* of the record being read */
	bool has_time;          /* likewise */
	uint32_t series;
};

static void *pyinstrument_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct pyinstrument *y = mem_zalloc(1, sizeof *y);
	y->sink = sink;
	y->series = profile_series(sink->profile, sink_sym(sink, "time", 4), sink_sym(sink, "ns", 2));
	profile_note_grain(sink->profile, y->series, sink->options->side, NS_DIGITS);
	json_doc_init(&y->doc, rules, sizeof rules / sizeof *rules);
	y->doc.tells_members = true;
	memo_init(&y->identifiers);
	return y;
}

static void skip_time(struct pyinstrument *y, struct slice text)
{
	sink_skip(y->sink, "not a time (expected seconds)", y->doc.json.line, text.s, text.n);
}

/* Nanoseconds; false: not a time. */
static bool read_time(struct pyinstrument *y, struct slice text, uint64_t *ns)
{
	int64_t v;
	if (time_rest_read(&y->rest, text, NS_DIGITS, &v) && v >= 0) {
		*ns = (uint64_t)v;
		return true;
	}
	skip_time(y, text);
	return false;
}

/* Its parts of a nanosecond are no part of any sample. */
static void read_start(struct pyinstrument *y, struct slice text)
{
	int64_t v;
	if (decimal_scaled(text.s, text.n, NS_DIGITS, &v) && v >= 0)
		y->start = (uint64_t)v;
	else
		skip_time(y, text);
}

/* "Job.run" */
static uint32_t python_frame(struct pyinstrument *y, struct slice class, struct slice function, struct slice file,
                             uint64_t line)
{
	y->name.len = 0;
	buf_add(&y->name, class.s, class.n);
	buf_adds(&y->name, class.n ? "." : "");
	buf_add(&y->name, function.s, function.n);
	uint32_t sym = sink_frame(y->sink, y->name.data, y->name.len);
	return sink_source(y->sink, sym, file.s, file.n, line);
}

static struct slice text_of(const struct buf *b)
{
	return (struct slice){b->len ? b->data : "", b->len};
}

/* ---- the tree ------------------------------------------------------------------------------------------------ */

static void begin_node(struct pyinstrument *y)
{
	struct python_node o = {.line = 0};
	if (!nested_begin(&y->tree)) {
		json_doc_leave(&y->doc);
		return;
	}
	buf_init(&o.function);
	buf_init(&o.class);
	buf_init(&o.file);
	mem_push(y->open, y->n_open, y->cap_open, o);
}

/* "[self]" is the time of the caller alone; "[root]" stands above several roots. */
static void end_node(struct pyinstrument *y)
{
	struct python_node *o = &y->open[--y->n_open];
	struct slice function = text_of(&o->function);
	if (!function.n && y->n_open)
		sink_warn(y->sink, NAMELESS, y->doc.json.line, NULL, 0);
	if (function.n && !slice_is(function, "[self]") && !slice_is(function, "[root]"))
		nested_top(&y->tree)->sym = python_frame(y, text_of(&o->class), function, text_of(&o->file), o->line);
	nested_end(&y->tree);
	buf_deinit(&o->function);
	buf_deinit(&o->class);
	buf_deinit(&o->file);
}

static void take_node_number(struct pyinstrument *y, struct slice key, struct slice text)
{
	struct python_node *o = &y->open[y->n_open - 1];
	if (slice_is(key, "time"))
		read_time(y, text, &nested_top(&y->tree)->weight);
	else if (slice_is(key, "line_no") && !slice_u64(text, &o->line))
		o->line = 0;
}

static void take_node_string(struct pyinstrument *y, struct slice key, struct slice text)
{
	struct python_node *o = &y->open[y->n_open - 1];
	struct buf *to = slice_is(key, "function")     ? &o->function
	                 : slice_is(key, "class_name") ? &o->class
	                 : slice_is(key, "file_path")  ? &o->file
	                                               : NULL;
	if (!to)
		return;
	to->len = 0;
	buf_add(to, text.s, text.n);
}

/* ---- sessions ------------------------------------------------------------------------------------------------ */

/* Makes a frame of an identifier with its attributes. */
static struct python_frame read_identifier(struct pyinstrument *y, struct slice text)
{
	struct python_frame f = {0};
	struct slice identifier = slice_take_until(&text, 1), function = slice_take_until(&identifier, 0);
	struct slice file = slice_take_until(&identifier, 0), class = {"", 0};
	uint64_t line = 0, executed = 0;
	slice_u64(identifier, &line);
	while (text.n) {
		struct slice attribute = slice_take_until(&text, 1);
		if (slice_take(&attribute, "c"))
			class = attribute;
		else if (slice_take(&attribute, "l"))
			slice_u64(attribute, &executed);
	}
	f.sym = python_frame(y, class, function, file, line);
	if (y->sink->options->wants_sites && executed && executed <= UINT32_MAX) {
		struct site site = {.sym = f.sym, .line = (uint32_t)executed};
		site.file = file.n ? sink_file(y->sink, file.s, file.n) : 0;
		f.site = profile_site(y->sink->profile, &site) + 1;
	}
	return f;
}

static void push_identifier(struct pyinstrument *y, struct slice text)
{
	struct memo_hit hit = memo_find(&y->identifiers, text.s, text.n);
	if (hit.is_new)
		mem_push(y->known, y->n_known, y->cap_known, read_identifier(y, text));
	frames_push(&y->stack, hit.index);
}

/* The stack holds numbers of identifiers until its time is known. */
static void emit_record(struct pyinstrument *y, struct slice text)
{
	struct profile *p = y->sink->profile;
	struct sample s = {.time = y->start + y->passed, .cpu = NO_CPU, .series = y->series};
	y->has_time = true;
	if (!read_time(y, text, &s.weight) || !s.weight)
		return;
	weight_add(&y->passed, s.weight);
	if (!y->has_stack) {
		report_add_weight(&p->report, NOTE_SKIP, "record without a stack", NULL, 0, s.weight);
		return;
	}
	for (size_t i = 0; i < y->stack.n; i++) {
		const struct python_frame *f = &y->known[y->stack.syms[i]];
		if (f->site)
			s.site = sites_child(p->sites, s.site, f->site - 1);
		y->stack.syms[i] = f->sym;
	}
	if (!y->stack.n)
		frames_push(&y->stack, sink_sym(y->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	sink_stack(y->sink, y->stack.syms, y->stack.n, &s);
	y->stack.n = 0;
}

/* ---- both ---------------------------------------------------------------------------------------------------- */

static void take_number(struct pyinstrument *y, struct slice key, struct slice text)
{
	if (y->doc.place == NODE)
		take_node_number(y, key, text);
	else if (y->doc.place == RECORD)
		emit_record(y, text);
	else if (y->doc.place == TOP && slice_is(key, "start_time"))
		read_start(y, text);
}

/* An identifier keeps its place among callers and callees. */
static void take_odd(struct pyinstrument *y)
{
	json_doc_skip(&y->doc, y->sink);
	if (y->doc.place == STACK)
		push_identifier(y, slice_of("[unknown]"));
}

static void begin_list(struct pyinstrument *y)
{
	if (y->doc.place == RECORD)
		y->has_stack = y->has_time = false;
	if (y->doc.place != STACK)
		return;
	y->has_stack = true;
	y->stack.n = 0;
}

static void end_list(struct pyinstrument *y)
{
	if (y->doc.place == RECORD && !y->has_time)
		sink_skip(y->sink, "record without a time", y->doc.json.line, NULL, 0);
}

static void take(struct pyinstrument *y, enum json_token t)
{
	if (t == JSON_NUMBER)
		take_number(y, y->doc.key, y->doc.text);
	else if (t == JSON_ODD)
		take_odd(y);
	else if (json_is_no_number(t) && y->doc.place == NODE && slice_is(y->doc.key, "time"))
		skip_time(y, y->doc.text);
	else if (t == JSON_STRING && y->doc.place == NODE)
		take_node_string(y, y->doc.key, y->doc.text);
	else if (t == JSON_STRING && y->doc.place == STACK)
		push_identifier(y, y->doc.text);
	else if (t == JSON_OBJECT && y->doc.place == NODE)
		begin_node(y);
	else if (t == JSON_OBJECT_END && y->doc.place == NODE)
		end_node(y);
	else if (t == JSON_ARRAY)
		begin_list(y);
	else if (t == JSON_ARRAY_END)
		end_list(y);
}

static bool pyinstrument_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct pyinstrument *y = state;
	enum json_token t;
	json_doc_feed(&y->doc, text, len);
	while ((t = json_doc_next(&y->doc)) > JSON_MORE)
		take(y, t);
	return t != JSON_ERROR || fail(err, "%s", y->doc.json.err.text);
}

/* Six decimals leave differences of a microsecond for each callee, which are no news. */
static void emit_tree(struct pyinstrument *y)
{
	uint64_t excess = nested_subtract_callees(&y->tree), all = 0;
	for (size_t i = 0; i < y->tree.n; i++)
		weight_add(&all, y->tree.nodes[i].weight);
	if (excess)
		report_add_weight(&y->sink->profile->report, excess_level(excess, all),
		                  "callees last longer than their caller", NULL, 0, excess);
	uint32_t *paths = nested_paths(&y->tree, y->sink);
	nested_add_weights(&y->tree, y->sink, paths, y->series);
	free(paths);
}

static bool pyinstrument_finish(void *state, bool ok, struct err *err)
{
	struct pyinstrument *y = state;
	ok = json_doc_end(&y->doc, y->sink, ok, err);
	while (y->n_open)
		end_node(y);
	emit_tree(y);
	time_rest_say(&y->rest, y->sink, y->sink->options->side, 0);
	json_doc_deinit(&y->doc);
	nested_deinit(&y->tree);
	memo_deinit(&y->identifiers);
	frames_deinit(&y->stack);
	free(y->open);
	free(y->known);
	buf_deinit(&y->name);
	free(y);
	return ok;
}

/* In older sessions the records come first, and all other keys after them. */
static enum sniff pyinstrument_sniff(const struct head *head, const char **why)
{
	static const char *const tree[] = {"duration", "sample_count", "root_frame", NULL}, *const session[] = {
																							"frame_records", NULL};
	*why = "not a JSON object with \"sample_count\" and \"root_frame\", or \"frame_records\"";
	if (json_head_has(head, tree))
		return SNIFF_YES;
	bool has_identifier = slice_has((struct slice){head->text, head->len}, "\\u0000");
	return has_identifier && json_head_has(head, session) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_pyinstrument = {
	.name = "pyinstrument",
	.help = "pyinstrument of Python: -r json, and sessions (-r pyisession)",
	.sniff = pyinstrument_sniff,
	.start = pyinstrument_start,
	.feed = pyinstrument_feed,
	.finish = pyinstrument_finish,
	.is_text_stream = true,
	.has_spans = true,
};
