/*
 * options_command.c - turns a view back into options: the command line of the `C` key.
 *
 *	flametop --search=malloc --focus='^\Qmain\E$' --zoom='all;main;read me' profile.folded
 *
 * Options for input and output are repeated as given; options for the view are written from the view, since keys
 * may have changed it.
 */
#include "options.h"

#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/shell_word.h"
#include "base/utf8.h"
#include "model/palette.h"
#include "model/selection.h"
#include "model/view.h"

/* ---- the command --------------------------------------------------------------------------------------------- */

/*
 * Appends " --name=value" or " --name"; only the value is quoted, which reads better than quotes around the whole.
 */
static void add_option(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, " --%s", name);
	if (!value)
		return;
	buf_addc(out, '=');
	shell_word_add(out, value);
}

/* The value is word number `index` of the option, after a prefix. */
static void add_word(struct buf *out, const char *name, const char *prefix, unsigned index)
{
	const struct option_row *row = option_table;
	while (!row->name || strcmp(row->name, name) != 0)
		row++;
	const char *word = row->words;
	while (index--)
		word += strcspn(word, " ") + 1;
	buf_addf(out, " --%s=%s%.*s", name, prefix, (int)strcspn(word, " "), word);
}

static void add_word_option(struct buf *out, const char *name, unsigned index)
{
	add_word(out, name, "", index);
}

static void add_given(struct buf *out, const struct option_given *g)
{
	if (g->row->name) {
		add_option(out, g->row->name, g->value);
		return;
	}
	buf_addf(out, " -%c ", g->row->letter);
	shell_word_add(out, g->value);
}

/* Did keys overrule the option, so that repeating it would be wrong? */
static bool is_overtaken(const struct option_row *row, const struct options *o)
{
	return strcmp(row->name, "colordiffusion") == 0 && o->export_.has_palette;
}

/* The saved stacks are folded ones, in which the options about the input had their effect already. */
static bool is_repeated(const struct option_row *row, const struct options *o, bool is_saved)
{
	enum option_group g = row->group;
	bool is_about_data = g == GROUP_INPUT || g == GROUP_RECORD || g == GROUP_CARGO || g == GROUP_SVG;
	if (!row->name)
		return is_about_data && !is_saved;
	if (!options_repeat_source(row))
		return false;
	if (g == GROUP_SOURCE)
		return !is_saved;
	if (is_overtaken(row, o))
		return false;
	if (row->kind == OPTION_FILTER || strcmp(row->name, "split") == 0 || strcmp(row->name, "no-sort") == 0)
		return false; /* written from the recipe */
	if (is_saved && g == GROUP_INPUT && strcmp(row->name, "no-demangle") != 0)
		return false;
	return is_about_data || strcmp(row->name, "factor") == 0 || strcmp(row->name, "negate") == 0 ||
	       strcmp(row->name, "strip-hex") == 0 || strcmp(row->name, "nthreads") == 0 ||
	       strcmp(row->name, "ascii") == 0 || strcmp(row->name, "no-config") == 0;
}

/* A filter made by a key holds a plain name or text; as an option it must be a pattern. */
static void add_filter(struct buf *out, const struct filter *f)
{
	const char *name = filter_names[f->kind].option;
	if (f->kind == FILTER_RECURSION) {
		add_option(out, name, NULL);
		return;
	}
	if (f->kind == FILTER_BASE) {
		add_option(out, name, f->pattern);
		return;
	}
	if (f->mode == MATCH_REGEX) {
		add_option(out, name, f->pattern);
		return;
	}
	struct buf pattern;
	buf_init(&pattern);
	options_add_pattern(&pattern, f->pattern, f->mode == MATCH_LITERAL);
	add_option(out, name, buf_str(&pattern));
	buf_deinit(&pattern);
}

static void add_series(struct buf *out, const struct options *o, const struct view *v)
{
	const struct profile *p = v->profile;
	int32_t i = selection_chosen(&v->recipe);
	if (i < (int32_t)p->n_series && i != options_default_series(o, p, &v->recipe))
		add_option(out, "event", i < 0 ? ALL_EVENTS : profile_event_name(p, (size_t)i));
}

