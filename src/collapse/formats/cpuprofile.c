/*
 * cpuprofile.c - the CPU profiles of V8: node --cpu-prof, and "Save profile" of Chrome's developer tools.
 *
 *	{"nodes":[
 *	  {"id":1,"callFrame":{"functionName":"(root)",...},"children":[2]},
 *	  {"id":2,"callFrame":{"functionName":"run","url":"file:///a.js","lineNumber":3},"hitCount":5}],
 *	 "startTime":1000,"endTime":2000,"samples":[2,2],"timeDeltas":[100,250]}
 *
 * A call tree by ids, where either children or parents are named, and then the node that was met at each sample.
 * Deltas are microseconds from one sample to the next, so the time of a sample is the delta of its follower, and
 * the last one has none. Now and then time seems to go back; such a sample has no time either. Files without
 * samples have hit counts. Lines are counted from 0.
 */
#include "collapse/formats.h"
#include "collapse/text/decimal.h"
#include "collapse/text/idmap.h"
#include "collapse/text/json.h"
#include "collapse/text/lines.h"

enum place { ELSEWHERE, TOP, NODES, NODE, CALL_FRAME, CHILDREN, SAMPLES, DELTAS };

#define DEEPEST 4

struct node {
	uint64_t id, parent; /* ids; parent 0: not known (ids begin with 1) */
	uint64_t hits;
	uint32_t sym; /* 0: not drawn, the root */
	uint32_t path;
};

/* Says that one node is the parent of another; the other may come later. */
struct link {
	uint64_t parent, child;
};

struct cpuprofile {
	struct sink *sink;
	struct json json;
	enum place places[DEEPEST];
	struct buf key, name, url, text;
	int64_t line;
	int64_t start_time;
	struct node node; /* at hand */
	struct node *nodes;
	size_t n_nodes, cap_nodes;
	struct link *links;
	size_t n_links, cap_links;
	struct idmap ids; /* index of a node */
	uint64_t *samples;
	size_t n_samples, cap_samples;
	int64_t *deltas;
	size_t n_deltas, cap_deltas;
	struct frames way; /* indices of nodes on the way up */
};

static struct slice text_of(const struct buf *b)
{
	return (struct slice){b->len ? b->data : "", b->len};
}

static void set_text(struct buf *out, struct slice text)
{
	out->len = 0;
	buf_add(out, text.s, text.n);
}

static enum place place_of(const struct cpuprofile *c, bool is_object)
{
	struct slice key = text_of(&c->key);
	uint32_t depth = c->json.depth;
	if (depth == 1)
		return is_object ? TOP : ELSEWHERE;
	enum place around = depth - 2 < DEEPEST ? c->places[depth - 2] : ELSEWHERE;
	if (around == TOP && !is_object)
		return slice_is(key, "nodes")        ? NODES
		       : slice_is(key, "samples")    ? SAMPLES
		       : slice_is(key, "timeDeltas") ? DELTAS
		                                     : ELSEWHERE;
	if (around == NODES && is_object)
		return NODE;
	if (around == NODE && is_object == slice_is(key, "callFrame") && (is_object || slice_is(key, "children")))
		return is_object ? CALL_FRAME : CHILDREN;
	return ELSEWHERE;
}

static void open_container(struct cpuprofile *c, bool is_object)
{
	enum place place = place_of(c, is_object);
	if (place == ELSEWHERE || c->json.depth > DEEPEST) {
		json_leave(&c->json);
		return;
	}
	c->places[c->json.depth - 1] = place;
	if (place != NODE)
		return;
	c->node = (struct node){.path = NO_PATH};
	c->name.len = c->url.len = 0;
	c->line = -1;
}

static struct slice base_name(struct slice path)
{
	size_t slash = slice_find_last(path, '/');
	return slash == SIZE_MAX || slash + 1 == path.n ? path : slice_from(path, slash + 1);
}

static void add_place(struct buf *out, struct slice file, int64_t line)
{
	buf_add(out, file.s, file.n);
	if (line >= 0)
		buf_addf(out, ":%lld", (long long)line + 1);
}

