/*
 * dtrace.c - parses DTrace's aggregations by stack() and ustack().
 *
 *	CPU     ID                    FUNCTION:NAME
 *	  0  64091                        :tick-60s
 *
 *	              genunix`syscall_mstate+0x5d
 *	              unix`sys_syscall+0x10e
 *	                5
 *
 *	unix`sys_syscall;genunix`syscall_mstate 5
 *
 * A number alone on its line ends a stack. Blank lines mean nothing, as they also separate the kernel's half of a
 * stack from the user's half. The heading ends with the first blank line; a file that begins with a frame has none.
 * A number alone ends the heading, too: a worker thread may begin reading after one, without knowing what came
 * before.
 *
 * A helper of ustack() may name frames in any way, so a count that is none can look like a frame: a word that is
 * indented otherwise than frames, or only the indent, before a blank line.
 *
 * Headings and probes ("  0  64091  :tick-60s") come again where a program prints more than once; they are skipped.
 * A stack whose value is a distribution (quantize()) has no count, and is left out.
 *
 * What dtrace itself says comes among these lines if both were written to one file: "dtrace: 55 drops on CPU 0".
 * Drops are lost samples.
 *
 * The same frames come again and again, so each result is kept under the frame's text without the offset: a line
 * then costs finding its end, one hash and one compare. Lines are split in batches, so that the look-ups of their
 * texts overlap in memory, and without loops that end after one or two rounds, whose ends the processor guesses
 * wrong.
 */
#include <assert.h>

#include "base/scan.h"
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/memo.h"
#include "collapse/text/tidy.h"

/* What a line is that is no count and no message. */
enum kind {
	FRAME,
	PROBE,        /* "  0  64091       :tick-60s", or the heading above it */
	DISTRIBUTION, /* its heading */
	BAR,          /* one of its rows */
};

/* The result for a frame's text. */
struct known_frame {
	enum kind kind;   /* if it is no frame, the rest is 0 */
	uint32_t n;       /* number of frames: several for an inline chain */
	uint32_t first;   /* the only symbol, or the index of the first in dtrace.chains, innermost first */
	uint32_t as_leaf; /* the symbol to use where the line is a leaf; only with include_offset */
	bool is_word;     /* it may be a count that is none */
};

/* Before what dtrace itself says. */
#define MESSAGE "dtrace: "

/* Lines per batch, see memo.h. */
#define ROWS 32

struct row {
	struct slice line; /* trimmed */
	bool is_count;
	bool is_message; /* of dtrace itself */
	uint32_t indent;
	uint64_t count;
	struct memo_ask text; /* of a frame */
};

struct dtrace {
	struct sink *sink;
	struct frames frames;
	uint64_t began;  /* line of the first frame of the current stack */
	uint64_t last;   /* line of the frame met last */
	uint64_t probe;  /* line of the probe met last, or of a heading */
	uint64_t odd;    /* the line that may be a count that is none */
	uint32_t indent; /* of frames */
	bool is_in_heading;
	bool is_at_start;          /* no line so far, but for messages */
	struct memo texts;         /* texts of known frames */
	struct known_frame *known; /* one for each text */
	size_t n_known, cap_known;
	uint32_t *chains;
	size_t n_chains, cap_chains;
	struct buf text, piece; /* scratch for making a frame */
};

static void *dtrace_start(struct sink *sink, struct err *err)
{
	(void)err;
	struct dtrace *d = mem_zalloc(1, sizeof *d);
	d->sink = sink;
	memo_init(&d->texts);
	buf_init(&d->text);
	buf_init(&d->piece);
	return d;
}

/* ---- from a line to frames: done once for each text ---- */

/* Only "+0x5d" may follow the last '+', so that dropping it cannot hide a "::". */
static size_t offset_start(struct slice frame)
{
	size_t i = frame.n;
	if (i >= 16) { /* mostly the digits are among the last 16 bytes */
		uint32_t others = ~scan_mask_hex(frame.s + i - 16) & 0xffff;
		i -= others ? (size_t)__builtin_clz(others << 16) : 16;
	}
	while (i && is_hex_byte(frame.s[i - 1]))
		i--;
	if (i < 3 || i == frame.n || memcmp(frame.s + i - 3, "+0x", 3) != 0)
		return frame.n;
	return i - 3;
}

