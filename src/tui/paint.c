/*
 * paint.c - the whole screen: header, breadcrumb, the view, footer.
 *
 *	cargo.perf  cpu-clock 51.5 G ns  flame by name  12.3% excluded             rows 1-30 of 55
 *	all > main > parse_file > … > lex
 *	  ...
 *	parse_expression                                        the selected frame's full name, two lines
 *	self  1.2 G   2.3%  total  5.1 G   9.9% of all   45.0% of zoom   50.1% of parent
 *	in   12 frames: self  1.3 G   2.5%, total  5.2 G  10.2%
 *	/lex  7/31 matches, 18.4%                               or a message, a prompt, progress, key hints
 *
 * The footer has the same height whatever is selected: the graph must not jump when the cursor moves. Of the table's rows it
 * says only what they have no room for.
 */
#include "tui/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/cut.h"
#include "model/idle.h"
#include "model/label.h"
#include "model/words.h"
#include "tui/canvas.h"
#include "tui/change.h"
#include "tui/hint.h"

/*
 * Lines of the footer: two of the name, one of the frame's numbers, one of all frames of that name, one for messages; on
 * a low screen the numbers share a line, and then the name has one or none. A comparison has two lines more, one for
 * self and one for total, and takes them from the name and the numbers where there is little room.
 */
static int change_lines(const struct app *app)
{
	int rows = app->grid.rows;
	return !view_is_diff(&app->view) ? 0 : rows >= 9 ? 2 : rows >= 5 ? 1 : 0;
}

static int number_lines(const struct app *app)
{
	int rows = app->grid.rows, least = change_lines(app) ? 0 : 1;
	return rows >= 24 ? 2 : rows >= 16 ? 1 : least;
}

static int footer_height(const struct app *app)
{
	int rows = app->grid.rows;
	if (change_lines(app) == 2)
		return rows >= 30 ? 7 : rows >= 24 ? 6 : rows >= 16 ? 5 : 4;
	return rows >= 24 ? 5 : rows >= 16 ? 4 : rows >= 9 ? 3 : rows >= 5 ? 2 : 1;
}

static bool has_crumbs(const struct app *app)
{
	return app->view.zoom != NODE_ALL && app->grid.rows >= 7 && app->tab != TAB_SANDWICH;
}

struct rect state_body(const struct app *app)
{
	int top = 1 + has_crumbs(app);
	int rows = app->grid.rows - top - footer_height(app);
	return (struct rect){.row = top, .col = 0, .rows = rows > 0 ? rows : 1, .cols = app->grid.cols};
}

/* ---- header ----------------------------------------------------------------------------------------------------- */

static enum utf8_clean_mode clean_mode(const struct app *app)
{
	return app->theme.ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

static void add_clean(const struct app *app, struct buf *out, const char *s)
{
	utf8_clean(out, s, strlen(s), clean_mode(app));
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

#define MOST_COMMAND 40u /* columns of a command in the header */

/* The command that is recorded as it was typed, but for the directory of the program and what would take too much room. */
static void add_recorded(const struct app *app, struct buf *out, const char *command)
{
	struct buf clean;
	const char *start = command;
	for (const char *p = command; *p && *p != ' '; p++)
		if (*p == '/' && p[1] && p[1] != ' ')
			start = p + 1;
	buf_init(&clean);
	add_clean(app, &clean, start);
	size_t n = utf8_fit(clean.data, clean.len, MOST_COMMAND);
	buf_add(out, clean.data, n);
	if (n < clean.len)
		buf_adds(out, app->theme.ascii ? ".." : "…");
	buf_deinit(&clean);
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
			const char *path = app->inputs[i].path;
			if (app->options->record.is_record)
				add_recorded(app, out, path);
			else
				add_clean(app, out, strcmp(path, "-") == 0 ? "stdin" : base_name(path));
		}
	}
	if (shown > 1)
		buf_addf(out, " +%zu", shown - 1);
	bool is_compared = !app->view.recipe.leaves_base && !app->view.recipe.chart;
	for (size_t i = 0; i < app->n_inputs && bases > 0 && is_compared; i++) {
		if (app->inputs[i].side != 1)
			continue;
		buf_adds(out, " vs ");
		add_clean(app, out, base_name(app->inputs[i].path));
		if (bases > 1)
			buf_addf(out, " +%zu", bases - 1);
		break;
	}
}

