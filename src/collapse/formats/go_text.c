/*
 * go_text.c - parses the text that Go's servers write for ?debug=1: goroutines, threads, heap, locks.
 *
 *	goroutine profile: total 4             --- mutex:
 *	3 @ 0x44c45c 0x471a25 0x6a31d8         cycles/second=2596125991
 *	# labels: {"user":"alice"}             sampling period=5
 *	#	0x471a24	sync.(*Mutex).Lock+0x8c	/go/src/sync/mutex.go:90
 *	#	0x6a31d7	main.worker+0x24	/src/w.go:4
 *	                                       384678476 97 @ 0x6a31e5 0x6a3183
 *	1 @ 0x44ad05
 *
 *	main.worker;sync.(*Mutex).Lock 3
 *	0x44ad05 1
 *
 *	heap profile: 7: 45696 [9: 58752] @ heap/1048576
 *	7: 45696 [9: 58752] @ 0x6a3434 0x6a33d2
 *
 * A record has counts, addresses, and a comment for each function, leaf first; inlined ones have comments, but no
 * addresses. The functions of the runtime at the leaf have none, so the addresses count only in records without
 * any comment.
 *
 * Counts become what `go tool pprof` shows for the binary form of the profile. Of locks, the text has cycles, and
 * one in `sampling period` events. Of the heap, it has what was sampled, and the heading has twice the rate.
 */
#include "collapse/formats.h"
#include "collapse/text/columns.h"
#include "collapse/text/frames.h"
#include "collapse/text/heap_counts.h"
#include "collapse/text/labels.h"
#include "collapse/text/line_format.h"
#include "collapse/text/quoted.h"

#include "base/buf.h"

enum kind { NONE, COUNTS, CONTENTION, HEAP };

#define TOO_SHORT "the text ends early: it has fewer than its heading counts"
#define TOO_MANY "the records add up to more than their heading counts"

struct go_text {
	struct sink *sink;
	enum kind kind;
	uint32_t series[N_HEAP_COUNTS];
	size_t n_series;
	uint64_t period, cycles; /* of CONTENTION: events for each in the text, cycles in a second */
	uint64_t rate;           /* of HEAP: bytes from sample to sample; 0: all blocks are in the text */
	uint64_t promised, read; /* of the heading: goroutines, threads, bytes in use; how many were in records */

	bool is_open; /* a record is */
	uint64_t values[N_HEAP_COUNTS];
	struct buf addresses;
	struct frames frames;
	struct labels labels;
	struct buf key, text;
};

/* ---- records ---- */

static void push_addresses(struct go_text *g)
{
	struct slice rest = {buf_str(&g->addresses), g->addresses.len}, word;
	while ((word = slice_take_word(&rest)).n)
		frames_push_text(&g->frames, g->sink, word);
}

static void emit_record(struct go_text *g)
{
	if (!g->is_open)
		return;
	if (!g->frames.n)
		push_addresses(g);
	frames_finish(&g->frames, g->sink);
	struct sample s = {.time = NO_TIME, .cpu = NO_CPU, .tags = labels_end(&g->labels, g->sink)};
	uint32_t path = profile_path(g->sink->profile, g->frames.syms, g->frames.n);
	s.site = frames_site(&g->frames, g->sink);
	for (size_t i = 0; i < g->n_series; i++) {
		s.weight = g->values[i];
		s.series = g->series[i];
		if (s.weight)
			profile_add(g->sink->profile, g->sink->options->side, path, &s);
	}
	g->frames.n = g->frames.n_sites = 0;
	g->is_open = false;
}

/* "1187840 [37: 3958496] @ ...": takes a number and the text after it. */
static bool take_number(struct slice *line, uint64_t *v, const char *behind)
{
	*line = slice_ltrim(*line);
	return slice_u64(slice_take_digits(line), v) && slice_take(line, behind);
}

/* The size of the blocks is a label, as in pprof. */
static bool take_heap(struct go_text *g, struct slice line)
{
	uint64_t *v = g->values;
	if (!heap_counts_take(&line, v) || slice_trim(line).n)
		return false;
	weight_add(&g->read, v[INUSE_SPACE]);
	uint64_t size = v[ALLOC_OBJECTS]   ? v[ALLOC_SPACE] / v[ALLOC_OBJECTS]
	                : v[INUSE_OBJECTS] ? v[INUSE_SPACE] / v[INUSE_OBJECTS]
	                                   : 0;
	if (size && size <= INT64_MAX)
		labels_add_number(&g->labels, g->sink, slice_of("bytes"), (int64_t)size, slice_of("bytes"));
	heap_counts_scale(v, g->rate);
	return true;
}

