/*
 * profile.h - what was sampled: call paths, and an ordered log of samples.
 *
 * Call paths live once, in a trie of two arrays: path 0 is the root ("all", no frame), and path i > 0 is its
 * parent's path plus the frame sym[i]. parent[i] < i, and siblings have different names. A sample is a path and a
 * few numbers.
 *
 *	main;read 3        path 1 = (0, main)   path 2 = (1, read)   sample: path 2, weight 3
 *	main;write 4                            path 3 = (1, write)  sample: path 3, weight 4
 *
 * A profile has two logs over the same symbols and paths: log[0] is the profile, log[1] the baseline it is compared
 * with (empty without --diff). Weights are unsigned; the real value is weight / 10^decimals.
 *
 * Sums of weights stay at 2^64 - 1 once they have reached it, and a note says so.
 */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "samples.h"
#include "symtab.h"

#define PATH_ROOT 0u
#define NO_PATH UINT32_MAX
#define NO_SERIES UINT32_MAX

/* A process or thread. */
struct task {
	uint32_t comm;    /* symbol */
	int64_t pid, tid; /* -1: unknown */
};

/* What waits or does nothing and was left out (idle.h); no part of any total. */
struct idle {
	uint64_t weight;
	const char *what; /* static: "wait in the system"; NULL: nothing */
};

/* An event (cycles, page-faults) or a value column (ticks, bytes). A view shows one of them. */
struct series {
	uint32_t name;       /* symbol */
	uint32_t unit;       /* symbol, 0: "samples" */
	uint32_t units[2];   /* private: unit + 1 as files of this side have it, 0: none has it */
	uint64_t total[2];   /* weight, per log */
	uint64_t samples;    /* in log[0], and those that were let go */
	uint64_t rank;       /* see profile_rank_series() */
	uint64_t let_go;     /* weight of the samples that a window has passed (retain.h); no part of total[0] */
	struct idle idle[2]; /* per log */
};

/* An input file. Its samples end in each log where those of the next file begin. */
struct profile_file {
	char *name;
	unsigned side;           /* where its samples go; a file of two columns has some in both logs */
	size_t first[2];         /* per log */
	bool has_foreign_counts; /* fractional ones that are not written as number_add_fixed() writes */
};

/*
 * A path's hash, chained frame by frame from the root, so that a line of text can be looked up whole, or any prefix
 * of it, before a single name of it is interned. Two lanes of 64 bits: equality is taken for identity.
 */
struct path_hash {
	uint64_t a, b;
};

/*
 * The index: open addressing over path hashes, 32 bits of tag beside the path so that a miss costs one cache line.
 */
struct path_slot {
	uint32_t tag, path; /* path 0: free */
};

/*
 * What was cut off fractional counts while reading, off each of n samples of one entry; see
 * profile_settle_fractions().
 */
struct fraction {
	size_t sample; /* number of the entry in its log */
	uint64_t n;
	uint32_t millionths;
	unsigned side;
};

/* Which samples may share an entry of the log. */
enum profile_join {
	JOIN_NONE, /* none: entry i is sample i */
	/*
	 * equal ones that follow each other and have no times; in the baseline, of which neither matters, as JOIN_ALL
	 */
	JOIN_RUNS,
	JOIN_ALL, /* those of a stack, thread, event and processor; times are not kept */
};

/* A snapshot of a profile that is still being read: how much of its inputs it holds. */
struct profile_so_far {
	bool is_part;        /* false: all was read */
	uint64_t bytes, all; /* of the inputs as they are stored; all: 0 if unknown (a pipe) */
};

struct profile {
	struct symtab symtab;
	uint32_t n_paths;
	size_t cap_paths;
	uint32_t *parent, *sym; /* [0, n_paths) */

	struct path_hash *hashes; /* [0, n_indexed) */
	struct path_slot *slots;  /* NULL: not indexed (sorted input needs no look-ups at all) */
	size_t n_slots;
	uint32_t n_indexed; /* the first so many paths can be looked up */
	bool is_joined; /* from texts that do not go on where another ends; without an index it is sorted otherwise */

	struct sample_log log[2];
	enum profile_join join;
	struct recent_entry *recent[2]; /* private: where samples went a moment ago; NULL: not needed */
	size_t
		/* with JOIN_RUNS: entries without times beyond which their order is given up; 0: it never is */
		most_ordered;