static void add_total(const struct app *app, struct buf *out)
{
	const char *event = view_event(&app->view), *unit = view_unit(&app->view);
	uint64_t total = app->heat.is_open ? app->heat.total : view_total(&app->view);
	struct buf others;
	buf_init(&others);
	buf_adds(out, "  ");
	if (*event) {
		add_clean(app, out, event);
		buf_addc(out, ' ');
	}
	view_add_weight(&app->view, out, state_shown(app, total));
	if (*unit && strcmp(unit, event) != 0 && !view_is_time(&app->view))
		buf_addf(out, " %s", unit);
	view_add_other_events(&app->view, &others);
	add_clean(app, out, buf_str(&others));
	buf_deinit(&others);
}

static void add_mode(const struct app *app, struct buf *out)
{
	static const char *const orders[] = {"by name", "by weight", "in order of input"};
	const struct recipe *r = &app->view.recipe;
	if (app->heat.is_open) {
		buf_adds(out, "  heat map");
		return;
	}
	const char *shape = r->chart ? "flame chart" : app->view.is_inverted ? "icicle" : "flame";
	buf_addf(out, "  %s", app->tab == TAB_FLAME ? shape : state_pane(app)->name);
	if (!r->chart && app->tab == TAB_FLAME)
		buf_addf(out, " %s", orders[r->sort]);
	if (r->reverse)
		buf_adds(out, ", from the leaves");
}

/* What the reader of the file left out. */
static void add_idle(const struct app *app, struct buf *out)
{
	size_t len = out->len;
	buf_adds(out, "  ");
	if (!idle_add_share(app->profile, app->view.recipe.series, out))
		out->len = len;
}

static void add_filters(const struct app *app, struct buf *out)
{
	words_add_filters(out, &app->view, "  ", clean_mode(app));
	if (app->view.min_share > 0 && (app->tab == TAB_FLAME || app->tab == TAB_SANDWICH))
		buf_addf(out, "  from %g%% on", app->view.min_share);
}

/* Rows that would have too many frames. */
static void add_left_out(const struct app *app, struct buf *out)
{
	uint32_t rows = tree_rows_left_out(&app->view.tree, app->view.zoom);
	if (app->tab == TAB_SANDWICH && app->sandwich.halves.is_cut[app->sandwich.half]) {
		buf_adds(out, "  deeper rows left out");
	} else if (rows > 0 && (app->tab == TAB_FLAME || app->tab == TAB_CALLS)) {
		buf_adds(out, "  up to ");
		number_add_commas(out, rows, 0);
		buf_adds(out, " deeper rows left out");
	}
}

/* What is left out. Of the heat map nothing but other threads is: what it is for is to pick a time among all. */
static void add_parts(const struct app *app, struct buf *out)
{
	const struct recipe *r = &app->view.recipe;
	add_idle(app, out);
	words_add_baseless(out, &app->view, "  ");
	words_add_task(out, &app->view, "  ", clean_mode(app));
	if (!app->heat.is_open) {
		words_add_times(out, &app->view, "  ");
		add_filters(app, out);
		add_left_out(app, out);
	} else if (r->n_filters > 0 || r->from || r->to || r->last || r->half_life) {
		buf_adds(out, "  all stacks and times");
	}
}

static bool is_loading(const struct app *app)
{
	return app->loader && app->load.state == LOAD_RUNNING;
}

/* The right side: rows, and while a profile is coming in, how it does. The latter comes first where room is short. */
static void add_header_right(const struct app *app, struct buf *out)
{
	size_t first, last, all, most = app->grid.cols > 45 ? (size_t)app->grid.cols - 40 : 0;
	struct buf rows;
	buf_init(&rows);
	const char *what = state_pane(app)->rows(app, &first, &last, &all);
	if (!app->heat.is_open)
		buf_addf(&rows, "%s %zu-%zu of %zu", what, first, last, all);
	if (is_loading(app) && app->load.is_live)
		live_add(out, &app->live, &app->load, most);
	if (out->len == 0 || out->len + rows.len + 30 <= most)
		buf_addf(out, "%s%s", out->len > 0 ? "  " : "", buf_str(&rows));
	buf_deinit(&rows);
}

