/*
 * send.c - commands that export: to the clipboard, into a file, into an editor.
 */
#include "tui/send.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "lib/cells.h"
#include "tui/app.h"
#include "tui/copy.h"
#include "tui/lines.h"
#include "tui/origins.h"
#include "tui/paint.h"
#include "tui/panes.h"
#include "tui/quit.h"
#include "tui/term.h"
#include "tui/top.h"
#include "tui/wide.h"

static unsigned copy_line(struct app *app)
{
	const struct list_item *item = list_selected(&app->list);
	if (item)
		copy_text(app, item->text, item->len, "The line", NULL);
	return DIRTY_SCREEN;
}

unsigned send_name(struct app *app)
{
	uint32_t sym;
	if (app->list.is_open)
		return copy_line(app);
	if (!app_selected(app, &sym)) {
		app_say(app, "no function is selected");
		return 0;
	}
	const char *name = app_name(app, sym);
	copy_text(app, name, strlen(name), "The name", NULL);
	return DIRTY_SCREEN;
}

unsigned send_stack(struct app *app)
{
	uint32_t node = app_node(app);
	struct buf path;
	panes_tell(app);
	bool is_sandwich = app->view.shown.view == SHOWN_SANDWICH && app->view.shown.n_path > 0;
	if (!is_sandwich && (app->is_heat_open || node == NO_NODE || node == NODE_ALL)) {
		app_say(app, "no frame is selected");
		return 0;
	}
	buf_init(&path);
	if (is_sandwich)
		view_add_shown_path(&app->view, &path);
	else
		view_add_path(&app->view, node, &path);
	copy_text(app, path.data, path.len, "The stack", NULL);
	buf_deinit(&path);
	return DIRTY_SCREEN;
}

static bool is_about_origins(const char *pattern, enum match_mode mode)
{
	const char *rest;
	return pattern && match_subject_of(pattern, mode, &rest) != BY_FUNCTION;
}

/* Does the view depend on modules or files of functions? Folded stacks have only names. */
static bool needs_origins(const struct app *app)
{
	const struct view *v = &app->view;
	const struct recipe *r = &v->recipe;
	bool needs = r->group != BY_FUNCTION || is_about_origins(v->search.pattern, v->search.mode) ||
	             is_about_origins(v->shown.filter, v->shown.filter_mode);
	for (size_t i = 0; i < r->n_filters && !needs; i++)
		needs = is_about_origins(r->filters[i].pattern, r->filters[i].mode);
	return needs && app->profile->symtab.n_variants > 0;
}

/* Has the event in view samples that the reader left out, or let go? No file has them. */
static bool lacks_samples(const struct app *app)
{
	int32_t shown = app->view.recipe.series;
	const struct profile *p = app->profile;
	for (size_t i = 0; i < p->n_series; i++)
		if ((shown < 0 || i == (size_t)shown) && p->series[i].let_go)
			return true;
	return idle_is_left_out(p, shown, 0);
}

/* Does a file of folded stacks hold all of the profile that this recipe may show? */
static bool fits_in_folded(const struct app *app)
{
	const struct recipe *r = &app->view.recipe;
	double factor = app->options->export_.factor;
	bool is_whole = !r->n_splits && !r->strip_hex && !r->pid && !r->tid && !r->comm && !r->from && !r->to &&
	                !r->last && !r->half_life && !r->chart && !recipe_chooses_tags(r) &&
	                !(r->frames && app->profile->symtab.has_languages);
	return is_whole && !needs_origins(app) && !lacks_samples(app) && app->profile->log[1].n == 0 &&
	       !app->profile->so_far.is_part && (factor == 0 || factor == 1);
}

/* Remembers a file that holds the whole profile: of one event, as folded stacks have no other. */
static void remember_saved(struct app *app, const char *path, const struct export_kind *kind)
{
	const struct view *v = &app->view;
	bool is_whole = recipe_keeps_stacks(&v->recipe, v->profile->symtab.has_languages) && v->zoom == NODE_ALL &&
	                fits_in_folded(app) && v->shown.view == SHOWN_FLAME;
	if (kind != &export_folded || !is_whole)
		return;
	free(app->saved);
	app->saved = mem_strdup(path);
	app->saved_series = v->recipe.series;
}

/*
 * Does the file have all stacks of the event in view? A graph has, in whatever colours and order, unless frames are
 * hidden, summed up or too narrow for it. Text leaves rows out.
 */
