/*
 * profile.h - a profile: call paths, and an ordered log of samples.
 *
 * Each call path exists once, in a trie of two arrays: path 0 is the root ("all", no frame), and path i > 0 is its
 * parent's path plus the frame sym[i]. parent[i] < i, and siblings have different names. A sample is a path and a
 * few numbers.
 *
 *	main;read 3        path 1 = (0, main)   path 2 = (1, read)   sample: path 2, weight 3
 *	main;write 4                            path 3 = (1, write)  sample: path 3, weight 4
 *
 * A profile has two logs over the same symbols and paths: log[0] is the profile, log[1] the baseline for comparison
 * (empty without --diff). Weights are unsigned; the real value is weight / 10^decimals.
 *
 * Sums of weights saturate at 2^64 - 1, with a note.
 */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "samples.h"
#include "sites.h"
#include "symtab.h"
#include "tags.h"

#define PROFILE_SATURATED "the counts of an event add up to more than 2^64 - 1: its totals and shares are cut there"
#define PATH_ROOT 0u
#define NO_PATH UINT32_MAX
#define PATHS_MOST (UINT32_MAX - 2)
#define NO_SERIES UINT32_MAX

/* A process or thread. */
struct task {
	uint32_t comm;    /* symbol */
	int64_t pid, tid; /* -1: unknown */
};

/* Idle weight, left out of the samples (idle.h); not part of any total. */
struct idle {
	uint64_t weight;
	const char *what; /* static: "wait in the system"; NULL: nothing */
};

/* Modifiers of perf's events that restrict what is counted: "cycles:u" counts less than "cycles". */
#define EVENT_RESTRICTIONS "ukhGHI"

/* Numbers of an input that are multiples of this, or typically this large, are sampling periods. */
#define PERIOD_MIN 10000u

/* Sums over numbers of an input. */
struct number_sums {
	double total, squares;
	uint64_t divisor; /* common to all; 0: there are none */
};
static inline void number_sums_add(struct number_sums *s, uint64_t v)
{
	s->total += (double)v;
	s->squares += (double)v * (double)v;
	if (s->divisor != 1 && v)
		s->divisor = common_divisor(v, s->divisor);
}

/* How many samples numbers stand for whose unit does not say it. */
struct number_counts {
	double periods; /* if each is a sampling period, or several; 0: they are none */
	double unequal; /* if each is one, unequal ones less; 0: see the log */
};

/* An event (cycles, page-faults) or a value column (ticks, bytes). A view shows one of them, or all. */
struct series {
	uint32_t name;     /* symbol */
	uint32_t unit;     /* symbol, 0: "samples" */
	uint32_t units[2]; /* private: unit + 1 as files of this side have it, 0: none has it */
	uint32_t family;   /* private: the first series of this name + 1, if its unit differs; 0: this is the first */
	uint64_t total[2]; /* weight, per log */
	uint64_t samples;  /* in log[0], and those let go */
	uint64_t base_samples; /* in log[1] */
	uint64_t rank;         /* see profile_rank_series() */
	uint64_t let_go;       /* weight of samples that a window let go (retain.h); not part of total[0] */
	struct idle idle[2];   /* per log */
	uint64_t estimated[2]; /* per log: weight whose paths are estimated (estimate.h) */
	bool has_times[2];     /* per log: samples came with times, even if these are not kept */
	double grain[2];       /* per log: the unit in which files have the numbers, in this one; 0: the same */
	struct number_counts numbers[2]; /* per log: private, see profile_count_numbers() */
	bool is_off_cpu;                 /* time off the CPU, which adds up with that on it */
	bool is_sampled; /* measured at intervals: a weight that is a time does not say when a span ends */
	bool overlaps;   /* counts what another series of its unit counts, too: see profile_overlap() */
	bool is_joined;  /* another series has taken its samples (profile_settle_units()) */
};

/*
 * The unit of a side's numbers, + 1; 1: none was named, 0: no file has the series. A file that has both sides, as a
 * comparison that is read back, names it once.
 */
