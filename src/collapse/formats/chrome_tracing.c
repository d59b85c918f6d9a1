/*
 * chrome_tracing.c - parses the Trace Event Format of chrome://tracing, Perfetto, clang -ftime-trace and others.
 *
 *	{"traceEvents":[
 *	 {"pid":7,"tid":1,"ts":100,"ph":"X","name":"Frame","dur":100},
 *	 {"pid":7,"tid":1,"ts":110,"ph":"B","name":"Layout"},
 *	 {"pid":7,"tid":1,"ts":150,"ph":"E"}]}
 *
 *	Frame 60
 *	Frame;Layout 40
 *
 * The file may also be only the array, and careless writers omit its end. Times are microseconds with fractions;
 * they are kept as integer nanoseconds, and so are the weights, which have three decimals.
 *
 * Events of different threads are mixed and need not be in order, so they are kept until the end, three words each.
 * Then each thread's events become samples (timeline.h).
 *
 * clang -ftime-trace adds a summary for each kind of span ("Total Frontend"), on separate threads. These sums
 * repeat time that the trace already contains, so they are left out.
 */
#include <stdio.h>

#define uthash_fatal(msg) mem_exhausted()
#include "base/mem.h"

#include <uthash.h>

#include "base/json.h"
#include "base/number.h"
#include "base/sort.h"
#include "collapse/formats.h"
#include "collapse/formats/chrome_fields.h"
#include "collapse/formats/chrome_profiles.h"
#include "collapse/formats/chrome_samples.h"
#include "collapse/text/decimal.h"
#include "collapse/text/lines.h"
#include "collapse/text/time_rest.h"
#include "collapse/text/timeline.h"

#define NANOSECONDS 3            /* decimal places of a microsecond */
#define TIME_MAX (INT64_MAX / 4) /* so that no sum or difference of times overflows */

struct trace_thread {
	char *key; /* pid and tid as written, with a NUL between */
	uint32_t index;
	int64_t pid, tid; /* -1: not numbers */
	uint32_t name;    /* symbol of the name given by metadata, 0: none */
	size_t first, n;  /* its events, in `order` */
	bool has_samples;
	UT_hash_handle hh;
};

/* Used in place of a thread: this entry holds the name of the process. */
#define PROCESS ((struct slice){"\1", 1})

/* The lists in a trace; chrome_samples.h describes the last two. */
enum list { NO_LIST, EVENTS, SAMPLES, STACK_FRAMES };

/* The event being read. */
struct pending {
	enum chrome_field field;
	unsigned odd; /* fields of the wrong kind */
	struct buf name, args_name, pid, tid, id, frame, parent;
	bool has_name, has_args_name, is_args_name, is_data, has_average;
	char phase[2];
	int64_t time, duration;
	bool has_time, has_duration, is_odd;
	struct time_rest rest; /* of all durations */
};

struct chrome {
	struct sink *sink;
	struct json json;
	uint32_t list_depth; /* number of open containers between events; 0: not in a list */
	enum list list;      /* the list that is open, or announced by the last key */
	bool has_list;
	struct buf frame_id;
	struct chrome_samples samples;
	struct chrome_profiles profiles;
	uint32_t profile_series;
	uint32_t data; /* number of containers around args.data, which is being read; 0: it is not */
	struct pending event;
	struct timeline timeline;
	struct trace_thread **threads;
	size_t n_threads, cap_threads;
	struct trace_thread *by_key;
	uint32_t last_thread;
	struct buf key;
	uint32_t *order; /* filled at the end: events by thread */
};

static struct slice token_text(const struct json *j)
{
	return (struct slice){j->text, j->len};
}

static void set_text(struct buf *out, struct slice text)
{
	out->len = 0;
	buf_add(out, text.s, text.n);
}

static struct slice buf_slice(const struct buf *b)
{
	return (struct slice){b->len ? b->data : "", b->len};
}

