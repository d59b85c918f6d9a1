/*
 * secret_names.c - names of parameters that look like those of secrets.
 *
 * A name is read as words: user[password], AWSAccessKeyId, token_v2. Some texts tell a secret wherever they stand,
 * others only as a word or at its end: apikey, but not keyspace.
 */
#include "sources/secret_names.h"

#include <string.h>

#include "base/buf.h"
#include "base/find.h"
#include "base/hex.h"

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
	return is_upper(c) || (c >= 'a' && c <= 'z');
}

/* Letters without a NUL at the end. */
struct word {
	const char *s; /* in lower case */
	size_t n;
};

static bool is_equal(struct word w, const char *text)
{
	return w.n == strlen(text) && memcmp(w.s, text, w.n) == 0;
}

static bool ends_in(struct word w, const char *text)
{
	size_t n = strlen(text);
	return w.n >= n && memcmp(w.s + w.n - n, text, n) == 0;
}

static bool starts_with(struct word w, const char *text)
{
	size_t n = strlen(text);
	return w.n >= n && memcmp(w.s, text, n) == 0;
}

/* Is the text in it, and does it not go on as one of the harmless words that begin so? */
static bool has(struct word w, const char *text)
{
	static const char *const harmless[] = {"tokeniz", "tokenise", "tokenisation", "secretar"};
	for (const char *at; (at = find_bytes(w.s, w.n, text, strlen(text)));) {
		bool is_harmless = false;
		w = (struct word){at, w.n - (size_t)(at - w.s)};
		for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
			is_harmless |= starts_with(w, harmless[i]);
		if (!is_harmless)
			return true;
		w = (struct word){w.s + 1, w.n - 1};
	}
	return false;
}

static bool has_any(struct word w)
{
	static const char *const anywhere[] = {"token",     "secret",     "password",   "passwd",        "passphrase",
	                                       "passcode",  "signature",  "credential", "authorization", "cookie",
	                                       "session",   "sessid",     "bearer",     "jwt",           "apikey",
	                                       "accesskey", "privatekey", "assertion"};
	for (size_t i = 0; i < sizeof anywhere / sizeof *anywhere; i++)
		if (has(w, anywhere[i]))
			return true;
	return false;
}

static bool is_secret_word(struct word w)
{
	static const char *const whole[] = {"sig",  "pw",  "sid",  "sess", "cred",     "creds",
	                                    "hmac", "otp", "totp", "psk",  "authcode", "sas"};
	static const char *const ends[] = {"key", "keys", "keyid", "keyids", "pass", "pwd", "auth"};
	static const char *const harmless[] = {"monkey", "monkeys",  "donkey",  "donkeys",  "turkey",   "hockey",
	                                       "jockey", "whiskey",  "hotkey",  "hotkeys",  "compass",  "encompass",
	                                       "bypass", "trespass", "surpass", "overpass", "underpass"};
	bool is_found = false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		is_found |= ends_in(w, ends[i]);
	for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
		is_found &= !ends_in(w, harmless[i]);
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		is_found |= is_equal(w, whole[i]);
	return is_found || has_any(w);
}

/* Where the word ends that begins here: at another character; if cases count, also before the K of apiKey. */
static size_t word_end(const struct buf *name, size_t at, bool has_cases)
{
	const char *s = name->data;
	size_t end = at + 1;
	for (; end < name->len && is_letter(s[end]); end++) {
		bool is_last_upper = end + 1 < name->len && is_letter(s[end + 1]) && !is_upper(s[end + 1]);
		if (has_cases && is_upper(s[end]) && (!is_upper(s[end - 1]) || is_last_upper))
			break;
	}
	return end;
}

/* lower: the same name in lower case. */
static bool has_secret_word(const struct buf *name, const struct buf *lower, bool has_cases)
{
	for (size_t at = 0; at < name->len;) {
		if (!is_letter(name->data[at])) {
			at++;
			continue;
		}
		size_t end = word_end(name, at, has_cases);
		if (is_secret_word((struct word){lower->data + at, end - at}))
			return true;
		at = end;
	}
	return false;
}

bool is_secret_name(const char *name, size_t n)
{
	struct buf plain, lower, joined; /* joined: of its letters alone, for pass_word and JSESSIONID */
	buf_init(&plain);
	buf_init(&lower);
	buf_init(&joined);
	for (const char *p = name, *end = p + n; p < end;) {
		char c = hex_take_percents(&p, end);
		buf_addc(&plain, c);
		buf_addc(&lower, is_upper(c) ? (char)(c | 32) : c);
		if (is_letter(c))
			buf_addc(&joined, (char)(c | 32));
	}
	bool is_it = has_secret_word(&plain, &lower, true) || has_secret_word(&plain, &lower, false) ||
	             (joined.len && has_any((struct word){joined.data, joined.len}));
	buf_deinit(&plain);
	buf_deinit(&lower);
	buf_deinit(&joined);
	return is_it;
}