static inline uint32_t series_unit_on(const struct series *s, unsigned side)
{
	return s->units[side] ? s->units[side] : s->units[!side];
}

/* Stacks that came with one count, and with two: before and now. */
struct columns {
	uint64_t one, two;
	bool are_shares; /* those of two come from a comparison of shares */
};

/* An input file. In each log its samples end where those of the next file begin. */
struct profile_file {
	char *name;
	unsigned side;           /* log of its samples; a file of two columns has samples in both */
	size_t first[2];         /* first entry per log */
	bool has_foreign_counts; /* has fractional counts in another form than number_add_fixed() writes */
	struct columns columns;  /* of folded stacks */
};

/*
 * A path's hash, chained frame by frame from the root, so that a line of text, or any prefix of it, can be looked
 * up before any of its names is interned. Two lanes of 64 bits: equal hashes count as equal paths.
 */
struct path_hash {
	uint64_t a, b;
};

/* The fraction cut off each of n samples of one entry while reading; see profile_settle_fractions(). */
struct fraction {
	size_t sample; /* number of the entry in its log */
	uint64_t n;
	uint32_t millionths;
	unsigned side;
};

/* Which samples may share an entry of the log. */
enum profile_join {
	JOIN_NONE, /* none: entry i is sample i */
	/* consecutive equal ones without times; in the baseline, where order and times do not matter, as JOIN_ALL */
	JOIN_RUNS,
	JOIN_ALL, /* those of equal stack, thread, event, processor and labels; drops times */
};

/* A snapshot of a profile that is still being read: how much of its inputs it holds. */
struct profile_so_far {
	bool is_part;        /* false: all was read */
	uint64_t bytes, all; /* of the inputs as they are stored; all: 0 if unknown (a pipe) */
};

/* What is missing from the inputs of a side. */
struct profile_lacks {
	uint64_t lost;   /* samples that the profiler reports as lost */
	uint64_t paused; /* ns for which the kernel paused sampling, added up over its counters */
	bool is_cut_off; /* an input ended in its middle, or could not be read to its end */
	bool callers;    /* --skip-after has taken some away */
};

enum { ROOM_PATHS, ROOM_SYMBOLS, ROOM_VALUES, N_ROOMS };

/*
 * How many frames an input may make. Tables that stacks share let a small file ask for any number of them, so there
 * is a limit, which grows with the bytes that are read. Once it is reached, new stacks are not made: samples get
 * the path `lost`, with which they are not added, and readers end.
 */
struct profile_bound {
	uint32_t most_paths; /* of the profile */
	uint32_t lost;       /* NO_PATH: the limit is not reached */
	bool is_reached;
	uint64_t bytes;  /* of the input, not compressed */
	uint64_t most;   /* frames that it may make */
	uint64_t before; /* paths before it */
	uint64_t taken;  /* frames that are kept elsewhere */
	uint64_t walked; /* frames of the stacks that were looked up, and what counts like them: */
	uint64_t tables; /* bytes of tables that were read again, as frames */
	uint64_t of_all; /* frames that all inputs so far may make; 0: no limit */
	uint64_t values; /* that were counted; see profile_count_value() */
	/* set by the caller: paths and symbols that the profile may have, and values of an input, whatever is read */
	uint64_t room[N_ROOMS];
};
#define FRAMES_FREE UINT64_C(1000000)
#define FRAMES_PER_BYTE 4u
/* Bytes of a table that are read again, and of text that is compared again: they cost what a frame does. */
#define WALK_BYTES 4u
#define WALK_TEXT 64u
#define WALKED_PER_FRAME 16u /* to look up a known frame costs so much less than to make one */

struct profile {
	struct symtab symtab;
	uint32_t n_paths;
	size_t cap_paths;
	uint32_t *parent, *sym; /* [0, n_paths) */
	struct profile_bound bound;

