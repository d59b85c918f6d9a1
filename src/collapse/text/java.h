/*
 * java.h - parses frames as Java virtual machines print them.
 */
#ifndef COLLAPSE_TEXT_JAVA_H
#define COLLAPSE_TEXT_JAVA_H

#include "collapse/text/frames.h"
#include "collapse/text/lines.h"

/* Takes the name from "  at com.acme.Pool.borrow(Pool.java:55)"; false for other lines. */
static inline bool java_take_frame(struct slice line, struct slice *name)
{
	line = slice_ltrim(line);
	if (!slice_take(&line, "at "))
		return false;
	size_t open = slice_find_byte(line, '(');
	if (open == SIZE_MAX)
		return false;
	*name = slice_trim(slice_head(line, open));
	return name->n > 0;
}

/*
 * Pushes the frame of a line, with its package shortened if the options say so, and with the line of its source:
 * "com/acme/Pool.java:55".
 */
void java_push(struct frames *, struct sink *, struct slice line, struct slice name);

#endif
