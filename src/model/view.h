/*
 * view.h - a recipe, the tree it made, and a place in it: what fills the width, and what is selected.
 *
 * Every export takes a `const struct view *` and shows exactly what the screen shows. Commands edit the recipe or
 * the position through the functions below, each of which returns what became stale; view_update() rebuilds only
 * that and puts zoom and cursor back by call path.
 */
#ifndef MODEL_VIEW_H
#define MODEL_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fold.h"
#include "match.h"
#include "profile.h"
#include "search.h"
#include "tree.h"

enum dirty {
	DIRTY_SCREEN = 1, /* only how it looks */
	DIRTY_LAYOUT = 2, /* other frames are visible, or elsewhere */
	DIRTY_HITS = 4,   /* the search has to be evaluated again */
	DIRTY_TREE = 8,   /* the recipe changed: fold */
	DIRTY_QUIT = 16,
};

struct view {
	struct profile *profile; /* not owned */
	struct recipe recipe;
	struct tree tree;       /* owned; what the recipe made last */
	struct display display; /* names as shown */
	bool is_inverted;       /* icicle: root at the top */
	double min_share;       /* percent of all below which frames are not drawn; 0: all */
	bool has_other_units;   /* weights of the baseline are not of the unit of the series (diff.h) */
	bool
		/* stacks of two columns compared as they come: an SVG has the figures that other programs give them */
		is_classic;
	bool is_normalized; /* folded stacks of the baseline are scaled to the profile's total, as --normalize does */
	bool is_as_difffolded; /* with that, their counts are cut, as those of difffolded --normalize are */
	uint32_t zoom;         /* node */
	uint32_t cursor;       /* node, at or below zoom */
	uint32_t *back;        /* zooms before this one, as nodes of the present tree */
	size_t n_back, cap_back;
	uint32_t mark; /* a node that is to be found again, kept as the cursor is; NO_NODE: none */

	struct search search;
	size_t most_counted;     /* matches that a zoom may look at for search.matched; 0: any number */
	bool has_changed_frames; /* private: the tree was made with filters that take frames out of stacks */
};

void view_init(struct view *, struct profile *, enum utf8_clean_mode, bool demangle);
void view_deinit(struct view *);

/*
 * Shows another profile from now on, of which the present one is a part: names of the input have the same numbers
 * in both. Those that folds have made are found again by what they say. Not before `profile` was folded, if places
 * are to be kept. The one before stays the caller's.
 */
void view_use_profile(struct view *, struct profile *profile);

/* Folds if dirty has DIRTY_TREE, searches if needed. false: a bad pattern or cancelled; the old tree stays. */
bool view_update(struct view *, unsigned dirty, struct progress *, struct err *err);
/* Takes over a tree folded elsewhere (a background thread) from a copy of this recipe; *tree is the one before. */
void view_adopt_tree(struct view *, struct tree *tree);
bool view_fold(struct view *, struct progress *, struct err *err); /* the recipe as it is, and adopts the tree */
/*
 * Where a tree of callers leaves rows out below the zoom, the recipe asks for those from now on. Returns what
 * became stale; to be called after a tree was adopted, which view_update() does.
 */
unsigned view_follow_zoom(struct view *);

/* Position. Each returns what became stale. */
unsigned view_zoom(struct view *, uint32_t node); /* remembers the present zoom; the cursor moves inside */
unsigned view_unzoom(struct view *);              /* back one; to the root's side if there is no history */
unsigned view_reset(struct view *);               /* zoom, filters, times, order; not the search */
unsigned view_select(struct view *, uint32_t node);

/* Search; an empty or NULL pattern clears. On a bad pattern err is set and the search before stays. */
unsigned view_search(struct view *, const char *pattern, enum match_mode, struct err *err);
/*
 * Takes over a search that was run in the view's tree, or in the steps of search.h on another thread; *s is empty
 * then.
 */
unsigned view_take_search(struct view *, struct search *s);
static inline bool view_is_hit(const struct view *v, uint32_t node)
{
	return v->search.pattern && symset_has(&v->search.hits, v->tree.sym[node]);
}
/*
 * Matches at or below the zoom go by weight, the heaviest first, and in a flame chart by time. The first one (in a
 * chart from the cursor on) and the one after the cursor, or before it if backwards, wrapping; NO_NODE: none.
 */
uint32_t view_first_hit(const struct view *);
uint32_t view_next_hit(const struct view *, bool backwards);
/* Which match in that order this node is, from 1; 0: none, or one behind the many that are in order. */
uint64_t view_hit_number(const struct view *, uint32_t node);
/* Does any frame in [from, to) match? */
bool view_has_hit_between(const struct view *, uint32_t from, uint32_t to);
/* Does any frame match that this one stands on? In constant time. */
bool view_has_hit_above(const struct view *, uint32_t node);
/* Does any frame in [node, end of last's subtree) match? Exact, and in constant time. */
bool view_has_hit_within(const struct view *, uint32_t node, uint32_t last);

/* The name of a node as shown; "all" for the root. The cache of names behind it is the only thing that changes. */
const struct display_name *view_name(const struct view *, uint32_t node);
const char *view_unit(const struct view *); /* "samples", "ns", ... clean text */
/* The same behind a weight: "sample" behind 1. */
const char *view_unit_of(const struct view *, uint64_t weight);
/* A weight in few columns: "15.2 G", or "15.2 s" where the unit is one of time. */
void view_add_weight(const struct view *, struct buf *out, uint64_t weight);
bool view_is_time(const struct view *);
/* Of any event, with its unit: "15.2 G cycles", "15.2 s". The unit is not cleaned. */
void view_add_event_weight(const struct view *, size_t series, struct buf *out, uint64_t weight);
/* Is there a baseline, and is it shown? */
static inline bool view_is_diff(const struct view *v)
{
	return v->tree.base && !v->recipe.leaves_base;
}
/* The same where there is room: "15.2 s", but counts in full, "15,233,100,777". Their unit is not added. */
void view_add_full_weight(const struct view *, struct buf *out, uint64_t weight);
uint64_t view_total(const struct view *); /* of "all" */
/*
 * Do counts fit 64 bits when they are multiplied: all together, with what is left out, and those of the baseline?
 */
bool view_has_room(const struct view *, double factor);
const char *view_event(const struct view *); /* name of the series shown, "" if it has none */
/* Appends " (+page-faults)" or " (+3 events)" if the profile has other events with samples. Not cleaned. */
void view_add_other_events(const struct view *, struct buf *out);

/*
 * --zoom=PATH: ';'-separated names from the root, escaped (escape.h). false: not there (zoom goes to the deepest
 * that is).
 */
bool view_zoom_path(struct view *, const char *path);
/*
 * Where the way may lie in rows that are left out, the recipe asks for these, and the place is that of a new view:
 * after the next fold the path can be sought again. false: the tree has all that there are.
 */
bool view_wants_path(struct view *, const char *path);
/* Appends the path of node in the form of view_zoom_path(). */
void view_add_path(const struct view *, uint32_t node, struct buf *out);

#endif
