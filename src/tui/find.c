/*
 * find.c - search and filter commands.
 */
#include "tui/find.h"

#include "lib/cells.h"
#include "tui/app.h"
#include "tui/calls.h"
#include "tui/lines.h"
#include "tui/refresh.h"
#include "tui/sandwich.h"
#include "tui/search.h"
#include "tui/top.h"

static void start_from(struct app *app, uint32_t node)
{
	app->dirty |= view_select(&app->view, node);
}

/*
 * Moves the cursor to the heaviest match, in a chart to the first one after its place before the search; in the
 * sandwich once the search is accepted.
 */
static void show_first_hit(struct app *app)
{
	struct view *v = &app->view;
	app_refresh(app);
	if (app->tab == TAB_SANDWICH)
		return;
	start_from(app, v->mark);
	app->is_named = false;
	if (app->tab == TAB_CALLS && v->search.pattern && calls_show_matches(app))
		return;
	uint32_t hit = view_first_hit(v);
	if (hit != NO_NODE)
		app_go_to(app, hit);
}

/* Searches for the pattern typed so far. */
static void search_changed(struct app *app, const char *text)
{
	app_say_nothing(app);
	search_for(app, text, MATCH_REGEX, show_first_hit);
}

static void go_in_sandwich(struct app *app, bool backwards, bool may_stay)
{
	const struct search *s = &app->view.search;
	if (!sandwich_next_hit(app, backwards, may_stay))
		app_say(app, s->frames ? "no match in this sandwich, %llu in the flame graph" : "no match",
		        (unsigned long long)s->frames);
}

static void search_done(struct app *app)
{
	struct view *v = &app->view;
	show_first_hit(app);
	search_forget_kept(app);
	calls_forget_kept(app);
	if (v->search.pattern && app->tab == TAB_SANDWICH)
		go_in_sandwich(app, false, true);
	else if (app->tab == TAB_CALLS && v->search.frames_zoom > 1 && !view_is_hit(v, v->cursor))
		app_say(app, "the matches spread from here ({next}: the heaviest one)");
	else if (v->search.pattern && v->search.frames_zoom == 0)
		app_say(app, v->search.frames ? "no match inside the zoom, %llu outside" : "no match",
		        (unsigned long long)v->search.frames);
}

/*
 * Mostly this search is already done or running, from typing. After a bad pattern, the previous search is active
 * again.
 */
static void search_accepted(struct app *app, const char *text)
{
	struct view *v = &app->view;
	app_say_nothing(app);
	if (app->sought && strcmp(app->sought, text) == 0)
		app->found = search_done;
	else if (!app->sought && v->search.pattern && app->keeps_before && strcmp(v->search.pattern, text) == 0)
		search_done(app);
	else if (!search_for(app, text, MATCH_REGEX, search_done))
		search_restore(app);
}

static void search_cancelled(struct app *app)
{
	app_say_nothing(app);
	search_restore(app);
	calls_restore(app);
	calls_forget_kept(app);
	start_from(app, app->view.mark);
}

unsigned find(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_SEARCH, "/", search_changed, search_accepted, search_cancelled};
	search_keep(app);
	calls_keep(app);
	app->view.mark = app->view.cursor;
	app_prompt(app, &kind, NULL);
	return DIRTY_SCREEN;
}

static void table_changed(struct app *app, const char *text)
{
	app_say_nothing(app);
	top_set_filter(app, text);
}

static void table_cancelled(struct app *app)
{
	top_restore(app);
}

unsigned find_rows(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_TABLE, "rows with: ", table_changed, table_changed,
	                                        table_cancelled};
	top_keep(app);
	app_prompt(app, &kind, app->top->filter);
	return DIRTY_SCREEN;
}

unsigned find_next(struct app *app, int backwards)
{
	struct view *v = &app->view;
	if (app->tab == TAB_LINES) {
		if (app->lines->pattern)
			lines_next_hit(app, backwards);
		else
			app_say(app, "there is no search ({find-text} starts one)");
		return DIRTY_SCREEN;
	}
	if (!v->search.pattern) {
		app_say(app, app->tab == TAB_TOP ? "there is no search ({search-selected} starts one)"
		                                 : "there is no search ({search} starts one)");
		return 0;
	}
	if (app->tab == TAB_TOP) {
		if (!top_next_hit(app, backwards))
			app_say(app, "no row matches");
		return DIRTY_SCREEN;
	}
	if (app->tab == TAB_SANDWICH) {
		go_in_sandwich(app, backwards, false);
		return DIRTY_SCREEN;
	}
	uint32_t hit = view_next_hit(v, backwards);
	if (hit == NO_NODE)
		app_say(app, "no match%s", v->zoom == NODE_ALL ? "" : " inside the zoom");
	else
		app_go_to(app, hit);
	return DIRTY_SCREEN;
}

