/*
 * runtimes.h - recognises runtimes that compile functions while they run, by the names of mapped files.
 *
 * The names of these functions are unknown unless the runtime writes them into a map or dump (symbols/jits.h).
 */
#ifndef SYMBOLS_RUNTIMES_H
#define SYMBOLS_RUNTIMES_H

#include <stdbool.h>

#include "base/buf.h"

struct runtime {
	const char *name;
	const char *how; /* it writes a perf map: "start it with ..." */
	/* internal */
	const char *files[4];    /* how names of its program and library begin; ends with NULL */
	const char *in_path;     /* stands before the version in paths; NULL: nothing does */
	const char *in_contents; /* likewise in the file itself */
	int parts;               /* of a version that matter: 1 of "20.1.3", 2 of "3.3.0" */
};

extern const struct runtime runtimes[]; /* by number; ends with one without name */

enum {
	RUNTIME_NODE,
	RUNTIME_JAVA,
	RUNTIME_DOTNET,
	RUNTIME_RUBY,
	RUNTIME_ERLANG,
	RUNTIME_LUAJIT,
	RUNTIME_PHP,
	N_RUNTIMES,
};

/* The runtime that a mapped file is; NULL: none. */
const struct runtime *runtime_of(const char *path);

/* May memory of this name, as recordings have it, hold code that a program made? */
bool runtime_is_memory(const char *name);

/*
 * Appends "Node 20", or "Node" if the version is unknown. path: of the mapped file; file: where to read it, NULL if
 * there is no copy. Reads a file of up to 256 MiB.
 */
void runtime_add_name(struct buf *, const struct runtime *, const char *path, const char *file);

#endif
