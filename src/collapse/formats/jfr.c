/*
 * jfr.c - parses recordings of Java Flight Recorder, which the JDK and async-profiler write.
 *
 *	"FLR\0"  version  size ...                              a chunk, and perhaps more chunks
 *	jdk.ExecutionSample {startTime, sampledThread, stackTrace, state}
 *	jdk.ObjectAllocationSample {startTime, eventThread, stackTrace, objectClass, weight}
 *	jdk.JavaMonitorEnter {startTime, duration, eventThread, stackTrace, monitorClass, ...}
 *	jdk.OldObjectSample {startTime, eventThread, stackTrace, object {address, type, ...}, ...}
 *
 * A chunk is complete in itself: names of types, stacks and threads are in its tables (jfr_chunk.h). It is kept
 * until all of it is there, and then read; so memory is bounded by the largest chunk. Recordings may simply be
 * written one after the other.
 *
 * The kinds of events in the table below become series; many others, of garbage collections, settings, files, are
 * no samples of stacks. The class of an object, or of a lock, becomes the leaf of the stack. Old objects, which the
 * program still held, count 1 by the stack that allocated them: only late versions of Java record their sizes. Of
 * memory of the program's own (malloc), what was not freed makes one more series.
 *
 * A recording of a process that was killed has a chunk without an end, which holds what was written so far.
 */
#include "collapse/formats.h"
#include "collapse/formats/jfr_blocks.h"
#include "collapse/formats/jfr_names.h"
#include "collapse/text/columns.h"

#define UNFINISHED "a chunk was never finished (was the process killed?): its last events may be missing"
#define CUT_SHORT "the recording is cut short: it ends within a chunk"

enum value {
	EXECUTION,
	CPU_TIME,
	WALL,
	ALLOCATION,
	TLAB,
	LIVE,
	OLD,
	LOCK,
	PARK,
	WAIT,
	SLEEP,
	NATIVE_LOCK,
	MALLOC,
	LEAK,
	N_VALUES
};

static const struct {
	const char *name, *unit;
	bool is_sampled;
} values[N_VALUES] = {
	[EXECUTION] = {"execution", NULL, false}, [CPU_TIME] = {"cpu-time", "ns", true},
	[WALL] = {"wall", NULL, false},           [ALLOCATION] = {"allocation", "bytes", false},
	[TLAB] = {"tlab", "bytes", false},        [LIVE] = {"live", "bytes", false},
	[OLD] = {"old-objects", NULL, false},     [LOCK] = {"lock", "ns", false},
	[PARK] = {"park", "ns", false},           [WAIT] = {"wait", "ns", false},
	[SLEEP] = {"sleep", "ns", false},         [NATIVE_LOCK] = {"native-lock", "ns", false},
	[MALLOC] = {"malloc", "bytes", false},    [LEAK] = {"leak", "bytes", false},
};

/* What else an event may be. */
enum { FREED = N_VALUES, LOST_SAMPLES, LOST_DATA };

static const struct {
	const char *name;
	unsigned value;
	enum jfr_slot weight; /* SLOT_NONE: each event counts 1 */
	const char *label;    /* of one of several kinds of a series */
} kinds[] = {
	{"jdk.ExecutionSample", EXECUTION, SLOT_NONE, "ExecutionSample"},
	{"jdk.NativeMethodSample", EXECUTION, SLOT_NONE, "NativeMethodSample"},
	{"jdk.CPUTimeSample", CPU_TIME, SLOT_PERIOD, NULL},
	{"profiler.WallClockSample", WALL, SLOT_SAMPLES, NULL},
	{"jdk.ObjectAllocationSample", ALLOCATION, SLOT_WEIGHT, NULL},
	{"jdk.ObjectAllocationInNewTLAB", TLAB, SLOT_TLAB, "InNewTLAB"},
	{"jdk.ObjectAllocationOutsideTLAB", TLAB, SLOT_ALLOCATION, "OutsideTLAB"},
	{"profiler.LiveObject", LIVE, SLOT_ALLOCATION, NULL},
	{"jdk.OldObjectSample", OLD, SLOT_NONE, NULL},
	{"jdk.JavaMonitorEnter", LOCK, SLOT_DURATION, NULL},
	{"jdk.ThreadPark", PARK, SLOT_DURATION, NULL},
	{"jdk.JavaMonitorWait", WAIT, SLOT_DURATION, NULL},
	{"jdk.ThreadSleep", SLEEP, SLOT_DURATION, NULL},
	{"profiler.NativeLock", NATIVE_LOCK, SLOT_DURATION, NULL},
	{"profiler.Malloc", MALLOC, SLOT_SIZE, NULL},
	{"profiler.Free", FREED, SLOT_NONE, NULL},
	{"jdk.CPUTimeSamplesLost", LOST_SAMPLES, SLOT_LOST, NULL},
	{"jdk.DataLoss", LOST_DATA, SLOT_NONE, NULL},
};