static struct slice without_offset(struct slice frame)
{
	return slice_head(frame, offset_start(frame));
}

/*
 * C++: the part after the scope is cut at the last parenthesis or angle bracket of the whole line, no matter which
 * part that belongs to; the offset goes, too.
 */
static size_t arguments_start(struct slice frame)
{
	size_t scope = slice_find(frame, "::");
	if (scope == SIZE_MAX)
		return frame.n;
	for (size_t i = frame.n; i > scope; i--) {
		if (frame.s[i - 1] == '(' || frame.s[i - 1] == '<')
			return i - 1;
	}
	return frame.n;
}

/* Appends "module`function" with a Rust function repaired; an offset is put back after it. */
static void add_repaired(struct dtrace *d, struct slice frame)
{
	size_t tick = slice_find_byte(frame, '`');
	struct slice function = tick == SIZE_MAX ? frame : slice_from(frame, tick + 1);
	struct slice bare = d->sink->options->include_offset ? without_offset(function) : function;
	buf_add(&d->text, frame.s, frame.n - function.n);
	if (!tidy_rust(&d->text, bare.s, bare.n))
		buf_add(&d->text, bare.s, bare.n);
	buf_add(&d->text, bare.s + bare.n, function.n - bare.n);
}

/* "Lorg/acme/Pool:.get" is Java's way to write a class; "LibA" is not. */
static struct slice without_class_mark(struct slice piece)
{
	if (slice_starts(piece, "L") && slice_find_byte(piece, '/') != SIZE_MAX)
		return slice_from(piece, 1);
	return piece;
}

static uint32_t chain_symbol(struct dtrace *d, struct slice piece, bool is_inlined)
{
	if (!is_inlined)
		return sink_frame(d->sink, piece.s, piece.n);
	d->piece.len = 0;
	buf_add(&d->piece, piece.s, piece.n);
	buf_adds(&d->piece, "_[i]");
	return sink_frame(d->sink, d->piece.data, d->piece.len);
}

/* Splits "caller->callee->..." into frames, stored innermost first. */
static struct known_frame learn_chain(struct dtrace *d, struct slice text)
{
	struct known_frame known = {.first = (uint32_t)d->n_chains};
	assert(text.s); /* "-" at least */
	for (bool is_inlined = false;; is_inlined = true) {
		size_t n = tidy_chain_end(text);
		uint32_t sym = chain_symbol(d, without_class_mark(slice_head(text, n)), is_inlined);
		mem_push(d->chains, d->n_chains, d->cap_chains, sym);
		if (n == text.n)
			break;
		text = slice_from(text, n + 2);
	}
	known.n = (uint32_t)(d->n_chains - known.first);
	struct frames chain = {.syms = d->chains + known.first, .n = known.n};
	frames_reverse(&chain);
	known.as_leaf = d->chains[known.first];
	if (known.n == 1) {
		known.first = d->chains[known.first];
		d->n_chains--;
	}
	return known;
}

/* Neither MODULE`FUNCTION nor an annotation in brackets. */
static bool is_word(struct slice frame)
{
	for (size_t i = 0; i < frame.n; i++) {
		if (is_blank_byte(frame.s[i]) || memchr("`[+", frame.s[i], 3))
			return false;
	}
	return frame.n;
}

/* "0  64091       :tick-60s" */
static bool is_probe(struct slice line)
{
	return slice_is_digits(slice_take_word(&line)) && slice_is_digits(slice_take_word(&line)) &&
	       slice_has(line, ":");
}

/* "4 |@@@@      6", "< 0 |     0", ">= 100 |@     1" */
static bool is_bar(struct slice line)
{
	if (slice_take(&line, "< ") || slice_take(&line, ">= "))
		line = slice_ltrim(line);
	slice_take(&line, "-");
	if (!slice_take_digits(&line).n || !slice_take(&line, " |"))
		return false;
	while (slice_take(&line, "@") || slice_take(&line, " "))
		;
	slice_take(&line, "-");
	return slice_is_digits(line);
}