static void paint_header(struct app *app)
{
	struct grid *g = &app->grid;
	struct buf left, right;
	buf_init(&left);
	buf_init(&right);
	if (view_is_diff(&app->view)) { /* first, since it changes the meaning of all the rest */
		words_add_comparison(&left, &app->facts.basis);
		buf_adds(&left, "  ");
	}
	add_inputs(app, &left);
	add_total(app, &left);
	if (view_is_diff(&app->view)) {
		buf_adds(&left, "  ");
		change_add_counts(&left, app);
	}
	add_mode(app, &left);
	add_parts(app, &left);
	if (app->is_frozen)
		buf_adds(&left, "  frozen");
	add_header_right(app, &right);
	grid_fill(g, 0, 0, g->cols, ' ', app->theme.bar);
	int room = g->cols - (int)right.len - 2;
	if (room < 20)
		room = g->cols;
	else
		grid_text(g, 0, g->cols - (int)right.len, (int)right.len, app->theme.bar_dim, right.data, right.len);
	grid_text_cut(g, 0, 0, room, app->theme.bar, left.data, left.len, app->theme.ascii);
	buf_deinit(&left);
	buf_deinit(&right);
}

/* ---- breadcrumb ------------------------------------------------------------------------------------------------- */

/*
 * The zoomed frame's ancestors, as many as fit: the outermost ones, "…", the innermost ones. They are collected from the
 * zoomed frame up; only the first and the last MAX_CRUMBS / 2 of them can be shown.
 */
struct crumb_path {
	uint32_t head[MAX_CRUMBS / 2], tail[MAX_CRUMBS / 2]; /* from the root down; tail: the zoomed frame is last */
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

static void paint_crumbs(struct app *app)
{
	struct crumb_path p;
	uint32_t nodes[MAX_CRUMBS];
	collect_crumbs(&app->view.tree, app->view.zoom, &p);
	memcpy(nodes, p.head, p.n_head * sizeof *nodes);
	memcpy(nodes + p.n_head, p.tail, p.n_tail * sizeof *nodes);
	size_t n = p.n_head + p.n_tail, room = (size_t)app->grid.cols, used = 4;
	size_t first = 0, last = n; /* shown: [0, first) and [last, n) */
	/* Take turns from both ends, the zoomed frame first, while there is room. */
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

/* ---- footer ----------------------------------------------------------------------------------------------------- */

/* Whole names of C++ or Rust would be hundreds of bytes with every step of the cursor; the list has them. */
#define MEMBER_COLUMNS 22u

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

/* Frames that lie within the edges of the one under the cursor: how much they are, their names are a key away. */
static void add_hidden(struct app *app, struct buf *out)
{
	size_t box = flame_box(app);
	if (box == NO_BOX)
		return;
	const struct box *b = &app->flame.layout.boxes[box];
	if (b->first == b->final)
		return;
	const struct members *m = flame_members(app, b->first, b->final, b->node, b->last);
	buf_adds(out, "  (a: ");
	number_add_commas(out, m->n, 0);
	buf_adds(out, " more at its edge, ");
	number_add_percent(out, m->weight, view_total(&app->view), 1);
	buf_adds(out, "%)");
}

/* "  [libc.so.6]"; nothing where it says what the name does, as in "libc.so.6`read" or for a frame without a symbol. */
static void add_module(const struct app *app, struct buf *out, const char *name, const char *module)
{
	size_t from = out->len, len = strlen(module);
	bool has_brackets = *module == '[';
	buf_adds(out, has_brackets ? "  " : "  [");
	add_clean(app, out, module);
	buf_adds(out, has_brackets ? "" : "]");
	if (strcmp(buf_str(out) + from + 2, name) == 0 || (strncmp(name, module, len) == 0 && name[len] == '`'))
		out->len = from;
}

static void add_name(struct app *app, struct buf *out)
{
	const struct box *aggregate = flame_aggregate(app);
	uint32_t sym = state_symbol(app);
	if (aggregate) {
		add_aggregate(app, out, aggregate);
		return;
	}
	if (sym == UINT32_MAX) {
		buf_adds(out, app->tab == TAB_FLAME || app->tab == TAB_CALLS ? "all" : "");
		change_add_unseen(app, out);
		return;
	}
	const struct symtab *symtab = &app->profile->symtab;
	const struct symbol *s = &symtab->symbols[sym];
	if (!top_shows_name(app))
		buf_adds(out, state_name(app, sym));
	if (s->module)
		add_module(app, out, state_name(app, sym), base_name(symtab->symbols[s->module].name));
	if (s->source) {
		buf_adds(out, "  ");
		add_clean(app, out, symtab->symbols[s->source].name);
	}
	if (app->tab == TAB_FLAME && app->flame.is_named) {
		size_t box = flame_box(app);
		if (box != NO_BOX && app->flame.layout.boxes[box].node != app->view.cursor)
			buf_adds(out, tree_total(&app->view.tree, app->view.cursor) ? "  (too narrow to draw)"
			                                                            : "  (no width here)");
	} else if (app->tab == TAB_FLAME) {
		add_hidden(app, out);
	}
	change_add_unseen(app, out);
}

/* Wrapped over the lines there are; the last one is cut. */
static void paint_name(struct app *app, int row, int lines)
{
	struct grid *g = &app->grid;
	struct buf text;
	size_t at = top_shows_name(app) ? 2 : 0; /* what follows a name has two blanks before it */
	buf_init(&text);
	add_name(app, &text);
	for (int i = 0; i < lines && at < text.len; i++) {
		size_t left = text.len - at, n = utf8_fit(text.data + at, left, (size_t)g->cols);
		if (i + 1 == lines)
			grid_text_cut(g, row + i, 0, g->cols, app->theme.plain, text.data + at, left, app->theme.ascii);
		else
			grid_text(g, row + i, 0, g->cols, app->theme.plain, text.data + at, n);
		if (n == 0)
			break;
		at += n;
	}
	buf_deinit(&text);
}

/*
 * Numbers keep their columns, so that a step of the cursor changes digits and moves nothing: easier on the eye, and only
 * a few bytes over a slow line.
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
	view_add_weight(&app->view, out, state_shown(app, weight));
	align_right(out, from, view_is_time(&app->view) ? 7 : 6);
	buf_addc(out, ' ');
}

/* Of one frame, or of several beside one another. */
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
	add_share(out, total, all, " of all");
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
		uint64_t start = t->time[node], end = tree_time_at(t, t->pos[t->end[node]]);
		buf_addf(out, "  at %.6f s for ", (double)start / 1e9);
		number_add_time(out, end > start ? end - start : 0, 9);
	}
}

