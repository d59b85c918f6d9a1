/*
 * view.c - the tree of a recipe, and the user's place in it.
 *
 * search.c finds the matches of a pattern; this file keeps the result up to date with tree and zoom.
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "cut.h"
#include "diff.h"
#include "place.h"
#include "selection.h"

/* For a new zoom. Inside a match this visits each match, up to view->most_counted; elsewhere it is quick. */
static void count_hits(struct view *v)
{
	if (v->search.pattern)
		search_count(&v->search, &v->tree, v->zoom, v->most_counted, NULL);
}

/* For a new tree or new symbols. */
static void find_hits(struct view *v)
{
	if (v->search.pattern)
		search_run(&v->search, &v->profile->symtab, &v->tree, v->zoom, NULL);
}

void view_init(struct view *v, struct profile *profile, enum utf8_clean_mode mode, bool demangle)
{
	*v = (struct view){.profile = profile, .mark = NO_NODE};
	recipe_init(&v->recipe);
	shown_init(&v->shown);
	tree_init(&v->tree);
	display_init(&v->display, &profile->symtab, mode, demangle);
	v->display.tells_kinds = true;
}

void view_deinit(struct view *v)
{
	search_clear(&v->search);
	shown_deinit(&v->shown);
	free(v->back);
	free(v->past_spans);
	display_deinit(&v->display);
	tree_deinit(&v->tree);
	recipe_deinit(&v->recipe);
}

/* --- keeping the place --- */

static bool changes_frames(const struct recipe *r)
{
	for (size_t i = 0; i < r->n_filters; i++)
		if (r->filters[i].kind != FILTER_FOCUS && r->filters[i].kind != FILTER_IGNORE &&
		    !filter_is_of_tags(r->filters[i].kind))
			return true;
	return r->n_splits > 0 || r->strip_hex || r->group != BY_FUNCTION;
}

/* Places of zoom, cursor, mark and history, in this order. */
#define FIRST_BACK 3
static struct place *places_of(const struct view *v, enum told_by by)
{
	struct place *places = mem_alloc((v->n_back + FIRST_BACK) * sizeof *places);
	places[0] = place_of(&v->tree, v->zoom, by);
	places[1] = place_of(&v->tree, v->cursor, by);
	places[2] = place_of(&v->tree, v->mark == NO_NODE ? NODE_ALL : v->mark, by);
	for (size_t i = 0; i < v->n_back; i++)
		places[i + FIRST_BACK] = place_of(&v->tree, v->back[i], by);
	return places;
}

static void put_back(struct view *v, struct place *places, bool is_turned, enum told_by by, bool may_pass_over)
{
	const struct tree *t = &v->tree;
	if (is_turned) {
		v->zoom = place_find_zoomed(t, &places[0]);
		v->cursor = place_find_function(t, v->zoom, &places[1]);
	} else {
		v->zoom = place_find(t, &places[0], by, may_pass_over);
		v->cursor = place_find(t, &places[1], by, may_pass_over);
	}
	if (!tree_is_below(t, v->cursor, v->zoom))
		v->cursor = v->zoom;
	if (v->mark != NO_NODE)
		v->mark =
			is_turned ? place_find_function(t, NODE_ALL, &places[2]) : place_find(t, &places[2], by, may_pass_over);
	for (size_t i = 0; i < v->n_back; i++) {
		const struct place *p = &places[i + FIRST_BACK];
		v->back[i] = is_turned ? place_find_zoomed(t, p) : place_find(t, p, by, may_pass_over);
	}
	for (size_t i = 0; i < v->n_back + FIRST_BACK; i++)
		place_deinit(&places[i]);
	free(places);
}

/*
 * Translates names that a fold created to their new numbers. The tree is dropped soon, but its places are still
 * needed.
 */
