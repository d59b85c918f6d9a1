/*
 * export.c - the kinds of output files, and writing one.
 *
 * A new kind is one file that ends with a `const struct export_kind`, and one row in kinds.h.
 */
#include "export.h"

#include <string.h>

#include "base/output.h"
#include "base/status.h"
#include "base/utf8.h"
#include "plain_axis.h"

#define ADDRESS(name, BIT, suffix, shows) &export_##name,
#define SUFFIX(name, BIT, suffix, shows) suffix,

const struct export_kind *const export_kinds[] = {EXPORT_KINDS(ADDRESS, ) NULL};
static const char *const suffixes[] = {EXPORT_KINDS(SUFFIX, )};

const struct export_kind *export_find(const char *name)
{
	for (size_t i = 0; export_kinds[i]; i++)
		if (strcmp(export_kinds[i]->name, name) == 0 || strcmp(suffixes[i] + 1, name) == 0)
			return export_kinds[i];
	return NULL;
}

const struct export_kind *export_by_suffix(const char *path)
{
	size_t len = strlen(path);
	for (size_t i = 0; export_kinds[i]; i++) {
		size_t n = strlen(suffixes[i]);
		if (len > n && strcmp(path + len - n, suffixes[i]) == 0)
			return export_kinds[i];
	}
	return NULL;
}

const char *export_suffix(const struct export_kind *kind)
{
	size_t i = 0;
	while (export_kinds[i] != kind)
		i++;
	return suffixes[i];
}

static void add_kinds(struct buf *out, enum shown_view view, bool has_names)
{
	const char *before = "";
	for (size_t i = 0; export_kinds[i]; i++) {
		if (!(export_kinds[i]->holds & 1u << view))
			continue;
		if (has_names)
			buf_addf(out, "%s%s (%s)", before, export_kinds[i]->name, suffixes[i]);
		else
			buf_addf(out, "%s%s", before, suffixes[i]);
		before = ", ";
	}
}

void export_add_suffixes(struct buf *out, enum shown_view view)
{
	add_kinds(out, view, false);
}

bool export_holds(const struct export_kind *kind, const struct shown *s, struct err *err)
{
	static const char *const names[N_SHOWN_VIEWS] = {"flame graph", "table of functions", "sandwich", "call tree",
	                                                 "lines of a function"};
	struct buf kinds;
	if (s->has_heat)
		return fail(err, "no file can show the heat map (a range of time chosen there narrows all views)");
	if (s->wants_code)
		return fail(err, "no file can show instructions, only the lines of a function");
	if (kind->holds & 1u << s->view)
		return true;
	buf_init(&kinds);
	add_kinds(&kinds, s->view, true);
	fail(err, "a file of kind %s cannot show the %s (expected %s)", kind->name, names[s->view], buf_str(&kinds));
	buf_deinit(&kinds);
	return false;
}

bool export_fail_empty(const struct view *v, struct err *err)
{
	struct buf name;
	if (v->tree.excluded[0])
		return fail(err, "no sample passes the filters: nothing to draw");
	buf_init(&name);
	profile_add_input(v->profile, &name);
	fail(err, "%sno stack counts found: nothing to draw", buf_str(&name));
	buf_deinit(&name);
	return false;
}

/*
 * Files of stacks do not show a search, so they do not have a stack twice because of one. Profiles of other
 * programs describe each function, so those of one name and several modules or files stay apart there.
 */
static bool make_view(struct view *made, const struct export_kind *kind, const struct view *v,
                      struct progress *progress)
{
	if (kind->bit & EXPORT_PROFILES && view_parted(made, v, progress))
		return true;
	return kind->bit & EXPORT_STACKS && view_merged(made, v, progress);
}

static bool write_view(const struct export_kind *kind, const struct view *v, const struct export_options *o,
                       struct output *out, struct err *err)
{
	struct view made;
	if (!make_view(&made, kind, v, o->progress))
		return export_goes_on(o) && kind->write(v, o, out, err);
	bool ok = kind->write(&made, o, out, err);
	view_end_merged(&made, v);
	return ok;
}

static bool suits(const struct export_kind *kind, bool is_terminal, struct err *err)
{
	return !kind->is_binary || !is_terminal ||
	       fail(err, "a terminal shows no file of kind %s (name a file with -o)", kind->name);
}

bool export_suits(const struct export_kind *kind, const char *path, struct err *err)
{
	return suits(kind, output_names_terminal(path), err);
}