static void begin_event(struct pending *e)
{
	e->field = OTHER;
	e->odd = 0;
	e->name.len = e->args_name.len = e->pid.len = e->tid.len = e->id.len = e->frame.len = e->parent.len = 0;
	e->has_name = e->has_args_name = e->is_args_name = e->is_data = e->has_average = false;
	e->phase[0] = '\0';
	e->has_time = e->has_duration = e->is_odd = false;
}

/* Takes a string or a number; some writers quote numbers. */
static void event_value(struct pending *e, struct slice text, bool is_string)
{
	switch (e->field) {
	case NAME:
		set_text(&e->name, text);
		e->has_name = true;
		break;
	case PHASE:
		e->phase[0] = !is_string ? '\0' : text.n == 1 ? *text.s : '?';
		break;
	case TIME:
		e->has_time = decimal_scaled(text.s, text.n, NANOSECONDS, &e->time);
		if (!e->has_time) {
			e->is_odd = true;
			e->odd |= FIELD(TIME);
		}
		break;
	case THREAD_DURATION:
		if (e->has_duration)
			break;
		/* fall through */
	case DURATION:
		e->has_duration = time_rest_read(&e->rest, text, NANOSECONDS, &e->duration) && e->duration >= 0;
		e->is_odd |= !e->has_duration;
		break;
	case PID:
		set_text(&e->pid, text);
		break;
	case TID:
		set_text(&e->tid, text);
		break;
	case ID:
		set_text(&e->id, text);
		break;
	case STACK_FRAME:
		set_text(&e->frame, text);
		break;
	case PARENT:
		set_text(&e->parent, text);
		break;
	default:
		e->odd |= FIELD(e->field);
	}
}

static int64_t number_or_none(struct slice text)
{
	int64_t v;
	return decimal_scaled(text.s, text.n, 0, &v) ? v : -1;
}

static struct trace_thread *add_thread(struct chrome *c, struct slice pid, struct slice tid)
{
	struct trace_thread *t = mem_zalloc(1, sizeof *t);
	t->key = mem_alloc(c->key.len);
	memcpy(t->key, c->key.data, c->key.len);
	t->index = (uint32_t)c->n_threads;
	t->pid = number_or_none(pid);
	t->tid = number_or_none(tid);
	HASH_ADD_KEYPTR(hh, c->by_key, t->key, c->key.len, t);
	mem_push(c->threads, c->n_threads, c->cap_threads, t);
	return t;
}

/* NULL: there is none. */
static struct trace_thread *known_thread(struct chrome *c, struct slice pid, struct slice tid)
{
	struct trace_thread *t;
	set_text(&c->key, pid);
	buf_addc(&c->key, '\0');
	buf_add(&c->key, tid.s, tid.n);
	HASH_FIND(hh, c->by_key, c->key.data, c->key.len, t);
	return t;
}

static struct trace_thread *find_thread(struct chrome *c, struct slice pid, struct slice tid)
{
	struct trace_thread *t = known_thread(c, pid, tid);
	return t ? t : add_thread(c, pid, tid);
}

/* The thread of the current event, mostly that of the previous event. */
static struct trace_thread *event_thread(struct chrome *c)
{
	struct slice pid = buf_slice(&c->event.pid), tid = buf_slice(&c->event.tid);
	struct trace_thread *t = c->n_threads ? c->threads[c->last_thread] : NULL;
	if (!t || t->hh.keylen != pid.n + 1 + tid.n || memcmp(t->key, pid.s, pid.n) != 0 || t->key[pid.n] != '\0' ||
	    memcmp(t->key + pid.n + 1, tid.s, tid.n) != 0)
		t = find_thread(c, pid, tid);
	c->last_thread = t->index;
	return t;
}

/* Reports those of these fields that were of the wrong kind. */
static void skip_odd(struct chrome *c, unsigned fields)
{
	if (c->event.odd & fields)
		chrome_fields_skip(c->sink, c->event.odd & fields, c->json.line);
}

