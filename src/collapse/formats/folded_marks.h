/*
 * folded_marks.h - which text is folded stacks.
 */
#ifndef COLLAPSE_FORMATS_FOLDED_MARKS_H
#define COLLAPSE_FORMATS_FOLDED_MARKS_H

#include "collapse/collapse.h"

/* Does this text begin with the line by which folded stacks say that they are (model/escape.h)? */
bool folded_is_announced(const char *text, size_t len);
/* By the one that says that names in them are escaped? */
bool folded_is_escaped(const char *text, size_t len);
enum sniff folded_sniff(const struct head *, const char **why);

#endif
