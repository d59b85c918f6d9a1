/*
 * footer.c - paints the selected frame, and messages.
 *
 *	parse_expression                                        the selected frame's full name, two lines
 *	self  1.2 G   2.3%  total  5.1 G   9.9% of all   45.0% of zoom   50.1% of parent
 *	in   12 frames: self  1.3 G   2.5%, total  5.2 G  10.2%
 *	/lex  7/31 matches, 18.4%                               or a message, a prompt, progress, key hints
 *
 * There are two lines for the name, one for the frame's numbers, one for all frames of that name, one for messages.
 * With fewer than 30 rows the numbers share a line, and the name has one or none; if that line is too short, the
 * sums of the name stand after it in a few words, or are left out. A comparison has two more lines, one for self
 * and one for total, which replace lines of the name and the numbers if there is little room. For a row of the
 * table, the footer shows the name only if the row has no room for it, or for where the function comes from.
 */
#include "tui/footer.h"

#include <string.h>

#include "base/number.h"
#include "base/status.h"
#include "base/utf8.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/canvas.h"
#include "tui/change.h"
#include "tui/flame.h"
#include "tui/hint.h"
#include "tui/hot.h"
#include "tui/lanes.h"
#include "tui/lines.h"
#include "tui/origins.h"
#include "tui/quit.h"
#include "tui/refresh.h"
#include "tui/sandwich.h"
#include "tui/screen.h"
#include "tui/top.h"
#include "tui/top_state.h"

/* Whole names in C++ or Rust would send hundreds of bytes with every step of the cursor; the list shows them. */
#define MEMBER_COLUMNS 22u
#define LEAST_NAME 16u    /* columns of the name, however much stands after it */
#define LEAST_HINTS 18    /* columns of "? help  q quit" */
#define MOST_PROGRESS 48u /* columns of "recording 100 MB", a bar, a share */

/* Is the cursor on the title of a lane? */
static bool has_lane(const struct app *app, uint32_t *lane)
{
	return app->tab == TAB_FLAME && lanes_are_there(app) && lanes_title(app, lane);
}

/* "14 frames: foo 0.9%, ..." */
static void add_aggregate(struct app *app, struct buf *out, const struct box *b)
{
	const struct members *m = flame_members(app, b->first, b->final, 1, 0);
	number_add_commas(out, m->n, 0);
	buf_adds(out, m->n == 1 ? " frame: " : " frames: ");
	for (size_t i = 0; i < m->n && i < MEMBERS_SHOWN; i++) {
		if (i > 0)
			buf_adds(out, ", ");
		label_fit(out, view_name(&app->view, m->best[i]), MEMBER_COLUMNS, app->theme.ascii);
		buf_addc(out, ' ');
		number_add_percent(out, tree_total(&app->view.tree, m->best[i]), view_total(&app->view), 1);
		buf_addc(out, '%');
	}
	if (m->n > MEMBERS_SHOWN)
		buf_addf(out, ", %s", app->theme.ascii ? ".." : "…");
}

/* Frames within the edges of the one under the cursor: how many they are; a key lists their names. */
static void add_hidden(struct app *app, struct buf *out)
{
	const struct box *b = flame_box(app);
	if (b->first == b->final)
		return;
	const struct members *m = flame_members(app, b->first, b->final, b->node, b->last);
	app_add_keys(app, out, "  ({list}: ");
	number_add_commas(out, m->n, 0);
	buf_adds(out, " more at its edge, ");
	number_add_percent(out, m->weight, view_total(&app->view), 1);
	buf_adds(out, "%)");
}

/* "all", or the lane whose title has the cursor. */
static void add_all(const struct app *app, struct buf *out)
{
	uint32_t lane;
	if (has_lane(app, &lane))
		words_add_lane(out, &app->view, lane, app_clean_mode(app));
	else
		buf_adds(out, app_pane(app)->shows_tree ? "all" : "");
}

/* Appends where the function comes from, and what the picture does not show of it. */
static void add_after_name(struct app *app, struct buf *out)
{
	origins_add_words(app, out);
	const struct box *box = app->tab == TAB_FLAME ? flame_box(app) : NULL;
	if (box && box->node != app->view.cursor)
		buf_adds(out,
		         tree_total(&app->view.tree, app->view.cursor) ? "  (too narrow to draw)" : "  (no width here)");
	else if (box)
		add_hidden(app, out);
	change_add_unseen(app, out);
}

