/*
 * filters.h - every filter: what it is called as an option, in lists and in messages.
 *
 *	ROW(kind, option, its argument, help, words in the list of filters, brief words for a heading)
 *
 * What a filter does is in filter.c. enum filter_kind, filter_names, the options and the list of the viewer are
 * made of the rows. The order is that of --help.
 */
#ifndef MODEL_FILTERS_H
#define MODEL_FILTERS_H

/* In stacks the root comes first. SHOW_FROM takes the first match of a stack, BASE the last. */
/* clang-format off */
#define FILTERS_OF_INPUT(ROW)                                                                                     \
	ROW(BASE, "base", "FUNC", "keep only stacks with FUNC, which becomes their root; may be repeated",            \
	    "from the last", "base")

#define FILTERS_OF_VIEW(ROW)                                                                                      \
	ROW(FOCUS, "focus", "REGEX", "only stacks in which a frame matches", "only stacks with", "only")              \
	ROW(IGNORE, "ignore", "REGEX", "only stacks in which no frame matches", "without stacks with", "without")     \
	ROW(HIDE, "hide", "REGEX", "take matching frames out of the stacks", "hide frames", "hide")                   \
	ROW(SHOW, "show", "REGEX", "keep only matching frames", "show only frames", "show")                           \
	ROW(SHOW_FROM, "show-from", "REGEX", "drop the callers of the first match, and stacks without one",           \
	    "from the first", "from")                                                                                 \
	ROW(RECURSION, "merge-recursion", NULL, "direct recursion becomes one frame",                                 \
	    "direct recursion as one frame", "recursion merged")
/* clang-format on */

#define FILTERS(ROW) FILTERS_OF_INPUT(ROW) FILTERS_OF_VIEW(ROW)

#endif