	struct path_hash *hashes; /* [0, n_indexed) */
	struct map index;         /* by hashes.b; zeroed: none yet (sorted input needs no look-ups at all) */
	uint32_t n_indexed;       /* paths that can be looked up: the first n_indexed */
	bool is_sorted;           /* all paths were appended without an index, in the order of sorted text */

	struct sample_log log[2];
	enum profile_join join;
	struct recent_entry *recent[2]; /* private: recent entries; NULL: not needed */
	size_t most_ordered; /* JOIN_RUNS: untimed entries beyond which joining gives up their order; 0: never */

	struct task *tasks; /* tasks[0] stands for unknown */
	size_t n_tasks, cap_tasks;
	struct tags *tags;     /* owned; NULL: no sample has a label */
	struct sites *sites;   /* owned; NULL: no sample has lines */
	struct series *series; /* at least one once there is a sample */
	size_t n_series, cap_series;
	struct profile_file *files;
	size_t n_files, cap_files;

	bool has_foreign_counts; /* see profile_file; for samples before the first file */
	struct columns columns;  /* the same */
	struct fraction *fractions;
	size_t n_fractions, cap_fractions;
	size_t last_fraction[2]; /* per log: number of its last fraction, from 1; 0: none */

	uint64_t begin;                /* time of the first sample ever, if it was let go; NO_TIME: it is in the log */
	struct profile_lacks lacks[2]; /* per log */
	bool lacks_inlines;            /* another pass over the input would find inlined functions (INLINES_LATER) */
	unsigned decimals;
	uint64_t grain;     /* what weights are multiples of, since --factor gave them decimals; 0: 1 */
	uint32_t bare_unit; /* symbol: the unit of series that come without one; 0: samples */
	const char *format; /* name of the collapser of the first file, static */
	struct profile_so_far so_far;
	struct report report; /* skipped lines and other notes */
	void *lookup;         /* private: task and series tables */
	const uint64_t
		*times; /* private: in a part (parts.h), the first and last time of the whole; NULL: see the log */
};

void profile_init(struct profile *);
void profile_deinit(struct profile *);

static inline struct path_hash path_hash_root(void)
{
	return (struct path_hash){hash_seed[0], hash_seed[1]};
}

/* Hash of a path extended by one frame; `symbol` is hash_bytes() of its name. */
static inline struct path_hash path_hash_next(struct path_hash h, uint64_t symbol)
{
	struct path_hash next = {hash_mix(h.a ^ symbol, UINT64_C(0x9E3779B97F4A7C15)),
	                         (h.b ^ symbol) * UINT64_C(0xD6E8FEB86659FD93)};
	next.b ^= next.b >> 32;
	return next;
}

/* An input begins, of which no byte has come: it may make FRAMES_FREE frames. */
void profile_bound_begin(struct profile *);
/* So many bytes of it have come: it may make FRAMES_PER_BYTE more frames for each. */
void profile_bound_grow(struct profile *, uint64_t bytes);
/* The input is read: there is no limit. is_reached stays. */
void profile_bound_end(struct profile *);
/* The most paths and nodes that a view may make of all inputs; UINT64_MAX: any number. */
uint64_t profile_bound_of_views(const struct profile *);
/* Counts n frames that a reader keeps beside the paths. false: the limit is reached. */
bool profile_take(struct profile *, uint64_t n);
/* The path of stacks that are not made, as the limit is reached. */
uint32_t profile_lost(struct profile *);
/*
 * Counts n frames that are looked at, known or not. profile_path() does that; readers that put together long stacks
 * from little input do it for each part. false: the limit is reached.
 */
static inline bool profile_walk(struct profile *p, uint64_t n)
{
	p->bound.walked += n;
	if (p->bound.walked / WALKED_PER_FRAME > p->bound.most)
		p->bound.is_reached = true;
	return !p->bound.is_reached;
}

