/*
 * python_lines.h - the tables by which CPython knows the line of an instruction.
 */
#ifndef LANGUAGES_PYTHON_LINES_H
#define LANGUAGES_PYTHON_LINES_H

#include <stddef.h>
#include <stdint.h>

/* A code object's table, with the line at which it begins. */
struct python_lines {
	const unsigned char *bytes;
	size_t n;
	uint32_t first;
	unsigned minor; /* of 3.MINOR, which decides its form */
};

/*
 * The line of the instruction at an offset in bytes; 0: it has none. One before the first instruction is at
 * `first`.
 */
uint32_t python_line(const struct python_lines *, int64_t offset);

#endif
