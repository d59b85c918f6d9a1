/*
 * options_view.c - from options to a view, and from a view back to options.
 *
 * Event, thread and time can only be looked up once the profile is there, and zoom and search once it is folded;
 * the viewer and the exports both do it here. The way back makes the command line of the `C` key:
 *
 *	flametop --search=malloc --focus='^\Qmain\E$' --zoom='all;main;read me' profile.folded
 *
 * What concerns input and output is repeated as it was given; what concerns the view is said anew from the view,
 * because keys have changed it since.
 */
#include "options.h"

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

static bool find_event(const struct options *o, const struct profile *p, struct recipe *r, struct err *err)
{
	if (!o->event) {
		if (has_split(r, SPLIT_EVENT))
			r->series = -1;
		return true;
	}
	uint32_t series = profile_find_series(p, o->event);
	if (series != UINT32_MAX) {
		r->series = (int32_t)series;
		return true;
	}
	struct buf names;
	buf_init(&names);
	for (size_t i = 0; i < p->n_series && names.len < 400; i++)
		buf_addf(&names, "%s%s", i ? ", " : "", sym_name(p, p->series[i].name));
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

/* "123" a thread, or else a process; "123/" a process; "123/456" a thread of a process. */
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
	for (size_t i = 1; comm != UINT32_MAX && comm != 0 && i < p->n_tasks; i++) {
		if (p->tasks[i].comm != comm)
			continue;
		r->comm = comm;
		return true;
	}
	if (p->n_tasks <= 1)
		return fail(err, "--thread: the profile does not say which thread a sample belongs to");
	return fail(err, "--thread: the profile has no thread '%s' (a name, a TID, or PID/)", o->thread);
}

/* Seconds to nanoseconds; the parser has checked the number. */
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

/* What one sample weighs on a side; 0: nothing there. */
static double sample_weight(const struct profile *p, const struct recipe *r, unsigned side)
{
	int32_t series = fold_series(p, r, side);
	double samples = diff_samples(p, side, series), total = 0;
	for (size_t i = 0; i < p->n_series; i++)
		if (series < 0 || (size_t)series == i)
			total += (double)p->series[i].total[side];
	return samples > 0 ? total / samples : 0;
}

/* Periods of sampling differ a little from run to run; counts and nanoseconds are orders of magnitude apart. */
#define MOST_UNLIKE 20.0

static bool has_like_units(const struct profile *p, const struct recipe *r)
{
	bool has_unit = r->series >= 0 && (size_t)r->series < p->n_series && p->series[r->series].unit;
	if (fold_series(p, r, 1) != r->series)
		return false;
	/* Two folded profiles are taken as they are. */
	if (!has_unit && !p->log[0].time && !p->log[1].time)
		return true;
	double after = sample_weight(p, r, 0), before = sample_weight(p, r, 1);
	return after <= 0 || before <= 0 || (after < MOST_UNLIKE * before && before < MOST_UNLIKE * after);
}

void options_set_diff(const struct options *o, struct view *v)
{
	bool is_diff = o->n_diffs > 0 || v->profile->log[1].n > 0;
	v->recipe.normalize = o->recipe.normalize || (is_diff && !has_like_units(v->profile, &v->recipe));
	v->diff = !is_diff               ? DIFF_OFF
	          : v->recipe.swap_sides ? DIFF_FROM_BASE
	          : v->recipe.normalize  ? DIFF_NORMALIZED
	                                 : DIFF_ON;
}

const char *options_needing_base(const struct options *o)
{
	if (o->export_.fail_above >= 0)
		return "--fail-above";
	if (o->recipe.normalize)
		return "--normalize";
	return o->recipe.swap_sides ? "--widths" : NULL;
}

bool options_apply(const struct options *o, struct view *v, struct err *err)
{
	recipe_deinit(&v->recipe);
	recipe_copy(&v->recipe, &o->recipe);
	v->is_inverted = o->inverted;
	v->min_share = o->min_share;
	bool is_there = find_event(o, v->profile, &v->recipe, err) && find_thread(o, v->profile, &v->recipe, err) &&
	                set_times(o, v->profile, &v->recipe, err);
	options_set_diff(o, v);
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
		stale = view_search(v, o->search, MATCH_REGEX, err);
		if (!v->search.pattern)
			return false;
	}
	bool is_there = options_place_zoom(o, v, err);
	struct err why;
	if (o->search && !view_update(v, stale | DIRTY_HITS, NULL, &why) && is_there)
		return fail(err, "%s", why.text);
	return is_there;
}

