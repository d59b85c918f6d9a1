/*
 * header.h - the beginning of a recording: its kind and the places of its parts.
 */
#ifndef PERFDATA_HEADER_H
#define PERFDATA_HEADER_H

#include "base/err.h"
#include "perfdata/event.h"
#include "perfdata/features.h"

#define HEADER_PIPE_SIZE 16u
#define HEADER_FILE_SIZE 104u
#define HEADER_MOST ((uint64_t)64 << 20) /* bytes before the records: attributes and ids */

/* Offsets and sizes are bytes. */
struct perfdata_header {
	bool is_swapped, is_pipe;
	uint64_t attr_size, attrs, attrs_size;
	uint64_t data, data_size; /* data_size 0: the recorder was killed, and the records run to the end */
	uint64_t features[FEATURES / 64];
};

#define PERFDATA_MAGIC_MAX 16u /* bytes that identify a recording */
/* Do n bytes begin like a recording of either byte order? */
bool perfdata_header_has_magic(const void *bytes, size_t n);
/* How many bytes perfdata_header_parse() needs, given the first n: 16 or 104. */
size_t perfdata_header_size(const void *bytes, size_t n);
bool perfdata_header_parse(struct perfdata_header *, const void *bytes, struct err *);
/* Is the list of features there, which flametop's sampler writes last? */
bool perfdata_header_has_features(const struct perfdata_header *);
/* Reads the attributes from the file's first data bytes, which begin with the header. */
bool perfdata_header_events(const struct perfdata_header *, const void *bytes, struct perfdata_events *,
                            struct err *);
/* Finds the description of a feature's section; false: the recording has none. */
bool perfdata_header_feature(const struct perfdata_header *, unsigned feature, uint64_t *offset);

#endif
