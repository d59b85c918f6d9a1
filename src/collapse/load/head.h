/*
 * head.h - the beginning of an input, read until it tells the format.
 */
#ifndef COLLAPSE_LOAD_HEAD_H
#define COLLAPSE_LOAD_HEAD_H

#include "base/input.h"
#include "collapse/collapse.h"

#define HEAD_PAD 64u /* readable bytes behind the text */

struct beginning {
	char *text; /* free()d by the caller, also after a failure */
	size_t len, cap;
	size_t mark;      /* bytes of a byte order mark, which stand in front */
	size_t line_end;  /* of the first line behind the mark; 0: not seen yet */
	bool is_all;      /* the input ends here */
	bool has_failed;  /* reading did; it will fail again */
	size_t looked_at; /* when the format was last asked for */
};

/*
 * Reads a zeroed beginning. With *format NULL it goes on until the bytes tell it, and sets it; else only until the
 * first line is there, or 64 bytes. false: err says why there is no format, or nothing to read.
 */
bool head_read(struct beginning *, struct input *, const struct collapse_format **format, struct err *);

#endif
