/*
 * heat.c - shows a heat map of the samples over time, to pick a range from.
 *
 *	         0 s      2 s      4 s
 *	 0 ms   . : . . # # . : . .          a column is a slice of the run (a second, if there is room),
 *	 50 ms  : . . : # # : . . .          a row is the offset within the slice, the colour is the weight
 *
 * Slices have round lengths, and share the whole width of the screen, so that some are a column wider than
 * others. A legend below says what columns, rows and colours stand for.
 *
 * Bursts, periods and pauses show as patterns that an average over the whole run hides. Enter marks one end of a
 * range, then the other; the view is then folded from the samples in between.
 */
#include "tui/heat.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/ruler.h"
#include "lib/cells.h"

#define OFFSETS 10 /* columns for the offsets on the left */
#define SCALE 9    /* cells of the scale in the legend */
#define TALLEST 3  /* screen rows of a cell, if there are few rows */
#define LABEL 12   /* columns from one time to the next, at least */
#define LEAST_ROWS 5
#define HEAT_PAGE 11       /* a page and a half page are 10 and 5 columns */
#define SAMPLES_IN_CELL 3u /* on average, at least */

void heat_init(struct app *app)
{
	app->heat = mem_zalloc(1, sizeof *app->heat);
	app->heat->mark_row = -1;
}

void heat_deinit(struct app *app)
{
	free(app->heat->cells);
	free(app->heat);
}

/* Is it of the event and the threads that are shown? */
static bool is_chosen(const struct app *app, size_t i)
{
	const struct sample_log *log = &app->profile->log[0];
	const struct recipe *r = &app->view.recipe;
	if (!log_is_of(log, i, r->series))
		return false;
	const struct task *t = &app->profile->tasks[log_task(log, i)];
	return (!r->pid || t->pid == r->pid) && (!r->tid || t->tid == r->tid) && (!r->comm || t->comm == r->comm);
}

static bool is_shown(const struct app *app, size_t i)
{
	return app->profile->log[0].time[i] != NO_TIME && is_chosen(app, i);
}

static void count(struct app *app)
{
	struct heat *h = app->heat;
	const struct sample_log *log = &app->profile->log[0];
	size_t n = (size_t)h->rows * (size_t)h->cols;
	free(h->cells);
	h->cells = mem_zalloc(n, sizeof *h->cells);
	h->max = h->total = h->untimed = 0;
	for (size_t i = 0; i < log->n; i++) {
		if (!is_chosen(app, i))
			continue;
		if (log->time[i] == NO_TIME) {
			h->untimed += log_count(log, i);
			continue;
		}
		/* Time runs down a column, and continues at the top of the next. */
		size_t cell = (log->time[i] - h->first) / h->cell_ns;
		if (cell >= n)
			cell = n - 1;
		weight_add(&h->cells[cell], log->weight[i]);
		weight_add(&h->total, log->weight[i]);
		if (h->cells[cell] > h->max)
			h->max = h->cells[cell];
	}
}

/* Lines of the legend: scarce rows are for the map. */
static int legend_lines(int rows)
{
	return rows >= 10 ? 2 : 0;
}

/*
 * Uses fewer rows than fit if samples are few: with too few samples per cell, the picture would show the beat of
 * the sampling clock instead of the program's.
 */
static int useful_rows(const struct app *app, int rows, int cols)
{
	size_t n = 0;
	for (size_t i = 0; i < app->profile->log[0].n; i++)
		n += is_shown(app, i);
	size_t useful = n / (SAMPLES_IN_CELL * (size_t)cols);
	int least = rows < LEAST_ROWS ? rows : LEAST_ROWS;
	return useful >= (size_t)rows ? rows : useful < (size_t)least ? least : (int)useful;
}

