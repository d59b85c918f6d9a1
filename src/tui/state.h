/*
 * state.h - everything the interface knows, and the few functions through which it changes.
 *
 * There is one struct app. Commands change it and say what became stale; state_refresh() rebuilds that; state_paint()
 * makes a grid of it. None of this knows a terminal, so a test or --screen does the same as a person at a keyboard.
 */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/load.h"
#include "model/layout.h"
#include "model/view.h"
#include "options.h"
#include "tui/grid.h"
#include "tui/keys.h"
#include "tui/list.h"
#include "tui/live.h"
#include "tui/prompt.h"
#include "tui/theme.h"
#include "tui/weave.h"
#include "tui/work.h"

struct app;

enum tab { TAB_FLAME, TAB_TOP, TAB_SANDWICH, TAB_CALLS, N_TABS };
#define ON(tab) (1u << (tab))
#define ON_ALL (ON(N_TABS) - 1)

/* Most of what goes on beside is over before a key would seem slow, and then one picture is enough. */
#define PATIENCE_MS 4u

enum motion {
	MOVE_LEFT,
	MOVE_RIGHT,
	MOVE_UP,
	MOVE_DOWN,
	MOVE_PARENT,
	MOVE_TOP,
	MOVE_BOTTOM,
	MOVE_FIRST,
	MOVE_LAST,
	MOVE_PAGE_UP,
	MOVE_PAGE_DOWN,
	MOVE_HALF_UP,
	MOVE_HALF_DOWN,
	MOVE_WHEEL_UP,
	MOVE_WHEEL_DOWN,
};

/* A way to look at the tree. One file each, with one of these at its end. */
struct pane {
	const char *name;
	/* Makes what it shows current for this area; called before anything else after a change. */
	void (*prepare)(struct app *, struct rect);
	void (*paint)(struct app *, struct rect);
	void (*move)(struct app *, enum motion);
	void (*enter)(struct app *);
	void (*click)(struct app *, struct rect, int row, int col, bool is_double);
	/* The function under the cursor; UINT32_MAX: none. */
	uint32_t (*symbol)(const struct app *);
	/* Its frame in the tree, NO_NODE: none in particular. */
	uint32_t (*node)(const struct app *);
	/* Rows shown and rows there are, for the header; what they are called is returned. */
	const char *(*rows)(const struct app *, size_t *first, size_t *last, size_t *all);
};

extern const struct pane flame_pane, top_pane, sandwich_pane, calls_pane;

/* Where somebody was below a frame, so that going deeper finds the way back. */
#define TRAIL_SIZE 4096u
struct trail {
	uint32_t node, child;
};

/* What is too thin to draw in one place: the heaviest of the siblings [first, last] without [from, to]. */
#define MEMBERS_SHOWN 2u
struct members {
	unsigned stamp; /* app.stamp when counted; 0: never */
	uint32_t first, last, from, to;
	uint32_t best[MEMBERS_SHOWN];
	size_t n; /* of all of them */
	uint64_t weight, self;
};

struct flame {
	struct layout layout;
	struct members members; /* under the cursor */
	bool wants_all;         /* lay out every row, however many */
	size_t max_rows;        /* laid out so far; 0: all */
	size_t scroll;          /* row of the layout at the root's edge */
	int height, width;      /* of the area when last prepared */
	unsigned stamp;         /* app.stamp when prepared */
	bool is_named;          /* the cursor was put on this very frame by a search or a list, drawn or not */
	struct trail *trail;    /* TRAIL_SIZE slots */
};

struct top {
	struct table
		table; /* rows; order, and sums where not the whole tree is added up, as long as sums_zoom is the zoom */
	uint32_t sums_zoom;
	struct work *work; /* makes other rows; NULL: none */
	unsigned wanted;   /* app.tree_stamp for which it does, and the zoom then */
	uint32_t wanted_zoom;
	enum top_column sort;
	bool is_ascending;
	char *filter;        /* owned; NULL: none */
	char *filter_before; /* while another one is typed, with the function that was under the cursor */
	uint32_t symbol_before;
	size_t cursor, scroll;
	uint32_t symbol; /* under the cursor, kept over sorting; UINT32_MAX: none yet */
	int height;
	unsigned stamp; /* app.tree_stamp when made; 0: other rows are wanted */
	uint32_t zoom;  /* below which they were */
};

/* What halves of a sandwich depend on. */
struct woven {
	uint32_t symbol; /* UINT32_MAX: there are none */
	unsigned tree;   /* app.tree_stamp */
	int cols;
	char *search; /* owned; NULL: none */
};

struct sandwich {
	uint32_t symbol; /* in the middle; UINT32_MAX: none */
	uint32_t *past;  /* functions that were there before */
	size_t n_past, cap_past;
	struct halves halves;
	struct woven woven;  /* what they are made of */
	struct work *work;   /* makes others; NULL: none */
	struct woven wanted; /* of which it does */
	struct layout layouts[2];
	struct rect areas[2];
	size_t scroll[2];
	enum sandwich_half half;
	uint32_t cursor; /* node in halves.trees[half] */
	unsigned stamp;  /* app.stamp when laid out; 0: never */
};

