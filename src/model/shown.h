/*
 * shown.h - which view is in front, and its state besides the tree, its zoom and its search.
 *
 * The options of the command line and the keys of the viewer set it; the screen and the exports read it. The heat map
 * has no state of its own: a range chosen there is a time range of the recipe.
 */
#ifndef MODEL_SHOWN_H
#define MODEL_SHOWN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "call_rows.h"
#include "match.h"
#include "table.h"

/* A flame chart is the flame graph of a recipe with `chart`. */
enum shown_view { SHOWN_FLAME, SHOWN_TABLE, SHOWN_SANDWICH, SHOWN_CALLS, N_SHOWN_VIEWS };

struct shown {
	enum shown_view view;
	bool has_heat;     /* the heat map lies over it; no file can hold that */
	uint32_t function; /* in the middle of the sandwich; NO_SYMBOL: none yet */

	/* The table. */
	enum top_column sort; /* N_TOP_COLUMNS: the usual column of the table, or of the table of differences */
	bool is_ascending;
	char *filter; /* owned; NULL: none */
	enum match_mode filter_mode;

	/*
	 * The rows of the call tree; none: only the first levels, as when the view is opened. They belong to the present
	 * tree and zoom; whoever replaces the tree makes them again with call_rows_reopen().
	 */
	struct call_rows calls;
};

static inline void shown_init(struct shown *s)
{
	*s = (struct shown){.function = NO_SYMBOL, .sort = N_TOP_COLUMNS, .filter_mode = MATCH_TEXT};
}

static inline void shown_deinit(struct shown *s)
{
	free(s->filter);
	call_rows_deinit(&s->calls);
	shown_init(s);
}

#endif