static void renumber_column(uint32_t *sym, uint32_t n, const uint32_t *as, size_t first)
{
	for (uint32_t i = 0; sym && i < n; i++)
		if (sym[i] >= first)
			sym[i] = as[sym[i] - first] == NO_SYMBOL ? 0 : as[sym[i] - first];
}

static void renumber(struct tree *t, const struct symtab *old, const struct symtab *now, size_t first)
{
	uint32_t *as = mem_alloc((old->n - first) * sizeof *as);
	for (size_t i = first; i < old->n; i++)
		as[i - first] = symtab_find(now, old->symbols[i].name, old->symbols[i].len);
	renumber_column(t->sym, t->n, as, first);
	renumber_column(t->origin, t->n, as, first);
	free(as);
}

static void renumber_below(struct recipe *r, const struct symtab *old, const struct symtab *now, size_t first)
{
	for (size_t i = 0; i < r->n_below; i++) {
		const struct symbol *s = &old->symbols[r->below[i]];
		if (r->below[i] >= first)
			r->below[i] = symtab_find(now, s->name, s->len);
		if (r->below[i] == NO_SYMBOL)
			r->n_below = i;
	}
}

void view_use_profile(struct view *v, struct profile *profile)
{
	const struct symtab *old = &v->profile->symtab;
	size_t first = old->n - old->n_made;
	if (old->n_made) {
		renumber(&v->tree, old, &profile->symtab, first);
		renumber_below(&v->recipe, old, &profile->symtab, first);
		display_forget(&v->display, (uint32_t)first);
		symset_cut(&v->search.hits, first);
	}
	v->profile = profile;
	v->display.symtab = &profile->symtab;
}

void view_expect_frames(struct view *v)
{
	v->has_changed_frames = true;
}

/* Names the events of one unit that are shown together. With --split=event, frames name them. */
static void name_events(struct view *v)
{
	bool is_together = v->recipe.series < 0 && profile_common_unit(v->profile) != NO_SYMBOL;
	struct buf names;
	v->events[0] = '\0';
	for (unsigned i = 0; i < v->recipe.n_splits; i++)
		is_together &= v->recipe.splits[i].key != SPLIT_EVENT;
	if (!is_together)
		return;
	buf_init(&names);
	profile_add_series(v->profile, " + ", &names);
	snprintf(v->events, sizeof v->events, "%s", names.len < sizeof v->events ? buf_str(&names) : "several events");
	buf_deinit(&names);
}

void view_adopt_tree(struct view *v, struct tree *tree)
{
	enum told_by by = place_told_by(&v->tree, tree);
	struct place *places = places_of(v, by);
	bool is_turned = v->tree.is_reversed != tree->is_reversed;
	bool had_changed_frames = v->has_changed_frames;
	struct tree old = v->tree;
	v->tree = *tree;
	*tree = old;
	v->has_changed_frames = changes_frames(&v->recipe);
	put_back(v, places, is_turned, by, had_changed_frames || v->has_changed_frames);
	view_follow_axis(v);
	name_events(v);
	find_hits(v);
}

/* The symbol that the fold knows the frame of a caller tree by. */
static uint32_t path_symbol(const struct tree *t, uint32_t node)
{
	return t->origin ? t->origin[node] : t->sym[node];
}

/* Was the tree folded for the present zoom? */
static bool is_below_zoom(const struct view *v)
{
	const struct cut *cut = v->tree.cut;
	uint32_t node = v->zoom;
	for (size_t i = cut->n_below; i > 0; i--, node = v->tree.parent[node])
		if (node == NODE_ALL || path_symbol(&v->tree, node) != cut->below[i - 1])
			return false;
	return node == NODE_ALL;
}

unsigned view_follow_zoom(struct view *v)
{
	struct place p;
	size_t first, end;
	/* If no rows below the zoom are left out, another tree would show no more. */
	if (!tree_tails(&v->tree, v->zoom, &first, &end) || is_below_zoom(v))
		return 0;
	p = place_of(&v->tree, v->zoom, TOLD_BY_NOTHING);
	recipe_set_below(&v->recipe, p.origins ? p.origins : p.syms, p.n);
	place_deinit(&p);
	return DIRTY_TREE | DIRTY_LAYOUT | DIRTY_SCREEN;
}

