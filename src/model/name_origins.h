/*
 * name_origins.h - the origin of all functions of a name, for outputs in which a name is one function.
 *
 * If they are of several modules or files, that is what the reader is told, rather than one of them.
 */
#ifndef MODEL_NAME_ORIGINS_H
#define MODEL_NAME_ORIGINS_H

#include <stdint.h>

#include "view.h"

#define ORIGIN_SEVERAL (UINT32_MAX - 1)
#define ORIGIN_MODULES "several modules"
#define ORIGIN_FILES "several files"

/* Adds a function to those of a name: *all is NO_SYMBOL at first, then one origin or ORIGIN_SEVERAL. */
void name_origin_add(const struct symtab *, enum group_by, uint32_t *all, uint32_t origin);
/*
 * By symbol of a name: the origin of its functions in the view, ORIGIN_SEVERAL, or NO_SYMBOL: as the symbol tells.
 * by: BY_MODULE or BY_FILE, which must differ; files that are unknown differ from none. The caller frees the array.
 */
uint32_t *name_origins(const struct view *, enum group_by by);

#endif
