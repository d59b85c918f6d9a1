/*
 * source_text.h - finds a source file, and its lines.
 *
 * Names come from profiles and debug information, which may be a stranger's: only regular files are opened, without
 * blocking, none below /proc, /sys and /dev, and no more than SOURCE_MOST bytes of one are read.
 */
#ifndef BASE_SOURCE_TEXT_H
#define BASE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_places.h"

#define SOURCE_MOST ((size_t)16 << 20)
#define SOURCE_MOST_LINES 1000000u
#define SOURCE_MOST_COLUMNS 4096u /* bytes of a line */

/* Where source files are looked for. */
struct source_places {
	struct file_places files;       /* --path-map, --symfs */
	const char *const *directories; /* --source-path; a NULL ends the list; NULL: none */
};

struct source_text {
	char *path; /* of the file that was opened */
	int64_t modified;
	char *bytes; /* the whole file */
	size_t len;
	size_t *lines; /* where each begins; lines[n_lines] is the end */
	size_t n_lines;
};

/*
 * Opens the file that a compiler or a profiler calls `name`: under its name or where a path map leads, then in each
 * directory, and in the working directory, under the name or as long a part of its end as is there. NULL with err:
 * it is not here, or not text.
 */
struct source_text *source_text_open(const struct source_places *, const char *name, struct err *);
/* Opens a file under this path alone, by the same rules. */
struct source_text *source_text_open_path(const char *path, struct err *);
/* Copies n bytes, which debug information has of the file `name`; NULL: they are more than SOURCE_MOST. */
struct source_text *source_text_copy(const char *name, const char *bytes, size_t n);
void source_text_free(struct source_text *); /* NULL: nothing */

/* A line, from 1 on, without its end; at most SOURCE_MOST_COLUMNS bytes. NULL: there is none. */
const char *source_text_line(const struct source_text *, uint32_t number, size_t *len);

#endif
