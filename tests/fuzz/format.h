/*
 * format.h - the format that a byte of an input stands for.
 */
#ifndef TESTS_FUZZ_FORMAT_H
#define TESTS_FUZZ_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "collapse/collapse.h"

/* Its name. */
static inline const char *pick_format(uint8_t byte)
{
	size_t n = 0;
	while (collapse_formats[n] != NULL)
		n++;
	return collapse_formats[byte % n]->name;
}

/* The same, but NULL for 255: detect. */
static inline const char *pick_format_or_none(uint8_t byte)
{
	return byte == 255 ? NULL : pick_format(byte);
}

#endif
