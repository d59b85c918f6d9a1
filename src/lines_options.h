/*
 * lines_options.h - what views of lines need besides a profile: debug information, and the places of source files.
 */
#ifndef LINES_OPTIONS_H
#define LINES_OPTIONS_H

#include "options.h"

struct lines_needs;

/*
 * Adds to o->export_ what exports of lines need, until lines_needs_end(), and asks for lines if a view shows them.
 */
struct lines_needs *lines_needs_begin(struct options *);
void lines_needs_end(struct options *, struct lines_needs *);

#endif
