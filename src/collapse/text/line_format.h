/*
 * line_format.h - generates a format that is read line by line from a function for one line and one for the end.
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
 * The state begins zeroed (an empty buf, no frames) except for its `sink`. NAME_line() is called for every line,
 * without line end and trailing white space; `number` counts from 1. NAME_end() is called once: it emits pending
 * samples if the input is whole (not after a read error), and frees what the state owns. The generated code frees
 * the state itself.
 *
 * Normally a bad line is skipped and noted. In a STRICT_LINE_FORMAT a line can end the input: NAME_line() also
 * takes a struct err *, and returns whether to go on.
 */
#ifndef COLLAPSE_TEXT_LINE_FORMAT_H
#define COLLAPSE_TEXT_LINE_FORMAT_H

#include "collapse/text/frames.h"
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

/* What both kinds share: the beginning and the end of an input. */
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
