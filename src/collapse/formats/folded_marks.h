/*
 * folded_marks.h - which text is folded stacks.
 */
#ifndef COLLAPSE_FORMATS_FOLDED_MARKS_H
#define COLLAPSE_FORMATS_FOLDED_MARKS_H

#include "collapse/collapse.h"

/* Does this text begin with the line by which folded stacks say that their names are escaped (model/escape.h)? */
bool folded_is_escaped(const char *text, size_t len);
enum sniff folded_sniff(const struct head *, const char **why);

#endif