void heat_open(struct app *app)
{
	struct heat *h = app->heat;
	struct rect body = app->body;
	uint64_t first, last;
	if (!profile_time_range(app->profile, &first, &last)) {
		app_say(app, "the samples of this profile have no times");
		return;
	}
	int rows = body.rows - 2 - legend_lines(body.rows), cols = body.cols - OFFSETS;
	app->is_heat_open = true;
	h->body = body;
	h->rows = rows < 1 ? 1 : rows > 50 ? 50 : rows;
	h->cols = cols < 1 ? 1 : cols;
	h->first = first;
	h->span = last - first + 1;
	uint64_t column = ruler_step(h->span / (uint64_t)h->cols + 1), second = 1000000000u;
	/* People think in seconds, so columns are seconds unless half of the screen would stay empty. */
	if (column < second && h->span / second >= (uint64_t)h->cols / 2)
		column = second;
	int most = h->rows;
	h->rows = useful_rows(app, h->rows, (int)(h->span / column) + 1);
	h->tall = most / h->rows < TALLEST ? most / h->rows : TALLEST;
	h->cell_ns = column / (uint64_t)h->rows + 1;
	/* As many columns as the run needs. */
	uint64_t need = h->span / (h->cell_ns * (uint64_t)h->rows) + 1;
	h->width = h->cols;
	if (need < (uint64_t)h->cols)
		h->cols = (int)need;
	if (h->row >= h->rows || h->col >= h->cols)
		h->row = h->col = 0;
	h->mark_row = h->mark_col = -1;
	count(app);
}

/* The first screen column of a slice within the map, and the slice at a screen column. */
static int left_of(const struct heat *h, int col)
{
	return (int)((int64_t)col * h->width / h->cols);
}

static int slice_at(const struct heat *h, int x)
{
	return (int)((((int64_t)x + 1) * h->cols - 1) / h->width);
}

static uint64_t cell_index(const struct heat *h, int row, int col)
{
	return (uint64_t)col * (uint64_t)h->rows + (uint64_t)row;
}

/* The time in the middle of a cell. */
static uint64_t time_at(const struct heat *h, int row, int col)
{
	return h->first + cell_index(h, row, col) * h->cell_ns + h->cell_ns / 2;
}

static void find_cell(const struct heat *h, uint64_t time, int *row, int *col)
{
	uint64_t cell = time > h->first ? (time - h->first) / h->cell_ns : 0, n = cell_index(h, 0, h->cols);
	cell = cell < n ? cell : n - 1;
	*row = (int)(cell % (uint64_t)h->rows);
	*col = (int)(cell / (uint64_t)h->rows);
}

/* ns from the time that --time counts from to the map's first cell. */
static uint64_t time_before(const struct app *app)
{
	const struct heat *h = app->heat;
	return h->first - profile_time_base(app->profile, h->first);
}

void heat_tell(const struct app *app, struct shown *s)
{
	const struct heat *h = app->heat;
	uint64_t before = time_before(app);
	s->has_heat = true;
	s->heat_at = before + time_at(h, h->row, h->col) - h->first;
	if (h->mark_row >= 0)
		s->heat_mark = before + time_at(h, h->mark_row, h->mark_col) - h->first;
}

void heat_show(struct app *app)
{
	app->is_heat_open = true;
	app->heat->is_due = true;
}

static void find_shown(const struct app *app, uint64_t time, int *row, int *col)
{
	const struct heat *h = app->heat;
	uint64_t before = time_before(app);
	if (time != NO_HEAT_TIME)
		find_cell(h, h->first + (time > before ? time - before : 0), row, col);
}

static void open_as_shown(struct app *app)
{
	struct heat *h = app->heat;
	const struct shown *s = &app->view.shown;
	app->is_heat_open = h->is_due = false;
	heat_open(app);
	if (!app->is_heat_open)
		return;
	h->row = h->col = 0;
	find_shown(app, s->heat_at, &h->row, &h->col);
	find_shown(app, s->heat_mark, &h->mark_row, &h->mark_col);
}