#define N_KINDS (sizeof kinds / sizeof *kinds)

struct jfr {
	struct sink *into;
	struct sink *sink;      /* the same, or `apart` */
	struct sink apart;      /* with --value: whether the recording has such a value is known at its end only */
	struct profile profile; /* of `apart` */
	struct buf held;        /* the chunk being read */
	struct jfr_chunk chunk;
	struct jfr_names names;
	struct jfr_blocks blocks;
	uint32_t series[N_VALUES];    /* NO_SERIES: no event yet */
	uint32_t label_sets[N_KINDS]; /* of events without a state */
};

/* --- samples --- */

static bool is_asked(const struct jfr *j, unsigned value)
{
	return j->sink->options->value && strcmp(j->sink->options->value, values[value].name) == 0;
}

static uint32_t declare(struct jfr *j, unsigned value)
{
	struct profile *p = j->sink->profile;
	const char *name = values[value].name, *unit = values[value].unit;
	uint32_t series =
		profile_series(p, sink_sym(j->sink, name, strlen(name)), unit ? sink_sym(j->sink, unit, strlen(unit)) : 0);
	profile_rank_series(p, series, is_asked(j, value) ? 0 : value + 1);
	p->series[series].is_sampled = values[value].is_sampled;
	return series;
}

static uint32_t series_of(struct jfr *j, unsigned value)
{
	if (j->series[value] == NO_SERIES)
		j->series[value] = declare(j, value);
	return j->series[value];
}

static struct symbol text_of(const char *s, size_t len)
{
	return (struct symbol){.name = s, .len = (uint32_t)len};
}

static uint32_t label_set(struct jfr *j, size_t kind, struct slice state)
{
	struct profile *p = j->sink->profile;
	uint32_t members[2], n = 0;
	p->tags = p->tags ? p->tags : tags_new();
	if (kinds[kind].label)
		members[n++] =
			tags_add_text(p->tags, text_of("event", 5), text_of(kinds[kind].label, strlen(kinds[kind].label)));
	if (state.n)
		members[n++] = tags_add_text(p->tags, text_of("state", 5), text_of(state.s, state.n));
	return tags_add_set(p->tags, members, n);
}

/* The labels of an event: its kind, and the state of its thread, where made[] keeps the sets by kind. */
static uint32_t labels_of(struct jfr *j, size_t kind, const struct jfr_type *type, const uint64_t v[N_SLOTS])
{
	struct jfr_row *state = jfr_has(type, SLOT_STATE) ? jfr_find(&j->chunk, STATES, v[SLOT_STATE]) : NULL;
	if (j->sink->options->drops_labels || (!state && !kinds[kind].label))
		return NO_TAGS;
	uint32_t *set = &j->label_sets[kind];
	if (state && kind < sizeof state->made / sizeof *state->made)
		set = &state->made[kind];
	if (!*set)
		*set = label_set(j, kind, state ? jfr_state(&j->names, v[SLOT_STATE]) : (struct slice){"", 0});
	return *set;
}

static uint64_t in_nanoseconds(const struct jfr *j, enum jfr_span unit, uint64_t span)
{
	static const uint64_t factors[] = {[SPAN_NS] = 1, [SPAN_US] = 1000, [SPAN_MS] = 1000000, [SPAN_S] = 1000000000};
	if (unit == SPAN_TICKS)
		return jfr_nanoseconds(&j->chunk, span);
	return span <= INT64_MAX / factors[unit] ? span * factors[unit] : INT64_MAX;
}

