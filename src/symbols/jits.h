/*
 * jits.h - functions of JIT compilers by process, from the files that these leave.
 */
#ifndef SYMBOLS_JITS_H
#define SYMBOLS_JITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "symbols/texts.h"

struct jit;

struct jits {
	char *root;
	struct report *report; /* may be NULL */
	struct texts *texts;
	bool is_monotonic;
	struct jit **items;
	size_t n, cap;
	uint32_t *slots; /* number + 1 by pid; 0: free */
	size_t n_slots;
};

/* root may be NULL. report and texts must outlive the struct. */
void jits_init(struct jits *, const char *root, bool is_monotonic, struct report *, struct texts *);
void jits_deinit(struct jits *);
/* A process has mapped the dump at path. */
void jits_add_dump(struct jits *, int32_t pid, const char *path);

/* A process begins as a copy of its parent, with the parent's code. */
void jits_add_fork(struct jits *, int32_t pid, int32_t parent);

struct jit_symbol {
	const char *module; /* the file that names it, from texts; without a name, the map that would */
	const char *name;   /* from texts */
	uint64_t start;
	const char *source; /* from texts; NULL: unknown */
	uint32_t line;
};

/*
 * What is at an address of a process at a time (0: unknown). The files are read when the process is first asked
 * about, and again at most each second while they grow. false: nothing there has a name; the module is set all the
 * same.
 */
bool jits_find(struct jits *, int32_t pid, uint64_t address, uint64_t time, struct jit_symbol *);

#endif
