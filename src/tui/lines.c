/*
 * lines.c - shows a function line by line.
 *
 *	parse  self 12.5%  total 61.0%                /home/me/parse.c
 *	   self   total         line
 *	                          79  static int parse(struct input *in)
 *	          48.5%  ████     80      while (lex(in))                     Enter: what it calls
 *	  12.5%   12.5%  █        81          count[in->kind]++;
 *
 * The page is made in the background: sums of a large log, debug information and the source take their time. It
 * shows the function in all stacks of the view, whatever the zoom.
 */
#include "tui/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "lib/cells.h"

static void lines_init(struct app *app)
{
	struct lines *l = app->lines = mem_zalloc(1, sizeof *l);
	l->symbol = l->made.symbol = l->wanted.symbol = NO_SYMBOL;
	const struct source_places *sources = app->options->export_.sources;
	l->code = code_lines_new(sources ? &sources->files : NULL, app->options->collapse.debuginfod);
	l->finder = code_lines_finder(l->code);
}

static void lines_deinit(struct app *app)
{
	struct lines *l = app->lines;
	lines_stop_work(l);
	line_page_deinit(&l->page);
	code_lines_free(l->code);
	lines_forget_hottest(l);
	free(l->hottest);
	free(l->past);
	free(l->lost);
	free(l->pattern);
	free(l);
}

static bool has_function(const struct app *app)
{
	return app->lines->symbol < app->profile->symtab.n;
}

static void set_function(struct app *app, uint32_t symbol, uint32_t line)
{
	struct lines *l = app->lines;
	l->symbol = symbol;
	l->group = app->view.tree.group;
	l->line = line;
	l->left = 0;
	l->made.symbol = NO_SYMBOL;
	app->dirty |= DIRTY_SCREEN;
}

static uint32_t line_at_row(const struct line_page *p, size_t row)
{
	if (row >= p->n)
		return 0;
	while (row > 0 && p->rows[row].kind == PAGE_CODE)
		row--;
	return p->rows[row].kind == PAGE_LINE || p->rows[row].kind == PAGE_SOURCE ? p->rows[row].line : 0;
}

static uint32_t line_at(const struct lines *l)
{
	return line_at_row(&l->page, l->cursor);
}

static void go_to_function(struct app *app, uint32_t symbol, uint32_t line)
{
	struct lines *l = app->lines;
	if (l->symbol != NO_SYMBOL)
		mem_push(l->past, l->n_past, l->cap_past, ((struct lines_place){l->symbol, line_at(l)}));
	set_function(app, symbol, line);
}

bool lines_back(struct app *app)
{
	struct lines *l = app->lines;
	if (l->n_past == 0)
		return false;
	struct lines_place place = l->past[--l->n_past];
	set_function(app, place.symbol, place.line);
	return true;
}

/* ---- the page ------------------------------------------------------------------------------------------------ */

static void keep_visible(struct lines *l)
{
	size_t height = l->height > 0 ? (size_t)l->height : 1;
	if (l->cursor >= l->page.n)
		l->cursor = l->page.n ? l->page.n - 1 : 0;
	if (l->cursor < l->scroll)
		l->scroll = l->cursor;
	if (l->cursor >= l->scroll + height)
		l->scroll = l->cursor - height + 1;
	if (l->page.n <= height)
		l->scroll = 0;
	else if (l->scroll + height > l->page.n)
		l->scroll = l->page.n - height;
}

static void centre(struct lines *l)
{
	size_t half = (size_t)(l->height > 0 ? l->height : 1) / 2;
	l->scroll = l->cursor > half ? l->cursor - half : 0;
	keep_visible(l);
}

/* The row of a line: of instructions, the heaviest one of the line, if any has samples. SIZE_MAX: there is none. */
static size_t row_of_line(const struct line_page *p, uint32_t line)
{
	for (size_t i = 0; p->n_codes && i < p->n_hot; i++)
		if (p->codes[p->rows[p->hot[i]].line].line == line)
			return p->hot[i];
	for (size_t i = 0; i < p->n; i++)
		if ((p->rows[i].kind == PAGE_LINE || p->rows[i].kind == PAGE_SOURCE) && p->rows[i].line == line)
			return i;
	return SIZE_MAX;
}

