/*
 * tabs.h - every pane (view), one row each.
 *
 *	ROW(name, its tab, its key, help)
 *
 * The row (calls, CALLS, ...) declares `const struct pane calls_pane`, which has a file of its own, TAB_CALLS, the
 * command view-calls, and app->calls, which points to the pane's state, `struct calls`. <Tab> goes through the rows
 * from first to last. The keys are 1, 2, 3 ... in the same order, as the help says.
 */
#ifndef TUI_TABS_H
#define TUI_TABS_H

/* clang-format off */
#define PANES(ROW) \
	ROW(flame, FLAME, "1", "flame graph") \
	ROW(top, TOP, "2", "table: self and total of each function") \
	ROW(sandwich, SANDWICH, "3", "sandwich: callers above, callees below the function") \
	ROW(calls, CALLS, "4", "call tree") \
	ROW(lines, LINES, "5", "lines: the source of the function, with the weight of each line")
/* clang-format on */

#define PANE_TAB(name, TAB, key, help) TAB_##TAB,
enum tab { PANES(PANE_TAB) N_TABS };
#undef PANE_TAB

#endif
