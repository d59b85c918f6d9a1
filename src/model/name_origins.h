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

/*
 * By symbol of a name: the origin of its functions in the view, ORIGIN_SEVERAL, or NO_SYMBOL: as the symbol tells.
 * by: BY_MODULE or BY_FILE, which must differ; files that are unknown differ from none. The caller frees the array.
 */
uint32_t *name_origins(const struct view *, enum group_by by, struct progress *);
/* The same of one name, in the frames from node `below` on; the symbol itself in place of NO_SYMBOL. */
uint32_t name_origin(const struct view *, enum group_by by, uint32_t sym, uint32_t below);
/* And of one frame, which mostly has one origin. */
uint32_t name_origin_of_node(const struct view *, enum group_by by, uint32_t node);

#endif
