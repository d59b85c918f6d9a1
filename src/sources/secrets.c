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

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/entity.h"
#include "base/find.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/slice.h"
#include "base/utf8.h"
#include "sources/known_users.h"
#include "sources/secret_names.h"

#define LEAST 4u /* bytes of a value whose name says nothing, and of a piece where a text was cut */
#define MOST_LOOKED_AT (16u << 10)
#define LEAST_WORD 8u /* of a word in a header's value */
#define LONGEST 12u   /* bytes that stand for a character: \ud83d\ude00 */
#define MOST_BYTES 4u /* of a character */

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

struct secret {
	const char *s;
	size_t n;
	bool is_latin1; /* the server took each byte for a character of Latin-1, as many do with headers */
};

/* What JSON escapes as one. */
struct character {
	size_t n; /* bytes of the secret; 0: none begins there */
	uint32_t code;
};

static struct character character_at(const struct secret *s, size_t i)
{
	struct character c = {1, (unsigned char)s->s[i]};
	if (c.code < 0x80 || s->is_latin1)
		return c;
	c.n = utf8_decode(s->s + i, s->n - i, &c.code);
	return c.code == UTF8_BAD ? (struct character){0, 0} : c;
}

static struct character character_before(const struct secret *s, size_t i)
{
	for (size_t n = 1; n <= MOST_BYTES && n <= i; n++) {
		struct character c = character_at(s, i - n);
		if (c.n == n)
			return c;
	}
	return (struct character){0, 0};
}

/* How a byte or a character is written. */
struct form {
	char s[LONGEST];
	size_t n; /* 0: not at all */
};

static const char digits[] = "0123456789abcdef";

static struct form percent_form(char c)
{
	return (struct form){{'%', digits[(unsigned char)c >> 4], digits[(unsigned char)c & 15]}, 3};
}

static void add_unit(struct form *f, uint32_t unit)
{
	f->s[f->n++] = '\\';
	f->s[f->n++] = 'u';
	for (unsigned shift = 16; shift > 0; shift -= 4)
		f->s[f->n++] = digits[unit >> (shift - 4) & 15];
}

/* A blank as a form has it, escaped in JSON. */
static struct form blank_form(char c)
{
	struct form f = {.n = 0};
	if (c == ' ')
		add_unit(&f, '+');
	return f;
}

/* "\u00f6", or two surrogates. */
static struct form json_form(struct character c)
{
	struct form f = {.n = 0};
	if (c.code > 0xffff)
		add_unit(&f, 0xd800 + ((c.code - 0x10000) >> 10));
	if (c.n)
		add_unit(&f, c.code > 0xffff ? 0xdc00 + (c.code & 0x3ff) : c.code);
	return f;
}

/* A byte that was taken for a character of Latin-1, in UTF-8. */
static struct form latin1_form(const struct secret *s, size_t i)
{
	struct form f = {.n = 0};
	if (s->is_latin1 && (s->s[i] & 0x80))
		f.n = utf8_encode(f.s, (unsigned char)s->s[i]);
	return f;
}

static bool has_form(const char *text, size_t n, const struct form *f)
{
	return f->n > 0 && n >= f->n && strncasecmp(text, f->s, f->n) == 0;
}

/* What follows a backslash. */
static char unescaped(char c)
{
	static const char letters[] = "bfnrt", controls[] = "\b\f\n\r\t";
	const char *letter = c ? strchr(letters, c) : NULL;
	return letter ? controls[letter - letters] : c;
}

/* ---- HTML ---------------------------------------------------------------------------------------------------- */

static const char json_ampersand[] = "\\u0026";

/* The bytes of a '&', which JSON may escape; 0: none begins here. */
static size_t ampersand(const char *text, size_t n)
{
	const size_t json = sizeof json_ampersand - 1;
	if (n && text[0] == '&')
		return 1;
	return n >= json && strncasecmp(text, json_ampersand, json) == 0 ? json : 0;
}

/* The bytes of "&#43;" or the like, and its code points; 0: none begins here. */
static size_t entity_at(const char *text, size_t n, uint32_t codes[2])
{
	size_t begin = ampersand(text, n), most = begin + LONGEST_ENTITY + 1;
	if (!begin)
		return 0;
	const char *end = memchr(text + begin, ';', (n < most ? n : most) - begin);
	size_t inner = end ? (size_t)(end - text) - begin : 0;
	return inner && entity_read((struct slice){text + begin, inner}, codes) ? begin + inner + 1 : 0;
}

