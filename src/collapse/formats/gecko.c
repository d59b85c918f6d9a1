/*
 * gecko.c - parses raw profiles, as Firefox itself writes them (MOZ_PROFILER_SHUTDOWN, about:logging).
 *
 *	{"libs":[{"start":4096,"end":8192,"name":"libxul.so",...}],"meta":{"version":34,"startTime":1.7e12,...},
 *	 "threads":[{"name":"GeckoMain","processName":"Parent Process","pid":10,"tid":10,
 *	  "samples":{"schema":{"stack":0,"time":1,...},"data":[[1,19.69],[0,20.71,0,null,500]]},
 *	  "stackTable":{"schema":{"prefix":0,"frame":1},"data":[[null,0],[0,1]]},
 *	  "frameTable":{"schema":{"location":0,...,"line":4},"data":[[0],[1,true,0,null,12]]},
 *	  "markers":{"schema":{...},"data":[[7,21.5,null,0,4,{"type":"JS allocation","size":56,...}]]},
 *	  "stringTable":["(root)","work (file:///a.js:10:3)"]}],
 *	 "processes":[{...},...]}
 *
 * Tables are lists of rows whose columns are named by the schema; a row may end early. Processes are whole
 * profiles, whose times count from their own start. The location of a frame is text:
 *
 *	work (file:///a.js:10:3)[2]     a function of a script: where it begins, and the number of the source
 *	file:///a.js:10:3               one without a name
 *	main (in a.out) + 12            native code that a tool has symbolised
 *	0x7f4d32cf                      native code
 *	Runnable                        a label that Firefox gave to what it does
 *
 * Firefox does not symbolise native code, so these frames are known by library only. Allocations are markers with a
 * stack; other markers are not read.
 */
#include "base/json.h"
#include "base/sort.h"
#include "collapse/formats.h"
#include "collapse/formats/firefox_profile.h"
#include "collapse/formats/gecko_location.h"
#include "collapse/formats/gecko_members.h"
#include "collapse/text/v8_profile.h"

#define DEEPEST 24    /* depth of containers of interest */
#define MOST_CELLS 32 /* of a row */

enum table { SAMPLES, STACKS, FRAMES, MARKERS, N_TABLES };

enum cell { OTHER, STACK, TIME, CPU, PREFIX, FRAME, LOCATION, LINE, DATA, N_CELLS };

struct row {
	unsigned at; /* number of the next cell */
	uint32_t numbers[N_CELLS];
	int64_t time;
	struct firefox_weight cpu;
};

struct marker {
	uint32_t stack;
	struct firefox_weight size;
	enum firefox_kind kind; /* LOG_SAMPLES: no allocation */
	const char *odd;        /* a key whose value is of the wrong kind; NULL: none */
};

struct lib {
	uint64_t start, end;
	uint32_t name;
};

struct process {
	size_t first_thread, first_lib;
	int64_t start; /* ns; UNKNOWN_TIME: not known */
};

struct gecko {
	struct sink *sink;
	struct json json;
	enum place places[DEEPEST];
	struct buf key; /* of the next value */
	struct firefox_profile profile;
	struct process *processes; /* those that are open */
	size_t n_processes, cap_processes;
	struct lib *libs; /* of the open processes */
	size_t n_libs, cap_libs;
	enum table table;
	unsigned char cells[N_TABLES][MOST_CELLS]; /* of the thread: what a column means */
	bool has_schema;                           /* of the table */
	struct row row, inner;
	struct marker marker;
	struct buf name, url, text; /* of a location */
};

static struct slice key_of(const struct gecko *g)
{
	return (struct slice){g->key.len ? g->key.data : "", g->key.len};
}

