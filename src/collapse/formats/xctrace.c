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
 * skipped. Newer versions wrap the backtrace of a row into a tagged-backtrace with its own id, or have one with
 * frames in its place.
 *
 * A row is a sample. Its weight, which is a time or a number of cycles, counts under an event of its own.
 *
 * expat reads the document. But xctrace writes its rows plainly, and what is plain is taken apart here, several
 * times as fast (plain_xml.h): whole elements between two calls of expat, which never sees them.
 *
 *	<node><row>...</row><row>...</row><row>...<frame name="caf\303\251"/>...</row><row>
 *	      not for expat                for expat, without the handlers up to the byte that is not ASCII
 */
#include <expat.h>
#include <limits.h>
#include <string.h>

#include "base/idmap.h"
#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/formats/xctrace_rows.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/plain_xml.h"
#include "collapse/text/tidy.h"

/* Nesting of the elements that matter. */
enum level { OUTSIDE, IN_RESULT, IN_NODE, IN_ROW, IN_BACKTRACE, IN_FRAME, IN_NUMBER };

#define PIECE ((size_t)1 << 20) /* bytes given to the parser at once; it counts in int */
/* A tag or comment longer than this plus a piece is refused. Tests make it small. */
#ifndef LONGEST_TOKEN
#define LONGEST_TOKEN ((size_t)64 << 20)
#endif
#define LONGEST_NUMBER 64u /* bytes; a longer one is none */

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
	uint64_t rest;   /* where the bytes behind the document begin, if is_done */
	uint64_t rest_line;
	bool has_rest; /* and it is told */
	struct plain_xml plain;
	bool is_plain;        /* it is being taken apart */
	bool is_muted;        /* the parser reads what was taken apart already */
	bool has_doctype;     /* nothing is plain */
	bool is_cdata;        /* the parser is in such a section */
	uint64_t plain_lines; /* that the parser did not see, before the piece */
	uint64_t piece_lines; /* of the piece, up to `counted` */
	const char *counted;
	struct idmap frames, binaries, backtraces, tagged, threads, number_ids;
	uint64_t frame_id; /* of the last frame in `stack`, if has_frame */
	bool has_frame;    /* it is being defined */
	uint64_t *numbers; /* indices from number_ids */
	size_t n_numbers, cap_numbers;
	enum number kind; /* of the one being read */
	struct xctrace_weights weights;
	struct frames stack; /* current backtrace, leaf first */
	uint64_t backtrace_id, tagged_id, number_id;
	bool is_tagged;       /* within a tagged-backtrace, whose id is tagged_id */
	bool is_bare;         /* which has frames itself */
	struct buf text;      /* a name in the making; or the characters of a time */
	uint32_t path;        /* path of the row, NO_PATH: none yet */
	struct sample sample; /* sample of the row */
};

/* Attributes that matter; s is NULL: it is not there. A byte that is no digit follows each. */
struct attributes {
	struct slice id, ref, name, fmt;
};

/* The line of the element that is being read. */
static unsigned long long line_of(struct xctrace *x)
{
	if (x->is_plain) {
		x->piece_lines += scan_count(x->counted, (size_t)(x->plain.token - x->counted), '\n');
		x->counted = x->plain.token;
	}
	return (unsigned long long)(XML_GetCurrentLineNumber(x->parser) + x->plain_lines +
	                            (x->is_plain ? x->piece_lines : 0));
}

static void broken(struct xctrace *x, const char *what, struct slice detail)
{
	if (x->is_broken)
		return;
	x->is_broken = true;
	fail(x->err, "line %llu: %s%s%.*s", line_of(x), what, detail.s ? ": " : "", (int)(detail.n & INT_MAX),
	     detail.s ? detail.s : "");
	XML_StopParser(x->parser, XML_FALSE);
}

static const struct slice nothing = {NULL, 0};

static void take_attribute(struct attributes *a, struct slice name, struct slice value)
{
	if (slice_is(name, "id"))
		a->id = value;
	else if (slice_is(name, "ref"))
		a->ref = value;
	else if (slice_is(name, "name"))
		a->name = value;
	else if (slice_is(name, "fmt"))
		a->fmt = value;
}

