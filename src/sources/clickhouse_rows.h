/*
 * clickhouse_rows.h - the rows of an answer of ClickHouse, and what it says instead.
 *
 *	main;run\ta\t12
 *
 * An answer may have the status 200, begin with good rows, and end with an error: so a row that is none is read as
 * one.
 */
#ifndef SOURCES_CLICKHOUSE_ROWS_H
#define SOURCES_CLICKHOUSE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/slice.h"

struct secrets;

/* A value of the format TabSeparated becomes text again; appends. */
void clickhouse_add_value(struct buf *out, struct slice value);

/*
 * Turns all rows of a file into folded stacks, with `head` as their first line. Returns a descriptor at its
 * beginning, which the caller closes, and in *rows how many there are. -1: err.
 */
int clickhouse_fold(int fd, unsigned n, const char *head, const struct secrets *, uint64_t *rows, struct err *err);

/*
 * Appends what "Code: 60. DB::Exception: Unknown table ..." says, without secrets, and what helps; false:
 * there is no such error in the text. Any bytes will do.
 */
bool clickhouse_explain(struct buf *out, const struct secrets *, const char *said, size_t n);

#endif
