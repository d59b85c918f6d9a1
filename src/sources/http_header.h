/*
 * http_header.h - headers of HTTP and gRPC, lines of a name and a value. Case does not matter in names and words.
 */
#ifndef SOURCES_HTTP_HEADER_H
#define SOURCES_HTTP_HEADER_H

#include <stdbool.h>

#include "base/slice.h"

bool http_is_word(struct slice text, const char *word);
bool http_begins(struct slice text, const char *word);
/* The value of the first line of this name, without blanks at its ends, a part of `lines`. false: there is none. */
bool http_header_find(struct slice lines, const char *name, struct slice *value);

#endif
