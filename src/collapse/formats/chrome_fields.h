/*
 * chrome_fields.h - the members of events, samples and frames in the Trace Event Format.
 */
#ifndef COLLAPSE_FORMATS_CHROME_FIELDS_H
#define COLLAPSE_FORMATS_CHROME_FIELDS_H

#include "base/json.h"
#include "collapse/collapse.h"

/* The last two are members of ARGS. */
enum chrome_field {
	OTHER,
	NAME,
	PHASE,
	TIME,
	DURATION,
	THREAD_DURATION,
	PID,
	TID,
	ID,
	ARGS,
	STACK_FRAME,
	PARENT,
	ARGS_NAME,
	ARGS_DATA,
	N_FIELDS
};

extern const struct slice chrome_field_keys[N_FIELDS];

/* Of a member of an event. */
static inline enum chrome_field chrome_field_of(struct slice key)
{
	const struct slice *keys = chrome_field_keys;
	for (unsigned i = NAME; key.n <= 6 && i <= PARENT; i++)
		if (key.n == keys[i].n && *key.s == *keys[i].s && memcmp(key.s, keys[i].s, key.n) == 0)
			return (enum chrome_field)i;
	return OTHER;
}

/* A set of fields. */
#define FIELD(field) (1u << (field))

/* Reports those fields whose values are of the wrong kind. */
void chrome_fields_skip(struct sink *, unsigned fields, uint64_t line);

#endif