void heat_prepare(struct app *app, struct rect body)
{
	struct heat *h = app->heat;
	if (h->is_due) {
		open_as_shown(app);
		return;
	}
	if (h->body.rows == body.rows && h->body.cols == body.cols)
		return;
	bool is_marked = h->mark_row >= 0;
	uint64_t at = time_at(h, h->row, h->col), mark = is_marked ? time_at(h, h->mark_row, h->mark_col) : 0;
	heat_open(app);
	find_cell(h, at, &h->row, &h->col);
	if (is_marked)
		find_cell(h, mark, &h->mark_row, &h->mark_col);
}

static void choose_range(struct app *app, uint64_t a, uint64_t b)
{
	struct heat *h = app->heat;
	struct recipe *r = &app->view.recipe;
	uint64_t from = a < b ? a : b, to = (a < b ? b : a) + 1;
	uint64_t before = time_before(app);
	r->from = before + from * h->cell_ns;
	r->to = before + to * h->cell_ns;
	app->is_heat_open = false;
	struct buf key, range;
	buf_init(&key);
	buf_init(&range);
	keymap_add_text(&app->keymap, ON_HEAT, "{reset}", &key);
	words_add_range(&range, r->from, r->to);
	app_say(app, "%s ({time}, then %s in the map, shows all again)", buf_str(&range), buf_str(&key));
	buf_deinit(&key);
	buf_deinit(&range);
	app->dirty |= DIRTY_TREE;
}

void heat_mark(struct app *app)
{
	struct heat *h = app->heat;
	if (h->mark_row < 0) {
		h->mark_row = h->row;
		h->mark_col = h->col;
		app_say_keys(app, ON_HEAT, "now the other end ({mark})");
		return;
	}
	choose_range(app, cell_index(h, h->mark_row, h->mark_col), cell_index(h, h->row, h->col));
}

void heat_forget_range(struct app *app)
{
	app->view.recipe.from = app->view.recipe.to = 0;
	app->is_heat_open = false;
	app->dirty |= DIRTY_TREE;
	app_say(app, "all times");
}

static void move_by(struct heat *h, int rows, int cols)
{
	int row = h->row + rows, col = h->col + cols;
	if (row < 0 && col > 0) {
		row += h->rows;
		col--;
	}
	if (row >= h->rows && col + 1 < h->cols) {
		row -= h->rows;
		col++;
	}
	h->row = row < 0 ? 0 : row >= h->rows ? h->rows - 1 : row;
	h->col = col < 0 ? 0 : col >= h->cols ? h->cols - 1 : col;
}

/* Rows move down a column, pages move across columns. */
void heat_move(struct app *app, enum motion m)
{
	struct heat *h = app->heat;
	switch (m) {
	case MOVE_LEFT:
	case MOVE_RIGHT:
		move_by(h, 0, m == MOVE_LEFT ? -1 : 1);
		break;
	case MOVE_UP:
	case MOVE_DOWN:
		move_by(h, m == MOVE_UP ? -1 : 1, 0);
		break;
	case MOVE_FIRST:
	case MOVE_LAST:
		h->col = m == MOVE_FIRST ? 0 : h->cols - 1;
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		h->row = m == MOVE_TOP ? 0 : h->rows - 1;
		break;
	default:
		move_by(h, 0, (int)motion_lines(m, HEAT_PAGE));
		break;
	}
}

void heat_help(struct app *app)
{
	app_say_keys(
		app, ON_HEAT,
		"{left} {down} {up} {right} move, {mark} marks both ends of a range, {reset} shows all times, {quit} "
		"closes");
}

void heat_click(struct app *app, int row, int col)
{
	struct heat *h = app->heat;
	int y = row - h->area.row, x = col - h->area.col;
	if (y < 0 || y >= h->area.rows || x < 0 || x >= h->area.cols)
		return;
	h->row = y / h->tall;
	h->col = slice_at(h, x);
	heat_mark(app);
}

