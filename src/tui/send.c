/*
 * send.c - commands that export: to the clipboard, into a file, into an editor.
 */
#include "tui/send.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/words.h"
#include "tui/app.h"
#include "tui/copy.h"
#include "tui/panes.h"

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
	if (!app_selected(app, &sym))
		return 0;
	const char *name = app_name(app, sym);
	copy_text(app, name, strlen(name), "The name", NULL);
	return DIRTY_SCREEN;
}

unsigned send_stack(struct app *app)
{
	uint32_t node = app_node(app);
	struct buf path;
	if (node == NO_NODE || node == NODE_ALL) {
		app_say(app, "no frame is selected");
		return 0;
	}
	buf_init(&path);
	view_add_path(&app->view, node, &path);
	copy_text(app, path.data, path.len, "The stack", NULL);
	buf_deinit(&path);
	return DIRTY_SCREEN;
}

/* In a chart several frames share a path, and an option names a frame by its path. */
static bool zooms_elsewhere(const struct view *v)
{
	size_t n = tree_depth(&v->tree, v->zoom);
	uint32_t *syms = mem_alloc((n ? n : 1) * sizeof *syms);
	tree_path(&v->tree, v->zoom, syms, n);
	bool is_other = tree_find_path(&v->tree, syms, n, NULL) != v->zoom;
	free(syms);
	return is_other;
}

/* What the command line cannot reproduce; NULL: nothing. */
static const char *beyond_options(const struct app *app)
{
	const struct view *v = &app->view;
	if (zooms_elsewhere(v))
		return "But --zoom opens the widest frame of this name.";
	if (v->recipe.leaves_base && v->profile->log[1].n > 0 && app->options->n_diffs == 0)
		return "But it compares the two columns again.";
	return app->tab == TAB_FLAME ? NULL : "But it begins with the flame graph.";
}

unsigned send_command(struct app *app)
{
	struct buf line;
	buf_init(&line);
	options_add_command(&line, app->options, &app->view);
	copy_text(app, line.data, line.len, "The command", beyond_options(app));
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
	words_add_so_far(&words, app->profile);
	if (app->profile->so_far.all > 0)
		app_complain(app, "written to %s: %s", path, buf_str(&words));
	else
		app_say(app, "written to %s: %s", path, buf_str(&words));
	buf_deinit(&words);
}

static void write_to(struct app *app, const char *path)
{
	struct err err = {0};
	const struct export_kind *kind = export_by_suffix(path);
	struct export_options o = app->options->export_;
	uint32_t frames = 0;
	if (*path == '\0')
		return;
	if (!kind) {
		app_complain(app, "%s: unknown suffix (expected " EXPORT_SUFFIXES ")", path);
		return;
	}
	if (is_pipe(path)) {
		app_complain(app, "%s is a pipe (expected a file; -o writes to a pipe)", path);
		return;
	}
	if (app_is_loading(app) && app->profile->n_paths <= 1) {
		app_say(app, "nothing has been read yet");
		return;
	}
	o.ascii = app->theme.ascii;
	o.depth = DEPTH_MONO; /* of text in a file */
	o.frames = &frames;
	panes_tell(app);
	if (!export_to(path, kind, &app->view, &o, &err)) {
		app_complain(app, "%s", err.text);
		return;
	}
	app->is_saved = true;
	if (app->profile->so_far.is_part)
		say_written_part(app, path);
	else if (frames >= SVG_MANY_FRAMES)
		app_complain(app, "written to %s: browsers are slow with %" PRIu32 " frames ({raise} draws fewer)", path,
		             frames);
	else
		app_say(app, "written to %s (%s)", path, kind->name);
}

static void write_accepted(struct app *app, const char *path);

/* A second Enter behind the same name confirms; a changed name asks again. */
static void overwrite_accepted(struct app *app, const char *path)
{
	if (strcmp(path, app->write_over) == 0)
		write_to(app, path);
	else
		write_accepted(app, path);
}

/* An existing file is overwritten only after a confirmation. */
static void write_accepted(struct app *app, const char *path)
{
	static const struct prompt_kind again = {PROMPT_WRITE,
	                                         "the file exists; {accept} overwrites it, {cancel} does not: ", NULL,
	                                         overwrite_accepted, NULL};
	if (export_by_suffix(path) && access(path, F_OK) == 0) {
		free(app->write_over);
		app->write_over = mem_strdup(path);
		app_prompt(app, &again, path);
	} else {
		write_to(app, path);
	}
}

unsigned send_to_file(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_WRITE, "write to (" EXPORT_SUFFIXES "): ", NULL, write_accepted,
	                                        NULL};
	app_prompt(app, &kind, NULL);
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
unsigned send_to_editor(struct app *app)
{
	uint32_t sym;
	if (!app_selected(app, &sym))
		return 0;
	uint32_t source = app->profile->symtab.symbols[sym].source;
	if (source == 0) {
		app_say(app, "the profile does not say where %s is", app_name(app, sym));
		return 0;
	}
	const char *text = app_raw_name(app, source), *colon = strrchr(text, ':');
	uint64_t line = 0;
	if (colon && !number_u64(colon + 1, strlen(colon + 1), &line))
		colon = NULL;
	free(app->edit_file);
	app->edit_file = path_argument(text, colon ? (size_t)(colon - text) : strlen(text));
	app->edit_line = line;
	return DIRTY_SCREEN;
}
