/*
 * unit_line.h - the line of folded stacks that says what the counts count.
 *
 *	# event=cpu unit=ns 0
 *	# unit: ms              the same by hand
 *
 * The 0 makes the line a stack of weight zero for other programs: flamegraph.pl, inferno and the readers that take
 * the number at the end of every line draw nothing for it, and do not complain about a line without a count.
 */
#ifndef MODEL_UNIT_LINE_H
#define MODEL_UNIT_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Appends the line. event may be empty. */
void unit_line_add(struct buf *out, const char *event, const char *unit);
/* Is this such a line, with or without its end? Then event and unit get its values; event may stay empty. */
bool unit_line_read(const char *line, size_t len, struct buf *event, struct buf *unit);

#endif