struct call_row {
	uint32_t node;
	uint32_t sym; /* by which it is found again in another tree */
	uint32_t depth;
	bool is_open;
};

struct calls {
	struct call_row *rows;
	size_t n, cap;
	size_t scroll;
	int height;
	unsigned stamp; /* app.stamp when made; 0: never, or the rows' nodes are those of another tree */
};

/* Time across, and what happened within each slice of it. */
struct heat {
	bool is_open;
	uint64_t *cells; /* rows * cols weights */
	int rows, cols;
	uint64_t first, span;   /* ns; span of the whole, at least 1 */
	uint64_t cell_ns;       /* of one cell */
	uint64_t max, total;    /* of a cell, of all of them */
	int row, col;           /* cursor */
	int mark_row, mark_col; /* the other end of the range; -1: none */
	struct rect area;       /* of the cells on the screen */
};

/* A part of the breadcrumb that can be clicked. */
#define MAX_CRUMBS 64u
struct crumb {
	int col, end;
	uint32_t node;
};

enum end_reason { END_NOT, END_QUIT, END_FAILED };

struct app {
	struct options *options;
	const struct load_input *inputs;
	size_t n_inputs;

	struct profile *profile; /* owned; what is shown: a snapshot while loading */
	struct view view;
	struct facts facts; /* of view.tree */
	struct theme theme;
	struct grid grid;

	enum tab tab;
	struct flame flame;
	struct top top;
	struct sandwich sandwich;
	struct calls calls;
	struct heat heat;
	struct list list;
	struct prompt prompt;
	const struct command **keymap_commands; /* the same order as keymap_keys */
	uint32_t *keymap_keys;
	size_t n_keymap;

	unsigned dirty;                  /* enum dirty */
	unsigned stamp;                  /* grows whenever tree, zoom or smallest share change */
	unsigned tree_stamp;             /* grows whenever the tree changes */
	struct crumb crumbs[MAX_CRUMBS]; /* as painted last */
	size_t n_crumbs;
	char *message; /* owned; NULL: none */
	bool is_error;
	unsigned count;       /* number typed before a key that moves */
	bool is_counting;     /* such a number is under way */
	struct buf clipboard; /* to be sent to the terminal's clipboard */
	bool wants_copy, wants_redraw, wants_suspend;
	char *edit_file; /* owned; to be opened in an editor, NULL: none */
	uint64_t edit_line;
	char *write_over; /* owned; the file that a prompt asks about; NULL: none yet */

	/*
	 * A search that goes on beside the interface: seek and what is sought. Keys that come meanwhile wait for the result,
	 * but for those that edit a prompt; so what is typed ahead means the same however long it takes. So do an Enter that
	 * writes a file and what comes behind it, while a tree is folded that a key has asked for.
	 */
	struct work *seek; /* NULL: none */
	char *sought;      /* owned; NULL: none */
	enum match_mode sought_mode;
	void (*found)(struct app *); /* what is to be done with the result; may be NULL */
	bool is_recount;             /* only a number is missing: keys need not wait */
	struct event *held;
	size_t n_held, cap_held;

	/* The search before an incremental one, for Esc; view.mark is where the cursor stood. */
	struct search before;
	unsigned before_tree;            /* app.tree_stamp */
	bool keeps_before, wants_before; /* there is one; the next search is to leave the present one here */

	/* loading and folding beside the interface; NULL without */
	struct loader *loader;
	struct load_status load;
	struct live live; /* while load.is_live */
	struct work *work;
	struct work *ending; /* a fold that nobody wants any more; the next one waits for its end. NULL: none */
	struct profile *work_profile;         /* the one being folded, if it is not the one shown */
	struct recipe folded;                 /* what the tree was made of, and which profile; NULL: none */
	const struct profile *folded_profile; /* not owned; only compared */
	int wake_fd;                          /* -1: everything in the foreground */
	bool is_frozen;
	bool options_applied; /* those that need the profile */
	bool is_event_chosen; /* by a key: the main one is shown no more */
	bool options_placed;  /* zoom and search of the command line */

	/* last press, for double clicks */
	uint64_t click_ms;
	int click_row, click_col;

	enum end_reason end;
};

void state_init(struct app *, struct options *, const struct load_input *, size_t n, const struct theme *);
void state_deinit(struct app *);
void state_resize(struct app *, int cols, int rows);

/*
 * A new profile to look at; the place is kept. Takes it over. false: the options do not fit it (no such event, no such
 * thread), which matters once it is complete.
 */
bool state_set_profile(struct app *, struct profile *, struct err *);
/* The profile is complete: says what was skipped, and which other events there are. */
void state_loaded(struct app *);

