/*
 * sides.h - a comparison of two profiles of which only one tells modules or files.
 *
 * Folded stacks have names only. By module, all of them would be unknown, and everything in the other profile new.
 */
#ifndef MODEL_SIDES_H
#define MODEL_SIDES_H

#include <stdbool.h>

#include "base/buf.h"
#include "folding.h"
#include "group.h"
#include "profile.h"
#include "recipe.h"

enum sides_use {
	SIDES_ALIKE,  /* nothing that the recipe asks for is known to one side only */
	SIDES_FRAMES, /* frames are such modules, files or packages: nothing can be compared */
	SIDES_FILTER, /* filters ask for them, and find them in one side only */
};

struct sides {
	enum sides_use use;
	enum group_by by;
	bool is_base_only; /* the baseline alone knows them, or nearly, else the new profile */
	bool is_neither;   /* no side knows them, and only one has frames of processes, which would be compared */
};

/* Without a baseline SIDES_ALIKE. Walks the logs if the recipe asks for modules and the like. */
struct sides sides_of(const struct profile *, const struct recipe *);

/* Appends "only the new profile has modules", "neither profile has files". */
void sides_add_knowing(struct buf *out, const struct sides *);
/* Appends "only the new profile has modules: by module, frames cannot be compared". false: the sides are alike. */
bool sides_add_words(struct buf *out, const struct sides *);

/*
 * If only one side knows modules or files: gives the baseline's stacks that have no equal the frames of the same
 * names, in proportion to the weights of these. So a search, for which frames of different modules are apart,
 * changes no comparison. hash[]: by path, of its names. false: cancelled.
 */
bool sides_pair(struct folding *, const uint64_t *hash);

#endif
