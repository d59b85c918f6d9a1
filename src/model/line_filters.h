/*
 * line_filters.h - takes the sites of frames that filters have taken out of stacks, so that lines are those of the
 * view.
 *
 *	main:1 > f:7 > main:2 > g:3      --hide=f       main:1 > main:2 > g:3
 *	                                 --callees=f    f:7 > main:2 > g:3
 */
#ifndef MODEL_LINE_FILTERS_H
#define MODEL_LINE_FILTERS_H

#include <stdbool.h>

#include "folding.h"
#include "line_samples.h"
#include "sites.h"

/*
 * Sets *shown to a trie of the sites that are left, to which the nodes of the entries then refer; NULL: no filter
 * takes frames out. It borrows sites and code files from the profile. The fold has run, and has its sets
 * (wants_sets). false: cancelled.
 */
bool line_filters_apply(struct folding *, struct line_samples *, struct sites **shown);
void line_filters_free(struct sites *shown); /* NULL: nothing */

#endif
