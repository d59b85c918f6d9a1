/*
 * quoted.h - texts in quotes, as Go prints them with %q: "a\tb", "\u20ac", "\x00".
 */
#ifndef COLLAPSE_TEXT_QUOTED_H
#define COLLAPSE_TEXT_QUOTED_H

#include <stdbool.h>

#include "base/buf.h"
#include "collapse/text/lines.h"

/* Takes a text in quotes off the line; out becomes what it stands for. false: there is none, or it has no end. */
bool quoted_take(struct slice *line, struct buf *out);

#endif
