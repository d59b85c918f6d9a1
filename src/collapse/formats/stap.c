/*
 * stap.c - parses SystemTap's print_backtrace() and print_ubacktrace(), with a count after each stack.
 *
 *	 0xffffffff8103ce3b : native_safe_halt+0xb/0x10 [kernel]
 *	 0xffffffff815bf03e : rest_init+0x72/0x74 [kernel]
 *		31
 *
 *	rest_init;native_safe_halt 31
 */
#include "collapse/formats.h"
#include "collapse/text/frames.h"
#include "collapse/text/line_format.h"

struct stap {
	struct sink *sink;
	struct frames frames;
	uint64_t began; /* line of the first frame */
};

/* The text between the last " : " and the last '+'. */
static struct slice function_name(struct slice line)
{
	size_t plus = slice_find_last(line, '+');
	if (plus != SIZE_MAX)
		line = slice_head(line, plus);
	size_t colon = slice_rfind(line, " : ");
	if (colon != SIZE_MAX)
		line = slice_from(line, colon + 3);
	line = slice_trim(line);
	return line.n ? line : slice_of("-");
}

static void stap_line(struct stap *s, struct slice line, uint64_t number)
{
	uint64_t count;
	line = slice_ltrim(line);
	if (!line.n)
		return;
	bool is_negative = line.n > 1 && *line.s == '-' && slice_is_digits(slice_from(line, 1));
	if (!is_negative && !slice_is_digits(line)) {
		if (!s->frames.n)
			s->began = number;
		frames_push_text(&s->frames, s->sink, function_name(line));
	} else if (!is_negative && slice_u64(line, &count)) {
		frames_emit_reversed(&s->frames, s->sink, count);
	} else {
		const char *why = is_negative ? "stack of a negative count" : "a count beyond 64 bits";
		sink_skip(s->sink, why, number, line.s, line.n);
		s->frames.n = 0;
	}
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
