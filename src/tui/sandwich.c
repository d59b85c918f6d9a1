/*
 * sandwich.c - shows one function in the middle, its callers above, its callees below.
 *
 *	      |  net_rx  | timer |        callers grow up, nearest first
 *	      |   do_softirq     |
 *	   == |  tcp_send        | ==     the function
 *	      |  copy | checksum |        callees grow down
 *
 * Each half is a tree made from the view's tree (halves.c), in the background if that takes long. Only the
 * outermost frames of the function take part: otherwise a recursive call would count twice. Enter puts another
 * function into the middle, Backspace the previous one.
 */
#include "tui/sandwich.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lib/cells.h"
#include "tui/canvas.h"

static void drop(struct sandwich_key *w)
{
	free(w->search);
	*w = (struct sandwich_key){.symbol = NO_SYMBOL};
}

static void sandwich_init(struct app *app)
{
	struct sandwich *s = app->sandwich = mem_alloc(sizeof *s);
	*s = (struct sandwich){.symbol = NO_SYMBOL, .half = HALF_CALLEES};
	halves_init(&s->halves);
	drop(&s->made);
	drop(&s->wanted);
	for (int i = 0; i < 2; i++)
		layout_init(&s->layouts[i]);
}

static void stop_work(struct sandwich *s)
{
	work_cancel(s->work);
	s->work = NULL;
	drop(&s->wanted);
}

static void sandwich_deinit(struct app *app)
{
	struct sandwich *s = app->sandwich;
	stop_work(s);
	drop(&s->made);
	halves_deinit(&s->halves);
	for (int i = 0; i < 2; i++)
		layout_deinit(&s->layouts[i]);
	free(s->lost);
	free(s->past);
	free(s);
}

static void sandwich_forget(struct app *app)
{
	struct sandwich *s = app->sandwich;
	stop_work(s);
	halves_forget_frames(&s->halves);
	s->stamp = 0;
}

static void put_in_the_middle(struct app *app, uint32_t symbol)
{
	struct sandwich *s = app->sandwich;
	s->symbol = symbol;
	s->group = app->view.tree.group;
	s->cursor = 0;
	s->half = HALF_CALLEES;
	s->scroll[0] = s->scroll[1] = 0;
	s->stamp = 0;
	s->is_due = false;
	app->dirty |= DIRTY_SCREEN;
}

static void set_middle(struct app *app, uint32_t symbol)
{
	struct sandwich *s = app->sandwich;
	if (s->symbol != NO_SYMBOL)
		mem_push(s->past, s->n_past, s->cap_past, s->symbol);
	put_in_the_middle(app, symbol);
}

/* The default without a selection. */
static void set_heaviest(struct app *app)
{
	uint32_t symbol = shown_heaviest(&app->profile->symtab, app->totals.sums, app->totals.n_sums);
	if (symbol == NO_SYMBOL)
		return;
	put_in_the_middle(app, symbol);
	sandwich_say_heaviest(app);
}

void sandwich_say_heaviest(struct app *app)
{
	app_say(app, "no function was selected: this is the heaviest by self weight ({view-top} lists them all)");
}

bool sandwich_back(struct app *app)
{
	struct sandwich *s = app->sandwich;
	if (s->n_past == 0)
		return false;
	put_in_the_middle(app, s->past[--s->n_past]);
	return true;
}

bool sandwich_has_function(const struct app *app)
{
	return app->sandwich->symbol < app->profile->symtab.n;
}

/* The function's row belongs to the callees; the callers' half begins above it. */
static void place_halves(struct sandwich *s, struct rect area)
{
	int depth = (int)(s->halves.trees[HALF_CALLERS].depth < 10000 ? s->halves.trees[HALF_CALLERS].depth : 10000);
	int below =
		(int)(s->halves.trees[HALF_CALLEES].depth < 10000 ? s->halves.trees[HALF_CALLEES].depth : 10000) + 1;
	int above = depth < area.rows / 2 ? depth : area.rows / 2;
	if (below < area.rows - above && depth > above)
		above = depth < area.rows - below ? depth : area.rows - below;
	s->areas[HALF_CALLERS] = area;
	s->areas[HALF_CALLERS].rows = above;
	s->areas[HALF_CALLEES] = area;
	s->areas[HALF_CALLEES].row += above;
	s->areas[HALF_CALLEES].rows -= above;
}

