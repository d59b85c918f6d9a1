/*
 * quoted.c - texts in quotes, as Go prints them.
 */
#include "collapse/text/quoted.h"

#include "base/utf8.h"

/* Takes a number of n hexadecimal digits; false: they are none. */
static bool take_code(struct slice *line, size_t n, uint32_t *code)
{
	uint64_t v;
	if (line->n < n || !slice_hex(slice_head(*line, n), &v))
		return false;
	*code = (uint32_t)v;
	*line = slice_from(*line, n);
	return true;
}

/* Behind a backslash: appends what it stands for in Go. */
static void take_escape(struct slice *line, struct buf *out)
{
	static const char names[] = "abfnrtv", bytes[] = "\a\b\f\n\r\t\v";
	char c = *line->s;
	const char *at = strchr(names, c);
	uint32_t code;
	*line = slice_from(*line, 1);
	if (c && at)
		buf_addc(out, bytes[at - names]);
	else if (c == 'x' && take_code(line, 2, &code))
		buf_addc(out, (char)code);
	else if ((c == 'u' && take_code(line, 4, &code)) || (c == 'U' && take_code(line, 8, &code)))
		utf8_add(out, code);
	else
		buf_addc(out, c);
}

bool quoted_take(struct slice *line, struct buf *out)
{
	out->len = 0;
	if (!slice_take(line, "\""))
		return false;
	while (line->n && *line->s != '"') {
		bool is_escape = *line->s == '\\' && line->n > 1;
		if (!is_escape)
			buf_addc(out, *line->s);
		*line = slice_from(*line, 1);
		if (is_escape)
			take_escape(line, out);
	}
	return slice_take(line, "\"");
}
