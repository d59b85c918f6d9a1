/*
 * d3.c - parses the trees of d3-flame-graph, and those of FlameScope, whose keys are shorter.
 *
 *	{"name":"root","value":5,"children":[
 *	  {"name":"a","value":3},
 *	  {"name":"b","value":2,"children":[]}]}
 *
 *	{"c":[{"c":[],"n":"a","l":"","v":3}],"n":"root","l":"","v":0}
 *
 * The value of a node is either its own or that of its callees as well; nothing in the file says which. If callees
 * together weigh more than their caller, its value is its own; most callers decide for the whole file. A root "all"
 * is that of every flame graph, and is left out.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/nested.h"

enum place { NODE = 1, CHILDREN };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', NODE},    {NODE, "children", '[', CHILDREN},     {NODE, "c", '[', CHILDREN},
	{CHILDREN, NULL, '{', NODE},        {NODE, "name", JSON_STRING_MEMBER, 0}, {NODE, "n", JSON_STRING_MEMBER, 0},
	{NODE, "n", JSON_STRING_MEMBER, 0},
};

struct d3 {
	struct sink *sink;
	struct json_doc doc;
	struct nested tree;
};

static void *d3_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct d3 *d = mem_zalloc(1, sizeof *d);
	d->sink = sink;
	json_doc_init(&d->doc, rules, sizeof rules / sizeof *rules);
	d->doc.tells_members = true;
	return d;
}

static bool is_name(struct slice key)
{
	return slice_is(key, "name") || slice_is(key, "n");
}

static bool is_value(struct slice key)
{
	return slice_is(key, "value") || slice_is(key, "v");
}

static void begin_node(struct d3 *d)
{
	if (nested_begin(&d->tree))
		nested_top(&d->tree)->lacks_weight = true;
	else
		json_doc_leave(&d->doc);
}

static void end_node(struct d3 *d)
{
	if (d->tree.n_open > 1 && !nested_top(&d->tree)->sym)
		sink_warn(d->sink, NAMELESS, d->doc.json.line, NULL, 0);
	nested_end(&d->tree);
}

static void take_name(struct d3 *d, struct slice text)
{
	bool is_root = d->tree.n_open == 1;
	if (!is_root || !slice_is(text, "all"))
		nested_top(&d->tree)->sym = sink_frame(d->sink, text.s, text.n);
}

static void take_value(struct d3 *d, struct slice text)
{
	struct nested_node *n = nested_top(&d->tree);
	struct decimal v;
	n->lacks_weight = false;
	if (number_count(text.s, text.n, &n->weight, &n->millionths) && (n->weight || n->millionths))
		return;
	n->weight = n->millionths = 0;
	if (!decimal_read(text.s, text.n, &v) || v.is_negative)
		sink_skip(d->sink, BELOW_ZERO, d->doc.json.line, text.s, text.n);
	else if (!decimal_split(decimal_times(&v, 6), 6, &n->weight, &n->millionths))
		sink_warn(d->sink, TOO_HEAVY, d->doc.json.line, NULL, 0);
	else if (v.digits && !n->weight && !n->millionths)
		sink_warn(d->sink, TOO_SMALL, d->doc.json.line, text.s, text.n);
}

static void take(struct d3 *d, enum json_token t)
{
	struct slice key = d->doc.key;
	if (t == JSON_ODD)
		json_doc_skip(&d->doc, d->sink);
	if (d->doc.place != NODE)
		return;
	if (t == JSON_OBJECT)
		begin_node(d);
	else if (t == JSON_OBJECT_END)
		end_node(d);
	else if (t == JSON_STRING && is_name(key))
		take_name(d, d->doc.text);
	else if (t == JSON_NUMBER && is_value(key))
		take_value(d, d->doc.text);
	else if (json_is_no_number(t) && is_value(key))
		sink_skip(d->sink, NOT_A_NUMBER, d->doc.json.line, d->doc.text.s, d->doc.text.n);
	else if (t == JSON_NUMBER && (slice_is(key, "delta") || slice_is(key, "d")))
		sink_warn(d->sink, "differences from another profile (delta) are left out", 0, NULL, 0);
}

static bool d3_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct d3 *d = state;
	enum json_token t;
	json_doc_feed(&d->doc, text, len);
	while ((t = json_doc_next(&d->doc)) > JSON_MORE)
		take(d, t);
	return t != JSON_ERROR || fail(err, "%s", d->doc.json.err.text);
}

static void emit(struct d3 *d)
{
	struct report *report = &d->sink->profile->report;
	if (nested_is_inclusive(&d->tree)) {
		uint64_t excess = nested_subtract_callees(&d->tree);
		if (excess)
			report_add_weight(report, NOTE_WARN, "callees weigh more than their caller", NULL, 0, excess);
		sink_info(d->sink, "values are taken as those of functions with their callees", 0, NULL, 0);
	} else {
		sink_warn(d->sink, "values are taken as those of functions alone, for callees weigh more than callers", 0,
		          NULL, 0);
	}
	uint32_t *paths = nested_paths(&d->tree, d->sink);
	nested_add_weights(&d->tree, d->sink, paths, 0);
	free(paths);
}

static bool d3_finish(void *state, bool ok, struct err *err)
{
	struct d3 *d = state;
	ok = json_doc_end(&d->doc, d->sink, ok, err);
	emit(d);
	json_doc_deinit(&d->doc);
	nested_deinit(&d->tree);
	free(d);
	return ok;
}

/* Has a callee of the root, or a function below it, a name, and one of them a number as its value? */
static bool has_tree(struct json_doc *doc)
{
	bool has_name = false, has_value = false;
	enum json_token t;
	while (!(has_name && has_value) && (t = json_doc_next(doc)) > JSON_MORE) {
		if (doc->place != NODE || doc->json.depth < 3)
			continue;
		has_name |= t == JSON_STRING && is_name(doc->key);
		has_value |= t == JSON_NUMBER && is_value(doc->key);
	}
	return has_name && has_value;
}

static enum sniff d3_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	struct json_doc doc;
	*why = "not a JSON object with \"children\" that have a \"name\" and a \"value\"";
	if (!slice_starts(text, "{") || !(slice_has(text, "\"children\"") || slice_has(text, "\"c\"")))
		return SNIFF_NO;
	json_doc_init(&doc, rules, sizeof rules / sizeof *rules);
	json_doc_feed(&doc, text.s, text.n);
	bool is_mine = has_tree(&doc);
	json_doc_deinit(&doc);
	return is_mine ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_d3 = {
	.name = "d3",
	.help = "tree of d3-flame-graph or FlameScope: {\"name\", \"value\", \"children\"}",
	.sniff = d3_sniff,
	.start = d3_start,
	.feed = d3_feed,
	.finish = d3_finish,
	.is_text_stream = true,
};
