/*
 * fold.h - from a profile and a recipe to a tree.
 *
 * The recipe says which samples take part and how their stacks are changed on the way; folding merges what is left.
 * Everything that a view shows, on the screen or in a file, went through here.
 */
#ifndef MODEL_FOLD_H
#define MODEL_FOLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/progress.h"
#include "match.h"
#include "profile.h"
#include "tree.h"

enum sort_order { SORT_NAME, SORT_WEIGHT, SORT_INPUT };

enum filter_kind {
	FILTER_FOCUS,     /* only stacks in which a frame matches */
	FILTER_IGNORE,    /* only stacks in which no frame matches */
	FILTER_HIDE,      /* take matching frames out of stacks */
	FILTER_SHOW,      /* keep only matching frames */
	FILTER_SHOW_FROM, /* drop the frames above (towards the root of) the first match; stacks without one go */
	FILTER_BASE,      /* as SHOW_FROM, counted from the leaf: the deepest match becomes the root */
	FILTER_RECURSION, /* direct recursion becomes one frame; no pattern */
};

struct filter {
	enum filter_kind kind;
	enum match_mode mode;
	char *pattern;     /* owned; NULL for FILTER_RECURSION */
	uint64_t excluded; /* weight it took out, set by fold() */
	bool matched_none; /* set by fold(): no symbol matched */
};

/* In which terms two profiles are compared; everything that speaks of a change asks for it (diff.h). */
enum diff_quantity {
	DIFF_OF_SHARES,  /* of the totals: profiles of different length compare */
	DIFF_OF_WEIGHTS, /* as they were recorded */
};

enum split_key { SPLIT_FILE, SPLIT_EVENT, SPLIT_COMM, SPLIT_PID, SPLIT_TID, SPLIT_CPU };

/*
 * Plain data but for filters; recipe_copy() makes an independent one. Zeroed it is the whole first series by name. A field more
 * is one to compare in recipe_is_same().
 */
struct recipe {
	int32_t series;             /* index; -1: all (only sensible with SPLIT_EVENT) */
	int64_t pid, tid;           /* only this process / thread; 0: any (pid and tid start at 1; -1 is perf's unknown) */
	uint32_t comm;              /* only tasks of this name (symbol); 0: any */
	uint64_t from, to;          /* ns after the first sample, [from, to); to = 0: no limit */
	uint64_t last;              /* only what is less than so many ns older than the last sample; 0: all */
	uint64_t half_life;         /* ns in which a sample loses half of its weight, counted from the last one; 0: never */
	bool reverse;               /* merge from the leaves */
	bool chart;                 /* order of the input, only equal neighbours join */
	enum sort_order sort;       /* of siblings; a chart has none */
	enum split_key splits[6];   /* extra root frames, outermost first */
	unsigned n_splits;
	struct filter *filters;     /* applied in this order */
	size_t n_filters, cap_filters;
	enum diff_quantity quantity; /* of a comparison; the tree holds what was recorded, whichever it is */
	bool strip_hex;             /* 0x1234 in names becomes 0x... */
	bool swap_sides;            /* widths from the baseline */
	bool leaves_base;           /* the baseline, if there is one, is left out: differences are off */
	/* Only with reverse, see cut.h: */
	uint32_t *below;            /* owned; a path in the reversed tree below which more rows are wanted than elsewhere */
	size_t n_below;
	uint32_t most_callers;      /* frames that rows may add before deeper ones are left out; 0: as many as is usual */
};

void recipe_init(struct recipe *);
void recipe_deinit(struct recipe *);
void recipe_copy(struct recipe *dst, const struct recipe *src); /* dst is overwritten, not freed */
bool recipe_is_same(const struct recipe *, const struct recipe *); /* of one profile they make the same tree, compared alike */
void recipe_add_filter(struct recipe *, enum filter_kind, enum match_mode, const char *pattern);
void recipe_drop_filter(struct recipe *, size_t index);
void recipe_set_below(struct recipe *, const uint32_t *syms, size_t n); /* copied */

/*
 * The series that is read from log `side`. The baseline's is the recipe's, unless the baseline has none of it and one
 * single other: two recordings, one of cycles and one of cpu-clock, still compare by their shares.
 */
int32_t fold_series(const struct profile *, const struct recipe *, unsigned side);

/*
 * Will fold() make names beyond those of the profile (split frames, stripped names)? Where others read the profile
 * meanwhile it then needs a copy of the symbols: symtab_copy(), symtab_take().
 */
bool fold_makes_names(const struct profile *, const struct recipe *);

/* Few stacks, but of so many frames that turning them around, or a chart of them, takes longer than a key may? */
bool fold_is_long(const struct profile *, const struct recipe *);

/*
 * Builds the tree; *out is overwritten, not freed. The profile is not changed but for new symbols; progress
 * may be NULL. false: cancelled (err empty) or a bad pattern (err says which).
 * recipe->filters[].excluded and matched_none are updated.
 */
bool fold(struct profile *, struct recipe *, struct tree *out, struct progress *, struct err *err);

#endif
