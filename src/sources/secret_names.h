/*
 * secret_names.h - names of parameters that look like those of secrets.
 */
#ifndef SOURCES_SECRET_NAMES_H
#define SOURCES_SECRET_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* access_token, apiKey, X-Amz-Signature, pass, token[], user[password]. The name may have escapes: tok%65n. */
bool is_secret_name(const char *name, size_t n);

#endif
