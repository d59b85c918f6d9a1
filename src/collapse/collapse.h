/*
 * collapse.h - what a profile format is: how it is recognised, and how its text becomes samples.
 *
 * One format, one file, one `const struct collapse_format` at its end, one row in formats.c. A collapser is a push
 * parser: it is given the input in pieces that end at the end of a line (or of a record, see `cut`), and pushes
 * stacks into a sink. It keeps its state in memory of its own, never recurses over the depth of a stack, and never
 * ends the process: what does not parse is noted and skipped, what makes the rest meaningless is an error.
 */
#ifndef COLLAPSE_COLLAPSE_H
#define COLLAPSE_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/profile.h"

/* What becomes of stacks that wait. */
enum idle_rule {
	IDLE_MINOR,  /* left out, unless they are more than half of an input */
	IDLE_ALWAYS, /* kept */
	IDLE_NEVER,  /* left out */
};

/* Who reads perf.data recordings. */
enum symbolizer {
	SYMBOLIZER_AUTO, /* the program itself, and perf script where that knows more */
	SYMBOLIZER_NATIVE,
	SYMBOLIZER_PERF,
};

/* What a view may ask for beyond sums by stack, thread, event and processor. */
enum order {
	ORDER_MAY_MATTER, /* a flame chart, perhaps: if the log gets long and has no times, the order is given up */
	ORDER_MATTERS,
	ORDER_IS_NOTHING, /* neither order nor times */
};

/* The collapse options of the command line; zeroed is the default. Strings belong to the caller. */
struct collapse_options {
	const char *format;       /* NULL or "auto": detect */
	const char *event_filter; /* NULL: every event is read */
	const char *events;       /* of a recording, in its order, as in perf record -e; NULL: unknown */
	const char *value;        /* which column; NULL: the format's default comes first */
	bool pid, tid;            /* tid implies pid */
	bool kernel, jit;         /* --all sets both */
	bool addrs;
	bool inline_, context, srcline;
	bool include_offset;
	bool no_modules;
	const char *const *skip_after; /* NULL-terminated, or NULL */
	enum idle_rule idle;
	bool is_one_of_several; /* inputs, which are compared or merged */
	bool wake_stack;        /* perf-sched: append the waker's stack */
	bool shorten_pkgs;      /* Java: c.a.d.Pool.borrow instead of com.acme.db.Pool.borrow */
	enum symbolizer symbolizer;
	unsigned jobs;    /* worker threads; 0: as many as this process may use */
	unsigned side;    /* 1: the baseline's log */
	enum order order; /* of samples, and their times */
	uint64_t window,
		half_life; /* of the view (recipe.last and .half_life), so that a live profile may forget the rest */
};

struct input;

/*
 * One worker's share of the lines of a file that all workers read: those whose stacks begin with `depth` frames
 * that fall to it. What cannot be read falls to worker 0.
 */
struct share {
	unsigned worker, workers;
	size_t depth;
	struct line_numbers { /* of its samples in each log, if each is an entry of its own (JOIN_NONE) */
		uint64_t *line;
		size_t n, cap;
	} samples[2];
};

/*
 * Where a collapser puts what it found. One per worker thread and file; the profile in it is not shared.
 * Several sinks' profiles are joined by the loader in input order.
 */
struct sink {
	struct profile *profile;
	const struct collapse_options *options;
	/*
	 * Lines before the piece given to feed(): add your own count for messages. A feed() that has counted them all
	 * may leave the sum here; otherwise collapse_feed() counts.
	 */
	uint64_t line;
	struct share *share; /* NULL: every line is ours */
	uint64_t arrival;    /* of the piece given to feed(), for samples that get such a time; 0: they get none */
	bool is_endless;     /* the input may go on for hours: what is held back is to be kept at a bearable size */
	struct input *file;  /* for formats that read elsewhere in a plain file, by input_pread(); NULL: it is none */
	uint64_t file_first; /* where the input begins in it: behind a byte order mark */
	const struct head
		*head; /* the beginning of the file, also for a worker that reads from its middle; NULL: not known */
};

/* Shorthands over profile.h. */
uint32_t sink_sym(struct sink *, const char *name, size_t len);
/* Interns with every ';' turned into ':' (a ';' would end a frame in the folded format). */
uint32_t sink_frame(struct sink *, const char *name, size_t len);
/* A plain sample: frames root first. */
void sink_stack(struct sink *, const uint32_t *frames, size_t n, uint64_t weight);
void sink_stack_full(struct sink *, const uint32_t *frames, size_t n, const struct sample *);
/* A skipped line or record: kind as in err.h, the line's number in the file, and its text. */
void sink_skip(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);
/* Something that everybody should know once ("counts are truncated to integers"). */
void sink_warn(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);
void sink_info(struct sink *, const char *kind, uint64_t line, const char *text, size_t len);

