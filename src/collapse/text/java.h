/*
 * java.h - parses frames as Java virtual machines print them.
 */
#ifndef COLLAPSE_TEXT_JAVA_H
#define COLLAPSE_TEXT_JAVA_H

#include "base/buf.h"
#include "collapse/text/lines.h"
#include "collapse/text/tidy.h"

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

/* The frame's symbol, with its package shortened if the options say so. */
static inline uint32_t java_frame(struct sink *sink, struct slice name)
{
	if (!sink->options->shorten_pkgs)
		return sink_frame(sink, name.s, name.n);
	struct buf shortened;
	buf_init(&shortened);
	tidy_java_package(&shortened, name.s, name.n);
	uint32_t sym = sink_frame(sink, buf_str(&shortened), shortened.len);
	buf_deinit(&shortened);
	return sym;
}

#endif