static void add_thread(struct buf *out, const struct view *v)
{
	const struct recipe *r = &v->recipe;
	struct buf text;
	buf_init(&text);
	if (r->pid > 0 && r->tid > 0)
		buf_addf(&text, "%lld/%lld", (long long)r->pid, (long long)r->tid);
	else if (r->pid > 0)
		buf_addf(&text, "%lld/", (long long)r->pid);
	else if (r->tid > 0)
		buf_addf(&text, "%lld", (long long)r->tid);
	else if (r->comm)
		buf_adds(&text, v->profile->symtab.symbols[r->comm].name);
	if (text.len)
		add_option(out, "thread", buf_str(&text));
	buf_deinit(&text);
}

static void add_seconds(struct buf *out, const char *name, uint64_t ns)
{
	struct buf text;
	if (!ns)
		return;
	buf_init(&text);
	number_add_fixed(&text, ns, 9);
	add_option(out, name, buf_str(&text));
	buf_deinit(&text);
}

static void add_times(struct buf *out, const struct recipe *r)
{
	struct buf text;
	add_seconds(out, "window", r->last);
	add_seconds(out, "decay", r->half_life);
	if (!r->from && !r->to)
		return;
	buf_init(&text);
	number_add_fixed(&text, r->from, 9);
	buf_addc(&text, ',');
	if (r->to)
		number_add_fixed(&text, r->to, 9);
	add_option(out, "time", buf_str(&text));
	buf_deinit(&text);
}

/* Adds options for the kind of comparison unless it is the default. */
static void add_comparison(struct buf *out, const struct view *v)
{
	const struct recipe *r = &v->recipe;
	if (v->profile->log[1].n == 0)
		return;
	if (r->leaves_base)
		add_option(out, "no-diff", NULL);
	if (r->swap_sides)
		add_option(out, "widths", "before");
	if (v->is_normalized)
		add_option(out, "normalize", NULL);
	if (r->quantity == DIFF_OF_WEIGHTS && !v->is_classic)
		add_option(out, "absolute", NULL);
}

/*
 * Does the option need to be written although the view has the program's default, because the configuration sets it
 * (or may: it was given)?
 */
static bool is_said_otherwise(const struct options *o, const char *option, bool is_other)
{
	return is_other || options_have(o, option);
}

static void add_split(struct buf *out, const struct split *split)
{
	add_word_option(out, "split", split->key);
	if (split->label)
		shell_word_add(out, split->label);
}

/* says_order: also where it is the viewer's, which is not the one of a file. */
static void add_recipe(struct buf *out, const struct options *o, const struct view *v, bool says_order)
{
	const struct recipe *r = &v->recipe;
	for (unsigned i = 0; i < r->n_splits; i++)
		add_split(out, &r->splits[i]);
	for (size_t i = 0; i < r->n_filters; i++)
		add_filter(out, &r->filters[i]);
	if (r->frames != FRAMES_PROGRAM || is_said_otherwise(o, "frames", o->recipe.frames != FRAMES_PROGRAM))
		add_word_option(out, "frames", r->frames);
	if (r->group != BY_FUNCTION)
		add_word_option(out, "group", r->group);
	if (r->reverse)
		add_option(out, "reverse", NULL);
	if (r->axis != AXIS_TIME || is_said_otherwise(o, "axis", o->recipe.axis != AXIS_TIME))
		add_word_option(out, "axis", r->axis);
	if (r->chart)
		add_option(out, "flamechart", NULL);
	else if (says_order || r->sort != SORT_IN_VIEWER ||
	         is_said_otherwise(o, "sort", o->recipe.sort != SORT_IN_VIEWER))
		add_word_option(out, "sort", r->sort);
	add_comparison(out, v);
	add_times(out, r);
}

static void add_search(struct buf *out, const struct view *v)
{
	if (!v->search.pattern)
		return;
	if (v->search.mode == MATCH_REGEX) {
		add_option(out, "search", v->search.pattern);
		return;
	}
	struct buf pattern;
	buf_init(&pattern);
	options_add_pattern(&pattern, v->search.pattern, v->search.mode == MATCH_LITERAL);
	add_option(out, "search", buf_str(&pattern));
	buf_deinit(&pattern);
}