static bool holds_all(const struct app *app, const struct export_kind *kind)
{
	const struct view *v = &app->view;
	const struct recipe *r = &v->recipe;
	bool is_graph = v->shown.view == SHOWN_FLAME || v->shown.is_beside;
	bool is_whole = v->zoom == NODE_ALL && v->tree.excluded[0] == 0 && !r->n_filters && !r->group && !r->strip_hex;
	return is_graph && is_whole && (kind == &export_folded || (kind == &export_svg && v->min_share == 0));
}

/* Folded stacks have neither times nor modules, and lines only where names have them. */
static bool shows_more_than_stacks(const struct app *app)
{
	const struct sites *sites = app->profile->sites;
	if (app->tab == TAB_LINES && sites && !sites->are_of_names)
		return true;
	bool is_table = app->tab == TAB_TOP || wide_has_both(app);
	return app->is_heat_open || (is_table && origins_columns(app) > 0);
}

/* Would a file of folded stacks that w writes show the same? */
static bool folded_would_do(const struct app *app)
{
	return fits_in_folded(app) && !shows_more_than_stacks(app);
}

/* The file that the command may read instead of a pipe; NULL: none. */
static const char *saved_file(const struct app *app)
{
	bool is_it = app->saved && folded_would_do(app) && app->saved_series == app->view.recipe.series;
	bool is_gone = options_read_pipe(app->options) || options_fetch(app->options);
	return is_it && is_gone ? app->saved : NULL;
}

/* Appends what the command does not reproduce; nothing: it does. */
static void add_beyond(const struct app *app, struct buf *out, bool is_named)
{
	if (!is_named)
		buf_adds(out, "But no path leads to this frame.");
	else if (app->options->record.is_record && !app->options->record.perfdata)
		buf_adds(out, "But it records again.");
	else if (saved_file(app))
		return;
	else if (app->options->receiver)
		app_add_keys(app, out,
		             folded_would_do(app) ? "But it waits for new profiles ({write} NAME.folded saves this one)."
		                                  : "But it waits for new profiles.");
	else if (options_fetch(app->options))
		buf_adds(out, "But it fetches again, and has no credentials.");
	else if (app->is_frozen || app_is_loading(app))
		buf_adds(out, "But it shows what is still coming in, too.");
	else if (options_read_pipe(app->options))
		app_add_keys(app, out,
		             folded_would_do(app) ? "But the profile came through a pipe ({write} NAME.folded saves it)."
		                                  : "But the profile came through a pipe.");
}

unsigned send_command(struct app *app)
{
	struct buf line, beyond;
	buf_init(&line);
	buf_init(&beyond);
	panes_tell(app);
	top_tell_rows(app, &app->view.shown);
	add_beyond(app, &beyond, options_add_command(&line, app->options, &app->view, saved_file(app), false));
	copy_text(app, line.data, line.len, "The command", beyond.len ? buf_str(&beyond) : NULL);
	buf_deinit(&beyond);
	buf_deinit(&line);
	return DIRTY_SCREEN;
}

