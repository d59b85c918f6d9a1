/*
 * ghcjson.c - parses time and allocation profiles of Haskell programs as JSON (+RTS -pj).
 *
 *	{"program":"app","arguments":[],"rts_arguments":["-pj"],"end_time":"...","initial_capabilities":1,
 *	 "total_time":0.05,"total_ticks":50,"tick_interval":1000,"total_alloc":4096,
 *	 "cost_centres":[{"id":2,"label":"main","module":"Main","src_loc":"app/Main.hs:3:1-9","is_caf":false},...],
 *	 "profile":{"id":1,"entries":0,"alloc":728,"ticks":1,"children":[{"id":2,"entries":1,...,"children":[]}]}}
 *
 * Costs are those of a node alone. Names are those of the reports as text (ghcprof.c), so that both compare.
 */
#include "base/idmap.h"
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/json_doc.h"
#include "collapse/text/nested.h"

#define LACKING "a cost centre that the table lacks"

enum place { TOP = 1, CENTRES, CENTRE, NODE, CHILDREN };
enum cost { TICKS, BYTES, ENTRIES, N_COSTS };

static const struct json_rule rules[] = {
	{JSON_OUTSIDE, NULL, '{', TOP},
	{TOP, "cost_centres", '[', CENTRES},
	{CENTRES, NULL, '{', CENTRE},
	{TOP, "profile", '{', NODE},
	{NODE, "children", '[', CHILDREN},
	{CHILDREN, NULL, '{', NODE},
	{CENTRE, "id", JSON_NUMBER_MEMBER, 0},
	{CENTRE, "label", JSON_STRING_MEMBER, 0},
	{CENTRE, "module", JSON_STRING_MEMBER, 0},
	{CENTRE, "src_loc", JSON_STRING_MEMBER, 0},
};

struct haskell_node {
	uint64_t id; /* of its cost centre */
	uint64_t costs[N_COSTS];
};

struct ghcjson {
	struct sink *sink;
	struct json_doc doc;
	struct idmap centres; /* symbols by id */
	uint64_t id;          /* of the cost centre being read */
	struct buf label, module, place, name;
	struct nested tree;
	struct haskell_node *nodes; /* as in the tree */
	size_t n_nodes, cap_nodes;
	uint64_t n_forgotten; /* nodes without id and cost, of which one is kept */
};

static void *ghcjson_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct ghcjson *g = mem_zalloc(1, sizeof *g);
	g->sink = sink;
	json_doc_init(&g->doc, rules, sizeof rules / sizeof *rules);
	g->doc.tells_members = true;
	return g;
}

static void begin(struct ghcjson *g)
{
	if (g->doc.place == CENTRE) {
		g->id = UINT64_MAX;
		g->label.len = g->module.len = g->place.len = 0;
	} else if (g->doc.place == NODE && nested_begin(&g->tree)) {
		mem_push(g->nodes, g->n_nodes, g->cap_nodes, ((struct haskell_node){.id = UINT64_MAX}));
	} else if (g->doc.place == NODE) {
		json_doc_leave(&g->doc);
	}
}

/* "app/Main.hs:(3,1)-(9,20)" -> "app/Main.hs", 3; "<entire-module>" is no file. */
static uint32_t with_source(struct ghcjson *g, uint32_t sym)
{
	struct slice file = slice_before((struct slice){g->place.len ? g->place.data : "", g->place.len}, ':');
	struct slice rest = {file.s + file.n, g->place.len - file.n};
	uint64_t line = 0;
	if (!rest.n)
		return sym;
	rest = slice_from(rest, 1);
	slice_take(&rest, "(");
	slice_u64(slice_take_digits(&rest), &line);
	return sink_source(g->sink, sym, file.s, file.n, line);
}

/* In the tree, a node weighs 1 if it costs anything, and has another number than 0 if it has an id. */
static void end_node(struct ghcjson *g)
{
	struct nested_node *n = nested_top(&g->tree);
	const struct haskell_node *h = &g->nodes[nested_number(&g->tree) - 1];
	for (size_t i = 0; i < N_COSTS; i++)
		n->weight |= h->costs[i] > 0;
	n->other = h->id != UINT64_MAX;
	if (!nested_end(&g->tree))
		return;
	g->n_nodes--;
	g->n_forgotten++;
}

static void end_centre(struct ghcjson *g)
{
	g->name.len = 0;
	buf_add(&g->name, g->module.data, g->module.len);
	buf_addc(&g->name, '.');
	buf_add(&g->name, g->label.data, g->label.len);
	uint32_t sym = sink_frame(g->sink, g->name.data, g->name.len);
	if (g->module.len)
		sym = sink_module(g->sink, sym, g->module.data, g->module.len);
	if (!idmap_add(&g->centres, g->id, with_source(g, sym)))
		sink_skip(g->sink, "cost centre without an id of its own", g->doc.json.line, g->name.data, g->name.len);
}