/* Row 0 of the callers' layout, the function, is scrolled out, as the other half shows it. */
static size_t first_row(enum sandwich_half half)
{
	return half == HALF_CALLERS ? 1 : 0;
}

/* A stack may be far deeper than a user scrolls here. */
#define SANDWICH_ROWS 5000u

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Is it about the current function in the current tree? */
static bool is_of_this(const struct app *app, const struct sandwich_key *w)
{
	return w->symbol == app->sandwich->symbol && w->tree == app->tree_stamp;
}

static bool is_current(const struct app *app, const struct sandwich_key *w, int cols)
{
	return is_of_this(app, w) && w->cols == cols && is_same(w->search, app->view.search.pattern);
}

const struct halves *sandwich_halves(const struct app *app)
{
	const struct sandwich *s = app->sandwich;
	return sandwich_has_function(app) && is_current(app, &s->made, s->made.cols) ? &s->halves : NULL;
}

/* Is a search all that is new? */
static bool only_wants_light(const struct app *app, int cols)
{
	const struct sandwich *s = app->sandwich;
	return is_of_this(app, &s->made) && s->made.cols == cols && halves_can_be_lit(&s->halves);
}

static void start_work(struct app *app, int cols)
{
	struct sandwich *s = app->sandwich;
	const char *pattern = app->view.search.pattern;
	struct halves_recipe r = {
		.view = &app->view,
		.symtab = &app->profile->symtab,
		.symbol = s->symbol,
		.cols = cols,
		.is_by_weight = recipe_sorts_by_weight(&app->view.recipe),
	};
	stop_work(s);
	s->only_lights = only_wants_light(app, cols);
	s->work = s->only_lights ? work_light(&s->halves, &app->view, app->wake_fd)
	                         : work_halves(&r, &s->halves, app->wake_fd);
	s->wanted = (struct sandwich_key){s->symbol, app->tree_stamp, cols, pattern ? mem_strdup(pattern) : NULL};
}

/* The function is one frame, drawn once, among the callees. */
static void put_cursor(struct sandwich *s, enum sandwich_half half, uint32_t node)
{
	s->half = node == 0 ? HALF_CALLEES : half;
	s->cursor = node;
}

static void lay_out(struct app *app)
{
	struct sandwich *s = app->sandwich;
	uint32_t cols = s->areas[0].cols > 0 ? (uint32_t)s->areas[0].cols : 1;
	uint64_t least = 0;
	if (app->view.min_share > 0)
		least = weight_from(app->view.min_share / 100 * (double)view_total(&app->view));
	for (int i = 0; i < 2; i++)
		layout_make(&s->layouts[i], &s->halves.trees[i], NODE_ALL, cols, least, SANDWICH_ROWS);
}

/*
 * The cursor stays on its frame if that still exists. The boxes on the screen are of the old halves: they are laid
 * out anew before any key looks at them.
 */
static void take_halves(struct app *app)
{
	struct sandwich *s = app->sandwich;
	const struct tree *t = &s->halves.trees[s->half];
	size_t n = s->cursor < t->n ? tree_depth(t, s->cursor) : 0;
	uint32_t *path = mem_alloc((n ? n : 1) * sizeof *path);
	if (n > 0)
		tree_path(t, s->cursor, path, n);
	work_end_halves(s->work, &s->halves);
	put_cursor(s, s->half, halves_find_path(&s->halves, s->half, path, n));
	lay_out(app);
	s->stamp = 0;
	free(path);
}

