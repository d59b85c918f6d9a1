/*
 * panes.c - makes and frees the panes of tabs.h, and the overlays.
 */
#include "tui/panes.h"

#include "tui/app.h"
#include "tui/heat.h"

#define PANE_ADDRESS(name, TAB, key, help) [TAB_##TAB] = &name##_pane,

static const struct pane *const panes[N_TABS] = {PANES(PANE_ADDRESS)};

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
