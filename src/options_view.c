/*
 * options_view.c - applies options to a view, and turns a view back into options.
 *
 * Event, thread and time can only be looked up in a loaded profile, zoom and search only in a folded one; viewer
 * and exports both do that here. The way back makes the command line of the `C` key:
 *
 *	flametop --search=malloc --focus='^\Qmain\E$' --zoom='all;main;read me' profile.folded
 *
 * Options for input and output are repeated as given; options for the view are written from the view, since keys
 * may have changed it.
 */
#include "options.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/diff.h"
#include "model/palette.h"
#include "model/view.h"

/* ---- from options to a view ---------------------------------------------------------------------------------- */

static bool has_split(const struct recipe *r, enum split_key key)
{
	for (unsigned i = 0; i < r->n_splits; i++)
		if (r->splits[i] == key)
			return true;
	return false;
}

static const char *sym_name(const struct profile *p, uint32_t sym)
{
	return p->symtab.symbols[sym].name;
}

/* Did --value choose the first event, in a format that knows it? */
static bool chose_value(const struct options *o, const struct profile *p)
{
	const struct collapse_format *format = p->format ? collapse_find(p->format) : NULL;
	return o->collapse.value && format && format->effects & EFFECT_VALUE;
}

static int32_t main_series(const struct options *o, const struct profile *p)
{
	return chose_value(o, p) ? 0 : (int32_t)profile_main_series(p);
}

bool options_chose_event(const struct options *o, const struct profile *p)
{
	return o->event || chose_value(o, p);
}

