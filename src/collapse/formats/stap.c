/*
 * stap.c - parses SystemTap's print_backtrace() and print_ubacktrace(), with a count after each stack.
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0xffffffff815bf03e : rest_init+0x72/0x74 [kernel]
 *		31
 *
 *	rest_init;native_safe_halt 31
 */
#include <assert.h>

#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

struct stap {
	struct sink *sink;
	struct frames frames;
	uint64_t began; /* line of the first frame */
	uint64_t odd;   /* line that may stand for a count; 0: none */
	bool is_odd_word;
};

/* Cuts "0x" and hex digits off the end. */
static bool cut_hex(struct slice *text)
{
	size_t i = text->n;
	while (i && is_hex_byte(text->s[i - 1]))
		i--;
	if (i == text->n || i < 2 || memcmp(text->s + i - 2, "0x", 2) != 0)
		return false;
	*text = slice_head(*text, i - 2);
	return true;
}

/* "f+0x2b/0x80" or "f+0x2b": where the offset begins; SIZE_MAX: there is none. */
static size_t offset_at_end(struct slice text)
{
	if (!cut_hex(&text))
		return SIZE_MAX;
	if (slice_ends(text, "/")) {
		text = slice_head(text, text.n - 1);
		if (!cut_hex(&text))
			return SIZE_MAX;
	}
	return slice_ends(text, "+") ? text.n - 1 : SIZE_MAX;
}

/*
 * Behind the function, or behind the module of one that has no name. A '+' elsewhere belongs to a name or a path:
 * "operator+ [/opt/c++/lib.so]".
 */
static size_t offset_start(struct slice line)
{
	if (slice_ends(line, " (inexact)"))
		line = slice_head(line, line.n - strlen(" (inexact)"));
	size_t module = slice_ends(line, "]") ? slice_find(line, " [") : SIZE_MAX; /* its path may have others */
	if (module == SIZE_MAX)
		return offset_at_end(line);
	size_t at = offset_at_end(slice_head(line, module));
	return at == SIZE_MAX ? offset_at_end(slice_head(line, line.n - 1)) : at;
}

/* The text between the last " : " and the offset. */
static struct slice function_name(struct slice line)
{
	size_t plus = offset_start(line);
	if (plus != SIZE_MAX)
		line = slice_head(line, plus);
	size_t colon = slice_rfind(line, " : ");
	if (colon != SIZE_MAX)
		line = slice_from(line, colon + 3);
	line = slice_trim(line);
	return line.n ? line : slice_of("-");
}

/* A line like "main" may be a frame, but not between frames with addresses. */
static bool is_bare(struct slice line)
{
	for (size_t i = 0; i < line.n; i++) {
		if (is_blank_byte(line.s[i]) || line.s[i] == '+')
			return false;
	}
	return true;
}

static void skip_stack(struct stap *s, const char *why, uint64_t number, struct slice line)
{
	sink_skip(s->sink, why, number, line.s, line.n);
	s->frames.n = 0;
}

/* A blank line, or one with a bare word, and then more frames: the stack before it has no count. */
static void take_frame(struct stap *s, struct slice line, uint64_t number)
{
	bool is_word = is_bare(line);
	if (s->odd && !is_word)
		skip_stack(s, s->is_odd_word ? STACK_BAD_COUNT : STACK_NO_COUNT, s->odd, slice_head(line, 0));
	s->odd = s->frames.n && is_word ? number : 0;
	s->is_odd_word = true;
	if (!s->frames.n)
		s->began = number;
	frames_push_text(&s->frames, s->sink, function_name(line));
}

/* Blanks only, below a frame. */
static void take_blank(struct stap *s, struct slice line, uint64_t number)
{
	assert(line.s); /* where it began before its end was trimmed */
	if (!s->frames.n || s->odd || !(*line.s == ' ' || *line.s == '\t'))
		return;
	s->odd = number;
	s->is_odd_word = false;
}

static void stap_line(struct stap *s, struct slice line, uint64_t number)
{
	uint64_t count;
	if (!line.n) {
		take_blank(s, line, number);
		return;
	}
	line = slice_ltrim(line);
	if (!is_meant_as_number(line)) {
		take_frame(s, line, number);
		return;
	}
	s->odd = 0;
	if (slice_u64(line, &count))
		frames_emit_reversed(&s->frames, s->sink, count);
	else if (*line.s == '-' && slice_is_digits(slice_from(line, 1)))
		skip_stack(s, "stack of a negative count", number, line);
	else
		skip_stack(s, STACK_BAD_COUNT, number, line);
}

static void stap_end(struct stap *s, bool is_whole)
{
	(void)is_whole;
	if (s->frames.n)
		sink_skip(s->sink, "a stack without count at the end (expected a line with a number)", s->began, NULL, 0);
	frames_deinit(&s->frames);
}

LINE_FORMAT(stap)

/* " 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]" */
static bool is_mine(struct slice line)
{
	return slice_is_address(slice_take_word(&line)) && slice_take(&line, " : ") && line.n;
}

static enum sniff stap_sniff(const struct head *head, const char **why)
{
	return sniff_any_line(head, is_mine, "no line '0xADDRESS : FUNCTION'", why);
}

const struct collapse_format format_stap = {
	.name = "stap",
	.help = "SystemTap: print_backtrace() and a count, for each distinct stack",
	.tells_open_end = true,
	.sniff = stap_sniff,
	LINE_FORMAT_FUNCTIONS(stap),
};
