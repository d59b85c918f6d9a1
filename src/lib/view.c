/*
 * view.c - views: their options, and the tree that these ask for.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/status.h"
#include "lib/inside.h"
#include "lib/lib.h"
#include "notes.h"

/* ---- views as such ------------------------------------------------------------------------------------------- */

struct view_call {
	struct call c;
	struct flametop_view *v;
	const char *name, *value;
};

static void make(struct call *c)
{
	struct flametop_profile *p = c->profile;
	if (!call_is_loaded(c))
		return;
	struct flametop_view *v = guard_keep(sizeof *v);
	if (!v)
		mem_exhausted();
	v->profile = p;
	v->options = p->is_of_program ? p->options : &v->own;
	((struct view_call *)c)->v = v;
}

struct flametop_view *flametop_view_new(struct flametop_profile *p)
{
	struct view_call a = {{.profile = p}, NULL, NULL, NULL};
	call_run(&a.c, make);
	return a.v;
}

struct view *inside_view(struct flametop_view *v)
{
	return &v->view;
}

bool inside_event(const struct flametop_view *v, const char **name, const char **unit)
{
	const struct profile *p = &v->profile->profile;
	int32_t series = v->view.recipe.series;
	*name = *unit = NULL;
	if (series < 0) {
		uint32_t common = profile_common_unit(p);
		*name = v->view.events;
		*unit = common && common != NO_SYMBOL ? p->symtab.symbols[common].name : NULL;
		return *unit;
	}
	*name = p->symtab.symbols[p->series[series].name].name;
	*unit = p->symtab.symbols[p->series[series].unit].name;
	return true;
}

/* The tree, or what it was made by, changes. */
static void view_forget(struct flametop_view *v)
{
	if (v->differences)
		diff_table_deinit(v->differences);
	free(v->differences);
	free(v->functions);
	free(v->depths);
	v->differences = NULL;
	v->functions = NULL;
	v->depths = NULL;
	v->is_made = false;
}

static void end_view(struct flametop_view *v)
{
	view_forget(v);
	if (v->has_view)
		view_deinit(&v->view);
	v->has_view = false;
	if (v->options == &v->own)
		options_deinit(&v->own);
	v->own = (struct options){0};
}

static void deinit(struct call *c)
{
	struct flametop_view *v = ((struct view_call *)c)->v;
	end_view(v);
	settings_deinit(&v->settings);
}

void flametop_view_free(struct flametop_view *v)
{
	struct view_call a = {{.profile = v ? v->profile : NULL}, v, NULL, NULL};
	if (!v)
		return;
	if (call_run(&a.c, deinit) != FLAMETOP_USAGE) /* it is in use */
		guard_release(v);
}

/* ---- options ------------------------------------------------------------------------------------------------- */

/* A view is as before if this fails, and without a tree if it does not. */
static void set(struct call *c)
{
	struct view_call *a = (struct view_call *)c;
	if (!settings_set(&a->v->settings, FLAMETOP_VIEWING, a->name ? a->name : "", a->value, &c->profile->err))
		call_failed(c, FLAMETOP_USAGE);
	else
		view_forget(a->v);
}

int flametop_view_set(struct flametop_view *v, const char *name, const char *value)
{
	struct view_call a = {{.profile = v ? v->profile : NULL}, v, name, value};
	return call_run(&a.c, set);
}

static void reset(struct call *c)
{
	struct flametop_view *v = ((struct view_call *)c)->v;
	settings_deinit(&v->settings);
	view_forget(v);
}

int flametop_view_reset(struct flametop_view *v)
{
	struct view_call a = {{.profile = v ? v->profile : NULL}, v, NULL, NULL};
	return call_run(&a.c, reset);
}

int flametop_view_set_event(struct flametop_view *v, const char *name)
{
	return flametop_view_set(v, "event", name);
}

int flametop_view_set_thread(struct flametop_view *v, const char *name_or_tid)
{
	return flametop_view_set(v, "thread", name_or_tid);
}

struct time_call {
	struct view_call of;
	double from, to;
};

static void set_time(struct call *c)
{
	struct time_call *a = (struct time_call *)c;
	struct buf text;
	buf_init(&text);
	if (a->from > 0 || a->to != 0) {
		buf_addf(&text, "%.9f,", a->from);
		if (a->to != 0)
			buf_addf(&text, "%.9f", a->to);
		a->of.value = buf_str(&text);
	}
	set(c);
	buf_deinit(&text);
}

int flametop_view_set_time(struct flametop_view *v, double from, double to)
{
	struct time_call a = {{{.profile = v ? v->profile : NULL}, v, "time", NULL}, from, to};
	return call_run(&a.of.c, set_time);
}