/* ---- and back ------------------------------------------------------------------------------------------------ */

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

/* $'..' keeps a newline or an escape in a file name from taking effect while the line is being pasted. */
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
 * " --name=value" or " --name"; a value stands in quotes of its own, which reads better than quotes around it all.
 */
static void add_option(struct buf *out, const char *name, const char *value)
{
	buf_addf(out, " --%s", name);
	if (!value)
		return;
	buf_addc(out, '=');
	options_add_quoted(out, value);
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

static bool is_repeated(const struct option_row *row)
{
	enum option_group g = row->group;
	bool is_about_data = g == GROUP_INPUT || g == GROUP_RECORD || g == GROUP_SVG;
	if (!row->name)
		return is_about_data;
	if (strcmp(row->name, "base") == 0 || strcmp(row->name, "split") == 0 || strcmp(row->name, "no-sort") == 0)
		return false; /* said from the recipe */
	return is_about_data || strcmp(row->name, "factor") == 0 || strcmp(row->name, "negate") == 0 ||
	       strcmp(row->name, "strip-hex") == 0 || strcmp(row->name, "nthreads") == 0;
}

static void add_given_by_name(struct buf *out, const struct options *o, const char *name)
{
	for (size_t i = 0; i < o->n_given; i++)
		if (o->given[i].row->name && strcmp(o->given[i].row->name, name) == 0)
			add_given(out, &o->given[i]);
}

/* A filter made by a key holds a plain name or text; as an option it has to be an expression. */
static void add_filter(struct buf *out, const struct options *o, const struct filter *f)
{
	static const char *const names[] = {"focus", "ignore", "hide", "show", "show-from", "base", "merge-recursion"};
	const char *name = names[f->kind];
	if (f->kind == FILTER_RECURSION) {
		add_option(out, name, NULL);
		return;
	}
	if (f->kind == FILTER_BASE && f->mode == MATCH_LITERAL) {
		add_option(out, name, f->pattern);
		return;
	}
	if (f->kind == FILTER_BASE) {
		add_given_by_name(out, o, name);
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

static void add_series(struct buf *out, const struct view *v)
{
	const struct profile *p = v->profile;
	int32_t i = v->recipe.series;
	if (i > 0 && (size_t)i < p->n_series && p->series[i].name)
		add_option(out, "event", sym_name(p, p->series[i].name));
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

static void add_recipe(struct buf *out, const struct options *o, const struct recipe *r, bool is_diff)
{
	static const char *const splits[] = {"file", "event", "comm", "pid", "tid", "cpu"};
	for (unsigned i = 0; i < r->n_splits; i++)
		add_option(out, "split", splits[r->splits[i]]);
	for (size_t i = 0; i < r->n_filters; i++)
		add_filter(out, o, &r->filters[i]);
	if (r->reverse)
		add_option(out, "reverse", NULL);
	if (r->chart)
		add_option(out, "flamechart", NULL);
	else if (r->sort != SORT_NAME)
		add_option(out, "sort", r->sort == SORT_WEIGHT ? "weight" : "input");
	if (r->swap_sides && is_diff)
		add_option(out, "widths", "before");
	if (r->normalize && is_diff)
		add_option(out, "normalize", NULL);
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
	if (v->min_share > 0) {
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

static void add_inputs(struct buf *out, const struct options *o)
{
	const char **files = o->files;
	size_t n_files = o->n_files;
	bool needs_end = false;
	for (size_t i = 0; i < o->n_diffs; i++)
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
		if (is_repeated(o->given[i].row))
			add_given(out, &o->given[i]);
	add_series(out, v);
	add_thread(out, v);
	add_recipe(out, o, &v->recipe, v->profile->log[1].n > 0);
	add_position(out, o, v);
	add_inputs(out, o);
}
