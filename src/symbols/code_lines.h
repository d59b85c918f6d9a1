/*
 * code_lines.h - the source lines of addresses, and facts about source files, from debug information.
 *
 * Files are opened at the first address in them, and stay open. Use it in one thread at a time. A level beyond the
 * innermost inlined function means the innermost one.
 */
#ifndef SYMBOLS_CODE_LINES_H
#define SYMBOLS_CODE_LINES_H

#include <stdbool.h>

#include "base/file_places.h"
#include "base/line_finder.h"

struct code_lines;

/*
 * places: where recorded files are on this machine; NULL: under their names. Copied; its texts must outlive it.
 * uses_servers: debuginfod servers are asked for sources.
 */
struct code_lines *code_lines_new(const struct file_places *places, bool uses_servers);
void code_lines_free(struct code_lines *); /* NULL: nothing */

/* All its texts live as long as the struct code_lines. */
struct line_finder code_lines_finder(struct code_lines *);

#endif
