/*
 * header.c - paints the profile's heading, and the path to the zoomed frame.
 *
 *	cargo.perf  cpu-clock 51.5 G ns  flame  12.3% excluded                     rows 1-30 of 55
 *	all > main > parse_file > … > lex
 */
#include "tui/header.h"

#include <string.h>

#include "base/number.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"
#include "tui/change.h"
#include "tui/heat.h"
#include "tui/sandwich.h"
#include "tui/wide.h"

#define MORE_FILTERS 13 /* columns of "  +10 filters" */
#define ROOM_FOR_WHOLE 100
#define MOST_COMMAND 40u /* columns of a command in the header */

/* Appends the recorded command as typed, without the directory of the program, and shortened to fit. */
static void add_recorded(const struct app *app, struct buf *out, const char *command)
{
	struct buf clean;
	const char *start = command;
	for (const char *p = command; *p && *p != ' '; p++)
		if (*p == '/' && p[1] && p[1] != ' ')
			start = p + 1;
	buf_init(&clean);
	app_add_clean(app, &clean, start);
	size_t n = utf8_fit(clean.data, clean.len, MOST_COMMAND);
	buf_add(out, clean.data, n);
	if (n < clean.len)
		buf_adds(out, app->theme.ascii ? ".." : "…");
	buf_deinit(&clean);
}

static void add_address(const struct app *app, struct buf *out, const char *address)
{
	struct buf title;
	buf_init(&title);
	title_add(&title, address);
	app_add_clean(app, out, buf_str(&title));
	buf_deinit(&title);
}

static void add_input(const struct app *app, struct buf *out, const struct load_input *in)
{
	if (in->fetcher)
		add_address(app, out, in->path);
	else
		app_add_clean(app, out, strcmp(in->path, "-") == 0 ? "stdin" : app_base_name(in->path));
}

static void add_inputs(const struct app *app, struct buf *out)
{
	size_t shown = 0, bases = 0;
	for (size_t i = 0; i < app->n_inputs; i++) {
		if (app->inputs[i].side == 1) {
			bases++;
			continue;
		}
		if (shown++ == 0) {
			if (app->options->record.is_record && !app->inputs[i].fetcher)
				add_recorded(app, out, app->inputs[i].path);
			else
				add_input(app, out, &app->inputs[i]);
		}
	}
	if (shown > 1)
		buf_addf(out, " +%zu", shown - 1);
	bool is_compared = !app->view.recipe.leaves_base && !app->view.recipe.chart;
	for (size_t i = 0; i < app->n_inputs && bases > 0 && is_compared; i++) {
		if (app->inputs[i].side != 1)
			continue;
		buf_adds(out, " vs ");
		add_input(app, out, &app->inputs[i]);
		if (bases > 1)
			buf_addf(out, " +%zu", bases - 1);
		break;
	}
}

static void add_total(const struct app *app, struct buf *out)
{
	const char *event = view_event(&app->view), *unit = view_unit(&app->view);
	uint64_t total = app->is_heat_open ? app->heat->total : view_total(&app->view);
	struct buf others;
	buf_init(&others);
	buf_adds(out, "  ");
	if (*event) {
		app_add_clean(app, out, event);
		buf_addc(out, ' ');
	}
	view_add_weight(&app->view, out, app_shown(app, total));
	if (*unit && strcmp(unit, event) != 0 && !view_is_time(&app->view))
		buf_addf(out, " %s", view_unit_of(&app->view, app_shown(app, total)));
	view_add_other_events(&app->view, &others);
	app_add_clean(app, out, buf_str(&others));
	buf_deinit(&others);
}

/* The visible time of a chart with a time axis: ", 1.5 s to 2.25 s of 8.5 s" or " over 8.5 s". */
static void add_range(const struct app *app, struct buf *out)
{
	struct span whole = view_whole_span(&app->view);
	if (view_is_zoomed(&app->view)) {
		buf_adds(out, ", ");
		words_add_span(out, &app->view, app->grid.cols >= ROOM_FOR_WHOLE);
	} else {
		buf_adds(out, " over ");
		number_add_time(out, whole.to - whole.from, 9);
	}
}

static void add_mode(const struct app *app, struct buf *out)
{
	static const char *const orders[] = {" by name", "", " in order of input"}; /* the usual one is not named */
	const struct recipe *r = &app->view.recipe;
	if (app->is_heat_open) {
		buf_adds(out, "  heat map");
		return;
	}
	const char *shape = r->chart ? "flame chart" : app->view.is_inverted ? "icicle" : "flame";
	buf_addf(out, "  %s", app->tab == TAB_FLAME ? shape : app_pane(app)->name);
	if (app->view.tree.group != BY_FUNCTION)
		buf_addf(out, " of %s", group_plural(app->view.tree.group));
	if (!r->chart && app->tab == TAB_FLAME)
		buf_adds(out, orders[r->sort]);
	if (r->reverse && !recipe_has_callers(r))
		buf_adds(out, ", from the leaves");
	if (wide_has_both(app))
		buf_addf(out, " + %s", app->tab == TAB_TOP ? shape : app->panes[TAB_TOP]->name);
	if (app->view.tree.until && (app->tab == TAB_FLAME || app->tab == TAB_TOP))
		add_range(app, out);
}

