/*
 * code_lines.h - the source lines of addresses, from debug information.
 *
 * Files are opened at the first address in them, and stay open. Use it in one thread at a time.
 */
#ifndef SYMBOLS_CODE_LINES_H
#define SYMBOLS_CODE_LINES_H

#include <stdint.h>

struct code_lines;

struct code_lines *code_lines_new(void);
void code_lines_free(struct code_lines *); /* NULL: nothing */

/*
 * Returns the source file of an address, absolute where the compiler tells, and its line; NULL and 0: unknown. The
 * text lives as long as the struct code_lines, to which `lines` points.
 *
 * paths: of the file with the code, of that with its debug information, and of that which it shares with others;
 * NULL: none. level: 0 for the function that has the code, 1 for the one inlined into it there, and so on; beyond
 * the innermost one, the innermost.
 */
const char *code_lines_find(void *lines, const char *const paths[3], uint64_t address, uint32_t level,
                            uint32_t *line);

#endif
