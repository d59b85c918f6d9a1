/*
 * flametop.h - libflametop: reads profiles, makes views of them, walks and searches these, compares, and exports.
 *
 *	struct flametop_profile *p = flametop_profile_new();
 *	flametop_profile_add_file(p, "out.perf", FLAMETOP_NEW);
 *	flametop_profile_load(p);
 *	struct flametop_view *v = flametop_view_new(p);
 *	flametop_view_set(v, "reverse", "yes");
 *	flametop_view_export(v, "svg", write_bytes, file);
 *	flametop_view_free(v);
 *	flametop_profile_free(p);
 *
 * The library does what `flametop FILE --to=KIND` does, in the same words and with the same bytes: the names and
 * values of options, formats and kinds of files are those of flametop(1). Link with `pkg-config --libs flametop`.
 *
 * Results. A function that can fail returns an enum flametop_status, 0 for success; functions that return a pointer
 * return NULL. flametop_profile_error() has the reason in one line.
 *
 * Memory. If memory runs out inside a call, the call returns FLAMETOP_NO_MEMORY, and everything that the profile
 * and its views hold is freed: they are broken. Each later call on them returns FLAMETOP_NO_MEMORY, NULL or 0, and
 * they can only be freed. Texts that came from them must not be read any more. A bug that the library notices ends
 * a call in the same way, with FLAMETOP_FAILED and an error that begins with "internal error".
 *
 * Ownership. The caller frees what the functions called _new return, views before their profile. The library copies
 * all texts, bytes and paths that it is given, before the call returns. A text that it returns belongs to the
 * profile or the view, and says here how long it lives. Texts end in a NUL byte. Names in profiles may be any
 * bytes; those that are returned have control characters and invalid UTF-8 made visible, unless they are called
 * raw.
 *
 * Threads. There is nothing that profiles share: different profiles, each with its views, can be used by different
 * threads at the same time. A profile with its views is for one thread at a time; a second call while one runs,
 * also one from a callback, returns FLAMETOP_USAGE and does nothing, also to free one. flametop_profile_load() uses
 * threads of its own (the option "jobs"), which have ended when it returns. The functions without a profile can be
 * called at any time.
 *
 * Process. The library ends no process, installs no signal handler, and does not write to standard error; notes go
 * to flametop_profile_on_note(). Reading some recordings starts other programs (perf, addr2line, as the manual
 * says), and waits for them. SIGPIPE is blocked in the calling thread during calls that write.
 *
 * Locale. Numbers are read and written as in the C locale, whatever the caller has set. The calling thread is in a
 * locale of its own (uselocale) until the call returns, so functions of the caller that a call calls (of notes, bytes
 * and files) also print 1.5 with a point. All else is as it was in the thread when it made the profile.
 *
 * Weights are whole numbers of the event's unit, times 10^flametop_profile_decimals(). Times are in nanoseconds.
 * Structures that functions fill grow only at their end: set `size` to sizeof the structure before the call.
 */
#ifndef FLAMETOP_H
#define FLAMETOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define FLAMETOP_API __attribute__((visibility("default")))
#else
#define FLAMETOP_API
#endif

struct flametop_profile;
struct flametop_view;

enum flametop_status {
	FLAMETOP_OK = 0,
	FLAMETOP_FAILED = 1,    /* the input, a file or the system is to blame, or lacks what the view asks for */
	FLAMETOP_USAGE = 2,     /* the call is: an unknown option, a bad value, the wrong order of calls */
	FLAMETOP_NO_MEMORY = 3, /* the profile and its views are broken, see above */
};

/* The two sides of a comparison. Without a baseline there is none. */
enum flametop_side { FLAMETOP_NEW = 0, FLAMETOP_BASELINE = 1 };

/* "1.0.0"; static. */
FLAMETOP_API const char *flametop_version(void);

/* ---- names that options accept ------------------------------------------------------------------------------- */

/* The i-th kind of file for flametop_view_export(), such as "svg"; NULL: there are no more. Static. */
FLAMETOP_API const char *flametop_kind(size_t i);
/* The i-th format for the option "format", such as "perf"; NULL: there are no more. Static. */
FLAMETOP_API const char *flametop_format(size_t i);

/* What an option acts on. */
enum flametop_stage {
	FLAMETOP_READING, /* on loading: flametop_profile_set() */
	FLAMETOP_VIEWING, /* on a view and its files: flametop_view_set() */
};