bool heat_is_dragged(const struct app *app, int row, int col)
{
	const struct heat *h = app->heat;
	int y = row - h->area.row, x = col - h->area.col;
	bool is_inside = y >= 0 && x >= 0 && x < h->area.cols;
	return h->mark_row >= 0 && (!is_inside || y / h->tall != h->mark_row || slice_at(h, x) != h->mark_col);
}

static bool in_range(const struct heat *h, uint64_t cell)
{
	if (h->mark_row < 0)
		return false;
	uint64_t a = cell_index(h, h->mark_row, h->mark_col), b = cell_index(h, h->row, h->col);
	return a < b ? cell >= a && cell <= b : cell >= b && cell <= a;
}

static struct rgb heat_color(double share, bool is_light)
{
	/* From yellow, near the background, to dark red; empty cells have no colour. */
	double s = share < 0 ? 0 : share > 1 ? 1 : share;
	if (is_light)
		return (struct rgb){(uint8_t)(255 - 85 * s), (uint8_t)(235 - 235 * s), (uint8_t)(190 - 190 * s)};
	return (struct rgb){(uint8_t)(70 + 185 * s), (uint8_t)(30 + 150 * s * s), (uint8_t)(20 + 40 * s * s)};
}

/* A cell of the range being picked: its weight stays visible, in another hue. */
static struct style range_style(const struct theme *t, double share)
{
	struct rgb c = heat_color(share, t->is_light);
	struct rgb other = {c.b, c.g, c.r};
	if (t->depth == DEPTH_MONO)
		return (struct style){.attrs = ATTR_REVERSE};
	if (t->depth == DEPTH_16)
		return (struct style){.fg = COLOR_INDEX(15), .bg = COLOR_INDEX(4)};
	return theme_fill(t, other);
}

/* How a share of the heaviest cell looks: a colour, or a character where there are too few colours. */
static struct style look_of(const struct theme *t, double share, uint32_t *cp)
{
	static const char steps[] = ".:-=+*%@#";
	bool has_colors = t->depth > DEPTH_16;
	*cp = has_colors ? ' ' : (uint32_t)steps[(size_t)(share * (sizeof steps - 2) + 0.5)];
	return has_colors ? theme_fill(t, heat_color(share, t->is_light)) : t->plain;
}

static void paint_cell(struct app *app, int row, int col)
{
	struct heat *h = app->heat;
	uint64_t cell = cell_index(h, row, col), v = h->cells[cell];
	double share = h->max ? (double)v / (double)h->max : 0;
	struct style s = app->theme.plain;
	uint32_t cp = ' ';
	if (v > 0)
		s = look_of(&app->theme, share, &cp);
	if (row == h->row && col == h->col) {
		s = app->theme.selected;
		cp = app->theme.depth == DEPTH_MONO ? '>' : cp;
	} else if (in_range(h, cell)) {
		s = range_style(&app->theme, share);
	}
	int x = left_of(h, col), width = left_of(h, col + 1) - x;
	for (int i = 0; i < h->tall; i++)
		grid_fill(&app->grid, h->area.row + row * h->tall + i, h->area.col + x, width, cp, s);
}

static void add_time(struct buf *out, uint64_t ns)
{
	if (ns == 0)
		buf_adds(out, "0 s");
	else if (ns >= 1000 * UINT64_C(1000000000))
		buf_addf(out, "%.0f s", (double)ns / 1e9);
	else if (ns >= 1000000000u)
		buf_addf(out, "%.3g s", (double)ns / 1e9);
	else if (ns >= 1000000u)
		buf_addf(out, "%.3g ms", (double)ns / 1e6);
	else
		buf_addf(out, "%.3g us", (double)ns / 1e3);
}