/* false: there is nothing to count. */
static bool weigh(struct jfr *j, size_t kind, const struct jfr_type *type, const uint64_t v[N_SLOTS],
                  uint64_t *weight)
{
	enum jfr_slot slot = kinds[kind].weight;
	*weight = slot ? v[slot] : 1;
	if (slot && !jfr_has(type, slot)) {
		sink_skip(j->sink, "events without a field for what they count", 0, kinds[kind].name,
		          strlen(kinds[kind].name));
		return false;
	}
	if (*weight > INT64_MAX) {
		sink_skip(j->sink, "events of a negative size or duration", 0, kinds[kind].name, strlen(kinds[kind].name));
		return false;
	}
	if (slot == SLOT_DURATION || slot == SLOT_PERIOD)
		*weight = in_nanoseconds(j, type->period, *weight);
	return *weight > 0;
}

static void take_sample(struct jfr *j, size_t kind, const struct jfr_type *type, const uint64_t v[N_SLOTS])
{
	struct sample s = {.time = jfr_time(&j->chunk, v[SLOT_START]), .cpu = NO_CPU};
	if (!weigh(j, kind, type, v, &s.weight))
		return;
	struct jfr_stack stack = jfr_stack(&j->names, v[SLOT_STACK]);
	uint32_t object = jfr_has(type, SLOT_OBJECT) ? jfr_class(&j->names, v[SLOT_OBJECT]) : 0;
	if (jfr_has(type, SLOT_OLD_OBJECT))
		object = jfr_old_object(&j->names, v[SLOT_OLD_OBJECT]);
	if (object)
		stack.path = profile_child(j->sink->profile, stack.path, object);
	s.site = stack.site;
	s.task = jfr_thread(&j->names, v[SLOT_THREAD]);
	s.tags = labels_of(j, kind, type, v);
	s.series = series_of(j, kinds[kind].value);
	profile_add(j->sink->profile, j->sink->options->side, stack.path, &s);
	if (kinds[kind].value == MALLOC)
		jfr_blocks_add(&j->blocks,
		               &(struct jfr_block){.address = v[SLOT_ADDRESS], .path = stack.path, .sample = s});
}

static void take_event(struct jfr *j, const struct jfr_type *type, struct jfr_bytes b)
{
	uint64_t v[N_SLOTS] = {0};
	size_t kind = type->event - 1;
	jfr_read(&j->chunk.types, type, &b, j->chunk.text, v);
	if (b.is_bad) {
		sink_skip(j->sink, "damaged events", 0, kinds[kind].name, strlen(kinds[kind].name));
	} else if (kinds[kind].value == FREED) {
		struct sample s = {.time = jfr_time(&j->chunk, v[SLOT_START])};
		jfr_blocks_add(&j->blocks, &(struct jfr_block){.address = v[SLOT_ADDRESS], .is_freed = true, .sample = s});
	} else if (kinds[kind].value == LOST_SAMPLES) {
		weight_add(&sink_lacks(j->sink)->lost, v[SLOT_LOST]);
	} else if (kinds[kind].value == LOST_DATA) {
		sink_warn(j->sink, "the recorder lost events: its buffers were full", 0, NULL, 0);
	} else {
		take_sample(j, kind, type, v);
	}
}

/* --- chunks --- */

/* Numbers the types of the events of interest. */
static void find_kinds(struct jfr *j)
{
	struct jfr_types *types = &j->chunk.types;
	for (size_t i = 0; i < types->n; i++)
		for (unsigned kind = 0; kind < N_KINDS; kind++)
			if (slice_is(types->v[i].name, kinds[kind].name))
				types->v[i].event = kind + 1;
}

static void take_events(struct jfr *j)
{
	struct jfr_event e;
	size_t place = JFR_HEADER;
	uint32_t index;
	while (jfr_next(&j->chunk, &place, &e)) {
		if (!idmap_find(&j->chunk.types.ids, e.type, &index) || !j->chunk.types.v[index].event)
			continue;
		const struct jfr_type *type = jfr_type(&j->chunk.types, e.type);
		if (type)
			take_event(j, type, e.rest);
		else
			sink_skip(j->sink, "events of a type that its metadata do not describe", 0, NULL, 0);
	}
}