/* To the line that was wanted, or to the hottest one. */
static void put_cursor(struct lines *l)
{
	size_t row = l->line ? row_of_line(&l->page, l->line) : SIZE_MAX;
	l->cursor = row != SIZE_MAX ? row : l->page.n_hot ? l->page.hot[0] : 0;
	l->line = 0;
	centre(l);
}

/* Opens the lines that were open in the page before, a profile of less. */
static void reopen(struct line_page *p, const struct line_page *was)
{
	for (size_t i = 0; i < was->n; i++) {
		size_t row = was->rows[i].is_open ? row_of_line(p, was->rows[i].line) : SIZE_MAX;
		if (row != SIZE_MAX && !p->rows[row].is_open && line_page_has_calls(p, row))
			line_page_toggle(p, row);
	}
}

/* The same page of more samples: nothing moves on the screen, if it has the same rows. */
static void keep_place(struct lines *l, const struct line_page *was)
{
	size_t above = l->cursor - l->scroll;
	uint32_t line = line_at_row(was, l->cursor);
	reopen(&l->page, was);
	if (l->page.n == was->n)
		return;
	size_t row = line ? row_of_line(&l->page, line) : SIZE_MAX;
	if (row != SIZE_MAX)
		l->cursor = row;
	l->scroll = l->cursor > above ? l->cursor - above : 0;
	keep_visible(l);
}

static void lines_take(struct app *app)
{
	struct lines *l = app->lines;
	struct line_page was;
	bool is_same;
	if (!lines_take_work(app, &was, &is_same))
		return;
	if (is_same && was.n && l->page.n)
		keep_place(l, &was);
	else if (l->page.n)
		put_cursor(l);
	line_page_deinit(&was);
}

static void find_lost(struct app *app)
{
	struct lines *l = app->lines;
	if (l->symbol == NO_SYMBOL)
		l->symbol = symtab_find(&app->profile->symtab, l->lost, strlen(l->lost));
	free(l->lost);
	l->lost = NULL;
}

static void set_heaviest(struct app *app)
{
	uint32_t symbol = shown_heaviest(&app->profile->symtab, app->totals.sums, app->totals.n_sums);
	if (symbol != NO_SYMBOL)
		set_function(app, symbol, 0);
}

static void show_as_shown(struct app *app)
{
	struct lines *l = app->lines;
	const struct shown *s = &app->view.shown;
	l->is_due = false;
	for (size_t i = 0; i < s->n_open_rows; i++)
		if (s->open_rows[i] < l->page.n && line_page_has_calls(&l->page, s->open_rows[i]) &&
		    !l->page.rows[s->open_rows[i]].is_open)
			line_page_toggle(&l->page, s->open_rows[i]);
	if (s->row != NO_PAGE_ROW)
		l->cursor = s->row;
	if (s->scroll[0] != SCROLL_AS_USUAL)
		l->scroll = s->scroll[0];
	if (s->scroll[1] != SCROLL_AS_USUAL)
		l->left = s->scroll[1] < SOURCE_MOST_COLUMNS ? s->scroll[1] : SOURCE_MOST_COLUMNS;
	keep_visible(l);
}

/* A function may be nothing in a tree of modules. */
static void follow_group(struct app *app)
{
	struct lines *l = app->lines;
	if (l->group == app->view.tree.group)
		return;
	l->group = app->view.tree.group;
	l->n_past = 0;
	if (has_function(app) && !totals_of(&app->totals, l->symbol))
		l->symbol = NO_SYMBOL;
}

static void lines_prepare(struct app *app, struct rect area)
{
	struct lines *l = app->lines;
	l->height = area.rows > 2 ? area.rows - 2 : 1;
	if (l->lost)
		find_lost(app);
	follow_group(app);
	if (!has_function(app))
		set_heaviest(app);
	if (has_function(app) && lines_are_known(app->profile))
		lines_make_page(app);
	keep_visible(l);
	if (l->is_due && has_function(app) && lines_is_current(app, &l->made))
		show_as_shown(app);
}