static void name_thread(struct chrome *c)
{
	const struct pending *e = &c->event;
	struct slice what = buf_slice(&e->name), pid = buf_slice(&e->pid);
	bool is_thread = slice_is(what, "thread_name"), is_process = !is_thread && slice_is(what, "process_name");
	skip_odd(c, FIELD(NAME)); /* it may be one of these */
	if (!is_thread && !is_process)
		return;
	skip_odd(c, FIELD(PID) | (is_thread ? FIELD(TID) : 0) | FIELD(ARGS) | FIELD(ARGS_NAME));
	if (e->has_args_name)
		find_thread(c, pid, is_thread ? buf_slice(&e->tid) : PROCESS)->name =
			sink_frame(c->sink, e->args_name.data, e->args_name.len);
}

static bool is_near(int64_t time)
{
	return time <= TIME_MAX && time >= -TIME_MAX;
}

static void keep_event(struct chrome *c, int64_t length)
{
	const struct pending *e = &c->event;
	if (!e->has_time || e->is_odd || !is_near(e->time) || length > TIME_MAX ||
	    (!e->has_name && length != LENGTH_END) || c->timeline.n_events == UINT32_MAX) {
		sink_skip(c->sink, "event without name, or without a time that fits (expected name, ts and for X dur)",
		          c->json.line, e->name.data, e->name.len);
		return;
	}
	struct trace_event event = {.start = e->time, .length = length, .name = NO_NAME};
	if (length != LENGTH_END || e->name.len)
		event.name = sink_frame(c->sink, e->name.data, e->name.len);
	skip_odd(c, FIELD(NAME) | FIELD(PID) | FIELD(TID));
	struct trace_thread *t = event_thread(c);
	event.thread = t->index & INT32_MAX; /* more threads would not fit into memory */
	t->n++;
	timeline_add(&c->timeline, &event);
}

/* Is it "Total Frontend" of clang -ftime-trace, with a count and an average in its arguments? */
static bool is_summary(const struct pending *e)
{
	return e->has_average && slice_starts(buf_slice(&e->name), "Total ");
}

/* Reports an event that is no duration of one thread: users miss samples and time, not marks and counters. */
static void leave_out(struct chrome *c)
{
	const struct pending *e = &c->event;
	struct slice name = buf_slice(&e->name);
	skip_odd(c, FIELD(NAME)); /* it may be a profile */
	if (e->phase[0] == 'P')
		sink_warn(c->sink, "samples (P events) that are no CPU profile are left out", c->json.line, name.s, name.n);
	else if (e->phase[0] == 'b' || e->phase[0] == 'S')
		sink_warn(c->sink, "spans that belong to no thread (async events) are left out", c->json.line, name.s,
		          name.n);
	else
		sink_info(c->sink, "events that are no durations (instants, counters, flows, ...) are left out",
		          c->json.line, name.s, name.n);
}

static void keep_sample(struct chrome *c)
{
	const struct pending *e = &c->event;
	if (!e->has_time || e->is_odd || !is_near(e->time)) {
		sink_skip(c->sink, "sample without a time that fits (expected ts and sf)", c->json.line, NULL, 0);
		return;
	}
	skip_odd(c, FIELD(PID) | FIELD(TID));
	struct trace_thread *t = event_thread(c);
	t->has_samples = true;
	chrome_samples_add(&c->samples, e->time, t->index, buf_slice(&e->frame));
}

static void keep_frame(struct chrome *c)
{
	const struct pending *e = &c->event;
	skip_odd(c, FIELD(NAME) | FIELD(PARENT));
	uint32_t name = e->name.len ? sink_frame(c->sink, e->name.data, e->name.len) : sink_unknown(c->sink);
	chrome_samples_frame(&c->samples, buf_slice(&c->frame_id), buf_slice(&e->parent), name);
}