/* The visible time of a chart with a time axis. */
static void add_span(struct buf *out, const struct view *v)
{
	struct buf text;
	if (!v->tree.until || !v->span.to)
		return;
	buf_init(&text);
	number_add_fixed(&text, v->span.from, 9);
	buf_addc(&text, ',');
	number_add_fixed(&text, v->span.to, 9);
	add_option(out, "zoom-time", buf_str(&text));
	buf_deinit(&text);
}

/* Lanes of such a chart that are folded away. */
static void add_folded(struct buf *out, const struct shown *s)
{
	struct buf text;
	buf_init(&text);
	for (size_t i = 0; i < s->n_folded; i++)
		buf_addf(&text, "%s%u", i ? "," : "", s->folded[i] + 1);
	if (s->folds_all)
		buf_adds(&text, "all");
	if (text.len)
		add_option(out, "fold-lanes", buf_str(&text));
	buf_deinit(&text);
}

/* The lane whose title has the cursor. */
static void add_title(struct buf *out, const struct shown *s)
{
	struct buf text;
	buf_init(&text);
	buf_addf(&text, "@lane%u", s->lane + 1);
	if (s->lane)
		add_option(out, "cursor", buf_str(&text));
	buf_deinit(&text);
}

/* false: no path leads to the zoomed frame. */
static bool add_position(struct buf *out, const struct options *o, const struct view *v)
{
	struct buf text;
	buf_init(&text);
	if (v->is_inverted)
		add_option(out, "inverted", NULL);
	else if (o->inverted && !options_have(o, "no-config"))
		add_option(out, "no-inverted", NULL);
	if (v->min_share > 0 || is_said_otherwise(o, "minwidth", o->min_share > 0)) {
		buf_addf(&text, "%.10g", v->min_share);
		add_option(out, "minwidth", buf_str(&text));
		text.len = 0;
	}
	if (o->export_.has_palette)
		add_option(out, "colors", palette_name(o->export_.palette));
	add_search(out, v);
	add_span(out, v);
	bool is_named = view_add_place(v, v->zoom, &text);
	if (v->zoom != NODE_ALL && text.len)
		add_option(out, "zoom", buf_str(&text));
	buf_deinit(&text);
	return is_named || v->zoom == NODE_ALL;
}

/* ---- the view in front --------------------------------------------------------------------------------------- */

/* A name between slashes would be a pattern, so it becomes one that matches only this name. */
static void add_function(struct buf *out, const struct view *v)
{
	struct buf text;
	if (v->shown.function == NO_SYMBOL)
		return;
	buf_init(&text);
	const struct symbol *s = &v->profile->symtab.symbols[v->shown.function];
	bool is_like_pattern = s->len > 2 && s->name[0] == '/' && s->name[s->len - 1] == '/';
	if (is_like_pattern) {
		buf_addc(&text, '/');
		options_add_pattern(&text, s->name, true);
		buf_addc(&text, '/');
	} else {
		view_add_function(v, v->shown.function, &text);
	}
	add_option(out, "function", buf_str(&text));
	buf_deinit(&text);
}

/* As in a stack: the callers before the function, or the callees after it. */
static void add_cursor_in_sandwich(struct buf *out, const struct view *v)
{
	const struct shown *s = &v->shown;
	struct buf path;
	if (s->n_path == 0)
		return;
	buf_init(&path);
	view_add_shown_path(v, &path);
	add_option(out, "cursor", buf_str(&path));
	buf_deinit(&path);
}

/* false: no path leads to the frame. */
static bool add_cursor(struct buf *out, const struct view *v)
{
	struct buf path;
	bool is_named = true;
	if (v->cursor == v->zoom && !v->shown.is_on_cell)
		return true;
	buf_init(&path);
	is_named = view_add_place(v, v->cursor, &path);
	buf_adds(&path, v->shown.is_on_cell ? ";@cell" : "");
	add_option(out, "cursor", buf_str(&path));
	buf_deinit(&path);
	return is_named;
}

