/*
 * input_names.h - short names of input files: the base name, or as much of the path as tells it from the others.
 */
#ifndef COLLAPSE_LOAD_INPUT_NAMES_H
#define COLLAPSE_LOAD_INPUT_NAMES_H

#include <stddef.h>

#include "collapse/load/load.h"

/* A name for each input, owned by the caller, as is the array; different paths of one side have different names. */
char **input_names(const struct load_input *, size_t n);

#endif