static void add_name(struct app *app, struct buf *out)
{
	const struct box *aggregate = flame_aggregate(app);
	uint32_t sym = app_symbol(app);
	if (aggregate) {
		add_aggregate(app, out, aggregate);
		return;
	}
	if (sym == NO_SYMBOL) {
		add_all(app, out);
		change_add_unseen(app, out);
		return;
	}
	struct buf after;
	buf_init(&after);
	add_after_name(app, &after);
	const char *name = app_name(app, sym);
	if (lines_unites_names(app))
		lines_add_name(out, app->profile, name, strlen(name));
	else if (after.len || !top_shows_name(app))
		buf_adds(out, name);
	buf_add(out, after.data, after.len);
	buf_deinit(&after);
}

/*
 * Numbers keep their columns, so that a step of the cursor changes only digits: easier on the eye, and only a few
 * bytes over a slow line.
 */
static void align_right(struct buf *out, size_t from, size_t width)
{
	size_t n = out->len - from;
	if (n >= width)
		return;
	buf_pad(out, ' ', width - n);
	memmove(out->data + from + width - n, out->data + from, n);
	memset(out->data + from, ' ', width - n);
}

static void add_share(struct buf *out, uint64_t part, uint64_t whole, const char *of)
{
	size_t from = out->len;
	number_add_percent(out, part, whole, 1);
	align_right(out, from, 5);
	buf_addf(out, "%%%s", of);
}

static void add_weight(const struct app *app, struct buf *out, uint64_t weight)
{
	size_t from = out->len;
	view_add_weight(&app->view, out, app_shown(app, weight));
	align_right(out, from, view_is_time(&app->view) ? 7 : 6);
	buf_addc(out, ' ');
}

/* Appends the numbers of one frame, or of several neighbours together. */
static void add_numbers(const struct app *app, struct buf *out, uint64_t self, uint64_t total, uint32_t node)
{
	const struct view *v = &app->view;
	const struct tree *t = &v->tree;
	uint64_t all = view_total(v);
	buf_adds(out, "self ");
	add_weight(app, out, self);
	add_share(out, self, all, "");
	buf_adds(out, "  total ");
	add_weight(app, out, total);
	add_share(out, total, all, words_of_whole(v));
	if (v->zoom != NODE_ALL) {
		buf_adds(out, "  ");
		add_share(out, total, tree_total(t, v->zoom), " of zoom");
	}
	if (node != NODE_ALL) {
		buf_adds(out, "  ");
		add_share(out, total, tree_total(t, t->parent[node]), " of parent");
	}
}

static void add_node_numbers(const struct app *app, struct buf *out, uint32_t node)
{
	const struct tree *t = &app->view.tree;
	add_numbers(app, out, tree_own(t, node), tree_total(t, node), node);
	if (t->end[node] == node + 1 && tree_rows_left_out(t, node) > 0)
		buf_addf(out, "  and up to %u rows that a zoom shows", tree_rows_left_out(t, node));
	if (t->time) {
		uint64_t start = t->time[node], end = t->until ? t->until[node] : tree_time_at(t, t->pos[t->end[node]]);
		uint64_t length = end > start ? end - start : 0;
		buf_adds(out, "  at ");
		number_add_moment(out, start, length);
		buf_adds(out, " for ");
		number_add_time(out, length, 9);
	}
}

/* "total 1.2 s 45.2% of all  1,234 samples" */
static void add_lane_numbers(const struct app *app, struct buf *out, uint32_t lane)
{
	const struct tree *t = &app->view.tree;
	uint64_t samples = t->lanes[lane].samples;
	buf_adds(out, "total ");
	add_weight(app, out, tree_lane_total(t, lane));
	add_share(out, tree_lane_total(t, lane), view_total(&app->view), words_of_whole(&app->view));
	buf_adds(out, "  ");
	number_add_commas(out, samples, 0);
	buf_adds(out, samples == 1 ? " sample" : " samples");
}

