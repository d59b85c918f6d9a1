/*
 * status_line.c - words and numbers of the line about long work, for any width.
 */
#include "base/status_line.h"

#include <string.h>

#include "base/number.h"

#define LEAST_NAME 4 /* columns; less of a name says nothing */

static void add_bytes(struct buf *out, uint64_t bytes)
{
	number_add_short(out, bytes, 0);
	buf_adds(out, bytes < 1000 ? " bytes" : "B");
}

static bool has_share(const struct status_line *l)
{
	return l->all > 0 && l->done <= l->all;
}

static void add_percent(struct buf *out, const struct status_line *l)
{
	number_add_percent(out, l->done, l->all, 0);
	buf_addc(out, '%');
}

/* ": 34% of 506 MB, 48 MB/s" */
static void add_share(struct buf *out, const struct status_line *l)
{
	if (l->done == 0)
		return;
	buf_adds(out, ": ");
	if (has_share(l))
		add_percent(out, l);
	if (!l->is_bytes)
		return;
	if (has_share(l))
		buf_adds(out, " of ");
	add_bytes(out, has_share(l) ? l->all : l->done);
	if (l->seconds > 0) {
		buf_adds(out, ", ");
		add_bytes(out, (uint64_t)((double)(l->done - l->first) / l->seconds));
		buf_adds(out, "/s");
	}
}

/* Appends the end of clean text, with an ellipsis for what is left out. */
static void add_end(struct buf *out, const char *text, size_t columns, enum utf8_clean_mode mode)
{
	const char *dots = mode == UTF8_CLEAN_ASCII ? ".." : "…";
	size_t n = strlen(text), lost = 0, all = utf8_columns(text, n);
	if (all > columns) {
		uint32_t cp;
		columns -= utf8_columns(dots, strlen(dots));
		for (; all > columns; all -= (size_t)utf8_width(cp))
			lost += utf8_decode(text + lost, n - lost, &cp);
		buf_adds(out, dots);
	}
	buf_add(out, text + lost, n - lost);
}

/* "34% reading …/builds/perf.data" */
static void add_narrow(struct buf *out, const struct status_line *l, size_t columns, enum utf8_clean_mode mode)
{
	size_t used;
	if (l->done && has_share(l))
		add_percent(out, l);
	else if (l->done && l->is_bytes)
		add_bytes(out, l->done);
	buf_addf(out, "%s%s", out->len ? " " : "", l->verb);
	used = utf8_columns(out->data, out->len);
	if (!l->what || used + 1 + LEAST_NAME > columns)
		return;
	struct buf name;
	buf_init(&name);
	utf8_clean(&name, l->what, strlen(l->what), mode);
	buf_addc(out, ' ');
	add_end(out, buf_str(&name), columns - used - 1, mode);
	buf_deinit(&name);
}

void status_line_add(struct buf *out, const struct status_line *l, size_t columns, enum utf8_clean_mode mode)
{
	struct buf text, clean;
	buf_init(&text);
	buf_init(&clean);
	buf_addf(&text, "flametop: %s%s%s", l->verb, l->what ? " " : "", l->what ? l->what : "");
	add_share(&text, l);
	utf8_clean(&clean, text.data, text.len, mode);
	if (utf8_columns(clean.data, clean.len) > columns) {
		clean.len = 0;
		add_narrow(&clean, l, columns, mode);
	} else if (l->detail) {
		text.len = 0;
		buf_addf(&text, "; %s %s", l->detail, l->detail_of);
		utf8_clean(&clean, text.data, text.len, mode);
	}
	buf_add(out, clean.data, utf8_fit(clean.data, clean.len, columns));
	buf_deinit(&text);
	buf_deinit(&clean);
}
