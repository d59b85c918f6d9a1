/*
 * utf8_class.h - the table behind utf8_width() and utf8_clean(). Our own, since wcwidth() depends on the locale,
 * and a profile must give the same bytes everywhere.
 */
#ifndef BASE_UTF8_CLASS_H
#define BASE_UTF8_CLASS_H

#include <stddef.h>
#include <stdint.h>

enum utf8_class {
	UTF8_UNSAFE, /* controls, format controls, private, unassigned */
	UTF8_MARK,   /* combining: no column of its own */
	UTF8_NARROW,
	UTF8_WIDE,
};

/* Ascending; code point << 2 | class of all characters up to the next entry. Starts at U+0000. */
extern const uint32_t utf8_runs[];
extern const size_t utf8_n_runs;

#endif
