/*
 * secrets.c - hides in messages what a server was given: it may send that back.
 */
#include "sources/secrets.h"

#include <string.h>
#include <strings.h>

#include "base/find.h"
#include "sources/secret_names.h"

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
		if (name + n < query && is_secret_name(name, n))
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
