/*
 * filters.h - the table of filters: option, and words for lists and messages.
 *
 *	ROW(kind, option, its argument, help, words in the list of filters, brief words for a heading)
 *
 * filter.c implements them. enum filter_kind, filter_names, the options and the viewer's list come from these rows,
 * in the order of --help.
 */
#ifndef MODEL_FILTERS_H
#define MODEL_FILTERS_H

/* SHOW_FROM takes the first match from the root, BASE the last. */
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
