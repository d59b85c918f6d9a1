/*
 * command.c - the table of commands, and what each of them does.
 *
 *	{"zoom", "<Enter>", COMMANDS_ZOOM, ON_ALL, "zoom into the frame", zoom},
 *
 * A new key is one row and one function: the key map, the help screen and the manual all read the table. Where a key
 * means different things in different views there is a row for each; the first one that is on in the view counts.
 */
#include "tui/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/words.h"
#include "tui/app.h"
#include "tui/calls.h"
#include "tui/change.h"
#include "tui/flame.h"
#include "tui/heat.h"
#include "tui/pick.h"
#include "tui/refresh.h"
#include "tui/sandwich.h"
#include "tui/search.h"
#include "tui/top.h"

/* ---- moving ----------------------------------------------------------------------------------------------------- */

static unsigned move(struct app *app, enum motion m)
{
	app_pane(app)->move(app, m);
	return DIRTY_SCREEN;
}

static unsigned go_left(struct app *app)
{
	return move(app, MOVE_LEFT);
}
static unsigned go_right(struct app *app)
{
	return move(app, MOVE_RIGHT);
}
static unsigned go_up(struct app *app)
{
	return move(app, MOVE_UP);
}
static unsigned go_down(struct app *app)
{
	return move(app, MOVE_DOWN);
}
static unsigned go_parent(struct app *app)
{
	return move(app, MOVE_PARENT);
}
static unsigned go_top(struct app *app)
{
	return move(app, MOVE_TOP);
}
static unsigned go_bottom(struct app *app)
{
	return move(app, MOVE_BOTTOM);
}
static unsigned go_first(struct app *app)
{
	return move(app, MOVE_FIRST);
}
static unsigned go_last(struct app *app)
{
	return move(app, MOVE_LAST);
}
static unsigned page_up(struct app *app)
{
	return move(app, MOVE_PAGE_UP);
}
static unsigned page_down(struct app *app)
{
	return move(app, MOVE_PAGE_DOWN);
}
static unsigned half_up(struct app *app)
{
	return move(app, MOVE_HALF_UP);
}
static unsigned half_down(struct app *app)
{
	return move(app, MOVE_HALF_DOWN);
}

static unsigned hot_path(struct app *app)
{
	calls_hot_path(app);
	return DIRTY_SCREEN;
}

/* ---- zooming ---------------------------------------------------------------------------------------------------- */

static unsigned enter(struct app *app)
{
	app_pane(app)->enter(app);
	return DIRTY_SCREEN;
}

static unsigned list_place(struct app *app)
{
	flame_open_place(app);
	return DIRTY_SCREEN;
}

unsigned command_back(struct app *app)
{
	if (app->tab == TAB_SANDWICH) { /* it shows nothing of the zoom */
		if (!sandwich_back(app))
			app_say(app, "no other function was in the middle before");
		return DIRTY_SCREEN;
	}
	if (app->view.zoom == NODE_ALL && app->view.n_back == 0)
		app_say(app, "not zoomed");
	return view_unzoom(&app->view);
}

static unsigned clear_search(struct app *app)
{
	search_for(app, NULL, MATCH_REGEX, NULL);
	return DIRTY_SCREEN;
}

/* Takes one thing back: what is said or under way, what is lit up, the zoom; it never ends the program. */
static unsigned escape(struct app *app)
{
	if (refresh_can_stop_fold(app)) {
		refresh_stop_fold(app);
		return DIRTY_SCREEN;
	}
	if (app->tab == TAB_TOP && app->top->filter) {
		top_set_filter(app, NULL);
		return DIRTY_SCREEN;
	}
	if (app->view.search.pattern)
		return clear_search(app);
	if (app->tab == TAB_SANDWICH)
		sandwich_back(app);
	else if (app->view.zoom != NODE_ALL)
		return view_unzoom(&app->view);
	return DIRTY_SCREEN;
}

static unsigned reset(struct app *app)
{
	top_set_filter(app, NULL);
	if (app->loader)
		load_keep(app->loader, 0, 0);
	return view_reset(&app->view) | DIRTY_SCREEN;
}

/* ---- searching -------------------------------------------------------------------------------------------------- */

static void start_from(struct app *app, uint32_t node)
{
	app->dirty |= view_select(&app->view, node);
}

/* The cursor shows the first match from where it stood before the search; in the sandwich once that is accepted. */
static void show_first_hit(struct app *app)
{
	struct view *v = &app->view;
	refresh(app);
	if (app->tab == TAB_SANDWICH)
		return;
	start_from(app, v->mark);
	app->is_named = false;
	if (v->search.pattern == NULL || view_is_hit(v, v->cursor))
		return;
	uint32_t hit = view_next_hit(v, false);
	if (hit != NO_NODE)
		app_go_to(app, hit);
}

