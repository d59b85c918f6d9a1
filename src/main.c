/*
 * main.c - from the command line to a screen or a file.
 *
 *	options -> inputs (files, a pipe, a recording) -> the viewer
 *	                                               -> profile -> view -> export
 *
 * The viewer loads in the background. An export loads first, and reports on standard error what was skipped or left
 * out before it writes anything.
 *
 * Exit status: 0 done; 1 the input or the system failed; 2 wrong usage; 3 --fail-above; a recorded command's own,
 * or that of cargo.
 */
#include <errno.h>
#include <flametop.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/shell_word.h"
#include "base/status.h"
#include "base/temporary.h"
#include "bundle.h"
#include "choosing.h"
#include "clashes.h"
#include "config.h"
#include "fetching.h"
#include "lib/inside.h"
#include "lines_options.h"
#include "manual.h"
#include "notes.h"
#include "options.h"
#include "pushing.h"
#include "record/cargo.h"
#include "record/detach.h"
#include "record/own.h"
#include "record/perf.h"
#include "record/record.h"
#include "sample.h"
#include "tui/viewer.h"

enum status { STATUS_DONE, STATUS_FAILED, STATUS_USAGE, STATUS_GATE };

static int failed(const struct err *err)
{
	err_print(err->text);
	return STATUS_FAILED;
}

/* ---- inputs -------------------------------------------------------------------------------------------------- */

/* Shared with the options: a loader that waits for a silent pipe may use them until the very end. */
struct inputs {
	struct load_input *v;
	size_t n;
};

static void inputs_init(struct inputs *in, struct options *o)
{
	*in = (struct inputs){.v = arena_alloc(&o->arena, (o->n_files + o->n_diffs + 1) * sizeof *in->v)};
}

static void add_input(struct inputs *in, const char *path, int fd, unsigned side)
{
	in->v[in->n++] = (struct load_input){.path = path, .fd = fd, .side = side};
}

/* A file, or what is fetched from an address. */
static void add_profile(struct inputs *in, struct options *o, const char *path, unsigned side)
{
	add_input(in, path, -1, side);
	fetching_connect(&in->v[in->n - 1], o);
}

static void add_bases(struct inputs *in, struct options *o)
{
	for (size_t i = 0; i < o->n_diffs; i++)
		add_profile(in, o, o->diffs[i], 1);
}

/* false: there is no input, not even a pipe. What has no end comes last. */
static bool add_files(struct inputs *in, struct options *o)
{
	if (o->receiver)
		add_bases(in, o);
	if (o->n_files == 0 && isatty(STDIN_FILENO))
		return false;
	for (size_t i = 0; i < o->n_files; i++)
		add_profile(in, o, o->files[i], 0);
	if (o->n_files == 0)
		add_input(in, "-", -1, 0);
	if (!o->receiver)
		add_bases(in, o);
	return true;
}

/* ---- export -------------------------------------------------------------------------------------------------- */

static const struct export_kind *choose_kind(const struct options *o)
{
	const struct export_kind *kind = o->output ? export_by_suffix(o->output) : NULL;
	if (o->to)
		return export_find(o->to);
	return kind ? kind : export_find("text");
}

/* Of a call of the library, the exit status. */
static int status_of(const struct flametop_profile *p, int result)
{
	if (result == FLAMETOP_OK)
		return STATUS_DONE;
	err_print(flametop_profile_error(p));
	return result == FLAMETOP_USAGE ? STATUS_USAGE : STATUS_FAILED;
}

static int judge(const struct options *o, struct flametop_profile *p, struct flametop_view *v)
{
	enum flametop_verdict verdict;
	int status = status_of(p, flametop_view_judge(v, o->export_.fail_above, &verdict));
	if (status != STATUS_DONE)
		return status;
	return verdict == FLAMETOP_GREW ? STATUS_GATE : verdict == FLAMETOP_NOTHING ? STATUS_USAGE : STATUS_DONE;
}

static int write_file(struct options *o, struct flametop_profile *p, struct flametop_view *v)
{
	const char *path = o->output ? o->output : "-";
	bool is_gate = o->export_.fail_above >= 0;
	struct err err;
	if (is_gate && !inside_can_judge(v))
		return STATUS_USAGE;
	int status = status_of(p, inside_export(v, choose_kind(o), path));
	if (status != STATUS_DONE)
		return status;
	if (o->record.open && strcmp(path, "-") != 0 && !record_open(path, &err))
		return failed(&err);
	return is_gate ? judge(o, p, v) : STATUS_DONE;
}

