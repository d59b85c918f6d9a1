/*
 * heap_profile.c - parses heap profiles of tcmalloc (gperftools) and of jemalloc, which are text.
 *
 *	heap profile: 734: 1001350 [ 734: 1001350] @ heapprofile       heap_v2/524288
 *	  733: 1001278 [ 733: 1001278] @ 0x5594b0 0x5594f5               t*: 2: 3000 [0: 0]
 *	                                                               @ 0x5594b0 0x5594f5
 *	MAPPED_LIBRARIES:                                                t*: 2: 3000 [0: 0]
 *	5594-5595 r-xp 00001000 00:00 10985516    /usr/bin/app           t0: 2: 3000 [0: 0]
 *
 *	_start;main;alloc 1001278
 *
 * Blocks and bytes that are in use, and in brackets those ever allocated. jemalloc lists them for all threads (t*),
 * and again for each. It counts only blocks that are sampled, as tcmalloc does where its heading ends in
 * "heap_v2/RATE". Addresses are return addresses, the leaf first. In joined files, a heading begins the next
 * profile, which has its own maps.
 */
#include "collapse/formats.h"
#include "collapse/formats/mapped.h"
#include "collapse/text/heap_counts.h"
#include "collapse/text/line_format.h"

enum part { HEADING, STACKS, MAPS };

struct heap_profile {
	struct sink *sink;
	struct mapped mapped;
	uint32_t series[N_HEAP_COUNTS];
	enum part part;
	bool is_jemalloc;
	uint64_t rate;
	bool has_addresses; /* of jemalloc: their counts follow */
};

/* "heap_v2/524288" of jemalloc; "heap profile: 1: 2 [3: 4] @ heap_v2/524288", "... @ heapprofile" of tcmalloc */
static bool take_heading(struct slice line, bool *is_jemalloc, uint64_t *rate)
{
	uint64_t counts[N_HEAP_COUNTS];
	*rate = 0;
	*is_jemalloc = slice_take(&line, "heap_v2/");
	if (*is_jemalloc)
		return slice_u64(line, rate);
	if (!slice_take(&line, "heap profile:") || !heap_counts_take(&line, counts) || !slice_take(&line, " @ ") ||
	    slice_starts(line, "heap/")) /* Go's */
		return false;
	if (slice_take(&line, "heap_v2/") || slice_take(&line, "heapz_v2/"))
		return slice_u64(line, rate);
	return true;
}

static void push_addresses(struct heap_profile *h, struct slice line)
{
	struct slice word;
	while ((word = slice_take_word(&line)).n) {
		uint64_t address;
		if (slice_starts(word, "0x") && slice_hex(slice_from(word, 2), &address))
			mapped_address(&h->mapped, address);
		else
			sink_skip(h->sink, "bad address (expected '0x12ab')", 0, word.s, word.n);
	}
}

static void end_stack(struct heap_profile *h, uint64_t counts[N_HEAP_COUNTS])
{
	heap_counts_scale(counts, h->rate);
	mapped_stack(&h->mapped, counts, N_HEAP_COUNTS);
	h->has_addresses = false;
}

/* "@ 0x5594b0 0x5594f5", "  t*: 2: 3000 [0: 0]"; the totals come before the first stack. false: another line. */
static bool jemalloc_line(struct heap_profile *h, struct slice line)
{
	uint64_t counts[N_HEAP_COUNTS];
	struct slice text = slice_ltrim(line);
	if (slice_take(&text, "@")) {
		uint64_t none[N_HEAP_COUNTS] = {0};
		if (h->has_addresses)
			end_stack(h, none);
		push_addresses(h, text);
		h->has_addresses = true;
		return true;
	}
	if (!slice_take(&text, "t"))
		return false;
	if (!slice_take(&text, "*:"))
		return true;
	if (!heap_counts_take(&text, counts) || slice_trim(text).n)
		return false;
	if (h->has_addresses)
		end_stack(h, counts);
	return true;
}

/* "  733: 1001278 [ 733: 1001278] @ 0x5594b0 0x5594f5" */
static bool tcmalloc_line(struct heap_profile *h, struct slice line)
{
	uint64_t counts[N_HEAP_COUNTS];
	if (!heap_counts_take(&line, counts) || !slice_take(&line, " @"))
		return false;
	push_addresses(h, line);
	end_stack(h, counts);
	return true;
}

static void stack_line(struct heap_profile *h, struct slice line, uint64_t number)
{
	if (slice_starts(line, "MAPPED_LIBRARIES:"))
		h->part = MAPS;
	else if (line.n && !(h->is_jemalloc ? jemalloc_line(h, line) : tcmalloc_line(h, line)))
		sink_skip(h->sink, "bad stack (expected 'BLOCKS: BYTES [BLOCKS: BYTES]' and '@ ADDRESSES')", number, line.s,
		          line.n);
}

/* Emits the stacks before the next heading or the end. */
static void end_profile(struct heap_profile *h)
{
	if (h->part == STACKS)
		sink_warn(h->sink, "the file ends before 'MAPPED_LIBRARIES:', without which there are no names", 0, NULL,
		          0);
	mapped_emit(&h->mapped, h->series, N_HEAP_COUNTS, LEAF_IS_CALLER);
	h->has_addresses = false;
}

static void heap_profile_line(struct heap_profile *h, struct slice line, uint64_t number)
{
	bool is_jemalloc;
	uint64_t rate;
	if (take_heading(line, &is_jemalloc, &rate)) {
		end_profile(h);
		h->is_jemalloc = is_jemalloc;
		h->rate = rate;
		h->part = STACKS;
	} else if (h->part == STACKS) {
		stack_line(h, line, number);
	} else if (h->part == MAPS) {
		mapped_line(&h->mapped, line);
	}
}

static void heap_profile_end(struct heap_profile *h, bool is_whole)
{
	if (is_whole)
		end_profile(h);
	mapped_deinit(&h->mapped);
}

LINE_FORMAT(heap_profile)

static void *heap_profile_begin(struct sink *sink, struct err *err)
{
	struct heap_profile *h = heap_profile_start(sink, err);
	mapped_init(&h->mapped, sink);
	if (heap_counts_declare(sink, h->series, err))
		return h;
	heap_profile_finish(h, false, err);
	return NULL;
}

static bool is_mine(struct slice line)
{
	bool is_jemalloc;
	uint64_t rate;
	return take_heading(line, &is_jemalloc, &rate);
}

static enum sniff heap_profile_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line 'heap profile: ...' or 'heap_v2/RATE'", why);
}

const struct collapse_format format_heap_profile = {
	.name = "heap-profile",
	.help = "heap profiles of tcmalloc and jemalloc: HEAPPROFILE=FILE PROGRAM; MALLOC_CONF=prof:true PROGRAM",
	.sniff = heap_profile_sniff,
	.start = heap_profile_begin,
	.feed = heap_profile_feed,
	.finish = heap_profile_finish,
	.tells_open_end = true,
	.effects = EFFECT_VALUE | EFFECT_FILES | EFFECT_DEBUGINFOD,
};