static void sandwich_take(struct app *app)
{
	struct sandwich *s = app->sandwich;
	if (!s->work || !work_is_done(s->work))
		return;
	if (s->only_lights)
		work_end_light(s->work, &s->halves);
	else
		take_halves(app);
	s->work = NULL;
	drop(&s->made);
	s->made = s->wanted;
	s->wanted.search = NULL;
	app->dirty |= DIRTY_SCREEN;
}

/* false: they are still being made. */
static bool make_halves(struct app *app, int cols)
{
	struct sandwich *s = app->sandwich;
	if (is_current(app, &s->made, cols)) {
		stop_work(s);
		return true;
	}
	if (s->work && is_current(app, &s->wanted, cols))
		return false;
	start_work(app, cols);
	if (work_wait(s->work, app_patience(app)))
		sandwich_take(app);
	return !s->work;
}

size_t sandwich_selected(const struct sandwich *s, enum sandwich_half half)
{
	const struct layout *l = &s->layouts[half];
	if (s->half != half || l->n == 0)
		return NO_BOX;
	return layout_find(l, s->cursor);
}

static void keep_visible(struct sandwich *s)
{
	enum sandwich_half half = s->half;
	size_t box = sandwich_selected(s, half), height = (size_t)s->areas[half].rows;
	if (box == NO_BOX || height == 0)
		return;
	size_t row = canvas_row_of(&s->layouts[half], box);
	size_t at = row >= first_row(half) ? row - first_row(half) : 0;
	if (at < s->scroll[half])
		s->scroll[half] = at;
	if (at >= s->scroll[half] + height)
		s->scroll[half] = at - height + 1;
}