bool view_fold(struct view *v, struct progress *progress, struct err *err)
{
	struct tree tree;
	if (!fold(v->profile, &v->recipe, &tree, progress, err))
		return false;
	view_adopt_tree(v, &tree);
	tree_deinit(&tree);
	return true;
}

bool view_update(struct view *v, unsigned dirty, struct progress *progress, struct err *err)
{
	if (dirty & DIRTY_TREE) {
		do {
			if (!view_fold(v, progress, err))
				return false;
		} while (view_follow_zoom(v));
	} else if (dirty & DIRTY_HITS) {
		find_hits(v);
	}
	return true;
}

/* The same place in a tree with functions of one name apart, or together. false: it has no such place. */
static bool fold_again(struct view *again, const struct view *v, bool is_apart, struct progress *progress)
{
	struct recipe recipe;
	struct tree tree;
	recipe_copy(&recipe, &v->recipe);
	recipe.apart = is_apart;
	if (!fold(v->profile, &recipe, &tree, progress, NULL)) {
		recipe_deinit(&recipe);
		return false;
	}
	struct place place = place_of(&v->tree, v->zoom, TOLD_BY_NOTHING);
	uint32_t zoom = place_find(&tree, &place, TOLD_BY_NOTHING, false);
	place_deinit(&place);
	if (tree_total(&tree, zoom) != tree_total(&v->tree, v->zoom)) {
		tree_deinit(&tree);
		recipe_deinit(&recipe);
		return false;
	}
	*again = *v;
	again->recipe = recipe;
	again->tree = tree;
	again->search = (struct search){.pattern = NULL};
	again->zoom = again->cursor = zoom;
	return true;
}

bool view_merged(struct view *merged, const struct view *v, struct progress *progress)
{
	return v->recipe.apart && v->tree.origin && v->tree.group == BY_FUNCTION &&
	       fold_again(merged, v, false, progress);
}

/* The symbols of origins take the place of names. */
static void part_tree(struct tree *t)
{
	if (t->origin) {
		free(t->sym);
		t->sym = t->origin;
		t->origin = NULL;
		t->is_parted = true;
	}
	if (t->cut)
		part_tree(&t->cut->whole);
}

bool view_parted(struct view *parted, const struct view *v, struct progress *progress)
{
	/* A tree merged from the leaves may have lost them. */
	bool may_have_several = v->tree.origin || (v->tree.is_reversed && v->profile->symtab.n_variants > 0);
	if (v->tree.group != BY_FUNCTION || !may_have_several ||
	    (!fold_again(parted, v, true, progress) && !fold_again(parted, v, v->recipe.apart, progress)))
		return false;
	part_tree(&parted->tree);
	return true;
}

struct origin view_origin(const struct view *v, const struct symtab *t, uint32_t sym)
{
	bool is_known = v->tree.group == BY_FUNCTION && (!v->tree.is_parted || symtab_is_variant(t, sym));
	return is_known ? symtab_origin(t, sym) : (struct origin){.kind = KIND_UNKNOWN};
}

/* Casts const away, as shown() does. */
void view_return_names(const struct view *v, const struct view *copy)
{
	((struct view *)(uintptr_t)v)->display = copy->display;
}

void view_end_merged(struct view *merged, const struct view *v)
{
	view_return_names(v, merged);
	tree_deinit(&merged->tree);
	recipe_deinit(&merged->recipe);
}

/* --- position --- */

static unsigned go_to(struct view *v, uint32_t zoom)
{
	v->zoom = zoom;
	if (!tree_is_below(&v->tree, v->cursor, zoom))
		v->cursor = zoom;
	count_hits(v);
	return DIRTY_LAYOUT | DIRTY_SCREEN | view_follow_zoom(v);
}

