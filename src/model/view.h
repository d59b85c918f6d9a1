/*
 * view.h - a recipe, its tree, and a place in it: zoom and cursor.
 *
 * Every export takes a `const struct view *` and shows exactly what the screen shows. Commands change the recipe or
 * the position through the functions below, each of which returns what became stale; view_update() rebuilds only
 * that and restores zoom and cursor by call path.
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold.h"
#include "match.h"
#include "origin.h"
#include "profile.h"
#include "search.h"
#include "shown.h"
#include "tree.h"

enum dirty {
	DIRTY_SCREEN = 1, /* only its appearance */
	DIRTY_LAYOUT = 2, /* other frames are visible, or in other places */
	DIRTY_HITS = 4,   /* the search must run again */
	DIRTY_TREE = 8,   /* the recipe changed: fold again */
	DIRTY_QUIT = 16,
};

struct view {
	struct profile *profile; /* not owned */
	struct recipe recipe;
	struct tree tree;       /* owned; last result of the recipe */
	struct display display; /* names for display */
	bool is_inverted;       /* icicle: root at the top */
	double min_share;       /* smallest share drawn, in percent of all; 0: draws all */
	bool has_other_units;   /* the baseline's weights have another unit than the series (diff.h) */
	bool is_classic;        /* compares stacks of two columns as they come, with the figures of other programs */
	bool is_normalized;     /* scales folded stacks of the baseline to the profile's total (--normalize) */
	bool is_as_difffolded;  /* with that, also cuts their counts, as difffolded --normalize does */
	uint32_t zoom;          /* node */
	uint32_t cursor;        /* node, at or below zoom */
	uint32_t *back;         /* earlier zooms, as nodes of the present tree */
	size_t n_back, cap_back;
	/*
	 * The zoom of a chart with a time axis (tree.until); `zoom` is NODE_ALL there. to = 0: all. And earlier zooms.
	 */
	struct span span, *past_spans;
	size_t n_past_spans, cap_past_spans;
	uint32_t mark; /* a node to find again after a refold, as the cursor; NO_NODE: none */

	struct shown shown; /* owned; which view of the tree is in front */
	struct search search;
	size_t most_counted;     /* matches that a zoom may visit to compute search.matched; 0: any number */
	char events[80];         /* private: "cpu-clock + off-cpu" if all are shown together, else "" */
	bool has_changed_frames; /* private: the tree was made with filters that take out frames */
};

void view_init(struct view *, struct profile *, enum utf8_clean_mode, bool demangle);
void view_deinit(struct view *);

/*
 * Switches to another profile that contains the present one: names of the input have the same numbers in both;
 * names that folds created are found by text. To keep places, fold the new `profile` first. The caller still owns
 * the old one.
 */
void view_use_profile(struct view *, struct profile *profile);

/* Folds if dirty has DIRTY_TREE, searches if needed. false: a bad pattern or cancelled; the old tree stays. */
bool view_update(struct view *, unsigned dirty, struct progress *, struct err *err);
/*
 * The next tree may have frames between those of this one, such as inlined functions: places are then found in
 * spite of them.
 */
void view_expect_frames(struct view *);
/*
 * Adopts a tree folded elsewhere (in a background thread) from a copy of this recipe; *tree becomes the old tree.
 */
void view_adopt_tree(struct view *, struct tree *tree);
bool view_fold(struct view *, struct progress *, struct err *err); /* folds the recipe and adopts the tree */
/*
 * If a caller tree leaves out rows below the zoom, makes the recipe ask for them. Returns what became stale. Call
 * it after adopting a tree; view_update() does.
 */
unsigned view_follow_zoom(struct view *);

/* Position. Each returns what became stale. */
unsigned view_zoom(struct view *, uint32_t node); /* saves the present zoom; moves the cursor inside */
unsigned view_unzoom(struct view *);              /* back one; without history, one frame towards the root */
unsigned view_reset(struct view *);               /* resets zoom, filters, times, order; not the search */
unsigned view_select(struct view *, uint32_t node);

