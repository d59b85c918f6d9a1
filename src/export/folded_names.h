/*
 * folded_names.h - names of frames in folded output.
 */
#ifndef EXPORT_FOLDED_NAMES_H
#define EXPORT_FOLDED_NAMES_H

#include <stdbool.h>

#include "model/symtab.h"
#include "model/tree.h"

/* The name with every ';' replaced by ':'; the caller frees it. */
char *folded_without_semicolons(const struct symbol *);
/* Which symbols name frames? Others name threads, events and so on. The caller frees the array. */
bool *folded_frame_names(const struct tree *, const struct symtab *);

#endif