#define LONGEST_WRITTEN (sizeof json_ampersand + LONGEST_ENTITY) /* with its '&' and ';' */

/* How many bytes an entity may have that ends before `at`; 0: none does. */
static size_t entity_before(const char *text, size_t at)
{
	if (at == 0 || text[at - 1] != ';')
		return 0;
	for (size_t n = 2; n <= at && n <= LONGEST_WRITTEN; n++)
		if (text[at - n] == '&' || text[at - n] == '\\')
			return ampersand(text + at - n, n) ? n : 0;
	return 0;
}

static bool is_of_entity(char c)
{
	return isalnum((unsigned char)c) || c == '#';
}

/* How many bytes of the text stand for how many of a secret; 0, 0: the text goes on otherwise. */
struct step {
	size_t text, secret;
};

/* The bytes of the secret, from byte i on, that are these code points; 0: it goes on otherwise. */
static size_t length_of(const uint32_t codes[2], const struct secret *s, size_t i)
{
	size_t n = 0;
	for (size_t k = 0; k < 2 && codes[k]; k++) {
		struct character c = i + n < s->n ? character_at(s, i + n) : (struct character){0, 0};
		if (!c.n || c.code != codes[k])
			return 0;
		n += c.n;
	}
	return n;
}

/* An entity, also of a character that JSON escaped before: "\&quot;". */
static struct step html_step(const char *text, size_t n, const struct secret *s, size_t i)
{
	uint32_t codes[2];
	size_t length = entity_at(text, n, codes), of_secret = length ? length_of(codes, s, i) : 0;
	if (of_secret)
		return (struct step){length, of_secret};
	if (length && codes[0] == '+' && s->s[i] == ' ')
		return (struct step){length, 1};
	length = n > 1 && text[0] == '\\' ? entity_at(text + 1, n - 1, codes) : 0;
	return length && !codes[1] && codes[0] == (unsigned char)s->s[i] ? (struct step){length + 1, 1}
	                                                                 : (struct step){0, 0};
}

/* At each place of the text there is at most one step from byte i of the secret. */
static struct step stand_for(const char *text, size_t n, const struct secret *s, size_t i)
{
	const char c = s->s[i];
	if (n >= 3 && text[0] == '%' && hex_byte(text + 1) == (unsigned char)c)
		return (struct step){3, 1};
	struct step html = html_step(text, n, s, i);
	if (html.text)
		return html;
	if (n >= 2 && text[0] == '\\' && text[1] == 'u') {
		struct character whole = character_at(s, i);
		struct form json = json_form(whole), blank = blank_form(c);
		if (has_form(text, n, &json))
			return (struct step){json.n, whole.n};
		if (has_form(text, n, &blank))
			return (struct step){blank.n, 1};
	} else if (n >= 2 && text[0] == '\\' && unescaped(text[1]) == c) {
		return (struct step){2, 1};
	}
	struct form latin1 = latin1_form(s, i);
	if (latin1.n)
		return has_form(text, n, &latin1) ? (struct step){latin1.n, 1} : (struct step){0, 0};
	bool is_same = n >= 1 && (text[0] == c || (text[0] == '+' && c == ' '));
	return is_same ? (struct step){1, 1} : (struct step){0, 0};
}

