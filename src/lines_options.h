/*
 * lines_options.h - what views of lines need besides a profile: debug information, and the places of source files.
 */
#ifndef LINES_OPTIONS_H
#define LINES_OPTIONS_H

#include "options.h"

struct lines_needs;

/*
 * Adds to o->export_ what exports of lines need, until lines_needs_end(). shows_lines: a view may show lines, so
 * the profile has to keep them.
 */
struct lines_needs *lines_needs_begin(struct options *, bool shows_lines);
void lines_needs_end(struct options *, struct lines_needs *);

#endif
