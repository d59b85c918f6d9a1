/*
 * options.h - the command line. One table drives the parser, --help, the manual's OPTIONS and the completions.
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
#include "model/shown.h"
#include "sources/source.h"

/* Quantity of a comparison. Default: shares, but weights for stacks of two columns. */
enum compare_by { COMPARE_AS_USUAL, COMPARE_SHARES, COMPARE_WEIGHTS };

enum color_when { COLOR_AUTO, COLOR_NEVER, COLOR_16, COLOR_256, COLOR_TRUE };

/* The terminal's background; auto: asks the terminal. */
enum background { BACKGROUND_AUTO, BACKGROUND_DARK, BACKGROUND_LIGHT };

/* A `bind` line of the configuration, checked. */
struct key_binding {
	const char *key, *command;
};

/* Who takes samples. */
enum record_with { WITH_AUTO, WITH_FLAMETOP, WITH_PERF, WITH_DTRACE, WITH_XCTRACE };

/* Are functions of interpreters recorded? auto: of single processes, commands and control groups. */
enum record_languages { LANGUAGES_AUTO, LANGUAGES_NONE };

struct record_options {
	bool is_record; /* `flametop record` */
	bool is_sample; /* `flametop sample`: options.output is the recording */
	const char *frequency, *event, *call_graph, *duration, *record_args, *sudo_flags, *perfdata, *post_process,
		*compression, *cgroup, *build;
	enum record_with with;
	enum record_languages languages;
	unsigned io;               /* kinds of system calls (perfdata/io_calls.h); 0: none */
	unsigned viewer;           /* process that shows the samples of `flametop sample`; 0: none */
	const char **pids, **tids; /* NULL-terminated or NULL */
	bool all_cpus, idle, off_cpu, ptrace, memory, enable_perfmap, no_inline, root, open, verbose, ignore_status,
		keep_data;
	char **command; /* NULL-terminated, points into argv, what cargo has built into the arena; NULL: none */
};

/* What a name of --unit-test and --unit-bench means. */
enum unit_kind { UNIT_ANY, UNIT_LIB, UNIT_BIN };

/* `cargo flametop`: what to build. Texts that were not given are NULL. */
struct cargo_options {
	bool is_cargo;
	const char *bin, *example, *test, *bench;
	const char *unit_test, *unit_bench; /* "" without a name */
	enum unit_kind unit_kind;
	const char *package, *manifest_path, *features, *profile, *target;
	bool all_features, no_default_features, dev;
	bool release;     /* which is the default */
	char **arguments; /* of the program, NULL-terminated, points into argv; NULL: none */
};

/* --view and the options that go with it: what becomes view.shown. */
struct shown_options {
	enum shown_view view;
	bool is_chart;        /* --view=chart */
	bool is_beside;       /* graph and table, as --view=flame,table; view is the first of them */
	bool has_heat;        /* --view=heat, or over another view as --view=table,heat */
	const char *function; /* its name, or the pattern; NULL: none */
	bool is_pattern;      /* --function=/REGEX/ */
	enum match_mode mode; /* of the pattern */
	const char *cursor;   /* path; NULL: none */
	bool is_on_cell;      /* the path ended in ";@cell" */
	struct span span;     /* --zoom-time; to = 0: none given */
	const char *folded;   /* numbers of lanes, from 1, or "all"; NULL: none */
	size_t scroll[2];     /* as in struct shown */
	enum top_column sort; /* N_TOP_COLUMNS: none given */
	bool is_ascending;
	const char *filter;          /* of the table; NULL: none */
	bool wants_code;             /* instructions, in the view of lines */
	const char **expanded;       /* paths, NULL-terminated; NULL: none given */
	uint64_t heat_at, heat_mark; /* as in struct shown */
};

struct option_row;

/* An option as given; value NULL: none. */
struct option_given {
	const struct option_row *row;
	const char *value;
	bool is_foreign; /* by another program's name for it */
};