static struct step step_at(struct marks *m, size_t at, const struct secret *s, size_t i)
{
	m->steps++;
	return stand_for(m->text + at, m->n - at, s, i);
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

/* Are n bytes a part of a form, its beginning or its end, and not all of it? */
static bool is_part(const char *text, size_t n, const struct form *f, bool is_beginning)
{
	return n < f->n && strncasecmp(is_beginning ? f->s : f->s + f->n - n, text, n) == 0;
}

/* Returns where the text was cut within an entity that begins here; 0: it was not. */
static size_t entity_cut_at(const struct marks *m, size_t at)
{
	size_t begin = ampersand(m->text + at, m->n - at), end = at + begin;
	while (begin && end < m->n && end - at < LONGEST_WRITTEN && is_of_entity(m->text[end]))
		end++;
	return begin && is_cut_before(m, end) ? end : 0;
}

/* The text may have been cut here, or within what stands for byte i and begins here. Returns where; 0: no. */
static size_t cut_at(const struct marks *m, size_t at, const struct secret *s, size_t i)
{
	bool has_escape = at < m->n && (memchr("%\\&", m->text[at], 3) || (m->text[at] & 0x80));
	size_t in_entity = has_escape ? entity_cut_at(m, at) : 0;
	if (!has_escape || in_entity)
		return in_entity ? in_entity : is_cut_before(m, at) ? at : 0;
	const char *text = m->text + at;
	const struct form forms[] = {percent_form(s->s[i]), json_form(character_at(s, i)), latin1_form(s, i),
	                             blank_form(s->s[i]), json_form((struct character){1, '&'})};
	for (size_t n = LONGEST - 1; n > 0; n--)
		for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
			if (n <= m->n - at && is_cut_before(m, at + n) && is_part(text, n, &forms[k], true))
				return at + n;
	return is_cut_before(m, at) ? at : 0;
}

/* Marks the secret that begins here, or its longest beginning that ends at a cut. */
static void mark_beginning(struct marks *m, size_t from, const struct secret *s)
{
	size_t at = from, last_cut = 0;
	for (size_t i = 0; i < s->n;) {
		size_t cut = i < LEAST ? 0 : cut_at(m, at, s, i);
		struct step step = step_at(m, at, s, i);
		last_cut = cut ? cut : last_cut;
		if (!step.text) {
			mark(m, from, last_cut);
			return;
		}
		at += step.text;
		i += step.secret;
	}
	mark(m, from, at);
}

/* What stands for the end of a secret. */
struct rest {
	size_t from, end;
};

struct rests {
	struct rest *v; /* no two with the same `from` */
	size_t n;
};

/* Returns how many bytes before `at` may be the end of an entity of which a cut took the beginning; 0: none. */
static size_t cut_entity_before(const struct marks *m, size_t at)
{
	size_t n = 1;
	if (at == 0 || m->text[at - 1] != ';')
		return 0;
	while (n < at && n < LONGEST_WRITTEN && (is_of_entity(m->text[at - n - 1]) || m->text[at - n - 1] == '&'))
		n++;
	return is_after_cut(m, at - n) ? n : 0;
}

/* The end begins with byte i; the text after a cut may have lost the beginning of the escape before it. */
static void mark_rest(struct marks *m, const struct rest *r, const struct secret *s, size_t i)
{
	size_t entity = i > 0 ? cut_entity_before(m, r->from) : 0;
	if (entity || is_after_cut(m, r->from))
		mark(m, r->from - entity, r->end);
	/* The last digit is the same in each form, but for a blank as '+'. */
	int last = i > 0 && r->from > 0 ? hex_digit(m->text[r->from - 1]) : -1;
	if (last < 0 || (last != ((unsigned char)s->s[i - 1] & 15) && (last != ('+' & 15) || s->s[i - 1] != ' ')))
		return;
	const struct form forms[] = {percent_form(s->s[i - 1]), json_form(character_before(s, i)),
	                             blank_form(s->s[i - 1])};
	for (size_t n = 1; n < LONGEST && n <= r->from; n++)
		for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
			if (is_after_cut(m, r->from - n) && is_part(m->text + r->from - n, n, &forms[k], false))
				mark(m, r->from - n, r->end);
}

/* Ends of the secret, each in the text, that are made longer. */
struct growth {
	const struct secret *s;
	size_t i;     /* they begin here then */
	size_t bytes; /* so many bytes of the secret earlier: one, or a whole character */
	struct rests *longer;
};

static void lengthen(struct marks *m, const struct rest *r, const struct growth *g, size_t length)
{
	if (length > r->from)
		return;
	struct step step = step_at(m, r->from - length, g->s, g->i);
	if (step.text == length && step.secret == g->bytes)
		g->longer->v[g->longer->n++] = (struct rest){r->from - length, r->end};
}

static void lengthen_all(struct marks *m, const struct rests *shorter, const struct growth *g)
{
	static const size_t lengths[] = {1, 2, 3, 6, LONGEST};
	const size_t first = g->bytes == 1 ? 0 : g->bytes < MOST_BYTES ? 3 : 4, end = g->bytes < MOST_BYTES ? 4 : 5;
	for (size_t k = 0; k < shorter->n; k++) {
		const struct rest *r = &shorter->v[k];
		size_t entity = entity_before(m->text, r->from);
		for (size_t l = first; l < end; l++)
			if (!entity || lengths[l] < 3) /* all longer ones end with a digit */
				lengthen(m, r, g, lengths[l]);
		for (size_t extra = 0; entity > 3 && extra <= 1; extra++)
			lengthen(m, r, g, entity + extra);
	}
}

/* Goes through the secret backwards: most places of the text are ruled out by its last bytes. */
static void mark_rests(struct marks *m, const struct secret *s)
{
	if (s->n < LEAST || !find_bytes(m->text, m->n, "...", 3))
		return;
	struct rests lists[MOST_BYTES + 1] = {{NULL, 0}}; /* ends that begin with byte i: at i modulo their number */
	const size_t n_lists = sizeof lists / sizeof *lists, most = m->n + 1;
	struct rest *all = mem_alloc(n_lists * most * sizeof *all);
	for (size_t k = 0; k < n_lists; k++)
		lists[k].v = all + k * most;
	struct rests *empty = &lists[s->n % n_lists];
	for (; empty->n < most; empty->n++)
		empty->v[empty->n] = (struct rest){empty->n, empty->n};
	size_t least = s->n; /* of the bytes with which an end begins */
	for (size_t i = s->n; i-- > 0 && least - i <= MOST_BYTES;) {
		struct rests *now = &lists[i % n_lists];
		size_t bytes = character_at(s, i).n;
		now->n = 0;
		lengthen_all(m, &lists[(i + 1) % n_lists], &(struct growth){s, i, 1, now});
		if (bytes > 1)
			lengthen_all(m, &lists[(i + bytes) % n_lists], &(struct growth){s, i, bytes, now});
		least = now->n ? i : least;
		for (size_t k = 0; s->n - i >= LEAST && k < now->n; k++)
			mark_rest(m, &now->v[k], s, i);
	}
	free(all);
}

/* ---- secrets ------------------------------------------------------------------------------------------------- */

static void mark_places(struct marks *m, const struct secret *s)
{
	for (size_t at = 0; at < m->n; at++)
		mark_beginning(m, at, s);
	mark_rests(m, s);
}

static bool is_ascii(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] & 0x80)
			return false;
	return true;
}