/* Counts bytes of a table, and of its text, that are read again. false: the limit is reached. */
static inline bool profile_walk_table(struct profile *p, uint64_t bytes, uint64_t text)
{
	uint64_t n = bytes / WALK_BYTES + text / WALK_TEXT;
	p->bound.tables += n;
	return profile_walk(p, n);
}
/* Of a limit that is reached: were tables read again too often, more than frames were looked up? */
bool profile_bound_is_of_tables(const struct profile *);
/*
 * Counts a sample, or one of the numbers that it has, before any room is made for it; for readers of formats in
 * which these are few bytes. false: there is no room for more.
 */
static inline bool profile_count_value(struct profile *p)
{
	if (++p->bound.values > p->bound.room[ROOM_VALUES])
		p->bound.is_reached = true;
	return p->bound.values <= p->bound.room[ROOM_VALUES];
}

/* Are there look-ups? */
static inline bool profile_has_index(const struct profile *p)
{
	return p->index.slots;
}
/* Makes or completes the index. Functions that look up paths call it. */
void profile_index(struct profile *);
/* Frees the index: for a profile to which hardly anything is added from now on. */
void profile_drop_index(struct profile *);
/* The path with this hash, NO_PATH: none. The profile must be fully indexed. */
uint32_t profile_lookup(const struct profile *, struct path_hash);
/* Prefetches the memory that profile_lookup() will read. */
static inline void profile_prefetch(const struct profile *p, struct path_hash h)
{
	map_fetch(&p->index, h.b);
}
/* Adds a path known to be new; h may be NULL while there is no index. */
uint32_t profile_append_path(struct profile *, uint32_t parent, uint32_t sym, const struct path_hash *h);

/* The same, but leaves the index as it is until the next look-up. */
uint32_t profile_append_unindexed(struct profile *, uint32_t parent, uint32_t sym);

/* The path of parent plus one frame, added if it is new. */
uint32_t profile_child(struct profile *, uint32_t parent, uint32_t sym);
/* NO_PATH: none. */
uint32_t profile_find_child(const struct profile *, uint32_t parent, uint32_t sym);
/* The path of n frames, root first, added if it is new. Cheap if the path, or most of it, is known. */
uint32_t profile_path(struct profile *, const uint32_t *syms, size_t n);
/* The same for callers that have the hashes of the first 0 to n frames and know the path of the first `depth`. */
uint32_t profile_path_hashed(struct profile *, const uint32_t *syms, const struct path_hash *hashes, size_t n,
                             uint32_t known, size_t depth);

/* Appends "NAME: " of the input that the profile is of, for messages; nothing if it is unknown. */
void profile_add_input(const struct profile *, struct buf *out);
/* The number of a site in profile.sites, and the node for a stack of n sites, root first. Both add what is new. */
uint32_t profile_site(struct profile *, const struct site *);
uint32_t profile_sites(struct profile *, const struct site *, size_t n);
/* The node of a site, given by its number, called from that of `parent`; `parent` once the limit is reached. */
uint32_t profile_site_node(struct profile *, uint32_t parent, uint32_t site);
/* The same for a site that may be new. */
uint32_t profile_site_child(struct profile *, uint32_t parent, const struct site *);

/* Adds a sample to log[side] and its weight to the totals, which saturate at 2^64 - 1 with a note. */
void profile_add(struct profile *, unsigned side, uint32_t path, const struct sample *);
/*
 * Adds n samples, one entry of another profile, as a new entry and returns its number; s->weight is their total.
 * SIZE_MAX: the stack is not made (profile_bound).
 */
size_t profile_add_entry(struct profile *, unsigned side, uint32_t path, const struct sample *, uint64_t n,
                         struct spread);
/* Ends the current file: later samples do not join earlier entries. */
void profile_seal(struct profile *);

/*
 * Index of the task / series with these values, added if it is new. unit may be 0. If files of the same side have
 * the name with another unit, the new series is "NAME (UNIT)". Across sides, 0 matches any unit, so that a baseline
 * without units can be compared. Without a unit it gets bare_unit. Units get profile_spell_unit().
 */