unsigned lines_toggle_code(struct app *app)
{
	struct lines *l = app->lines;
	l->line = line_at(l);
	l->wants_code = !l->wants_code;
	return DIRTY_SCREEN;
}

/* ---- moving -------------------------------------------------------------------------------------------------- */

static void go_to_row(struct app *app, long row)
{
	struct lines *l = app->lines;
	long last = (long)l->page.n - 1;
	l->cursor = (size_t)(row < 0 ? 0 : row > last ? (last < 0 ? 0 : last) : row);
	keep_visible(l);
	app->dirty |= DIRTY_SCREEN;
}

#define STEP_COLUMNS 8u

static void scroll_text(struct app *app, bool is_left)
{
	struct lines *l = app->lines;
	if (is_left)
		l->left = l->left > STEP_COLUMNS ? l->left - STEP_COLUMNS : 0;
	else if (l->left < SOURCE_MOST_COLUMNS)
		l->left += STEP_COLUMNS;
	app->dirty |= DIRTY_SCREEN;
}

static void lines_move(struct app *app, enum motion m)
{
	struct lines *l = app->lines;
	switch (m) {
	case MOVE_LEFT:
	case MOVE_RIGHT:
		scroll_text(app, m == MOVE_LEFT);
		break;
	case MOVE_FIRST:
		l->left = 0;
		app->dirty |= DIRTY_SCREEN;
		break;
	case MOVE_LAST:
	case MOVE_PARENT:
		break;
	case MOVE_TOP:
	case MOVE_BOTTOM:
		go_to_row(app, m == MOVE_TOP ? 0 : (long)l->page.n);
		break;
	default:
		go_to_row(app, (long)l->cursor + motion_lines(m, l->height));
		break;
	}
}

unsigned lines_next_hot(struct app *app, int backwards)
{
	struct lines *l = app->lines;
	size_t n = l->page.n_hot, at = 0;
	if (n == 0) {
		app_say(app, "no line has samples");
		return 0;
	}
	while (at < n && l->page.hot[at] != l->cursor)
		at++;
	for (unsigned left = app_take_times(app); left > 0; left--) {
		at = at == n ? 0 : backwards ? (at + n - 1) % n : (at + 1) % n;
		l->cursor = l->page.hot[at];
		if (l->cursor < l->scroll || l->cursor >= l->scroll + (size_t)l->height)
			centre(l);
	}
	app_say(app, "%zu of %zu lines with samples, by weight", at + 1, n);
	return DIRTY_SCREEN;
}

/* A line opens and closes; a call leads to the function. */
static void lines_enter(struct app *app)
{
	struct lines *l = app->lines;
	if (l->cursor >= l->page.n)
		return;
	const struct page_row *r = &l->page.rows[l->cursor];
	size_t target = line_page_target(&l->page, l->cursor);
	if (target != SIZE_MAX) {
		l->cursor = target;
	} else if (r->kind == PAGE_CODE || r->kind == PAGE_SOURCE) {
		app_say(app, "no jump within this function");
	} else if (r->call)
		go_to_function(app, r->call->sym, r->kind == PAGE_CALLER ? r->call->line : 0);
	else if (line_page_has_calls(&l->page, l->cursor))
		line_page_toggle(&l->page, l->cursor);
	else if (r->kind == PAGE_LINE)
		app_say(app, r->row ? "this line calls nothing in the samples" : "no sample was here");
	keep_visible(l);
	app->dirty |= DIRTY_SCREEN;
}

static void lines_click(struct app *app, struct rect area, int row, int col, bool is_double)
{
	struct lines *l = app->lines;
	(void)col;
	if (row < area.row + 2 || l->scroll + (size_t)(row - area.row - 2) >= l->page.n)
		return;
	go_to_row(app, (long)l->scroll + row - area.row - 2);
	if (is_double)
		lines_enter(app);
}

/* ---- text ---------------------------------------------------------------------------------------------------- */

static bool row_matches(const struct lines *l, struct match *m, size_t row)
{
	size_t len;
	const char *text = line_page_text(&l->page, row, &len);
	return text && match_name(m, text, len);
}

