/*
 * heap_counts.h - the four counts of a stack in heap profiles as text: blocks and bytes, allocated and in use.
 *
 *	7: 45696 [9: 58752] @ 0x6a3434 0x6a33d2
 */
#ifndef COLLAPSE_TEXT_HEAP_COUNTS_H
#define COLLAPSE_TEXT_HEAP_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "collapse/collapse.h"
#include "collapse/text/lines.h"

/* Also the order of the series, in which pprof has them. */
enum heap_count { ALLOC_OBJECTS, ALLOC_SPACE, INUSE_OBJECTS, INUSE_SPACE, N_HEAP_COUNTS };

/* As columns_declare(): the bytes in use are shown first. */
bool heap_counts_declare(struct sink *, uint32_t series[N_HEAP_COUNTS], struct err *);
/* Takes the counts off the line, and blanks before them. false: there are none. */
bool heap_counts_take(struct slice *line, uint64_t counts[N_HEAP_COUNTS]);
/*
 * What was sampled becomes what there was. A block of s bytes is sampled with the probability 1 - exp(-s / rate).
 * As in pprof, blocks without bytes count nothing. A rate of 0 or 1: all blocks are counted.
 */
void heap_counts_scale(uint64_t counts[N_HEAP_COUNTS], uint64_t rate);

#endif
