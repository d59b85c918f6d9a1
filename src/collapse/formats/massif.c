/*
 * massif.c - parses the heap profiles of valgrind --tool=massif.
 *
 *	desc: --detailed-freq=3
 *	cmd: ./app
 *	time_unit: i
 *	#-----------
 *	snapshot=3
 *	#-----------
 *	time=167358
 *	mem_heap_B=100
 *	mem_heap_extra_B=16
 *	mem_stacks_B=0
 *	heap_tree=peak
 *	n2: 100 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *	 n1: 70 0x109169: f (a.c:1)
 *	  n0: 70 0x10918E: main (a.c:9)
 *	 n0: 30 in 4 places, all below massif's threshold (1.00%)
 *
 *	main;f 70
 *	(below threshold) 30
 *
 * A snapshot is what the heap holds at one time. Some are detailed, and one of these is the peak. Its tree begins
 * with the function that allocates; below a function are its callers, as many as n says. What they do not account
 * for belongs to the function as the outermost frame that is known.
 *
 * Snapshots do not add up, so each is a series; the peak is shown first. Those of joined files do, where they have
 * one number.
 */
#include "base/buf.h"
#include "collapse/formats.h"
#include "collapse/text/line_format.h"
#include "collapse/text/valgrind.h"

/* A line of the tree, whose callers may follow. */
struct massif_node {
	uint64_t bytes, of_callers; /* of_callers: of those that came */
	uint64_t n_missing;         /* callers that have not come */
};

/* Sums over the snapshots of a series that have bytes in their trees. */
struct massif_sums {
	uint64_t n, heap, beside;
};

struct massif {
	struct sink *sink;
	struct frames frames; /* of the open nodes below the root, the leaf first */
	struct massif_node *open;
	size_t n_open, cap_open;
	struct frames stack;
	uint64_t number, heap, beside; /* of the snapshot; beside: bytes of the heap's own, and of stacks */
	uint32_t series, peak;         /* of the snapshot, and of peaks with bytes in their trees */
	struct massif_sums *sums;      /* of series */
	size_t n_sums, cap_sums;
	bool has_trees, has_peak, is_in_tree;
	bool is_peak;       /* the tree of the snapshot is */
	bool is_incomplete; /* the heading of the snapshot, or the first line of its tree, has not come */
};

static void emit_node(struct massif *m, uint64_t bytes)
{
	struct profile *p = m->sink->profile;
	struct sample s = {.weight = bytes, .time = NO_TIME, .cpu = NO_CPU, .series = m->series};
	m->stack.n = m->stack.n_sites = 0;
	for (size_t i = 0; i < m->frames.n; i++)
		frames_push_of(&m->stack, &m->frames, i);
	frames_finish(&m->stack, m->sink);
	s.site = frames_site(&m->stack, m->sink);
	profile_add(p, m->sink->options->side, profile_path(p, m->stack.syms, m->stack.n), &s);
}

/* Ends nodes until so many are open. */
static void end_nodes(struct massif *m, size_t depth)
{
	while (m->n_open > depth) {
		const struct massif_node *n = &m->open[m->n_open - 1];
		if (n->n_missing)
			sink_warn(m->sink, "not as many callers as a function has (their bytes count as its own)", 0, NULL, 0);
		if (n->of_callers > n->bytes)
			report_add_weight(&m->sink->profile->report, NOTE_WARN, "callers have more bytes than their function",
			                  NULL, 0, n->of_callers - n->bytes);
		else if (n->of_callers < n->bytes)
			emit_node(m, n->bytes - n->of_callers);
		m->n_open--;
		m->frames.n -= m->frames.n > 0;
	}
}

static void begin_node(struct massif *m, uint64_t n_callers, uint64_t bytes, struct slice text)
{
	const struct massif_node n = {.bytes = bytes, .n_missing = n_callers};
	if (m->n_open) {
		struct massif_node *callee = &m->open[m->n_open - 1];
		callee->n_missing -= callee->n_missing > 0;
		weight_add(&callee->of_callers, bytes);
		if (slice_starts(text, "in ") && slice_has(text, " below massif's threshold"))
			frames_push(&m->frames, sink_sym(m->sink, "(below threshold)", 17));
		else
			valgrind_push(&m->frames, m->sink, text);
	}
	mem_push(m->open, m->n_open, m->cap_open, n);
}

