/*
 * secret_names.c - names of parameters that look like those of secrets.
 */
#include "sources/secret_names.h"

#include <string.h>
#include <strings.h>

#include "base/hex.h"

#define LONGEST 64 /* bytes of a name */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Does a word begin here: the first letter, one after another character, the K of apiKey? */
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
	static const char *const anywhere[] = {"token",     "secret",     "password",      "passwd", "passphrase",
	                                       "signature", "credential", "authorization", "cookie"};
	static const char *const words[] = {"key",  "keyid", "pass",   "pwd",    "sig",
	                                    "auth", "jwt",   "bearer", "apikey", "session"};
	bool is_found = false;
	for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
		is_found |= ends_in(name, n, anywhere[i], false);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		is_found |= ends_in(name, n, words[i], true);
	return is_found;
}

bool is_secret_name(const char *name, size_t n)
{
	char plain[LONGEST];
	size_t len = 0;
	for (const char *p = name, *end = p + n; p < end && len < LONGEST;)
		plain[len++] = hex_take_percent(&p, end);
	const char *bracket = memchr(plain, '[', len); /* token[], token[0] */
	return is_secret(plain, bracket ? (size_t)(bracket - plain) : len);
}
