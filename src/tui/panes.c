/*
 * panes.c - a row for each pane, and what lies over them.
 */
#include "tui/panes.h"

#include "tui/app.h"
#include "tui/calls.h"
#include "tui/flame.h"
#include "tui/heat.h"
#include "tui/sandwich.h"
#include "tui/top.h"

static const struct pane *const panes[N_TABS] = {
	[TAB_FLAME] = &flame_pane,
	[TAB_TOP] = &top_pane,
	[TAB_SANDWICH] = &sandwich_pane,
	[TAB_CALLS] = &calls_pane,
};

void panes_init(struct app *app)
{
	app->panes = panes;
	heat_init(app);
	for (int i = 0; i < N_TABS; i++)
		panes[i]->init(app);
}

void panes_deinit(struct app *app)
{
	for (int i = 0; i < N_TABS; i++)
		panes[i]->deinit(app);
	heat_deinit(app);
}
