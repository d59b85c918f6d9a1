/*
 * columns.h - formats whose samples carry several numbers: every number is a series, the asked-for one comes first.
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
	bool is_absent;   /* the format knows it, this input does not have it */
};

/*
 * Makes a series of every column that is there and stores its index in series[i] (UINT32_MAX: absent). The first
 * series is the one that is shown: --value, or else columns[first]. false: the asked-for column is unknown or
 * absent; err lists the names.
 */
bool columns_declare(struct sink *, const struct column *columns, size_t n, size_t first, uint32_t *series,
                     struct err *);

#endif
