/*
 * recipe.h - how to make a tree from a profile: which samples, filters, splits, order, direction.
 *
 * A recipe is a value: it owns its lists, refers to a profile only by numbers (of a series, a task, a symbol), and
 * can be copied to another thread.
 */
#ifndef MODEL_RECIPE_H
#define MODEL_RECIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filters.h"
#include "group.h"
#include "match.h"

enum sort_order { SORT_NAME, SORT_WEIGHT, SORT_INPUT };
/*
 * The viewer's order unless told otherwise: light frames end up side by side in one cell, not in one between every
 * two heavy ones. Files are by name, so that two of them can be compared line by line.
 */
#define SORT_IN_VIEWER SORT_WEIGHT

#define FILTER_KIND(kind, ...) FILTER_##kind,
#define FILTER_INDEX(kind, ...) FILTER_INDEX_##kind,
enum filter_kind { FILTERS(FILTER_KIND) };
enum { FILTERS(FILTER_INDEX) N_FILTER_KINDS };

/* The x axis of a flame chart whose samples have times. */
enum chart_axis {
	AXIS_TIME,    /* linear, a lane for each thread; idle time is empty */
	AXIS_SAMPLES, /* the weights of the samples one after the other, without gaps */
};

/* Which frames of stacks in which an interpreter runs functions of its language (KIND_LANGUAGE). */
enum frames_shown {
	FRAMES_PROGRAM,  /* as FRAMES_ALL, without the interpreter's own between these functions */
	FRAMES_ALL,      /* all, but for native ones that these functions stand for (KIND_LOOP, KIND_REPLACED) */
	FRAMES_LANGUAGE, /* those functions alone */
	FRAMES_NATIVE,   /* all others */
};

struct filter_name {
	const char *option;        /* --OPTION */
	const char *words, *brief; /* before the pattern, in the list of filters and in headings */
};

extern const struct filter_name filter_names[N_FILTER_KINDS];

struct filter {
	enum filter_kind kind;
	enum match_mode mode;
	char *pattern;     /* owned; NULL for FILTER_RECURSION */
	uint64_t excluded; /* weight it took out, set by fold() */
	bool has_taken;    /* of the profile, or of the baseline; set by fold() */
	bool matched_none; /* set by fold(): no symbol matched, or no label of a sample */
	uint64_t given_up; /* set by fold(): names that exceeded a limit; they count as not matching */
};

/* The quantity in which two profiles are compared; everything that shows a change uses it (diff.h). */
enum diff_quantity {
	DIFF_OF_SHARES,  /* of the totals: profiles of different length compare */
	DIFF_OF_WEIGHTS, /* as recorded */
};

/* Does the filter choose samples by their labels? */
static inline bool filter_is_of_tags(enum filter_kind kind)
{
	return kind == FILTER_TAGFOCUS || kind == FILTER_TAGIGNORE;
}

enum split_key {
	SPLIT_FILE,
	SPLIT_EVENT,
	SPLIT_COMM,
	SPLIT_PID,
	SPLIT_TID,
	SPLIT_CPU,
	SPLIT_MODULE,
	SPLIT_LABEL, /* the values of one key */
	N_SPLITS
};

struct split {
	enum split_key key;
	char *label; /* owned; of SPLIT_LABEL: its key, for tags_read_key(); else NULL */
};
#define RECIPE_SPLITS 16u

/*
 * Plain data except the filters and the keys of splits; recipe_copy() copies those, too. Zeroed, it means the whole
 * first series by name. Compare new fields in recipe_is_same().
 */
struct recipe {
	int32_t series;       /* index; -1: all (useful only with SPLIT_EVENT) */
	uint32_t base_series; /* index + 1: what the baseline shows, where `series` has no name; 0: its main one */
	int64_t pid, tid;     /* only this process / thread; 0: any (pid and tid start at 1; -1 is perf's unknown) */
	uint32_t comm;        /* only tasks of this name (symbol); 0: any */
	uint64_t from, to;    /* ns after the first sample, [from, to); to = 0: no limit */
	uint64_t cut_from, cut_to; /* ns as above: only this part of them, see threads_parts(); cut_to = 0: whole */
	bool timed;                /* only samples that have a time, if those of the event have times */
	uint64_t last;             /* only samples at most this many ns older than the last; 0: all */
	uint64_t half_life;        /* ns in which a weight halves, counted back from the last sample; 0: no decay */
	bool reverse;              /* merge from the leaves, see recipe_reverses() */
	bool chart;                /* flame chart: input order, joins only equal neighbours */
	enum chart_axis axis;      /* of a chart, if the profile has times */
	enum sort_order sort;      /* of siblings; not for a chart */
	struct split splits[RECIPE_SPLITS]; /* extra root frames, outermost first */
	unsigned n_splits;
	struct filter *filters; /* applied in this order */
	size_t n_filters, cap_filters;
	enum frames_shown frames;    /* without effect on a profile that has no such functions */
	enum group_by group;         /* of frames, after the filters */
	bool apart;                  /* same names of different modules or files stay apart, for a search for these */
	enum diff_quantity quantity; /* of a comparison; the tree holds recorded weights in either case */
	bool strip_hex;              /* 0x1234 in names becomes 0x... */
	bool swap_sides;             /* widths from the baseline */
	bool leaves_base;            /* ignores the baseline, if any: differences are off */
	/* Only for stacks merged from the leaves, see cut.h: */
	uint32_t *below; /* owned; a path of the reversed tree below which to build more rows */
	size_t n_below;
	uint32_t most_callers; /* limit of added frames before deeper rows are left out; 0: the usual one */
};

void recipe_init(struct recipe *);
void recipe_deinit(struct recipe *);
void recipe_copy(struct recipe *dst, const struct recipe *src); /* dst is overwritten, not freed */
bool recipe_is_same(const struct recipe *,
                    const struct recipe *); /* do they make the same tree of a profile, compared alike? */
/* All samples as they were recorded, but for their event? has_languages: of the profile's symtab. */
bool recipe_keeps_stacks(const struct recipe *, bool has_languages);
bool recipe_has_callers(const struct recipe *); /* is there a FILTER_CALLERS? */
bool recipe_reverses(const struct recipe *); /* are stacks merged from the leaves, by `reverse` or such a filter? */
/* Are siblings by weight? Not in a chart, whatever the order of the flame graph is. */
static inline bool recipe_sorts_by_weight(const struct recipe *r)
{
	return !r->chart && r->sort == SORT_WEIGHT;
}
void recipe_add_filter(struct recipe *, enum filter_kind, enum match_mode, const char *pattern);
void recipe_drop_filter(struct recipe *, size_t index);
bool recipe_chooses_times(const struct recipe *); /* by what users choose, not only by an axis */
bool recipe_chooses_tags(const struct recipe *);  /* is there a filter of labels? */
/* Adds a split unless it is there; label may be NULL. false: there are too many. */
bool recipe_add_split(struct recipe *, enum split_key, const char *label);
void recipe_drop_splits(struct recipe *);
void recipe_set_below(struct recipe *, const uint32_t *syms, size_t n); /* copied */

#endif
