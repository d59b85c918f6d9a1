/*
 * lanes_paint.c - paints titles, frames and the ruler of a chart with a time axis.
 */
#include <stdio.h>

#include "base/number.h"
#include "base/ruler.h"
#include "lib/cells.h"
#include "tui/canvas.h"
#include "tui/lanes.h"

#define LEAST_ROWS 3 /* on a lower screen the rows are for the lanes */

static bool has_ruler(struct rect area)
{
	return area.rows >= LEAST_ROWS;
}

struct rect lanes_area(const struct app *app, struct rect area)
{
	if (!has_ruler(area))
		return area;
	area.rows--;
	area.row += app->view.is_inverted;
	return area;
}

bool lanes_row_at(const struct app *app, struct rect area, int line, size_t *row)
{
	int from_edge = app->view.is_inverted ? line - area.row : area.row + area.rows - 1 - line;
	if (from_edge < 0 || from_edge >= area.rows)
		return false;
	*row = app->lanes->scroll + (size_t)from_edge;
	return *row < lanes_count(app);
}

/* ---- frames -------------------------------------------------------------------------------------------------- */

/* The canvas of a lane: its visible rows within the area of the rows. false: none is visible. */
static bool make_canvas(struct app *app, struct rect area, uint32_t lane, const struct marks *marks,
                        struct canvas *c)
{
	const struct lanes *l = app->lanes;
	const struct view *v = &app->view;
	size_t first = l->rows[lane] + 1, from = first > l->scroll ? first : l->scroll;
	size_t end = l->scroll + (size_t)area.rows, to = l->rows[lane + 1] < end ? l->rows[lane + 1] : end;
	if (from >= to)
		return false;
	int rows = (int)(to - from), before = (int)(from - l->scroll);
	*c = (struct canvas){
		.layout = lanes_layout(app, lane),
		.view = &app->view,
		.theme = &app->theme,
		.area = {.row = v->is_inverted ? area.row + before : area.row + area.rows - before - rows,
	             .col = area.col,
	             .rows = rows,
	             .cols = area.cols},
		.scroll = from - first,
		.grows_up = !v->is_inverted,
		.selected = NO_BOX,
		.marks = marks,
		.whole = view_total(v),
		.factor = app_factor(app),
	};
	const struct box *b = marks ? NULL : lanes_box(app);
	if (b && tree_lane_of(&v->tree, v->cursor) == lane) {
		c->layout = lanes_layout(app, lane); /* looking for the box may have laid out more rows */
		c->selected = (size_t)(b - c->layout->boxes);
	}
	return true;
}

/* ---- titles -------------------------------------------------------------------------------------------------- */

static void add_title(const struct app *app, struct buf *out, uint32_t lane)
{
	const struct tree *t = &app->view.tree;
	static const char *const signs[2][2] = {{"\xE2\x96\xBE ", "\xE2\x96\xB8 "}, {"- ", "+ "}};
	buf_adds(out, signs[app->theme.ascii][lanes_is_folded(app, lane)]);
	words_add_lane(out, &app->view, lane, app_clean_mode(app));
	buf_adds(out, "  ");
	number_add_percent(out, tree_lane_total(t, lane), view_total(&app->view), 1);
	buf_adds(out, "% ");
}

/* When the thread of a folded lane was busy. */
static void paint_busy(struct app *app, struct rect area, int row, int from, uint32_t lane)
{
	const struct layout *l = lanes_layout(app, lane);
	bool is_ascii = app->theme.ascii;
	for (size_t i = 0; l->rows > 0 && i < l->row_start[1]; i++) {
		const struct box *b = &l->boxes[i];
		uint32_t sign = box_is_aggregate(b) ? (is_ascii ? '~' : 0x2505) : is_ascii ? '=' : 0x2501;
		for (int col = (int)b->col < from ? from : (int)b->col; col < (int)b->end; col++)
			grid_put(&app->grid, row, area.col + col, sign, app->theme.dim);
	}
}