/* Their columns are those of a frame's name, so that a step between the two moves nothing. */
static void add_sums(const struct app *app, struct buf *out, uint64_t frames, uint64_t self, uint64_t total)
{
	uint64_t all = view_total(&app->view);
	buf_addf(out, "in %4llu frame%s self ", (unsigned long long)frames, frames == 1 ? ": " : "s:");
	add_weight(app, out, self);
	add_share(out, self, all, ", total ");
	add_weight(app, out, total);
	add_share(out, total, all, "");
}

/* What all frames of this name take together. */
static void add_name_numbers(const struct app *app, struct buf *out, uint32_t sym)
{
	const struct name_sum *s = facts_sum(&app->facts, sym);
	if (s == NULL)
		return;
	add_sums(app, out, s->frames, s->self, s->total);
	if (view_is_diff(&app->view))
		change_add_gain(out, app, s);
}

/* What is under the cursor: one frame, or the frames in one place. */
static void add_selection(struct app *app, struct buf *out)
{
	const struct box *aggregate = flame_aggregate(app);
	uint32_t node = state_node(app);
	if (aggregate) {
		const struct members *m = flame_members(app, aggregate->first, aggregate->final, 1, 0);
		add_numbers(app, out, m->self, m->weight, aggregate->first);
	} else if (node != NO_NODE && node < app->view.tree.n) {
		add_node_numbers(app, out, node);
	}
}

/* All frames of that name, or again those in one place: columns that stay full cost less than those that come and go. */
static void add_together(struct app *app, struct buf *out, bool has_line)
{
	const struct box *aggregate = flame_aggregate(app);
	uint32_t sym = state_symbol(app);
	if (aggregate && has_line) {
		const struct members *m = flame_members(app, aggregate->first, aggregate->final, 1, 0);
		add_sums(app, out, m->n, m->self, m->weight);
	} else if (sym != UINT32_MAX && !aggregate && !top_shows_numbers(app)) {
		add_name_numbers(app, out, sym);
	}
}

static void paint_line(struct app *app, int row, const struct buf *text)
{
	struct grid *g = &app->grid;
	grid_text_cut(g, row, 0, g->cols, app->theme.plain, text->data, text->len, app->theme.ascii);
}