	struct task *tasks; /* tasks[0] is the unknown one */
	size_t n_tasks, cap_tasks;
	struct series *series; /* at least one once a sample is there */
	size_t n_series, cap_series;
	struct profile_file *files;
	size_t n_files, cap_files;

	bool has_foreign_counts; /* see profile_file; of samples before the first file */
	struct fraction *fractions;
	size_t n_fractions, cap_fractions;
	size_t last_fraction[2]; /* per log: number of its last one, from 1; 0: there is none */

	uint64_t begin; /* time of the first sample ever, if that was let go; NO_TIME: it is in the log */
	uint64_t lost;  /* samples that the profiler says it could not keep up with */
	unsigned decimals;
	const char *format;   /* name of the collapser (of the first file), static */
	struct profile_so_far so_far;
	struct report report; /* what was skipped or is worth saying */
	void *lookup;         /* private: task and series tables */
};

void profile_init(struct profile *);
void profile_deinit(struct profile *);

static inline struct path_hash path_hash_root(void)
{
	return (struct path_hash){hash_seed[0], hash_seed[1]};
}

/* The hash of a path one frame longer; `symbol` is the hash_bytes() of its name. */
static inline struct path_hash path_hash_next(struct path_hash h, uint64_t symbol)
{
	struct path_hash next = {hash_mix(h.a ^ symbol, UINT64_C(0x9E3779B97F4A7C15)),
	                         (h.b ^ symbol) * UINT64_C(0xD6E8FEB86659FD93)};
	next.b ^= next.b >> 32;
	return next;
}

/* Builds the index, or adds to it what it lacks. Everything that looks paths up does it by itself. */
void profile_index(struct profile *);
/* The path with this hash, NO_PATH: not there. Everything must be indexed. */
uint32_t profile_lookup(const struct profile *, struct path_hash);
/* Starts fetching what profile_lookup() will read. */
static inline void profile_prefetch(const struct profile *p, struct path_hash h)
{
	__builtin_prefetch(&p->slots[h.b & (p->n_slots - 1)]);
}
/* Adds a path that is known to be new; h may be NULL while there is no index. */
uint32_t profile_append_path(struct profile *, uint32_t parent, uint32_t sym, const struct path_hash *h);

/* The same, but the index is left as it is until somebody asks for a path. */
uint32_t profile_append_unindexed(struct profile *, uint32_t parent, uint32_t sym);

/* The path of parent plus one frame; added when new. */
uint32_t profile_child(struct profile *, uint32_t parent, uint32_t sym);
/* NO_PATH: not there. */
uint32_t profile_find_child(const struct profile *, uint32_t parent, uint32_t sym);
/* The path of n frames, root first. Cheap when the path, or most of it, is known. */
uint32_t profile_path(struct profile *, const uint32_t *syms, size_t n);
/* The same for callers that have the hashes of the first 0 to n frames, and know the path of the first `depth`. */
uint32_t profile_path_hashed(struct profile *, const uint32_t *syms, const struct path_hash *hashes, size_t n,
                             uint32_t known, size_t depth);

/* Adds to log[side]. Totals of log and series are kept. Sums saturate at 2^64 - 1 with a note. */
void profile_add(struct profile *, unsigned side, uint32_t path, const struct sample *);
/*
 * Adds n samples that are one entry elsewhere, as an entry of its own, whose number is returned; s->weight is that
 * of them all.
 */
size_t profile_add_entry(struct profile *, unsigned side, uint32_t path, const struct sample *, uint64_t n,
                         struct spread);
/* What is added from now on belongs to another file: it is not added to entries that are there. */
void profile_seal(struct profile *);

/*
 * Index of the task / series with these values; added when new. unit may be 0. Where files of the same side have the
 * name already with another unit, its series is "NAME (UNIT)". Across sides, 0 goes with any unit: what a profiler
 * counts without saying so can be compared.
 */
uint32_t profile_task(struct profile *, uint32_t comm, int64_t pid, int64_t tid);
uint32_t profile_series(struct profile *, uint32_t name, uint32_t unit);
/* NO_SERIES: not there. */
uint32_t profile_find_series(const struct profile *, const char *name);
/*
 * Ranks a series among those of the file that is being read; two may share a place. Series of earlier files come
 * first. Until it is ranked, its place is its index.
 */