/* Opening a pipe waits for a reader, and keys would not be answered meanwhile. */
static bool is_pipe(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* Of a pipe or a recording that is as usual; a file will be read to its end, if one waits. */
static void say_written_part(struct app *app, const char *path)
{
	struct buf words;
	buf_init(&words);
	words_add_so_far(&words, &app->view);
	if (app->profile->so_far.all > 0)
		app_complain(app, "written to %s: %s", path, buf_str(&words));
	else
		app_say(app, "written to %s: %s", path, buf_str(&words));
	buf_deinit(&words);
}

/* kind: NULL if it is not known yet. */
static enum shown_view view_for_file(const struct app *app, const struct export_kind *kind)
{
	enum shown_view with_keys = app_pane(app)->view;
	if (!wide_has_both(app))
		return with_keys;
	return kind ? export_one_of_two(kind, with_keys) : SHOWN_FLAME;
}

/*
 * A file of the graph that has a table obeys what was chosen for the table. The usual order of a table that has not
 * the keys is no choice of the user.
 */
static void tell_for_file(struct app *app, const struct export_kind *kind)
{
	struct shown *s = &app->view.shown;
	const struct shown usual = {.sort = N_TOP_COLUMNS};
	panes_tell(app);
	s->view = view_for_file(app, kind);
	bool is_table_of_graph = kind && s->view == SHOWN_FLAME && export_shows_table(kind, s->view);
	if (is_table_of_graph)
		top_tell_rows(app, s);
	bool is_usual = !s->is_ascending && s->sort == shown_sort(&usual, view_is_diff(&app->view));
	if ((s->is_beside || is_table_of_graph) && s->view == SHOWN_FLAME && is_usual &&
	    app->options->shown.sort == N_TOP_COLUMNS)
		s->sort = N_TOP_COLUMNS;
}

static void write_accepted(struct app *app, const char *typed);

/* Names the kinds of files that can show the view in front. */
static void ask_for_name(struct app *app, const char *text)
{
	static const struct prompt_kind kind = {PROMPT_WRITE, "write to: ", NULL, write_accepted, NULL};
	struct buf label;
	buf_init(&label);
	buf_adds(&label, "write to (");
	export_add_suffixes(&label, view_for_file(app, NULL));
	buf_adds(&label, "): ");
	prompt_open(&app->prompt, &kind, buf_str(&label), text);
	buf_deinit(&label);
}

/* Says what is wrong, and lets the user correct the name. */
static void ask_again(struct app *app, const char *path, const char *why)
{
	ask_for_name(app, path);
	app_complain(app, "%s", why);
}

/* ---- writing ------------------------------------------------------------------------------------------------- */

/* Of so many frames, some files take a second or more. */
#define MANY_FRAMES 200000u
#define AT_ONCE_MS 40u /* most files are written by then, before the next key */
#define SAY_AFTER_MS 100u

static uint64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Without a thread, keys wait until the file is complete, which the screen says meanwhile. */
static void announce(struct app *app, const char *path)
{
	if (!app->has_terminal || app->view.tree.n < MANY_FRAMES)
		return;
	app_say(app, "writing to %s (keys wait until it is complete)", path);
	paint(app);
	term_draw(&app->grid);
	app_say_nothing(app);
}

static void say_written(struct app *app, const struct write_order *w)
{
	const struct view *v = &w->view;
	if (app->profile->so_far.is_part)
		say_written_part(app, w->path);
	else if (w->frames >= SVG_MANY_FRAMES)
		app_complain(app, "written to %s: browsers are slow with %" PRIu32 " frames ({raise} draws fewer)", w->path,
		             w->frames);
	else if (v->tree.until && export_joins_lanes(w->kind, v->shown.view))
		app_say(app, "written to %s (%s): %s%s", w->path, w->kind->name,
		        v->span.to ? "the samples of this time" : "all samples",
		        w->kind == &export_json ? "" : " one after the other; an SVG has the lanes");
	else
		app_say(app, "written to %s (%s%s)", w->path, w->kind->name, w->is_part_of_two ? ", the graph alone" : "");
}

/* The file is written, or not. err is empty if that was stopped. */
static void end_write(struct app *app, struct write_order *w, bool ok, const struct err *err)
{
	if (!ok && !err->text[0]) {
		app_say(app, "stopped: nothing was written to %s", w->path);
	} else if (!ok) {
		ask_again(app, w->path, err->text);
	} else {
		if (holds_all(app, w->kind))
			quit_note_saved(app, w->kind == &export_folded);
		remember_saved(app, w->path, w->kind);
		say_written(app, w);
	}
	write_order_free(w);
	app->dirty |= DIRTY_SCREEN;
}

static void take_write(struct app *app)
{
	bool ok;
	struct err err;
	struct write_order *w = work_end_write(app->writing, &ok, &err);
	app->writing = NULL;
	app_say_nothing(app);
	end_write(app, w, ok, &err);
}

void send_take_write(struct app *app)
{
	if (!app->writing)
		return;
	if (work_is_done(app->writing)) {
		take_write(app);
	} else if (app->writing_since && now_ms() - app->writing_since >= SAY_AFTER_MS) {
		app->writing_since = 0;
		app_say(app, "the file is being written ({escape} stops)");
	}
}

void send_stop_write(struct app *app)
{
	work_stop(app->writing);
	take_write(app);
}

static void begin_write(struct app *app, struct write_order *w)
{
	struct err err = {0};
	app->writing_since = now_ms();
	app->writing = work_write(w, app->wake_fd);
	if (!app->writing) {
		announce(app, w->path);
		bool ok = write_order_run(w, NULL, &err);
		end_write(app, w, ok, &err);
	} else if (work_wait(app->writing, app->patience_ms ? AT_ONCE_MS : 0)) {
		take_write(app);
	}
}

static void write_to(struct app *app, const char *path)
{
	struct err err = {0};
	const struct export_kind *kind = export_by_suffix(path);
	if (*path == '\0')
		return;
	if (!kind) {
		fail(&err, "%s: unknown suffix (expected " EXPORT_SUFFIXES ")", path);
		ask_again(app, path, err.text);
		return;
	}
	if (is_pipe(path)) {
		fail(&err, "%s is a pipe (expected a file; -o writes to a pipe)", path);
		ask_again(app, path, err.text);
		return;
	}
	if (app_is_loading(app) && app->profile->n_paths <= 1) {
		app_say(app, "nothing has been read yet");
		return;
	}
	tell_for_file(app, kind);
	struct write_order *w = write_order_new(app->options, &app->view, kind, path);
	w->export_.ascii = app->theme.ascii;
	w->export_.is_file = true;
	w->export_.depth = DEPTH_MONO; /* of text in a file */
	w->is_part_of_two = wide_has_both(app) && !(kind->bit & EXPORT_TABLES);
	begin_write(app, w);
}

/* A second Enter after the same name confirms; a changed name asks again. */
static void overwrite_accepted(struct app *app, const char *path)
{
	if (strcmp(path, app->write_over) == 0)
		write_to(app, path);
	else
		write_accepted(app, path);
}

/* As a shell would take it. */
static char *without_tilde(const char *path)
{
	struct buf whole;
	const char *home = getenv("HOME");
	buf_init(&whole);
	if (strncmp(path, "~/", 2) == 0 && home && *home) {
		buf_adds(&whole, home);
		path++;
	}
	buf_adds(&whole, path);
	return buf_take(&whole);
}

/* Short, so that a narrow screen has all of it. */
static void refuse(struct app *app, const struct export_kind *kind, const char *path)
{
	struct buf why;
	buf_init(&why);
	buf_addf(&why, "no %s of this view, only ", export_suffix(kind));
	export_add_suffixes(&why, app->view.shown.view);
	ask_again(app, path, buf_str(&why));
	buf_deinit(&why);
}

/* An existing file is overwritten only after a confirmation, and if there is something to write. */
static void write_accepted(struct app *app, const char *typed)
{
	static const struct prompt_kind again = {PROMPT_WRITE,
	                                         "the file exists; {accept} overwrites it, {cancel} does not: ", NULL,
	                                         overwrite_accepted, NULL};
	char *path = without_tilde(typed);
	const struct export_kind *kind = export_by_suffix(path);
	struct err err = {0};
	tell_for_file(app, kind);
	if (kind && !export_holds(kind, &app->view.shown, &err)) {
		refuse(app, kind, path);
	} else if (kind && access(path, F_OK) == 0) {
		free(app->write_over);
		app->write_over = mem_strdup(path);
		app_prompt(app, &again, path);
	} else {
		write_to(app, path);
	}
	free(path);
}

unsigned send_to_file(struct app *app)
{
	if (app->is_heat_open)
		app_complain(app, "no file can show the heat map, but the views that it narrows");
	else
		ask_for_name(app, NULL);
	return DIRTY_SCREEN;
}

/*
 * Makes a name from a profile safe for editors: one that begins with + or - would be an option, which may be a
 * command.
 */
static char *path_argument(const char *name, size_t len)
{
	struct buf b;
	buf_init(&b);
	if (len > 0 && *name != '/')
		buf_adds(&b, "./");
	buf_add(&b, name, len);
	return buf_take(&b);
}

/* Opens "file:line" of the selected function, if the profile has it. */
/* The line under the cursor, in the pane of lines. */
static bool edit_line(struct app *app)
{
	uint32_t line;
	const char *path = lines_source(app, &line);
	if (!path)
		return false;
	free(app->edit_file);
	app->edit_file = path_argument(path, strlen(path));
	app->edit_line = line;
	return true;
}

unsigned send_to_editor(struct app *app)
{
	uint32_t sym;
	if (!app_selected(app, &sym))
		return 0;
	if (app->tab == TAB_LINES && edit_line(app))
		return DIRTY_SCREEN;
	uint32_t origin = origins_selected(app, BY_FILE);
	const struct symtab *t = &app->profile->symtab;
	if (origin == ORIGIN_SEVERAL) {
		app_say(app, "functions called %s are in " ORIGIN_FILES, app_name(app, sym));
		return 0;
	}
	uint32_t source = t->symbols[origin].source;
	if (source == 0) {
		app_say(app, "the profile does not say where %s is", app_name(app, sym));
		return 0;
	}
	uint64_t line;
	size_t len = origin_place(t, origin, &line);
	free(app->edit_file);
	app->edit_file = path_argument(t->symbols[source].name, len);
	app->edit_line = line;
	return DIRTY_SCREEN;
}
