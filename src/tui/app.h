/*
 * app.h - the state shared by all parts of the viewer: profile, view, screen, panes, and messages.
 *
 * There is one struct app per viewer. Commands change it and report what became stale (enum dirty); refresh.h
 * rebuilds that, and paint.h paints it onto a grid. None of this needs a terminal, so a test or --screen does the
 * same as a user at a keyboard. Each pane declares its own state in its own header.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/cells.h"
#include "options.h"
#include "session.h"
#include "tui/grid.h"
#include "tui/keymap.h"
#include "tui/keys.h"
#include "tui/list.h"
#include "tui/live.h"
#include "tui/motion.h"
#include "tui/prompt.h"
#include "tui/theme.h"
#include "tui/work.h"

struct app;

/* Most background work ends before a key would seem slow; then one picture is enough. */
#define PATIENCE_MS 4u

/* A way to look at the tree. Each has a file that ends with one of these, and a row in tabs.h. */
struct pane {
	const char *name;
	enum shown_view view;
	bool shows_tree; /* shows frames of view.tree, and its cursor is the view's */
	/* Allocate and free app's pointer to the pane's state. */
	void (*init)(struct app *);
	void (*deinit)(struct app *);

	/* Updates the pane for this area; called first after a change. */
	void (*prepare)(struct app *, struct rect);
	void (*paint)(struct app *, struct rect);
	void (*move)(struct app *, enum motion);
	void (*enter)(struct app *);
	void (*click)(struct app *, struct rect, int row, int col, bool is_double);
	/* The function under the cursor; NO_SYMBOL: none. */
	uint32_t (*symbol)(const struct app *);
	/* Its frame in the tree, NO_NODE: no single one. */
	uint32_t (*node)(const struct app *);
	/* Explains the pane in the help: sentences with {NAME} for keys, then NULL. */
	const char *const *(*lessons)(const struct app *);
	/* Rows shown and rows in all, for the header; returns the word for them. */
	const char *(*rows)(const struct app *, size_t *first, size_t *last, size_t *all);

	/*
	 * The pane comes to the front; symbol and node were selected before (NO_SYMBOL, NO_NODE: nothing). NULL: not
	 * needed.
	 */
	void (*open)(struct app *, uint32_t symbol, uint32_t node);
	/* Writes the pane's state, for a file or a command; *shown is as after shown_init(). The pane is prepared. */
	void (*tell)(const struct app *, struct shown *);
	/*
	 * Takes over the state in view.shown: what needs a layout in the next prepare(), and if another pane is in
	 * front only what applies when this one is opened.
	 */
	void (*show)(struct app *, bool is_in_front);
	/*
	 * The cursor was put on this frame while the pane is in front. NULL: the pane follows the view's cursor anyway.
	 */
	void (*reveal)(struct app *, uint32_t node);
	/* The tree was replaced. */
	void (*forget)(struct app *);

	/*
	 * Background work of the pane (NULL: none now), and a function that takes its result over if it is done. NULL:
	 * the pane has no such work.
	 */
	struct work *(*work)(const struct app *);
	void (*take)(struct app *);
	/*
	 * The search, or with `all` also the tree, its sums and the names, are about to change: stops all work that
	 * reads them.
	 */
	void (*stop)(struct app *, bool all);
	/* From now on symbol numbers stand for other names. NULL: the pane keeps none. */
	void (*drop_names)(struct app *);
};

#define DECLARE_PANE(name, TAB, key, help) extern const struct pane name##_pane;
PANES(DECLARE_PANE)
#undef DECLARE_PANE

/* A clickable part of the breadcrumb. */
#define MAX_CRUMBS 64u
struct crumb {
	int col, end;
	uint32_t node;
};

#define PANE_STATE(name, TAB, key, help) struct name *name;

/* See listing.h. */
struct listing {
	struct work *work;                         /* NULL: none now */
	void (*begin)(struct app *);               /* begins it again; NULL: no list is wanted */
	void (*take)(struct app *, struct work *); /* ends the work, which is done, and opens the list */
};

enum end_reason { END_NOT, END_QUIT, END_FAILED };

/* Of a profile, before anything is loaded. */
enum choice { CHOICE_NONE, CHOICE_OPEN, CHOICE_MADE };

/* Where the view is in a tree. */
struct tree_place {
	uint32_t zoom, cursor, mark;
	size_t n_back;
};

