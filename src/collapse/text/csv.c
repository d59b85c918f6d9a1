/*
 * csv.c - splits a line of comma-separated values into fields.
 *
 *	1,"Scene.Add(class Obj, int32)","1,300","say ""hi""",
 *
 * has five fields, of which the last is empty. Profilers do not write newlines in fields, so a line is a record.
 */
#include "collapse/text/csv.h"

#include <string.h>

void csv_init(struct csv *c)
{
	*c = (struct csv){.is_over = true};
	buf_init(&c->text);
}

void csv_deinit(struct csv *c)
{
	buf_deinit(&c->text);
}

void csv_line(struct csv *c, const char *line, size_t len)
{
	c->p = line;
	c->end = line + len;
	c->is_over = false;
	c->is_unclosed = false;
	c->text.len = 0;
}

/* Skips the comma at p, if the line goes on there. */
static void csv_step(struct csv *c, const char *p)
{
	c->is_over = p >= c->end;
	c->p = p + (p < c->end);
}

/* The closing quote of a quoted text that begins at p. Counts doubled quotes. */
static const char *closing_quote(const char *p, const char *end, size_t *doubled)
{
	for (*doubled = 0;; (*doubled)++, p += 2) {
		p = p < end ? memchr(p, '"', (size_t)(end - p)) : NULL;
		if (!p || p + 1 >= end || p[1] != '"')
			return p;
	}
}

static void undouble(struct buf *out, const char *p, const char *end)
{
	while (p < end) {
		const char *quote = memchr(p, '"', (size_t)(end - p));
		const char *stop = quote ? quote + 1 : end;
		buf_add(out, p, (size_t)(stop - p));
		p = quote ? stop + 1 : stop;
	}
}

static void csv_quoted(struct csv *c, const char *p, const char **s, size_t *len)
{
	size_t doubled;
	const char *close = closing_quote(p, c->end, &doubled);
	c->is_unclosed = !close;
	if (!close)
		close = c->end;
	*s = p;
	*len = (size_t)(close - p);
	if (doubled) {
		size_t begin = c->text.len;
		buf_reserve(&c->text, (size_t)(c->end - p)); /* enough for the rest of the line: fields stay in place */
		undouble(&c->text, p, close);
		*s = c->text.data + begin;
		*len = c->text.len - begin;
	}
	const char *comma = close < c->end ? memchr(close, ',', (size_t)(c->end - close)) : NULL;
	csv_step(c, comma ? comma : c->end);
}

bool csv_next(struct csv *c, const char **s, size_t *len)
{
	if (c->is_over)
		return false;
	const char *p = c->p;
	while (p < c->end && *p == ' ')
		p++;
	if (p < c->end && *p == '"') {
		csv_quoted(c, p + 1, s, len);
		return true;
	}
	p = c->p < c->end ? memchr(c->p, ',', (size_t)(c->end - c->p)) : NULL;
	if (!p)
		p = c->end;
	*s = c->p;
	*len = (size_t)(p - c->p);
	csv_step(c, p);
	return true;
}
