/*
 * otlp.h - the tables of an OpenTelemetry profile: strings, functions, locations, stacks, attributes.
 *
 * All tables are in one message, the dictionary; entry 0 of each stands for "not set". Indices in the input may be
 * anything: functions here check them.
 */
#ifndef COLLAPSE_FORMATS_OTLP_H
#define COLLAPSE_FORMATS_OTLP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/formats/pprof_wire.h"
#include "collapse/text/long_names.h"
#include "model/sites.h"

/* Messages of one table: where the length of each begins, which its bytes follow. */
struct otlp_table {
	const char **v;
	size_t n, cap;
};

/* A stack or location as the profile has it. */
struct otlp_stack {
	uint32_t path, site; /* path: PATH_ROOT: not yet known */
};

struct otlp_location {
	size_t first;
	uint32_t n; /* its frames, innermost first: frames[first..first + n) */
	bool is_known;
};

enum otlp_tables {
	OTLP_MAPPINGS = 1,
	OTLP_LOCATIONS,
	OTLP_FUNCTIONS,
	OTLP_LINKS,
	OTLP_STRINGS,
	OTLP_ATTRIBUTES,
	OTLP_STACKS,
	OTLP_N_TABLES
};

struct otlp_dictionary {
	struct sink *sink;
	struct otlp_table tables[OTLP_N_TABLES];
	struct otlp_location *locations;
	struct otlp_stack *stacks;
	struct site *frames;
	size_t n_frames, cap_frames;
	struct site *stack; /* being made */
	size_t n_stack, cap_stack;
	uint32_t *syms; /* of it, root first */
	size_t cap_syms;
	struct long_names names; /* of the strings */
	struct buf text;
};

void otlp_deinit(struct otlp_dictionary *);
/* Adds the entries of a dictionary. false: it is damaged. */
bool otlp_add_dictionary(struct otlp_dictionary *, struct slice message);
/* The message at a place that there is. */
struct slice otlp_message(const struct otlp_table *, size_t index);
/* To be called once, after the last dictionary. */
void otlp_begin_stacks(struct otlp_dictionary *);
/* Empty: there is none. */
struct slice otlp_string(const struct otlp_dictionary *, uint64_t index);
/* The path of a stack, and the node of its sites; that of EMPTY_STACK if it has no frames or is unknown. */
struct otlp_stack otlp_stack(struct otlp_dictionary *, uint64_t index);

/* The fields of a KeyValue or, with an index as its key, of an attribute. */
struct otlp_attribute {
	struct slice key, text;
	int64_t number;
	bool has_number;
};
/* false: it is damaged, or there is none. */
bool otlp_attribute(const struct otlp_dictionary *, uint64_t index, struct otlp_attribute *);
bool otlp_key_value(struct slice message, struct otlp_attribute *);

#endif
