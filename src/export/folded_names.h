/*
 * folded_names.h - names of frames in folded output.
 */
#ifndef EXPORT_FOLDED_NAMES_H
#define EXPORT_FOLDED_NAMES_H

#include <stdbool.h>

#include "model/profile.h"
#include "model/symtab.h"
#include "model/tree.h"

/* The text of a name; NULL: as it was read. */
struct written_name {
	char *text; /* owned */
	size_t len;
};

/* The name with every ';' replaced by ':'; the caller frees it. */
char *folded_without_semicolons(const struct symbol *);
/* Which symbols name frames? Others name threads, events and so on. The caller frees the array. */
bool *folded_frame_names(const struct tree *, const struct symtab *);
void folded_free_written(struct written_name *, size_t n); /* NULL is allowed */
/* Is the profile read by perf's rules: from perf script, or from perf.data? */
bool folded_is_of_perf(const struct profile *);

#endif
