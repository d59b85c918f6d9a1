/*
 * options.h - the command line. One table makes the parser, --help, the manual's OPTIONS and the completions.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "collapse/collapse.h"
#include "export/export.h"
#include "model/fold.h"

/* Of what a comparison is to be; by itself it is of shares, and of weights for stacks of two columns. */
enum compare_by { COMPARE_AS_USUAL, COMPARE_SHARES, COMPARE_WEIGHTS };

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUE };

/* What the background of the terminal is; auto: what it answers when it is asked. */
enum background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT };

/* A `bind` of the configuration, which can be done. */
struct key_binding {
	const char *key, *command;
};

struct record_options {
	bool is_record; /* `flametop record` */
	const char *frequency, *event, *call_graph, *duration, *record_args, *sudo_flags, *perfdata, *post_process,
		*compression;
	const char **pids, **tids; /* NULL-terminated or NULL */
	bool all_cpus, no_inline, root, open, verbose, ignore_status, keep_data;
	char **command; /* NULL-terminated, points into argv; NULL: none */
};

struct option_row;

/* An option as it was given; value NULL: without one. */
struct option_given {
	const struct option_row *row;
	const char *value;
	bool is_foreign; /* by the name that another program has for it */
};

struct options {
	/* input */
	const char **files; /* n_files, owned array */
	size_t n_files;
	const char **diffs; /* --diff=BASE, n_diffs */
	size_t n_diffs;
	enum compare_by compare_by; /* --normalize, --absolute */
	struct collapse_options collapse;
	bool no_demangle;
	/* view */
	struct recipe recipe; /* everything but event, thread, times, which need the profile */
	const char *event, *thread, *time;
	bool inverted;
	const char *zoom, *search;
	enum match_mode search_mode;
	double min_share; /* --minwidth for screen and text */
	/* output */
	const char *output, *to;
	struct export_options export_;
	/* terminal */
	enum color_when color;
	enum background background;
	bool ascii, no_mouse, no_config;
	const char *keys;
	bool is_script;               /* --screen */
	unsigned columns, rows;       /* of it */
	struct key_binding *bindings; /* in order; owned array */
	size_t n_bindings, cap_bindings;
	struct record_options record;
	const char *completions; /* shell */
	bool is_manual;          /* --manual: print the manual page's source */
	bool quiet, verbose;     /* only errors; every note */
	/* private */
	struct option_given *given; /* in order */
	size_t n_given, cap_given;
	struct arena arena; /* strings made while parsing */
};

/* What parsing asks main() to do next. */
enum options_result {
	OPTIONS_GO,
	OPTIONS_DONE,   /* --help and the like, printed */
	OPTIONS_USAGE,  /* err: exit 2 */
	OPTIONS_FAILED, /* err: exit 1 */
};

/* Strings of argv are kept, not copied. On every result options_deinit() is due. */
enum options_result options_parse(struct options *, int argc, char **argv, struct err *);
/* The two steps of it: in between, options may get other values to begin with. */
void options_init(struct options *);
enum options_result options_read(struct options *, int argc, char **argv, struct err *);
void options_deinit(struct options *);

/* Is the view to be written, instead of shown on a screen? Also if standard output is no terminal. */
bool options_ask_for_file(const struct options *);

struct view;

/*
 * What the options say about a view of a loaded profile. Before the first fold: recipe (event, thread and time
 * looked up in view->profile), orientation, smallest share, diff mode. false: the profile has no such event,
 * thread, or no times.
 */
bool options_apply(const struct options *, struct view *, struct err *);
/* The quantity that the options ask for; and one that a key asks for, put into the view. */
enum diff_quantity options_quantity(const struct options *);
void options_set_quantity(const struct options *, struct view *, enum diff_quantity);
/* Was the event or value that is shown asked for, so that the others need no mention? */
bool options_chose_event(const struct options *, const struct profile *);
/* The first option given that makes sense only with two profiles to compare, or NULL. */
const char *options_needing_base(const struct options *);
/* Notes, as a warning, every option that compares, --negate among them, if this profile is the only one. */
void options_note_baseless(const struct options *, struct profile *);
/* Says, on standard error, which options of the command line have no effect on this kind of file. */
void options_say_idle(const struct options *, const struct export_kind *);
/* What the view that they ask for needs of the input; in the viewer that may become another one later. */
enum order options_order(const struct options *, bool is_interactive);
/*
 * After the fold: search and zoom. false: nothing at the zoom's path (the view is at the deepest frame that is
 * there).
 */
