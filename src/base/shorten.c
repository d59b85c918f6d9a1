/*
 * shorten.c - messages that are too long.
 *
 *	/srv/ci/builds/2024/a-very-long-name/out.perf: cannot open: Permission denied
 *	/srv/ci/buil...me/out.perf: cannot open: Permission denied
 *
 * A message begins with the culprit and ends with the reason; a path between them makes it long. So the longest
 * word loses its middle first. A path may hold blanks: text between two colons that contains a slash is one word.
 */
#include "base/shorten.h"

#include <stdbool.h>
#include <string.h>

#include "base/find.h"
#include "base/utf8.h"

#define WORD_LONG ((size_t)32)       /* only longer words shrink, and not below this length */
#define MESSAGE_MOST ((size_t)65536) /* a longer text is not a message: it is cut without a search for words */

struct span {
	size_t at, n;
};

static bool is_inside_character(char c)
{
	return ((unsigned char)c & 0xC0) == 0x80;
}

/* At most three bytes continue a UTF-8 character; more are not UTF-8. */
static size_t at_character(const char *s, size_t n, size_t at, int step)
{
	size_t to = at;
	for (int i = 0; i < 3 && to > 0 && to < n && is_inside_character(s[to]); i++)
		to += (size_t)step;
	return to > 0 && to < n && is_inside_character(s[to]) ? at : to;
}

void shorten_middle(struct buf *out, const char *s, size_t n, size_t room, const char *dots)
{
	size_t n_dots = strlen(dots);
	if (n <= room) {
		buf_add(out, s, n);
		return;
	}
	size_t kept = room > n_dots ? room - n_dots : 0;
	size_t head = at_character(s, n, kept / 2, -1), tail = at_character(s, n, n - (kept - kept / 2), 1);
	buf_add(out, s, head);
	buf_adds(out, dots);
	buf_add(out, s + tail, n - tail);
}

/* Up to the next ": ", or the end. */
static struct span part_at(const char *s, size_t n, size_t at)
{
	const char *end = find_bytes(s + at, n - at, ": ", 2);
	return (struct span){at, end ? (size_t)(end - s) - at : n - at};
}

static struct span word_at(const char *s, size_t n, size_t at)
{
	const char *end = memchr(s + at, ' ', n - at);
	return (struct span){at, end ? (size_t)(end - s) - at : n - at};
}

/* The longest part between colons that contains a slash. */
static struct span longest_path(const char *s, size_t n)
{
	struct span best = {0, 0};
	for (size_t at = 0; at < n;) {
		struct span part = part_at(s, n, at);
		if (part.n > best.n && memchr(s + part.at, '/', part.n))
			best = part;
		at = part.at + part.n + 2;
	}
	return best;
}

static struct span longest_word(const char *s, size_t n)
{
	struct span best = longest_path(s, n);
	for (size_t at = 0; at < n;) {
		struct span word = word_at(s, n, at);
		if (word.n > best.n)
			best = word;
		at = word.at + word.n + 1;
	}
	return best;
}

/* Shortens the longest word of text. false: no word is long enough. */
static bool shorten_one(struct buf *text, size_t room, const char *dots)
{
	struct span word = longest_word(text->data, text->len);
	size_t excess = text->len - room;
	struct buf next;
	if (word.n <= WORD_LONG)
		return false;
	buf_init(&next);
	buf_add(&next, text->data, word.at);
	shorten_middle(&next, text->data + word.at, word.n, word.n > excess + WORD_LONG ? word.n - excess : WORD_LONG,
	               dots);
	buf_add(&next, text->data + word.at + word.n, text->len - word.at - word.n);
	buf_deinit(text);
	*text = next;
	return true;
}

void shorten_words(struct buf *out, const char *s, size_t n, size_t room, const char *dots)
{
	struct buf text;
	buf_init(&text);
	shorten_middle(&text, s, n, MESSAGE_MOST, dots);
	while (text.len > room && shorten_one(&text, room, dots))
		;
	buf_add(out, text.data, text.len);
	buf_deinit(&text);
}

void shorten_message(struct buf *out, const char *s, size_t n, size_t room, const char *dots)
{
	struct buf text;
	buf_init(&text);
	shorten_words(&text, s, n, room, dots);
	shorten_middle(out, text.data, text.len, room, dots);
	buf_deinit(&text);
}

void shorten_lines(struct buf *out, const char *s, size_t n, size_t room, const char *dots)
{
	struct buf line;
	buf_init(&line);
	for (size_t i = 0; i < n; i++) {
		bool is_blank = memchr(" \t\r\n", s[i], 4) != NULL;
		if (!is_blank)
			buf_addc(&line, s[i]);
		else if (line.len > 0 && line.data[line.len - 1] != ' ')
			buf_addc(&line, ' ');
	}
	if (line.len > 0 && line.data[line.len - 1] == ' ')
		line.len--;
	shorten_message(out, line.data, line.len, room, dots);
	buf_deinit(&line);
}