uint32_t profile_task(struct profile *, uint32_t comm, int64_t pid, int64_t tid);
uint32_t profile_series(struct profile *, uint32_t name, uint32_t unit);
/* The same for samples of one side, whatever the side of the file that is read. */
uint32_t profile_series_on(struct profile *, unsigned side, uint32_t name, uint32_t unit);
/* The symbol of a unit as all profiles spell it, so that "nanoseconds" of one and "ns" of another are added up. */
uint32_t profile_spell_unit(struct profile *, uint32_t unit);
/* Does a series have this symbol as its name? Takes constant time. NO_SYMBOL: no. */
bool profile_has_series(const struct profile *, uint32_t name);
/* NO_SERIES: none. */
uint32_t profile_find_series(const struct profile *, const char *name);
/*
 * Ranks a series within the current file; two may have the same place. Series of earlier files come first. An
 * unranked series has its index as its place.
 */
void profile_rank_series(struct profile *, uint32_t series, uint32_t place);
/*
 * The main series of log[side], which is shown by default: of those with samples there the one with the lowest
 * rank; among equal ranks the one with most samples. One that both logs have comes first. 0 if none has samples.
 */
uint32_t profile_main_series(const struct profile *, unsigned side);
/* Does the series have neither a name nor a unit of its own, like the counts of folded stacks? */
bool profile_is_bare(const struct profile *, int32_t series);
/*
 * The unit (a symbol, 0: samples) of all events with samples; NO_SYMBOL: they have different ones. A baseline of
 * bare counts has any.
 */
uint32_t profile_common_unit(const struct profile *);
/*
 * Two series measure the same in two ways, or at two times, as bytes allocated and bytes in use: if they have one
 * unit, their sum counts the same twice. UINT32_MAX: absent.
 */
void profile_overlap(struct profile *, uint32_t a, uint32_t b);
/* Do several series with weight overlap? */
bool profile_has_overlap(const struct profile *);
/*
 * For formats that add the numbers of the input up before they become samples, as those of a function's lines: what
 * diff_samples() takes for the number of samples must not depend on how far that went.
 */
void profile_count_numbers(struct profile *, uint32_t series, unsigned side, const struct number_sums *);
/* Adds the counts of another part of the series. */
void number_counts_add(struct number_counts *, const struct number_counts *);
/* Are there several events, joined ones not counted? */
bool profile_has_events(const struct profile *);
/* Its display name; "unnamed samples" if it has none, which profile_find_series() accepts, too. */
const char *profile_event_name(const struct profile *, size_t series);
/*
 * The series to show by default; -1: all together, if one is time off the CPU, which belongs to the time on it.
 */
int32_t profile_default_series(const struct profile *);
/* Appends the names of all series with samples, time off the CPU last. */
void profile_add_series(const struct profile *, const char *between, struct buf *out);
/* Appends "page-faults, cs" or "page-faults, 3 more": the other series with samples. Returns their number. */
size_t profile_add_other_series(const struct profile *, uint32_t shown, size_t most_names, struct buf *out);

/* Powers of ten between this unit and the second (ms: 3); -1: not a time. */
int profile_time_scale(const char *unit);
/* The spelling that units of times have in profiles: "ns" for "nanoseconds". NULL: not a time. */
const char *profile_time_unit(const char *unit);

/*
 * Decides about fractional counts after the last file. Usually they are cut to integers, as other tools do, with
 * a note. But if cutting would lose a tenth or more of a file's sum (counts in seconds, say), or if no fraction
 * of a file is foreign, all weights get the decimals needed, as far as their sums fit 64 bits.
 */
void profile_settle_fractions(struct profile *);
/*
 * Converts the baseline's times and sizes into the unit of what they are compared with, once fractions are settled:
 * events of one name become one series. Where that would cut off parts of them, the profile's weights get the finer
 * unit of the baseline.
 */
void profile_settle_units(struct profile *);
/*
 * Gives weights the decimals needed to show them times `factor` (0: 1), up to six and as far as their sums fit 64
 * bits; a note says if that is too few. Whole numbers times more than 1 stay whole, as in other tools, with a note.
 * Fractions must be settled before. If weights fade, the view has any parts of them, each a multiple of `grain`; if
 * they may, as the viewer offers it for samples with times, they get the same decimals without the note.
 */