static void scroll_half(struct sandwich *s, enum sandwich_half half, long by)
{
	size_t rows = s->layouts[half].rows, height = (size_t)s->areas[half].rows + first_row(half);
	long last = rows > height ? (long)(rows - height) : 0, to = (long)s->scroll[half] + by;
	s->scroll[half] = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

void sandwich_go_to(struct sandwich *s, enum sandwich_half half, uint32_t node)
{
	put_cursor(s, half, node);
	keep_visible(s);
}

/* ---- the state for files and commands ------------------------------------------------------------------------ */

/* The scroll position if all that scrolled was the cursor, from the middle on. */
static size_t usual_scroll(const struct sandwich *s, enum sandwich_half half)
{
	size_t box = sandwich_selected(s, half), height = (size_t)s->areas[half].rows;
	size_t row = box == NO_BOX ? 0 : canvas_row_of(&s->layouts[half], box);
	size_t at = row >= first_row(half) ? row - first_row(half) : 0;
	return height > 0 && at >= height ? at - height + 1 : 0;
}

static void sandwich_tell(const struct app *app, struct shown *shown)
{
	const struct sandwich *s = app->sandwich;
	const struct tree *t = &s->halves.trees[s->half];
	shown->function = s->symbol;
	if (s->stamp == 0 || s->cursor >= t->n)
		return;
	size_t n = tree_depth(t, s->cursor);
	uint32_t *path = mem_alloc((n ? n : 1) * sizeof *path);
	tree_path(t, s->cursor, path, n);
	shown_set_path(shown, s->half == HALF_CALLERS, path, n);
	free(path);
	if (s->scroll[0] != usual_scroll(s, HALF_CALLERS) || s->scroll[1] != usual_scroll(s, HALF_CALLEES))
		memcpy(shown->scroll, s->scroll, sizeof s->scroll);
}

static void sandwich_show(struct app *app, bool is_in_front)
{
	if (!is_in_front)
		return;
	put_in_the_middle(app, app->view.shown.function);
	app->sandwich->is_due = true;
}

static void put_cursor_as_shown(struct app *app)
{
	struct sandwich *s = app->sandwich;
	const struct shown *shown = &app->view.shown;
	enum sandwich_half half = shown->is_among_callers ? HALF_CALLERS : HALF_CALLEES;
	put_cursor(s, half, halves_find_path(&s->halves, half, shown->path, shown->n_path));
}

static void scroll_as_shown(struct app *app)
{
	struct sandwich *s = app->sandwich;
	s->is_due = false;
	for (int i = 0; i < 2; i++)
		if (app->view.shown.scroll[i] != SCROLL_AS_USUAL) {
			s->scroll[i] = app->view.shown.scroll[i] < SANDWICH_ROWS ? app->view.shown.scroll[i] : SANDWICH_ROWS;
			scroll_half(s, (enum sandwich_half)i, 0);
		}
}

/* The functions before are not worth a look-up of each. */
static void sandwich_drop_names(struct app *app)
{
	struct sandwich *s = app->sandwich;
	if (!sandwich_has_function(app))
		return;
	free(s->lost);
	s->lost = mem_strdup(app_raw_name(app, s->symbol));
	s->symbol = NO_SYMBOL;
	s->n_past = 0;
}

/* Finds the function by its name; if it is gone, another one takes its place. */
static void find_lost(struct app *app)
{
	struct sandwich *s = app->sandwich;
	if (s->lost && s->symbol == NO_SYMBOL)
		s->symbol = symtab_find(&app->profile->symtab, s->lost, strlen(s->lost));
	free(s->lost);
	s->lost = NULL;
	if (s->symbol == NO_SYMBOL)
		set_heaviest(app);
}

/* What was in the middle, as a module, may be nothing in a tree of functions. */
static void follow_group(struct app *app)
{
	struct sandwich *s = app->sandwich;
	if (s->group == app->view.tree.group)
		return;
	s->group = app->view.tree.group;
	s->n_past = 0;
	if (sandwich_has_function(app) && !totals_of(&app->totals, s->symbol)) {
		s->symbol = NO_SYMBOL;
		set_heaviest(app);
	}
}

static void sandwich_prepare(struct app *app, struct rect area)
{
	struct sandwich *s = app->sandwich;
	if (s->lost)
		find_lost(app);
	follow_group(app);
	if (!sandwich_has_function(app)) /* there was none so far: before the first samples, or with a filter */
		set_heaviest(app);
	if (!sandwich_has_function(app))
		return;
	bool is_ready = make_halves(app, area.cols), is_due = s->is_due && is_ready;
	/* Halves for another width, or from before a search, are better than none. */
	if (!is_of_this(app, &s->made))
		return;
	if (is_due)
		put_cursor_as_shown(app);
	if (!is_due && s->stamp == app->stamp && s->areas[0].cols == area.cols && s->areas[0].row == area.row &&
	    s->areas[0].rows + s->areas[1].rows == area.rows)
		return;
	place_halves(s, area);
	lay_out(app);
	s->stamp = app->stamp;
	for (int i = 0; i < 2; i++)
		scroll_half(s, (enum sandwich_half)i, 0); /* there may be fewer rows now, or more room */
	keep_visible(s);
	if (is_due)
		scroll_as_shown(app);
}

struct canvas sandwich_canvas(struct app *app, enum sandwich_half half)
{
	struct sandwich *s = app->sandwich;
	return (struct canvas){
		.layout = &s->layouts[half],
		.view = &app->view,
		.theme = &app->theme,
		.area = s->areas[half],
		.scroll = s->scroll[half] + first_row(half),
		.grows_up = half == HALF_CALLERS,
		.selected = sandwich_selected(s, half),
		.whole = view_total(&app->view),
		.diff_most = view_is_diff(&app->view) ? app->totals.diff_most : 0,
		.basis = &app->totals.basis,
		.middle = totals_of(&app->totals, s->symbol),
		.factor = app_factor(app),
		.is_negated = app->options->export_.negate,
		.is_lit = s->halves.is_lit[half],
	};
}

static void sandwich_paint(struct app *app, struct rect area)
{
	if (!sandwich_has_function(app)) {
		grid_str(&app->grid, area.row + area.rows / 2, area.col + 2, area.cols - 2, app->theme.dim, "no functions");
		return;
	}
	if (!is_of_this(app, &app->sandwich->made)) {
		grid_str(&app->grid, area.row + area.rows / 2, area.col + 2, area.cols - 2, app->theme.dim, "adding up");
		return;
	}
	for (int i = 0; i < 2; i++) {
		struct canvas c = sandwich_canvas(app, (enum sandwich_half)i);
		canvas_paint(&app->grid, &c);
	}
}

static void choose(struct app *app, enum sandwich_half half, size_t box)
{
	struct sandwich *s = app->sandwich;
	if (box == NO_BOX)
		return;
	put_cursor(s, half, s->layouts[half].boxes[box].node);
	keep_visible(s);
}

/* Moves to the widest box of the next row away from the middle; false: there is none. */
static void go_outwards(struct app *app, enum sandwich_half half, size_t box)
{
	const struct layout *l = &app->sandwich->layouts[half];
	size_t first, end, best;
	canvas_children(l, box, &first, &end);
	best = first;
	for (size_t i = first + 1; i < end; i++)
		if (l->boxes[i].x1 - l->boxes[i].x0 > l->boxes[best].x1 - l->boxes[best].x0)
			best = i;
	if (first < end)
		choose(app, half, best);
}

/* Frames too small to draw count as the function itself: their row is the first one. */
static void go_vertically(struct app *app, enum sandwich_half towards)
{
	struct sandwich *s = app->sandwich;
	const struct layout *l = &s->layouts[s->half];
	size_t box = sandwich_selected(s, s->half);
	if (box == NO_BOX)
		return;
	size_t row = canvas_row_of(l, box);
	if (row == 0) {
		s->cursor = 0;
		if (s->layouts[towards].rows > 1)
			go_outwards(app, towards, 0);
	} else if (s->half == towards) {
		go_outwards(app, towards, box);
	} else {
		choose(app, s->half, l->row_start[row - 1] + l->boxes[box].parent);
	}
}

static void go_sideways(struct app *app, int by, bool is_far)
{
	struct sandwich *s = app->sandwich;
	const struct layout *l = &s->layouts[s->half];
	size_t box = sandwich_selected(s, s->half);
	if (box == NO_BOX)
		return;
	size_t row = canvas_row_of(l, box), first = l->row_start[row], last = l->row_start[row + 1] - 1;
	if (by < 0)
		choose(app, s->half, is_far ? first : box > first ? box - 1 : box);
	else
		choose(app, s->half, is_far ? last : box < last ? box + 1 : box);
}

/* Takes up to n steps and stops at the edge, however large the count. */
static void repeat(struct app *app, enum sandwich_half towards, int n)
{
	const struct sandwich *s = app->sandwich;
	bool has_moved = true;
	while (n-- > 0 && has_moved) {
		uint32_t cursor = s->cursor;
		enum sandwich_half half = s->half;
		go_vertically(app, towards);
		has_moved = s->cursor != cursor || s->half != half;
	}
}

/* Scrolls the half with the cursor; the callers grow upwards. */
static void scroll_lines(struct sandwich *s, long down)
{
	scroll_half(s, s->half, s->half == HALF_CALLERS ? -down : down);
}

static void sandwich_move(struct app *app, enum motion m)
{
	struct sandwich *s = app->sandwich;
	long lines = motion_lines(m, s->areas[s->half].rows);
	if (!sandwich_has_function(app))
		return;
	switch (m) {
	case MOVE_LEFT:
	case MOVE_RIGHT:
		go_sideways(app, m == MOVE_LEFT ? -1 : 1, false);
		break;
	case MOVE_FIRST:
	case MOVE_LAST:
		go_sideways(app, m == MOVE_FIRST ? -1 : 1, true);
		break;
	case MOVE_PARENT:
		if (s->cursor != 0)
			go_vertically(app, s->half == HALF_CALLERS ? HALF_CALLEES : HALF_CALLERS);
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		repeat(app, m == MOVE_TOP ? HALF_CALLERS : HALF_CALLEES, (int)SANDWICH_ROWS * 2);
		break;
	case MOVE_WHEEL_UP:
	case MOVE_WHEEL_DOWN:
		scroll_lines(s, lines);
		break;
	default:
		repeat(app, lines < 0 ? HALF_CALLERS : HALF_CALLEES, (int)labs(lines));
		break;
	}
}

static uint32_t sandwich_symbol(const struct app *app)
{
	const struct sandwich *s = app->sandwich;
	if (!sandwich_has_function(app))
		return NO_SYMBOL;
	if (s->stamp == 0 || s->cursor >= s->halves.trees[s->half].n)
		return s->symbol;
	return s->halves.trees[s->half].sym[s->cursor];
}

static void sandwich_enter(struct app *app)
{
	uint32_t symbol = sandwich_symbol(app);
	if (symbol != NO_SYMBOL && symbol != app->sandwich->symbol)
		set_middle(app, symbol);
}

static void sandwich_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	(void)area;
	if (!sandwich_has_function(app))
		return;
	for (int i = 0; i < 2; i++) {
		struct canvas c = sandwich_canvas(app, (enum sandwich_half)i);
		size_t layout_row;
		if (!canvas_row_at(&c, row, &layout_row))
			continue;
		size_t box = layout_at(c.layout, layout_row, (uint32_t)(col - c.area.col));
		if (box == SIZE_MAX)
			continue;
		choose(app, (enum sandwich_half)i, box);
		if (is_double)
			sandwich_enter(app);
		return;
	}
}

