/*
 * escape.h - names in text that is read again: bytes that would mean something else there are written as \xHH.
 *
 *	a;b     a\x3bb         a line break     \x0a
 *	\x41    \x5cx41        (no name)        \x
 *	(empty) \x28empty)     (no frames)      (empty)
 *
 * A backslash that does not begin such an escape is itself, so that most names stay as they are.
 */
#ifndef MODEL_ESCAPE_H
#define MODEL_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The first line of folded stacks. The short one says only what the file is, for text that would be taken for
 * something else; the long one says that names are escaped, too.
 */
#define FOLDED_ANNOUNCED "# folded stacks"
#define FOLDED_ESCAPED FOLDED_ANNOUNCED ", \\xHH in a name is a byte"

/* A stack without frames. Where names are escaped it is nothing else; elsewhere, a function of that name. */
#define FOLDED_EMPTY "(empty)"
bool escape_is_empty_stack(const char *stack, size_t len);

/* What keeps a name from being read as it is. */
enum {
	ESCAPE_ANYWHERE = 1, /* a line break, NUL */
	ESCAPE_FIRST = 2,    /* at the beginning of a line: a blank, "# " */
	ESCAPE_LAST = 4,     /* before a count: blanks at its end */
	ESCAPE_COUNT = 8,    /* before a single count: it ends like one, in " 7" */
	ESCAPE_ALONE = 16,   /* if a stack is nothing else: no name, "#" */
	/* Every tool of the field writes these as they are, or as ':', and reads another name: */
	ESCAPE_BLANK = 32, /* nothing but blanks, which is no name before a count */
	ESCAPE_SEMICOLON = 64,
	ESCAPE_EMPTY = 128, /* beside stacks without frames: it is called as they are */
};

unsigned escape_needs(const char *name, size_t len);
/*
 * The name with everything escaped that escape_needs() knows. Without `whole`, as a part of a path ("a;b;c") that
 * people copy and paste: what divides frames, and what a terminal would not show as it is.
 */
void escape_add(struct buf *out, const char *name, size_t len, bool whole);
/* Appends the name that escape_add() was given. */
void escape_undo(struct buf *out, const char *text, size_t len);

#endif