static bool read_id(struct xctrace *x, struct slice text, const char *what, uint64_t *id)
{
	if (!text.s)
		broken(x, "element without id or ref", slice_of(what));
	else if (!slice_u64(text, id))
		broken(x, "id is not a number", text);
	return !x->is_broken;
}

/* Resolves ref="..."; a reference to an undefined id makes the file meaningless. */
static bool refer(struct xctrace *x, const struct idmap *map, struct slice ref, uint32_t *value)
{
	uint64_t id;
	if (!read_id(x, ref, "ref", &id))
		return false;
	if (!idmap_find(map, id, value))
		broken(x, "unknown ref", ref);
	return !x->is_broken;
}

static uint32_t frame_symbol(struct xctrace *x, struct slice name)
{
	x->text.len = 0;
	if (tidy_rust(&x->text, name.s, name.n))
		return sink_frame(x->sink, x->text.data, x->text.len);
	return sink_frame(x->sink, name.s, name.n);
}

/* A frame gets its number when it ends: its module is an element within it. */
static void end_frame(struct xctrace *x)
{
	x->level = IN_BACKTRACE;
	if (x->has_frame && !idmap_add(&x->frames, x->frame_id, x->stack.syms[x->stack.n - 1]))
		broken(x, "id is defined twice", nothing);
	x->has_frame = false;
}