/* The phase of these events changed every few versions of Chrome. */
static bool take_profile(struct chrome *c)
{
	const struct pending *e = &c->event;
	struct chrome_profile_event event = {.name = buf_slice(&e->name), .pid = buf_slice(&e->pid)};
	if (!chrome_profiles_want(&c->profiles, event.name) || !e->phase[0] || !strchr("PIin", e->phase[0]))
		return false;
	skip_odd(c, FIELD(TIME) | FIELD(PID) | FIELD(TID) | FIELD(ID) | FIELD(ARGS) | FIELD(ARGS_DATA));
	event.tid = buf_slice(&e->tid);
	event.id = buf_slice(&e->id);
	event.time = e->has_time ? e->time : 0;
	event.thread = event_thread(c)->index;
	chrome_profiles_take(&c->profiles, &event);
	return true;
}

/* Ends an event. Only durations make stacks; the others are counted and reported. */
static void end_event(struct chrome *c)
{
	const struct pending *e = &c->event;
	if (take_profile(c))
		return;
	switch (e->phase[0]) {
	case 'X':
		if (is_summary(e))
			report_add_weight(
				&c->sink->profile->report, NOTE_WARN,
				"summaries of clang -ftime-trace (\"Total ...\") are left out, as their spans are there", NULL, 0,
				e->has_duration ? (uint64_t)e->duration / 1000 : 0);
		else if (e->has_duration || e->is_odd)
			keep_event(c, e->duration);
		else
			sink_warn(c->sink, "X events without dur are left out", c->json.line, e->name.data, e->name.len);
		break;
	case 'B':
	case 'E':
		keep_event(c, e->phase[0] == 'B' ? LENGTH_BEGIN : LENGTH_END);
		break;
	case 'M':
		name_thread(c);
		break;
	case '\0':
		sink_skip(c->sink, "event without ph", c->json.line, e->name.data, e->name.len);
		break;
	default:
		leave_out(c);
	}
}

static void end_item(struct chrome *c)
{
	if (c->list == SAMPLES)
		keep_sample(c);
	else if (c->list == STACK_FRAMES)
		keep_frame(c);
	else
		end_event(c);
}

/* --- the document --- */

static enum list list_of(struct slice key)
{
	return slice_is(key, "traceEvents")   ? EVENTS
	       : slice_is(key, "samples")     ? SAMPLES
	       : slice_is(key, "stackFrames") ? STACK_FRAMES
	                                      : NO_LIST;
}

static void take_key(struct chrome *c, struct slice key)
{
	uint32_t depth = c->json.depth;
	if (!c->list_depth)
		c->list = depth == 1 ? list_of(key) : NO_LIST;
	else if (depth == c->list_depth)
		set_text(&c->frame_id, key);
	else if (depth == c->list_depth + 1)
		c->event.field = chrome_field_of(key);
	else if (depth == c->list_depth + 2 && c->event.field == ARGS) {
		c->event.is_args_name = slice_is(key, "name");
		c->event.is_data = slice_is(key, "data");
		c->event.has_average |= slice_is(key, "avg ms");
	}
}

/* A value that was not taken: remembers if that loses something; null stands for nothing. */
static void check_member(struct chrome *c, enum json_token t)
{
	struct pending *e = &c->event;
	uint32_t around = json_depth_around(&c->json, t);
	if (!c->list_depth && around == 1 && (c->list == SAMPLES || c->list == STACK_FRAMES)) {
		struct slice key = slice_of(c->list == SAMPLES ? "samples" : "stackFrames");
		sink_skip(c->sink, ODD_MEMBER, c->json.line, key.s, key.n);
	} else if (c->list_depth && around == c->list_depth + 1) {
		e->odd |= FIELD(e->field);
		e->is_odd |= e->field == TIME || e->field == DURATION || (e->field == THREAD_DURATION && !e->has_duration);
	} else if (c->list_depth && around == c->list_depth + 2 && (e->is_args_name || e->is_data)) {
		e->odd |= FIELD(e->is_data ? ARGS_DATA : ARGS_NAME);
	}
}