/* One key, click or pasted character. */
void state_event(struct app *, const struct event *, uint64_t now_ms);
/* Rebuilds what is stale. Folding a large profile goes on beside if wake_fd >= 0. */
void state_refresh(struct app *);
/* What went on beside may be done: takes the tree of a fold, the result of a search. */
void state_take_work(struct app *);
/* Something goes on beside. */
static inline bool state_is_busy(const struct app *app)
{
	return app->work || app->ending || app->seek || app->top.work || app->sandwich.work;
}
static inline bool state_is_folding(const struct app *app)
{
	return app->work || (app->ending && app->dirty & DIRTY_TREE);
}
/* A fold that somebody asked for by a key, and may take back: the recipe is again that of the tree. */
bool state_can_stop_fold(const struct app *);
void state_stop_fold(struct app *);
/* Some of it is done and can be taken. */
bool state_has_result(const struct app *);
void state_paint(struct app *);

void state_say(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void state_complain(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * Searches; NULL or an empty pattern clears. What takes long goes on beside if wake_fd >= 0, and `found` (may be NULL) is
 * called when the result is there, maybe before this returns. A search that was going on is dropped. false: a bad pattern,
 * which is complained about; the search before stays.
 */
bool state_search(struct app *, const char *pattern, enum match_mode, void (*found)(struct app *));
/* The next search puts the present one aside; state_restore_search() puts that in force again. */
void state_keep_search(struct app *);
void state_restore_search(struct app *);
void state_forget_kept_search(struct app *);

/* Onto the terminal's clipboard, and says so. */
void state_copy(struct app *, const char *text, size_t len, const char *what);

const struct pane *state_pane(const struct app *);
struct rect state_body(const struct app *);
/* The function and the frame that commands act upon, whatever the view. */
uint32_t state_symbol(const struct app *);
uint32_t state_node(const struct app *);
/* Puts the cursor on this very frame, even if it is too narrow to draw. */
void state_go_to(struct app *, uint32_t node);
void state_set_tab(struct app *, enum tab);
/* Clean name of a symbol. */
const char *state_name(struct app *, uint32_t sym);
/* The view has no weight to show, not even that of a baseline. */
bool state_has_nothing(const struct app *);
/* A weight as it is shown (--factor applied). */
uint64_t state_shown(const struct app *, uint64_t weight);

/* flame.c */
void flame_init(struct flame *);
void flame_deinit(struct flame *);
void flame_forget(struct flame *);    /* the tree is another one */
size_t flame_box(const struct app *); /* of the cursor; NO_BOX */
const struct box *flame_aggregate(
	const struct app *); /* under the cursor; NULL: that is a frame, or another view */
/* Weighted list of siblings; of all that have their place where the cursor is. */
void flame_open_aggregate(struct app *, uint32_t first, uint32_t last);
void flame_open_place(struct app *);
/* Siblings in [first, last] but for those in [from, to]; kept until the cursor or the tree is another one. */
const struct members *flame_members(struct app *, uint32_t first, uint32_t last, uint32_t from, uint32_t to);

/* top.c */
void top_init(struct top *);
void top_deinit(struct top *);
void top_forget(struct top *);    /* the tree is another one; before anything goes that rows are made of */
void top_drop_rows(struct top *); /* and the names are others */
void top_take_rows(struct app *); /* if work is done */
void top_set_filter(struct app *, const char *pattern);
/* The filter and the cursor, for when another filter that is being typed is taken back. */
void top_keep(struct app *);
void top_restore(struct app *);
void top_sort_next(struct app *, int by);
void top_flip(struct app *);
/* Does the row under the cursor say all that the footer could about it: the sums of the whole tree, and the name? */
bool top_shows_numbers(const struct app *);
bool top_shows_name(struct app *);
/* To the next row that the search matches; false: there is none. */
bool top_next_hit(struct app *, bool backwards);

/* sandwich.c */
void sandwich_init(struct sandwich *);
void sandwich_deinit(struct sandwich *);
void sandwich_forget(struct sandwich *); /* the tree is another one */
void sandwich_stop(struct sandwich *);   /* before anything goes that halves are made of */
void sandwich_take_halves(struct app *); /* if work is done */
void sandwich_set(struct app *, uint32_t symbol);
void sandwich_set_heaviest(struct app *); /* for want of a selection */
bool sandwich_back(struct app *);         /* false: there is nothing before */
/* To the next box that the search lights up, may_stay: or this one; false: there is none. */
bool sandwich_next_hit(struct app *, bool backwards, bool may_stay);

/* calls.c */
void calls_init(struct calls *);
void calls_deinit(struct calls *);
void calls_forget(struct calls *);
void calls_hot_path(struct app *);
void calls_show(struct app *, uint32_t node); /* opens what is around it */

/* heat.c */
void heat_init(struct heat *);
void heat_deinit(struct heat *);
void heat_open(struct app *);
void heat_resize(struct app *); /* the same map on another screen: cursor and marked end stay at their times */
void heat_key(struct app *, uint32_t key);
void heat_click(struct app *, int row, int col);
bool heat_is_dragged(const struct app *, int row, int col); /* away from the end that is marked */
void heat_paint(struct app *, struct rect);

/* pick.c: the lists */
void pick_thread(struct app *);
void pick_event(struct app *);
void pick_window(struct app *);
void pick_filter(struct app *);
void pick_stack(struct app *);
void pick_notes(struct app *);
void pick_help(struct app *);

#endif