static bool find_event(const struct options *o, const struct profile *p, struct recipe *r, struct err *err)
{
	if (!o->event) {
		r->series = has_split(r, SPLIT_EVENT) ? -1 : main_series(o, p);
		return true;
	}
	uint32_t series = profile_find_series(p, o->event);
	if (series != NO_SERIES) {
		r->series = (int32_t)series;
		return true;
	}
	struct buf names;
	buf_init(&names);
	for (size_t i = 0; i < p->n_series && names.len < 400; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", profile_event_name(p, i));
	fail(err, "--event: the profile has no event '%s' (it has: %s)", o->event,
	     names.len > 0 ? buf_str(&names) : "none");
	buf_deinit(&names);
	return false;
}

static bool has_task(const struct profile *p, int64_t pid, int64_t tid)
{
	for (size_t i = 1; i < p->n_tasks; i++)
		if ((!pid || p->tasks[i].pid == pid) && (!tid || p->tasks[i].tid == tid))
			return true;
	return false;
}

/* "123": a thread, else a process; "123/": a process; "123/456": a thread of a process. */
static bool find_task_by_number(const struct profile *p, const char *text, struct recipe *r)
{
	size_t n = strcspn(text, "/");
	uint64_t first, second = 0;
	if (!number_u64(text, n, &first) || first == 0 || first > INT32_MAX)
		return false;
	if (!text[n] && has_task(p, 0, (int64_t)first)) {
		r->tid = (int64_t)first;
		return true;
	}
	const char *rest = text[n] ? text + n + 1 : "";
	if (*rest && (!number_u64(rest, strlen(rest), &second) || second == 0 || second > INT32_MAX))
		return false;
	if (!has_task(p, (int64_t)first, (int64_t)second))
		return false;
	r->pid = (int64_t)first;
	r->tid = (int64_t)second;
	return true;
}

static bool find_thread(const struct options *o, const struct profile *p, struct recipe *r, struct err *err)
{
	if (!o->thread || find_task_by_number(p, o->thread, r))
		return true;
	uint32_t comm = symtab_find(&p->symtab, o->thread, strlen(o->thread));
	for (size_t i = 1; comm != NO_SYMBOL && comm != 0 && i < p->n_tasks; i++) {
		if (p->tasks[i].comm != comm)
			continue;
		r->comm = comm;
		return true;
	}
	if (p->n_tasks <= 1)
		return fail(err, "--thread: the profile does not say which thread a sample belongs to");
	return fail(err, "--thread: the profile has no thread '%s' (a name, a TID, or PID/)", o->thread);
}

/* Seconds to nanoseconds; the parser checked the number. */
static uint64_t nanoseconds(const char *s, size_t n)
{
	double v = 0;
	if (n == 0 || !number_double(s, n, &v))
		return 0;
	return (uint64_t)(v * 1e9 + 0.5);
}

static bool set_times(const struct options *o, const struct profile *p, struct recipe *r, struct err *err)
{
	uint64_t first, last;
	const char *name = o->time ? "time" : r->last ? "window" : r->half_life ? "decay" : NULL;
	if (!name)
		return true;
	if (!profile_time_range(p, &first, &last))
		return fail(err, "--%s: the samples of the profile have no times", name);
	if (!o->time)
		return true;
	const char *comma = strchr(o->time, ',');
	r->from = nanoseconds(o->time, (size_t)(comma - o->time));
	r->to = nanoseconds(comma + 1, strlen(comma + 1));
	return true;
}

enum diff_quantity options_quantity(const struct options *o)
{
	if (o->compare_by != COMPARE_AS_USUAL)
		return o->compare_by == COMPARE_WEIGHTS ? DIFF_OF_WEIGHTS : DIFF_OF_SHARES;
	return o->n_diffs > 0 ? DIFF_OF_SHARES : DIFF_OF_WEIGHTS;
}

/* Two-column stacks are written as they came unless normalised; --diff alone writes recorded weights. */
void options_set_quantity(const struct options *o, struct view *v, enum diff_quantity quantity)
{
	v->recipe.quantity = quantity;
	v->is_normalized = quantity == DIFF_OF_SHARES && (o->compare_by == COMPARE_SHARES || o->n_diffs == 0);
	v->is_as_difffolded = v->is_normalized && o->n_diffs > 0;
	v->is_classic = quantity == DIFF_OF_WEIGHTS && o->compare_by == COMPARE_AS_USUAL && o->n_diffs == 0;
}

/* Whether there is a comparison, and of what. */
static void set_diff(const struct options *o, struct view *v)
{
	options_set_quantity(o, v, options_quantity(o));
	v->has_other_units = v->profile->log[1].n > 0 && diff_has_other_units(v->profile, &v->recipe);
}

enum order options_order(const struct options *o, bool is_interactive)
{
	const struct recipe *r = &o->recipe;
	if (r->chart)
		return ORDER_MATTERS;
	if (is_interactive)
		return ORDER_MAY_MATTER;
	return o->time || r->from || r->to || r->last || r->half_life || r->sort == SORT_INPUT ? ORDER_MATTERS
	                                                                                       : ORDER_IS_NOTHING;
}

const char *options_needing_base(const struct options *o)
{
	if (o->export_.fail_above >= 0)
		return "--fail-above";
	if (o->compare_by != COMPARE_AS_USUAL)
		return o->compare_by == COMPARE_SHARES ? "--normalize" : "--absolute";
	return o->recipe.swap_sides ? "--widths" : NULL;
}

void options_note_baseless(const struct options *o, struct profile *p)
{
#define WITHOUT_EFFECT " has no effect without two profiles to compare (give one with --diff=BASE)"
	if (p->log[1].n > 0 || o->n_diffs > 0)
		return;
	if (o->compare_by == COMPARE_WEIGHTS)
		report_add_state(&p->report, NOTE_WARN, "--absolute" WITHOUT_EFFECT);
	if (o->compare_by == COMPARE_SHARES)
		report_add_state(&p->report, NOTE_WARN, "--normalize" WITHOUT_EFFECT);
	if (o->recipe.swap_sides)
		report_add_state(&p->report, NOTE_WARN, "--widths" WITHOUT_EFFECT);
	if (o->export_.negate)
		report_add_state(&p->report, NOTE_WARN, "--negate" WITHOUT_EFFECT);
#undef WITHOUT_EFFECT
}

/* Did an earlier option have the same row? */
static bool is_said(const struct options *o, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (o->given[k].row == o->given[i].row)
			return true;
	return false;
}

void options_say_idle(const struct options *o, const struct export_kind *kind)
{
	bool is_gate = o->export_.fail_above >= 0; /* the gate judges, even if no output is drawn */
	for (size_t i = 0; i < o->n_given; i++) {
		const struct option_row *row = o->given[i].row;
		if (row->outputs & kind->bit || o->given[i].is_foreign || is_said(o, i))
			continue;
		if (!is_gate || strcmp(row->name, "absolute") != 0)
			err_printf("--%s has no effect on this output: %s", row->name, kind->name);
	}
}

void options_for_viewer(struct options *o)
{
	if (!o->has_sort)
		o->recipe.sort = SORT_IN_VIEWER;
}

bool options_apply(const struct options *o, struct view *v, struct err *err)
{
	recipe_deinit(&v->recipe);
	recipe_copy(&v->recipe, &o->recipe);
	v->is_inverted = o->inverted;
	v->min_share = o->min_share;
	bool is_there = find_event(o, v->profile, &v->recipe, err) && find_thread(o, v->profile, &v->recipe, err) &&
	                set_times(o, v->profile, &v->recipe, err);
	set_diff(o, v);
	return is_there;
}

bool options_place_zoom(const struct options *o, struct view *v, struct err *err)
{
	if (!o->zoom || view_zoom_path(v, o->zoom))
		return true;
	struct buf path;
	buf_init(&path);
	view_add_path(v, v->zoom, &path);
	fail(err, "--zoom: there is no frame '%s' (the way ends at '%s')", o->zoom, path.len ? buf_str(&path) : "all");
	buf_deinit(&path);
	return false;
}

bool options_place(const struct options *o, struct view *v, struct err *err)
{
	unsigned stale = 0;
	if (o->search) {
		stale = view_search(v, o->search, o->search_mode, err);
		if (!v->search.pattern)
			return false;
	}
	bool is_there = options_place_zoom(o, v, err);
	struct err why;
	if (!is_there && view_wants_path(v, o->zoom))
		is_there = view_fold(v, NULL, err) && options_place_zoom(o, v, err);
	if (is_there && view_follow_zoom(v) && !view_update(v, DIRTY_TREE, NULL, err))
		return false;
	if (o->search && !view_update(v, stale | DIRTY_HITS, NULL, &why) && is_there)
		return fail(err, "%s", why.text);
	return is_there;
}

/* ---- and back ------------------------------------------------------------------------------------------------ */

/* Quotes with \Q..\E; \E inside the text would end the quotation. */
static void add_quoted_text(struct buf *out, const char *text)
{
	buf_adds(out, "\\Q");
	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && p[1] == 'E') {
			buf_adds(out, "\\E\\\\E\\Q");
			p++;
		} else {
			buf_addc(out, *p);
		}
	}
	buf_adds(out, "\\E");
}