/* Is a part of the tree hidden by a zoom? */
static inline bool view_is_zoomed(const struct view *v)
{
	return v->zoom != NODE_ALL || (v->tree.until && v->span.to);
}
/* For a chart with a time axis: all of its time, and the visible part. view_zoom() shows the time of a frame. */
struct span view_whole_span(const struct view *);
struct span view_span(const struct view *);
/* The time to which a zoom narrows what is in front; to = 0: all. A sandwich, calls and lines are of all times. */
struct span view_cut(const struct view *);
/* Does the recipe, which may have changed since the fold, make a chart with a time axis? */
bool view_has_time_axis(const struct view *);
unsigned view_zoom_span(struct view *, struct span); /* saves the present one */
unsigned view_zoom_lanes(struct view *, uint32_t node);
unsigned view_move_span(struct view *, uint64_t from); /* as long as before */
unsigned view_unzoom_span(struct view *);
void view_forget_spans(struct view *);
/* For a new tree: its zoom becomes a stretch of time, if the tree has a time axis, else that ends. */
void view_follow_axis(struct view *);
/*
 * A view with the same place in a tree in which functions of one name are one frame, if a search keeps them apart:
 * for outputs that do not show the search. The caller ends it by view_end_merged(). false: they are not apart, or
 * the zoom shows one of several that would be one frame, or it was cancelled (progress may be NULL); nothing is
 * made.
 */
bool view_merged(struct view *merged, const struct view *, struct progress *);
/*
 * The same for outputs that describe each function: a view in which functions of one name are as many frames as
 * they have origins, and the symbols of nodes are those of origins (tree.is_parted). If the zoom shows several that
 * would not be one frame, frames whose functions have several origins have none. false: each name has one origin at
 * most, or frames are no functions, or it was cancelled; nothing is made. The caller ends it by view_end_merged(),
 * too.
 */
bool view_parted(struct view *parted, const struct view *, struct progress *);
/* What is known of a function of the view; nothing if frames are no functions. `t` is from view_file_names(). */
struct origin view_origin(const struct view *, const struct symtab *t, uint32_t sym);
/* Gives the cache of displayed names, which a shallow copy may have grown, back to the view. */
void view_return_names(const struct view *, const struct view *copy);
void view_end_merged(struct view *merged, const struct view *);

/* Sets the search; an empty or NULL pattern clears it. Bad pattern: err is set and the old search stays. */
unsigned view_search(struct view *, const char *pattern, enum match_mode, struct err *err);
/* Does a search for this need functions of one name apart, since they are of several modules (recipe.apart)? */
bool view_search_wants_apart(const struct view *, enum group_by subject);
/* Takes over a search that was run in the view's tree, maybe on another thread (search.h); *s becomes empty. */
unsigned view_take_search(struct view *, struct search *s);
static inline bool view_is_hit(const struct view *v, uint32_t node)
{
	return v->search.pattern && search_is_hit(&v->search, &v->tree, node);
}
/*
 * Matches at or below the zoom go by weight, the heaviest first, and in a flame chart by time. The first one (in a
 * chart from the cursor on) and the one after the cursor, or before it if backwards, wrapping; NO_NODE: none.
 */
uint32_t view_first_hit(const struct view *);
uint32_t view_next_hit(const struct view *, bool backwards);
/* Which match in that order this node is, from 1; 0: none, or one after the many that are in order. */
uint64_t view_hit_number(const struct view *, uint32_t node);
/* Does any frame in [from, to) match? */
bool view_has_hit_between(const struct view *, uint32_t from, uint32_t to);
/* Does any ancestor of this frame match? Takes constant time. */
bool view_has_hit_above(const struct view *, uint32_t node);
/* Does any frame in [node, end of last's subtree) match, left-out rows included? Exact, in constant time. */
bool view_has_hit_within(const struct view *, uint32_t node, uint32_t last);

