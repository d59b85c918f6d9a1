/*
 * rename.h - the fold step that changes names: 0x1f becomes 0x...
 */
#ifndef MODEL_RENAME_H
#define MODEL_RENAME_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"
#include "symtab.h"

/* Adds to the profile's symbols the names that the function below looks up. false: cancelled. */
bool rename_make_addresses(struct folding *);

/* Joins frames whose names differ only in addresses. false: cancelled. */
bool rename_addresses(struct folding *);

#endif
