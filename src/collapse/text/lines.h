/*
 * lines.h - helpers for line-oriented collapsers: numbered lines, and what they begin with.
 *
 *	bool aix_feed(void *state, const char *text, size_t len, struct err *err)
 *	{
 *		struct lines lines = lines_of(sink, text, len);
 *		while (lines_next(&lines))
 *			aix_line(state, lines.line, lines.number);
 *
 * Everything here is inline: a line costs a memchr and a few compares.
 */
#ifndef COLLAPSE_TEXT_LINES_H
#define COLLAPSE_TEXT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/find.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/slice.h"
#include "collapse/collapse.h"

/* The lines of a piece given to feed(), without line end and trailing white space. */
struct lines {
	const char *next, *end;
	uint64_t number; /* of `line` in the file, from 1 */
	struct slice line;
};

static inline struct lines lines_of(const struct sink *sink, const char *text, size_t len)
{
	return (struct lines){.next = text, .end = text + len, .number = sink->line};
}

static inline bool lines_next(struct lines *l)
{
	if (l->next >= l->end)
		return false;
	const char *eol = memchr(l->next, '\n', (size_t)(l->end - l->next));
	if (!eol)
		eol = l->end;
	l->line = slice_rtrim((struct slice){l->next, (size_t)(eol - l->next)});
	l->next = eol + 1;
	l->number++;
	return true;
}

/* Text has no zero byte: a line after a zero byte proves nothing. */
static inline bool has_zero_byte(struct slice line)
{
	return slice_find_byte(line, '\0') != SIZE_MAX;
}

/*
 * Sniffing: YES if `is_mine` holds for one of the first lines, where every tool that writes text identifies it.
 * `expected` is the reason given for a NO.
 */
#define SNIFF_LINES 400

static inline enum sniff sniff_any_line(const struct head *head, bool (*is_mine)(struct slice line),
                                        const char *expected, const char **why)
{
	const char *p = head->text, *end = head->text + head->len;
	struct slice line;
	for (int i = 0; i < SNIFF_LINES && head_line(&p, end, &line.s, &line.n) && !has_zero_byte(line); i++) {
		if (is_mine(slice_rtrim(line)))
			return SNIFF_YES;
	}
	*why = expected;
	return SNIFF_NO;
}

/* Has all that sniff_any_line() looks at arrived? */
static inline bool sniff_is_over(const struct head *head)
{
	const char *p = head->text, *end = head->text + head->len, *line;
	size_t len;
	int n = 0;
	while (head->is_growing && n < SNIFF_LINES && head_line(&p, end, &line, &len))
		n++;
	return !head->is_growing || n == SNIFF_LINES;
}

/* Was the word meant as a number? "12", "-5", "1e3", "1.5", "1,000"; "0x10" is an address. */
static inline bool is_meant_as_number(struct slice word)
{
	if (slice_starts(word, "-") || slice_starts(word, "+"))
		word = slice_from(word, 1);
	if (!word.n || !is_digit_byte(*word.s))
		return false;
	for (size_t i = 1; i < word.n; i++) {
		if (!is_digit_byte(word.s[i]) && !memchr(".,eE+-", word.s[i], 6))
			return false;
	}
	return true;
}

#define STACK_BAD_COUNT "a stack whose count is not a number of 64 bits"
#define STACK_NO_COUNT "a stack without a count (expected a number below its frames)"

#define NOT_A_NUMBER "a value that is not a number counts as 0"
#define ODD_ELEMENT "element of the wrong kind in a list"
#define ODD_MEMBER "value of the wrong kind for its key"
#define BELOW_ZERO "a negative value counts as 0"
#define TOO_SMALL "count too small for six decimals (the rest of it is cut)"
#define TOO_HEAVY "weights from 2^64 on are counted as 2^64 - 1"

/* Notes a thread with a heading only. */
#define NO_FRAMES "a thread without frames is left out"

#endif
