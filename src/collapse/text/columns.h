/*
 * columns.h - handles samples with several numbers: each becomes a series, the requested one first.
 */
#ifndef COLLAPSE_TEXT_COLUMNS_H
#define COLLAPSE_TEXT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "collapse/collapse.h"

struct column {
	const char *name; /* as in --value=NAME */
	const char *unit; /* NULL: a plain count */
	bool is_absent;   /* the format knows it, but this input lacks it */
};

/*
 * Makes a series of every column present and stores its index in series[i] (UINT32_MAX: absent). The first series
 * is shown first: --value, or else columns[first]. false: the requested column is unknown or absent; err lists the
 * names.
 */
bool columns_declare(struct sink *, const struct column *columns, size_t n, size_t first, uint32_t *series,
                     struct err *);

/* These measure the same in several ways (profile_overlap()). */
void columns_overlap(struct sink *, const uint32_t *series, size_t n);

#endif
