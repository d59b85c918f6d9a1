/*
 * tabs.h - every pane (view), one row each.
 *
 *	ROW(name, its tab, its key, help)
 *
 * The row calls, CALLS stands for `const struct pane calls_pane` in a file of its own, for TAB_CALLS, for the
 * command view-calls, and for app->calls, which points to the `struct calls` that the pane keeps. <Tab> goes
 * through the rows from first to last. The keys are 1, 2, 3 ... in the same order: the help says so.
 */
#ifndef TUI_TABS_H
#define TUI_TABS_H

/* clang-format off */
#define PANES(ROW) \
	ROW(flame, FLAME, "1", "flame graph") \
	ROW(top, TOP, "2", "top table: self and total of each function") \
	ROW(sandwich, SANDWICH, "3", "sandwich: callers above, callees below the function") \
	ROW(calls, CALLS, "4", "call tree")
/* clang-format on */

#define PANE_TAB(name, TAB, key, help) TAB_##TAB,
enum tab { PANES(PANE_TAB) N_TABS };
#undef PANE_TAB

#endif
