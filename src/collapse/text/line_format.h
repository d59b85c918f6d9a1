/*
 * line_format.h - a format that is read line by line: its file has a function for one line, and this makes the
 * rest.
 *
 *	struct aix {
 *		struct sink *sink;
 *		struct frames frames;
 *	};
 *
 *	static void aix_line(struct aix *, struct slice line, uint64_t number);
 *	static void aix_end(struct aix *, bool is_whole);
 *	LINE_FORMAT(aix)
 *
 *	const struct collapse_format format_aix = {
 *		.name = "aix",
 *		.sniff = aix_sniff,
 *		LINE_FORMAT_FUNCTIONS(aix),
 *	};
 *
 * The state begins zeroed (an empty buf, no frames), but for its `sink`. NAME_line() is called for every line,
 * without its end and the white space before that; `number` counts from 1. NAME_end() is called once: it emits what
 * is pending if the input is whole (not when reading failed), and frees what the state owns. The state itself is
 * freed here.
 *
 * As a rule a bad line is skipped and noted. In a STRICT_LINE_FORMAT a line can end the input: NAME_line() takes a
 * struct err *, too, and returns whether to go on.
 */
#ifndef COLLAPSE_TEXT_LINE_FORMAT_H
#define COLLAPSE_TEXT_LINE_FORMAT_H

#include "collapse/text/lines.h"

#define LINE_FORMAT(name)                                                               \
	static bool name##_feed(void *state, const char *text, size_t len, struct err *err) \
	{                                                                                   \
		struct name *parser = state;                                                    \
		struct lines lines = lines_of(parser->sink, text, len);                         \
		(void)err;                                                                      \
		while (lines_next(&lines))                                                      \
			name##_line(parser, lines.line, lines.number);                              \
		return true;                                                                    \
	}                                                                                   \
	LINE_FORMAT_ENDS(name)

#define STRICT_LINE_FORMAT(name)                                                        \
	static bool name##_feed(void *state, const char *text, size_t len, struct err *err) \
	{                                                                                   \
		struct name *parser = state;                                                    \
		struct lines lines = lines_of(parser->sink, text, len);                         \
		bool ok = true;                                                                 \
		while (ok && lines_next(&lines))                                                \
			ok = name##_line(parser, lines.line, lines.number, err);                    \
		return ok;                                                                      \
	}                                                                                   \
	LINE_FORMAT_ENDS(name)

/* What both kinds have in common: the beginning and the end of an input. */
#define LINE_FORMAT_ENDS(name)                                       \
	static void *name##_start(struct sink *sink, struct err *err)    \
	{                                                                \
		struct name *parser = mem_zalloc(1, sizeof *parser);         \
		(void)err;                                                   \
		parser->sink = sink;                                         \
		return parser;                                               \
	}                                                                \
	static bool name##_finish(void *state, bool ok, struct err *err) \
	{                                                                \
		(void)err;                                                   \
		name##_end(state, ok);                                       \
		free(state);                                                 \
		return ok;                                                   \
	}

#define LINE_FORMAT_FUNCTIONS(name) .start = name##_start, .feed = name##_feed, .finish = name##_finish

#endif
