/*
 * collapse.h - what a profile format is: how it is recognised, and how its text becomes samples.
 *
 * One format, one file, one `const struct collapse_format` at its end, one row in formats.c. A collapser is a push
 * parser: it is given the input in pieces that end at the end of a line (or of a record, see `cut`), and pushes stacks
 * into a sink. It keeps its state in memory of its own, never recurses over the depth of a stack, and never ends the
 * process: what does not parse is noted and skipped, what makes the rest meaningless is an error.
 */
#ifndef COLLAPSE_COLLAPSE_H
#define COLLAPSE_COLLAPSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "model/profile.h"

/* The collapse options of the command line; zeroed is the default. Strings belong to the caller. */
struct collapse_options {
	const char *format;          /* NULL or "auto": detect */
	const char *event_filter;    /* NULL: every event is read, the view shows the first */
	const char *value;           /* which column; NULL: the format's default comes first */
	bool pid, tid;               /* tid implies pid */
	bool kernel, jit;            /* --all sets both */
	bool addrs;
	bool inline_, context, srcline;
	bool include_offset;
	bool no_modules;
	const char *const *skip_after; /* NULL-terminated, or NULL */
	bool wake_stack;             /* perf-sched: append the waker's stack */
	bool shorten_pkgs;           /* Java: c.a.d.Pool.borrow instead of com.acme.db.Pool.borrow */
	unsigned jobs;               /* worker threads; 0: as many as this process may use */
	unsigned side;               /* 1: the baseline's log */
	uint64_t window, half_life;  /* of the view (recipe.last and .half_life), so that a live profile may forget the rest */
};

/*
 * One worker's share of the lines of a file that all workers read: those whose stacks begin with `depth` frames that fall
 * to it. What cannot be read falls to worker 0.
 */
struct share {
	unsigned worker, workers;
	size_t depth;
	struct line_numbers { /* of its samples in each log */
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
	 * Lines before the piece given to feed(): add your own count for messages. A feed() that has counted them all may leave the
	 * sum here; otherwise collapse_feed() counts.
	 */
	uint64_t line;
	struct share *share; /* NULL: every line is ours */
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

/* How sure a sniffer is. The loader asks every format, in table order, and takes the first SNIFF_YES. */
enum sniff { SNIFF_NO, SNIFF_MAYBE, SNIFF_YES };

/*
 * The beginning of an input, decompressed: COLLAPSE_HEAD bytes, more if the first line is longer, fewer if the input is
 * shorter (is_all) or pauses.
 * A byte order mark is already gone. Lines may end in CRLF.
 */
#define COLLAPSE_HEAD (256u << 10)
struct head {
	const char *text;
	size_t len;
	bool is_all;
};
/* The next line of [*p, end): without its LF or CRLF; advances *p. false at the end. */
bool head_line(const char **p, const char *end, const char **line, size_t *len);

struct collapse_format {
	const char *name; /* as in --format=NAME */
	const char *help; /* one line: which tool writes it, how to make one */
	bool is_hidden;   /* an alias, not listed */
	bool is_asked_for; /* never detected, only by -f */

	/* why: set to a short reason for NO and MAYBE (static string), for the message about unknown inputs. */
	enum sniff (*sniff)(const struct head *, const char **why);

	/* State for one sink; NULL with err. */
	void *(*start)(struct sink *, struct err *);
	/*
	 * Takes a piece of whole lines (only the last piece of the input may lack its newline). text[len] is readable and
	 * holds '\n', so a scan for the end of a line needs no bound; up to 64 bytes after that are readable too.
	 * A leading byte order mark is already gone. CR is not stripped. false: fatal, err says why (with a line number).
	 */
	bool (*feed)(void *state, const char *text, size_t len, struct err *);
	/* The input is over: emit what is pending. Frees the state, also after a failed feed() (then ok is false). */
	bool (*finish)(void *state, bool ok, struct err *);

	/*
	 * Formats whose records are independent of each other can be read by several threads: the length of the longest
	 * part of text[0..len) that ends where a new record may begin, 0 if there is none. NULL: one thread, cut at lines.
	 * With cut, a piece given to feed() always begins at a record, and nothing may be carried over between pieces
	 * except caches.
	 */
	size_t (*cut)(const char *text, size_t len);
	/*
	 * Formats that put every line under its own path: how many frames tell the lines of workers apart so that all have about as
	 * much to do, judged by the beginning of the file; 0: they had better read ranges (the lines are sorted) or cannot be told apart.
	 * With it, feed() heeds sink->share.
	 */
	size_t (*share_depth)(const struct head *, unsigned workers);
	bool is_text_stream; /* feed() takes pieces cut anywhere, not at lines (XML, JSON) */
	bool has_spans;        /* weights in a unit of time are spans: a sample lasts so long, from its time on */
	unsigned decimals;     /* weights are multiples of 10^-decimals; the loader sets profile->decimals */
};

/* Calls feed() and keeps sink->line. The sink is the one that start() was given. */
bool collapse_feed(const struct collapse_format *, void *state, struct sink *, const char *text, size_t len, struct err *);

/* The table; ends with NULL. Order is the order of detection. */
extern const struct collapse_format *const collapse_formats[];
/* By name (also vtune_mc for vtune-mc, recursive for folded); NULL. */
const struct collapse_format *collapse_find(const char *name);
/* Detects; NULL with a message that names the nearest formats, or the binary format it is and what to run instead. */
const struct collapse_format *collapse_detect(const struct head *, const char *file, struct err *);

#endif
