/*
 * secrets.h - hides in messages what a server was given: it may send that back.
 */
#ifndef SOURCES_SECRETS_H
#define SOURCES_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

#include "sources/transfer.h"
#include "sources/url.h"

/*
 * Does the name of a parameter look like that of a secret: access_token, apiKey, X-Amz-Signature, pass, token[]? It may
 * have escapes: tok%65n.
 */
bool secrets_is_name(const char *name, size_t n);

/*
 * Overwrites credentials in the text with asterisks: passwords, tokens, values of given headers and of parameters with
 * such names, and whatever follows "Basic " or "Bearer ".
 */
void secrets_hide(char *text, const struct url *, const struct credentials *);

#endif
