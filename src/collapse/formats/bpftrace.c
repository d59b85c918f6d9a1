/*
 * bpftrace.c - parses the maps keyed by stacks that bpftrace prints when it ends.
 *
 *	@[                        kstack, leaf first
 *	    vfs_read+155
 *	    ksys_read+103
 *	,                         ustack, if there are both
 *	    read+18
 *	    main+71
 *	, postgres]: 12           more keys, usually comm; and the value
 *	@[, sh]: 3                an empty stack
 *	@[11943, cat, ]: 1        another one, after its keys
 *
 *	postgres;main+71;read+18;ksys_read+103;vfs_read+155 12
 *	sh 3
 *
 * Stacks are printed kernel first, then user, so reversing the whole puts the user's half at the root. The other
 * keys become the root frame, wherever they are. Different maps count different things (@samples, @bytes), so each
 * is a series. Frames of ustack(perf) carry address and module, "7f1c read+18 (/lib/libc.so)", which are dropped;
 * offsets are kept, as users' scripts expect.
 */
#include "collapse/formats/bpftrace.h"

#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

#include "base/buf.h"

void bpftrace_lost(struct sink *sink, uint64_t n, uint64_t number)
{
	weight_add(&sink_lacks(sink)->lost, n);
	sink_warn(sink, "bpftrace could not keep up and lost events", number, NULL, 0);
}

struct bpftrace {
	struct sink *sink;
	struct frames frames;
	bool is_open;
	uint32_t series;
	struct buf keys; /* before the stack, or between two stacks; all of them are one frame */
	uint64_t opened; /* line */
};

/* "Lost 123 events": they did not fit into the buffer to bpftrace. It may come between two lines of a stack. */
static bool take_lost(struct bpftrace *b, struct slice line, uint64_t number)
{
	struct slice rest = line;
	uint64_t lost;
	if (!slice_take(&rest, "Lost ") || !slice_u64(slice_take_digits(&rest), &lost) || !slice_is(rest, " events"))
		return false;
	bpftrace_lost(b->sink, lost, number);
	return true;
}

/* "@name[" */
static bool take_map(struct slice *line, struct slice *name)
{
	size_t n = 1;
	if (!slice_starts(*line, "@"))
		return false;
	while (n < line->n && is_word_byte(line->s[n]))
		n++;
	if (n == line->n || line->s[n] != '[')
		return false;
	*name = slice_head(*line, n);
	*line = slice_from(*line, n + 1);
	return true;
}

/* "KEYS]: 12" -> the keys and 12. */
static bool split_value(struct slice line, struct slice *keys, uint64_t *value)
{
	size_t colon = slice_find_last(line, ':');
	if (colon == SIZE_MAX || colon == 0 || line.s[colon - 1] != ']')
		return false;
	*keys = slice_head(line, colon - 1);
	return slice_u64(slice_trim(slice_from(line, colon + 1)), value);
}

/* Trims the commas and blanks that separate keys from stacks. */
static struct slice trim_keys(struct slice keys)
{
	while (keys.n && (*keys.s == ',' || is_blank_byte(*keys.s)))
		keys = slice_from(keys, 1);
	while (keys.n && (keys.s[keys.n - 1] == ',' || is_blank_byte(keys.s[keys.n - 1])))
		keys.n--;
	return keys;
}

/* "+18" at the end. A '+' elsewhere is a part of the name, as in "operator+". */
static struct slice without_offset(struct slice name)
{
	size_t plus = slice_find_last(name, '+');
	struct slice offset = slice_from(name, plus == SIZE_MAX ? name.n : plus + 1);
	bool is_offset = plus && offset.n && (slice_is_digits(offset) || slice_is_address(offset));
	return is_offset ? slice_head(name, plus) : name;
}

/* "7f1c4a2b read+18 (/lib/libc.so)", "7f1c4a2b read+18 (/lib/libc.so (deleted))" -> "read", "/lib/libc.so" */
static struct slice perf_style_name(struct slice frame, struct slice *module_name)
{
	struct slice rest = frame, address = slice_take_word(&rest);
	size_t open = slice_last_group(rest);
	*module_name = slice_head(frame, 0);
	if (open == SIZE_MAX)
		return frame;
	for (size_t i = 0; i < address.n; i++) {
		if (!is_hex_byte(address.s[i]))
			return frame;
	}
	struct slice module = slice_from(rest, open + 2);
	*module_name = slice_head(module, module.n - strlen(slice_ends(module, " (deleted))") ? " (deleted))" : ")"));
	return without_offset(slice_trim(slice_head(rest, open)));
}

static void bpftrace_emit(struct bpftrace *b, struct slice keys, uint64_t value)
{
	keys = trim_keys(keys);
	if (keys.n)
		frames_push_text(&b->frames, b->sink, keys);
	if (b->keys.len)
		frames_push(&b->frames, sink_frame(b->sink, b->keys.data, b->keys.len));
	frames_finish(&b->frames, b->sink);
	struct sample sample = {.weight = value, .time = NO_TIME, .cpu = NO_CPU, .series = b->series};
	sink_stack(b->sink, b->frames.syms, b->frames.n, &sample);
	b->frames.n = 0;
	b->is_open = false;
}

