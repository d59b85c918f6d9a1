/*
 * names.h - keeps each text once: names of threads and paths of files.
 */
#ifndef PERFDATA_NAMES_H
#define PERFDATA_NAMES_H

#include <stddef.h>

#include "base/arena.h"
#include "base/idmap.h"

/* Zeroed is empty. */
struct perfdata_names {
	struct arena texts;
	struct idmap by_hash; /* hash of a text -> its number */
	const char **all;     /* NUL-terminated, at stable addresses until perfdata_names_deinit() */
	size_t n, cap;
};

void perfdata_names_deinit(struct perfdata_names *);
/* Returns the number of the text; numbers start at 0 and follow the order of arrival. A NUL ends the text. */
uint32_t perfdata_names_add(struct perfdata_names *, const char *text, size_t len);
/* Returns the stored copy of the text. */
const char *perfdata_names_keep(struct perfdata_names *, const char *text, size_t len);

#endif
