/*
 * mapped_names.h - names of functions, from addresses and what a process had mapped there.
 */
#ifndef COLLAPSE_FORMATS_MAPPED_NAMES_H
#define COLLAPSE_FORMATS_MAPPED_NAMES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_places.h"

struct mapped_names;
struct found_files;

/* Where names come from; as in struct symbols_options. */
struct mapped_source {
	struct file_places places;
	bool uses_servers;
	const atomic_bool *stop;
	struct found_files *found;
};
/* Notes on files go to the report, which must outlive it. */
struct mapped_names *mapped_names_new(const struct mapped_source *, struct report *);
void mapped_names_free(struct mapped_names *); /* NULL is fine */

/* Code was mapped at [start, end); path "": from no file. */
struct mapping {
	uint64_t start, end, offset;
	const char *path;
};
void mapped_names_add(struct mapped_names *, const struct mapping *);
/* Forgets what was mapped, but not what is known of the files. */
void mapped_names_forget(struct mapped_names *);

/* Texts live as long as the struct mapped_names. */
struct mapped_name {
	const char *name;   /* mangled; NULL: unknown */
	const char *module; /* NULL: the address is in no file */
};
struct mapped_name mapped_names_at(struct mapped_names *, uint64_t address);

#endif