void profile_rank_series(struct profile *, uint32_t series, uint32_t place);
/*
 * The series to show unless another one is asked for: of those with samples in log[0] the one of the lowest rank,
 * and among equal ranks the one with most samples. 0 if none has samples.
 */
uint32_t profile_main_series(const struct profile *);
/* Its name for people; "unnamed samples" if it has none, which profile_find_series() takes for it as well. */
const char *profile_event_name(const struct profile *, size_t series);
/* Appends "page-faults, cs" or "page-faults, 3 more": the other series that have samples. Returns their number. */
size_t profile_add_other_series(const struct profile *, uint32_t shown, size_t most_names, struct buf *out);

/* How often a number of this unit has to be divided by ten to be seconds; -1: it is no time. */
int profile_time_scale(const char *unit);

/*
 * Decides what becomes of fractional counts once all files are there. Usually they are cut to integers, as every
 * tool of the field does, and a note says so; but where that would lose a tenth or more of what a file sums up to
 * (counts in seconds, say), or no fraction of a file is foreign, all weights get as many decimals as are needed, if
 * their sums still fit 64 bits.
 */
void profile_settle_fractions(struct profile *);

/* What a count of one weighs: 10^decimals. */
double profile_unit(const struct profile *);
/* Multiplies all weights so that they have so many decimals, which are no fewer than before; sums should fit. */
void profile_raise_decimals(struct profile *, unsigned decimals);
/* Cuts decimals off the weight of every sample. */
void profile_lower_decimals(struct profile *, unsigned decimals);
/* The weight of an entry whose samples have `from` decimals with `to` of them, each sample cut. */
uint64_t profile_with_decimals(const struct sample_log *, size_t i, unsigned from, unsigned to);
struct spread profile_spread_with_decimals(const struct sample_log *, size_t i, unsigned from, unsigned to);
/* A number that has `from` decimals with `to` of them; UINT64_MAX: it does not fit. */
uint64_t with_decimals(uint64_t, unsigned from, unsigned to);
/* Each of n samples of an entry, which is no earlier than those before in its log, had so much cut off. */
void profile_add_fraction(struct profile *, unsigned side, size_t entry, uint64_t n, uint32_t millionths);
/* A fractional count of the file that is being read is not written as we write them: its decimals may be cut. */
void profile_note_foreign_count(struct profile *);
/* Adds up entries [first, end) of a log as samples_add_up() does. */
void profile_add_up(struct profile *, unsigned side, size_t first, size_t end, const struct alike *);
/*
 * For those who renumber entries of a log, from number `first` on: moved[i] is the new number of what was first +
 * i, SIZE_MAX if it is gone.
 */
void profile_move_fractions(struct profile *, unsigned side, size_t first, const size_t *moved);

/*
 * Appends everything of src to dst (symbols, paths, tasks, series, both logs, report); src keeps its own. line_base
 * is added to the line numbers of its report. Used to join workers' profiles, in input order.
 */
void profile_append(struct profile *dst, const struct profile *src, const char *file, uint64_t line_base);

/*
 * Entries from number `first` on stand in runs, each in ascending order of its keys: puts all of them in that
 * order. key[i] is that of entry first + i. Used where workers took turns.
 */
void profile_order(struct profile *, unsigned side, size_t first, const uint64_t *key);

/*
 * Numbers paths from number first_path on as if they had been added in the order of the log: with the entries from
 * number `first` on that meet them first. Siblings in the order of the input are in that of their numbers. The
 * index is given up.
 */
void profile_renumber(struct profile *, unsigned side, size_t first, uint32_t first_path);

/*
 * A copy that stays as it is while the original grows: arrays are copied, name bytes are shared (the original must
 * outlive it). Deinit with profile_deinit().
 */
void profile_snapshot(struct profile *copy, const struct profile *of);

uint32_t profile_depth(const struct profile *, uint32_t path); /* frames in the path */
/* First and last time in the log[0], in ns; false when no sample has a time. */
bool profile_time_range(const struct profile *, uint64_t *first, uint64_t *last);
/* What ranges of time count from: the first sample, even if it was let go since. `first` is that of the range. */
static inline uint64_t profile_time_base(const struct profile *p, uint64_t first)
{
	return p->begin < first ? p->begin : first;
}

#endif
