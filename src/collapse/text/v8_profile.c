/*
 * v8_profile.c - builds call trees from node ids, and samples from the node hit at each time.
 *
 * Nodes name either their children or their parent. Deltas are microseconds from one sample to the next, and are
 * kept as nanoseconds. A sample lasts for the delta of its follower, and the last one until endTime; without one (a
 * trace that was cut off) it has no time. Occasionally time goes backwards; the sample before has no time either,
 * which is reported. Lines are counted from 0.
 */
#include "collapse/text/v8_profile.h"
#include "collapse/text/frames.h"

#include "base/fetch.h"
#include "collapse/text/decimal.h"

#define MEMBER(kind, key)          \
	{                              \
		kind, sizeof(key) - 1, key \
	}
#define NS_DIGITS 3 /* microseconds become nanoseconds */
#define UNKNOWN_TIME "sample whose time is unknown, for a timeDelta is not a number"

enum place { ELSEWHERE, TOP, NODES, NODE, CALL_FRAME, CHILDREN, SAMPLES, DELTAS, LINES, TICKS, TICK };

struct v8_node {
	uint64_t id, parent; /* ids; parent 0: unknown (ids begin with 1) */
	uint64_t hits;
	uint32_t sym; /* 0: not drawn, the root */
	uint32_t path;
	uint32_t file;          /* symbol; 0: unknown */
	size_t first_tick;      /* its lines: ticks from this one on */
	uint32_t n_ticks, tick; /* and the one of the next sample, */
	uint64_t left;          /* which so many more have */
};

/* A line and the number of samples there. Profiles tell lines of a node in sum only, not for each sample. */
struct v8_tick {
	uint32_t line;
	uint64_t n;
};