static int write_view(struct options *o, struct flametop_profile *p, struct flametop_view *v, void *arg)
{
	(void)arg;
	struct err err;
	int status = pushing_is_all(o) ? STATUS_DONE : write_file(o, p, v);
	if (!o->push || status == STATUS_FAILED || status == STATUS_USAGE)
		return status;
	return pushing_send(o, v, &err) ? status : failed(&err);
}

/* Handles a loaded view; arg comes from the caller. */
typedef int view_fn(struct options *, struct flametop_profile *, struct flametop_view *, void *arg);

static int with_loaded(struct options *o, struct flametop_profile *p, view_fn *next, void *arg)
{
	const struct profile *read = inside_read(p);
	/* --post-process may return stacks that did not come from perf. */
	if (o->record.is_record && !o->record.post_process && !o->quiet && *perf_advice(&o->record, read))
		err_print(perf_advice(&o->record, read));
	struct flametop_view *v = flametop_view_new(p);
	int status = status_of(p, flametop_view_update(v));
	if (status == STATUS_DONE)
		status = next(o, p, v, arg);
	flametop_view_free(v);
	return status;
}

static int with_profile(struct options *o, struct session *s, const struct inputs *in, view_fn *next, void *arg)
{
	struct flametop_profile *p = inside_profile(o, in->v, in->n, choose_kind(o)->has_times);
	int status = status_of(p, flametop_profile_load(p));
	s->has_samples |= inside_read(p)->log[0].n > 0;
	if (status == STATUS_DONE)
		status = with_loaded(o, p, next, arg);
	flametop_profile_free(p);
	return status;
}

/* Loads the profile and passes it to `next` as a view. */
static int with_view(struct options *o, struct session *s, const struct inputs *in, view_fn *next, void *arg)
{
	if (!o->quiet)
		status_begin();
	int status = with_profile(o, s, in, next, arg);
	status_end();
	return status;
}

/* ---- where to ------------------------------------------------------------------------------------------------ */

/*
 * Outside UTF-8 locales, text that people read at once is ASCII. SVG and folded files are the same in every locale,
 * so there only --ascii counts.
 */
static void choose_characters(struct options *o)
{
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 &&
	    (!options_ask_for_file(o) || inside_is_for_people(choose_kind(o))))
		o->ascii = true;
	o->export_.ascii = o->ascii;
}

/*
 * Files without lanes show the samples of a flame chart one after the other, after a zoom in time those in it. That
 * axis can be folded at once, unless a place is named: places are those of the screen, so of the axis of time.
 */
static void choose_axis(struct options *o)
{
	enum shown_view view = o->shown.is_beside ? SHOWN_FLAME : o->shown.view;
	bool names_place = o->shown.span.to || o->zoom || o->shown.cursor || o->shown.expanded;
	if (!export_joins_lanes(choose_kind(o), view) || o->recipe.axis == AXIS_SAMPLES || names_place)
		return;
	o->recipe.axis = AXIS_SAMPLES;
	o->recipe.timed = o->recipe.chart; /* as on the axis of time */
}

/* Different sets of labels: more than a user looks through, and not yet a hundred megabytes. */
#define MOST_LISTED_LABELS 200000u

static int show_view(struct options *o, struct session *s, struct inputs *in)
{
	struct err err = {""};
	if (options_ask_for_file(o)) {
		choose_axis(o);
		return with_view(o, s, in, write_view, NULL);
	}
	int status = o->is_script ? viewer_script(o, s, in->v, in->n, &err) : viewer_run(o, s, in->v, in->n, &err);
	if (status == VIEWER_NO_SCREEN) { /* a terminal that can only print */
		err_print(err.text);
		choose_axis(o);
		return with_view(o, s, in, write_view, NULL);
	}
	if (*err.text)
		err_print(err.text);
	return status;
}

static int show(struct options *o, struct session *s, struct inputs *in)
{
	o->collapse.order = options_order(o, true);
	if (!options_need_labels(o))
		o->collapse.most_label_sets = MOST_LISTED_LABELS;
	o->collapse.factor = o->export_.factor;
	o->collapse.may_fade = true;
	struct lines_needs *needs = lines_needs_begin(o, options_show_lines(o));
	int status = show_view(o, s, in);
	lines_needs_end(o, needs);
	return status;
}

