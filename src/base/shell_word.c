/*
 * shell_word.c - quotes words for a POSIX shell.
 *
 *	it's one         'it'\''s one'
 *	a\033b           "$(printf 'a\033b')"
 */
#include "base/shell_word.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static bool is_plain(const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=";
	return *s && s[strspn(s, plain)] == '\0';
}

/* Length of the character at s, and whether a terminal may get it: all but what utf8_clean() replaces. */
static size_t next_character(const char *s, bool *is_shown)
{
	uint32_t cp;
	size_t n = utf8_decode(s, strnlen(s, 4), &cp);
	*is_shown = cp != UTF8_BAD && utf8_is_shown(cp);
	return n;
}

static bool is_shown_whole(const char *s)
{
	bool is_shown = true;
	while (*s && is_shown)
		s += next_character(s, &is_shown);
	return is_shown;
}

/*
 * "$(printf '..')", which every POSIX shell knows: a newline, an escape, or a sign that turns the direction of text
 * has no effect while the line is being pasted. The shell drops newlines at the end of such text, so they stand
 * after it.
 */
static void add_printf(struct buf *out, const char *s)
{
	size_t n = strlen(s), end = n;
	while (end > 0 && s[end - 1] == '\n')
		end--;
	buf_adds(out, "\"$(printf '");
	for (size_t i = 0, len; i < end; i += len) {
		bool is_shown;
		len = next_character(s + i, &is_shown);
		/* Some shells replace ! in double quotes; - would begin an option. */
		bool is_escaped = !is_shown || strchr("'!-", s[i]);
		for (size_t k = i; k < i + len && is_escaped; k++)
			buf_addf(out, "\\%03o", (unsigned)(unsigned char)s[k]);
		if (s[i] == '\\' || s[i] == '%')
			buf_addc(out, s[i]);
		if (!is_escaped)
			buf_add(out, s + i, len);
	}
	buf_adds(out, "')\"");
	if (end < n)
		buf_addf(out, "'%s'", s + end);
}

void shell_word_add(struct buf *out, const char *word)
{
	if (is_plain(word)) {
		buf_adds(out, word);
		return;
	}
	if (!is_shown_whole(word)) {
		add_printf(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *p);
	}
	buf_addc(out, '\'');
}
