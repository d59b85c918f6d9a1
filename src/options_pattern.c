/*
 * options_pattern.c - texts and names as patterns, and back.
 *
 *	malloc    \Qmalloc\E, and as a whole name (?-i)\A\Qmalloc\E\z
 */
#include "options.h"

#include <string.h>

#include "base/utf8.h"

/* Quotes with \Q..\E; \E inside the text would end the quotation. */
static void add_quoted_text(struct buf *out, const char *text)
{
	buf_adds(out, "\\Q");
	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && p[1] == 'E') {
			buf_adds(out, "\\E\\\\E\\Q");
			p++;
		} else {
			buf_addc(out, *p);
		}
	}
	buf_adds(out, "\\E");
}

void options_add_pattern(struct buf *out, const char *text, bool is_whole)
{
	if (is_whole && !utf8_is_valid(text, strlen(text))) {
		match_add_name(out, text, strlen(text));
		return;
	}
	if (is_whole)
		buf_adds(out, "(?-i)\\A");
	add_quoted_text(out, text);
	if (is_whole)
		buf_adds(out, "\\z");
}

/* Reads the output of add_quoted_text() at *p, which moves past it. */
static bool read_quoted_text(const char **p, struct buf *out)
{
	static const char end_inside[] = "\\E\\\\E\\Q";
	const char *s = *p;
	if (strncmp(s, "\\Q", 2) != 0)
		return false;
	for (s += 2; *s; s++) {
		if (strncmp(s, end_inside, strlen(end_inside)) == 0) {
			buf_adds(out, "\\E");
			s += strlen(end_inside) - 1;
		} else if (s[0] == '\\' && s[1] == 'E') {
			*p = s + 2;
			return true;
		} else {
			buf_addc(out, *s);
		}
	}
	return false;
}

enum match_mode options_read_pattern(struct buf *out, const char *pattern)
{
	static const char begin[] = "(?-i)\\A";
	bool is_whole = strncmp(pattern, begin, strlen(begin)) == 0;
	const char *p = pattern + (is_whole ? strlen(begin) : 0);
	if (read_quoted_text(&p, out) && out->len && strcmp(p, is_whole ? "\\z" : "") == 0)
		return is_whole ? MATCH_LITERAL : MATCH_TEXT;
	out->len = 0;
	buf_adds(out, pattern);
	return MATCH_REGEX;
}
