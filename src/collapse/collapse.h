/*
 * collapse.h - defines a profile format: how it is recognised, and how its text becomes samples.
 *
 * Each format is one file that ends with its `const struct collapse_format`, and one row in formats.h. A collapser
 * is a push parser: it takes the input in pieces that end at the end of a line (or of a record, see `cut`), and
 * pushes stacks into a sink. It keeps its own state, never recurses over the depth of a stack, and never ends the
 * process: it notes and skips lines that do not parse, and fails only if the rest of the input makes no sense.
 */
#ifndef COLLAPSE_COLLAPSE_H
#define COLLAPSE_COLLAPSE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/file_places.h"
#include "model/origin.h"
#include "model/profile.h"

struct found_files;

/* What to do with stacks of waiting threads. */
enum idle_rule {
	IDLE_MINOR,  /* left out, unless they are more than half of an input */
	IDLE_ALWAYS, /* kept */
	IDLE_NEVER,  /* left out */
};

/* Who reads perf.data recordings. */
enum symbolizer {
	SYMBOLIZER_AUTO, /* flametop, and perf script for what only perf can do */
	SYMBOLIZER_NATIVE,
	SYMBOLIZER_PERF,
};

/* Whether a view needs more than sums by stack, thread, event and processor. */
enum order {
	ORDER_MAY_MATTER, /* a flame chart is possible: a long log without times loses its order */
	ORDER_MATTERS,
	ORDER_IS_NOTHING, /* neither order nor times */
};

/* Inlined functions of recordings that flametop itself reads (perf.data), if it was built with libdw. */
enum collapse_inlines {
	INLINES_SHOWN, /* where debug information is at hand */
	INLINES_LATER, /* not in this pass; profile.lacks_inlines says whether another one would find some */
	INLINES_HIDDEN,
};

/* The collapse options of the command line; zeroed is the default. Strings belong to the caller. */
struct collapse_options {
	const char *format;       /* NULL or "auto": detect */
	const char *event_filter; /* NULL: every event is read */
	const char *events;       /* the recording's events in its order, as in perf record -e; NULL: unknown */
	const char *unit;         /* of weights whose input names none; NULL: samples */
	const char *value;        /* which column; NULL: the format's default first */
	bool pid, tid;            /* tid implies pid */
	bool kernel, jit;         /* --all sets both */
	bool addrs;
	enum collapse_inlines inlines;
	bool inline_; /* those of text, too, and a note where none can be found */
	bool context, srcline;
	bool include_offset;
	size_t most_label_sets; /* different ones that are kept; 0: all */
	bool wants_sites;       /* keep executed lines and addresses (model/sites.h), for views of lines */
	bool keeps_bundles;     /* what they are unpacked into stays until the process ends, for views of lines */
	bool drops_labels;      /* of samples: nothing asks for them, and many different ones take much memory */
	bool no_modules;
	const char *const *skip_after; /* NULL-terminated, or NULL */
	enum idle_rule idle;
	const char *symfs;            /* the recorded files are below it; NULL: under their names */
	bool is_unpacked;             /* the file was just made from another: its time tells nothing */
	bool is_bundle;               /* symfs is an unpacked bundle (`flametop bundle`) */
	struct found_files *found;    /* of a perf.data: gets the files that its names come from; NULL: not needed */
	const char *kallsyms;         /* the recorded kernel's functions; NULL: looked for */
	bool debuginfod;              /* ask servers for programs and debug information that are not here */
	const char *const *path_maps; /* as in base/file_places.h */
	bool is_one_of_several;       /* there are several inputs, to compare or merge */
	bool wake_stack;              /* perf-sched: append the waker's stack */
	bool off_cpu;                 /* take context switches as time off the CPU, in recordings of perf as well */
	uint64_t off_cpu_least;       /* ns: shorter times off the CPU are left out */
	unsigned io;       /* kinds of system calls (perfdata/io_calls.h), also of perf's; 0: all of our own */
	bool shorten_pkgs; /* Java: c.a.d.Pool.borrow instead of com.acme.db.Pool.borrow */
	enum symbolizer symbolizer;
	unsigned jobs;    /* worker threads; 0: as many as this process may use */
	unsigned side;    /* 1: the baseline's log */
	enum order order; /* whether the order and times of samples matter */
	double factor;    /* multiplies counts where they are shown; 0: 1. Weights get decimals for it */
	bool may_fade;    /* --decay can be chosen later: weights get decimals for it, too */
	uint64_t window,
		half_life; /* of the view (recipe.last and .half_life): a live profile may forget what lies outside */
};

