/*
 * jits.h - functions of JIT compilers by process, from the files that the compilers write.
 */
#ifndef SYMBOLS_JITS_H
#define SYMBOLS_JITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "symbols/found_files.h"
#include "symbols/texts.h"
#include "symbols/trust.h"

struct jit;
struct jit_files;

struct jits {
	char *root;
	struct report *report; /* may be NULL */
	struct texts *texts;
	struct found_files *found; /* gets the files that were read; NULL: not needed */
	bool is_monotonic;
	struct trust_period period;
	struct jit_files *files;
	struct jit **items;
	size_t n, cap;
	struct map map; /* by pid */
};

/* root may be NULL. report and texts must outlive the struct. */
void jits_init(struct jits *, const char *root, bool is_monotonic, struct report *, struct texts *);
/* When the recording was made: without this call, no file of a process's owner is read. */
void jits_set_period(struct jits *, struct trust_period);
void jits_deinit(struct jits *);
/* Records that a process mapped the dump at path. */
void jits_add_dump(struct jits *, int32_t pid, const char *path);

/* Records that a process started at that time (ns, 0: unknown) as a copy of its parent, with the parent's code. */
void jits_add_fork(struct jits *, int32_t pid, int32_t parent, uint64_t time);

/* Records that another program runs in a process from that time on: the code of the one before is gone. */
void jits_add_exec(struct jits *, int32_t pid, uint64_t time);

struct jit_symbol {
	const char *module; /* the file that names the function, from texts; without a name, the map that would */
	const char *name;   /* from texts */
	uint64_t start;
	const char *dump; /* path of the dump that has the code, from texts; NULL: none */
	uint64_t offset;  /* of the instruction in it */
};

/*
 * Finds the function at an address of a process at a time (0: unknown). It reads the files at the first query for
 * the process, and again at most once a second while they grow. false: no name for the address; the module is set
 * anyway.
 */
bool jits_find(struct jits *, int32_t pid, uint64_t address, uint64_t time, struct jit_symbol *);

/* Have the files that were read, of the process or its ancestors, any function? */
bool jits_has_any(struct jits *, int32_t pid);

#endif
