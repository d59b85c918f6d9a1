/*
 * xctrace.c - parses Time Profiler data of Apple's xctrace: xctrace export --xpath
 * '//trace-toc/run/data/table[...]'.
 *
 *	<trace-query-result>
 *	<node xpath='//trace-toc[1]/run[1]/data[1]/table[5]'>
 *	<row><sample-time id="1">57246708</sample-time><thread id="2" fmt="main  0x84c1 (demo, pid: 493)"/>
 *	 <backtrace id="10">
 *	  <frame id="11" name="demo::step::h0123456789abcdef"/><frame id="13" name="main"/></backtrace></row>
 *	<row><sample-time id="20">58246708</sample-time><thread ref="2"/><backtrace ref="10"/></row>
 *	</node></trace-query-result>
 *
 *	main;demo::step 2
 *
 * On every level, an element is written once and then referred to by its id. A backtrace becomes a path as soon as
 * its element ends, so that a row costs one look-up. Elements are recognised only where they belong; all others are
 * skipped. Newer versions wrap the backtrace of a row into a tagged-backtrace with its own id.
 */
#include <expat.h>

#include "base/idmap.h"
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/tidy.h"

/* Nesting of the elements that matter. */
enum level { OUTSIDE, IN_RESULT, IN_NODE, IN_ROW, IN_BACKTRACE, IN_FRAME, IN_TIME };

#define PIECE ((size_t)1 << 20) /* bytes given to the parser at once; it counts in int */
/* A tag or comment longer than this plus a piece is refused. Tests make it small. */
#ifndef LONGEST_TOKEN
#define LONGEST_TOKEN ((size_t)64 << 20)
#endif

struct xctrace {
	struct sink *sink;
	XML_Parser parser;
	enum level level;
	uint64_t skip; /* number of open elements to skip */
	bool is_done, is_broken;
	struct err *err; /* of the current call */
	struct buf held; /* bytes not yet given to the parser */
	size_t wanted;   /* bytes to give it at once */
	uint64_t given;  /* bytes given so far */
	struct idmap frames, binaries, backtraces, tagged, threads, time_ids;
	uint64_t frame_id; /* of the last frame in `stack`, if has_frame */
	bool has_frame;    /* it is being defined */
	uint64_t *times;   /* indices from time_ids */
	size_t n_times, cap_times;
	struct frames stack; /* current backtrace, leaf first */
	uint64_t backtrace_id, tagged_id, time_id;
	bool is_tagged;       /* within a tagged-backtrace, whose id is tagged_id */
	struct buf text;      /* a name in the making; or the characters of a time */
	uint32_t path;        /* path of the row, NO_PATH: none yet */
	struct sample sample; /* sample of the row */
};

/* Attributes that matter. */
struct attributes {
	const char *id, *ref, *name, *fmt;
};

static void broken(struct xctrace *x, const char *what, const char *detail)
{
	if (x->is_broken)
		return;
	x->is_broken = true;
	fail(x->err, "line %llu: %s%s%s", (unsigned long long)XML_GetCurrentLineNumber(x->parser), what,
	     detail ? ": " : "", detail ? detail : "");
	XML_StopParser(x->parser, XML_FALSE);
}

/* Like strcmp(), but avoids most calls of it. */
static bool is(const char *a, const char *b)
{
	return *a == *b && !strcmp(a, b);
}

static struct attributes attributes_of(const char **atts)
{
	struct attributes a = {NULL, NULL, NULL, NULL};
	for (; *atts; atts += 2) {
		if (is(*atts, "id"))
			a.id = atts[1];
		else if (is(*atts, "ref"))
			a.ref = atts[1];
		else if (is(*atts, "name"))
			a.name = atts[1];
		else if (is(*atts, "fmt"))
			a.fmt = atts[1];
	}
	return a;
}

static bool read_id(struct xctrace *x, const char *text, const char *what, uint64_t *id)
{
	if (!text)
		broken(x, "element without id or ref", what);
	else if (!number_u64(text, strlen(text), id))
		broken(x, "id is not a number", text);
	return !x->is_broken;
}

/* Resolves ref="..."; a reference to an undefined id makes the file meaningless. */
static bool refer(struct xctrace *x, const struct idmap *map, const char *ref, uint32_t *value)
{
	uint64_t id;
	if (!read_id(x, ref, "ref", &id))
		return false;
	if (!idmap_find(map, id, value))
		broken(x, "unknown ref", ref);
	return !x->is_broken;
}

