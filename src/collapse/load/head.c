/*
 * head.c - reads the beginning of an input until its format is known.
 *
 * The first read of a plain file gives the whole window. A pipe gives what has been written, and may then pause
 * forever. So detection runs as the head grows: each time it has doubled, so that all runs together cost at most
 * twice the last; and when the source pauses, because the viewer must show its first frames then. The moment does
 * not change the answer: collapse_detect() gives none that later bytes could change.
 */
#include "collapse/load/head.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST_LINE_MAX (256u << 20) /* a longer first line does not tell the format */
#define PAUSE_MS 20
#define LEAST 64u /* bytes, or the first line: awaited if the format is named */

/* Tests that include this file set it to 1: detection runs after each read. */
#ifndef GROWTH
#define GROWTH 2
#endif

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Notes where the first line ends, and a byte order mark. */
static void look_at_new(struct beginning *b, size_t before)
{
	size_t n = sizeof byte_order_mark - 1;
	const char *eol;
	if (!b->mark && b->len >= n && memcmp(b->text, byte_order_mark, n) == 0)
		b->mark = n;
	if (b->line_end)
		return;
	eol = memchr(b->text + before, '\n', b->len - before);
	b->line_end = eol ? (size_t)(eol - b->text) + 1 - b->mark : 0;
}

static bool is_over(const struct beginning *b)
{
	return b->is_all || b->has_failed;
}

/* Reads once. false: this failed, and no bytes came before. */
static bool read_more(struct beginning *b, struct input *in, struct err *err)
{
	ssize_t n;
	b->text = mem_grow(b->text, &b->cap, b->len + COLLAPSE_HEAD + HEAD_PAD, 1);
	n = input_read(in, b->text + b->len, COLLAPSE_HEAD, err);
	b->is_all = n == 0;
	b->has_failed = n < 0;
	b->len += n > 0 ? (size_t)n : 0;
	memset(b->text + b->len, 0, HEAD_PAD);
	look_at_new(b, b->len - (n > 0 ? (size_t)n : 0));
	return n >= 0 || b->len > 0;
}

/* Is more about to arrive? */
static bool comes_soon(const struct input *in)
{
	struct pollfd p = {.fd = input_descriptor(in), .events = POLLIN};
	return poll(&p, 1, PAUSE_MS) > 0;
}

static bool is_worth_asking(const struct beginning *b, const struct input *in)
{
	return is_over(b) || b->len >= GROWTH * b->looked_at || !comes_soon(in);
}

/* Number of bytes after the mark that sniffers may see; SIZE_MAX: all, as the first line has not ended yet. */
static size_t window_of(const struct beginning *b)
{
	bool has_long_line = b->line_end ? b->line_end > COLLAPSE_HEAD : b->len - b->mark >= COLLAPSE_HEAD;
	if (!has_long_line)
		return COLLAPSE_HEAD;
	if (b->len - b->mark >= FIRST_LINE_MAX && (!b->line_end || b->line_end > FIRST_LINE_MAX))
		return FIRST_LINE_MAX;
	return b->line_end ? b->line_end : SIZE_MAX;
}

/* What sniffers see of it: no byte order mark, and no more than the window of collapse.h. */
static struct head head_of(const struct beginning *b)
{
	size_t len = b->len - b->mark, window = window_of(b);
	bool is_all = is_over(b) && len <= window;
	return (struct head){b->text + b->mark, len < window ? len : window, is_all, !is_all && len <= window};
}

/* Are there too few bytes to show a byte order mark, or the first line of a named format? */
static bool is_too_little(const struct beginning *b, bool is_named)
{
	size_t least = is_named ? LEAST : sizeof byte_order_mark - 1;
	return b->len < least && !b->line_end && !is_over(b);
}

static void tell_unsure(const struct beginning *b, uint64_t bytes)
{
	if (!b->shared || atomic_load(&b->shared->unsure) == bytes)
		return;
	atomic_store(&b->shared->unsure, bytes);
	shared_wake(b->shared);
}

bool head_read(struct beginning *b, struct input *in, const struct collapse_format **format, struct err *err)
{
	enum detection found = *format ? DETECT_FOUND : DETECT_MORE;
	bool is_named = *format != NULL;
	do {
		struct head head;
		if (!read_more(b, in, err))
			return false;
		if (is_named || is_too_little(b, is_named) || !is_worth_asking(b, in))
			continue;
		b->looked_at = b->len;
		head = head_of(b);
		found = collapse_detect(&head, format, input_name(in), err);
		tell_unsure(b, found == DETECT_MORE ? b->len : 0);
	} while (found == DETECT_MORE || is_too_little(b, is_named));
	return found == DETECT_FOUND;
}
