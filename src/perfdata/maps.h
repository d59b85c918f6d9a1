/*
 * maps.h - the mappings of a process: ranges of addresses that do not overlap.
 *
 * Several sets of maps may share nodes. A fork therefore costs nothing, and the first change after it costs as much
 * as any other: the logarithm of the number of maps.
 */
#ifndef PERFDATA_MAPS_H
#define PERFDATA_MAPS_H

#include <stddef.h>
#include <stdint.h>

/* Addresses are virtual, in bytes; `file` is a number of perfdata_file(). */
struct perfdata_map {
	uint64_t start, end; /* [start, end) */
	uint64_t pgoff;      /* of `start` in the file; for the kernel's text, the address of its symbol */
	uint32_t file;
	uint32_t prot; /* PROT_ bits if the record has them, else 0 */
};

/* NULL is the empty set. */
struct perfdata_maps;

/* Returns another reference to the same set; the caller must free each. */
struct perfdata_maps *perfdata_maps_share(struct perfdata_maps *);
void perfdata_maps_free(struct perfdata_maps *);

/*
 * Inserts a map in place of everything it overlaps. Where an old map extends beyond the new one on either side,
 * that part stays, with the file offset of a tail moved on to match. Consumes the given set, as realloc() does, and
 * returns the new one. An empty range changes nothing.
 */
struct perfdata_maps *perfdata_maps_insert(struct perfdata_maps *, const struct perfdata_map *);

/* The map that holds the address; NULL: none. Valid until the set changes. */
const struct perfdata_map *perfdata_maps_at(const struct perfdata_maps *, uint64_t address);

#endif
