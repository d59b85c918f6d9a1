/*
 * samples.h - the log of samples: columns that exist only once needed, and entries that stand for several samples.
 *
 * Equal samples may share an entry, so anything that counts or sums entries must ask how many samples each has.
 */
#ifndef MODEL_SAMPLES_H
#define MODEL_SAMPLES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_CPU UINT32_MAX
#define NO_TIME UINT64_MAX

/* One sample, as a collapser hands it over. Zeroed, with time = NO_TIME and cpu = NO_CPU, it has defaults only. */
struct sample {
	uint64_t weight;
	uint64_t time;   /* nanoseconds on the profiler's clock */
	uint32_t task;   /* index into tasks; 0 = unknown */
	uint32_t series; /* index into series */
	uint32_t cpu;
	uint32_t tags;       /* index of a set of labels (tags.h); 0: none */
	uint32_t site;       /* node of profile.sites; 0: its lines are unknown */
	uint32_t millionths; /* fraction cut off the weight while reading; see profile_settle_fractions() */
};

/* Statistics of an entry whose samples have different weights. All zero: the weights are equal. */
struct spread {
	double squares;   /* sum of squared sample weights */
	uint64_t divisor; /* common divisor of all sample weights */
};

/* Columns of equal length n. A NULL column holds its default for every entry. */
struct sample_log {
	size_t n;
	size_t cap; /* of all columns */
	uint32_t *path;
	uint64_t *weight;      /* of all samples of the entry; saturates at 2^64 - 1 */
	uint64_t *time;        /* NULL: NO_TIME */
	uint32_t *task;        /* NULL: 0 */
	uint16_t *series;      /* NULL: 0 */
	uint32_t *cpu;         /* NULL: NO_CPU */
	uint32_t *tags;        /* NULL: 0 */
	uint32_t *site;        /* NULL: 0 */
	uint64_t *more;        /* samples of the entry beyond the first; NULL: 0 */
	struct spread *spread; /* NULL: all zero */
	uint64_t samples;      /* of all entries */
	uint64_t total;        /* sum of weights over all series */
	bool has_times;        /* samples came with times, even if the log does not keep them */
	size_t sealed;         /* entries before this one are fixed: they belong to earlier files */
};

static inline uint64_t log_time(const struct sample_log *log, size_t i)
{
	return log->time ? log->time[i] : NO_TIME;
}
static inline uint32_t log_task(const struct sample_log *log, size_t i)
{
	return log->task ? log->task[i] : 0;
}
static inline uint32_t log_series(const struct sample_log *log, size_t i)
{
	return log->series ? log->series[i] : 0;
}
static inline uint32_t log_cpu(const struct sample_log *log, size_t i)
{
	return log->cpu ? log->cpu[i] : NO_CPU;
}
static inline uint32_t log_tags(const struct sample_log *log, size_t i)
{
	return log->tags ? log->tags[i] : 0;
}
static inline uint32_t log_site(const struct sample_log *log, size_t i)
{
	return log->site ? log->site[i] : 0;
}
static inline uint64_t log_count(const struct sample_log *log, size_t i)
{
	return log->more ? log->more[i] + 1 : 1;
}
/* Is the entry of this series? -1: any. */
static inline bool log_is_of(const struct sample_log *log, size_t i, int32_t series)
{
	return series < 0 || log_series(log, i) == (uint32_t)series;
}
/* Do all samples of the entry have the same weight? */
static inline bool log_is_even(const struct sample_log *log, size_t i)
{
	return !log->spread || (!log->spread[i].divisor && log->spread[i].squares == 0);
}
/* Weight of one sample of the entry, the average if they differ. */
static inline uint64_t log_each(const struct sample_log *log, size_t i)
{
	return log->more && log->more[i] ? log->weight[i] / (log->more[i] + 1) : log->weight[i];
}
/* The sum of the squared sample weights, and a number that divides all of the weights. */
double log_squares(const struct sample_log *, size_t i);
uint64_t log_divisor(const struct sample_log *, size_t i);

/* Saturating addition. false: overflow, the sum is 2^64 - 1. */
static inline bool weight_add(uint64_t *sum, uint64_t weight)
{
	if (!__builtin_add_overflow(*sum, weight, sum))
		return true;
	*sum = UINT64_MAX;
	return false;
}

/* The integer part of v >= 0; saturates at 2^64 - 1. */
static inline uint64_t weight_from(double v)
{
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}
/* The same rounded up; a result within double precision of `all` is at most `all`. */
static inline uint64_t weight_at_least(double v, uint64_t all)
{
	uint64_t least = weight_from(ceil(v));
	return least > all && v <= (double)all ? all : least;
}

/* The greatest common divisor; that of 0 and x is x. */
uint64_t common_divisor(uint64_t a, uint64_t b);

void samples_deinit(struct sample_log *);
void samples_copy(struct sample_log *copy, const struct sample_log *of);
/* Makes room for one more entry. */
void samples_grow(struct sample_log *);
/* Appends an entry, for which there must be room; the caller updates the totals. */
void samples_push(struct sample_log *, uint32_t path, const struct sample *);
/* Adds `count` samples equal to those of entry i, whose weights must be equal. */
void samples_repeat(struct sample_log *, size_t i, uint64_t count);
/* Gives each entry without a site that of its path: node[path]. */
void samples_add_sites(struct sample_log *, const uint32_t *node);
void samples_set_spread(struct sample_log *, size_t i, struct spread);
void samples_move(struct sample_log *, size_t to, size_t from);
/* The times of the first and the last sample. false: none has a time. */
bool samples_time_range(const struct sample_log *, uint64_t *first, uint64_t *last);
/* Reorders the n entries from number `first` on: the new i-th entry is the old order[i]-th. */
void samples_permute(struct sample_log *, size_t first, const size_t *order, size_t n);

/* When entries are joined: if path, site, task, series, processor and labels are equal, and these are as well. */
struct alike {
	uint64_t slice;       /* ns: their times are in the same slice; 0: times do not matter */
	bool is_even;         /* all their samples have the same weight */
	const uint64_t *mark; /* their marks are equal; by entry from the first on; NULL: no condition */
};

/*
 * Joins equal entries in [first, end), each into the first one; later entries move up. moved[i] becomes the new
 * number of entry first + i; moved may be NULL.
 */
void samples_add_up(struct sample_log *, size_t first, size_t end, const struct alike *, size_t *moved);

#endif
