/*
 * paint.c - paints header, breadcrumb, the view (or why it is empty), footer, and overlays.
 */
#include "tui/paint.h"

#include "base/number.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/beside.h"
#include "tui/footer.h"
#include "tui/header.h"
#include "tui/heat.h"
#include "tui/minimap.h"
#include "tui/screen.h"

/* Tells which part of the time is picked, and when the samples end. */
static void add_time_reason(const struct app *app, struct buf *out)
{
	const struct recipe *r = &app->view.recipe;
	uint64_t first, last;
	buf_adds(out, "  - only ");
	words_add_range(out, r->from, r->to);
	app_add_keys(app, out, " is picked ({time}: another)");
	if (profile_time_range(app->profile, &first, &last)) {
		uint64_t end = last - profile_time_base(app->profile, first);
		buf_adds(out, "; the samples end at ");
		number_add_moment(out, end, r->to > r->from ? r->to - r->from : end);
	}
	buf_addc(out, '\n');
}

static void add_reasons(const struct app *app, struct buf *out)
{
	const struct recipe *r = &app->view.recipe;
	const struct profile *p = app->profile;
	if (r->comm || r->pid || r->tid)
		app_add_keys(app, out, "  - one thread or process is picked ({threads}: pick another, or all)\n");
	if (r->from || r->to)
		add_time_reason(app, out);
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].matched_none && r->filters[i].pattern) {
			buf_addf(out, "  - no %s matches the filter ", words_filtered(r->filters[i].kind));
			words_add_pattern(out, &r->filters[i], app_clean_mode(app));
			buf_addc(out, '\n');
		}
	if (r->n_filters > 0) {
		buf_addf(out, "  - %zu filter%s on ", r->n_filters, r->n_filters > 1 ? "s are" : " is");
		app_add_keys(app, out, "({filters}: what each took out; ");
		keymap_add_text(&app->keymap, ON_LIST, "{remove} in that list removes it)\n", out);
	}
	if (profile_has_events(p))
		app_add_keys(app, out, "  - other events or values may have samples ({events})\n");
}

/* Few lines may belong to several formats. */
static void add_unsure(struct buf *out, uint64_t bytes)
{
	number_add_commas(out, bytes, 0);
	buf_adds(out, bytes == 1 ? " byte has" : " bytes have");
	buf_adds(out, " arrived, too few to tell the format:\nmore lines do, or the end of the input.\n");
}

/* Says why a tree has no weight, and what helps. */
static void paint_nothing(struct app *app, struct rect body)
{
	struct buf text;
	const struct tree *t = &app->view.tree;
	int row = body.row + (body.rows > 8 ? 2 : 0);
	buf_init(&text);
	if (app->choice == CHOICE_MADE)
		buf_adds(&text, "asking the server what there is to choose");
	else if (t->excluded[0] > 0)
		buf_adds(&text, "Nothing is left to show.\n");
	else if (app_is_loading(app) && app->load.unsure)
		add_unsure(&text, app->load.unsure);
	else if (app_is_loading(app) || app_is_folding(app) || app->choice != CHOICE_NONE)
		buf_adds(&text, "nothing has arrived yet");
	else if (app->profile->log[0].n > 0)
		buf_adds(&text, "All samples of this profile have a weight of 0.\n");
	else
		app_add_keys(app, &text, "The profile has no samples ({notes} shows what was skipped).\n");
	if (t->excluded[0] > 0 || (!app_is_loading(app) && !app_is_folding(app)))
		add_reasons(app, &text);
	if (t->excluded[0] > 0)
		app_add_keys(app, &text, "{reset} undoes all of this: zoom, filters, times and order.\n");
	for (size_t at = 0; at < text.len && row < body.row + body.rows; row++) {
		size_t len = 0;
		while (at + len < text.len && text.data[at + len] != '\n')
			len++;
		grid_text_cut(&app->grid, row, body.col + 2, body.cols - 2, app->theme.plain, text.data + at, len,
		              app->theme.ascii);
		at += len + 1;
	}
	buf_deinit(&text);
}

/* Below this width nothing is readable. */
#define LEAST_COLUMNS 20

#define LEAST_SCREEN_ROWS 4

static void paint_too_small(struct app *app)
{
	struct grid *g = &app->grid;
	struct buf text;
	size_t at = 0;
	buf_init(&text);
	buf_addf(&text, "%dx%d is too small: %dx%d at least", g->cols, g->rows, LEAST_COLUMNS, LEAST_SCREEN_ROWS);
	for (int row = 0; row < g->rows && at < text.len; row++) {
		size_t n = utf8_fit(text.data + at, text.len - at, (size_t)g->cols);
		grid_text(g, row, 0, g->cols, app->theme.plain, text.data + at, n);
		at += n > 0 ? n : text.len;
	}
	buf_deinit(&text);
}

static void add_weight(const struct app *app, struct buf *out, uint64_t weight)
{
	view_add_weight(&app->view, out, app_shown(app, weight));
}

static void paint_list(struct app *app, struct rect body)
{
	struct list_screen on = {&app->grid, &app->theme, app, add_weight};
	list_paint(&app->list, &on, body);
}

void paint(struct app *app)
{
	struct rect body = app->body = screen_body(app);
	grid_clear(&app->grid);
	app->n_crumbs = 0;
	if (app->grid.cols < LEAST_COLUMNS || app->grid.rows < LEAST_SCREEN_ROWS) {
		paint_too_small(app);
		return;
	}
	header_paint(app);
	if (screen_has_crumbs(app))
		header_paint_crumbs(app);
	if (minimap_is_shown(app))
		minimap_paint(app, body.row - 1);
	if (app->is_heat_open)
		heat_paint(app, body);
	else if (app_has_nothing(app))
		paint_nothing(app, body);
	else
		beside_paint(app, body);
	footer_paint(app);
	if (app->list.is_open)
		paint_list(app, body);
}
