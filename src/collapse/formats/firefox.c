/*
 * firefox.c - parses processed profiles of the Firefox Profiler, which samply and others write as well.
 *
 *	{"meta":{"interval":1,"startTime":1.7e12,"preprocessedProfileVersion":55,...},"libs":[{"name":"a.out",...}],
 *	 "threads":[{"name":"main","processName":"a.out","pid":"10","tid":11,
 *	  "samples":{"stack":[1,0,null],"time":[0,1.5,2],"weight":[5,2,1],"weightType":"samples","length":3},
 *	  "stackTable":{"frame":[0,1],"prefix":[null,0],"length":2},"frameTable":{"func":[0,1],"line":[3,null],...},
 *	  "funcTable":{"name":[0,1],"fileName":[null,2],"lineNumber":[...],"resource":[...],...},
 *	  "stringArray":["main","read","a.c"]}]}
 *
 * (github.com/firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md). Tables are objects of columns. From
 * version 56 on strings, from 60 on most tables are in an object "shared" instead, which may come after the
 * threads: what a thread lacks is taken from there, table by table, so all versions are read alike. Parents of
 * stacks are numbers ("prefix") or, from 66 on, distances ("prefixOffset").
 *
 * Weights are samples, milliseconds or bytes; CPU times and allocations are values of their own. Markers are not
 * read: they have no stacks to add up. Samples without a stack count as left out, unless --idle keeps them.
 */
#include "base/json.h"
#include "collapse/formats.h"
#include "collapse/formats/firefox_profile.h"
#include "collapse/text/part.h"

/* The meaning of an open container. */
enum place {
	ELSEWHERE,
	TOP,
	META,
	NOTES, /* what flametop says of the profile, in lists and objects */
	UNITS,
	LIBS,
	LIB,
	SHARED,
	THREADS,
	THREAD,
	LOG,
	TABLE,
	STRING_TABLE,
	STRINGS,
	NUMBERS,  /* a column of a table */
	LOG_LIST, /* a column of a log */
};

#define DEEPEST 6 /* depth of containers of interest */
#define NS_IN_MS 1000000
#define IN(place) JSON_SET(place) /* a set of places */

enum log_column { STACK, TIME, DELTAS, WEIGHT, CPU };

struct firefox {
	struct sink *sink;
	struct json json;
	enum place places[DEEPEST];
	struct buf key; /* of the next value */
	struct firefox_profile profile;
	const char *table;               /* the open table */
	struct firefox_numbers *numbers; /* its open column */
	struct firefox_log *log;
	enum log_column column; /* its open column */
	bool tells_odd;         /* what is no number in the open column of a table is not told later */
	bool has_meta;
	bool is_our_note;   /* facts on a profile of flametop follow */
	bool has_two_units; /* one for each side of a comparison, both in one column */
	uint32_t *fact;     /* where the next value goes; NULL: nowhere */
};

static struct slice key_of(const struct firefox *f)
{
	return (struct slice){f->key.len ? f->key.data : "", f->key.len};
}

/* ---- containers ---------------------------------------------------------------------------------------------- */

static struct firefox_tables *tables_of(struct firefox *f)
{
	return f->json.depth > 2 && f->places[1] == SHARED ? &f->profile.shared : &f->profile.data.tables;
}

/* The column of a table that a list is; ELSEWHERE: one that is not needed. */
static enum place begin_numbers(struct firefox *f)
{
	static const struct {
		const char *table, *key;
		enum firefox_column column;
	} columns[] = {
		{"stackTable", "frame", STACK_FRAME},
		{"stackTable", "prefix", STACK_PREFIX},
		{"stackTable", "prefixOffset", STACK_OFFSET},
		{"frameTable", "func", FRAME_FUNC},
		{"frameTable", "line", FRAME_LINE},
		{"frameTable", "lib", FRAME_LIB},
		{"funcTable", "name", FUNC_NAME},
		{"funcTable", "fileName", FUNC_FILE},
		{"funcTable", "source", FUNC_SOURCE},
		{"funcTable", "lineNumber", FUNC_LINE},
		{"funcTable", "resource", FUNC_RESOURCE},
		{"resourceTable", "name", RESOURCE_NAME},
		{"resourceTable", "type", RESOURCE_TYPE},
		{"sources", "filename", SOURCE_FILE},
	};
	for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
		if (strcmp(columns[i].table, f->table) == 0 && slice_is(key_of(f), columns[i].key)) {
			f->numbers = &tables_of(f)->columns[columns[i].column];
			f->numbers->n = 0;
			f->tells_odd = columns[i].column > FRAME_FUNC && columns[i].column != FUNC_NAME;
			return NUMBERS;
		}
	return ELSEWHERE;
}

