/*
 * heap_counts.c - the counts of heap profiles as text.
 */
#include "collapse/text/heap_counts.h"

#include <math.h>

#include "collapse/text/columns.h"
#include "model/samples.h"

bool heap_counts_declare(struct sink *sink, uint32_t series[N_HEAP_COUNTS], struct err *err)
{
	static const struct column columns[N_HEAP_COUNTS] = {
		[ALLOC_OBJECTS] = {.name = "alloc_objects"},
		[ALLOC_SPACE] = {.name = "alloc_space", .unit = "bytes"},
		[INUSE_OBJECTS] = {.name = "inuse_objects"},
		[INUSE_SPACE] = {.name = "inuse_space", .unit = "bytes"},
	};
	if (!columns_declare(sink, columns, N_HEAP_COUNTS, INUSE_SPACE, series, err))
		return false;
	columns_overlap(sink, series, N_HEAP_COUNTS);
	return true;
}

/* Takes a number, and what stands after it. */
static bool take_number(struct slice *line, uint64_t *v, const char *after)
{
	*line = slice_ltrim(*line);
	return slice_u64(slice_take_digits(line), v) && slice_take(line, after);
}

bool heap_counts_take(struct slice *line, uint64_t counts[N_HEAP_COUNTS])
{
	return take_number(line, &counts[INUSE_OBJECTS], ":") && take_number(line, &counts[INUSE_SPACE], " [") &&
	       take_number(line, &counts[ALLOC_OBJECTS], ":") && take_number(line, &counts[ALLOC_SPACE], "]");
}

static void scale(uint64_t *blocks, uint64_t *bytes, uint64_t rate)
{
	if (!*blocks || !*bytes) {
		*blocks = *bytes = 0;
		return;
	}
	if (rate <= 1)
		return;
	double size = (double)*bytes / (double)*blocks, factor = 1 / (1 - exp(-size / (double)rate));
	*blocks = weight_from((double)*blocks * factor);
	*bytes = weight_from((double)*bytes * factor);
}

void heap_counts_scale(uint64_t counts[N_HEAP_COUNTS], uint64_t rate)
{
	scale(&counts[ALLOC_OBJECTS], &counts[ALLOC_SPACE], rate);
	scale(&counts[INUSE_OBJECTS], &counts[INUSE_SPACE], rate);
}