/* While the early tree of a fold is shown, what was there before (early.h). */
struct early {
	bool is_shown;
	struct tree tree;                /* owned, as is back: the one before */
	struct tree_place before, first; /* in the tree before; in the early one, before the user moved */
	uint32_t *back;
};

struct app {
	struct options *options;
	struct session *session; /* NULL: there is no recording */
	const struct load_input *inputs;
	size_t n_inputs;
	struct profile *profile; /* owned; the profile shown, a snapshot while loading */
	struct view view;
	struct totals totals; /* of view.tree */
	struct theme theme;
	struct grid grid;
	struct rect body; /* area of the view at the last refresh or paint */

	enum tab tab;                    /* the view with the keys */
	bool is_beside;                  /* graph and table side by side where the screen is wide enough, see wide.h */
	const struct pane *const *panes; /* N_TABS of them */
	PANES(PANE_STATE)                /* what each of them keeps: app->flame and so on; owned */
	struct lanes *lanes;             /* of the flame pane; owned */
	struct heat *heat;               /* owned */
	bool is_heat_open;
	struct list list;
	struct prompt prompt;
	struct keymap keymap;

	unsigned dirty;                  /* enum dirty */
	unsigned stamp;                  /* grows whenever the tree, the zoom or the smallest share changes */
	unsigned tree_stamp;             /* grows whenever the tree changes */
	bool is_touched;                 /* a key was pressed or a button */
	uint32_t hot;                    /* the function that hot_next() went to last; NO_SYMBOL: none */
	bool is_named;                   /* a search or a list put the cursor on this frame, drawn or not */
	struct crumb crumbs[MAX_CRUMBS]; /* as last painted */
	size_t n_crumbs;
	char *message; /* owned; NULL: none */
	bool is_error;
	unsigned count;        /* number typed before a motion key */
	unsigned times;        /* how often the command is still to run, this time included */
	bool is_counting;      /* the number is being typed */
	struct buf clipboard;  /* the text copied last */
	bool has_terminal;     /* copied text can be sent to it */
	bool never_asks;       /* quit without a question */
	bool is_asking;        /* the question is open; see tui/quit.h */
	bool is_only_copy[2];  /* profile or baseline came through a pipe or from a recording that is stored nowhere */
	struct saved_samples { /* of each event, of the profile and the baseline, in files that were written */
		uint64_t *samples[2];
		size_t n; /* events */
	} saved_samples;
	char *outcome; /* owned; how the recorded command ended, NULL: it runs, or there is none */
	bool wants_redraw, wants_suspend;
	char *edit_file; /* owned; file to open in an editor, NULL: none */
	uint64_t edit_line;
	char *saved; /* owned; folded stacks that hold the whole profile; NULL: not written */
	int32_t saved_series;
	char *write_over; /* owned; existing file that a prompt asks about; NULL: none yet */

	/*
	 * A search in the background: its work and its pattern. Keys typed meanwhile wait for the result, except those
	 * that edit a prompt, so that keys typed ahead mean the same however long it takes. While a tree that a key
	 * asked for is being folded, an Enter that writes a file waits, too, and so do the keys after it.
	 */
	struct work *seek; /* NULL: none */
	char *sought;      /* owned; NULL: none */
	enum match_mode sought_mode;
	void (*found)(struct app *); /* what to do with the result; may be NULL */
	bool is_recount;             /* only a number is missing: keys need not wait */
	struct event *held;
	size_t n_held, cap_held;

	/* A file that is being written. Until its end, profile, tree and search stay as they are, and keys wait. */
	struct work *writing;   /* NULL: none */
	uint64_t writing_since; /* ms; 0: the screen says so */

	struct listing listing; /* a list that is being made: keys wait as for a search */

	/* The search before an incremental one, restored by Esc; view.mark is the cursor's place at that time. */
	struct search before;
	unsigned before_tree;            /* app.tree_stamp */
	bool keeps_before, wants_before; /* `before` is set; the next search should set it */