/* The column of a log that a list is. The last of two with the same name counts. */
static enum place begin_list(struct firefox *f)
{
	struct slice key = key_of(f);
	bool is_weight = slice_is(key, "weight") || (slice_is(key, "duration") && f->log->unit == UNIT_BYTES);
	if (slice_is(key, "stack")) {
		f->column = STACK;
		f->log->stack.n = 0;
	} else if (slice_is(key, "time") || slice_is(key, "timeDeltas")) {
		f->column = slice_is(key, "time") ? TIME : DELTAS;
		f->log->n_times = 0;
		f->log->has_deltas = f->column == DELTAS;
	} else if (is_weight) {
		f->column = WEIGHT;
		f->log->n_weights = 0;
	} else if (slice_is(key, "threadCPUDelta")) {
		f->column = CPU;
		f->log->n_cpu = 0;
	} else {
		return ELSEWHERE;
	}
	return LOG_LIST;
}

static enum place begin_log(struct firefox *f)
{
	static const char *const keys[] = {
		[LOG_SAMPLES] = "samples", [LOG_JS] = "jsAllocations", [LOG_NATIVE] = "nativeAllocations"};
	for (size_t i = 0; i < N_FIREFOX_LOGS; i++)
		if (slice_is(key_of(f), keys[i])) {
			f->log = &f->profile.data.logs[i];
			return LOG;
		}
	return ELSEWHERE;
}

static enum place begin_table(struct firefox *f)
{
	static const char *const keys[] = {"stackTable", "frameTable", "funcTable", "resourceTable", "sources"};
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (slice_is(key_of(f), keys[i])) {
			f->table = keys[i];
			return TABLE;
		}
	return ELSEWHERE;
}

static enum place begin_strings(struct firefox *f)
{
	tables_of(f)->strings.n = tables_of(f)->strings.text.len = 0;
	long_names_deinit(&f->profile.shared_names);
	return STRINGS;
}

/* What is in a thread, or shared by all. */
static enum place place_of_table(struct firefox *f, bool is_object, bool is_thread)
{
	struct slice key = key_of(f);
	bool is_strings = slice_is(key, "stringArray") || slice_is(key, "stringTable");
	if (!is_object)
		return is_strings ? begin_strings(f) : ELSEWHERE;
	if (is_strings)
		return STRING_TABLE;
	enum place table = begin_table(f);
	return table == ELSEWHERE && is_thread ? begin_log(f) : table;
}

static enum place place_at_top(struct firefox *f, bool is_object)
{
	struct slice key = key_of(f);
	if (is_object)
		return slice_is(key, "meta") ? META : slice_is(key, "shared") ? SHARED : ELSEWHERE;
	return slice_is(key, "threads") ? THREADS : slice_is(key, "libs") ? LIBS : ELSEWHERE;
}

static enum place place_in_meta(struct firefox *f, bool is_object)
{
	if (is_object)
		return slice_is(key_of(f), "sampleUnits") ? UNITS : ELSEWHERE;
	return slice_is(key_of(f), "extra") ? NOTES : ELSEWHERE;
}

