/*
 * firefox_profile.h - what a profile of Firefox holds, raw (gecko.c) or processed (firefox.c).
 *
 * Samples have numbers of stacks, stacks those of frames, frames those of names, in tables whose columns are
 * arrays. The tables may come after what refers to them, so the readers only collect numbers. firefox_settle()
 * makes paths of them once the tables of a thread are complete; firefox_emit() adds the samples at the end.
 *
 * A file of a few kilobytes, compressed, can have millions of threads. So only the thread that is read or emitted
 * has all of its columns (firefox_profile.data); the others keep those that are not empty (firefox_threads.c).
 */
#ifndef COLLAPSE_FORMATS_FIREFOX_PROFILE_H
#define COLLAPSE_FORMATS_FIREFOX_PROFILE_H

#include "collapse/collapse.h"
#include "collapse/text/frames.h"
#include "collapse/text/lines.h"
#include "collapse/text/long_names.h"

#define NO_NUMBER UINT32_MAX            /* null, or -1 */
#define BAD_NUMBER (UINT32_MAX - 1)     /* not the number of a row */
#define FIREFOX_BROKEN (UINT32_MAX - 2) /* of a sample: its stack leads nowhere, or into itself */
#define FIREFOX_LOST (UINT32_MAX - 3)   /* it is not made, as the input makes too many frames */

/* Columns of numbers; all of one table have the same length. */
enum firefox_column {
	STACK_FRAME,
	STACK_PREFIX,
	STACK_OFFSET, /* how many rows before it the parent is; 0: it has none */
	FRAME_FUNC,
	FRAME_LOCATION, /* raw profiles: "name (file:line:column)" instead of a function */
	FRAME_LINE,
	FRAME_LIB,
	FUNC_NAME,
	FUNC_FILE,
	FUNC_SOURCE, /* newer versions: a row of the sources instead of a file */
	FUNC_LINE,
	FUNC_RESOURCE,
	RESOURCE_NAME,
	RESOURCE_TYPE,
	SOURCE_FILE,
	N_FIREFOX_COLUMNS,
};

struct firefox_numbers {
	uint32_t *v;
	size_t n, cap;
};

struct firefox_strings {
	struct buf text;
	size_t *ends; /* offsets in text */
	size_t n, cap;
};

struct firefox_tables {
	struct firefox_numbers columns[N_FIREFOX_COLUMNS];
	struct firefox_strings strings;
	const struct firefox_tables *others; /* where what is missing here is; NULL: nowhere */
	/* private: what was made of stacks and frames already; NULL: nothing */
	uint32_t *numbers, *sites, *syms;
	uint32_t root; /* of the numbers */
};

/* A count with twelve decimals. */
struct firefox_weight {
	uint64_t whole;
	uint32_t millionths;
	uint32_t rest : 20; /* millionths of these */
	bool is_negative : 1, is_bad : 1;
	bool is_rounded : 1; /* it had more than six decimals */
	bool is_cut : 1;     /* it was 2^64 or more */
};

enum firefox_unit { UNIT_SAMPLES, UNIT_MS, UNIT_BYTES, N_FIREFOX_UNITS };

#define UNKNOWN_TIME INT64_MIN

/* Samples, or allocations. Columns may be shorter than `stack`, or empty. */
struct firefox_log {
	struct firefox_numbers stack; /* once settled: numbers of firefox_stack */
	uint32_t *site;               /* once settled; NULL: none */
	size_t n_sites, cap_sites;
	int64_t *time; /* ns */
	size_t n_times, cap_times;
	struct firefox_weight *weight;
	size_t n_weights, cap_weights;
	struct firefox_weight *cpu; /* CPU time since the sample before, in the profile's unit; 0: none */
	size_t n_cpu, cap_cpu;
	enum firefox_unit unit;
	bool has_deltas; /* time[] has distances from one sample to the next */
};

enum firefox_kind { LOG_SAMPLES, LOG_JS, LOG_NATIVE, N_FIREFOX_LOGS };

/* A frame on another stack. Number 0 has no frames; the others follow what they are on. */
struct firefox_stack {
	uint32_t parent, sym;
};

/* What a thread holds. */
struct firefox_data {
	struct firefox_tables tables;
	struct firefox_log logs[N_FIREFOX_LOGS];
};

struct firefox_thread {
	uint32_t name, process; /* symbols, 0: unknown */
	int64_t pid, tid;       /* -1: unknown */
	int64_t start;          /* of its process, ns; UNKNOWN_TIME: as all others */
	/* private: its data, unless they are in firefox_profile.data */
	struct firefox_kept *kept;
	unsigned char n_kept, units[N_FIREFOX_LOGS];
	bool has_deltas[N_FIREFOX_LOGS], is_settled;
};

struct firefox_profile {
	struct sink *sink;
	struct firefox_tables shared;
	struct firefox_thread *threads;
	size_t n_threads, cap_threads;
	struct firefox_data data; /* of one thread at a time */
	bool is_open;             /* the last thread is being read: these are its data */
	uint32_t *libs;           /* symbols of libraries */
	size_t n_libs, cap_libs;
	int64_t start;          /* of the first process, ns; UNKNOWN_TIME: not known */
	bool has_addresses;     /* names may be addresses: the file was not symbolised */
	bool saw_addresses;     /* there were some among the frames */
	bool keeps_empty;       /* flametop wrote it, and not as a chart: no stack means one without frames */
	uint32_t event, unit;   /* symbols of what the samples count, in a file that flametop wrote; 0: not said */
	uint64_t cpu_factor;    /* CPU times times this are nanoseconds; 0: they are cycles */
	const char *no_symbols; /* what helps against addresses; static */
	/* The symbol of a frame, BAD_NUMBER: it has none. frame: a row of the tables. */
	uint32_t (*frame)(struct firefox_profile *, const struct firefox_tables *, uint32_t frame);
	struct long_names shared_names, own_names; /* of the shared strings, of those of the thread that is settled */
	struct idmap long_frames;                  /* of it: symbols of locations (raw profiles) */
	void *arg;                                 /* of the reader */
	struct firefox_stack *stacks;              /* of all threads, in the order of their samples */
	size_t n_stacks, cap_stacks;
	uint32_t *paths;             /* by stack; NULL: not made yet */
	struct firefox_numbers rows; /* private: on the way to the root */
};