/* The search as typed so far. */
static void search_changed(struct app *app, const char *text)
{
	free(app->message);
	app->message = NULL;
	search_for(app, text, MATCH_REGEX, show_first_hit);
}

static void go_in_sandwich(struct app *app, bool backwards, bool may_stay)
{
	const struct search *s = &app->view.search;
	if (!sandwich_next_hit(app, backwards, may_stay))
		app_complain(app, s->frames ? "no match in this sandwich, %llu in the flame graph" : "no match",
		               (unsigned long long)s->frames);
}

static void search_done(struct app *app)
{
	struct view *v = &app->view;
	show_first_hit(app);
	search_forget_kept(app);
	if (v->search.pattern && app->tab == TAB_SANDWICH)
		go_in_sandwich(app, false, true);
	else if (v->search.pattern && v->search.frames_zoom == 0)
		app_complain(app, v->search.frames ? "no match inside the zoom, %llu outside" : "no match",
		               (unsigned long long)v->search.frames);
}

/* Most often it was found, or is being sought, as typed so far. After a bad pattern the search before is in force again. */
static void search_accepted(struct app *app, const char *text)
{
	struct view *v = &app->view;
	free(app->message);
	app->message = NULL;
	if (app->sought && strcmp(app->sought, text) == 0)
		app->found = search_done;
	else if (app->sought == NULL && v->search.pattern && app->keeps_before && strcmp(v->search.pattern, text) == 0)
		search_done(app);
	else if (!search_for(app, text, MATCH_REGEX, search_done))
		search_restore(app);
}

static void search_cancelled(struct app *app)
{
	free(app->message);
	app->message = NULL;
	search_restore(app);
	start_from(app, app->view.mark);
}

static unsigned search(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_SEARCH, "/", search_changed, search_accepted, search_cancelled};
	search_keep(app);
	app->view.mark = app->view.cursor;
	prompt_open(&app->prompt, &kind, NULL);
	return DIRTY_SCREEN;
}

static void table_changed(struct app *app, const char *text)
{
	free(app->message);
	app->message = NULL;
	top_set_filter(app, text);
}

static void table_cancelled(struct app *app)
{
	top_restore(app);
}

static unsigned search_table(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_TABLE, "rows with: ", table_changed, table_changed,
	                                        table_cancelled};
	top_keep(app);
	prompt_open(&app->prompt, &kind, app->top->filter);
	return DIRTY_SCREEN;
}

static unsigned next_hit(struct app *app, bool backwards)
{
	struct view *v = &app->view;
	if (v->search.pattern == NULL) {
		struct buf key;
		buf_init(&key);
		command_add_key(app, app->tab == TAB_TOP ? "search-selected" : "search", &key);
		app_complain(app, "nothing is searched for (%s starts a search)", buf_str(&key));
		buf_deinit(&key);
		return 0;
	}
	if (app->tab == TAB_TOP) {
		if (!top_next_hit(app, backwards))
			app_complain(app, "no row matches");
		return DIRTY_SCREEN;
	}
	if (app->tab == TAB_SANDWICH) {
		go_in_sandwich(app, backwards, false);
		return DIRTY_SCREEN;
	}
	uint32_t hit = view_next_hit(v, backwards);
	if (hit == NO_NODE)
		app_complain(app, "no match%s", v->zoom == NODE_ALL ? "" : " inside the zoom");
	else
		app_go_to(app, hit);
	return DIRTY_SCREEN;
}

static unsigned search_next(struct app *app)
{
	return next_hit(app, false);
}
static unsigned search_previous(struct app *app)
{
	return next_hit(app, true);
}

static const char *raw_name(const struct app *app, uint32_t sym)
{
	return app->profile->symtab.symbols[sym].name;
}

static bool has_symbol(struct app *app, uint32_t *sym)
{
	*sym = app_symbol(app);
	if (*sym == UINT32_MAX)
		app_complain(app, "no function is selected");
	return *sym != UINT32_MAX;
}

static unsigned search_selected(struct app *app)
{
	uint32_t sym;
	if (!has_symbol(app, &sym))
		return 0;
	search_for(app, raw_name(app, sym), MATCH_LITERAL, NULL);
	return DIRTY_SCREEN;
}

/* ---- filters ---------------------------------------------------------------------------------------------------- */