static enum place place_of(struct firefox *f, bool is_object)
{
	uint32_t depth = f->json.depth;
	if (depth == 1)
		return is_object ? TOP : ELSEWHERE;
	switch (f->places[depth - 2]) {
	case TOP:
		return place_at_top(f, is_object);
	case META:
		return place_in_meta(f, is_object);
	case NOTES:
		return NOTES;
	case LIBS:
		return is_object ? LIB : ELSEWHERE;
	case THREADS:
		return is_object ? THREAD : ELSEWHERE;
	case SHARED:
		return place_of_table(f, is_object, false);
	case THREAD:
		return place_of_table(f, is_object, true);
	case STRING_TABLE:
		return !is_object && slice_is(key_of(f), "_array") ? begin_strings(f) : ELSEWHERE;
	case TABLE:
		return is_object ? ELSEWHERE : begin_numbers(f);
	case LOG:
		return is_object ? ELSEWHERE : begin_list(f);
	default:
		return ELSEWHERE;
	}
}

static void take_value(struct firefox *f, enum place place, enum json_token t, struct slice text);

static void open_container(struct firefox *f, bool is_object)
{
	uint32_t depth = f->json.depth;
	enum place around = depth > 1 ? f->places[depth - 2] : ELSEWHERE;
	enum place place = depth <= DEEPEST ? place_of(f, is_object) : ELSEWHERE;
	if (place == ELSEWHERE) {
		json_leave(&f->json);
		take_value(f, around, is_object ? JSON_OBJECT : JSON_ARRAY,
		           (struct slice){"", 0}); /* it has a row in its column */
		return;
	}
	f->places[depth - 1] = place;
	if (place == THREAD)
		firefox_add_thread(&f->profile);
	else if (place == LIB)
		mem_push(f->profile.libs, f->profile.n_libs, f->profile.cap_libs, 0);
}