static void tell_times(const struct jfr *j, const char *kind, const char *detail, uint64_t n)
{
	if (n)
		report_add_times(&j->sink->profile->report, NOTE_WARN, kind, detail, detail ? strlen(detail) : 0, n);
}

static void tell_damage(struct jfr *j)
{
	if (j->chunk.is_damaged)
		sink_warn(j->sink, "a chunk is damaged, and read up to the damage", 0, NULL, 0);
	tell_times(j, "a damaged table: names or stacks are missing", NULL, j->chunk.damaged_tables);
	tell_times(j, "a long text that is used too often is left out", NULL, j->chunk.refused_texts);
}

/* Takes a chunk, or as much of it as there is. false: it has no metadata. */
static bool take_chunk(struct jfr *j, const char *text, size_t len, bool is_whole, size_t *end)
{
	if (!jfr_chunk_read(&j->chunk, (const unsigned char *)text, len, is_whole, end))
		return false;
	memset(j->label_sets, 0, sizeof j->label_sets);
	find_kinds(j);
	take_events(j);
	jfr_blocks_settle(&j->blocks);
	tell_damage(j);
	return true;
}

static bool check_header(const char *text, struct jfr_header *h, struct err *err)
{
	if (memcmp(text, "FLR", 4) != 0)
		return fail(err, "no chunk of a Flight Recorder recording where one should begin");
	*h = jfr_header((const unsigned char *)text);
	if (h->major != 2)
		return fail(err, "version %u of Flight Recorder cannot be read, only 2 (of Java 9 and later)", h->major);
	return h->is_compressed || fail(err, "numbers of fixed width, which no Flight Recorder is known to write");
}

/* Takes all chunks that are whole. *rest becomes what is left. */
static bool take_chunks(struct jfr *j, struct slice *rest, struct err *err)
{
	struct jfr_header h;
	size_t end;
	while (rest->n >= JFR_HEADER) {
		if (!check_header(rest->s, &h, err))
			return false;
		if (!h.size || h.size > rest->n)
			return true;
		if (!take_chunk(j, rest->s, (size_t)h.size, true, &end))
			sink_warn(j->sink, "a chunk without metadata is left out", 0, NULL, 0);
		*rest = slice_from(*rest, (size_t)h.size);
	}
	return true;
}

static bool is_chunk(struct slice text)
{
	return text.n >= JFR_HEADER && memcmp(text.s, "FLR", 4) == 0;
}

/* Takes what is left at the end: a chunk that is cut, or one that was never finished, and what follows that. */
static bool take_rest(struct jfr *j, struct slice rest, struct err *err)
{
	struct jfr_header h;
	size_t end;
	while (is_chunk(rest)) {
		if (!check_header(rest.s, &h, err))
			return false;
		if (!take_chunk(j, rest.s, rest.n, false, &end))
			return fail(err, h.size ? CUT_SHORT : "a chunk that was never finished has no metadata");
		if (h.size)
			return fail(err, CUT_SHORT);
		sink_warn(j->sink, UNFINISHED, 0, NULL, 0);
		rest = slice_from(rest, end);
		if (!is_chunk(rest)) /* half an event, at most */
			return true;
		if (!take_chunks(j, &rest, err))
			return false;
	}
	return !rest.n || fail(err, CUT_SHORT);
}

/* --- the format --- */

/* Is a value that was asked for among those there are? first: one of these; N_VALUES: none is known yet. */
static bool check_value(struct jfr *j, size_t first, struct err *err)
{
	struct column columns[N_VALUES];
	uint32_t series[N_VALUES];
	for (size_t i = 0; i < N_VALUES; i++)
		columns[i] = (struct column){values[i].name, values[i].unit, first < N_VALUES && j->series[i] == NO_SERIES};
	return columns_declare(j->sink, columns, N_VALUES, first, series, err);
}

static void jfr_free(struct jfr *j)
{
	buf_deinit(&j->held);
	jfr_chunk_deinit(&j->chunk);
	jfr_names_deinit(&j->names);
	jfr_blocks_deinit(&j->blocks);
	profile_deinit(&j->profile);
	free(j);
}

