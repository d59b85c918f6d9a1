/*
 * units.h - the units of weights that can be converted: times and sizes, each with its spellings.
 */
#ifndef MODEL_UNITS_H
#define MODEL_UNITS_H

#include <stdbool.h>
#include <stdint.h>

/* Of two units that are alike, the size of one is a multiple of that of the other. */
struct unit {
	const char *ours;       /* as all profiles spell it */
	const char *aliases[6]; /* this one as well */
	bool is_time;
	uint64_t size; /* nanoseconds or bytes */
};

/* NULL: unknown. */
const struct unit *unit_find(const char *name);
/* Are both times, or both sizes? NULL is like none. */
bool unit_is_like(const struct unit *, const struct unit *);

#endif