void options_add_pattern(struct buf *out, const char *text, bool is_whole)
{
	if (is_whole && !utf8_is_valid(text, strlen(text))) {
		match_add_name(out, text, strlen(text));
		return;
	}
	if (is_whole)
		buf_adds(out, "(?-i)\\A");
	add_quoted_text(out, text);
	if (is_whole)
		buf_adds(out, "\\z");
}

/* Reads the output of add_quoted_text() at *p, which moves behind it. */
static bool read_quoted_text(const char **p, struct buf *out)
{
	static const char end_inside[] = "\\E\\\\E\\Q";
	const char *s = *p;
	if (strncmp(s, "\\Q", 2) != 0)
		return false;
	for (s += 2; *s; s++) {
		if (strncmp(s, end_inside, strlen(end_inside)) == 0) {
			buf_adds(out, "\\E");
			s += strlen(end_inside) - 1;
		} else if (s[0] == '\\' && s[1] == 'E') {
			*p = s + 2;
			return true;
		} else {
			buf_addc(out, *s);
		}
	}
	return false;
}

enum match_mode options_read_pattern(struct buf *out, const char *pattern)
{
	static const char begin[] = "(?-i)\\A";
	bool is_whole = strncmp(pattern, begin, strlen(begin)) == 0;
	const char *p = pattern + (is_whole ? strlen(begin) : 0);
	if (read_quoted_text(&p, out) && out->len && strcmp(p, is_whole ? "\\z" : "") == 0)
		return is_whole ? MATCH_LITERAL : MATCH_TEXT;
	out->len = 0;
	buf_adds(out, pattern);
	return MATCH_REGEX;
}

static bool is_plain(const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,@%+=";
	return *s && s[strspn(s, plain)] == '\0';
}

static bool has_controls(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return true;
	return false;
}

/* In $'..' a newline or an escape in a file name has no effect while the line is being pasted. */
static void add_dollar_quoted(struct buf *out, const char *s)
{
	buf_adds(out, "$'");
	for (; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			buf_addf(out, "\\%03o", (unsigned)(unsigned char)*s);
		else if (*s == '\'' || *s == '\\')
			buf_addf(out, "\\%c", *s);
		else
			buf_addc(out, *s);
	}
	buf_addc(out, '\'');
}

void options_add_quoted(struct buf *out, const char *word)
{
	if (is_plain(word)) {
		buf_adds(out, word);
		return;
	}
	if (has_controls(word)) {
		add_dollar_quoted(out, word);
		return;
	}
	buf_addc(out, '\'');
	for (const char *p = word; *p; p++) {
		if (*p == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *p);
	}
	buf_addc(out, '\'');
}

/*
 * Appends " --name=value" or " --name"; only the value is quoted, which reads better than quotes around the whole.
 */
static void add_option(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, " --%s", name);
	if (!value)
		return;
	buf_addc(out, '=');
	options_add_quoted(out, value);
}

/* The value is word number `index` of the option. */
static void add_word_option(struct buf *out, const char *name, unsigned index)
{
	const struct option_row *row = option_table;
	while (!row->name || strcmp(row->name, name) != 0)
		row++;
	const char *word = row->words;
	while (index--)
		word += strcspn(word, " ") + 1;
	buf_addf(out, " --%s=%.*s", name, (int)strcspn(word, " "), word);
}

static void add_given(struct buf *out, const struct option_given *g)
{
	if (g->row->name) {
		add_option(out, g->row->name, g->value);
		return;
	}
	buf_addf(out, " -%c ", g->row->letter);
	options_add_quoted(out, g->value);
}

