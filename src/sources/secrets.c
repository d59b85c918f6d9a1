/*
 * secrets.c - hides in messages what a server was given: it may send that back.
 */
#include "sources/secrets.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/find.h"

#define LONGEST 64 /* bytes of a parameter's name */

/* ---- names --------------------------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does a word begin here: the first letter, one behind another character, the K of apiKey? */
static bool begins_word(const char *name, size_t at)
{
	return at == 0 || !is_letter(name[at - 1]) || (name[at] >= 'A' && name[at] <= 'Z');
}

static bool ends_in(const char *name, size_t n, const char *word, bool is_whole)
{
	size_t len = strlen(word);
	return n >= len && strncasecmp(name + n - len, word, len) == 0 && (!is_whole || begins_word(name, n - len));
}

static bool is_secret(const char *name, size_t n)
{
	static const char *const anywhere[] = {"token",      "secret",    "password",  "passwd",
	                                       "passphrase", "signature", "credential"};
	static const char *const words[] = {"key",  "keyid", "pass",   "pwd",    "sig",
	                                    "auth", "jwt",   "bearer", "apikey", "session"};
	bool is_found = false;
	for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
		is_found |= ends_in(name, n, anywhere[i], false);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		is_found |= ends_in(name, n, words[i], true);
	return is_found;
}

static int hex_value(char c)
{
	const char *digits = "0123456789abcdef", *at = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
	return at ? (int)(at - digits) : -1;
}

bool secrets_is_name(const char *name, size_t n)
{
	char plain[LONGEST];
	size_t len = 0;
	for (size_t i = 0; i < n && len < LONGEST; i++) {
		int high = name[i] == '%' && i + 2 < n ? hex_value(name[i + 1]) : -1;
		int low = high >= 0 ? hex_value(name[i + 2]) : -1;
		plain[len++] = (char)(low >= 0 ? high << 4 | low : name[i]);
		i += low >= 0 ? 2 : 0;
	}
	const char *bracket = memchr(plain, '[', len); /* token[], token[0] */
	return is_secret(plain, bracket ? (size_t)(bracket - plain) : len);
}

/* ---- texts --------------------------------------------------------------------------------------------------- */

static void hide(char *text, const char *secret, size_t n)
{
	const char *at = text;
	while (n && (at = find_bytes(at, strlen(at), secret, n)) != NULL) {
		memset(text + (at - text), '*', n);
		at += n;
	}
}

static void hide_text(char *text, const char *secret)
{
	if (secret)
		hide(text, secret, strlen(secret));
}

/* query: "?name=value&name=value", or "". */
static void hide_parameters(char *text, const char *query)
{
	while (*query && *query != '#') {
		const char *name = query + 1;
		size_t n = strcspn(name, "=&;#");
		query = name + strcspn(name, "&;#");
		if (name + n < query && secrets_is_name(name, n))
			hide(text, name + n + 1, (size_t)(query - name) - n - 1);
	}
}

/* The word that follows, whatever it is: libcurl takes some credentials from files. */
static void hide_after(char *text, const char *scheme)
{
	size_t n = strlen(scheme);
	for (; *text; text++)
		if (strncasecmp(text, scheme, n) == 0)
			memset(text + n, '*', strcspn(text + n, " \t,;\"'"));
}

void secrets_hide(char *text, const struct url *u, const struct credentials *who)
{
	hide_text(text, u->password);
	hide_text(text, who->password);
	hide_text(text, who->bearer);
	for (const char *const *h = who->headers; h && *h; h++) {
		const char *colon = strchr(*h, ':');
		if (colon)
			hide_text(text, colon + 1 + strspn(colon + 1, " \t"));
	}
	hide_parameters(text, u->request + u->query);
	hide_after(text, "Basic ");
	hide_after(text, "Bearer ");
}
