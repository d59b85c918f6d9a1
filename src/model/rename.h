/*
 * rename.h - the step of a fold that changes names: 0x1f becomes 0x..., and blanks before a name go where it
 * becomes a root.
 */
#ifndef MODEL_RENAME_H
#define MODEL_RENAME_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "symtab.h"

/* Add the names that the functions below look up to the profile's symbols. false: cancelled. */
bool rename_make_addresses(struct folding *);
bool rename_make_trimmed(struct folding *);
/* Would rename_make_trimmed() add any? */
bool rename_lacks_trimmed(const struct symtab *);

/* Frames whose names differ only by addresses become one. false: cancelled. */
bool rename_addresses(struct folding *);
/* A name as it stands on the root: without blanks before it. The name itself, if there is no such name. */
uint32_t rename_trimmed(const struct symtab *, uint32_t sym);

#endif