static int usage_hint(void)
{
	static const char hint[] =
		"Usage: flametop [OPTION]... [FILE]...   or   flametop record [OPTION]... CMD [ARG]...\n"
		"No profile given: name a file, or send one through a pipe ('flametop --help' says more).\n";
	fputs(hint, stderr);
	return STATUS_USAGE;
}

static int show_files(struct options *o)
{
	struct inputs in;
	struct session s = {0};
	struct err err;
	inputs_init(&in, o);
	if (!add_files(&in, o))
		return usage_hint();
	s.notes = fetching_note(o);
	return choosing_prepare(o, &s, in.v, in.n, &err) ? show(o, &s, &in) : failed(&err);
}

/* ---- record -------------------------------------------------------------------------------------------------- */

struct filtering {
	const char *command;
	struct load_input output; /* of the program */
	struct arena *arena;      /* for its strings */
};

static const char *keep_name(struct arena *a, const char *name)
{
	return arena_bytes(a, name, strlen(name));
}

static int take_filtered(struct options *o, struct flametop_profile *p, struct flametop_view *of, void *arg)
{
	struct err err;
	struct filtering *f = arg;
	const char *event, *unit;
	status_end(); /* the program may print to the terminal */
	if (!o->quiet)
		notes_say_left_out(inside_view(of), NULL);
	if (inside_event(of, &event, &unit)) {
		f->output.event = keep_name(f->arena, event);
		f->output.unit = keep_name(f->arena, unit);
	}
	o->quiet =
		true; /* these stacks are no file that the user asked for: other notes on it are none on the result */
	f->output.fd = record_post_process(f->command, p, of, &err);
	return f->output.fd < 0 ? failed(&err) : STATUS_DONE;
}

/*
 * Sends the samples through --post-process; their event, and its unit, are those of the program's output. Reports
 * the choice and order of samples before that, since folded stacks have no threads and times; other notes describe
 * the program's output, which becomes the input.
 */
static bool filter_samples(struct options *o, struct session *s, const struct inputs *in)
{
	struct filtering f = {o->record.post_process, {.path = in->v[0].path, .fd = -1, .format = "folded"}, &o->arena};
	struct options first = *o; /* a shallow copy */
	struct recipe *r = &first.recipe;
	r->n_filters = 0;
	r->reverse = r->strip_hex = r->swap_sides = false;
	r->axis = AXIS_SAMPLES;
	first.compare_by = COMPARE_AS_USUAL;
	first.n_diffs = 0;
	first.zoom = first.search = NULL;
	shown_options_init(&first.shown);
	first.min_share = 0;
	first.export_.factor = 0;
	first.export_.fail_above = -1;
	first.export_.negate = false;
	first.record.post_process = NULL;
	int status = with_view(&first, s, in, take_filtered, &f);
	if (status != STATUS_DONE)
		return false;
	options_drop_input(o);
	o->event = o->thread = o->time = NULL;
	o->recipe.last = o->recipe.half_life = o->collapse.window = o->collapse.half_life = 0;
	recipe_drop_splits(&o->recipe);
	in->v[0] = f.output;
	return true;
}

/* perf script has been told what only it can heed. */
static void options_have_reached_perf(struct options *o, const char *format)
{
	if (!format || strcmp(format, "perf") != 0)
		return;
	o->collapse.symbolizer = SYMBOLIZER_AUTO;
	o->collapse.inlines = INLINES_SHOWN;
}

/* Shows or exports the samples from fd or a perf.data file, through --post-process if asked to. */
static int show_recorded(struct options *o, struct session *s, const char *path, int fd, const char *format)
{
	struct inputs in;
	inputs_init(&in, o);
	add_profile(&in, o, path, 0);
	if (fd >= 0) {
		in.v[0].fd = fd;
		in.v[0].format = format;
		in.v[0].events = o->record.event;
		options_have_reached_perf(o, format);
	}
	if (o->record.post_process && !filter_samples(o, s, &in))
		return STATUS_FAILED;
	add_bases(&in, o);
	return show(o, s, &in);
}

static const char *advise(void *recording, const struct profile *p)
{
	const struct recording *r = recording;
	return perf_advice(&r->options->record, p);
}

/*
 * The command's status, if flametop itself has done its part: a command that failed before it was sampled leaves
 * nothing to show. Of perf it is unknown who failed.
 */