unsigned view_zoom(struct view *v, uint32_t node)
{
	if (v->tree.until)
		return view_zoom_lanes(v, node);
	if (node == v->zoom)
		return 0;
	mem_push(v->back, v->n_back, v->cap_back, v->zoom);
	return go_to(v, node);
}

unsigned view_unzoom(struct view *v)
{
	if (v->tree.until)
		return view_unzoom_span(v);
	/* After a refold several zooms of the history may be the same node. */
	while (v->n_back)
		if (v->back[--v->n_back] != v->zoom)
			return go_to(v, v->back[v->n_back]);
	return v->zoom == NODE_ALL ? 0 : go_to(v, v->tree.parent[v->zoom]);
}

static bool is_plain(const struct recipe *r)
{
	return !r->n_filters && !r->pid && !r->tid && !r->comm && !r->from && !r->to && !r->last && !r->half_life &&
	       !r->reverse && !r->chart && !r->group && r->sort == SORT_IN_VIEWER;
}

unsigned view_reset(struct view *v)
{
	struct recipe *r = &v->recipe;
	unsigned dirty = is_plain(r) ? 0 : DIRTY_TREE | DIRTY_LAYOUT | DIRTY_SCREEN;
	while (r->n_filters)
		recipe_drop_filter(r, r->n_filters - 1);
	r->pid = r->tid = 0;
	r->comm = 0;
	r->from = r->to = r->last = r->half_life = 0;
	r->reverse = r->chart = false;
	r->group = BY_FUNCTION;
	recipe_set_below(r, NULL, 0);
	r->sort = SORT_IN_VIEWER;
	if (view_is_zoomed(v))
		dirty |= DIRTY_LAYOUT | DIRTY_SCREEN | (v->tree.until ? 0 : go_to(v, NODE_ALL));
	view_forget_spans(v);
	v->n_back = 0;
	return dirty;
}

unsigned view_select(struct view *v, uint32_t node)
{
	uint32_t zoom = v->zoom;
	if (node == v->cursor)
		return 0;
	while (!tree_is_below(&v->tree, node, zoom))
		zoom = v->tree.parent[zoom];
	v->cursor = node;
	return DIRTY_SCREEN | (v->tree.until ? 0 : view_zoom(v, zoom));
}

/* --- search --- */

bool view_search_wants_apart(const struct view *v, enum group_by subject)
{
	return subject != BY_FUNCTION && v->profile->symtab.n_variants > 0;
}

static unsigned suit_search(struct view *v)
{
	const struct search *s = &v->search;
	bool was_apart = v->recipe.apart;
	v->recipe.apart = s->pattern && view_search_wants_apart(v, match_subject(s->match));
	return was_apart == v->recipe.apart ? DIRTY_SCREEN : DIRTY_SCREEN | DIRTY_TREE;
}

unsigned view_take_search(struct view *v, struct search *s)
{
	search_clear(&v->search);
	v->search = *s;
	*s = (struct search){.pattern = NULL};
	if (v->search.zoom != v->zoom)
		count_hits(v);
	return suit_search(v);
}

unsigned view_search(struct view *v, const char *pattern, enum match_mode mode, struct err *err)
{
	struct search s;
	if (!pattern || !*pattern) {
		bool had_one = v->search.pattern;
		search_clear(&v->search);
		return had_one || v->recipe.apart ? suit_search(v) : 0; /* a viewer may have set the search aside */
	}
	if (!search_begin(&s, pattern, mode, &v->search, err))
		return 0;
	search_limit(&s, &v->search, &v->tree);
	search_run(&s, &v->profile->symtab, &v->tree, v->zoom, NULL);
	return view_take_search(v, &s);
}

