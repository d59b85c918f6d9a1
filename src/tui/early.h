/*
 * early.h - shows the wide frames of a caller tree while the rest of it is being folded.
 *
 * The tree before is kept with its places. The whole tree then comes as if there had been no early one, unless the
 * user has moved on meanwhile; and a fold that is stopped leaves everything as it was.
 */
#ifndef TUI_EARLY_H
#define TUI_EARLY_H

#include "tui/app.h"

/* Shows the early tree of the running fold, if there is one and the totals of the tree before hold for it. */
void early_take(struct app *);
/* Another tree is about to replace the early one. The view must have no search. */
void early_end(struct app *);
/* Shows the tree before again, if an early one is shown. */
void early_give_back(struct app *);
/* Frees the tree before. */
void early_drop(struct app *);

#endif
