/*
 * options_shown.c - from --view and the options that go with it to view.shown.
 *
 * Names of functions and paths can only be looked up in a folded profile. The cursor is part of the view for the
 * flame graph and the call tree, which show frames; the table and the sandwich have one of their own.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "model/lines.h"
#include "model/tree_sums.h"
#include "model/view.h"
#include "model/words.h"

/* The view, and the sums of its functions, which the caller may have. */
struct placing {
	const struct options *o;
	struct view *v;
	const struct name_sum *sums; /* NULL: not added up yet */
	size_t n_sums;
	struct name_sum *own; /* owned; sums that are added up here */
	bool is_file;
	bool is_idle; /* of a file: only call trees depend on the cursor and on open rows */
	struct err *err;
};

static void add_up(struct placing *p)
{
	const struct view *v = p->v;
	if (p->sums)
		return;
	p->sums = p->own = tree_sums(&v->tree, NODE_ALL, v->profile->symtab.n, &p->n_sums, NULL);
}

/*
 * By plain symbol: does a function of that name match? The caller frees the array; NULL: a bad pattern. Sets how
 * many names exceeded the limit.
 */
static bool *match_functions(const struct placing *p)
{
	const struct symtab *t = &p->v->profile->symtab;
	enum group_by group = p->v->tree.group;
	struct match_in in = {.symtab = t, .of = t->n_variants ? OF_ORIGIN : OF_NAME, .named_by = group};
	struct match *m = match_new(p->o->shown.function, p->o->shown.mode, p->err);
	struct symset hits = {0};
	if (!m)
		return NULL;
	bool *is_wanted = mem_zalloc(t->n, sizeof *is_wanted);
	match_symbols(m, &in, &hits, NULL, NULL);
	for (uint32_t i = 0; i < t->n; i++)
		if (symset_has(&hits, i))
			is_wanted[symtab_plain(t, i)] = true;
	p->v->shown.given_up = (uint32_t)match_exceeded(m);
	symset_deinit(&hits);
	match_free(m);
	return is_wanted;
}

/* By total. Of a function and its only callee, which have the same, the one where the samples are. */
static bool is_heavier(const struct name_sum *x, const struct name_sum *than)
{
	if (x->total != than->total)
		return x->total > than->total;
	return x->self != than->self ? x->self > than->self : x->sym < than->sym;
}

/* The heaviest function that matches --function=/REGEX/. */
static uint32_t heaviest_match(struct placing *p)
{
	const struct name_sum *best = NULL;
	bool *is_wanted = match_functions(p);
	add_up(p);
	for (size_t i = 0; is_wanted && i < p->n_sums; i++) {
		const struct name_sum *x = &p->sums[i];
		if (is_wanted[x->sym] && (!best || is_heavier(x, best)))
			best = x;
	}
	free(is_wanted);
	return best ? best->sym : NO_SYMBOL;
}

/* Names beyond the limit may match. */
static bool fail_unknown(const struct placing *p)
{
	const struct shown_options *s = &p->o->shown;
	uint64_t given_up = p->v->shown.given_up;
	struct buf text;
	if (!s->is_pattern)
		return fail(p->err, "--function: there is no function '%s'", s->function);
	buf_init(&text);
	words_add_given_up(&text, given_up);
	fail(p->err, "--function: no function %smatches /%s/%s", given_up ? "is known that " : "", s->function,
	     buf_str(&text));
	buf_deinit(&text);
	return false;
}

static bool find_function(struct placing *p)
{
	const struct shown_options *s = &p->o->shown;
	struct shown *shown = &p->v->shown;
	if (!s->function) {
		if (shown->view == SHOWN_SANDWICH || (shown->view == SHOWN_LINES && !p->is_file)) {
			add_up(p);
			shown->function = shown_heaviest(&p->v->profile->symtab, p->sums, p->n_sums);
		}
		return true;
	}
	shown->function =
		s->is_pattern ? heaviest_match(p) : view_find_function(p->v, s->function, strlen(s->function));
	if (shown->function == NO_SYMBOL && !s->is_pattern && shown->view == SHOWN_LINES)
		shown->function = lines_find_name(p->v->profile, s->function, strlen(s->function));
	return shown->function != NO_SYMBOL || fail_unknown(p);
}

