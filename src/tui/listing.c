/*
 * listing.c - waits for the lines of a list, and opens it.
 */
#include "tui/listing.h"

#include "tui/app.h"

void listing_begin(struct app *app, struct work *work, void (*begin)(struct app *),
                   void (*take)(struct app *, struct work *))
{
	listing_stop(app);
	app->listing = (struct listing){work, begin, take};
	app->dirty |= DIRTY_SCREEN;
	if (work_wait(work, app_patience(app)))
		listing_take(app);
}

void listing_take(struct app *app)
{
	struct listing l = app->listing;
	if (!l.work || !work_is_done(l.work))
		return;
	app->listing = (struct listing){.work = NULL};
	l.take(app, l.work);
	app->dirty |= DIRTY_SCREEN;
}

void listing_stop(struct app *app)
{
	work_cancel(app->listing.work);
	app->listing = (struct listing){.work = NULL};
}

void listing_again(struct app *app)
{
	void (*begin)(struct app *) = app->listing.begin;
	if (!begin || app->listing.work)
		return;
	app->listing.begin = NULL;
	begin(app);
}