static uint32_t frame_symbol(struct xctrace *x, const char *name)
{
	size_t len = strlen(name);
	x->text.len = 0;
	if (tidy_rust(&x->text, name, len))
		return sink_frame(x->sink, x->text.data, x->text.len);
	return sink_frame(x->sink, name, len);
}

/* A frame gets its number when it ends: its module is an element within it. */
static void end_frame(struct xctrace *x)
{
	x->level = IN_BACKTRACE;
	if (x->has_frame && !idmap_add(&x->frames, x->frame_id, x->stack.syms[x->stack.n - 1]))
		broken(x, "id is defined twice", NULL);
	x->has_frame = false;
}

/* <binary id="12" name="demo" path="/bin/demo"/>. Mistakes in it do not invalidate the frame. */
static void take_binary(struct xctrace *x, const struct attributes *a)
{
	uint32_t module = 0;
	uint64_t id;
	x->skip = 1;
	if (a->ref && number_u64(a->ref, strlen(a->ref), &id)) {
		idmap_find(&x->binaries, id, &module);
	} else if (a->name) {
		module = sink_sym(x->sink, a->name, strlen(a->name));
		if (a->id && number_u64(a->id, strlen(a->id), &id))
			idmap_add(&x->binaries, id, module);
	}
	const struct symbol *s = &x->sink->profile->symtab.symbols[module];
	if (x->has_frame && module)
		x->stack.syms[x->stack.n - 1] = sink_module(x->sink, x->stack.syms[x->stack.n - 1], s->name, s->len);
}

static void begin_frame(struct xctrace *x, const struct attributes *a)
{
	uint32_t sym;
	x->level = IN_FRAME;
	x->has_frame = false;
	if (a->ref) {
		if (refer(x, &x->frames, a->ref, &sym))
			frames_push(&x->stack, sym);
		return;
	}
	if (!read_id(x, a->id, "frame", &x->frame_id))
		return;
	if (!a->name) {
		broken(x, "frame without name", a->id);
		return;
	}
	if (idmap_find(&x->frames, x->frame_id, &sym)) {
		broken(x, "id is defined twice", a->id);
		return;
	}
	frames_push(&x->stack, frame_symbol(x, a->name));
	x->has_frame = true;
}

static void begin_backtrace(struct xctrace *x, const struct attributes *a)
{
	x->level = IN_BACKTRACE;
	x->stack.n = 0;
	if (a->ref)
		refer(x, &x->backtraces, a->ref, &x->path);
	else
		read_id(x, a->id, "backtrace", &x->backtrace_id);
}

static void end_backtrace(struct xctrace *x)
{
	x->level = IN_ROW;
	if (x->path != NO_PATH)
		return;
	if (!x->stack.n)
		frames_push(&x->stack, sink_sym(x->sink, EMPTY_STACK, sizeof EMPTY_STACK - 1));
	frames_reverse(&x->stack);
	x->path = profile_path(x->sink->profile, x->stack.syms, x->stack.n);
	if (!idmap_add(&x->backtraces, x->backtrace_id, x->path))
		broken(x, "backtrace id is defined twice", NULL);
}

static void begin_tagged(struct xctrace *x, const struct attributes *a)
{
	if (a->ref) {
		refer(x, &x->tagged, a->ref, &x->path);
		x->skip = 1;
		return;
	}
	x->is_tagged = read_id(x, a->id, "tagged-backtrace", &x->tagged_id);
}

/* "main  0x8480c1 (demo, pid: 49374)": the thread's name, its number in hex, the process. */
static uint32_t parse_thread(struct xctrace *x, const char *fmt)
{
	struct slice text = slice_of(fmt), pid = text, comm;
	size_t paren = slice_find_last(text, '('), at = slice_find(text, ", pid: "), hex = slice_find(text, "  0x");
	uint64_t number = 0;
	if (paren != SIZE_MAX && at != SIZE_MAX && at > paren) {
		comm = (struct slice){text.s + paren + 1, at - paren - 1};
		pid = slice_from(text, at + 7);
		pid = slice_take_digits(&pid);
	} else {
		comm = hex != SIZE_MAX ? slice_head(text, hex) : text;
		pid.n = 0;
	}
	bool has_pid = slice_u64(pid, &number) && number <= INT64_MAX;
	int64_t tid = hex != SIZE_MAX ? (int64_t)(strtoull(text.s + hex + 2, NULL, 16) & INT64_MAX) : -1;
	return profile_task(x->sink->profile, sink_frame(x->sink, comm.s, comm.n), has_pid ? (int64_t)number : -1, tid);
}

