/*
 * mojo.c - parses MOJO, the binary profiles of Austin (austin -b), which samples Python programs.
 *
 *	"MOJ" 3                          the version
 *	1 "mode" "wall"                  metadata
 *	2 42 0 "7f01"                    a stack: process, interpreter, thread
 *	11 7 "a.py", 11 8 "main"         strings with their numbers
 *	3 5 7 8 12 12 0 4                a frame with its number: file, function, line, where that ends
 *	5 5                              the next frame of the stack, by its number; the root comes first
 *	9 100                            its time in microseconds (10: memory in bytes)
 *
 * Each event begins with a byte. Numbers have six bits and a sign in their first byte, and seven bits in others;
 * strings end with a zero byte. Numbers of strings and frames are those of a process. Before version 3 there is no
 * interpreter, before version 2 only the first line of a frame.
 */
#include "base/hash.h"
#include "base/idmap.h"
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/frames.h"

enum { TIME, MEMORY, N_VALUES };
enum {
	METADATA = 1,
	STACK,
	FRAME,
	INVALID,
	FRAME_REF,
	KERNEL_FRAME,
	COLLECTOR,
	IDLE,
	TIME_METRIC,
	MEMORY_METRIC,
	STRING,
	STRING_REF,
	N_EVENTS
};

#define LAST_VERSION 3
#define LONGEST_EVENT ((size_t)16 << 20) /* longer ones are refused */
#define MOST_NUMBERS 7u

struct mojo {
	struct sink *sink;
	struct buf held;  /* beginning of an event that continues in the next piece */
	uint64_t version; /* 0: not yet read */
	uint32_t series[N_VALUES];
	struct idmap strings, frames; /* symbols, and numbers in places, by keys of a process */
	struct site *places;
	size_t n_places, cap_places;
	bool is_open; /* a stack has begun */
	bool has_value;
	uint64_t pid;
	uint32_t task;
	struct frames stack;
	uint64_t values[N_VALUES];
};

/* An event as it is in the input. */
struct event {
	unsigned kind;
	int64_t numbers[MOST_NUMBERS];
	struct slice texts[2];
};

/* ---- the stack ----------------------------------------------------------------------------------------------- */

static void push_place(struct mojo *m, const struct site *place)
{
	if (m->is_open)
		frames_push_site(&m->stack, m->sink, place);
}

static void push_name(struct mojo *m, const char *name, size_t n)
{
	const struct site place = {.sym = sink_frame(m->sink, name, n)};
	push_place(m, &place);
}

/* Adds the stack that ends here. */
static void end_stack(struct mojo *m)
{
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .task = m->task};
	if (m->is_open && !m->has_value)
		sink_skip(m->sink, "a stack without a metric", 0, NULL, 0);
	if (m->is_open && !m->stack.n)
		push_name(m, EMPTY_STACK, strlen(EMPTY_STACK));
	if (m->is_open && m->has_value)
		s.site = frames_site(&m->stack, m->sink);
	for (unsigned i = 0; i < N_VALUES && m->is_open; i++) {
		s.weight = m->values[i];
		s.series = m->series[i];
		if (s.weight)
			sink_stack(m->sink, m->stack.syms, m->stack.n, &s);
	}
	m->is_open = m->has_value = false;
	m->stack.n = m->stack.n_sites = 0;
	memset(m->values, 0, sizeof m->values);
}

/* A thread is named by its number in hexadecimal. */
static uint32_t task_of(struct mojo *m, struct slice thread)
{
	int64_t pid = m->pid <= INT64_MAX ? (int64_t)m->pid : -1;
	uint64_t tid;
	if (slice_hex(thread, &tid) && thread.n < 16)
		return profile_task(m->sink->profile, 0, pid, (int64_t)tid);
	return profile_task(m->sink->profile, sink_frame(m->sink, thread.s, thread.n), pid, -1);
}

static void begin_stack(struct mojo *m, const struct event *e)
{
	end_stack(m);
	m->is_open = true;
	m->pid = (uint64_t)e->numbers[0];
	m->task = task_of(m, e->texts[0]);
}

/* ---- names --------------------------------------------------------------------------------------------------- */

static uint64_t key_of(const struct mojo *m, int64_t number)
{
	return hash_mix((uint64_t)number ^ UINT64_C(0x9e3779b97f4a7c15), m->pid ^ UINT64_C(0xd6e8feb86659fd93));
}

/* A number may get another meaning later. */
static void set(struct idmap *map, uint64_t key, uint32_t value)
{
	if (!idmap_add(map, key, value))
		idmap_slot(map, key)->value = value;
}