/* The symbols of the path of --cursor; the caller frees them. false: err names the first that is unknown. */
static bool read_symbols(struct placing *p, const char *path, uint32_t **syms, size_t *n)
{
	uint32_t sym = NO_SYMBOL;
	size_t cap = 0;
	*syms = NULL;
	*n = 0;
	for (const char *end; *path; path = *end ? end + 1 : end) {
		end = path + strcspn(path, ";");
		sym = view_find_function(p->v, path, (size_t)(end - path));
		if (sym == NO_SYMBOL)
			return fail(p->err, "--cursor: there is no function '%.*s'", (int)(end - path), path);
		mem_push(*syms, *n, cap, sym);
	}
	return true;
}

/*
 * A path that begins and ends with the function is one of a recursion. The outermost frames of the function are in
 * the middle, so only callees can hold more of them.
 */
static bool leads_to_callers(const struct view *v, const uint32_t *syms, size_t n)
{
	uint32_t function = v->shown.function;
	return syms[n - 1] == function && syms[0] != function;
}

/* Callers are kept from the function on. false: the path is none of the sandwich. */
static bool set_path(struct view *v, uint32_t *syms, size_t n)
{
	if (n > 0 && leads_to_callers(v, syms, n)) {
		for (size_t i = 0; i < (n - 1) / 2; i++) {
			uint32_t other = syms[n - 2 - i];
			syms[n - 2 - i] = syms[i];
			syms[i] = other;
		}
		shown_set_path(&v->shown, true, syms, n - 1);
		return true;
	}
	if (n > 0 && syms[0] == v->shown.function) {
		shown_set_path(&v->shown, false, syms + 1, n - 1);
		return true;
	}
	return false;
}

/* The path is one of the stack: it begins with the function, or it ends with it. */
static bool place_in_sandwich(struct placing *p)
{
	const char *path = p->o->shown.cursor;
	uint32_t *syms;
	size_t n;
	if (!path)
		return true;
	bool is_there = read_symbols(p, path, &syms, &n);
	if (is_there && !set_path(p->v, syms, n))
		is_there = fail(p->err, "--cursor: '%s' neither begins nor ends with the function of the sandwich", path);
	free(syms);
	return is_there || p->is_idle;
}

static bool place_in_table(struct placing *p)
{
	const char *path = p->o->shown.cursor, *semicolon = path ? strrchr(path, ';') : NULL;
	const char *name = semicolon ? semicolon + 1 : path;
	if (!path)
		return true;
	p->v->shown.function = view_find_function(p->v, name, strlen(name));
	return p->v->shown.function != NO_SYMBOL || fail(p->err, "--cursor: there is no function '%s'", name);
}

static bool read_row(const char *text, size_t *row)
{
	uint64_t number;
	if (text[0] != '@' || !number_u64(text + 1, strlen(text + 1), &number) || number >= UINT32_MAX)
		return false;
	*row = (size_t)number;
	return true;
}

/* --cursor=12: a line; @7: a row of the page, as --expand names them. */
static bool place_in_lines(struct placing *p)
{
	const char *cursor = p->o->shown.cursor, **rows = p->o->shown.expanded;
	struct shown *s = &p->v->shown;
	size_t cap = 0, row;
	uint64_t line;
	if (p->is_file)
		return true;
	for (; rows && *rows; rows++) {
		if (!read_row(*rows, &row))
			return fail(p->err, "--expand: '%s' is no row of lines (expected @N)", *rows);
		mem_push(s->open_rows, s->n_open_rows, cap, row);
	}
	if (!cursor || read_row(cursor, &s->row))
		return true;
	if (!number_u64(cursor, strlen(cursor), &line) || line > UINT32_MAX)
		return fail(p->err, "--cursor: '%s' is no line (expected its number)", cursor);
	s->line = (uint32_t)line;
	return true;
}

#define LANE "@lane"

/* --cursor=@lane2: the title of a lane. false: it is a path. */
static bool find_lane(struct view *v, const char *path)
{
	uint64_t lane;
	size_t n = strlen(LANE);
	if (!v->tree.until || strncmp(path, LANE, n) != 0 || !number_u64(path + n, strlen(path + n), &lane) ||
	    lane == 0 || lane > v->tree.n_lanes)
		return false;
	v->shown.lane = (uint32_t)lane - 1;
	view_select(v, NODE_ALL);
	return true;
}

/* Lanes of --fold-lanes; those that the chart does not have are left out. */
static void fold_lanes(const char *list, struct shown *s, uint32_t n_lanes)
{
	size_t cap = 0;
	s->folds_all = list && strcmp(list, "all") == 0;
	for (const char *p = list, *end; p && !s->folds_all; p = *end ? end + 1 : NULL) {
		uint64_t lane;
		end = p + strcspn(p, ",");
		if (number_u64(p, (size_t)(end - p), &lane) && lane >= 1 && lane <= n_lanes)
			mem_push(s->folded, s->n_folded, cap, (uint32_t)lane - 1);
	}
}