unsigned find_selected(struct app *app)
{
	uint32_t sym;
	if (!app_selected(app, &sym))
		return 0;
	search_for_symbol(app, sym);
	return DIRTY_SCREEN;
}

/* ---- filters ------------------------------------------------------------------------------------------------- */

static unsigned add_filter(struct app *app, enum filter_kind kind, enum match_mode mode, const char *pattern)
{
	struct err err = {0};
	struct match *m = match_new(pattern, mode, &err);
	if (!m) {
		app_complain(app, "%s", err.text);
		return 0;
	}
	match_free(m);
	recipe_add_filter(&app->view.recipe, kind, mode, pattern);
	return DIRTY_TREE;
}

/* Is this the name of a module or the like, rather than a function or a task? */
static bool is_label(const struct app *app, uint32_t sym)
{
	const struct tree *t = &app->view.tree;
	for (uint32_t i = 1; t->group != BY_FUNCTION && i < t->n; i++)
		if (t->sym[i] == sym && (!t->origin || t->origin[i] == sym))
			return !symtab_is_task(&app->profile->symtab, sym);
	return false;
}

/*
 * A filter for the selected name. Filters come before modules and the like make one frame of their functions, so
 * in a view of these it is a pattern for them; tasks keep their names.
 */
static unsigned add_filter_of(struct app *app, enum filter_kind kind, uint32_t sym)
{
	const struct symbol *s = &app->profile->symtab.symbols[sym];
	enum group_by by = is_label(app, sym) ? app->view.tree.group : BY_FUNCTION;
	enum match_mode mode = MATCH_REGEX;
	struct buf name;
	buf_init(&name);
	if (by != BY_FUNCTION) {
		buf_addf(&name, "%s:", group_name(by));
		match_add_name(&name, s->name, s->len);
	} else {
		mode = match_add_exact(&name, s->name, s->len);
	}
	unsigned dirty = add_filter(app, kind, mode, buf_str(&name));
	buf_deinit(&name);
	return dirty;
}

static unsigned drop_kind(struct app *app, enum filter_kind kind)
{
	struct recipe *r = &app->view.recipe;
	unsigned dirty = 0;
	for (size_t i = r->n_filters; i-- > 0;) {
		if (r->filters[i].kind != kind)
			continue;
		recipe_drop_filter(r, i);
		dirty = DIRTY_TREE;
	}
	return dirty;
}

static void keep_accepted(struct app *app, const char *text)
{
	if (*text)
		app->dirty |= add_filter(app, FILTER_FOCUS, MATCH_REGEX, text);
	else
		app->dirty |= drop_kind(app, FILTER_FOCUS);
}

unsigned find_keep(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_KEEP, "only stacks with: ", NULL, keep_accepted, NULL};
	app_prompt(app, &kind, NULL);
	return DIRTY_SCREEN;
}

static void hide_accepted(struct app *app, const char *text)
{
	uint32_t sym;
	if (*text)
		app->dirty |= add_filter(app, FILTER_HIDE, MATCH_REGEX, text);
	else if (app_selected(app, &sym))
		app->dirty |= add_filter_of(app, FILTER_HIDE, sym);
}

unsigned find_filter_selected(struct app *app, int kind)
{
	uint32_t sym;
	if (!app_selected(app, &sym))
		return 0;
	unsigned dirty = add_filter_of(app, (enum filter_kind)kind, sym);
	if (dirty)
		app_say(app, "%s %s", filter_names[kind].brief, app_name(app, sym));
	return dirty;
}

/* Nothing is left that this pattern finds: a search or a choice of rows by it ends. */
static void forget_pattern(struct app *app, const char *pattern)
{
	const struct search *s = &app->view.search;
	if (app->tab == TAB_TOP && app->top->filter && strcmp(app->top->filter, pattern) == 0)
		top_set_filter(app, NULL);
	if (s->pattern && s->mode == MATCH_REGEX && strcmp(s->pattern, pattern) == 0)
		search_for(app, NULL, MATCH_REGEX, NULL);
}

static void exclude_matches(struct app *app, const char *pattern)
{
	const struct recipe *r = &app->view.recipe;
	unsigned dirty = add_filter(app, FILTER_IGNORE, MATCH_REGEX, pattern);
	struct buf text;
	if (!dirty)
		return;
	forget_pattern(app, pattern);
	buf_init(&text);
	words_add_pattern(&text, &r->filters[r->n_filters - 1], app_clean_mode(app));
	app_say(app, "%s %s", filter_names[FILTER_IGNORE].brief, buf_str(&text));
	buf_deinit(&text);
	app->dirty |= dirty;
}

static void exclude_accepted(struct app *app, const char *text)
{
	if (*text)
		exclude_matches(app, text);
	else
		app->dirty |= find_filter_selected(app, FILTER_IGNORE);
}