static uint32_t string_of(const struct mojo *m, int64_t number)
{
	uint32_t sym = 0;
	if (!idmap_find(&m->strings, key_of(m, number), &sym) && number > 1) /* 0 is empty, 1 unknown */
		sink_warn(m->sink, "a string that was not given before", 0, NULL, 0);
	return sym;
}

static void add_frame(struct mojo *m, const struct event *e)
{
	uint32_t file = string_of(m, e->numbers[1]), name = string_of(m, e->numbers[2]);
	const struct symbol *symbols = m->sink->profile->symtab.symbols, f = symbols[file], n = symbols[name];
	struct site place = {.file = file};
	place.sym = sink_frame(m->sink, name ? n.name : "[unknown]", name ? n.len : 9);
	place.sym = sink_source(m->sink, place.sym, f.name, file ? f.len : 0, 0);
	place.line = e->numbers[3] > 0 && e->numbers[3] <= INT32_MAX ? (uint32_t)e->numbers[3] : 0;
	uint64_t key = key_of(m, e->numbers[0]);
	uint32_t known;
	if (idmap_find(&m->frames, key, &known)) { /* stacks have copies of what the number was */
		m->places[known] = place;
		return;
	}
	idmap_add(&m->frames, key, (uint32_t)m->n_places);
	mem_push(m->places, m->n_places, m->cap_places, place);
}

static void push_frame(struct mojo *m, int64_t number)
{
	uint32_t place;
	if (idmap_find(&m->frames, key_of(m, number), &place)) {
		push_place(m, &m->places[place]);
		return;
	}
	sink_warn(m->sink, "a frame that was not given before", 0, NULL, 0);
	push_name(m, "[unknown]", 9);
}

/* ---- events -------------------------------------------------------------------------------------------------- */

static void take_metric(struct mojo *m, unsigned value, int64_t v)
{
	m->has_value = true;
	if (v < 0)
		sink_warn(m->sink, "memory that was given back is left out", 0, NULL, 0);
	else if (m->is_open)
		weight_add(&m->values[value], (uint64_t)v);
}

static void take_event(struct mojo *m, const struct event *e)
{
	switch (e->kind) {
	case STACK:
		begin_stack(m, e);
		break;
	case FRAME:
		add_frame(m, e);
		break;
	case FRAME_REF:
		push_frame(m, e->numbers[0]);
		break;
	case KERNEL_FRAME:
		push_name(m, e->texts[0].s, e->texts[0].n);
		break;
	case INVALID:
		push_name(m, "[invalid]", 9);
		break;
	case COLLECTOR:
		push_name(m, "[GC]", 4);
		break;
	case TIME_METRIC:
		take_metric(m, TIME, e->numbers[0]);
		break;
	case MEMORY_METRIC:
		take_metric(m, MEMORY, e->numbers[0]);
		break;
	case STRING:
		set(&m->strings, key_of(m, e->numbers[0]), sink_sym(m->sink, e->texts[0].s, e->texts[0].n));
		break;
	default:
		break; /* metadata, idle */
	}
}

enum reading { READ, NEEDS_MORE, DAMAGED };

static enum reading read_number(struct slice *rest, int64_t *v)
{
	uint64_t sum = 0;
	unsigned shift = 0;
	bool is_negative = false, goes_on = true;
	for (size_t i = 0; goes_on; i++) {
		if (i == rest->n)
			return NEEDS_MORE;
		unsigned char c = (unsigned char)rest->s[i];
		unsigned bits = i ? 7 : 6;
		uint64_t part = c & ((1u << bits) - 1);
		if (shift + bits > 63 && (shift > 62 || part >> (63 - shift)))
			return DAMAGED;
		is_negative |= i == 0 && (c & 0x40);
		sum |= part << shift;
		shift += bits;
		goes_on = c & 0x80;
		if (!goes_on)
			*rest = slice_from(*rest, i + 1);
	}
	*v = is_negative ? -(int64_t)sum : (int64_t)sum;
	return READ;
}

static enum reading read_text(struct slice *rest, struct slice *text)
{
	size_t n = slice_find_byte(*rest, '\0');
	if (n == SIZE_MAX)
		return rest->n < LONGEST_EVENT ? NEEDS_MORE : DAMAGED;
	*text = slice_head(*rest, n);
	*rest = slice_from(*rest, n + 1);
	return READ;
}

