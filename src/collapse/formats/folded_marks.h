/*
 * folded_marks.h - recognises folded stacks.
 */
#ifndef COLLAPSE_FORMATS_FOLDED_MARKS_H
#define COLLAPSE_FORMATS_FOLDED_MARKS_H

#include "collapse/collapse.h"

/* Does this text begin with the line that announces escaped names (base/escape.h)? */
bool folded_is_escaped(const char *text, size_t len);
enum sniff folded_sniff(const struct head *, const char **why);

#endif
