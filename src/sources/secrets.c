/*
 * secrets.c - hides in messages what a server was given: it may send that back.
 *
 * One secret may be a part of another, or overlap it. So all places of all secrets are marked in the text as it
 * came, and are overwritten only then.
 */
#include "sources/secrets.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/find.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "sources/secret_names.h"

#define LEAST 4u /* bytes of a value whose name says nothing, and of a piece where a text was cut */
#define MOST_LOOKED_AT (16u << 10)
#define LONGEST 6u    /* bytes that stand for one: \u0041 */
#define LEAST_WORD 8u /* of a word in a header's value */

struct marks {
	const char *text;
	size_t n;
	bool *is_secret; /* for each byte */
};

static void mark(struct marks *m, size_t from, size_t n)
{
	memset(m->is_secret + from, true, n);
}

/* ---- escapes ----------------------------------------------------------------------------------------------- */

/* How many of the n bytes stand for this one in an address or in JSON: %41, \u0041, \/, or itself; 0: none. */
static size_t stand_for(const char *text, size_t n, char c)
{
	int byte = (unsigned char)c;
	if (n >= 3 && text[0] == '%' && hex_byte(text + 1) == byte)
		return 3;
	if (n >= 6 && text[0] == '\\' && text[1] == 'u' && hex_byte(text + 2) == 0 && hex_byte(text + 4) == byte)
		return 6;
	if (n >= 2 && text[0] == '\\' && text[1] == c)
		return 2;
	return n >= 1 && text[0] == c;
}

/* How many of the n bytes stand for the secret; 0: it is not here. */
static size_t escaped_length(const char *text, size_t n, const char *secret, size_t n_secret)
{
	size_t at = 0;
	for (size_t i = 0; i < n_secret; i++) {
		size_t step = stand_for(text + at, n - at, secret[i]);
		if (!step)
			return 0;
		at += step;
	}
	return at;
}

/* ---- where a text was cut ------------------------------------------------------------------------------------ */

static bool is_cut_before(const struct marks *m, size_t at)
{
	return at == m->n || m->text[at] == '\'' || (m->n - at >= 3 && memcmp(m->text + at, "...", 3) == 0);
}

static bool is_cut_behind(const struct marks *m, size_t at)
{
	return at >= 3 && memcmp(m->text + at - 3, "...", 3) == 0;
}

/* Are n bytes a part of what may stand for this one, of its beginning or its end, and not all of it? */
static bool is_part(const char *text, size_t n, char c, bool is_beginning)
{
	char forms[2][8];
	snprintf(forms[0], sizeof forms[0], "%%%02x", (unsigned)(unsigned char)c);
	snprintf(forms[1], sizeof forms[1], "\\u%04x", (unsigned)(unsigned char)c);
	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(forms[i]);
		if (n < len && strncasecmp(is_beginning ? forms[i] : forms[i] + len - n, text, n) == 0)
			return true;
	}
	return false;
}

/* Do the n bytes stand for the beginning of the secret, up to their last? That may be in the midst of an escape. */
static bool is_beginning(const char *text, size_t n, const char *secret, size_t n_secret)
{
	size_t at = 0, i = 0;
	for (size_t step; i < n_secret && at < n; i++, at += step) {
		step = stand_for(text + at, n - at, secret[i]);
		if (!step)
			break;
	}
	bool is_whole = at == n || (i < n_secret && is_part(text + at, n - at, secret[i], true));
	return i >= LEAST && is_whole;
}

/* The text was cut at `end`: marks the longest beginning of the secret that stands right before. */
static void mark_beginning(struct marks *m, size_t end, const char *secret, size_t n)
{
	size_t most = n < SIZE_MAX / LONGEST ? n * LONGEST : n;
	for (size_t k = most < end ? most : end; k >= LEAST; k--) {
		if (is_beginning(m->text + end - k, k, secret, n)) {
			mark(m, end - k, k);
			return;
		}
	}
}

/* Marks the end of the secret from its byte i on, of which the text after the cut may have lost a part. */
static bool mark_rest(struct marks *m, size_t from, const char *secret, size_t n, size_t i)
{
	for (size_t lost = 0; lost < LONGEST && lost <= m->n - from; lost++) {
		if (lost && (i == 0 || !is_part(m->text + from, lost, secret[i - 1], false)))
			continue;
		size_t length = escaped_length(m->text + from + lost, m->n - from - lost, secret + i, n - i);
		mark(m, from, length ? lost + length : 0);
		if (length)
			return true;
	}
	return false;
}

static void mark_end(struct marks *m, size_t from, const char *secret, size_t n)
{
	for (size_t i = 0; i + LEAST <= n; i++)
		if (mark_rest(m, from, secret, n, i))
			return;
}

static void mark_pieces(struct marks *m, const char *secret, size_t n)
{
	for (size_t at = 0; at <= m->n; at++) {
		if (is_cut_before(m, at))
			mark_beginning(m, at, secret, n);
		if (is_cut_behind(m, at))
			mark_end(m, at, secret, n);
	}
}

/* ---- secrets ------------------------------------------------------------------------------------------------- */

