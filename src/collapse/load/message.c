/*
 * message.c - adds file and line to messages, and hides credentials in them.
 */
#include "collapse/load/message.h"

#include <stdlib.h>
#include <string.h>

const char *message_after_line(const struct err *err, uint64_t *line)
{
	char *end;
	if (strncmp(err->text, "line ", 5) != 0)
		return NULL;
	*line = strtoull(err->text + 5, &end, 10);
	return *end == ':' ? end : NULL;
}

bool message_in_file(struct err *err, const char *name)
{
	struct err was = err ? *err : (struct err){""};
	const char *rest;
	uint64_t line;
	if (!err || !was.text[0] || strncmp(was.text, name, strlen(name)) == 0)
		return false;
	rest = message_after_line(&was, &line);
	if (rest) /* "line 12: what" becomes "FILE:12: what" */
		return fail(err, "%s:%ju%s", name, (uintmax_t)line, rest);
	return fail(err, "%s: %s", name, was.text);
}

void message_in_file_briefly(struct err *err, const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t n = slash && slash[1] ? (size_t)(slash + 1 - name) : 0;
	message_in_file(err, name);
	if (n && err && strncmp(err->text, name, n) == 0)
		memmove(err->text, err->text + n, strlen(err->text + n) + 1);
}

/* Messages quote the input: what is before the quotation is ours. */
static void hide_quoted(const struct load_fetcher *f, char *text)
{
	char *quotation = strchr(text, '\'');
	if (quotation)
		f->hide(f->arg, quotation, strlen(quotation));
}

void message_hide(const struct load_fetcher *f, struct report *r, struct err *err)
{
	if (!f->hide)
		return;
	if (err)
		hide_quoted(f, err->text);
	for (size_t i = 0; i < r->n; i++)
		f->hide(f->arg, r->notes[i].detail, strlen(r->notes[i].detail));
}