/* Threads and times are extras: mistakes in them do not invalidate the samples. */
static void begin_thread(struct xctrace *x, const struct attributes *a)
{
	uint64_t id;
	x->skip = 1;
	if (a->ref && number_u64(a->ref, strlen(a->ref), &id)) {
		idmap_find(&x->threads, id, &x->sample.task);
	} else if (a->id && a->fmt && number_u64(a->id, strlen(a->id), &id)) {
		x->sample.task = parse_thread(x, a->fmt);
		idmap_add(&x->threads, id, x->sample.task);
	}
}

static void begin_time(struct xctrace *x, const struct attributes *a)
{
	uint64_t id;
	uint32_t index;
	x->level = IN_TIME;
	x->text.len = 0;
	x->time_id = UINT64_MAX;
	if (a->ref && number_u64(a->ref, strlen(a->ref), &id) && idmap_find(&x->time_ids, id, &index))
		x->sample.time = x->times[index];
	else if (a->id && number_u64(a->id, strlen(a->id), &id))
		x->time_id = id;
}

static void end_time(struct xctrace *x)
{
	uint64_t ns;
	struct slice text = slice_trim((struct slice){x->text.data, x->text.len});
	x->level = IN_ROW;
	if (x->time_id == UINT64_MAX || x->n_times == UINT32_MAX || !slice_u64(text, &ns))
		return;
	x->sample.time = ns;
	idmap_add(&x->time_ids, x->time_id, (uint32_t)x->n_times);
	mem_push(x->times, x->n_times, x->cap_times, ns);
}

static void begin_in_row(struct xctrace *x, const char *name, const struct attributes *a)
{
	if (is(name, "backtrace") && x->path == NO_PATH)
		begin_backtrace(x, a);
	else if (is(name, "tagged-backtrace") && x->path == NO_PATH && !x->is_tagged)
		begin_tagged(x, a);
	else if (is(name, "thread"))
		begin_thread(x, a);
	else if (is(name, "sample-time"))
		begin_time(x, a);
	else
		x->skip = 1;
}

