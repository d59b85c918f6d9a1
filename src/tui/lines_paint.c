/*
 * lines_paint.c - paints the lines of a function: shares, a bar for the total, the number and the text of the line.
 */
#include <string.h>

#include "base/demangle.h"
#include "base/number.h"
#include "base/status.h"
#include "base/utf8.h"
#include "lib/cells.h"
#include "tui/lines.h"

#define SHARE_COLUMNS 8
#define CHANGE_COLUMNS 9
#define NUMBER_COLUMNS 8
#define LEAST_BAR 4
#define MOST_BAR 10
#define COLUMNS_FOR_BAR 60
#define ARROW_COLUMNS 2
#define LEAST_NAME 16u
#define LEAST_TEXT 20 /* columns that numbers leave for the text */

/* Where the columns of a row begin. */
struct look {
	bool has_change;
	int bar, bar_col; /* columns of the bar, 0: none */
	int number, text;
};

static struct look choose_look(const struct app *app, struct rect a)
{
	struct look k = {.has_change = view_is_diff(&app->view)};
	int col = 2 * SHARE_COLUMNS;
	if (k.has_change && a.cols < col + CHANGE_COLUMNS + NUMBER_COLUMNS + LEAST_TEXT)
		k.has_change = false;
	col += k.has_change ? CHANGE_COLUMNS : 0;
	if (a.cols >= COLUMNS_FOR_BAR) {
		k.bar = a.cols / 16;
		k.bar = k.bar < LEAST_BAR ? LEAST_BAR : k.bar > MOST_BAR ? MOST_BAR : k.bar;
		k.bar_col = col + 2;
		col += k.bar + 2;
	}
	k.number = col;
	k.text = col + NUMBER_COLUMNS + 3; /* with the sign of a line that opens */
	return k;
}

static void add_share(const struct app *app, struct buf *out, uint64_t weight)
{
	struct buf text;
	buf_init(&text);
	if (weight) {
		number_add_percent(&text, weight, view_total(&app->view), 1);
		buf_addc(&text, '%');
	}
	buf_addf(out, "%*s", SHARE_COLUMNS, buf_str(&text));
	buf_deinit(&text);
}

static void add_change(const struct app *app, struct buf *out, const uint64_t weight[2])
{
	struct diff_change c = diff_of(&app->totals.basis, weight[0], weight[1]);
	struct buf gain;
	buf_init(&gain);
	words_add_gain(&gain, &app->view, &c, app_factor(app), 1);
	buf_addf(out, "%*s%c", CHANGE_COLUMNS - 1, buf_str(&gain), c.is_noise && c.delta != 0 ? '~' : ' ');
	buf_deinit(&gain);
}

static void paint_bar(struct app *app, const struct look *k, struct rect a, int row, uint64_t weight,
                      struct style s)
{
	uint64_t all = view_total(&app->view);
	int col = a.col + k->bar_col, eighths = all ? (int)((double)weight / (double)all * 8 * k->bar + 0.5) : 0;
	if (app->theme.ascii) {
		grid_fill(&app->grid, row, col, (eighths + 4) / 8, '#', s);
		return;
	}
	grid_fill(&app->grid, row, col, eighths / 8, 0x2588, s);
	if (eighths % 8)
		grid_put(&app->grid, row, col + eighths / 8, 0x2590 - (uint32_t)(eighths % 8), s);
}

static struct style bar_style(const struct app *app, struct style s)
{
	struct style bar = s;
	const struct lines *l = app->lines;
	const struct line_sums *sums = &l->page.lines;
	uint64_t all = view_total(&app->view);
	double share = all ? (double)sums->total[0] / (double)all : 0;
	if (app->theme.depth != DEPTH_MONO && !view_is_diff(&app->view) && l->symbol < app->profile->symtab.n)
		bar.fg =
			theme_color(&app->theme, palette_terminal(app->theme.palette, &app->profile->symtab, l->symbol, share));
	return bar;
}

static void paint_numbers(struct app *app, const struct look *k, struct rect a, int row, const uint64_t self[2],
                          const uint64_t total[2], struct style s)
{
	struct buf b;
	buf_init(&b);
	add_share(app, &b, self ? self[0] : 0);
	add_share(app, &b, total[0]);
	if (k->has_change)
		add_change(app, &b, total);
	grid_text(&app->grid, row, a.col, a.cols, s, b.data, b.len);
	if (k->bar)
		paint_bar(app, k, a, row, total[0], bar_style(app, s));
	buf_deinit(&b);
}

