/*
 * name_place.h - names of functions that contain a file and a line.
 *
 *	compute (src/model.py:12)          py-spy, and others in folded text
 *	src/model.py:12:compute            Python's faulthandler
 *	src/model.py:compute:12            austin
 *	compute - src/model.rb:12          rbspy
 */
#ifndef MODEL_NAME_PLACE_H
#define MODEL_NAME_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct name_place {
	const char *file;
	size_t file_len;
	uint32_t line;     /* 0: too large, or that where the function begins */
	size_t cut, n_cut; /* the bytes that two lines of one function differ in: ":12" */
};

/* false: the name has no such place. */
bool name_place(const char *name, size_t len, struct name_place *);

#endif