/* Appends what the collapser left out. */
static void add_idle(const struct app *app, struct buf *out)
{
	size_t len = out->len;
	buf_adds(out, "  ");
	if (!idle_add_share(app->profile, app->view.recipe.series, out))
		out->len = len;
}

static void add_filters(const struct app *app, struct buf *out, size_t room)
{
	words_add_filters(out, &app->view, "  ", app_clean_mode(app), room);
	if (app->view.min_share > 0 && (app->tab == TAB_FLAME || app->tab == TAB_SANDWICH))
		buf_addf(out, "  from %g%% on", app->view.min_share);
}

/* Appends that paths are estimated. */
static void add_estimate(const struct app *app, struct buf *out)
{
	size_t len = out->len;
	buf_adds(out, "  ");
	if (!estimate_add_share(app->profile, app->view.recipe.series, out))
		out->len = len;
}

/* Appends how many rows are left out because they have too many frames. */
static void add_left_out(const struct app *app, struct buf *out)
{
	uint32_t rows = tree_rows_left_out(&app->view.tree, app->view.zoom);
	if (app->tab == TAB_SANDWICH && app->sandwich->halves.is_cut[app->sandwich->half]) {
		buf_adds(out, "  deeper rows left out");
	} else if (rows > 0 && app_pane(app)->shows_tree) {
		buf_adds(out, "  up to ");
		number_add_commas(out, rows, 0);
		buf_adds(out, " deeper rows left out");
	}
}

/* Appends the parts left out. The heat map leaves out only other threads: it is for picking a time among all. */
static void add_parts(const struct app *app, struct buf *out, size_t room)
{
	const struct recipe *r = &app->view.recipe;
	if (app->early.is_shown)
		buf_adds(out, "  only wide frames so far");
	add_idle(app, out);
	add_estimate(app, out);
	if (!app_is_loading(app)) /* else the right side counts what is lost */
		words_add_missing(out, &app->view, "  ");
	words_add_baseless(out, &app->view, "  ");
	words_add_base_event(out, &app->view, "  ", app_clean_mode(app));
	words_add_task(out, &app->view, "  ", app_clean_mode(app));
	if (!app->is_heat_open) {
		words_add_times(out, &app->view, "  ");
		add_filters(app, out, room);
		add_left_out(app, out);
		return;
	}
	if (r->n_filters > 0 || r->from || r->to || r->last || r->half_life)
		buf_adds(out, "  all stacks and times");
	if (app->heat->untimed)
		buf_adds(out, "  ");
	words_add_untimed(out, app->heat->untimed);
}

/* perf prints each sample. In other formats a stack may have a count, and the counts are what is called samples. */
static const char *what_comes(const struct app *app)
{
	const char *format = app->profile->format;
	return format && strncmp(format, "perf", 4) == 0 ? "sample" : "stack";
}

/* The footer says how much of it; but there a message may stand instead. */
static void add_loading(const struct app *app, struct buf *out)
{
	const struct load_status *s = &app->load;
	buf_adds(out, "loading");
	if (s->bytes_all > 0 && s->bytes <= s->bytes_all)
		buf_addf(out, " %d%%", (int)(100 * (double)s->bytes / (double)s->bytes_all));
}

/*
 * Appends the right side: rows, and while a profile is coming in, its figures, which take precedence if room is
 * short.
 */
static void add_header_right(const struct app *app, struct buf *out)
{
	size_t first, last, all, most = app->grid.cols > 45 ? (size_t)app->grid.cols - 40 : 0;
	struct buf rows;
	buf_init(&rows);
	const char *what = app_pane(app)->rows(app, &first, &last, &all);
	if (!app->is_heat_open && !app_has_nothing(app))
		buf_addf(&rows, "%s %zu-%zu of %zu", what, first, last, all);
	if (app_is_loading(app) && app->load.is_live)
		live_add(out, &app->live, &app->load, what_comes(app), most);
	else if (app_is_loading(app) && !app->is_second_pass)
		add_loading(app, out);
	if (app->outcome)
		buf_addf(out, "%s%s", out->len > 0 ? "  " : "", app->outcome);
	if (rows.len > 0 && (out->len == 0 || out->len + rows.len + 30 <= most))
		buf_addf(out, "%s%s", out->len > 0 ? "  " : "", buf_str(&rows));
	buf_deinit(&rows);
}

