/*
 * pprof_tables.h - the tables of a profile.proto: strings, functions, mappings, locations and types of values.
 */
#ifndef COLLAPSE_FORMATS_PPROF_TABLES_H
#define COLLAPSE_FORMATS_PPROF_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/idmap.h"
#include "collapse/text/lines.h"
#include "model/symtab.h"

struct pprof_function {
	uint64_t name, file; /* strings */
	uint64_t start;      /* its first line; 0: unknown */
	bool is_dropped;
};

struct pprof_mapping {
	uint64_t start, limit, offset, file; /* addresses from start to before limit; file: a string */
};

/* Meaning of one value of the samples. */
struct pprof_type {
	uint64_t name, unit; /* strings */
};

/* A stack may have this many inlined calls, and as many for each of its locations. */
enum { MOST_INLINED = 1024, MOST_INLINED_EACH = 16 };

/* A source line of a location. */
struct pprof_line {
	uint64_t function, line; /* function: its id */
};

/* Frames of a location, innermost first: initially ranges of the lines, later of symbols in the pool. */
struct pprof_location {
	uint64_t mapping, address; /* mapping: its id */
	size_t first, n;
	bool is_there;   /* defined, not only used in samples */
	bool is_cut;     /* some of its frames are dropped, and removed from these */
	bool is_dropped; /* all its frames are dropped, if a stack may end before them */
};

struct pprof_tables {
	struct symtab names; /* the strings, each once */
	uint32_t *strings;   /* the string table: indices into names */
	size_t n_strings, cap_strings;
	struct pprof_type *types;
	size_t n_types, cap_types;
	struct pprof_function *functions;
	size_t n_functions, cap_functions;
	struct pprof_mapping *mappings;
	size_t n_mappings, cap_mappings;
	struct pprof_location *locations;
	size_t n_locations, cap_locations;
	struct pprof_line *lines;
	size_t n_lines, cap_lines;
	struct idmap function_ids, mapping_ids, location_ids;
};

void pprof_tables_init(struct pprof_tables *);
void pprof_tables_deinit(struct pprof_tables *);

/* Each takes a message. false with err: it is damaged. */
bool pprof_add_function(struct pprof_tables *, struct slice message, struct err *);
bool pprof_add_mapping(struct pprof_tables *, struct slice message, struct err *);
bool pprof_add_location(struct pprof_tables *, struct slice message, struct err *);
bool pprof_add_type(struct pprof_tables *, struct slice message, struct err *);
bool pprof_add_string(struct pprof_tables *, struct slice text, struct err *);

/* The string with this index; false: there is none. */
bool pprof_find_string(const struct pprof_tables *, uint64_t index, struct slice *);
/* The number of a location, which may be defined later than its samples. */
uint32_t pprof_location_number(struct pprof_tables *, uint64_t id);

/* Fails with "malformed pprof profile: WHAT". */
bool pprof_malformed(struct err *, const char *what);

#endif
