/*
 * secrets.h - hides in messages what a server was given: it may send that back.
 */
#ifndef SOURCES_SECRETS_H
#define SOURCES_SECRETS_H

#include "sources/transfer.h"
#include "sources/url.h"

/*
 * Overwrites credentials in the text with asterisks: passwords, tokens, values of given headers and of parameters
 * with secret names, and whatever follows "Basic " or "Bearer ".
 */
void secrets_hide(char *text, const struct url *, const struct credentials *);

#endif
