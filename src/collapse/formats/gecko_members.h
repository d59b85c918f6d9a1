/*
 * gecko_members.h - the containers in raw profiles of Firefox, and the kinds of their members.
 */
#ifndef COLLAPSE_FORMATS_GECKO_MEMBERS_H
#define COLLAPSE_FORMATS_GECKO_MEMBERS_H

#include "base/json.h"

/* The meaning of an open container. */
enum place {
	ELSEWHERE,
	PROFILE,
	PROCESSES,
	META,
	UNITS,
	LIBS,
	LIB,
	THREADS,
	THREAD,
	STRINGS,
	TABLE,
	SCHEMA,
	ROWS,
	ROW,
	PAYLOAD, /* of a marker */
	PAYLOAD_STACK,
	PAYLOAD_TABLE,
	PAYLOAD_ROWS,
	PAYLOAD_ROW,
};

/*
 * Does a value that begins with this token have a key that is one for another kind? null stands for nothing.
 * Members of what is in markers are not known.
 */
bool gecko_is_odd(enum place, struct slice key, enum json_token);

#endif
