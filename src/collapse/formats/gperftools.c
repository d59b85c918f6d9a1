/*
 * gperftools.c - parses CPU profiles of gperftools: CPUPROFILE=FILE PROGRAM, linked with -lprofiler.
 *
 *	0 3 0 2000 0                   header: its length is 3 words after the first two; 2000 us from sample to sample
 *	5 3  0x55c8173 0x55c8190 ...   a stack, five times: its number of addresses, and these, the leaf first
 *	0 1 0                          the end of the stacks
 *	55c8-55c9 r-xp 00001000 00:00 10985516    /usr/bin/app
 *
 *	_start;main;hot 10000000
 *
 * These are words of 4 or 8 bytes, the least significant byte first; after them is the text of /proc/self/maps. If
 * the leaf's caller has the same address, the profiler has found the leaf twice. In joined files, the next header
 * begins at a zero byte, of which the text of the maps has none.
 */
#include "base/buf.h"
#include "collapse/formats.h"
#include "collapse/formats/mapped.h"
#include "collapse/text/columns.h"

enum part { HEADER, COUNT, DEPTH, ADDRESSES, MAPS };
enum { SAMPLES, CPU, N_SERIES };

#define HEADER_WORDS 2 /* those before its length counts */
#define PERIOD_WORD 3
#define HEADER_LENGTH 3
#define DEEPEST (UINT64_C(1) << 24)

struct gperftools {
	struct sink *sink;
	struct mapped mapped;
	uint32_t series[N_SERIES];
	enum part part;
	size_t word_size;           /* 0: not known yet */
	uint64_t n_words, n_header; /* of the header: read, and in all */
	uint64_t period;            /* us */
	uint64_t count, depth;      /* of the stack, and addresses to come */
	uint64_t leaf;
	bool is_leaf, is_caller; /* the next address is that of the leaf, or of its caller */
	struct buf held;         /* a word or line that continues in the next piece */
	bool is_skipping;        /* the rest of a line that is too long */
};

static uint64_t word_at(const char *bytes, size_t size)
{
	uint64_t v = 0;
	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
	return v;
}

static bool header_word(struct gperftools *g, uint64_t word, struct err *err)
{
	if (g->n_words == 1)
		g->n_header = HEADER_WORDS + word;
	if (g->n_words == PERIOD_WORD)
		g->period = word;
	g->n_words++;
	if (g->n_words > HEADER_WORDS && g->n_words >= g->n_header)
		g->part = COUNT;
	return g->n_header <= 64 || fail(err, "bad header of %ju words (expected 3)", (uintmax_t)word);
}

static void end_stack(struct gperftools *g)
{
	uint64_t values[N_SERIES] = {[SAMPLES] = g->count};
	if (__builtin_mul_overflow(g->count, g->period, &values[CPU]) ||
	    __builtin_mul_overflow(values[CPU], UINT64_C(1000), &values[CPU]))
		values[CPU] = UINT64_MAX;
	mapped_stack(&g->mapped, values, N_SERIES);
	g->part = COUNT;
}

/* Emits the stacks before the next header or the end. */
static void end_profile(struct gperftools *g)
{
	if (g->part == ADDRESSES)
		end_stack(g);
	if (g->part != MAPS)
		sink_warn(g->sink,
		          "the file ends within its stacks: the maps, without which there are no names, are missing", 0,
		          NULL, 0);
	mapped_emit(&g->mapped, g->series, N_SERIES, LEAF_IS_EXACT);
	g->part = HEADER;
	g->n_words = g->n_header = g->period = 0;
}

/* The header after a profile that was cut off: no stack of three addresses counts zero times. */
static bool begin_next(struct gperftools *g, struct err *err)
{
	end_profile(g);
	return header_word(g, 0, err) && header_word(g, HEADER_LENGTH, err);
}

static bool depth_word(struct gperftools *g, uint64_t depth, struct err *err)
{
	if (!g->count && depth == HEADER_LENGTH)
		return begin_next(g, err);
	if (depth > DEEPEST)
		return fail(err, "bad stack of %ju addresses", (uintmax_t)depth);
	g->depth = depth;
	g->is_leaf = true;
	g->is_caller = false;
	g->part = depth ? ADDRESSES : COUNT;
	return true;
}

static void address_word(struct gperftools *g, uint64_t address)
{
	bool is_end = !g->count && g->is_leaf && g->depth == 1;
	if (!is_end && !(g->is_caller && address == g->leaf))
		mapped_address(&g->mapped, address);
	g->is_caller = g->is_leaf;
	g->is_leaf = false;
	g->leaf = address;
	g->depth--;
	if (is_end)
		g->part = MAPS;
	else if (!g->depth)
		end_stack(g);
}

static bool take_word(struct gperftools *g, uint64_t word, struct err *err)
{
	switch (g->part) {
	case HEADER:
		return header_word(g, word, err);
	case COUNT:
		g->count = word;
		g->part = DEPTH;
		return true;
	case DEPTH:
		return depth_word(g, word, err);
	default:
		address_word(g, word);
		return true;
	}
}

/* The second word of the header is 3: is it in bytes 4 to 7? */
static size_t word_size_of(const char *header)
{
	return word_at(header + 4, 4) == 3 ? 4 : 8;
}