static void close_container(struct firefox *f)
{
	enum place place = f->json.depth < DEEPEST ? f->places[f->json.depth] : ELSEWHERE;
	f->has_meta |= place == META;
	if (place == THREAD && f->has_meta)
		firefox_settle(&f->profile, firefox_last(&f->profile));
	if (place == THREAD)
		firefox_end_thread(&f->profile);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* null stands for nothing. */
static void skip_element(struct firefox *f, enum json_token t, struct slice text)
{
	if (t != JSON_NULL)
		sink_skip(f->sink, ODD_ELEMENT, f->json.line, text.s, text.n);
}

/* A value that was not taken, where one of another kind may be; null stands for nothing. */
static void check_member(struct firefox *f, enum place place, enum json_token t)
{
	enum { ID = JSON_SET(JSON_STRING) | JSON_SET(JSON_NUMBER), TEXT = JSON_SET(JSON_STRING) };
	enum { LIST = JSON_SET(JSON_ARRAY), OBJECT = JSON_SET(JSON_OBJECT) };
	static const struct json_member members[] = {
		{IN(TOP), OBJECT, "meta"},
		{IN(TOP), OBJECT, "shared"},
		{IN(TOP), LIST, "threads"},
		{IN(TOP), LIST, "libs"},
		{IN(META), OBJECT, "sampleUnits"},
		{IN(META), LIST, "extra"},
		{IN(META), TEXT, "product"},
		{IN(META), JSON_SET(JSON_TRUE) | JSON_SET(JSON_FALSE), "symbolicated"},
		{IN(UNITS), TEXT, "threadCPUDelta"},
		{IN(LIB) | IN(THREAD), TEXT, "name"},
		{IN(THREAD), TEXT, "processName"},
		{IN(THREAD), ID, "pid"},
		{IN(THREAD), ID, "tid"},
		{IN(THREAD), OBJECT, "samples"},
		{IN(THREAD), OBJECT, "jsAllocations"},
		{IN(THREAD), OBJECT, "nativeAllocations"},
		{IN(THREAD) | IN(SHARED), OBJECT, "stackTable"},
		{IN(THREAD) | IN(SHARED), OBJECT, "frameTable"},
		{IN(THREAD) | IN(SHARED), OBJECT, "funcTable"},
		{IN(THREAD) | IN(SHARED), OBJECT, "resourceTable"},
		{IN(THREAD) | IN(SHARED), OBJECT, "sources"},
		{IN(THREAD) | IN(SHARED), OBJECT | LIST, "stringTable"},
		{IN(THREAD) | IN(SHARED), OBJECT | LIST, "stringArray"},
		{IN(STRING_TABLE), LIST, "_array"},
		{IN(LOG), TEXT, "weightType"},
	};
	if (json_is_odd_member(members, sizeof members / sizeof *members, place, key_of(f), t)) {
		sink_skip(f->sink, ODD_MEMBER, f->json.line, f->key.data, f->key.len);
		return;
	}
	if (!(JSON_SET(t) & (LIST | JSON_SET(JSON_NULL))) &&
	    ((place == TABLE && begin_numbers(f) != ELSEWHERE) || (place == LOG && begin_list(f) != ELSEWHERE)))
		sink_skip(f->sink, ODD_MEMBER, f->json.line, f->key.data, f->key.len);
}

static void take_list(struct firefox *f, enum json_token t, struct slice text)
{
	struct firefox_log *log = f->log;
	bool is_number = t == JSON_NUMBER;
	switch (f->column) {
	case STACK:
		firefox_push(&log->stack, is_number ? firefox_number(text) : t == JSON_NULL ? NO_NUMBER : BAD_NUMBER);
		break;
	case TIME:
	case DELTAS:
		mem_push(log->time, log->n_times, log->cap_times, is_number ? firefox_time(text) : UNKNOWN_TIME);
		if (!is_number)
			skip_element(f, t, text);
		break;
	case WEIGHT:
		mem_push(log->weight, log->n_weights, log->cap_weights,
		         is_number ? firefox_weight(text) : ((struct firefox_weight){.is_bad = true}));
		break;
	default:
		mem_push(log->cpu, log->n_cpu, log->cap_cpu,
		         firefox_cpu(f->sink, is_number ? text : slice_of("0"), f->json.line));
		if (!is_number)
			skip_element(f, t, text);
		break;
	}
}

static void take_thread(struct firefox *f, enum json_token t, struct slice text)
{
	struct firefox_thread *thread = firefox_last(&f->profile);
	struct slice key = key_of(f);
	bool is_text = t == JSON_STRING;
	if (slice_is(key, "name") && is_text)
		thread->name = sink_frame(f->sink, text.s, text.n);
	else if (slice_is(key, "processName") && is_text)
		thread->process = sink_frame(f->sink, text.s, text.n);
	else if (slice_is(key, "pid") && (is_text || t == JSON_NUMBER))
		thread->pid = firefox_id(text);
	else if (slice_is(key, "tid") && (is_text || t == JSON_NUMBER))
		thread->tid = firefox_id(text);
	else
		check_member(f, THREAD, t);
}

static void take_unit(struct firefox *f, struct slice unit)
{
	if (slice_is(unit, "tracing-ms"))
		f->log->unit = UNIT_MS;
	else if (slice_is(unit, "bytes"))
		f->log->unit = UNIT_BYTES;
}

/* What follows keeps its place. */
static void take_table_string(struct firefox *f, enum json_token t, struct slice text)
{
	if (t == JSON_STRING) {
		firefox_push_string(&tables_of(f)->strings, text);
		return;
	}
	sink_skip(f->sink, ODD_ELEMENT, f->json.line, text.s, text.n);
	firefox_push_unknown(&tables_of(f)->strings);
}

/* An element that is no object: the libraries after it keep their numbers. */
static void take_odd(struct firefox *f, enum place list, struct slice text)
{
	sink_skip(f->sink, ODD_ELEMENT, f->json.line, text.s, text.n);
	if (list == LIBS)
		mem_push(f->profile.libs, f->profile.n_libs, f->profile.cap_libs, 0);
}

static void take_meta(struct firefox *f, enum json_token t, struct slice text)
{
	if (slice_is(key_of(f), "symbolicated") && (t == JSON_FALSE || t == JSON_TRUE))
		f->profile.has_addresses = t == JSON_FALSE;
	else if (slice_is(key_of(f), "product") && t == JSON_STRING)
		f->profile.keeps_empty = slice_has(text, "flametop") && slice_has(text, "without times");
	else
		check_member(f, META, t);
}

/* {"label":"flametop","entries":[{"label":"Event","format":"string","value":"cycles"},...]} */
static void take_note(struct firefox *f, struct slice key, struct slice text)
{
	if (slice_is(key, "label")) {
		f->is_our_note |= slice_is(text, "flametop");
		f->has_two_units |= f->is_our_note && slice_is(text, "Unit before");
		f->fact = !f->is_our_note           ? NULL
		          : slice_is(text, "Event") ? &f->profile.event
		          : slice_is(text, "Unit")  ? &f->profile.unit
		                                    : NULL;
	} else if (slice_is(key, "value")) {
		part_note(f->sink, text);
		if (f->fact)
			*f->fact = sink_sym(f->sink, text.s, text.n);
		f->fact = NULL;
	}
}

static void take_string(struct firefox *f, enum place place, struct slice text)
{
	struct slice key = key_of(f);
	if (place == LOG && slice_is(key, "weightType"))
		take_unit(f, text);
	else if (place == LIB && slice_is(key, "name"))
		f->profile.libs[f->profile.n_libs - 1] = sink_sym(f->sink, text.s, text.n);
	else if (place == UNITS && slice_is(key, "threadCPUDelta"))
		firefox_cpu_unit(&f->profile, text);
	else if (place == NOTES)
		take_note(f, key, text);
	else
		check_member(f, place, JSON_STRING);
}

static void take_number(struct firefox *f, enum json_token t, struct slice text)
{
	if (t == JSON_NUMBER) {
		firefox_push(f->numbers, firefox_number(text));
		return;
	}
	firefox_push(f->numbers, t == JSON_NULL ? NO_NUMBER : BAD_NUMBER);
	if (f->tells_odd)
		skip_element(f, t, text);
}

static void take_value(struct firefox *f, enum place place, enum json_token t, struct slice text)
{
	if (place == NUMBERS)
		take_number(f, t, text);
	else if (place == LOG_LIST)
		take_list(f, t, text);
	else if (place == STRINGS)
		take_table_string(f, t, text);
	else if (place == THREAD)
		take_thread(f, t, text);
	else if (place == META)
		take_meta(f, t, text);
	else if (place == LIBS || place == THREADS)
		take_odd(f, place, text);
	else if (t == JSON_STRING)
		take_string(f, place, text);
	else
		check_member(f, place, t);
}

static void take_token(struct firefox *f, enum json_token t)
{
	uint32_t depth = f->json.depth;
	struct slice text = {"", 0};
	if (t == JSON_KEY || t == JSON_STRING || t == JSON_NUMBER)
		text = (struct slice){f->json.text, f->json.len};
	if (t == JSON_KEY) {
		f->key.len = 0;
		buf_add(&f->key, text.s, text.n);
	} else if (json_begins_container(t)) {
		open_container(f, t == JSON_OBJECT);
	} else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END) {
		close_container(f);
	} else {
		take_value(f, depth && depth <= DEEPEST ? f->places[depth - 1] : ELSEWHERE, t, text);
	}
}