struct options {
	/* input */
	const char **files; /* n_files, owned array */
	size_t n_files;
	const char **diffs; /* --diff=BASE, n_diffs */
	size_t n_diffs;
	bool lacks_names;           /* an input has no name by which a command could read it again */
	enum compare_by compare_by; /* --normalize, --absolute */
	struct collapse_options collapse;
	struct source_options source;
	const char *push;          /* address for the recorded profile; NULL: none */
	const char *listen;        /* --listen=ADDRESS; NULL: no */
	double listen_seconds;     /* --duration; 0: until it is ended */
	struct receiver *receiver; /* of --listen; its name is files[0]; NULL: none */
	struct sources sources;    /* addresses among the inputs, whose names take their places */
	bool no_demangle;
	/* view */
	struct recipe recipe; /* complete except event, thread and times, which need the profile */
	bool has_sort;        /* the order of siblings was chosen: the viewer does not put its own in its place */
	const char *event, *thread, *time;
	bool inverted;
	struct shown_options shown;
	const char *zoom, *search;
	enum match_mode search_mode;
	double min_share; /* --minwidth for screen and text, in percent */
	/* output */
	const char *output, *to;
	struct export_options export_;
	const char *const *source_paths; /* --source-path; a NULL ends the list; NULL: none */
	/* terminal */
	enum color_when color;
	enum background background;
	bool ascii, no_mouse, no_ask, no_config;
	const char *keys;
	bool is_script;               /* --screen */
	unsigned columns, rows;       /* size for --screen */
	struct key_binding *bindings; /* in order; owned array */
	size_t n_bindings, cap_bindings;
	struct record_options record; /* also for `cargo flametop`, which builds the command first */
	struct cargo_options cargo;
	bool is_bundle;          /* `flametop bundle`: output is its file, files[0] the recording */
	const char *completions; /* shell */
	bool is_manual;          /* --manual: print the manual page's source */
	bool quiet, verbose;     /* only errors; every note */
	/* private */
	struct option_given *given; /* in order */
	size_t n_given, cap_given;
	struct arena arena; /* strings built while parsing */
};

/* What main() should do after parsing. */
enum options_result {
	OPTIONS_GO,
	OPTIONS_DONE,   /* --help and the like, printed */
	OPTIONS_USAGE,  /* err: exit 2 */
	OPTIONS_FAILED, /* err: exit 1 */
};

void shown_options_init(struct shown_options *);
/* Keeps pointers into argv. Call options_deinit() after any result. */
enum options_result options_parse(struct options *, int argc, char **argv, struct err *);
/* The two steps of options_parse(); between them, options may get other defaults. */
void options_init(struct options *);
enum options_result options_read(struct options *, int argc, char **argv, struct err *);
void options_deinit(struct options *);
/* Was the option of this name given, on the command line or in the configuration? */
bool options_have(const struct options *, const char *name);
/*
 * Takes one option as given (option_set()), and remembers that; is_foreign: by another program's name for it.
 * false: bad value; err does not name the option.
 */
bool options_take(struct options *, const struct option_row *, const char *value, bool is_foreign, struct err *err);
/* false: two of those that were given exclude each other, and err says which. */
bool options_fit_together(const struct options *, struct err *err);
/* Options that act on the input have done so: what is read from now on has none of them. */
void options_drop_input(struct options *);

/* Write the view to a file instead of showing it on a screen? Also if standard output is no terminal. */
bool options_ask_for_file(const struct options *);
/* May the output show lines of functions? */
bool options_show_lines(const struct options *);

/* Can dtrace or xctrace, if one of them records, do what is asked for? false: err says what not. */
bool options_suit_tracer(const struct record_options *, struct err *);

struct view;

/* Puts in defaults of the viewer that files do not have: the order of siblings. */
void options_for_viewer(struct options *);
/*
 * Applies the options to a view of a loaded profile, before the first fold: recipe (event, thread and times looked
 * up in view->profile), orientation, smallest share, kind of comparison. false: the profile lacks the event, the
 * thread, or times.
 */