static unsigned add_filter(struct app *app, enum filter_kind kind, enum match_mode mode, const char *pattern)
{
	struct err err = {0};
	struct match *m = match_new(pattern, mode, &err);
	if (m == NULL) {
		app_complain(app, "%s", err.text);
		return 0;
	}
	match_free(m);
	recipe_add_filter(&app->view.recipe, kind, mode, pattern);
	return DIRTY_TREE;
}

static unsigned drop_kind(struct app *app, enum filter_kind kind, bool only_last)
{
	struct recipe *r = &app->view.recipe;
	unsigned dirty = 0;
	for (size_t i = r->n_filters; i-- > 0;) {
		if (r->filters[i].kind != kind)
			continue;
		recipe_drop_filter(r, i);
		dirty = DIRTY_TREE;
		if (only_last)
			break;
	}
	return dirty;
}

static void keep_accepted(struct app *app, const char *text)
{
	if (*text)
		app->dirty |= add_filter(app, FILTER_FOCUS, MATCH_REGEX, text);
	else
		app->dirty |= drop_kind(app, FILTER_FOCUS, false);
}

static unsigned keep(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_KEEP, "only stacks with: ", NULL, keep_accepted, NULL};
	prompt_open(&app->prompt, &kind, NULL);
	return DIRTY_SCREEN;
}

static void hide_accepted(struct app *app, const char *text)
{
	uint32_t sym;
	if (*text)
		app->dirty |= add_filter(app, FILTER_HIDE, MATCH_REGEX, text);
	else if (has_symbol(app, &sym))
		app->dirty |= add_filter(app, FILTER_HIDE, MATCH_LITERAL, raw_name(app, sym));
}

static unsigned hide(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_HIDE, "hide frames (empty: the selected function): ", NULL,
	                                        hide_accepted, NULL};
	prompt_open(&app->prompt, &kind, NULL);
	return DIRTY_SCREEN;
}

static unsigned filter_selected(struct app *app, enum filter_kind kind, const char *what)
{
	uint32_t sym;
	if (!has_symbol(app, &sym))
		return 0;
	unsigned dirty = add_filter(app, kind, MATCH_LITERAL, raw_name(app, sym));
	if (dirty)
		app_say(app, "%s %s", what, app_name(app, sym));
	return dirty;
}

static unsigned exclude(struct app *app)
{
	return filter_selected(app, FILTER_IGNORE, "without");
}
static unsigned focus(struct app *app)
{
	return filter_selected(app, FILTER_FOCUS, "only");
}
static unsigned show_from(struct app *app)
{
	return filter_selected(app, FILTER_SHOW_FROM, "from");
}

static unsigned include(struct app *app)
{
	unsigned dirty = drop_kind(app, FILTER_IGNORE, true);
	if (!dirty)
		app_say(app, "nothing is excluded");
	return dirty;
}

static unsigned collapse_recursion(struct app *app)
{
	if (drop_kind(app, FILTER_RECURSION, false))
		return DIRTY_TREE;
	recipe_add_filter(&app->view.recipe, FILTER_RECURSION, MATCH_REGEX, NULL);
	app_say(app, "direct recursion is one frame");
	return DIRTY_TREE;
}

static unsigned list_filters(struct app *app)
{
	pick_filter(app);
	return DIRTY_SCREEN;
}

/* ---- views ------------------------------------------------------------------------------------------------------ */

static unsigned show(struct app *app, enum tab tab)
{
	app_set_tab(app, tab);
	return DIRTY_SCREEN;
}

static unsigned next_view(struct app *app)
{
	return show(app, (app->tab + 1) % N_TABS);
}
static unsigned previous_view(struct app *app)
{
	return show(app, (app->tab + N_TABS - 1) % N_TABS);
}
static unsigned show_flame(struct app *app)
{
	return show(app, TAB_FLAME);
}
static unsigned show_top(struct app *app)
{
	return show(app, TAB_TOP);
}
static unsigned show_sandwich(struct app *app)
{
	return show(app, TAB_SANDWICH);
}
static unsigned show_calls(struct app *app)
{
	return show(app, TAB_CALLS);
}

static unsigned flip(struct app *app)
{
	app->view.is_inverted = !app->view.is_inverted;
	return DIRTY_SCREEN;
}

static unsigned reverse(struct app *app)
{
	app->view.recipe.reverse = !app->view.recipe.reverse;
	app_say(app, app->view.recipe.reverse ? "merged from the leaves: callers grow out of each function"
	                                        : "merged from the roots");
	return DIRTY_TREE;
}

static unsigned chart(struct app *app)
{
	app->view.recipe.chart = !app->view.recipe.chart;
	app_say(app, app->view.recipe.chart ? "flame chart: in the order of the input"
	                                      : "flame graph: equal stacks merged");
	return DIRTY_TREE;
}