/* "384678476 97": cycles of waiting, and how often. */
static bool take_contention(struct go_text *g, struct slice line)
{
	uint64_t cycles, n;
	if (!take_number(&line, &cycles, " ") || !take_number(&line, &n, "") || slice_trim(line).n)
		return false;
	double ns = (double)cycles * (double)g->period;
	g->values[0] = weight_from((double)n * (double)g->period);
	g->values[1] = weight_from(g->cycles ? ns / ((double)g->cycles / 1e9) : ns);
	return true;
}

static bool take_count(struct go_text *g, struct slice line)
{
	if (!take_number(&line, &g->values[0], "") || slice_trim(line).n)
		return false;
	weight_add(&g->read, g->values[0]);
	return true;
}

/* "COUNTS @ ADDRESSES" */
static bool open_record(struct go_text *g, struct slice line)
{
	size_t at = slice_find_byte(line, '@');
	struct slice counts = slice_head(line, at == SIZE_MAX ? 0 : at);
	if (!counts.n || !is_digit_byte(*counts.s))
		return false;
	emit_record(g);
	g->is_open = g->kind == HEAP         ? take_heap(g, counts)
	             : g->kind == CONTENTION ? take_contention(g, counts)
	                                     : take_count(g, counts);
	g->addresses.len = 0;
	if (g->is_open)
		buf_add(&g->addresses, line.s + at + 1, line.n - at - 1);
	return g->is_open;
}

/* ---- comments ---- */

static struct slice without_offset(struct slice name)
{
	size_t plus = slice_rfind(name, "+0x");
	return plus == SIZE_MAX || !plus ? name : slice_head(name, plus);
}

/* "0x6a31d7	main.worker+0x24	/src/w.go:4"; blanks stand for a tab in text copied from a terminal */
static void push_frame(struct go_text *g, struct slice line)
{
	struct slice address = slice_take_word(&line);
	line = slice_trim(line);
	if (!line.n) { /* there is one without an address in stacks of unknown threads */
		if (!slice_is(address, "0x0"))
			frames_push_text(&g->frames, g->sink, address);
		return;
	}
	struct slice name = slice_before(line, slice_find_byte(line, '\t') == SIZE_MAX ? ' ' : '\t');
	frames_push_at(&g->frames, g->sink, without_offset(name), slice_ltrim(slice_from(line, name.n)));
}

static bool take_text(struct slice *line, struct buf *out)
{
	*line = slice_ltrim(*line);
	return quoted_take(line, out);
}

/* '{"path":"/x", "user":"alice"}' */
static bool take_labels(struct go_text *g, struct slice line)
{
	line = slice_ltrim(line);
	if (!slice_take(&line, "{"))
		return false;
	while (!slice_is(line, "}")) {
		if (!take_text(&line, &g->key) || !slice_take(&line, ":") || !take_text(&line, &g->text))
			return false;
		labels_add_text(&g->labels, g->sink, (struct slice){buf_str(&g->key), g->key.len},
		                (struct slice){buf_str(&g->text), g->text.len});
		slice_take(&line, ",");
	}
	return true;
}

/* Other comments tell the state of the heap ("# Alloc = 1234"). */
static void comment_line(struct go_text *g, struct slice line, uint64_t number)
{
	struct slice rest = slice_from(line, 1), text = slice_ltrim(rest);
	if (!g->is_open)
		return;
	if (text.n < rest.n && slice_starts(text, "0x"))
		push_frame(g, text);
	else if (slice_take(&rest, " labels:") && !take_labels(g, rest))
		sink_skip(g->sink, "bad labels (expected '# labels: {\"KEY\":\"VALUE\"}')", number, line.s, line.n);
}

/* ---- headings ---- */

/* What a heading says. */
struct heading {
	enum kind kind;
	const char *name; /* of what COUNTS counts */
	uint64_t promised, rate;
};

/* "heap profile: 31: 1304240 [37: 3958496] @ heap/1048576" */
static bool take_heap_heading(struct slice line, struct heading *h)
{
	uint64_t counts[N_HEAP_COUNTS];
	if (!heap_counts_take(&line, counts) || !slice_take(&line, " @ heap/") || !slice_u64(line, &h->rate))
		return false;
	h->promised = counts[INUSE_SPACE];
	h->rate /= 2;
	h->kind = HEAP;
	return true;
}