/* The displayed name of a node; "all" for the root. Changes only a cache of names. */
const struct display_name *view_name(const struct view *, uint32_t node);
const char *view_unit(const struct view *); /* "samples", "ns", ... clean text */
/* The same of one side of a comparison. */
const char *view_unit_on(const struct view *, bool is_baseline);
/* Do its sides have different ones? */
bool view_has_two_units(const struct view *);
bool view_has_mixed_units(const struct view *); /* adds up events of different units (--split=event) */
bool view_has_overlap(const struct view *);     /* adds up events that count the same (profile_overlap()) */
/* The unit after a weight: "sample" after 1. */
const char *view_unit_of(const struct view *, uint64_t weight);
/* Appends a weight in few columns: "15.2 G", or "15.2 s" if the unit is a time. */
void view_add_weight(const struct view *, struct buf *out, uint64_t weight);
bool view_is_time(const struct view *);
/* The same for any event, with its unit: "15.2 G cycles", "15.2 s". The unit is not cleaned. */
void view_add_event_weight(const struct view *, size_t series, struct buf *out, uint64_t weight);
/* Does the view show a baseline? */
static inline bool view_is_diff(const struct view *v)
{
	return v->tree.base && !v->recipe.leaves_base;
}
/* Are the widths those of the baseline? Then side 0 of the tree is the baseline, and side 1 the profile. */
static inline bool view_is_swapped(const struct view *v)
{
	return view_is_diff(v) && v->recipe.swap_sides;
}
/* Appends a weight in more columns: "15.2 s", but counts in full, "15,233,100,777". Without the unit. */
void view_add_full_weight(const struct view *, struct buf *out, uint64_t weight);
uint64_t view_total(const struct view *); /* of "all" */
/* Do the totals of both sides, excluded weight included, fit 64 bits after multiplication with factor? */
bool view_has_room(const struct view *, double factor);
/* The name of the event that is shown, "cpu-clock + off-cpu" of several; "" if frames name it. */
const char *view_event(const struct view *);
/* The same of one side of a comparison. */
const char *view_event_on(const struct view *, bool is_baseline);
/* Appends " (+page-faults)" or " (+3 events)" if other events have samples. Not cleaned. */
void view_add_other_events(const struct view *, struct buf *out);

/*
 * Paths as text: names from the root, separated by ';', escaped (escape.h) or as shown; a first name "all" may be
 * the root. In a flame chart ";@POSITION" may follow, which chooses among frames of one path the one that holds
 * that position (tree.pos) or is nearest to it; without it that is the widest.
 */
/* Finds the frame of a path. false: none; *node is the deepest one on the way. */
bool view_find_path(const struct view *, const char *path, uint32_t *node);
/* Appends the name of a symbol as in a path. */
void view_add_function(const struct view *, uint32_t sym, struct buf *out);
/*
 * The symbols for files, with names as they were read. In a tree of modules and the like, a process has its mark,
 * as on the screen: "db (process)" is not the module db. Returns those of the profile or *copy; the caller ends
 * *copy by symtab_deinit() in both cases.
 */
const struct symtab *view_file_names(const struct view *, struct symtab *copy);
/* The symbol with this name, escaped, raw or as shown. NO_SYMBOL: none. */
uint32_t view_find_function(const struct view *, const char *text, size_t len);
/* Zooms for --zoom=PATH. false: not found (zooms to the deepest node found). */
bool view_zoom_path(struct view *, const char *path);
/*
 * If the path may lead into left-out rows, makes the recipe ask for them and resets the place; look for the path
 * again after the next fold. false: the tree has all rows it can have.
 */
bool view_wants_path(struct view *, const char *path);
/* Appends the path between the middle of the sandwich and its cursor, callers first. */
void view_add_shown_path(const struct view *, struct buf *out);
/* Appends the path of node, without a position. */
void view_add_path(const struct view *, uint32_t node, struct buf *out);
/* The same with a position if another frame has that path. false: view_find_path() still finds another one. */
bool view_add_place(const struct view *, uint32_t node, struct buf *out);

#endif