static void take_number(struct ghcjson *g, struct slice key, struct slice text)
{
	static const char *const keys[N_COSTS] = {"ticks", "alloc", "entries"};
	uint64_t v;
	bool is_good = slice_u64(text, &v);
	if (g->doc.place == CENTRE && slice_is(key, "id"))
		g->id = is_good ? v : UINT64_MAX;
	if (g->doc.place != NODE)
		return;
	struct haskell_node *n = &g->nodes[nested_number(&g->tree) - 1];
	if (slice_is(key, "id"))
		n->id = is_good ? v : UINT64_MAX;
	for (size_t i = 0; i < N_COSTS; i++) {
		if (slice_is(key, keys[i]) && is_good)
			n->costs[i] = v;
		else if (slice_is(key, keys[i]))
			sink_skip(g->sink, "a cost that is not a number of 64 bits", g->doc.json.line, text.s, text.n);
	}
}

static void take_string(struct ghcjson *g, struct slice key, struct slice text)
{
	struct buf *to = slice_is(key, "label")     ? &g->label
	                 : slice_is(key, "module")  ? &g->module
	                 : slice_is(key, "src_loc") ? &g->place
	                                            : NULL;
	if (!to || g->doc.place != CENTRE)
		return;
	to->len = 0;
	buf_add(to, text.s, text.n);
}

static bool ghcjson_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct ghcjson *g = state;
	enum json_token t;
	json_doc_feed(&g->doc, text, len);
	while ((t = json_doc_next(&g->doc)) > JSON_MORE) {
		if (t == JSON_OBJECT)
			begin(g);
		else if (t == JSON_OBJECT_END && g->doc.place == CENTRE)
			end_centre(g);
		else if (t == JSON_OBJECT_END && g->doc.place == NODE)
			end_node(g);
		else if (t == JSON_NUMBER)
			take_number(g, g->doc.key, g->doc.text);
		else if (json_is_no_number(t) && g->doc.place == NODE)
			take_number(g, g->doc.key, slice_of(""));
		else if (t == JSON_STRING)
			take_string(g, g->doc.key, g->doc.text);
		else if (t == JSON_ODD)
			json_doc_skip(&g->doc, g->sink);
	}
	return t != JSON_ERROR || fail(err, "%s", g->doc.json.err.text);
}

/* The table of cost centres may follow the tree. Those that it lacks are named by their number. */
static void name_nodes(struct ghcjson *g)
{
	for (size_t i = 0; i < g->n_nodes; i++) {
		uint32_t *sym = &g->tree.nodes[i].sym;
		if (idmap_find(&g->centres, g->nodes[i].id, sym))
			continue;
		g->name.len = 0;
		buf_addf(&g->name, "cost centre %llu", (unsigned long long)g->nodes[i].id);
		*sym = sink_sym(g->sink, g->name.data, g->name.len);
		sink_warn(g->sink, LACKING, 0, NULL, 0);
	}
}

/* Those that are forgotten count here as well. */
static void warn_of_forgotten(struct ghcjson *g)
{
	uint32_t sym;
	if (g->n_forgotten && !idmap_find(&g->centres, UINT64_MAX, &sym))
		report_add_times(&g->sink->profile->report, NOTE_WARN, LACKING, NULL, 0, g->n_forgotten);
}

/* Nodes without cost count, too: they show that the cost centre was there. */
static void emit(struct ghcjson *g, const uint32_t *series)
{
	name_nodes(g);
	warn_of_forgotten(g);
	uint32_t *paths = nested_paths(&g->tree, g->sink);
	for (size_t i = 0; i < g->n_nodes; i++) {
		for (size_t k = 0; k < N_COSTS; k++)
			nested_add(g->sink, paths, i + 1,
			           (struct sample){.weight = g->nodes[i].costs[k], .time = NO_TIME, .series = series[k]});
	}
	free(paths);
}

static bool ghcjson_finish(void *state, bool ok, struct err *err)
{
	static const struct column columns[N_COSTS] = {
		{"ticks", "ticks", false}, {"bytes", "bytes", false}, {"entries", "entries", false}};
	struct ghcjson *g = state;
	uint32_t series[N_COSTS];
	ok = json_doc_end(&g->doc, g->sink, ok, err);
	if (columns_declare(g->sink, columns, N_COSTS, TICKS, series, ok ? err : NULL))
		emit(g, series);
	else
		ok = false;
	json_doc_deinit(&g->doc);
	idmap_deinit(&g->centres);
	nested_deinit(&g->tree);
	free(g->nodes);
	buf_deinit(&g->label);
	buf_deinit(&g->module);
	buf_deinit(&g->place);
	buf_deinit(&g->name);
	free(g);
	return ok;
}

static enum sniff ghcjson_sniff(const struct head *head, const char **why)
{
	static const char *const keys[] = {"rts_arguments", "initial_capabilities", "cost_centres", NULL};
	*why = "not a JSON object with \"rts_arguments\", \"initial_capabilities\" and \"cost_centres\"";
	return json_head_has(head, keys) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_ghcjson = {
	.name = "ghcjson",
	.help = "Haskell cost centres as JSON: ghc -prof, +RTS -pj (--value=ticks, bytes or entries)",
	.sniff = ghcjson_sniff,
	.start = ghcjson_start,
	.feed = ghcjson_feed,
	.finish = ghcjson_finish,
	.is_text_stream = true,
	.effects = EFFECT_VALUE,
};
