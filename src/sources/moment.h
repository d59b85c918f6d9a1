/*
 * moment.h - moments as users of stores of profiles write them, and how they are shown: always in UTC.
 */
#ifndef SOURCES_MOMENT_H
#define SOURCES_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Of the parameters "from" and "until". A moment is "now", "now-1h" (s, m, h, d, w), "2026-11-22T07:00:00Z" (also
 * "+01:00", without seconds or time), "20261122", or a number of seconds, milliseconds, microseconds or nanoseconds
 * since 1970, which its size tells.
 */
struct span {
	int64_t from, until; /* milliseconds since 1970 */
};

struct url;
/* Without the parameters, the last hour. false: err names the parameter. */
bool moment_read_span(const struct url *, struct span *, struct err *err);

/* Reads "2026-11-22T07:00:00.25Z". */
bool moment_read_iso(const char *text, size_t n, int64_t *ms);
/* Appends "2026-11-22T07:00:00Z", with ".250" if it is no whole second. */
void moment_add_iso(struct buf *out, int64_t ms);
/* Appends "2026-11-22 07:00:00 to 08:00:00 UTC". */
void moment_add_span(struct buf *out, const struct span *);

#endif