static void take_value(struct chrome *c, bool is_string)
{
	struct pending *e = &c->event;
	uint32_t depth = c->json.depth;
	if (c->list_depth && depth == c->list_depth + 1) {
		event_value(e, token_text(&c->json), is_string);
	} else if (c->list_depth && depth == c->list_depth + 2 && e->is_args_name && is_string) {
		set_text(&e->args_name, token_text(&c->json));
		e->has_args_name = true;
	} else {
		check_member(c, is_string ? JSON_STRING : JSON_NUMBER);
	}
}

static void open_container(struct chrome *c, bool is_object)
{
	uint32_t depth = c->json.depth;
	if (depth == 1 && !is_object)
		c->list = EVENTS;
	if (!c->list_depth && c->list && is_object == (c->list == STACK_FRAMES)) {
		c->list_depth = depth;
		c->has_list |= c->list == EVENTS;
	} else if (is_object && depth == c->list_depth + 1) {
		begin_event(&c->event);
	} else if (is_object && depth == c->list_depth + 2 && c->event.field == ARGS) {
		c->event.is_args_name = c->event.is_data = false;
	} else if (is_object && depth == c->list_depth + 3 && c->event.field == ARGS && c->event.is_data) {
		c->data = depth - 1;
		chrome_profiles_read(&c->profiles, &c->json, JSON_OBJECT, c->data);
	} else {
		check_member(c, is_object ? JSON_OBJECT : JSON_ARRAY);
		json_leave(&c->json);
	}
}

/* Is it, in a list, something else than an event, a sample or a frame? */
static bool take_odd(struct chrome *c, enum json_token t)
{
	uint32_t around = json_depth_around(&c->json, t);
	uint64_t line = c->json.line;
	struct slice text = t == JSON_STRING || t == JSON_NUMBER ? token_text(&c->json) : slice_of("");
	if (!c->list_depth || around != c->list_depth || !json_is_odd(&c->json, t, JSON_SET(JSON_OBJECT)))
		return false;
	sink_skip(c->sink, ODD_ELEMENT, line, text.s, text.n);
	return true;
}

static void end_list(struct chrome *c)
{
	c->list_depth = 0;
	c->list = NO_LIST;
	c->event.field = OTHER;
}

static void take_data(struct chrome *c, enum json_token t)
{
	chrome_profiles_read(&c->profiles, &c->json, t, c->data);
	if (t == JSON_OBJECT_END && c->json.depth == c->data)
		c->data = 0;
}

static bool chrome_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct chrome *c = state;
	enum json_token t;
	json_feed(&c->json, text, len, false);
	while ((t = json_next(&c->json)) > JSON_MORE) {
		if (c->data)
			take_data(c, t);
		else if (t == JSON_KEY)
			take_key(c, token_text(&c->json));
		else if (take_odd(c, t))
			continue;
		else if (t == JSON_STRING || t == JSON_NUMBER)
			take_value(c, t == JSON_STRING);
		else if (json_begins_container(t))
			open_container(c, t == JSON_OBJECT);
		else if (t == JSON_OBJECT_END && c->list_depth && c->json.depth == c->list_depth)
			end_item(c);
		else if ((t == JSON_ARRAY_END || t == JSON_OBJECT_END) && c->json.depth < c->list_depth)
			end_list(c);
		else if (t == JSON_TRUE || t == JSON_FALSE)
			check_member(c, t);
	}
	if (t != JSON_ERROR)
		return true;
	return fail(err, "%s", c->json.err.text);
}

/* --- from events to samples --- */

