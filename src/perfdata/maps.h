/*
 * maps.h - what is mapped where in a process: ranges of addresses that do not overlap.
 *
 * A set of maps is a number of nodes that several sets may share. So a fork costs nothing, and the first change
 * after it costs as much as any other: the logarithm of the number of maps.
 */
#ifndef PERFDATA_MAPS_H
#define PERFDATA_MAPS_H

#include <stddef.h>
#include <stdint.h>

/* Addresses are virtual, in bytes; `file` is a number of perfdata_file(). */
struct perfdata_map {
	uint64_t start, end; /* [start, end) */
	uint64_t pgoff;      /* of `start` in the file; for the kernel's text the address of its symbol */
	uint32_t file;
	uint32_t prot; /* PROT_ bits, as far as the record has them, else 0 */
};

/* NULL is the empty set. */
struct perfdata_maps;

/* Another name for the same set; each has to be freed. */
struct perfdata_maps *perfdata_maps_share(struct perfdata_maps *);
void perfdata_maps_free(struct perfdata_maps *);

/*
 * The set with a new map in place of all that it overlaps: of a map that reaches beyond it at either side, what
 * reaches beyond stays, the file offset of a tail moved on accordingly. Takes the set that is given, as realloc()
 * does. An empty range changes nothing.
 */
struct perfdata_maps *perfdata_maps_insert(struct perfdata_maps *, const struct perfdata_map *);

/* The map that holds the address; NULL: none. Valid until the set changes. */
const struct perfdata_map *perfdata_maps_at(const struct perfdata_maps *, uint64_t address);

#endif