static void paint_title(struct app *app, struct rect area, int row, uint32_t lane, bool may_select)
{
	struct grid *g = &app->grid;
	const struct theme *t = &app->theme;
	uint32_t title;
	bool is_selected = may_select && lanes_title(app, &title) && title == lane,
		 is_folded = lanes_is_folded(app, lane);
	struct buf text;
	buf_init(&text);
	add_title(app, &text, lane);
	int used = grid_numbers_cut(g, row, area.col, area.cols, is_selected ? t->selected : t->bold, text.data,
	                            text.len, t->ascii);
	if (is_folded)
		paint_busy(app, area, row, used, lane);
	else
		grid_fill(g, row, area.col + used, area.cols - used, t->ascii ? '-' : 0x2500, t->dim);
	buf_deinit(&text);
}

/* ---- the ruler ----------------------------------------------------------------------------------------------- */

/* How times on the ruler are written. */
struct scale {
	uint64_t step, unit; /* ns */
	int places;
	const char *name;
};

static int add_mark(const struct app *app, const struct scale *s, uint64_t time, char *text, size_t size)
{
	const char *line = app->theme.ascii ? "|" : "\xE2\x94\x82";
	return snprintf(text, size, "%s%.*f %s", line, s->places, (double)time / (double)s->unit, s->name);
}

/* The finest scale whose marks fit. */
static struct scale scale_for(const struct app *app, struct span span, int cols)
{
	struct scale s = {.unit = 1000000000, .name = "s"};
	char text[64];
	if (span.to <= 1000000) {
		s = (struct scale){.unit = 1000, .name = "us"};
	} else if (span.to <= 1000000000) {
		s = (struct scale){.unit = 1000000, .name = "ms"};
	}
	for (int least = 8; least < 40; least++) { /* columns from one mark to the next */
		int marks = cols / least > 0 ? cols / least : 1;
		s.step = ruler_step((span.to - span.from) / (uint64_t)marks + 1);
		s.places = 0;
		for (uint64_t unit = s.unit; unit > 1 && s.step % unit != 0; unit /= 10)
			s.places++;
		int bytes = add_mark(app, &s, span.to, text, sizeof text), columns = bytes - (app->theme.ascii ? 0 : 2);
		if (columns + 1 <= least)
			break;
	}
	return s;
}

static void paint_ruler(struct app *app, struct rect within)
{
	struct span span = view_span(&app->view);
	struct scale s = scale_for(app, span, within.cols);
	int row = app->view.is_inverted ? within.row : within.row + within.rows - 1;
	uint64_t time;
	for (bool has = ruler_first(span.from, s.step, span.to, &time); has; has = ruler_next(s.step, span.to, &time)) {
		char text[64];
		int col = (int)lane_layout_column(span, (uint32_t)within.cols, time);
		int bytes = add_mark(app, &s, time, text, sizeof text), columns = bytes - (app->theme.ascii ? 0 : 2);
		if (col + columns <= within.cols) /* a number is whole or left out */
			grid_str(&app->grid, row, within.col + col, within.cols - col, app->theme.dim, text);
		else
			grid_text(&app->grid, row, within.col + col, 1, app->theme.dim, text, app->theme.ascii ? 1 : 3);
	}
}

void lanes_paint(struct app *app, struct rect within, const struct marks *marks)
{
	const struct lanes *l = app->lanes;
	struct rect area = lanes_area(app, within);
	if (app->view.tree.n_lanes == 0)
		return;
	for (uint32_t lane = lanes_at(app, l->scroll); lane < app->view.tree.n_lanes; lane++) {
		struct canvas c;
		int before = (int)l->rows[lane] - (int)l->scroll;
		if (before >= area.rows)
			break;
		if (before >= 0)
			paint_title(app, area, app->view.is_inverted ? area.row + before : area.row + area.rows - 1 - before,
			            lane, !marks);
		if (make_canvas(app, area, lane, marks, &c))
			canvas_paint(&app->grid, &c);
	}
	if (has_ruler(within))
		paint_ruler(app, within);
}
