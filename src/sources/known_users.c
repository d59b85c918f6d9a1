/*
 * known_users.c - reads the users and passwords that libcurl takes from ~/.netrc and from proxy variables.
 *
 * ~/.netrc is a list of words: "machine HOST login NAME password WORD account WORD", in lines as one likes.
 * Versions of libcurl differ about quotation marks: a word that begins with one is known with and without them.
 */
#include "sources/known_users.h"

#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hex.h"
#include "base/mem.h"
#include "base/regular.h"
#include "base/slice.h"

#define MOST_KIB 64u
#define MOST_HOME 16384u

static void add(struct known_users *u, const char *name, const char *password)
{
	if (*password)
		mem_push(u->v, u->n, u->cap, ((struct known_user){mem_strdup(name), mem_strdup(password)}));
}

void known_users_deinit(struct known_users *u)
{
	for (size_t i = 0; i < u->n; i++) {
		free(u->v[i].name);
		free(u->v[i].password);
	}
	free(u->v);
	*u = (struct known_users){.v = NULL};
}

/* ---- proxies ------------------------------------------------------------------------------------------------- */

static void add_decoded(struct known_users *u, const char *text)
{
	struct buf plain;
	buf_init(&plain);
	for (const char *p = text, *end = text + strlen(text); p < end;)
		buf_addc(&plain, hex_take_percent(&p, end));
	add(u, NULL, buf_str(&plain));
	buf_deinit(&plain);
}

/* "http://user:password@host:3128"; the last '@' counts, since a password may hold an unescaped '/'. */
static void add_proxy(struct known_users *u, const char *value)
{
	size_t n_scheme = strcspn(value, ":/@");
	const char *start = strncmp(value + n_scheme, "://", 3) == 0 ? value + n_scheme + 3 : value;
	const char *at = strrchr(start, '@');
	if (!at)
		return;
	char *both = mem_strndup(start, (size_t)(at - start)), *colon = strchr(both, ':');
	add(u, NULL, both);
	if (colon) {
		add(u, NULL, colon + 1);
		add_decoded(u, colon + 1);
	}
	free(both);
}

void known_users_add_proxies(struct known_users *u)
{
	static const char *const names[] = {"http_proxy",  "HTTP_PROXY", "https_proxy",
	                                    "HTTPS_PROXY", "all_proxy",  "ALL_PROXY"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);
		if (value)
			add_proxy(u, value);
	}
}

/* ---- ~/.netrc ------------------------------------------------------------------------------------------------ */

/* A word as it is, and without its quotation marks; each is "" if there is none. */
struct word {
	struct buf plain, unquoted;
};

/* What is known of one machine so far. */
struct entry {
	struct word login, password;
};

static bool is_between(char c)
{
	return (unsigned char)c <= ' ';
}

/* Returns where the quotation ends. */
static const char *unquote(struct buf *out, const char *at)
{
	for (at++; *at && *at != '"'; at++) {
		char c = *at;
		if (c == '\\' && at[1]) {
			c = *++at;
			c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
		}
		buf_addc(out, c);
	}
	return *at ? at + 1 : at;
}

static const char *skip_between(const char *at)
{
	while (*at && is_between(*at))
		at++;
	return at;
}

/* Takes the word that begins here. Returns where it ends: that of a quotation at its second mark. */
static const char *take_word(struct word *w, const char *at)
{
	const char *end = at;
	w->plain.len = w->unquoted.len = 0;
	while (*end && !is_between(*end))
		end++;
	buf_add(&w->plain, at, (size_t)(end - at));
	return *at == '"' ? unquote(&w->unquoted, at) : end;
}

static void add_words(struct known_users *u, struct word *login, struct word *password)
{
	add(u, buf_str(&login->plain), buf_str(&password->plain));
	add(u, buf_str(&login->unquoted), buf_str(&password->unquoted));
	if (login->unquoted.len && !password->unquoted.len)
		add(u, buf_str(&login->unquoted), buf_str(&password->plain));
	if (password->unquoted.len && !login->unquoted.len)
		add(u, buf_str(&login->plain), buf_str(&password->unquoted));
}

static void forget(struct word *w)
{
	w->plain.len = w->unquoted.len = 0;
}

/* Takes the value of a keyword. Returns where it ends; where it began if the keyword has none. */
static const char *take_value(struct known_users *u, struct entry *e, const char *key, const char *at)
{
	struct word other;
	bool is_login = strcmp(key, "login") == 0, is_password = strcmp(key, "password") == 0;
	bool is_account = strcmp(key, "account") == 0, is_machine = strcmp(key, "machine") == 0;
	if (is_machine || strcmp(key, "default") == 0) {
		forget(&e->login);
		forget(&e->password);
	}
	if (!is_login && !is_password && !is_account && !is_machine)
		return at;
	buf_init(&other.plain);
	buf_init(&other.unquoted);
	at = take_word(is_login ? &e->login : is_password ? &e->password : &other, skip_between(at));
	if (is_login || is_password)
		add_words(u, &e->login, &e->password);
	if (is_account) {
		add(u, NULL, buf_str(&other.plain));
		add(u, NULL, buf_str(&other.unquoted));
	}
	buf_deinit(&other.plain);
	buf_deinit(&other.unquoted);
	return at;
}

static bool begins_line(const char *text, const char *at)
{
	while (at > text && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at == text || at[-1] == '\n';
}

static void read_entries(struct known_users *u, const char *text)
{
	struct entry e;
	struct word key;
	struct buf *all[] = {&key.plain,        &key.unquoted,     &e.login.plain,
	                     &e.login.unquoted, &e.password.plain, &e.password.unquoted};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		buf_init(all[i]);
	for (const char *at = skip_between(text); *at; at = skip_between(at)) {
		if (*at == '#' && begins_line(text, at)) {
			at += strcspn(at, "\n");
			continue;
		}
		at = take_word(&key, at);
		at = take_value(u, &e, buf_str(&key.plain), at);
	}
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		buf_deinit(all[i]);
}

static void add_home(struct buf *out)
{
	const char *home = getenv("HOME");
	struct passwd entry, *found = NULL;
	if (home && *home) {
		buf_adds(out, home);
		return;
	}
	char *bytes = mem_alloc(MOST_HOME);
	if (getpwuid_r(geteuid(), &entry, bytes, MOST_HOME, &found) == 0 && found)
		buf_adds(out, found->pw_dir);
	free(bytes);
}

bool known_users_add_netrc(struct known_users *u, struct err *err)
{
	struct buf path, text;
	bool is_good = true;
	buf_init(&path);
	buf_init(&text);
	add_home(&path);
	buf_adds(&path, "/.netrc");
	if (access(buf_str(&path), R_OK) == 0) {
		int fd = regular_open(buf_str(&path), NULL, NULL);
		is_good = fd >= 0 && regular_read_all(fd, MOST_KIB << 10, &text, NULL);
		if (fd >= 0)
			close(fd);
	}
	for (size_t i = 0; i < text.len; i++)
		text.data[i] = text.data[i] ? text.data[i] : '\n';
	if (is_good)
		read_entries(u, buf_str(&text));
	buf_deinit(&path);
	buf_deinit(&text);
	return is_good || fail(err, "~/.netrc is no regular file of at most %u KiB", MOST_KIB);
}