static bool take_heading(struct slice line, struct heading *h)
{
	static const char *const names[] = {"goroutine", "threadcreate"};
	*h = (struct heading){0};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct slice rest = line;
		if (slice_take(&rest, names[i]) && slice_take(&rest, " profile: total ") && slice_u64(rest, &h->promised)) {
			h->kind = COUNTS;
			h->name = names[i];
			return true;
		}
	}
	if (slice_is(line, "--- mutex:") || slice_is(line, "--- contention:"))
		h->kind = CONTENTION;
	else if (slice_take(&line, "heap profile: "))
		return take_heap_heading(line, h);
	return h->kind != NONE;
}

static bool declare(struct go_text *g, const struct heading *h, struct err *err)
{
	const struct column counts[] = {{.name = h->name}};
	static const struct column waits[] = {{.name = "contentions"}, {.name = "delay", .unit = "nanoseconds"}};
	const struct column *columns = h->kind == CONTENTION ? waits : counts;
	g->n_series = h->kind == HEAP ? N_HEAP_COUNTS : h->kind == CONTENTION ? 2 : 1;
	if (h->kind == HEAP)
		return heap_counts_declare(g->sink, g->series, err);
	return columns_declare(g->sink, columns, g->n_series, g->n_series - 1, g->series, err);
}

/* Ends a profile; others may follow in the same file. */
static void end_profile(struct go_text *g)
{
	emit_record(g);
	if (g->read < g->promised)
		sink_warn(g->sink, TOO_SHORT, 0, NULL, 0);
	else if (g->read > g->promised)
		sink_warn(g->sink, TOO_MANY, 0, NULL, 0);
	g->read = g->promised = 0;
}

static bool begin_profile(struct go_text *g, const struct heading *h, struct err *err)
{
	end_profile(g);
	g->kind = h->kind;
	g->promised = h->promised;
	g->rate = h->rate;
	g->period = 1;
	g->cycles = 0;
	return declare(g, h, err);
}

static bool take_discarded(struct go_text *g, struct slice number)
{
	uint64_t n;
	if (!slice_u64(number, &n))
		return false;
	weight_add(&sink_lacks(g->sink)->lost, n);
	return true;
}

/* "cycles/second=2596125991", "sampling period=5", "discarded samples=0", at the head of a profile */
static bool take_setting(struct go_text *g, struct slice line)
{
	if (slice_take(&line, "discarded samples="))
		return take_discarded(g, line);
	if (slice_take(&line, "cycles/second="))
		return slice_u64(line, &g->cycles);
	if (!slice_take(&line, "sampling period="))
		return slice_starts(line, "ms since reset=");
	if (!slice_u64(line, &g->period))
		return false;
	if (!g->period) {
		sink_warn(g->sink, "the sampling period is unknown, as sampling had ended: each event counts once", 0, NULL,
		          0);
		g->period = 1;
	}
	return true;
}

/* ---- lines ---- */

static bool go_text_line(struct go_text *g, struct slice line, uint64_t number, struct err *err)
{
	struct heading heading;
	if (slice_starts(line, "#")) {
		comment_line(g, line, number);
		return true;
	}
	if (take_heading(line, &heading))
		return begin_profile(g, &heading, err);
	if (!line.n || g->kind == NONE || open_record(g, line) || (g->kind == CONTENTION && take_setting(g, line)))
		return true;
	sink_skip(g->sink, "bad record (expected 'COUNTS @ ADDRESSES' with whole numbers)", number, line.s, line.n);
	return true;
}

static void go_text_end(struct go_text *g, bool is_whole)
{
	if (is_whole)
		end_profile(g);
	frames_deinit(&g->frames);
	labels_deinit(&g->labels);
	buf_deinit(&g->addresses);
	buf_deinit(&g->key);
	buf_deinit(&g->text);
}

STRICT_LINE_FORMAT(go_text)

static bool is_mine(struct slice line)
{
	struct heading heading;
	return take_heading(line, &heading);
}

static enum sniff go_text_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no heading of a Go profile in text", why);
}

const struct collapse_format format_go_text = {
	.name = "go-text",
	.help = "text of Go's profiles: curl localhost:6060/debug/pprof/goroutine?debug=1 (heap, mutex, block, ...)",
	.tells_open_end = true,
	.sniff = go_text_sniff,
	LINE_FORMAT_FUNCTIONS(go_text),
	.effects = EFFECT_VALUE,
};
