/*
 * formats.c - the table of formats, and how they are called.
 */
#include "collapse/formats.h"

#include <string.h>

#define FORMAT_ROW(name) &format_##name,
const struct collapse_format *const collapse_formats[] = {
	COLLAPSE_FORMATS(FORMAT_ROW) NULL,
};

/* Other names under which people know a format. */
static const struct {
	const char *alias, *name;
} aliases[] = {
	{"vtune_mc", "vtune-mc"},
	{"chrome_tracing", "chrome-tracing"},
	{"java_exceptions", "java-exceptions"},
	{"perf_sched", "perf-sched"},
	{"recursive", "folded"},
};

const struct collapse_format *collapse_find(const char *name)
{
	for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
		if (!strcmp(aliases[i].alias, name))
			name = aliases[i].name;
	}
	for (const struct collapse_format *const *f = collapse_formats; *f; f++) {
		if (!strcmp((*f)->name, name))
			return *f;
	}
	return NULL;
}
