/*
 * view_search.h - the part of a view that finds things. Only view.c uses it.
 */
#ifndef MODEL_VIEW_SEARCH_H
#define MODEL_VIEW_SEARCH_H

#include "view.h"

/* The tree or the symbols are new: marks its nodes again, and counts. Without a search nothing happens. */
void search_tree(struct view *);
/* The zoom is new: counts again. Below a match this looks at each match, up to view->most_counted; else it is quick. */
void search_zoom(struct view *);

#endif
