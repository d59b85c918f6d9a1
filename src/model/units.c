/*
 * units.c - the table of units of weights.
 *
 * A kilobyte has 1024 bytes, as in pprof.
 */
#include "units.h"

#include <stddef.h>
#include <string.h>

static const struct unit units[] = {
	{"ns", {"ns", "nanoseconds", "nanosecond", "nsec"}, true, 1},
	{"us", {"us", "microseconds", "microsecond", "usec", "\xc2\xb5s", "\xce\xbcs"}, true, 1000},
	{"ms", {"ms", "milliseconds", "millisecond", "msec"}, true, 1000000},
	{"s", {"s", "seconds", "second", "sec"}, true, 1000000000},
	{"bytes", {"bytes", "byte", "B", "By"}, false, 1},
	{"kB", {"kB", "KB", "kilobytes", "kilobyte", "KiB", "KiBy"}, false, UINT64_C(1) << 10},
	{"MB", {"MB", "megabytes", "megabyte", "MiB", "MiBy"}, false, UINT64_C(1) << 20},
	{"GB", {"GB", "gigabytes", "gigabyte", "GiB", "GiBy"}, false, UINT64_C(1) << 30},
	{"TB", {"TB", "terabytes", "terabyte", "TiB", "TiBy"}, false, UINT64_C(1) << 40},
};
#define N_ALIASES (sizeof units->aliases / sizeof *units->aliases)

const struct unit *unit_find(const char *name)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		for (size_t k = 0; k < N_ALIASES && units[i].aliases[k]; k++)
			if (strcmp(name, units[i].aliases[k]) == 0)
				return &units[i];
	return NULL;
}

bool unit_is_like(const struct unit *a, const struct unit *b)
{
	return a && b && a->is_time == b->is_time;
}
