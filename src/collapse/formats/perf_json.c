/*
 * perf_json.c - parses what perf data convert --to-json writes.
 *
 *	{"linux-perf-json-version": 1, "headers": {...}, "samples": [
 *		{"timestamp": 1302292124902, "pid": 10500, "tid": 10501, "cpu": 1, "comm": "app", "callchain": [
 *			{"ip": "0x5619096a2163", "symbol": "hot", "dso": "app"},
 *			{"ip": "0x5619096a221c", "dso": "libc.so.6"}]}]}
 *
 *	app;[libc.so.6];hot 1
 *
 * Chains begin with the leaf. The file tells neither events nor periods, so each sample counts as one.
 */
#include "base/json.h"
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"

#include "base/buf.h"
#include "model/origin.h"

/* Keys of which the value is kept. */
enum field { NO_FIELD, SAMPLES, TIMESTAMP, PID, TID, CPU, COMM, CALLCHAIN, IP, SYMBOL, DSO };

/* Open containers inside `samples`, one of its elements, its chain, and a frame. */
enum { IN_SAMPLES = 2, IN_SAMPLE, IN_CHAIN, IN_FRAME };

struct perf_json {
	struct sink *sink;
	struct json json;
	enum field field;
	bool has_samples; /* the list has begun */
	struct sample sample;
	int64_t pid, tid;
	struct buf comm;
	struct buf ip, symbol, dso; /* of the frame */
	struct buf name;
	struct frames frames;
};

static struct slice text_of(struct buf *b)
{
	return (struct slice){buf_str(b), b->len};
}

/* A function without a name has that of its module, or its address. */
static void push_frame(struct perf_json *p)
{
	struct slice name = text_of(&p->symbol), dso = text_of(&p->dso);
	size_t n;
	const char *base = origin_base(dso.s, dso.n, &n);
	p->name.len = 0;
	if (!name.n && n) {
		buf_addc(&p->name, '[');
		buf_add(&p->name, base, n);
		buf_addc(&p->name, ']');
		name = text_of(&p->name);
	} else if (!name.n) {
		name = text_of(&p->ip);
	}
	uint32_t sym = sink_frame(p->sink, name.s, name.n);
	frames_push(&p->frames, sink_module(p->sink, sym, dso.s, dso.n));
}

/* A thread's name is the root, as in perf's text. */
static void emit_sample(struct perf_json *p)
{
	struct profile *profile = p->sink->profile;
	struct slice comm = text_of(&p->comm);
	if (comm.n) {
		uint32_t root = sink_frame(p->sink, comm.s, comm.n);
		frames_push(&p->frames, symtab_frame(&profile->symtab, root, (struct origin){.kind = KIND_PROCESS}));
	}
	if (comm.n || p->pid >= 0 || p->tid >= 0)
		p->sample.task = profile_task(profile, sink_sym(p->sink, comm.s, comm.n), p->pid, p->tid);
	frames_finish(&p->frames, p->sink);
	sink_stack(p->sink, p->frames.syms, p->frames.n, &p->sample);
}

/* ---- tokens ---- */

static enum field field_of(struct slice key, uint32_t depth)
{
	static const struct {
		const char *key;
		uint32_t depth;
		enum field field;
	} fields[] = {
		{"samples", 1, SAMPLES},
		{"timestamp", IN_SAMPLE, TIMESTAMP},
		{"pid", IN_SAMPLE, PID},
		{"tid", IN_SAMPLE, TID},
		{"cpu", IN_SAMPLE, CPU},
		{"comm", IN_SAMPLE, COMM},
		{"callchain", IN_SAMPLE, CALLCHAIN},
		{"ip", IN_FRAME, IP},
		{"symbol", IN_FRAME, SYMBOL},
		{"dso", IN_FRAME, DSO},
	};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
		if (depth == fields[i].depth && slice_is(key, fields[i].key))
			return fields[i].field;
	}
	return NO_FIELD;
}