static void mark_escaped(struct marks *m, const char *secret, size_t n)
{
	for (size_t at = 0; at < m->n; at++)
		mark(m, at, escaped_length(m->text + at, m->n - at, secret, n));
}

static void mark_bytes(struct marks *m, const char *secret, size_t n)
{
	for (size_t at = 0; n > 0 && n <= m->n - at; at++) {
		const char *found = find_bytes(m->text + at, m->n - at, secret, n);
		if (!found)
			break;
		at = (size_t)(found - m->text);
		mark(m, at, n);
	}
	mark_escaped(m, secret, n);
	mark_pieces(m, secret, n);
}

static void mark_text(struct marks *m, const char *secret)
{
	if (secret)
		mark_bytes(m, secret, strlen(secret));
}

/* As libcurl sends it. A reader of base64 may have lost the '=' at the end. */
static void mark_user(struct marks *m, const char *user, const char *password)
{
	struct buf plain, packed;
	if (!user)
		return;
	buf_init(&plain);
	buf_init(&packed);
	buf_addf(&plain, "%s:%s", user, password ? password : "");
	base64_add(&packed, plain.data, plain.len);
	mark_bytes(m, packed.data, packed.len);
	while (packed.len && packed.data[packed.len - 1] == '=')
		packed.len--;
	mark_bytes(m, packed.data, packed.len);
	buf_deinit(&plain);
	buf_deinit(&packed);
}

/* The words of "Token abcdefgh" and of "id=abcdefgh; x=1". */
static void mark_words(struct marks *m, const char *value)
{
	static const char between[] = " \t;,=\"";
	for (size_t n; *(value += strspn(value, between)); value += n) {
		n = strcspn(value, between);
		if (n >= LEAST_WORD)
			mark_bytes(m, value, n);
	}
}

static void mark_header(struct marks *m, const char *header)
{
	const char *colon = strchr(header, ':');
	if (!colon)
		return;
	const char *value = colon + 1 + strspn(colon + 1, " \t");
	if (strlen(value) >= LEAST || is_secret_name(header, (size_t)(colon - header)))
		mark_text(m, value);
	mark_words(m, value);
}

/* "a%2Bb+c" as it is, and as a server may have read it: "a+b+c", "a+b c". */
static void mark_value(struct marks *m, const char *value, size_t n)
{
	struct buf plain, form;
	buf_init(&plain);
	buf_init(&form);
	for (const char *p = value, *end = p + n; p < end;) {
		bool is_blank = *p == '+';
		char c = hex_take_percent(&p, end);
		buf_addc(&plain, c);
		buf_addc(&form, is_blank ? ' ' : c);
	}
	mark_bytes(m, value, n);
	mark_bytes(m, plain.data, plain.len);
	mark_bytes(m, form.data, form.len);
	buf_deinit(&plain);
	buf_deinit(&form);
}

/* query: "?name=value&name=value", or "". For some servers, ';' is a separator, too. */
static void mark_parameters(struct marks *m, const char *query)
{
	static const char ends[] = "&;#";
	while (*query && *query != '#') {
		const char *name = query + 1;
		size_t n = strcspn(name, ends), n_name = strcspn(name, "=");
		query = name + n;
		if (n_name < n && is_secret_name(name, n_name))
			mark_value(m, name + n_name + 1, n - n_name - 1);
	}
}

/* The word that follows, whatever it is: libcurl takes some credentials from files. */
static void mark_after(struct marks *m, const char *scheme)
{
	static const char ends[] = " \t,;\"'";
	size_t n = strlen(scheme);
	for (size_t at = 0; at + n <= m->n; at++) {
		size_t end = at + n;
		if (strncasecmp(m->text + at, scheme, n) != 0)
			continue;
		while (end < m->n && !memchr(ends, m->text[end], sizeof ends - 1))
			m->is_secret[end++] = true;
	}
}

static void mark_all(struct marks *m, const struct secrets *s)
{
	mark_text(m, s->url->password);
	mark_text(m, s->who->password);
	mark_text(m, s->who->bearer);
	mark_text(m, s->who->key_password);
	mark_user(m, s->url->user, s->url->password);
	mark_user(m, s->who->user, s->who->password);
	for (const char *const *h = s->who->headers; h && *h; h++)
		mark_header(m, *h);
	mark_parameters(m, s->url->request + s->url->query);
	mark_after(m, "Basic ");
	mark_after(m, "Bearer ");
}

void secrets_hide(const struct secrets *s, char *text, size_t n)
{
	if (n == 0)
		return;
	struct marks m = {text, n, mem_zalloc(n, sizeof *m.is_secret)};
	mark_all(&m, s);
	for (size_t i = 0; i < n; i++)
		if (m.is_secret[i])
			text[i] = '*';
	free(m.is_secret);
}

void secrets_add_said(struct buf *out, const struct secrets *s, const char *text, size_t n, size_t most)
{
	struct buf said;
	buf_init(&said);
	buf_add(&said, text, n < MOST_LOOKED_AT ? n : MOST_LOOKED_AT);
	secrets_hide(s, said.data, said.len);
	utf8_clean(out, said.data, said.len < most ? said.len : most, utf8_locale_mode());
	buf_deinit(&said);
}
