/*
 * view_search.h - the part of a view that finds things. Only view.c uses it.
 */
#ifndef MODEL_VIEW_SEARCH_H
#define MODEL_VIEW_SEARCH_H

#include "view.h"

/* Forgets the search. */
void search_clear(struct search *);
/* The tree or the symbols are new: marks its nodes again, and counts. Without a search nothing happens. */
void search_tree(struct view *);
/* The zoom is new: counts again. Costs as much as there are matches. */
void search_zoom(struct view *);

#endif