static void add_table_rows(struct buf *out, const struct options *o, const struct view *v)
{
	const struct shown *s = &v->shown;
	const struct shown usual = {.sort = N_TOP_COLUMNS};
	bool is_diff = view_is_diff(v), is_usual = !s->is_ascending && s->sort == shown_sort(&usual, is_diff);
	if (!is_usual || is_said_otherwise(o, "table-sort", o->shown.sort != N_TOP_COLUMNS))
		add_word(out, "table-sort", s->is_ascending ? "-" : "", s->sort);
	if (s->filter)
		add_option(out, "table-filter", s->filter);
}

/* The row has no open row below it, so its path stands for all that are open on the way. */
static bool is_last_open(const struct call_rows *rows, size_t at)
{
	uint32_t depth = rows->rows[at].depth;
	if (!rows->rows[at].is_open)
		return false;
	for (size_t i = at + 1; i < rows->n && rows->rows[i].depth > depth; i++)
		if (rows->rows[i].is_open)
			return false;
	return true;
}

/* false: no path leads to one of the frames. */
static bool add_open_rows(struct buf *out, const struct view *v)
{
	const struct call_rows *rows = &v->shown.calls;
	struct call_rows usual = {.rows = NULL};
	bool is_named = true;
	call_rows_begin_as_usual(&usual, &v->tree, v->zoom, v->cursor);
	bool is_usual = rows->n == 0 || call_rows_is_same(rows, &usual);
	call_rows_deinit(&usual);
	if (is_usual)
		return true;
	if (!rows->rows[0].is_open)
		add_option(out, "expand", "");
	for (size_t i = 0; i < rows->n; i++) {
		struct buf path;
		if (!is_last_open(rows, i))
			continue;
		buf_init(&path);
		is_named &= view_add_place(v, rows->rows[i].node, &path);
		add_option(out, "expand", path.len ? buf_str(&path) : "all");
		buf_deinit(&path);
	}
	return is_named;
}

static void add_row_option(struct buf *out, const char *name, size_t row)
{
	char text[32];
	snprintf(text, sizeof text, "@%zu", row);
	add_option(out, name, text);
}

/* Rows of a page of lines: those that are open, and the one under the cursor. */
static void add_page_rows(struct buf *out, const struct shown *s)
{
	for (size_t i = 0; i < s->n_open_rows; i++)
		add_row_option(out, "expand", s->open_rows[i]);
	if (s->row != NO_PAGE_ROW)
		add_row_option(out, "cursor", s->row);
}

static void add_scroll(struct buf *out, const struct shown *s)
{
	struct buf text;
	size_t rows[2];
	for (int i = 0; i < 2; i++) /* a view side by side that is not on the screen begins at its top */
		rows[i] = s->scroll[i] == SCROLL_AS_USUAL ? 0 : s->scroll[i];
	if (s->scroll[0] == SCROLL_AS_USUAL && (!s->is_beside || s->scroll[1] == SCROLL_AS_USUAL))
		return;
	buf_init(&text);
	buf_addf(&text, "%zu", rows[0]);
	if (s->view == SHOWN_SANDWICH || s->view == SHOWN_LINES || s->is_beside)
		buf_addf(&text, ",%zu", rows[1]);
	add_option(out, "scroll", buf_str(&text));
	buf_deinit(&text);
}

static void add_heat(struct buf *out, const struct shown *s)
{
	struct buf text;
	if (!s->has_heat)
		return;
	buf_init(&text);
	number_add_fixed(&text, s->heat_at, 9);
	if (s->heat_mark != NO_HEAT_TIME) {
		buf_addc(&text, ',');
		number_add_fixed(&text, s->heat_mark, 9);
	}
	add_option(out, "heat-at", buf_str(&text));
	buf_deinit(&text);
}

/* What the configuration says must be undone. */
static void add_view(struct buf *out, const struct options *o, const struct view *v)
{
	const struct shown *s = &v->shown;
	const struct shown_options *was = &o->shown;
	bool is_other = was->view != SHOWN_FLAME || was->has_heat || was->is_chart || was->is_beside;
	bool is_only_heat = s->has_heat && s->view == SHOWN_FLAME && !s->is_beside;
	if (is_only_heat)
		add_option(out, "view", "heat");
	else if (s->is_beside)
		add_option(out, "view", s->view == SHOWN_FLAME ? "flame,table" : "table,flame");
	else if (s->wants_code)
		add_option(out, "view", "instructions");
	else if (s->view != SHOWN_FLAME || is_said_otherwise(o, "view", is_other))
		add_word_option(out, "view", s->view);
	buf_adds(out, s->has_heat && !is_only_heat ? ",heat" : "");
}