static struct process *last_process(struct gecko *g)
{
	return &g->processes[g->n_processes - 1];
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

static bool address_of(struct slice text, uint64_t *v)
{
	return slice_take(&text, "0x") && slice_hex(text, v);
}

static int compare_libs(const void *a, const void *b)
{
	const struct lib *x = a, *y = b;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

/* The name of the library at an address; empty: none. The libraries of the process are sorted. */
static struct numbered lib_at(struct gecko *g, uint64_t address)
{
	size_t first = last_process(g)->first_lib, low = first, high = g->n_libs;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (g->libs[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == first || address >= g->libs[low - 1].end)
		return (struct numbered){0, {"", 0}};
	return firefox_library(&g->profile, g->libs[low - 1].name);
}

static uint32_t script(struct gecko *g, struct slice name, struct slice url, uint64_t line)
{
	g->name.len = g->url.len = g->text.len = 0;
	buf_add(&g->name, name.s, name.n);
	buf_add(&g->url, url.s, url.n);
	return v8_frame(g->sink, &g->text, &g->name, &g->url, line && line <= INT32_MAX ? (int64_t)line - 1 : -1);
}

/* "main (in a.out) (main.c:3)", "main (in a.out) + 12" */
static uint32_t native(struct gecko *g, struct slice location, size_t in)
{
	struct slice name = slice_head(location, in), rest = slice_from(location, in + 5), file = {"", 0};
	struct slice lib = slice_before(rest, ')');
	uint64_t line = 0;
	if (lib.n + 3 <= rest.n) {
		rest = slice_from(rest, lib.n + 2);
		if (slice_take(&rest, "(") && slice_ends(rest, ")")) {
			file = slice_head(rest, rest.n - 1);
			if (!gecko_take_place(&file, &line))
				line = 0;
		}
	}
	return sink_origin(g->sink, sink_frame(g->sink, name.s, name.n), lib.s, lib.n, file.s, file.n, line);
}

static uint32_t frame_at(struct gecko *g, struct slice location)
{
	struct slice place;
	uint64_t address, line;
	if (address_of(location, &address)) {
		struct numbered lib = lib_at(g, address);
		return firefox_address(&g->profile, &g->profile.own_names, location, &lib);
	}
	location = gecko_without_source(location);
	size_t in = slice_rfind(location, " (in "), open = slice_rfind(location, " (");
	if (in != SIZE_MAX && slice_find_byte(slice_from(location, in), ')') != SIZE_MAX)
		return native(g, location, in);
	if (open != SIZE_MAX && slice_ends(location, ")")) {
		place = (struct slice){location.s + open + 2, location.n - open - 3};
		if (gecko_take_place(&place, &line))
			return script(g, slice_head(location, open), place, line);
	}
	place = location;
	if (slice_find_byte(location, ' ') == SIZE_MAX && slice_has(location, "://") && gecko_take_place(&place, &line))
		return script(g, (struct slice){"", 0}, place, line);
	return sink_frame(g->sink, location.s, location.n);
}

/* A long location, which very many frames may share, is read once. */
static uint32_t gecko_frame(struct firefox_profile *p, const struct firefox_tables *t, uint32_t frame)
{
	struct slice location;
	uint32_t at = firefox_at(t, FRAME_LOCATION, frame), sym;
	if (!firefox_string(t, at, &location))
		return BAD_NUMBER;
	if (location.n < SYMBOL_LONG)
		return frame_at(p->arg, location);
	if (!idmap_find(&p->long_frames, at, &sym)) {
		sym = frame_at(p->arg, location);
		idmap_add(&p->long_frames, at, sym);
	}
	return sym;
}

/* ---- containers ---------------------------------------------------------------------------------------------- */

/* What columns mean if the rows come before the schema, as after a tool has sorted the keys. */
static void begin_thread(struct gecko *g)
{
	static const struct {
		enum table table;
		unsigned at;
		enum cell cell;
	} usual[] = {
		{SAMPLES, 0, STACK}, {SAMPLES, 1, TIME}, {STACKS, 0, PREFIX}, {STACKS, 1, FRAME}, {FRAMES, 0, LOCATION}};
	firefox_add_thread(&g->profile);
	memset(g->cells, OTHER, sizeof g->cells);
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		g->cells[usual[i].table][usual[i].at] = (unsigned char)usual[i].cell;
}

static enum place place_in_profile(const struct gecko *g, bool is_object)
{
	struct slice key = key_of(g);
	if (is_object)
		return slice_is(key, "meta") ? META : slice_is(key, "profile") ? PROFILE : ELSEWHERE;
	return slice_is(key, "threads")     ? THREADS
	       : slice_is(key, "processes") ? PROCESSES
	       : slice_is(key, "libs")      ? LIBS
	                                    : ELSEWHERE;
}

static enum place begin_table(struct gecko *g)
{
	static const char *const keys[] = {
		[SAMPLES] = "samples", [STACKS] = "stackTable", [FRAMES] = "frameTable", [MARKERS] = "markers"};
	for (size_t i = 0; i < N_TABLES; i++)
		if (slice_is(key_of(g), keys[i])) {
			g->table = (enum table)i;
			g->has_schema = false;
			return TABLE;
		}
	return ELSEWHERE;
}

/* Within the last column of a marker. */
static enum place place_in_marker(const struct gecko *g, enum place around, bool is_object)
{
	struct slice key = key_of(g);
	if (around == PAYLOAD)
		return is_object && slice_is(key, "stack") ? PAYLOAD_STACK : ELSEWHERE;
	if (around == PAYLOAD_STACK)
		return is_object && slice_is(key, "samples") ? PAYLOAD_TABLE : ELSEWHERE;
	if (around == PAYLOAD_TABLE)
		return !is_object && slice_is(key, "data") ? PAYLOAD_ROWS : ELSEWHERE;
	return !is_object && around == PAYLOAD_ROWS ? PAYLOAD_ROW : ELSEWHERE;
}

static enum cell cell_at(const struct gecko *g, enum table table, unsigned at)
{
	return at < MOST_CELLS ? (enum cell)g->cells[table][at] : OTHER;
}

/* Within a table. */
static enum place place_in_table(const struct gecko *g, enum place around, bool is_object)
{
	struct slice key = key_of(g);
	if (around == TABLE && is_object)
		return slice_is(key, "schema") ? SCHEMA : ELSEWHERE;
	if (around == TABLE)
		return slice_is(key, "data") ? ROWS : ELSEWHERE;
	if (around == ROWS)
		return is_object ? ELSEWHERE : ROW;
	if (around == ROW)
		return is_object && cell_at(g, g->table, g->row.at) == DATA ? PAYLOAD : ELSEWHERE;
	return place_in_marker(g, around, is_object);
}

static enum place place_of(struct gecko *g, bool is_object)
{
	uint32_t depth = g->json.depth;
	enum place around = depth > 1 ? g->places[depth - 2] : ELSEWHERE;
	struct slice key = key_of(g);
	if (depth == 1)
		return is_object ? PROFILE : ELSEWHERE;
	switch (around) {
	case PROFILE:
		return place_in_profile(g, is_object);
	case PROCESSES:
		return is_object ? PROFILE : ELSEWHERE;
	case META:
		return is_object && slice_is(key, "sampleUnits") ? UNITS : ELSEWHERE;
	case LIBS:
		return is_object ? LIB : ELSEWHERE;
	case THREADS:
		return is_object ? THREAD : ELSEWHERE;
	case THREAD:
		return is_object ? begin_table(g) : slice_is(key, "stringTable") ? STRINGS : ELSEWHERE;
	default:
		return place_in_table(g, around, is_object);
	}
}

static const struct row empty_row = {
	.numbers = {[STACK] = NO_NUMBER,
                [PREFIX] = NO_NUMBER,
                [FRAME] = BAD_NUMBER,
                [LOCATION] = BAD_NUMBER,
                [LINE] = NO_NUMBER},
	.time = UNKNOWN_TIME,
};

static void take_value(struct gecko *g, enum place place, enum json_token t, struct slice text);

static void skip_member(struct gecko *g, const char *key)
{
	sink_skip(g->sink, ODD_MEMBER, g->json.line, key, strlen(key));
}

static void begin_place(struct gecko *g, enum place place)
{
	if (place == PROFILE)
		mem_push(g->processes, g->n_processes, g->cap_processes,
		         ((struct process){g->profile.n_threads, g->n_libs, UNKNOWN_TIME}));
	else if (place == THREAD)
		begin_thread(g);
	else if (place == LIB)
		mem_push(g->libs, g->n_libs, g->cap_libs, ((struct lib){0}));
	else if (place == SCHEMA)
		memset(g->cells[g->table], OTHER, sizeof g->cells[g->table]);
	else if (place == ROW)
		g->row = empty_row;
	else if (place == PAYLOAD)
		g->marker = (struct marker){.stack = NO_NUMBER, .size.is_bad = true};
	else if (place == PAYLOAD_ROW)
		g->inner = empty_row;
}

static void open_container(struct gecko *g, bool is_object)
{
	uint32_t depth = g->json.depth;
	enum place around = depth > 1 && depth <= DEEPEST ? g->places[depth - 2] : ELSEWHERE;
	enum place place = depth <= DEEPEST ? place_of(g, is_object) : ELSEWHERE;
	if (depth > DEEPEST)
		sink_warn(g->sink, "processes are nested too deeply (the innermost ones are left out)", g->json.line, NULL,
		          0);
	if (place == ELSEWHERE) {
		json_leave(&g->json);
		take_value(g, around, is_object ? JSON_OBJECT : JSON_ARRAY,
		           (struct slice){"", 0}); /* it has a cell in its row */
		return;
	}
	g->places[depth - 1] = place;
	begin_place(g, place);
}

/* ---- ends ---------------------------------------------------------------------------------------------------- */

static void push_sample(struct firefox_log *log, const struct row *row, uint32_t stack)
{
	firefox_push(&log->stack, stack);
	mem_push(log->time, log->n_times, log->cap_times, row->time);
}

static void end_row(struct gecko *g)
{
	struct firefox_data *d = &g->profile.data;
	struct firefox_numbers *columns = d->tables.columns;
	const uint32_t *v = g->row.numbers;
	struct firefox_log *log = &d->logs[g->table == MARKERS ? g->marker.kind : LOG_SAMPLES];
	if (g->table == SAMPLES) {
		push_sample(log, &g->row, v[STACK]);
		mem_push(log->cpu, log->n_cpu, log->cap_cpu, g->row.cpu);
	} else if (g->table == STACKS) {
		firefox_push(&columns[STACK_PREFIX], v[PREFIX]);
		firefox_push(&columns[STACK_FRAME], v[FRAME]);
	} else if (g->table == FRAMES) {
		firefox_push(&columns[FRAME_LOCATION], v[LOCATION]);
		firefox_push(&columns[FRAME_LINE], v[LINE]);
	} else if (g->marker.kind != LOG_SAMPLES) {
		if (g->marker.odd)
			skip_member(g, g->marker.odd);
		push_sample(log, &g->row, g->marker.stack);
		mem_push(log->weight, log->n_weights, log->cap_weights, g->marker.size);
		g->marker.kind = LOG_SAMPLES;
	}
}

/* Only the libraries of the process itself are left. */
static void end_process(struct gecko *g)
{
	struct process *p = last_process(g);
	firefox_end_thread(&g->profile);
	if (g->n_libs > p->first_lib)
		sort_array(g->libs + p->first_lib, g->n_libs - p->first_lib, sizeof *g->libs, compare_libs);
	for (size_t i = p->first_thread; i < g->profile.n_threads; i++) {
		struct firefox_thread *t = &g->profile.threads[i];
		if (!t->is_settled) {
			firefox_settle(&g->profile, t);
			t->start = p->start;
		}
	}
	if (p->start != UNKNOWN_TIME)
		g->profile.start = p->start; /* the first one's ends last */
	g->n_libs = p->first_lib;
	g->n_processes--;
}

/* No address is in a library without a range: it is not kept. */
static void end_lib(struct gecko *g)
{
	const struct lib *l = &g->libs[g->n_libs - 1];
	if (l->end <= l->start)
		g->n_libs--;
}

static void close_container(struct gecko *g)
{
	enum place place = g->json.depth < DEEPEST ? g->places[g->json.depth] : ELSEWHERE;
	if (place == ROW)
		end_row(g);
	else if (place == PAYLOAD)
		g->row.at++;
	else if (place == PAYLOAD_ROW && g->marker.stack == NO_NUMBER)
		g->marker.stack = g->inner.numbers[STACK];
	else if (place == LIB)
		end_lib(g);
	else if (place == SCHEMA)
		g->has_schema = true;
	else if (place == THREAD)
		firefox_end_thread(&g->profile);
	else if (place == PROFILE)
		end_process(g);
}

/* ---- values -------------------------------------------------------------------------------------------------- */

/* Column `at` of the table means this. */
static void take_schema(struct gecko *g, enum json_token t, struct slice text)
{
	static const struct {
		enum table table;
		const char *key;
		enum cell cell;
	} known[] = {
		{SAMPLES, "stack", STACK},  {SAMPLES, "time", TIME},  {SAMPLES, "threadCPUDelta", CPU},
		{STACKS, "prefix", PREFIX}, {STACKS, "frame", FRAME}, {FRAMES, "location", LOCATION},
		{FRAMES, "line", LINE},     {MARKERS, "time", TIME},  {MARKERS, "startTime", TIME},
		{MARKERS, "data", DATA},
	};
	uint32_t at = t == JSON_NUMBER ? firefox_number(text) : BAD_NUMBER;
	for (size_t i = 0; i < sizeof known / sizeof *known && t != JSON_NULL; i++) {
		if (known[i].table != g->table || !slice_is(key_of(g), known[i].key))
			continue;
		if (at < MOST_CELLS)
			g->cells[g->table][at] = (unsigned char)known[i].cell;
		else if (t != JSON_NUMBER)
			skip_member(g, known[i].key);
	}
}

/* What BAD_NUMBER leads to is told with the samples that have it. */
static void take_cell(struct gecko *g, struct row *row, enum cell cell, enum json_token t, struct slice text)
{
	row->at++;
	if (cell == OTHER || t == JSON_NULL)
		return;
	if (cell == TIME && t == JSON_NUMBER)
		row->time = firefox_time(text);
	else if (cell == CPU && t == JSON_NUMBER)
		row->cpu = firefox_cpu(g->sink, text, g->json.line);
	else if (t == JSON_NUMBER)
		row->numbers[cell] = firefox_number(text);
	else if (cell == TIME || cell == CPU || cell == LINE || cell == DATA)
		sink_skip(g->sink, ODD_ELEMENT, g->json.line, text.s, text.n);
	else
		row->numbers[cell] = BAD_NUMBER;
}

/* A value that was not taken. */
static void check_member(struct gecko *g, enum place place, enum json_token t)
{
	if (gecko_is_odd(place, key_of(g), t))
		sink_skip(g->sink, ODD_MEMBER, g->json.line, g->key.data, g->key.len);
}

/* The same in the last column of a marker, of which the end shows whether it matters. */
static void mark_odd(struct gecko *g, enum json_token t, const char *key)
{
	if (t != JSON_NULL)
		g->marker.odd = key;
}

static void take_payload(struct gecko *g, enum json_token t, struct slice text)
{
	struct slice key = key_of(g);
	if (slice_is(key, "type") && t == JSON_STRING) {
		g->marker.kind = slice_is(text, "JS allocation")       ? LOG_JS
		                 : slice_is(text, "Native allocation") ? LOG_NATIVE
		                                                       : LOG_SAMPLES;
	} else if (slice_is(key, "type") && t != JSON_NULL) {
		skip_member(g, "type");
	} else if (slice_is(key, "size") && t == JSON_NUMBER) {
		g->marker.size = firefox_weight(text);
	} else if (slice_is(key, "size")) {
		mark_odd(g, t, "size");
	} else if (slice_is(key, "stack")) {
		mark_odd(g, t, "stack");
	}
}

static void take_thread(struct gecko *g, enum json_token t, struct slice text)
{
	struct firefox_thread *thread = firefox_last(&g->profile);
	struct slice key = key_of(g);
	bool is_text = t == JSON_STRING;
	if (slice_is(key, "name") && is_text)
		thread->name = sink_frame(g->sink, text.s, text.n);
	else if (slice_is(key, "processName") && is_text)
		thread->process = sink_frame(g->sink, text.s, text.n);
	else if (slice_is(key, "pid") && (is_text || t == JSON_NUMBER))
		thread->pid = firefox_id(text);
	else if (slice_is(key, "tid") && (is_text || t == JSON_NUMBER))
		thread->tid = firefox_id(text);
	else
		check_member(g, THREAD, t);
}

static void take_lib(struct gecko *g, enum json_token t, struct slice text)
{
	struct lib *lib = &g->libs[g->n_libs - 1];
	struct slice key = key_of(g);
	uint64_t v;
	if (slice_is(key, "name") && t == JSON_STRING)
		lib->name = sink_sym(g->sink, text.s, text.n);
	else if (slice_is(key, "start") && t == JSON_NUMBER)
		lib->start = slice_u64(text, &v) ? v : 0;
	else if (slice_is(key, "end") && t == JSON_NUMBER)
		lib->end = slice_u64(text, &v) ? v : 0;
	else
		check_member(g, LIB, t);
}

/* What follows keeps its place. */
static void take_table_string(struct gecko *g, enum json_token t, struct slice text)
{
	struct firefox_strings *strings = &g->profile.data.tables.strings;
	if (t == JSON_STRING) {
		firefox_push_string(strings, text);
		return;
	}
	sink_skip(g->sink, ODD_ELEMENT, g->json.line, text.s, text.n);
	firefox_push_unknown(strings);
}

/* An element that is of the wrong kind: the rows after it keep their numbers. */
static void take_odd(struct gecko *g, enum place list, struct slice text)
{
	sink_skip(g->sink, ODD_ELEMENT, g->json.line, text.s, text.n);
	if (list != ROWS || (g->table != STACKS && g->table != FRAMES))
		return;
	g->row = empty_row;
	end_row(g);
}

/* A value in the last column of a marker. */
static void take_in_marker(struct gecko *g, enum place place, enum json_token t, struct slice text)
{
	if (place == PAYLOAD)
		take_payload(g, t, text);
	else if (place == PAYLOAD_ROW)
		take_cell(g, &g->inner, cell_at(g, SAMPLES, g->inner.at), t, text);
	else if (place == PAYLOAD_ROWS)
		take_odd(g, place, text);
	else if (place == PAYLOAD_STACK && slice_is(key_of(g), "samples"))
		mark_odd(g, t, "samples");
	else if (place == PAYLOAD_TABLE && slice_is(key_of(g), "data"))
		mark_odd(g, t, "data");
}

static void take_value(struct gecko *g, enum place place, enum json_token t, struct slice text)
{
	if (place == ROW)
		take_cell(g, &g->row, cell_at(g, g->table, g->row.at), t, text);
	else if (place >= PAYLOAD)
		take_in_marker(g, place, t, text);
	else if (place == STRINGS)
		take_table_string(g, t, text);
	else if (place == SCHEMA)
		take_schema(g, t, text);
	else if (place == THREAD)
		take_thread(g, t, text);
	else if (place == LIB)
		take_lib(g, t, text);
	else if (place == META && t == JSON_NUMBER && slice_is(key_of(g), "startTime"))
		last_process(g)->start = firefox_time(text);
	else if (place == UNITS && t == JSON_STRING && slice_is(key_of(g), "threadCPUDelta"))
		firefox_cpu_unit(&g->profile, text);
	else if (place == ROWS || place == PROCESSES || place == THREADS || place == LIBS)
		take_odd(g, place, text);
	else
		check_member(g, place, t);
}

static void take_token(struct gecko *g, enum json_token t)
{
	uint32_t depth = g->json.depth;
	struct slice text = {"", 0};
	if (t == JSON_KEY || t == JSON_STRING || t == JSON_NUMBER)
		text = (struct slice){g->json.text, g->json.len};
	if (t == JSON_KEY) {
		g->key.len = 0;
		buf_add(&g->key, text.s, text.n);
	} else if (t == JSON_OBJECT || t == JSON_ARRAY) {
		open_container(g, t == JSON_OBJECT);
	} else if (t == JSON_OBJECT_END || t == JSON_ARRAY_END) {
		close_container(g);
	} else {
		take_value(g, depth && depth <= DEEPEST ? g->places[depth - 1] : ELSEWHERE, t, text);
	}
}

static bool gecko_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct gecko *g = state;
	enum json_token t;
	json_feed(&g->json, text, len, false);
	while ((t = json_next(&g->json)) > JSON_MORE)
		take_token(g, t);
	return t != JSON_ERROR || fail(err, "%s", g->json.err.text);
}

/* ---- the format ---------------------------------------------------------------------------------------------- */

static void *gecko_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct gecko *g = mem_zalloc(1, sizeof *g);
	g->sink = sink;
	firefox_profile_init(&g->profile, sink);
	g->profile.frame = gecko_frame;
	g->profile.arg = g;
	g->profile.no_symbols = "native functions are addresses without names: open the file at profiler.firefox.com, "
							"which finds them, and save it there";
	json_init(&g->json);
	buf_init(&g->key);
	buf_init(&g->name);
	buf_init(&g->url);
	buf_init(&g->text);
	return g;
}

static void gecko_free(struct gecko *g)
{
	firefox_profile_deinit(&g->profile);
	json_deinit(&g->json);
	buf_deinit(&g->key);
	buf_deinit(&g->name);
	buf_deinit(&g->url);
	buf_deinit(&g->text);
	free(g->processes);
	free(g->libs);
	free(g);
}

/* Adds what was read even after an error, so that the user sees how far it went. */
static bool gecko_finish(void *state, bool ok, struct err *err)
{
	struct gecko *g = state;
	if (ok) {
		json_feed(&g->json, "", 0, true);
		ok = json_next(&g->json) != JSON_ERROR || fail(err, "%s", g->json.err.text);
	}
	if (ok && json_is_cut(&g->json)) {
		sink_lacks(g->sink)->is_cut_off = true;
		sink_warn(g->sink, "the input ends within the document, of which the rest is missing", g->json.line, NULL,
		          0);
	}
	while (g->n_processes)
		end_process(g);
	ok = firefox_emit(&g->profile, ok ? err : NULL) && ok;
	gecko_free(g);
	return ok;
}

static enum sniff gecko_sniff(const struct head *head, const char **why)
{
	*why = "not JSON with the tables of a raw profile of Firefox";
	return firefox_flavour(head) == FLAVOUR_RAW ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_gecko = {
	.name = "gecko",
	.help = "raw profiles of Firefox: MOZ_PROFILER_STARTUP=1 MOZ_PROFILER_SHUTDOWN=FILE firefox",
	.sniff = gecko_sniff,
	.start = gecko_start,
	.feed = gecko_feed,
	.finish = gecko_finish,
	.is_text_stream = true,
	.has_spans = true,
	.effects = EFFECT_PID | EFFECT_TID | EFFECT_VALUE | EFFECT_IDLE | EFFECT_ADDRS,
};