static bool write_open(struct output *out, const struct export_kind *kind, const struct view *view,
                       const struct export_options *options, struct err *err)
{
	struct export_options o = *options;
	o.is_terminal = output_is_terminal(out);
	if (o.is_terminal && utf8_locale_mode() == UTF8_CLEAN_ASCII)
		output_keep_ascii(out);
	return suits(kind, o.is_terminal, err) && write_view(kind, view, &o, out, err);
}

/* Where a view goes: to a file, or to an output that is open, which is ended in any case. */
struct target {
	const char *path;
	struct output *out; /* NULL: to be opened */
};

static bool write_to(const struct target *to, const struct export_kind *kind, const struct view *view,
                     const struct export_options *options, struct err *err)
{
	struct output *out = to->out ? to->out : output_open(to->path, err);
	if (!out)
		return false;
	const char *what = strcmp(to->path, "-") == 0 ? "to standard output" : to->path;
	output_follow(out, options->progress);
	status_enter((struct status_stage){"writing", what, output_bytes(out), NULL, true});
	bool is_written = write_open(out, kind, view, options, err);
	status_enter((struct status_stage){0});
	if (!is_written) {
		output_abandon(out);
		return false;
	}
	return output_commit(out, err);
}

enum shown_view export_one_of_two(const struct export_kind *kind, enum shown_view with_keys)
{
	return kind->bit & EXPORT_TABLES ? with_keys : SHOWN_FLAME;
}

bool export_shows_table(const struct export_kind *kind, enum shown_view view)
{
	return view == SHOWN_TABLE || (view == SHOWN_FLAME && kind->bit & EXPORT_TABLES);
}

/*
 * Lanes are only in the flame chart; but folded stacks are in its order in every view. JSON shows nothing of a
 * chart, whatever the view is, and has all samples.
 */
bool export_joins_lanes(const struct export_kind *kind, enum shown_view view)
{
	if (kind == &export_folded || kind == &export_json)
		return true;
	return !kind->has_lanes && !(kind->bit & EXPORT_TABLES) && view == SHOWN_FLAME;
}

static bool needs_plain_axis(const struct view *v, const struct export_kind *kind)
{
	bool is_table = export_shows_table(kind, v->shown.view) && !kind->has_lanes; /* a page cuts its own */
	bool is_part = (is_table || kind == &export_firefox) && view_cut(v).to;
	return v->tree.until && (is_part || export_joins_lanes(kind, v->shown.view));
}

static bool can_show(const struct export_kind *kind, const struct view *view, const struct export_options *options,
                     struct err *err)
{
	if (!export_holds(kind, &view->shown, err))
		return false;
	/* clamped counts would not add up */
	return view_has_room(view, options->factor) ||
	       fail(err, "--factor=%g: times that, counts pass 2^64 - 1", options->factor);
}

static bool export_at(const struct target *to, const struct export_kind *kind, const struct view *view,
                      const struct export_options *options, struct err *err)
{
	struct view plain;
	bool is_good = can_show(kind, view, options, err);
	if (is_good && !needs_plain_axis(view, kind))
		return write_to(to, kind, view, options, err);
	bool keeps_lanes = !export_joins_lanes(kind, view->shown.view);
	if (!is_good || !plain_axis_make(&plain, view, view_cut(view), keeps_lanes, options->progress, err)) {
		output_abandon(to->out);
		return false;
	}
	if (options->part)
		*options->part = view_total(&plain);
	is_good = write_to(to, kind, &plain, options, err);
	plain_axis_free(&plain, view);
	return is_good;
}

/* What was cancelled has no message: some of its parts may have taken that for a failure. */
static bool export_or_cancel(const struct target *to, const struct export_kind *kind, const struct view *view,
                             const struct export_options *options, struct err *err)
{
	bool is_written = export_at(to, kind, view, options, err);
	if (!is_written && !export_goes_on(options) && err)
		*err = (struct err){0};
	return is_written;
}

bool export_to(const char *path, const struct export_kind *kind, const struct view *view,
               const struct export_options *options, struct err *err)
{
	return export_or_cancel(&(struct target){path, NULL}, kind, view, options, err);
}

bool export_into(struct output *out, const struct export_kind *kind, const struct view *view,
                 const struct export_options *options, struct err *err)
{
	return export_or_cancel(&(struct target){"-", out}, kind, view, options, err);
}
