/*
 * app.h - what every part of the viewer may see: profile, view, screen, panes, and messages.
 *
 * There is one struct app for each viewer. Commands change it and say what became stale (enum dirty); refresh.h
 * rebuilds that, and paint.h makes a grid of it. None of this knows a terminal, so a test or --screen does what a
 * person at a keyboard does. What a pane keeps for itself is declared in its own header.
 */
#ifndef TUI_APP_H
#define TUI_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/load/load.h"
#include "model/view.h"
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

/* Most work in the background ends before a key would seem slow, and then one picture is enough. */
#define PATIENCE_MS 4u

/* A way to look at the tree: one file each, which ends with one of these, and a row in tabs.h. */
struct pane {
	const char *name;
	bool shows_tree; /* frames of view.tree, and its cursor is the view's */
	/* Allocates and frees app's pointer to what the pane keeps. */
	void (*init)(struct app *);
	void (*deinit)(struct app *);

	/* Makes what it shows current for this area; called before anything else after a change. */
	void (*prepare)(struct app *, struct rect);
	void (*paint)(struct app *, struct rect);
	void (*move)(struct app *, enum motion);
	void (*enter)(struct app *);
	void (*click)(struct app *, struct rect, int row, int col, bool is_double);
	/* The function under the cursor; NO_SYMBOL: none. */
	uint32_t (*symbol)(const struct app *);
	/* Its frame in the tree, NO_NODE: none in particular. */
	uint32_t (*node)(const struct app *);
	/* For the help: how to read it, sentences with {NAME} for keys; ends with NULL. */
	const char *const *(*lessons)(const struct app *);
	/* Rows shown and rows there are, for the header; returns what they are called. */
	const char *(*rows)(const struct app *, size_t *first, size_t *last, size_t *all);

	/* Comes to the front, with what was selected before (NO_SYMBOL, NO_NODE: nothing). NULL: all the same to it. */
	void (*open)(struct app *, uint32_t symbol, uint32_t node);
	/* The cursor was put on this frame while the pane is in front. NULL: it follows the view's cursor anyway. */
	void (*reveal)(struct app *, uint32_t node);
	/* The tree has become another one. */
	void (*forget)(struct app *);

	/*
	 * What it makes in the background (NULL: nothing now), and the same taken over if it is done. NULL: it has no
	 * such work.
	 */
	struct work *(*work)(const struct app *);
	void (*take)(struct app *);
	/*
	 * The search, or with `all` also the tree, its sums and the names, are about to change: nothing may read them.
	 */
	void (*stop)(struct app *, bool all);
	/* The numbers of symbols mean other names from now on. NULL: it keeps none. */
	void (*drop_names)(struct app *);
};

#define DECLARE_PANE(name, TAB, key, help) extern const struct pane name##_pane;
PANES(DECLARE_PANE)
#undef DECLARE_PANE

/* A part of the breadcrumb that can be clicked. */
#define MAX_CRUMBS 64u
struct crumb {
	int col, end;
	uint32_t node;
};

#define PANE_STATE(name, TAB, key, help) struct name *name;

enum end_reason { END_NOT, END_QUIT, END_FAILED };

struct app {
	struct options *options;
	struct session *session; /* NULL: nothing was recorded */
	const struct load_input *inputs;
	size_t n_inputs;
	struct profile *profile; /* owned; what is shown: a snapshot while loading */
	struct view view;
	struct totals totals; /* of view.tree */
	struct theme theme;
	struct grid grid;
	struct rect body; /* where the view is painted; as of the last refresh or paint */

	enum tab tab;
	const struct pane *const *panes; /* N_TABS of them */
	PANES(PANE_STATE)                /* what each of them keeps: app->flame and so on; owned */
	struct heat *heat;               /* owned */
	bool is_heat_open;
	struct list list;
	struct prompt prompt;
	struct keymap keymap;

	unsigned dirty;                  /* enum dirty */
	unsigned stamp;                  /* grows whenever tree, zoom or smallest share change */
	unsigned tree_stamp;             /* grows whenever the tree changes */
	bool is_named;                   /* a search or a list put the cursor on this very frame, drawn or not */
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
	 * A search in the background: seek and what is sought. Keys that come meanwhile wait for the result, but for
	 * those that edit a prompt; so what is typed ahead means the same however long it takes. So do an Enter that
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

	/* loading and folding in the background; NULL without */
	struct loader *loader;
	struct load_status load;
	struct live live; /* while load.is_live */
	struct work *work;
	struct work *ending; /* a fold whose result is not wanted; the next one waits for its end. NULL: none */
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

void app_init(struct app *, struct options *, const struct load_input *, size_t n, const struct theme *,
              const struct command *commands);
/* Nothing may go on in the background any more. */
void app_deinit(struct app *);
/* A profile that app.profile may become; NULL is allowed. */
void app_free_profile(struct profile *);

/*
 * What the foot of the screen says until the next key; app_complain() in the colour of errors. {NAME} in fmt is the
 * key of that command in the view, as the user may have bound it.
 */
void app_say(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void app_complain(struct app *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Text with {NAME} for the keys of other places than the view. */
void app_say_keys(struct app *, unsigned where, const char *text);
void app_say_nothing(struct app *); /* takes back what it says */
/* Onto the terminal's clipboard, and says so. */
void app_copy(struct app *, const char *text, size_t len, const char *what);

/* The pane in front. */
static inline const struct pane *app_pane(const struct app *app)
{
	return app->panes[app->tab];
}
/* The place that a key is typed in, as an ON() bit. */
unsigned app_where(const struct app *);
void app_set_tab(struct app *, enum tab);
/* The function and the frame that commands act upon, in every view. */
static inline uint32_t app_symbol(const struct app *app)
{
	return app_pane(app)->symbol(app);
}
static inline uint32_t app_node(const struct app *app)
{
	return app_pane(app)->node(app);
}
/* The same function; false: none is selected, which is said. */
bool app_selected(struct app *, uint32_t *sym);
/* Puts the cursor on this very frame, even if it is too narrow to draw. */
void app_go_to(struct app *, uint32_t node);

/* Name of a symbol, clean, and as the profile has it. */
const char *app_name(struct app *, uint32_t sym);
const char *app_raw_name(const struct app *, uint32_t sym);
/* Text with {NAME} for keys of the view. */
void app_add_keys(const struct app *, struct buf *out, const char *text);
/* Opens a prompt; {NAME} in its label is a key of prompts. */
void app_prompt(struct app *, const struct prompt_kind *, const char *text);
/* A list with a title and a hint, in which {NAME} is the key of that command in lists; list_open() shows it. */
void app_begin_list(struct app *, const char *title, const char *hint);
/* Text from elsewhere, as it may be shown here. */
enum utf8_clean_mode app_clean_mode(const struct app *);
void app_add_clean(const struct app *, struct buf *out, const char *text);
/* Of a path, what is behind its last slash; the path itself if that is nothing. */
const char *app_base_name(const char *path);
/* A weight as it is shown (--factor applied). */
uint64_t app_shown(const struct app *, uint64_t weight);
/* That factor; 0: none, or counts would become too large. */
double app_factor(const struct app *);
/* The view has no weight to show, not even that of a baseline. */
bool app_has_nothing(const struct app *);

static inline bool app_is_loading(const struct app *app)
{
	return app->loader && app->load.state == LOAD_RUNNING;
}
static inline bool app_is_folding(const struct app *app)
{
	return app->work || (app->ending && app->dirty & DIRTY_TREE);
}
/* Something goes on in the background. */
bool app_is_busy(const struct app *);
/* Some of it is done and can be taken. */
bool app_has_result(const struct app *);

#endif