/* The function's name, or where it stands if it has none. */
static uint32_t node_symbol(struct cpuprofile *c)
{
	struct slice url = text_of(&c->url);
	if (slice_is(text_of(&c->name), "(root)"))
		return 0;
	set_text(&c->text, text_of(&c->name));
	if (!c->text.len) {
		buf_adds(&c->text, url.n ? "(anonymous " : "(anonymous");
		if (url.n)
			add_place(&c->text, base_name(url), c->line);
		buf_addc(&c->text, ')');
	}
	uint32_t sym = sink_frame(c->sink, c->text.data, c->text.len), source = 0;
	if (url.n) {
		c->text.len = 0;
		add_place(&c->text, url, c->line);
		source = sink_sym(c->sink, c->text.data, c->text.len);
	}
	struct symbol *symbol = &c->sink->profile->symtab.symbols[sym];
	if (!symbol->source)
		symbol->source = source;
	return sym;
}

static void end_node(struct cpuprofile *c)
{
	c->node.sym = node_symbol(c);
	if (!c->node.id || c->n_nodes == UINT32_MAX || !idmap_add(&c->ids, c->node.id, (uint32_t)c->n_nodes))
		sink_skip(c->sink, "node without an id of its own", c->json.line, c->name.data, c->name.len);
	else
		mem_push(c->nodes, c->n_nodes, c->cap_nodes, c->node);
}

/* The id of a node may come after its children; 0 stands for it until the node ends. */
static void end_children(struct cpuprofile *c)
{
	for (size_t i = c->n_links; i-- > 0 && !c->links[i].parent;)
		c->links[i].parent = c->node.id ? c->node.id : UINT64_MAX;
}

static void close_container(struct cpuprofile *c)
{
	enum place place = c->json.depth < DEEPEST ? c->places[c->json.depth] : ELSEWHERE;
	if (place != NODE)
		return;
	end_children(c);
	end_node(c);
}

static void take_number(struct cpuprofile *c, enum place place, struct slice text)
{
	struct slice key = text_of(&c->key);
	int64_t v;
	if (!decimal_scaled(text.s, text.n, 0, &v))
		v = -1;
	uint64_t positive = v > 0 ? (uint64_t)v : 0;
	if (place == SAMPLES)
		mem_push(c->samples, c->n_samples, c->cap_samples, positive);
	else if (place == DELTAS)
		mem_push(c->deltas, c->n_deltas, c->cap_deltas, v);
	else if (place == CHILDREN)
		mem_push(c->links, c->n_links, c->cap_links, ((struct link){0, positive}));
	else if (place == NODE && slice_is(key, "id"))
		c->node.id = positive;
	else if (place == NODE && slice_is(key, "parent"))
		c->node.parent = positive;
	else if (place == NODE && slice_is(key, "hitCount"))
		c->node.hits = positive;
	else if (place == CALL_FRAME && slice_is(key, "lineNumber"))
		c->line = v;
	else if (place == TOP && slice_is(key, "startTime"))
		c->start_time = v;
}

static void take_string(struct cpuprofile *c, enum place place, struct slice text)
{
	if (place == CALL_FRAME && slice_is(text_of(&c->key), "functionName"))
		set_text(&c->name, text);
	else if (place == CALL_FRAME && slice_is(text_of(&c->key), "url"))
		set_text(&c->url, text);
}

static bool cpuprofile_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct cpuprofile *c = state;
	enum json_token t;
	json_feed(&c->json, text, len, false);
	while ((t = json_next(&c->json)) > JSON_MORE) {
		uint32_t depth = c->json.depth;
		struct slice token = {c->json.text, c->json.len};
		enum place place = depth && depth <= DEEPEST ? c->places[depth - 1] : ELSEWHERE;
		if (t == JSON_KEY)
			set_text(&c->key, token);
		else if (t == JSON_OBJECT || t == JSON_ARRAY)
			open_container(c, t == JSON_OBJECT);
		else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END)
			close_container(c);
		else if (t == JSON_NUMBER)
			take_number(c, place, token);
		else if (t == JSON_STRING)
			take_string(c, place, token);
	}
	return t != JSON_ERROR || fail(err, "%s", c->json.err.text);
}

/* --- from nodes to samples --- */

static void link_parents(struct cpuprofile *c)
{
	uint32_t child;
	for (size_t i = 0; i < c->n_links; i++) {
		if (idmap_find(&c->ids, c->links[i].child, &child))
			c->nodes[child].parent = c->links[i].parent;
	}
}