/* Uses the columns of a frame's numbers, so that a step between the two moves nothing. */
static void add_sums(const struct app *app, struct buf *out, uint64_t frames, uint64_t self, uint64_t total)
{
	uint64_t all = view_total(&app->view);
	buf_addf(out, "in %4llu frame%s self ", (unsigned long long)frames, frames == 1 ? ": " : "s:");
	add_weight(app, out, self);
	add_share(out, self, all, ", total ");
	add_weight(app, out, total);
	add_share(out, total, all, "");
	buf_adds(out, view_is_zoomed(&app->view) ? words_of_whole(&app->view) : "");
}

/* The sums of all frames with this name; NULL: there are none, or the view of lines has them in its heading. */
static const struct name_sum *sums_of(const struct app *app, uint32_t sym)
{
	return lines_unites_names(app) ? NULL : totals_of(&app->totals, sym);
}

/* Appends the sums of all frames with this name. */
static void add_name_numbers(const struct app *app, struct buf *out, uint32_t sym)
{
	const struct name_sum *s = sums_of(app, sym);
	if (!s)
		return;
	add_sums(app, out, s->frames, s->self, s->total);
	if (view_is_diff(&app->view))
		change_add_gain(out, app, s);
}

/* Appends the selection: one frame, or the frames in one place. */
static void add_selection(struct app *app, struct buf *out)
{
	uint32_t lane;
	if (app->tab == TAB_LINES)
		lines_add_words(app, out);
	if (has_lane(app, &lane)) {
		add_lane_numbers(app, out, lane);
		return;
	}
	const struct box *aggregate = flame_aggregate(app);
	uint32_t node = app_node(app);
	if (aggregate) {
		const struct members *m = flame_members(app, aggregate->first, aggregate->final, 1, 0);
		add_numbers(app, out, m->self, m->weight, aggregate->first);
	} else if (node != NO_NODE && node < app->view.tree.n) {
		add_node_numbers(app, out, node);
	}
}

/*
 * Appends the sums of all frames with that name, or again of those in one place: filling the columns always costs
 * less than changing their layout.
 */
static void add_together(struct app *app, struct buf *out, bool has_line)
{
	const struct box *aggregate = flame_aggregate(app);
	uint32_t sym = app_symbol(app);
	if (aggregate && has_line) {
		const struct members *m = flame_members(app, aggregate->first, aggregate->final, 1, 0);
		add_sums(app, out, m->n, m->self, m->weight);
	} else if (sym != NO_SYMBOL && !aggregate && !top_shows_numbers(app)) {
		add_name_numbers(app, out, sym);
	}
}

static void paint_line(struct app *app, int row, const struct buf *text)
{
	struct grid *g = &app->grid;
	grid_numbers_cut(g, row, 0, g->cols, app->theme.plain, text->data, text->len, app->theme.ascii);
}

/* Appends the frame's numbers and those of its name, for one line; false: the latter have no room. */
static bool add_both(struct app *app, struct buf *out)
{
	struct buf name;
	buf_init(&name);
	add_selection(app, out);
	add_together(app, &name, false);
	size_t columns = utf8_columns(out->data, out->len) + utf8_columns(name.data, name.len) + 5;
	bool fits = out->len == 0 || columns <= (size_t)app->grid.cols;
	if (out->len > 0 && fits && name.len > 0)
		buf_adds(out, "  |  ");
	if (fits)
		buf_add(out, name.data, name.len);
	buf_deinit(&name);
	return fits;
}

/* Paints the frame's numbers and those of its name, on two lines or on one. */
static void paint_numbers(struct app *app, int row, int lines)
{
	struct buf frame, name;
	buf_init(&frame);
	buf_init(&name);
	if (lines > 1) {
		add_selection(app, &frame);
		add_together(app, &name, true);
		paint_line(app, row + 1, &name);
	} else {
		add_both(app, &frame);
	}
	paint_line(app, row, &frame);
	buf_deinit(&frame);
	buf_deinit(&name);
}

/*
 * The sums of the name in a few words, if the line of numbers has no room for them; nothing if the name has no
 * other frame.
 */
