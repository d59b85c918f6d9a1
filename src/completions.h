/*
 * completions.h - what the completions of all shells take from a row of the table of options.
 */
#ifndef COMPLETIONS_H
#define COMPLETIONS_H

#include <stdbool.h>

#include "base/buf.h"
#include "options.h"

/* Do completions have the option? Those of `cargo flametop` alone are completed as cargo is. */
bool completions_list(const struct option_row *);
/* Are the values names of files? */
bool completions_take_files(const struct option_row *);
/* Adds the words that a value can be, separated by blanks; nothing for files and free text. */
void completions_add_words(struct buf *out, const struct option_row *);

/* The scripts for shells that take the table as data. */
void completions_add_powershell(struct buf *out);
void completions_add_elvish(struct buf *out);

#endif
