/*
 * markup.c - a scanner for XML and HTML that is fed in pieces.
 *
 *	text &lt; more <rect x="a > b"/> text
 *	^              ^        ^
 *	begin          tag      at, in quotes
 *
 * What is not used up is kept for the next piece, with the state of the scan: each byte is looked at once, however
 * short the pieces are.
 */
#include "collapse/text/markup.h"

#include <string.h>

#include "base/entity.h"
#include "base/utf8.h"

void markup_deinit(struct markup *m)
{
	buf_deinit(&m->held);
}

bool markup_feed(struct markup *m, const char *text, size_t len)
{
	size_t rest = m->held.len - m->begin;
	if (rest > MARKUP_TOKEN_MAX)
		return false;
	if (rest && m->begin)
		memmove(m->held.data, m->held.data + m->begin, rest);
	m->at -= m->begin;
	m->tag -= m->is_tag ? m->begin : m->tag;
	m->begin = 0;
	m->held.len = rest;
	buf_add(&m->held, text, len);
	return true;
}

/* Goes on from m->at to the first `what`; false: there is none yet, and m->at is where it may begin. */
static bool find(struct markup *m, const char *what)
{
	size_t n = strlen(what);
	struct slice rest = {m->held.data + m->at, m->held.len - m->at};
	size_t at = slice_find(rest, what);
	if (at != SIZE_MAX) {
		m->at += at;
		return true;
	}
	m->at += rest.n < n ? 0 : rest.n - n + 1;
	return false;
}

/* Goes on to the beginning of a tag. */
static bool find_tag(struct markup *m)
{
	if (!find(m, m->raw ? m->raw : "<"))
		return false;
	m->raw = NULL;
	m->is_tag = true;
	m->quote = '\0';
	m->tag = m->at;
	return true;
}

/* Goes on after the '>' that ends a plain tag. */
static bool find_plain_end(struct markup *m)
{
	const char *p = m->held.data + m->at, *end = m->held.data + m->held.len;
	char quote = m->quote;
	for (; p < end; p++) {
		if (quote)
			quote = *p == quote ? '\0' : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			break;
	}
	m->quote = quote;
	m->at = (size_t)(p - m->held.data);
	if (p == end)
		return false;
	m->at++;
	return true;
}

/* Goes on after the end of the tag at m->tag. */
static bool find_end(struct markup *m)
{
	static const struct {
		const char *from, *to;
	} sections[] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
	struct slice tag = {m->held.data + m->tag, m->held.len - m->tag};
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		size_t n = strlen(sections[i].from);
		if (tag.n < n && memcmp(tag.s, sections[i].from, tag.n) == 0)
			return false;
		if (!slice_starts(tag, sections[i].from))
			continue;
		m->at = m->at < m->tag + n ? m->tag + n : m->at;
		if (!find(m, sections[i].to))
			return false;
		m->at += strlen(sections[i].to);
		return true;
	}
	return find_plain_end(m);
}

/* Splits the tag between m->tag and m->at. */
static void split(struct markup *m)
{
	struct slice tag = {m->held.data + m->tag + 1, m->at - m->tag - 2};
	size_t n = 0;
	m->text = (struct slice){m->held.data + m->begin, m->tag - m->begin};
	m->is_end = slice_take(&tag, "/");
	m->is_empty = slice_ends(tag, "/");
	tag.n -= m->is_empty;
	while (n < tag.n && (is_word_byte(tag.s[n]) || tag.s[n] == ':' || tag.s[n] == '-'))
		n++;
	m->name = slice_head(tag, n);
	m->attributes = slice_from(tag, n);
	if (m->is_end || m->is_empty)
		return;
	if (slice_is(m->name, "script"))
		m->raw = "</script";
	else if (slice_is(m->name, "style"))
		m->raw = "</style";
}

bool markup_next(struct markup *m)
{
	if (!m->is_tag && !find_tag(m))
		return false;
	if (!find_end(m))
		return false;
	split(m);
	m->is_tag = false;
	m->begin = m->at;
	return true;
}

static struct slice last_word(struct slice text)
{
	size_t n = 0;
	while (n < text.n && !is_blank_byte(text.s[text.n - 1 - n]))
		n++;
	return slice_from(text, text.n - n);
}

bool markup_attribute(struct slice *attributes, struct slice *name, struct slice *value)
{
	struct slice rest = slice_ltrim(*attributes);
	size_t equals = slice_find_byte(rest, '=');
	if (equals == SIZE_MAX)
		return false;
	*name = last_word(slice_rtrim(slice_head(rest, equals))); /* others before it have no value */
	rest = slice_ltrim(slice_from(rest, equals + 1));
	if (rest.n && (*rest.s == '"' || *rest.s == '\'')) {
		char quote = *rest.s;
		rest = slice_from(rest, 1);
		*value = slice_take_until(&rest, quote);
	} else {
		*value = slice_take_word(&rest);
	}
	*attributes = rest;
	return true;
}

void markup_add_text(struct buf *out, struct slice text)
{
	size_t at;
	uint32_t codes[2];
	while ((at = slice_find_byte(text, '&')) != SIZE_MAX) {
		buf_add(out, text.s, at);
		text = slice_from(text, at);
		struct slice near = slice_from(text, 1);
		size_t end = slice_find_byte(near.n > LONGEST_ENTITY ? slice_head(near, LONGEST_ENTITY + 1) : near, ';');
		bool is_reference = end != SIZE_MAX && entity_read(slice_head(near, end), codes);
		if (is_reference)
			utf8_add(out, codes[0]);
		else
			buf_addc(out, '&');
		if (is_reference && codes[1])
			utf8_add(out, codes[1]);
		text = slice_from(text, is_reference ? end + 2 : 1);
	}
	buf_add(out, text.s, text.n);
}
