/*
 * export.c - writes a view as a file, and says what the file lacks.
 */
#include <errno.h>
#include <string.h>

#include "base/status.h"
#include "lib/inside.h"
#include "lib/lib.h"
#include "notes.h"
#include "printing.h"

struct export_call {
	struct call c;
	struct flametop_view *v;
	const struct export_kind *kind; /* NULL: `name` says which */
	const char *name, *path;        /* path NULL: write() gets the bytes */
	flametop_write *write;
	void *arg;
};

/* What is known only after a file is written. */
struct written {
	uint32_t frames;
	struct export_loss loss;
	uint64_t part;
};

bool inside_is_for_people(const struct export_kind *kind)
{
	return strcmp(kind->name, "text") == 0 || strcmp(kind->name, "top") == 0;
}

static void complete_options(const struct options *o, const struct export_call *a, struct export_options *eo,
                             struct written *w)
{
	*eo = o->export_;
	eo->ascii = o->ascii;
	eo->is_terminal = a->path && output_names_terminal(a->path);
	eo->is_file = a->path && strcmp(a->path, "-") != 0;
	eo->frames = &w->frames;
	eo->loss = &w->loss;
	eo->part = &w->part;
	if (!inside_is_for_people(a->kind))
		return;
	eo->depth = printing_depth(o, eo->is_terminal);
	if (eo->width == 0 && eo->is_terminal)
		eo->width = printing_width();
}

/* An output_sink. */
static int pass_on(void *arg, const void *bytes, size_t n)
{
	const struct export_call *a = arg;
	return a->write(a->arg, bytes, n) == 0 ? 0 : EIO;
}

static bool write_view(struct export_call *a, const struct export_options *eo)
{
	const struct options *o = a->v->options;
	struct err *err = &a->c.profile->err;
	if (a->path)
		return options_export(o, a->path, a->kind, &a->v->view, eo, err);
	struct output *out = output_open_sink("the caller's function", pass_on, a);
	return options_export_into(o, out, a->kind, &a->v->view, eo, err);
}

/* Lines can be asked for by the kind alone. */
static enum shown_view view_in_file(const struct shown *s, const struct export_kind *kind)
{
	if (s->is_beside)
		return export_one_of_two(kind, s->view);
	return kind == &export_lines && s->view == SHOWN_FLAME && !s->has_heat ? SHOWN_LINES : s->view;
}

static void say_before(const struct export_call *a, const struct export_options *eo)
{
	const struct options *o = a->v->options;
	if (!o->quiet)
		options_say_idle(o, a->kind, eo->depth != DEPTH_MONO);
	if (!o->quiet)
		options_say_idle_axis(o, a->kind, &a->v->view);
	if (eo->is_terminal) /* which the line would disturb */
		status_end();
}

static void say_after(const struct export_call *a, const struct written *w)
{
	const struct view *v = &a->v->view;
	if (a->v->options->quiet)
		return;
	notes_say_many(a->path ? a->path : a->kind->name, w->frames);
	export_say_loss(&w->loss, v);
	notes_given_up("table-filter", v->shown.filter, w->loss.given_up);
	if (a->kind == &export_folded)
		notes_say_left_out(v, v->tree.until && v->span.to ? &w->part : NULL);
}

static void write_and_say(struct export_call *a)
{
	struct written written = {0};
	struct export_options eo;
	complete_options(a->v->options, a, &eo, &written);
	say_before(a, &eo);
	bool is_written = write_view(a, &eo);
	status_end();
	if (is_written)
		say_after(a, &written);
	else
		call_failed(&a->c, FLAMETOP_FAILED);
}

static void export_view(struct call *c)
{
	struct export_call *a = (struct export_call *)c;
	if (!a->kind)
		a->kind = a->name ? export_find(a->name) : NULL;
	if (!a->kind || (!a->path && !a->write)) {
		call_fail(c, FLAMETOP_USAGE, "unknown kind of output '%s'", a->name ? a->name : "");
		return;
	}
	guard_block_sigpipe();
	if (!view_is_made(c, a->v))
		return;
	struct shown *shown = &a->v->view.shown;
	enum shown_view before = shown->view;
	shown->view = view_in_file(shown, a->kind);
	if (!export_holds(a->kind, shown, &c->profile->err))
		call_failed(c, FLAMETOP_USAGE);
	else
		write_and_say(a);
	shown->view = before;
}

int flametop_view_export(struct flametop_view *v, const char *kind, flametop_write *write, void *arg)
{
	struct export_call a = {
		.c = {.profile = v ? v->profile : NULL}, .v = v, .name = kind, .write = write, .arg = arg};
	return call_run(&a.c, export_view);
}

int inside_export(struct flametop_view *v, const struct export_kind *kind, const char *path)
{
	struct export_call a = {.c = {.profile = v->profile}, .v = v, .kind = kind, .path = path};
	return call_run(&a.c, export_view);
}