/* The frame's numbers and those of its name, on two lines or on one. */
static void paint_numbers(struct app *app, int row, int lines)
{
	struct buf frame, name;
	buf_init(&frame);
	buf_init(&name);
	add_selection(app, &frame);
	add_together(app, &name, lines > 1);
	if (lines > 1) {
		paint_line(app, row, &frame);
		paint_line(app, row + 1, &name);
	} else {
		if (frame.len > 0 && name.len > 0)
			buf_adds(&frame, "  |  ");
		buf_add(&frame, name.data, name.len);
		paint_line(app, row, &frame);
	}
	buf_deinit(&frame);
	buf_deinit(&name);
}

/* What takes its time; in a prompt the pattern stands there already. */
static void add_seeking(const struct app *app, struct buf *out)
{
	if (!prompt_is_open(&app->prompt)) {
		buf_addc(out, '/');
		add_clean(app, out, app->sought);
		buf_adds(out, "/ ");
	}
	buf_addf(out, "searching %d%%, Esc stops", (int)(100 * work_share_done(app->seek)));
}

static void add_search(struct app *app, struct buf *out)
{
	const struct view *v = &app->view;
	const struct search *s = &v->search;
	if (app->seek && !app->is_recount) {
		add_seeking(app, out);
		return;
	}
	if (s->pattern == NULL || s->node_bits == NULL)
		return;
	if (!prompt_is_open(&app->prompt)) {
		char mark = s->mode == MATCH_LITERAL ? '"' : '/';
		buf_addc(out, mark);
		add_clean(app, out, s->pattern);
		buf_addf(out, "%c ", mark);
	}
	bool shows_cursor = app->tab == TAB_FLAME || app->tab == TAB_CALLS;
	if (shows_cursor && s->frames_zoom > 0 && v->cursor < v->tree.n && view_is_hit(v, v->cursor)) {
		number_add_commas(out, view_hit_number(v, v->cursor), 0);
		buf_addc(out, '/');
	}
	number_add_commas(out, s->frames_zoom, 0);
	buf_adds(out, s->frames_zoom == 1 ? " match, " : " matches, ");
	if (s->is_counted) {
		number_add_percent(out, s->matched, tree_total(&v->tree, v->zoom), 1);
		buf_addc(out, '%');
	} else {
		buf_adds(out, "adding up");
	}
	if (s->match && match_exceeded(s->match) > 0)
		buf_addf(out, " (%llu names beyond the limit)", (unsigned long long)match_exceeded(s->match));
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

/* Returns the column behind it. */
static int paint_progress(struct app *app, int row, int cols)
{
	struct grid *g = &app->grid;
	struct buf text;
	double share = -1;
	buf_init(&text);
	if (is_loading(app)) {
		buf_adds(&text, app->options->record.interrupt ? "recording" : app->load.is_live ? "reading" : "loading");
		if (app->load.bytes > 0) {
			buf_addc(&text, ' ');
			number_add_short(&text, app->load.bytes, 0);
			buf_addc(&text, 'B');
		}
		if (app->load.bytes_all > 0)
			share = (double)app->load.bytes / (double)app->load.bytes_all;
	} else {
		buf_adds(&text, state_can_stop_fold(app) ? "folding, Esc stops" : "folding");
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
	return col;
}

/* Behind the progress of what the key has begun. */
static void paint_message(struct app *app, int row, int cols)
{
	int col = state_is_folding(app) && !is_loading(app) ? paint_progress(app, row, cols) + 2 : 0;
	grid_text_cut(&app->grid, row, col, cols - col, app->is_error ? app->theme.bad : app->theme.good, app->message,
	              strlen(app->message), app->theme.ascii);
}

static void paint_status(struct app *app, int row)
{
	struct grid *g = &app->grid;
	struct buf search;
	int cols = g->cols;
	buf_init(&search);
	add_search(app, &search);
	size_t width = utf8_columns(search.data, search.len);
	if (width > 0 && width + 10 <= (size_t)cols) {
		cols -= (int)width + 2;
		grid_text(g, row, cols + 2, (int)width, app->theme.bold, search.data, search.len);
	}
	if (prompt_is_open(&app->prompt))
		prompt_paint(&app->prompt, g, row, cols, &app->theme);
	else if (app->message)
		paint_message(app, row, cols);
	else if (is_loading(app) || state_is_folding(app))
		hint_paint(app, row, paint_progress(app, row, cols) + 2, cols);
	else
		hint_paint(app, row, 0, cols);
	/* A complaint about what is being typed stands beside it. */
	if (prompt_is_open(&app->prompt) && app->message)
		grid_text_cut(g, row - 1, 0, g->cols, app->is_error ? app->theme.bad : app->theme.good, app->message,
		              strlen(app->message), app->theme.ascii);
	buf_deinit(&search);
}

/* Self and total; on one line the total. */
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

static void paint_footer(struct app *app)
{
	int height = footer_height(app), row = app->grid.rows - height;
	int changes = change_lines(app), numbers = number_lines(app);
	if (height >= 3)
		paint_name(app, row, height - 1 - numbers - changes);
	if (height >= 2 && numbers > 0)
		paint_numbers(app, app->grid.rows - 1 - changes - numbers, numbers);
	if (changes > 0)
		paint_changes(app, app->grid.rows - 1 - changes, changes);
	if (prompt_is_open(&app->prompt) && app->message && height >= 2)
		grid_fill(&app->grid, app->grid.rows - 2, 0, app->grid.cols, ' ', app->theme.plain);
	paint_status(app, app->grid.rows - 1);
}

/* ---- nothing to see --------------------------------------------------------------------------------------------- */

/* Part of the time is picked: which one, and where the samples end. */
static void add_time_reason(const struct app *app, struct buf *out)
{
	const struct recipe *r = &app->view.recipe;
	uint64_t first, last;
	buf_addf(out, "  - the time from %.3f s ", (double)r->from / 1e9);
	if (r->to)
		buf_addf(out, "to %.3f s ", (double)r->to / 1e9);
	buf_adds(out, "is picked (m: another)");
	if (profile_time_range(app->profile, &first, &last))
		buf_addf(out, "; the samples end at %.3f s", (double)(last - profile_time_base(app->profile, first)) / 1e9);
	buf_addc(out, '\n');
}

static void add_reasons(const struct app *app, struct buf *out)
{
	const struct recipe *r = &app->view.recipe;
	const struct profile *p = app->profile;
	if (r->comm || r->pid || r->tid)
		buf_adds(out, "  - one thread or process is picked (T: pick another, or all)\n");
	if (r->from || r->to)
		add_time_reason(app, out);
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].matched_none && r->filters[i].pattern) {
			buf_adds(out, "  - no function matches the filter ");
			add_clean(app, out, r->filters[i].pattern);
			buf_addc(out, '\n');
		}
	if (r->n_filters > 0)
		buf_addf(out, "  - %zu filter%s on (L: what each took out; x in that list takes it away)\n", r->n_filters,
		         r->n_filters > 1 ? "s are" : " is");
	if (p->n_series > 1)
		buf_adds(out, "  - other events or values may have samples (e)\n");
}