	/* loading and folding in the background; NULL without */
	struct loader *loader;
	struct load_status load;
	bool is_second_pass; /* of the loader, for inlined functions: the profile on the screen is whole but for them */
	struct live live;    /* while load.is_live */
	struct work *work;
	struct work *ending; /* a fold whose result is not wanted; the next one waits for its end. NULL: none */
	struct profile *work_profile;         /* the profile being folded, if it is not the one shown */
	struct recipe folded;                 /* recipe and profile that the tree was made from; NULL: none */
	const struct profile *folded_profile; /* not owned; only compared */
	struct early early;
	int wake_fd;          /* -1: do everything in the foreground */
	unsigned patience_ms; /* before work goes to the background; 0: all of it, at once */
	bool is_frozen;
	enum choice choice;
	bool options_applied; /* options that need the profile */
	bool is_event_chosen; /* by a key: the viewer no longer follows the main event */
	bool options_placed;  /* zoom and search of the command line */

	/* last press, for double clicks */
	uint64_t click_ms;
	int click_row, click_col;

	enum end_reason end;
};

void app_init(struct app *, struct options *, const struct load_input *, size_t n, const struct theme *,
              const struct command *commands);
/* Nothing may be running in the background. */
void app_deinit(struct app *);
/* Frees a profile that was or would be app.profile; NULL is allowed. */
void app_free_profile(struct profile *);

/*
 * Sets the message at the foot of the screen until the next key. app_complain() uses the colour of errors: it is
 * for what needs attention, because something was lost or failed, not for a key that has nothing to do here. {NAME}
 * in fmt becomes the key of that command in the view, as the user may have bound it.
 */
void app_say(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_complain(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Says a text with {NAME} for keys of other places than the view. */
void app_say_keys(struct app *, unsigned where, const char *text);
void app_say_nothing(struct app *); /* removes the message */

/* The pane in front. */
static inline const struct pane *app_pane(const struct app *app)
{
	return app->panes[app->tab];
}
/* Where a key would be typed, as an ON() bit. */
unsigned app_where(const struct app *);
void app_set_tab(struct app *, enum tab);
/* The function and the frame that commands act on, in every view. */
static inline uint32_t app_symbol(const struct app *app)
{
	return app_pane(app)->symbol(app);
}
static inline uint32_t app_node(const struct app *app)
{
	return app_pane(app)->node(app);
}
/* The same function; false: none is selected, and a message says so. */
bool app_selected(struct app *, uint32_t *sym);
/* For a command that does at once what a count asks for: how many times, at least 1. It is not run again. */
unsigned app_take_times(struct app *);
/* Puts the cursor on this frame, even if it is too narrow to draw. */
void app_go_to(struct app *, uint32_t node);
/* The view has another tree: forgets what was known of the one before. */
void app_tree_changed(struct app *);

/* A symbol's name: cleaned, and raw as in the profile. */
const char *app_name(struct app *, uint32_t sym);
const char *app_raw_name(const struct app *, uint32_t sym);
/* Appends text with {NAME} for keys of the view. */
void app_add_keys(const struct app *, struct buf *out, const char *text);
/* Opens a prompt; {NAME} in its label becomes a key of prompts. */
void app_prompt(struct app *, const struct prompt_kind *, const char *text);
/* Begins a list with a title and a hint; {NAME} in the hint becomes a key of lists. list_open() shows it. */
void app_begin_list(struct app *, const char *title, const char *hint);
/* How to clean foreign text for this screen. */
enum utf8_clean_mode app_clean_mode(const struct app *);
void app_add_clean(const struct app *, struct buf *out, const char *text);
/* The part of a path after its last slash; the whole path if that part is empty. */
const char *app_base_name(const char *path);
/* A weight as shown (--factor applied). */
uint64_t app_shown(const struct app *, uint64_t weight);
/* That factor; 0: none, or counts would become too large. */
double app_factor(const struct app *);

/* How many milliseconds work may take before it goes on in the background. */
unsigned app_patience(const struct app *);
/* The view has no weight to show, not even the baseline's. */
bool app_has_nothing(const struct app *);

static inline bool app_is_loading(const struct app *app)
{
	return app->loader && app->load.state == LOAD_RUNNING;
}
static inline bool app_is_folding(const struct app *app)
{
	return app->work || (app->ending && app->dirty & DIRTY_TREE);
}
/* Is a fold running that a key asked for? */
static inline bool app_can_stop_fold(const struct app *app)
{
	return app_is_folding(app) && !app->work_profile && app->folded_profile == app->profile;
}
/* Is anything running in the background? */
bool app_is_busy(const struct app *);
/* Is a background result ready to be taken? */
bool app_has_result(const struct app *);

#endif
