/*
 * tight.h - scripts and style sheets for a file that carries a copy of them: without comment lines, indentation,
 * and blanks that mean nothing.
 *
 * A comment needs lines of its own, and a blank in a regular expression is written as \x20.
 */
#ifndef EXPORT_TIGHT_H
#define EXPORT_TIGHT_H

#include "base/buf.h"

void tight_add_js(struct buf *, const char *text);
void tight_add_css(struct buf *, const char *text);

#endif