static void say_hit(struct app *app, bool is_found, uint64_t given_up)
{
	const char *noun = given_up == 1 ? "line" : "lines";
	if (is_found && given_up)
		app_say(app, "passed over %llu %s beyond the limit", (unsigned long long)given_up, noun);
	else if (given_up)
		app_say(app, "no line of the source matches (%llu %s beyond the limit)", (unsigned long long)given_up,
		        noun);
	else if (!is_found)
		app_say(app, "no line of the source matches");
}

void lines_next_hit(struct app *app, bool backwards)
{
	struct lines *l = app->lines;
	struct err err;
	struct match *m = l->pattern ? match_new_for_texts(l->pattern, &err) : NULL;
	size_t n = l->page.n;
	bool is_found = false;
	if (m)
		match_limit_all(m, MATCH_LIMIT_KEY);
	for (size_t i = 1; m && i <= n && !is_found; i++) {
		size_t row = (l->cursor + (backwards ? n - i : i)) % n;
		is_found = row_matches(l, m, row);
		if (is_found)
			l->cursor = row;
	}
	say_hit(app, is_found, m ? match_exceeded(m) : 0);
	match_free(m);
	if (is_found && (l->cursor < l->scroll || l->cursor >= l->scroll + (size_t)l->height))
		centre(l);
	app->dirty |= DIRTY_SCREEN;
}

static void search_accepted(struct app *app, const char *text)
{
	struct lines *l = app->lines;
	struct err err;
	struct match *m = *text ? match_new_for_texts(text, &err) : NULL;
	if (*text && !m) {
		app_complain(app, "%s", err.text);
		return;
	}
	match_free(m);
	free(l->pattern);
	l->pattern = *text ? mem_strdup(text) : NULL;
	if (l->pattern)
		lines_next_hit(app, false);
}

unsigned lines_search(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_LINES, "find in the source: ", NULL, search_accepted, NULL};
	app_prompt(app, &kind, NULL);
	return DIRTY_SCREEN;
}

const char *lines_source(const struct app *app, uint32_t *line)
{
	const struct lines *l = app->lines;
	if (l->cursor >= l->page.n)
		return NULL;
	const struct page_row *r = &l->page.rows[l->cursor];
	const struct page_section *s = &l->page.sections[r->section];
	*line = line_at(l);
	return r->kind == PAGE_CALLERS || r->kind == PAGE_CALLER ? NULL : s->text ? s->text->path : s->file;
}

static void add_weights(const struct app *app, struct buf *out, const char *what, const uint64_t weight[2])
{
	const struct view *v = &app->view;
	buf_addf(out, "%s ", what);
	view_add_weight(v, out, app_shown(app, weight[0]));
	buf_addc(out, ' ');
	number_add_percent(out, weight[0], view_total(v), 1);
	buf_addc(out, '%');
	if (!view_is_diff(v))
		return;
	struct diff_change c = diff_of(&app->totals.basis, weight[0], weight[1]);
	buf_addc(out, ' ');
	words_add_gain(out, v, &c, app_factor(app), 1);
	buf_adds(out, c.is_noise && c.delta != 0 ? "~" : "");
}

void lines_add_words(const struct app *app, struct buf *out)
{
	const struct lines *l = app->lines;
	const struct page_row *r = l->cursor < l->page.n ? &l->page.rows[l->cursor] : NULL;
	if (!r || !r->row)
		return;
	if (r->kind == PAGE_CODE)
		buf_addf(out, "+0x%llx: ", (unsigned long long)(l->page.codes[r->line].address - l->page.start));
	else if (r->line)
		buf_addf(out, "line %u: ", r->line);
	else
		buf_adds(out, "line unknown: ");
	add_weights(app, out, "self", r->row->self);
	add_weights(app, out, ", total", r->row->total);
	if (strcmp(view_unit(&app->view), "samples") == 0)
		return; /* the weights are samples, several in one line of the input */
	buf_adds(out, ", ");
	number_add_commas(out, r->row->samples, 0);
	buf_adds(out, r->row->samples == 1 ? " sample" : " samples");
}