static void begin_sample(struct perf_json *p)
{
	p->sample = (struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	p->pid = p->tid = -1;
	p->comm.len = p->frames.n = 0;
}

/* A value that was not taken: is its key one for another kind? null stands for nothing. */
static void check_member(struct perf_json *p, enum field field, enum json_token t)
{
	static const struct {
		enum json_token wanted;
		const char *key;
	} fields[] = {
		[SAMPLES] = {JSON_ARRAY, "samples"},
		[TIMESTAMP] = {JSON_NUMBER, "timestamp"},
		[PID] = {JSON_NUMBER, "pid"},
		[TID] = {JSON_NUMBER, "tid"},
		[CPU] = {JSON_NUMBER, "cpu"},
		[COMM] = {JSON_STRING, "comm"},
		[CALLCHAIN] = {JSON_ARRAY, "callchain"},
		[IP] = {JSON_STRING, "ip"},
		[SYMBOL] = {JSON_STRING, "symbol"},
		[DSO] = {JSON_STRING, "dso"},
	};
	const char *key = fields[field].key; /* NULL: NO_FIELD */
	if (key && t != JSON_NULL && t != fields[field].wanted)
		sink_skip(p->sink, ODD_MEMBER, p->json.line, key, strlen(key));
}

/* Goes into the list of samples and what it holds; leaves all else. */
static void open_token(struct perf_json *p, bool is_object)
{
	enum field field = p->field;
	p->field = NO_FIELD;
	switch (p->json.depth) {
	case 1:
		return;
	case IN_SAMPLES:
		if (field != SAMPLES || is_object)
			break;
		p->has_samples = true;
		return;
	case IN_SAMPLE:
		if (!is_object)
			break;
		begin_sample(p);
		return;
	case IN_CHAIN:
		if (field != CALLCHAIN || is_object)
			break;
		return;
	default:
		p->ip.len = p->symbol.len = p->dso.len = 0;
		if (p->json.depth == IN_FRAME && is_object)
			return;
	}
	check_member(p, field, is_object ? JSON_OBJECT : JSON_ARRAY);
	json_leave(&p->json);
}

static void close_token(struct perf_json *p)
{
	if (p->json.depth == IN_CHAIN)
		push_frame(p);
	else if (p->json.depth == IN_SAMPLES && p->has_samples)
		emit_sample(p);
}

static void take_number(struct perf_json *p)
{
	uint64_t v;
	if (!slice_u64((struct slice){p->json.text, p->json.len}, &v))
		v = UINT64_MAX;
	if (p->field == TIMESTAMP)
		p->sample.time = v; /* UINT64_MAX: NO_TIME */
	else if (p->field == PID && v <= INT32_MAX)
		p->pid = (int64_t)v;
	else if (p->field == TID && v <= INT32_MAX)
		p->tid = (int64_t)v;
	else if (p->field == CPU && v < NO_CPU)
		p->sample.cpu = (uint32_t)v;
	else
		check_member(p, p->field, JSON_NUMBER);
}

static void take_string(struct perf_json *p)
{
	struct buf *to = p->field == COMM     ? &p->comm
	                 : p->field == IP     ? &p->ip
	                 : p->field == SYMBOL ? &p->symbol
	                 : p->field == DSO    ? &p->dso
	                                      : NULL;
	if (!to) {
		check_member(p, p->field, JSON_STRING);
		return;
	}
	to->len = 0;
	buf_add(to, p->json.text, p->json.len);
}

/* Is it, in the list of samples or in a chain, something else than a sample or a frame? */
static bool take_odd(struct perf_json *p, enum json_token t)
{
	uint32_t around = json_depth_around(&p->json, t);
	uint64_t line = p->json.line;
	if ((around != IN_SAMPLES && around != IN_CHAIN) || !json_is_odd(&p->json, t, JSON_SET(JSON_OBJECT)))
		return false;
	sink_skip(p->sink, ODD_ELEMENT, line, NULL, 0);
	return true;
}

static void take_token(struct perf_json *p, enum json_token t)
{
	if (take_odd(p, t))
		return;
	switch (t) {
	case JSON_KEY:
		p->field = field_of((struct slice){p->json.text, p->json.len}, p->json.depth);
		break;
	case JSON_OBJECT:
	case JSON_ARRAY:
		open_token(p, t == JSON_OBJECT);
		break;
	case JSON_OBJECT_END:
		close_token(p);
		break;
	case JSON_NUMBER:
		take_number(p);
		break;
	case JSON_STRING:
		take_string(p);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		check_member(p, p->field, t);
		break;
	default:
		break;
	}
}

static bool read_tokens(struct perf_json *p, const char *text, size_t len, bool is_last, struct err *err)
{
	enum json_token t;
	json_feed(&p->json, text, len, is_last);
	while ((t = json_next(&p->json)) > JSON_MORE)
		take_token(p, t);
	return t != JSON_ERROR || fail(err, "%s", p->json.err.text);
}

static void *perf_json_start(struct sink *sink, struct err *err)
{
	struct perf_json *p = mem_zalloc(1, sizeof *p);
	(void)err;
	p->sink = sink;
	json_init(&p->json);
	return p;
}

static bool perf_json_feed(void *state, const char *text, size_t len, struct err *err)
{
	return read_tokens(state, text, len, false, err);
}

static bool perf_json_finish(void *state, bool ok, struct err *err)
{
	struct perf_json *p = state;
	ok = ok && read_tokens(p, "", 0, true, err);
	if (ok && json_is_cut(&p->json))
		sink_warn(p->sink, "the file ends early: its last samples are missing", 0, NULL, 0);
	json_deinit(&p->json);
	buf_deinit(&p->comm);
	buf_deinit(&p->ip);
	buf_deinit(&p->symbol);
	buf_deinit(&p->dso);
	buf_deinit(&p->name);
	frames_deinit(&p->frames);
	free(p);
	return ok;
}

static enum sniff perf_json_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	if (slice_take(&text, "{")) {
		text = slice_ltrim(text);
		if (slice_starts(text, "\"linux-perf-json-version\""))
			return SNIFF_YES;
	}
	*why = "no \"linux-perf-json-version\" at the beginning";
	return SNIFF_NO;
}

const struct collapse_format format_perf_json = {
	.name = "perf-json",
	.help = "samples of perf as JSON: perf data convert --to-json=FILE",
	.sniff = perf_json_sniff,
	.start = perf_json_start,
	.feed = perf_json_feed,
	.finish = perf_json_finish,
	.is_text_stream = true,
};
