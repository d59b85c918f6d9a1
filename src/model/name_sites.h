/*
 * name_sites.h - the lines of samples from the names of functions, such as "compute (src/model.py:12)".
 */
#ifndef MODEL_NAME_SITES_H
#define MODEL_NAME_SITES_H

#include "profile.h"

/*
 * Gives samples without sites those of their names, if the names tell executed lines: some function has two. (A
 * line may as well be that where the function begins.)
 */
void name_sites_add(struct profile *);
/*
 * By symbol: the first one whose name differs only in the line, or the symbol itself. The caller frees it. For
 * profiles with sites.are_of_names.
 */
uint32_t *name_sites_functions(const struct symtab *);
/* Appends a name without its line: "compute (src/model.py)". */
void name_sites_add_function(struct buf *out, const char *name, size_t len);

#endif