static void add_sums(struct massif *m)
{
	while (m->n_sums <= m->series)
		mem_push(m->sums, m->n_sums, m->cap_sums, (struct massif_sums){0});
	struct massif_sums *s = &m->sums[m->series];
	s->n++;
	weight_add(&s->heap, m->heap);
	weight_add(&s->beside, m->beside);
	if (m->is_peak)
		m->peak = m->series;
	m->has_peak |= m->is_peak;
}

/* The series to show first: the peak, else that with most bytes. */
static uint32_t shown_first(const struct massif *m)
{
	uint32_t best = 0;
	if (m->has_peak)
		return m->peak;
	for (uint32_t i = 1; i < m->n_sums; i++)
		if (m->sums[i].n && (!m->sums[best].n || m->sums[i].heap > m->sums[best].heap))
			best = i;
	return best;
}

/*
 * With the first line of the tree: a snapshot without one, at the end of a file that is cut off, is not shown. Nor
 * is one without bytes: that of a peak may have stacks only.
 */
static void begin_tree(struct massif *m, uint64_t bytes)
{
	struct profile *p = m->sink->profile;
	char name[40] = "peak";
	m->is_incomplete = false;
	if (!m->is_peak)
		snprintf(name, sizeof name, "snapshot %llu", (unsigned long long)m->number);
	m->series = profile_series(p, sink_sym(m->sink, name, strlen(name)), sink_sym(m->sink, "bytes", 5));
	if (m->series)
		profile_overlap(p, m->series, m->series - 1);
	if (bytes)
		add_sums(m);
	m->has_trees = true;
}

/* "  n1: 70 0x109169: f (a.c:1)"; the blanks are its depth. */
static void take_node(struct massif *m, struct slice line, uint64_t number)
{
	struct slice rest = slice_ltrim(line);
	size_t depth = line.n - rest.n;
	uint64_t callers, bytes;
	bool is_node = slice_take(&rest, "n") && slice_u64(slice_take_digits(&rest), &callers) &&
	               slice_take(&rest, ": ") && slice_u64(slice_take_digits(&rest), &bytes) && slice_take(&rest, " ");
	if (!is_node || depth > m->n_open || (depth == 0 && m->n_open)) {
		sink_skip(m->sink, "not a line of the tree (expected 'nCALLERS: BYTES FUNCTION')", number, line.s, line.n);
		return;
	}
	if (m->is_incomplete)
		begin_tree(m, bytes);
	end_nodes(m, depth);
	begin_node(m, callers, bytes, rest);
}

static void end_tree(struct massif *m)
{
	if (m->n_open && m->open[0].bytes != m->heap)
		sink_warn(m->sink, "the tree of a snapshot has not as many bytes as its heap", 0, NULL, 0);
	end_nodes(m, 0);
	m->is_in_tree = false;
}

/* heap_tree=peak, detailed or empty. */
static void announce_tree(struct massif *m, struct slice kind)
{
	m->is_in_tree = m->is_incomplete = !slice_is(kind, "empty");
	m->is_peak = slice_is(kind, "peak");
}

static void take_value(struct massif *m, struct slice key, struct slice value)
{
	uint64_t v = 0;
	bool is_number = slice_u64(value, &v);
	if (slice_is(key, "snapshot")) {
		m->number = v;
		m->heap = m->beside = 0;
		m->is_incomplete = true;
	} else if (slice_is(key, "heap_tree")) {
		announce_tree(m, value);
	} else if (is_number && slice_is(key, "mem_heap_B")) {
		m->heap = v;
	} else if (is_number && (slice_is(key, "mem_heap_extra_B") || slice_is(key, "mem_stacks_B"))) {
		weight_add(&m->beside, v);
	}
}

