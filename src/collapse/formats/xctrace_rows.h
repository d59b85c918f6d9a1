/*
 * xctrace_rows.h - what a row of xctrace has besides its stack: the thread and the weights.
 */
#ifndef COLLAPSE_FORMATS_XCTRACE_ROWS_H
#define COLLAPSE_FORMATS_XCTRACE_ROWS_H

#include "base/slice.h"
#include "collapse/formats.h"

/* Elements that are numbers. */
enum number { SAMPLE_TIME, WEIGHT, CYCLE_WEIGHT, N_NUMBERS };

struct xctrace_weights {
	uint64_t v[N_NUMBERS];      /* of the row; 0: it has none */
	uint32_t series[N_NUMBERS]; /* index + 1, [0]: of samples; 0: not yet declared */
	bool is_met[N_NUMBERS];
};

/* "main  0x8480c1 (demo, pid: 49374)": a number of profile_task(). */
uint32_t xctrace_task(struct sink *, struct slice text);

/* false: no weight is called as --value says. */
bool xctrace_declare(struct xctrace_weights *, struct sink *, struct err *);
void xctrace_add(struct xctrace_weights *, struct sink *, uint32_t path, const struct sample *);
/* false: no row had the weight of --value. */
bool xctrace_has_value(const struct xctrace_weights *, const struct sink *, struct err *);

#endif