/* Clean text from column `left` on. */
static void paint_text(struct app *app, struct rect a, int row, int col, size_t left, struct style s,
                       const struct buf *text)
{
	size_t skip = utf8_fit(text->data, text->len, left), columns = utf8_columns(text->data, skip);
	int room = a.col + a.cols - col;
	if (skip < text->len && columns < left) { /* half of a wide character */
		uint32_t cp;
		skip += utf8_decode(text->data + skip, text->len - skip, &cp);
	}
	if (room > 0 && skip < text->len)
		grid_text_cut(&app->grid, row, col, room, s, text->data + skip, text->len - skip, app->theme.ascii);
}

static void paint_line(struct app *app, const struct look *k, struct rect a, int row, size_t i, bool is_selected)
{
	const struct lines *l = app->lines;
	const struct page_row *r = &l->page.rows[i];
	struct style s = is_selected ? app->theme.selected : app->theme.plain;
	struct style dim = is_selected ? s : app->theme.dim;
	struct buf text;
	size_t len;
	const char *source = line_page_text(&l->page, i, &len);
	buf_init(&text);
	if (r->row)
		paint_numbers(app, k, a, row, r->row->self, r->row->total, s);
	if (r->line)
		buf_addf(&text, "%*u", NUMBER_COLUMNS, r->line);
	else
		buf_addf(&text, "%*s", NUMBER_COLUMNS, "-");
	grid_text(&app->grid, row, a.col + k->number, NUMBER_COLUMNS, dim, text.data, text.len);
	if (line_page_has_calls(&l->page, i))
		grid_put(&app->grid, row, a.col + k->text - 2, r->is_open ? '-' : '+', is_selected ? s : app->theme.key);
	text.len = 0;
	if (source)
		page_text_add(&text, source, len, app_clean_mode(app));
	else if (!r->line)
		buf_adds(&text, "line unknown");
	paint_text(app, a, row, a.col + k->text, source ? l->left : 0, r->row && r->line ? s : dim, &text);
	buf_deinit(&text);
}

/* What an instruction does, and the arrow of the jump under the cursor. */
static void paint_code(struct app *app, const struct look *k, struct rect a, int row, size_t i, bool is_selected)
{
	const struct lines *l = app->lines;
	const struct page_row *r = &l->page.rows[i];
	const struct page_code *c = &l->page.codes[r->line];
	struct style s = is_selected ? app->theme.selected : app->theme.plain;
	struct buf text;
	buf_init(&text);
	if (r->row)
		paint_numbers(app, k, a, row, r->row->self, r->row->total, s);
	buf_addf(&text, "+%llx", (unsigned long long)(c->address - l->page.start));
	int col = a.col + k->number + NUMBER_COLUMNS - (int)text.len;
	grid_text(&app->grid, row, col, NUMBER_COLUMNS, is_selected ? s : app->theme.dim, text.data, text.len);
	text.len = 0;
	utf8_clean(&text, c->text, strlen(c->text), app_clean_mode(app));
	paint_text(app, a, row, a.col + k->text + ARROW_COLUMNS, l->left, s, &text);
	buf_deinit(&text);
}

/* From the jump under the cursor to its target; what is beyond the screen is clipped. */
static void paint_arrow(struct app *app, const struct look *k, struct rect a)
{
	static const uint32_t signs[2][4] = {{0x256D, 0x2570, 0x2502, 0x25B6}, {',', '\'', '|', '>'}};
	const struct lines *l = app->lines;
	const uint32_t *sign = signs[app->theme.ascii];
	size_t to = l->cursor < l->page.n ? line_page_target(&l->page, l->cursor) : SIZE_MAX;
	int col = a.col + k->text - 1;
	if (to == SIZE_MAX || col + 2 >= a.col + a.cols)
		return;
	size_t low = to < l->cursor ? to : l->cursor, high = to < l->cursor ? l->cursor : to;
	for (int i = 0; i < a.rows - 2; i++) {
		size_t at = l->scroll + (size_t)i;
		if (at < low || at > high)
			continue;
		struct style s = at == l->cursor ? app->theme.selected : app->theme.key;
		grid_put(&app->grid, a.row + 2 + i, col, at == low ? sign[0] : at == high ? sign[1] : sign[2], s);
		if (at == to)
			grid_put(&app->grid, a.row + 2 + i, col + 1, sign[3], s);
	}
}

/* "mix (inlined)", "called from main  /home/me/main.c:12" */
static void paint_call(struct app *app, const struct look *k, struct rect a, int row, const struct page_row *r,
                       bool is_selected)
{
	struct style s = is_selected ? app->theme.selected : app->theme.plain;
	struct buf text;
	buf_init(&text);
	paint_numbers(app, k, a, row, NULL, r->call->weight, s);
	buf_addf(&text, "%s%s", r->kind == PAGE_CALL ? "  " : "", app_name(app, r->call->sym));
	if (r->call->is_inlined)
		buf_adds(&text, " (inlined)");
	if (r->call->line && r->call->file) {
		buf_adds(&text, "  ");
		app_add_clean(app, &text, app_base_name(r->call->file));
		buf_addf(&text, ":%u", r->call->line);
	}
	paint_text(app, a, row, a.col + k->text, 0, s, &text);
	buf_deinit(&text);
}

