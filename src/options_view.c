/*
 * options_view.c - applies options to a view.
 *
 * Event, thread and time can only be looked up in a loaded profile, zoom and search only in a folded one; viewer
 * and exports both do that here. options_command.c has the way back.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "collapse/load/two_columns.h"
#include "model/diff.h"
#include "model/selection.h"
#include "model/view.h"
#include "model/words.h"

static bool has_split(const struct recipe *r, enum split_key key)
{
	for (unsigned i = 0; i < r->n_splits; i++)
		if (r->splits[i].key == key)
			return true;
	return false;
}

/* Did --value choose the first event, in a format that knows it? */
static bool chose_value(const struct options *o, const struct profile *p)
{
	const struct collapse_format *format = p->format ? collapse_find(p->format) : NULL;
	return o->collapse.value && format && format->effects & EFFECT_VALUE;
}

/* The event that is shown if neither --event nor --split=event says otherwise. */
static int32_t main_series(const struct options *o, const struct profile *p)
{
	return chose_value(o, p) ? 0 : profile_default_series(p);
}

int32_t options_default_series(const struct options *o, const struct profile *p, const struct recipe *r)
{
	return has_split(r, SPLIT_EVENT) ? -1 : main_series(o, p);
}

bool options_chose_event(const struct options *o, const struct profile *p)
{
	return o->event || chose_value(o, p);
}

/* all_events: --event=all, which the profile could have if the units agreed. */
static bool fail_event(const struct options *o, const struct profile *p, bool all_events, struct err *err)
{
	struct buf names;
	buf_init(&names);
	for (size_t i = 0; i < p->n_series && names.len < 400; i++) {
		uint32_t unit = p->series[i].unit;
		buf_addf(&names, "%s%s", i ? ", " : "", profile_event_name(p, i));
		if (all_events)
			buf_addf(&names, " in %s", unit ? p->symtab.symbols[unit].name : "samples");
	}
	if (all_events)
		fail(err, "--event=all: the events have different units, so they cannot be added up (%s)", buf_str(&names));
	else
		fail(err, "--event: the profile has no event '%s' (it has: %s)", o->event,
		     names.len > 0 ? buf_str(&names) : "none");
	buf_deinit(&names);
	return false;
}