/* --pid and --tid: adds a root frame "name-PID" or "name-PID/TID". */
static uint32_t root_path(struct chrome *c, const struct trace_thread *t, uint32_t comm)
{
	const struct collapse_options *o = c->sink->options;
	const struct symbol *name = &c->sink->profile->symtab.symbols[comm];
	struct buf text;
	if (!o->pid && !o->tid)
		return PATH_ROOT;
	buf_init(&text);
	sink_add_shared(c->sink, &text, name->name, name->len);
	buf_addf(&text, "-%s", t->key);
	if (o->tid)
		buf_addf(&text, "/%.*s", (int)(t->hh.keylen - strlen(t->key) - 1), t->key + strlen(t->key) + 1);
	uint32_t path = profile_child(c->sink->profile, PATH_ROOT, sink_frame(c->sink, text.data, text.len));
	buf_deinit(&text);
	return path;
}

/* The task and the root frame of a thread's samples. */
static struct chrome_owner owner_of(struct chrome *c, const struct trace_thread *t)
{
	const struct trace_thread *process = known_thread(c, (struct slice){t->key, strlen(t->key)}, PROCESS);
	uint32_t comm = process && process->name ? process->name : t->name;
	uint32_t task = profile_task(c->sink->profile, t->name ? t->name : comm, t->pid, t->tid);
	return (struct chrome_owner){task, root_path(c, t, comm)};
}

static void emit_thread(struct chrome *c, struct trace_thread *t, int64_t zero)
{
	struct chrome_owner owner = owner_of(c, t);
	timeline_emit(&c->timeline, c->order + t->first, t->n, owner.task, owner.root, zero);
}

/* Samples next to spans measure the same time again, so they become a separate event. */
static uint32_t series_for(struct chrome *c, bool is_beside, const char *name)
{
	const char *shown = is_beside ? name : "time";
	return profile_series(c->sink->profile, sink_sym(c->sink, shown, strlen(shown)), sink_sym(c->sink, "us", 2));
}

static void emit_samples(struct chrome *c)
{
	size_t n = c->n_threads;
	struct chrome_owner *owners = mem_zalloc(n, sizeof *owners);
	for (size_t i = 0; i < n; i++)
		if (c->threads[i]->has_samples)
			owners[i] = owner_of(c, c->threads[i]);
	chrome_samples_emit(&c->samples, c->sink, owners, series_for(c, c->timeline.n_events > 0, "samples"));
	free(owners);
}

static struct v8_target target_of(void *arg, uint32_t thread)
{
	struct chrome *c = arg;
	struct chrome_owner owner = owner_of(c, c->threads[thread]);
	return (struct v8_target){c->sink, owner.task, owner.root, c->profile_series, 1000};
}

static void emit_profiles(struct chrome *c)
{
	c->profile_series = series_for(c, c->timeline.n_events || c->samples.n, "cpu-samples");
	chrome_profiles_emit(&c->profiles, target_of, c);
}

static int compare_threads(const void *a, const void *b)
{
	const struct trace_thread *x = *(struct trace_thread *const *)a, *y = *(struct trace_thread *const *)b;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Fills `order` with the events of the first thread, then of the second, and so on, in file order. */
static void order_by_thread(struct chrome *c, struct trace_thread *const *threads, size_t n_threads)
{
	size_t first = 0;
	c->order = mem_alloc(c->timeline.n_events * sizeof *c->order);
	for (size_t i = 0; i < n_threads; i++) {
		threads[i]->first = first;
		first += threads[i]->n;
		threads[i]->n = 0;
	}
	for (size_t i = 0; i < c->timeline.n_events; i++) {
		struct trace_thread *t = c->threads[c->timeline.events[i].thread];
		c->order[t->first + t->n++] = (uint32_t)i;
	}
}

static void emit_all(struct chrome *c)
{
	int64_t zero = 0;
	size_t n = c->n_threads;
	struct trace_thread **threads = mem_alloc((n + 1) * sizeof *threads);
	for (size_t i = 0; i < c->timeline.n_events; i++)
		zero = c->timeline.events[i].start < zero ? c->timeline.events[i].start : zero;
	for (size_t i = 0; i < n; i++)
		threads[i] = c->threads[i];
	sort_array(threads, n, sizeof *threads, compare_threads);
	order_by_thread(c, threads, n);
	for (size_t i = 0; i < n; i++) {
		if (threads[i]->n)
			emit_thread(c, threads[i], zero);
	}
	free(threads);
}

static void *chrome_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct chrome *c = mem_zalloc(1, sizeof *c);
	c->sink = sink;
	timeline_init(&c->timeline, sink);
	chrome_profiles_init(&c->profiles, sink);
	json_init(&c->json);
	profile_series(sink->profile, sink_sym(sink, "time", 4), sink_sym(sink, "us", 2));
	return c;
}