static void add_file(const struct app *app, struct buf *out, const struct page_section *section)
{
	const char *file = page_section_file(section);
	if (file)
		app_add_clean(app, out, file);
	else
		buf_adds(out, "without a line");
	if (section->why || section->remark) {
		buf_adds(out, "  (");
		page_section_add_remark(out, section, app_clean_mode(app));
		buf_addc(out, ')');
	}
}

static void paint_heading(struct app *app, const struct look *k, struct rect a, int row, const struct page_row *r,
                          bool is_selected)
{
	const struct page_section *section = &app->lines->page.sections[r->section];
	struct style s = is_selected ? app->theme.selected : app->theme.bold;
	struct buf text;
	buf_init(&text);
	if (r->kind == PAGE_CALLERS)
		buf_adds(&text, "called from");
	else
		add_file(app, &text, section);
	grid_text_cut(&app->grid, row, a.col + k->number + 2, a.cols - k->number - 2, s, text.data, text.len,
	              app->theme.ascii);
	buf_deinit(&text);
}

/* "hot.c:15  sum += table[i];" above its instructions. */
static void paint_source(struct app *app, const struct look *k, struct rect a, int row, size_t i, bool is_selected)
{
	const struct page_row *r = &app->lines->page.rows[i];
	const struct page_section *section = &app->lines->page.sections[r->section];
	size_t len;
	const char *source = line_page_text(&app->lines->page, i, &len);
	struct buf text;
	buf_init(&text);
	if (section->file && r->line) {
		app_add_clean(app, &text, app_base_name(section->file));
		buf_addf(&text, ":%u  ", r->line);
	} else {
		buf_adds(&text, "line unknown");
	}
	while (source && len && (*source == ' ' || *source == '\t'))
		source++, len--;
	if (source)
		page_text_add(&text, source, len, app_clean_mode(app));
	grid_text_cut(&app->grid, row, a.col + k->number + 2, a.cols - k->number - 2,
	              is_selected ? app->theme.selected : app->theme.bold, text.data, text.len, app->theme.ascii);
	buf_deinit(&text);
}

static void paint_row(struct app *app, const struct look *k, struct rect a, int row, size_t i)
{
	const struct page_row *r = &app->lines->page.rows[i];
	bool is_selected = i == app->lines->cursor;
	if (is_selected)
		grid_fill(&app->grid, row, a.col, a.cols, ' ', app->theme.selected);
	switch (r->kind) {
	case PAGE_HEADING:
	case PAGE_CALLERS:
		paint_heading(app, k, a, row, r, is_selected);
		break;
	case PAGE_SOURCE:
		paint_source(app, k, a, row, i, is_selected);
		break;
	case PAGE_CODE:
		paint_code(app, k, a, row, i, is_selected);
		break;
	case PAGE_CALL:
	case PAGE_CALLER:
		paint_call(app, k, a, row, r, is_selected);
		break;
	default:
		paint_line(app, k, a, row, i, is_selected);
		break;
	}
	if (is_selected && app->theme.depth == DEPTH_MONO)
		grid_put(&app->grid, row, a.col, '>', app->theme.selected);
}

/*
 * The function, shortened so that its sums have room. Instructions are those of a function in the file, into which
 * others may be inlined.
 */
static void add_function(struct app *app, struct buf *out, size_t room)
{
	const struct line_page *p = &app->lines->page;
	const char *shown = app_name(app, app->lines->symbol);
	struct display_name name = {.text = shown};
	struct buf own;
	buf_init(&own);
	if (!p->function)
		lines_add_name(&own, app->profile, shown, strlen(shown));
	else if (!demangle(p->function, strlen(p->function), &own))
		utf8_clean(&own, p->function, strlen(p->function), app_clean_mode(app));
	name.text = buf_str(&own);
	name.len = (uint32_t)strlen(name.text);
	name.columns = (uint32_t)utf8_columns(name.text, name.len);
	label_fit(out, &name, room, app->theme.ascii);
	buf_adds(out, "  ");
	buf_deinit(&own);
}

/* Is the heading of the row's section on the screen? */
static bool shows_heading_of(const struct lines *l, const struct page_row *r)
{
	for (size_t i = l->scroll; i <= l->cursor; i++)
		if (l->page.rows[i].kind == PAGE_HEADING && l->page.rows[i].section == r->section)
			return true;
	return false;
}

