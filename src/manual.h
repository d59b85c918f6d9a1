/*
 * manual.h - the manual page and the shells' completions, made from the program's own tables.
 */
#ifndef MANUAL_H
#define MANUAL_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

/* shell: one of SHELL_WORDS. */
void completions_add(struct buf *out, const char *shell);

/* Prints the manual page to standard output. */
bool manual_print(struct err *err);
bool manual_print_completions(const char *shell, struct err *err);

#endif
