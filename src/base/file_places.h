/*
 * file_places.h - where the files of a recording are on this machine.
 *
 *	--path-map=/app=/home/me/build        /app/bin/server is at /home/me/build/bin/server
 *	--symfs=/mnt/target                   /usr/lib/libc.so.6 is at /mnt/target/usr/lib/libc.so.6
 *
 * The first path map that fits wins and leads to a path of this machine, links included; only paths that none fits
 * are below the root. A path map of "/" leads to a root, too. Links below a root stay within (base/below_root.h).
 */
#ifndef BASE_FILE_PLACES_H
#define BASE_FILE_PLACES_H

#include <stdbool.h>

#include "base/buf.h"

struct file_places {
	const char *root;        /* NULL or "": "/" */
	const char *const *maps; /* "OLD=NEW", whole parts of paths; a NULL ends the list; NULL: none */
	bool is_bundle;          /* the root is an unpacked bundle, of which messages speak */
};

/* Appends the path of the file that was recorded as `name`. true: a path map fits. */
bool file_places_add(const struct file_places *, const char *name, struct buf *out);
/* Is the text OLD=NEW, both with a slash in front? */
bool file_places_is_map(const char *text);

#endif