static int status_after(int status, const struct session *s, const struct recording *r)
{
	bool has_nothing = status == STATUS_FAILED && r->is_own && !s->has_samples && record_status(r) != 0;
	return status == STATUS_DONE || has_nothing ? record_status(r) : status;
}

static int record_live(struct options *o, struct session *s, const char *title)
{
	struct recording *r = mem_alloc(sizeof *r); /* the session refers to it while the viewer shows it */
	struct err err;
	int fd = record_start(r, o, &err);
	int status = STATUS_FAILED;
	if (fd < 0) {
		failed(&err);
		record_deinit(r);
		free(r);
		return status;
	}
	s->recording = r;
	s->interrupt = record_interrupt;
	s->cost = record_cost;
	s->advice = advise;
	s->outcome = record_add_outcome;
	s->detach = record_can_detach(r) ? record_detach : NULL;
	s->command = o->record.command ? o->record.command[0] : NULL;
	s->is_only_copy = true;
	status = show_recorded(o, s, title, fd, record_format(r));
	r->is_shown = status != STATUS_FAILED && status != STATUS_USAGE;
	if (s->advised && !o->quiet)
		err_print(s->advised);
	r->is_interrupted |=
		status > 128; /* by a signal, as of a terminal that hangs up, which the recorder had, too */
	if (!record_end(r, &err))
		status = failed(&err);
	record_say_detached(r);
	status = status_after(status, s, r);
	record_deinit(r);
	free(r);
	return status;
}

/* A recording is valuable: keeps it, so that a failed later step can be repeated. */
static void keep_recording(struct recording *r)
{
	struct err err;
	struct buf line;
	if (!record_keep(r, &err)) {
		failed(&err);
		return;
	}
	buf_init(&line);
	buf_adds(&line, "the recording is still there: flametop record --perfdata=");
	shell_word_add(&line, r->kept);
	err_print(buf_str(&line));
	buf_deinit(&line);
}

static int record_batch(struct options *o, struct session *s, const char *title)
{
	/* The command's output must not mix with a profile on standard output. */
	bool is_stdout = options_ask_for_file(o) && !pushing_is_all(o) && (!o->output || strcmp(o->output, "-") == 0);
	struct recording r;
	struct err err;
	int status = STATUS_FAILED, fd = -1;
	if (record_run(&r, o, is_stdout ? STDERR_FILENO : -1, &err))
		fd = record_read(&r, &err);
	if (fd < 0) {
		failed(&err);
		record_deinit(&r);
		return status;
	}
	s->is_only_copy = !r.kept;
	status = show_recorded(o, s, title, fd, record_format(&r));
	r.is_shown = status != STATUS_FAILED && status != STATUS_USAGE;
	r.is_read = status == STATUS_DONE && options_ask_for_file(o); /* a viewer may end before it has read all */
	bool is_read = record_end(&r, &err);
	if (!is_read)
		status = failed(&err);
	bool is_cut_short = status == STATUS_FAILED || status > 128; /* by an error, or by a signal in the viewer */
	bool is_recording = !r.is_own || r.is_complete != RECORD_IS_UNKNOWN;
	if (is_cut_short && is_recording && (s->has_samples || !is_read || status > 128))
		keep_recording(&r);
	status = status_after(status, s, &r);
	record_deinit(&r);
	return status;
}

static const char *take_text(struct options *o, struct buf *text)
{
	const char *copy = text->len ? arena_bytes(&o->arena, text->data, text->len) : NULL;
	buf_deinit(text);
	return copy;
}

static bool is_readable(const char *path, struct err *err)
{
	return strcmp(path, "-") == 0 || access(path, R_OK) == 0 || fail_errno(err, "%s: cannot open", path);
}

/* Checks before the recording, which cannot be repeated, whatever could fail after it, such as a mistyped name. */
static bool can_evaluate(const struct options *o, struct err *err)
{
	for (size_t i = 0; i < o->n_diffs; i++)
		if (!source_find(&o->sources, o->diffs[i]) && !is_readable(o->diffs[i], err))
			return false;
	if (o->export_.name_attr && !is_readable(o->export_.name_attr, err))
		return false;
	if (o->record.post_process && !record_check_filter(o->record.post_process, err))
		return false;
	return !o->output || output_check(o->output, err);
}