/* Most columns are short numbers, without anything in between: they come many at a time. */
static void take_numbers(struct firefox *f)
{
	uint32_t v[256];
	struct firefox_log *log = f->log;
	size_t n, depth = f->json.depth;
	enum place place = depth && depth <= DEEPEST ? f->places[depth - 1] : ELSEWHERE;
	if (place != NUMBERS && place != LOG_LIST)
		return;
	while ((n = json_short_numbers(&f->json, v, sizeof v / sizeof *v)) > 0)
		for (size_t i = 0; i < n; i++)
			if (place == NUMBERS)
				firefox_push(f->numbers, v[i]);
			else if (f->column == STACK)
				firefox_push(&log->stack, v[i]);
			else if (f->column == TIME || f->column == DELTAS)
				mem_push(log->time, log->n_times, log->cap_times, (int64_t)v[i] * NS_IN_MS);
			else if (f->column == WEIGHT)
				mem_push(log->weight, log->n_weights, log->cap_weights, ((struct firefox_weight){.whole = v[i]}));
			else
				mem_push(log->cpu, log->n_cpu, log->cap_cpu, ((struct firefox_weight){.whole = v[i]}));
}

static bool firefox_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct firefox *f = state;
	enum json_token t;
	json_feed(&f->json, text, len, false);
	take_numbers(f);
	while ((t = json_next(&f->json)) > JSON_MORE) {
		take_token(f, t);
		take_numbers(f);
	}
	return t != JSON_ERROR || fail(err, "%s", f->json.err.text);
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