bool options_apply(const struct options *, struct view *, struct err *);
/*
 * The quantity that the options ask for, or the input if they do not. options_set_quantity(): puts the quantity
 * that a key asks for into the view.
 */
enum diff_quantity options_quantity(const struct options *, const struct profile *);
void options_set_quantity(const struct options *, struct view *, enum diff_quantity);
/* Did the user choose the displayed event or value, so that notes need not mention others? */
bool options_chose_event(const struct options *, const struct profile *);
/*
 * The event that is shown if --event names none: by --value, else the main one of the profile; -1, all of them,
 * with --split=event.
 */
#define ALL_EVENTS "all" /* --event: together, if they have one unit */
int32_t options_default_series(const struct options *, const struct profile *, const struct recipe *);
/* The first option given that needs two profiles, or NULL. */
const char *options_needing_base(const struct options *);
/*
 * Adds a warning for each option that has nothing to act on in this profile: those that compare, --negate included,
 * if it is the only one, and --frames without functions of a language.
 */
void options_note_idle(const struct options *, const struct profile *, struct report *to);
/* Warns on standard error of options that do not affect this kind of file. */
void options_say_idle(const struct options *, const struct export_kind *, bool has_colors);
/*
 * Likewise of options that have nothing to act on in this view: those about the time axis of a file that could show
 * one, those for colours of a comparison, and the like.
 */
void options_say_idle_axis(const struct options *, const struct export_kind *, const struct view *);
/* How exact the order of samples must be for the view; an interactive one, also of a page, may change later. */
enum order options_order(const struct options *, bool is_interactive);
/* Does an output need the labels of samples? In the viewer they may be asked for later. */
bool options_need_labels(const struct options *);
/* After the fold: search and zoom. false: no frame at the zoom's path (the view stays at the deepest one found). */
bool options_place(const struct options *, struct view *, struct err *);
bool options_place_zoom(const struct options *, struct view *, struct err *); /* only the zoom */
/*
 * Only view.shown, and the cursor: for the zoomed tree. `sums` are those of the whole tree; NULL: adds them up if
 * needed. false: a frame or function is missing; the rest is as asked for.
 */
bool options_place_shown(const struct options *, struct view *, const struct name_sum *sums, size_t n_sums,
                         struct err *);
/* The same for a file, which ignores places that it does not show. */
bool options_place_in_file(const struct options *, struct view *, struct err *err);
/* Does that depend on the weights or names of the profile, so that it changes while more of it comes in? */
bool options_name_places(const struct options *);

/*
 * Appends a shell command that reproduces the view, with what view.shown says (key `C`). false: but the zoom, the
 * cursor or an open row is on another frame, which has the same path. With `saved`, the name of a file of folded
 * stacks that holds the profile, the command reads that. is_for_file: for a file that names its origin, with the
 * order, and without --jobs, which makes no other file.
 */
bool options_add_command(struct buf *out, const struct options *, const struct view *, const char *saved,
                         bool is_for_file);
/* export_to(), which also tells an SVG the command that shows its view. */
bool options_export(const struct options *, const char *path, const struct export_kind *, const struct view *,
                    const struct export_options *, struct err *);
bool options_export_into(const struct options *, struct output *, const struct export_kind *, const struct view *,
                         const struct export_options *, struct err *);
/* Is an input standard input, or another pipe, which cannot be read again? */
bool options_read_pipe(const struct options *);
/* Is an input fetched, or sent by others, so that reading it again may give something else? */
bool options_fetch(const struct options *);
/*
 * Makes sources of the addresses among the inputs, and blots the secrets out of the words that were given, which
 * other users can read. false: err says what is wrong with one.
 */
bool options_take_sources(struct options *, struct err *err);
/* Do the options about fetching fit together, and the inputs? Called before options_take_sources(). */
bool options_check_sources(const struct options *, struct err *err);
/* Does this option about fetching belong into a copied command? It holds no secret, and writes over no file. */
bool options_repeat_source(const struct option_row *);
/* Warns on standard error of options about fetching where nothing is fetched. */
void options_say_idle_sources(const struct options *);
/* The same of options about recording where a recording is read: --perfdata. */
void options_say_idle_recording(const struct options *);
/*
 * Appends a pattern that matches only this text; with is_whole the whole name, case-sensitive. Names that are not
 * UTF-8 use MATCH_NAME.
 */