/* Where the recorded files are. The texts are those of the options. */
struct file_places collapse_places(const struct collapse_options *);

struct input;

/*
 * One worker's share of the lines of a file that all workers read: the lines whose first `depth` frames hash to
 * this worker. Lines that do not parse belong to worker 0.
 */
struct share {
	unsigned worker, workers;
	size_t depth;
	struct line_numbers { /* line numbers of its samples in each log, if each is an entry of its own (JOIN_NONE) */
		uint64_t *line;
		size_t n, cap;
	} samples[2];
};

/*
 * Where a collapser puts its results. There is one per worker thread and file; its profile is not shared. The
 * loader joins the profiles of several sinks in input order.
 */
struct sink {
	struct profile *profile;
	const struct collapse_options *options;
	/*
	 * Lines before the piece given to feed(); add your own count for messages. A feed() that counts all its lines
	 * may store the sum here; otherwise collapse_feed() counts.
	 */
	uint64_t line;
	const atomic_bool *stop; /* long work ends when it is set, and what was read is of no use; NULL: never */
	struct share *share;     /* NULL: every line is ours */
	uint64_t arrival;   /* arrival time of the piece given to feed(), for samples that take it; 0: they take none */
	bool is_endless;    /* the input may go on for hours: bound the memory for samples held back */
	struct input *file; /* for formats that also read at other places of a plain file; NULL: it is none */
	uint64_t file_first; /* offset of the input in that file: after a byte order mark */
	const struct head
		*head; /* the beginning of the file, also for a worker that starts in its middle; NULL: unknown */
};

static inline bool sink_is_stopped(const struct sink *s)
{
	return s->stop && atomic_load_explicit(s->stop, memory_order_relaxed);
}

/* Shorthands for profile.h. */
static inline struct profile_lacks *sink_lacks(struct sink *s)
{
	return &s->profile->lacks[s->options->side];
}
uint32_t sink_sym(struct sink *, const char *name, size_t len);
/* The symbol for a name that the input does not tell: "[unknown]". */
uint32_t sink_unknown(struct sink *);
/* Interns with every ';' turned into ':' (a ';' would end a frame in the folded format). */
uint32_t sink_frame(struct sink *, const char *name, size_t len);
/*
 * Appends the plain form of a mangled name of a function, without its parameters. false: it is none; a note says so
 * if it stays mangled because it is too long.
 */
bool sink_demangle(struct sink *, const char *name, struct buf *out);
/*
 * Adds a part that very many names may share, such as the module in "libfoo.so+0x1234". Only the first SHARED_MOST
 * bytes of a longer part are taken, with a note: otherwise a long name would take memory for each address in it.
 */
#define SHARED_MOST 1024
void sink_add_shared(struct sink *, struct buf *, const char *part, size_t len);
/*
 * The symbol of a source file or a module. Very many functions and lines share one, so of a path longer than
 * PATH_MOST bytes the middle is cut out, with a note.
 */
#define PATH_MOST 16384
uint32_t sink_file(struct sink *, const char *path, size_t len);
/*
 * The origin of a function in a file. line: 0 if unknown, or if it is in the text, "file:line"; beyond LINE_MOST it
 * is unknown.
 */