void header_paint(struct app *app)
{
	struct grid *g = &app->grid;
	struct buf left, right;
	buf_init(&left);
	buf_init(&right);
	if (view_is_diff(&app->view)) { /* first, since it changes the meaning of the rest */
		words_add_comparison(&left, &app->totals.basis);
		buf_adds(&left, "  ");
	}
	add_inputs(app, &left);
	add_total(app, &left);
	if (view_is_diff(&app->view)) {
		buf_adds(&left, "  ");
		change_add_counts(&left, app);
	}
	add_mode(app, &left);
	add_header_right(app, &right);
	int room = g->cols - (int)right.len - 2;
	bool has_right = room >= 20;
	if (!has_right)
		room = g->cols;
	add_parts(app, &left, room > MORE_FILTERS ? (size_t)room - MORE_FILTERS : 0);
	if (app->is_frozen)
		buf_adds(&left, "  frozen");
	grid_fill(g, 0, 0, g->cols, ' ', app->theme.bar);
	if (has_right)
		grid_text(g, 0, g->cols - (int)right.len, (int)right.len, app->theme.bar_dim, right.data, right.len);
	grid_numbers_cut(g, 0, 0, room, app->theme.bar, left.data, left.len, app->theme.ascii);
	buf_deinit(&left);
	buf_deinit(&right);
}

/* ---- breadcrumb ---------------------------------------------------------------------------------------------- */

/*
 * The zoomed frame's ancestors, as many as fit: the outermost ones, "…", the innermost ones. They are collected
 * from the zoomed frame up; at most the first and the last MAX_CRUMBS / 2 of them are shown.
 */
struct crumb_path {
	uint32_t head[MAX_CRUMBS / 2], tail[MAX_CRUMBS / 2]; /* from the root down; tail ends with the zoomed frame */
	size_t n_head, n_tail;
	bool has_gap;
};

static void collect_crumbs(const struct tree *t, uint32_t zoom, struct crumb_path *p)
{
	const size_t half = MAX_CRUMBS / 2;
	size_t depth = tree_depth(t, zoom) + 1, at = depth;
	*p = (struct crumb_path){.n_head = depth < half ? depth : half};
	p->n_tail = depth - p->n_head < half ? depth - p->n_head : half;
	p->has_gap = depth > p->n_head + p->n_tail;
	for (uint32_t node = zoom;; node = t->parent[node]) {
		at--;
		if (at < p->n_head)
			p->head[at] = node;
		else if (at >= depth - p->n_tail)
			p->tail[at - (depth - p->n_tail)] = node;
		if (node == NODE_ALL)
			return;
	}
}

static size_t crumb_columns(struct app *app, uint32_t node)
{
	size_t n = canvas_name(&app->view, &app->view.tree, node)->columns;
	return (n > 40 ? 40 : n) + 3;
}

static int paint_crumb(struct app *app, int col, uint32_t node)
{
	const struct display_name *name = canvas_name(&app->view, &app->view.tree, node);
	struct grid *g = &app->grid;
	int start = col, max = g->cols - col > 40 ? 40 : g->cols - col;
	struct style s = node == app->view.zoom ? app->theme.bold : app->theme.key;
	col += grid_text_cut(g, 1, col, max, s, name->text, name->len, app->theme.ascii);
	if (app->n_crumbs < MAX_CRUMBS)
		app->crumbs[app->n_crumbs++] = (struct crumb){start, col, node};
	if (node != app->view.zoom)
		col += grid_str(g, 1, col, g->cols - col, app->theme.dim, " > ");
	return col;
}

void header_paint_crumbs(struct app *app)
{
	struct crumb_path p;
	uint32_t nodes[MAX_CRUMBS];
	collect_crumbs(&app->view.tree, app->view.zoom, &p);
	memcpy(nodes, p.head, p.n_head * sizeof *nodes);
	memcpy(nodes + p.n_head, p.tail, p.n_tail * sizeof *nodes);
	size_t n = p.n_head + p.n_tail, room = (size_t)app->grid.cols, used = 4;
	size_t first = 0, last = n; /* shown: [0, first) and [last, n) */
	/* Adds crumbs from both ends in turn, the zoomed frame first, while there is room. */
	while (first < last) {
		bool from_end = n - last <= first;
		size_t w = crumb_columns(app, nodes[from_end ? last - 1 : first]);
		if (used + w > room && n - last > 0)
			break;
		used += w;
		if (from_end)
			last--;
		else
			first++;
	}
	int col = 0;
	app->n_crumbs = 0;
	for (size_t i = 0; i < first; i++)
		col = paint_crumb(app, col, nodes[i]);
	if (first < last || p.has_gap)
		col +=
			grid_str(&app->grid, 1, col, app->grid.cols - col, app->theme.dim, app->theme.ascii ? ".. > " : "… > ");
	for (size_t i = last; i < n; i++)
		col = paint_crumb(app, col, nodes[i]);
}
