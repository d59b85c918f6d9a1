/*
 * perf_places.h - turns the addresses of a recording into frames, named as perf script would name them.
 */
#ifndef COLLAPSE_PERF_PLACES_H
#define COLLAPSE_PERF_PLACES_H

#include "collapse/perf/perf_frames.h"
#include "collapse/perf/perf_symbols.h"

struct perf_places;

/* All of them must outlive it. */
struct perf_places *perf_places_new(struct sink *, struct perf_frames *, struct perf_symbols *);
void perf_places_free(struct perf_places *); /* NULL is fine */

/* The key that all addresses of a process and mode share at present. is_java: the task's name says so. */
uint64_t perf_places_space(const struct perf_places *, const struct perf_place *, bool is_java);
/* Sets *is_passing if a JIT compiler may put other code at the address later; never clears it. */
struct perf_place_frames perf_places_find(struct perf_places *, const struct perf_place *, uint64_t space,
                                          bool is_java, bool *is_passing);
/* Where the address that was found last is, if options.wants_sites; code NO_CODE: in no file. */
struct perf_code {
	uint32_t code; /* sites_code() */
	uint64_t address;
};
struct perf_code perf_places_code(const struct perf_places *);

#endif