/* Did keys overrule the option, so that repeating it would be wrong? */
static bool is_overtaken(const struct option_row *row, const struct options *o, const struct view *v)
{
	if (strcmp(row->name, "colordiffusion") == 0)
		return o->export_.has_palette;
	return strcmp(row->name, "negate") == 0 && v->recipe.leaves_base && v->profile->log[1].n > 0;
}

static bool is_repeated(const struct option_row *row, const struct options *o, const struct view *v)
{
	enum option_group g = row->group;
	bool is_about_data = g == GROUP_INPUT || g == GROUP_RECORD || g == GROUP_SVG;
	if (!row->name)
		return is_about_data;
	if (is_overtaken(row, o, v))
		return false;
	if (row->kind == OPTION_FILTER || strcmp(row->name, "split") == 0 || strcmp(row->name, "no-sort") == 0)
		return false; /* written from the recipe */
	return is_about_data || strcmp(row->name, "factor") == 0 || strcmp(row->name, "negate") == 0 ||
	       strcmp(row->name, "strip-hex") == 0 || strcmp(row->name, "nthreads") == 0 ||
	       strcmp(row->name, "no-config") == 0;
}

static bool is_given(const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->n_given; i++)
		if (o->given[i].row->name && strcmp(o->given[i].row->name, name) == 0)
			return true;
	return false;
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
	int32_t i = v->recipe.series;
	if (i >= 0 && i != main_series(o, p) && (size_t)i < p->n_series)
		add_option(out, "event", profile_event_name(p, (size_t)i));
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
		buf_adds(&text, sym_name(v->profile, r->comm));
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
	if (v->profile->log[1].n == 0 || v->recipe.leaves_base)
		return;
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
	return is_other || is_given(o, option);
}

static void add_recipe(struct buf *out, const struct options *o, const struct view *v)
{
	const struct recipe *r = &v->recipe;
	for (unsigned i = 0; i < r->n_splits; i++)
		add_word_option(out, "split", r->splits[i]);
	for (size_t i = 0; i < r->n_filters; i++)
		add_filter(out, &r->filters[i]);
	if (r->reverse)
		add_option(out, "reverse", NULL);
	if (r->chart)
		add_option(out, "flamechart", NULL);
	else if (r->sort != SORT_IN_VIEWER || is_said_otherwise(o, "sort", o->recipe.sort != SORT_IN_VIEWER))
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

static void add_position(struct buf *out, const struct options *o, const struct view *v)
{
	struct buf text;
	buf_init(&text);
	if (v->is_inverted)
		add_option(out, "inverted", NULL);
	else if (o->inverted && !is_given(o, "no-config")) /* no option undoes `inverted` of a configuration */
		add_option(out, "no-config", NULL);
	if (v->min_share > 0 || is_said_otherwise(o, "minwidth", o->min_share > 0)) {
		buf_addf(&text, "%.10g", v->min_share);
		add_option(out, "minwidth", buf_str(&text));
		text.len = 0;
	}
	if (o->export_.has_palette)
		add_option(out, "colors", palette_name(o->export_.palette));
	add_search(out, v);
	view_add_path(v, v->zoom, &text);
	if (v->zoom != NODE_ALL && text.len)
		add_option(out, "zoom", buf_str(&text));
	buf_deinit(&text);
}

/* With differences off, a baseline would be useless and turn them on again. */
static void add_inputs(struct buf *out, const struct options *o, bool has_baseline)
{
	const char **files = o->files;
	size_t n_files = o->n_files;
	bool needs_end = false;
	for (size_t i = 0; i < o->n_diffs && has_baseline; i++)
		add_option(out, "diff", o->diffs[i]);
	for (size_t i = 0; i < n_files; i++)
		needs_end |= files[i][0] == '-' && files[i][1];
	if (needs_end)
		buf_adds(out, " --");
	for (size_t i = 0; i < n_files; i++) {
		buf_addc(out, ' ');
		options_add_quoted(out, files[i]);
	}
	if (!o->record.command)
		return;
	buf_adds(out, " --");
	for (char **w = o->record.command; *w; w++) {
		buf_addc(out, ' ');
		options_add_quoted(out, *w);
	}
}

void options_add_command(struct buf *out, const struct options *o, const struct view *v)
{
	buf_adds(out, o->record.is_record ? "flametop record" : "flametop");
	for (size_t i = 0; i < o->n_given; i++)
		if (is_repeated(o->given[i].row, o, v))
			add_given(out, &o->given[i]);
	add_series(out, o, v);
	add_thread(out, v);
	add_recipe(out, o, v);
	add_position(out, o, v);
	add_inputs(out, o, !v->recipe.leaves_base || v->profile->log[1].n == 0);
}