enum fading { WEIGHTS_STAY, WEIGHTS_MAY_FADE, WEIGHTS_FADE };
void profile_suit_factor(struct profile *, double factor, enum fading);

/* A weight times `factor` (0: 1), rounded; exact also above 2^53, unless the factor has more than 15 digits. */
uint64_t weight_times(uint64_t weight, double factor);
/* The weight of a count of one: 10^decimals. */
double profile_unit(const struct profile *);
/* Rescales all weights to more decimals; sums should fit. */
void profile_raise_decimals(struct profile *, unsigned decimals);
/* Cuts the weight of every sample to fewer decimals. */
void profile_lower_decimals(struct profile *, unsigned decimals);
/* Converts the weight of an entry from `from` to `to` decimals, cutting each of its samples. */
uint64_t profile_with_decimals(const struct sample_log *, size_t i, unsigned from, unsigned to);
struct spread profile_spread_with_decimals(const struct sample_log *, size_t i, unsigned from, unsigned to);
/* Converts a number from `from` to `to` decimals; UINT64_MAX: overflow. */
uint64_t with_decimals(uint64_t, unsigned from, unsigned to);
/* Notes the fraction cut off each of n samples of an entry; entries of a log come in ascending order. */
void profile_add_fraction(struct profile *, unsigned side, size_t entry, uint64_t n, uint32_t millionths);
/* Notes that a file has the numbers of the series in a unit that is 10^digits of the series' own. */
void profile_note_grain(struct profile *, uint32_t series, unsigned side, unsigned digits);
/* Notes that the current file has a foreign fractional count, whose decimals may be cut. */
void profile_note_foreign_count(struct profile *);
/* In the file being read, so many more stacks have so many counts. */
void profile_add_columns(struct profile *, struct columns);
/*
 * Forgets all samples, and what was counted of them: for an input whose next state takes the place of this one.
 * Symbols, paths, threads, events and labels stay, under their numbers.
 */
void profile_forget(struct profile *);
/* Joins entries [first, end) of a log with samples_add_up(). */
void profile_add_up(struct profile *, unsigned side, size_t first, size_t end, const struct alike *);
/*
 * For callers that renumber entries of a log: moved[i] is the new number of entry first + i, SIZE_MAX if it is
 * gone.
 */
void profile_move_fractions(struct profile *, unsigned side, size_t first, const size_t *moved);

/*
 * Appends all of src to dst (symbols, paths, tasks, series, both logs, report); src stays unchanged. Adds line_base
 * to the line numbers of its report. Joins workers' profiles, in input order.
 */
void profile_append(struct profile *dst, const struct profile *src, const char *file, uint64_t line_base);

/*
 * Sorts the entries from number `first` on, which are in runs of ascending keys; key[i] belongs to entry first + i.
 * Restores the order when workers took turns.
 */
void profile_order(struct profile *, unsigned side, size_t first, const uint64_t *key);

/*
 * Renumbers paths from first_path on as if they had been added in log order, by the first entry (from `first` on)
 * that contains them; children in input order then have ascending numbers. Drops the index.
 */
void profile_renumber(struct profile *, unsigned side, size_t first, uint32_t first_path);

/*
 * A copy that stays as it is while the original grows: copies arrays, but shares the bytes of names, so the
 * original must outlive it. Deinit with profile_deinit().
 */
void profile_snapshot(struct profile *copy, const struct profile *of);

uint32_t profile_depth(const struct profile *, uint32_t path); /* frames in the path */
/* First and last time in the log[0], in ns; false when no sample has a time. */
bool profile_time_range(const struct profile *, uint64_t *first, uint64_t *last);
/* The time from which ranges count: that of the first sample ever. `first` comes from profile_time_range(). */
static inline uint64_t profile_time_base(const struct profile *p, uint64_t first)
{
	return p->begin < first ? p->begin : first;
}

#endif