struct origin sink_place(struct sink *, const char *file, size_t len, uint64_t line);
/* The symbol of a module; 0: it is unknown, as by "[unknown]". */
uint32_t sink_module_sym(struct sink *, const char *module, size_t len);
/*
 * Tells where the functions of a frame come from (model/origin.h), and returns the symbol for stacks. A length of 0
 * means unknown. line: 0 if unknown.
 */
uint32_t sink_origin(struct sink *, uint32_t frame, const char *module, size_t module_len, const char *file,
                     size_t file_len, uint64_t line);
/* The same for one of both. */
uint32_t sink_module(struct sink *, uint32_t frame, const char *module, size_t len);
uint32_t sink_source(struct sink *, uint32_t frame, const char *file, size_t len, uint64_t line);
/* Adds a sample: frames root first. */
void sink_stack(struct sink *, const uint32_t *frames, size_t n, const struct sample *);
/* Notes a skipped line or record: kind as in err.h, the line's number in the file, and its text. */
void sink_skip(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);
/* Notes something that the user should know once ("counts are truncated to integers"). */
void sink_warn(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);
void sink_info(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);

/*
 * How sure a sniffer is. Detection picks the format whose marks are complete first, counted in bytes from the
 * beginning; at a tie, the earlier row of the table. The result therefore does not depend on how many bytes had
 * arrived. A sniffer keeps these rules:
 *
 * YES      is final: no later byte can change it. A sniffer that says YES to a head says YES to every longer head
 *          that begins with it.
 * NO, MAYBE  count only for a whole head. MAYBE names the format in the message about unknown inputs.
 *
 * Marks that prove something only if no better ones follow (lines that end in numbers) are a YES to a whole head
 * only. If no marks are complete before that, the first format of the table that says YES to the whole head wins.
 */
enum sniff { SNIFF_NO, SNIFF_MAYBE, SNIFF_YES };

/*
 * The decompressed beginning of an input: at most its first COLLAPSE_HEAD bytes, or its first line if that is
 * longer. A byte order mark is already removed. Lines may end in CRLF. Line formats see whole lines only; the last
 * line of the input may lack its newline.
 */
#define COLLAPSE_HEAD (256u << 10)
struct head {
	const char *text;
	size_t len;
	bool is_all;     /* the input ends here */
	bool is_growing; /* more bytes may come that sniffers would see; else the head is whole */
};
/* The next line of [*p, end): without its LF or CRLF; advances *p. false at the end. */
bool head_line(const char **p, const char *end, const char **line, size_t *len);
/* The head without an unfinished last line. */
struct head head_lines(const struct head *);

/* Collapse options that only some formats support. */
enum collapse_effects {
	EFFECT_EVENT_FILTER = 1 << 0,
	EFFECT_VALUE = 1 << 1,
	EFFECT_PID = 1 << 2,
	EFFECT_TID = 1 << 3,
	EFFECT_KERNEL = 1 << 4,
	EFFECT_JIT = 1 << 5,
	EFFECT_ADDRS = 1 << 6,
	EFFECT_INLINE = 1 << 7,
	EFFECT_CONTEXT = 1 << 8,
	EFFECT_SRCLINE = 1 << 9,
	EFFECT_OFFSET = 1 << 10,
	EFFECT_NO_MODULES = 1 << 11,
	EFFECT_SKIP_AFTER = 1 << 12,
	EFFECT_WAKE_STACK = 1 << 13,
	EFFECT_SHORTEN = 1 << 14,
	EFFECT_IDLE = 1 << 15,
	EFFECT_FILES = 1 << 16, /* --symfs, --path-map */
	EFFECT_KALLSYMS = 1 << 17,
	EFFECT_DEBUGINFOD = 1 << 18,
	EFFECT_OFF_CPU = 1 << 19,
	EFFECT_RECORDING = 1 << 20, /* --no-inline, --symbolizer */
	EFFECT_IO = 1 << 21,
};