static bool find_event(const struct options *o, const struct profile *p, struct recipe *r, struct err *err)
{
	if (!o->event) {
		r->series = options_default_series(o, p, r);
		return true;
	}
	uint32_t series = profile_find_series(p, o->event);
	bool all_events = series == NO_SERIES && strcmp(o->event, ALL_EVENTS) == 0;
	if (all_events && profile_common_unit(p) != NO_SYMBOL) {
		r->series = -1;
		return true;
	}
	if (series != NO_SERIES) {
		selection_choose(p, r, (int32_t)series);
		return true;
	}
	return fail_event(o, p, all_events, err);
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

/* As one of two profiles, not as stacks of two columns. */
static bool is_of_shares(const struct options *o, const struct profile *p)
{
	return o->n_diffs > 0 || two_columns_are_shares(p);
}

enum diff_quantity options_quantity(const struct options *o, const struct profile *p)
{
	if (o->compare_by != COMPARE_AS_USUAL)
		return o->compare_by == COMPARE_WEIGHTS ? DIFF_OF_WEIGHTS : DIFF_OF_SHARES;
	return is_of_shares(o, p) ? DIFF_OF_SHARES : DIFF_OF_WEIGHTS;
}

/* Two-column stacks are written as they came unless normalised; --diff alone writes recorded weights. */
void options_set_quantity(const struct options *o, struct view *v, enum diff_quantity quantity)
{
	bool are_two = is_of_shares(o, v->profile);
	v->recipe.quantity = quantity;
	v->is_normalized = quantity == DIFF_OF_SHARES && (o->compare_by == COMPARE_SHARES || !are_two);
	v->is_as_difffolded = v->is_normalized && o->n_diffs > 0;
	v->is_classic = quantity == DIFF_OF_WEIGHTS && o->compare_by == COMPARE_AS_USUAL && !are_two;
}

/* Whether there is a comparison, and of what. */
static void set_diff(const struct options *o, struct view *v)
{
	options_set_quantity(o, v, options_quantity(o, v->profile));
	v->has_other_units = v->profile->log[1].n > 0 && diff_has_other_units(v->profile, &v->recipe);
}

enum order options_order(const struct options *o, bool is_interactive)
{
	const struct recipe *r = &o->recipe;
	if (r->chart || o->shown.is_chart)
		return ORDER_MATTERS;
	if (is_interactive)
		return ORDER_MAY_MATTER;
	return o->time || r->from || r->to || r->last || r->half_life || r->sort == SORT_INPUT ? ORDER_MATTERS
	                                                                                       : ORDER_IS_NOTHING;
}

bool options_need_labels(const struct options *o)
{
	const struct recipe *r = &o->recipe;
	bool needs = recipe_chooses_tags(r);
	for (size_t i = 0; i < r->n_splits; i++)
		needs |= r->splits[i].key == SPLIT_LABEL;
	return needs;
}

const char *options_needing_base(const struct options *o)
{
	if (o->export_.fail_above >= 0)
		return "--fail-above";
	if (o->compare_by != COMPARE_AS_USUAL)
		return o->compare_by == COMPARE_SHARES ? "--normalize" : "--absolute";
	return o->recipe.swap_sides ? "--widths" : NULL;
}

static void note_baseless(const struct options *o, const struct profile *p, struct report *to)
{
#define WITHOUT_EFFECT " has no effect without two profiles to compare (give one with --diff=BASE)"
	if (p->log[1].n > 0 || o->n_diffs > 0)
		return;
	if (o->compare_by == COMPARE_WEIGHTS)
		report_add_state(to, NOTE_WARN, "--absolute" WITHOUT_EFFECT);
	if (o->compare_by == COMPARE_SHARES)
		report_add_state(to, NOTE_WARN, "--normalize" WITHOUT_EFFECT);
	if (o->recipe.swap_sides)
		report_add_state(to, NOTE_WARN, "--widths" WITHOUT_EFFECT);
	if (o->recipe.leaves_base)
		report_add_state(to, NOTE_WARN, "--no-diff" WITHOUT_EFFECT);
	if (o->export_.negate)
		report_add_state(to, NOTE_WARN, "--negate" WITHOUT_EFFECT);
#undef WITHOUT_EFFECT
}

void options_note_idle(const struct options *o, const struct profile *p, struct report *to)
{
	note_baseless(o, p, to);
	if (o->recipe.frames != FRAMES_PROGRAM && !p->symtab.has_languages)
		report_add_state(to, NOTE_WARN, "--frames has no effect without functions of an interpreter's language");
}

/* Did an earlier option have the same row? */
static bool is_said(const struct options *o, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (o->given[k].row == o->given[i].row)
			return true;
	return false;
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

#define IN(view) (1u << SHOWN_##view)

/* Options that act on a file only in these views; the table's also on a kind that is a table. */
static const struct {
	const char *name;
	unsigned views;
} options_of_views[] = {
	{"function", IN(SANDWICH) | IN(CALLS) | IN(LINES)},
	{"source-path", IN(LINES)},
	{"with-source", IN(LINES)},
	{"cursor", IN(CALLS)},
	{"expand", IN(CALLS)},
	{"fold-lanes", IN(FLAME)},
	{"zoom-time", IN(FLAME) | IN(TABLE)},
	{"table-sort", IN(TABLE)},
	{"table-filter", IN(TABLE)},
};

/* Options that do not act on a view: a sandwich is one of the whole tree, from its middle outwards. */
static bool is_idle_in(const char *name, enum shown_view view, const struct export_kind *kind)
{
	static const char *const sandwich[] = {"inverted", "no-inverted", "zoom", "reverse", NULL};
	static const char *const calls[] = {"inverted", "no-inverted", "minwidth", "colors", "color", "negate", NULL};
	static const char *const lines[] = {"inverted", "no-inverted", "zoom",  "minwidth", "colors",
	                                    "color",    "negate",      "width", "sort",     "no-sort",
	                                    "reverse",  "hot-lines",   NULL};
	const char *const *idle = view == SHOWN_SANDWICH ? sandwich
	                          : view == SHOWN_CALLS  ? calls
	                          : view == SHOWN_LINES  ? lines
	                                                 : NULL;
	/* JSON of lines has callers and callees, unless it is merged from the leaves. */
	bool is_of_json = view == SHOWN_LINES && kind == &export_json && strcmp(name, "reverse") == 0;
	return idle && !is_of_json && is_one_of(name, idle);
}

/* Lines have no frames of --split, but the events that it chooses. In JSON such frames may be callers. */
static bool splits_act_on_lines(const struct options *o, const struct export_kind *kind)
{
	return kind == &export_json || (!o->event && has_split(&o->recipe, SPLIT_EVENT));
}

static bool acts_on_view(const struct options *o, const char *name, const struct export_kind *kind,
                         enum shown_view view)
{
	bool is_table = export_shows_table(kind, view);
	bool is_lines = kind == &export_lines;
	static const char *const of_text[] = {"source-path", "with-source", NULL};
	static const char *const of_splits[] = {"split", "tagroot", NULL};
	if (view == SHOWN_LINES && kind == &export_markdown && strcmp(name, "search") == 0)
		return false;
	if (view == SHOWN_LINES && kind == &export_json && is_one_of(name, of_text))
		return false;
	if ((view == SHOWN_LINES || is_lines) && is_one_of(name, of_splits) && !splits_act_on_lines(o, kind))
		return false;
	if (strcmp(name, "minwidth") == 0 && o->export_.min_width_px > 0 && !(kind->bit & (EXPORT_SVG | EXPORT_HTML)))
		return false;
	for (size_t i = 0; i < sizeof options_of_views / sizeof *options_of_views; i++)
		if (strcmp(name, options_of_views[i].name) == 0)
			return options_of_views[i].views &
			       (1u << view | (is_table ? IN(TABLE) : 0) | (is_lines ? IN(LINES) : 0));
	return true;
}

/* A sandwich in a page leaves the whole one button away, and options for that act there. */
static enum shown_view shown_in(const struct export_kind *kind, enum shown_view view, const char *name)
{
	bool is_of_whole = kind == &export_html && view == SHOWN_SANDWICH && strcmp(name, "function") != 0;
	return is_of_whole ? SHOWN_FLAME : view;
}

static bool affects(const struct options *o, const struct option_row *row, const struct export_kind *kind,
                    bool has_colors)
{
	const char *name = row->name ? row->name : "";
	enum shown_view view =
		o->shown.is_beside ? export_one_of_two(kind, o->shown.view) : shown_in(kind, o->shown.view, name);
	unsigned bit = kind->bit;
	if (view == SHOWN_TABLE && !(bit & EXPORT_TABLES))
		bit = EXPORT_TOP; /* as text, the table is that of top */
	if (view == SHOWN_LINES)
		bit = EXPORT_LINES | (bit & EXPORT_JSON);
	/* Siblings in a sandwich are ordered by name or weight: it has no order of the input. */
	bool is_order = strcmp(name, "sort") == 0 || strcmp(name, "no-sort") == 0;
	if (view == SHOWN_SANDWICH && o->recipe.sort == SORT_INPUT && is_order)
		return false;
	/* The weights of the widths decide which function is in the middle, unless one is named. */
	if (view == SHOWN_SANDWICH && !o->shown.function && strcmp(name, "widths") == 0)
		return true;
	/* It decides whether --zoom-time finds any time. */
	if (strcmp(name, "axis") == 0 && o->shown.span.to)
		return true;
	if (!(row->outputs & bit) || is_idle_in(name, view, kind))
		return false;
	/* Without colours there is nothing to swap or to choose. */
	static const char *const of_colors[] = {"negate", "colors", NULL};
	if (kind == &export_text && !has_colors && is_one_of(name, of_colors))
		return false;
	return acts_on_view(o, name, kind, view);
}

void options_say_idle(const struct options *o, const struct export_kind *kind, bool has_colors)
{
	bool is_gate = o->export_.fail_above >= 0; /* the gate judges, even if no output is drawn */
	for (size_t i = 0; i < o->n_given; i++) {
		const struct option_row *row = o->given[i].row;
		if (affects(o, row, kind, has_colors) || o->given[i].is_foreign || is_said(o, i))
			continue;
		if (!is_gate || strcmp(row->name, "absolute") != 0)
			err_printf("--%s has no effect on this output: %s", row->name, kind->name);
	}
}

/* A lane of --fold-lanes that the chart does not have; 0: it has all. */
static uint64_t missing_lane(const struct options *o, const struct view *v)
{
	uint64_t lane = 0;
	for (const char *p = o->shown.folded, *end; p && strcmp(p, "all") != 0; p = *end ? end + 1 : NULL) {
		end = p + strcspn(p, ",");
		if (number_u64(p, (size_t)(end - p), &lane) && lane > v->tree.n_lanes)
			return lane;
	}
	return 0;
}

/* Why the view has no time axis. */
static const char *lacking_axis(const struct view *v)
{
	if (!v->recipe.chart)
		return "only a flame chart has it";
	return selection_has_times(v->profile, &v->recipe) ? "there is no time axis" : "the samples have no times";
}

/*
 * JSON and lines have no order of the x axis, but a chart has its part of the time, no samples
 * without a time, and no comparison.
 */
static bool is_chart_idle(const struct export_kind *kind, const struct view *v)
{
	bool has_no_axis = kind == &export_json || kind == &export_lines || v->shown.view == SHOWN_LINES;
	return v->recipe.chart && has_no_axis && !v->span.to && !v->tree.untimed && v->profile->log[1].n == 0;
}

static void say_idle_chart(const struct options *o, const struct export_kind *kind)
{
	for (size_t i = 0; i < o->n_given; i++) {
		const char *name = o->given[i].row->name ? o->given[i].row->name : "";
		bool is_chart = strcmp(name, "flamechart") == 0 || (strcmp(name, "view") == 0 && o->shown.is_chart);
		if (is_chart && !is_said(o, i))
			err_printf("--%s has no effect on this output: %s", name, kind->name);
	}
}

/* Why an option for colours has no effect on an SVG or a page; NULL: it has. */
static const char *lacking_colors(const struct options *o, const struct export_kind *kind, const struct view *v,
                                  const char *name)
{
	static const char *const palettes[] = {"colors", "hash", "deterministic", "random", "cp", NULL};
	bool is_svg = kind == &export_svg;
	if (!is_one_of(name, palettes) || (!is_svg && kind != &export_html))
		return NULL;
	/* It also chooses the background. */
	if (strcmp(name, "colors") == 0 && strcmp(palette_page(o->export_.palette), palette_page(PALETTE_HOT)) != 0)
		return NULL;
	if (is_svg && o->export_.color_diffusion)
		return "--colordiffusion chooses the colours";
	if (is_svg && view_is_diff(v))
		return "the colours of a comparison show its changes";
	if (!palette_is_for_svg(o->export_.palette) && strcmp(name, "colors") != 0 && strcmp(name, "cp") != 0)
		return "the palette has one colour for each name";
	return NULL;
}

/* Why an option has no effect on a table of functions that compares two profiles; NULL: it has. */
static const char *lacking_columns(const struct export_kind *kind, const struct view *v, const char *name)
{
	bool has_others = kind == &export_json || kind == &export_html; /* which have the tree, too */
	bool is_table = export_shows_table(kind, v->shown.view) && !has_others;
	if (!is_table || !view_is_diff(v))
		return NULL;
	if (strcmp(name, "reverse") == 0 && v->zoom == NODE_ALL)
		return "a function has the same weight in both directions";
	if (strcmp(name, "factor") == 0 && (v->recipe.quantity == DIFF_OF_SHARES || v->has_other_units))
		return "a table of shares has no counts";
	return NULL;
}

/* Why an option has no effect on one of two profiles that is shown alone; NULL: it has. */
static const char *lacking_base(const struct view *v, const char *name)
{
	static const char *const of_both[] = {"widths", "absolute", "normalize", "negate", NULL};
	bool is_alone = v->recipe.leaves_base && v->profile->log[1].n;
	return is_alone && is_one_of(name, of_both) ? "--no-diff shows one profile alone" : NULL;
}

static bool has_spans(const struct export_kind *kind)
{
	return kind == &export_speedscope || kind == &export_firefox;
}

static bool is_text_of_lines(const struct options *o, const struct export_kind *kind)
{
	return kind == &export_lines || (o->shown.view == SHOWN_LINES && kind != &export_json);
}

/* Options of this kind of file which the view leaves nothing to act on. */
static void say_idle_here(const struct options *o, const struct export_kind *kind, const struct view *v)
{
	for (size_t i = 0; i < o->n_given; i++) {
		const char *name = o->given[i].row->name ? o->given[i].row->name : "";
		const char *why = lacking_colors(o, kind, v, name);
		why = why ? why : lacking_columns(kind, v, name);
		why = why ? why : lacking_base(v, name);
		if (strcmp(name, "split") == 0 && is_text_of_lines(o, kind) && v->profile->n_series < 2)
			why = "lines have no frames for it, and there is one event";
		if (strcmp(name, "factor") == 0 && kind == &export_speedscope && v->tree.until)
			why = "a chart with a time axis has times, and no counts";
		if (strcmp(name, "reverse") == 0 && v->tree.until && has_spans(kind))
			why = "a file of a chart with a time axis has whole stacks, from the root on";
		if (why && affects(o, o->given[i].row, kind, true) && !o->given[i].is_foreign && !is_said(o, i))
			err_printf("--%s has no effect: %s", name, why);
	}
}

/* Of a sandwich, lines and files without lanes, the axis decides only whether samples without a time are there. */
static bool axis_acts(const struct options *o, const struct export_kind *kind, const struct view *v)
{
	enum shown_view view = o->shown.is_beside ? SHOWN_FLAME : o->shown.view;
	bool has_none = view == SHOWN_SANDWICH || view == SHOWN_LINES || kind == &export_lines;
	return o->shown.span.to || (!has_none && !export_joins_lanes(kind, view)) ||
	       selection_axis_leaves_out(v->profile, &v->recipe);
}

/* Options of a time axis without effect where there is none. */
static void say_idle_axis(const struct options *o, const struct export_kind *kind, const struct view *v, size_t i)
{
	const char *name = o->given[i].row->name ? o->given[i].row->name : "";
	bool is_axis = strcmp(name, "axis") == 0, is_chosen = is_axis && v->recipe.axis == AXIS_SAMPLES;
	bool is_zoom = strcmp(name, "zoom-time") == 0;
	bool acts = kind->has_lanes || is_zoom || (is_axis && affects(o, o->given[i].row, kind, true));
	if (is_axis && !axis_acts(o, kind, v))
		err_printf("--axis has no effect on this output: %s", kind->name);
	else if (acts && !(is_chosen && v->recipe.chart && selection_has_times(v->profile, &v->recipe)) &&
	         (is_axis || is_zoom || strcmp(name, "fold-lanes") == 0))
		err_printf("--%s has no effect: %s", name, lacking_axis(v));
}

void options_say_idle_axis(const struct options *o, const struct export_kind *kind, const struct view *v)
{
	for (size_t i = 0; i < o->n_given && !v->tree.until; i++)
		if (!is_said(o, i))
			say_idle_axis(o, kind, v, i);
	if (is_chart_idle(kind, v))
		say_idle_chart(o, kind);
	say_idle_here(o, kind, v);
	uint64_t lane = v->tree.until ? missing_lane(o, v) : 0;
	if (lane)
		err_printf("--fold-lanes: there is no lane %llu, the last is %u", (unsigned long long)lane,
		           v->tree.n_lanes);
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
	v->recipe.chart |= o->shown.is_chart;
	/* As the search will want it: places are found in a tree that stays. */
	v->recipe.apart = o->search && view_search_wants_apart(v, match_subject_of(o->search, o->search_mode, NULL));
	v->is_inverted = o->inverted;
	v->min_share = o->min_share;
	bool is_there = find_event(o, v->profile, &v->recipe, err) && find_thread(o, v->profile, &v->recipe, err) &&
	                set_times(o, v->profile, &v->recipe, err);
	set_diff(o, v);
	return is_there;
}

static bool lies_outside(struct span whole, struct err *err)
{
	struct buf range;
	buf_init(&range);
	words_add_range(&range, whole.from, whole.to);
	fail(err, "--zoom-time: the flame chart has nothing then, it goes from %s", buf_str(&range));
	buf_deinit(&range);
	return false;
}

/* --zoom-time */
static bool place_span(const struct options *o, struct view *v, struct err *err)
{
	if (!o->shown.span.to || v->recipe.axis == AXIS_SAMPLES)
		return true;
	if (!v->tree.until)
		return fail(err, "--zoom-time: there is no time axis (only a flame chart of samples with times has one)");
	struct span whole = view_whole_span(v);
	if (o->shown.span.from >= whole.to || o->shown.span.to <= whole.from)
		return lies_outside(whole, err);
	view_zoom_span(v, o->shown.span);
	return true;
}

bool options_place_zoom(const struct options *o, struct view *v, struct err *err)
{
	if (!place_span(o, v, err))
		return false;
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
	return is_there && options_place_in_file(o, v, err);
}