/*
 * The pattern whose matches are lit, or in the table the one that picks the rows; NULL: none. A search for one name
 * is none: it is excluded like any selected function.
 */
static const char *lit_pattern(const struct app *app)
{
	const struct search *s = &app->view.search;
	if (app->tab == TAB_TOP && app->top->filter)
		return app->top->filter;
	return s->pattern && s->mode != MATCH_LITERAL ? s->pattern : NULL;
}

/* A prompt that proposes what is lit. */
static unsigned prompt_for_lit(struct app *app, const struct prompt_kind *kind)
{
	const char *pattern = lit_pattern(app);
	struct buf text;
	buf_init(&text);
	if (pattern && pattern == app->view.search.pattern && app->view.search.mode == MATCH_TEXT)
		options_add_pattern(&text, pattern, false);
	else if (pattern)
		buf_adds(&text, pattern);
	app_prompt(app, kind, pattern ? buf_str(&text) : NULL);
	buf_deinit(&text);
	return DIRTY_SCREEN;
}

unsigned find_exclude(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_EXCLUDE, "exclude (empty: selected one): ", NULL,
	                                        exclude_accepted, NULL};
	return lit_pattern(app) ? prompt_for_lit(app, &kind) : find_filter_selected(app, FILTER_IGNORE);
}

unsigned find_hide(struct app *app)
{
	static const struct prompt_kind kind = {PROMPT_HIDE, "hide (empty: selected one): ", NULL, hide_accepted, NULL};
	return prompt_for_lit(app, &kind);
}

/* The last filter of this kind, if it names the function: its index. r->n_filters: it does not. */
static size_t half_of(const struct app *app, enum filter_kind kind, uint32_t sym)
{
	const struct recipe *r = &app->view.recipe;
	const struct symbol *s = &app->profile->symtab.symbols[sym];
	size_t i = r->n_filters;
	struct buf name;
	buf_init(&name);
	enum match_mode mode = match_add_exact(&name, s->name, s->len);
	while (i > 0 && r->filters[i - 1].kind != kind)
		i--;
	bool is_it = i > 0 && r->filters[i - 1].mode == mode && strcmp(r->filters[i - 1].pattern, buf_str(&name)) == 0;
	buf_deinit(&name);
	return is_it ? i - 1 : r->n_filters;
}

/* Removes that filter; false: there is none. */
static bool drop_half(struct app *app, enum filter_kind kind, uint32_t sym)
{
	struct recipe *r = &app->view.recipe;
	size_t i = half_of(app, kind, sym);
	if (i == r->n_filters)
		return false;
	recipe_drop_filter(r, i);
	return true;
}

unsigned find_half(struct app *app, int kind)
{
	uint32_t sym;
	if (!app_selected(app, &sym))
		return 0;
	if (drop_half(app, (enum filter_kind)kind, sym)) {
		app_say(app, "undone: %s %s", filter_names[kind].brief, app_name(app, sym));
		return DIRTY_TREE;
	}
	/* Callers of what is left of its callees would be the function alone. */
	drop_half(app, kind == FILTER_CALLERS ? FILTER_CALLEES : FILTER_CALLERS, sym);
	return find_filter_selected(app, kind);
}

unsigned find_undo(struct app *app)
{
	struct recipe *r = &app->view.recipe;
	struct buf text;
	if (!r->n_filters) {
		app_say(app, "no filters");
		return 0;
	}
	const struct filter *f = &r->filters[r->n_filters - 1];
	buf_init(&text);
	if (f->pattern)
		words_add_pattern(&text, f, app_clean_mode(app));
	app_say(app, "undone: %s%s%s", filter_names[f->kind].brief, f->pattern ? " " : "", buf_str(&text));
	buf_deinit(&text);
	recipe_drop_filter(r, r->n_filters - 1);
	return DIRTY_TREE;
}

unsigned find_recursion(struct app *app)
{
	if (drop_kind(app, FILTER_RECURSION))
		return DIRTY_TREE;
	recipe_add_filter(&app->view.recipe, FILTER_RECURSION, MATCH_REGEX, NULL);
	app_say(app, "direct recursion is one frame");
	return DIRTY_TREE;
}

unsigned find_frames(struct app *app)
{
	static const char *const said[] = {
		[FRAMES_PROGRAM] = "functions of the language and those that they call",
		[FRAMES_ALL] = "all functions, the interpreter's own included",
		[FRAMES_LANGUAGE] = "only functions of the language",
		[FRAMES_NATIVE] = "only native functions and the kernel's",
	};
	struct recipe *r = &app->view.recipe;
	if (!app->profile->symtab.has_languages) {
		app_say(app, "no functions of an interpreter's language were recorded");
		return 0;
	}
	r->frames = r->frames == FRAMES_NATIVE ? FRAMES_PROGRAM : (enum frames_shown)(r->frames + 1);
	app_say(app, "%s", said[r->frames]);
	return DIRTY_TREE;
}