/* ---- the pane ------------------------------------------------------------------------------------------------ */

static uint32_t lines_symbol(const struct app *app)
{
	const struct lines *l = app->lines;
	const struct page_row *r = l->cursor < l->page.n ? &l->page.rows[l->cursor] : NULL;
	if (!has_function(app))
		return NO_SYMBOL;
	return r && r->call && lines_is_current(app, &l->made) ? r->call->sym : l->symbol;
}

bool lines_unites_names(const struct app *app)
{
	return app->tab == TAB_LINES && app->profile->sites && app->profile->sites->are_of_names &&
	       lines_symbol(app) == app->lines->symbol;
}

static uint32_t lines_node(const struct app *app)
{
	(void)app;
	return NO_NODE;
}

static const char *lines_rows(const struct app *app, size_t *first, size_t *last, size_t *all)
{
	const struct lines *l = app->lines;
	size_t end = l->scroll + (size_t)l->height;
	*all = l->page.n;
	*first = *all ? l->scroll + 1 : 0;
	*last = end < *all ? end : *all;
	return "rows";
}

static void lines_open(struct app *app, uint32_t symbol, uint32_t node)
{
	(void)node;
	if (symbol != NO_SYMBOL && symbol != app->lines->symbol)
		go_to_function(app, symbol, 0);
}

static void lines_tell(const struct app *app, struct shown *s)
{
	const struct lines *l = app->lines;
	s->function = l->symbol;
	s->wants_code = l->wants_code;
	if (!lines_is_current(app, &l->made) || l->page.n == 0)
		return;
	size_t cap = 0;
	for (size_t i = 0; i < l->page.n; i++)
		if (l->page.rows[i].is_open)
			mem_push(s->open_rows, s->n_open_rows, cap, i);
	s->row = l->cursor;
	s->scroll[0] = l->scroll;
	s->scroll[1] = l->left;
}

static void lines_show(struct app *app, bool is_in_front)
{
	if (!is_in_front)
		return;
	app->lines->wants_code = app->view.shown.wants_code;
	if (app->view.shown.function != NO_SYMBOL)
		set_function(app, app->view.shown.function, app->view.shown.line);
	app->lines->is_due = true;
}

static void lines_forget(struct app *app)
{
	lines_stop_work(app->lines);
	if (!app_is_loading(app))
		lines_forget_hottest(app->lines);
}

static struct work *lines_work(const struct app *app)
{
	return app->lines->work;
}

static void lines_stop(struct app *app, bool all)
{
	if (all)
		lines_stop_work(app->lines);
}

static void lines_drop_names(struct app *app)
{
	struct lines *l = app->lines;
	lines_forget_hottest(l);
	if (!has_function(app))
		return;
	free(l->lost);
	l->lost = mem_strdup(app_raw_name(app, l->symbol));
	l->symbol = l->made.symbol = NO_SYMBOL;
	l->n_past = 0;
	line_page_deinit(&l->page);
}

static const char *const lines_lessons[] = {
	("One function, line by line: self is what the line itself took, total with all that it calls. {hotter} and "
     "{cooler} go from line to line by weight."),
	("{zoom} on a line shows what it calls, on a call goes there; at the end are the callers. {back} goes back, "
     "{source} opens the editor at the line."),
	NULL};

static const char *const *lines_teach(const struct app *app)
{
	(void)app;
	return lines_lessons;
}

const struct pane lines_pane = {
	.name = "lines",
	.view = SHOWN_LINES,
	.init = lines_init,
	.deinit = lines_deinit,
	.prepare = lines_prepare,
	.paint = lines_paint,
	.move = lines_move,
	.enter = lines_enter,
	.click = lines_click,
	.symbol = lines_symbol,
	.node = lines_node,
	.lessons = lines_teach,
	.rows = lines_rows,
	.tell = lines_tell,
	.show = lines_show,
	.open = lines_open,
	.forget = lines_forget,
	.work = lines_work,
	.take = lines_take,
	.drop_names = lines_drop_names,
	.stop = lines_stop,
};