void options_add_pattern(struct buf *out, const char *text, bool is_whole);
/* The reverse: appends the text of such a pattern; other patterns unchanged. Returns the mode. */
enum match_mode options_read_pattern(struct buf *out, const char *pattern);

/*
 * The table for parser, help, manual and completions. Rows belong to groups; hidden ones are spellings of other
 * tools.
 */
enum option_group {
	GROUP_INPUT,
	GROUP_SOURCE,
	GROUP_VIEW,
	GROUP_OUTPUT,
	GROUP_SVG,
	GROUP_TERMINAL,
	GROUP_CARGO,
	GROUP_RECORD,
	GROUP_BUNDLE,
	GROUP_SAMPLE,
	GROUP_OTHER,
	GROUP_HIDDEN
};

enum option_kind {
	OPTION_FLAG,   /* bool */
	OPTION_TEXT,   /* const char * */
	OPTION_UINT,   /* unsigned */
	OPTION_REAL,   /* double */
	OPTION_COLOR,  /* const char *, checked */
	OPTION_WORD,   /* an enum: index into `words` */
	OPTION_FILTER, /* one more filter of the recipe */
	OPTION_CALL    /* calls `set` */
};

#define OPTION_MODE_VIEW 1u    /* `flametop`, without `record` */
#define OPTION_MODE_RECORD 2u  /* `flametop record` */
#define OPTION_MODES 3u        /* both of them */
#define OPTION_IN_CONFIG 4u    /* also a line of the configuration file */
#define OPTION_MODE_BUNDLE 8u  /* `flametop bundle` */
#define OPTION_MODE_SAMPLE 16u /* `flametop sample` */
#define OPTION_MODE_CARGO 32u  /* `cargo flametop` */
#define OPTION_REPEATS 64u     /* several of it add up; of others the last one holds */
/* What libflametop does with an option that is not as the others of its group (lib/settings.c). */
#define OPTION_ON_READING 128u /* it acts on reading */
#define OPTION_ON_VIEW 256u    /* it acts on views */
#define OPTION_OF_PROGRAM 512u /* only the program has it */

struct option_row {
	const char *name; /* long name; NULL: only the letter */
	char letter;      /* 0: none */
	const char *arg;  /* NULL: takes no argument; "[X]": optional */
	const char *help; /* part of a sentence, without a full stop */
	enum option_group group;
	unsigned modes;    /* OPTION_MODE_VIEW and all of the above */
	unsigned outputs;  /* enum export_bit: kinds of files that it affects; any option may affect the viewer */
	const char *words; /* values for completion: "a b c", "@files", "@formats", "@kinds", "@palettes"; NULL: free */
	enum option_kind kind;
	size_t offset;   /* in struct options; OPTION_FILTER: enum filter_kind; OPTION_CALL: unused */
	double min, max; /* OPTION_UINT, OPTION_REAL */
	bool (*set)(struct options *, const char *value, struct err *); /* OPTION_CALL */
};

/*
 * Stores a value (NULL: none) for the row. A flag may have one, too: yes or no for option_setting(). false: bad
 * value; err does not name the option.
 */
bool option_set(struct options *, const struct option_row *, const char *value, struct err *err);
/* The option's name in a configuration: --no-mouse is the setting `mouse`. */
const char *option_setting(const struct option_row *);

extern const struct option_row option_table[]; /* ends with a row without name and letter */
const char *option_group_title(enum option_group);

/* Appends the text of `flametop --help` or `flametop record --help`, 80 columns wide. */
void options_add_help(struct buf *out, unsigned mode);
/* --format=help and the like: names and help in two columns. */
void options_add_formats(struct buf *out);
void options_add_kinds(struct buf *out);
void options_add_palettes(struct buf *out);

#endif