/* Puts the view's cursor on a frame. */
static bool place_in_tree(struct placing *p)
{
	struct view *v = p->v;
	const char *path = p->o->shown.cursor;
	uint32_t node = NO_NODE;
	if (path && find_lane(v, path))
		return true;
	if (path) {
		bool is_there = view_find_path(v, path, &node);
		view_select(v, node);
		return is_there || p->is_idle || fail(p->err, "--cursor: there is no frame '%s'", path);
	}
	if (v->shown.function == NO_SYMBOL)
		return true;
	node = tree_widest_frame(&v->tree, v->zoom, v->shown.function);
	if (node == NO_NODE)
		return fail(p->err, "--function: no frame of '%s' is shown", p->o->shown.function);
	view_select(v, node);
	return true;
}

/* The rows that --expand opens, or those that a call tree begins with, and in both cases the one of the cursor. */
static bool expand(struct placing *p)
{
	struct view *v = p->v;
	struct call_rows *rows = &v->shown.calls;
	const char **paths = p->o->shown.expanded;
	bool is_good = true;
	if (v->shown.view != SHOWN_CALLS && !paths)
		return true;
	if (!paths) {
		call_rows_begin_as_usual(rows, &v->tree, v->zoom, v->cursor);
		return true;
	}
	call_rows_begin(rows, &v->tree, v->zoom);
	call_rows_close(rows, 0);
	for (size_t i = 0; paths[i]; i++) {
		uint32_t node;
		bool is_there = *paths[i] == '\0' || view_find_path(v, paths[i], &node);
		if (!is_there && !p->is_idle)
			is_good = fail(p->err, "--expand: there is no frame '%s'", paths[i]);
		if (!is_there || *paths[i] == '\0')
			continue;
		call_rows_open_around(rows, &v->tree, node);
		size_t at = call_rows_find(rows, node);
		if (at != NO_CALL_ROW)
			call_rows_open(rows, &v->tree, at);
	}
	call_rows_open_around(rows, &v->tree, v->cursor);
	return is_good;
}

static void take_values(const struct shown_options *o, struct shown *s)
{
	shown_deinit(s);
	s->view = o->view;
	s->has_heat = o->has_heat;
	s->wants_code = o->wants_code;
	s->is_beside = o->is_beside;
	s->sort = o->sort;
	s->is_ascending = o->is_ascending;
	shown_set_filter(s, o->filter, MATCH_REGEX);
	memcpy(s->scroll, o->scroll, sizeof s->scroll);
	s->is_on_cell = o->is_on_cell;
	s->heat_at = o->heat_at;
	s->heat_mark = o->heat_mark;
}

static bool place_all(const struct placing *by)
{
	struct placing p = *by;
	const struct options *o = p.o;
	struct view *v = p.v;
	struct err *err = p.err;
	take_values(&o->shown, &v->shown);
	fold_lanes(o->shown.folded, &v->shown, v->tree.n_lanes);
	bool is_there = find_function(&p);
	if (is_there)
		is_there = v->shown.view == SHOWN_SANDWICH ? place_in_sandwich(&p)
		           : v->shown.view == SHOWN_TABLE  ? place_in_table(&p)
		           : v->shown.view == SHOWN_LINES  ? place_in_lines(&p)
		                                           : place_in_tree(&p);
	struct err why = {""};
	p.err = is_there ? err : &why;
	if (v->shown.view != SHOWN_LINES)
		is_there &= expand(&p);
	free(p.own);
	return is_there;
}

bool options_place_shown(const struct options *o, struct view *v, const struct name_sum *sums, size_t n_sums,
                         struct err *err)
{
	struct placing p = {.o = o, .v = v, .sums = sums, .n_sums = n_sums, .err = err};
	return place_all(&p);
}

bool options_place_in_file(const struct options *o, struct view *v, struct err *err)
{
	struct placing p = {.o = o, .v = v, .is_file = true, .is_idle = o->shown.view != SHOWN_CALLS, .err = err};
	return place_all(&p);
}

bool options_name_places(const struct options *o)
{
	const struct shown_options *s = &o->shown;
	return s->view == SHOWN_SANDWICH || s->has_heat || s->function || s->cursor || s->expanded || s->folded ||
	       s->scroll[0] != SCROLL_AS_USUAL;
}