static unsigned sort(struct app *app)
{
	static const char *const texts[] = {"siblings by name", "siblings by weight",
	                                    "siblings in the order of the input"};
	struct recipe *r = &app->view.recipe;
	if (r->chart) {
		app_say(app, "a flame chart has the order of the input (t makes a flame graph)");
		return 0;
	}
	r->sort = (r->sort + 1) % 3;
	app_say(app, "%s", texts[r->sort]);
	return DIRTY_TREE;
}

static unsigned sort_right(struct app *app)
{
	top_sort_next(app, 1);
	return DIRTY_SCREEN;
}

static unsigned sort_left(struct app *app)
{
	top_sort_next(app, -1);
	return DIRTY_SCREEN;
}

static unsigned sort_flip(struct app *app)
{
	top_flip(app);
	return DIRTY_SCREEN;
}

static const double shares[] = {0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10};
#define N_SHARES ((int)(sizeof shares / sizeof *shares))

/* The nearest of them above or below what it is, which may be any number. */
static unsigned change_share(struct app *app, int by)
{
	double *share = &app->view.min_share;
	int i = by > 0 ? 0 : N_SHARES - 1;
	while (i >= 0 && i < N_SHARES && (by > 0 ? shares[i] <= *share : shares[i] >= *share))
		i += by;
	if (i >= 0 && i < N_SHARES)
		*share = shares[i];
	if (*share > 0)
		app_say(app, "frames of %g%% and more", *share);
	else
		app_say(app, "all frames");
	return DIRTY_LAYOUT;
}

static unsigned raise_share(struct app *app)
{
	return change_share(app, 1);
}
static unsigned lower_share(struct app *app)
{
	return change_share(app, -1);
}

static unsigned next_palette(struct app *app)
{
	struct export_options *e = &app->options->export_;
	app->theme.palette = e->palette = theme_next_palette(app->theme.palette);
	e->has_palette = true;
	app_say(app, "colours: %s, %s", palette_name(e->palette), palette_help(e->palette));
	return DIRTY_SCREEN;
}

/* As the options have it, of the other quantity, as the options have it with widths from before, none. */
static void next_comparison(struct app *app)
{
	struct view *v = &app->view;
	struct recipe *r = &v->recipe;
	enum diff_quantity usual = options_quantity(app->options);
	enum diff_quantity other = usual == DIFF_OF_SHARES ? DIFF_OF_WEIGHTS : DIFF_OF_SHARES;
	bool is_usual = r->quantity == usual, was_shown = !r->leaves_base, was_swapped = r->swap_sides;
	bool has_other = was_shown && !was_swapped && is_usual && !app->facts.basis.has_other_units;
	r->leaves_base = was_shown && was_swapped;
	r->swap_sides = was_shown && !was_swapped && !has_other;
	options_set_quantity(app->options, v, has_other ? other : usual);
}

static void say_comparison(struct app *app)
{
	const struct view *v = &app->view;
	bool has_other_units = app->facts.basis.has_other_units || v->has_other_units,
		 is_shown = !v->recipe.leaves_base;
	struct diff_basis b = {.is_swapped = v->recipe.swap_sides};
	b.quantity = has_other_units ? DIFF_OF_SHARES : v->recipe.quantity;
	struct buf text;
	buf_init(&text);
	if (is_shown)
		words_add_comparison(&text, &b);
	else
		buf_adds(&text, "differences off");
	if (is_shown && b.is_swapped)
		buf_adds(&text, ": shows what vanished");
	else if (is_shown && has_other_units)
		buf_adds(&text, ": the weights are of different units");
	app_say(app, "%s", buf_str(&text));
	buf_deinit(&text);
}

static unsigned diff(struct app *app)
{
	if (change_say_nothing(app))
		return 0;
	next_comparison(app);
	say_comparison(app);
	return DIRTY_TREE;
}

static unsigned changes(struct app *app)
{
	change_open_list(app);
	return DIRTY_SCREEN;
}

/* ---- data ------------------------------------------------------------------------------------------------------- */

static unsigned threads(struct app *app)
{
	pick_thread(app);
	return DIRTY_SCREEN;
}

static unsigned events(struct app *app)
{
	pick_event(app);
	return DIRTY_SCREEN;
}

static unsigned time_map(struct app *app)
{
	heat_open(app);
	return DIRTY_SCREEN;
}

static unsigned window(struct app *app)
{
	pick_window(app);
	return DIRTY_SCREEN;
}