/* Sets the samples apart if a value is asked for; its series must be the first one. */
static bool begin_apart(struct jfr *j, struct err *err)
{
	const struct profile *p = j->into->profile;
	unsigned asked = 0;
	profile_init(&j->profile);
	j->sink = j->into;
	if (!j->into->options->value)
		return true;
	while (asked < N_VALUES && !is_asked(j, asked))
		asked++;
	if (asked == N_VALUES)
		return check_value(j, N_VALUES, err);
	j->profile.join = p->join;
	j->profile.most_ordered = p->most_ordered;
	j->apart = *j->into;
	j->apart.profile = &j->profile;
	j->sink = &j->apart;
	declare(j, asked);
	return true;
}

static void *jfr_start(struct sink *sink, struct err *err)
{
	struct jfr *j = mem_zalloc(1, sizeof *j);
	j->into = sink;
	buf_init(&j->held);
	jfr_chunk_init(&j->chunk);
	for (size_t i = 0; i < N_VALUES; i++)
		j->series[i] = NO_SERIES;
	bool is_good = begin_apart(j, err);
	jfr_names_init(&j->names, j->sink, &j->chunk);
	if (is_good)
		return j;
	jfr_free(j);
	return NULL;
}

static bool jfr_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct jfr *j = state;
	buf_add(&j->held, text, len);
	struct slice rest = {j->held.data, j->held.len};
	if (!take_chunks(j, &rest, err))
		return false;
	memmove(j->held.data, rest.s, rest.n);
	j->held.len = rest.n;
	return true;
}

static void emit_leaks(struct jfr *j)
{
	const struct jfr_block *b;
	size_t at = 0;
	while (j->blocks.has_frees && (b = jfr_blocks_next(&j->blocks, &at))) {
		struct sample s = b->sample;
		s.series = series_of(j, LEAK);
		profile_add(j->sink->profile, j->sink->options->side, b->path, &s);
	}
}

static void tell_stacks(const struct jfr *j)
{
	char deepest[32];
	snprintf(deepest, sizeof deepest, "at depth %zu", j->names.deepest_cut);
	tell_times(j,
	           "samples with a stack that is cut, its root is missing "
	           "(-XX:FlightRecorderOptions=stackdepth=1024 records more)",
	           deepest, j->names.n_cut);
	tell_times(j, "samples with a stack that the recording lacks", NULL, j->names.n_lost);
	tell_times(j, "frames without a name in the recording", NULL, j->names.n_nameless);
}

/* Adds what was set apart. */
static bool end_apart(struct jfr *j, struct err *err)
{
	size_t first = 0;
	while (first < N_VALUES && j->series[first] == NO_SERIES)
		first++;
	if (first == N_VALUES)
		return fail(err, "a recording without samples of stacks (settings=profile records more of them)");
	if (!check_value(j, first, err))
		return false;
	if (j->sink == &j->apart)
		profile_append(j->into->profile, &j->profile, NULL, 0);
	return true;
}

static bool jfr_finish(void *state, bool ok, struct err *err)
{
	struct jfr *j = state;
	struct err missing = {""};
	ok = ok && take_rest(j, (struct slice){j->held.data, j->held.len}, err);
	emit_leaks(j);
	tell_stacks(j);
	bool is_there = end_apart(j, ok ? err : &missing);
	jfr_free(j);
	return ok && is_there;
}

static enum sniff jfr_sniff(const struct head *head, const char **why)
{
	*why = "does not begin as a recording of Flight Recorder 2";
	return head->len >= 6 && !memcmp(head->text, "FLR\0\0\2", 6) ? SNIFF_YES : SNIFF_NO;
}

const struct collapse_format format_jfr = {
	.name = "jfr",
	.help = "recordings of Java Flight Recorder, also by async-profiler (--value=allocation)",
	.sniff = jfr_sniff,
	.start = jfr_start,
	.feed = jfr_feed,
	.finish = jfr_finish,
	.is_text_stream = true,
	.names_events = true,
	.has_spans = true,
	.effects = EFFECT_VALUE | EFFECT_KERNEL | EFFECT_JIT | EFFECT_SHORTEN,
};