int flametop_view_set_reverse(struct flametop_view *v, int is_reversed)
{
	return flametop_view_set(v, "reverse", is_reversed ? "yes" : "no");
}

int flametop_view_set_chart(struct flametop_view *v, int is_chart)
{
	return flametop_view_set(v, "flamechart", is_chart ? "yes" : "no");
}

int flametop_view_set_zoom(struct flametop_view *v, const char *path)
{
	return flametop_view_set(v, "zoom", path);
}

int flametop_view_set_search(struct flametop_view *v, const char *regex)
{
	return flametop_view_set(v, "search", regex);
}

/* ---- the tree ------------------------------------------------------------------------------------------------ */

/* Files whose names are in commands; other inputs have none. */
static void name_inputs(struct options *o, const struct flametop_profile *p)
{
	o->files = mem_alloc((p->n_inputs + 1) * sizeof *o->files);
	for (size_t i = 0; i < p->n_inputs; i++) {
		o->lacks_names |= p->inputs[i].fetcher != NULL;
		if (p->inputs[i].side == 0)
			o->files[o->n_files++] = p->inputs[i].path;
	}
	o->diffs = mem_copy(p->own.diffs, p->own.n_diffs, sizeof *o->diffs);
	o->n_diffs = p->own.n_diffs;
}

/* The options of a view are those of its profile, and its own. */
static bool take_settings(struct call *c, struct flametop_view *v)
{
	struct flametop_profile *p = v->profile;
	struct options *o = &v->own;
	if (p->is_of_program)
		return true;
	end_view(v);
	options_init(o);
	if (!settings_apply(&p->settings, o, &p->err) || !settings_apply(&v->settings, o, &p->err) ||
	    !options_fit_together(o, &p->err)) {
		call_failed(c, FLAMETOP_USAGE);
		return false;
	}
	name_inputs(o, p);
	o->export_.ascii = o->ascii;
	o->export_.finder = p->own.export_.finder;
	o->export_.sources = p->own.export_.sources;
	return true;
}

static bool has_base(struct call *c, const struct flametop_view *v)
{
	const struct options *o = v->options;
	const char *needs = options_needing_base(o);
	if (c->profile->profile.log[1].n > 0 || o->n_diffs > 0 || !needs)
		return true;
	call_fail(c, FLAMETOP_USAGE, "%s needs two profiles to compare (give one with --diff=BASE)", needs);
	return false;
}

/* The notes are those of this view: others of the profile have their own. */
static void say_idle(const struct flametop_view *v)
{
	struct report idle;
	if (v->options->quiet)
		return;
	report_init(&idle);
	options_note_idle(v->options, &v->profile->profile, &idle);
	report_print(&idle, NOTE_WARN);
	report_deinit(&idle);
}

static bool fold_view(const struct options *o, struct view *v, struct err *err)
{
	struct progress progress = {false};
	status_enter((struct status_stage){"adding up", NULL, &progress.done, &progress.all, false});
	bool is_folded = options_apply(o, v, err) && view_update(v, DIRTY_TREE | DIRTY_LAYOUT, &progress, err);
	status_enter((struct status_stage){0});
	return is_folded;
}

static bool place(const struct options *o, struct view *v, struct err *err)
{
	if (!fold_view(o, v, err))
		return false;
	if (!o->quiet)
		notes_say_view(o, v);
	if (!options_place(o, v, err))
		return false;
	if (!o->quiet)
		notes_given_up("function", o->shown.function, v->shown.given_up);
	if (!o->quiet && v->search.match)
		notes_given_up("search", v->search.pattern, match_exceeded(v->search.match));
	return true;
}

static enum utf8_clean_mode clean_mode(const struct options *o)
{
	return o->ascii ? UTF8_CLEAN_ASCII : UTF8_CLEAN_UTF8;
}

bool view_is_made(struct call *c, struct flametop_view *v)
{
	if (v->is_made)
		return true;
	guard_block_sigpipe();
	if (!take_settings(c, v) || !has_base(c, v))
		return false;
	say_idle(v);
	if (v->has_view)
		view_deinit(&v->view);
	view_init(&v->view, &v->profile->profile, clean_mode(v->options), !v->options->no_demangle);
	v->has_view = true;
	v->is_made = place(v->options, &v->view, &v->profile->err);
	if (!v->is_made)
		call_failed(c, FLAMETOP_FAILED);
	return v->is_made;
}

static void update(struct call *c)
{
	view_is_made(c, ((struct view_call *)c)->v);
}

int flametop_view_update(struct flametop_view *v)
{
	struct view_call a = {{.profile = v ? v->profile : NULL}, v, NULL, NULL};
	return call_run(&a.c, update);
}
