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

/*
 * TAGFOCUS and TAGIGNORE choose samples, before all stacks are changed (selection.h, tag_match.h).
 *
 * CALLERS and CALLEES cut a stack at its first match from the root, BASE at the last. CALLERS also merges from the
 * leaves (recipe_reverses()).
 */
/* clang-format off */
#define FILTERS_OF_INPUT(ROW)                                                                                     \
	ROW(BASE, "base", "FUNC", "keep only stacks with FUNC, which becomes their root; may be repeated",            \
	    "from the last", "base")

#define FILTERS_OF_VIEW(ROW)                                                                                      \
	ROW(FOCUS, "focus", "REGEX", "only stacks in which a frame matches", "only stacks with", "only")              \
	ROW(IGNORE, "ignore", "REGEX", "only stacks in which no frame matches", "without stacks with", "without")     \
	ROW(HIDE, "hide", "REGEX", "take matching frames out of the stacks", "hide frames", "hide")                   \
	ROW(SHOW, "show", "REGEX", "keep only matching frames", "show only frames", "show")                           \
	ROW(CALLERS, "callers", "REGEX", "only the callers of a function, merged from all its places: they grow out " \
	    "of it, and it has the weight of all that it calls", "callers of", "callers of")                          \
	ROW(CALLEES, "callees", "REGEX", "only a function and what it calls, merged from all its places (also "       \
	    "--show-from)", "callees of", "callees of")                                                               \
	ROW(TAGFOCUS, "tagfocus", "LABEL", "only samples with a label of pprof: REGEX for its key:value, or "          \
	    "KEY=REGEX, KEY=128kb, KEY=128kb:2mb", "only samples with the label", "label")                            \
	ROW(TAGIGNORE, "tagignore", "LABEL", "without samples that have such a label", "without samples with the "    \
	    "label", "no label")                                                                                      \
	ROW(RECURSION, "merge-recursion", NULL, "direct recursion becomes one frame",                                 \
	    "direct recursion as one frame", "recursion merged")
/* clang-format on */

#define FILTERS(ROW) FILTERS_OF_INPUT(ROW) FILTERS_OF_VIEW(ROW)

#endif
