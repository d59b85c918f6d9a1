/*
 * kallsyms.h - the functions of a kernel and of its modules, from a text as /proc/kallsyms.
 */
#ifndef SYMBOLS_KALLSYMS_H
#define SYMBOLS_KALLSYMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct kallsyms;

/* NULL with err: it cannot be read, has no function, or all addresses are 0 (hidden from users without rights). */
struct kallsyms *kallsyms_open(const char *path, struct err *err);
/* The same from text in memory, which is only read. */
struct kallsyms *kallsyms_parse(const char *text, size_t n, struct err *err);
void kallsyms_free(struct kallsyms *); /* NULL is fine */

/* The address of a symbol of the kernel itself; false: it is not there. */
bool kallsyms_address(const struct kallsyms *, const char *name, uint64_t *address);
/*
 * For a recording of the same kernel at another place: adds `by` to the addresses of the kernel itself. Modules,
 * whose places are unknown then, are dropped.
 */
void kallsyms_move(struct kallsyms *, uint64_t by);

struct kallsym {
	const char *name, *module; /* module "nf_tables"; NULL: the kernel itself. Live as long as the kallsyms */
	uint64_t start;
};

/* false: no function holds the address. */
bool kallsyms_find(const struct kallsyms *, uint64_t address, struct kallsym *);

#endif