static void massif_line(struct massif *m, struct slice line, uint64_t number)
{
	if (m->is_in_tree && slice_starts(slice_ltrim(line), "n")) {
		take_node(m, line, number);
		return;
	}
	struct slice key = slice_before(line, '=');
	if (m->is_in_tree)
		end_tree(m);
	m->is_incomplete |= slice_starts(line, "#");
	if (key.n < line.n)
		take_value(m, key, slice_from(line, key.n + 1));
}

/* `beside` of the series that are not shown first and have bytes in their trees. */
struct besides {
	uint64_t n, least, most;
};

static struct besides besides_of_others(const struct massif *m, uint32_t shown)
{
	struct besides b = {0};
	for (uint32_t i = 0; i < m->n_sums; i++) {
		const struct massif_sums *s = &m->sums[i];
		if (i == shown || !s->n)
			continue;
		b.least = b.n && b.least < s->beside ? b.least : s->beside;
		b.most = b.most > s->beside ? b.most : s->beside;
		b.n++;
	}
	return b;
}

/* Each series for itself: they do not add up. */
static void say_beside(struct massif *m, uint32_t shown)
{
	const struct besides others = besides_of_others(m, shown);
	uint64_t beside = shown < m->n_sums ? m->sums[shown].beside : 0;
	struct buf text;
	if (!beside && !others.most)
		return;
	buf_init(&text);
	buf_addf(&text, "%ju in '%s'", (uintmax_t)beside, profile_event_name(m->sink->profile, shown));
	if (others.n)
		buf_addf(&text, ", %ju", (uintmax_t)others.least);
	if (others.n && others.least < others.most)
		buf_addf(&text, " to %ju", (uintmax_t)others.most);
	if (others.n)
		buf_addf(&text, others.n > 1 ? " in the %ju others" : " in the other", (uintmax_t)others.n);
	sink_warn(m->sink, "bytes of the heap's own and of stacks have no functions (they are left out)", 0, text.data,
	          text.len);
	buf_deinit(&text);
}

/* Within a tree, end_nodes() says what is missing. */
static void note_cut(struct massif *m)
{
	bool is_cut = m->is_incomplete;
	for (size_t i = 0; i < m->n_open; i++)
		is_cut |= m->open[i].n_missing > 0;
	sink_lacks(m->sink)->is_cut_off |= is_cut;
	if (m->is_incomplete)
		sink_warn(m->sink, "the file ends within a snapshot, which is left out (is it cut off?)", 0, NULL, 0);
}

static void massif_end(struct massif *m, bool is_whole)
{
	struct profile *p = m->sink->profile;
	if (is_whole)
		note_cut(m);
	end_tree(m);
	uint32_t shown = shown_first(m);
	for (uint32_t i = 0; m->has_trees && i < p->n_series; i++)
		profile_rank_series(p, i, i == shown ? 0 : 1 + i);
	say_beside(m, shown);
	if (is_whole && !m->has_trees)
		sink_warn(m->sink, "no snapshot has a tree (expected heap_tree=peak or detailed)", 0, NULL, 0);
	frames_deinit(&m->frames);
	frames_deinit(&m->stack);
	free(m->open);
	free(m->sums);
}

LINE_FORMAT(massif)

static bool is_time_unit(struct slice line)
{
	return slice_starts(line, "time_unit: ");
}

static bool is_snapshot(struct slice line)
{
	return slice_take(&line, "snapshot=") && line.n && slice_is_digits(line);
}

static enum sniff massif_sniff(const struct head *head, const char **why)
{
	static const char expected[] = "no lines 'time_unit: UNIT' and 'snapshot=NUMBER'";
	if (sniff_any_line(head, is_time_unit, expected, why) != SNIFF_YES)
		return SNIFF_NO;
	return sniff_any_line(head, is_snapshot, expected, why);
}

const struct collapse_format format_massif = {
	.name = "massif",
	.help = "massif: valgrind --tool=massif, the peak and other detailed snapshots",
	.sniff = massif_sniff,
	.tells_open_end = true,
	LINE_FORMAT_FUNCTIONS(massif),
};