struct flametop_option {
	size_t size;
	const char *name; /* as for --NAME; all texts are static */
	const char *arg;  /* what its value is, as "N" or "[WHEN]"; NULL: yes or no */
	const char *help; /* part of a sentence */
	enum flametop_stage stage;
};

/* Fills *option with the i-th option that the library accepts. 0: filled; FLAMETOP_USAGE: there are no more. */
FLAMETOP_API int flametop_option(size_t i, struct flametop_option *option);

/* A name that an option takes as its value. */
struct flametop_word {
	size_t size;
	const char *word; /* "perf"; both texts are static */
	const char *help; /* what it stands for, in a few words */
};

/*
 * Fills *word with the i-th name for an option, in the order of its list in the program: "format", "colors"
 * (palettes), or "to" (kinds of files for flametop_view_export()). 0: filled; FLAMETOP_USAGE: there are no more, or
 * the option is another.
 */
FLAMETOP_API int flametop_word(const char *option, size_t i, struct flametop_word *word);

/* ---- profiles ------------------------------------------------------------------------------------------------ */

/* An empty profile, without inputs. NULL: out of memory. */
FLAMETOP_API struct flametop_profile *flametop_profile_new(void);
/* Its views must have been freed. NULL is fine. */
FLAMETOP_API void flametop_profile_free(struct flametop_profile *);

/*
 * Why the last call on the profile, or on one of its views, failed; "" if none did. Lives until the next call on
 * them that can fail.
 */
FLAMETOP_API const char *flametop_profile_error(const struct flametop_profile *);

/*
 * Notes: what was skipped, left out or rounded, and options that had no effect, one line each, as the program
 * prints them on standard error. `text` lives until the function returns. It must return (no longjmp, no exception)
 * and not use the profile. note NULL: notes are dropped.
 */
typedef void flametop_note(void *arg, const char *text);
FLAMETOP_API void flametop_profile_on_note(struct flametop_profile *, flametop_note *note, void *arg);

/*
 * Sets an option of reading ("format", "event-filter", "jobs", ...), before loading. value: as on the command line;
 * for an option without one "yes" or "no"; NULL: as if it had never been set. Options that may be repeated add up.
 */
FLAMETOP_API int flametop_profile_set(struct flametop_profile *, const char *name, const char *value);

/*
 * Add an input, before loading; several of one side are added up. The format is detected, and gzip, zstd and xz are
 * unpacked. A path "-" is standard input. Bytes that are given at once, or by a function, go to a file without a
 * name while they are read (in memory where the system has such files), so that every format can be read from them;
 * `name` is for messages.
 */
FLAMETOP_API int flametop_profile_add_file(struct flametop_profile *, const char *path, enum flametop_side side);
FLAMETOP_API int flametop_profile_add_memory(struct flametop_profile *, const char *name, const void *bytes,
                                             size_t n, enum flametop_side side);
/*
 * Writes up to n bytes to `bytes` and returns their number; 0: there are no more; below 0: reading failed. Called
 * by flametop_profile_load(), on its thread. It must return, and not use the profile.
 */
typedef ptrdiff_t flametop_read(void *arg, void *bytes, size_t n);
FLAMETOP_API int flametop_profile_add_callback(struct flametop_profile *, const char *name, flametop_read *read,
                                               void *arg, enum flametop_side side);

/* Reads all inputs, once. After a failure the profile can only be freed. */
FLAMETOP_API int flametop_profile_load(struct flametop_profile *);

/*
 * What was read. All texts live as long as the profile. Before loading, and of a broken profile, everything is 0 or
 * NULL, and functions with a status return it.
 */
FLAMETOP_API const char *flametop_profile_format(const struct flametop_profile *); /* of the first input */
FLAMETOP_API unsigned flametop_profile_decimals(const struct flametop_profile *);

struct flametop_event {
	size_t size;
	const char *name;  /* "cycles"; "unnamed samples" */
	const char *unit;  /* "samples", "ns", "bytes", ... */
	uint64_t total[2]; /* weight, by side */
	uint64_t samples;  /* of the new profile */
};

/* The events, or columns of values: their number, and the i-th. */
FLAMETOP_API size_t flametop_profile_events(const struct flametop_profile *);
FLAMETOP_API int flametop_profile_event(struct flametop_profile *, size_t i, struct flametop_event *event);