static void chrome_free(struct chrome *c)
{
	struct pending *e = &c->event;
	HASH_CLEAR(hh, c->by_key);
	for (size_t i = 0; i < c->n_threads; i++) {
		free(c->threads[i]->key);
		free(c->threads[i]);
	}
	free(c->threads);
	timeline_deinit(&c->timeline);
	chrome_samples_deinit(&c->samples);
	chrome_profiles_deinit(&c->profiles);
	free(c->order);
	buf_deinit(&e->name);
	buf_deinit(&e->args_name);
	buf_deinit(&e->pid);
	buf_deinit(&e->tid);
	buf_deinit(&e->id);
	buf_deinit(&e->frame);
	buf_deinit(&e->parent);
	buf_deinit(&c->frame_id);
	buf_deinit(&c->key);
	json_deinit(&c->json);
	free(c);
}

/* Emits what was read even after an error, so that the user sees how far it went. */
static bool chrome_finish(void *state, bool ok, struct err *err)
{
	struct chrome *c = state;
	if (ok) {
		json_feed(&c->json, "", 0, true);
		ok = json_next(&c->json) != JSON_ERROR || fail(err, "%s", c->json.err.text);
	}
	if (ok && !c->has_list)
		sink_warn(c->sink, "no events in it (expected an array, or an object with \"traceEvents\")", 0, NULL, 0);
	else if (ok && c->json.depth > c->list_depth && c->list_depth)
		sink_warn(c->sink, "the input ends within an event, which is left out", c->json.line, NULL, 0);
	else if (ok && c->json.depth && c->list_depth != 1) /* a bare array needs no end */
		sink_warn(c->sink, "the input ends within the document: what follows is missing", c->json.line, NULL, 0);
	time_rest_say(&c->event.rest, c->sink, c->sink->options->side, 0);
	if (c->timeline.n_events)
		emit_all(c);
	if (c->samples.n)
		emit_samples(c);
	if (c->profiles.n)
		emit_profiles(c);
	chrome_free(c);
	return ok;
}

/* Is there "ph" as a key, followed by a colon? */
static bool has_phase(struct slice text)
{
	for (size_t at; (at = slice_find(text, "\"ph\"")) != SIZE_MAX;) {
		text = slice_from(text, at + 4);
		if (slice_starts(slice_ltrim(text), ":"))
			return true;
	}
	return false;
}

static enum sniff chrome_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not JSON";
	if (!slice_starts(text, "{") && !slice_starts(text, "["))
		return SNIFF_NO;
	*why = "JSON without \"traceEvents\", and without \"ph\" near its start";
	return slice_has(text, "\"traceEvents\"") || has_phase(text) ? SNIFF_YES : SNIFF_MAYBE;
}

const struct collapse_format format_chrome_tracing = {
	.name = "chrome-tracing",
	.help = "Trace Event Format: chrome://tracing, Perfetto, clang -ftime-trace, ...",
	.sniff = chrome_sniff,
	.start = chrome_start,
	.feed = chrome_feed,
	.finish = chrome_finish,
	.is_text_stream = true,
	.decimals = NANOSECONDS,
	.has_spans = true,
	.effects = EFFECT_PID | EFFECT_TID,
};
