/*
 * head.h - reads the beginning of an input until its format is known.
 */
#ifndef COLLAPSE_LOAD_HEAD_H
#define COLLAPSE_LOAD_HEAD_H

#include "base/input.h"
#include "collapse/collapse.h"
#include "collapse/load/shared.h"

#define HEAD_PAD 64u /* readable bytes after the text */

struct beginning {
	char *text; /* free()d by the caller, also after a failure */
	size_t len, cap;
	size_t mark;                /* bytes of a byte order mark at the start of text */
	size_t line_end;            /* end of the first line after the mark; 0: not reached yet */
	bool is_all;                /* the input ends here */
	bool has_failed;            /* reading failed, and will fail again */
	size_t looked_at;           /* value of len when detection last ran */
	struct load_shared *shared; /* gets the number of bytes that do not suffice; may be NULL */
};

/*
 * Fills a zeroed beginning. With *format NULL, reads until the format is known and sets it; else only until the
 * first line or 64 bytes are there. false: err says why there is no format, or no data.
 */
bool head_read(struct beginning *, struct input *, const struct collapse_format **format, struct err *);

#endif