/* Records that one node is the parent of another; the other may come later. */
struct v8_link {
	uint64_t parent, child;
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

static enum place place_in_node(struct slice key, bool is_object)
{
	if (is_object)
		return slice_is(key, "callFrame") ? CALL_FRAME : ELSEWHERE;
	return slice_is(key, "positionTicks") ? TICKS : slice_is(key, "children") ? CHILDREN : ELSEWHERE;
}

/* The meaning of the container at this depth, which counts from 1. */
static enum place place_around(const struct v8_reader *r, uint32_t depth)
{
	return depth && depth <= V8_DEEPEST ? (enum place)r->places[depth - 1] : ELSEWHERE;
}

static enum place place_of(const struct v8_reader *r, uint32_t depth, bool is_object)
{
	struct slice key = text_of(&r->key);
	if (depth == 1)
		return is_object ? TOP : ELSEWHERE;
	enum place around = place_around(r, depth - 1);
	if (around == TOP && !is_object)
		return slice_is(key, "nodes")        ? NODES
		       : slice_is(key, "samples")    ? SAMPLES
		       : slice_is(key, "timeDeltas") ? DELTAS
		       : slice_is(key, "lines")      ? LINES
		                                     : ELSEWHERE;
	if (around == TOP && slice_is(key, "cpuProfile"))
		return TOP;
	if (around == NODES && is_object)
		return NODE;
	if (around == TICKS && is_object)
		return TICK;
	return around == NODE ? place_in_node(key, is_object) : ELSEWHERE;
}

/* A point in time, ns; negative: none. */
static int64_t time_of(struct slice text)
{
	int64_t ns;
	return decimal_scaled(text.s, text.n, NS_DIGITS, &ns) ? ns : -1;
}

/* startTime or endTime; empty: not a number. false: it is neither. */
static bool take_time(struct v8_profile *p, struct slice key, struct slice text)
{
	bool is_start = slice_is(key, "startTime");
	if (!is_start && !slice_is(key, "endTime"))
		return false;
	int64_t time = time_of(text);
	*(is_start ? &p->start_time : &p->end_time) = time;
	*(is_start ? &p->has_start : &p->has_end) = time >= 0;
	p->has_bad_time |= time < 0;
	return true;
}

/* The key of a value that was not taken, if other kinds of values are; NULL: it is of no interest. */
static const char *odd_key(const struct v8_reader *r, enum place place, enum json_token t)
{
	static const struct {
		unsigned char wanted, n;
		const char *key;
	} members[][6] = {
		[TOP] = {MEMBER(JSON_OBJECT, "cpuProfile"), MEMBER(JSON_ARRAY, "nodes"), MEMBER(JSON_ARRAY, "samples"),
	             MEMBER(JSON_ARRAY, "timeDeltas"), MEMBER(JSON_ARRAY, "lines")},
		[NODE] = {MEMBER(JSON_OBJECT, "callFrame"), MEMBER(JSON_ARRAY, "positionTicks"),
	              MEMBER(JSON_ARRAY, "children"), MEMBER(JSON_NUMBER, "parent"), MEMBER(JSON_NUMBER, "hitCount")},
		[CALL_FRAME] = {MEMBER(JSON_STRING, "functionName"), MEMBER(JSON_STRING, "url"),
	                    MEMBER(JSON_NUMBER, "lineNumber")},
		[TICK] = {MEMBER(JSON_NUMBER, "line"), MEMBER(JSON_NUMBER, "ticks")},
	};
	struct slice key = text_of(&r->key);
	for (size_t i = 0; members[place][i].key; i++)
		if (members[place][i].n == key.n && members[place][i].wanted != t &&
		    memcmp(members[place][i].key, key.s, key.n) == 0)
			return members[place][i].key;
	return NULL;
}

/*
 * A value that was not taken: counts it if that loses something. Times are told by what they lead to, ids by their
 * nodes. Reported once this is a profile.
 */
static void check_member(struct v8_reader *r, const struct json *json, enum place place, enum json_token t)
{
	struct v8_profile *p = r->into;
	const char *key = t == JSON_NULL ? NULL : odd_key(r, place, t);
	if (place == TOP && !key)
		take_time(p, text_of(&r->key), slice_of(""));
	if (!key)
		return;
	json_odd_add(&p->odd_members, (struct json_odd){1, json->line, key});
}

/* The depth counts from 1. */
static void open_container(struct v8_reader *r, struct json *json, uint32_t depth, bool is_object)
{
	enum place place = depth <= V8_DEEPEST ? place_of(r, depth, is_object) : ELSEWHERE;
	if (place == ELSEWHERE) {
		check_member(r, json, place_around(r, depth - 1), is_object ? JSON_OBJECT : JSON_ARRAY);
		json_leave(json);
		return;
	}
	r->places[depth - 1] = (unsigned char)place;
	if (place == TICK)
		mem_push(r->into->ticks, r->into->n_ticks, r->into->cap_ticks, ((struct v8_tick){0, 0}));
	if (place != NODE)
		return;
	*r->node = (struct v8_node){.path = NO_PATH, .first_tick = r->into->n_ticks};
	r->name.len = r->url.len = 0;
	r->line = -1;
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

uint32_t v8_frame(struct sink *sink, struct buf *scratch, const struct buf *name, const struct buf *of,
                  int64_t line)
{
	struct slice url = text_of(of);
	if (slice_is(text_of(name), "(root)"))
		return 0;
	set_text(scratch, text_of(name));
	if (!scratch->len) {
		buf_adds(scratch, url.n ? "(anonymous " : "(anonymous");
		if (url.n)
			add_place(scratch, base_name(url), line);
		buf_addc(scratch, ')');
	}
	uint32_t sym = sink_frame(sink, scratch->data, scratch->len);
	return sink_source(sink, sym, url.s, url.n, line >= 0 ? (uint64_t)line + 1 : 0);
}

static void end_node(struct v8_reader *r, const struct json *json)
{
	struct v8_profile *p = r->into;
	r->node->sym = v8_frame(r->sink, &r->text, &r->name, &r->url, r->line);
	r->node->n_ticks = (uint32_t)(p->n_ticks - r->node->first_tick);
	if (r->url.len && r->sink->options->wants_sites)
		r->node->file = sink_file(r->sink, r->url.data, r->url.len);
	if (!r->node->id || p->n_nodes == UINT32_MAX || !idmap_add(&p->ids, r->node->id, (uint32_t)p->n_nodes))
		sink_skip(r->sink, "node without an id of its own", json->line, r->name.data, r->name.len);
	else
		mem_push(p->nodes, p->n_nodes, p->cap_nodes, *r->node);
}

/* Completes the links to children. A node's id may come after them; until the node ends, 0 stands for it. */
static void end_children(struct v8_reader *r)
{
	struct v8_profile *p = r->into;
	for (size_t i = p->n_links; i-- > 0 && !p->links[i].parent;)
		p->links[i].parent = r->node->id ? r->node->id : UINT64_MAX;
}

static void close_container(struct v8_reader *r, const struct json *json, uint32_t depth)
{
	if (depth >= V8_DEEPEST || r->places[depth] != NODE)
		return;
	end_children(r);
	end_node(r, json);
}

static uint32_t line_of(uint64_t number)
{
	return number <= INT32_MAX ? (uint32_t)number : 0;
}

static void take_tick(struct v8_tick *tick, struct slice key, uint64_t number)
{
	if (slice_is(key, "line"))
		tick->line = line_of(number);
	else if (slice_is(key, "ticks"))
		tick->n = number;
}

/* A number that is too large is more than go_on() takes. */
static void take_delta(struct v8_profile *p, struct slice text)
{
	struct decimal d;
	int64_t delta;
	if (!time_rest_read(&p->rest, text, NS_DIGITS, &delta))
		delta = decimal_read(text.s, text.n, &d) ? INT64_MAX : V8_BAD_DELTA;
	p->has_bad_delta |= delta == V8_BAD_DELTA;
	mem_push(p->deltas, p->n_deltas, p->cap_deltas, delta);
}

static void take_hits(struct v8_reader *r, const struct json *json, int64_t hits)
{
	r->node->hits = hits > 0 ? (uint64_t)hits : 0;
	if (hits < 0)
		sink_skip(r->sink, "a hitCount that is not a number from 0 to 2^63 counts as 0", json->line, NULL, 0);
}

static void take_number(struct v8_reader *r, const struct json *json, enum place place, struct slice text)
{
	struct slice key = text_of(&r->key);
	struct v8_profile *p = r->into;
	int64_t v;
	if (place == DELTAS) {
		take_delta(p, text);
		return;
	}
	v = decimal_scaled(text.s, text.n, 0, &v) ? v : -1;
	uint64_t positive = v > 0 ? (uint64_t)v : 0;
	if (place == SAMPLES)
		mem_push(p->samples, p->n_samples, p->cap_samples, positive);
	else if (place == LINES)
		mem_push(p->lines, p->n_lines, p->cap_lines, line_of(positive));
	else if (place == TICK)
		take_tick(&p->ticks[p->n_ticks - 1], key, positive);
	else if (place == CHILDREN)
		mem_push(p->links, p->n_links, p->cap_links, ((struct v8_link){0, positive}));
	else if (place == NODE && slice_is(key, "id"))
		r->node->id = positive;
	else if (place == NODE && slice_is(key, "parent"))
		r->node->parent = positive;
	else if (place == NODE && slice_is(key, "hitCount"))
		take_hits(r, json, v);
	else if (place == CALL_FRAME && slice_is(key, "lineNumber"))
		r->line = v;
	else if (place == TOP && take_time(p, key, text))
		return;
	else
		check_member(r, json, place, JSON_NUMBER);
}

static void take_string(struct v8_reader *r, const struct json *json, enum place place, struct slice text)
{
	if (place == CALL_FRAME && slice_is(text_of(&r->key), "functionName"))
		set_text(&r->name, text);
	else if (place == CALL_FRAME && slice_is(text_of(&r->key), "url"))
		set_text(&r->url, text);
	else
		check_member(r, json, place, JSON_STRING);
}

/* What the elements of a list have to be; 0: it is none. */
static unsigned wanted_in(enum place list)
{
	static const unsigned wanted[] = {
		[NODES] = JSON_SET(JSON_OBJECT),
		[TICKS] = JSON_SET(JSON_OBJECT),
		[CHILDREN] = JSON_SET(JSON_NUMBER),
		[SAMPLES] = JSON_SET(JSON_NUMBER),
		[DELTAS] = JSON_SET(JSON_NUMBER),
		[LINES] = JSON_SET(JSON_NUMBER),
		[TICK] = 0,
	};
	return wanted[list];
}

/* Is it an element of the wrong kind? What follows it keeps its place. It is reported once this is a profile. */
static bool take_odd(struct v8_reader *r, struct json *json, enum json_token t, uint32_t depth)
{
	enum place list = place_around(r, depth - json_begins_container(t));
	unsigned wanted = wanted_in(list);
	uint64_t line = json->line;
	if (!wanted || !json_is_odd(json, t, wanted))
		return false;
	json_odd_add(&r->into->odd, (struct json_odd){.n = 1, .line = line});
	if (list == SAMPLES || list == DELTAS || list == LINES)
		take_number(r, json, list, slice_of(""));
	return true;
}

void v8_reader_take(struct v8_reader *r, struct json *json, enum json_token t, uint32_t base)
{
	uint32_t depth = json->depth - base;
	struct slice token = {json->text, json->len};
	enum place place = place_around(r, depth);
	if (t == JSON_KEY)
		set_text(&r->key, token);
	else if (take_odd(r, json, t, depth))
		return;
	else if (json_begins_container(t))
		open_container(r, json, depth, t == JSON_OBJECT);
	else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END)
		close_container(r, json, depth);
	else if (t == JSON_NUMBER)
		take_number(r, json, place, token);
	else if (json_is_no_number(t) && place == NODE && slice_is(text_of(&r->key), "hitCount"))
		sink_skip(r->sink, NOT_A_NUMBER, json->line, NULL, 0);
	else if (t == JSON_STRING)
		take_string(r, json, place, token);
	else
		check_member(r, json, place, t);
}

void v8_reader_init(struct v8_reader *r, struct sink *sink, struct v8_profile *into)
{
	*r = (struct v8_reader){.sink = sink, .into = into};
	r->node = mem_zalloc(1, sizeof *r->node);
}

void v8_reader_deinit(struct v8_reader *r)
{
	buf_deinit(&r->key);
	buf_deinit(&r->name);
	buf_deinit(&r->url);
	buf_deinit(&r->text);
	free(r->node);
}

void v8_profile_deinit(struct v8_profile *p)
{
	idmap_deinit(&p->ids);
	free(p->nodes);
	free(p->links);
	free(p->samples);
	free(p->deltas);
	free(p->lines);
	free(p->ticks);
	*p = (struct v8_profile){0};
}

void v8_profile_append(struct v8_profile *p, struct v8_profile *piece)
{
	if (!p->start_time) {
		p->start_time = piece->start_time;
		p->has_start = piece->has_start;
	}
	json_odd_add(&p->odd, piece->odd);
	json_odd_add(&p->odd_members, piece->odd_members);
	p->has_bad_delta |= piece->has_bad_delta;
	p->has_bad_time |= piece->has_bad_time;
	time_rest_join(&p->rest, &piece->rest);
	if (!p->has_end) {
		p->end_time = piece->end_time;
		p->has_end = piece->has_end;
	}
	for (size_t i = 0; i < piece->n_nodes; i++)
		if (p->n_nodes < UINT32_MAX && idmap_add(&p->ids, piece->nodes[i].id, (uint32_t)p->n_nodes)) {
			mem_push(p->nodes, p->n_nodes, p->cap_nodes, piece->nodes[i]);
			p->nodes[p->n_nodes - 1].first_tick += p->n_ticks;
		}
	for (size_t i = 0; i < piece->n_ticks; i++)
		mem_push(p->ticks, p->n_ticks, p->cap_ticks, piece->ticks[i]);
	for (size_t i = 0; i < piece->n_lines; i++)
		mem_push(p->lines, p->n_lines, p->cap_lines, piece->lines[i]);
	for (size_t i = 0; i < piece->n_links; i++)
		mem_push(p->links, p->n_links, p->cap_links, piece->links[i]);
	for (size_t i = 0; i < piece->n_samples; i++)
		mem_push(p->samples, p->n_samples, p->cap_samples, piece->samples[i]);
	for (size_t i = 0; i < piece->n_deltas; i++)
		mem_push(p->deltas, p->n_deltas, p->cap_deltas, piece->deltas[i]);
	v8_profile_deinit(piece);
}

static void link_parents(struct v8_profile *p, struct sink *sink)
{
	uint32_t child;
	for (size_t i = 0; i < p->n_links; i++) {
		if (!idmap_find(&p->ids, p->links[i].child, &child))
			continue;
		uint64_t *parent = &p->nodes[child].parent;
		if (*parent && *parent != p->links[i].parent)
			sink_warn(sink, "node that is a child of two (only the last one counts)", 0, NULL, 0);
		*parent = p->links[i].parent;
	}
}

/* State while samples are emitted. */
struct emission {
	struct v8_profile *profile;
	const struct v8_target *target;
	struct frames way; /* indices of nodes on the way up */
};

#define CLIMBED (NO_PATH - 1) /* a node on the way up */

/* Goes on to the parent of the last node on the way; false: the stack begins here. */
static bool climb(struct emission *e, uint32_t *index)
{
	struct v8_profile *v8 = e->profile;
	const struct v8_node *n = &v8->nodes[*index];
	if (!n->parent)
		return false;
	if (!idmap_find(&v8->ids, n->parent, index)) {
		sink_warn(e->target->sink, "node whose parent is missing (its stack begins there)", 0, NULL, 0);
		return false;
	}
	if (v8->nodes[*index].path != CLIMBED)
		return true;
	sink_warn(e->target->sink, "nodes that are below each other (their stacks are cut there)", 0, NULL, 0);
	return false;
}

/* Climbs to a node whose path is known, or without a parent, and descends again. Cuts a cycle where it closes. */
static uint32_t node_path(struct emission *e, uint32_t index)
{
	struct v8_profile *v8 = e->profile;
	struct profile *p = e->target->sink->profile;
	uint32_t path = e->target->root;
	e->way.n = 0;
	do {
		struct v8_node *n = &v8->nodes[index];
		if (n->path != NO_PATH) {
			path = n->path;
			break;
		}
		frames_push(&e->way, index);
		n->path = CLIMBED;
	} while (climb(e, &index));
	while (e->way.n) {
		struct v8_node *n = &v8->nodes[e->way.syms[--e->way.n]];
		if (n->sym)
			path = profile_child(p, path, n->sym);
		n->path = path;
	}
	if (path == e->target->root) /* of the root itself */
		path = profile_child(p, path, sink_sym(e->target->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	return path;
}

/* The line of the next sample of a node; over all its samples, each line has the share that is its own. */
static uint32_t next_line(const struct v8_profile *p, struct v8_node *n)
{
	for (uint32_t looked = 0; !n->left && looked <= n->n_ticks && n->n_ticks; looked++) {
		n->tick = n->tick + 1 < n->n_ticks ? n->tick + 1 : 0;
		n->left = p->ticks[n->first_tick + n->tick].n;
	}
	if (!n->left)
		return 0;
	n->left--;
	return p->ticks[n->first_tick + n->tick].line;
}

static void set_line(struct emission *e, uint32_t index, uint32_t line, struct sample *s)
{
	const struct v8_node *n = &e->profile->nodes[index];
	const struct site site = {.sym = n->sym, .file = line ? n->file : 0, .line = line};
	if (n->sym && line)
		s->site = profile_sites(e->target->sink->profile, &site, 1);
}

/* A length of nanoseconds, in the unit of the samples. */
static void set_length(struct sample *s, uint64_t unit, uint64_t ns)
{
	s->weight = ns / 1000 * unit + ns % 1000 * unit / 1000;
	s->millionths = (uint32_t)(ns % 1000 * unit % 1000 * 1000);
}

static void emit_one(struct emission *e, uint32_t index, struct sample *s)
{
	const struct v8_target *t = e->target;
	s->task = t->task;
	s->series = t->series;
	s->cpu = NO_CPU;
	profile_add(t->sink->profile, t->sink->options->side, node_path(e, index), s);
}

/* How long a sample lasts until `now`. false: no time. */
static bool set_time(struct sample *s, const struct emission *e, int64_t last, int64_t now)
{
	const struct v8_profile *p = e->profile;
	if (now <= last)
		return false;
	set_length(s, e->target->unit, (uint64_t)now - (uint64_t)last);
	s->time = p->start_time >= 0 && p->start_time < INT64_MAX / 2 && last >= 0
	              ? (uint64_t)p->start_time + (uint64_t)last
	              : NO_TIME;
	return true;
}

/* Advances to the time of the next sample; a sample whose delta is no time has none. false: it overflows. */
static bool go_on(int64_t *now, int64_t delta)
{
	delta = delta == V8_BAD_DELTA ? 0 : delta;
	return !__builtin_add_overflow(*now, delta, now) && *now <= INT64_MAX / 2 && *now >= INT64_MIN / 2;
}

/* The number of the node with this id. Most writers number nodes from 1 on. */
static bool find_node(const struct v8_profile *p, uint64_t id, uint32_t *index)
{
	if (!id || id > p->n_nodes || p->nodes[id - 1].id != id)
		return idmap_find(&p->ids, id, index);
	*index = (uint32_t)id - 1;
	return true;
}

/* Prefetches the node of a sample ahead: those of neighbours are rarely near each other. */
static inline void fetch_node(const struct v8_profile *p, size_t i)
{
	enum { AHEAD = 16 };
	if (i + AHEAD < p->n_samples && p->samples[i + AHEAD] <= p->n_nodes)
		fetch_line(&p->nodes[p->samples[i + AHEAD] - 1].id);
}

static void emit_until(struct emission *e, size_t i, int64_t last, int64_t now)
{
	struct v8_profile *p = e->profile;
	struct sample s = {0};
	uint32_t index;
	if (!set_time(&s, e, last, now))
		return;
	if (find_node(p, p->samples[i], &index)) {
		if (e->target->sink->options->wants_sites)
			set_line(e, index, i < p->n_lines ? p->lines[i] : next_line(p, &p->nodes[index]), &s);
		emit_one(e, index, &s);
	} else
		sink_skip(e->target->sink, "sample of an unknown node", 0, NULL, 0);
}

/*
 * The last sample lasts until endTime. is_only: no sample before it had any time. Traces that were cut off lack
 * endTime, so that is of no great interest.
 */
static void emit_last(struct emission *e, int64_t last, bool is_only)
{
	static const char without[] = "no endTime after the last sample, whose time is unknown (it is left out)";
	struct v8_profile *p = e->profile;
	int64_t end;
	bool has_end = p->has_start && p->has_end && p->end_time <= INT64_MAX / 2 &&
	               !__builtin_sub_overflow(p->end_time, p->start_time, &end) && end >= last;
	if (p->has_bad_delta && p->has_end)
		sink_skip(e->target->sink, UNKNOWN_TIME, 0, NULL, 0);
	else if (has_end)
		emit_until(e, p->n_samples - 1, last, end);
	else if (is_only || p->has_bad_time || p->has_end)
		sink_warn(e->target->sink, without, 0, NULL, 0);
	else
		sink_info(e->target->sink, without, 0, NULL, 0);
}

static void emit_each(struct emission *e)
{
	struct v8_profile *p = e->profile;
	struct sink *sink = e->target->sink;
	int64_t first = 0;
	if (p->n_deltas)
		go_on(&first, p->deltas[0]);
	int64_t last = first, now = last;
	for (size_t i = 0; i + 1 < p->n_samples && i + 1 < p->n_deltas; i++) {
		fetch_node(p, i);
		if (!go_on(&now, p->deltas[i + 1])) {
			sink_skip(sink, "timeDeltas that are not times (expected microseconds)", 0, NULL, 0);
			return;
		}
		if (p->deltas[i + 1] == V8_BAD_DELTA)
			sink_skip(sink, UNKNOWN_TIME, 0, NULL, 0);
		else if (now < last)
			sink_skip(sink, "sample after which time goes back (it is left out)", 0, NULL, 0);
		else
			emit_until(e, i, last, now);
		last = now > last ? now : last;
	}
	if (p->n_samples && p->n_samples <= p->n_deltas)
		emit_last(e, last, last == first);
}

void v8_profile_emit_samples(struct v8_profile *p, const struct v8_target *t)
{
	struct emission e = {.profile = p, .target = t};
	json_odd_say(&p->odd, t->sink);
	json_odd_say(&p->odd_members, t->sink);
	link_parents(p, t->sink);
	if (p->n_deltas != p->n_samples)
		sink_warn(t->sink, "not as many timeDeltas as samples (samples without one are left out)", 0, NULL, 0);
	emit_each(&e);
	time_rest_say(&p->rest, t->sink, t->sink->options->side, t->series);
	frames_deinit(&e.way);
}

/* One sample for each of its lines, and one for hits without a line. */
static void emit_node(struct emission *e, uint32_t index)
{
	const struct v8_node *n = &e->profile->nodes[index];
	uint64_t hits = n->hits;
	for (uint32_t i = 0; e->target->sink->options->wants_sites && i < n->n_ticks; i++) {
		const struct v8_tick *tick = &e->profile->ticks[n->first_tick + i];
		struct sample s = {.weight = tick->n < hits ? tick->n : hits, .time = NO_TIME};
		hits -= s.weight;
		set_line(e, index, tick->line, &s);
		if (s.weight)
			emit_one(e, index, &s);
	}
	struct sample s = {.weight = hits, .time = NO_TIME};
	if (hits)
		emit_one(e, index, &s);
}

void v8_profile_emit_hits(struct v8_profile *p, const struct v8_target *t)
{
	struct emission e = {.profile = p, .target = t};
	json_odd_say(&p->odd, t->sink);
	json_odd_say(&p->odd_members, t->sink);
	link_parents(p, t->sink);
	for (size_t i = 0; i < p->n_nodes; i++)
		emit_node(&e, (uint32_t)i);
	frames_deinit(&e.way);
}

uint64_t v8_profile_length(const struct v8_profile *p)
{
	int64_t now = 0, last = 0;
	for (size_t i = 1; i < p->n_deltas && go_on(&now, p->deltas[i]); i++)
		last = now > last ? now : last;
	return (uint64_t)last;
}