/* Reports what the recording will lack; the viewer shows it, too. */
static bool can_record(struct options *o, struct session *s, struct err *err)
{
	struct buf notes;
	buf_init(&notes);
	bool is_possible = record_check(o, &notes, err) && can_evaluate(o, err);
	s->notes = take_text(o, &notes);
	if (is_possible && s->notes && !o->quiet)
		err_print(s->notes);
	return is_possible;
}

static int record(struct options *o)
{
	struct err err;
	struct buf title;
	struct session s = {0};
	if (o->record.perfdata) {
		options_say_idle_recording(o);
		return show_recorded(o, &s, o->record.perfdata, -1, NULL);
	}
	int status = record_build(o);
	if (status)
		return status;
	if (!can_record(o, &s, &err)) {
		int failure = failed(&err);
		status = perf_command_status(&o->record);
		return status ? status : failure;
	}
	bool is_live = !options_ask_for_file(o) && own_can_be_live(o);
	if (is_live) /* the viewer colours kernel and compiled code differently */
		o->collapse.kernel = o->collapse.jit = true;
	buf_init(&title);
	record_title(&title, &o->record);
	const char *name = take_text(o, &title);
	return is_live ? record_live(o, &s, name) : record_batch(o, &s, name);
}

/* ---- main ---------------------------------------------------------------------------------------------------- */

/* Chooses an output name for --open, which needs a file. */
static void name_output(struct options *o)
{
	const struct export_kind *kind = export_find(o->to ? o->to : "svg");
	struct buf name;
	if (!o->record.open || o->output)
		return;
	buf_init(&name);
	buf_addf(&name, "flamegraph%s", export_suffix(kind));
	o->output = take_text(o, &name);
}

/* What the file, or a terminal, cannot show is wrong usage, noticed before a profile is read or recorded. */
static bool fits_view(const struct options *o, struct err *err)
{
	struct shown shown;
	if (!options_ask_for_file(o))
		return true;
	shown_init(&shown);
	shown.view = o->shown.is_beside ? SHOWN_FLAME : o->shown.view;
	shown.has_heat = o->shown.has_heat;
	shown.wants_code = o->shown.wants_code;
	return export_holds(choose_kind(o), &shown, err) &&
	       export_suits(choose_kind(o), o->output ? o->output : "-", err);
}

static int run(struct options *o)
{
	struct err err;
	bool is_usage;
	if (o->completions)
		return manual_print_completions(o->completions, &err) ? STATUS_DONE : failed(&err);
	if (o->is_manual)
		return manual_print(&err) ? STATUS_DONE : failed(&err);
	name_output(o);
	if (!o->is_bundle && !clashes_check(o, &err)) {
		err_print(err.text);
		return STATUS_USAGE;
	}
	if (!fetching_begin(o, &is_usage, &err)) {
		err_print(err.text);
		return is_usage ? STATUS_USAGE : STATUS_FAILED;
	}
	if (o->is_bundle)
		return bundle_write(o, &err) ? STATUS_DONE : failed(&err);
	if (!fits_view(o, &err)) {
		err_print(err.text);
		return STATUS_USAGE;
	}
	if (o->cargo.is_cargo && !can_evaluate(o, &err))
		return failed(&err);
	int status = o->cargo.is_cargo ? cargo_build(o) : STATUS_DONE;
	if (status != STATUS_DONE)
		return status;
	choose_characters(o);
	return o->record.is_record ? record(o) : show_files(o);
}

int main(int argc, char **argv)
{
	struct options o;
	struct err err = {""};
	int status = STATUS_DONE;
	child_hold_streams();
	child_inherit(); /* resets SIGPIPE, too: `flametop ... | head` ends quietly */
	temporary_begin();
	/* Only the character type, as numbers look the same everywhere. No locale is no error, no memory is. */
	if (setlocale(LC_CTYPE, "") == NULL && errno == ENOMEM)
		mem_exhausted();
	switch (config_parse(&o, argc, argv, &err)) {
	case OPTIONS_GO:
		status = o.record.is_sample ? sample_run(&o, argv) : run(&o);
		break;
	case OPTIONS_DONE:
		break;
	case OPTIONS_USAGE:
		err_print(err.text);
		status = STATUS_USAGE;
		break;
	case OPTIONS_FAILED:
		status = failed(&err);
		break;
	}
	fetching_say_unsaved(&o);
	/* After the viewer, a thread may still wait for a pipe and read the options when it wakes up. */
	if (options_ask_for_file(&o)) {
		fetching_end(&o);
		options_deinit(&o);
	}
	exit(status);
}
