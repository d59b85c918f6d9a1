/*
 * filter_frames.h - the fold step that takes frames out of stacks by their kind (recipe.frames).
 *
 * A recorder stores every frame of a stack in which an interpreter runs functions of its language. What is shown is
 * chosen here.
 */
#ifndef MODEL_FILTER_FRAMES_H
#define MODEL_FILTER_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "folding.h"

/* What a frame is for the choice of recipe.frames. */
enum frame_role {
	ROLE_OTHER,
	ROLE_GONE,
	ROLE_LANGUAGE,
	ROLE_INTERPRETER, /* of the program or library that has the loop */
	ROLE_UNNAMED,     /* of it, too, but without a symbol */
};

/* By symbol, enum frame_role; the caller frees it. */
uint8_t *filter_frames_roles(enum frames_shown, const struct symtab *);
/* Fills map with the places in `to` of the paths of the fold's trie. false: cancelled. */
bool filter_frames_map(struct folding *, uint32_t *map, struct trie *to);

#endif