static void mark_bytes(struct marks *m, const char *secret, size_t n)
{
	for (size_t at = 0; n > 0 && n <= m->n - at; at++) {
		const char *found = find_bytes(m->text + at, m->n - at, secret, n);
		if (!found)
			break;
		at = (size_t)(found - m->text);
		mark(m, at, at + n);
	}
	mark_places(m, &(struct secret){secret, n, false});
	if (!is_ascii(secret, n))
		mark_places(m, &(struct secret){secret, n, true});
}

static void mark_text(struct marks *m, const char *secret)
{
	if (secret)
		mark_bytes(m, secret, strlen(secret));
}

/* With the '=' at the end and, as a reader of base64 may have lost it, without. */
static void mark_base64(struct marks *m, const char *packed, size_t n)
{
	mark_bytes(m, packed, n);
	while (n && packed[n - 1] == '=')
		n--;
	mark_bytes(m, packed, n);
}

/* As libcurl sends it, and in the alphabet of addresses. */
static void mark_user(struct marks *m, const char *user, const char *password)
{
	struct buf plain, packed;
	if (!user)
		return;
	buf_init(&plain);
	buf_init(&packed);
	buf_addf(&plain, "%s:%s", user, password ? password : "");
	base64_add(&packed, plain.data, plain.len);
	mark_base64(m, packed.data, packed.len);
	for (size_t i = 0; i < packed.len; i++)
		packed.data[i] = packed.data[i] == '+' ? '-' : packed.data[i] == '/' ? '_' : packed.data[i];
	mark_base64(m, packed.data, packed.len);
	buf_deinit(&plain);
	buf_deinit(&packed);
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

/* Marks the password in "Basic bWU6cGFzcw==", which is "me:pass" in base64. A user's name is no secret. */
static void mark_basic(struct marks *m, const char *value)
{
	static const char scheme[] = "Basic";
	struct buf plain;
	const char *packed = value + sizeof scheme - 1;
	if (strncasecmp(value, scheme, sizeof scheme - 1) != 0 || (*packed != ' ' && *packed != '\t'))
		return;
	packed += strspn(packed, " \t");
	buf_init(&plain);
	base64_read(&plain, packed, strlen(packed));
	const char *colon = find_bytes(plain.data, plain.len, ":", 1);
	if (colon) {
		char *user = mem_strndup(plain.data, (size_t)(colon - plain.data));
		char *password = mem_strndup(colon + 1, plain.len - (size_t)(colon + 1 - plain.data));
		mark_text(m, password);
		mark_user(m, user, password);
		free(user);
		free(password);
	}
	buf_deinit(&plain);
}

/* "theme=dark; sid=abc1234". */
static void mark_cookies(struct marks *m, const char *value)
{
	for (size_t n; *value; value += n + (value[n] != '\0')) {
		n = strcspn(value, ";");
		struct slice text = slice_trim((struct slice){value, n}), name = slice_take_until(&text, '=');
		text = slice_trim(text);
		if (text.n >= 2 && text.s[0] == '"' && text.s[text.n - 1] == '"')
			text = (struct slice){text.s + 1, text.n - 2};
		if (text.n >= LEAST || is_secret_name(name.s, name.n))
			mark_value(m, text.s, text.n);
	}
}

static const char between[] = " \t;,=\""; /* words of a header's value */

/* Is the word of n bytes a name before '=', or the scheme at the beginning, as "Token abcdefgh" has? */
static bool is_name(const char *value, const char *word, size_t n)
{
	const char *next = word + n;
	bool is_before_value = next[0] == '=' && next[1] && (next[1] == '"' || !strchr(between, next[1]));
	return is_before_value || (word == value && (*next == ' ' || *next == '\t') && next[strspn(next, " \t")]);
}

/* The words of "Token abcdefgh" and of "id=abcdefgh; x=1". */
static void mark_words(struct marks *m, const char *value, bool is_secret)
{
	const char *word = value;
	for (size_t n; *(word += strspn(word, between)); word += n) {
		n = strcspn(word, between);
		if (n >= LEAST_WORD || (is_secret && n >= LEAST && !is_name(value, word, n)))
			mark_bytes(m, word, n);
	}
}

static void mark_header(struct marks *m, const char *header)
{
	const char *colon = strchr(header, ':');
	if (!colon)
		return;
	struct slice name = slice_trim((struct slice){header, (size_t)(colon - header)});
	const char *value = colon + 1 + strspn(colon + 1, " \t");
	bool is_secret = is_secret_name(name.s, name.n);
	if (strlen(value) >= LEAST || is_secret)
		mark_text(m, value);
	mark_words(m, value, is_secret);
	mark_basic(m, value);
	if (name.n >= 6 && strncasecmp(name.s + name.n - 6, "cookie", 6) == 0)
		mark_cookies(m, value);
}

/* Takes text up to a separator of parameters, which may be escaped, or to the end, where *separator is NUL. */
static struct slice take_piece(struct slice *text, char *separator)
{
	const char *at = text->s, *end = at + text->n;
	struct slice piece = *text;
	for (*separator = '\0'; at < end && !*separator;) {
		piece.n = (size_t)(at - text->s);
		char c = hex_take_percents(&at, end);
		*separator = c == ';' || c == '&' || c == '#' || c == '=' ? c : '\0';
	}
	if (!*separator)
		piece.n = text->n;
	*text = (struct slice){at, (size_t)(end - at)};
	return piece;
}

/* "geheim;sig=9" as servers read it for which ';' ends a value, or that read an address within the address. */
static void mark_pieces(struct marks *m, struct slice value)
{
	bool is_secret = false;
	while (value.n) {
		char separator;
		struct slice piece = take_piece(&value, &separator);
		bool is_name = separator == '=';
		if (!is_name && (is_secret || piece.n >= LEAST))
			mark_value(m, piece.s, piece.n);
		is_secret = is_name && is_secret_name(piece.s, piece.n);
	}
}

static void mark_parameters(struct marks *m, const struct url *u)
{
	struct url_search search = {.at = u->request + u->path};
	struct slice value;
	while (url_next_secret(&search, &value)) {
		mark_value(m, value.s, value.n);
		mark_pieces(m, value);
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

static void mark_others(struct marks *m, const struct known_users *u)
{
	for (size_t i = 0; u && i < u->n; i++) {
		if (strlen(u->v[i].password) >= LEAST)
			mark_text(m, u->v[i].password);
		mark_user(m, u->v[i].name, u->v[i].password);
	}
}

void hops_clear(struct hops *h)
{
	for (unsigned i = 0; i < h->n; i++)
		url_deinit(&h->v[i]);
	h->n = 0;
}

static void mark_all(struct marks *m, const struct secrets *s)
{
	mark_text(m, s->url->password);
	mark_text(m, s->who->password);
	mark_text(m, s->who->bearer);
	mark_text(m, s->who->key_password);
	mark_user(m, s->url->user, s->url->password);
	mark_user(m, s->who->user, s->who->password);
	mark_others(m, s->who->others);
	for (const char *const *h = s->who->headers; h && *h; h++)
		mark_header(m, *h);
	mark_parameters(m, s->url);
	for (unsigned i = 0; s->hops && i < s->hops->n; i++) {
		mark_text(m, s->hops->v[i].password);
		mark_user(m, s->hops->v[i].user, s->hops->v[i].password);
		mark_parameters(m, &s->hops->v[i]);
	}
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