/* Up to a node whose path is known, or which has no parent, and down again. A circle is cut where it closes. */
static uint32_t node_path(struct cpuprofile *c, uint32_t index)
{
	uint32_t path = PATH_ROOT;
	c->way.n = 0;
	for (;;) {
		struct node *n = &c->nodes[index];
		if (n->path != NO_PATH) {
			path = n->path;
			break;
		}
		frames_push(&c->way, index);
		n->path = PATH_ROOT;
		if (!n->parent || !idmap_find(&c->ids, n->parent, &index))
			break;
	}
	while (c->way.n) {
		struct node *n = &c->nodes[c->way.syms[--c->way.n]];
		if (n->sym)
			path = profile_child(c->sink->profile, path, n->sym);
		n->path = path;
	}
	if (path == PATH_ROOT) /* of the root itself */
		path = profile_child(c->sink->profile, path, sink_sym(c->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	return path;
}

static void emit_samples(struct cpuprofile *c)
{
	int64_t now = 0, last;
	uint32_t index;
	struct sample s = {.cpu = NO_CPU};
	if (c->n_deltas != c->n_samples)
		sink_warn(c->sink, "not as many timeDeltas as samples (samples without are left out)", 0, NULL, 0);
	last = now = c->n_deltas ? c->deltas[0] : 0;
	for (size_t i = 0; i + 1 < c->n_samples && i + 1 < c->n_deltas; i++) {
		if (__builtin_add_overflow(now, c->deltas[i + 1], &now) || now > INT64_MAX / 2000 ||
		    now < INT64_MIN / 2000) {
			sink_skip(c->sink, "timeDeltas that are no times (expected microseconds)", 0, NULL, 0);
			return;
		}
		if (now <= last)
			continue;
		s.weight = (uint64_t)now - (uint64_t)last;
		s.time = c->start_time >= 0 && c->start_time < INT64_MAX / 2000 && last >= 0
		             ? ((uint64_t)c->start_time + (uint64_t)last) * 1000
		             : NO_TIME;
		last = now;
		if (idmap_find(&c->ids, c->samples[i], &index))
			profile_add(c->sink->profile, c->sink->options->side, node_path(c, index), &s);
		else
			sink_skip(c->sink, "sample of a node that is not there", 0, NULL, 0);
	}
}

static void emit_hits(struct cpuprofile *c)
{
	for (size_t i = 0; i < c->n_nodes; i++) {
		struct sample s = {.weight = c->nodes[i].hits, .time = NO_TIME, .cpu = NO_CPU};
		if (s.weight)
			profile_add(c->sink->profile, c->sink->options->side, node_path(c, (uint32_t)i), &s);
	}
}

static void emit(struct cpuprofile *c)
{
	link_parents(c);
	if (c->n_samples) {
		profile_series(c->sink->profile, sink_sym(c->sink, "time", 4), sink_sym(c->sink, "us", 2));
		emit_samples(c);
	} else {
		profile_series(c->sink->profile, sink_sym(c->sink, "hits", 4), 0);
		emit_hits(c);
	}
}

static void *cpuprofile_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct cpuprofile *c = mem_zalloc(1, sizeof *c);
	c->sink = sink;
	json_init(&c->json);
	buf_init(&c->key);
	buf_init(&c->name);
	buf_init(&c->url);
	buf_init(&c->text);
	return c;
}

static bool cpuprofile_finish(void *state, bool ok, struct err *err)
{
	struct cpuprofile *c = state;
	if (ok) {
		json_feed(&c->json, "", 0, true);
		ok = json_next(&c->json) != JSON_ERROR && !json_is_cut(&c->json);
		if (!ok)
			fail(err, "%s", c->json.err.text[0] ? c->json.err.text : "the input ends within the document");
	}
	if (ok)
		emit(c);
	json_deinit(&c->json);
	buf_deinit(&c->key);
	buf_deinit(&c->name);
	buf_deinit(&c->url);
	buf_deinit(&c->text);
	idmap_deinit(&c->ids);
	frames_deinit(&c->way);
	free(c->nodes);
	free(c->links);
	free(c->samples);
	free(c->deltas);
	free(c);
	return ok;
}

static enum sniff cpuprofile_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not a JSON object with \"nodes\" and \"callFrame\"";
	if (!slice_starts(text, "{") || !slice_has(text, "\"nodes\""))
		return SNIFF_NO;
	return slice_has(text, "\"callFrame\"") ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_cpuprofile = {
	.name = "cpuprofile",
	.help = "CPU profile of V8: node --cpu-prof, Chrome developer tools",
	.sniff = cpuprofile_sniff,
	.start = cpuprofile_start,
	.feed = cpuprofile_feed,
	.finish = cpuprofile_finish,
	.is_text_stream = true,
	.has_spans = true,
};
