/*
 * url.c - addresses of profiles.
 *
 *	scheme :// user : password @ host : port /path ?query #fragment
 *
 * The scheme of a service (pyroscope, pyroscope+https) says who answers, and stands for http or https.
 *
 * What libcurl gets is made of the parts found here, without user and password, so that both agree on the host: the
 * last '@' before the path ends the user's part, and characters over which readers of addresses disagree (blanks,
 * backslashes, control characters) are an error.
 */
#include "sources/url.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "sources/secret_names.h"

#define LONGEST 8192u
#define HIDDEN "***"

struct parts {
	const char *scheme;
	size_t n_scheme;      /* 0: none */
	const char *userinfo; /* NULL: none */
	size_t n_userinfo;
	bool is_torn;     /* an unescaped '/', '?' or '#' is in the password: "bob:se/cret@host" */
	const char *host; /* with port */
	size_t n_host;
	const char *rest; /* from the path on, to the end */
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Length of "http" in "http://...", else 0. */
static size_t scheme_length(const char *word)
{
	size_t n = 0;
	while (is_letter(word[n]) || (n > 0 && (is_digit_byte(word[n]) || strchr("+-.", word[n]) != NULL) && word[n]))
		n++;
	return n > 0 && strncmp(word + n, "://", 3) == 0 ? n : 0;
}

/* Is it "host:6060", or "[::1]:6060"? */
static bool has_port(const char *host, size_t n)
{
	size_t digits = 0;
	while (digits < n && is_digit_byte(host[n - 1 - digits]))
		digits++;
	if (digits == 0 || digits > 5 || digits + 1 >= n || host[n - 1 - digits] != ':')
		return false;
	n -= digits + 1;
	if (host[0] == '[')
		return host[n - 1] == ']';
	for (size_t i = 0; i < n; i++)
		if (!is_letter(host[i]) && !is_digit_byte(host[i]) && host[i] != '-' && host[i] != '.')
			return false;
	return true;
}

/* Does something else follow the colon? Then it may be a user with the beginning of a password. */
static bool is_no_port(const char *host, size_t n)
{
	return memchr(host, ':', n) && !has_port(host, n) && !(host[0] == '[' && host[n - 1] == ']');
}

static void split(struct parts *p, const char *word)
{
	*p = (struct parts){.scheme = word, .n_scheme = scheme_length(word)};
	const char *start = p->n_scheme ? word + p->n_scheme + 3 : word;
	p->rest = start + strcspn(start, "/?#");
	p->host = start;
	for (const char *at = start; at < p->rest; at++)
		if (*at == '@')
			p->host = at + 1;
	p->n_host = (size_t)(p->rest - p->host);
	const char *last = strrchr(p->rest, '@');
	if (p->host == start && last && is_no_port(p->host, p->n_host)) {
		p->is_torn = true;
		p->host = last + 1;
		p->rest = p->host + strcspn(p->host, "/?#");
		p->n_host = (size_t)(p->rest - p->host);
	}
	if (p->host > start) {
		p->userinfo = start;
		p->n_userinfo = (size_t)(p->host - start) - 1;
	}
}

bool url_is(const char *word)
{
	struct parts p;
	split(&p, word);
	return p.n_scheme || has_port(p.host, p.n_host);
}

/* ---- the form to show ---------------------------------------------------------------------------------------- */

/* A pair of the query: "name=value" up to a separator, '#' or the end. */
struct pair {
	const char *name, *value; /* value: after '='; at the end without one */
	size_t n_name, n_value;
};

/* Takes the pair at *at off. false: there are no more. */
static bool take_pair(const char **at, struct pair *pair)
{
	if (**at == '\0' || **at == '#')
		return false;
	size_t n = strcspn(*at, "&#"), n_name = strcspn(*at, "=");
	n_name = n_name < n ? n_name : n;
	*pair = (struct pair){*at, *at + n_name + (n_name < n), n_name, n - n_name - (n_name < n)};
	*at += n + ((*at)[n] == '&');
	return true;
}

/* The query of text that begins with a path; NULL: none. */
static const char *query_of(const char *rest)
{
	const char *mark = rest + strcspn(rest, "?#");
	return *mark == '?' ? mark + 1 : NULL;
}

static bool is_separator(char c)
{
	return c == '=' || c == '?' || c == '&' || c == ';' || c == '/' || c == '#';
}

/*
 * The value of a parameter with a secret name in text, which may hold an address itself: next=/login%3Ftoken%3D1,
 * or next=http://user:password@host/. Servers disagree on where such a value ends, so it extends to the end of the
 * text. is_host: the text follows "//".
 */
static bool find_secret(struct slice text, bool is_host, struct slice *value)
{
	const char *name = text.s, *end = text.s + text.n;
	char last = is_host ? '/' : '\0'; /* separator */
	for (const char *at = name; at < end;) {
		const char *name_end = at;
		char c = hex_take_percents(&at, end);
		bool is_value = c == '=' && at < end && is_secret_name(name, (size_t)(name_end - name));
		if (is_value || (c == '@' && is_host && name_end > name)) {
			const char *from = is_value ? at : name;
			*value = (struct slice){from, (size_t)(end - from)};
			return true;
		}
		if (!is_separator(c))
			continue;
		is_host = c == '/' && last == '/' && name_end == name;
		last = c;
		name = at;
	}
	return false;
}

bool url_next_secret(struct url_search *search, struct slice *value)
{
	while (*search->at) {
		if (*search->at == '#' || (*search->at == '?' && !search->part))
			search->part = *search->at;
		const char *part = search->at + 1;
		size_t n = strcspn(part, search->part == '#' ? "&" : search->part == '?' ? "&#" : "/;?#");
		bool is_host = !search->part && *search->at == '/' && search->follows_slash;
		search->follows_slash = n == 0 && *search->at == '/';
		search->at = part + n;
		if (find_secret((struct slice){part, n}, is_host, value))
			return true;
	}
	return false;
}

/* rest: from the path on. */
static void add_shown(struct buf *out, const char *rest)
{
	struct url_search search = {.at = rest};
	struct slice value;
	const char *from = rest;
	while (url_next_secret(&search, &value)) {
		buf_add(out, from, (size_t)(value.s - from));
		buf_adds(out, HIDDEN);
		from = value.s + value.n;
	}
	buf_adds(out, from);
}

void url_blot(char *word)
{
	struct parts p;
	struct slice value;
	split(&p, word);
	struct url_search search = {.at = p.rest};
	if (p.userinfo)
		memset(word + (p.userinfo - word), '*', p.n_userinfo);
	while (url_next_secret(&search, &value))
		memset(word + (value.s - word), '*', value.n);
}

/* ---- reading ------------------------------------------------------------------------------------------------- */

/* %41 becomes A; NULL: it would be a control character. */
static char *decode(const char *s, size_t n)
{
	char *out = mem_alloc(n + 1);
	size_t len = 0;
	for (const char *p = s, *end = s + n; p < end;) {
		char c = hex_take_percent(&p, end);
		if (is_control_byte(c)) {
			free(out);
			return NULL;
		}
		out[len++] = c;
	}
	out[len] = '\0';
	return out;
}

static bool is_unreadable(char c)
{
	return is_control_byte(c) || c == ' ' || c == '\\';
}

static bool is_readable(const char *word)
{
	for (const char *c = word; *c; c++)
		if (is_unreadable(*c))
			return false;
	return true;
}

/* Is the scheme this one, or this one with an end, as "+https"? */
static bool has_scheme(const struct parts *p, const char *scheme, const char *end)
{
	size_t n = strlen(scheme), n_end = strlen(end);
	return p->n_scheme == n + n_end && strncasecmp(p->scheme, scheme, n) == 0 &&
	       strncasecmp(p->scheme + n, end, n_end) == 0;
}

#define SCHEME_ROW(name, port, tls_port) {#name, port, tls_port},
static const struct {
	const char *name;
	unsigned port, tls_port;
} schemes[] = {{"http", 80, 443}, SCHEMES(SCHEME_ROW)};

const char *url_scheme_name(enum scheme scheme)
{
	return schemes[scheme].name;
}

#define SCHEME_WORD(name, port, tls_port) ", " #name

static enum scheme scheme_of(const struct parts *p)
{
	for (unsigned s = SCHEME_HTTP + 1; s < N_SCHEMES; s++)
		if (has_scheme(p, schemes[s].name, "") || has_scheme(p, schemes[s].name, "+http") ||
		    has_scheme(p, schemes[s].name, "+https"))
			return (enum scheme)s;
	return SCHEME_HTTP;
}

static bool check(const struct parts *p, enum scheme scheme, bool is_given, struct err *err)
{
	bool is_http = !p->n_scheme || has_scheme(p, "http", "") || has_scheme(p, "http", "s");
	if (!is_http && scheme == SCHEME_HTTP)
		return fail(err, "'%.*s://': only http%s can be fetched", (int)(p->n_scheme > 20 ? 20 : p->n_scheme),
		            p->scheme, is_given ? ", https" SCHEMES(SCHEME_WORD) : " and https");
	return p->n_host > 0 || fail(err, "an address without a host");
}

static bool take_user(struct url *u, const struct parts *p, struct err *err)
{
	if (!p->userinfo)
		return true;
	const char *colon = memchr(p->userinfo, ':', p->n_userinfo);
	size_t n = colon ? (size_t)(colon - p->userinfo) : p->n_userinfo;
	u->user = decode(p->userinfo, n);
	u->password = colon ? decode(colon + 1, p->n_userinfo - n - 1) : mem_strdup("");
	return (u->user && u->password) || fail(err, "an address with a control character in its user's part");
}

/* What the scheme of a service stands for. */
static bool is_https(const struct parts *p)
{
	return p->n_scheme >= 5 && strncasecmp(p->scheme + p->n_scheme - 5, "https", 5) == 0;
}

static void add_host(struct buf *out, const struct url *u, const struct parts *p)
{
	buf_add(out, p->host, p->n_host);
	unsigned port = is_https(p) ? schemes[u->scheme].tls_port : schemes[u->scheme].port;
	if (u->scheme && port != 443 && !has_port(p->host, p->n_host))
		buf_addf(out, ":%u", port);
}

/* From the path on, without the fragment. */
static void add_rest(struct buf *out, const struct url *u, const struct parts *p)
{
	if (*p->rest != '/')
		buf_addc(out, '/');
	const char *query = u->scheme ? query_of(p->rest) : NULL;
	for (const char *c = p->rest; *c && *c != '#'; c++)
		/* Whoever looks for the name at the end of an address must find no slash of a label. */
		if (query && c >= query && (is_unreadable(*c) || *c == '/'))
			buf_addf(out, "%%%02X", (unsigned char)*c);
		else
			buf_addc(out, *c);
}

static void add_scheme(struct buf *out, const struct url *u, const struct parts *p)
{
	if (u->scheme)
		buf_addf(out, "%s%s://", schemes[u->scheme].name, is_https(p) ? "+https" : "");
	else
		buf_adds(out, is_https(p) ? "https://" : "http://");
}

static void fill(struct url *u, const struct parts *p)
{
	struct buf text;
	buf_init(&text);
	add_host(&text, u, p);
	u->host = buf_take(&text);
	buf_init(&text);
	buf_addf(&text, "%s://%s", is_https(p) ? "https" : "http", u->host);
	u->path = text.len;
	add_rest(&text, u, p);
	u->request = buf_take(&text);
	u->query = u->path + strcspn(u->request + u->path, "?");
	buf_init(&text);
	add_scheme(&text, u, p);
	buf_add(&text, p->host, p->n_host);
	add_shown(&text, u->request + u->path);
	u->shown = buf_take(&text);
}

static bool read_parts(struct url *u, const char *word, bool is_given, struct err *err)
{
	struct parts p;
	*u = (struct url){.request = NULL};
	split(&p, word);
	if (p.is_torn)
		return fail(err, "an address with a port that is no number (in a password, write %%2F for '/')");
	if (strlen(word) > LONGEST)
		return fail(err, "an address of more than %u bytes", LONGEST);
	if (is_given)
		u->scheme = scheme_of(&p);
	if (!check(&p, u->scheme, is_given, err))
		return false;
	const char *query = u->scheme ? query_of(p.rest) : NULL;
	char *before = query ? mem_strndup(word, (size_t)(query - word)) : mem_strdup(word);
	bool is_good = is_readable(before) && (!query || !has_control_byte(query));
	free(before);
	if (!is_good)
		return fail(err, "an address with a blank, a backslash or a control character (write %%20 for a blank)");
	if (!take_user(u, &p, err)) {
		url_deinit(u);
		return false;
	}
	fill(u, &p);
	return true;
}

bool url_read(struct url *u, const char *word, struct err *err)
{
	return read_parts(u, word, false, err);
}

bool url_read_given(struct url *u, const char *word, struct err *err)
{
	return read_parts(u, word, true, err);
}

void url_deinit(struct url *u)
{
	free(u->request);
	free(u->shown);
	free(u->host);
	free(u->user);
	free(u->password);
	*u = (struct url){.request = NULL};
}

/* ---- parts --------------------------------------------------------------------------------------------------- */

static bool is_named(const struct pair *pair, const char *name)
{
	return pair->n_name == strlen(name) && memcmp(pair->name, name, pair->n_name) == 0;
}

const char *url_parameter(const struct url *u, const char *name, size_t *n)
{
	const char *query = query_of(u->request + u->path);
	struct pair pair;
	while (query && take_pair(&query, &pair)) {
		if (!is_named(&pair, name))
			continue;
		*n = pair.n_value;
		return pair.value;
	}
	return NULL;
}

char *url_value(const struct url *u, const char *name)
{
	size_t n;
	const char *value = url_parameter(u, name, &n);
	return value ? decode(value, n) : mem_strdup("");
}

const char *url_next_name(const struct url *u, const char **at, size_t *n)
{
	struct pair pair;
	if (!*at)
		*at = query_of(u->request + u->path);
	while (*at && take_pair(at, &pair)) {
		*n = pair.n_name;
		if (pair.n_name)
			return pair.name;
	}
	return NULL;
}

bool url_has_only(const struct url *u, const char *const *names, struct err *err)
{
	const char *at = NULL, *found;
	size_t n;
	while ((found = url_next_name(u, &at, &n))) {
		const char *const *name = names;
		while (*name && !(n == strlen(*name) && memcmp(found, *name, n) == 0))
			name++;
		if (!*name)
			return fail(err, "%s: unknown parameter '%.*s'", u->shown, (int)(n < 40 ? n : 40), found);
	}
	return true;
}

bool url_is_https(const struct url *u)
{
	return strncmp(u->request, "https:", 6) == 0;
}

/* The address up to the query, so that it can be read again. */
static void add_base(struct buf *out, const struct url *u)
{
	if (!u->scheme) {
		buf_add(out, u->request, u->query);
		return;
	}
	buf_addf(out, "%s%s://%s", schemes[u->scheme].name, url_is_https(u) ? "+https" : "", u->host);
	buf_add(out, u->request + u->path, u->query - u->path);
}

void url_add_with(struct buf *out, const struct url *u, const char *name, const char *value)
{
	const char *query = query_of(u->request + u->path);
	char mark = '?';
	struct pair pair;
	add_base(out, u);
	while (query && take_pair(&query, &pair)) {
		if (is_named(&pair, name))
			continue;
		buf_addc(out, mark);
		buf_add(out, pair.name, (size_t)(pair.value + pair.n_value - pair.name));
		mark = '&';
	}
	if (value)
		buf_addf(out, "%c%s=%s", mark, name, value);
}

void url_add_path(struct buf *out, const struct url *u)
{
	size_t n = u->query;
	while (n > u->path && u->request[n - 1] == '/')
		n--;
	buf_add(out, u->request, n);
}

void url_add_escaped(struct buf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_letter(text[i]) || is_digit_byte(text[i]) || (text[i] && strchr("-._~:", text[i])))
			buf_addc(out, text[i]);
		else
			buf_addf(out, "%%%02X", (unsigned char)text[i]);
}

void url_add_encoded(struct buf *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is_unreadable(text[i]) || strchr("%&#+?/", text[i]))
			buf_addf(out, "%%%02X", (unsigned char)text[i]);
		else
			buf_addc(out, text[i]);
}

/* The host ends with the scheme's usual port, written or not. */
static size_t without_port(const struct url *u)
{
	size_t n = strlen(u->host);
	const char *port = url_is_https(u) ? ":443" : ":80";
	size_t n_port = strlen(port);
	return n > n_port && strcmp(u->host + n - n_port, port) == 0 ? n - n_port : n;
}

bool url_is_same_origin(const struct url *a, const struct url *b)
{
	size_t n = without_port(a);
	return url_is_https(a) == url_is_https(b) && n == without_port(b) && strncasecmp(a->host, b->host, n) == 0;
}
