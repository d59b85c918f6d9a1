/*
 * unit_line.c - the line of folded stacks that says what the counts count.
 *
 * Words are key=value, so that no number but the 0 at the end stands alone. Blanks, ';' and backslashes in values
 * are \xHH, as in names (escape.h).
 */
#include "model/unit_line.h"

#include <string.h>

#include "base/escape.h"

static void add_value(struct buf *out, const char *key, const char *value)
{
	buf_addf(out, " %s=", key);
	for (const char *p = value; *p; p++) {
		unsigned char c = (unsigned char)*p;
		if (c <= ' ' || c == 127 || c == ';' || c == '\\')
			buf_addf(out, "\\x%02x", c);
		else
			buf_addc(out, *p);
	}
}

void unit_line_add(struct buf *out, const char *event, const char *unit)
{
	buf_addc(out, '#');
	if (*event)
		add_value(out, "event", event);
	add_value(out, "unit", unit);
	buf_adds(out, " 0\n");
}

static void skip_blanks(const char **p, const char *end)
{
	while (*p < end && (**p == ' ' || **p == '\t' || **p == '\r'))
		++*p;
}

/* Takes "KEY=VALUE" or "KEY: VALUE" off the line. */
static bool take_value(const char **p, const char *end, const char *key, struct buf *value)
{
	size_t n = strlen(key);
	const char *at = *p, *start;
	if ((size_t)(end - at) <= n || memcmp(at, key, n) != 0)
		return false;
	at += n;
	skip_blanks(&at, end);
	if (at == end || (*at != '=' && *at != ':'))
		return false;
	at++;
	skip_blanks(&at, end);
	for (start = at; at < end && *at != ' ' && *at != '\t' && *at != '\r';)
		at++;
	*p = at;
	if (at > start && at[-1] == ',')
		at--;
	value->len = 0;
	escape_undo(value, start, (size_t)(at - start));
	return at > start;
}

bool unit_line_read(const char *line, size_t len, struct buf *event, struct buf *unit)
{
	const char *nl = memchr(line, '\n', len), *end = nl ? nl : line + len, *p = line;
	event->len = unit->len = 0;
	if (p == end || *p++ != '#')
		return false;
	for (;;) {
		skip_blanks(&p, end);
		if (p == end || (*p == '0' && p + 1 == end))
			return unit->len > 0;
		if (!take_value(&p, end, "event", event) && !take_value(&p, end, "unit", unit))
			return false;
	}
}
