/*
 * group.h - what functions can be summed by: module, source file, package. Each gives every symbol a text, its
 * label.
 */
#ifndef MODEL_GROUP_H
#define MODEL_GROUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "symtab.h"

enum group_by {
	BY_FUNCTION, /* the name: no label */
	BY_MODULE,   /* program, library, kernel module, script; the last part of its path, as for perf report */
	BY_FILE,     /* source file: the path as in the profile */
	BY_PACKAGE,  /* package, namespace or crate, from the name; else the module */
	N_GROUPS
};

#define GROUP_WORDS "function module file package" /* enum group_by */
/* "function", "module", ... for options and headings; "functions", "modules", ... for counts of rows. */
const char *group_name(enum group_by);
const char *group_plural(enum group_by);
const char *group_noun(enum group_by, size_t n); /* the plural unless n is 1 */

/* Which functions a symbol stands for. */
enum group_of {
	OF_NAME,   /* all of its name: what symtab_learn() knows */
	OF_ORIGIN, /* those of its own origin (origin.h) */
};

/*
 * Appends the label; "[unknown module]" and the like if it is not known. A task, and why it is off the CPU, are no
 * functions and have no label: false, and nothing is appended.
 */
bool group_add_label(const struct symtab *, uint32_t sym, enum group_by, enum group_of, struct buf *out);
/*
 * Has any function a label of this kind that is known? Packages that are only modules do not count. A key waits for
 * the answer: of more than 50,000 names, every second, third, ... is looked at.
 */
bool group_is_known(const struct symtab *, enum group_by);
/* The symbol that the label of this one depends on, besides its name; 0: only the name. */
uint32_t group_key(const struct symtab *, uint32_t sym, enum group_by, enum group_of);

#endif