static void add_short_sums(struct app *app, struct buf *out)
{
	const struct name_sum *s = sums_of(app, app_symbol(app));
	uint64_t all = view_total(&app->view);
	struct buf line;
	buf_init(&line);
	if (s && s->frames > 1 && !flame_aggregate(app) && !top_shows_numbers(app) && !add_both(app, &line)) {
		buf_adds(out, "in ");
		number_add_commas(out, s->frames, 0);
		buf_adds(out, " frames: self ");
		number_add_percent(out, s->self, all, 1);
		buf_adds(out, "%, total ");
		number_add_percent(out, s->total, all, 1);
		buf_addc(out, '%');
	}
	buf_deinit(&line);
}

/* At the end of the name's line, if there is room after the name. */
static void paint_short_sums(struct app *app, int row, size_t taken)
{
	struct grid *g = &app->grid;
	struct buf sums;
	buf_init(&sums);
	if (screen_number_lines(app) == 1)
		add_short_sums(app, &sums);
	if (sums.len > 0 && taken + 2 + sums.len <= (size_t)g->cols)
		grid_text(g, row, g->cols - (int)sums.len, (int)sums.len, app->theme.plain, sums.data, sums.len);
	buf_deinit(&sums);
}

/* Until the first key: what is worth a look, instead of "all". */
static bool paint_hot(struct app *app, int row, struct buf *name)
{
	return !app->is_touched && strcmp(buf_str(name), "all") == 0 && hot_paint(app, row);
}

/*
 * A name that is wider than the line loses its least informative part: its end is the function. What stands after
 * it keeps its place.
 */
static void fit_name(struct app *app, struct buf *text)
{
	uint32_t sym = app_symbol(app);
	size_t columns = utf8_columns(text->data, text->len), room = (size_t)app->grid.cols;
	if (sym == NO_SYMBOL || columns <= room || flame_aggregate(app))
		return;
	const struct display_name *name = display_name(&app->view.display, sym);
	size_t after = columns - name->columns;
	struct buf fits;
	buf_init(&fits);
	label_fit(&fits, name, room > after + LEAST_NAME ? room - after : LEAST_NAME, app->theme.ascii);
	buf_add(&fits, text->data + name->len, text->len - name->len);
	buf_deinit(text);
	*text = fits;
}

/* Appends the hottest line of the function, if there is room for it. */
static void add_hottest(const struct app *app, struct buf *text, int lines)
{
	size_t room = (size_t)(lines * app->grid.cols), columns = utf8_columns(text->data, text->len);
	if (columns < room && !flame_aggregate(app))
		lines_add_hottest(app, text, room - columns);
}

/* Wraps the name over the lines; the last one is truncated. */
static void paint_name(struct app *app, int row, int lines)
{
	struct grid *g = &app->grid;
	struct buf text;
	size_t at = 0;
	buf_init(&text);
	add_name(app, &text);
	if (lines == 1)
		fit_name(app, &text);
	add_hottest(app, &text, lines);
	if (paint_hot(app, row, &text))
		text.len = 0;
	else if (lines == 1)
		paint_short_sums(app, row, utf8_columns(text.data, text.len));
	for (int i = 0; i < lines && at < text.len; i++) {
		size_t left = text.len - at, n = grid_numbers_fit(text.data + at, left, g->cols);
		if (i + 1 == lines)
			grid_numbers_cut(g, row + i, 0, g->cols, app->theme.plain, text.data + at, left, app->theme.ascii);
		else
			grid_text(g, row + i, 0, g->cols, app->theme.plain, text.data + at, n);
		if (n == 0)
			break;
		at += n;
	}
	buf_deinit(&text);
}

/* Appends the running work; a prompt already shows the pattern. */
static void add_seeking(const struct app *app, struct buf *out)
{
	if (!prompt_is_open(&app->prompt)) {
		buf_addc(out, '/');
		app_add_clean(app, out, app->sought);
		buf_adds(out, "/ ");
	}
	buf_addf(out, "searching %d%%, ", (int)(100 * work_share_done(app->seek)));
	app_add_keys(app, out, "{escape} stops");
}

/* What of the sandwich matches, as in its files. */
static void add_sandwich_hits(const struct app *app, struct buf *out)
{
	const struct halves *h = sandwich_halves(app);
	if (h)
		words_add_hits(out, &app->view, h, view_total(&app->view));
	else
		buf_adds(out, "adding up");
}

