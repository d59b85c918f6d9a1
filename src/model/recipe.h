/*
 * recipe.h - which samples of a profile a tree is made of, and how: filters, splits, order, direction.
 *
 * A recipe is a value: it owns its lists, refers to no profile but by numbers (of a series, a task, a symbol), and
 * can be copied to another thread.
 */
#ifndef MODEL_RECIPE_H
#define MODEL_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters.h"
#include "match.h"

enum sort_order { SORT_NAME, SORT_WEIGHT, SORT_INPUT };

#define FILTER_KIND(kind, ...) FILTER_##kind,
#define FILTER_INDEX(kind, ...) FILTER_INDEX_##kind,
enum filter_kind { FILTERS(FILTER_KIND) };
enum { FILTERS(FILTER_INDEX) N_FILTER_KINDS };

struct filter_name {
	const char *option;        /* --OPTION */
	const char *words, *brief; /* what stands before the pattern in the list of filters, and in headings */
};

extern const struct filter_name filter_names[N_FILTER_KINDS];

struct filter {
	enum filter_kind kind;
	enum match_mode mode;
	char *pattern;     /* owned; NULL for FILTER_RECURSION */
	uint64_t excluded; /* weight it took out, set by fold() */
	bool matched_none; /* set by fold(): no symbol matched */
	uint64_t given_up; /* set by fold(): names on which the pattern ran into a limit; they count as no match */
};

/* In which terms two profiles are compared; everything that speaks of a change asks for it (diff.h). */
enum diff_quantity {
	DIFF_OF_SHARES,  /* of the totals: profiles of different length compare */
	DIFF_OF_WEIGHTS, /* as they were recorded */
};

enum split_key { SPLIT_FILE, SPLIT_EVENT, SPLIT_COMM, SPLIT_PID, SPLIT_TID, SPLIT_CPU };

/*
 * Plain data but for filters; recipe_copy() makes an independent one. Zeroed it is the whole first series by name.
 * A field more is one to compare in recipe_is_same().
 */
struct recipe {
	int32_t series;       /* index; -1: all (only sensible with SPLIT_EVENT) */
	int64_t pid, tid;     /* only this process / thread; 0: any (pid and tid start at 1; -1 is perf's unknown) */
	uint32_t comm;        /* only tasks of this name (symbol); 0: any */
	uint64_t from, to;    /* ns after the first sample, [from, to); to = 0: no limit */
	uint64_t last;        /* only what is less than so many ns older than the last sample; 0: all */
	uint64_t half_life;   /* ns in which a sample loses half of its weight, counted from the last one; 0: never */
	bool reverse;         /* merge from the leaves */
	bool chart;           /* order of the input, only equal neighbours join */
	enum sort_order sort; /* of siblings; a chart has none */
	enum split_key splits[6]; /* extra root frames, outermost first */
	unsigned n_splits;
	struct filter *filters; /* applied in this order */
	size_t n_filters, cap_filters;
	enum diff_quantity quantity; /* of a comparison; the tree holds what was recorded, whichever it is */
	bool strip_hex;              /* 0x1234 in names becomes 0x... */
	bool swap_sides;             /* widths from the baseline */
	bool leaves_base;            /* the baseline, if there is one, is left out: differences are off */
	/* Only with reverse, see cut.h: */
	uint32_t *below; /* owned; a path in the reversed tree below which more rows are wanted than elsewhere */
	size_t n_below;
	uint32_t most_callers; /* frames that rows may add before deeper ones are left out; 0: as many as is usual */
};

void recipe_init(struct recipe *);
void recipe_deinit(struct recipe *);
void recipe_copy(struct recipe *dst, const struct recipe *src); /* dst is overwritten, not freed */
bool recipe_is_same(const struct recipe *,
                    const struct recipe *); /* of one profile they make the same tree, compared alike */
void recipe_add_filter(struct recipe *, enum filter_kind, enum match_mode, const char *pattern);
void recipe_drop_filter(struct recipe *, size_t index);
void recipe_set_below(struct recipe *, const uint32_t *syms, size_t n); /* copied */

#endif