/* The file of the row under the cursor, whose heading may have scrolled out, and what is wrong with it. */
static void paint_file(struct app *app, const struct look *k, struct rect a)
{
	const struct lines *l = app->lines;
	const struct page_row *r = l->cursor < l->page.n ? &l->page.rows[l->cursor] : NULL;
	struct buf text;
	if (!r || r->kind == PAGE_CALLERS || r->kind == PAGE_CALLER || shows_heading_of(l, r))
		return;
	buf_init(&text);
	add_file(app, &text, &l->page.sections[r->section]);
	grid_text_cut(&app->grid, a.row + 1, a.col + k->text, a.cols - k->text, app->theme.bar, text.data, text.len,
	              app->theme.ascii);
	buf_deinit(&text);
}

static void add_elsewhere(struct app *app, struct buf *words)
{
	uint64_t weight = app->lines->page.elsewhere;
	if (!weight)
		return;
	buf_adds(words, "; self ");
	number_add_percent(words, weight, view_total(&app->view), 1);
	buf_adds(words, " in other code");
}

/* The function and its sums, and what the columns are. */
static void paint_head(struct app *app, const struct look *k, struct rect a)
{
	const struct line_sums *sums = &app->lines->page.lines;
	const struct name_sum sum = {.sym = app->lines->symbol, .self = sums->self[0], .total = sums->total[0]};
	size_t room = (size_t)a.cols;
	struct buf text, words;
	buf_init(&text);
	buf_init(&words);
	words_add_sums(&words, &app->view, &sum, app_factor(app));
	add_elsewhere(app, &words);
	add_function(app, &text, room > words.len + 2 + LEAST_NAME ? room - words.len - 2 : LEAST_NAME);
	buf_add(&text, words.data, words.len);
	buf_deinit(&words);
	grid_text_cut(&app->grid, a.row, a.col, a.cols, app->theme.bold, text.data, text.len, app->theme.ascii);
	grid_fill(&app->grid, a.row + 1, a.col, a.cols, ' ', app->theme.bar);
	text.len = 0;
	buf_addf(&text, "%*s%*s%s", SHARE_COLUMNS, "self", SHARE_COLUMNS, "total", k->has_change ? "   change" : "");
	grid_text(&app->grid, a.row + 1, a.col, a.cols, app->theme.bar, text.data, text.len);
	bool is_code = app->lines->page.n_codes > 0;
	grid_str(&app->grid, a.row + 1, a.col + k->number + NUMBER_COLUMNS - (is_code ? 6 : 4), a.cols, app->theme.bar,
	         is_code ? "offset" : "line");
	if (!is_code)
		paint_file(app, k, a);
	if (is_code)
		grid_str(&app->grid, a.row + 1, a.col + k->text + ARROW_COLUMNS, a.cols - k->text - ARROW_COLUMNS,
		         app->theme.bar, "instruction (samples may belong to the one before)");
	buf_deinit(&text);
}

/* A text with the name of a file in it is not clean. */
static void say(struct app *app, struct rect a, const char *text)
{
	struct buf clean;
	buf_init(&clean);
	app_add_clean(app, &clean, text);
	grid_str(&app->grid, a.row + a.rows / 2, a.col + 2, a.cols - 2, app->theme.dim, buf_str(&clean));
	buf_deinit(&clean);
}

/* What the work is at, such as a file from a server. */
static void say_work(struct app *app, struct rect a)
{
	struct buf detail, clean;
	buf_init(&detail);
	buf_init(&clean);
	if (!app_is_loading(app)) /* or it may be the loader's */
		status_add_detail(&detail);
	app_add_clean(app, &clean, buf_str(&detail));
	say(app, a, clean.len ? buf_str(&clean) : "adding up");
	buf_deinit(&detail);
	buf_deinit(&clean);
}

void lines_paint(struct app *app, struct rect a)
{
	const struct lines *l = app->lines;
	const struct look k = choose_look(app, a);
	if (!lines_are_known(app->profile)) {
		say(app, a, lines_why_none(app->profile));
		return;
	}
	if (l->symbol >= app->profile->symtab.n) {
		say(app, a, "no functions");
		return;
	}
	if (l->made.symbol != l->symbol) {
		say_work(app, a);
		return;
	}
	if (l->page.n == 0) {
		say(app, a, *l->error.text ? l->error.text : "in none of the samples shown");
		return;
	}
	paint_head(app, &k, a);
	for (int i = 0; i < a.rows - 2 && l->scroll + (size_t)i < l->page.n; i++)
		paint_row(app, &k, a, a.row + 2 + i, l->scroll + (size_t)i);
	paint_arrow(app, &k, a);
}
