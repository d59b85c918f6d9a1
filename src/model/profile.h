/*
 * profile.h - what was sampled: call paths, and an ordered log of samples.
 *
 * Call paths live once, in a trie of two arrays: path 0 is the root ("all", no frame), and path i > 0 is its parent's
 * path plus the frame sym[i]. parent[i] < i, and siblings have different names. A sample is a path and a few numbers.
 *
 *	main;read 3        path 1 = (0, main)   path 2 = (1, read)   sample: path 2, weight 3
 *	main;write 4                            path 3 = (1, write)  sample: path 3, weight 4
 *
 * A profile has two logs over the same symbols and paths: log[0] is the profile, log[1] the baseline it is compared
 * with (empty without --diff). Weights are unsigned; the real value is weight / 10^decimals.
 */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"
#include "symtab.h"

#define PATH_ROOT 0u
#define NO_PATH UINT32_MAX
#define NO_CPU UINT32_MAX
#define NO_TIME UINT64_MAX

/* A process or thread. */
struct task {
	uint32_t comm;    /* symbol */
	int64_t pid, tid; /* -1: unknown */
};

/* An event (cycles, page-faults) or a value column (ticks, bytes). A view shows one of them. */
struct series {
	uint32_t name;    /* symbol */
	uint32_t unit;    /* symbol, 0: "samples" */
	uint64_t total[2]; /* weight, per log */
	uint64_t samples; /* in log[0], and those that were let go */
	uint64_t let_go;  /* weight of the samples that a window has passed (retain.h); no part of total[0] */
};

/* One sample, as a collapser hands it over. Zeroed, with time = NO_TIME and cpu = NO_CPU, it is a plain one. */
struct sample {
	uint64_t weight;
	uint64_t time;   /* nanoseconds on the profiler's clock */
	uint32_t task;   /* index into tasks; 0 = unknown */
	uint32_t series; /* index into series */
	uint32_t cpu;
};

/* Columns of equal length n. A NULL column holds its default for every sample. */
struct sample_log {
	size_t n;
	size_t cap;         /* of path and weight */
	uint32_t *path;
	uint64_t *weight;
	uint64_t *time;     /* NULL: no sample has a time */
	uint32_t *task;     /* NULL: 0 */
	uint16_t *series;   /* NULL: 0 */
	uint32_t *cpu;      /* NULL: NO_CPU */
	uint64_t total;     /* sum of weights over all series */
};

/* An input file. Its samples end in each log where those of the next file begin. */
struct profile_file {
	char *name;
	unsigned side;   /* where its samples go; a file of two columns has some in both logs */
	size_t first[2]; /* per log */
};

/*
 * A path's hash, chained frame by frame from the root, so that a line of text can be looked up whole, or any prefix of
 * it, before a single name of it is interned. Two lanes of 64 bits: equality is taken for identity.
 */
struct path_hash {
	uint64_t a, b;
};

/* The index: open addressing over path hashes, 32 bits of tag beside the path so that a miss costs one cache line. */
struct path_slot {
	uint32_t tag, path; /* path 0: free */
};

/* What was cut off a fractional count while reading; see profile_settle_fractions(). */
struct fraction {
	size_t sample;
	uint32_t millionths;
	unsigned side;
};

struct profile {
	struct symtab symtab;

	uint32_t n_paths;
	size_t cap_paths;
	uint32_t *parent, *sym; /* [0, n_paths) */

	struct path_hash *hashes; /* [0, n_indexed) */
	struct path_slot *slots;  /* NULL: not indexed (sorted input needs no look-ups at all) */
	size_t n_slots;
	uint32_t n_indexed;       /* the first so many paths can be looked up */
	bool is_joined;           /* from texts that do not go on where another ends; without an index it is sorted otherwise */

	struct sample_log log[2];

	struct task *tasks; /* tasks[0] is the unknown one */
	size_t n_tasks, cap_tasks;
	struct series *series; /* at least one once a sample is there */
	size_t n_series, cap_series;
	struct profile_file *files;
	size_t n_files, cap_files;

	struct fraction *fractions;
	size_t n_fractions, cap_fractions;

	uint64_t begin; /* time of the first sample ever, if that was let go; NO_TIME: it is in the log */
	uint64_t lost;  /* samples that the profiler says it could not keep up with */
	unsigned decimals;
	const char *format;     /* name of the collapser (of the first file), static */
	struct report report;   /* what was skipped or is worth saying */
	void *lookup;           /* private: task and series tables */
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
	struct path_hash next = {hash_mix(h.a ^ symbol, UINT64_C(0x9E3779B97F4A7C15)), (h.b ^ symbol) * UINT64_C(0xD6E8FEB86659FD93)};

	next.b ^= next.b >> 32;
	return next;
}

/* Builds the index, or adds to it what it lacks. Everything that looks paths up does it by itself. */
void profile_index(struct profile *);
/* The path with this hash, UINT32_MAX: not there. Everything must be indexed. */
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
/* UINT32_MAX: not there. */
uint32_t profile_find_child(const struct profile *, uint32_t parent, uint32_t sym);
/* The path of n frames, root first. Cheap when the path, or most of it, is known. */
uint32_t profile_path(struct profile *, const uint32_t *syms, size_t n);
/* The same for callers that have the hashes of the first 0 to n frames, and know the path of the first `depth`. */
uint32_t profile_path_hashed(struct profile *, const uint32_t *syms, const struct path_hash *hashes, size_t n, uint32_t known,
                             size_t depth);

/* Appends to log[side]. Totals of log and series are kept. Sums saturate at 2^64 - 1 with a note. */
void profile_add(struct profile *, unsigned side, uint32_t path, const struct sample *);

/* Index of the task / series with these values; added when new. unit may be 0. */
uint32_t profile_task(struct profile *, uint32_t comm, int64_t pid, int64_t tid);
uint32_t profile_series(struct profile *, uint32_t name, uint32_t unit);
/* UINT32_MAX: not there. */
uint32_t profile_find_series(const struct profile *, const char *name);

/* Remembers what was cut off the sample added last. */
void profile_add_fraction(struct profile *, unsigned side, uint32_t millionths);
/*
 * Decides what becomes of fractional counts once all files are there. Usually they are cut to integers, as every tool of
 * the field does, and a note says so; but where that would lose a tenth or more of what a file sums up to (counts in seconds,
 * say), all weights get as many decimals as are needed, if their sums still fit 64 bits.
 */
void profile_settle_fractions(struct profile *);

/* What a count of one weighs: 10^decimals. */
double profile_unit(const struct profile *);
/* Multiplies all weights so that they have so many decimals, which are no fewer than before; sums must fit. */
void profile_raise_decimals(struct profile *, unsigned decimals);

/*
 * Appends everything of src to dst (symbols, paths, tasks, series, both logs, report); src keeps its own. line_base is
 * added to the line numbers of its report. Used to join workers' profiles, in input order.
 */
void profile_append(struct profile *dst, const struct profile *src, const char *file, uint64_t line_base);

/*
 * Samples from number `first` on stand in runs, each in ascending order of its keys: puts all of them in that order. key[i] is
 * that of sample first + i. Used where workers took turns.
 */
void profile_order(struct profile *, unsigned side, size_t first, const uint64_t *key);

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