static uint32_t next_in_place(const struct view *v, bool backwards)
{
	const struct search *s = &v->search;
	uint32_t from = v->zoom, to = v->tree.end[v->zoom], hit;
	if (backwards) {
		hit = search_last(s, from, v->cursor);
		return hit != NO_NODE ? hit : search_last(s, v->cursor, to);
	}
	hit = search_first(s, v->cursor + 1, to);
	return hit != NO_NODE ? hit : search_first(s, from, v->cursor + 1);
}

uint32_t view_first_hit(const struct view *v)
{
	uint32_t hit = NO_NODE;
	if (!v->search.pattern)
		return NO_NODE;
	if (v->tree.is_chart && view_is_hit(v, v->cursor))
		return v->cursor;
	if (!v->tree.is_chart)
		hit = search_heaviest(&v->search, v->zoom, v->tree.end[v->zoom]);
	return hit != NO_NODE ? hit : next_in_place(v, false);
}

uint32_t view_next_hit(const struct view *v, bool backwards)
{
	uint32_t hit = NO_NODE;
	if (!v->search.pattern)
		return NO_NODE;
	if (!v->tree.is_chart && view_is_hit(v, v->cursor))
		hit = search_next_lighter(&v->search, &v->tree, v->cursor, v->zoom, v->tree.end[v->zoom], backwards);
	else if (!v->tree.is_chart)
		hit = backwards ? NO_NODE : search_heaviest(&v->search, v->zoom, v->tree.end[v->zoom]);
	return hit != NO_NODE ? hit : next_in_place(v, backwards);
}

uint64_t view_hit_number(const struct view *v, uint32_t node)
{
	if (!v->search.pattern || node < v->zoom || !view_is_hit(v, node))
		return 0;
	if (v->tree.is_chart)
		return search_rank(&v->search, node + 1) - search_rank(&v->search, v->zoom);
	return search_place(&v->search, &v->tree, node, v->zoom, v->tree.end[v->zoom]) + 1;
}

bool view_has_hit_between(const struct view *v, uint32_t from, uint32_t to)
{
	return v->search.pattern && search_has_between(&v->search, from, to);
}

bool view_has_hit_above(const struct view *v, uint32_t node)
{
	return v->search.pattern && search_lies_in_match(&v->search, &v->tree, node);
}

static bool has_hit_left_out(const struct view *v, uint32_t node, uint32_t last)
{
	const uint32_t *hits = v->search.tail_hits;
	return v->search.pattern && hits && v->tree.cut &&
	       hits[cut_first(v->tree.cut, v->tree.end[last])] > hits[cut_first(v->tree.cut, node)];
}

bool view_has_hit_within(const struct view *v, uint32_t node, uint32_t last)
{
	return view_has_hit_between(v, node, v->tree.end[last]) || has_hit_left_out(v, node, last);
}

/* --- texts --- */

/* Casts const away: displaying a name only fills a cache. */
static const struct display_name *shown(const struct view *v, uint32_t sym)
{
	return display_name((struct display *)&v->display, sym);
}

const struct display_name *view_name(const struct view *v, uint32_t node)
{
	static const struct display_name all = {.text = "all", .len = 3, .columns = 3};
	return node == NODE_ALL ? &all : shown(v, v->tree.sym[node]);
}

/*
 * Of two sides that have one series and cannot be compared by weight, one names no unit. If neither says so, that
 * is the baseline.
 */
static bool is_nameless(const struct view *v, int32_t series, bool is_baseline)
{
	if (series < 0 || (size_t)series >= v->profile->n_series)
		return is_baseline;
	const struct series *s = &v->profile->series[series];
	bool own = series_unit_on(s, is_baseline) == 1, other = series_unit_on(s, !is_baseline) == 1;
	return own || (is_baseline && !other);
}

static const struct series *series_of(const struct view *v, bool is_baseline)
{
	int32_t i = selection_series(v->profile, &v->recipe, is_baseline);
	bool is_shared = v->has_other_units && i == selection_series(v->profile, &v->recipe, !is_baseline);
	if (is_shared && is_nameless(v, i, is_baseline))
		return NULL;
	return i >= 0 && (size_t)i < v->profile->n_series ? &v->profile->series[i] : NULL;
}

