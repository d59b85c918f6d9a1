/*
 * panes.c - makes and frees the panes of tabs.h, and the overlays, and tells what they show.
 */
#include "tui/panes.h"

#include "tui/app.h"
#include "tui/beside.h"
#include "tui/heat.h"
#include "tui/wide.h"

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

void panes_tell(struct app *app)
{
	struct shown *s = &app->view.shown;
	shown_deinit(s);
	s->view = app_pane(app)->view;
	beside_tell(app, s);
	if (app->is_heat_open)
		heat_tell(app, s);
}

void panes_show(struct app *app)
{
	const struct shown *s = &app->view.shown;
	app->is_named = !s->is_on_cell;
	app->is_beside = s->is_beside;
	for (int i = 0; i < N_TABS; i++) {
		bool is_in_front = panes[i]->view == s->view;
		if (is_in_front)
			app->tab = (enum tab)i;
		panes[i]->show(app, is_in_front || (s->is_beside && wide_is_one_of_two((enum tab)i)));
	}
	if (s->has_heat)
		heat_show(app);
	app->dirty |= DIRTY_SCREEN | DIRTY_LAYOUT;
}