static unsigned freeze(struct app *app)
{
	bool is_running = app->loader && app->load.state == LOAD_RUNNING;
	if (!app->is_frozen && !is_running) {
		app_say(app, "nothing is coming in");
		return 0;
	}
	app->is_frozen = !app->is_frozen;
	if (app->is_frozen)
		app_say(app, "frozen: samples are still taken, z shows them");
	else if (is_running) /* after the end there are notes about the whole profile to say */
		app_say(app, "live again");
	return DIRTY_SCREEN;
}

static unsigned notes(struct app *app)
{
	pick_notes(app);
	return DIRTY_SCREEN;
}

/* ---- output ----------------------------------------------------------------------------------------------------- */

static unsigned copy_name(struct app *app)
{
	uint32_t sym;
	if (!has_symbol(app, &sym))
		return 0;
	const char *name = app_name(app, sym);
	app_copy(app, name, strlen(name), "the name");
	return DIRTY_SCREEN;
}

static unsigned copy_stack(struct app *app)
{
	uint32_t node = app_node(app);
	struct buf path;
	if (node == NO_NODE || node == NODE_ALL) {
		app_complain(app, "no frame is selected");
		return 0;
	}
	buf_init(&path);
	view_add_path(&app->view, node, &path);
	app_copy(app, path.data, path.len, "the stack");
	buf_deinit(&path);
	return DIRTY_SCREEN;
}

/* In a chart a path is that of several frames, and an option names a frame by its path. */
static bool zooms_elsewhere(const struct view *v)
{
	size_t n = tree_depth(&v->tree, v->zoom);
	uint32_t *syms = mem_alloc((n ? n : 1) * sizeof *syms);
	tree_path(&v->tree, v->zoom, syms, n);
	bool is_other = tree_find_path(&v->tree, syms, n, NULL) != v->zoom;
	free(syms);
	return is_other;
}

static unsigned copy_command(struct app *app)
{
	struct buf line;
	buf_init(&line);
	options_add_command(&line, app->options, &app->view);
	app_copy(app, line.data, line.len, "the command");
	if (zooms_elsewhere(&app->view))
		app_complain(app, "copied, but --zoom opens the widest frame of this name: %s", buf_str(&line));
	else
		app_say(app, "copied: %s", buf_str(&line));
	buf_deinit(&line);
	return DIRTY_SCREEN;
}

static void write_to(struct app *app, const char *path)
{
	struct err err = {0};
	const struct export_kind *kind = export_by_suffix(path);
	struct export_options o = app->options->export_;
	uint32_t frames = 0;
	if (*path == '\0')
		return;
	if (kind == NULL) {
		app_complain(app, "%s: unknown suffix (expected .svg, .folded, .txt, .top or .md)", path);
		return;
	}
	o.ascii = app->theme.ascii;
	o.depth = DEPTH_MONO; /* of a text in a file */
	o.frames = &frames;
	if (!export_to(path, kind, &app->view, &o, &err))
		app_complain(app, "%s", err.text);
	else if (frames >= SVG_MANY_FRAMES)
		app_complain(app, "written to %s: browsers are slow with %" PRIu32 " frames (+ draws fewer)", path,
		               frames);
	else
		app_say(app, "written to %s (%s)", path, kind->name);
}

static void write_accepted(struct app *app, const char *path);

/* Enter again behind the same name; a name that was changed is another question. */
static void overwrite_accepted(struct app *app, const char *path)
{
	if (strcmp(path, app->write_over) == 0)
		write_to(app, path);
	else
		write_accepted(app, path);
}

/* A file that is there is only written over when that is said twice. */
static void write_accepted(struct app *app, const char *path)
{
	static const struct prompt_kind again = {PROMPT_WRITE, "it exists; Enter writes over it, Esc does not: ", NULL,
	                                         overwrite_accepted, NULL};
	if (export_by_suffix(path) && access(path, F_OK) == 0) {
		free(app->write_over);
		app->write_over = mem_strdup(path);
		prompt_open(&app->prompt, &again, path);
	} else {
		write_to(app, path);
	}
}

static unsigned write_view(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_WRITE, "write to (.svg, .folded, .txt, .top, .md): ", NULL,
	                                        write_accepted, NULL};
	prompt_open(&app->prompt, &kind, NULL);
	return DIRTY_SCREEN;
}

static unsigned show_stack(struct app *app)
{
	pick_stack(app);
	return DIRTY_SCREEN;
}

/* A name out of a profile as editors get it: one that begins with + or - would be an option, which may be a command. */
static char *path_argument(const char *name, size_t len)
{
	struct buf b;
	buf_init(&b);
	if (len > 0 && *name != '/')
		buf_adds(&b, "./");
	buf_add(&b, name, len);
	return buf_take(&b);
}