/* The library of a frame; empty: unknown. */
static struct numbered module_of(const struct firefox_profile *p, const struct firefox_tables *t, uint32_t frame,
                                 uint32_t func)
{
	enum { LIBRARY = 1 };
	struct numbered name = {0, {"", 0}};
	uint32_t lib = firefox_at(t, FRAME_LIB, frame), resource = firefox_at(t, FUNC_RESOURCE, func);
	if (lib < p->n_libs)
		return firefox_library(p, p->libs[lib]);
	if (firefox_at(t, RESOURCE_TYPE, resource) == LIBRARY)
		firefox_numbered(t, firefox_at(t, RESOURCE_NAME, resource), &name);
	return name;
}

static uint32_t firefox_frame(struct firefox_profile *p, const struct firefox_tables *t, uint32_t frame)
{
	struct numbered name, file = {0, {"", 0}};
	struct long_names *names = firefox_long_names(p, t);
	uint32_t func = firefox_at(t, FRAME_FUNC, frame), source = firefox_at(t, FUNC_SOURCE, func),
			 line = firefox_at(t, FUNC_LINE, func);
	if (!firefox_numbered(t, firefox_at(t, FUNC_NAME, func), &name))
		return BAD_NUMBER;
	struct numbered module = module_of(p, t, frame, func);
	if (!firefox_numbered(t, firefox_at(t, SOURCE_FILE, source), &file))
		firefox_numbered(t, firefox_at(t, FUNC_FILE, func), &file);
	bool is_address = p->has_addresses && name.text.n < SYMBOL_LONG && slice_is_address(name.text);
	uint32_t sym = is_address ? firefox_address(p, names, name.text, &module)
	                          : long_names_frame(names, p->sink, &name, FORM_PLAIN);
	return long_names_origin(names, p->sink, sym, &module, &file, line < BAD_NUMBER ? line : 0);
}

/* ---- the format ---------------------------------------------------------------------------------------------- */

static void *firefox_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct firefox *f = mem_zalloc(1, sizeof *f);
	f->sink = sink;
	firefox_profile_init(&f->profile, sink);
	f->profile.frame = firefox_frame;
	f->profile.no_symbols =
		"functions are addresses without names: save the file again in `samply load FILE` or at "
		"profiler.firefox.com, which find them";
	json_init(&f->json);
	buf_init(&f->key);
	return f;
}

/* Adds what was read even after an error, so that the user sees how far it went. */
static bool firefox_finish(void *state, bool ok, struct err *err)
{
	struct firefox *f = state;
	if (ok) {
		json_feed(&f->json, "", 0, true);
		ok = json_next(&f->json) != JSON_ERROR || fail(err, "%s", f->json.err.text);
	}
	if (ok && json_is_cut(&f->json)) {
		sink_lacks(f->sink)->is_cut_off = true;
		sink_warn(f->sink, "the input ends within the document, of which the rest is missing", f->json.line, NULL,
		          0);
	}
	if (f->has_two_units)
		f->profile.event = f->profile.unit = 0;
	ok = firefox_emit(&f->profile, ok ? err : NULL) && ok;
	firefox_profile_deinit(&f->profile);
	json_deinit(&f->json);
	buf_deinit(&f->key);
	free(f);
	return ok;
}

static enum sniff firefox_sniff(const struct head *head, const char **why)
{
	*why = "not JSON with the \"meta\" of a processed profile";
	return firefox_flavour(head) == FLAVOUR_PROCESSED ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_firefox = {
	.name = "firefox",
	.help = "Firefox Profiler: profiles saved at profiler.firefox.com, samply record --save-only",
	.sniff = firefox_sniff,
	.start = firefox_start,
	.feed = firefox_feed,
	.finish = firefox_finish,
	.is_text_stream = true,
	.has_spans = true,
	.effects = EFFECT_PID | EFFECT_TID | EFFECT_VALUE | EFFECT_IDLE | EFFECT_ADDRS,
};