static enum kind kind_of(struct slice line)
{
	if (is_probe(line) || (slice_starts(line, "CPU ") && slice_ends(line, " FUNCTION:NAME")))
		return PROBE;
	if (slice_starts(line, "value ") && slice_has(line, "- Distribution -"))
		return DISTRIBUTION;
	return is_bar(line) ? BAR : FRAME;
}

static struct known_frame learn(struct dtrace *d, struct slice frame)
{
	enum kind kind = kind_of(frame);
	if (kind != FRAME)
		return (struct known_frame){.kind = kind};
	bool keeps_offset = d->sink->options->include_offset;
	size_t arguments = arguments_start(frame);
	struct slice text = keeps_offset ? frame : without_offset(frame);
	if (arguments < text.n)
		text = slice_rtrim(slice_head(text, arguments)); /* "name (.llvm.123)" */

	d->text.len = 0;
	if (text.n)
		add_repaired(d, text);
	else
		buf_addc(&d->text, '-');
	struct known_frame known = learn_chain(d, (struct slice){d->text.data, d->text.len});
	known.is_word = is_word(frame);
	if (keeps_offset) {
		const struct symbol *leaf = &d->sink->profile->symtab.symbols[known.as_leaf];
		struct slice bare = without_offset((struct slice){leaf->name, leaf->len});
		known.as_leaf = sink_sym(d->sink, bare.s, bare.n);
	}
	return known;
}

static uint32_t find_known(struct dtrace *d, const struct row *row)
{
	struct memo_hit hit = memo_answer(&d->texts, &row->text);
	if (hit.is_new) {
		struct known_frame known = learn(d, row->line);
		mem_push(d->known, d->n_known, d->cap_known, known);
	}
	return hit.index;
}

/* ---- lines ---- */

static void skip_stack(struct dtrace *d, const char *why, uint64_t number, struct slice line)
{
	sink_skip(d->sink, why, number, line.s, line.n);
	d->frames.n = 0;
}

static void take_other(struct dtrace *d, enum kind kind, struct slice line, uint64_t number)
{
	if (kind == DISTRIBUTION)
		skip_stack(d, "a value that is a distribution, as of quantize(), is left out", number, line);
	else if (d->frames.n)
		skip_stack(d, STACK_NO_COUNT, number, line);
	d->probe = kind == PROBE ? number : 0;
}

static void push_frame(struct dtrace *d, const struct row *row, uint64_t number)
{
	uint32_t index = find_known(d, row);
	const struct known_frame *known = &d->known[index];
	if (known->kind != FRAME) {
		take_other(d, known->kind, row->line, number);
		return;
	}
	bool is_leaf = d->frames.n == 0;
	d->last = number;
	if (!known->is_word)
		d->indent = row->indent;
	else if (row->indent != d->indent)
		d->odd = number;
	if (is_leaf)
		d->began = number;
	if (known->n == 1 && !(is_leaf && d->sink->options->include_offset)) {
		frames_push(&d->frames, known->first);
		return;
	}
	bool takes_leaf = is_leaf && d->sink->options->include_offset;
	if (takes_leaf)
		frames_push(&d->frames, known->as_leaf);
	for (uint32_t i = takes_leaf; i < known->n; i++)
		frames_push(&d->frames, d->chains[known->first + i]);
}

/* Is it `module`function' or an address? */
static bool looks_like_frame(struct slice line)
{
	struct slice word = slice_take_word(&line);
	return slice_find_byte(word, '`') != SIZE_MAX || slice_is_address(slice_head(word, offset_start(word)));
}

/* line is trimmed. */
static bool is_count(struct slice line, uint64_t *count)
{
	return line.n && is_digit_byte(*line.s) && slice_u64(line, count);
}

/* "-4": the sum of values below zero. */
static bool is_negative(struct slice line)
{
	return line.n > 1 && *line.s == '-' && slice_is_digits(slice_from(line, 1));
}

