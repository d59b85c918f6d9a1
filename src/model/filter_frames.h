/*
 * filter_frames.h - the fold step that takes frames out of stacks by their kind (recipe.frames).
 *
 * A recorder stores every frame of a stack in which an interpreter runs functions of its language. What is shown is
 * chosen here.
 */
#ifndef MODEL_FILTER_FRAMES_H
#define MODEL_FILTER_FRAMES_H

#include <stdbool.h>

#include "folding.h"

/* Fills map with the places in `to` of the paths of the fold's trie. false: cancelled. */
bool filter_frames_map(struct folding *, uint32_t *map, struct trie *to);

#endif