/* What follows the byte of an event: numbers, then texts. */
static enum reading read_event(const struct mojo *m, struct slice *rest, struct event *e)
{
	static const struct {
		unsigned char numbers, texts;
	} parts[N_EVENTS] = {[METADATA] = {0, 2},    [STACK] = {2, 1},      [FRAME] = {7, 0},
	                     [FRAME_REF] = {1, 0},   [STRING] = {1, 1},     [KERNEL_FRAME] = {0, 1},
	                     [TIME_METRIC] = {1, 0}, [STRING_REF] = {1, 0}, [MEMORY_METRIC] = {1, 0}};
	e->kind = (unsigned char)*rest->s;
	if (e->kind == 0 || e->kind >= N_EVENTS)
		return DAMAGED;
	unsigned numbers = parts[e->kind].numbers;
	numbers -= e->kind == STACK && m->version < 3 ? 1 : e->kind == FRAME && m->version < 2 ? 3 : 0;
	enum reading r = READ;
	*rest = slice_from(*rest, 1);
	for (unsigned i = 0; i < numbers && r == READ; i++)
		r = read_number(rest, &e->numbers[i]);
	for (unsigned i = 0; i < parts[e->kind].texts && r == READ; i++)
		r = read_text(rest, &e->texts[i]);
	return r;
}

static enum reading read_heading(struct mojo *m, struct slice *rest)
{
	int64_t version;
	struct slice at = *rest;
	if (at.n < 4)
		return NEEDS_MORE;
	at = slice_from(at, 3);
	enum reading r = read_number(&at, &version);
	if (r == READ && version > 0)
		m->version = (uint64_t)version;
	*rest = r == READ ? at : *rest;
	return r == READ && version <= 0 ? DAMAGED : r;
}

/* Takes all complete events. */
static bool take_events(struct mojo *m, struct slice *rest, struct err *err)
{
	enum reading r = m->version ? READ : read_heading(m, rest);
	if (m->version > LAST_VERSION)
		return fail(err, "a binary profile of Austin of version %llu (known are those up to %d): run `mojo2austin`",
		            (unsigned long long)m->version, LAST_VERSION);
	while (r == READ && rest->n) {
		struct event e;
		struct slice at = *rest;
		r = read_event(m, &at, &e);
		if (r != READ)
			break;
		take_event(m, &e);
		*rest = at;
	}
	return r != DAMAGED || fail(err, "malformed binary profile of Austin");
}

static void *mojo_start(struct sink *sink, struct err *err)
{
	static const struct column columns[N_VALUES] = {{"time", "us", false}, {"memory", "bytes", false}};
	struct mojo *m = mem_zalloc(1, sizeof *m);
	m->sink = sink;
	buf_init(&m->held);
	if (columns_declare(sink, columns, N_VALUES, TIME, m->series, err))
		return m;
	free(m);
	return NULL;
}

static bool mojo_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct mojo *m = state;
	struct slice rest = {text, len};
	bool was_held = m->held.len > 0;
	if (was_held) {
		buf_add(&m->held, text, len);
		rest = (struct slice){m->held.data, m->held.len};
	}
	if (!take_events(m, &rest, err))
		return false;
	if (was_held)
		memmove(m->held.data, rest.s, rest.n);
	else
		buf_add(&m->held, rest.s, rest.n);
	m->held.len = rest.n;
	return true;
}

static bool mojo_finish(void *state, bool ok, struct err *err)
{
	struct mojo *m = state;
	(void)err;
	if (ok && m->held.len)
		sink_warn(m->sink, "the file ends within an event (is it cut off?)", 0, NULL, 0);
	if (ok)
		end_stack(m);
	buf_deinit(&m->held);
	idmap_deinit(&m->strings);
	idmap_deinit(&m->frames);
	frames_deinit(&m->stack);
	free(m->places);
	free(m);
	return ok;
}

/* Text does not have a control character here. */
static enum sniff mojo_sniff(const struct head *head, const char **why)
{
	*why = "does not begin with 'MOJ' and a version";
	return head->len >= 4 && memcmp(head->text, "MOJ", 3) == 0 && head->text[3] > 0 && head->text[3] < '\t'
	           ? SNIFF_YES
	           : SNIFF_NO;
}

const struct collapse_format format_mojo = {
	.name = "mojo",
	.help = "binary profile of Austin, Python: austin -b (--value=time or memory)",
	.sniff = mojo_sniff,
	.start = mojo_start,
	.feed = mojo_feed,
	.finish = mojo_finish,
	.is_text_stream = true,
	.has_spans = true,
	.effects = EFFECT_VALUE,
};