static void take_blank(struct dtrace *d, const struct row *row, uint64_t number)
{
	if (d->odd && d->odd + 1 == number)
		skip_stack(d, d->odd == d->last ? STACK_BAD_COUNT : STACK_NO_COUNT, d->odd, row->line);
	else if (d->frames.n && row->indent && d->last + 1 == number)
		d->odd = number;
}

/* Does it say that data are missing, or that dtrace gave up? "error on enabled probe ID 3 ...: invalid address" */
static bool is_trouble(struct slice text)
{
	struct slice rest = text;
	return slice_take_digits(&rest).n || slice_starts(text, "error on ") ||
	       slice_starts(text, "processing aborted") || slice_starts(text, "failed to ");
}

/*
 * "dtrace: 55 drops on CPU 0", "dtrace: [DTRACEDROP_DYNAMIC] 7 dynamic variable drops with non-empty dirty list",
 * "dtrace: 3 failed speculations (...)", and others: "dtrace: description 'profile-97' matched 1 probe".
 */
static void take_message(struct dtrace *d, struct slice line, uint64_t number)
{
	struct slice text = slice_from(line, strlen(MESSAGE)), rest;
	uint64_t lost;
	if (slice_starts(text, "[") && slice_has(text, "] "))
		text = slice_from(text, slice_find(text, "] ") + 2);
	rest = text;
	if (slice_u64(slice_take_digits(&rest), &lost) && slice_has(rest, " drop")) {
		weight_add(&sink_lacks(d->sink)->lost, lost);
		sink_warn(d->sink,
		          "dtrace could not keep up and dropped data (larger -x bufsize, aggsize or dynvarsize help)",
		          number, line.s, line.n);
	} else if (is_trouble(text)) {
		sink_warn(d->sink, "dtrace reports a problem", number, line.s, line.n);
	} else {
		sink_info(d->sink, "messages of dtrace are left out", number, line.s, line.n);
	}
}

/* Skips the heading; true: the heading is over, and the line is not part of it. */
static bool is_past_heading(struct dtrace *d, const struct row *row)
{
	bool is_at_start = d->is_at_start;
	d->is_at_start = false;
	if (!d->is_in_heading)
		return true;
	bool is_frame = is_at_start && looks_like_frame(row->line);
	d->is_in_heading = row->line.n && !is_frame && !row->is_count;
	return is_frame;
}

/* A number right below a heading belongs to it. */
static void take_count(struct dtrace *d, uint64_t count, uint64_t number)
{
	if (d->frames.n || !d->probe || d->probe + 1 != number)
		frames_emit_reversed(&d->frames, d->sink, count);
}

static void take_row(struct dtrace *d, const struct row *row, uint64_t number)
{
	if (row->is_message)
		take_message(d, row->line, number);
	if (row->is_message || !is_past_heading(d, row))
		return;
	if (!row->line.n)
		take_blank(d, row, number);
	else if (row->is_count)
		take_count(d, row->count, number);
	else if (is_meant_as_number(row->line))
		skip_stack(d, is_negative(row->line) ? "stack of a negative count" : STACK_BAD_COUNT, number, row->line);
	else
		push_frame(d, row, number);
}

