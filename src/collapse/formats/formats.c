/*
 * formats.c - the table of formats, and look-ups in it.
 */
#include "collapse/formats.h"

#include <string.h>

#define FORMAT_ROW(name) &format_##name,
const struct collapse_format *const collapse_formats[] = {
	COLLAPSE_FORMATS(FORMAT_ROW) NULL,
};

/* "perf_sched" means perf-sched, too. */
static bool is_called(const char *name, const char *asked)
{
	for (; *name && (*name == *asked || (*name == '-' && *asked == '_')); name++)
		asked++;
	return *name == *asked;
}

const struct collapse_format *collapse_find(const char *name)
{
	if (strcmp(name, "recursive") == 0) /* the name in other tools */
		name = "folded";
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		if (is_called((*f)->name, name))
			return *f;
	}
	return NULL;
}