struct collapse_format {
	const char *name;  /* as in --format=NAME */
	const char *help;  /* one line: which tool writes it, and how */
	bool is_hidden;    /* an alias, not listed */
	bool is_asked_for; /* never detected, needs -f */
	/* why: set to a short reason (static string) for NO and MAYBE, used in the message about unknown inputs. */
	enum sniff (*sniff)(const struct head *, const char **why);

	/* Allocates the state for one sink; NULL with err. */
	void *(*start)(struct sink *, struct err *);
	/*
	 * Takes a piece of whole lines (only the last piece of the input may lack its newline). text[len] is readable
	 * and holds '\n', so a scan for the end of a line needs no bound; up to 64 bytes after it are readable too. A
	 * leading byte order mark is already removed, CR is not. false: fatal, err says why (with a line number).
	 */
	bool (*feed)(void *state, const char *text, size_t len, struct err *);
	/* Ends the input: emits pending samples and frees the state, also after a failed feed() (then ok is false). */
	bool (*finish)(void *state, bool ok, struct err *);

	/*
	 * For formats that hold samples back until they know more (waiting.h): adds to a copy of the profile what
	 * finish() would add if the input ended here. Leaves the state unchanged. NULL: the format holds nothing back.
	 */
	void (*preview)(const void *state, struct profile *copy);

	/*
	 * For formats with independent records, which several threads can read: the length of the longest part of
	 * text[0..len) that ends where a new record may begin, 0 if there is none. NULL: one thread, cut at lines. With
	 * cut, each piece given to feed() begins at a record, and nothing but caches may be carried from piece to
	 * piece.
	 */
	size_t (*cut)(const char *text, size_t len);
	/*
	 * For formats that put each line under its own path: how many leading frames assign the lines to workers so
	 * that all have about as much to do, judged by the head of the file; 0: workers should read ranges (the lines
	 * are sorted), or the frames do not differ. With it, feed() heeds sink->share.
	 */
	size_t (*share_depth)(const struct head *, unsigned workers);
	bool tells_open_end; /* programs write it, not people: a last line without its newline is told */
	bool is_text_stream; /* feed() takes pieces cut anywhere, not only at lines (XML, JSON) */
	bool waits_for_end;  /* lines are kept until the end: compressed ones are bounded like a text stream */
	bool names_events;   /* every sample names its event; else some count something without a name */
	bool has_spans;      /* weights in a unit of time are spans: a sample lasts that long from its time on */
	unsigned effects;    /* collapse_effects: the supported options; the loader warns of all others */
	unsigned decimals;   /* weights are multiples of 10^-decimals; the loader sets profile->decimals */
};

/* Calls feed() and updates sink->line. The sink is the one given to start(). */
/* Tells that the last line has no newline, as in a file that was cut off. */
void collapse_note_open_end(struct sink *, uint64_t line);
bool collapse_feed(const struct collapse_format *, void *state, struct sink *, const char *text, size_t len,
                   struct err *);

/* All formats in the order of detection; ends with NULL. */
extern const struct collapse_format *const collapse_formats[];
/* Finds a format by name (also vtune_mc for vtune-mc, recursive for folded); NULL. */
const struct collapse_format *collapse_find(const char *name);
/*
 * Detects the format. REFUSED: err names the nearest formats, or the kind of file and a remedy. MORE: later bytes
 * may decide; never for a whole head.
 */
enum detection { DETECT_MORE, DETECT_FOUND, DETECT_REFUSED };
enum detection collapse_detect(const struct head *, const struct collapse_format **, const char *file,
                               struct err *);
/*
 * Would folded stacks with this beginning be detected as folded, whatever the file's name? Names in them can look
 * like the magic number of a compressed file, or like another format.
 */
bool collapse_reads_as_folded(const char *text, size_t len, bool is_all);

#endif