void firefox_profile_init(struct firefox_profile *, struct sink *);
void firefox_profile_deinit(struct firefox_profile *);

/* The thread that was added last. */
static inline struct firefox_thread *firefox_last(struct firefox_profile *p)
{
	return &p->threads[p->n_threads - 1];
}
/* Begins a thread, whose data are read into `data`. */
void firefox_add_thread(struct firefox_profile *);
/* Ends it; one that says nothing is dropped. May be called without one. */
void firefox_end_thread(struct firefox_profile *);
/*
 * Makes paths of the stacks of a thread, which may be the open one, and frees its tables. Leaves a thread without
 * tables for firefox_emit().
 */
void firefox_settle(struct firefox_profile *, struct firefox_thread *);
/* Adds all samples. false: --value names something that the file does not have. */
bool firefox_emit(struct firefox_profile *, struct err *);

/* A number as a row of a table. */
uint32_t firefox_number(struct slice text);
struct firefox_weight firefox_weight(struct slice text);
/* Milliseconds as nanoseconds; UNKNOWN_TIME: not a number. */
int64_t firefox_time(struct slice text);
/* CPU time since the sample before; 0, which is told, unless it is a positive number. */
struct firefox_weight firefox_cpu(struct sink *, struct slice text, uint64_t line);
/* Is it more than 0? */
bool firefox_is_weight(const struct firefox_weight *);
/* The digits at the beginning of "123.4", which other samples of a process id have as a number; -1: none. */
int64_t firefox_id(struct slice text);
/* Sets how the unit of CPU times is converted. */
void firefox_cpu_unit(struct firefox_profile *, struct slice unit);

static inline void firefox_push(struct firefox_numbers *c, uint32_t v)
{
	mem_push(c->v, c->n, c->cap, v);
}
void firefox_push_string(struct firefox_strings *, struct slice);
/* The same for "[unknown]", in the place of an element that is no string. */
void firefox_push_unknown(struct firefox_strings *);
/* The column of these tables, or of the others. */
static inline const struct firefox_numbers *firefox_numbers(const struct firefox_tables *t,
                                                            enum firefox_column column)
{
	return t->columns[column].n || !t->others ? &t->columns[column] : &t->others->columns[column];
}
/* Row i of a column; BAD_NUMBER: there is none. */
static inline uint32_t firefox_at(const struct firefox_tables *t, enum firefox_column column, uint32_t i)
{
	const struct firefox_numbers *c = firefox_numbers(t, column);
	return i < c->n ? c->v[i] : BAD_NUMBER;
}
/* false: there is none. */
bool firefox_string(const struct firefox_tables *, uint32_t i, struct slice *);
/* The same, for long_names.h. */
bool firefox_numbered(const struct firefox_tables *, uint32_t i, struct numbered *);
/* The symbols of strings of these tables. */
struct long_names *firefox_long_names(struct firefox_profile *, const struct firefox_tables *);
/* A library of libs[]. Its number is that of no string. */
struct numbered firefox_library(const struct firefox_profile *, uint32_t sym);

/*
 * The symbol for a name that may be an address: "[libc.so.6]" or "[unknown]" unless --addrs is given, as in
 * recordings of perf. lib: the name of the library, may be empty.
 */
uint32_t firefox_address(struct firefox_profile *, struct long_names *, struct slice name,
                         const struct numbered *lib);

/* ---- private: firefox_threads.c ---- */

/* Moves the data of a thread into firefox_profile.data, and back. Those of the open thread are there. */
void firefox_take(struct firefox_profile *, struct firefox_thread *);
void firefox_put(struct firefox_profile *, struct firefox_thread *);
void firefox_tables_deinit(struct firefox_tables *);
void firefox_data_deinit(struct firefox_data *);
bool firefox_has_cpu(const struct firefox_log *);

/* ---- private: firefox_paths.c ---- */

void firefox_paths_deinit(struct firefox_profile *);
/* Puts the stacks of a thread, whose data are there, into firefox_profile.stacks, their numbers into its logs. */
void firefox_number_stacks(struct firefox_profile *, const struct firefox_thread *, struct firefox_tables *);
/* Makes the paths of all stacks, in their order. */
void firefox_make_paths(struct firefox_profile *);
/* The path of a number in a log; NO_NUMBER, FIREFOX_BROKEN: there is none. */
static inline uint32_t firefox_path(struct firefox_profile *p, uint32_t stack)
{
	return stack < FIREFOX_LOST ? p->paths[stack] : stack == FIREFOX_LOST ? profile_lost(p->sink->profile) : stack;
}

/* Which of both formats the head of a JSON document shows (firefox_sniff.c). */
enum firefox_flavour { FLAVOUR_NONE, FLAVOUR_UNDECIDED, FLAVOUR_PROCESSED, FLAVOUR_RAW };
enum firefox_flavour firefox_flavour(const struct head *);

#endif
