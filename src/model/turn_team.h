/*
 * turn_team.h - several threads make the nodes of a tree of reversed stacks: each a stretch, and then another one.
 *
 * Private to the fold, as folding.h is.
 */
#ifndef MODEL_TURN_TEAM_H
#define MODEL_TURN_TEAM_H

#include "turn_part.h"

/*
 * Makes all nodes of the stretch, which has just begun, on this thread and at most n_threads - 1 others: the same
 * nodes for any number. With a map, n_threads is 1. false: the fold was cancelled, or there are too many nodes, and
 * the stretch has some of them.
 */
bool turn_on_threads(struct stretch *, unsigned n_threads);

#endif