/* Skips eight blanks at a time: lines are indented by more. */
static const char *skip_indent(const char *p)
{
	uint64_t word;
	for (memcpy(&word, p, 8); word == UINT64_C(0x2020202020202020); memcpy(&word, p, 8))
		p += 8;
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Splits a line. Returns its end. */
static const char *split_row(const struct dtrace *d, const char *text, struct row *row)
{
	const char *p = skip_indent(text), *eol = scan_to64(p, '\n');
	row->line = slice_rtrim((struct slice){p, (size_t)(eol - p)});
	row->indent = (uint32_t)(p - text);
	row->is_count = is_count(row->line, &row->count);
	row->is_message = slice_starts(row->line, MESSAGE);
	if (!row->line.n || row->is_count || row->is_message)
		return eol;
	row->text = memo_ask(&d->texts, p, d->sink->options->include_offset ? row->line.n : offset_start(row->line));
	return eol;
}

static bool dtrace_feed(void *state, const char *text, size_t len, struct err *err)
{
	(void)err;
	struct dtrace *d = state;
	const char *end = text + len;
	uint64_t number = d->sink->line;
	if (number == 0)
		d->is_in_heading = d->is_at_start = true; /* only the beginning of a file has one */
	while (text < end) {
		struct row rows[ROWS];
		size_t n = 0;
		for (; n < ROWS && text < end; n++)
			text = split_row(d, text, &rows[n]) + 1;
		for (size_t i = 0; i < n; i++) {
			if (rows[i].line.n && !rows[i].is_count && !rows[i].is_message)
				memo_fetch(&d->texts, &rows[i].text);
		}
		for (size_t i = 0; i < n; i++)
			take_row(d, &rows[i], ++number);
	}
	d->sink->line = number;
	return true;
}

static bool dtrace_finish(void *state, bool ok, struct err *err)
{
	struct dtrace *d = state;
	if (ok && d->is_in_heading)
		sink_warn(d->sink, "the file ends within its heading (expected a blank line, then stacks)", 0, NULL, 0);
	if (ok && d->frames.n)
		ok = fail(err, "line %ju: the input ends within this stack (expected a count after its frames)",
		          (uintmax_t)d->began);
	frames_deinit(&d->frames);
	free(d->known);
	free(d->chains);
	memo_deinit(&d->texts);
	buf_deinit(&d->text);
	buf_deinit(&d->piece);
	free(d);
	return ok;
}

/* Cuts after the last count: another stack follows. The text may begin within its first line. */
static size_t dtrace_cut(const char *text, size_t len)
{
	struct slice rest = {text, len};
	uint64_t count;
	for (size_t eol; (eol = slice_find_last(rest, '\n')) != SIZE_MAX; rest = slice_head(rest, eol)) {
		size_t start = slice_find_last(slice_head(rest, eol), '\n');
		if (start++ == SIZE_MAX)
			break;
		while (start < eol && (text[start] == ' ' || text[start] == '\t'))
			start++;
		if (is_count(slice_rtrim((struct slice){text + start, eol - start}), &count))
			return eol + 1;
	}
	return 0;
}

/* Wants a count after a frame, below the heading; odd lines are accepted once a real frame was seen. */
static enum sniff dtrace_sniff(const struct head *head, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	bool is_in_heading = true, has_frame = false, is_at_start = true;
	struct slice line;
	uint64_t count;
	while (head_line(&p, end, &line.s, &line.n) && !has_zero_byte(line)) {
		line = slice_trim(line);
		if (slice_starts(line, MESSAGE))
			continue;
		if (!is_in_heading && kind_of(line) != FRAME)
			continue;
		bool is_frame = looks_like_frame(line);
		if (is_in_heading) {
			is_in_heading = line.n && !(is_at_start && is_frame) && !is_count(line, &count);
			is_at_start = false;
			has_frame = !is_in_heading && is_frame;
		} else if (is_frame) {
			has_frame = true;
		} else if (is_count(line, &count)) {
			*why = "a number without frames above it";
			return has_frame ? SNIFF_YES : SNIFF_NO;
		} else if (line.n && !has_frame) {
			*why = "no frame MODULE`FUNCTION after the heading";
			return SNIFF_NO;
		}
	}
	*why = "no count below frames MODULE`FUNCTION";
	return has_frame ? SNIFF_MAYBE : SNIFF_NO;
}

const struct collapse_format format_dtrace = {
	.name = "dtrace",
	.help = "DTrace: dtrace -x ustackframes=100 -n 'profile-97 { @[stack(), ustack()] = count(); }'",
	.sniff = dtrace_sniff,
	.start = dtrace_start,
	.feed = dtrace_feed,
	.finish = dtrace_finish,
	.cut = dtrace_cut,
	.tells_open_end = true,
	.effects = EFFECT_OFFSET,
};
