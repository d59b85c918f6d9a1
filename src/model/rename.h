/*
 * rename.h - the fold step that changes names: 0x1f becomes 0x..., and a name at the root loses leading blanks.
 */
#ifndef MODEL_RENAME_H
#define MODEL_RENAME_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "symtab.h"

/* Add to the profile's symbols the names that the functions below look up. false: cancelled. */
bool rename_make_addresses(struct folding *);
bool rename_make_trimmed(struct folding *);
/* Would rename_make_trimmed() add any? */
bool rename_lacks_trimmed(const struct symtab *);

/* Joins frames whose names differ only in addresses. false: cancelled. */
bool rename_addresses(struct folding *);
/* The symbol of the name without leading blanks, for a frame at the root; sym itself if no such name exists. */
uint32_t rename_trimmed(const struct symtab *, uint32_t sym);

#endif