/* Of the view's tree; lines are of all of it, which no zoom changes. */
static void add_tree_hits(const struct app *app, struct buf *out)
{
	const struct view *v = &app->view;
	const struct search *s = &v->search;
	bool is_of_all = app->tab == TAB_LINES;
	struct search_sum sum =
		is_of_all ? search_of_all(s, &v->tree) : (struct search_sum){s->frames_zoom, s->matched};
	number_add_commas(out, sum.frames, 0);
	buf_adds(out, sum.frames == 1 ? " match, " : " matches, ");
	if (s->is_counted || is_of_all) {
		number_add_percent(out, sum.matched, tree_total(&v->tree, is_of_all ? NODE_ALL : v->zoom), 1);
		buf_addf(out, "%%%s", v->zoom == NODE_ALL ? "" : is_of_all ? words_of_whole(v) : words_of_zoom(v));
	} else {
		buf_adds(out, "adding up");
	}
}

/* Rows of the table that are unknown, if its filter gave up on their names. */
static void add_unknown_rows(const struct app *app, struct buf *out)
{
	const struct top *t = app->top;
	if (app->tab != TAB_TOP || !t->filter || t->work || !t->table.given_up)
		return;
	if (!prompt_is_open(&app->prompt)) {
		buf_adds(out, out->len ? "  rows with: " : "rows with: ");
		app_add_clean(app, out, t->filter);
	}
	words_add_given_up(out, t->table.given_up);
}

static void add_search(struct app *app, struct buf *out)
{
	const struct view *v = &app->view;
	const struct search *s = &v->search;
	if (app->listing.work) {
		buf_addf(out, "listing %d%%, ", (int)(100 * work_share_done(app->listing.work)));
		app_add_keys(app, out, "{escape} stops");
		return;
	}
	if (app->seek && !app->is_recount) {
		add_seeking(app, out);
		return;
	}
	if (!s->pattern || !s->node_bits)
		return;
	if (!prompt_is_open(&app->prompt)) {
		char mark = s->mode == MATCH_LITERAL ? '"' : '/';
		buf_addc(out, mark);
		app_add_clean(app, out, s->pattern);
		buf_addf(out, "%c ", mark);
	}
	uint64_t number = app_pane(app)->shows_tree && v->cursor < v->tree.n ? view_hit_number(v, v->cursor) : 0;
	if (number > 0) {
		number_add_commas(out, number, 0);
		buf_addc(out, '/');
	}
	app->tab == TAB_SANDWICH ? add_sandwich_hits(app, out) : add_tree_hits(app, out);
	words_add_given_up(out, s->match ? match_exceeded(s->match) : 0);
}

static int paint_bar(struct app *app, int row, int col, int width, double share)
{
	struct grid *g = &app->grid;
	int full = (int)(share * width);
	bool is_mono = app->theme.depth == DEPTH_MONO || app->theme.ascii;
	grid_fill(g, row, col, width, is_mono ? '.' : ' ', app->theme.progress_rest);
	grid_fill(g, row, col, full < width ? full : width, is_mono ? '#' : ' ', app->theme.progress);
	return width;
}

/* What loading waits for, such as symbols of a large file; leaves room for the most important hints. */
static int paint_detail(struct app *app, int row, int col, int cols)
{
	struct buf detail, clean;
	buf_init(&detail);
	buf_init(&clean);
	status_add_detail(&detail);
	utf8_clean(&clean, detail.data, detail.len, app_clean_mode(app));
	int most = cols - col - LEAST_HINTS;
	if (clean.len && most > 0)
		col += 2 + grid_text_cut(&app->grid, row, col + 2, most, app->theme.good, clean.data, clean.len,
		                         app->theme.ascii);
	buf_deinit(&detail);
	buf_deinit(&clean);
	return col;
}