/* "file:line" of the selected function, where the profile says so. */
static unsigned open_source(struct app *app)
{
	uint32_t sym;
	if (!has_symbol(app, &sym))
		return 0;
	uint32_t source = app->profile->symtab.symbols[sym].source;
	if (source == 0) {
		app_complain(app, "the profile does not say where %s is", app_name(app, sym));
		return 0;
	}
	const char *text = raw_name(app, source), *colon = strrchr(text, ':');
	uint64_t line = 0;
	if (colon && !number_u64(colon + 1, strlen(colon + 1), &line))
		colon = NULL;
	free(app->edit_file);
	app->edit_file = path_argument(text, colon ? (size_t)(colon - text) : strlen(text));
	app->edit_line = line;
	return DIRTY_SCREEN;
}

/* ---- program ---------------------------------------------------------------------------------------------------- */

static unsigned help(struct app *app)
{
	pick_help(app);
	return DIRTY_SCREEN;
}

static unsigned quit(struct app *app)
{
	(void)app;
	return DIRTY_QUIT;
}

static unsigned suspend(struct app *app)
{
	app->wants_suspend = true;
	return DIRTY_SCREEN;
}

static unsigned redraw(struct app *app)
{
	app->wants_redraw = true;
	return DIRTY_SCREEN;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

#define NOT_TOP (ON_ALL & ~ON(TAB_TOP))
#define DRAWN (ON(TAB_FLAME) | ON(TAB_SANDWICH)) /* the others list every frame */

const struct command commands[] = {
	{"left", "h <Left>", COMMANDS_MOVE, ON_ALL, "left, across parents; call tree: close", go_left},
	{"down", "j <Down>", COMMANDS_MOVE, ON_ALL, "down", go_down},
	{"up", "k <Up>", COMMANDS_MOVE, ON_ALL, "up; going deeper returns to the child last visited", go_up},
	{"right", "l <Right>", COMMANDS_MOVE, ON_ALL, "right, across parents; call tree: open", go_right},
	{"parent", "u", COMMANDS_MOVE, ON_ALL, "to the parent", go_parent},
	{"top", "g", COMMANDS_MOVE, ON_ALL, "to the top", go_top},
	{"bottom", "G", COMMANDS_MOVE, ON_ALL, "to the bottom", go_bottom},
	{"first", "^ <Home>", COMMANDS_MOVE, ON_ALL, "first sibling", go_first},
	{"last", "$ <End>", COMMANDS_MOVE, ON_ALL, "last sibling", go_last},
	{"page-down", "f <Space> <PgDn> <C-f>", COMMANDS_MOVE, ON_ALL, "a page down", page_down},
	{"page-up", "b <PgUp> <C-b>", COMMANDS_MOVE, ON_ALL, "a page up", page_up},
	{"half-down", "<C-d>", COMMANDS_MOVE, ON_ALL, "half a page down", half_down},
	{"half-up", "<C-u>", COMMANDS_MOVE, ON_ALL, "half a page up", half_up},
	{"hot-path", "*", COMMANDS_MOVE, ON(TAB_CALLS), "call tree: open the hot path", hot_path},

	{"zoom", "<Enter>", COMMANDS_ZOOM, ON_ALL,
     "zoom in; a cell of many frames: list them; top: light up; sandwich: to the middle; call tree: open", enter},
	{"list", "a", COMMANDS_ZOOM, ON(TAB_FLAME), "list all frames that share the place of this one", list_place},
	{"back", "<BS>", COMMANDS_ZOOM, ON_ALL, "back one zoom; sandwich: the function before", command_back},
	{"escape", "<Esc>", COMMANDS_ZOOM, ON_ALL, "close a prompt, stop, clear the search, or go back one", escape},
	{"reset", "r", COMMANDS_ZOOM, ON_ALL, "reset zoom, filters, times and order", reset},

	{"filter-table", "/", COMMANDS_SEARCH, ON(TAB_TOP), "top: only rows that match", search_table},
	{"search", "/", COMMANDS_SEARCH, NOT_TOP, "search as you type (regular expression, smart case)", search},
	{"next", "n", COMMANDS_SEARCH, ON_ALL, "next match, also one too narrow to draw; sandwich: drawn there",
     search_next},
	{"previous", "N", COMMANDS_SEARCH, ON_ALL, "previous match", search_previous},
	{"search-selected", "#", COMMANDS_SEARCH, ON_ALL, "search the selected name", search_selected},

	{"keep", "&", COMMANDS_FILTER, ON_ALL, "only stacks with a frame that matches (empty: all again)", keep},
	{"exclude", "x", COMMANDS_FILTER, ON_ALL, "exclude stacks with the selected function", exclude},
	{"include", "X", COMMANDS_FILTER, ON_ALL, "undo the last exclusion", include},
	{"focus", "F", COMMANDS_FILTER, ON_ALL, "only stacks with the selected function", focus},
	{"hide", "H", COMMANDS_FILTER, ON_ALL, "hide matching frames, keep their weight", hide},
	{"show-from", "B", COMMANDS_FILTER, ON_ALL, "stacks from the selected function on", show_from},
	{"recursion", "R", COMMANDS_FILTER, ON_ALL, "direct recursion as one frame, or not", collapse_recursion},
	{"filters", "L", COMMANDS_FILTER, ON_ALL, "list the filters, take away any of them", list_filters},

	{"next-view", "<Tab>", COMMANDS_VIEW, ON_ALL, "next view", next_view},
	{"previous-view", "<BackTab>", COMMANDS_VIEW, ON_ALL, "previous view", previous_view},
	{"view-flame", "1", COMMANDS_VIEW, ON_ALL, "flame graph", show_flame},
	{"view-top", "2", COMMANDS_VIEW, ON_ALL, "top table: self and total of each function", show_top},
	{"view-sandwich", "3", COMMANDS_VIEW, ON_ALL, "sandwich: callers above, callees below the function",
     show_sandwich},
	{"view-calls", "4", COMMANDS_VIEW, ON_ALL, "call tree", show_calls},
	{"flip", "i", COMMANDS_VIEW, ON_ALL, "flip: flame (root below) or icicle (root above)", flip},
	{"reverse", "I", COMMANDS_VIEW, ON_ALL, "merge from the leaves, or from the roots", reverse},
	{"chart", "t", COMMANDS_VIEW, ON_ALL, "flame graph or flame chart (order of the input)", chart},
	{"sort-flip", "o", COMMANDS_VIEW, ON(TAB_TOP), "top: the other way round", sort_flip},
	{"sort", "o", COMMANDS_VIEW, NOT_TOP, "order of siblings: name, weight, input", sort},
	{"sort-left", "<lt>", COMMANDS_VIEW, ON(TAB_TOP), "top: sort by the column to the left", sort_left},
	{"sort-right", ">", COMMANDS_VIEW, ON(TAB_TOP), "top: sort by the column to the right", sort_right},
	{"raise", "+ =", COMMANDS_VIEW, DRAWN, "raise the smallest share drawn", raise_share},
	{"lower", "-", COMMANDS_VIEW, DRAWN, "lower the smallest share drawn", lower_share},
	{"colors", "c", COMMANDS_VIEW, ON_ALL, "next colour scheme", next_palette},
	{"diff", "D", COMMANDS_VIEW, ON_ALL, "differences: of shares, of weights, widths from before, off", diff},
	{"changes", "d", COMMANDS_VIEW, ON_ALL, "list what grew, shrank, is new or vanished", changes},

	{"threads", "T", COMMANDS_DATA, ON_ALL, "pick a thread or process", threads},
	{"events", "e V", COMMANDS_DATA, ON_ALL, "pick an event or value column", events},
	{"time", "m", COMMANDS_DATA, ON_ALL, "heat map over time, pick a range", time_map},
	{"window", "W", COMMANDS_DATA, ON_ALL, "only the last seconds or minutes, or let samples fade", window},
	{"freeze", "z", COMMANDS_DATA, ON_ALL, "freeze or thaw a live profile", freeze},
	{"notes", "M", COMMANDS_DATA, ON_ALL, "what was skipped or is worth knowing", notes},

	{"copy-name", "y", COMMANDS_OUTPUT, ON_ALL, "copy the selected name", copy_name},
	{"copy-stack", "Y", COMMANDS_OUTPUT, ON_ALL, "copy the whole stack", copy_stack},
	{"copy-command", "C", COMMANDS_OUTPUT, ON_ALL, "show and copy the command that makes this view", copy_command},
	{"stack", "s", COMMANDS_OUTPUT, ON_ALL, "show the whole stack of the frame", show_stack},
	{"write", "w", COMMANDS_OUTPUT, ON_ALL, "write the view to a file (.svg, .folded, .txt, .top, .md)",
     write_view},
	{"source", "O", COMMANDS_OUTPUT, ON_ALL, "open the function's file and line in $EDITOR", open_source},

	{"help", "? <F1>", COMMANDS_PROGRAM, ON_ALL, "this help", help},
	{"quit", "q", COMMANDS_PROGRAM, ON_ALL, "close an overlay, else quit", quit},
	{"interrupt", "<C-c>", COMMANDS_PROGRAM, ON_ALL, "quit", quit},
	{"suspend", "<C-z>", COMMANDS_PROGRAM, ON_ALL, "suspend", suspend},
	{"redraw", "<C-l>", COMMANDS_PROGRAM, ON_ALL, "draw the screen anew", redraw},
	{NULL, NULL, 0, 0, NULL, NULL},
};

const char *const command_mouse[][2] = {
	{"click", "select the frame; in the breadcrumb: zoom there; on a heading of the table: sort by it"},
	{"double click", "zoom in"},
	{"right click", "back one zoom; sandwich: the function before"},
	{"wheel", "scroll"},
	{"drag", "in the heat map: a range of time, as two clicks do"},
	{NULL, NULL},
};

const char *command_group_title(enum command_group group)
{
	static const char *const titles[] = {"Moving", "Zooming", "Searching", "Filtering",
	                                     "Views",  "Data",    "Output",    "Program"};
	return titles[group];
}

static void add_key(struct app *app, size_t *cap_keys, size_t *cap_commands, uint32_t key, const struct command *c)
{
	size_t n = app->n_keymap;
	mem_push(app->keymap_keys, n, *cap_keys, key);
	mem_push(app->keymap_commands, app->n_keymap, *cap_commands, c);
}

void command_map(struct app *app)
{
	size_t cap_keys = 0, cap_commands = 0;
	for (const struct command *c = commands; c->name; c++) {
		const char *p = c->keys;
		uint32_t key;
		while (key_parse(&p, &key, NULL))
			if (key != ' ')
				add_key(app, &cap_keys, &cap_commands, key, c);
		/* A blank separates keys in the table, so the space bar is named there. */
		if (strstr(c->keys, "<Space>"))
			add_key(app, &cap_keys, &cap_commands, ' ', c);
	}
}

void command_unmap(struct app *app)
{
	free(app->keymap_keys);
	free(app->keymap_commands);
	app->keymap_keys = NULL;
	app->keymap_commands = NULL;
	app->n_keymap = 0;
}

const struct command *command_find(const struct app *app, uint32_t key)
{
	for (size_t i = 0; i < app->n_keymap; i++)
		if (app->keymap_keys[i] == key && (app->keymap_commands[i]->where & ON(app->tab)))
			return app->keymap_commands[i];
	return NULL;
}

bool command_add_key(const struct app *app, const char *name, struct buf *out)
{
	size_t found = app->n_keymap;
	for (size_t i = 0; i < app->n_keymap; i++) {
		const struct command *c = app->keymap_commands[i];
		bool is_here = c->where & ON(app->tab);
		if (strcmp(c->name, name) != 0 || (found < app->n_keymap && !is_here))
			continue;
		found = i;
		if (is_here)
			break;
	}
	if (found == app->n_keymap)
		return false;
	key_add_label(out, app->keymap_keys[found]);
	return true;
}

void command_add_keys(const struct app *app, const struct command *c, struct buf *out)
{
	for (size_t i = 0; i < app->n_keymap; i++) {
		if (app->keymap_commands[i] != c)
			continue;
		if (out->len > 0)
			buf_addc(out, ' ');
		key_add_label(out, app->keymap_keys[i]);
	}
}

static const struct command *command_by_name(const char *name)
{
	for (const struct command *c = commands; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

bool command_bind(struct app *app, const char *text, const char *name, struct err *err)
{
	const struct command *c = command_by_name(name);
	const char *p = text;
	uint32_t key;
	if (c == NULL)
		return fail(err, "unknown command '%s'", name);
	if (!key_parse(&p, &key, err))
		return err->text[0] ? false : fail(err, "no key given for '%s'", name);
	if (*p)
		return fail(err, "'%s' is more than one key", text);
	/* Where the new command is on, the key's old meaning goes; the map may hold one more row for it. */
	size_t n = 0;
	for (size_t i = 0; i < app->n_keymap; i++) {
		if (app->keymap_keys[i] == key && (app->keymap_commands[i]->where & c->where))
			continue;
		app->keymap_keys[n] = app->keymap_keys[i];
		app->keymap_commands[n++] = app->keymap_commands[i];
	}
	app->keymap_keys = mem_realloc(app->keymap_keys, n + 1, sizeof *app->keymap_keys);
	app->keymap_commands = mem_realloc(app->keymap_commands, n + 1, sizeof *app->keymap_commands);
	app->keymap_keys[n] = key;
	app->keymap_commands[n] = c;
	app->n_keymap = n + 1;
	return true;
}