bool options_place(const struct options *, struct view *, struct err *);
bool options_place_zoom(const struct options *, struct view *, struct err *); /* alone */

/* Shell words that reproduce the view (the `C` key); appends to out. */
void options_add_command(struct buf *out, const struct options *, const struct view *);
/* One word, quoted where a POSIX shell needs it. */
void options_add_quoted(struct buf *out, const char *word);
/*
 * A pattern that matches this text and nothing else: the whole name if is_whole, with exact case then. A name that
 * is not UTF-8 is one with MATCH_NAME.
 */
void options_add_pattern(struct buf *out, const char *text, bool is_whole);
/* The other way round: appends the text of such an expression, or any other one as it is. */
enum match_mode options_read_pattern(struct buf *out, const char *pattern);

/*
 * The table, for help, manual and completions. Rows stand in groups; hidden ones are aliases of others' habits.
 */
enum option_group {
	GROUP_INPUT,
	GROUP_VIEW,
	GROUP_OUTPUT,
	GROUP_SVG,
	GROUP_TERMINAL,
	GROUP_RECORD,
	GROUP_OTHER,
	GROUP_HIDDEN
};

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_TEXT,   /* const char * */
	OPTION_UINT,   /* unsigned */
	OPTION_REAL,   /* double */
	OPTION_COLOR,  /* const char *, checked */
	OPTION_WORD,   /* an enum: which of `words` */
	OPTION_FILTER, /* one more filter of the recipe */
	OPTION_CALL    /* what the function makes of it */
};

#define OPTION_MODE_VIEW 1u   /* `flametop`: also without `record` */
#define OPTION_MODE_RECORD 2u /* `flametop record` */
#define OPTION_MODES 3u       /* both of them */
#define OPTION_IN_CONFIG 4u   /* also a line of the configuration file */

struct option_row {
	const char *name; /* long name; NULL: only the letter */
	char letter;      /* 0: none */
	const char *arg;  /* NULL: takes no argument; "[X]": may be left out */
	const char *help; /* one sentence part, without a full stop */
	enum option_group group;
	unsigned modes; /* OPTION_MODE_VIEW and the like */
	unsigned
		/*
		 * enum export_bit: the kinds of files on which it has an effect; in the viewer all have one, or may get it
		 */
		outputs;
	const char *words; /* values for completion: "a b c", "@files", "@formats", "@kinds", "@palettes"; NULL: free */
	enum option_kind kind;
	size_t offset;   /* in struct options; OPTION_FILTER: enum filter_kind; OPTION_CALL: nothing */
	double min, max; /* OPTION_UINT, OPTION_REAL */
	bool (*set)(struct options *, const char *value, struct err *); /* OPTION_CALL */
};

/*
 * Puts a value (NULL: none) where the row says. A flag may have one, too: that of option_setting(), yes or no.
 * false: it is not a good one; err does not name the option.
 */
bool option_set(struct options *, const struct option_row *, const char *value, struct err *err);
/* What the option is called in a configuration: --no-mouse is the setting `mouse`. */
const char *option_setting(const struct option_row *);

extern const struct option_row option_table[]; /* ends with a row without name and letter */
const char *option_group_title(enum option_group);

/* The help text of `flametop --help` or `flametop record --help`, 80 columns wide. */
void options_add_help(struct buf *out, unsigned mode);
/* --format=help and its like: names and help in two columns. */
void options_add_formats(struct buf *out);
/* The formats that are no aliases, by name; free() the array. */
const struct collapse_format **options_formats(size_t *n);
void options_add_kinds(struct buf *out);
void options_add_palettes(struct buf *out);

#endif
