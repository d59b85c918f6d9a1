/*
 * secrets.h - hides in messages what a server was given: it may send that back.
 *
 * Only a server's words are changed, before they become a part of a message. Hidden are passwords, tokens, values
 * of given headers and of parameters with secret names, also of addresses that it redirects to, as they are, with
 * and without the escapes of addresses, of JSON and of HTML, and, of a user with a password, in base64; all
 * passwords of ~/.netrc, if it is used, and of proxies; and whatever follows "Basic " or "Bearer ". A value of
 * less than four bytes counts only if its name is that of a secret: a tenant 4 (X-Scope-OrgID) is none.
 */
#ifndef SOURCES_SECRETS_H
#define SOURCES_SECRETS_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "sources/credentials.h"
#include "sources/url.h"

#define MOST_HOPS 5u

/* Addresses to which servers redirected the last request; owned. Zeroed is none. */
struct hops {
	struct url v[MOST_HOPS];
	unsigned n;
};

void hops_clear(struct hops *);

/* Whose they are. Not owned. */
struct secrets {
	const struct url *url; /* the address that was given */
	const struct credentials *who;
	const struct hops *hops; /* NULL: none */
};

#define SECRETS_MOST_SAID 300u /* bytes of a server's words in a message */

/*
 * Overwrites all secrets in the text with asterisks, also their beginnings of four bytes and more where it was cut:
 * at its end, before "..." and before a quotation mark; after "...", their ends. A cut may be within an escape.
 * Returns how often it compared a byte of a secret with a place of the text: its work, which a test limits.
 */
uint64_t secrets_hide(const struct secrets *, char *text, size_t n);
/*
 * Appends a server's words, cleaned, at most `most` bytes of them: secrets are hidden first, in 16 KiB of the text.
 * Every text of a server comes into a message through this function.
 */
void secrets_add_said(struct buf *out, const struct secrets *, const char *text, size_t n, size_t most);

#endif