/*
 * How sure a sniffer is. The format of an input is the one whose marks are complete first, counted in bytes from
 * its beginning; where two are complete at once, the earlier one of the table. So it never depends on how many
 * bytes had arrived when the formats were asked. A sniffer keeps to this:
 *
 *	YES      is for ever: no byte that follows can change it. A sniffer that says YES to a head says YES to every
 *	         longer one that begins with it.
 *	NO, MAYBE  count only when the head is whole. MAYBE names the format in the message about unknown inputs.
 *
 * Marks that prove something only if nothing better follows (lines that end in numbers) are a YES to a whole head.
 * If no format's marks were complete before, the first of the table that says YES to the whole head is taken.
 */
enum sniff { SNIFF_NO, SNIFF_MAYBE, SNIFF_YES };

/*
 * The beginning of an input, decompressed: as much as has arrived, at most the first COLLAPSE_HEAD bytes, or the
 * first line if that is longer. A byte order mark is already gone. Lines may end in CRLF. Formats of lines see
 * whole lines only; the last one of the input may lack its newline.
 */
#define COLLAPSE_HEAD (256u << 10)
struct head {
	const char *text;
	size_t len;
	bool is_all;     /* the input ends here */
	bool is_growing; /* more may come that would be looked at; else the head is whole */
};
/* The next line of [*p, end): without its LF or CRLF; advances *p. false at the end. */
bool head_line(const char **p, const char *end, const char **line, size_t *len);
/* Without the line that has not ended yet. */
struct head head_lines(const struct head *);

/* Collapse options that only some formats know. */
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
};

struct collapse_format {
	const char *name;  /* as in --format=NAME */
	const char *help;  /* one line: which tool writes it, how to make one */
	bool is_hidden;    /* an alias, not listed */
	bool is_asked_for; /* never detected, only by -f */
	/* why: set to a short reason for NO and MAYBE (static string), for the message about unknown inputs. */
	enum sniff (*sniff)(const struct head *, const char **why);

	/* State for one sink; NULL with err. */
	void *(*start)(struct sink *, struct err *);
	/*
	 * Takes a piece of whole lines (only the last piece of the input may lack its newline). text[len] is readable
	 * and holds '\n', so a scan for the end of a line needs no bound; up to 64 bytes after that are readable too. A
	 * leading byte order mark is already gone. CR is not stripped. false: fatal, err says why (with a line number).
	 */
	bool (*feed)(void *state, const char *text, size_t len, struct err *);
	/* The input is over: emit what is pending. Frees the state, also after a failed feed() (then ok is false). */
	bool (*finish)(void *state, bool ok, struct err *);

	/*
	 * Formats that hold samples back until they know more (waiting.h): adds to a copy of the profile what finish()
	 * would add if the input ended here. The state stays as it is. NULL: nothing is held back.
	 */
	void (*preview)(const void *state, struct profile *copy);

	/*
	 * Formats whose records are independent of each other can be read by several threads: the length of the longest
	 * part of text[0..len) that ends where a new record may begin, 0 if there is none. NULL: one thread, cut at
	 * lines. With cut, a piece given to feed() always begins at a record, and nothing may be carried over between
	 * pieces except caches.
	 */
	size_t (*cut)(const char *text, size_t len);
	/*
	 * Formats that put every line under its own path: how many frames tell the lines of workers apart so that all
	 * have about as much to do, judged by the beginning of the file; 0: they had better read ranges (the lines are
	 * sorted) or cannot be told apart. With it, feed() heeds sink->share.
	 */
	size_t (*share_depth)(const struct head *, unsigned workers);
	bool is_text_stream; /* feed() takes pieces cut anywhere, not at lines (XML, JSON) */
	bool names_events;   /* every sample says of which event it is; else some count something without a name */
	bool has_spans;      /* weights in a unit of time are spans: a sample lasts so long, from its time on */
	unsigned effects;    /* collapse_effects: the options it knows; a user is told of all others */
	unsigned decimals;   /* weights are multiples of 10^-decimals; the loader sets profile->decimals */
};

/* Calls feed() and keeps sink->line. The sink is the one that start() was given. */
bool collapse_feed(const struct collapse_format *, void *state, struct sink *, const char *text, size_t len,
                   struct err *);

/* The table; ends with NULL. Order is the order of detection. */
extern const struct collapse_format *const collapse_formats[];
/* By name (also vtune_mc for vtune-mc, recursive for folded); NULL. */
const struct collapse_format *collapse_find(const char *name);
/*
 * Detects. REFUSED: with a message that names the nearest formats, or the kind of file it is and what helps. MORE:
 * later bytes may decide it; never for a whole head.
 */
enum detection { DETECT_MORE, DETECT_FOUND, DETECT_REFUSED };
enum detection collapse_detect(const struct head *, const struct collapse_format **, const char *file,
                               struct err *);
/*
 * Would folded stacks with this beginning be read as folded stacks, whatever the file's name? Names in them can
 * look like the magic of something compressed, or like another format.
 */
bool collapse_reads_as_folded(const char *text, size_t len, bool is_all);

#endif
