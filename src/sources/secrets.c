/*
 * secrets.c - hides in messages what a server was given: it may send that back.
 *
 * One secret may be a part of another, or overlap it. So all places of all secrets are marked in the text as it
 * came, and are overwritten only then.
 *
 * A server chooses the text. So the work for a secret is at most a few steps for each of its bytes at each byte of
 * the text, and only a few steps for each byte of the text if the secret does not repeat itself.
 */
#include "sources/secrets.h"

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
	size_t *ends;   /* for each byte: where the longest secret that begins there ends; 0: none does */
	uint64_t steps; /* how often a byte of a secret was sought at a place of the text */
};

static void mark(struct marks *m, size_t from, size_t end)
{
	if (end > from && end > m->ends[from])
		m->ends[from] = end;
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

static size_t step_at(struct marks *m, size_t at, char c)
{
	m->steps++;
	return stand_for(m->text + at, m->n - at, c);
}

/* ---- where a text was cut ------------------------------------------------------------------------------------ */

static bool is_cut_before(const struct marks *m, size_t at)
{
	return at == m->n || m->text[at] == '\'' || (m->n - at >= 3 && memcmp(m->text + at, "...", 3) == 0);
}

static bool is_after_cut(const struct marks *m, size_t at)
{
	return at >= 3 && memcmp(m->text + at - 3, "...", 3) == 0;
}

/* Are n bytes a part of what may stand for this one, of its beginning or its end, and not all of it? */
static bool is_part(const char *text, size_t n, char c, bool is_beginning)
{
	static const char digits[] = "0123456789abcdef";
	const char high = digits[(unsigned char)c >> 4], low = digits[(unsigned char)c & 15];
	const char percent[] = {'%', high, low}, json[LONGEST] = {'\\', 'u', '0', '0', high, low};
	if (n < sizeof percent && strncasecmp(is_beginning ? percent : percent + sizeof percent - n, text, n) == 0)
		return true;
	return n < sizeof json && strncasecmp(is_beginning ? json : json + sizeof json - n, text, n) == 0;
}

/* The text may have been cut here, or within the escape of this byte that begins here. Returns where; 0: no. */
static size_t cut_at(const struct marks *m, size_t at, char c)
{
	bool has_escape = at < m->n && (m->text[at] == '%' || m->text[at] == '\\');
	for (size_t n = LONGEST - 1; has_escape && n > 0; n--)
		if (n <= m->n - at && is_cut_before(m, at + n) && is_part(m->text + at, n, c, true))
			return at + n;
	return is_cut_before(m, at) ? at : 0;
}

/* Marks the secret that begins here, or its longest beginning that ends at a cut. */
static void mark_beginning(struct marks *m, size_t from, const char *secret, size_t n)
{
	size_t at = from, last_cut = 0;
	for (size_t i = 0; i < n; i++) {
		size_t cut = i < LEAST ? 0 : cut_at(m, at, secret[i]), step = step_at(m, at, secret[i]);
		last_cut = cut ? cut : last_cut;
		if (!step) {
			mark(m, from, last_cut);
			return;
		}
		at += step;
	}
	mark(m, from, at);
}

/* What stands for the end of a secret. */
struct rest {
	size_t from, end;
};

/* `before` is the byte of the secret before this end; the cut may have taken the beginning of its escape. */
static void mark_rest(struct marks *m, const struct rest *r, const char *before)
{
	if (is_after_cut(m, r->from))
		mark(m, r->from, r->end);
	if (!before || r->from == 0 || hex_digit(m->text[r->from - 1]) != ((unsigned char)*before & 15))
		return;
	for (size_t n = 1; n < LONGEST && n <= r->from; n++)
		if (is_after_cut(m, r->from - n) && is_part(m->text + r->from - n, n, *before, false))
			mark(m, r->from - n, r->end);
}

/*
 * Lists the ends that are longer by the byte c. Returns how many; no two begin at one place, because only one
 * number of bytes there stands for c.
 */
static size_t lengthen(struct marks *m, const struct rest *shorter, size_t n, char c, struct rest *longer)
{
	static const size_t lengths[] = {1, 2, 3, LONGEST};
	size_t n_longer = 0;
	for (size_t k = 0; k < n; k++)
		for (size_t i = 0; i < sizeof lengths / sizeof *lengths && lengths[i] <= shorter[k].from; i++)
			if (step_at(m, shorter[k].from - lengths[i], c) == lengths[i])
				longer[n_longer++] = (struct rest){shorter[k].from - lengths[i], shorter[k].end};
	return n_longer;
}

/* Goes through the secret backwards: most places of the text are ruled out by its last bytes. */
static void mark_rests(struct marks *m, const char *secret, size_t n)
{
	if (n < LEAST || !find_bytes(m->text, m->n, "...", 3))
		return;
	struct rest *list = mem_alloc(2 * (m->n + 1) * sizeof *list), *now = list, *next = list + m->n + 1;
	size_t n_now = m->n + 1;
	for (size_t i = 0; i < n_now; i++)
		now[i] = (struct rest){i, i};
	for (size_t i = n; i-- > 0 && n_now;) {
		struct rest *done = now;
		n_now = lengthen(m, now, n_now, secret[i], next);
		now = next;
		next = done;
		for (size_t k = 0; n - i >= LEAST && k < n_now; k++)
			mark_rest(m, &now[k], i ? &secret[i - 1] : NULL);
	}
	free(list);
}

/* ---- secrets ------------------------------------------------------------------------------------------------- */

static void mark_bytes(struct marks *m, const char *secret, size_t n)
{
	for (size_t at = 0; n > 0 && n <= m->n - at; at++) {
		const char *found = find_bytes(m->text + at, m->n - at, secret, n);
		if (!found)
			break;
		at = (size_t)(found - m->text);
		mark(m, at, at + n);
	}
	for (size_t at = 0; at < m->n; at++)
		mark_beginning(m, at, secret, n);
	mark_rests(m, secret, n);
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
			end++;
		mark(m, at + n, end);
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

uint64_t secrets_hide(const struct secrets *s, char *text, size_t n)
{
	if (n == 0)
		return 0;
	struct marks m = {.text = text, .n = n, .ends = mem_zalloc(n + 1, sizeof *m.ends)};
	mark_all(&m, s);
	for (size_t i = 0, end = 0; i < n; i++) {
		end = m.ends[i] > end ? m.ends[i] : end;
		if (i < end)
			text[i] = '*';
	}
	free(m.ends);
	return m.steps;
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