struct flametop_thread {
	size_t size;
	const char *name;
	int64_t pid, tid; /* -1: unknown */
};

/* The threads that the input names; number 0 stands for "unknown". */
FLAMETOP_API size_t flametop_profile_threads(const struct flametop_profile *);
FLAMETOP_API int flametop_profile_thread(struct flametop_profile *, size_t i, struct flametop_thread *thread);

#define FLAMETOP_NO_TIME UINT64_MAX
#define FLAMETOP_NO_CPU UINT32_MAX

/* An entry of the log: a sample, or several equal ones. */
struct flametop_sample {
	size_t size;
	uint64_t weight; /* of all its samples */
	uint64_t count;  /* how many these are */
	uint64_t time;   /* on the profiler's clock, or FLAMETOP_NO_TIME */
	uint32_t event;  /* number of its event */
	uint32_t thread; /* number of its thread */
	uint32_t cpu;    /* or FLAMETOP_NO_CPU */
	uint32_t stack;  /* for flametop_profile_stack() */
};

/* The entries of a side, in the order of the input where that is known. */
FLAMETOP_API size_t flametop_profile_samples(const struct flametop_profile *, enum flametop_side side);
FLAMETOP_API int flametop_profile_sample(struct flametop_profile *, enum flametop_side side, size_t i,
                                         struct flametop_sample *sample);
/*
 * The raw names of a stack's frames, the outermost first: writes at most `most` of them to names (may be NULL if
 * most is 0), and returns how many the stack has.
 */
FLAMETOP_API size_t flametop_profile_stack(const struct flametop_profile *, uint32_t stack, const char **names,
                                           size_t most);

/* ---- views --------------------------------------------------------------------------------------------------- */

/* A view of a loaded profile, with the usual options. NULL: flametop_profile_error() says why. */
FLAMETOP_API struct flametop_view *flametop_view_new(struct flametop_profile *);
FLAMETOP_API void flametop_view_free(struct flametop_view *); /* NULL is fine */

/*
 * Sets an option of the view or of its files ("reverse", "focus", "zoom", "search", "width", "title", ...), as
 * flametop_profile_set() does. After a failure the view is as before. Whether the profile has the frame, event or
 * thread that it names, flametop_view_update() finds out.
 */
FLAMETOP_API int flametop_view_set(struct flametop_view *, const char *name, const char *value);
/* As if nothing had been set. */
FLAMETOP_API int flametop_view_reset(struct flametop_view *);

/* The same for what is common. NULL ends what the text asks for. */
FLAMETOP_API int flametop_view_set_event(struct flametop_view *, const char *name);
FLAMETOP_API int flametop_view_set_thread(struct flametop_view *, const char *name_or_tid);
FLAMETOP_API int flametop_view_set_time(struct flametop_view *, double from,
                                        double to); /* seconds; to = 0: the end */
FLAMETOP_API int flametop_view_set_reverse(struct flametop_view *, int is_reversed);
FLAMETOP_API int flametop_view_set_chart(struct flametop_view *, int is_chart);
FLAMETOP_API int flametop_view_set_zoom(struct flametop_view *, const char *path); /* "main;read" */
FLAMETOP_API int flametop_view_set_search(struct flametop_view *, const char *regex);

/*
 * Makes the tree that the options ask for, with zoom and search, if it is not there yet. Each function below does
 * this first, and returns what it returns. Calling it has the notes, and failures, at a known place. After a
 * failure the options are as they were, and the view has no tree.
 */
FLAMETOP_API int flametop_view_update(struct flametop_view *);

/* ---- the tree ------------------------------------------------------------------------------------------------ */

#define FLAMETOP_NO_NODE UINT32_MAX

/*
 * A frame of the tree. Node 0 is "all"; the nodes are in preorder, so the subtree of i is i up to, without, `end`:
 * its first child is i + 1 if that is below `end`, and the next sibling of a child is the `end` of that child.
 */