/* Takes the words at the beginning of text, up to its maps; false with err. */
static bool take_words(struct gperftools *g, struct slice *text, struct err *err)
{
	if (!g->word_size && text->n < 8)
		return true;
	if (!g->word_size)
		g->word_size = word_size_of(text->s);
	while (g->part != MAPS && text->n >= g->word_size) {
		uint64_t word = word_at(text->s, g->word_size);
		*text = slice_from(*text, g->word_size);
		if (!take_word(g, word, err))
			return false;
	}
	return true;
}

#define MAP_LINE_MOST 24576u /* bytes; a path has at most 4096, or four times that with escapes */

static void say_long(struct gperftools *g)
{
	sink_skip(g->sink, "line of the maps longer than 24 KiB (expected a map as in /proc/PID/maps)", 0, NULL, 0);
}

/* Skips the rest of a line that is too long, as far as it is here. */
static void skip_line(struct gperftools *g, struct slice *text)
{
	size_t eol = slice_find_byte(*text, '\n');
	g->is_skipping = eol == SIZE_MAX;
	*text = slice_from(*text, eol == SIZE_MAX ? text->n : eol + 1);
}

#define HEADER_SEEN 16u /* bytes that tell a header */

/* Words 0 and 3: does a header begin here? */
static bool is_header(struct slice text)
{
	return text.n >= HEADER_SEEN && ((word_at(text.s, 4) == 0 && word_at(text.s + 4, 4) == HEADER_LENGTH) ||
	                                 (word_at(text.s, 8) == 0 && word_at(text.s + 8, 8) == HEADER_LENGTH));
}

/* Takes a line of the maps, up to the next header if that is within; false: more of the line may come. */
static bool take_map(struct gperftools *g, struct slice *text)
{
	struct slice line = slice_before(*text, '\n');
	bool is_whole = line.n < text->n;
	size_t zero = slice_find_byte(line, '\0');
	if (zero != SIZE_MAX && text->n - zero < HEADER_SEEN)
		return false;
	bool is_end = zero != SIZE_MAX && is_header(slice_from(*text, zero));
	if (!is_whole && !is_end)
		return false;
	line = slice_head(line, is_end ? zero : line.n);
	*text = slice_from(*text, line.n + !is_end);
	if (line.n <= MAP_LINE_MOST)
		mapped_line(&g->mapped, line);
	else
		say_long(g);
	if (is_end) {
		end_profile(g);
		g->word_size = 0;
	}
	return true;
}

static void take_maps(struct gperftools *g, struct slice *text)
{
	if (g->is_skipping)
		skip_line(g, text);
	while (g->part == MAPS && take_map(g, text))
		;
	if (g->part == MAPS && text->n > MAP_LINE_MOST) {
		say_long(g);
		skip_line(g, text);
	}
}

/* Takes what is complete, and holds the rest. */
static bool gperftools_feed(void *state, const char *bytes, size_t len, struct err *err)
{
	struct gperftools *g = state;
	struct buf all = g->held;
	struct slice text = {bytes, len};
	bool was_held = all.len > 0;
	if (was_held) {
		buf_add(&all, bytes, len);
		text = (struct slice){all.data, all.len};
	}
	buf_init(&g->held);
	bool ok;
	size_t n;
	enum part part;
	do {
		n = text.n;
		part = g->part;
		ok = take_words(g, &text, err);
		if (ok && g->part == MAPS)
			take_maps(g, &text);
	} while (ok && (text.n < n || g->part != part)); /* another profile may follow the maps */
	buf_add(&g->held, text.s, text.n);
	buf_deinit(&all);
	return ok;
}

static void *gperftools_start(struct sink *sink, struct err *err)
{
	static const struct column columns[] = {
		[SAMPLES] = {.name = "samples"},
		[CPU] = {.name = "cpu", .unit = "nanoseconds"},
	};
	struct gperftools *g = mem_zalloc(1, sizeof *g);
	g->sink = sink;
	buf_init(&g->held);
	mapped_init(&g->mapped, sink);
	if (columns_declare(sink, columns, N_SERIES, CPU, g->series, err))
		return g;
	mapped_deinit(&g->mapped);
	free(g);
	return NULL;
}

static bool gperftools_finish(void *state, bool ok, struct err *err)
{
	struct gperftools *g = state;
	(void)err;
	if (ok && g->part == MAPS && g->held.len) /* a last line without its end */
		mapped_line(&g->mapped, (struct slice){buf_str(&g->held), g->held.len});
	if (ok)
		end_profile(g);
	mapped_deinit(&g->mapped);
	buf_deinit(&g->held);
	free(g);
	return ok;
}

static enum sniff gperftools_sniff(const struct head *head, const char **why)
{
	static const char wide[24] = {[8] = 3}, narrow[12] = {[4] = 3};
	*why = "no header of words 0, 3, 0";
	return (head->len >= sizeof wide && memcmp(head->text, wide, sizeof wide) == 0) ||
	               (head->len >= sizeof narrow && memcmp(head->text, narrow, sizeof narrow) == 0)
	           ? SNIFF_YES
	           : SNIFF_NO;
}

const struct collapse_format format_gperftools = {
	.name = "gperftools",
	.help = "CPU profiles of gperftools: CPUPROFILE=FILE LD_PRELOAD=libprofiler.so PROGRAM",
	.sniff = gperftools_sniff,
	.start = gperftools_start,
	.feed = gperftools_feed,
	.finish = gperftools_finish,
	.is_text_stream = true,
	.effects = EFFECT_VALUE | EFFECT_FILES | EFFECT_DEBUGINFOD,
};