/* Returns the column after the progress. */
static int paint_progress(struct app *app, int row, int cols)
{
	struct grid *g = &app->grid;
	struct buf text;
	double share = -1;
	buf_init(&text);
	if (app_is_loading(app)) {
		bool is_recording = app->session && app->session->interrupt && !app->outcome;
		if (app->is_second_pass)
			buf_adds(&text, "inlined functions");
		else
			buf_adds(&text, is_recording ? "recording" : app->load.is_live ? "reading" : "loading");
		if (app->load.bytes > 0 && !app->is_second_pass) {
			buf_addc(&text, ' ');
			number_add_short(&text, app->load.bytes, 0);
			buf_addc(&text, 'B');
		}
		if (app->load.bytes_all > 0)
			share = (double)app->load.bytes / (double)app->load.bytes_all;
	} else {
		app_add_keys(app, &text, app_can_stop_fold(app) ? "folding, {escape} stops" : "folding");
		share = app->work ? work_share_done(app->work) : 0;
	}
	int col = grid_text(g, row, 0, cols, app->theme.good, text.data, text.len);
	if (share >= 0 && cols - col > 20) {
		col += 1 + paint_bar(app, row, col + 1, 20, share > 1 ? 1 : share);
		text.len = 0;
		buf_addf(&text, " %d%%", (int)(100 * (share > 1 ? 1 : share)));
		col += grid_text(g, row, col, cols - col, app->theme.good, text.data, text.len);
	}
	buf_deinit(&text);
	return app_is_loading(app) ? paint_detail(app, row, col, cols) : col;
}

/* Paints the message, after the progress of the key's work and of loading, if there is room. */
static void paint_message(struct app *app, int row, int cols)
{
	bool has_room = utf8_columns(app->message, strlen(app->message)) + MOST_PROGRESS <= (size_t)cols;
	bool is_shown = app_is_loading(app) ? has_room : app_is_folding(app);
	int col = is_shown ? paint_progress(app, row, cols) + 2 : 0;
	grid_message(&app->grid, row, col, cols - col, app->is_error ? app->theme.bad : app->theme.good, app->message,
	             app->theme.ascii);
}

static void paint_status(struct app *app, int row)
{
	struct grid *g = &app->grid;
	struct buf search;
	int cols = g->cols;
	buf_init(&search);
	add_search(app, &search);
	add_unknown_rows(app, &search);
	size_t width = utf8_columns(search.data, search.len);
	if (width > 0 && width + 10 <= (size_t)cols) {
		cols -= (int)width + 2;
		grid_text(g, row, cols + 2, (int)width, app->theme.bold, search.data, search.len);
	}
	if (prompt_is_open(&app->prompt))
		prompt_paint(&app->prompt, g, row, cols, &app->theme);
	else if (quit_paint(app, row, cols))
		;
	else if (app->message)
		paint_message(app, row, cols);
	else if (app_is_loading(app) || app_is_folding(app))
		hint_paint(app, row, paint_progress(app, row, cols) + 2, cols);
	else
		hint_paint(app, row, 0, cols);
	/* A complaint about the text being typed is above the prompt. */
	if (prompt_is_open(&app->prompt) && app->message)
		grid_message(g, row - 1, 0, g->cols, app->is_error ? app->theme.bad : app->theme.good, app->message,
		             app->theme.ascii);
	buf_deinit(&search);
}

/* Paints the changes of self and total; on one line only the total. */
static void paint_changes(struct app *app, int row, int lines)
{
	for (int i = 0; i < lines; i++) {
		struct buf text;
		buf_init(&text);
		change_add_line(app, &text, i + 1 == lines, flame_aggregate(app));
		paint_line(app, row + i, &text);
		buf_deinit(&text);
	}
}

/* What is under the cursor. */
static void paint_frame(struct app *app, int height)
{
	int row = app->grid.rows - height, changes = screen_change_lines(app), numbers = screen_number_lines(app);
	if (height - 1 > numbers + changes)
		paint_name(app, row, height - 1 - numbers - changes);
	if (numbers > 0)
		paint_numbers(app, app->grid.rows - 1 - changes - numbers, numbers);
	if (changes > 0)
		paint_changes(app, app->grid.rows - 1 - changes, changes);
}

void footer_paint(struct app *app)
{
	int height = screen_footer(app);
	if (!app->is_heat_open) /* which shows no frame, and has a cursor of its own */
		paint_frame(app, height);
	if (prompt_is_open(&app->prompt) && app->message && height >= 2)
		grid_fill(&app->grid, app->grid.rows - 2, 0, app->grid.cols, ' ', app->theme.plain);
	paint_status(app, app->grid.rows - 1);
}
