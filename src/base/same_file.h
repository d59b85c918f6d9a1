/*
 * same_file.h - do two names lead to one file?
 */
#ifndef BASE_SAME_FILE_H
#define BASE_SAME_FILE_H

#include <stdbool.h>

/*
 * Follows links; hard links are one file, and a file that does not exist yet is known by its directory. "-" is
 * the descriptor that is given with it: 0 or 1. Terminals and other devices are never the same: nothing in them is
 * lost.
 */
bool same_file(const char *a, int a_dash, const char *b, int b_dash);

#endif