struct flametop_node {
	size_t size;
	uint32_t parent; /* of node 0: 0 */
	uint32_t end;
	uint32_t depth;                 /* frames from "all", which has 0 */
	uint32_t symbol;                /* number of its function: the same for all frames of it */
	uint64_t self, total;           /* without and with its subtree */
	uint64_t base_self, base_total; /* the same in the baseline */
	uint64_t position;              /* x in the picture: weight to the left of it */
	uint64_t from, to;              /* in a chart with a time axis: ns from the first sample; else 0 */
	const char *name;               /* as the screen shows it; lives until the view is set or freed */
	const char *raw_name;           /* as in the profile; lives as long as the profile */
	int is_match;                   /* of the search */
	int is_gap;                     /* of a chart: no frame, but time of its parent between two callees */
};

/* How many nodes there are, at least 1. */
FLAMETOP_API int flametop_view_nodes(struct flametop_view *, uint32_t *n);
FLAMETOP_API int flametop_view_node(struct flametop_view *, uint32_t i, struct flametop_node *node);
/* The node of a path of names from the outermost frame on, separated by ';'. FLAMETOP_FAILED: there is none. */
FLAMETOP_API int flametop_view_find(struct flametop_view *, const char *path, uint32_t *node);
/* Where "zoom" led: 0 without one. */
FLAMETOP_API int flametop_view_zoomed(struct flametop_view *, uint32_t *node);

/* A function below the zoom: all frames of a name. */
struct flametop_function {
	size_t size;
	const char *name; /* as the screen shows it; lives until the view is set or freed */
	uint32_t symbol;
	uint32_t frames;      /* nodes */
	uint64_t self, total; /* total counts a recursion once */
	uint64_t base_self, base_total;
};

/*
 * How many there are, and the i-th in the order of the table: by self weight, unless "table-sort" says otherwise.
 */
FLAMETOP_API int flametop_view_functions(struct flametop_view *, size_t *n);
FLAMETOP_API int flametop_view_function(struct flametop_view *, size_t i, struct flametop_function *function);

/* ---- search -------------------------------------------------------------------------------------------------- */

struct flametop_matches {
	size_t size;
	uint64_t frames; /* matching frames at or below the zoom */
	uint64_t weight; /* of these; one inside another counts once */
	uint64_t of;     /* weight of the zoom */
};

/* What the option "search" found; all 0 without it. */
FLAMETOP_API int flametop_view_matches(struct flametop_view *, struct flametop_matches *matches);
/* The first matching node at or after `from`, in the order of the tree; FLAMETOP_NO_NODE: none. */
FLAMETOP_API int flametop_view_next_match(struct flametop_view *, uint32_t from, uint32_t *node);

/* ---- comparison ---------------------------------------------------------------------------------------------- */

/* Shares are percentages of the whole; weights are compared where the program does that (the option "absolute"). */
struct flametop_change {
	double before, after, delta; /* percent and percentage points; or weight */
	double error;                /* standard error of delta; 0: unknown */
	int is_noise;                /* chance explains it */
};

struct flametop_difference {
	size_t size;
	const char *name; /* as the screen shows it; lives until the view is set or freed */
	uint32_t symbol;
	struct flametop_change self, total;
	uint64_t self_before, self_after, total_before, total_after; /* weights */
};

/*
 * The functions of a comparison: first those whose self grew, then those whose self shrank, then the others, the
 * greatest change of each first. is_of_shares may be NULL. FLAMETOP_USAGE: there is no baseline, or the view shows
 * none.
 */
FLAMETOP_API int flametop_view_differences(struct flametop_view *, size_t *n, int *is_of_shares);
FLAMETOP_API int flametop_view_difference(struct flametop_view *, size_t i, struct flametop_difference *difference);

enum flametop_verdict {
	FLAMETOP_PASSES,
	FLAMETOP_GREW,    /* some function grew by more than the limit; a note names each */
	FLAMETOP_NOTHING, /* there is nothing to judge; a note says why */
};

/* --fail-above: did a function grow by more than `points` percentage points, and by more than chance explains? */
FLAMETOP_API int flametop_view_judge(struct flametop_view *, double points, enum flametop_verdict *verdict);

/* ---- export -------------------------------------------------------------------------------------------------- */

/*
 * Takes the next n bytes of a file, n > 0. 0: taken; else the export ends, and fails. It must return, and not use
 * the profile.
 */
typedef int flametop_write(void *arg, const void *bytes, size_t n);
/* Writes the view as a file of this kind. After a failure, part of it may have been written. */
FLAMETOP_API int flametop_view_export(struct flametop_view *, const char *kind, flametop_write *write, void *arg);

#ifdef __cplusplus
}
#endif

#endif