/* A tree without weight says why, and what helps. */
static void paint_nothing(struct app *app, struct rect body)
{
	struct buf text;
	const struct tree *t = &app->view.tree;
	int row = body.row + (body.rows > 8 ? 2 : 0);
	buf_init(&text);
	if (is_loading(app) || state_is_folding(app))
		buf_adds(&text, "nothing has arrived yet");
	else if (t->excluded[0] > 0)
		buf_adds(&text, "Nothing is left to show.\n");
	else if (app->profile->log[0].n > 0)
		buf_adds(&text, "All samples of this profile have a weight of 0.\n");
	else
		buf_adds(&text, "The profile has no samples (M shows what was skipped).\n");
	if (!is_loading(app) && !state_is_folding(app))
		add_reasons(app, &text);
	if (t->excluded[0] > 0)
		buf_adds(&text, "r takes back all of this: zoom, filters, times and order.\n");
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

bool state_has_nothing(const struct app *app)
{
	const struct tree *t = &app->view.tree;
	return view_total(&app->view) == 0 && (t->base == NULL || tree_base_total(t, NODE_ALL) == 0);
}

/* Less than this shows nothing that could be read. */
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

void state_paint(struct app *app)
{
	struct rect body = state_body(app);
	grid_clear(&app->grid);
	app->n_crumbs = 0;
	if (app->grid.cols < LEAST_COLUMNS || app->grid.rows < LEAST_SCREEN_ROWS) {
		paint_too_small(app);
		return;
	}
	paint_header(app);
	if (has_crumbs(app))
		paint_crumbs(app);
	if (app->heat.is_open)
		heat_paint(app, body);
	else if (state_has_nothing(app))
		paint_nothing(app, body);
	else
		state_pane(app)->paint(app, body);
	paint_footer(app);
	if (app->list.is_open)
		list_paint(app, body);
}