/* Emits a stack without frames: its other keys, without the gap between them. */
static void emit_empty(struct bpftrace *b, struct slice keys, uint64_t value)
{
	struct buf text;
	buf_init(&text);
	for (size_t gap; (gap = slice_find(keys, ", ,")) != SIZE_MAX; keys = slice_from(keys, gap + strlen(", ")))
		buf_add(&text, keys.s, gap);
	buf_add(&text, keys.s, keys.n);
	bpftrace_emit(b, (struct slice){buf_str(&text), text.len}, value);
	buf_deinit(&text);
}

static void drop_open_stack(struct bpftrace *b)
{
	if (b->is_open)
		sink_skip(b->sink, "a stack without value (expected ']: COUNT' after it)", b->opened, NULL, 0);
	b->is_open = false;
	b->frames.n = 0;
}

/* Is one key empty, as for a stack without frames: ", sh", "11943, cat, ", "11943, , cat"? */
static bool has_empty_key(struct slice keys)
{
	keys = slice_trim(keys);
	return !keys.n || *keys.s == ',' || keys.s[keys.n - 1] == ',' || slice_has(keys, ", ,");
}

/* "11943, " before a stack, ", cat," between two: "11943, cat". */
static void hold_keys(struct bpftrace *b, struct slice keys)
{
	keys = trim_keys(keys);
	if (keys.n && b->keys.len)
		buf_adds(&b->keys, ", ");
	buf_add(&b->keys, keys.s, keys.n);
}

static void open_map(struct bpftrace *b, struct slice line, struct slice name, struct slice keys, uint64_t number)
{
	struct slice inner;
	uint64_t value;
	drop_open_stack(b);
	bool is_one_line = split_value(keys, &inner, &value);
	/* a single line is an empty stack with other keys, or a map without stacks */
	if (is_one_line ? !has_empty_key(inner) : keys.n && keys.s[keys.n - 1] != ',') {
		sink_skip(b->sink, "not a map of stacks (expected '@[' and one frame per line)", number, line.s, line.n);
		return;
	}
	b->series = profile_series(b->sink->profile, sink_sym(b->sink, name.s, name.n), 0);
	b->keys.len = 0;
	if (is_one_line) {
		emit_empty(b, inner, value);
		return;
	}
	hold_keys(b, keys);
	b->is_open = true;
	b->opened = number;
}

/* Handles a line at column 0 within a stack: "]: 7", ", comm]: 7", "," */
static void close_stack(struct bpftrace *b, struct slice line, uint64_t number)
{
	struct slice keys;
	uint64_t value;
	if (slice_is(trim_keys(line), ""))
		return; /* between two stacks */
	if (*line.s == ',' && line.s[line.n - 1] == ',') {
		hold_keys(b, line);
		return;
	}
	if (split_value(line, &keys, &value)) {
		bpftrace_emit(b, keys, value);
		return;
	}
	sink_skip(b->sink, "bad value of a stack (expected ']: COUNT')", number, line.s, line.n);
	b->is_open = false;
	b->frames.n = 0;
}

static void push_frame(struct bpftrace *b, struct slice line)
{
	struct slice module, name = perf_style_name(slice_ltrim(line), &module);
	uint32_t sym = sink_frame(b->sink, name.s, name.n);
	frames_push(&b->frames, sink_module(b->sink, sym, module.s, module.n));
}

static void bpftrace_line(struct bpftrace *b, struct slice line, uint64_t number)
{
	struct slice name, rest = line;
	if (take_map(&rest, &name)) {
		open_map(b, line, name, rest, number);
	} else if (take_lost(b, line, number)) {
		return;
	} else if (b->is_open && line.n) {
		if (*line.s == ']' || *line.s == ',')
			close_stack(b, line, number);
		else
			push_frame(b, line);
	} else if (slice_starts(line, "@")) {
		sink_skip(b->sink, "not a map of stacks (expected '@[' and one frame per line)", number, line.s, line.n);
	}
	/* other lines are the script's own output, "Attaching 1 probe..." and ^C */
}

static void bpftrace_end(struct bpftrace *b, bool is_whole)
{
	(void)is_whole;
	drop_open_stack(b);
	buf_deinit(&b->keys);
	frames_deinit(&b->frames);
}

LINE_FORMAT(bpftrace)

static bool opens_map(struct slice line)
{
	struct slice name;
	return take_map(&line, &name);
}

static enum sniff bpftrace_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, opens_map, "no line '@NAME['", why);
}

const struct collapse_format format_bpftrace = {
	.name = "bpftrace",
	.help = "maps of bpftrace: bpftrace -e 'profile:hz:99 { @[kstack, ustack, comm] = count(); }'",
	.tells_open_end = true,
	.sniff = bpftrace_sniff,
	LINE_FORMAT_FUNCTIONS(bpftrace),
};
