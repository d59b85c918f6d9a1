/*
 * names.h - texts that are kept once: names of threads and paths of files.
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
/* The number of the text, from 0 on, in the order in which they came. A NUL ends it. */
uint32_t perfdata_names_add(struct perfdata_names *, const char *text, size_t len);
/* The text itself, as it is kept. */
const char *perfdata_names_keep(struct perfdata_names *, const char *text, size_t len);

#endif