static bool add_shown(struct buf *out, const struct options *o, const struct view *v, bool is_for_file)
{
	/* In the viewer the table is a key away; a file of another view has none. */
	bool is_named = true, is_told = v->shown.sort != N_TOP_COLUMNS;
	if (v->shown.view == SHOWN_TABLE || (is_told && (v->shown.is_beside || !is_for_file)))
		add_table_rows(out, o, v);
	switch (v->shown.view) {
	case SHOWN_TABLE:
		add_function(out, v);
		break;
	case SHOWN_SANDWICH:
		add_function(out, v);
		add_cursor_in_sandwich(out, v);
		break;
	case SHOWN_LINES:
		add_function(out, v);
		add_page_rows(out, &v->shown);
		break;
	case SHOWN_CALLS:
		is_named = add_open_rows(out, v);
		is_named &= add_cursor(out, v);
		break;
	default:
		is_named = add_cursor(out, v);
		add_title(out, &v->shown);
	}
	add_folded(out, &v->shown);
	add_scroll(out, &v->shown);
	add_heat(out, &v->shown);
	return is_named;
}

/* ---- all of it ----------------------------------------------------------------------------------------------- */

static bool is_pipe(const char *path)
{
	struct stat st;
	return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && S_ISFIFO(st.st_mode));
}

bool options_read_pipe(const struct options *o)
{
	bool has_pipe = o->n_files == 0 && !o->record.is_record;
	for (size_t i = 0; i < o->n_files; i++)
		has_pipe |= is_pipe(o->files[i]);
	for (size_t i = 0; i < o->n_diffs; i++)
		has_pipe |= is_pipe(o->diffs[i]);
	return has_pipe;
}

/* A name that looks like an option is none. */
static void add_file(struct buf *out, const char *path)
{
	buf_adds(out, path[0] == '-' && path[1] ? " -- " : " ");
	shell_word_add(out, path);
}

static void add_inputs(struct buf *out, const struct options *o)
{
	const char **files = o->files;
	size_t n_files = o->receiver ? 0 : o->n_files;
	bool needs_end = false;
	for (size_t i = 0; i < o->n_diffs; i++)
		add_option(out, "diff", o->diffs[i]);
	for (size_t i = 0; i < n_files; i++)
		needs_end |= files[i][0] == '-' && files[i][1];
	if (needs_end)
		buf_adds(out, " --");
	for (size_t i = 0; i < n_files; i++) {
		buf_addc(out, ' ');
		shell_word_add(out, files[i]);
	}
	if (n_files == 0 && !o->record.is_record && !o->receiver)
		buf_adds(out, " -");
	char **command = o->cargo.is_cargo ? o->cargo.arguments : o->record.command;
	if (command)
		buf_adds(out, " --");
	for (char **w = command; w && *w; w++) {
		buf_addc(out, ' ');
		shell_word_add(out, *w);
	}
}

/* --jobs, which changes nothing but the time that it takes. */
static bool is_about_speed(const struct option_row *row)
{
	return row->name && (strcmp(row->name, "jobs") == 0 || strcmp(row->name, "nthreads") == 0);
}

bool options_add_command(struct buf *out, const struct options *o, const struct view *v, const char *saved,
                         bool is_for_file)
{
	buf_adds(out, o->cargo.is_cargo ? "cargo flametop" : o->record.is_record ? "flametop record" : "flametop");
	for (size_t i = 0; i < o->n_given; i++) {
		const struct option_row *row = o->given[i].row;
		if (is_repeated(row, o, saved) && !(is_for_file && is_about_speed(row)))
			add_given(out, &o->given[i]);
	}
	if (!saved)
		add_series(out, o, v);
	add_thread(out, v);
	add_view(out, o, v);
	add_recipe(out, o, v, is_for_file);
	bool is_named = add_position(out, o, v);
	is_named &= add_shown(out, o, v, is_for_file);
	if (saved)
		add_file(out, saved);
	else
		add_inputs(out, o);
	return is_named;
}