static void XMLCALL on_start(void *user, const char *name, const char **atts)
{
	static const char *const wanted[] = {"trace-query-result", "node", "row", NULL, "frame", NULL, NULL};
	struct xctrace *x = user;
	if (x->is_broken)
		return;
	if (x->skip) {
		x->skip++;
		return;
	}
	struct attributes a = attributes_of(atts);
	if (x->level == IN_ROW) {
		begin_in_row(x, name, &a);
	} else if (x->level == IN_FRAME && is(name, "binary")) {
		take_binary(x, &a);
	} else if (!wanted[x->level] || !is(name, wanted[x->level])) {
		x->skip = 1;
	} else if (x->level == IN_BACKTRACE) {
		begin_frame(x, &a);
	} else if (++x->level == IN_ROW) {
		x->path = NO_PATH;
		x->is_tagged = false;
		x->sample = (struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	}
}

static void end_row(struct xctrace *x)
{
	if (x->is_tagged) {
		x->is_tagged = false;
		if (x->path != NO_PATH && !idmap_add(&x->tagged, x->tagged_id, x->path))
			broken(x, "tagged-backtrace id is defined twice", NULL);
		return;
	}
	x->level = IN_NODE;
	if (x->path != NO_PATH)
		profile_add(x->sink->profile, x->sink->options->side, x->path, &x->sample);
	else
		report_add_weight(&x->sink->profile->report, NOTE_WARN, "sample without a stack", NULL,
		                  XML_GetCurrentLineNumber(x->parser), x->sample.weight);
}

static void XMLCALL on_end(void *user, const char *name)
{
	struct xctrace *x = user;
	(void)name;
	if (x->is_broken)
		return;
	if (x->skip) {
		x->skip--;
	} else if (x->level == IN_TIME) {
		end_time(x);
	} else if (x->level == IN_FRAME) {
		end_frame(x);
	} else if (x->level == IN_BACKTRACE) {
		end_backtrace(x);
	} else if (x->level == IN_ROW) {
		end_row(x);
	} else if (--x->level == OUTSIDE) {
		x->is_done = true;
		XML_StopParser(x->parser, XML_FALSE);
	}
}

static void XMLCALL on_text(void *user, const char *text, int len)
{
	struct xctrace *x = user;
	if (x->level == IN_TIME && !x->skip && x->text.len < 64)
		buf_add(&x->text, text, (size_t)len);
}

static bool parse(struct xctrace *x, const char *text, size_t len, bool is_last, struct err *err)
{
	x->err = err;
	if (x->is_done || XML_Parse(x->parser, text, (int)len, is_last) == XML_STATUS_OK || x->is_done)
		return true;
	if (x->is_broken)
		return false;
	return fail(err, "line %llu: %s (expected the XML of `xctrace export`)",
	            (unsigned long long)XML_GetCurrentLineNumber(x->parser),
	            XML_ErrorString(XML_GetErrorCode(x->parser)));
}

/*
 * The parser keeps an unfinished tag or comment, and before version 2.6 scans all of it again with each piece. So
 * each piece is as long as what the parser keeps, and it scans each byte only a few times.
 */
static bool parse_piece(struct xctrace *x, const char *text, size_t len, struct err *err)
{
	if (!parse(x, text, len, false, err))
		return false;
	XML_Index at = x->is_done ? -1 : XML_GetCurrentByteIndex(x->parser);
	x->given += len;
	size_t kept = at >= 0 && x->given > (uint64_t)at ? (size_t)(x->given - (uint64_t)at) : 0;
	size_t room = kept < LONGEST_TOKEN ? LONGEST_TOKEN - kept : 0;
	x->wanted = kept < PIECE || room < PIECE ? PIECE : kept < room ? kept : room;
	if (kept <= LONGEST_TOKEN)
		return true;
	return fail(err, "line %llu: a tag or comment of more than %zu MiB (expected the XML of `xctrace export`)",
	            (unsigned long long)XML_GetCurrentLineNumber(x->parser), LONGEST_TOKEN >> 20);
}

static bool parse_held(struct xctrace *x, struct err *err)
{
	size_t len = x->held.len;
	x->held.len = 0;
	return parse_piece(x, len ? x->held.data : "", len, err);
}

/* Gathers pieces only while a tag or comment goes on and on. */
static bool xctrace_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct xctrace *x = state;
	for (size_t n; len && !x->is_done; text += n, len -= n) {
		bool is_long = x->wanted > PIECE;
		size_t room = x->wanted - x->held.len;
		n = len < room ? len : room;
		if (is_long)
			buf_add(&x->held, text, n);
		if (is_long && n < room)
			continue;
		if (!(is_long ? parse_held(x, err) : parse_piece(x, text, n, err)))
			return false;
	}
	return true;
}

static void *xctrace_start(struct sink *sink, struct err *err)
{
	struct xctrace *x = mem_zalloc(1, sizeof *x);
	x->sink = sink;
	x->parser = XML_ParserCreate(NULL);
	if (!x->parser)
		mem_exhausted();
	(void)err;
	buf_init(&x->text);
	buf_init(&x->held);
	x->wanted = PIECE;
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, on_start, on_end);
	XML_SetCharacterDataHandler(x->parser, on_text);
	return x;
}

static bool xctrace_finish(void *state, bool ok, struct err *err)
{
	struct xctrace *x = state;
	if (ok && !x->is_done)
		ok = parse_held(x, err) && parse(x, "", 0, true, err) &&
		     (x->is_done || fail(err, "no <trace-query-result> in it (expected the XML of `xctrace export`)"));
	XML_ParserFree(x->parser);
	idmap_deinit(&x->frames);
	idmap_deinit(&x->binaries);
	idmap_deinit(&x->backtraces);
	idmap_deinit(&x->tagged);
	idmap_deinit(&x->threads);
	idmap_deinit(&x->time_ids);
	free(x->times);
	frames_deinit(&x->stack);
	buf_deinit(&x->text);
	buf_deinit(&x->held);
	free(x);
	return ok;
}

static enum sniff xctrace_sniff(const struct head *head, const char **why)
{
	struct slice text = slice_ltrim((struct slice){head->text, head->len});
	*why = "not XML";
	if (!slice_starts(text, "<"))
		return SNIFF_NO;
	*why = "XML without <trace-query-result>";
	return slice_has(text, "<trace-query-result") ? SNIFF_YES : SNIFF_MAYBE;
}

const struct collapse_format format_xctrace = {
	.name = "xctrace",
	.help = "Apple's Time Profiler: xctrace export --xpath ...time-profile",
	.sniff = xctrace_sniff,
	.start = xctrace_start,
	.feed = xctrace_feed,
	.finish = xctrace_finish,
	.is_text_stream = true,
};