/* Paints the times above the map, as many as are readable; none of them in part. */
static void paint_times(struct app *app, struct rect area)
{
	struct heat *h = app->heat;
	struct buf b;
	int step = (int)ruler_step((uint64_t)((LABEL * (int64_t)h->cols + h->width - 1) / h->width));
	buf_init(&b);
	for (int col = 0; col < h->cols; col += step) {
		int x = h->area.col + left_of(h, col);
		b.len = 0;
		add_time(&b, cell_index(h, 0, col) * h->cell_ns);
		if (x + (int)b.len <= area.col + area.cols)
			grid_text(&app->grid, area.row, x, LABEL - 1, app->theme.dim, b.data, b.len);
	}
	buf_deinit(&b);
}

/* Paints the offsets to the left, and the weight under the cursor. */
static void paint_scales(struct app *app, struct rect area)
{
	struct heat *h = app->heat;
	struct buf b;
	buf_init(&b);
	for (int row = 0; row<h->rows; row += h->tall> 1 ? 2 : 5) {
		b.len = 0;
		add_time(&b, (uint64_t)row * h->cell_ns);
		grid_text(&app->grid, h->area.row + row * h->tall, area.col, OFFSETS - 1, app->theme.dim, b.data, b.len);
	}
	b.len = 0;
	buf_addf(&b, "at %.6f s: ", (double)(cell_index(h, h->row, h->col) * h->cell_ns) / 1e9);
	view_add_weight(&app->view, &b, app_shown(app, h->cells[cell_index(h, h->row, h->col)]));
	buf_adds(&b, ", of at most ");
	view_add_weight(&app->view, &b, app_shown(app, h->max));
	buf_adds(&b, " in a cell");
	if (h->mark_row >= 0)
		buf_addf(&b, "; the range's other end is at %.6f s",
		         (double)(cell_index(h, h->mark_row, h->mark_col) * h->cell_ns) / 1e9);
	grid_numbers_cut(&app->grid, h->area.row + h->area.rows, area.col, area.cols, app->theme.plain, b.data, b.len,
	                 app->theme.ascii);
	buf_deinit(&b);
}

/* "colour: weight of a cell, from 0 [scale] to 1.02 k" */
static void paint_colors(struct app *app, int row, struct rect area)
{
	struct grid *g = &app->grid;
	const struct theme *t = &app->theme;
	struct buf most;
	int end = area.col + area.cols, col = area.col;
	buf_init(&most);
	buf_adds(&most, " ");
	view_add_weight(&app->view, &most, app_shown(app, app->heat->max));
	col += grid_str(g, row, col, end - col, t->dim, t->depth > DEPTH_16 ? "colour" : "sign");
	col += grid_str(g, row, col, end - col, t->dim, ": weight of a cell, 0  ");
	for (int i = 0; i < SCALE && col < end; i++) {
		uint32_t cp;
		struct style s = look_of(t, (double)i / (SCALE - 1), &cp);
		grid_put(g, row, col++, cp, s);
	}
	if ((int)most.len <= end - col)
		grid_text(g, row, col, end - col, t->dim, most.data, most.len);
	buf_deinit(&most);
}

static void paint_legend(struct app *app, struct rect area)
{
	const struct heat *h = app->heat;
	int row = h->area.row + h->area.rows + 1;
	struct buf b;
	if (legend_lines(area.rows) == 0)
		return;
	buf_init(&b);
	buf_adds(&b, "across: slices of ");
	add_time(&b, h->cell_ns * (uint64_t)h->rows);
	buf_adds(&b, "  down: ");
	add_time(&b, h->cell_ns);
	buf_adds(&b, " a row within a slice");
	grid_numbers_cut(&app->grid, row, area.col, area.cols, app->theme.dim, b.data, b.len, app->theme.ascii);
	buf_deinit(&b);
	paint_colors(app, row + 1, area);
}

void heat_paint(struct app *app, struct rect area)
{
	struct heat *h = app->heat;
	h->area = (struct rect){area.row + 1, area.col + OFFSETS, h->rows * h->tall, h->width};
	for (int row = 0; row < h->rows; row++)
		for (int col = 0; col < h->cols; col++)
			paint_cell(app, row, col);
	paint_times(app, area);
	paint_scales(app, area);
	paint_legend(app, area);
}