static uint32_t sandwich_node(const struct app *app)
{
	(void)app;
	return NO_NODE;
}

/* Rows of the half with the cursor: the halves scroll separately. */
static const char *sandwich_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct sandwich *s = app->sandwich;
	size_t rows = s->layouts[s->half].rows, skipped = first_row(s->half), height = (size_t)s->areas[s->half].rows;
	*all = sandwich_has_function(app) && rows > skipped && height > 0 ? rows - skipped : 0;
	*first = *all ? s->scroll[s->half] + 1 : 0;
	*last = s->scroll[s->half] + height < *all ? s->scroll[s->half] + height : *all;
	return s->half == HALF_CALLERS ? "callers" : "callees";
}

static void sandwich_open(struct app *app, uint32_t symbol, uint32_t node)
{
	(void)node;
	if (symbol != NO_SYMBOL && symbol != app->sandwich->symbol)
		set_middle(app, symbol);
	if (app->sandwich->symbol == NO_SYMBOL)
		set_heaviest(app);
}

static struct work *sandwich_work(const struct app *app)
{
	return app->sandwich->work;
}

/* The halves being made read the search, too. */
static void sandwich_stop(struct app *app, bool all)
{
	(void)all;
	stop_work(app->sandwich);
}

static const char *const sandwich_lessons[] = {
	"The middle shows one function, merged from all its call sites: above are its callers, below its callees.",
	("Widths above show through which callers its weight came. {zoom} puts another function into the middle, "
     "{back} goes back."),
	NULL};

static const char *const *sandwich_teach(const struct app *app)
{
	(void)app;
	return sandwich_lessons;
}

const struct pane sandwich_pane = {
	.name = "sandwich",
	.view = SHOWN_SANDWICH,
	.init = sandwich_init,
	.deinit = sandwich_deinit,
	.prepare = sandwich_prepare,
	.paint = sandwich_paint,
	.move = sandwich_move,
	.enter = sandwich_enter,
	.click = sandwich_click,
	.symbol = sandwich_symbol,
	.node = sandwich_node,
	.lessons = sandwich_teach,
	.rows = sandwich_rows,
	.tell = sandwich_tell,
	.show = sandwich_show,
	.open = sandwich_open,
	.forget = sandwich_forget,
	.work = sandwich_work,
	.take = sandwich_take,
	.drop_names = sandwich_drop_names,
	.stop = sandwich_stop,
};