/* <binary id="12" name="demo" path="/bin/demo"/>. Mistakes in it do not invalidate the frame. */
static void take_binary(struct xctrace *x, const struct attributes *a)
{
	uint32_t module = 0;
	uint64_t id;
	x->skip = 1;
	if (slice_u64(a->ref, &id)) {
		idmap_find(&x->binaries, id, &module);
	} else if (a->name.s) {
		module = sink_sym(x->sink, a->name.s, a->name.n);
		if (slice_u64(a->id, &id))
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
	if (a->ref.s) {
		if (refer(x, &x->frames, a->ref, &sym))
			frames_push(&x->stack, sym);
		return;
	}
	if (!read_id(x, a->id, "frame", &x->frame_id))
		return;
	if (!a->name.s) {
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
	if (a->ref.s)
		refer(x, &x->backtraces, a->ref, &x->path);
	else
		read_id(x, a->id, "backtrace", &x->backtrace_id);
}

/* Without a backtrace, others may still refer to it. */
static void end_tagged(struct xctrace *x)
{
	x->is_tagged = x->is_bare = false;
	if (!idmap_add(&x->tagged, x->tagged_id, x->path))
		broken(x, "tagged-backtrace id is defined twice", nothing);
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
	if (!x->is_bare && !idmap_add(&x->backtraces, x->backtrace_id, x->path))
		broken(x, "backtrace id is defined twice", nothing);
	if (x->is_bare)
		end_tagged(x);
}

static void begin_tagged(struct xctrace *x, const struct attributes *a)
{
	if (a->ref.s) {
		refer(x, &x->tagged, a->ref, &x->path);
		x->skip = 1;
		return;
	}
	x->is_tagged = read_id(x, a->id, "tagged-backtrace", &x->tagged_id);
}

/* Threads and times are extras: mistakes in them do not invalidate the samples. */
static void begin_thread(struct xctrace *x, const struct attributes *a)
{
	uint64_t id;
	x->skip = 1;
	if (slice_u64(a->ref, &id)) {
		idmap_find(&x->threads, id, &x->sample.task);
	} else if (a->fmt.s && slice_u64(a->id, &id)) {
		x->sample.task = xctrace_task(x->sink, a->fmt);
		idmap_add(&x->threads, id, x->sample.task);
	}
}

static void take_value(struct xctrace *x, uint64_t v)
{
	if (x->kind == SAMPLE_TIME)
		x->sample.time = v;
	else
		x->weights.v[x->kind] = v;
}

static void begin_number(struct xctrace *x, enum number kind, const struct attributes *a)
{
	uint64_t id;
	uint32_t index;
	x->level = IN_NUMBER;
	x->kind = kind;
	x->text.len = 0;
	x->number_id = UINT64_MAX;
	if (slice_u64(a->ref, &id) && idmap_find(&x->number_ids, id, &index))
		take_value(x, x->numbers[index]);
	else if (slice_u64(a->id, &id))
		x->number_id = id;
}

static void end_number(struct xctrace *x)
{
	uint64_t v;
	struct slice text = slice_trim((struct slice){x->text.data, x->text.len});
	x->level = IN_ROW;
	if (x->text.len > LONGEST_NUMBER || x->number_id == UINT64_MAX || x->n_numbers == UINT32_MAX ||
	    !slice_u64(text, &v))
		return;
	take_value(x, v);
	idmap_add(&x->number_ids, x->number_id, (uint32_t)x->n_numbers);
	mem_push(x->numbers, x->n_numbers, x->cap_numbers, v);
}

/* The first frame of a tagged-backtrace without a backtrace. */
static void begin_bare(struct xctrace *x, const struct attributes *a)
{
	x->is_bare = true;
	x->stack.n = 0;
	begin_frame(x, a);
}

static void begin_in_row(struct xctrace *x, struct slice name, const struct attributes *a)
{
	if (slice_is(name, "backtrace") && x->path == NO_PATH)
		begin_backtrace(x, a);
	else if (slice_is(name, "tagged-backtrace") && x->path == NO_PATH && !x->is_tagged)
		begin_tagged(x, a);
	else if (slice_is(name, "frame") && x->path == NO_PATH && x->is_tagged)
		begin_bare(x, a);
	else if (slice_is(name, "thread"))
		begin_thread(x, a);
	else if (slice_is(name, "sample-time"))
		begin_number(x, SAMPLE_TIME, a);
	else if (slice_is(name, "weight"))
		begin_number(x, WEIGHT, a);
	else if (slice_is(name, "cycle-weight"))
		begin_number(x, CYCLE_WEIGHT, a);
	else
		x->skip = 1;
}

/* An element begins that is not skipped. */
static void begin_element(struct xctrace *x, struct slice name, const struct attributes *a)
{
	static const char *const wanted[] = {"trace-query-result", "node", "row", NULL, "frame", NULL, NULL};
	if (x->level == IN_ROW) {
		begin_in_row(x, name, a);
	} else if (x->level == IN_FRAME && slice_is(name, "binary")) {
		take_binary(x, a);
	} else if (!wanted[x->level] || !slice_is(name, wanted[x->level])) {
		x->skip = 1;
	} else if (x->level == IN_BACKTRACE) {
		begin_frame(x, a);
	} else if (++x->level == IN_ROW) {
		x->path = NO_PATH;
		x->is_tagged = x->is_bare = false;
		memset(x->weights.v, 0, sizeof x->weights.v);
		x->sample = (struct sample){.weight = 1, .time = NO_TIME, .cpu = NO_CPU};
	}
}

static void end_row(struct xctrace *x)
{
	if (x->is_tagged) {
		end_tagged(x);
		return;
	}
	x->level = IN_NODE;
	if (x->path != NO_PATH)
		xctrace_add(&x->weights, x->sink, x->path, &x->sample);
	else
		report_add_weight(&x->sink->profile->report, NOTE_WARN, "sample without a stack", NULL, line_of(x),
		                  x->sample.weight);
}

static void end_element(struct xctrace *x)
{
	if (x->skip) {
		x->skip--;
	} else if (x->level == IN_NUMBER) {
		end_number(x);
	} else if (x->level == IN_FRAME) {
		end_frame(x);
	} else if (x->level == IN_BACKTRACE) {
		end_backtrace(x);
	} else if (x->level == IN_ROW) {
		end_row(x);
	} else if (--x->level == OUTSIDE) {
		x->is_done = true;
		x->rest = (uint64_t)XML_GetCurrentByteIndex(x->parser) + (uint64_t)XML_GetCurrentByteCount(x->parser);
		x->rest_line = line_of(x);
		XML_StopParser(x->parser, XML_FALSE);
	}
}

static void take_text(struct xctrace *x, struct slice text)
{
	size_t room = LONGEST_NUMBER + 1 - x->text.len;
	if (x->level == IN_NUMBER && !x->skip)
		buf_add(&x->text, text.s, text.n < room ? text.n : room);
}

/* ---- what the parser tells ----------------------------------------------------------------------------------- */

static void XMLCALL on_start(void *user, const char *name, const char **atts)
{
	struct xctrace *x = user;
	struct attributes a = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
	if (x->is_broken || x->is_muted)
		return;
	if (x->skip) {
		x->skip++;
		return;
	}
	for (; *atts; atts += 2)
		take_attribute(&a, slice_of(atts[0]), slice_of(atts[1]));
	begin_element(x, slice_of(name), &a);
}

static void XMLCALL on_end(void *user, const char *name)
{
	struct xctrace *x = user;
	(void)name;
	if (!x->is_broken && !x->is_muted)
		end_element(x);
}

static void XMLCALL on_text(void *user, const char *text, int len)
{
	struct xctrace *x = user;
	if (!x->is_muted)
		take_text(x, (struct slice){text, (size_t)len});
}

static void XMLCALL on_doctype(void *user, const char *name, const char *system, const char *public,
                               int is_internal)
{
	struct xctrace *x = user;
	(void)name;
	(void)system;
	(void)public;
	(void)is_internal;
	x->has_doctype = true;
}

static void XMLCALL on_cdata(void *user)
{
	((struct xctrace *)user)->is_cdata = true;
}

static void XMLCALL on_cdata_end(void *user)
{
	((struct xctrace *)user)->is_cdata = false;
}

static bool parse(struct xctrace *x, const char *text, size_t len, bool is_last, struct err *err)
{
	x->err = err;
	if (x->is_done || XML_Parse(x->parser, text, (int)len, is_last) == XML_STATUS_OK || x->is_done)
		return true;
	if (x->is_broken)
		return false;
	return fail(err, "line %llu: %s (expected the XML of `xctrace export`)", line_of(x),
	            XML_ErrorString(XML_GetErrorCode(x->parser)));
}

/* Tells of what follows the document: another one has ids of its own. */
static void look_behind(struct xctrace *x, struct slice text)
{
	struct slice rest = slice_ltrim(text);
	if (x->has_rest)
		return;
	x->rest_line += scan_count(text.s, text.n - rest.n, '\n');
	x->has_rest = rest.n > 0;
	if (x->has_rest)
		sink_warn(x->sink,
		          "what follows </trace-query-result> is not read (of joined files, give each by its name)",
		          x->rest_line, NULL, 0);
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
	if (x->is_done)
		look_behind(x, slice_from((struct slice){text, len}, (size_t)(x->rest - x->given)));
	x->given += len;
	size_t kept = at >= 0 && x->given > (uint64_t)at ? (size_t)(x->given - (uint64_t)at) : 0;
	size_t room = kept < LONGEST_TOKEN ? LONGEST_TOKEN - kept : 0;
	x->wanted = kept < PIECE || room < PIECE ? PIECE : kept < room ? kept : room;
	if (kept <= LONGEST_TOKEN)
		return true;
	return fail(err, "line %llu: a tag or comment of more than %zu MiB (expected the XML of `xctrace export`)",
	            line_of(x), LONGEST_TOKEN >> 20);
}

static bool parse_held(struct xctrace *x, struct err *err)
{
	size_t len = x->held.len;
	x->held.len = 0;
	return parse_piece(x, len ? x->held.data : "", len, err);
}

/* ---- what is plain ------------------------------------------------------------------------------------------- */

/* Has the parser read all that it was given, up to a place where elements and text may stand? */
static bool is_between(const struct xctrace *x)
{
	if (x->level < IN_NODE || x->has_doctype || x->is_cdata || x->is_done)
		return false;
	XML_Index at = XML_GetCurrentByteIndex(x->parser);
	return at >= 0 && (uint64_t)at == x->given;
}

static void take_plain_token(struct xctrace *x, enum plain_token t)
{
	const struct plain_xml *plain = &x->plain;
	struct attributes a = {{NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}};
	if (t == PLAIN_TEXT) {
		take_text(x, plain->text);
		return;
	}
	if (t != PLAIN_END && x->skip) {
		x->skip++;
	} else if (t != PLAIN_END) {
		for (size_t i = 0; i < plain->n_attributes; i++)
			take_attribute(&a, plain->attributes[i].name, plain->attributes[i].value);
		begin_element(x, plain->name, &a);
	}
	if (t != PLAIN_BEGIN && !x->is_broken)
		end_element(x);
}

/* Takes frames that are only referred to, which most are. */
static void take_references(struct xctrace *x)
{
	uint64_t id;
	while (x->level == IN_BACKTRACE && !x->skip && plain_xml_take_number(&x->plain, "<frame ref=\"", &id)) {
		uint32_t sym;
		if (!idmap_find(&x->frames, id, &sym)) {
			broken(x, "unknown ref", x->plain.text);
			return;
		}
		frames_push(&x->stack, sym);
	}
}

/*
 * Takes the plain elements at the beginning of a piece. The parser gets the beginnings of those that are not
 * complete, of which the handlers know already. Returns the bytes taken; SIZE_MAX: an error.
 */
static size_t take_plain(struct xctrace *x, const char *text, size_t len, struct err *err)
{
	struct plain_xml *plain = &x->plain;
	enum plain_token t;
	x->err = err;
	x->is_plain = true;
	x->counted = text;
	x->piece_lines = 0;
	plain_xml_begin(plain, text, len);
	while (!x->is_broken && (t = plain_xml_next(plain)) != PLAIN_NONE) {
		take_plain_token(x, t);
		take_references(x);
	}
	x->is_plain = false;
	if (x->is_broken)
		return SIZE_MAX;
	x->plain_lines += scan_count(text, (size_t)(plain->even - text), '\n');
	x->is_muted = true;
	bool ok = plain->p == plain->even || parse_piece(x, plain->even, (size_t)(plain->p - plain->even), err);
	x->is_muted = false;
	return ok ? (size_t)(plain->p - text) : SIZE_MAX;
}

/* The bytes up to the end of a row, or n: after it everything may be plain again. */
static size_t to_row_end(const char *text, size_t n)
{
	static const char end[] = "</row>";
	const char *at = find_bytes(text, n, end, sizeof end - 1);
	return at ? (size_t)(at - text) + sizeof end - 1 : n;
}

/*
 * Gathers pieces only while a tag or comment goes on and on. In one, the ends of rows are not looked for again and
 * again.
 */
static bool xctrace_feed(void *state, const char *text, size_t len, struct err *err)
{
	struct xctrace *x = state;
	bool is_first = true;
	for (size_t n; len && !x->is_done; text += n, len -= n) {
		bool is_long = x->wanted > PIECE, may_be_plain = !is_long && is_between(x);
		n = may_be_plain ? take_plain(x, text, len, err) : 0;
		if (n == SIZE_MAX)
			return false;
		if (n)
			continue;
		size_t room = x->wanted - x->held.len;
		n = len < room ? len : room;
		if (is_long)
			buf_add(&x->held, text, n);
		else if (may_be_plain || is_first)
			n = to_row_end(text, n);
		is_first = false;
		if (is_long && n < room)
			continue;
		if (!(is_long ? parse_held(x, err) : parse_piece(x, text, n, err)))
			return false;
	}
	if (x->is_done && len)
		look_behind(x, (struct slice){text, len});
	return true;
}

static void *xctrace_start(struct sink *sink, struct err *err)
{
	struct xctrace_weights weights = {0};
	if (!xctrace_declare(&weights, sink, err))
		return NULL;
	struct xctrace *x = mem_zalloc(1, sizeof *x);
	x->sink = sink;
	x->weights = weights;
	x->parser = XML_ParserCreate(NULL);
	if (!x->parser)
		mem_exhausted();
	buf_init(&x->text);
	buf_init(&x->held);
	x->wanted = PIECE;
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, on_start, on_end);
	XML_SetCharacterDataHandler(x->parser, on_text);
	XML_SetStartDoctypeDeclHandler(x->parser, on_doctype);
	XML_SetCdataSectionHandler(x->parser, on_cdata, on_cdata_end);
	return x;
}

static bool xctrace_finish(void *state, bool ok, struct err *err)
{
	struct xctrace *x = state;
	if (ok && !x->is_done)
		ok = parse_held(x, err) && parse(x, "", 0, true, err) &&
		     (x->is_done || fail(err, "no <trace-query-result> in it (expected the XML of `xctrace export`)"));
	ok = ok && xctrace_has_value(&x->weights, x->sink, err);
	XML_ParserFree(x->parser);
	idmap_deinit(&x->frames);
	idmap_deinit(&x->binaries);
	idmap_deinit(&x->backtraces);
	idmap_deinit(&x->tagged);
	idmap_deinit(&x->threads);
	idmap_deinit(&x->number_ids);
	free(x->numbers);
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
	.effects = EFFECT_VALUE,
};