bool view_has_mixed_units(const struct view *v)
{
	return v->recipe.series < 0 && profile_common_unit(v->profile) == NO_SYMBOL;
}

bool view_has_overlap(const struct view *v)
{
	return v->recipe.series < 0 && profile_has_overlap(v->profile);
}

const char *view_unit_on(const struct view *v, bool is_baseline)
{
	const struct series *s = series_of(v, is_baseline);
	uint32_t unit = s ? s->unit : v->recipe.series < 0 ? profile_common_unit(v->profile) : 0;
	if (s && v->tree.base && !v->has_other_units)
		unit = diff_unit(v->profile, &v->recipe, is_baseline);
	return unit == NO_SYMBOL ? "mixed units" : unit ? shown(v, unit)->text : "samples";
}

const char *view_unit(const struct view *v)
{
	return view_unit_on(v, view_is_swapped(v));
}

const char *view_unit_of(const struct view *v, uint64_t weight)
{
	const char *unit = view_unit(v);
	return weight == with_decimals(1, 0, v->profile->decimals) && strcmp(unit, "samples") == 0 ? "sample" : unit;
}

const char *view_event_on(const struct view *v, bool is_baseline)
{
	const struct series *s = series_of(v, is_baseline);
	return s ? shown(v, s->name)->text : v->events;
}

const char *view_event(const struct view *v)
{
	return view_event_on(v, view_is_swapped(v));
}

bool view_has_two_units(const struct view *v)
{
	return view_is_diff(v) && strcmp(view_unit_on(v, false), view_unit_on(v, true)) != 0;
}

#define LONGEST_EVENT 20u /* bytes; a longer name shows as a number of events */

void view_add_other_events(const struct view *v, struct buf *out)
{
	struct buf name;
	if (v->recipe.series < 0)
		return;
	buf_init(&name);
	size_t others = profile_add_other_series(v->profile, (uint32_t)v->recipe.series, 1, &name);
	if (others == 1 && name.len > 0 && name.len <= LONGEST_EVENT)
		buf_addf(out, " (+%s)", buf_str(&name));
	else if (others)
		buf_addf(out, " (+%zu event%s)", others, others == 1 ? "" : "s");
	buf_deinit(&name);
}

bool view_is_time(const struct view *v)
{
	return profile_time_scale(view_unit(v)) >= 0;
}

static void add_weight_in(const struct view *v, const char *unit, struct buf *out, uint64_t weight)
{
	int scale = profile_time_scale(unit);
	if (scale >= 0)
		number_add_time(out, weight, (unsigned)scale + v->profile->decimals);
	else
		number_add_short(out, weight, v->profile->decimals);
}

void view_add_weight(const struct view *v, struct buf *out, uint64_t weight)
{
	add_weight_in(v, view_unit(v), out, weight);
}

void view_add_event_weight(const struct view *v, size_t series, struct buf *out, uint64_t weight)
{
	const char *unit = v->profile->symtab.symbols[v->profile->series[series].unit].name;
	add_weight_in(v, unit, out, weight);
	if (*unit && profile_time_scale(unit) < 0)
		buf_addf(out, " %s", unit);
}

void view_add_full_weight(const struct view *v, struct buf *out, uint64_t weight)
{
	if (view_is_time(v))
		view_add_weight(v, out, weight);
	else
		number_add_commas(out, weight, v->profile->decimals);
}

uint64_t view_total(const struct view *v)
{
	return tree_total(&v->tree, NODE_ALL);
}

bool view_has_room(const struct view *v, double factor)
{
	const struct tree *t = &v->tree;
	uint64_t now = view_total(v), before = tree_base_total(t, NODE_ALL);
	weight_add(&now, t->excluded[0]);
	weight_add(&before, t->excluded[1]);
	return factor <= 1 || (double)(now > before ? now : before) * factor < 0x1p64;
}
