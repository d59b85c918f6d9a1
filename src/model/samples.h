/*
 * samples.h - the log of samples: columns that are there once they are needed, and entries that stand for many
 * samples.
 *
 * Samples that nothing tells apart may share an entry. Whatever is counted or summed up over entries has to ask how
 * many samples each of them is.
 */
#ifndef MODEL_SAMPLES_H
#define MODEL_SAMPLES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NO_CPU UINT32_MAX
#define NO_TIME UINT64_MAX

/* One sample, as a collapser hands it over. Zeroed, with time = NO_TIME and cpu = NO_CPU, it is a plain one. */
struct sample {
	uint64_t weight;
	uint64_t time;   /* nanoseconds on the profiler's clock */
	uint32_t task;   /* index into tasks; 0 = unknown */
	uint32_t series; /* index into series */
	uint32_t cpu;
	uint32_t millionths; /* cut off the weight while reading; see profile_settle_fractions() */
};

/* What the weights of an entry's samples have in common. All zero: they are equal. */
struct spread {
	double squares;   /* sum over the samples */
	uint64_t divisor; /* of all of them */
};

/* Columns of equal length n. A NULL column holds its default for every entry. */
struct sample_log {
	size_t n;
	size_t cap; /* of all columns */
	uint32_t *path;
	uint64_t *weight;      /* of all samples of the entry; at 2^64 - 1 it may be cut */
	uint64_t *time;        /* NULL: NO_TIME */
	uint32_t *task;        /* NULL: 0 */
	uint16_t *series;      /* NULL: 0 */
	uint32_t *cpu;         /* NULL: NO_CPU */
	uint64_t *more;        /* samples of the entry beyond the first; NULL: 0 */
	struct spread *spread; /* NULL: all zero */
	uint64_t samples;      /* of all entries */
	uint64_t total;        /* sum of weights over all series */
	bool has_times;        /* samples came with times, even if these are not kept */
	size_t sealed;         /* entries before this one stay as they are: they belong to files read before */
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
static inline uint64_t log_count(const struct sample_log *log, size_t i)
{
	return log->more ? log->more[i] + 1 : 1;
}
/* Is it of this series? -1: of any. */
static inline bool log_is_of(const struct sample_log *log, size_t i, int32_t series)
{
	return series < 0 || log_series(log, i) == (uint32_t)series;
}
/* Are all samples of the entry equally heavy? */
static inline bool log_is_even(const struct sample_log *log, size_t i)
{
	return !log->spread || (!log->spread[i].divisor && log->spread[i].squares == 0);
}
/* What one sample weighs, on average where they differ. */
static inline uint64_t log_each(const struct sample_log *log, size_t i)
{
	return log->more && log->more[i] ? log->weight[i] / (log->more[i] + 1) : log->weight[i];
}
/* The sum of the squares of the samples' weights, and a number that divides all of them. */
double log_squares(const struct sample_log *, size_t i);
uint64_t log_divisor(const struct sample_log *, size_t i);

/* Sums stay at 2^64 - 1 once they have reached it. false: it did. */
static inline bool weight_add(uint64_t *sum, uint64_t weight)
{
	if (!__builtin_add_overflow(*sum, weight, sum))
		return true;
	*sum = UINT64_MAX;
	return false;
}

/* The whole part of a number that is not negative; from 2^64 on 2^64 - 1. */
static inline uint64_t weight_from(double v)
{
	return v < 0x1p64 ? (uint64_t)v : UINT64_MAX;
}
/* The same rounded up; what a double cannot tell from `all` is no more than that. */
static inline uint64_t weight_at_least(double v, uint64_t all)
{
	uint64_t least = weight_from(ceil(v));
	return least > all && v <= (double)all ? all : least;
}

/* A number that divides both; 0 divides nothing but 0. */
uint64_t common_divisor(uint64_t a, uint64_t b);

void samples_deinit(struct sample_log *);
void samples_copy(struct sample_log *copy, const struct sample_log *of);
/* Room for one more entry. */
void samples_grow(struct sample_log *);
/* Appends one, for which there is room; totals are the caller's. */
void samples_push(struct sample_log *, uint32_t path, const struct sample *);
/* `count` more samples are like those of entry i, which are equally heavy. */
void samples_repeat(struct sample_log *, size_t i, uint64_t count);
void samples_set_spread(struct sample_log *, size_t i, struct spread);
void samples_move(struct sample_log *, size_t to, size_t from);
/* Puts the n entries from number `first` on in another order: order[i] was the place of what is i-th then. */
void samples_permute(struct sample_log *, size_t first, const size_t *order, size_t n);

/*
 * Which entries become one: those of equal path, task, series and processor, and equal in what is asked for here.
 */
struct alike {
	uint64_t slice;       /* ns: times are in the same one; 0: times do not matter */
	bool is_even;         /* their samples are all equally heavy */
	const uint64_t *mark; /* by entry from the first on; NULL: all are the same */
};

/*
 * Adds up within [first, end), each entry into the first one that it is like; what comes after moves up. moved[i]
 * becomes the new number of what was first + i; NULL: it is not needed.
 */
void samples_add_up(struct sample_log *, size_t first, size_t end, const struct alike *, size_t *moved);

#endif
