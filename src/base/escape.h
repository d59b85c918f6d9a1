/*
 * escape.h - names in text that will be read back: bytes with a special meaning there are written as \xHH.
 *
 *	a;b     a\x3bb         a line break     \x0a
 *	\x41    \x5cx41        (no name)        \x
 *	(empty) \x28empty)     (no frames)      (empty)
 *
 * A backslash that does not begin such an escape stands for itself, so most names stay as they are.
 */
#ifndef BASE_ESCAPE_H
#define BASE_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * The first line of folded stacks. The short form only names the format, for text that would be taken for another;
 * the long form also says that names are escaped.
 */
#define FOLDED_ANNOUNCED "# folded stacks"
/* Comments below the first line say so of stacks of a part of the input. */
#define FOLDED_CUT_OFF "an input could not be read to its end"
#define FOLDED_SO_FAR "read so far"
#define FOLDED_ESCAPED FOLDED_ANNOUNCED ", \\xHH in a name is a byte"

/* A stack without frames where names are escaped; elsewhere, a function of that name. */
#define FOLDED_EMPTY "(empty)"
bool escape_is_empty_stack(const char *stack, size_t len);

/* Reasons why a name cannot be written as it is. */
enum {
	ESCAPE_ANYWHERE = 1, /* a line break, NUL */
	ESCAPE_FIRST = 2,    /* at the beginning of a line: a blank, "# " */
	ESCAPE_LAST = 4,     /* before a count: blanks at the end of the name */
	ESCAPE_COUNT = 8,    /* before a single count: the name ends in a number, such as " 7" */
	ESCAPE_ALONE = 16,   /* in a stack of this name alone: the empty name, "#" */
	/* Other tools write these unchanged, or as ':', and read back another name: */
	ESCAPE_BLANK = 32, /* blanks only: no name before a count */
	ESCAPE_SEMICOLON = 64,
	ESCAPE_EMPTY = 128, /* beside stacks without frames: it is called as they are */
};

unsigned escape_needs(const char *name, size_t len);
/*
 * Appends the name with everything escaped that escape_needs() reports. Without `whole` it is a part of a path
 * ("a;b;c") that people copy and paste: escapes only separators and characters that a terminal would not show.
 */
void escape_add(struct buf *out, const char *name, size_t len, bool whole);
/* Appends the name that escape_add() was given for this text. */
void escape_undo(struct buf *out, const char *text, size_t len);

#endif
